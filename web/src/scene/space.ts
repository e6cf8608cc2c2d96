/**
 * The picture in three dimensions: the same cards, standing above a floor. Pure; the scene draws it.
 *
 * The floor is the 2D picture. A card stands as high above it as its gradient is large, on a scale of
 * three decades: whatever the output depends on most is nearest to the eye. Cards always face the
 * eye, so one can turn the floor any way and read every card.
 */

import type { Program } from "../app/derive.ts";
import { FRONT, type Orbit } from "../app/state.ts";
import { ease, type Frame } from "../app/timeline.ts";
import type { Box, Edge, Point } from "../core/index.ts";
import { fitScale, type Size } from "./camera.ts";
import { largestGrad } from "./frames.ts";
import type { Face, Item, Picture } from "./picture.ts";
import type { Wire } from "./wire.ts";

/** More cards than this stay flat. */
export const MOST_CARDS = 150;

const TILT_MOST = 1.45;
const [NEAR_LEAST, NEAR_MOST] = [0.5, 6];
const SCALE_MOST = 1.4;
/** A few cards stay large enough to read, however small the floor is seen. */
const FEW_CARDS = 24;
const LEAST_SCALE: Record<Face, number> = { full: 0.62, low: 0.78, narrow: 0.78 };

export function turned(orbit: Orbit, turn: number, tilt: number): Orbit {
  const full = 2 * Math.PI;
  return {
    ...orbit,
    turn: (((orbit.turn + turn) % full) + full) % full,
    tilt: Math.max(-TILT_MOST, Math.min(TILT_MOST, orbit.tilt + tilt)),
  };
}

export function nearer(orbit: Orbit, factor: number): Orbit {
  const near = Math.max(NEAR_LEAST, Math.min(NEAR_MOST, orbit.near * factor));
  const ratio = near / orbit.near;
  return { ...orbit, near, x: orbit.x * ratio, y: orbit.y * ratio };
}

/** A place on the screen: how large things are there, and how near to the eye. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly depth: number;
}

export type Project = (x: number, y: number, z: number) => Spot;

/** The scene as it is seen at a moment: cards by item, wires by edge of the layout. */
export interface View {
  readonly cards: readonly Spot[];
  /** Where each card stands on the floor: for its stem. */
  readonly feet: readonly Spot[];
  readonly wires: readonly Wire[];
  readonly pills: readonly (Spot | null)[];
  /** The floor and the places of the cards on it, as paths. */
  readonly floor: string;
  readonly places: string;
  readonly scale: number;
}

const DECADES = 3;

/** 0 … 1: how high a gradient lifts its card; 0 for none. */
export function lift(grad: number | null, most: number): number {
  if (grad === null || grad === 0) return 0;
  const share = Math.abs(grad) / most;
  if (!Number.isFinite(share)) return 1;
  return Math.max(0.04, Math.min(1, 1 + Math.log10(share) / DECADES));
}

/** How high each card stands at a moment; where a number has just changed, on its way. */
export function heights(
  program: Program,
  picture: Picture,
  frame: Frame,
  final: boolean,
): Float64Array {
  const most = largestGrad(program.walk);
  return Float64Array.from(picture.items, (item) => {
    let highest = 0;
    for (const id of nodesOf(item)) {
      const to = lift(final ? program.walk.grads[id] : frame.grad(id), most);
      if (final || id !== frame.event?.push?.to) {
        highest = Math.max(highest, to);
        continue;
      }
      const { last, glow } = frame.node(id);
      const from = glow > 0 && last ? lift(last.before, most) : to;
      highest = Math.max(highest, from + (to - from) * ease(1 - glow));
    }
    return highest;
  });
}

function nodesOf({ node, group }: Item): readonly number[] {
  return group?.cells.length ? group.cells : [node];
}

