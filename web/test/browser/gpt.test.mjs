/** A GPT in training: start, pause, go on, stop; the graph of a step, walked; a broken run beside it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { lab, looksGood, visit, visitPython } from "./harness.mjs";

const found = lab();
const button = (page, name) => page.getByRole("button", { name, exact: true });
const said = (page, text) => page.locator("gradwalk-gpt .now", { hasText: text }).waitFor();

test("a run: own text, curve, samples, attention, parts; paused, resumed, a step walked", () =>
  visitPython(found, "#1/gpt", async (page) => {
    await page.getByRole("spinbutton", { name: "Steps" }).fill("400");
    await page.getByRole("combobox", { name: "Size" }).selectOption("tiny");
    await page.getByText("Your own text").click();
    await page.getByRole("textbox", { name: "Your own text" }).fill("anna\nhanna\nann\nnan\n");
    await page.getByText("Your own text").click();
    await button(page, "Train").click();
    await said(page, "Training: step");
    await page.locator(".curves .curve").waitFor();
    await button(page, "Pause").click();
    await said(page, "Paused: step");
    const paused = await page.locator("gradwalk-gpt").evaluate((one) => one.runs[0].step);
    assert.ok(paused < 400, `${paused}`);
    await page.getByRole("combobox", { name: "Speed" }).selectOption("0");
    await button(page, "Go on").click();
    await said(page, "Done: step 400 of 400");
    // One moment has one loss, wherever it stands; the mean beside the curve says what it is.
    const losses = await page
      .locator("gradwalk-gpt")
      .evaluate(({ renderRoot, runs }) => [
        /loss (\S+)\./.exec(renderRoot.querySelector(".now").textContent)[1],
        renderRoot.querySelector(".keys b").textContent,
        renderRoot.querySelector("table.numbers tbody td:last-child").textContent,
        String(Number(runs[0].loss.toPrecision(4))),
      ]);
    assert.equal(new Set(losses).size, 1, losses.join());
    assert.equal(await page.locator("path.curve").count(), 1);
    assert.equal(await page.locator("path.mean").count(), 1);
    assert.match(await page.locator(".keys").textContent(), /thick line: the mean of \d+ points/);
    const letters = (await page.locator(".made li:last-child code").allTextContents()).join("");
    assert.match(letters, /^[ahn▸]+$/);
    assert.equal(await page.locator(".heads svg").count(), 2);
    assert.equal(await page.locator(".model .part").count(), 9);
    assert.equal(await page.locator(".bins svg").count(), 2);
    // Beside it, the same without residuals.
    await page.getByRole("combobox", { name: "Break it" }).selectOption("no-residual");
    await button(page, "Train it broken").click();
    await page.locator(".curves .curve").nth(1).waitFor();
    await said(page, "Done: step 400 of 400");
    await looksGood(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.locator(".chosen input").fill("200");
    await button(page, "Open the graph of step 200").click();
    await page.getByText("Step 200: the graph of its loss").waitFor();
    await page.getByRole("button", { name: "▣ layers.0" }).click();
    await page.getByRole("button", { name: "▣ attention" }).waitFor();
    await walked(page);
    await page.getByRole("button", { name: "Back to the run" }).click();
    await page.locator(".curves").waitFor();
  }));

/** Walk the graph that is open, and compare what the page says with the gradients that Python sent. */
async function walked(page) {
  const floor = page.locator("gradwalk-floor");
  const what = page.locator(".moment .what");
  await button(page, "Walk it, event by event").click();
  const all = await floor.evaluate(({ lab }) => lab.program.line.events.length);
  assert.ok(all > 2000, `${all}`);
  assert.ok((await page.locator(".events tbody tr").count()) < 60, "only rows in view are written");
  // The last loss is computed, then its gradient is 1, then that is passed on.
  await button(page, "Forward").click();
  await button(page, "Pause").click();
  await floor.evaluate(({ lab }) => lab.seek(lab.program.line.phases[0].end));
  await button(page, "Step").click();
  await page.getByText("loss.grad = 1").first().waitFor();
  for (let i = 0; i < 3; i++) await button(page, "Step").click();
  assert.match(await what.textContent(), /^loss → .*×.*|→ .*×/);
  const shown = await floor.evaluate(({ lab, tape }) =>
    tape.grad.reduce((count, grad, id) => {
      const known = lab.frame.grad(id);
      return count + Number(known !== null && known !== grad);
    }, 0),
  );
  assert.ok(shown < 3, "a gradient that has no more to come is Python's");
  // A parameter's gradient is unknown until its first contribution, and right after its last.
  await page.getByRole("searchbox").fill("layers.0.wq[3][5]");
  await page.keyboard.press("Enter");
  const grad = page.locator(".facts dd").nth(2);
  assert.equal((await grad.textContent()).trim(), "--");
  await page.getByRole("button", { name: /^Go to where .*grad is complete$/ }).click();
  assert.match(await page.locator(".moment .part").textContent(), /the sum is complete/);
  const [own, theirs] = await floor.evaluate(({ lab, node, tape }) => [
    lab.frame.grad(node),
    tape.grad[node],
  ]);
  assert.ok(Math.abs(own - theirs) <= 1e-12 * Math.abs(theirs), `${own} ${theirs}`);
  assert.notEqual((await grad.textContent()).trim(), "--");
  // The whole walk ends where Python's backward ended.
  await button(page, "To the end").click();
  const apart = await floor.evaluate(({ lab, tape }) =>
    tape.grad.reduce((most, grad, id) => {
      const known = lab.frame.grad(id) ?? grad;
      return Math.max(most, Math.abs(known - grad) / (Math.abs(grad) || 1));
    }, 0),
  );
  assert.ok(apart < 1e-9, `${apart}`);
  await button(page, "End the walk").click();
}

