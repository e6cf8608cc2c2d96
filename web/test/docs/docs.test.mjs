/** The built docs in a browser: no violation in both themes, wide and narrow; nothing wider than a phone; clean copies. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, serve } from "../browser/harness.mjs";

const BUILT = fileURLToPath(new URL("../../../docs/_build/html/", import.meta.url));
const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PAGES = ["index", "scenarios", "api/operations"];
const THEMES = ["dark", "light"];
const SIZES = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
];
/** A folder for pictures to look at; none are taken without it. */
const SHOTS = process.env.GRADWALK_SHOTS;

let browser;
let server;
before(async () => {
  server = await serve(BUILT, "");
  browser = await launch();
});
after(async () => {
  await browser.close();
  server.close();
});

async function open(path, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(server.url + path);
  return page;
}

for (const name of (process.env.GRADWALK_PAGES ?? PAGES.join()).split(","))
  test(`no violation, no sideways scrolling: ${name}`, async () => {
    const page = await open(`${name}.html`);
    await page.evaluate(AXE);
    for (const viewport of SIZES)
      for (const colorScheme of THEMES) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await page.evaluate(
          () => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then))),
        );
        const where = `${colorScheme} ${viewport.width}`;
        if (SHOTS) {
          const path = join(SHOTS, `${name.replace("/", "-")} ${where}.png`);
          await page.screenshot({ path, fullPage: viewport.width < 1000 && name === "index" });
        }
        const { violations } = await page.evaluate(() =>
          window.axe.run(document, { resultTypes: ["violations"] }),
        );
        const broken = violations.map(
          ({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`,
        );
        assert.deepEqual(broken, [], where);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= viewport.width, `${where}: ${wide} pixels`);
      }
    await page.context().close();
  });

test("a copied example has neither prompts nor output", async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const page = await open("quickstart.html", { permissions });
  const block = page.locator("div.highlight", { hasText: "Value(-3.0)" });
  await block.hover();
  await block.getByRole("button", { name: "Copy" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^from gradwalk import Value\na, b, c = /);
  assert.doesNotMatch(copied, />>>|\(-10\.0/);
  await page.context().close();
});

test("an example runs in the page, after those before it", async () => {
  const page = await open("quickstart.html");
  const block = page.locator("div.highlight", { hasText: "Fraction(3, 2)" });
  const expected = (await block.locator("pre").textContent()).split("\n");
  await block.hover();
  await block.getByRole("button", { name: "Run" }).click();
  const shown = page.locator("pre.result");
  await shown.filter({ hasNotText: "…" }).waitFor({ timeout: 120_000 });
  const printed = expected.filter((line) => line && !/^(>>>|\.\.\.)/.test(line)).join("\n");
  assert.equal(await shown.textContent(), printed);
  await page.context().close();
});

test("a command opens in the lab, at its expression and its numbers", async () => {
  const page = await open("cli.html");
  const block = page.locator("div.highlight", { hasText: "-o walk.svg" });
  await block.hover();
  await block.getByRole("link", { name: "Open in the lab" }).click();
  await page.locator("[data-node].root").waitFor();
  assert.equal(await page.locator("#expression").inputValue(), "tanh(a*b) + a");
  const values = await page.evaluate(() =>
    Object.fromEntries(document.querySelector("gradwalk-lab").store.state.values),
  );
  assert.deepEqual(values, { a: 0.5, b: 2 });
  await page.context().close();
});

test("the search finds a page", async () => {
  const page = await open("search.html?q=zero_grad");
  await page.locator("#search-results li a").first().waitFor();
  await page.context().close();
});