export function viewOf(
  { layout, down, face }: Picture,
  lifts: Float64Array,
  orbit: Orbit,
  stage: Size,
): View {
  const side = Math.min(layout.width, layout.height);
  // On a phone, rows follow one another closely: a card must not rise into the one before.
  const top = down ? Math.max(70, 0.2 * side) : Math.max(110, Math.min(360, 0.4 * side));
  const project = projection(layout, top, orbit, stage);
  const centre = ({ x, y, width, height }: Box): [number, number] => [
    x + width / 2,
    y + height / 2,
  ];
  const least = layout.cards.length <= FEW_CARDS ? LEAST_SCALE[face] : 0;
  // Seen whole, every card stays on the stage, even one that is larger than its place.
  const room = orbit.near <= 1 && orbit.x === 0 && orbit.y === 0 ? stage : null;
  const readable = (spot: Spot): Spot => ({ ...spot, scale: Math.max(spot.scale, least) });
  const z = (item: number): number => lifts[item] * top;
  const at = (edge: Edge, along: number): number => {
    const [from, to] = [z(edge.source), z(edge.target)];
    return from + (to - from) * along;
  };
  const labelled = layout.edges.filter(({ pill }) => pill);
  const seen = [
    ...layout.cards.map((box, item) => readable(project(...centre(box), z(item)))),
    ...labelled.map((edge) => {
      const [x, y] = centre(edge.pill!);
      return readable(project(x, y, at(edge, shareOf(edge, down, down ? y : x))));
    }),
  ];
  const boxes = [...layout.cards, ...labelled.map(({ pill }) => pill!)];
  const found = spread(seen, boxes, room);
  const cards = found.slice(0, layout.cards.length);
  // A card that gives way to another takes its foot and its wires along: its height stays true.
  const aside = cards.map(({ x, y }, item) => ({ x: x - seen[item].x, y: y - seen[item].y }));
  const placed = (edge: Edge): Place => {
    const [from, to] = [aside[edge.source], aside[edge.target]];
    return (x, y) => {
      const share = shareOf(edge, down, down ? y : x);
      const spot = project(x, y, at(edge, share));
      return {
        ...spot,
        x: spot.x + from.x + (to.x - from.x) * share,
        y: spot.y + from.y + (to.y - from.y) * share,
      };
    };
  };
  const pillOf = new Map(labelled.map((edge, i) => [edge, found[cards.length + i]]));
  const foot = (x: number, y: number, item: number): Spot => {
    const spot = project(x, y, 0);
    return { ...spot, x: spot.x + aside[item].x, y: spot.y + aside[item].y };
  };
  return {
    cards,
    feet: layout.cards.map((box, item) => foot(...centre(box), item)),
    wires: layout.edges.map((edge) => wire(edge, down, placed(edge))),
    pills: layout.edges.map((edge) => pillOf.get(edge) ?? null),
    floor: polygon((x, y) => project(x, y, 0), {
      x: 0,
      y: 0,
      width: layout.width,
      height: layout.height,
    }),
    places: layout.cards.map((box, item) => polygon((x, y) => foot(x, y, item), box)).join(""),
    scale: Math.max(project.scale, least),
  };
}

/** Where on the screen a point of the floor is seen, or one above it. */
type Place = (x: number, y: number) => Spot;

/** How far apart cards and pills stand at least, in pixels. */
const APART = 6;
/** How many pairs are looked at, at most: a turn by hand stays smooth. */
const MOST_PAIRS = 300_000;
const MOST_TURNS = 80;
const SMALLER = 0.9;
const MOST_SMALLER = 6;

/**
 * Spots moved until none covers another: each pair goes apart the shorter way. Where there is no
 * room for that, all of them become smaller.
 */
function spread(spots: readonly Spot[], boxes: readonly Size[], stage: Size | null): Spot[] {
  const pairs = (spots.length * (spots.length - 1)) / 2;
  const turns = Math.min(MOST_TURNS, Math.ceil(MOST_PAIRS / Math.max(1, pairs)));
  for (let [tried, factor] = [0, 1]; ; tried++, factor *= SMALLER) {
    const bodies = spots.map(({ x, y, scale }, i) => bodyOf(x, y, boxes[i], scale * factor));
    if (settle(bodies, stage, turns) || tried === MOST_SMALLER)
      return spots.map((spot, i) => {
        const { x, y } = bodies[i];
        return { ...spot, x, y, scale: spot.scale * factor };
      });
  }
}

interface Body {
  x: number;
  y: number;
  /** Half of its width and of its height. */
  readonly wide: number;
  readonly high: number;
}

function bodyOf(x: number, y: number, { width, height }: Size, scale: number): Body {
  return { x, y, wide: (width * scale) / 2, high: (height * scale) / 2 };
}

/** Push bodies apart, in place; return whether none covers another. */
function settle(bodies: readonly Body[], stage: Size | null, turns: number): boolean {
  for (let turn = 0; turn < turns; turn++) {
    let isClear = true;
    if (stage)
      for (const body of bodies) {
        body.x = Math.max(body.wide, Math.min(stage.width - body.wide, body.x));
        body.y = Math.max(body.high, Math.min(stage.height - body.high, body.y));
      }
    for (let i = 0; i < bodies.length; i++)
      for (let j = 0; j < i; j++) if (pushed(bodies[i], bodies[j])) isClear = false;
    if (isClear) return true;
  }
  return false;
}

/** Move two bodies apart if they meet, each half of the way. */
function pushed(one: Body, other: Body): boolean {
  const [dx, dy] = [one.x - other.x, one.y - other.y];
  const wide = one.wide + other.wide + APART - Math.abs(dx);
  const high = one.high + other.high + APART - Math.abs(dy);
  if (wide <= 0.5 || high <= 0.5) return false;
  const [x, y] = high <= wide ? [0, dy < 0 ? -high : high] : [dx < 0 ? -wide : wide, 0];
  one.x += x / 2;
  one.y += y / 2;
  other.x -= x / 2;
  other.y -= y / 2;
  return true;
}

function polygon(place: Place, { x, y, width, height }: Box): string {
  const corners = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ].map(([a, b]) => spotText(place(a, b)));
  return `M${corners.join("L")}z`;
}

