/** Someone's own script in the live view: its loss, and the first nan with its line and its path. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { lab, looksGood, open, startPython } from "./harness.mjs";

const found = lab();

const SCRIPT = `
from gradwalk import Value
w = Value(3.0, label="w")
for _ in range(150):
    loss = (w * w - 4) ** 2
    w.grad = 0.0
    loss.backward()
    w.data -= 0.001 * w.grad
inner = (w - 9.0).log()
(inner * 2 + w).backward()
`;

test("gradwalk watch: the loss of a script, and where its first nan comes from", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gradwalk-watch-"));
  writeFileSync(join(folder, "train.py"), SCRIPT);
  const words = ["-m", "gradwalk", "watch", "--no-browser", "--json", "--lines", "train.py"];
  const script = startPython(words, { cwd: folder });
  const { address } = JSON.parse(await script.said(/^\{.*\}$/m));
  await script.said(/has ended/);
  const page = await open(found.browser, address);
  await page.getByText(/train\.py\. Done: step 151, loss nan/).waitFor();
  // The curve is the losses themselves, each of them, and no mean of some.
  const drawn = await page.evaluate(() => {
    const live = document.querySelector("gradwalk-lab").shadowRoot.querySelector("gradwalk-gpt");
    return live.runs[0].points;
  });
  let w = 3;
  const losses = Array.from({ length: 150 }, () => {
    const loss = (w * w - 4) ** 2;
    w -= 0.001 * 4 * w * (w * w - 4);
    return loss;
  });
  const seen = drawn.slice(0, -1);
  assert.ok(seen.length > 40 && seen.length <= 150, `${seen.length} points`);
  for (const { step, loss } of seen) assert.ok(Math.abs(loss - losses[step - 1]) < 1e-9, `${step}`);
  const levels = await page
    .locator("gradwalk-gpt path.curve")
    .evaluate((path) => path.getAttribute("d").split(/[ML]/).slice(1).length);
  assert.equal(levels, seen.length);
  const panel = page.locator(".anomaly");
  assert.match(await panel.textContent(), /the value of log is nan/);
  assert.match(await panel.locator("pre").textContent(), /inner = \(w - 9\.0\)\.log\(\)/);
  assert.match(await panel.textContent(), /train\.py:9/);
  assert.match(await panel.textContent(), /log → \* → \+/);
  await looksGood(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Open its graph" }).click();
  await page.locator(".facts").getByText("log").first().waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
  await script.close();
  rmSync(folder, { recursive: true });
});
