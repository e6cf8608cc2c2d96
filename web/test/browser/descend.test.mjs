/** Descend: the neuron learns in front of you. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { e, lab, visit } from "./harness.mjs";

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
        await page.locator("[data-descend=step]").click();
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
        assert.equal(await page.locator(".surface-map .cell").count(), 24 * 24);
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
