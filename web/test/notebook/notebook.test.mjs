/**
 * A Value in real notebooks: JupyterLab, nbconvert, marimo. `python3 x.py test-notebook` starts this
 * where PATH has them.
 */

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { BROWSER, card, launch, open } from "../browser/harness.mjs";

const SRC = join(dirname(fileURLToPath(import.meta.url)), "../../../src");
const SHOTS = process.env.GRADWALK_SHOTS;

const CELLS = {
  make: `import gradwalk
from gradwalk import Value
a, b = Value(2.0, label="a"), Value(-3.0, label="b")
f = a * b + a`,
  first: "view = f.show()\nview",
  second: "gradwalk.watch(f)",
  still: "f",
  large: `total = a
for _ in range(500):
    total = total * 0.5 + b
large = gradwalk.watch(total)
large`,
  ask: "print('said', a.data, view.value.data, view.selected is b)",
  loop: `for step in range(20):
    loss = (a - 1) ** 2
    a.grad = 0.0
    loss.backward()
    a.data -= 0.1 * a.grad
    view.update(loss)`,
  curve: `from gradwalk.render import Curve
points = [(0, 2.0), (10, 1.0)]
curve = gradwalk.watch(Curve("loss", points))
curve`,
  picked: `print('picked', curve.selected)
points.append((20, 0.5))
curve.refresh()`,
};

let folder;
let browser;
let env;
const started = [];

before(async () => {
  assert.ok(BROWSER, "no Chromium found: apt-get install -y chromium, or set GRADWALK_CHROMIUM");
  folder = await mkdtemp(join(tmpdir(), "gradwalk-"));
  await mkdir(join(folder, "work"));
  env = { ...process.env, PYTHONPATH: SRC, HOME: folder };
  for (const name of ["JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR"])
    env[name] = join(folder, name);
  await writeNotebook("try.ipynb", Object.values(CELLS));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  for (const process of started) process.kill("SIGKILL");
});

