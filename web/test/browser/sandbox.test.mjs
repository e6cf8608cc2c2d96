/** The sandbox, by the ids of the feature list, in a real Chromium. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { card, e, frames, lab, label, visit } from "./harness.mjs";

const found = lab();
const on = (...args) => visit(found, ...args);
const END = "&t=999999";

async function pills(page) {
  return page.locator(".pill text").allTextContents();
}

test("the lab is alive in the first second: X1 plays by itself", () =>
  on(
    "",
    async (page) => {
      await page.waitForFunction(() =>
        document
          .querySelector("gradwalk-lab")
          ?.shadowRoot?.querySelector("gradwalk-scene")
          ?.shadowRoot?.querySelector(".pulse"),
      );
      assert.equal(await page.locator("#expression").inputValue(), "(a + b) * c");
      await page.getByLabel("Speed").selectOption("4");
      await page.waitForFunction(
        () => document.querySelector("gradwalk-lab").store.state.playing === false,
      );
      assert.deepEqual((await pills(page)).sort(), [
        "1 × 10 = 10",
        "1 × −1 = −1",
        "10 × 1 = 10",
        "10 × 1 = 10",
      ]);
    },
    { reducedMotion: "no-preference" },
  ));

test("S1: the graph rebuilds while one types; an error marks its column and loses nothing", () =>
  on(`#1/sandbox?f=${e("(a + b) * c")}&x=a:2,b:-3,c:10${END}`, async (page) => {
    await page.locator("#expression").fill("tanh(a) * b");
    await card(page, "t1").waitFor();
    await page.locator("#expression").fill("tanh(a) * b + (c");
    assert.equal(await page.locator("#expression").inputValue(), "tanh(a) * b + (c");
    assert.match(await page.locator(".message").textContent(), /never closed/);
    const before = () =>
      page.locator(".caret").evaluate((caret) => {
        const range = document.createRange();
        range.setStart(caret.parentNode, 0);
        range.setEndBefore(caret);
        const box = document.querySelector("gradwalk-lab").shadowRoot.querySelector("#expression");
        const [{ left, bottom }, own] = [caret, box].map((one) => one.getBoundingClientRect());
        const isIn = left > own.left && left < own.right && bottom < own.bottom;
        return [range.toString(), isIn];
      });
    assert.deepEqual(await before(), ["tanh(a) * b + ", true]);
    // In a text of several lines, too.
    const long = "tanh(a) * b + tanh(b) * a + tanh(a * b) * tanh(b * a) + ";
    await page.locator("#expression").fill(`${long}(c`);
    assert.deepEqual(await before(), [long, true]);
    assert.equal(await card(page, "t1").count(), 1);
    assert.equal(await page.locator("#expression").getAttribute("aria-invalid"), "true");
    await page.locator("#expression").fill("tanh(a) * b + c");
    assert.equal(await page.locator(".message").count(), 0);
  }));

test("S2: examples load an expression with its values", () =>
  on("#1/sandbox?t=0", async (page) => {
    for (const [id, root] of [
      ["x2", "o: "],
      ["x6", "d: "],
      ["x9s", "f: "],
    ]) {
      await page.getByLabel("Examples").selectOption(id);
      await page.locator(`[data-node].root [aria-label^="${root}"]`).waitFor();
    }
  }));

test("S3: a slider and a box for each variable recompute the whole graph", () =>
  on(`#1/sandbox?f=${e("(a + b) * c")}&x=a:2,b:-3,c:10${END}`, async (page) => {
    assert.equal(await page.locator(".variable").count(), 3);
    await page.getByLabel("a, value").fill("5");
    assert.match(await label(page, "f"), /value 20,/);
    await page.getByLabel("a, slider").focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await label(page, "a"), /value 5\.[12]/);
    await page.getByLabel("b, value").fill("x");
    assert.match(await label(page, "b"), /value −3,/);
  }));

test("S3: a slider move never moves a node", () =>
  on(`#1/sandbox?f=${e("d = a*b; e = a + b; d*e")}&x=a:-2,b:3${END}`, async (page) => {
    const places = () =>
      page.locator("[data-node]").evaluateAll((cards) => cards.map((one) => one.style.transform));
    const first = await places();
    await page.getByLabel("a, value").fill("123456.789");
    assert.deepEqual(await places(), first);
  }));

test("S4: leaves left, each operation right of its inputs, the root far right", () =>
  on(`#1/sandbox?f=${e("n = x1*w1 + x2*w2 + b; o = tanh(n)")}${END}`, async (page) => {
    const boxes = await page.evaluate(() => {
      const lab = document.querySelector("gradwalk-lab");
      const { cards } = lab.shadowRoot.querySelector("gradwalk-scene").picture.layout;
      return lab.lab.program.graph.nodes.map(({ id, operands }) => ({ operands, box: cards[id] }));
    });
    for (const { operands, box } of boxes)
      for (const operand of operands)
        assert.ok(boxes[operand].box.x + boxes[operand].box.width < box.x);
    assert.ok(
      boxes.every(({ box }) => box.x + box.width <= boxes.at(-1).box.x + boxes.at(-1).box.width),
    );
  }));

test("S5 S6: play, pause, scrub, and a switch restarts the pulse", () =>
  on(
    "#1/sandbox?t=0",
    async (page) => {
      const time = () =>
        page.evaluate(() => document.querySelector("gradwalk-lab").store.state.time);
      // Slowly, so that a slow machine is not too late to pause it.
      await page.getByLabel("Speed").selectOption("0.25");
      await page.getByRole("button", { name: "Play" }).click();
      await page.getByRole("button", { name: "Pause" }).click();
      const stopped = await time();
      await frames(page);
      assert.equal(await time(), stopped);
      await page.getByRole("slider", { name: "Time" }).fill("3000");
      assert.equal(await time(), 3000);
      assert.equal(await page.locator(".edge .pulse, .pill").first().isVisible(), true);
      await page.getByRole("button", { name: "Backward", exact: true }).click();
      assert.ok((await time()) < 2900);
    },
    { reducedMotion: "no-preference" },
  ));

test("S7: a gradient reads -- until the wave has reached it", () =>
  on("#1/sandbox?t=0", async (page) => {
    await page.keyboard.press("Shift+ArrowRight");
    assert.equal(await card(page, "a").locator(".grad").textContent(), "--");
    await page.keyboard.press("ArrowRight");
    assert.match(await card(page, "f").locator(".grad").textContent(), /^1 /);
    assert.equal(await card(page, "a").locator(".grad").textContent(), "--");
    await page.keyboard.press("End");
    assert.match(await card(page, "a").locator(".grad").textContent(), /^10 ▲/);
    assert.match(await card(page, "c").locator(".grad").textContent(), /^−1 ▼/);
  }));

test("S8: every backward arrow carries incoming × local = contribution, += is written out", () =>
  on(`#1/sandbox?f=${e("c = a * b; L = c + a")}&x=a:2,b:3${END}`, async (page) => {
    assert.deepEqual((await pills(page)).sort(), [
      "1 × 1 = 1",
      "1 × 1 = 1",
      "1 × 2 = 2",
      "1 × 3 = 3",
    ]);
    assert.match(await card(page, "a").locator(".grad").textContent(), /1 \+ 3 = 4/);
  }));

test("S9: cards show value and arithmetic", () =>
  on(`#1/sandbox?f=${e("(a + b) * c")}&x=a:2,b:-3,c:10${END}`, async (page) => {
    assert.equal(await card(page, "t1").locator(".arithmetic").textContent(), "2 + −3 = −1");
    assert.equal(await card(page, "t1").locator(".value").textContent(), "−1");
  }));

test("S10 S11: derived and const are tagged, and unfold into primitives", () =>
  on(`#1/sandbox?f=${e("(a - b) / 2")}&x=a:5,b:3${END}`, async (page) => {
    assert.deepEqual((await page.locator(".tag").allTextContents()).sort(), [
      "const",
      "derived",
      "derived",
    ]);
    const before = await page.locator("[data-node]").count();
    await page.getByRole("button", { name: "Unfold derived" }).click();
    assert.ok((await page.locator("[data-node]").count()) > before);
    assert.ok(!(await page.locator(".tag").allTextContents()).includes("derived"));
  }));

test("S12: final gradients at once, off by default", () =>
  on("#1/sandbox?t=0", async (page) => {
    assert.equal(await card(page, "a").locator(".grad").textContent(), "--");
    await page.keyboard.press("g");
    assert.match(await card(page, "a").locator(".grad").textContent(), /^10/);
  }));

test("S14: try this: predict, dead relu, a·a, a negative gradient", () =>
  on("#1/sandbox?t=0", async (page) => {
    const done = (id) => page.locator(`[data-try="${id}"].done`).waitFor();
    await page.locator('[data-try="dead"]').click();
    await page.getByLabel("b, value").fill("-10");
    await done("dead");
    await page.locator('[data-try="square"]').click();
    await page.keyboard.press("End");
    await done("square");
    await page.locator('[data-try="negative"]').click();
    await page.getByLabel("a, value").fill("-3");
    await done("negative");
    await page.locator('[data-try="predict"]').click();
    await page.keyboard.press("End");
    for (const answer of ["10", "-1", "10", "10"]) {
      await page.getByLabel("your prediction").fill(answer);
      await page.getByRole("button", { name: "Check", exact: true }).click();
    }
    await done("predict");
  }));

test("predict first: nothing is shown before it is said, and a wrong number is explained", () =>
  on("#1/sandbox?o=predict", async (page) => {
    await page.keyboard.press("End");
    assert.deepEqual(await pills(page), ["?"]);
    const words = () => page.locator(".words").textContent();
    const say = async (number) => {
      await page.getByLabel("your prediction").fill(number);
      await page.getByRole("button", { name: "Check", exact: true }).click();
    };
    await say("zed");
    assert.match(await words(), /Type a number/);
    await say("7");
    assert.match(await words(), /7 is not it.*Hint: multiply swaps and scales/s);
    assert.deepEqual(await pills(page), ["?"]);
    await say("8");
    assert.match(await words(), /You said 8; it is 1 × 10 = 10.*swaps and scales/s);
    assert.deepEqual((await pills(page)).sort(), ["1 × 10 = 10", "?"]);
    assert.match(await page.locator(".words .score").textContent(), /0 of 1 right/);
    await page.getByRole("button", { name: "Hint" }).click();
    await say("-1");
    await say("10");
    await say("10");
    assert.match(await words(), /3 of 4 right, 1 with a hint/);
    await page.getByRole("button", { name: "Try again" }).click();
    assert.equal(await page.locator(".pill").count(), 0);
    await page.keyboard.press("End");
    await page.getByLabel("your prediction").waitFor();
  }));

test("predict first: what is asked is marked, and nothing on the page gives it away", () =>
  on("#1/sandbox?o=predict,final", async (page) => {
    await page.keyboard.press("End");
    assert.deepEqual(await pills(page), ["?"]);
    assert.equal(await page.locator(".edge.asked").count(), 1);
    assert.equal(
      await page.locator(".edge.asked").getAttribute("aria-label"),
      "edge from t1 to f, local derivative asked",
    );
    const hidden = async () => {
      for (const name of ["a", "b", "c", "t1"])
        assert.match(await label(page, name), /gradient not yet known$/);
      assert.doesNotMatch(await page.locator(".events tbody").textContent(), /[×]/);
    };
    await hidden();
    assert.equal(await page.getByRole("button", { name: "Final gradients" }).count(), 0);
    await page.locator("main").click({ position: { x: 5, y: 5 } });
    await page.keyboard.press("g");
    await hidden();
    for (const name of ["a", "t1", "c"]) {
      await card(page, name).click();
      assert.match(await page.locator(".panel.rule .body").textContent(), /^\s*Hidden while/);
    }
    assert.deepEqual(await pills(page), ["?"]);
  }));

test("an experiment is awarded only to who began it", () =>
  on(`#1/sandbox?f=${e("a * a")}&x=a:3&t=0`, async (page) => {
    await page.keyboard.press("End");
    await page.getByLabel("Examples").selectOption("x9");
    await page.keyboard.press("End");
    assert.equal(await page.locator("[data-try].done").count(), 0);
    await page.locator('[data-try="square"]').click();
    await page.keyboard.press("End");
    await page.locator('[data-try="square"].done').waitFor();
    assert.equal(await page.locator("[data-try].done").count(), 1);
  }));

test("an experiment counts from its start: what was there before is no part of it", () =>
  on(`#1/sandbox?f=${e("(a + b) * c")}&x=a:2,b:-3,c:10&t=999999&o=predict`, async (page) => {
    const begun = (id) => page.locator(`[data-try="${id}"][aria-pressed=true]:not(.done)`);
    const done = () => page.locator("[data-try].done").count();
    const say = async (answers) => {
      for (const answer of answers) {
        await page.getByLabel("your prediction").fill(answer);
        await page.getByRole("button", { name: "Check", exact: true }).click();
      }
    };
    // All four predictions are right before the experiment begins: it asks for them again.
    await say(["10", "-1", "10", "10"]);
    assert.match(await page.locator(".words").textContent(), /4 of 4 right/);
    assert.equal(await done(), 0);
    await page.locator('[data-try="predict"]').click();
    await begun("predict").waitFor();
    await page.keyboard.press("End");
    await say(["10", "-1", "10"]);
    assert.equal(await done(), 0);
    await say(["10"]);
    await page.locator('[data-try="predict"].done').waitFor();
    // This graph has a negative gradient, c's; the experiment begins with its own, which has none.
    await page.locator('[data-try="negative"]').click();
    await begun("negative").waitFor();
    assert.equal(await done(), 1);
  }));

test("on a phone an experiment says its task, and shows its picture", () =>
  on(
    "#1/sandbox?t=0",
    async (page) => {
      const button = page.locator('[data-try="dead"]');
      await button.scrollIntoViewIfNeeded();
      await button.click();
      await page.waitForFunction(() => {
        const root = document.querySelector("gradwalk-lab").shadowRoot;
        const { top, bottom } = root.querySelector(".stage").getBoundingClientRect();
        return top > -1 && bottom > 300;
      });
      const task = await page.locator(".task").boundingBox();
      assert.ok(task.x >= 0 && task.x + task.width <= 360 && task.height < 80, `${task.height}`);
      assert.match(await page.locator(".task").textContent(), /Slide b/);
    },
    { viewport: { width: 360, height: 800 } },
  ));

test("strict powers refuse a variable exponent and say why", () =>
  on(`#1/sandbox?f=${e("a ** b")}&x=a:2,b:3${END}`, async (page) => {
    await page.getByRole("button", { name: "Strict powers" }).click();
    assert.match(await page.locator(".message").textContent(), /exponent must be a number/);
  }));

test("linked views: choosing an event moves all, choosing a node shows its numbers", () =>
  on("#1/sandbox?t=0", async (page) => {
    await page.getByRole("button", { name: "Go to event 5:" }).click();
    assert.match(await page.locator(".words .what").textContent(), /f → c {3}1 × −1 = −1/);
    assert.match(await page.locator("ol.code").textContent(), /c\.grad \+= −1 \* 1/);
    assert.match(await page.locator(".panel.rule .equation").first().textContent(), /∂f.*ℓ.*f→c/s);
    await card(page, "a").click();
    assert.match(await page.locator(".panel.rule .picked").textContent(), /Node a/);
  }));
