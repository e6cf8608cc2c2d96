/** Traces by hand: the cells are those of table 3, and what passes is what means the same. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOf } from "../../src/app/names.ts";
import { parse, snapshot, walk } from "../../src/core/index.ts";
import { passes, pushCells, sortCells } from "../../src/teach/cells.ts";

const graph = snapshot(parse("c = a * b; L = c + a").evaluate({ a: 2, b: 3 }));
const done = walk(graph);
const names = namesOf(graph);

test("the sort's cells are table 3, row by row", () => {
  const found = sortCells(done, names).map(({ pop, stack, sorted }) => [
    pop.right,
    stack.right,
    sorted.right,
  ]);
  assert.deepEqual(found, [
    ["(L,0)", "(L,1) (c,0)", ""],
    ["(c,0)", "(L,1) (c,1) (a,0)", ""],
    ["(a,0)", "(L,1) (c,1)", "a"],
    ["(c,1)", "(L,1) (c,2) (b,0)", "a"],
    ["(b,0)", "(L,1) (c,2)", "a b"],
    ["(c,2)", "(L,1)", "a b c"],
    ["(L,1)", "(L,2)", "a b c"],
    ["(L,2)", "", "a b c L"],
  ]);
});

test("backward's cells are its arrows: local, contribution, sum so far", () => {
  const found = pushCells(done, names).map(({ from, to, local, contribution, after }) => [
    from,
    to,
    local.right,
    contribution.right,
    after.right,
  ]);
  assert.deepEqual(found, [
    ["L", "c", 1, 1, 1],
    ["L", "a", 1, 1, 1],
    ["c", "a", 3, 3, 4],
    ["c", "b", 2, 2, 2],
  ]);
});

test("every cell has a key of its own, on a graph that reads one input twice, too", () => {
  const square = walk(snapshot(parse("f = a * a; g = f * f").evaluate({ a: 3 })));
  const own = namesOf(square.graph);
  const keys = [
    ...sortCells(square, own).flatMap(({ pop, stack, sorted }) => [pop, stack, sorted]),
    ...pushCells(square, own).flatMap(({ local, contribution, after }) => [
      local,
      contribution,
      after,
    ]),
  ].map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length);
});

test("brackets, commas and spaces do not matter; names, order and numbers do", () => {
  const cell = { key: "", right: "(L,1) (c,0)" };
  for (const typed of ["(L,1) (c,0)", "L,1 c,0", " (L, 1)  (c ,0) ", "L 1, c 0"])
    assert.ok(passes(cell, typed), typed);
  for (const typed of ["", "(c,0) (L,1)", "(L,1)", "(l,1) (c,0)", "(L,1) (c,1)"])
    assert.ok(!passes(cell, typed), typed);
  const empty = { key: "", right: "" };
  for (const typed of ["", "  ", "empty", "—"]) assert.ok(passes(empty, typed), typed);
  assert.ok(!passes(empty, "a"));
  const number = { key: "", right: -1.5 };
  for (const typed of ["-1.5", "−1,5", "-3/2"]) assert.ok(passes(number, typed), typed);
  for (const typed of ["", "1.5", "x"]) assert.ok(!passes(number, typed), typed);
});
