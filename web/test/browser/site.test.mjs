/** `gradwalk site`: the lab with Python in the page, from a plain static server. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { BROWSER, inTime, launch, open, PYTHON, serve } from "./harness.mjs";

let site;
let browser;
let page;
const asked = [];

before(async () => {
  assert.ok(BROWSER, "no Chromium found: apt-get install -y chromium, or set GRADWALK_CHROMIUM");
  const folder = join(await mkdtemp(join(tmpdir(), "gradwalk-")), "site");
  await promisify(execFile)(PYTHON, ["-m", "gradwalk", "site", folder]);
  [site, browser] = await Promise.all([serve(folder, ""), launch()]);
  page = await open(browser, "");
  page.context().on("request", (request) => asked.push(request.url()));
});
after(async () => {
  await inTime("closing the browser", browser?.close());
  site?.close();
});

/** Another page of the lab in the same window, so that Python stays. */
async function go(hash) {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

const loading = () => page.getByText("Python is loading into this page");

/** Type a program into the editor, and have it judged. */
async function judge(source) {
  await page.locator("gradwalk-write .cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(source);
  await page.getByRole("button", { name: "Judge it" }).click();
}
async function verdict(words) {
  await page.getByRole("button", { name: "Judge it" }).waitFor();
  assert.match(await page.locator(".verdicts").textContent(), words);
}

test("the lab is there before Python, and Python comes when it is needed", async () => {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.goto(site.url);
  await page.locator("[data-node].root").waitFor();
  // Figures to read, not to fail by. The lab draws its graph in its first frame.
  const { metrics } = await session.send("Performance.getMetrics");
  const busy = Math.round(1000 * metrics.find(({ name }) => name === "ThreadTime").value);
  const painted = await page.evaluate(async () => {
    const find = () => performance.getEntriesByName("first-contentful-paint")[0];
    while (!find()) await new Promise(requestAnimationFrame);
    return Math.round(find().startTime);
  });
  console.info(`the graph stands after ${painted} ms, ${busy} ms of them the processor's`);
  assert.ok(!asked.some((url) => url.includes("/python/")), "nobody has asked for Python yet");
  await go("#1/program?f=tanh(a*b)");
  await loading().waitFor();
  await page.getByText("tanh %2").waitFor({ timeout: 120_000 });
  assert.equal(await loading().count(), 0);
  await page.getByText("Python in this page has no C").waitFor();
});

test("exercises are graded: a check, the diagnosis of a bug, a trace by hand", async () => {
  await go("#1/checks");
  for (const [answer, words] of [
    ["11", /11 is not it/],
    ["10", /Right/], // ∂d/∂a = c of (a + b) * c
  ]) {
    await page.getByLabel("your answer").fill(answer);
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".quiz .verdict").textContent(), words);
  }
  await go("#1/bugs?o=game&k=5");
  await page.locator(".quiz .choices button").first().click();
  assert.match(await page.locator(".quiz").textContent(), /What gives it away/);
  await go("#1/learn?l=traces");
  await page.getByLabel("pop, 2").fill("c,0");
  await page.getByLabel("stack after, 2").fill("(L,1) (c,1) (b,0)"); // a comes before b
  await page.getByRole("button", { name: "Grade it" }).click();
  const marked = page.locator(".fill td[class]:not([class=''])");
  const marks = await marked.evaluateAll((cells) => cells.map((cell) => cell.className));
  assert.deepEqual(marks, ["right", "wrong", "right"]);
});

test("a Value is judged in the page, bugs are named, and gradwalk's own is not taken", async () => {
  await go("#1/learn?l=write");
  await judge("from gradwalk import Value");
  await verdict(/imports gradwalk/);
  await judge(`class Value:
    def __init__(self, data, inputs=(), locals=()):
        self.data, self.grad, self.inputs, self.locals = data, 0.0, inputs, locals
    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (1.0, 1.0))
    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), (other.data, self.data))
    def backward(self):
        order, seen = [], set()
        def visit(node):
            if node not in seen:
                seen.add(node)
                for one in node.inputs:
                    visit(one)
                order.append(node)
        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            for one, local in zip(node.inputs, node.locals):
                one.grad = local * node.grad
`);
  await verdict(/Some gradients are wrong.*\+=/s);
});

