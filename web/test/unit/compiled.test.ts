/** Which instruction is which node, and times in words. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Compiled, nodeOf, nodesOf } from "../../src/app/compiled.ts";
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
