/**
 * The paths behind one gradient: each path's product, and their sum, which is the gradient.
 *
 * A graph of n nodes can have exponentially many paths. Their number and their sum cost one pass;
 * the largest are found best first, without going through the rest.
 */

import { Value } from "./engine.ts";
import { GraphError, message } from "./errors.ts";
import { Graph, type Node, snapshot } from "./graph.ts";

/** One way from the root to the leaf. `nodes` has one more entry than `locals`. */
export interface Path {
  readonly nodes: readonly number[];
  readonly locals: readonly number[];
  readonly product: number;
}

/** The `count` paths from the root to a node, the `largest` of them, and the sum over all. */
export class Paths {
  readonly graph: Graph;
  readonly to: number;
  readonly count: bigint;
  readonly total: number;
  readonly largest: readonly Path[];

  constructor(graph: Graph, to: number, count: bigint, total: number, largest: readonly Path[]) {
    this.graph = graph;
    this.to = to;
    this.count = count;
    this.total = total;
    this.largest = largest;
  }

  /** Whether every path is listed. */
  get complete(): boolean {
    return BigInt(this.largest.length) === this.count;
  }

  /** What the paths that are not listed contribute. */
  get rest(): number {
    return this.complete ? 0 : exactSum([this.total, ...this.largest.map((path) => -path.product)]);
  }
}

/** Return the paths from `root` to `to`, the `most` largest by size of their product. */
export function paths(root: Value | Graph, to: Value | number | string | Node, most = 100): Paths {
  const [graph, goal] = locate(root, to);
  const reach = reaches(graph, goal);
  const { ways, total } = reach[graph.root];
  if (!ways) {
    throw new GraphError(message("no-path", graph.name(graph.root), graph.name(goal)));
  }
  const largest: Path[] = [];
  for (const path of bestFirst(graph, goal, reach)) {
    if (largest.length >= most) break;
    largest.push(path);
  }
  return new Paths(graph, goal, ways, total, largest);
}

function locate(root: Value | Graph, to: Value | number | string | Node): [Graph, number] {
  if (root instanceof Graph) {
    if (to instanceof Value) {
      throw new GraphError(message("value-in-graph"));
    }
    return [root, root.find(to).id];
  }
  if (!(to instanceof Value)) {
    const graph = snapshot(root);
    return [graph, graph.find(to).id];
  }
  // A Value is found by a mark, since a snapshot knows no objects.
  const { label } = to;
  const mark = "\0here";
  to.label = mark;
  const marked = snapshot(root);
  to.label = label;
  const node = marked.nodes.find((candidate) => candidate.label === mark);
  if (!node) throw new GraphError(message("not-in-graph", String(to), String(root)));
  return [snapshot(root), node.id];
}

/** How many paths lead from a node to the goal, the largest |product| among them, and their sum. */
interface Reach {
  readonly ways: bigint;
  readonly largest: number;
  readonly total: number;
}

function reaches(graph: Graph, goal: number): Reach[] {
  const reach = new Array<Reach>(graph.length).fill({ ways: 0n, largest: 0, total: 0 });
  reach[goal] = { ways: 1n, largest: 1, total: 1 };
  for (const node of graph.nodes.slice(goal + 1)) {
    let ways = 0n;
    let largest = 0;
    let total = 0;
    node.operands.forEach((operand, i) => {
      const below = reach[operand];
      if (!below.ways) return;
      ways += below.ways;
      largest = Math.max(largest, size(node.local_grads[i] * below.largest));
      total += node.local_grads[i] * below.total;
    });
    reach[node.id] = { ways, largest, total };
  }
  return reach;
}

/** A step of a path under way, and those before it: beginnings share their beginnings. */
interface Way {
  readonly before: Way | null;
  readonly node: number;
  readonly local: number;
}

interface Beginning {
  readonly bound: number;
  readonly age: number;
  readonly product: number;
  readonly node: number;
  readonly way: Way | null;
}

