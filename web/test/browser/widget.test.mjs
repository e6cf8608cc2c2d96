/** The page in a notebook's frame: what it tells the widget, and what it keeps to itself. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { card, lab, open, STATIC } from "./harness.mjs";

const found = lab();

test("the frame tells what a person does, and does not repeat what Python said", async () => {
  const state = { expression: "a * b", values: { a: 2, b: 3 }, time: 999999, linked: true };
  const template = await readFile(join(STATIC, "export.html"), "utf8");
  const text = template.replace('{"gradwalk": "state"}', () => JSON.stringify(state));
  const page = await open(found.browser, "");
  await page.route("**/host", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><iframe></iframe>" }),
  );
  await page.goto(`${found.server.url}host`);
  await page.evaluate((srcdoc) => {
    globalThis.told = [];
    addEventListener("message", ({ data }) => globalThis.told.push(data.gradwalk));
    const frame = document.querySelector("iframe");
    frame.style.cssText = "width: 900px; height: 660px";
    frame.srcdoc = srcdoc;
  }, text);
  const frame = page.locator("iframe").contentFrame();
  const told = () => page.evaluate(() => globalThis.told.splice(0));
  const say = (message) =>
    page.evaluate((gradwalk) => frames[0].postMessage({ gradwalk }, "*"), message);
  await card(frame, "a").waitFor();
  assert.equal(await frame.locator("header").count(), 0);

  await say({ expression: "a * b", values: { a: 5, b: 3 } });
  await card(frame, "a").getByText("5", { exact: true }).first().waitFor();
  assert.deepEqual(await told(), []);
  await card(frame, "b").click();
  await page.waitForFunction(() => globalThis.told.length);
  assert.deepEqual(await told(), [{ node: 1, unfold: false }]);
  await frame.getByLabel("a, value").fill("7");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => globalThis.told.length);
  assert.deepEqual((await told()).at(-1), { expression: "a * b", values: { a: 7, b: 3 } });
  const ground = () =>
    frame.locator("gradwalk-lab").evaluate((lab) => getComputedStyle(lab).backgroundColor);
  await say({ theme: "dark" });
  await frame.locator('gradwalk-lab[theme="dark"]').waitFor();
  const dark = await ground();
  await say({ theme: "light" });
  await frame.locator('gradwalk-lab[theme="light"]').waitFor();
  assert.notEqual(await ground(), dark);
  await card(frame, "a").getByText("7", { exact: true }).first().waitFor(); // all else stays
  await say({ expression: "a - 1", values: { a: 4 } });
  await card(frame, "a").getByText("4", { exact: true }).first().waitFor();
  assert.deepEqual(await told(), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
