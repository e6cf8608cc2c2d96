import assert from "node:assert/strict";
import { test } from "node:test";
import { domainOf, learners, stepDown, surfaceOf } from "../../src/app/descent.ts";
import { initial, reduce } from "../../src/app/store.ts";
import { contourAt, levelsOf } from "../../src/parts/contours.ts";

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

test("the surface is the output itself at the corners, the first leaf across, the second up", () => {
  const domain = { x: [-3, 5], y: [-2, 4] } as const;
  const heights = surfaceOf(BOWL, start, ["a", "b"], domain, 8);
  assert.deepEqual([heights.length, heights[0].length], [9, 9]);
  for (const [row, column] of [
    [0, 0],
    [8, 3],
    [4, 7],
  ]) {
    const [a, b] = [-3 + column, 4 - 0.75 * row];
    assert.ok(Math.abs(heights[row][column] - ((a - 3) ** 2 + 2 * (b + 1) ** 2)) < 1e-9);
  }
});

test("the map is around the start and the bottom, of one scale, and nothing else moves it", () => {
  const { x, y } = domainOf(BOWL, start, ["a", "b"], ["a", "b"], 0.1);
  assert.ok(x[0] < -2 && x[1] > 3 && y[0] < -1 && y[1] > 2);
  assert.ok(Math.abs(x[1] - x[0] - (y[1] - y[0])) < 1e-9);
  const away = domainOf(
    "a**4 + b",
    new Map(Object.entries({ a: 300, b: 1 })),
    ["a"],
    ["a", "b"],
    0.1,
  );
  assert.ok(away.x[0] < 300 && away.x[1] > 300 && away.y[0] < 1 && away.y[1] > 1);
});

test("a line of height goes where the height is, and what is no number is a hole", () => {
  const slope = [0, 1, 2].map(() => [0, 1, 2]);
  const { area, line } = contourAt(slope, 0.5, 100);
  assert.equal(line, "M25.0 50.0L25.0 0.0M25.0 100.0L25.0 50.0");
  assert.ok(area.startsWith("M25.0 0.0L50.0 0.0L50.0 50.0L25.0 50.0Z"));
  assert.deepEqual(
    contourAt(
      [
        [Number.NaN, 1],
        [1, 1],
      ],
      0.5,
      10,
    ),
    { level: 0.5, area: "", line: "" },
  );
  // A saddle is crossed twice, and each piece joins two neighbouring sides.
  for (const saddle of [
    [
      [1, 0],
      [0, 1],
    ],
    [
      [0, 1],
      [1, 0],
    ],
  ])
    assert.equal(contourAt(saddle, 0.5, 10).line.split("M").length, 3);
  assert.deepEqual(
    levelsOf([
      [0, 1],
      [2, 10],
    ]),
    [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2],
  );
});

test("moving a value by hand begins another descent", () => {
  let state = reduce(initial({ text: BOWL, values: start }), { type: "descend", steps: 3 });
  assert.equal(state.way.length, 4);
  state = reduce(state, { type: "value", name: "a", value: 0 });
  assert.equal(state.way.length, 0);
});
