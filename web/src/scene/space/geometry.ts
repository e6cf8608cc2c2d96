/**
 * The picture on a floor, as numbers: slabs tilted like lecterns, wires between them, and the eye.
 *
 * A hundred pixels of the layout are one unit: x to the right, y up, z to the viewer. A slab stands as
 * high as its gradient is large. Pure: `paint.ts` draws it, `view.ts` lays HTML on it.
 */

import type { Program } from "../../app/derive.ts";
import { type Orbit, TURNS } from "../../app/state.ts";
import { ease, type Frame } from "../../app/timeline.ts";
import type { Box, Edge } from "../../core/index.ts";
import type { Size } from "../camera.ts";
import { largestGrad } from "../frames.ts";
import type { Picture } from "../picture.ts";

export type Vec = readonly [x: number, y: number, z: number];

const UNIT = 100;
export const THICK = 0.2;
const TILT = Math.PI / 6;
const [RISE, RUN] = [Math.sin(TILT), Math.cos(TILT)];
/** How far the largest gradient lifts its card. */
const LIFT = 1.1;
/** The edge of a slab that its label leaves free. */
const BEVEL = 0.05;

export const FOV = 22;
const TANGENT = Math.tan((FOV * Math.PI) / 360);
/** A few cards do not fill the stage: one unit has no more pixels than this. */
const LARGEST = 132;
const PAD = { side: 20, top: 16, bottom: 40 };

const dot = ([x, y, z]: Vec, [a, b, c]: Vec): number => x * a + y * b + z * c;
const plus = ([x, y, z]: Vec, [a, b, c]: Vec, k = 1): Vec => [x + a * k, y + b * k, z + c * k];

// ── Turning ────────────────────────────────────────────────────────────────────────────────────

const within = (x: number, [low, high]: readonly [number, number]): number =>
  Math.max(low, Math.min(high, x));

export function turned(orbit: Orbit, turn: number, tilt: number): Orbit {
  const next = { turn: orbit.turn + turn, tilt: orbit.tilt + tilt };
  return { ...orbit, turn: within(next.turn, TURNS.turn), tilt: within(next.tilt, TURNS.tilt) };
}

export function nearer(orbit: Orbit, factor: number): Orbit {
  const near = within(orbit.near * factor, TURNS.near);
  const ratio = near / orbit.near;
  return { ...orbit, near, x: orbit.x * ratio, y: orbit.y * ratio };
}

// ── Slabs ──────────────────────────────────────────────────────────────────────────────────────

/** A card's slab: its middle on the floor, its size, and how high the middle is at rest. */
export interface Slab {
  readonly x: number;
  readonly z: number;
  readonly width: number;
  readonly height: number;
  readonly rest: number;
}

export function slabsOf({ layout }: Picture): readonly Slab[] {
  return layout.cards.map((box: Box) => {
    const [width, height] = [box.width / UNIT, box.height / UNIT];
    return {
      x: (box.x + (box.width - layout.width) / 2) / UNIT,
      z: (box.y + (box.height - layout.height) / 2) / UNIT,
      width,
      height,
      rest: (height * RISE + THICK * RUN) / 2 + 0.02,
    };
  });
}

/** A point of a slab that is lifted: to the right of its middle, up along its face, out of it. */
export function onSlab(slab: Slab, lift: number, right: number, up: number, out = 0): Vec {
  const high = slab.rest + lift + up * RISE + out * RUN;
  return [slab.x + right, high, slab.z - up * RUN + out * RISE];
}

/** The size of a slab's label in its own pixels, of which a unit has so many. */
export function labelSize({ width, height }: Slab, fine: number): Size {
  return { width: (width - 2 * BEVEL) * fine, height: (height - 2 * BEVEL) * fine };
}

/** How high a gradient lifts its card; 0 for none. */
function lift(grad: number | null, most: number): number {
  if (grad === null || grad === 0) return 0;
  const share = Math.sqrt(Math.abs(grad) / most);
  return LIFT * (Number.isFinite(share) ? within(share, [0.15, 1]) : 1);
}

