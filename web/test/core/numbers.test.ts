/** Numbers as Python writes them, and the functions that JavaScript lacks. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BY_NAME, number, repr, utf16Index } from "../../src/core/index.ts";

test("a number has six significant digits, and an exponent of two", () => {
  const shown: [number, string][] = [
    [2, "2"],
    [-0, "0"],
    [0.1, "0.1"],
    [1 / 3, "0.333333"],
    [123456789, "1.23457e+08"],
    [1e-9, "1e-09"],
    [1e20, "1e+20"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [999999.5, "1e+06"],
    [NaN, "nan"],
    [Infinity, "inf"],
    [-Infinity, "-inf"],
    [1e-300, "1e-300"],
    [-2.5, "-2.5"],
  ];
  for (const [x, text] of shown) assert.equal(number(x), text);
});

test("half way between two texts the even one is taken, as in Python", () => {
  assert.equal(number(100000.5), "100000");
  assert.equal(number(100001.5), "100002");
  assert.equal(number(0.5 + 2 ** 20), "1.04858e+06");
});

test("repr is that of Python", () => {
  const shown: [number | string, string][] = [
    [2, "2.0"],
    [-0, "-0.0"],
    [1e-5, "1e-05"],
    [1e16, "1e+16"],
    [123456789012345680, "1.2345678901234568e+17"],
    [0.0001, "0.0001"],
    [NaN, "nan"],
    ["a", "'a'"],
    ["it's", `"it's"`],
    ["\n\u200b", "'\\n\\u200b'"],
  ];
  for (const [thing, text] of shown) assert.equal(repr(thing), text);
});

test("a column counts code points, an index halves of some", () => {
  assert.equal(utf16Index("ab", 1), 1);
  assert.equal(utf16Index("😀b", 1), 2);
  assert.equal(utf16Index("b", 9), 1);
});

test("erf and erfc are right where tables have them", () => {
  const erf = BY_NAME.get("erf")!.value;
  const erfc = BY_NAME.get("erfc")!.value;
  const near = (x: number, y: number): void =>
    assert.ok(Math.abs(x - y) <= 4e-16 * Math.abs(y), `${x} ${y}`);
  near(erf(0.5), 0.5204998778130465);
  near(erf(-1), -0.8427007929497149);
  near(erf(1e-300), 1.1283791670955126e-300);
  near(erfc(1), 0.15729920705028513);
  near(erfc(5), 1.5374597944280349e-12);
  near(erfc(-3), 1.9999779095030015);
  assert.deepEqual([erf(Infinity), erf(-7), erfc(-7), erfc(40), erf(NaN)], [1, -1, 2, 0, NaN]);
  assert.equal(Object.is(erf(-0), -0), true);
});

test("pow is that of C where JavaScript's is not", () => {
  const pow = BY_NAME.get("pow")!.value;
  assert.deepEqual([pow(1, NaN), pow(1, Infinity), pow(-1, -Infinity), pow(NaN, 0)], [1, 1, 1, 1]);
  assert.deepEqual([pow(-8, 1 / 3), pow(0, -1), pow(-0, -1)], [NaN, Infinity, -Infinity]);
});
