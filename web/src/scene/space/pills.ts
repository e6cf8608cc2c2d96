/** Where pills stand: on their wires, or beside them, where they cover least. */

import { Box2, MathUtils, Vector2 } from "three";
import type { Picture } from "../picture.ts";
import { cornersOf, course, type Eye, type Slab, seen } from "./geometry.ts";

export interface Pill {
  readonly wire: number;
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
}

/** The width of a letter, the height of a line, and what is free at both sides together. */
export const LETTER = 7.3;
const [LINE, WIDER, HIGHER] = [14, 16, 6];
const PAD = 4;

/** Where one is tried: at a share of its wire, so many of its own widths and heights aside. */
const PLACES = [0.5, 0.4, 0.6, 0.3, 0.7].flatMap((share) =>
  [0, -0.7, 0.7].flatMap((dx) => [0, 1, -1, 2, -2, 3].map((dy) => [share, dx, dy] as const)),
);

/**
 * Pills with words, one after the other: none moves for the sake of one that comes later. The ones that
 * are `loud` cover others, and keep to their wires.
 */
export function placed(
  picture: Picture,
  { eye, slabs, lifted }: { eye: Eye; slabs: readonly Slab[]; lifted: readonly number[] },
  texts: readonly (readonly string[])[],
  loud: (wire: number) => boolean,
): readonly Pill[] {
  const taken = slabs.map((slab, item) => {
    const corners = cornersOf(slab, lifted[item]).map((corner) => seen(eye, corner));
    return new Box2().setFromPoints(corners.map(({ x, y }) => new Vector2(x, y)));
  });
  const cards = [...taken];
  return texts.flatMap((lines, wire) => {
    if (!lines.length) return [];
    const size = new Vector2(Math.max(...lines.map(({ length }) => length)), lines.length);
    size.multiply(new Vector2(LETTER, LINE)).add(new Vector2(WIDER, HIGHER));
    const line = course(picture, slabs, lifted, picture.layout.edges[wire], 1);
    const most = new Vector2(eye.stage.width, eye.stage.height).sub(size).subScalar(PAD);
    const others = loud(wire) ? cards : taken;
    const tried = PLACES.map(([share, dx, dy]) => {
      const { x, y } = seen(eye, line.getPoint(share));
      const left = MathUtils.clamp(x + (dx - 0.5) * size.x, PAD, most.x);
      const top = MathUtils.clamp(y + dy * (size.y / 2 + 10) - size.y / 2, PAD, most.y);
      const box = new Box2(new Vector2(left, top), new Vector2(left, top).add(size));
      // The middle of its wire is the best place; each step away from it has to pay.
      const cost = 40 * Math.abs(share - 0.5) + 60 * Math.abs(dx) + 80 * dy * dy;
      return { box, cost: others.reduce((sum, other) => sum + shared(box, other), cost) };
    });
    const { box } = tried.reduce((best, one) => (one.cost < best.cost ? one : best));
    taken.push(box);
    return [{ wire, lines, x: Math.round(box.min.x), y: Math.round(box.min.y) }];
  });
}

/** How much two boxes share, with a few pixels between them. */
function shared(one: Box2, other: Box2): number {
  const { x, y } = one.clone().expandByScalar(PAD).intersect(other).getSize(new Vector2());
  return x * y;
}
