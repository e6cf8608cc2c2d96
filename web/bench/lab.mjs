/**
 * Frames and latency of the built lab in a real Chromium: `node bench/lab.mjs`.
 *
 * The answer is checked before anything is timed: the root after the drag must be what the engine
 * gives for the last value. Figures depend on the machine, and on what else it does: each drag is
 * made three times in a fresh page, and the quietest is printed. The processor's time of the page's
 * main thread says the same on a busy machine: recompute, redraw and paint, with the cost of asking.
 * Nothing fails by the clock.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { launch, open, STATIC, serve } from "../test/browser/harness.mjs";

const server = await serve();
const browser = await launch();

/** An expression of about so many nodes, with sharing: a*b + a*b*c + … */
function wide(nodes) {
  const terms = ["a*b", "b*c", "a*c"];
  let text = "a";
  for (let i = 0; 1 + 2 * i < nodes; i++) text += `+${terms[i % 3]}`;
  return text;
}

/** As many layers as a picture has room for: d = a*b; e = d + c; … */
function deep(nodes) {
  const statements = [];
  for (let i = 0; i < nodes - 3; i++) {
    const before = i ? `v${i - 1}` : "a";
    statements.push(`v${i}=${before}${i % 2 ? "*" : "+"}${"bca"[i % 3]}`);
  }
  return statements.join(";");
}

const median = (list) => list.toSorted((x, y) => x - y)[Math.floor(list.length / 2)];
const worst = (list) => list.toSorted((x, y) => x - y)[Math.floor(list.length * 0.95)];
const ms = (x) => `${x.toFixed(1)} ms`;

async function drag(name, text, near = false) {
  const runs = [];
  for (let i = 0; i < 3; i++) runs.push(await dragged(text, near));
  const { engine, update, frames, nodes, busy } = runs.toSorted(
    (one, other) => worst(one.update) - worst(other.update),
  )[0];
  console.log(
    `${name.padEnd(12)} ${String(nodes).padStart(5)} nodes   engine ${ms(median(engine))}   move to redraw ${ms(median(update))} (95 %: ${ms(worst(update))})   frame ${ms(median(frames))} (95 %: ${ms(worst(frames))}) = ${(1000 / median(frames)).toFixed(0)} fps   processor ${ms(median(busy))} (95 %: ${ms(worst(busy))})`,
  );
}

/** The processor's time that each of so many moves takes of the page's main thread. */
async function processorTimes(page, moves) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const threadTime = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "ThreadTime").value;
  };
  const times = [];
  let before = await threadTime();
  for (let i = 0; i < moves; i++) {
    await page.evaluate(async (value) => {
      document.querySelector("gradwalk-lab").store.dispatch({ type: "value", name: "a", value });
      await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
    }, i / 1000);
    const after = await threadTime();
    times.push(after - before);
    before = after;
  }
  return times;
}

async function dragged(text, near) {
  const page = await open(
    browser,
    `${server.url}#1/sandbox?f=${encodeURIComponent(text)}&x=a:0.5,b:0.5,c:0.5&t=9999999`,
  );
  await page.waitForTimeout(800);
  // From near, cards have letters and most lie outside the window.
  if (near)
    await page.evaluate(() => {
      const { shadowRoot } = document.querySelector("gradwalk-lab");
      const scene = shadowRoot.querySelector("gradwalk-scene");
      scene.fit();
      scene.zoom(1 / scene.camera.k);
      scene.pan(-1e9, 0);
      scene.pan(900, 0);
    });
  await page.waitForTimeout(300);
  const found = await page.evaluate(async () => {
    const lab = document.querySelector("gradwalk-lab");
    const scene = lab.shadowRoot.querySelector("gradwalk-scene");
    const engine = [];
    const update = [];
    const frames = [];
    let last = 0;
    for (let i = 0; i < 90; i++) {
      const now = await new Promise(requestAnimationFrame);
      if (last) frames.push(now - last);
      last = now;
      const start = performance.now();
      lab.store.dispatch({ type: "value", name: "a", value: 0.5 + i / 1000 });
      void lab.lab.program;
      engine.push(performance.now() - start);
      await lab.updateComplete;
      await scene.updateComplete;
      scene.renderRoot.querySelector("svg").getBoundingClientRect();
      update.push(performance.now() - start);
    }
    const { program } = lab.lab;
    return {
      engine,
      update,
      frames,
      nodes: program.graph.nodes.length,
      root: program.graph.nodes.at(-1).data,
      a: program.graph.leaves[0].data,
    };
  });
  assert.equal(found.a, 0.589);
  assert.ok(Number.isFinite(found.root));
  const busy = await processorTimes(page, 40);
  await page.context().close();
  return { ...found, busy };
}

async function firstPaint() {
  const times = [];
  for (let i = 0; i < 5; i++) {
    const page = await open(browser, server.url, { reducedMotion: "no-preference" });
    await page.locator("[data-node].root").first().waitFor();
    times.push(
      await page.evaluate(
        () => performance.getEntriesByName("first-contentful-paint")[0].startTime,
      ),
    );
    await page.context().close();
  }
  console.log(`first paint      ${ms(median(times))}`);
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
const lazy = readdirSync(STATIC).filter(
  (name) => name.endsWith(".js") && !initial.has(name) && name !== "embed.js",
);
console.log(
  `initial script   ${(size([...initial]) / 1024).toFixed(1)} KB gzipped; lazily ${(size(lazy) / 1024).toFixed(1)} KB; export ${(readFileSync(join(STATIC, "export.html")).length / 1024).toFixed(0)} KB`,
);

await firstPaint();
await drag("X1", "(a + b) * c");
await drag("wide", wide(200));
await drag("wide", wide(1000));
await drag("wide, near", wide(200), true);
await drag("wide, near", wide(1000), true);
await drag("deep", deep(200));
await drag("deep, near", deep(200), true);
await browser.close();
server.close();
