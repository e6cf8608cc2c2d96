/**
 * Where everything stands in space: slabs tilted like lecterns, wires between them, and the eye.
 *
 * A hundred pixels of the layout are one unit: x to the right, y up, z to the viewer. A slab stands as
 * high as its gradient is large. `paint.ts` draws it, `view.ts` lays HTML on it.
 */

import {
  CubicBezierCurve3,
  type Curve,
  CurvePath,
  LineCurve3,
  MathUtils,
  Matrix4,
  PerspectiveCamera,
  Vector3,
} from "three";
import type { Program } from "../../app/derive.ts";
import { type Orbit, TURNS } from "../../app/state.ts";
import { ease, type Frame } from "../../app/timeline.ts";
import type { Edge } from "../../core/index.ts";
import type { Size } from "../camera.ts";
import { largestGrad } from "../frames.ts";
import type { Picture } from "../picture.ts";

const UNIT = 100;
export const THICK = 0.2;
const [RISE, RUN] = [Math.sin(Math.PI / 6), Math.cos(Math.PI / 6)];
/** How far the largest gradient lifts its card. */
const LIFT = 1;
/** The edge of a slab that its label leaves free. */
const BEVEL = 0.05;

const FOV = 22;
/** A few cards do not fill the stage: one unit has no more pixels than this. */
const LARGEST = 132;
const PAD = { side: 20, top: 16, bottom: 40 };

export function turned(orbit: Orbit, turn: number, tilt: number): Orbit {
  return {
    ...orbit,
    turn: MathUtils.clamp(orbit.turn + turn, ...TURNS.turn),
    tilt: MathUtils.clamp(orbit.tilt + tilt, ...TURNS.tilt),
  };
}

export function nearer(orbit: Orbit, factor: number): Orbit {
  const near = MathUtils.clamp(orbit.near * factor, ...TURNS.near);
  const ratio = near / orbit.near;
  return { ...orbit, near, x: orbit.x * ratio, y: orbit.y * ratio };
}

// ── Slabs ──────────────────────────────────────────────────────────────────────────────────────

/** A card's slab: its middle on the floor, its size, and how high the middle is at rest. */
export interface Slab extends Size {
  readonly x: number;
  readonly z: number;
  readonly rest: number;
}

export function slabsOf({ layout }: Picture): readonly Slab[] {
  return layout.cards.map((box) => {
    const [width, height] = [box.width / UNIT, box.height / UNIT];
    const x = (box.x + (box.width - layout.width) / 2) / UNIT;
    const z = (box.y + (box.height - layout.height) / 2) / UNIT;
    return { x, z, width, height, rest: (height * RISE + THICK * RUN) / 2 + 0.02 };
  });
}

/** A point of a slab that is lifted: to the right of its middle, up along its face, out of it. */
export function onSlab(slab: Slab, lift: number, right: number, up: number, out = 0): Vector3 {
  const high = slab.rest + lift + up * RISE + out * RUN;
  return new Vector3(slab.x + right, high, slab.z - up * RUN + out * RISE);
}

/** The corners of its upper face. */
export function cornersOf(slab: Slab, lift: number): readonly Vector3[] {
  const [x, y] = [slab.width / 2, slab.height / 2];
  const at = (right: number, up: number): Vector3 => onSlab(slab, lift, right, up, THICK / 2);
  return [at(-x, -y), at(-x, y), at(x, -y), at(x, y)];
}

/** How high a gradient lifts its card; 0 for none. */
function liftOf(grad: number | null, most: number): number {
  if (grad === null || grad === 0) return 0;
  const share = Math.sqrt(Math.abs(grad) / most);
  return LIFT * (Number.isFinite(share) ? MathUtils.clamp(share, 0.15, 1) : 1);
}

/** How high each card stands at a moment; where a number has just changed, on its way. */
export function lifts(
  program: Program,
  { items }: Picture,
  frame: Frame,
  { final, calm }: { final: boolean; calm: boolean },
): readonly number[] {
  const most = largestGrad(program.walk);
  const of = (id: number): number => {
    if (final) return liftOf(program.walk.grads[id], most);
    const to = liftOf(frame.grad(id), most);
    const { last, glow } = frame.node(id);
    if (calm || glow === 0) return to;
    return MathUtils.lerp(liftOf(last?.before ?? 0, most), to, ease(1 - glow));
  };
  return items.map(({ node, group }) =>
    Math.max(...(group?.cells.length ? group.cells : [node]).map(of)),
  );
}

// ── Wires ──────────────────────────────────────────────────────────────────────────────────────

const LEAD = 0.16;
/** Half the distance between both tubes of a wire, in pixels of the layout. */
const SPREAD = 9;

/**
 * The middle line of a tube from input to consumer: straight out of the card, level curves past the
 * cards between, straight into the other. `side` is −1 forward, 1 backward, 0 between both.
 */