/**
 * Yield paths by falling size: the beginning that can still become the largest goes on first.
 *
 * A beginning's bound is the root's, times the share kept at each turn. The share of the best turn is
 * exactly 1, so rounding never sends the search back, and among equals the newest beginning goes
 * on: both keep it from spreading out over exponentially many.
 */
function* bestFirst(graph: Graph, goal: number, reach: readonly Reach[]): Generator<Path> {
  let newest = 0;
  const heap = new Heap();
  heap.push({
    bound: -reach[graph.root].largest,
    age: newest,
    product: 1,
    node: graph.root,
    way: null,
  });
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) {
    if (next.node === goal) {
      yield finished(goal, next);
      continue;
    }
    const { operands, local_grads } = graph.nodes[next.node];
    const best = reach[next.node].largest;
    for (let i = operands.length - 1; i >= 0; i--) {
      const local = local_grads[i];
      const below = reach[operands[i]];
      if (!below.ways) continue;
      const here = size(local * below.largest);
      const share = here === best ? 1 : here / best;
      newest -= 1;
      heap.push({
        bound: share ? next.bound * share : 0, // not inf · 0
        age: newest,
        product: next.product * local,
        node: operands[i],
        way: { before: next.way, node: next.node, local },
      });
    }
  }
}

function finished(goal: number, { product, way }: Beginning): Path {
  const nodes = [goal];
  const locals: number[] = [];
  for (let step = way; step !== null; step = step.before) {
    nodes.push(step.node);
    locals.push(step.local);
  }
  return { nodes: nodes.reverse(), locals: locals.reverse(), product };
}

function size(x: number): number {
  return Number.isNaN(x) ? Infinity : Math.abs(x); // a nan is worth seeing first
}

/** The least bound first, then the newest; a binary heap, turn for turn that of Python's heapq. */
class Heap {
  readonly #items: Beginning[] = [];

  push(item: Beginning): void {
    this.#items.push(item);
    this.#rise(0, this.#items.length - 1);
  }

  pop(): Beginning | undefined {
    const items = this.#items;
    const last = items.pop();
    if (last === undefined || !items.length) return last;
    const first = items[0];
    let hole = 0;
    for (let child = 1; child < items.length; child = 2 * hole + 1) {
      if (child + 1 < items.length && !before(items[child], items[child + 1])) child += 1;
      items[hole] = items[child];
      hole = child;
    }
    items[hole] = last;
    this.#rise(0, hole);
    return first;
  }

  #rise(top: number, from: number): void {
    const items = this.#items;
    const item = items[from];
    let hole = from;
    while (hole > top) {
      const above = (hole - 1) >> 1;
      if (!before(item, items[above])) break;
      items[hole] = items[above];
      hole = above;
    }
    items[hole] = item;
  }
}

function before(left: Beginning, right: Beginning): boolean {
  return left.bound === right.bound ? left.age < right.age : left.bound < right.bound;
}

/** Return the sum of doubles rounded once (Shewchuk's partial sums, as Python's fsum). */
function exactSum(numbers: readonly number[]): number {
  const partials: number[] = [];
  let special = 0;
  for (const number of numbers) {
    let x = number;
    let kept = 0;
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) partials[kept++] = low;
      x = high;
    }
    partials.length = kept;
    if (Number.isFinite(x)) {
      if (x !== 0) partials.push(x);
    } else {
      special += Number.isFinite(number) ? x : number;
      partials.length = 0;
    }
  }
  if (special !== 0) return special;
  let high = partials.pop() ?? 0;
  let low = 0;
  while (partials.length) {
    const x = high;
    const y = partials.pop()!;
    high = x + y;
    low = y - (high - x);
    if (low !== 0) break;
  }
  // Half-way cases: round to even across the partials that are left.
  const next = partials[partials.length - 1] ?? 0;
  if ((low < 0 && next < 0) || (low > 0 && next > 0)) {
    const twice = low * 2;
    const x = high + twice;
    if (twice === x - high) high = x;
  }
  return high;
}
