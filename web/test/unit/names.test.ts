import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOf } from "../../src/app/names.ts";
import { parse, snapshot, Value } from "../../src/core/index.ts";

const names = (text: string, fold = true): string => {
  const expression = parse(text);
  const values = Object.fromEntries(expression.names.map((name, i) => [name, i + 2]));
  return namesOf(snapshot(expression.evaluate(values), { fold })).join(" ");
};

test("operations without a name are t1, t2, …, the output is f", () => {
  assert.equal(names("(a + b) * c"), "a b t1 c f");
  assert.equal(names("d = a*b; e = a + b; d*e"), "a b d e f");
  assert.equal(names("x - 3", false), "x 3 −1 t1 f");
});

test("a name that someone gave is never given again", () => {
  assert.equal(names("t1 = a*b; (t1 + a) * (t1 - a)"), "a b t1 t2 t3 f");
  assert.equal(names("f * (f + y)"), "f y t1 out");
  assert.equal(names("f * (y + out)"), "f y out t2 t1");
});

test("every name but a constant's is one node's alone", () => {
  const [a, b] = [new Value(1, [], "", "a"), new Value(2, [], "", "a")];
  const graph = snapshot(
    a
      .mul(b)
      .add(new Value(3))
      .mul(new Value(4, [], "", "a₁")),
  );
  const found = namesOf(graph);
  assert.equal(new Set(found).size, found.length, found.join(" "));
});
