import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse, snapshot } from "../../src/core/index.ts";
import { sample, seeded } from "../../src/generate.ts";
import { PRESETS, preset } from "../../src/presets.ts";
import { type Program, programOf } from "../../src/program.ts";
import { frameAt, indexAt } from "../../src/timeline.ts";

function of(id: string, values?: Record<string, number>, options = {}): Program {
  const row = preset(id);
  return programOf(snapshot(parse(row.text).evaluate(values ?? row.values)), options);
}

test("the picture is a pure function of the time, whatever was shown before", () => {
  const { line } = of("x5");
  const there = frameAt(line, line.total * 0.6);
  frameAt(line, line.total);
  frameAt(line, 0);
  assert.deepEqual(frameAt(line, line.total * 0.6), there);
});

test("at the end every gradient is the walk's", () => {
  for (const { id } of PRESETS) {
    const { line, walk, graph } = of(id);
    const frame = frameAt(line, line.total);
    for (const node of graph.nodes) {
      if (node.tags.includes("const")) continue;
      assert.equal(frame.nodes[node.id].grad, walk.grads[node.id], `${id} ${graph.name(node.id)}`);
      assert.ok(frame.nodes[node.id].filled);
    }
  }
});

test("S7: backward starts at the root, and a gradient is unknown until the wave has reached it", () => {
  const { line, graph } = of("x1");
  const seed = line.events.find((event) => event.kind === "seed")!;
  const frame = frameAt(line, seed.end);
  assert.equal(frame.nodes[graph.root].grad, 1);
  assert.ok(frame.nodes.slice(0, -1).every((node) => node.grad === null));
});

test("gradients never change but at the landing of a push", () => {
  const { line } = of("x7");
  for (const event of line.events) {
    if (event.kind !== "push") continue;
    const before = frameAt(line, event.land - 1e-6).nodes[event.push!.to].grad ?? 0;
    assert.equal(before, event.push!.before);
    assert.equal(frameAt(line, event.land).nodes[event.push!.to].grad, event.push!.after);
  }
});

test("a value that kills the relu does not move the moments of the others", () => {
  const alive = of("x9", { x: 2, w: 3, b: 1 });
  const dead = of("x9", { x: 2, w: 3, b: -10 });
  assert.equal(alive.line.total, dead.line.total);
  const frame = frameAt(dead.line, dead.line.total);
  assert.ok(dead.graph.leaves.every((leaf) => frame.nodes[leaf.id].grad === 0));
});

test("the layout of equal structures is one object: a slider never moves a node", () => {
  assert.equal(of("x2").layout, of("x2", { x1: 1, w1: 2, x2: 3, w2: 4, b: 5 }).layout);
});

test("events follow each other without a gap, and are found by time", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const drawn = sample(seeded(seed), "hard");
      const { line } = programOf(snapshot(parse(drawn.text).evaluate(drawn.values)), {
        sort: true,
        leaves: true,
      });
      line.events.forEach((event, i) => {
        assert.equal(event.start, i ? line.events[i - 1].end : 0);
        assert.equal(indexAt(line.events, event.end), i);
        assert.equal(indexAt(line.events, (event.start + event.end) / 2), i);
      });
      assert.equal(line.events.at(-1)!.end, line.total);
    }),
    { numRuns: 60 },
  );
});

test("a long walk is played within a minute", () => {
  const text = Array.from({ length: 300 }, (_, i) => `a${i}`).join("*");
  const expression = parse(text);
  const values = Object.fromEntries(expression.names.map((name) => [name, 1]));
  const { line } = programOf(snapshot(expression.evaluate(values)));
  assert.ok(line.total <= 60_001);
});
