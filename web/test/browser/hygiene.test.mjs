/** Small promises: focus, keys, titles, contrast, touch, notices, words for what goes wrong. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { card, e, lab, STATIC, visit } from "./harness.mjs";

const found = lab();
const on = (...args) => visit(found, ...args);

/** What has the focus, through all shadow roots: its name or its id. */
const focused = (page) =>
  page.evaluate(() => {
    let one = document.activeElement;
    while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
    return one.getAttribute("aria-label") ?? (one.id || one.textContent.trim() || one.localName);
  });

for (const hash of ["#1/sandbox?t=0", "#1/walk?t=0"])
  test(`the Tab key goes from the head to the picture, its transport, and the sliders: ${hash}`, () =>
    on(
      hash,
      async (page) => {
        const stops = [];
        for (let i = 0; i < 40 && stops.at(-1) !== "expression"; i++) {
          await page.keyboard.press("Tab");
          stops.push(await focused(page));
        }
        const tab = hash.includes("walk") ? "Tables" : "Pulse";
        const way = ["Skip to the graph", "Play", "Help", tab, /^f:/, "Play", "expression"];
        let from = 0;
        for (const stop of way) {
          const at = stops.findIndex((one, i) => i >= from && (stop.test?.(one) ?? one === stop));
          assert.ok(at >= 0, `${stop} in ${stops.join(" | ")}`);
          from = at + 1;
        }
      },
      { loads: true },
    ));

test("tools are one tab stop, and arrows go from one to the next", () =>
  on("#1/sandbox?t=0", async (page) => {
    await page.getByRole("button", { name: "Help" }).focus();
    await page.keyboard.press("ArrowLeft");
    assert.match(await focused(page), /^Theme/);
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused(page), "Help");
  }));

