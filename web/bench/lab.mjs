/**
 * Frames and latency of the built lab in a real Chromium: `node bench/lab.mjs [NODES...]`.
 *
 * Sums of products of 8, 200, 1,003 and 4,000 nodes, with motion on: how long a move of a slider
 * takes until it is drawn, and how many frames a second are shown while it plays. Then the floor plan
 * of microGPT: its first picture, frames while it is dragged and zoomed, memory. The answer is
 * checked before anything is timed. Figures depend on the machine, and on what else it does: each is
 * taken three times in a fresh page, and the quietest is printed. On a busy machine the least of all
 * moves and the processor's time of the page's main thread say most. Nothing fails by the clock.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { launch, open, STATIC, serve, startLab } from "../test/browser/harness.mjs";

const server = await serve();
const browser = await launch();

/** A sum of products of so many nodes: a + a*b + b*c + … */
function sum(nodes) {
  const terms = ["a*b", "b*c", "a*c"];
  let text = "a";
  for (let i = 0; 3 + 2 * i < nodes; i++) text += `+${terms[i % 3]}`;
  return text;
}

const median = (list) => list.toSorted((x, y) => x - y)[Math.floor(list.length / 2)];
const worst = (list) => list.toSorted((x, y) => x - y)[Math.floor(list.length * 0.95)];
const ms = (x) => `${x.toFixed(1)} ms`;
const least = (list) => Math.min(...list);
const pair = (list) => `${ms(median(list))} (least ${ms(least(list))}, 95 %: ${ms(worst(list))})`;

async function row(nodes) {
  const moves = [];
  const plays = [];
  for (let i = 0; i < 3; i++) {
    moves.push(await moved(nodes));
    plays.push(await played(nodes));
  }
  const quiet = (runs, key) => runs.toSorted((x, y) => worst(x[key]) - worst(y[key]))[0];
  const { engine, update, busy, count } = quiet(moves, "update");
  const { frames, work } = quiet(plays, "frames");
  console.log(
    `${String(count).padStart(5)} nodes   move to redraw ${pair(update)}, of it engine ${ms(least(engine))}, processor ${pair(busy)}   play ${(1000 / median(frames)).toFixed(0)} fps, frame ${pair(frames)}, processor ${ms(work)} a frame`,
  );
}

/** The processor's time of the page's main thread so far, in milliseconds. */
async function clock(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "ThreadTime").value;
  };
}

/** A text has 4,096 bytes: a larger graph is given to the lab, as a file made by Python does. */
const MOST_TEXT_NODES = 2000;

async function opened(nodes, time) {
  const isText = nodes <= MOST_TEXT_NODES;
  const text = isText ? `f=${encodeURIComponent(sum(nodes))}&x=a:0.5,b:0.5,c:0.5&` : "";
  const page = await open(browser, `${server.url}#1/sandbox?${text}t=${time}`, {
    reducedMotion: "no-preference",
    viewport: { width: 1440, height: 900 },
  });
  await page.evaluate(give, [nodes, isText]);
  await page.locator("gradwalk-scene [data-node]").first().waitFor();
  return page;
}

/** In the page: `move(a)` sets a variable, by its slider or by a graph with other numbers. */
function give([count, isText]) {
  const lab = document.querySelector("gradwalk-lab");
  const Graph = lab.lab.program.graph.constructor;
  const made = (a) => {
    const nodes = [];
    const add = (op, label, data, operands = [], local_grads = []) => {
      const tags = operands.length ? [] : ["leaf"];
      const rest = { grad: 0, tags, line: null, scope: "" };
      return nodes.push({ id: nodes.length, op, label, data, operands, local_grads, ...rest }) - 1;
    };
    const leaves = [add("", "a", a), add("", "b", 0.5), add("", "c", 0.5)];
    const at = (id) => nodes[id].data;
    let total = leaves[0];
    for (let i = 0; nodes.length < count; i++) {
      const [x, y] = [leaves[i % 3], leaves[(i + 1) % 3]];
      const product = add("*", "", at(x) * at(y), [x, y], [at(y), at(x)]);
      total = add("+", "", at(total) + at(product), [total, product], [1, 1]);
    }
    return new Graph(nodes);
  };
  window.move = (value) => {
    if (isText) lab.store.dispatch({ type: "value", name: "a", value });
    else {
      lab.store.state = { ...lab.store.state, given: made(value) };
      lab.requestUpdate();
    }
  };
  if (isText) return;
  lab.remove();
  lab.graph = made(0.5);
  document.body.append(lab);
  lab.store.dispatch({ type: "seek", time: 1e9 });
}

async function moved(nodes) {
  const page = await opened(nodes, 9_999_999);
  const found = await page.evaluate(async () => {
    const lab = document.querySelector("gradwalk-lab");
    const scene = lab.shadowRoot.querySelector("gradwalk-scene");
    const [engine, update] = [[], []];
    for (let i = 0; i < 60; i++) {
      await new Promise(requestAnimationFrame);
      const start = performance.now();
      window.move(0.5 + i / 1000);
      void lab.lab.program;
      engine.push(performance.now() - start);
      await lab.updateComplete;
      await scene.updateComplete;
      scene.renderRoot.querySelector("svg").getBoundingClientRect();
      update.push(performance.now() - start);
    }
    const { graph } = lab.lab.program;
    const { nodes } = graph;
    return {
      engine,
      update,
      count: nodes.length,
      a: graph.leaves[0].data,
      root: nodes.at(-1).data,
    };
  });
  const a = 0.5 + 59 / 1000;
  assert.equal(found.a, a);
  let total = a;
  for (let i = 0; 3 + 2 * i < found.count; i++) total += i % 3 === 1 ? 0.25 : a * 0.5;
  assert.ok(Math.abs(found.root - total) < 1e-9, `${found.root} is not ${total}`);
  const busy = [];
  const time = await clock(page);
  let before = await time();
  for (let i = 0; i < 30; i++) {
    await page.evaluate(async (value) => {
      window.move(value);
      await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
    }, i / 1000);
    const after = await time();
    busy.push(after - before);
    before = after;
  }
  await page.context().close();
  return { ...found, busy };
}

