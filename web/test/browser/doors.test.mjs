/** The four doors: every page behind them, at four widths, in both themes, by mouse and by keys. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DOORS, e, lab, turnTo, visit } from "./harness.mjs";

const found = lab();
const on = (...args) => visit(found, ...args);
const NEURON = `f=${e("n = x1*w1 + x2*w2 + b; o = tanh(n)")}&x=x1:2,w1:-3,x2:0,w2:1,b:6.881373587019543`;
const LOOKS = [390, 1024, 1440, 1920].flatMap((width) =>
  ["light", "dark"].map((colorScheme, i) => ({
    viewport: { width, height: width === 390 ? 844 : width * 0.625 },
    colorScheme,
    reducedMotion: width > 1200 === (i === 0) ? "no-preference" : "reduce",
  })),
);
const pageNow = (page) => page.locator("main").getAttribute("data-page");

for (const looks of LOOKS)
  test(`every page is behind its door, and nothing sticks out: ${looks.viewport.width}, ${looks.colorScheme}`, () =>
    on(
      `#1/sandbox?${NEURON}&t=0`,
      async (page) => {
        const { width, height } = looks.viewport;
        for (const id of DOORS.flat()) {
          await turnTo(page, id);
          assert.equal(await pageNow(page), id);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${id} is ${wide} wide`);
          const tabs = page.locator(".tabs");
          if (await tabs.count()) assert.ok((await tabs.boundingBox()).height < 48, id);
          const doors = await page.locator(".doors").boundingBox();
          assert.equal(
            Math.round(doors.y + (width < 901 ? doors.height : 0)),
            width < 901 ? height : 0,
          );
          // Where there is room an icon has its word beside it, else it is heard.
          const words = await page
            .locator(".tools .quiet span")
            .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width > 8));
          assert.deepEqual(new Set(words), new Set([width >= 1280]));
        }
      },
      looks,
    ));

test("at 1440 × 900 the stage of Play has 60 % of the width, and neither Now nor its code is cut", () =>
  on(
    `#1/sandbox?${NEURON}&t=0`,
    async (page) => {
      await page.getByRole("button", { name: "Close this sentence" }).click();
      for (const id of DOORS[0]) {
        await turnTo(page, id);
        const [stage, rail, main] = await Promise.all(
          [".stage", ".rail", "main"].map((name) => page.locator(name).boundingBox()),
        );
        assert.ok(stage.width >= 0.6 * 1440, `${id}: ${stage.width}`);
        assert.ok(main.y + main.height <= 900.5 && rail.y + rail.height <= 900.5, id);
      }
      await turnTo(page, "sandbox");
      for (let i = 0; i <= 15; i++) {
        const cut = await page.locator(".moment").evaluate((moment) =>
          [moment, ...moment.querySelectorAll("*:not(math *)")]
            .filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1)
            .concat(moment.scrollHeight > moment.clientHeight + 1 ? [moment] : [])
            .map((one) => `${one.className}: ${one.textContent.trim()}`),
        );
        assert.deepEqual(cut, [], `event ${i}`);
        const events = await page.locator(".rail .table .body").boundingBox();
        assert.ok(events.height > 140, `event ${i}: ${events.height} for events`);
        await page.keyboard.press("ArrowRight");
      }
    },
    { viewport: { width: 1440, height: 900 } },
  ));

test("doors and tabs by keys: one tab stop each, arrows from one to the next, Enter opens", () =>
  on("#1/sandbox?t=0", async (page) => {
    await page.locator(".doors a").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    assert.equal(await pageNow(page), "order");
    const stops = page.locator(".doors a[tabindex='0'], .tabs a[tabindex='0']");
    assert.deepEqual(await stops.allTextContents(), ["Puzzles", "Order"]);
    await stops.last().focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    assert.equal(await pageNow(page), "write");
    assert.match(page.url(), /#1\/write\?/);
    await page.goBack();
    assert.equal(await pageNow(page), "order");
  }));

test("while backward is on its way the events of forward are one row, which leads back to them", () =>
  on(`#1/sandbox?${NEURON}&t=999999`, async (page) => {
    const rows = () => page.locator(".events tbody tr td:first-child").allTextContents();
    assert.deepEqual((await rows()).slice(0, 3), ["▸", "6", "7"]);
    await page.getByRole("button", { name: "Go to event 5: 1 to 5, forward: o ≈ 0.7071" }).click();
    assert.deepEqual((await rows()).slice(0, 2), ["1", "2"]);
    assert.equal(await page.locator(".events tr.now td").first().textContent(), "5");
  }));
