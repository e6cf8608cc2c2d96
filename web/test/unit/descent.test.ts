import assert from "node:assert/strict";
import { test } from "node:test";
import { learners, outputAt, stepDown, surfaceOf } from "../../src/app/descent.ts";
import { initial, reduce } from "../../src/app/store.ts";

const BOWL = "(a - 3)**2 + 2*(b + 1)**2";
const start = new Map([
  ["a", -2],
  ["b", 2],
]);

test("a step goes against the gradient: a − rate·2(a − 3), b − rate·4(b + 1)", () => {
  const next = stepDown(BOWL, start, ["a", "b"], 0.1)!;
  assert.ok(Math.abs(next.get("a")! - (-2 - 0.1 * 2 * (-2 - 3))) < 1e-12);
  assert.ok(Math.abs(next.get("b")! - (2 - 0.1 * 4 * (2 + 1))) < 1e-12);
  assert.deepEqual([...stepDown(BOWL, start, ["a"], 0.1)!.keys()], ["a", "b"]);
  assert.equal(stepDown(BOWL, start, ["a"], 0.1)!.get("b"), 2);
});

test("down the bowl to its bottom, and back to the start", () => {
  let state = initial({ text: BOWL, values: start });
  state = reduce(state, { type: "descend", steps: 200 });
  assert.ok(Math.abs(state.values.get("a")! - 3) < 1e-6);
  assert.ok(Math.abs(state.values.get("b")! + 1) < 1e-6);
  assert.equal(state.stuck, "still");
  assert.equal(state.way[0].output, 43);
  for (let i = 1; i < state.way.length; i++)
    assert.ok(state.way[i].output <= state.way[i - 1].output);
  const back = reduce(state, { type: "climb" });
  assert.deepEqual([back.values.get("a"), back.values.get("b"), back.way.length], [-2, 2, 0]);
});

test("a step that is too large is told from one that is not", () => {
  let state = initial({ text: "a*a*a*a", values: new Map([["a", 3]]) });
  state = reduce(reduce(state, { type: "rate", rate: 1 }), { type: "descend", steps: 50 });
  assert.equal(state.stuck, "numbers");
  assert.ok([...state.values.values()].every(Number.isFinite));
  let up = initial({ text: "a*a", values: new Map([["a", 0.001]]) });
  up = reduce({ ...up, rate: 1.01 }, { type: "descend", steps: 60 });
  assert.equal(up.stuck, "up");
});

test("data does not learn, weights do; with data alone all of it does", () => {
  assert.deepEqual(learners(["w", "x", "b", "y", "x2", "target"]), ["w", "b"]);
  assert.deepEqual(learners(["x", "y"]), ["x", "y"]);
});

test("the surface is the output itself, the first leaf across, the second up", () => {
  const way = [{ values: start, output: 43 }];
  const { x, y, rows } = surfaceOf(BOWL, start, ["a", "b"], way, 10);
  const across = (i: number): number => x[0] + ((x[1] - x[0]) * (i + 0.5)) / 10;
  const up = (i: number): number => y[0] + ((y[1] - y[0]) * (9 - i + 0.5)) / 10;
  for (const [row, column] of [
    [0, 0],
    [9, 3],
    [4, 7],
  ]) {
    const [a, b] = [across(column), up(row)];
    assert.ok(Math.abs(rows[row][column] - ((a - 3) ** 2 + 2 * (b + 1) ** 2)) < 1e-9);
    assert.equal(outputAt(BOWL, new Map(Object.entries({ a, b }))), rows[row][column]);
  }
});

test("moving a value by hand begins another descent", () => {
  let state = reduce(initial({ text: BOWL, values: start }), { type: "descend", steps: 3 });
  assert.equal(state.way.length, 4);
  state = reduce(state, { type: "value", name: "a", value: 0 });
  assert.equal(state.way.length, 0);
});
