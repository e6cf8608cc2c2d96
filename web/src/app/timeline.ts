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

import { isConst, type Lost, type Push, type Walk } from "../core/index.ts";

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
  /** How long a walk from room to room stays at each stop; 0 for any other walk. */
  stay: number;
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

/**
 * A moment of a walk. It holds no picture: `node` and `edge` look one up, so that a frame costs
 * nothing to make, and whoever draws pays only for what is in view.
 */
export interface Frame {
  time: number;
  /** The index of the current event, −1 before the first. */
  index: number;
  event: Happening | null;
  phase: Phase;
  landed: boolean;
  node(id: number): NodeFrame;
  edge(id: number): EdgeFrame;
  /** The same fields of thousands, one by one: these make no objects. */
  grad(id: number): number | null;
  push(edge: number): Push | null;
  carried(edge: number): boolean;
}

const TRAVEL = 400;
const SETTLE = 320;
const SEED = 560;
const TURN = 320;
/** A long walk is played faster, so that it ends within this time at speed 1. */
const LONGEST = 60_000;
/** One with rooms stays in each as long, in few stops. */
const STAY = 900;
const MANY_NODES = 100;
const MOST_STOPS = 160;

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
  const hasRooms = graph.length > MANY_NODES && graph.nodes.some(({ scope }) => scope);
  if (hasRooms) now = byRooms(walk, events);
  else if (now > LONGEST) {
    for (const event of events) stretch(event, 0, LONGEST / now);
    now = LONGEST;
  }
  const stay = hasRooms ? STAY : 0;
  return { walk, events, total: now, stay, phases: spans(events), firstEdge };
}

function stretch(event: Happening, from: number, scale: number): void {
  event.start = from + event.start * scale;
  event.land = from + event.land * scale;
  event.end = from + event.end * scale;
}

/**
 * Give each stop the same time. A stop ends with a phase, or where a box is left; boxes of few nodes
 * are passed together, so that no walk has many stops. Nodes are counted, not events: when a value
 * reaches 0 a node has other events, and the others must stay where they are.
 */
function byRooms({ graph }: Walk, events: readonly Happening[]): number {
  const isSame = (a: Happening, b: Happening): boolean => a.node === b.node && a.phase === b.phase;
  /** The first event of each visit of a node. */
  const visits = events.flatMap((event, k) => (k && isSame(event, events[k - 1]) ? [] : [k]));
  const least = Math.ceil(visits.length / MOST_STOPS);
  const stops = [0];
  visits.forEach((k, visit) => {
    if (!visit) return;
    const [event, last] = [events[k], events[visits[visit - 1]]];
    const isLeft = graph.nodes[event.node].scope !== graph.nodes[last.node].scope;
    const isLong = visit - stops[stops.length - 1] >= least;
    if (event.phase !== last.phase || (isLeft && isLong)) stops.push(visit);
  });
  stops.forEach((first, stop) => {
    const end = stops[stop + 1] ?? visits.length;
    const each = STAY / (end - first);
    for (let visit = first; visit < end; visit++) {
      const [from, to] = [visits[visit], visits[visit + 1] ?? events.length];
      const begin = events[from].start;
      const scale = each / (events[to - 1].end - begin);
      const at = stop * STAY + (visit - first) * each;
      for (let k = from; k < to; k++) stretch(events[k], at - begin * scale, scale);
    }
  });
  return stops.length * STAY;
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

/** The stop of a moment, from 0 on; −1 where a walk has none. */
export function stopAt({ stay }: Timeline, t: number): number {
  return stay ? Math.floor(t / stay + 1e-6) : -1;
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
  const { events } = line;
  const index = indexAt(events, t);
  const event = index < 0 ? null : events[index];
  const landed = event === null || t >= event.land;
  const phase = event?.phase ?? line.phases[0]?.phase ?? "backward";
  const moment: Moment = { line, history: historyOf(line), t, index, event, landed };
  return {
    time: t,
    index,
    event,
    phase,
    landed,
    node: (id) => nodeAt(moment, id),
    edge: (id) => edgeAt(moment, id),
    grad: (id) => gradAt(moment, id),
    push: (id) => pushAt(moment, id),
    carried: (id) => moment.history.computed[moment.history.target[id]] <= index,
  };
}

// ── Looking up ─────────────────────────────────────────────────────────────────────────────────

interface Moment {
  line: Timeline;
  history: History;
  t: number;
  index: number;
  event: Happening | null;
  landed: boolean;
}

/** Since `index` events have begun, has event `k` landed? Not yet, if it is the current one. */
function isPast({ index, landed }: Moment, k: number): boolean {
  return k < index || (k === index && landed);
}

function nodeAt(moment: Moment, id: number): NodeFrame {
  const { line, history, index, event, landed, t } = moment;
  const filled =
    line.walk.graph.nodes[id].operands.length === 0 || isPast(moment, history.computed[id]);
  const state = event?.node === id ? "active" : history.acted[id] < index ? "done" : "todo";
  const { begin, at } = history.gains;
  const found = lastPast(moment, at, begin[id], begin[id + 1]);
  let grad = history.zeroed[id] <= index ? 0 : null;
  let last: Push | null = null;
  let arrivals = 0;
  if (found >= 0) {
    const gain = line.events[at[found]];
    grad = gain.push ? gain.push.after : 1;
    last = gain.push ?? null;
    arrivals = last ? found - begin[id] + 1 : 0;
  }
  const fresh =
    event !== null &&
    landed &&
    (event.push
      ? event.push.to
      : event.kind === "compute" || event.kind === "seed"
        ? event.node
        : -1) === id;
  const glow = fresh ? 1 - (t - event.land) / Math.max(1, event.end - event.land) : 0;
  return { filled, grad, last, arrivals, state, glow };
}

function gradAt(moment: Moment, id: number): number | null {
  const { line, history, index } = moment;
  const { begin, at } = history.gains;
  const found = lastPast(moment, at, begin[id], begin[id + 1]);
  if (found < 0) return history.zeroed[id] <= index ? 0 : null;
  return line.events[at[found]].push?.after ?? 1;
}

function pushAt(moment: Moment, id: number): Push | null {
  const { begin, at } = moment.history.travels;
  for (let i = lastPast(moment, at, begin[id], begin[id + 1]); i >= begin[id]; i--) {
    const { push } = moment.line.events[at[i]];
    if (push) return push;
  }
  return null;
}

function edgeAt(moment: Moment, id: number): EdgeFrame {
  const { line, history, index, event, landed, t } = moment;
  const active = event?.edges.includes(id) ?? false;
  const u =
    active && event && !landed ? ease((t - event.start) / (event.land - event.start)) : null;
  const { begin, at } = history.travels;
  const found = lastPast(moment, at, begin[id], begin[id + 1]);
  let push: Push | null = null;
  let lost: Lost | null = null;
  for (let i = found; i >= begin[id] && !(push && lost); i--) {
    const event = line.events[at[i]];
    push ??= event.push ?? null;
    lost ??= event.lost ?? null;
  }
  return {
    forward: event?.phase === "forward" ? u : null,
    carried: history.computed[history.target[id]] <= index,
    backward: event && event.phase !== "forward" && event.kind !== "sort" ? u : null,
    push,
    lost,
    active,
  };
}

/** The last place in at[from … to − 1], which rise, whose event is past; −1 for none. */
function lastPast(moment: Moment, at: Int32Array, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(moment, at[middle])) low = middle + 1;
    else high = middle;
  }
  return low > from ? low - 1 : -1;
}

