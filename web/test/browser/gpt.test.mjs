/** A GPT in training: start, pause, go on, stop; the graph of a step; a broken run beside it. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AXE, lab, open, startLab } from "./harness.mjs";

const found = lab();
let python;
before(async () => {
  python = await startLab();
});
after(() => python.close());

const button = (page, name) => page.getByRole("button", { name, exact: true });
const said = (page, text) => page.locator("gradwalk-gpt .now", { hasText: text }).waitFor();

test("a run: own text, curve, samples, attention, parts; paused, resumed, opened at a step", async () => {
  const page = await open(found.browser, await python.address("#1/gpt"), { bypassCSP: true });
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
  const letters = (await page.locator(".made li:last-child code").allTextContents()).join("");
  assert.match(letters, /^[ahn·]+$/);
  assert.equal(await page.locator(".heads svg").count(), 2);
  assert.equal(await page.locator(".model .part").count(), 9);
  assert.equal(await page.locator(".bins svg").count(), 2);
  // Beside it, the same without residuals.
  await page.getByRole("combobox", { name: "Break it" }).selectOption("no-residual");
  await button(page, "Train it broken").click();
  await said(page, "Done: step 400 of 400");
  await page.waitForFunction(
    () =>
      document
        .querySelector("gradwalk-lab")
        .shadowRoot.querySelector("gradwalk-gpt")
        .shadowRoot.querySelectorAll(".curves .curve").length === 2,
  );
  for (const colorScheme of ["dark", "light"])
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const broken = await page.evaluate(async (axe) => {
        if (!window.axe) new Function(axe)();
        const { violations } = await window.axe.run(document, {
          resultTypes: ["violations"],
          // On a phone the row of pages scrolls, and its first link is taken for a skip link.
          rules: { "skip-link": { enabled: false } },
        });
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html}`));
      }, AXE);
      assert.deepEqual(broken, [], `${colorScheme} ${width}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} wide`);
    }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator(".chosen input").fill("200");
  await button(page, "Open the graph of step 200").click();
  await page.getByText("Step 200: the graph of its loss").waitFor();
  await page.getByRole("button", { name: "▣ layers.0" }).click();
  await page.getByRole("button", { name: "▣ attention" }).waitFor();
  await page.getByRole("button", { name: "Back to the run" }).click();
  await page.locator(".curves").waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a run is stopped, and settings that cannot be are said in words", async () => {
  const page = await open(found.browser, await python.address("#1/gpt"));
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
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("without Python, the page says who trains", async () => {
  const page = await open(found.browser, `${found.server.url}#1/gpt`);
  await page.getByText("Python trains the model").waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
