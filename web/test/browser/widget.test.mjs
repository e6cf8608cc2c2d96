/** Views in a notebook's cell: what they tell Python, and what they keep to themselves. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { card, lab, open, PYTHON, STATIC } from "./harness.mjs";

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

test("a curve's points are read off by pointer and by keys, picked, and drawn anew", async () => {
  const script = `import json
from gradwalk.render.plot import Curve
from gradwalk.render.view import CurveLink
for points in ([(0, 4.0), (10, 1.0), (20, 0.5)], [(0, 8.0), (1, 7.0)]):
    print(json.dumps(CurveLink(Curve("loss", points)).state))`;
  const made = String(execFileSync(PYTHON, ["-c", script]))
    .trim()
    .split("\n")
    .map(JSON.parse);
  const page = await open(found.browser, "", { colorScheme: "light" });
  await page.route("**/host", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><body></body>" }),
  );
  await page.goto(`${found.server.url}host`);
  await page.evaluate(async ([first]) => {
    const listeners = new Set();
    globalThis.told = [];
    globalThis.state = first;
    globalThis.say = (state) => {
      globalThis.state = state;
      for (const listener of listeners) listener();
    };
    const model = {
      get: () => globalThis.state,
      on: (_, listener) => listeners.add(listener),
      off: (_, listener) => listeners.delete(listener),
      send: (content) => globalThis.told.push(content),
    };
    document.body.style.background = "white";
    const { default: widget } = await import("/widget.js");
    globalThis.leave = widget.render({ model, el: document.body });
  }, made);
  const told = () => page.evaluate(() => globalThis.told.splice(0));
  const said = page.locator("output");
  const slider = page.getByRole("slider", { name: "point" });
  assert.equal(await said.textContent(), "20, 0.5"); // the last one, until someone chooses
  const frame = await page.locator(".paper").boundingBox();
  const middle = { x: frame.x + frame.width / 2, y: frame.y + frame.height / 4 };
  await page.mouse.move(middle.x, middle.y);
  assert.equal(await said.textContent(), "10, 1");
  const dot = await page.locator("circle").boundingBox();
  assert.ok(Math.abs(dot.x + dot.width / 2 - middle.x) < 1);
  assert.deepEqual(await told(), []);
  await page.mouse.click(middle.x, middle.y);
  assert.deepEqual(await told(), [{ point: 1 }]);
  await slider.press("ArrowLeft");
  assert.deepEqual(await told(), [{ point: 0 }]);
  assert.equal(await slider.getAttribute("aria-valuetext"), "0, 4");
  await page.evaluate((state) => globalThis.say(state), made[1]);
  assert.equal(await said.textContent(), "1, 7");
  const ground = () => page.locator(".canvas").evaluate((canvas) => getComputedStyle(canvas).fill);
  const light = await ground();
  await page.evaluate(() => {
    document.body.style.background = "black";
  });
  await page.waitForFunction((before) => {
    const host = document.querySelector("body > div").shadowRoot;
    return getComputedStyle(host.querySelector(".canvas")).fill !== before;
  }, light);
  await page.evaluate(() => globalThis.leave());
  assert.equal(await page.locator("svg").count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
