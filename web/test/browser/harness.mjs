/** A real Chromium on the built lab: a server for the static files, pages that fail on any error. */

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

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

const VENV = join(here, "../../../.venv/bin/python");

/** The Python that runs gradwalk: pytest's own, else the checkout's. */
export const PYTHON = process.env.GRADWALK_PYTHON ?? (existsSync(VENV) ? VENV : "python3");

export async function serve(folder = STATIC) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://x").pathname);
    try {
      const file = join(folder, path === "/" ? "index.html" : path);
      const body = await readFile(file);
      response.writeHead(200, {
        "content-type": TYPES[extname(file)] ?? "application/octet-stream",
        "content-security-policy":
          extname(file) === ".html" && !path.includes("export") ? POLICY : "",
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
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--enable-unsafe-swiftshader",
    ],
  });
}

/** `gradwalk lab`, and addresses of its pages that open them. */
export async function startLab() {
  const server = spawn(PYTHON, ["-m", "gradwalk", "lab", "--no-browser", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(server.stdout, "data");
  const { address } = JSON.parse(String(line));
  const port = Number(new URL(address).port);
  return {
    /** A code opens the lab once, so each address has a new one. */
    async address(hash) {
      const words = ["-m", "gradwalk", "lab", "list", "--json"];
      const { stdout } = await promisify(execFile)(PYTHON, words);
      const { address: listed } = JSON.parse(stdout).labs.find((lab) => lab.port === port);
      const code = /token=([\w-]+)/.exec(listed)[1];
      return `${listed.split("#")[0]}${hash}${hash.includes("?") ? "&" : "?"}token=${code}`;
    },
    async close() {
      server.kill("SIGINT");
      await once(server, "exit");
    },
  };
}

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
    if (message.type() === "error" || message.type() === "warning")
      page.problems.push(message.text());
  });
  if (url) await go(page, url);
  return page;
}

/** Load an address from nothing, as a new visitor would: nothing is remembered from before. */
async function go(page, url) {
  if (page.url() !== "about:blank") {
    await page.evaluate(() => localStorage.clear()).catch(() => {});
    await page.goto("about:blank");
  }
  page.problems.length = 0;
  await page.goto(url);
  await page
    .locator("gradwalk-lab main, gradwalk-graph svg")
    .first()
    .waitFor({ state: "attached" });
}

/** The server and the browser of one file of tests, and a page for each set of options. */
export function lab() {
  const found = { server: null, browser: null, pages: new Map() };
  before(async () => {
    assert.ok(BROWSER, "no Chromium found: apt-get install -y chromium, or set GRADWALK_CHROMIUM");
    [found.server, found.browser] = await Promise.all([serve(), launch()]);
  });
  after(async () => {
    await found.browser?.close();
    found.server?.close();
  });
  return found;
}

/**
 * Open, do, and insist that nothing went wrong on the way. To make a page takes longer than most
 * tests, so one is kept for each set of options; a test that failed takes its page with it.
 */
export async function visit(found, hash, act, options = {}) {
  const address = hash.startsWith("file:") ? hash : found.server.url + hash;
  const key = JSON.stringify(options);
  const page = found.pages.get(key) ?? (await open(found.browser, "", options));
  found.pages.delete(key);
  await page.emulateMedia({ colorScheme: options.colorScheme ?? "dark" });
  await go(page, address);
  try {
    await act(page);
    assert.deepEqual(page.problems, []);
  } catch (error) {
    await page.context().close();
    throw error;
  }
  found.pages.set(key, page);
}

/** What a graphics driver has to say about its own speed is no problem of ours. */
export function ourProblems(page) {
  const ours = page.problems.filter((text) => !/GL Driver|WebGL/.test(text));
  page.problems.splice(0, page.problems.length, ...ours);
}

/** axe-core as a text to run in a page. */
export const AXE = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

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
