/** The contract: its samples are what this engine gives, too. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  GraphError,
  graphFromJson,
  graphJson,
  parse,
  paths,
  pathsJson,
  snapshot,
  type WalkJson,
  walk,
  walkJson,
} from "./contract.ts";
import { list, readJson } from "./files.ts";

const FOLDER = "contract/samples";

/** What JSON makes of a structure. */
const plain = <T>(thing: T): T => JSON.parse(JSON.stringify(thing));

test("a walk of the samples, walked again, is that sample", () => {
  const names = list(FOLDER).filter((name) => name.startsWith("walk-"));
  assert.ok(names.length > 5);
  for (const name of names) {
    const sample = readJson<WalkJson>(`${FOLDER}/${name}`);
    const order = name.includes("order") ? sample.backward.map((step) => step.node) : null;
    const found = walk(graphFromJson(sample), { order, bug: sample.bug });
    assert.deepEqual(plain(walkJson(found)), sample, name);
  }
});

test("the samples come out of the expressions they were made from", () => {
  const x1 = parse("(a + b) * c").evaluate({ a: 2, b: -3, c: 10 });
  assert.deepEqual(plain(walkJson(walk(x1))), readJson(`${FOLDER}/walk-x1.json`));
  x1.backward();
  assert.deepEqual(plain(graphJson(snapshot(x1))), readJson(`${FOLDER}/graph-x1.json`));
  const x3 = parse("a*a").evaluate({ a: 3 });
  const overwritten = walkJson(walk(x3, { bug: "overwrite" }));
  assert.deepEqual(plain(overwritten), readJson(`${FOLDER}/walk-x3-overwrite.json`));
  const x6 = parse("b = a + 1; c = a*3; d = b*c").evaluate({ a: 2 });
  assert.deepEqual(plain(pathsJson(paths(x6, "a"))), readJson(`${FOLDER}/paths-x6.json`));
});

test("a graph from JSON folds and unfolds", () => {
  const graph = snapshot(parse("d = -a - b/c; d*d").evaluate({ a: 1, b: 6, c: 4 }));
  const read = graphFromJson(plain(graphJson(graph)));
  assert.deepEqual(read.nodes, graph.nodes);
  assert.deepEqual(read.unfold().nodes, graph.unfold().nodes);
  assert.deepEqual(read.unfold().fold().nodes, graph.nodes);
});

test("what is no graph of the contract is refused", () => {
  const node = {
    id: 0,
    op: "",
    label: "a",
    data: 1,
    grad: 0,
    operands: [],
    local_grads: [],
    tags: [],
  };
  const wrong: unknown[] = [
    null,
    3,
    {},
    { nodes: [] },
    { nodes: [null] },
    { nodes: [{ ...node, id: 1 }] },
    { nodes: [{ ...node, operands: [0], local_grads: [1] }] },
    { nodes: [{ ...node, data: "1" }] },
    { nodes: [node, { ...node, id: 1, operands: [0], local_grads: [] }] },
  ];
  for (const json of wrong) assert.throws(() => graphFromJson(json), GraphError);
});

test("the boxes that nodes were made in survive the way through this engine", () => {
  const sample = readJson(`${FOLDER}/graph-scoped.json`);
  const graph = graphFromJson(sample);
  assert.deepEqual(plain(graphJson(graph)), sample);
  assert.ok(graph.nodes.some((node) => node.scope === "neuron.sum"));
  // What a derived node stands for was made where the node was, and so it is when it comes back.
  assert.deepEqual(plain(graphJson(graph.unfold().fold())), sample);
  for (const node of graph.unfold().nodes.slice(2)) assert.match(node.scope, /^neuron/);
});
