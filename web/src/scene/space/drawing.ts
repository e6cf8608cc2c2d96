/** What is drawn of a moment in space: slabs, stems, tubes and beads, as data for `paint.ts`. */

import { type Curve, Vector3 } from "three";
import { memo, type Program } from "../../app/derive.ts";
import type { Frame } from "../../app/timeline.ts";
import { isConst } from "../../core/index.ts";
import type { WireFrame } from "../frames.ts";
import type { Palette } from "../palette.ts";
import type { Picture } from "../picture.ts";
import { course, type Eye, onSlab, part, type Slab, THICK } from "./geometry.ts";
import type { Drawing, Tube } from "./paint.ts";

/** What the moment gives: the picture, the numbers, and what a wire shows of them. */
export interface Moment {
  readonly program: Program;
  readonly picture: Picture;
  readonly frame: Frame;
  readonly final: boolean;
  /** Whether nothing may travel. */
  readonly calm: boolean;
  readonly palette: Palette;
}

/** A wire at a moment; `isMarked` where someone picked it, `isAsked` where its number is asked for. */
export interface Wire {
  readonly frame: WireFrame;
  readonly isMarked: boolean;
  readonly isAsked: boolean;
}

const FORWARD = 0.018;
const [BACKWARD_LEAST, BACKWARD_MORE] = [0.02, 0.045];
/** How long the trail behind a bead is, of its wire; and how much thicker at the bead. */
const TRAIL = 0.25;
const SWOLLEN = 0.05;

/** Where everything stands at the moment. */
export interface Standing {
  readonly eye: Eye;
  readonly slabs: readonly Slab[];
  readonly lifted: readonly number[];
}

export function drawingOf(moment: Moment, standing: Standing, wires: readonly Wire[]): Drawing {
  const { program, picture, frame, final, palette } = moment;
  const { eye, slabs, lifted } = standing;
  const found = wires.map((wire, id) => drawn(moment, wire, id, standing));
  const acting = frame.event ? picture.itemOf[frame.event.node] : -1;
  const accent = palette[frame.phase === "forward" ? "forward" : "backward"];
  const stems = slabs.flatMap((slab, item) => {
    const { node } = picture.items[item];
    const grad = (final ? program.walk.grads[node] : frame.grad(node)) ?? 0;
    return stem(slab, lifted[item], palette[grad < 0 ? "neg" : grad > 0 ? "pos" : "zero"]);
  });
  return {
    eye,
    blocks: slabs.map((slab, item) => {
      return { slab, lift: lifted[item], color: item === acting ? accent : palette.slab };
    }),
    tubes: [...stems, ...found.flatMap(({ tubes }) => tubes)],
    beads: found.flatMap(({ beads }) => beads),
    line: palette.line,
    glow: palette["floor-light"],
    isDark: Number(/\d+/.exec(palette.text)) > 127,
  };
}

/** Both tubes of a wire, and a bead where a number is on its way. */
function drawn(
  { program, picture, frame, calm, palette }: Moment,
  { frame: its, isMarked, isAsked }: Wire,
  id: number,
  { slabs, lifted }: Standing,
): Pick<Drawing, "tubes" | "beads"> {
  const edge = picture.layout.edges[id];
  const there = course(picture, slabs, lifted, edge, -1);
  const isNow = its.active && frame.phase === "forward";
  const carried = palette[isNow ? "forward" : "forward-wire"];
  const tubes = arrow(
    there,
    0,
    1,
    FORWARD,
    isMarked ? palette.text : its.carried ? carried : palette.edge,
  );
  const beads: { at: Vector3; color: string }[] = [];
  const travel = (
    line: Curve<Vector3>,
    from: number,
    to: number,
    radius: number,
    color: string,
  ): void => {
    const trail = part(line, from, to);
    const radii = trail.map((_, i) => radius + (SWOLLEN * i) / (trail.length - 1));
    tubes.push({ line: trail, radii, color });
    beads.push({ at: line.getPoint(to), color });
  };
  const [onward, home] = calm ? [null, null] : [its.forward, its.backward];
  if (onward !== null) travel(there, Math.max(0, onward - TRAIL), onward, FORWARD, palette.forward);
  const carries = its.push ?? its.lost;
  if (
    isConst(program.graph.nodes[picture.items[edge.source].node]) ||
    !(carries || isMarked || isAsked)
  )
    return { tubes, beads };
  const share = Math.sqrt(Math.abs(carries?.contribution ?? 0) / largestPush(program));
  const radius = BACKWARD_LEAST + BACKWARD_MORE * (share < 1 ? share : 1);
  const full = its.active || isMarked || isAsked ? "backward" : "backward-wire";
  const color = palette[its.lost ? "neg" : full];
  const back = course(picture, slabs, lifted, edge, 1);
  if (home === null) tubes.push(...arrow(back, 1, 0, radius, color));
  else {
    tubes.push(even(part(back, 1, 1 - home), radius, color));
    travel(back, Math.min(1, 1 - home + TRAIL), 1 - home, radius, color);
  }
  return { tubes, beads };
}

const even = (line: readonly Vector3[], radius: number, color: string): Tube => ({
  line,
  radii: line.map(() => radius),
  color,
});

/** A tube from one share of a line to another, that ends in a point. */
function arrow(
  line: Curve<Vector3>,
  from: number,
  to: number,
  radius: number,
  color: string,
): Tube[] {
  const wide = 0.035 + 1.7 * radius;
  const neck = to + (from - to) * Math.min(0.4, (3 * wide) / line.getLength());
  const tip = part(line, neck, to);
  const cone = tip.map((_, i) => wide * (1 - i / (tip.length - 1)));
  const head = { line: [tip[0], ...tip], radii: [0, ...cone], color };
  return [even(part(line, from, neck), radius, color), head];
}

const [STEM, FOOT, RING] = [0.026, 0.1, 24];

/** The stem under a slab that is lifted, and a ring around its foot. */
function stem(slab: Slab, lift: number, color: string): readonly Tube[] {
  if (!lift) return [];
  const foot = new Vector3(slab.x, 0, slab.z);
  const ring = Array.from({ length: RING + 1 }, (_, i) =>
    new Vector3().setFromCylindricalCoords(FOOT, (2 * Math.PI * i) / RING, STEM).add(foot),
  );
  const line = [onSlab(slab, lift, 0, 0, -THICK / 2), foot];
  return [even(line, STEM, color), even(ring, STEM, color)];
}

/** The largest contribution of a walk that can be compared with: the same from its start to its end. */
const largestPush = memo((program: Program): number => {
  let most = 0;
  for (const { pushes } of program.walk.backward)
    for (const { contribution } of pushes) {
      const size = Math.abs(contribution);
      if (size > most && Number.isFinite(size)) most = size;
    }
  return most || 1;
});
