import assert from "node:assert/strict";
import { test } from "node:test";
import { accepts, exact, num, readNumber, signOf } from "../../src/strings/format.ts";

test("numbers have four significant digits and a true minus", () => {
  const rows: [number, string][] = [
    [-1, "−1"],
    [0.70714678, "0.7071"],
    [6.881373587, "6.881"],
    [1234.56, "1235"],
    [123456, "123456"],
    [1.5e-7, "1.5e−7"],
    [-2.5e12, "−2.5e12"],
    [-0, "0"],
    [Number.NaN, "nan"],
    [Number.NEGATIVE_INFINITY, "−inf"],
  ];
  for (const [x, text] of rows) assert.equal(num(x), text);
});

test("on focus a number has all its digits", () => {
  assert.equal(exact(0.1 + 0.2), "0.30000000000000004");
  assert.equal(exact(-0), "0");
});

test("people type numbers in many ways", () => {
  const rows: [string, number | null][] = [
    ["3", 3],
    ["−.5", -0.5],
    ["1/3", 1 / 3],
    ["1e-3", 1e-3],
    ["1,5", 1.5],
    ["", null],
    ["x", null],
    ["1/0", null],
    ["--1", null],
  ];
  for (const [text, value] of rows) assert.equal(readNumber(text), value, text);
});

test("a rounded answer counts when it has two decimals", () => {
  assert.ok(accepts(2 / 3, "0.67"));
  assert.ok(!accepts(2 / 3, "0.7"));
  assert.ok(!accepts(2 / 3, "0.66"));
});

test("zero is neutral, not positive", () => {
  assert.equal(signOf(0), "zero");
  assert.equal(signOf(-0), "zero");
  assert.equal(signOf(null), "none");
});
