import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Program, programOf } from "../../src/app/derive.ts";
import { Mlp, meanSquare } from "../../src/app/mlp.ts";
import { PRESETS, preset } from "../../src/app/presets.ts";
import { randomFrom } from "../../src/app/random.ts";
import { FITTED } from "../../src/app/state.ts";
import {
  type EdgeFrame,
  ease,
  frameAt,
  type Happening,
  indexAt,
  type NodeFrame,
  stopAt,
  type Timeline,
  timeline,
} from "../../src/app/timeline.ts";
import { parse, snapshot, type Walk, walk } from "../../src/core/index.ts";
import { pictureOf } from "../../src/scene/picture.ts";
import { sample } from "../../src/teach/generate.ts";

function of(id: string, values?: Record<string, number>, options = {}): Program {
  const row = preset(id);
  return programOf(snapshot(parse(row.text).evaluate(values ?? row.values)), options);
}

/** Everything a frame shows, as plain data. */
function shown(line: Timeline, t: number): { nodes: NodeFrame[]; edges: EdgeFrame[] } {
  const frame = frameAt(line, t);
  const { nodes } = line.walk.graph;
  return {
    nodes: nodes.map(({ id }) => frame.node(id)),
    edges: nodes.flatMap(({ id, operands }) =>
      operands.map((_, i) => frame.edge(line.firstEdge[id] + i)),
    ),
  };
}

test("a frame is what replaying every event from the first gives", () => {
  const check = (line: Timeline, times: readonly number[]): void => {
    for (const t of times) {
      const { nodes, edges } = shown(line, t);
      assert.deepEqual({ nodes, edges }, replayed(line, t));
      const frame = frameAt(line, t);
      assert.deepEqual(
        nodes.map((_, id) => frame.grad(id)),
        nodes.map(({ grad }) => grad),
      );
      for (const [id, { push, carried }] of edges.entries())
        assert.deepEqual([frame.push(id), frame.carried(id)], [push, carried]);
    }
  };
  const moments = (line: Timeline): number[] =>
    line.events.flatMap(({ start, land, end }) => [
      (start + land) / 2,
      land,
      (land + end) / 2,
      end,
    ]);
  const all = { sort: true, leaves: true };
  for (const { id } of PRESETS)
    for (const options of [
      {},
      all,
      { bug: "overwrite" },
      { bug: "no-reset" },
      { bug: "no-visited" },
    ]) {
      const { line } = of(id, undefined, options);
      check(line, [0, ...moments(line)]);
    }
  const { line } = of("x6", undefined, { order: [5, 2, 0, 4] });
  check(line, [0, ...moments(line)]);
  fc.assert(
    fc.property(fc.integer(), fc.double({ min: 0, max: 1, noNaN: true }), (seed, share) => {
      const drawn = sample(randomFrom(seed), "hard");
      const graph = snapshot(parse(drawn.text).evaluate(drawn.values));
      const { line } = programOf(graph, all);
      check(line, [share * line.total]);
    }),
    { numRuns: 60 },
  );
});

test("at the end every gradient is the walk's", () => {
  for (const { id } of PRESETS) {
    const { line, walk, graph } = of(id);
    const frame = frameAt(line, line.total);
    for (const node of graph.nodes) {
      if (node.tags.includes("const")) continue;
      assert.equal(frame.node(node.id).grad, walk.grads[node.id], `${id} ${graph.name(node.id)}`);
      assert.ok(frame.node(node.id).filled);
    }
  }
});

test("S7: backward starts at the root, and a gradient is unknown until the wave has reached it", () => {
  const { line, graph } = of("x1");
  const seed = line.events.find((event) => event.kind === "seed")!;
  const frame = frameAt(line, seed.end);
  assert.equal(frame.node(graph.root).grad, 1);
  assert.ok(graph.nodes.slice(0, -1).every(({ id }) => frame.node(id).grad === null));
});

test("gradients never change but at the landing of a push", () => {
  const { line } = of("x7");
  for (const event of line.events) {
    if (event.kind !== "push") continue;
    const before = frameAt(line, event.land - 1e-6).node(event.push!.to).grad ?? 0;
    assert.equal(before, event.push!.before);
    assert.equal(frameAt(line, event.land).node(event.push!.to).grad, event.push!.after);
  }
});

test("a value that kills the relu does not move the moments of the others", () => {
  const alive = of("x9", { x: 2, w: 3, b: 1 });
  const dead = of("x9", { x: 2, w: 3, b: -10 });
  assert.equal(alive.line.total, dead.line.total);
  const frame = frameAt(dead.line, dead.line.total);
  assert.ok(dead.graph.leaves.every((leaf) => frame.node(leaf.id).grad === 0));
});

