/** Pictures for a person to look at: `node test/browser/shots.mjs [folder] [filter]`. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { launch, open, serve } from "./harness.mjs";

const folder = process.argv[2] ?? ".build/shots";
const filter = process.argv[3] ?? "";

const WIDE = { width: 1280, height: 800 };
const LECTURE = { width: 1024, height: 768 };
const PHONE = { width: 360, height: 740 };
const e = encodeURIComponent;
const X2 = `f=${e("n = x1*w1 + x2*w2 + b; o = tanh(n)")}&x=x1:2,w1:-3,x2:0,w2:1,b:6.881373587019543`;
const X6 = `f=${e("b = a + 1; c = a * 3; d = b * c")}&x=a:2`;
const X7 = `f=${e("c = a * b; L = c + a")}&x=a:2,b:3`;

/** name, hash, viewport, then what to do before the picture. */
const SHOTS = [
  ["sandbox-end", "#1/sandbox?t=99999", WIDE],
  ["sandbox-mid", "#1/sandbox?t=2260", WIDE, null, "no-preference"],
  ["sandbox-lecture", "#1/sandbox?t=3100", LECTURE],
  ["sandbox-phone", "#1/sandbox?t=3100", PHONE],
  ["sandbox-x2", `#1/sandbox?${X2}&t=99999`, WIDE],
  ["sandbox-x7", `#1/sandbox?${X7}&t=4100`, WIDE],
  ["sandbox-sigmoid", `#1/sandbox?f=${e("1 / (1 + exp(0 - x))")}&x=x:0.5&t=99999`, WIDE],
  ["sandbox-unfold", `#1/sandbox?f=${e("1 / (1 + exp(0 - x))")}&x=x:0.5&t=99999&o=unfold`, WIDE],
  [
    "sandbox-error",
    "#1/sandbox?t=99999",
    WIDE,
    (page) => page.locator("#expression").fill("(a + b * c"),
  ],
  ["sandbox-predict", "#1/sandbox?o=predict", WIDE, (page) => page.keyboard.press("End")],
  ["sandbox-help", "#1/sandbox?t=99999", WIDE, (page) => page.keyboard.press("?")],
  ["walk-sort", `#1/walk?${X7}&t=2700`, WIDE],
  ["walk-end", `#1/walk?${X7}&t=99999`, WIDE],
  ["walk-phone", `#1/walk?${X7}&t=5200`, PHONE],
  [
    "walk-edge",
    `#1/walk?${X6}&t=0`,
    WIDE,
    (page) => page.locator("[data-edge='3'] .hit").first().click({ force: true }),
  ],
  ["order", `#1/order?${X6}`, WIDE],
  ["order-lost", `#1/order?${X6}&q=5.2.0.4`, WIDE, runOrder],
  ["order-phone", `#1/order?${X6}&q=5.2.0.4`, PHONE, runOrder],
  ["bugs", "#1/bugs?f=a*a&x=a:3", WIDE],
  ["bugs-recursion", "#1/bugs?b=recursion", WIDE],
  [
    "bugs-diagnose",
    "#1/bugs",
    WIDE,
    (page) => page.getByRole("button", { name: "Diagnose" }).click(),
  ],
  ["bugs-phone", "#1/bugs?f=a*a&x=a:3", PHONE],
  ["checks", "#1/checks", WIDE],
  ["checks-wrong", "#1/checks", WIDE, answerWrong],
  ["checks-phone", "#1/checks", PHONE],
  ["sandbox-3d", "#1/sandbox?t=99999&v=3d", WIDE, (page) => page.waitForTimeout(2500)],
];

async function runOrder(page) {
  await page.getByRole("button", { name: "Run this order" }).click();
  await page.keyboard.press("End");
}

async function answerWrong(page) {
  await page.getByRole("button", { name: /∂d\/∂a/ }).click();
  await page.getByLabel("your answer").fill("9");
  await page.getByRole("button", { name: "Check", exact: true }).click();
}

await mkdir(folder, { recursive: true });
const server = await serve();
const browser = await launch();
for (const [name, hash, viewport, act, reducedMotion = "reduce"] of SHOTS) {
  for (const colorScheme of ["dark", "light"]) {
    if (!`${name}-${colorScheme}`.includes(filter)) continue;
    const page = await open(browser, server.url + hash, { viewport, colorScheme, reducedMotion });
    try {
      await act?.(page);
    } catch (error) {
      console.log(`${name}: ${String(error).split("\n")[0]}`);
    }
    await page.waitForTimeout(500);
    await page.screenshot({
      path: join(folder, `${name}-${colorScheme}.png`),
      fullPage: viewport === PHONE,
    });
    if (page.problems.length) console.log(name, colorScheme, page.problems);
    await page.context().close();
  }
}
await browser.close();
server.close();
