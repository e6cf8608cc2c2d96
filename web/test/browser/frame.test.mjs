/** What every page shares: links, keys, undo, sizes, motion, safety. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { e, lab, visit } from "./harness.mjs";

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
    await page.waitForTimeout(400);
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
      await page.getByRole("button", { name: "Copy Python" }).click();
      await page.locator(".notice").waitFor();
      assert.match(
        await clipboard(),
        /from gradwalk import Value, tanh\n\na = Value\(2\.0, label="a"\)\n.*f = tanh\(a\) \* b\nf\.backward\(\)/s,
      );
      await page.getByRole("button", { name: "Copy link" }).click();
      assert.match(await clipboard(), /#1\/sandbox\?f=tanh\(a\)/);
    },
    { permissions: ["clipboard-read", "clipboard-write"] },
  ));

test("keys: everything without a pointer, and none while typing", () =>
  on("#1/sandbox?t=0", async (page) => {
    const state = (key) =>
      page.evaluate((name) => document.querySelector("gradwalk-lab").store.state[name], key);
    await page.keyboard.press("ArrowRight");
    assert.ok((await state("time")) > 0);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await state("time"), 0);
    await page.keyboard.press("/");
    await page.keyboard.type("g3 ?d");
    assert.equal(await state("final"), false);
    assert.equal(await state("help"), false);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.locator("dialog[open]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog[open]").waitFor({ state: "detached" });
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
    assert.match(await focused(), /^\+:/);
    await page.keyboard.press("ArrowDown");
    assert.match(await focused(), /^c:/);
    await page.keyboard.press("ArrowRight");
    assert.match(await focused(), /^∗:/);
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
    assert.match(said, /\+ → b {3}10 × 1 = 10\. Add copies/);
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

test("a phone of 360 pixels: nothing sticks out, the transport stays in reach", () =>
  on(
    "#1/sandbox?t=999999",
    async (page) => {
      for (const name of ["Sandbox", "Walk", "Order", "Bugs", "Checks"]) {
        await page.getByRole("link", { name, exact: true }).click();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 360, `${name} is ${wide} wide`);
      }
      await page.getByRole("link", { name: "Sandbox" }).click();
      const box = await page.locator(".transport").boundingBox();
      assert.ok(Math.abs(box.y + box.height - 740) < 2);
    },
    { viewport: { width: 360, height: 740 } },
  ));

test("targets are at least 24 pixels", () =>
  on("#1/sandbox?t=999999", async (page) => {
    const small = await page.locator("button, select, a, input").evaluateAll((all) =>
      all
        .map((one) => ({
          name: one.getAttribute("aria-label") ?? one.textContent,
          box: one.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.width > 1 && (box.width < 24 || box.height < 24))
        .map(({ name }) => name),
    );
    assert.deepEqual(small, []);
  }));

test("right to left: the page turns round and nothing sticks out", () =>
  on("#1/sandbox?t=999999", async (page) => {
    await page.evaluate(() => {
      document.documentElement.dir = "rtl";
    });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 1280);
    const brand = await page.locator(".brand").boundingBox();
    assert.ok(brand.x > 640);
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

test("zoomed to 200 %: nothing is cut off", () =>
  on(
    "#1/sandbox?t=999999",
    async (page) => {
      for (const name of ["Sandbox", "Walk", "Order", "Bugs", "Checks"]) {
        await page.getByRole("link", { name, exact: true }).click();
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 640, name);
      }
    },
    { viewport: { width: 640, height: 400 } },
  ));

test("forced colours: cards, wires and letters take the system's", () =>
  on(
    "#1/sandbox?t=999999",
    async (page) => {
      const [fill, stroke] = await page
        .locator(".card .body")
        .first()
        .evaluate((body) => [getComputedStyle(body).fill, getComputedStyle(body).stroke]);
      assert.notEqual(fill, stroke);
      assert.equal(await page.locator(".pill text").first().isVisible(), true);
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
