/**
 * axe-core on every page, in both themes and three languages, wide and narrow: no violation.
 *
 * Pages that need Python or a long way to get to are looked at where they are tested.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { e, lab, looksGood, visit } from "./harness.mjs";

const found = lab();
const X6 = `f=${e("b = a + 1; c = a * 3; d = b * c")}&x=a:2`;

const TERMS = Array.from({ length: 500 }, (_, i) => ["a*b", "b*c", "a*c"][i % 3]);
const BIG = `f=${e(`a+${TERMS.join("+")}`)}&x=a:0.5,b:0.5,c:0.5`;

async function large(page) {
  await page.locator("gradwalk-scene .cells").first().waitFor();
  const count = await page.evaluate(
    () => document.querySelector("gradwalk-lab").lab.program.graph.nodes.length,
  );
  assert.equal(count, 1003);
}

async function walking(page) {
  await page.getByRole("button", { name: "Walk it, event by event" }).click();
  await page.getByRole("button", { name: "Backward", exact: true }).click();
  await page.getByRole("button", { name: "Step", exact: true }).click();
}

const STATES = [
  ["sandbox", "#1/sandbox?t=999999"],
  [
    "sandbox, with an error",
    "#1/sandbox?t=999999",
    (page) => page.locator("#expression").fill("(a +"),
  ],
  ["sandbox, predicting", "#1/sandbox?o=predict", (page) => page.keyboard.press("End")],
  ["sandbox, help", "#1/sandbox?t=999999", (page) => page.keyboard.press("?")],
  [
    "sandbox, 3D",
    "#1/sandbox?t=999999&v=3d",
    (page) => page.locator("gradwalk-scene canvas.deep").waitFor(),
  ],
  [
    "sandbox, large",
    `#1/sandbox?f=${e(Array.from({ length: 40 }, (_, i) => `tanh(a*w${i})`).join("+"))}&t=999999`,
    (page) => page.locator("gradwalk-scene .cells").first().waitFor(),
  ],
  [
    "sandbox, a box opened",
    `#1/sandbox?f=${e(Array.from({ length: 40 }, (_, i) => `tanh(a*w${i})`).join("+"))}&t=999999`,
    async (page) => {
      await page.evaluate(() => {
        const { root } = document.querySelector("gradwalk-lab").lab.program.graph;
        document
          .querySelector("gradwalk-lab")
          .shadowRoot.querySelector("gradwalk-scene")
          .open(root);
      });
      await page.getByRole("button", { name: "Close all boxes" }).waitFor();
    },
  ],
  ["sandbox, 1,003 nodes", `#1/sandbox?${BIG}&t=9999999`, large],
  ["sandbox, 1,003 nodes in 3D", `#1/sandbox?${BIG}&t=9999999&v=3d`, large],
  ["walk, sorting", `#1/walk?${X6}&t=4000`],
  ["order", `#1/order?${X6}`],
  [
    "order, lost",
    `#1/order?${X6}&q=5.2.0.4`,
    async (page) => {
      await page.getByRole("button", { name: "Run this order" }).click();
      await page.keyboard.press("End");
    },
  ],
  ["bugs", "#1/bugs?f=a*a&x=a:3"],
  ["bugs, recursion", "#1/bugs?b=recursion"],
  ["bugs, game", "#1/bugs"],
  [
    "bugs, game over",
    "#1/bugs?o=game&k=5",
    (page) => page.locator(".quiz .choices button").first().click(),
  ],
  ["descend", "#1/descend", (page) => page.locator("[data-descend=step]").click()],
  [
    "sandbox, sharing",
    "#1/sandbox?t=999999",
    (page) => page.getByRole("button", { name: "Share" }).click(),
  ],
  ["checks", "#1/checks"],
  ["program, no server", "#1/program"],
  ["floor plan, walking", "#1/plan?m=mlp", walking],
  ["lessons", "#1/learn"],
  ["lessons, a question", "#1/learn?l=accumulate.1"],
  ["lessons, source", "#1/learn?l=engine"],
  ["lessons, training", "#1/learn?l=training.2"],
  ["lessons, glossary", "#1/learn?l=glossary"],
  ["traces by hand", "#1/learn?l=traces"],
  [
    "write it yourself",
    "#1/learn?l=write",
    (page) => page.locator("gradwalk-write .cm-content").waitFor(),
  ],
  ["a class", "#1/learn?l=order.2&o=teach"],
  ["gpt, no server", "#1/gpt"],
  [
    "checks, wrong",
    "#1/checks",
    async (page) => {
      await page.getByLabel("your answer").fill("3");
      await page.keyboard.press("Enter");
    },
  ],
];

for (const [name, hash, act] of STATES)
  test(`no violation: ${name}`, () =>
    visit(found, hash, async (page) => {
      await act?.(page);
      await looksGood(page);
    }));
