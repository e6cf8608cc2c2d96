/** A real Chromium on the built lab: a server for the static files, pages that fail on any error. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { generate, PYTHON } from "../../generate.mjs";

export { PYTHON };

const here = dirname(fileURLToPath(import.meta.url));
export const STATIC = join(here, "../../../src/gradwalk/lab/static");

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** As strict as the lab's own server: a style attribute or an inline script would be refused. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html gradwalk-worker";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const BROWSER = process.env.GRADWALK_CHROMIUM ?? BROWSERS.find((path) => existsSync(path));

/** A static server. It sends the lab's policy with each page; an empty one makes it a plain server. */
export async function serve(folder = STATIC, policy = POLICY) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://x").pathname);
    try {
      const file = join(folder, path === "/" ? "index.html" : path);
      const body = await readFile(file);
      response.writeHead(200, {
        "content-type": TYPES[extname(file)] ?? "application/octet-stream",
        "content-security-policy":
          extname(file) === ".html" && !path.includes("export") ? policy : "",
      });
      response.end(body);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export async function launch() {
  return chromium.launch({
    executablePath: BROWSER,
    args: [
      "--no-sandbox",
      // Through that, pages would take three times as long to paint as all else in the tests.
      "--disable-gpu-rasterization",
      "--disable-gpu-compositing",
      // 3D is drawn by the processor: the same pixels on every machine.
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}

/**
 * Start Python with these words. `said` waits until it has written what `pattern` finds, to stdout
 * or stderr, and fails when it ends without that. `close` ends it, unless it has ended by itself.
 */
export function startPython(words, options = {}) {
  const child = spawn(PYTHON, words, { stdio: ["ignore", "pipe", "pipe"], ...options });
  let text = "";
  // Now, and not in `close`: an event that has been is waited for in vain.
  const over = once(child, "exit");
  const said = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => pattern.test(text) && resolve(pattern.exec(text)[0]);
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      over.then(() => reject(new Error(`${words.join(" ")} ended: ${text}`)), reject);
      look();
    });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part) => {
      text += part;
    });
  return {
    said,
    async close() {
      child.kill("SIGINT");
      const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await over;
      clearTimeout(late);
    },
  };
}

/** Start `gradwalk lab` with these words; `close` ends it. */
export async function startLab(...words) {
  const server = startPython(["-m", "gradwalk", "lab", ...words, "--no-browser", "--json"]);
  const { address } = JSON.parse(await server.said(/^\{.*\}$/m));
  const { origin } = new URL(address);
  return {
    /** It has a code that opens the lab once. */
    address,
    url: `${origin}/`,
    close: server.close,
  };
}

/** What Chromium says of itself, when it composes a picture in 3D without a graphics card. */
const OF_CHROMIUM = /GL Driver Message \(OpenGL, Performance.* GPU stall due to ReadPixels/;

/** A page that remembers everything that went wrong on it. */
export async function open(browser, url, options = {}) {
  const {
    reducedMotion = "reduce",
    colorScheme = "dark",
    viewport = { width: 1280, height: 800 },
    ...rest
  } = options;
  const context = await browser.newContext({ reducedMotion, colorScheme, viewport, ...rest });
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => {
    const isWrong = message.type() === "error" || message.type() === "warning";
    if (isWrong && !OF_CHROMIUM.test(message.text())) page.problems.push(message.text());
  });
  if (url) await go(page, url);
  return page;
}

const drawn = (page) =>
  page.locator("gradwalk-lab main, gradwalk-graph svg").first().waitFor({ state: "attached" });

/** Load an address from nothing, as a new visitor would: nothing is remembered from before. */
async function go(page, url) {
  if (page.url() !== "about:blank") {
    await page.evaluate(() => localStorage.clear()).catch(() => {});
    await page.goto("about:blank");
  }
  page.problems.length = 0;
  await page.goto(url);
  await drawn(page);
}