const spotText = ({ x, y }: Spot): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** Where on the screen a point of the floor, or above it, is seen; all of it fits the stage. */
function projection(
  { width, height, cards }: Picture["layout"],
  top: number,
  orbit: Orbit,
  stage: Size,
): Project & { scale: number } {
  // A long picture, turned as much as a square one, would be mostly height.
  const turn = orbit.turn + (1 - Math.min(1, (2.4 * height) / width)) * -FRONT.turn;
  const [sinTurn, cosTurn] = [Math.sin(turn), Math.cos(turn)];
  const [sinTilt, cosTilt] = [Math.sin(orbit.tilt), Math.cos(orbit.tilt)];
  const distance = 2.6 * Math.max(width, height, 600);
  const raw: Project = (x, y, z) => {
    const [cx, cy, cz] = [x - width / 2, y - height / 2, z - top / 2];
    // Turn the floor in its plane, then lay it back.
    const [tx, ty] = [cx * cosTurn - cy * sinTurn, cx * sinTurn + cy * cosTurn];
    const [sy, depth] = [ty * cosTilt - cz * sinTilt, ty * sinTilt + cz * cosTilt];
    const scale = distance / (distance - depth);
    return { x: tx * scale, y: sy * scale, scale, depth };
  };
  // As large as the stage allows, whatever the heights are: it does not breathe while it plays.
  let [left, right, low, high] = [0, 0, 0, 0];
  for (const { x, y, width, height } of cards)
    for (const z of [0, top]) {
      const spot = raw(x + width / 2, y + height / 2, z);
      left = Math.min(left, spot.x - (width / 2) * spot.scale);
      right = Math.max(right, spot.x + (width / 2) * spot.scale);
      low = Math.min(low, spot.y - (height / 2) * spot.scale);
      high = Math.max(high, spot.y + (height / 2) * spot.scale);
    }
  const whole = fitScale({ width: right - left, height: high - low }, stage);
  const k = Math.min(SCALE_MOST, whole) * orbit.near;
  const [midX, midY] = [(left + right) / 2, (low + high) / 2];
  const project: Project = (x, y, z) => {
    const spot = raw(x, y, z);
    return {
      x: stage.width / 2 + orbit.x + (spot.x - midX) * k,
      y: stage.height / 2 + orbit.y + (spot.y - midY) * k,
      scale: spot.scale * k,
      depth: spot.depth,
    };
  };
  return Object.assign(project, { scale: k });
}

// ── Wires ──────────────────────────────────────────────────────────────────────────────────────

/** How far along its wire a place lies, 0 … 1. */
function shareOf(edge: Edge, down: boolean, place: number): number {
  const along = (p: Point): number => (down ? p.y : p.x);
  const [start, end] = [along(edge.points[0]), along(edge.points.at(-1)!)];
  return Math.max(0, Math.min(1, (place - start) / Math.max(1, end - start)));
}

const STEPS = 6;

function wire(edge: Edge, down: boolean, place: Place): Wire {
  const points = (side: number): Spot[] => {
    const found: Spot[] = [];
    const add = (along: number, across: number): void => {
      found.push(down ? place(across, along) : place(along, across));
    };
    edge.points.forEach((p, i) => {
      const [along, across] = down ? [p.y, p.x + side * p.spread] : [p.x, p.y + side * p.spread];
      if (i) {
        const last = edge.points[i - 1];
        const [from, level] = down
          ? [last.y, last.x + side * last.spread]
          : [last.x, last.y + side * last.spread];
        // The cubic that leaves and arrives level, as in 2D.
        for (let n = 1; n < STEPS; n++) {
          const t = n / STEPS;
          const rise = 3 * t * t - 2 * t * t * t;
          const run = 1.5 * t - 1.5 * t * t + t * t * t;
          add(from + (along - from) * run, level + (across - level) * rise);
        }
      }
      add(along, across);
    });
    return found;
  };
  const [up, back] = [points(-1), points(1).reverse()];
  const middle = points(0);
  return {
    forward: line(up),
    backward: line(back),
    middle: line(middle),
    forwardHead: head(up),
    backwardHead: head(back),
    left: 0,
    right: 0,
    top: 0,
    bottom: 0,
  };
}

function line(spots: readonly Spot[]): string {
  return `M${spots.map(spotText).join("L")}`;
}

/** A small triangle at the end of a line, pointing on. */
function head(spots: readonly Spot[]): string {
  const end = spots[spots.length - 1];
  const before = spots[spots.length - 2];
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [dx, dy] = [(end.x - before.x) / length, (end.y - before.y) / length];
  const [size, half] = [8 * end.scale, 4.5 * end.scale];
  const [bx, by] = [end.x - dx * size, end.y - dy * size];
  const f = (n: number): string => n.toFixed(1);
  return `M${f(end.x)} ${f(end.y)}L${f(bx - dy * half)} ${f(by + dx * half)}L${f(bx + dy * half)} ${f(by - dx * half)}z`;
}
