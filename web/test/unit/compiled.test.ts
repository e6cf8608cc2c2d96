/** Which instruction is which node, and times in words. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Compiled,
  conditionOf,
  linesOf,
  nodeOf,
  nodesOf,
  sidesOf,
} from "../../src/app/compiled.ts";
import { parse, snapshot } from "../../src/core/index.ts";

const row = (op: string, operands: number[] = [], number = 0, origin = 0) => ({
  text: op,
  op,
  operands,
  number,
  origin,
});

function compiled(...rows: Compiled["stages"][0]["rows"]): Compiled {
  const stages = [{ name: "recorded", forward: rows.length, rows }];
  return { names: ["a", "b"], stages, sizes: {} };
}

test("each recorded instruction finds the node that it computes", () => {
  const graph = snapshot(parse("d = a*b; d - a*b + 2").evaluate({ a: 1, b: 3 }));
  const recorded = compiled(
    row("input", [], 0),
    row("input", [], 1),
    row("mul", [0, 1]),
    row("mul", [0, 1]),
    row("sub", [2, 3]),
    row("const", [], 2),
    row("add", [4, 5]),
  );
  const ops = nodesOf(recorded, graph).map((id) => graph.nodes[id!]);
  assert.deepEqual(
    ops.map(({ op, label, data }) => [op, label, data]),
    [
      ["", "a", 1],
      ["", "b", 3],
      ["*", "d", 3],
      ["*", "", 3],
      ["-", "", 0],
      ["const", "", 2],
      ["+", "", 2],
    ],
  );
  // Unfolded there is no subtraction: nothing is claimed for it, nor for what comes of it.
  const unfolded = nodesOf(recorded, graph.unfold());
  assert.deepEqual(
    unfolded.map((id) => id !== null),
    [true, true, true, true, false, true, false],
  );
});

test("a gradient's instruction stands for its leaf, another one of the way back for none", () => {
  const graph = snapshot(parse("a*b").evaluate({ a: 1, b: 3 }));
  const b = graph.nodes.find(({ label }) => label === "b")!.id;
  assert.equal(nodeOf({ text: "", gradients: ["b"], origin: 0 }, [0], graph, true), b);
  assert.equal(nodeOf({ text: "", gradients: [], origin: 0 }, [0], graph, true), null);
  assert.equal(nodeOf({ text: "", origin: 0 }, [7], graph, false), 7);
  assert.equal(nodeOf({ text: "", origin: -1 }, [7], graph, false), null);
});

test("a loop is its body once, or written out; what is not of it comes before", () => {
  const rows = Array.from({ length: 8 }, (_, k) => row(`op${k}`));
  const loops = [{ count: 2, ids: [1, 3, 4, 5], body: [".0 = mul .1←%0 %2", ".1 = add .0 %0"] }];
  const stage = { name: "recorded", forward: 8, rows, loops };
  assert.deepEqual(linesOf(stage, new Set()), [
    { row: 0 },
    { row: 2 },
    { loop: 0 },
    { body: loops[0].body[0] },
    { body: loops[0].body[1] },
    { row: 6 },
    { row: 7 },
  ]);
  const open = linesOf(stage, new Set([0]));
  assert.deepEqual(open.slice(2, 7), [{ loop: 0 }, { row: 1 }, { row: 3 }, { row: 4 }, { row: 5 }]);
  assert.equal(open.length, 9);
});

test("a branch asks its condition, and one on a side not taken asks nothing", () => {
  const program: Compiled = {
    ...compiled(
      row("input", [], 0),
      row("input", [], 1),
      row("lt", [0, 1]),
      row("mul", [0, 0]),
      row("const", [], 4),
      row("ge", [3, 4]),
      row("where", [5, 0, 3]),
      row("where", [2, 6, 1]),
    ),
    branches: [
      { parent: -1, side: true, condition: 2 },
      { parent: 0, side: true, condition: 5 },
    ],
  };
  assert.deepEqual(
    program.branches!.map((branch) => conditionOf(program, branch)),
    ["a < b", "%3 >= 4"],
  );
  assert.deepEqual(sidesOf(program, [1, 3]), [true, false]);
  assert.deepEqual(sidesOf(program, [-2, 3]), [true, true]);
  assert.deepEqual(sidesOf(program, [4, 3]), [false, null]);
});
