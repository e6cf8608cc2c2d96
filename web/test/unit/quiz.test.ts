import assert from "node:assert/strict";
import { test } from "node:test";
import { randomFrom } from "../../src/app/random.ts";
import { walk } from "../../src/core/index.ts";
import { drawCase, outcomes } from "../../src/teach/cases.ts";
import { graphOf, type Level } from "../../src/teach/generate.ts";
import { answerOf, diagnose, FIXED, generated } from "../../src/teach/questions.ts";

test("W8: the four checks have four different answers", () => {
  const answers = FIXED.map((question) => answerOf(graphOf(question), question.leaf).total);
  assert.deepEqual(
    answers.map((x) => Math.round(x * 1e9) / 1e9),
    [10, 4, 1, 15],
  );
});

test("W8: generated questions are within reach of the head, at every level", () => {
  for (const level of ["easy", "medium", "hard"] as Level[])
    for (let seed = 0; seed < 40; seed++) {
      const question = generated(level, seed);
      const { total } = answerOf(graphOf(question), question.leaf);
      assert.ok(
        Number.isInteger(total) && total !== 0 && Math.abs(total) <= 60,
        `${question.text} ${total}`,
      );
    }
});

test("a wrong answer is told by how it comes about", () => {
  const diamond = graphOf(FIXED[3]);
  assert.match(diagnose(diamond, "a", 9), /path d → c → a alone/);
  assert.match(diagnose(diamond, "a", 6), /path d → b → a alone/);
  assert.match(diagnose(diamond, "a", 54), /multiplied the paths/);
  assert.match(diagnose(diamond, "a", -15), /sign/);
  assert.match(diagnose(diamond, "a", 2), /value/);
  assert.equal(diagnose(diamond, "a", 1234), "");
});

test("B1: in the game exactly one bug explains the numbers", () => {
  const random = randomFrom(7);
  const seen = new Set<string>();
  for (let i = 0; i < 60; i++) {
    const drawn = drawCase(random);
    const graph = graphOf(drawn);
    const all = outcomes(graph);
    const grads = all.get(drawn.bug)!.join();
    assert.notEqual(grads, walk(graph).grads.join());
    assert.equal([...all.values()].filter((other) => other.join() === grads).length, 1);
    seen.add(drawn.bug);
  }
  assert.ok(seen.size >= 3, [...seen].join());
});
