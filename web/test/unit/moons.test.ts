/** The MLP that learns in the page: its tape gives the engine's numbers, and it learns. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Mlp, meanSquare } from "../../src/app/mlp.ts";
import { LAYERS, Moons, readDots, twoMoons } from "../../src/app/moons.ts";
import { randomFrom } from "../../src/app/random.ts";
import { parse, snapshot, tapeOf } from "../../src/core/index.ts";
import { replay } from "../../src/core/replay.ts";

test("a replay gives the numbers of the engine, to the last bit", () => {
  const expression = parse("d = a*b - 3; tanh(d) / (d + exp(c)) + relu(a) ** 2");
  const tape = tapeOf(snapshot(expression.evaluate({ a: 1, b: 2, c: 3 }), { fold: false }));
  const at = { a: -0.5, b: 0.25, c: 1.5 };
  for (let id = 0; id < tape.length; id++) {
    const label = tape.labels[tape.label[id]] as keyof typeof at;
    if (label in at) tape.data[id] = at[label];
  }
  replay(tape);
  const root = expression.evaluate(at);
  root.backward();
  const fresh = tapeOf(snapshot(root, { fold: false }));
  assert.deepEqual([...tape.data], [...fresh.data]);
  assert.deepEqual([...tape.grad], [...fresh.grad]);
  assert.deepEqual([...tape.local], [...fresh.local]);
});

test("a step moves each parameter by what the table said, and by the engine's gradient", () => {
  const dots = twoMoons(12, 1);
  const moons = new Moons(dots, 5);
  const model = new Mlp(LAYERS, randomFrom(5), "tanh");
  const loss = meanSquare(
    dots.map(({ x, y }) => model.score([x, y])),
    dots.map(({ kind }) => kind),
  );
  loss.backward();
  const before = moons.parameters(0.1, "sgd");
  assert.equal(moons.loss, loss.data);
  before.forEach(({ name, value, grad, update }, i) => {
    const parameter = model.parameters[i];
    assert.deepEqual([name, value], [parameter.label, parameter.data]);
    assert.ok(Math.abs(grad - parameter.grad) < 1e-12);
    assert.equal(update, -0.1 * grad);
  });
  moons.step(0.1, "sgd");
  const after = moons.parameters(0.1, "sgd");
  after.forEach(({ value }, i) => {
    assert.equal(value, before[i].value + before[i].update);
  });
  const score = moons.scorer();
  const tape = moons.graphOf(dots[3]);
  const own = (score(dots[3].x, dots[3].y) - dots[3].kind) ** 2;
  assert.ok(Math.abs(tape.data[tape.length - 1] - own) < 1e-12);
});

test("Adam's steps are those of its paper, with 0.9, 0.99 and 1e-8", () => {
  const moons = new Moons(twoMoons(12, 1), 5);
  const first = moons.parameters(0.03, "adam").map(() => 0);
  const second = [...first];
  for (let step = 1; step <= 4; step++) {
    moons.parameters(0.03, "adam").forEach(({ name, grad, update }, i) => {
      first[i] = 0.9 * first[i] + 0.1 * grad;
      second[i] = 0.99 * second[i] + 0.01 * grad ** 2;
      const root = Math.sqrt(second[i] / (1 - 0.99 ** step));
      const expected = (-0.03 * (first[i] / (1 - 0.9 ** step))) / (root + 1e-8);
      assert.ok(Math.abs(update - expected) <= 1e-9 * Math.abs(expected), `${name} ${step}`);
    });
    moons.step(0.03, "adam");
  }
});

test("it learns to tell the moons apart, with either optimiser", () => {
  for (const [optimiser, rate] of [
    ["sgd", 0.3],
    ["adam", 0.03],
  ] as const) {
    const moons = new Moons(twoMoons(60, 2), 1);
    for (let i = 0; i < 200; i++) moons.step(rate, optimiser);
    assert.ok(moons.loss < 0.5 * moons.losses[0], `${optimiser}: ${moons.loss}`);
    assert.ok(moons.accuracy > 0.85, `${optimiser}: ${moons.accuracy}`);
  }
});

test("points are read from lines, and lines that are none are counted", () => {
  const { dots, bad } = readDots("1, 2, 1\n-1;0.5;0\n\nx,y,kind\n1,2\n1,,1\ninf,1,1\n");
  assert.deepEqual(dots, [
    { x: 1, y: 2, kind: 1 },
    { x: -1, y: 0.5, kind: -1 },
  ]);
  assert.equal(bad, 4);
  assert.equal(readDots("0,0,1\n".repeat(500)).dots.length, 200);
});
