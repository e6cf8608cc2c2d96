/**
 * Pictures for a person to look at: `npm run shots`, or `node test/browser/shots.mjs [folder] [filter]`.
 *
 * Every page in its telling states, in both themes, at a desk, on a projector, on a phone and with
 * forced colours. They go to web/.build/shots, with an index.html that shows them all.
 */

import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { launch, open, serve } from "./harness.mjs";

const folder = process.argv[2] ?? ".build/shots";
const filter = process.argv[3] ?? "";

const WIDE = { width: 1440, height: 900 };
const LECTURE = { width: 1024, height: 768 };
const PHONE = { width: 360, height: 740 };
const e = encodeURIComponent;
const X2 = `f=${e("n = x1*w1 + x2*w2 + b; o = tanh(n)")}&x=x1:2,w1:-3,x2:0,w2:1,b:6.881373587019543`;
const X6 = `f=${e("b = a + 1; c = a * 3; d = b * c")}&x=a:2`;
const LONG = Array.from({ length: 20 }, (_, i) => `tanh(${"abc"[i % 3]}*${i + 1})`).join(" + ");
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
  ["bugs-diagnose", "#1/bugs", WIDE],
  ["bugs-phone", "#1/bugs?f=a*a&x=a:3", PHONE],
  ["program-alone", "#1/program", WIDE],
  ["checks", "#1/checks", WIDE],
  ["checks-wrong", "#1/checks", WIDE, answerWrong],
  ["checks-phone", "#1/checks", PHONE],
  ["sandbox-3d", "#1/sandbox?t=99999&v=3d", WIDE, (page) => page.waitForTimeout(1500)],
  ["sandbox-3d-x2", `#1/sandbox?${X2}&t=99999&v=3d`, WIDE, (page) => page.waitForTimeout(1500)],
  ["walk-lecture", `#1/walk?${X7}&t=5200`, LECTURE],
  ["order-lecture", `#1/order?${X6}&q=5.2.0.4`, LECTURE, runOrder],
  ["bugs-lecture", "#1/bugs?f=a*a&x=a:3", LECTURE],
  ["checks-lecture", "#1/checks", LECTURE, answerWrong],
  ["checks-wrong-phone", "#1/checks", PHONE, answerWrong],
  ["sandbox-forced", "#1/sandbox?t=3100", WIDE, null, "reduce", "active"],
  ["order-forced", `#1/order?${X6}&q=5.2.0.4`, WIDE, runOrder, "reduce", "active"],
  ["sandbox-long", `#1/sandbox?f=${e(LONG)}&t=99999`, WIDE],
  [
    "sandbox-rtl",
    "#1/sandbox?t=3100",
    WIDE,
    (page) =>
      page.evaluate(() => {
        document.documentElement.dir = "rtl";
      }),
  ],
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
for (const [name, hash, viewport, act, reducedMotion = "reduce", forcedColors = "none"] of SHOTS) {
  const themes = ["dark", "light"].filter((theme) => `${name}-${theme}`.includes(filter));
  if (!themes.length) continue;
  const options = { viewport, reducedMotion, forcedColors, colorScheme: themes[0] };
  const page = await open(browser, server.url + hash, options);
  await act?.(page);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    if (viewport === PHONE)
      await page.screenshot({
        path: join(folder, `${name}-${colorScheme}-all.png`),
        fullPage: true,
      });
  }
  await page.context().close();
}
await browser.close();
server.close();
const pictures = (await readdir(folder)).filter((name) => name.endsWith(".png")).sort();
const figures = pictures.map(
  (name) => `<figure><img src="${name}" loading="lazy"><figcaption>${name}</figcaption></figure>`,
);
const style =
  "body{font:14px system-ui;display:flex;flex-wrap:wrap;gap:16px}img{max-width:720px;border:1px solid #888}figure{margin:0}";
await writeFile(
  join(folder, "index.html"),
  `<!doctype html><meta charset="utf-8"><title>The lab in pictures</title><style>${style}</style>${figures.join("\n")}`,
);
console.log(`${pictures.length} pictures: open ${join(folder, "index.html")}`);
