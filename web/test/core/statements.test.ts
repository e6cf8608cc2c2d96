/** Between the sides of a line: = where it is exact in the digits shown, else ≈; the same in Python. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { relation, stated } from "../../src/core/index.ts";
import { readJson } from "./files.ts";

test("the sign of every line of the contract is as it says", () => {
  type Row = [string, (string | string[])[], string, string];
  for (const [op, operands, result, sign] of readJson<Row[]>("contract/statements.json"))
    assert.equal(relation(op, operands, result), sign, `${op} ${operands} ${result}`);
});

test("a number is stated when a text has all fifteen digits of it", () => {
  assert.deepEqual([stated(0.1 + 0.2, "0.3"), stated(1 / 3, "0.3333")], ["=", "≈"]);
  assert.deepEqual(
    [stated(-0, "0"), stated(Number.NaN, "nan"), stated(-2.5, "−2.5")],
    ["=", "=", "="],
  );
});