/**
 * The same without loading scripts again, which takes most of the time: a new element in the page
 * reads its address and its storage as in a new page.
 */
async function goInPage(page, hash) {
  await page.evaluate((to) => {
    localStorage.clear();
    document.querySelector("gradwalk-lab")?.remove();
    history.replaceState(null, "", to || location.pathname);
    document.documentElement.dir = "ltr";
    scrollTo(0, 0);
    document.body.prepend(document.createElement("gradwalk-lab"));
  }, hash);
  page.problems.length = 0;
  await drawn(page);
}

/** One server, one browser and one `gradwalk lab` for all files of tests that run together. */
const shared = { server: null, browser: null, pages: new Map(), python: null, isUsed: false };
let isBegun = false;

export function lab() {
  if (isBegun) return shared;
  isBegun = true;
  before(async () => {
    assert.ok(BROWSER, "no Chromium found: apt-get install -y chromium, or set GRADWALK_CHROMIUM");
    [shared.server, shared.browser] = await Promise.all([serve(), launch()]);
  });
  after(async () => {
    await inTime("closing the browser", shared.browser?.close());
    await (await shared.python)?.close();
    shared.server?.close();
  });
  return shared;
}

/**
 * Open, do, and insist that nothing went wrong on the way. To make a page takes longer than most
 * tests, so one is kept for each set of options; a test that failed takes its page with it. `loads`
 * asks for a page that is loaded anew.
 */
export async function visit(found, hash, act, options = {}) {
  const {
    reducedMotion = "reduce",
    colorScheme = "dark",
    forcedColors = "none",
    viewport = { width: 1280, height: 800 },
    loads = false,
    ...rest
  } = options;
  const key = JSON.stringify(rest);
  const page = found.pages.get(key) ?? (await open(found.browser, "", rest));
  found.pages.delete(key);
  await page.emulateMedia({ colorScheme, reducedMotion, forcedColors });
  await page.setViewportSize(viewport);
  await inTime("a page", show(page, found.server.url, hash, loads));
  await acted(page, act);
  found.pages.set(key, page);
}

/** The same on a page of `gradwalk lab`, which Python answers. */
export async function visitPython(found, hash, act, options = {}) {
  const key = "python";
  let page = found.pages.get(key);
  // A code works once: whoever comes after a test that failed needs another lab.
  if (!page && found.isUsed) {
    await (await found.python).close();
    found.python = null;
  }
  found.isUsed = true;
  found.python ??= startLab();
  const python = await found.python;
  if (!page) {
    page = await open(found.browser, python.address);
    await page.waitForFunction(() => sessionStorage.getItem("gradwalk-secret"));
  }
  found.pages.delete(key);
  const { colorScheme = "dark", reducedMotion = "reduce" } = options;
  await page.emulateMedia({ colorScheme, reducedMotion });
  await page.setViewportSize({ width: 1280, height: 800 });
  await inTime("a page", show(page, python.url, hash, false));
  await acted(page, act);
  found.pages.set(key, page);
}

async function show(page, url, hash, loads) {
  const isThere = page.url().split("#")[0] === url && !hash.startsWith("file:");
  if (isThere && !loads) await goInPage(page, hash);
  else await go(page, hash.startsWith("file:") ? hash : url + hash);
}

const LONGEST = 60_000;

/** The same, or an error when it takes too long: a promise in a page may never come true. */
export async function inTime(what, promise) {
  let late;
  const over = new Promise((_, fail) => {
    late = setTimeout(() => fail(new Error(`${what} took more than a minute`)), LONGEST);
  });
  return Promise.race([promise, over]).finally(() => clearTimeout(late));
}

