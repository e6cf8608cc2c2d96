/** axe-core on every page, in both themes, wide and narrow: no violation. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { AXE, e, lab, open } from "./harness.mjs";

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
    (page) => page.locator("gradwalk-scene .floor").waitFor(),
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
  ["bugs, game", "#1/bugs", (page) => page.getByRole("button", { name: "Diagnose" }).click()],
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
  [
    "checks, wrong",
    "#1/checks",
    async (page) => {
      await page.getByLabel("your answer").fill("3");
      await page.keyboard.press("Enter");
    },
  ],
];

const THEMES = ["dark", "light"];
const SIZES = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
];

for (const [name, hash, act] of STATES)
  test(`no violation: ${name}`, async () => {
    const page = await open(found.browser, found.server.url + hash, { bypassCSP: true });
    await act?.(page);
    await page.evaluate(AXE);
    for (const viewport of SIZES)
      for (const colorScheme of THEMES) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        const broken = await page.evaluate(async () => {
          await new Promise((resolve) =>
            requestAnimationFrame(() => requestAnimationFrame(resolve)),
          );
          const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
          return violations.flatMap(({ id, nodes }) =>
            nodes.map(
              ({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`,
            ),
          );
        });
        assert.deepEqual(broken, [], `${colorScheme} ${viewport.width}`);
      }
    await page.context().close();
  });
