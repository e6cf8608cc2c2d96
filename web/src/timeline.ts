/**
 * Time: a walk becomes a row of events, and a moment becomes a picture.
 *
 *   walk ─timeline→ Timeline{events, total} ─frameAt(·, t)→ Frame
 *
 * `frameAt` is pure: the same walk and the same t give the same frame, forwards, backwards or after
 * a jump. Event k lasts from `start` to `end`; at t = end it is complete, so that stepping lands on
 * whole events. How long things take depends on the structure alone: while a value changes, the
 * moment stays where it is.
 */

import { isConst, type Lost, type Push, type Walk } from "./core/index.ts";

export type Phase = "forward" | "sort" | "backward";
export type Kind = "compute" | "sort" | "seed" | "push" | "lost" | "skip" | "leaf";

export interface Happening {
  kind: Kind;
  phase: Phase;
  /** The node that acts: computes, is popped, pushes. */
  node: number;
  /** The edges that carry a pulse, as indices into the layout's edges. */
  edges: readonly number[];
  start: number;
  /** When pulses have arrived and numbers change. */
  land: number;
  end: number;
  /** The row of the walk this comes from: of `forward`, `sort` or `backward`. */
  row: number;
  push?: Push;
  lost?: Lost;
}

export interface Timeline {
  walk: Walk;
  events: readonly Happening[];
  total: number;
  /** Where each phase begins and ends; phases without events are left out. */
  phases: readonly { phase: Phase; start: number; end: number }[];
  firstEdge: readonly number[];
}

export interface NodeFrame {
  filled: boolean;
  grad: number | null;
  /** The last push that arrived, and how many have. */
  last: Push | null;
  arrivals: number;
  state: "todo" | "active" | "done";
  /** 0 … 1: how fresh the number is. */
  glow: number;
}

export interface EdgeFrame {
  forward: number | null;
  carried: boolean;
  backward: number | null;
  push: Push | null;
  lost: Lost | null;
  active: boolean;
}

export interface Frame {
  time: number;
  /** The index of the current event, −1 before the first. */
  index: number;
  event: Happening | null;
  phase: Phase;
  landed: boolean;
  nodes: readonly NodeFrame[];
  edges: readonly EdgeFrame[];
}

const TRAVEL = 400;
const SETTLE = 320;
const SEED = 560;
const TURN = 320;
/** A long walk is played faster, so that it ends within this time at speed 1. */
const LONGEST = 60_000;

const NO_EDGES: readonly number[] = [];

export interface TimelineOptions {
  sort?: boolean;
  leaves?: boolean;
}

export function timeline(walk: Walk, options: TimelineOptions = {}): Timeline {
  const { graph } = walk;
  const firstEdge: number[] = [];
  let edgeCount = 0;
  for (const node of graph.nodes) {
    firstEdge.push(edgeCount);
    edgeCount += node.operands.length;
  }
  const events: Happening[] = [];
  let now = 0;
  // Thousands of these are made at every move of a slider: plain arguments, and objects of one shape.
  const add = (
    kind: Kind,
    phase: Phase,
    node: number,
    row: number,
    travel: number,
    settle: number,
    edges: readonly number[] = NO_EDGES,
    push?: Push,
    lost?: Lost,
  ): void => {
    const start = now;
    const land = now + travel;
    now = land + settle;
    events.push({ kind, phase, node, edges, start, land, end: now, row, push, lost });
  };

  walk.forward.forEach((step, row) => {
    const edges = graph.nodes[step.node].operands.map((_, i) => firstEdge[step.node] + i);
    add("compute", "forward", step.node, row, TRAVEL, SETTLE, edges);
  });
  if (options.sort) {
    walk.sort.forEach((step, row) => {
      const [node, index] = step.pop;
      const looks = index < graph.nodes[node].operands.length ? [firstEdge[node] + index] : [];
      add("sort", "sort", node, row, 0, TURN, looks);
    });
  }
  const passes = walk.bug === "no-reset" ? 2 : 1;
  const passLength = walk.backward.length / passes;
  const lostLeft = [...walk.lost];
  walk.backward.forEach((step, row) => {
    if (row % passLength === 0) add("seed", "backward", graph.root, row, 0, SEED);
    const node = graph.nodes[step.node];
    if (step.note === "leaf") {
      if (options.leaves) add("leaf", "backward", step.node, row, 0, TURN);
      return;
    }
    if (step.note) {
      const varying = node.operands.filter((operand) => !isConst(graph.nodes[operand])).length;
      // As long as its pushes would have taken: a value that reaches 0 must not move the others.
      add("skip", "backward", step.node, row, 0, Math.max(1, varying) * (TRAVEL + SETTLE));
      return;
    }
    let next = 0; // pushes are in the order of their operands
    node.operands.forEach((to, operand) => {
      if (isConst(graph.nodes[to])) return;
      const edges = [firstEdge[step.node] + operand];
      const push = step.pushes[next];
      if (push?.operand === operand) {
        next += 1;
        add("push", "backward", step.node, row, TRAVEL, SETTLE, edges, push);
        return;
      }
      const found = lostLeft.findIndex((one) => one.source === step.node && one.to === to);
      if (found >= 0) {
        const [lost] = lostLeft.splice(found, 1);
        add("lost", "backward", step.node, row, TRAVEL, SETTLE, edges, undefined, lost);
      }
    });
  });
  const scale = Math.min(1, LONGEST / Math.max(1, now));
  if (scale < 1)
    for (const event of events) {
      event.start *= scale;
      event.land *= scale;
      event.end *= scale;
    }
  return { walk, events, total: now * scale, phases: spans(events), firstEdge };
}