test("Esc gives the focus back: from the help, the expression and a leaf's box", () =>
  on("#1/sandbox?t=999999", async (page) => {
    await page.getByRole("button", { name: "Help" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("dialog[open]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    assert.equal(await focused(page), "Help");
    await page.getByRole("button", { name: "Step", exact: true }).focus();
    await page.keyboard.press("/");
    assert.equal(await focused(page), "expression");
    await page.keyboard.press("Escape");
    assert.equal(await focused(page), "Step");
    for (const key of ["Escape", "Enter"]) {
      await card(page, "a").locator(".target").focus();
      await page.keyboard.press("Enter");
      assert.equal(await focused(page), "a, value");
      await page.keyboard.press(key);
      assert.match(await focused(page), /^a: value/);
    }
  }));

test("single-letter keys can be switched off, and stay off", () =>
  on("#1/sandbox?t=0", async (page) => {
    const final = () =>
      page.evaluate(() => document.querySelector("gradwalk-lab").store.state.final);
    await page.keyboard.press("?");
    await page.getByRole("button", { name: "Single-letter keys: on" }).click();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.keyboard.press("g");
    assert.equal(await final(), false);
    await page.keyboard.press("End");
    assert.match(await card(page, "a").locator(".grad").textContent(), /10/);
    await page.reload();
    await page.locator("main").waitFor();
    await page.keyboard.press("g");
    assert.equal(await final(), false);
    await page.getByRole("button", { name: "Help" }).click();
    await page.getByRole("button", { name: "Single-letter keys: off" }).click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    assert.equal(await final(), true);
  }));

test("both arrows of a*a by keyboard, and each is said", () =>
  on(`#1/sandbox?f=${e("a*a")}&x=a:3&t=999999`, async (page) => {
    await page.locator("[data-node].root .target").focus();
    const picked = () =>
      page.evaluate(() => document.querySelector("gradwalk-lab").store.state.edge?.operand);
    await page.keyboard.press("PageDown");
    assert.equal(await picked(), 0);
    await page.keyboard.press("PageDown");
    assert.equal(await picked(), 1);
    assert.match(await page.locator(".panel.rule .equation").textContent(), /local, arrow 2/);
    assert.match(
      await page.locator("[role=status]").first().textContent(),
      /Arrow from a to f\. Its local derivative is 3\./,
    );
    await page.keyboard.press("PageUp");
    assert.equal(await picked(), 0);
  }));

test("the window is called after its page and its expression", () =>
  on("#1/sandbox?t=0", async (page) => {
    assert.equal(await page.title(), "Pulse: (a + b) * c – gradwalk");
    await page.getByRole("link", { name: "Tables", exact: true }).click();
    assert.match(await page.title(), /^Tables: /);
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
  }));

test("one finger pans a picture that is larger than its window, and scrolls past one that is not", () =>
  on(
    "#1/sandbox?t=0",
    async (page) => {
      const action = () =>
        page.locator("gradwalk-scene").evaluate((scene) => getComputedStyle(scene).touchAction);
      await page.keyboard.press("+");
      await page.keyboard.press("+");
      await page.keyboard.press("+");
      assert.equal(await action(), "none");
      const camera = () => page.locator("gradwalk-scene").evaluate((scene) => scene.camera);
      const before = await camera();
      const box = await page.locator("gradwalk-scene").boundingBox();
      const session = await page.context().newCDPSession(page);
      const touch = (type, x, y) =>
        session.send("Input.dispatchTouchEvent", {
          type,
          touchPoints: type === "touchEnd" ? [] : [{ x, y }],
        });
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await touch("touchStart", x, y);
      for (let i = 1; i <= 8; i++) await touch("touchMove", x - 8 * i, y - 6 * i);
      await touch("touchEnd");
      const after = await camera();
      assert.notDeepEqual([after.x, after.y], [before.x, before.y]);
      assert.equal(await page.evaluate(() => scrollY), 0);
    },
    { viewport: { width: 360, height: 740 }, hasTouch: true },
  ));

test("a number that is none is explained where it is typed", () =>
  on("#1/sandbox?t=999999", async (page) => {
    const box = page.getByLabel("a, value");
    await box.fill("two");
    const note = page.locator("gradwalk-number [role=alert]").first();
    assert.match(await note.textContent(), /Type a number, such as 3, −0\.5 or 1\/3/);
    assert.ok(await note.isVisible());
    assert.equal(await box.getAttribute("aria-invalid"), "true");
    await box.fill("2");
    assert.ok(!(await note.isVisible()));
  }));

test("nan and inf are explained where they are computed and where they are picked", async () => {
  await on(`#1/sandbox?f=${e("exp(a) * b")}&x=a:1000,b:2&t=0`, async (page) => {
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator(".words .why").textContent(), /inf means .*too large/);
    assert.match(await page.locator("[role=status]").first().textContent(), /inf means/);
  });
  await on(`#1/sandbox?f=${e("log(a) + b")}&x=a:-1,b:2&t=999999&n=t1`, async (page) => {
    assert.match(await page.locator(".panel.rule .odd").textContent(), /nan means .*not a number/);
  });
});

test("captions are there for assistive technology", () =>
  on("#1/walk?t=0", async (page) => {
    for (const name of ["Stage 1: sort", "Stage 2: backward"])
      assert.equal(await page.getByRole("table", { name }).count(), 1, name);
  }));

test("what is said aloud is a sentence, without arrows and signs", () =>
  on(`#1/walk?f=${e("c = a * b; L = c + a - 2")}&x=a:2,b:3&t=0`, async (page) => {
    const said = await page.evaluate(async () => {
      const lab = document.querySelector("gradwalk-lab");
      const texts = [];
      for (const { end } of lab.lab.program.line.events) {
        lab.store.dispatch({ type: "seek", time: end });
        await lab.updateComplete;
        texts.push(lab.shadowRoot.querySelector("[role=status]").textContent);
      }
      return texts;
    });
    for (const text of said) assert.match(text, /^[A-Za-z0-9][^→×∗=()]*\.$/);
    assert.ok(
      said.includes("c passes 1 times 3, which is 3, to a. The gradient of a goes from 1 to 4."),
    );
  }));

test("licence notices are in the built files, and the About leads to the texts", async () => {
  const texts = await readFile(join(STATIC, "licences.txt"), "utf8");
  assert.match(texts, /Google LLC[\s\S]*Redistribution and use/);
  assert.match(await readFile(join(STATIC, "export.html"), "utf8"), /<!--[\s\S]*Google LLC/);
  await on("#1/sandbox?t=0", async (page) => {
    await page.keyboard.press("?");
    assert.match(await page.locator(".about").textContent(), /MIT.*Lit/s);
    const link = await page.locator(".about a").getAttribute("href");
    const answer = await page.request.get(new URL(link, found.server.url).href);
    assert.equal(answer.status(), 200);
  });
});