export function course(
  { layout }: Picture,
  slabs: readonly Slab[],
  lifted: readonly number[],
  { points, source, target }: Edge,
  side: -1 | 0 | 1,
): Curve<Vector3> {
  const last = points.length - 1;
  const port = (item: number, i: number, way: number): Vector3 => {
    const { y, height } = layout.cards[item];
    const up = (y + height / 2 - points[i].y - side * SPREAD) / UNIT;
    return onSlab(slabs[item], lifted[item], (way * slabs[item].width) / 2, up);
  };
  const [start, end] = [port(source, 0, 1), port(target, last, -1)];
  const [from, to] = [start.clone().setX(start.x + LEAD), end.clone().setX(end.x - LEAD)];
  const between = points.slice(1, last).map(({ x, y }) => {
    const across = (x - layout.width / 2) / UNIT;
    const high = MathUtils.mapLinear(across, from.x, to.x, from.y, to.y);
    return new Vector3(across, high, (y + side * SPREAD - layout.height / 2) / UNIT);
  });
  const turns = [from, ...between.filter(({ x }) => x > from.x && x < to.x), to];
  const line = new CurvePath<Vector3>();
  line.add(new LineCurve3(start, from));
  turns.slice(1).forEach((there, i) => {
    const [here, half] = [turns[i], (turns[i].x + there.x) / 2];
    const [leaving, arriving] = [here.clone().setX(half), there.clone().setX(half)];
    line.add(new CubicBezierCurve3(here, leaving, arriving, there));
  });
  line.add(new LineCurve3(to, end));
  for (const curve of line.curves) curve.arcLengthDivisions = 16;
  return line;
}

/** Points of a line between two shares of its length, from the one to the other. */
export function part(
  line: Curve<Vector3>,
  from: number,
  to: number,
  most = 30,
): readonly Vector3[] {
  const steps = Math.ceil(1 + most * Math.abs(to - from));
  return Array.from({ length: steps + 1 }, (_, i) =>
    line.getPoint(MathUtils.lerp(from, to, i / steps)),
  );
}

// ── The eye ────────────────────────────────────────────────────────────────────────────────────

/** Where one looks from, and how many pixels of the stage a unit in the middle of the floor has. */
export interface Eye {
  readonly camera: PerspectiveCamera;
  readonly stage: Size;
  readonly scale: number;
}

/**
 * The eye that sees every card of a picture, at rest and lifted as far as any, in closed form: seen
 * from a direction, each corner bounds how near the eye may be from two sides. So nothing that plays
 * and no slider moves it.
 */
export function eyeOf(slabs: readonly Slab[], orbit: Orbit, stage: Size): Eye {
  const { width, height } = stage;
  const camera = new PerspectiveCamera(FOV, width / height);
  camera.rotation.set(-orbit.tilt, orbit.turn, 0, "YXZ");
  camera.updateMatrixWorld();
  const [right, up, back] = [new Vector3(), new Vector3(), new Vector3()];
  camera.matrixWorld.extractBasis(right, up, back);
  const focus = height / 2 / Math.tan(MathUtils.degToRad(FOV / 2));
  const corners = slabs.flatMap((slab) => [...cornersOf(slab, 0), ...cornersOf(slab, LIFT)]);
  /** How far away the eye must be, and where it then is between both sides. */
  const bound = (way: Vector3, low: number, high: number): [number, (far: number) => number] => {
    const least = Math.min(...corners.map((p) => p.dot(way) - (low / focus) * p.dot(back)));
    const most = Math.max(...corners.map((p) => p.dot(way) + (high / focus) * p.dot(back)));
    const far = ((most - least) * focus) / (low + high);
    return [far, (far) => (most + least + ((low - high) / focus) * far) / 2];
  };
  const half = width / 2 - PAD.side;
  const [wide, across] = bound(right, half, half);
  const [tall, above] = bound(up, height / 2 - PAD.bottom, height / 2 - PAD.top);
  const far = Math.max(wide, tall, focus / LARGEST);
  camera.position.addScaledVector(back, far).addScaledVector(right, across(far));
  camera.position.addScaledVector(up, above(far));
  camera.zoom = orbit.near;
  camera.setViewOffset(width, height, -orbit.x, -orbit.y, width, height);
  camera.updateMatrixWorld();
  return { camera, stage, scale: (focus * orbit.near) / far };
}

/** Where on the stage a point is seen, in pixels; z is larger the further away it is. */
export function seen({ camera, stage }: Eye, point: Vector3): Vector3 {
  const { x, y, z } = point.clone().project(camera);
  return new Vector3(((1 + x) / 2) * stage.width, ((1 - y) / 2) * stage.height, z);
}

/** The size of a slab's label in its own pixels: about as large as on the stage. */
export function labelSize({ width, height }: Slab, { scale }: Eye): Size {
  return { width: (width - 2 * BEVEL) * scale, height: (height - 2 * BEVEL) * scale };
}

/**
 * The matrix that lays a label onto its slab, from its own pixels to those of the stage: straight lines
 * stay straight, so one is enough.
 */
export function laid({ camera, stage, scale }: Eye, slab: Slab, lift: number): string {
  const [x, y] = [slab.width / 2 - BEVEL, slab.height / 2 - BEVEL];
  const [wide, high] = [stage.width / 2, stage.height / 2];
  const pixel = new Vector3(1, 1, 1).divideScalar(scale);
  const label = new Matrix4()
    .set(1, 0, 0, 0, 0, -RISE, RUN, 0, 0, RUN, RISE, 0, 0, 0, 0, 1)
    .scale(pixel)
    .setPosition(onSlab(slab, lift, -x, y, THICK / 2));
  const { elements } = new Matrix4()
    .set(wide, 0, 0, wide, 0, -high, 0, high, 0, 0, 1, 0, 0, 0, 0, 1)
    .multiply(camera.projectionMatrix)
    .multiply(camera.matrixWorldInverse)
    .multiply(label);
  const cells = [0, 1, -1, 3, 4, 5, -1, 7, -1, -1, 15, -1, 12, 13, -1, 15];
  const flat = cells.map((i) => (i < 0 ? 0 : elements[i] / elements[15]).toPrecision(9));
  return `matrix3d(${flat.map(Number)})`;
}
