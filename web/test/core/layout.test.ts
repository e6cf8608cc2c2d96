/** The layout: the pixels of the fixture, and that nothing covers anything. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Box,
  type Graph,
  graphFromJson,
  type LayoutOptions,
  layout,
  parse,
  snapshot,
  Value,
} from "../../src/core/index.ts";
import { readJson } from "./files.ts";

interface Case {
  readonly name: string;
  readonly nodes: readonly [string, string, number[], string[]][];
  readonly options: LayoutOptions;
  readonly width: number;
  readonly height: number;
  readonly cards: readonly number[][];
  readonly edges: readonly unknown[];
}

test("the layouts of the fixture come out to the pixel", () => {
  const { cases } = readJson<{ cases: readonly Case[] }>("tests/fixtures/layout.json");
  for (const { name, nodes, options, width, height, cards, edges } of cases) {
    const json = nodes.map(([op, label, operands, tags], id) => {
      const local_grads = operands.map(() => 0);
      return { id, op, label, data: 0, grad: 0, operands, local_grads, tags };
    });
    const found = layout(graphFromJson({ nodes: json }), options);
    assert.deepEqual([found.width, found.height], [width, height], name);
    assert.deepEqual(found.cards.map(Object.values), cards, name);
    const lines = found.edges.map(({ source, target, operand, points, pill }) => {
      return [source, target, operand, points.map(Object.values), pill && Object.values(pill)];
    });
    assert.deepEqual(lines, edges, name);
  }
});

test("a value never moves a node", () => {
  const expression = parse("d = a*b - 3; tanh(d) / (d + c)");
  const first = layout(snapshot(expression.evaluate({ a: 1, b: 2, c: 3 })));
  const second = layout(snapshot(expression.evaluate({ a: 1e9, b: -1e-9, c: NaN })));
  assert.deepEqual(first, second);
});

/** A graph in which nodes read others up to `reach` before them. */
function tangle(size: number, reach: number): Graph {
  let seed = 1;
  const below = (most: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % most;
  };
  const values = [new Value(1, [], "", "a"), new Value(2, [], "", "b")];
  while (values.length < size) {
    const from = (): Value => values[Math.max(0, values.length - 1 - below(reach))];
    values.push(
      [() => from().add(from()), () => from().mul(from()), () => from().sub(from())][below(3)](),
    );
  }
  return snapshot(values.reduce((sum, value) => sum.add(value)));
}

const meet = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test("cards and pills overlap nothing, inputs are left of their consumers", () => {
  for (const reach of [2, 5, 30]) {
    const graph = tangle(60, reach);
    const { cards, edges, width, height } = layout(graph);
    const boxes = [...cards, ...edges.flatMap(({ pill }) => (pill ? [pill] : []))];
    boxes.forEach((box, i) => {
      assert.ok(
        box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height,
      );
      for (const other of boxes.slice(i + 1)) assert.ok(!meet(box, other));
    });
    for (const { source, target, points } of edges) {
      assert.ok(cards[source].x + cards[source].width <= cards[target].x);
      assert.equal(points[points.length - 1].x, cards[target].x);
    }
  }
});

test("a deep graph is laid out without recursion", () => {
  let root = new Value(1, [], "", "a");
  for (let i = 0; i < 5000; i++) root = root.tanh();
  assert.equal(layout(snapshot(root)).cards.length, 5001);
});
