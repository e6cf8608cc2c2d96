import assert from "node:assert/strict";
import { test } from "node:test";
import palette from "../../../src/gradwalk/render/palette.css";

type Scheme = "light" | "dark";

const TOKENS = new Map(
  [...palette.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name, light, dark]) => [name, { light, dark }],
  ),
);

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string, scheme: Scheme): number {
  const [x, y] = [luminance(TOKENS.get(one)![scheme]), luminance(TOKENS.get(other)![scheme])].sort(
    (a, b) => b - a,
  );
  return (x + 0.05) / (y + 0.05);
}

const PAPERS = ["ground", "surface", "card", "field", "forward-wash", "backward-wash"];
const INKS = ["text", "muted", "pos", "neg", "zero"];
const PAIRS: [string, string][] = [
  ...PAPERS.flatMap((paper) => INKS.map((ink): [string, string] => [ink, paper])),
  ["backward", "surface"],
  ["backward", "backward-wash"],
  ["forward", "surface"],
  ["forward", "forward-wash"],
  ["neg", "wrong-wash"],
  ["text", "wrong-wash"],
  ["pos", "right-wash"],
  ["pos", "wrong-wash"],
  ["text", "line"],
  ["ground", "muted"],
];

test("every pair that carries text has a contrast of at least 4.5", () => {
  for (const scheme of ["light", "dark"] as const)
    for (const [ink, paper] of PAIRS) {
      const found = contrast(ink, paper, scheme);
      assert.ok(found >= 4.5, `${ink} on ${paper}, ${scheme}: ${found.toFixed(2)}`);
    }
});

test("edges of controls and the focus ring can be told from their ground", () => {
  for (const scheme of ["light", "dark"] as const)
    for (const mark of ["edge", "focus", "forward", "backward"])
      for (const paper of ["ground", "surface", "card"])
        assert.ok(contrast(mark, paper, scheme) >= 3, `${mark} on ${paper}, ${scheme}`);
});