function spans(events: readonly Happening[]): Timeline["phases"] {
  const found: { phase: Phase; start: number; end: number }[] = [];
  for (const event of events) {
    const last = found.at(-1);
    if (last?.phase === event.phase) last.end = event.end;
    else found.push({ phase: event.phase, start: event.start, end: event.end });
  }
  return found;
}

/** The index of the event under way or just complete at t; −1 before the first. */
export function indexAt(events: readonly Happening[], t: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].start < t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Slow at both ends: a pulse that leaves and arrives gently. */
export function ease(u: number): number {
  return u < 0.5 ? 2 * u * u : 1 - 2 * (1 - u) * (1 - u);
}

export function frameAt(line: Timeline, t: number): Frame {
  const { walk, events, firstEdge } = line;
  const { graph } = walk;
  const index = indexAt(events, t);
  const event = index < 0 ? null : events[index];
  const nodes: NodeFrame[] = graph.nodes.map((node) => ({
    filled: node.operands.length === 0,
    grad: null,
    last: null,
    arrivals: 0,
    state: "todo",
    glow: 0,
  }));
  const edgeCount = firstEdge.length ? firstEdge.at(-1)! + graph.nodes.at(-1)!.operands.length : 0;
  const edges: EdgeFrame[] = Array.from({ length: edgeCount }, () => ({
    forward: null,
    carried: false,
    backward: null,
    push: null,
    lost: null,
    active: false,
  }));
  for (let k = 0; k <= index; k++) happen(events[k], k === index, t, nodes, edges, walk);
  return {
    time: t,
    index,
    event,
    phase: event?.phase ?? line.phases[0]?.phase ?? "backward",
    landed: event === null || t >= event.land,
    nodes,
    edges,
  };
}

function happen(
  event: Happening,
  current: boolean,
  t: number,
  nodes: NodeFrame[],
  edges: EdgeFrame[],
  walk: Walk,
): void {
  const landed = t >= event.land;
  const actor = nodes[event.node];
  const going = current && t < event.land;
  const u = going ? ease((t - event.start) / (event.land - event.start)) : null;
  const glow = current && landed ? 1 - (t - event.land) / Math.max(1, event.end - event.land) : 0;
  for (const id of event.edges) {
    const edge = edges[id];
    edge.active = current;
    if (event.phase === "forward") {
      edge.forward = u;
      edge.carried = true;
    } else if (event.kind !== "sort") edge.backward = u;
  }
  if (current) actor.state = "active";
  else if (event.kind !== "sort") actor.state = "done";
  switch (event.kind) {
    case "compute":
      actor.filled ||= landed;
      if (landed) actor.glow = glow;
      break;
    case "seed":
      actor.grad = 1;
      actor.glow = glow;
      break;
    case "push": {
      actor.grad ??= 0;
      if (!landed) break;
      const push = event.push!;
      const to = nodes[push.to];
      edges[event.edges[0]].push = push;
      to.grad = push.after;
      to.last = push;
      to.arrivals += 1;
      to.glow = glow;
      break;
    }
    case "lost":
      actor.grad ??= 0;
      if (landed) edges[event.edges[0]].lost = event.lost!;
      break;
    case "skip":
      // Nothing leaves a node whose gradient is 0, and that is what its inputs get from it.
      actor.grad ??= 0;
      for (const operand of walk.graph.nodes[event.node].operands) nodes[operand].grad ??= 0;
      break;
    case "leaf":
      actor.grad ??= 0;
      break;
    case "sort":
      break;
  }
}