/** What happens to each node and each edge, by the indices of the events, in flat arrays. */
interface History {
  /** The event that computes a node, that first has it act, that first gives it a gradient of 0. */
  computed: Int32Array;
  acted: Int32Array;
  zeroed: Int32Array;
  /** The node that an edge leads to. */
  target: Int32Array;
  /** Seeds and pushes that reach a node. */
  gains: Series;
  /** Pushes and losses that go along an edge. */
  travels: Series;
}

/** Many rising lists in one: list i is at[begin[i]] … at[begin[i + 1] − 1]. */
interface Series {
  begin: Int32Array;
  at: Int32Array;
}

const NEVER = 2 ** 31 - 1;
const known = new WeakMap<Timeline, History>();

function historyOf(line: Timeline): History {
  let history = known.get(line);
  if (!history) known.set(line, (history = recorded(line)));
  return history;
}

function recorded({ walk, events, firstEdge }: Timeline): History {
  const { nodes } = walk.graph;
  const count = nodes.length;
  const edgeCount = count ? firstEdge[count - 1] + nodes[count - 1].operands.length : 0;
  const computed = new Int32Array(count).fill(NEVER);
  const acted = new Int32Array(count).fill(NEVER);
  const zeroed = new Int32Array(count).fill(NEVER);
  const target = new Int32Array(edgeCount);
  for (let id = 0; id < count; id++) target.fill(id, firstEdge[id], firstEdge[id + 1] ?? edgeCount);
  const reached = new Int32Array(events.length).fill(-1);
  const travelled = new Int32Array(events.length).fill(-1);
  const first = (list: Int32Array, id: number, k: number): void => {
    if (list[id] === NEVER) list[id] = k;
  };
  for (let k = 0; k < events.length; k++) {
    const { kind, node, edges, push } = events[k];
    if (kind !== "sort") first(acted, node, k);
    if (kind === "compute") first(computed, node, k);
    else if (kind === "seed") reached[k] = node;
    else if (kind !== "sort") first(zeroed, node, k);
    if (push) reached[k] = push.to;
    if (kind === "push" || kind === "lost") travelled[k] = edges[0];
    // Nothing leaves a node whose gradient is 0, and that is what its inputs get from it.
    if (kind === "skip") for (const operand of nodes[node].operands) first(zeroed, operand, k);
  }
  return {
    computed,
    acted,
    zeroed,
    target,
    gains: series(count, reached),
    travels: series(edgeCount, travelled),
  };
}

function series(count: number, keys: Int32Array): Series {
  const begin = new Int32Array(count + 1);
  for (const key of keys) if (key >= 0) begin[key + 1] += 1;
  for (let i = 0; i < count; i++) begin[i + 1] += begin[i];
  const next = begin.slice();
  const at = new Int32Array(begin[count]);
  for (let k = 0; k < keys.length; k++) if (keys[k] >= 0) at[next[keys[k]]++] = k;
  return { begin, at };
}
