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
import type { Item, Picture } from "./picture.ts";
import type { Wire } from "./wire.ts";

/** More cards than this stay flat. */
export const MOST_CARDS = 150;

const TILT_MOST = 1.45;
const [NEAR_LEAST, NEAR_MOST] = [0.5, 6];
const SCALE_MOST = 1.4;
/** A few cards stay large enough to read, however small the floor is seen. */
const [FEW_CARDS, LEAST_SCALE] = [24, 0.62];

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
  { layout, down }: Picture,
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
  const least = layout.cards.length <= FEW_CARDS ? LEAST_SCALE : 0;
  // Seen whole, every card stays on the stage, even one that is larger than its place.
  const isWhole = orbit.near <= 1 && orbit.x === 0 && orbit.y === 0;
  const readable = (spot: Spot, { width, height }: Size): Spot => {
    const scale = Math.max(spot.scale, least);
    if (!isWhole) return { ...spot, scale };
    const within = (at: number, size: number, room: number): number =>
      Math.max((size * scale) / 2, Math.min(room - (size * scale) / 2, at));
    return {
      ...spot,
      scale,
      x: within(spot.x, width, stage.width),
      y: within(spot.y, height, stage.height),
    };
  };
  const z = (item: number): number => lifts[item] * top;
  const at = (edge: Edge, along: number): number => {
    const [from, to] = [z(edge.source), z(edge.target)];
    return from + (to - from) * Math.max(0, Math.min(1, along));
  };
  return {
    cards: layout.cards.map((box, item) => readable(project(...centre(box), z(item)), box)),
    feet: layout.cards.map((box) => project(...centre(box), 0)),
    wires: layout.edges.map((edge) => wire(edge, down, project, (along) => at(edge, along))),
    pills: layout.edges.map((edge) => {
      if (!edge.pill) return null;
      const [x, y] = centre(edge.pill);
      return readable(project(x, y, at(edge, shareOf(edge, down, down ? y : x))), edge.pill);
    }),
    floor: polygon(project, { x: 0, y: 0, width: layout.width, height: layout.height }),
    places: layout.cards.map((box) => polygon(project, box)).join(""),
    scale: Math.max(project.scale, least),
  };
}

function polygon(project: Project, { x, y, width, height }: Box): string {
  const corners = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ].map(([a, b]) => spotText(project(a, b, 0)));
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
  return (place - start) / Math.max(1, end - start);
}

const STEPS = 6;

function wire(
  edge: Edge,
  down: boolean,
  project: Project,
  height: (along: number) => number,
): Wire {
  const points = (side: number): Spot[] => {
    const found: Spot[] = [];
    const add = (along: number, across: number): void => {
      const z = height(shareOf(edge, down, along));
      found.push(down ? project(across, along, z) : project(along, across, z));
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
