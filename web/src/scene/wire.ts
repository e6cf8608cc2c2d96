/** Wires: the points of a layout's edge as paths, forward above, backward below. */

import type { Edge } from "../core/index.ts";

export interface Wire {
  forward: string;
  /** From the consumer to the input: the way a gradient goes. */
  backward: string;
  /** The one in the middle, for pointers to hit. */
  middle: string;
  /** Small triangles where each arrives. */
  forwardHead: string;
  backwardHead: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const known = new WeakMap<Edge, Wire>();

export function wireOf(edge: Edge, down: boolean): Wire {
  let wire = known.get(edge);
  if (!wire) known.set(edge, (wire = draw(edge, down)));
  return wire;
}

/** Along and across: x and y of a picture that goes to the right, y and x of one that goes down. */
type Turn = (along: number, across: number) => string;

function draw(edge: Edge, down: boolean): Wire {
  const turned: Turn = down
    ? (along, across) => `${across} ${along}`
    : (along, across) => `${along} ${across}`;
  const line = edge.points.map(({ x, y, spread }) =>
    down ? ([y, x, spread] as const) : ([x, y, spread] as const),
  );
  const start = line[0];
  const end = line[line.length - 1];
  const side = (sign: number): Place[] =>
    line.map(([at, across, spread]) => [at, across + sign * spread]);
  const heights = line.map(([, across]) => across);
  const near = Math.min(...heights) - 16;
  const far = Math.max(...heights) + 24;
  return {
    forward: path(side(-1), turned),
    backward: path(side(1).reverse(), turned),
    middle: path(side(0), turned),
    forwardHead: head(end[0], end[1] - end[2], -1, down),
    backwardHead: head(start[0], start[1] + start[2], 1, down),
    left: down ? near : start[0],
    right: down ? far : end[0],
    top: down ? start[0] : near,
    bottom: down ? end[0] : far,
  };
}

type Place = readonly [number, number];

/** Between two points, the cubic that leaves and arrives level, as the layout promises. */
function path(points: readonly Place[], turned: Turn): string {
  let text = `M${turned(...points[0])}`;
  for (let i = 1; i < points.length; i++) {
    const [x0, y0] = points[i - 1];
    const [x1, y1] = points[i];
    const half = (x0 + x1) / 2;
    text +=
      y0 === y1
        ? `L${turned(x1, y1)}`
        : `C${turned(half, y0)} ${turned(half, y1)} ${turned(x1, y1)}`;
  }
  return text;
}

function head(along: number, across: number, side: 1 | -1, down: boolean): string {
  return down
    ? `M${across} ${along}l-4.5 ${side * 8}h9z`
    : `M${along} ${across}l${side * 8} -4.5v9z`;
}
