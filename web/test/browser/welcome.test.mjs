/** The first minute: what this is, how to read it, and what a gradient is good for. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { e, lab, visit } from "./harness.mjs";

const found = lab();
const on = (...args) => visit(found, ...args);

test("one sentence says what this is, and stays away once it is closed", () =>
  on("#1/sandbox?t=0", async (page) => {
    const sentence = page.locator(".greeting");
    assert.match(await sentence.textContent(), /how much each input moves the result/);
    await page.getByRole("button", { name: "Close this sentence" }).click();
    assert.equal(await sentence.count(), 0);
    await page.reload();
    await page.locator("main").waitFor();
    assert.equal(await sentence.count(), 0);
  }));

test("the legend is in the picture: wires, thickness, signs, what is unfilled, names", () =>
  on("#1/sandbox?t=0", async (page) => {
    assert.match(
      await page.locator(".stage .reading").textContent(),
      /forward.*back, thicker.*▲.*▼.*0 neither.*--.*t1/s,
    );
    await page.getByRole("link", { name: "Tables", exact: true }).click();
    assert.match(await page.locator(".stage .reading").textContent(), /--\s+not yet known/s);
  }));

test("the end of a walk says what its gradient means, and has it tried by a pull", () =>
  on(`#1/sandbox?f=${e("(a + b) * c")}&x=a:2,b:-3,c:10&t=0`, async (page) => {
    assert.equal(await page.locator(".end-card").count(), 0);
    await page.keyboard.press("End");
    assert.match(
      await page.locator(".end-card").textContent(),
      /Each unit of b moves f by 10\. Hold b and pull it\./,
    );
    // The card and the chain rule beside it speak of one leaf.
    assert.match(await page.locator(".panel.rule .equation").first().textContent(), /b\.grad/);
    await page.getByRole("button", { name: "Try it" }).click();
    await page.locator(".pull-strip").waitFor();
    assert.match(await page.locator(".pull-strip").textContent(), /\+1f moved.*=.*10.*×.*\+0\.1/s);
    await page.getByRole("button", { name: "Let go" }).click();
    await page.getByRole("button", { name: "Try it" }).waitFor();
  }));

for (const viewport of [
  { width: 360, height: 800 },
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
])
  test(`no word over the picture is cut, ${viewport.width} wide`, () =>
    on(
      "#1/sandbox?t=999999",
      async (page) => {
        const whole = (why) =>
          page.locator(".moment").evaluate((one, why) => {
            const box = one.getBoundingClientRect();
            for (const part of one.querySelectorAll(".words *")) {
              const { top, bottom, right } = part.getBoundingClientRect();
              if (top < box.top - 1 || bottom > box.bottom + 1 || right > box.right + 1)
                return `${why}: ${part.textContent.trim()}`;
              if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth)
                return `${why}: ${part.textContent.trim()} is cut`;
            }
            return "";
          }, why);
        for (const id of ["x1", "x2", "x9s", "learn"]) {
          await page.getByLabel("Examples").selectOption(id);
          for (const key of ["Home", "ArrowRight", "End"]) {
            await page.locator("main").press(key);
            assert.equal(await whole(`${id} ${key}`), "");
          }
          await page.getByRole("button", { name: "Try it" }).click();
          assert.equal(await whole(`${id}, tried`), "");
        }
        await page.getByRole("button", { name: "Predict first" }).click();
        await page.locator("main").press("End");
        assert.equal(await whole("asked"), "");
        await page.getByLabel("your prediction").fill("77");
        await page.keyboard.press("Enter");
        assert.equal(await whole("answered"), "");
      },
      { viewport },
    ));
