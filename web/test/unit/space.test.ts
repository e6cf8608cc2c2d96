/** Where slabs, labels and the eye are in space, by numbers. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FRONT, TURNS } from "../../src/app/state.ts";
import {
  cornersOf,
  eyeOf,
  labelSize,
  laid,
  nearer,
  onSlab,
  type Slab,
  seen,
  THICK,
  turned,
} from "../../src/scene/space/geometry.ts";

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const slabs: fc.Arbitrary<Slab[]> = fc.array(
  fc.record({
    x: between(-12, 12),
    z: between(-8, 8),
    width: fc.constantFrom(1.6, 2),
    height: fc.constantFrom(0.9, 1.2),
    rest: fc.constant(0.3),
  }),
  { minLength: 1, maxLength: 12 },
);
const orbits = fc.record({
  turn: between(...TURNS.turn),
  tilt: between(...TURNS.tilt),
  near: fc.constant(1),
  x: fc.constant(0),
  y: fc.constant(0),
});
const stages = fc.record({
  width: fc.integer({ min: 480, max: 2000 }),
  height: fc.integer({ min: 240, max: 1200 }),
});

test("wherever cards are, and from every side, all are on the stage, at rest and lifted", () => {
  fc.assert(
    fc.property(slabs, orbits, stages, (slabs, orbit, stage) => {
      const eye = eyeOf(slabs, orbit, stage);
      for (const slab of slabs)
        for (const lift of [0, 0.3, 1])
          for (const corner of cornersOf(slab, lift)) {
            const { x, y } = seen(eye, corner);
            assert.ok(x >= 0 && x <= stage.width && y >= 0 && y <= stage.height, `${x} ${y}`);
          }
    }),
    { numRuns: 200 },
  );
});

test("the eye comes as near as the stage allows: some card is at its edge, or a unit is 132 pixels", () => {
  fc.assert(
    fc.property(slabs, orbits, stages, (slabs, orbit, stage) => {
      const eye = eyeOf(slabs, orbit, stage);
      const spots = slabs.flatMap((slab) =>
        [0, 1].flatMap((lift) => cornersOf(slab, lift).map((corner) => seen(eye, corner))),
      );
      const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)];
      const near = (a: number, b: number): boolean => Math.abs(a - b) < 0.01;
      const isWide = near(Math.min(...xs), 20) && near(Math.max(...xs), stage.width - 20);
      const isTall = near(Math.min(...ys), 16) && near(Math.max(...ys), stage.height - 40);
      assert.ok(isWide || isTall || near(eye.scale, 132));
    }),
    { numRuns: 200 },
  );
});

test("a label's matrix puts each of its points where the slab's face has it", () => {
  fc.assert(
    fc.property(slabs, orbits, between(0, 1), ([slab], orbit, lift) => {
      const eye = eyeOf(
        [slab],
        { ...orbit, near: 1.5, x: 20, y: -30 },
        { width: 900, height: 600 },
      );
      const m = laid(eye, slab, lift).slice(9, -1).split(",").map(Number);
      const { width, height } = labelSize(slab, eye);
      for (const [u, v] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [0.3, 0.8],
      ]) {
        const [px, py] = [u * width, v * height];
        const w = m[3] * px + m[7] * py + m[15];
        const [right, up] = [slab.width / 2 - 0.05, slab.height / 2 - 0.05];
        const spot = onSlab(slab, lift, (2 * u - 1) * right, (1 - 2 * v) * up, THICK / 2);
        const { x, y } = seen(eye, spot);
        assert.ok(Math.abs((m[0] * px + m[4] * py + m[12]) / w - x) < 0.01);
        assert.ok(Math.abs((m[1] * px + m[5] * py + m[13]) / w - y) < 0.01);
      }
    }),
    { numRuns: 100 },
  );
});

test("one turns by 35 degrees to each side and tilts from 25 to 50, however far one drags", () => {
  const degrees = (angle: number): number => Math.round((angle * 180) / Math.PI);
  assert.deepEqual([FRONT.turn, FRONT.tilt].map(degrees), [-9, 40]);
  const ends = [turned(FRONT, 99, 99), turned(FRONT, -99, -99)];
  assert.deepEqual(
    ends.map(({ turn, tilt }) => [degrees(turn), degrees(tilt)]),
    [
      [35, 50],
      [-35, 25],
    ],
  );
  assert.equal(nearer(FRONT, 99).near, 6);
});