test("a program without an end is stopped: by its time, or by hand with its worker", async () => {
  await judge("while True:\n    pass");
  await verdict(/did not end within 2 s/);
  await judge("sum(iter(int, 1))");
  await page.getByRole("button", { name: "Stop" }).click();
  await judge("import js\njs.fetch('/')");
  await verdict(/AttributeError: fetch/);
});

test("a judged program reaches no other server and no storage", async () => {
  await go("#1/learn?l=write");
  const reached = [];
  const other = createServer((request, response) => {
    reached.push(request.url);
    response.setHeader("access-control-allow-origin", "*").end();
  });
  await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${other.address().port}`;
  const attack = `import("${url}/module.js").catch(() => {});
    new FontFace("x", "url(${url}/font.woff)").load().catch(() => {});`;
  await judge(`import js, time
js.eval(${JSON.stringify(attack)})
time.sleep(0.5)
raise RuntimeError("at home in " + js.eval("self.origin"))`);
  await verdict(/at home in null/); // an origin of its own has no storage
  await judge("raise RuntimeError('afterwards')"); // as long again for a request to arrive
  await verdict(/afterwards/);
  assert.deepEqual(reached, []);
  other.close();
  // The browser tells of what the policy refused: that was the attack.
  for (const told of [asked, page.problems])
    told.splice(0, told.length, ...told.filter((one) => !String(one).includes(url)));
});

test("a program that breaks Python leaves the next one a new one", async () => {
  const nested = "class Value:\n    def __init__(self, data):\n        self.data = Value(data)";
  await judge(`import sys\nsys.setrecursionlimit(10**8)\n${nested}`);
  await page.getByRole("button", { name: "Judge it" }).waitFor();
  await judge("raise RuntimeError('alive')");
  await verdict(/RuntimeError: alive/);
  // Where the stack gives way before Python notices, Pyodide says so: that was the program.
  const others = page.problems.filter((told) => !/fatal error|Maximum call stack/.test(told));
  page.problems.splice(0, page.problems.length, ...others);
});

test("a GPT trains in the page, pauses, and says what it costs", async () => {
  await go("#1/gpt");
  await page.getByText("Python runs in this page without C").waitFor();
  await page.getByRole("spinbutton", { name: "Steps" }).fill("1000");
  await page.getByRole("spinbutton", { name: "Steps" }).blur();
  await page.getByRole("button", { name: "Train", exact: true }).click();
  const now = page.locator("gradwalk-gpt .now");
  await now.getByText(/step [1-9]/i).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Train", exact: true }).waitFor();
});

test("gradients are checked, and a transformer's floor plan opens", async () => {
  await go("#1/sandbox?f=tanh(a*b)&x=a:1,b:2");
  await page.getByRole("button", { name: "Check with Python" }).click();
  await page.locator("dialog table").waitFor();
  await page.keyboard.press("Escape");
  const model = process.env.GRADWALK_SITE_MODEL ?? "block"; // gpt: the whole of microGPT
  await go(`#1/plan?m=${model}`);
  await page.locator(".rooms tbody tr").first().waitFor({ timeout: 120_000 });
  const boxes = await page.locator(".rooms tbody").textContent();
  assert.match(boxes, model === "block" ? /Block/ : /layers\.0/);
});

test("nothing was asked of anyone else, and nothing went wrong", () => {
  assert.deepEqual(
    asked.filter((url) => !url.startsWith(site.url) && !url.startsWith("blob:null/")),
    [],
  );
  assert.deepEqual(page.problems, []);
});