async function acted(page, act) {
  try {
    await inTime("a test", act(page));
    assert.deepEqual(page.problems, []);
  } catch (error) {
    // A page that hangs may not close either.
    await inTime("closing a page", page.context().close()).catch(() => {});
    throw error;
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Insist that axe-core finds nothing and that nothing sticks out: in three languages, both themes,
 * wide and narrow. A theme changes colours alone, so the last of its pairs is asked for contrast only.
 */
const LOOKS = [
  ["en", "dark", 1280],
  ["et", "light", 1280],
  ["ru", "light", 360],
  ["et", "dark", 360, "color-contrast"],
];

export async function looksGood(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const languages = page.locator(".language select");
  const speaks = (await languages.count()) > 0;
  for (const [language, colorScheme, width, only] of LOOKS) {
    if (speaks) await languages.selectOption(language);
    await page.setViewportSize({ width, height: width > 600 ? 800 : 740 });
    await page.emulateMedia({ colorScheme });
    const [said, wide] = await page.evaluate(async (rule) => {
      for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
      const { violations } = await window.axe.run(document, {
        resultTypes: ["violations"],
        ...(rule ? { runOnly: [rule] } : {}),
        // On a phone the row of pages scrolls, and its first link is taken for a skip link.
        rules: { "skip-link": { enabled: false } },
      });
      const told = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id} ${html.slice(0, 160)} ${failureSummary}`),
      );
      return [told, document.documentElement.scrollWidth];
    }, only);
    assert.deepEqual(said, [], `${language} ${colorScheme} ${width}`);
    assert.ok(wide <= width, `${wide} wide at ${width}, ${language}`);
  }
  if (speaks) await languages.selectOption("en");
}

/** Wait until the page was painted so many times. */
export const frames = (page, count = 2) =>
  page.evaluate(async (count) => {
    for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame);
  }, count);

/** Follow a link inside the lab, and wait until what it leads to is drawn. */
export const follow = (page, link) =>
  page.evaluate(async (to) => {
    const [, place] = /[?&]l=(\w+\.\d+)/.exec(to) ?? [];
    const { store, shadowRoot } = document.querySelector("gradwalk-lab");
    const isTold = new Promise((done) => addEventListener("hashchange", done, { once: true }));
    const isNew = location.hash !== to;
    location.hash = to;
    if (isNew) await isTold;
    // Some pages are loaded when they are first opened, and lessons when one is.
    const isThere = () =>
      shadowRoot.querySelector("main")?.childElementCount > 1 &&
      (!place || store.state.staged === place);
    while (!isThere()) await new Promise(requestAnimationFrame);
    for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
  }, link);

/** The lessons in English. A fresh checkout has none yet. */
export function readCourse() {
  generate();
  return JSON.parse(readFileSync(join(here, "../../src/teach/lessons/en.json"), "utf8"));
}

/** Open a page of the lab by its door and its tab, as a person does: nothing is loaded anew. */
export async function turnTo(page, id) {
  const pages = DOORS.find((ids) => ids.includes(id));
  const tab = page.locator(`.tabs a[href^="#1/${id}?"]`);
  if (!(await tab.count())) await page.locator(`.doors a[href^="#1/${pages[0]}?"]`).click();
  if (pages.length > 1) await tab.click();
}

/** The pages behind each of the four doors. */
export const DOORS = [
  ["sandbox", "walk", "descend", "program"],
  ["learn"],
  ["order", "bugs", "checks", "traces", "write"],
  ["moons", "gpt", "plan"],
];

export const e = encodeURIComponent;
export const card = (page, name) => page.locator(`[data-node]:has([aria-label^="${name}:"])`);
export const label = (page, name) => card(page, name).locator(".target").getAttribute("aria-label");

/** Save what the page shows, as the dialog does, and say where the file is. */
export async function save(page, kind) {
  if (!(await page.locator("dialog[open]").count()))
    await page.getByRole("button", { name: "Share" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(`[data-save="${kind}"]`).click(),
  ]);
  const folder = await mkdtemp(join(tmpdir(), "gradwalk-"));
  const file = join(folder, download.suggestedFilename());
  await download.saveAs(file);
  return file;
}
