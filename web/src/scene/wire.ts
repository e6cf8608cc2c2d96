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

export function wireOf(edge: Edge): Wire {
  let wire = known.get(edge);
  if (!wire) known.set(edge, (wire = draw(edge)));
  return wire;
}

function draw(edge: Edge): Wire {
  const start = edge.points[0];
  const end = edge.points.at(-1)!;
  const up = edge.points.map((p) => [p.x, p.y - p.spread] as const);
  const down = edge.points.map((p) => [p.x, p.y + p.spread] as const);
  const heights = edge.points.map((p) => p.y);
  return {
    forward: path(up),
    backward: path(down.toReversed()),
    middle: path(edge.points.map((p) => [p.x, p.y] as const)),
    forwardHead: head(end.x, end.y - end.spread, -1),
    backwardHead: head(start.x, start.y + start.spread, 1),
    left: start.x,
    right: end.x,
    top: Math.min(...heights) - 16,
    bottom: Math.max(...heights) + 24,
  };
}

/** Between two points, the cubic that leaves and arrives level, as the layout promises. */
function path(points: readonly (readonly [number, number])[]): string {
  let text = `M${points[0][0]} ${points[0][1]}`;
  for (let i = 1; i < points.length; i++) {
    const [x0, y0] = points[i - 1];
    const [x1, y1] = points[i];
    const half = (x0 + x1) / 2;
    text += y0 === y1 ? `H${x1}` : `C${half} ${y0} ${half} ${y1} ${x1} ${y1}`;
  }
  return text;
}

function head(x: number, y: number, side: 1 | -1): string {
  return `M${x} ${y}l${side * 8} -4.5v9z`;
}
