/** Tables are whole: every row can be reached, and no number is cut. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { e, frames, lab, visit } from "./harness.mjs";

const found = lab();
const on = (...args) => visit(found, ...args);
const LONG = Array.from({ length: 60 }, (_, i) => `tanh(${"abc"[i % 3]}*${i + 1})`).join(" + ");
const hash = (page) => `#1/${page}?f=${e(LONG)}&x=a:0.123,b:-0.0456,c:0.7&t=999999`;

/** Scroll a panel to one end, and read what its table has there. */
async function at(page, table, end) {
  const body = page.locator(`.panel .body:has(table.${table})`);
  await body.evaluate((one, to) => {
    one.scrollTop = to === "start" ? 0 : one.scrollHeight;
  }, end);
  await frames(page);
  return body.locator(`table.${table}`).evaluate((one) => {
    const indices = [...one.querySelectorAll("tr[aria-rowindex]")].map((tr) => tr.ariaRowIndex);
    return {
      count: Number(one.ariaRowCount),
      first: Number(indices[1]),
      last: Number(indices.at(-1)),
    };
  });
}

for (const [page, tables] of [
  ["sandbox", ["events"]],
  ["walk", ["trace.sort", "trace.backward"]],
  ["bugs", ["comparison"]],
])
  for (const reducedMotion of ["reduce", "no-preference"])
    test(`every row of a long table can be reached: ${page}, motion ${reducedMotion}`, () =>
      on(
        hash(page),
        async (tab) => {
          for (const table of tables) {
            const start = await at(tab, table, "start");
            assert.equal(start.first, 2, table);
            assert.ok(start.count > 100 && start.last < start.count, table);
            const end = await at(tab, table, "end");
            assert.equal(end.last, end.count, table);
            assert.ok(end.first > 2, table);
          }
        },
        { reducedMotion },
      ));

test("the row of the moment is in view, wherever the walk is", () =>
  on(hash("sandbox"), async (page) => {
    for (const key of ["Home", "End", "Shift+ArrowLeft", "ArrowRight", "ArrowLeft"]) {
      await page.keyboard.press(key);
      await frames(page);
      // The table follows the walk when the page has drawn it.
      await page.waitForFunction(() => {
        const root = document.querySelector("gradwalk-lab").shadowRoot;
        const { index } = document.querySelector("gradwalk-lab").lab.frame;
        const row = root.querySelector(".events tr.now");
        if (!row || index < 0) return !row && index < 0;
        const body = row.closest(".body").getBoundingClientRect();
        const box = row.getBoundingClientRect();
        return (
          Number(row.cells[0].textContent) === index + 1 &&
          box.top >= body.top &&
          box.bottom <= body.bottom
        );
      });
    }
  }));
