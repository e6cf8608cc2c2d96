/** What every page shares: links, keys, undo, sizes, motion, safety. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { card, e, follow, lab, label, open, PYTHON, turnTo, visit } from "./harness.mjs";

const found = lab();
const on = (...args) => visit(found, ...args);
const END = "&t=999999";

async function pills(page) {
  return page.locator(".pill text").allTextContents();
}

test("the address holds the state: leave, come back, same picture", () =>
  on("#1/sandbox?t=0", async (page) => {
    await page.locator("#expression").fill("relu(a*b) + c");
    await page.getByLabel("c, value").fill("4.5");
    await page.keyboard.press("Escape");
    await page.locator("main").click({ position: { x: 5, y: 5 } });
    await page.keyboard.press("End");
    await page.waitForFunction(() => /c:4\.5.*[?&]t=[1-9]/.test(location.hash));
    const url = page.url();
    const shown = await page.locator("[data-node].root .target").getAttribute("aria-label");
    await page.goto("about:blank");
    await page.goto(url);
    await page.locator("[data-node].root").waitFor();
    assert.equal(await page.locator("[data-node].root .target").getAttribute("aria-label"), shown);
    assert.equal(await page.locator("#expression").inputValue(), "relu(a*b) + c");
  }));

test("undo, by button and by key", () =>
  on("#1/sandbox?t=0", async (page) => {
    await page.locator("#expression").fill("a + a");
    await page.locator("#expression").blur();
    await page.keyboard.press("Control+z");
    assert.equal(await page.locator("#expression").inputValue(), "(a + b) * c");
    await page.getByRole("button", { name: "Redo" }).click();
    assert.equal(await page.locator("#expression").inputValue(), "a + a");
  }));

test("copy link and copy Python", () =>
  on(
    `#1/sandbox?f=${e("tanh(a) * b")}&x=a:2,b:-3&t=0`,
    async (page) => {
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
      await page.getByRole("button", { name: "Share" }).click();
      await page.getByRole("button", { name: "Copy Python" }).click();
      await page.getByText("Copied").waitFor();
      assert.match(
        await clipboard(),
        /from gradwalk import Value, tanh\n\na = Value\(2\.0, label="a"\)\n.*f = tanh\(a\) \* b\nf\.backward\(\)/s,
      );
      await page
        .locator(".share .row .toggle", { hasText: /^Copy$/ })
        .first()
        .click();
      await page.waitForFunction(() =>
        navigator.clipboard.readText().then((text) => /#1/.test(text)),
      );
      assert.match(await clipboard(), /#1\/sandbox\?f=tanh\(a\)/);
      await page.getByRole("button", { name: "Copy Python" }).click();
      await page.waitForFunction(() =>
        navigator.clipboard.readText().then((text) => /Value/.test(text)),
      );
      await page.keyboard.press("Escape");
      const { stdout } = await promisify(execFile)(PYTHON, ["-c", await clipboard()]);
      const printed = Object.fromEntries(
        stdout
          .trim()
          .split("\n")
          .map((line) => line.split(" = ")),
      );
      await page.keyboard.press("End");
      const minus = (text) => text.replace("-", "−").replace(/\.0$/, "");
      for (const name of ["a", "b"])
        assert.match(
          await label(page, name),
          new RegExp(`gradient ${minus(printed[`${name}.grad`])}$`),
        );
    },
    { permissions: ["clipboard-read", "clipboard-write"] },
  ));

const stateOf = (page, key) =>
  page.evaluate((name) => document.querySelector("gradwalk-lab").store.state[name], key);

test("every key of the help does what it says", () =>
  on(`#1/sandbox?f=${e("a / b + a")}&x=a:2,b:5&t=0`, async (page) => {
    const state = (key) => stateOf(page, key);
    const total = () =>
      page.evaluate(() => document.querySelector("gradwalk-lab").lab.program.line.total);
    const press = (key) => page.keyboard.press(key);
    await press("ArrowRight");
    const first = await state("time");
    assert.ok(first > 0);
    await press("ArrowLeft");
    assert.equal(await state("time"), 0);
    await press("Shift+ArrowRight");
    const forward = await state("time");
    assert.ok(forward > first);
    await press("Shift+ArrowRight");
    assert.equal(await state("time"), await total());
    await press("Shift+ArrowLeft");
    assert.equal(await state("time"), forward);
    await press("End");
    assert.equal(await state("time"), await total());
    await press("Home");
    assert.equal(await state("time"), 0);
    await press(" ");
    assert.equal(await state("playing"), true);
    await press(" ");
    assert.equal(await state("playing"), false);
    for (const [key, flag] of [
      ["g", "final"],
      ["d", "unfold"],
      ["p", "predict"],
    ]) {
      await press(key);
      assert.equal(await state(flag), true, flag);
      await press(key);
      assert.equal(await state(flag), false, flag);
    }
    await press("3");
    assert.equal(await state("view"), "3d");
    await press("Escape");
    assert.equal(await state("view"), "2d");
    const zoom = () => page.locator("gradwalk-scene").evaluate((scene) => scene.camera.k);
    const fitted = await zoom();
    await press("+");
    assert.ok((await zoom()) > fitted);
    await press("-");
    await press("-");
    assert.ok((await zoom()) < fitted);
    await press("f");
    assert.equal(await zoom(), fitted);
    await card(page, "b").click();
    assert.notEqual(await state("node"), null);
    await press("Escape");
    assert.equal(await state("node"), null);
    await press("?");
    await page.locator("dialog[open]").waitFor();
    await press("Escape");
    await page.locator("dialog[open]").waitFor({ state: "detached" });
  }));

test("no key fires while someone types", () =>
  on("#1/sandbox?t=0", async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("g3 ?dpf");
    assert.equal(await page.locator("#expression").inputValue(), "g3 ?dpf");
    await page.getByLabel("g3, value").focus();
    await page.keyboard.type("3");
    for (const flag of ["final", "help", "unfold", "predict", "playing"])
      assert.equal(await stateOf(page, flag), false, flag);
    assert.equal(await stateOf(page, "view"), "2d");
  }));

test("a link brings back what is shown on every page, and nobody's progress", async () => {
  const X6 = `f=${e("b = a + 1; c = a * 3; d = b * c")}&x=a:2`;
  const cases = [
    [`#1/order?${X6}&q=5.2.0.4&o=ran&t=999999`, ".verdict", /9 along d → c → a/],
    ["#1/checks?c=medium.7", ".banner .what", /=/],
    ["#1/bugs?o=game&k=5", ".banner .what", /=/],
    ["#1/sandbox?e=4.1&t=0", ".panel.rule .picked", /Edge c → f/],
    ["#1/sandbox?n=2&t=0", ".panel.rule .picked", /Node t1/],
  ];
  for (const [hash, where, what] of cases)
    await on(hash, async (page) => {
      const shown = await page.locator(where).first().textContent();
      assert.match(shown, what);
      // What the lab itself writes into the address leads to the same place.
      await page.evaluate(() => {
        const { store } = document.querySelector("gradwalk-lab");
        store.dispatch({ type: "set", change: { speed: 2 } });
      });
      await page.waitForFunction(() => location.hash.includes("s=2"));
      const link = page.url();
      await page.goto("about:blank");
      await page.goto(link);
      assert.equal(await page.locator(where).first().textContent(), shown);
    });
});

test("Back leads from Tables to the bare address and its pulse, Forward to Tables again", () =>
  on("", async (page) => {
    const heading = () => page.locator("h1").textContent();
    await page.getByRole("link", { name: "Tables", exact: true }).click();
    assert.match(await heading(), /^Tables/);
    await page.keyboard.press("End");
    await page.goBack();
    assert.match(await heading(), /^Pulse/);
    await page.waitForFunction(() => location.hash.includes("/sandbox"));
    await page.goForward();
    assert.match(await heading(), /^Tables/);
  }));

test("a link opened in the same tab leaves nothing of what was there", () =>
  on(`#1/sandbox?f=${e("a*b")}&x=a:7,b:8&o=final,predict&v=3d&n=a&t=0`, async (page) => {
    await follow(page, "#1/sandbox?t=0");
    const left = await page.evaluate(() => {
      const { final, predict, view, node, values } =
        document.querySelector("gradwalk-lab").store.state;
      return [final, predict, view, node, values.get("a")];
    });
    assert.deepEqual(left, [false, false, "2d", null, 2]);
  }));

test("progress stays in the browser over a reload, until it is forgotten", () =>
  on("#1/checks", async (page) => {
    await page.getByLabel("your answer").fill("10");
    await page.keyboard.press("Enter");
    const score = () => page.locator(".list .score").textContent();
    assert.match(await score(), /1 of 4/);
    const other = await open(found.browser, page.url());
    assert.match(await other.locator(".list .score").textContent(), /0 of 4/);
    await other.context().close();
    await page.reload();
    await page.locator(".question").first().waitFor();
    assert.match(await score(), /1 of 4/);
    await page.keyboard.press("?");
    await page.getByRole("button", { name: "Forget my progress" }).click();
    await page.reload();
    await page.locator(".question").first().waitFor();
    assert.match(await score(), /0 of 4/);
  }));

test("keys in the graph follow the edges", () =>
  on("#1/sandbox?t=999999", async (page) => {
    await page.locator("[data-node].root .target").focus();
    await page.keyboard.press("ArrowLeft");
    const focused = () =>
      page.evaluate(() =>
        document
          .querySelector("gradwalk-lab")
          .shadowRoot.querySelector("gradwalk-scene")
          .shadowRoot.activeElement?.getAttribute("aria-label"),
      );
    assert.match(await focused(), /^t1:/);
    await page.keyboard.press("ArrowDown");
    assert.match(await focused(), /^c:/);
    await page.keyboard.press("ArrowRight");
    assert.match(await focused(), /^f:/);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.match(await focused(), /^a:/);
    await page.keyboard.press("Enter");
    assert.match(
      await page.evaluate(() => document.querySelector("gradwalk-lab").shadowRoot.activeElement.id),
      /^box-a$/,
    );
  }));

test("each event is said aloud", () =>
  on("#1/sandbox?t=0", async (page) => {
    await page.keyboard.press("End");
    const said = await page.locator("[aria-live=polite]").first().textContent();
    assert.match(
      said,
      /^t1 passes 10 times 1, which is 10, to b\. The gradient of b is 10 so far\.$/,
    );
  }));

test("reduced motion: the same numbers, no pulse", () =>
  on("#1/sandbox?t=2300", async (page) => {
    assert.equal(
      await page
        .locator(".pulse")
        .first()
        .isVisible()
        .catch(() => false),
      false,
    );
    await page.keyboard.press("End");
    assert.equal((await pills(page)).length, 4);
  }));

test("nothing covers anything: cards and pills keep apart", () =>
  on(
    `#1/sandbox?f=${e("d = a*b; e = a + b; f = d*e; g = f*a - tanh(b)/c; relu(g) + d")}${END}`,
    async (page) => {
      const rects = await page
        .locator(".card .body, .pill rect")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
      for (let i = 0; i < rects.length; i++)
        for (let j = 0; j < i; j++) {
          const [p, q] = [rects[i], rects[j]];
          assert.ok(
            p.right <= q.left + 1 ||
              q.right <= p.left + 1 ||
              p.bottom <= q.top + 1 ||
              q.bottom <= p.top + 1,
            `${i} and ${j} overlap`,
          );
        }
    },
  ));

test("a phone of 360 pixels: nothing sticks out, picture, transport and doors stay", () =>
  on(
    "#1/sandbox?t=999999",
    async (page) => {
      for (const name of ["walk", "order", "bugs", "checks", "sandbox"]) {
        await turnTo(page, name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 360, `${name} is ${wide} wide`);
      }
      await page.evaluate(() => scrollTo(0, 1e6));
      const stage = await page.locator(".stage").boundingBox();
      assert.ok(stage.y >= -1 && stage.y < 2, `the stage is at ${stage.y}`);
      const doors = await page.locator(".doors").boundingBox();
      assert.ok(stage.y + stage.height <= doors.y && Math.abs(doors.y + doors.height - 740) < 2);
      const part = (await page.locator(".picture").boundingBox()).height / 740;
      assert.ok(part >= 0.45 && part <= 0.5, `the picture takes ${part} of the height`);
    },
    { viewport: { width: 360, height: 740 } },
  ));

const PAGES = ["walk", "order", "bugs", "descend", "checks", "program", "traces", "sandbox"];

const SCREENS = { 1024: 768, 1280: 800, 1440: 900 };
const WIDE = [360, 480, 640, 768, 901, 1024, 1181, 1261, 1280, 1440, 1920];

test("at no width, from a phone to a wall, does anything stick out, is a target small, or does a page scroll by a pixel", () =>
  on(`#1/sandbox?f=${e("n = x1*w1 + x2*w2 + b; o = tanh(n)")}&t=999999`, async (page) => {
    for (const name of PAGES) {
      await turnTo(page, name);
      if (name === "descend") await page.locator("[data-descend=step]").click();
      for (const width of WIDE) {
        await page.setViewportSize({ width, height: SCREENS[width] ?? 740 });
        const { right, over, small } = await page.evaluate(() => {
          const { shadowRoot } = document.querySelector("gradwalk-lab");
          const all = (what) => [...shadowRoot.querySelectorAll(what)];
          const { scrollWidth, scrollHeight } = document.documentElement;
          const rights = all(".panel, .stage, .transport, header").map(
            (one) => one.getBoundingClientRect().right,
          );
          return {
            right: Math.max(scrollWidth, ...rights),
            over: scrollHeight - innerHeight,
            small: all("button, select, a, input, [role=button]")
              .map((one) => [one.ariaLabel ?? one.textContent, one.getBoundingClientRect()])
              .filter(([, { width, height }]) => width > 1 && (width < 24 || height < 24))
              .map(([text, { width, height }]) => `${text} ${width}×${height}`),
          };
        });
        const where = `${name} at ${width}`;
        assert.ok(right <= width, `${where}: ${right}`);
        assert.deepEqual(small, [], where);
        if (SCREENS[width]) assert.ok(over <= 0 || over > 8, `${where} scrolls by ${over}`);
      }
    }
  }));

test("right to left: the page turns round, formulas and code do not", () =>
  on("#1/sandbox?t=999999", async (page) => {
    await page.keyboard.press("ArrowLeft");
    await page.evaluate(() => {
      document.documentElement.dir = "rtl";
    });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 1280);
    const brand = await page.locator(".brand").boundingBox();
    assert.ok(brand.x > 640);
    // The first character lies left of the last one.
    for (const where of [".words .what", "ol.code .now code", ".events tr.now .how"]) {
      const [first, last] = await page
        .locator(where)
        .first()
        .evaluate((one) => {
          const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
          const marks = [];
          while (texts.nextNode())
            for (let i = 0; i < texts.currentNode.length; i++) {
              if (!texts.currentNode.data[i].trim()) continue;
              const range = document.createRange();
              range.setStart(texts.currentNode, i);
              range.setEnd(texts.currentNode, i + 1);
              marks.push(range.getBoundingClientRect().left);
            }
          return [marks[0], marks.at(-1)];
        });
      assert.ok(first < last, where);
    }
    for (const where of ["#expression", "gradwalk-number input", ".scrub input"])
      assert.equal(
        await page
          .locator(where)
          .first()
          .evaluate((one) => getComputedStyle(one).direction),
        "ltr",
        where,
      );
    await page.evaluate(() => {
      document.documentElement.dir = "ltr";
    });
  }));

test("hostile addresses and expressions never break the page", async () => {
  const hashes = [
    "#1/sandbox?f=%3Cimg src=x onerror=alert(1)%3E",
    "#1/sandbox?f=__proto__*constructor&x=__proto__:3",
    `#1/sandbox?f=${e("(".repeat(3000))}`,
    "#1/order?q=99999.1.1.2",
    "#1/bugs?b=__proto__&t=1e999",
    "#token=abc",
    "#1/sandbox?f=%E0%A4%A",
    `#1/sandbox?f=${e("a".repeat(5000))}`,
    "#1/walk?f=exp(exp(exp(exp(a))))&x=a:9",
    "#1/checks?f=1",
    "#1/order?f=1",
    "#1/bugs?f=2*3",
    "#1/sandbox?f=toString+valueOf",
  ];
  for (const hash of hashes)
    await on(hash, async (page) => {
      await page.locator("main").waitFor();
      assert.equal(await page.locator("img").count(), 0);
      await page.keyboard.press("End");
      await page.keyboard.press("Home");
    });
});

test("forced colours: every letter, card and wire takes the system's", () =>
  on(
    `#1/order?f=${e("b = a + 1; c = a * 3; d = b * c")}&x=a:2&q=5.2.0.4&o=ran&t=999999`,
    async (page) => {
      const found = await page.locator("gradwalk-scene").evaluate((scene) => {
        const probe = document.createElement("i");
        document.body.append(probe);
        const system = (name) => {
          probe.style.color = name;
          return getComputedStyle(probe).color;
        };
        const names = ["Canvas", "CanvasText", "Highlight", "HighlightText", "GrayText"];
        const allowed = new Set([...names.map(system), "none", "rgba(0, 0, 0, 0)", "transparent"]);
        const parts = scene.renderRoot.querySelectorAll(
          "text, tspan, .body, .edge path, .pill rect",
        );
        const used = [...parts].flatMap((one) => {
          const { fill, stroke } = getComputedStyle(one);
          return one.matches(".hit") ? [] : [fill, stroke];
        });
        return used.filter((colour) => !allowed.has(colour));
      });
      assert.deepEqual([...new Set(found)], []);
    },
    { forcedColors: "active" },
  ));

test("an edit moves cards by easing and keeps who they are", () =>
  on(
    "#1/sandbox?t=999999",
    async (page) => {
      const mark = () =>
        page.locator("[data-node]:has([aria-label^='c:'])").evaluate((one) => {
          one.kept ??= Math.random();
          return one.kept;
        });
      const before = await mark();
      await page.locator("#expression").fill("(a + b) * c + a");
      assert.equal(await mark(), before);
    },
    { reducedMotion: "no-preference" },
  ));
