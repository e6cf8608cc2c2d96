/**
 * The walk of a tape, in columns: what `walk` is for a graph, for tens of thousands of nodes.
 *
 * Its events are the values that are computed, in the order of the tape; the seed; then one
 * contribution per edge, in the order of the visits. An event becomes an object when it is read.
 */

import { TAG_CONST, type Tape } from "./tape.ts";
import { contributed } from "./walk.ts";

export interface TapePush {
  readonly to: number;
  readonly incoming: number;
  readonly local: number;
  readonly contribution: number;
  readonly before: number;
  readonly after: number;
  /** This is contribution number `place` of `places` that arrive at `to`. */
  readonly place: number;
  readonly places: number;
}

export interface TapeEvent {
  readonly kind: "compute" | "seed" | "push";
  /** The node that computes or pushes. */
  readonly node: number;
  readonly push: TapePush | null;
}

/** What is known once some events have happened. */
export interface TapeMoment {
  /** Values are known up to this node; leaves have theirs already. */
  readonly computed: number;
  /** Gradients so far, and where there is one. */
  readonly grads: Float64Array;
  readonly arrived: Uint8Array;
}

const MOST_STOPS = 160;

export class TapeWalk {
  readonly tape: Tape;
  /** How many events there are. */
  readonly length: number;
  /** The event that begins backward. */
  readonly seed: number;
  readonly #computed: Uint32Array;
  /** By contribution: its edge and node, what its input has before and after, and its place there. */
  readonly #edges: Uint32Array;
  readonly #nodes: Uint32Array;
  readonly #before: Float64Array;
  readonly #after: Float64Array;
  readonly #places: Uint32Array;
  /** By node: its gradient in the end, and how many contributions make it. */
  readonly #grads: Float64Array;
  readonly #counts: Uint32Array;

  constructor(tape: Tape) {
    this.tape = tape;
    const { length, start, operand, local, tag } = tape;
    this.#computed = Uint32Array.from({ length }, (_, id) => id).filter(
      (id) => start[id + 1] > start[id],
    );
    this.seed = this.#computed.length;
    const edges = new Uint32Array(operand.length);
    const nodes = new Uint32Array(operand.length);
    const before = new Float64Array(operand.length);
    const after = new Float64Array(operand.length);
    const places = new Uint32Array(operand.length);
    const counts = new Uint32Array(length);
    const grads = new Float64Array(length);
    grads[length - 1] = 1;
    let pushes = 0;
    for (const node of sorted(tape).reverse()) {
      if (grads[node] === 0) continue;
      const op = tape.ops[tape.op[node]];
      for (let edge = start[node]; edge < start[node + 1]; edge++) {
        const to = operand[edge];
        if (tag[to] & TAG_CONST) continue;
        edges[pushes] = edge;
        nodes[pushes] = node;
        before[pushes] = grads[to];
        grads[to] += contributed(op, local[edge], grads[node]);
        after[pushes] = grads[to];
        places[pushes++] = ++counts[to];
      }
    }
    this.#edges = edges.subarray(0, pushes);
    this.#nodes = nodes;
    this.#before = before;
    this.#after = after;
    this.#places = places;
    this.#grads = grads;
    this.#counts = counts;
    this.length = this.seed + 1 + pushes;
  }

  /** The node that acts in an event: it computes or pushes. */
  node(index: number): number {
    if (index < this.seed) return this.#computed[index];
    return index === this.seed ? this.tape.length - 1 : this.#nodes[index - this.seed - 1];
  }

  event(index: number): TapeEvent {
    const { tape, seed } = this;
    const node = this.node(index);
    if (index <= seed) return { kind: index < seed ? "compute" : "seed", node, push: null };
    const place = index - seed - 1;
    const edge = this.#edges[place];
    const to = tape.operand[edge];
    const incoming = this.#grads[node]; // complete by the time of its visit
    const local = tape.local[edge];
    const push = {
      to,
      incoming,
      local,
      contribution: contributed(tape.ops[tape.op[node]], local, incoming),
      before: this.#before[place],
      after: this.#after[place],
      place: this.#places[place],
      places: this.#counts[to],
    };
    return { kind: "push", node, push };
  }

  /** What is known after `count` events. */
  moment(count: number): TapeMoment {
    const { length, operand } = this.tape;
    const grads = new Float64Array(length);
    const arrived = new Uint8Array(length);
    if (count > this.seed) grads[length - 1] = arrived[length - 1] = 1;
    for (let i = 0; i < count - this.seed - 1; i++) {
      const to = operand[this.#edges[i]];
      grads[to] = this.#after[i];
      arrived[to] = 1;
    }
    const computed = Math.min(count, this.seed);
    return { computed: computed ? this.#computed[computed - 1] : -1, grads, arrived };
  }

  /** How many events there are up to the one that makes a node's gradient complete; 0 for none. */
  until(node: number): number {
    const { operand } = this.tape;
    for (let i = this.#edges.length - 1; i >= 0; i--)
      if (operand[this.#edges[i]] === node) return this.seed + 2 + i;
    return node === this.tape.length - 1 ? this.seed + 1 : 0;
  }

  /**
   * How many events there are up to the next stop of a walk that goes from box to box: it is where a
   * box ends, and boxes of few events are passed together, so that no walk has many stops.
   */
  nextStop(count: number): number {
    const least = Math.ceil(this.length / MOST_STOPS);
    if (count < this.seed && count + least >= this.seed) return this.seed;
    const last = this.length - 1;
    if (count + least > last) return this.length;
    const next = this.nextBox(count + least - 1, 1);
    if (count < this.seed && next > this.seed) return this.seed;
    return next >= last ? this.length : next;
  }

  /** The nearest event after `index`, or with −1 before it, whose node was made in another box. */
  nextBox(index: number, way: 1 | -1): number {
    const boxOf = (at: number): number => this.tape.scope[this.node(at)];
    const last = way > 0 ? this.length - 1 : 0;
    let at = Math.max(0, Math.min(this.length - 1, index));
    const here = boxOf(at);
    while (at !== last && boxOf(at) === here) at += way;
    return at;
  }
}

/** The nodes in the order that the sort gives them. */
function sorted({ length, start, operand }: Tape): Uint32Array {
  const visited = new Uint8Array(length);
  const next = start.slice(0, length);
  const stack = new Uint32Array(length); // a node is on it at most once
  const order = new Uint32Array(length);
  let [top, placed] = [0, 0];
  stack[0] = length - 1;
  visited[length - 1] = 1;
  while (top >= 0) {
    const node = stack[top];
    const edge = next[node]++;
    if (edge === start[node + 1]) {
      order[placed++] = node;
      top -= 1;
    } else if (!visited[operand[edge]]) {
      visited[operand[edge]] = 1;
      stack[++top] = operand[edge];
    }
  }
  return order.subarray(0, placed);
}
