/** Two moons: learn, step, add points; boundary, graph and table answer each other. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { lab, looksGood, visit } from "./harness.mjs";

const found = lab();
const button = (page, name) => page.getByRole("button", { name, exact: true });
const now = (page) => page.locator("gradwalk-moons .now").textContent();

for (const reducedMotion of ["reduce", "no-preference"])
  test(`it learns while it plays (${reducedMotion})`, () =>
    visit(
      found,
      "#1/moons",
      async (page) => {
        // It has begun by itself, and ends by itself: then it runs no frames.
        await page.getByText("After 360 steps").waitFor();
        await button(page, "Learn").waitFor();
        const [first, last] = await page.locator(".curves").evaluate((one) => {
          const [, a, b] = /from ([\d.]+) to ([\d.]+)/.exec(one.getAttribute("aria-label"));
          return [Number(a), Number(b)];
        });
        assert.ok(last < first, `${first} to ${last}`);
      },
      { reducedMotion },
    ));

/** Stop what has begun by itself, and begin again. */
async function afresh(page) {
  await button(page, "Pause").click();
  await button(page, "Start over").click();
  await page.getByText("After 0 steps").waitFor();
}

test("each neuron is a circle with its own map, and its weights are wires of their sign and size", () =>
  visit(found, "#1/moons", async (page) => {
    await afresh(page);
    const seen = await page.locator("gradwalk-moons").evaluate(({ renderRoot }) => {
      const maps = [...renderRoot.querySelectorAll("canvas[data-map]")].map((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return new Set(data.filter((_, i) => i % 4 === 0)).size;
      });
      const widths = [...renderRoot.querySelectorAll(".wire")].map((wire) => [
        wire.classList[1],
        Number(wire.getAttribute("stroke-width")),
      ]);
      return { maps, widths };
    });
    assert.equal(seen.maps.length, 2 + 6 + 4 + 1);
    assert.ok(seen.maps.every((shades) => shades > 3));
    assert.equal(seen.widths.length, 2 * 6 + 6 * 4 + 4);
    // The wires of a neuron are as wide as its weights are large, and have their sign.
    for (const [layer, place, first] of [
      [1, 2, 2],
      [2, 3, 12 + 12],
    ]) {
      await button(page, `Layer ${layer}, neuron ${place}`).click();
      assert.equal(
        await page.locator(".panel.params h2").textContent(),
        `Layer ${layer}, neuron ${place}`,
      );
      const values = await page.locator(".params tbody tr td:nth-child(2)").allTextContents();
      values.slice(0, -1).forEach((text, i) => {
        const value = Number(text.replace("−", "-"));
        const [sign, width] = seen.widths[first + i];
        assert.equal(sign, value < 0 ? "minus" : "plus");
        assert.ok(Math.abs(width - (0.7 + 2.6 * Math.abs(value))) < 0.06, `${text}: ${width}`);
      });
    }
  }));

test("a step does what the table says; points by click, by numbers and by CSV; graph and table", () =>
  visit(found, "#1/moons", async (page) => {
    await afresh(page);
    const row = page.locator(".params tbody tr").first();
    const cells = async () =>
      (await row.locator("td.end").allTextContents()).map((text) => Number(text.replace("−", "-")));
    const [before, grad, update] = await cells();
    assert.ok(Math.abs(update + 0.1 * grad) < 2e-3 * Math.abs(grad) + 1e-6);
    await button(page, "One step").click();
    await page.getByText("After 1 step:").waitFor();
    const [after] = await cells();
    assert.ok(Math.abs(after - before - update) < 2e-3);
    // A click adds a point of the chosen kind; what was learnt stays.
    await page.locator(".map").click({ position: { x: 8, y: 8 } });
    await page.getByRole("img", { name: /61 points/ }).waitFor();
    assert.match(await now(page), /After 1 step/);
    await button(page, "▼ −1").click();
    await page.getByRole("spinbutton", { name: "x" }).fill("1.5");
    await button(page, "Add this point").click();
    await page.getByRole("img", { name: /62 points/ }).waitFor();
    // A point has its graph, a parameter its node.
    await page.locator(".dot").nth(5).click({ force: true });
    const heading = await page.locator(".panel.graph h2").textContent();
    assert.match(heading, /^Graph of the point \(/);
    await page.waitForFunction(() => {
      const moons = document
        .querySelector("gradwalk-lab")
        .shadowRoot.querySelector("gradwalk-moons");
      return moons.shadowRoot.querySelector("gradwalk-plan").open > 0;
    });
    await button(page, "Layer 2, neuron 3").click();
    await button(page, "Show Layer 2, neuron 3, w₄ in the graph").click();
    await page.locator("gradwalk-plan .card.picked").waitFor();
    await page.getByRole("textbox", { name: "Points as CSV" }).fill("0,0,1\n1,1,-1\nnone\n");
    await button(page, "Use these points").click();
    await page.getByText("1 line was left out.").waitFor();
    await page.getByRole("img", { name: /2 points/ }).waitFor();
    await page.getByRole("textbox", { name: "Points as CSV" }).fill("0,0,1\n");
    await button(page, "Use these points").click();
    await page.getByText("Two points or more are needed").waitFor();
    await looksGood(page);
  }));
