/** A leaf is held and pulled: by mouse, finger and key, with true numbers, in the same states. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { card, e, lab, label, looksGood, visit } from "./harness.mjs";

const found = lab();
const on = (...args) => visit(found, ...args);
const X1 = `#1/sandbox?f=${e("(a + b) * c")}&x=a:2,b:-3,c:10&t=99999`;
const NEURON = `#1/sandbox?f=${e("n = x*w + b; o = tanh(n)")}&x=x:2,w:-3,b:6.5&t=99999`;

const STEP = 14;
const middle = async (page, name) => {
  const target = card(page, name).locator(".target");
  // It has come to rest, and nothing lies over it.
  await target.hover({ trial: true });
  const box = await target.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

/** Hold a leaf with the mouse, and pull it up by so many steps. */
async function pull(page, name, steps) {
  const [x, y] = await middle(page, name);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - STEP * steps, { steps: 3 });
  await page.locator(".pull-strip").waitFor();
  await held(page, name);
}

const held = (page, name, by) =>
  page.waitForFunction(
    ([name, by]) => {
      const { pull } = document.querySelector("gradwalk-lab").store.state;
      return pull?.name === name && pull.by !== 0 && (by === undefined || pull.by === by);
    },
    [name, by],
  );
const letGo = (page) =>
  page.waitForFunction(() => document.querySelector("gradwalk-lab").store.state.pull === null);
const sum = (page) =>
  page
    .locator(".pull-strip .moved")
    .evaluate((one) => one.innerText.replace(/\s+/g, " ").replaceAll("\n", " "));

for (const reducedMotion of ["reduce", "no-preference"])
  test(`a mouse holds c and pulls it: every card says its move, and it returns, motion ${reducedMotion}`, () =>
    on(
      X1,
      async (page) => {
        await pull(page, "c", 1);
        assert.equal(await sum(page), "−0.5 f moved = −1 c.grad × +0.5 your pull");
        assert.match(await page.locator(".pull-strip .why").textContent(), /^Exact/);
        assert.match(await label(page, "c"), /value 10\.5, moved by \+0\.5, gradient .*−1$/);
        assert.match(await label(page, "f"), /value −10\.5, moved by −0\.5/);
        assert.match(await label(page, "a"), /value 2, moved by 0/);
        assert.deepEqual(await page.locator(".moves .pill text").allTextContents(), [
          "0.5 × −1 = −0.5",
        ]);
        assert.deepEqual(await page.locator("table.moves .end").allTextContents(), [
          "0 ",
          "0 ",
          "0 ",
          "+0.5 ▲",
          "−0.5 ▼",
        ]);
        await page.mouse.up();
        await letGo(page);
        assert.match(await label(page, "c"), /value 10,/);
        assert.equal(await page.locator(".pull-strip").count(), 0);
      },
      { reducedMotion },
    ));

test("where wires meet their widths add up, and cards move by one measure", () =>
  on(`#1/sandbox?f=${e("c = 3*a; d = 2*a; f = c + d")}&x=a:3&t=99999`, async (page) => {
    await pull(page, "a", 2);
    const [into, moves] = await page.evaluate(() => {
      const { shadowRoot } = document
        .querySelector("gradwalk-lab")
        .shadowRoot.querySelector("gradwalk-scene");
      const band = ([first]) => {
        // A head is as wide as its wire, and four pixels more on either side.
        const [, y0, , , , y2] = first
          .getAttribute("d")
          .match(/-?[\d.]+/g)
          .map(Number);
        return y2 - y0 - 8;
      };
      const wires = [...shadowRoot.querySelectorAll(".pull")];
      const up = (name) => {
        const ghost = shadowRoot.querySelector(`[aria-label^="${name}:"]`).parentNode;
        return Number(ghost.querySelector(".ghost").getAttribute("y"));
      };
      return [
        wires.map((wire) => band([...wire.querySelectorAll(".band")].slice(1))),
        ["a", "c", "d", "f"].map(up),
      ];
    });
    const [three, two] = into.slice(-2).sort((x, y) => y - x);
    assert.ok(Math.abs(three / two - 1.5) < 1e-6, `${into}`);
    const [a, c, d, f] = moves;
    for (const [one, times] of [
      [c, 3],
      [d, 2],
      [f, 5],
    ])
      assert.ok(Math.abs(one / a - times) < 1e-6, `${moves}`);
    assert.equal(await sum(page), "+1 f moved = 5 a.grad × +0.2 your pull");
    await page.mouse.up();
    await letGo(page);
  }));