test("the layout of equal structures is one object: a slider never moves a node", () => {
  const drawn = (program: Program): unknown =>
    pictureOf(program, { opened: FITTED.opened, stage: { width: 1024, height: 320 } });
  assert.equal(drawn(of("x2")), drawn(of("x2", { x1: 1, w1: 2, x2: 3, w2: 4, b: 5 })));
});

test("events follow each other without a gap, and are found by time", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const drawn = sample(randomFrom(seed), "hard");
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

/** The oracle: nothing is looked up, all events up to `t` happen one after the other. */
function replayed(line: Timeline, t: number): { nodes: NodeFrame[]; edges: EdgeFrame[] } {
  const { walk, events } = line;
  const index = indexAt(events, t);
  const nodes: NodeFrame[] = walk.graph.nodes.map((node) => ({
    filled: node.operands.length === 0,
    grad: null,
    last: null,
    arrivals: 0,
    state: "todo",
    glow: 0,
  }));
  const edges: EdgeFrame[] = walk.graph.nodes.flatMap(({ operands }) =>
    operands.map(() => ({
      forward: null,
      carried: false,
      backward: null,
      push: null,
      lost: null,
      active: false,
    })),
  );
  for (let k = 0; k <= index; k++) happen(events[k], k === index, t, nodes, edges, walk);
  return { nodes, edges };
}

function happen(
  event: Happening,
  current: boolean,
  t: number,
  nodes: NodeFrame[],
  edges: EdgeFrame[],
  walk: Walk,
): void {
  const landed = t >= event.land;
  const actor = nodes[event.node];
  const going = current && t < event.land;
  const u = going ? ease((t - event.start) / (event.land - event.start)) : null;
  const glow = current && landed ? 1 - (t - event.land) / Math.max(1, event.end - event.land) : 0;
  for (const id of event.edges) {
    const edge = edges[id];
    edge.active = current;
    if (event.phase === "forward") {
      edge.forward = u;
      edge.carried = true;
    } else if (event.kind !== "sort") edge.backward = u;
  }
  if (current) actor.state = "active";
  else if (event.kind !== "sort") actor.state = "done";
  switch (event.kind) {
    case "compute":
      actor.filled ||= landed;
      if (landed) actor.glow = glow;
      break;
    case "seed":
      actor.grad = 1;
      actor.glow = glow;
      break;
    case "push": {
      actor.grad ??= 0;
      if (!landed) break;
      const push = event.push!;
      const to = nodes[push.to];
      edges[event.edges[0]].push = push;
      to.grad = push.after;
      to.last = push;
      to.arrivals += 1;
      to.glow = glow;
      break;
    }
    case "lost":
      actor.grad ??= 0;
      if (landed) edges[event.edges[0]].lost = event.lost!;
      break;
    case "skip":
      // Nothing leaves a node whose gradient is 0, and that is what its inputs get from it.
      actor.grad ??= 0;
      for (const operand of walk.graph.nodes[event.node].operands) nodes[operand].grad ??= 0;
      break;
    case "leaf":
      actor.grad ??= 0;
      break;
    case "sort":
      break;
  }
}

test("a walk with rooms stays as long in each stop, which ends where a box is left, in few stops", () => {
  const model = new Mlp([2, 16, 16, 1], randomFrom(3));
  const made = (scores: readonly number[]): Timeline => {
    const points = scores.map((x) => model.score([x, -1]));
    return timeline(walk(snapshot(meanSquare(points, [1, -1]), { fold: false })));
  };
  const line = made([1, 0.5]);
  const { events, total, walk: done, phases } = line;
  const scopeOf = ({ node }: Happening): string => done.graph.nodes[node].scope;
  const stopOf = ({ start }: Happening): number => stopAt(line, start);
  const count = stopOf(events.at(-1)!) + 1;
  assert.ok(count > 4 && count < 200, `${count} stops`);
  assert.ok(Math.abs(total - line.stay * count) < 1e-6);
  events.forEach((event, k) => {
    const before = events[k - 1];
    assert.ok(Math.abs(event.start - (before?.end ?? 0)) < 1e-6, `${k} begins where the last ends`);
    assert.ok(event.start < event.end && event.land <= event.end);
    if (before && stopOf(event) !== stopOf(before))
      assert.ok(event.phase !== before.phase || scopeOf(event) !== scopeOf(before), `${k}`);
  });
  assert.equal(phases.at(-1)!.end, events.at(-1)!.end);
  // Other numbers close other relus, and no node moves to another time.
  const other = made([-2, 3]);
  const starts = (line: Timeline): [number, number][] =>
    line.events
      .filter((event, k) => event.node !== line.events[k - 1]?.node)
      .map(({ node, start }) => [node, Math.round(start)]);
  assert.notEqual(other.events.length, events.length);
  assert.deepEqual(starts(other), starts({ ...other, events }));
});
