/** What is drawn: each wire has a line of its own, and axes have round numbers. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { programOf } from "../../src/app/derive.ts";
import { parse, snapshot } from "../../src/core/index.ts";
import { pictureOf } from "../../src/scene/picture.ts";
import { roundStep, ticks } from "../../src/teach/ticks.ts";

test("two arrows of one leaf are two lines, wherever they go along one way", () => {
  for (const text of [
    "tanh(a*b+c)*exp(a)*exp(b)*tanh(c)+a*b*c+a+b+c",
    "a*(a+1)*(a+2)*(a+3)*(a+4)*(a+5)*(a+6)*a + a",
    "d = a*b; e = exp(exp(exp(d))); e*d + d",
  ])
    for (const [width, height] of [
      [366, 400],
      [900, 490],
      [1300, 700],
    ]) {
      const expression = parse(text);
      const values = Object.fromEntries(expression.names.map((name) => [name, 0.5]));
      const program = programOf(snapshot(expression.evaluate(values)));
      const picture = pictureOf(program, { opened: new Set(), stage: { width, height } });
      const runs = picture.layout.edges.flatMap(({ source, points }, edge) =>
        points.flatMap((to, i) => {
          const from = points[i - 1];
          if (i < 2 || i === points.length - 1) return [];
          const [along, across] = picture.down ? (["y", "x"] as const) : (["x", "y"] as const);
          if (from[across] !== to[across]) return [];
          return [{ edge, source, from: from[along], to: to[along], at: to[across] - to.spread }];
        }),
      );
      for (const one of runs)
        for (const other of runs) {
          if (one.source !== other.source || one.edge >= other.edge) continue;
          const meet = one.from < other.to && other.from < one.to;
          assert.ok(!meet || Math.abs(one.at - other.at) > 0.5, `${text} ${width} ${one.at}`);
        }
    }
});

test("ticks are round, in order, between their ends and not too many", () => {
  assert.deepEqual(ticks(0, 28.14, 5), [0, 10, 20]);
  assert.deepEqual(ticks(-0.3, 0.3, 3), [-0.2, 0, 0.2]);
  assert.deepEqual([roundStep(1), roundStep(1.1), roundStep(0.021)], [1, 2, 0.05]);
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
      fc.integer({ min: 2, max: 12 }),
      (low, size, count) => {
        const found = ticks(low, low + size, count);
        assert.ok(found.length <= count + 1, `${found.length}`);
        for (const [i, tick] of found.entries()) {
          assert.ok(tick >= low - 1e-6 * size && tick <= low + size + 1e-6 * size);
          if (i) assert.ok(tick > found[i - 1]);
        }
      },
    ),
  );
});
