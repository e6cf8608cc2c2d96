/** Descend: the neuron learns in front of you. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { e, follow, lab, turnTo, visit } from "./harness.mjs";

const found = lab();
const on = (...args) => visit(found, ...args);
const state = (page) =>
  page.evaluate(() => {
    const { way, descending, stuck, values } = document.querySelector("gradwalk-lab").store.state;
    return { steps: way.length - 1, descending, stuck, values: Object.fromEntries(values) };
  });

for (const reducedMotion of ["reduce", "no-preference"])
  test(`the neuron learns: its loss falls in the curve, motion ${reducedMotion}`, () =>
    on(
      "#1/descend",
      async (page) => {
        assert.match(await page.locator("#expression").inputValue(), /loss/);
        assert.equal((await state(page)).steps, 1);
        await page.locator("[data-descend=run]").click();
        await page.waitForFunction(
          () => document.querySelector("gradwalk-lab").store.state.way.length > 20,
        );
        await page.locator("[data-descend=run]").click();
        const { steps, descending } = await state(page);
        assert.equal(descending, false);
        assert.match(await page.locator(".words .what").textContent(), /loss: 1\.598 → .* steps/);
        const outputs = await page.evaluate(() =>
          document.querySelector("gradwalk-lab").store.state.way.map(({ output }) => output),
        );
        assert.equal(outputs.length, steps + 1);
        assert.ok(outputs.at(-1) < 0.01 * outputs[0]);
        assert.equal(await page.locator(".sparkline path.curve").count(), 1);
        await page.locator("[data-descend=reset]").click();
        assert.equal((await state(page)).values.w, -0.8);
      },
      { reducedMotion },
    ));

test("only what learns moves, and a step that is too large is explained", () =>
  on(`#1/descend?f=${e("a**4 + b")}&x=a:3,b:1`, async (page) => {
    await page.getByRole("checkbox", { name: "b" }).uncheck();
    await page.locator("[data-descend=step]").click();
    const { values } = await state(page);
    assert.equal(values.b, 1);
    assert.ok(Math.abs(values.a - (3 - 0.1 * 4 * 27)) < 1e-9);
    assert.match(await page.locator(".rail").textContent(), /Let two leaves learn/);
    await page.getByLabel("Step size").selectOption("1");
    for (let i = 0; i < 8; i++) await page.locator("[data-descend=step]").click();
    assert.match(await page.locator(".words .why").textContent(), /numbers ran away/);
  }));

/** What the map shows: its ticks with their places, and where the way goes, in its own pixels. */
const readMap = (page) =>
  page.locator(".surface-map").evaluate((figure) => {
    const svg = figure.querySelector("svg");
    const { width, height } = svg.getBoundingClientRect();
    const ground = svg.querySelector("svg");
    const frame = svg.getBoundingClientRect();
    const inside = [...svg.querySelectorAll("text")].every((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const isIn = left >= frame.left && right <= frame.right && top >= frame.top;
      return isIn && bottom <= frame.bottom + 1;
    });
    const ticks = [...svg.querySelectorAll(".tick")].map((one) => ({
      text: one.textContent,
      at: [Number(one.getAttribute("x")), Number(one.getAttribute("y"))],
      isBelow: one.getAttribute("text-anchor") === "middle",
    }));
    return {
      size: [width, height],
      attributes: [svg.width.baseVal.value, svg.height.baseVal.value],
      ground: [ground.x, ground.y, ground.width, ground.height].map((one) => one.baseVal.value),
      letters: [...svg.querySelectorAll("text")].map((one) =>
        Number.parseFloat(getComputedStyle(one).fontSize),
      ),
      inside,
      ticks,
      lines: [...svg.querySelectorAll(".line")].map((one) => one.getAttribute("d")),
      way: svg.querySelector(".way").getAttribute("d").slice(1).split("L"),
      says: figure.querySelector("figcaption").textContent,
      label: svg.getAttribute("aria-label"),
      isRoom: figure.closest(".body").scrollHeight <= figure.closest(".body").clientHeight + 1,
    };
  });

const number = (text) => Number(text.replace("−", "-"));

