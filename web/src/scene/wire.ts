/** Wires: the points of a layout's edge as paths, forward above, backward below. */

import type { Edge, Layout, Point } from "../core/index.ts";

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

export function turnOf(down: boolean): Turn {
  return down ? (along, across) => `${across} ${along}` : (along, across) => `${along} ${across}`;
}

function draw(edge: Edge, down: boolean): Wire {
  const turned = turnOf(down);
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

/** How far lines that share a way stand apart, and how much room they have together. */
const [APART, ROOM] = [3, 4];

/**
 * The layout with a line of its own for each wire: wires of one node go along one way as far as they
 * can, and there the second runs outside of the first, the third outside of both.
 */
export function parted(layout: Layout, down: boolean): Layout {
  const bySource = new Map<number, Edge[]>();
  for (const edge of layout.edges) {
    const known = bySource.get(edge.source);
    if (known) known.push(edge);
    else bySource.set(edge.source, [edge]);
  }
  const lanes = new Map<Edge, ReadonlyMap<number, number>>();
  for (const edges of bySource.values()) if (edges.length > 1) part(edges, down, lanes);
  const moved = (edge: Edge): Edge => {
    const lane = lanes.get(edge);
    if (!lane?.size) return edge;
    const last = edge.points.length - 1;
    const points = edge.points.map((point, i): Point => {
      const by = (i && i < last && lane.get(down ? point.x : point.y)) || 0;
      return by ? { ...point, spread: point.spread + by } : point;
    });
    return { ...edge, points };
  };
  return lanes.size ? { ...layout, edges: layout.edges.map(moved) } : layout;
}

/** For each of some wires of one node, by the level of its runs, how far it stands outside there. */
function part(
  edges: readonly Edge[],
  down: boolean,
  lanes: Map<Edge, ReadonlyMap<number, number>>,
): void {
  const runs = edges.map(({ points }) => runsOf(points, down));
  const meets = (one: number, other: number, level: number): boolean => {
    const [x, y] = [runs[one].get(level), runs[other].get(level)];
    return !!x && !!y && x[0] < y[1] && y[0] < x[1];
  };
  const found = runs.map((own, one) => {
    const lane = new Map<number, number>();
    for (const level of own.keys()) {
      const earlier = runs.filter((_, other) => other < one && meets(one, other, level)).length;
      if (earlier) lane.set(level, earlier);
    }
    return lane;
  });
  const most = Math.max(...found.flatMap((lane) => [...lane.values()]));
  const apart = Math.min(APART, ROOM / most);
  edges.forEach((edge, i) => {
    if (found[i].size)
      lanes.set(edge, new Map([...found[i]].map(([y, lane]) => [y, lane * apart])));
  });
}

/** Where a wire runs level: from where to where, by its level. */
function runsOf(points: readonly Point[], down: boolean): Map<number, readonly [number, number]> {
  const found = new Map<number, readonly [number, number]>();
  points.forEach(({ x, y }, i) => {
    if (!i) return;
    const [along, across] = down ? [y, x] : [x, y];
    const [from, before] = down
      ? [points[i - 1].y, points[i - 1].x]
      : [points[i - 1].x, points[i - 1].y];
    if (across !== before) return;
    const known = found.get(across);
    found.set(across, [Math.min(known?.[0] ?? from, from), Math.max(known?.[1] ?? along, along)]);
  });
  return found;
}

export type Place = readonly [number, number];

/** Between two points, the cubic that leaves and arrives level, as the layout promises. */
export function path(points: readonly Place[], turned: Turn): string {
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