function writeNotebook(name, sources) {
  const cells = sources.map((source, i) => {
    const rest = { execution_count: null, id: `cell-${i}`, metadata: {}, outputs: [] };
    return { cell_type: "code", source, ...rest };
  });
  const kernelspec = { display_name: "Python 3", language: "python", name: "python3" };
  const notebook = { cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
  return writeFile(join(folder, "work", name), JSON.stringify(notebook));
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Start a server of notebooks and wait until it says where it is. */
async function start(words, ready) {
  const process = spawn(words[0], words.slice(1), {
    env,
    cwd: join(folder, "work"),
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(process);
  let said = "";
  await new Promise((resolve, reject) => {
    const hear = (text) => {
      said += text;
      if (ready.test(said)) resolve();
    };
    process.stdout.on("data", hear);
    process.stderr.on("data", hear);
    process.on("exit", () => reject(new Error(`${words[0]} ended: ${said}`)));
  });
}

const output = (page, i) => page.locator(".jp-CodeCell").nth(i).locator(".jp-OutputArea-output");
const frameIn = (page, i) => output(page, i).locator("iframe").contentFrame();

async function runCell(page, i) {
  await page.locator(".jp-CodeCell").nth(i).locator(".cm-content").click();
  await page.keyboard.press("Shift+Enter");
  const prompt = page.locator(".jp-CodeCell").nth(i).locator(".jp-InputPrompt");
  await prompt.getByText(/\[\d+\]/).waitFor();
}

async function menu(page, name, entry) {
  await page.locator(".lm-MenuBar-item").getByText(name, { exact: true }).click();
  await page.locator(".lm-Menu").getByText(entry).click();
}

/** Take both of JupyterLab's themes, on a system of the same kind. */
async function shoot(page) {
  await page.screenshot({ path: join(SHOTS, "jupyter-light.png") });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator(".lm-MenuBar-item").getByText("Settings", { exact: true }).click();
  await page.locator(".lm-Menu").getByText("Theme", { exact: true }).hover();
  await page.locator(".lm-Menu").getByText("JupyterLab Dark", { exact: true }).click();
  await page.waitForTimeout(2000);
  await page.screenshot({ path: join(SHOTS, "jupyter-dark.png") });
  await page.emulateMedia({ colorScheme: "light" });
}

test("JupyterLab: views are live, linked to Python and to each other", async () => {
  const port = await freePort();
  const options = [`--port=${port}`, "--no-browser", "--allow-root", "--IdentityProvider.token="];
  await start(["jupyter-lab", ...options], /is running at/);
  const page = await open(browser, "", {
    viewport: { width: 1300, height: 3600 },
    colorScheme: "light",
  });
  page.setDefaultTimeout(60_000);
  const outside = [];
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1") outside.push(request.url());
  });
  await page.goto(`http://127.0.0.1:${port}/lab/tree/try.ipynb`);
  await page.locator(".jp-CodeCell").first().waitFor();
  await page.getByText(/\| Idle$/).waitFor();
  for (let i = 0; i < 5; i++) await runCell(page, i);
  const [first, second, large] = [1, 2, 4].map((i) => frameIn(page, i));
  await card(first, "a").waitFor();
  await output(page, 3).locator("svg, img").first().waitFor();
  await large.getByText("terms").or(large.locator("[data-node]")).first().waitFor();

  await first.getByLabel("a, value").fill("7");
  await page.keyboard.press("Enter");
  await card(second, "a").getByText("7", { exact: true }).first().waitFor();
  await card(first, "b").click();
  await runCell(page, 5);
  await output(page, 5).getByText("said 7.0 -14.0 True").waitFor();
  if (SHOTS) await shoot(page);

  await runCell(page, 6);
  await card(first, "a").getByText("1.069").first().waitFor(); // 1 + 6 · 0.8²⁰
  await runCell(page, 7);
  await output(page, 7).getByRole("slider").press("ArrowLeft");
  await output(page, 7).getByText("0, 2", { exact: true }).waitFor();
  await runCell(page, 8);
  await output(page, 8).getByText("picked (0, 2.0)").waitFor();
  await output(page, 7).getByText("20, 0.5", { exact: true }).waitFor();
  await menu(page, "Kernel", "Restart Kernel…");
  await page.locator(".jp-Dialog .jp-mod-accept").click();
  await first.getByLabel("a, value").fill("3");
  await page.keyboard.press("Enter"); // nobody hears it, and the view goes on by itself
  await card(first, "a").getByText("3", { exact: true }).first().waitFor();
  if (SHOTS) await page.screenshot({ path: join(SHOTS, "jupyter-end.png") });
  assert.deepEqual(
    outside.filter((url) => /gradwalk|unpkg|jsdelivr/.test(url)),
    [],
  );
  assert.deepEqual(
    page.problems.filter((text) => /gradwalk|srcdoc|Content Security/i.test(text)),
    [],
  );
});

test("nbconvert: the page without a kernel is the lab in a frame, and an SVG", async () => {
  await writeNotebook("still.ipynb", [CELLS.make, CELLS.first, CELLS.still]);
  const words = ["nbconvert", "--execute", "--to", "html", "still.ipynb"];
  words.push("--ExecutePreprocessor.store_widget_state=False");
  await promisify(execFile)("jupyter", words, { env, cwd: join(folder, "work") });
  const page = await open(browser, "");
  await page.route(/^https?:/, (route) => route.abort()); // offline
  await page.goto(`file://${join(folder, "work", "still.html")}`);
  const frame = page.locator("iframe").contentFrame();
  await card(frame, "a").waitFor();
  await page.locator(".jp-RenderedSVG :is(svg, img)").waitFor();
});

test("marimo: two views follow each other by way of Python", async () => {
  const { make, second } = CELLS;
  const lines = `${make}\nimport marimo as mo\nmo.vstack([${second}, ${second}])`;
  const text = `import marimo\n\napp = marimo.App()\n\n@app.cell\ndef _():\n${lines.replace(/^/gm, "    ")}\n    return\n`;
  await writeFile(join(folder, "work", "try.py"), text);
  const port = await freePort();
  const options = ["--headless", "--no-token", "--port", String(port)];
  await start(["marimo", "run", "try.py", ...options], /http:/);
  const page = await open(browser, "", { viewport: { width: 1300, height: 1600 } });
  page.setDefaultTimeout(60_000);
  await page.goto(`http://127.0.0.1:${port}`);
  const [one, other] = [0, 1].map((i) => page.locator("iframe").nth(i).contentFrame());
  await card(other, "a").waitFor();
  await one.getByLabel("a, value").fill("7");
  await page.keyboard.press("Enter");
  await card(other, "a").getByText("7", { exact: true }).first().waitFor();
  if (SHOTS) await page.screenshot({ path: join(SHOTS, "marimo.png") });
});