for (const [width, colorScheme, reducedMotion] of [
  [390, "dark", "reduce"],
  [1024, "light", "no-preference"],
  [1440, "dark", "no-preference"],
  [1920, "light", "reduce"],
])
  test(`the first step is taken as it opens, on a map in true pixels that stands still, ${width}`, () =>
    on(
      "#1/descend",
      async (page) => {
        const { steps, values } = await state(page);
        assert.equal(steps, 1);
        const o = Math.tanh(-0.8 * 1.5 + 0.4);
        const slope = 2 * (o - 0.6) * (1 - o * o);
        assert.ok(Math.abs(values.w - (-0.8 - 0.1 * 1.5 * slope)) < 1e-12);
        assert.ok(Math.abs(values.b - (0.4 - 0.1 * slope)) < 1e-12);
        await page.waitForFunction(() => {
          const { shadowRoot } = document.querySelector("gradwalk-lab");
          const chart = shadowRoot.querySelector(".surface-map .chart");
          return chart?.clientWidth === chart?.firstElementChild.getBoundingClientRect().width;
        });
        const found = await readMap(page);
        assert.deepEqual(found.size, found.attributes);
        assert.ok(found.size[0] > 300 && found.size[0] <= 320, `${found.size}`);
        assert.ok(found.isRoom && found.inside);
        assert.ok(Math.min(...found.letters) >= 12);
        assert.ok(found.lines.length >= 5 && found.lines.every(Boolean));
        assert.match(found.says, /one each 0\.2;/);
        assert.match(found.label, /w ≈ −0\.588, b ≈ 0\.5413/);
        // Two ticks of an axis say where a value is: there the way begins and ends.
        const [left, top] = found.ground;
        for (const [axis, name, before] of [
          [0, "w", -0.8],
          [1, "b", 0.4],
        ]) {
          const ticks = found.ticks.filter(({ isBelow }) => isBelow === (axis === 0));
          assert.ok(ticks.length >= 2);
          for (const { text } of ticks) assert.ok(number(text) % 0.5 === 0, text);
          const [one, other] = ticks;
          const scale = (other.at[axis] - one.at[axis]) / (number(other.text) - number(one.text));
          const shift = axis === 0 ? left : top + 4;
          const drawn = found.way.map((place) => Number(place.split(" ")[axis]) + shift);
          for (const [i, value] of [before, values[name]].entries()) {
            const due = one.at[axis] + scale * (value - number(one.text));
            assert.ok(Math.abs(drawn[i] - due) < 0.2, `${name}: ${drawn[i]} for ${due}`);
          }
        }
        await page.locator("[data-descend=step]").focus();
        await page.keyboard.press("Enter");
        await page.keyboard.press("Enter");
        const later = await readMap(page);
        assert.equal((await state(page)).steps, 3);
        assert.equal(later.way.length, 4);
        assert.deepEqual([later.ticks, later.lines], [found.ticks, found.lines]);
        // The wires move to their places, and then nothing asks for a frame.
        await page.evaluate(async () => {
          const whole = window.requestAnimationFrame;
          let asked = 0;
          window.requestAnimationFrame = (call) => {
            asked++;
            return whole(call);
          };
          for (let before = -1; before !== asked; ) {
            before = asked;
            for (let i = 0; i < 5; i++) await new Promise((done) => whole(done));
          }
          window.requestAnimationFrame = whole;
        });
      },
      { viewport: { width, height: 900 }, colorScheme, reducedMotion },
    ));

test("values of others are theirs to move, and the example stands where it was left", () =>
  on(`#1/descend?f=${e("(a - 3)**2 + 2*(b + 1)**2")}&x=a:-2,b:2`, async (page) => {
    const { steps, values } = await state(page);
    assert.deepEqual([steps, values.a, values.b], [-1, -2, 2]);
    await follow(page, "#1/descend");
    assert.equal((await state(page)).steps, 1);
    await page.locator("[data-descend=step]").click();
    await turnTo(page, "sandbox");
    await turnTo(page, "descend");
    assert.equal((await state(page)).steps, 2);
    await page.locator("[data-descend=reset]").click();
    assert.equal((await state(page)).values.w, -0.8);
  }));

test("a point that leaves the map is said to", () =>
  on(`#1/descend?f=${e("(a - 3)**2 + 2*(b + 1)**2")}&x=a:-2,b:2`, async (page) => {
    await page.getByLabel("Step size").selectOption("1");
    for (let i = 0; i < 3; i++) await page.locator("[data-descend=step]").click();
    assert.match(await page.locator(".surface-map figcaption").textContent(), /has left the map/);
  }));
