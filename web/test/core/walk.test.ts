/** Graphs, walks and paths: table 3, the orders of X6, the bugs. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  GraphError,
  OrderError,
  parse,
  paths,
  snapshot,
  Value,
  type Walk,
  walk,
} from "../../src/core/index.ts";

const X1 = (): Value => parse("(a + b) * c").evaluate({ a: 2, b: -3, c: 10 });
const X5 = (): Value => parse("d = a*b; e = a + b; f = d*e").evaluate({ a: -2, b: 3 });
const X6 = (): Value => parse("b = a + 1; c = a*3; d = b*c").evaluate({ a: 2 });
const X7 = (): Value => parse("c = a*b; L = c + a").evaluate({ a: 2, b: 3 });

function grads(found: Walk): Record<string, number> {
  const { graph } = found;
  const shown = graph.nodes.filter((node) => !node.tags.includes("const"));
  return Object.fromEntries(shown.map((node) => [graph.name(node.id), found.grads[node.id]]));
}

test("the sort of X7 is table 3 to the letter", () => {
  const { graph, sort } = walk(X7());
  const entry = ([id, index]: readonly [number, number]): string => `(${graph.name(id)},${index})`;
  const rows = sort.map((step) =>
    [
      `${entry(step.pop)} ${step.visited < 0 ? step.note : `${graph.name(step.visited)} already visited`}`.trim(),
      step.stack.map(entry).join(" "),
      step.sorted.map((id) => graph.name(id)).join(" "),
    ].join(" | "),
  );
  assert.deepEqual(rows, [
    "(L,0) | (L,1) (c,0) | ",
    "(c,0) | (L,1) (c,1) (a,0) | ",
    "(a,0) leaf | (L,1) (c,1) | a",
    "(c,1) | (L,1) (c,2) (b,0) | a",
    "(b,0) leaf | (L,1) (c,2) | a b",
    "(c,2) done | (L,1) | a b c",
    "(L,1) a already visited | (L,2) | a b c",
    "(L,2) done |  | a b c L",
  ]);
});

test("every push of X1 reads incoming times local", () => {
  const { graph, backward, forward } = walk(X1());
  const pushes = backward.flatMap((step) =>
    step.pushes.map((p) => [graph.name(p.to), p.incoming, p.local, p.contribution, p.formula]),
  );
  assert.deepEqual(pushes, [
    ["+", 1, 10, 10, "c"],
    ["c", 1, -1, -1, "-1"],
    ["a", 10, 1, 10, "1"],
    ["b", 10, 1, 10, "1"],
  ]);
  assert.deepEqual(
    forward.map((step) => step.equation),
    ["2 + -3 = -1", "-1 * 10 = -10"],
  );
});

test("the 24 orders of X6 give what the puzzle says", () => {
  const puzzle: Record<string, number> = {
    dbca: 15,
    dcba: 15,
    dbac: 6,
    dcab: 9,
    dabc: 0,
    dacb: 0,
    bdca: 9,
    cdba: 6,
  };
  const orders = (left: string): string[] =>
    left ? [...left].flatMap((c) => orders(left.replace(c, "")).map((rest) => c + rest)) : [""];
  for (const order of orders("abcd")) {
    const found = walk(X6(), { order: [...order] });
    assert.equal(grads(found).a, puzzle[order] ?? 0, order);
    assert.equal(found.lost.length > 0, grads(found).a !== 15, order);
  }
});

test("a lost contribution names its ends and its path", () => {
  const { graph, lost } = walk(X6(), { order: ["d", "b", "a", "c"] });
  assert.equal(lost.length, 1);
  assert.deepEqual(
    lost[0].path.map((id) => graph.name(id)),
    ["d", "c", "a"],
  );
  assert.equal(lost[0].contribution, 9);
  assert.deepEqual([graph.name(lost[0].to), graph.name(lost[0].source)], ["a", "c"]);
});

test("the bugs give their wrong numbers beside the right ones", () => {
  assert.deepEqual(grads(walk(X5(), { bug: "overwrite" })), { a: 3, b: -2, d: 1, e: -6, f: 1 });
  assert.deepEqual(grads(walk(X1(), { bug: "no-reset" })), {
    a: 30,
    b: 30,
    "+": 20,
    c: -2,
    "*": 1,
  });
  assert.deepEqual(grads(walk(X1(), { bug: "wrong-order" })), {
    a: 0,
    b: 0,
    "+": 10,
    c: -1,
    "*": 1,
  });
  const shared = walk(parse("s = a + b; s * s").evaluate({ a: 2, b: 1 }), { bug: "no-visited" });
  assert.equal(grads(shared).a, 12);
  assert.deepEqual([...shared.expected].slice(0, 2), [6, 6]);
  assert.deepEqual(shared.wrong, [0, 1]);
});

test("what is no order and no bug is an error that says so", () => {
  assert.throws(() => walk(X6(), { order: ["d", "b", "c"] }), /order-missing .."a"../);
  assert.throws(() => walk(X6(), { order: ["d", "b", "c", "a", "a"] }), /order-twice .."a"../);
  assert.throws(() => walk(X6(), { order: ["z"] }), { name: "GraphError" });
  assert.throws(() => walk(X6(), { bug: "typo" }), /no-bug .*typo.*overwrite/);
  assert.throws(() => walk(X6(), { bug: "toString" }), GraphError);
  assert.throws(() => walk(X6(), { bug: "no-reset", order: ["d", "b", "c", "a"] }), OrderError);
});

test("derived operations fold into one node and unfold into primitives", () => {
  const graph = snapshot(parse("a - b / c").evaluate({ a: 1, b: 6, c: 4 }));
  assert.deepEqual(
    graph.nodes.map((node) => node.op),
    ["", "", "", "/", "-"],
  );
  assert.deepEqual(graph.nodes[3].local_grads, [0.25, -0.375]);
  const unfolded = graph.unfold();
  assert.deepEqual(
    unfolded.nodes.map((node) => node.op),
    ["", "", "", "const", "**", "*", "const", "*", "+"],
  );
  assert.deepEqual(unfolded.fold().nodes, graph.nodes);
});

test("a pair whose inner node has a name is shown as it is", () => {
  const root = parse("a - b").evaluate({ a: 5, b: 3 });
  root._children[1].label = "n";
  assert.deepEqual(
    snapshot(root).nodes.map((node) => [node.op, node.label]),
    [
      ["", "a"],
      ["", "b"],
      ["neg", "n"],
      ["+", ""],
    ],
  );
});

test("a name is a label, a number or a symbol, with a subscript where it is not the only one", () => {
  const graph = snapshot(parse("s = a*b; s*s*2").evaluate({ a: 2, b: 3 }));
  assert.deepEqual(
    graph.nodes.map((node) => graph.name(node.id)),
    ["a", "b", "s", "*₁", "2", "*₂"],
  );
  assert.equal(graph.find("*_2"), graph.nodes[5]);
  assert.equal(graph.find("*2").id, 5);
  assert.throws(() => graph.find("z"), /no-node .*"a","b","s","\*₁","\*₂"/);
});

test("a walk changes nothing, and its graph has the right gradients", () => {
  const root = X7();
  const graph = snapshot(root);
  const found = walk(graph);
  assert.deepEqual(
    graph.nodes.map((node) => node.grad),
    [0, 0, 0, 0],
  );
  assert.deepEqual(
    found.graph.nodes.map((node) => node.grad),
    [4, 2, 1, 1],
  );
  assert.equal(root.grad, 0);
});

test("paths are counted exactly and found largest first", () => {
  const diamond = paths(X6(), "a");
  assert.deepEqual([diamond.largest.map((path) => path.product), diamond.total], [[9, 6], 15]);
  let root = new Value(1, [], "", "a");
  for (let i = 0; i < 200; i++) root = root.add(root);
  const many = paths(root, "a", 5);
  assert.equal(many.count, 2n ** 200n);
  assert.deepEqual([many.largest.length, many.complete, many.total], [5, false, 2 ** 200]);
  assert.equal(many.rest, 2 ** 200 - 5);
});

test("a chain of 100,000 nodes is snapshot, walked and searched without recursion", () => {
  const a = new Value(1, [], "", "a");
  let root = a;
  for (let i = 0; i < 100_000; i++) root = root.sub(1);
  const found = walk(root);
  assert.equal(found.grads[0], 1);
  assert.equal(found.sort[found.sort.length - 1].sorted.length, found.graph.length);
  assert.equal(paths(found.graph, 0).total, 1);
  assert.equal(found.graph.unfold().length, found.graph.length + 200_000);
});
