import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { accepts, exact, letters, num, readNumber, signOf } from "../../src/strings/format.ts";

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

test("a number takes no more letters than are kept for it, and seldom fewer", () => {
  const check = (x: number): void => {
    assert.ok(num(x).length <= letters(x), `${num(x)} has more than ${letters(x)}`);
  };
  fc.assert(fc.property(fc.double(), check));
  fc.assert(fc.property(fc.double({ min: -2e6, max: 2e6, noNaN: true }), check));
  fc.assert(fc.property(fc.double({ min: -2, max: 2, noNaN: true }), check));
  fc.assert(fc.property(fc.integer({ min: -1e7, max: 1e7 }), check));
  for (const x of [9.9999, 9999.9, 99999.6, 999999.6, 9.9999e-5, 1e-4, 0.99999]) check(x);
  for (const x of [-1.234e-300, 0.1234, 0.01234, -1.234, 7, 10, 123456])
    assert.equal(letters(x), num(x).length);
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
