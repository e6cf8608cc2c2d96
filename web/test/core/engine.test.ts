/** The engine through its methods: the worked examples, repeated walks, depth. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  apply,
  BackwardError,
  Buffers,
  BY_NAME,
  OperandError,
  TABLE,
  topologicalOrder,
  Value,
  zeroGrad,
} from "../../src/core/index.ts";

const leaf = (data: number, label = ""): Value => new Value(data, [], "", label);

test("X1: gradients of (a + b) * c", () => {
  const [a, b, c] = [leaf(2), leaf(-3), leaf(10)];
  const root = a.add(b).mul(c);
  root.backward();
  assert.deepEqual([root.data, root.grad, a.grad, b.grad, c.grad], [-10, 1, 10, 10, -1]);
});

test("X2: a neuron", () => {
  const [x1, x2, w1, w2, b] = [2, 0, -3, 1, 6.8813735870195432].map((x) => leaf(x));
  const n = x1.mul(w1).add(x2.mul(w2)).add(b);
  const o = n.tanh();
  o.backward();
  const found = [n.data, o.data, n.grad, x1.grad, w1.grad, x2.grad, w2.grad];
  const wanted = [0.8813735870195432, Math.SQRT1_2, 0.5, -1.5, 1, 0.5, 0];
  found.forEach((x, i) => {
    assert.ok(Math.abs(x - wanted[i]) < 1e-9);
  });
});

test("X3: a square has two inputs, and its gradient two contributions", () => {
  const a = leaf(3);
  const root = a.mul(a);
  root.backward();
  assert.deepEqual([root._children.length, root._prev.size, a.grad], [2, 1, 6]);
});

test("a second backward starts with clean interior gradients, and leaves accumulate", () => {
  const a = leaf(2);
  const middle = a.mul(3);
  const root = middle.mul(middle);
  root.backward();
  root.backward();
  assert.deepEqual([root.grad, middle.grad, a.grad], [1, 12, 72]);
  zeroGrad(root);
  assert.equal(a.grad, 0);
});

test("minus and divide are recorded as in micrograd", () => {
  const [a, b] = [leaf(6), leaf(4)];
  const ops = (root: Value): string[] => topologicalOrder(root).map((value) => value._op);
  assert.deepEqual(ops(a.sub(b)), ["", "", "const", "neg", "-"]);
  assert.deepEqual(ops(a.div(b)), ["", "", "const", "**", "/"]);
  assert.equal(a.div(b).data, 1.5);
});

test("no gradient goes into a number", () => {
  const root = leaf(2).mul(3).add(1).pow(2);
  root.backward();
  const numbers = topologicalOrder(root).filter((node) => node._op === "const");
  assert.deepEqual(
    numbers.map((node) => [node.data, node.grad]),
    [
      [3, 0],
      [1, 0],
      [2, 0],
    ],
  );
});

test("every row of the table can be applied, and is a method where Python has one", () => {
  for (const op of TABLE) {
    const operands = op.probes[0].map((x) => leaf(x));
    const made = apply(op, ...operands);
    assert.equal(made.data, op.value(...op.probes[0]), op.name);
    if (!op.isMethod) continue;
    for (const name of [op.name, ...op.aliases]) {
      const method = (operands[0] as unknown as Record<string, (...x: Value[]) => Value>)[name];
      assert.equal(method.apply(operands[0], operands.slice(1)).data, made.data, name);
    }
  }
});

test("every edge of the table gives what it says", () => {
  for (const op of TABLE) {
    for (const edge of op.edges) {
      const out = op.value(...edge.operands);
      const slopes = op.partials.map((rule) => rule(out, ...edge.operands));
      assert.deepEqual([out, slopes], [edge.value, edge.partials], `${op.name}: ${edge.why}`);
    }
  }
});

test("a partial is the slope of its value", () => {
  for (const op of TABLE) {
    for (const point of op.probes) {
      op.partials.forEach((rule, i) => {
        const step = 1e-6 * (Math.abs(point[i]) || 1);
        if (point.some((x) => Math.abs(x) > 1e10)) return; // a step would be lost in it
        const at = (x: number): number => op.value(...point.map((y, k) => (k === i ? x : y)));
        const slope = (at(point[i] + step) - at(point[i] - step)) / (2 * step);
        const local = rule(op.value(...point), ...point);
        const apart = Math.abs(slope - local);
        if (["where", "polygamma"].includes(op.name) && i === 0) return; // a choice, an order: no slope
        assert.ok(apart <= 1e-5 * Math.max(1, Math.abs(local)), `${op.name} ${point} by ${i}`);
      });
    }
  }
});

test("a _backward of one's own is called, and an error in it changes no gradient", () => {
  const a = leaf(3);
  const root = new Value(9, [a], "square");
  root._backward = () => {
    a.grad += 2 * a.data * root.grad;
  };
  root.backward();
  assert.equal(a.grad, 6);
  const outer = root.mul(2);
  root._backward = () => {
    a.grad = 99;
    throw new Error("mine");
  };
  assert.throws(() => outer.backward(), /mine/);
  assert.deepEqual([a.grad, root.grad, outer.grad], [6, 1, 0]);
});

test("buffers serve one backward at a time and hold no node after it", () => {
  const buffers = new Buffers();
  const a = leaf(2);
  const root = a.mul(a);
  root.backward(buffers);
  root.backward(buffers);
  assert.equal(a.grad, 8);
  assert.deepEqual([buffers.order.length, buffers.visited.size, buffers.stack.length], [0, 0, 0]);
  const greedy = new Value(1, [a], "greedy");
  greedy._backward = () => a.mul(2).backward(buffers);
  assert.throws(() => greedy.backward(buffers), BackwardError);
  root.backward(buffers);
});

test("a chain of 200,000 nodes is walked without recursion", () => {
  const a = leaf(1);
  let root = a;
  for (let i = 0; i < 200_000; i++) root = root.add(1);
  root.backward();
  assert.deepEqual([root.data, a.grad], [200_001, 1]);
});

test("what is no number is refused by name", () => {
  const word = "3" as unknown as number;
  assert.throws(() => leaf(2).mul(word), {
    name: "OperandError",
    said: { code: "operand-value", args: ["mul", "str: '3'"] },
  });
  assert.throws(() => new Value(word), OperandError);
  assert.throws(() => apply(BY_NAME.get("clip")!, leaf(1)), {
    said: { code: "operand-count", args: ["clip", 3, 3, 1] },
  });
});

test("a Value is written as Python writes it", () => {
  assert.equal(`${leaf(2, "a")}`, "Value(data=2.0, grad=0.0, label='a')");
  assert.equal(`${leaf(1e-5)}`, "Value(data=1e-05, grad=0.0)");
});