test("where the output bends, the sign is ≈ and the gradient's own answer stands beside it", () =>
  on(NEURON, async (page) => {
    await pull(page, "w", 4);
    const said = await sum(page);
    assert.match(said, /^\+0\.\d+ o moved ≈ 1\.573 w\.grad × \+0\.4 your pull$/);
    assert.match(await page.locator(".pull-strip .why").textContent(), /The gradient said .*bend/);
    await page.mouse.up();
    await letGo(page);
  }));

test("keys hold a leaf and let it go, and the focus stays", () =>
  on(X1, async (page) => {
    await card(page, "c").locator(".target").focus();
    await page.keyboard.press("Shift+ArrowUp");
    await page.locator(".pull-strip").waitFor();
    await held(page, "c", 0.5);
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await held(page, "c", -0.5);
    assert.equal(await sum(page), "+0.5 f moved = −1 c.grad × −0.5 your pull");
    await page.keyboard.press("Escape");
    await letGo(page);
    await page.keyboard.press("Shift+ArrowUp");
    await held(page, "c", 0.5);
    // Whoever goes on with something else lets go.
    await page.keyboard.press("Home");
    await letGo(page);
  }));

test("a finger holds a leaf, and the page does not scroll with it", () =>
  on(
    X1,
    async (page) => {
      const [x, y] = await middle(page, "c");
      const client = await page.context().newCDPSession(page);
      const touch = (type, at) =>
        client.send("Input.dispatchTouchEvent", { type, touchPoints: at ? [{ x, y: at }] : [] });
      await touch("touchStart", y);
      for (const up of [6, 14, 28]) await touch("touchMove", y - up);
      await held(page, "c", 1);
      assert.equal(await page.evaluate(() => scrollY), 0);
      await touch("touchEnd");
      await letGo(page);
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true },
  ));

test("nothing that is asked can be pulled out of the picture", () =>
  on("#1/sandbox?o=predict", async (page) => {
    const [x, y] = await middle(page, "c");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 60, { steps: 3 });
    await page.mouse.up();
    assert.equal(
      await page.evaluate(() => document.querySelector("gradwalk-lab").store.state.pull),
      null,
    );
  }));

for (const language of ["en", "ru", "et"])
  test(`lesson 1 opens with a pulled leaf, ${language}`, () =>
    on(
      "#1/learn?l=start",
      async (page) => {
        await page.locator(".language select").selectOption(language);
        await held(page, "a", 0.1);
        await page.locator(".pull-strip").waitFor();
        assert.match(await sum(page), /^\+0\.3 .* = 3 a\.grad × \+0\.1 /);
        await pull(page, "b", -1);
        assert.match(await sum(page), /^−0\.2 .* = 2 b\.grad × −0\.1 /);
        await page.mouse.up();
        await letGo(page);
      },
      { reducedMotion: "no-preference" },
    ));

test("a picture that is held runs no frames, and axe finds nothing in it", () =>
  on(
    X1,
    async (page) => {
      await card(page, "a").locator(".target").focus();
      await page.keyboard.press("Shift+ArrowUp");
      await held(page, "a", 0.1);
      const asked = await page.evaluate(async () => {
        const ask = requestAnimationFrame.bind(window);
        let asked = 0;
        window.requestAnimationFrame = (call) => {
          asked += 1;
          return ask(call);
        };
        for (let i = 0; i < 3; i++) await new Promise(ask);
        window.requestAnimationFrame = ask;
        return asked;
      });
      assert.equal(asked, 0);
      await looksGood(page);
    },
    { loads: true },
  ));