/** How high each card stands at a moment; where a number has just changed, on its way. */
export function lifts(
  program: Program,
  { items }: Picture,
  frame: Frame,
  { final, calm }: { final: boolean; calm: boolean },
): Float64Array {
  const most = largestGrad(program.walk);
  const of = (id: number): number => {
    if (final) return lift(program.walk.grads[id], most);
    const to = lift(frame.grad(id), most);
    const { last, glow } = frame.node(id);
    if (calm || glow === 0) return to;
    const from = lift(last?.before ?? 0, most);
    return from + (to - from) * ease(1 - glow);
  };
  return Float64Array.from(items, ({ node, group }) =>
    Math.max(...(group?.cells.length ? group.cells : [node]).map(of)),
  );
}

// ── Wires ──────────────────────────────────────────────────────────────────────────────────────

const LEAD = 0.16;
const STEPS = 18;
/** Half the distance between both tubes of a wire, in pixels of the layout. */
const SPREAD = 9;

/**
 * The middle line of a tube from input to consumer: straight out of the card, level curves past the
 * cards between, straight into the other. `side` is −1 forward, 1 backward, 0 between both.
 */
export function course(
  { layout }: Picture,
  slabs: readonly Slab[],
  lifted: ArrayLike<number>,
  edge: Edge,
  side: -1 | 0 | 1,
): readonly Vec[] {
  const { points, source, target } = edge;
  const port = (item: number, i: number, way: number): Vec => {
    const { y, height } = layout.cards[item];
    const below = points[i].y + side * SPREAD - y - height / 2;
    return onSlab(slabs[item], lifted[item], (way * slabs[item].width) / 2, -below / UNIT);
  };
  const last = points.length - 1;
  const [start, end] = [port(source, 0, 1), port(target, last, -1)];
  const [from, to] = [plus(start, [LEAD, 0, 0]), plus(end, [-LEAD, 0, 0])];
  const between = points.slice(1, last).map(({ x, y }): Vec => {
    const across = (x - layout.width / 2) / UNIT;
    const share = within((across - from[0]) / (to[0] - from[0]), [0, 1]);
    const away = (y + side * SPREAD - layout.height / 2) / UNIT;
    return [across, from[1] + (to[1] - from[1]) * share, away];
  });
  const turns = [from, ...between.filter(([x]) => x > from[0] && x < to[0]), to];
  const line: Vec[] = [start];
  turns.forEach((there, i) => {
    const here = turns[i - 1];
    for (let n = 1; here && n < STEPS; n++) {
      const u = n / STEPS;
      const level = 1.5 * u - 1.5 * u * u + u * u * u;
      const rise = 3 * u * u - 2 * u * u * u;
      const by = plus(there, here, -1);
      line.push(plus(here, [by[0] * level, by[1] * rise, by[2] * rise]));
    }
    line.push(there);
  });
  return [...line, end];
}