async function played(nodes) {
  const page = await opened(nodes, 0);
  const time = await clock(page);
  const before = await time();
  const frames = await page.evaluate(async () => {
    const { store } = document.querySelector("gradwalk-lab");
    store.dispatch({ type: "play", on: true, time: 0 });
    const frames = [];
    let last = await new Promise(requestAnimationFrame);
    for (let i = 0; i < 90; i++) {
      const now = await new Promise(requestAnimationFrame);
      frames.push(now - last);
      last = now;
    }
    return frames;
  });
  const work = ((await time()) - before) / frames.length;
  await page.context().close();
  return { frames, work };
}

async function firstPaint() {
  const times = [];
  for (let i = 0; i < 5; i++) {
    const page = await open(browser, server.url, { reducedMotion: "no-preference" });
    await page.locator("[data-node].root").first().waitFor();
    const paint = await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    );
    times.push(await paint.jsonValue());
    await page.context().close();
  }
  console.log(`first paint ${ms(median(times))}`);
}

const entry = readFileSync(join(STATIC, "app.js"), "utf8");
const initial = new Set([
  "app.js",
  ...[...entry.matchAll(/"\.\/(chunk-[^"]+\.js)"/g)].map((match) => match[1]),
]);
for (const name of [...initial])
  for (const match of readFileSync(join(STATIC, name), "utf8").matchAll(
    /from"\.\/(chunk-[^"]+\.js)"|^import"\.\/(chunk-[^"]+\.js)"/g,
  ))
    initial.add(match[1] ?? match[2]);
const size = (names) =>
  names.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(STATIC, name)), { level: 9 }).length,
    0,
  );
console.log(
  `initial script ${(size([...initial]) / 1024).toFixed(1)} KB gzipped; export ${(readFileSync(join(STATIC, "export.html")).length / 1024).toFixed(0)} KB`,
);

/**
 * The floor plan of microGPT, 59,542 nodes: until the first picture, with and without the time that
 * Python takes to build the graph; frames while it is dragged and zoomed; the memory of its process.
 */
async function floorPlan() {
  const python = await startLab();
  const page = await open(browser, python.address, {
    reducedMotion: "no-preference",
    viewport: { width: 1440, height: 900 },
  });
  const before = renderers();
  const clicked = Date.now();
  const answered = page.waitForResponse((response) => response.url().endsWith("/api/model"));
  await page.getByRole("link", { name: "Models" }).click();
  await page.getByRole("link", { name: "Floor plan" }).click();
  await (await answered).finished();
  const came = Date.now();
  await page.waitForFunction(() => {
    const floor = document.querySelector("gradwalk-lab").shadowRoot.querySelector("gradwalk-floor");
    return floor?.shadowRoot.querySelector("gradwalk-plan")?.open > 0;
  });
  await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => setTimeout(go))));
  const seen = Date.now();
  const plan = page.locator("gradwalk-plan");
  const count = await plan.evaluate((one) => one.tape.length);
  assert.equal(count, 59542);
  const rates = {};
  const places = ["", "/box:layers.0", "/box:layers.0/box:attention/box:wq"];
  for (const place of places) {
    rates[place || "whole"] = await plan.evaluate(async (one, key) => {
      await one.enter(key);
      while (one.moving) await new Promise(requestAnimationFrame);
      const frames = [];
      let last = await new Promise(requestAnimationFrame);
      for (let i = 0; i < 120; i++) {
        if (i % 4 < 2) one.pan(9 * Math.cos(i / 9), 7 * Math.sin(i / 7));
        else one.zoom(i % 60 < 30 ? 1.03 : 1 / 1.03);
        const now = await new Promise(requestAnimationFrame);
        frames.push(now - last);
        last = now;
      }
      return frames;
    }, place);
  }
  const shares = Object.entries(rates).map(
    ([place, frames]) =>
      `${place.replace(/.*:/, "")} ${(1000 / mean(frames)).toFixed(0)} fps (95 %: ${ms(worst(frames))})`,
  );
  console.log(
    `floor plan, ${count} nodes   first picture ${ms(seen - clicked)}, of it Python ${ms(came - clicked)}   drag and zoom: ${shares.join(", ")}   memory ${(renderers() - before).toFixed(0)} MB more, ${renderers().toFixed(0)} MB in all`,
  );
  await page.context().close();
  await python.close();
}

const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;

/** What the pages of this browser take, in MB: its own share of each process's memory. */
function renderers() {
  let total = 0;
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      const words = readFileSync(`/proc/${id}/cmdline`, "utf8");
      if (!words.includes("--type=renderer") || !isOurs(id)) continue;
      const rollup = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
      total += Number(/^Pss:\s+(\d+)/m.exec(rollup)[1]) / 1024;
    } catch {
      // It has ended meanwhile.
    }
  return total;
}

/** Whether a process is one that this one has started, by however many steps. */
function isOurs(id) {
  for (let at = Number(id); at > 1; ) {
    if (at === process.pid) return true;
    at = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${at}/status`, "utf8"))[1]);
  }
  return false;
}

await floorPlan();
await firstPaint();
const wanted = process.argv.slice(2).map(Number);
for (const nodes of wanted.length ? wanted : [8, 200, 1003, 4000]) await row(nodes);
await browser.close();
server.close();
