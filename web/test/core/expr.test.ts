/** The language, by the fixtures that Python's parser reads too; and what examples cannot show. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type Expression,
  ExpressionError,
  GradwalkError,
  messageText,
  parse,
  shown,
  topologicalOrder,
  type Value,
} from "./contract.ts";
import { readJson } from "./files.ts";

interface Case {
  readonly text: string;
  readonly strict?: boolean;
  readonly values?: Record<string, number>;
  readonly names: readonly string[];
  readonly value?: number;
  readonly normal: string;
  readonly graph?: readonly unknown[];
  readonly nodes?: readonly unknown[];
  readonly error?: { readonly column: number; readonly message: string };
}

const { cases } = readJson<{ cases: readonly Case[] }>("tests/fixtures/expressions.json");

function graphOf(root: Value): unknown[] {
  const order = topologicalOrder(root);
  return order.map((node) => {
    if (node._op === "const") return [node.data];
    if (!node._children.length) return [node.label];
    return [node._op, ...node._children.map((child) => order.indexOf(child))];
  });
}

function nodesOf(expression: Expression): unknown[] {
  return expression.nodes.map((node) => {
    const held = node.op === "const" ? node.number : node.name || null;
    return [node.op, node.operands, held, node.start, node.end];
  });
}

test("a text means what the fixtures say", () => {
  for (const { text, strict, values = {}, names, value, normal, graph, nodes } of cases) {
    if (value === undefined) continue;
    const expression = parse(text, { strict });
    const root = expression.evaluate(values);
    assert.deepEqual(expression.names, names, text);
    assert.ok(Math.abs(root.data - value) <= 1e-12 * Math.abs(value), text);
    assert.equal(String(expression), normal);
    assert.equal(String(parse(normal)), normal);
    if (graph) assert.deepEqual(graphOf(root), graph, text);
    if (nodes) assert.deepEqual(nodesOf(expression), nodes, text);
  }
});

test("a text is refused with the column and the words of the fixtures", () => {
  for (const { text, strict, values = {}, error } of cases) {
    if (!error) continue;
    const refused = (thrown: unknown): true => {
      assert.ok(thrown instanceof ExpressionError, text);
      assert.deepEqual({ column: thrown.column, message: messageText(thrown.said) }, error);
      return true;
    };
    assert.throws(() => parse(text, { strict }).evaluate(values), refused, text);
  }
});

test("an error shows a caret under its column, and knows its index in the text", () => {
  const error = refusal("😀");
  assert.deepEqual([error.column, error.index], [0, 0]);
  assert.equal(
    shown(refusal("a + b ^ 2")),
    "unexpected '^': power is written **, as in a**2\n  a + b ^ 2\n        ^",
  );
  const behind = refusal("𝑥 + 1 ^");
  assert.deepEqual([behind.column, behind.index], [6, 7]);
});

function refusal(text: string): ExpressionError {
  try {
    parse(text);
  } catch (error) {
    assert.ok(error instanceof ExpressionError);
    return error;
  }
  throw new assert.AssertionError({ message: `${text} parses` });
}

test("names that mean something to JavaScript are names like any other", () => {
  const expression = parse("__proto__ * constructor + toString");
  const values = new Map([
    ["__proto__", 2],
    ["constructor", 3],
    ["toString", 4],
  ]);
  assert.equal(expression.evaluate(values).data, 10);
  assert.equal(
    expression.evaluate(JSON.parse('{"__proto__": 2, "constructor": 3, "toString": 4}')).data,
    10,
  );
  assert.match(messageText(refusal("constructor(a)").said), /^there is no function constructor/);
  assert.match(messageText(refusal("hasOwnProperty(a)").said), /^there is no function/);
});

test("any text answers with an expression or our own error", () => {
  const piece = fc.constantFrom(
    ..."ab12.()+-*/=<,;\n ^é𝑥²\u0301",
    "**",
    "exp",
    "where(",
    "1e9",
    "if",
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 30 }).map((p) => p.join("")),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (written) => {
      try {
        const normal = String(parse(written));
        if (normal.length < 4096) assert.equal(String(parse(normal)), normal);
      } catch (error) {
        assert.ok(error instanceof GradwalkError, `${error}`);
      }
    }),
    { numRuns: 3000 },
  );
});

test("a hostile text is refused without running out of stack", () => {
  for (const text of ["(".repeat(4096), "-".repeat(4096), "a**".repeat(1300), "f(".repeat(2000)]) {
    assert.throws(() => parse(text), ExpressionError);
  }
  assert.throws(() => parse("a".repeat(10_000_000)), /too-long/);
});