function apart(p: Vec, q: Vec): number {
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/** The length of a line. */
export function span(line: readonly Vec[]): number {
  return line.reduce((all, p, i) => all + (i ? apart(p, line[i - 1]) : 0), 0);
}

/** The part of a line between two shares of its length. */
export function part(line: readonly Vec[], from: number, to: number): readonly Vec[] {
  const all = span(line);
  const [low, high] = [from * all, Math.min(1, to) * all - 1e-9];
  const found: Vec[] = [];
  let at = 0;
  for (let i = 1; i < line.length; i++) {
    const [p, by] = [line[i - 1], plus(line[i], line[i - 1], -1)];
    const next = at + apart(line[i], p);
    const place = (where: number): Vec => plus(p, by, (where - at) / (next - at || 1));
    if (!found.length && next > low) found.push(place(low));
    if (next >= high) return [...found, place(high)];
    if (found.length) found.push(line[i]);
    at = next;
  }
  return found;
}

// ── The eye ────────────────────────────────────────────────────────────────────────────────────

/** Where one looks from: a place, three directions, and how a stage shows it, in pixels. */
export interface Eye {
  readonly at: Vec;
  readonly right: Vec;
  readonly up: Vec;
  readonly ahead: Vec;
  readonly stage: Size;
  readonly orbit: Orbit;
  /** Pixels of what is as far away as it is wide. */
  readonly focus: number;
  /** Pixels of a unit in the middle of the floor. */
  readonly scale: number;
}

/**
 * The eye that sees every card of a picture, at rest and lifted as far as any, in closed form: seen
 * from a direction, each point bounds how near the eye may be from two sides. So nothing that plays
 * and no slider moves it.
 */
export function eyeOf(slabs: readonly Slab[], orbit: Orbit, stage: Size): Eye {
  const [sin, cos] = [Math.sin(orbit.turn), Math.cos(orbit.turn)];
  const [high, flat] = [Math.sin(orbit.tilt), Math.cos(orbit.tilt)];
  const right: Vec = [cos, 0, -sin];
  const ahead: Vec = [-sin * flat, -high, -cos * flat];
  const up: Vec = [-sin * high, flat, -cos * high];
  const focus = stage.height / 2 / TANGENT;
  const corners = slabs.flatMap((slab) =>
    [0, LIFT].flatMap((lift) =>
      [-0.5, 0.5].flatMap((x) =>
        [-0.5, 0.5].map((y) => onSlab(slab, lift, x * slab.width, y * slab.height)),
      ),
    ),
  );
  /** How near the eye may be, and where it then is between both sides. */
  const bounds = (way: Vec, before: number, behind: number): [number, (near: number) => number] => {
    const [low, most] = [before / focus, behind / focus];
    const least = Math.min(...corners.map((p) => dot(p, way) + low * dot(p, ahead)));
    const greatest = Math.max(...corners.map((p) => dot(p, way) - most * dot(p, ahead)));
    const near = (least - greatest) / (low + most);
    return [near, (depth) => (greatest + most * depth + least - low * depth) / 2];
  };
  const half = stage.width / 2 - PAD.side;
  const [wide, across] = bounds(right, half, half);
  const [tall, above] = bounds(up, stage.height / 2 - PAD.bottom, stage.height / 2 - PAD.top);
  const depth = Math.min(wide, tall, -focus / LARGEST);
  const across0 = across(depth);
  const at = plus(plus(plus([0, 0, 0], ahead, depth), right, across0), up, above(depth));
  const scale = (focus * orbit.near) / -depth;
  return { at, right, up, ahead, stage, orbit, focus: focus * orbit.near, scale };
}

/** Where on the stage a point is seen, and how far away it is. */
export function seen(eye: Eye, point: Vec): { x: number; y: number; away: number } {
  const [x, y, away] = shown(eye, plus(point, eye.at, -1));
  return { x: x / away, y: y / away, away };
}

/** A direction in homogeneous pixels of the stage. */
function shown({ right, up, ahead, stage, orbit, focus }: Eye, by: Vec): Vec {
  const away = dot(by, ahead);
  const x = focus * dot(by, right) + (stage.width / 2 + orbit.x) * away;
  return [x, -focus * dot(by, up) + (stage.height / 2 + orbit.y) * away, away];
}

/**
 * The matrix that lays a label onto its slab, from its own pixels to those of the stage: straight lines
 * stay straight, so one is enough.
 */
export function laid(eye: Eye, slab: Slab, lift: number, fine: number): string {
  const [right, up] = [slab.width / 2 - BEVEL, slab.height / 2 - BEVEL];
  const origin = shown(eye, plus(onSlab(slab, lift, -right, up, THICK / 2), eye.at, -1));
  const x = shown(eye, [1 / fine, 0, 0]);
  const y = shown(eye, [0, -RISE / fine, RUN / fine]);
  const column = ([a, b, w]: Vec): string =>
    [a, b, 0, w].map((n) => Number((n / origin[2]).toPrecision(9))).join();
  return `matrix3d(${column(x)},${column(y)},0,0,1,0,${column(origin)})`;
}
