/** The sandbox, by the ids of the feature list, in a real Chromium. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { card, e, lab, label, ourProblems, visit } from "./harness.mjs";

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
    const shift = await page
      .locator(".caret")
      .evaluate((caret) => caret.style.getPropertyValue("--column"));
    assert.equal(shift, "14");
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
      const { program } = document.querySelector("gradwalk-lab").lab;
      return program.graph.nodes.map((node) => ({
        operands: node.operands,
        box: program.layout.cards[node.id],
      }));
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
      await page.evaluate(
        () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))),
      );
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

/** Into the 3D view, once it is drawn. */
async function into3d(page) {
  await page.keyboard.press("3");
  await page.locator("gradwalk-space [data-node].placed").first().waitFor();
}

test("S13: the 3D view turns within limits: every card stays in the window and readable", () =>
  on("#1/sandbox?t=999999", async (page) => {
    await page.getByRole("button", { name: "Close this sentence" }).click();
    await into3d(page);
    const front = { a: 144, b: 144, c: 144, t1: 176, f: 176 };
    for (const [turn, tilt] of [
      [0, 0],
      [99, 99],
      [-99, 0],
      [0, -99],
      [99, 0],
    ]) {
      const { orbit, boxes, view } = await page.locator("gradwalk-space").evaluate(
        (space, [by, up]) => {
          space.turn(by, up);
          const box = (one) => one.getBoundingClientRect().toJSON();
          const targets = [...space.renderRoot.querySelectorAll("[data-node]")];
          const boxes = targets.map((one) => [one.getAttribute("aria-label"), box(one)]);
          return { orbit: space.orbit, boxes, view: box(space) };
        },
        [turn, tilt],
      );
      assert.ok(Math.abs(orbit.turn) <= 0.6 && Math.abs(orbit.tilt) <= 0.4);
      assert.equal(boxes.length, 5);
      for (const [name, box] of boxes) {
        assert.ok(box.left >= view.left && box.right <= view.right, `${name} ${turn} ${tilt}`);
        assert.ok(box.top >= view.top && box.bottom <= view.bottom, `${name} ${turn} ${tilt}`);
        assert.ok(box.width >= 0.6 * front[name.split(":")[0]], `${name} is ${box.width} wide`);
      }
    }
    await page.getByRole("button", { name: "2D" }).click();
    await page.locator("gradwalk-scene").waitFor();
    ourProblems(page);
  }));

test("S13: in 3D a click and the keys find the same as in 2D", () =>
  on("#1/sandbox?t=0", async (page) => {
    await into3d(page);
    const target = (name) => page.locator(`gradwalk-space [aria-label^="${name}:"]`);
    await target("c").click();
    assert.match(await page.locator(".panel.rule .picked").textContent(), /Node c/);
    assert.equal(await target("c").getAttribute("aria-pressed"), "true");
    const focused = () =>
      page.evaluate(() =>
        document
          .querySelector("gradwalk-lab")
          .shadowRoot.querySelector("gradwalk-space")
          .shadowRoot.activeElement?.getAttribute("aria-label"),
      );
    await target("c").focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await focused(), /^f:/);
    await page.keyboard.press("ArrowLeft");
    assert.match(await focused(), /^t1:/);
    assert.match(await page.locator(".panel.rule .picked").textContent(), /Edge t1 → f/);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    assert.equal(
      await page.evaluate(() => document.querySelector("gradwalk-lab").shadowRoot.activeElement.id),
      "box-a",
    );
    // A wire, half way between its cards.
    const [from, to] = [await target("t1").boundingBox(), await target("f").boundingBox()];
    const x = (from.x + from.width + to.x) / 2;
    const y = (from.y + from.height / 2 + to.y + to.height / 2) / 2;
    await page.mouse.click(x, y);
    assert.match(await page.locator(".panel.rule .picked").textContent(), /Edge t1 → f/);
    // A drag turns and picks nothing.
    await page.mouse.move(x, y + 60);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 80, { steps: 4 });
    await page.mouse.up();
    assert.match(await page.locator(".panel.rule .picked").textContent(), /Edge t1 → f/);
    await page.keyboard.press("Escape");
    await page.locator("gradwalk-scene").waitFor();
    ourProblems(page);
  }));

test("S13: the 3D view takes the theme that is chosen", () =>
  on("#1/sandbox?t=999999", async (page) => {
    await into3d(page);
    const paper = () =>
      page.locator("gradwalk-space").evaluate((space) => {
        space.fit();
        const { canvas } = space;
        const two = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
        two.drawImage(canvas, 0, 0);
        const box = space.renderRoot.querySelector("[data-node]").getBoundingClientRect();
        const scale = canvas.width / space.clientWidth;
        const left = box.left - space.getBoundingClientRect().left;
        const top = box.top - space.getBoundingClientRect().top;
        const at = [left + box.width / 2, top + box.height / 4].map((d) => d * scale);
        return two.getImageData(...at, 1, 1).data[0];
      });
    assert.ok((await paper()) < 80);
    await page.emulateMedia({ colorScheme: "light" });
    assert.ok((await paper()) > 200);
    await page.getByRole("button", { name: /^Theme/ }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    assert.ok((await paper()) < 80);
    ourProblems(page);
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
    assert.match(await words(), /7 is not it.*Hint: Multiply swaps and scales/s);
    assert.deepEqual(await pills(page), ["?"]);
    await say("8");
    assert.match(await words(), /You said 8; it is 1 × 10 = 10.*swaps and scales/s);
    assert.deepEqual((await pills(page)).sort(), ["1 × 10 = 10", "?"]);
    assert.match(await page.locator(".score").textContent(), /0 of 1 right/);
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
      const table = await page.locator(".numbers tbody").textContent();
      assert.equal(table.match(/·/g).length, 4);
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

test("strict powers refuse a variable exponent and say why", () =>
  on(`#1/sandbox?f=${e("a ** b")}&x=a:2,b:3${END}`, async (page) => {
    await page.getByRole("button", { name: "Strict powers" }).click();
    assert.match(await page.locator(".message").textContent(), /exponent must be a number/);
  }));

test("five linked views: choosing an event moves all, choosing a node shows its numbers", () =>
  on("#1/sandbox?t=0", async (page) => {
    await page.getByRole("button", { name: "Go to event 5:" }).click();
    assert.match(await page.locator(".words .what").textContent(), /f → c {3}1 × −1 = −1/);
    assert.match(await page.locator("ol.code").textContent(), /c\.grad \+= −1 \* 1/);
    assert.match(await page.locator(".panel.rule .equation").first().textContent(), /∂f.*∂c/s);
    await card(page, "a").click();
    assert.match(await page.locator(".panel.rule .picked").textContent(), /Node a/);
    assert.equal(await page.locator(".numbers tr.now").count(), 1);
  }));