test("a run that has said nothing yet has no loss", () =>
  visitPython(found, "#1/gpt", async (page) => {
    await page.route("**/api/jobs", () => {});
    await button(page, "Train").click();
    await said(page, "Starting");
    const loss = page.locator("gradwalk-gpt table.numbers td").nth(2);
    assert.equal(await loss.textContent(), "--");
    await page.unroute("**/api/jobs");
    await button(page, "Stop").click();
  }));

test("a run is stopped, and settings that cannot be are said in words", () =>
  visitPython(found, "#1/gpt", async (page) => {
    await page.getByRole("spinbutton", { name: "Steps" }).fill("50000");
    await button(page, "Train").click();
    await said(page, "Training: step");
    const ended = page.waitForResponse((response) => response.request().method() === "DELETE");
    await button(page, "Stop").click();
    assert.equal((await ended).status(), 200);
    await said(page, "Stopped: step");
    await page.getByText("Your own text").click();
    const many = Array.from({ length: 300 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");
    await page.getByRole("textbox", { name: "Your own text" }).fill(many);
    await button(page, "Train").click();
    await said(page, "different characters");
  }));

for (const reducedMotion of ["reduce", "no-preference"])
  test(`without Python a recorded run plays to its end, motion ${reducedMotion}`, () =>
    visit(
      found,
      "#1/gpt",
      async (page) => {
        await page.getByText("Python trains the model").waitFor();
        if (reducedMotion === "no-preference") {
          await said(page, "Recorded run: step");
          await button(page, "Pause").click();
          const at = await page.locator("gradwalk-gpt .now").textContent();
          await button(page, "Go on").click();
          await page.waitForFunction(
            (before) =>
              document
                .querySelector("gradwalk-lab")
                .shadowRoot.querySelector("gradwalk-gpt")
                .shadowRoot.querySelector(".now").textContent !== before,
            at,
          );
        }
        await said(page, "Recorded run: step 1000 of 1000, loss 2.568");
        assert.equal(await button(page, "Pause").count(), 0);
        assert.equal(await page.locator(".heads svg").count(), 4);
        assert.equal(await page.locator(".model .part").count(), 9);
        assert.ok((await page.locator(".made li").count()) >= 9);
        assert.equal(await button(page, "Train").count(), 0);
        if (reducedMotion === "reduce") await looksGood(page);
      },
      { reducedMotion },
    ));
