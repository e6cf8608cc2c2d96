/** What is drawn of a moment in space: slabs, stems, tubes and beads, as data for `paint.ts`. */

import { memo, type Program } from "../../app/derive.ts";
import type { Frame } from "../../app/timeline.ts";
import { isConst } from "../../core/index.ts";
import type { WireFrame } from "../frames.ts";
import type { Palette } from "../palette.ts";
import type { Picture } from "../picture.ts";
import { course, type Eye, onSlab, part, type Slab, span, THICK, type Vec } from "./geometry.ts";
import type { Bead, Drawing, Tube } from "./paint.ts";

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

/** A wire at a moment; `isMarked` where someone picked it or is asked for it. */
export interface Wire {
  readonly frame: WireFrame;
  readonly isMarked: boolean;
}

const FORWARD = 0.018;
const [BACKWARD_LEAST, BACKWARD_MORE] = [0.02, 0.045];
/** How long the trail behind a bead is, of its wire; and how much thicker at the bead. */
const TRAIL = 0.25;
const SWOLLEN = 0.05;

export function drawingOf(
  moment: Moment,
  eye: Eye,
  slabs: readonly Slab[],
  lifts: ArrayLike<number>,
  wires: readonly Wire[],
): Drawing {
  const { picture, frame, palette } = moment;
  const found = wires.map((wire, id) => drawn(moment, wire, id, slabs, lifts));
  const acting = frame.event ? picture.itemOf[frame.event.node] : -1;
  const accent = palette[frame.phase === "forward" ? "forward" : "backward"];
  return {
    eye,
    blocks: slabs.map((slab, item) => {
      const color = item === acting ? accent : palette.slab;
      return { slab, lift: lifts[item], color };
    }),
    tubes: [
      ...slabs.flatMap((slab, item) => standing(slab, lifts[item], signColor(moment, item))),
      ...found.flatMap(({ tubes }) => tubes),
    ],
    beads: found.flatMap(({ beads }) => beads),
    line: palette.line,
    glow: palette["floor-light"],
    isDark: Number(/\d+/.exec(palette.text)) > 127,
  };
}

function signColor({ program, picture, frame, final, palette }: Moment, item: number): string {
  const { node } = picture.items[item];
  const grad = (final ? program.walk.grads[node] : frame.grad(node)) ?? 0;
  return palette[grad < 0 ? "neg" : grad > 0 ? "pos" : "zero"];
}

/** Both tubes of a wire, and a bead where a number is on its way. */
function drawn(
  { program, picture, frame, calm, palette }: Moment,
  { frame: its, isMarked }: Wire,
  id: number,
  slabs: readonly Slab[],
  lifts: ArrayLike<number>,
): { tubes: readonly Tube[]; beads: readonly Bead[] } {
  const edge = picture.layout.edges[id];
  const there = course(picture, slabs, lifts, edge, -1);
  const isNow = its.active && frame.phase === "forward";
  const carried = isNow ? palette.forward : palette["forward-wire"];
  const ahead = isMarked ? palette.text : its.carried ? carried : palette.edge;
  const tubes = [...arrow(there, FORWARD, ahead)];
  const beads: Bead[] = [];
  const travel = (line: readonly Vec[], u: number, radius: number, color: string): void => {
    const trail = part(line, Math.max(0, u - TRAIL), Math.max(0.02, u));
    const swollen = trail.map((_, i) => radius + (SWOLLEN * i) / (trail.length - 1));
    tubes.push({ line: trail, radii: swollen, color });
    beads.push({ at: trail[trail.length - 1], color });
  };
  if (!calm && its.forward !== null) travel(there, its.forward, FORWARD, palette.forward);
  const returns = !isConst(program.graph.nodes[picture.items[edge.source].node]);
  const carries = its.push ?? its.lost;
  if (!returns || !(carries || isMarked)) return { tubes, beads };
  const share = Math.sqrt(Math.abs(carries?.contribution ?? 0) / largestPush(program));
  const radius = BACKWARD_LEAST + BACKWARD_MORE * (share < 1 ? share : 1);
  const full = its.active || isMarked;
  const color = its.lost ? palette.neg : palette[full ? "backward" : "backward-wire"];
  const back = [...course(picture, slabs, lifts, edge, 1)].reverse();
  if (calm || its.backward === null) tubes.push(...arrow(back, radius, color));
  else {
    tubes.push(even(part(back, 0, Math.max(0.02, its.backward)), radius, color));
    travel(back, its.backward, radius, color);
  }
  return { tubes, beads };
}

const even = (line: readonly Vec[], radius: number, color: string): Tube => ({
  line,
  radii: line.map(() => radius),
  color,
});

/** A tube that ends in a point. */
function arrow(line: readonly Vec[], radius: number, color: string): readonly Tube[] {
  const wide = 0.035 + 1.7 * radius;
  const neck = 1 - Math.min(0.4, (3 * wide) / span(line));
  const tip = part(line, neck, 1);
  const cone = tip.map((_, i) => wide * (1 - i / (tip.length - 1)));
  const head = { line: [tip[0], ...tip], radii: [0, ...cone], color };
  return [even(part(line, 0, neck), radius, color), head];
}

const [STEM, FOOT, RING] = [0.026, 0.1, 24];

/** The stem under a slab that is lifted, and a ring around its foot. */
function standing(slab: Slab, lift: number, color: string): readonly Tube[] {
  if (!lift) return [];
  const { x, z } = slab;
  const ring = Array.from({ length: RING + 1 }, (_, i): Vec => {
    const angle = (2 * Math.PI * i) / RING;
    return [x + FOOT * Math.cos(angle), STEM, z + FOOT * Math.sin(angle)];
  });
  const stem: Vec[] = [onSlab(slab, lift, 0, 0, -THICK / 2), [x, 0, z]];
  return [even(stem, STEM, color), even(ring, STEM, color)];
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
