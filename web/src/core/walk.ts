/**
 * The walk as data: every step of forward, sort and backward, with its numbers and its reason.
 *
 * `walk(root)` is the right walk. `walk(root, {order})` runs any visit order under one rule, a
 * visited node accepts nothing more, and reports what was lost; `walk(root, {bug})` makes a classic
 * mistake on purpose. Either way `grads` is what this walk computed, `expected` what is right.
 *
 * Start reading at `Walk`, then `walk`. What costs text or a list for each step (stacks, equations,
 * formulas, notes) is made when it is read, so that a slider move pays for the numbers alone.
 */

import type { Value } from "./engine.ts";
import { GraphError, message, OrderError } from "./errors.ts";
import { Graph, isConst, type Node, snapshot } from "./graph.ts";
import { number, repr } from "./numbers.ts";
import { BY_SYMBOL } from "./ops.ts";
import { relation } from "./statements.ts";

/** The mistakes that a walk can make on purpose: `=` for `+=`, no clean start, no set, no reversal. */
export const BUGS = ["overwrite", "no-reset", "no-visited", "wrong-order"] as const;

export type Bug = (typeof BUGS)[number];

const MOST_VISITS = 100_000;

/** A node computes its data; leaves have theirs already. */
export class ForwardStep {
  readonly node: number;
  readonly data: number;
  readonly #graph: Graph;

  constructor(graph: Graph, node: Node) {
    this.node = node.id;
    this.data = node.data;
    this.#graph = graph;
  }

  /** Its arithmetic in numbers: `2 + -3 = -1`. */
  get equation(): string {
    return equation(this.#graph, this.#graph.nodes[this.node]);
  }
}

/**
 * An entry of the sort's stack, and those below it.
 *
 * Linked, so that every step keeps its own stack at the cost of a cell, not of a copy.
 */
interface Cell {
  readonly below: Cell | null;
  readonly node: number;
  readonly next: number;
}

/** One turn of the sort: a (node, index of its next input) is popped from the stack. */
export class SortStep {
  readonly pop: readonly [number, number];
  /** How many nodes are in their place after this step. */
  readonly placed: number;
  readonly #note: number;
  readonly #sort: Sort;
  readonly #stack: Cell | null;

  constructor(sort: Sort, cell: Cell, note: number, placed: number, stack: Cell | null) {
    this.pop = [cell.node, cell.next];
    this.placed = placed;
    this.#note = note;
    this.#sort = sort;
    this.#stack = stack;
  }

  get note(): "" | "leaf" | "done" | "visited" {
    if (this.#note >= 0) return "visited";
    return this.#note === LEAF ? "leaf" : this.#note === DONE ? "done" : "";
  }

  /** The input that was visited before, −1 for none. */
  get visited(): number {
    return this.#note >= 0 ? this.#note : -1;
  }

  /** The stack after this step, bottom first. */
  get stack(): readonly (readonly [number, number])[] {
    const entries: [number, number][] = [];
    for (let cell = this.#stack; cell !== null; cell = cell.below) {
      entries.push([cell.node, cell.next]);
    }
    return entries.reverse();
  }

  /** The nodes placed so far, in order. */
  get sorted(): readonly number[] {
    return this.#sort.order.slice(0, this.placed);
  }
}

/** One contribution along one edge: incoming × local, added to what the input had. */
export class Push {
  readonly to: number;
  readonly operand: number;
  readonly incoming: number;
  readonly local: number;
  readonly contribution: number;
  readonly before: number;
  readonly after: number;
  readonly #graph: Graph;
  readonly #node: Node;

  constructor(
    graph: Graph,
    node: Node,
    operand: number,
    incoming: number,
    contribution: number,
    before: number,
    after: number,
  ) {
    this.to = node.operands[operand];
    this.operand = operand;
    this.incoming = incoming;
    this.local = node.local_grads[operand];
    this.contribution = contribution;
    this.before = before;
    this.after = after;
    this.#graph = graph;
    this.#node = node;
  }

  /** The local derivative with the inputs' own names: `c` for d(s * c)/ds. */
  get formula(): string {
    return formula(this.#graph, this.#node, this.operand);
  }
}

/** A node is visited with the gradient it has by then, and pushes to its inputs. */
export interface BackwardStep {
  readonly node: number;
  readonly grad: number;
  readonly pushes: readonly Push[];
  /** Why nothing was pushed: it is a leaf, or its gradient is zero. */
  readonly note: "" | "leaf" | "zero";
}

/** A contribution that arrived at a node after its visit, so that it went nowhere. */
export interface Lost {
  readonly source: number;
  readonly to: number;
  readonly contribution: number;
  /** From the root, by way of `source`, to `to`. */
  readonly path: readonly number[];
}

/** All of it. `order` is the order of visits; every list of numbers has one for each node. */
export class Walk {
  readonly graph: Graph;
  readonly forward: readonly ForwardStep[];
  declare readonly sort: readonly SortStep[];
  readonly order: readonly number[];
  readonly backward: readonly BackwardStep[];
  readonly grads: readonly number[];
  readonly expected: readonly number[];
  readonly lost: readonly Lost[];
  readonly bug: Bug | null;

  constructor(fields: Omit<Walk, "wrong" | "sort">) {
    this.graph = fields.graph;
    this.forward = fields.forward;
    // Most walks are never asked for their sort, whose turns are most of the objects of a walk.
    let sort: readonly SortStep[] | null = null;
    Object.defineProperty(this, "sort", {
      enumerable: true,
      get: () => (sort ??= new Sort(this.graph).steps),
    });
    this.order = fields.order;
    this.backward = fields.backward;
    this.grads = fields.grads;
    this.expected = fields.expected;
    this.lost = fields.lost;
    this.bug = fields.bug;
  }

  /** The ids of nodes whose gradient came out other than it should. */
  get wrong(): readonly number[] {
    const wrong = this.graph.nodes.filter(
      (node) => !isConst(node) && !same(this.grads[node.id], this.expected[node.id]),
    );
    return wrong.map((node) => node.id);
  }
}

/**
 * Return the walk of the graph under `root`.
 *
 * `order` names every node but the constants, in the order to visit them. `bug` is one of BUGS;
 * only "overwrite" goes together with an order.
 */
export function walk(
  root: Value | Graph,
  {
    order = null,
    bug = null,
  }: { order?: readonly (number | string | Node)[] | null; bug?: string | null } = {},
): Walk {
  const graph = root instanceof Graph ? root : snapshot(root);
  if (bug !== null && !isBug(bug)) {
    throw new GraphError(message("no-bug", repr(bug), BUGS));
  }
  if (order !== null && bug !== null && bug !== "overwrite") {
    throw new OrderError(message("order-and-bug", bug));
  }

  const sorted = sortOrder(graph);
  const right = sorted.toReversed();
  const correct = new Backward(graph).visit(right);
  let run = correct;
  let visits: readonly number[] = right;
  if (order !== null || bug !== null) {
    run = new Backward(graph, bug === "overwrite", order !== null);
    if (order !== null) visits = checkedOrder(graph, order);
    else if (bug === "wrong-order") visits = sorted;
    else if (bug === "no-visited") visits = sortWithoutVisited(graph).reverse();
    run.visit(visits);
    if (bug === "no-reset") run.visit(visits);
  }
  const forward: ForwardStep[] = [];
  for (const node of graph.nodes) {
    if (node.operands.length) forward.push(new ForwardStep(graph, node));
  }
  return new Walk({
    graph: graph.withGrads(correct.grads),
    forward,
    order: visits,
    backward: run.steps,
    grads: run.grads,
    expected: correct.grads,
    lost: run.lost,
    bug,
  });
}

// ── Words ────────────────────────────────────────────────────────────────────────────────────

/** Return a node's arithmetic in numbers: `2 + -3 = -1`, `tanh(0.5) ≈ 0.462117`. */
export function equation(graph: Graph, node: Node): string {
  const operands = node.operands.map((operand) => number(graph.nodes[operand].data));
  const out = number(node.data);
  const end = ` ${relation(node.op, operands, out)} ${out}`;
  if (BY_SYMBOL.get(node.op)?.infix) {
    const [base, other] = operands;
    const left = node.op === "**" && base.startsWith("-") ? `(${base})` : base;
    return `${left} ${node.op} ${other}${end}`;
  }
  if (node.op === "neg") return `-(${operands[0]})${end}`;
  return `${node.op || "node"}(${operands.join(", ")})${end}`;
}

/**
 * Return a local derivative with the inputs' own names: `c` for d(s * c)/ds.
 *
 * A nameless input reads better as its number than as a symbol; who has names for all passes `nameOf`.
 */
export function formula(
  graph: Graph,
  node: Node,
  operand: number,
  nameOf = (id: number): string =>
    graph.nodes[id].label ? graph.name(id) : number(graph.nodes[id].data),
): string {
  const row = BY_SYMBOL.get(node.op);
  if (!row) return number(node.local_grads[operand]);
  const names = new Map<string, string>();
  node.operands.forEach((id, i) => {
    if (i < row.operands.length) names.set(row.operands[i], nameOf(id));
  });
  return row.formulas[operand].replace(/[a-z_]\w*/g, (word) => names.get(word) ?? word);
}

// ── Sort ─────────────────────────────────────────────────────────────────────────────────────

// What a turn of the sort did, where no node had been visited already.
const PLAIN = -1;
const LEAF = -2;
const DONE = -3;

/** A sort with a stack of (node, index of its next input), keeping every turn. */
class Sort {
  readonly graph: Graph;
  readonly steps: SortStep[] = [];
  readonly order: number[] = [];

  constructor(graph: Graph) {
    this.graph = graph;
    const visited = new Uint8Array(graph.length);
    visited[graph.root] = 1;
    let stack: Cell | null = { below: null, node: graph.root, next: 0 };
    while (stack !== null) {
      const cell: Cell = stack;
      const { operands } = graph.nodes[cell.node];
      let note = PLAIN;
      if (cell.next === operands.length) {
        this.order.push(cell.node);
        stack = cell.below;
        note = operands.length ? DONE : LEAF;
      } else {
        stack = { below: cell.below, node: cell.node, next: cell.next + 1 };
        const operand = operands[cell.next];
        if (visited[operand]) note = operand;
        else {
          visited[operand] = 1;
          stack = { below: stack, node: operand, next: 0 };
        }
      }
      this.steps.push(new SortStep(this, cell, note, this.order.length, stack));
    }
  }
}

/** Return the order that the sort gives, without keeping its turns. */
function sortOrder(graph: Graph): number[] {
  const visited = new Uint8Array(graph.length);
  const next = new Int32Array(graph.length);
  const stack = new Int32Array(graph.length); // a node is on it at most once
  const order: number[] = [];
  let top = 0;
  stack[0] = graph.root;
  visited[graph.root] = 1;
  while (top >= 0) {
    const node = stack[top];
    const { operands } = graph.nodes[node];
    const i = next[node]++;
    if (i === operands.length) {
      order.push(node);
      top -= 1;
    } else if (!visited[operands[i]]) {
      visited[operands[i]] = 1;
      stack[++top] = operands[i];
    }
  }
  return order;
}

/** Return the order that the sort gives when it forgets which nodes it has seen. */
function sortWithoutVisited(graph: Graph): number[] {
  const visits: bigint[] = [];
  for (const node of graph.nodes) {
    visits.push(node.operands.reduce((sum, operand) => sum + visits[operand], 1n));
  }
  if (visits[graph.root] > MOST_VISITS) {
    throw new GraphError(
      message("too-many-visits", String(visits[graph.root]), graph.length, MOST_VISITS),
    );
  }
  const placed: number[] = [];
  const stack: [number, number][] = [[graph.root, 0]];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const [node, index] = entry;
    const { operands } = graph.nodes[node];
    if (index === operands.length) placed.push(node);
    else stack.push([node, index + 1], [operands[index], 0]);
  }
  return placed;
}

// ── Backward ─────────────────────────────────────────────────────────────────────────────────

const NONE: readonly never[] = Object.freeze([]);

/**
 * A backward walk under way; `visit` may be called again, on the gradients left behind.
 *
 * `closes` is the order puzzle's rule: a visited node accepts nothing more.
 */
class Backward {
  readonly grads: number[];
  readonly steps: BackwardStep[] = [];
  readonly lost: Lost[] = [];
  readonly #graph: Graph;
  readonly #overwrite: boolean;
  readonly #closes: boolean;

  constructor(graph: Graph, overwrite = false, closes = false) {
    this.#graph = graph;
    this.#overwrite = overwrite;
    this.#closes = closes;
    this.grads = new Array<number>(graph.length).fill(0);
  }

  visit(order: readonly number[]): this {
    const graph = this.#graph;
    this.grads[graph.root] = 1;
    const closed = new Uint8Array(graph.length);
    for (const id of order) {
      const node = graph.nodes[id];
      if (isConst(node)) continue;
      closed[id] = 1;
      const grad = this.grads[id];
      const note = !node.operands.length ? "leaf" : grad === 0 ? "zero" : "";
      const pushes = note ? NONE : this.#pushes(node, grad, closed);
      this.steps.push({ node: id, grad, pushes, note });
    }
    return this;
  }

  #pushes(node: Node, incoming: number, closed: Uint8Array): Push[] {
    const { nodes } = this.#graph;
    const { operands, local_grads } = node;
    const pushes: Push[] = [];
    for (let i = 0; i < operands.length; i++) {
      const to = operands[i];
      if (isConst(nodes[to])) continue;
      const contribution = contributed(node.op, local_grads[i], incoming);
      const before = this.grads[to];
      if (this.#closes && closed[to]) {
        if (contribution !== 0) this.lost.push(this.#lose(node.id, to, contribution));
        continue;
      }
      const after = this.#overwrite ? contribution : before + contribution;
      this.grads[to] = after;
      pushes.push(new Push(this.#graph, node, i, incoming, contribution, before, after));
    }
    return pushes;
  }

  #lose(source: number, to: number, contribution: number): Lost {
    const graph = this.#graph;
    return { source, to, contribution, path: [...way(graph, source), to] };
  }
}

/** Return a shortest way from the root to `node`. */
function way(graph: Graph, node: number): number[] {
  const consumers = graph.consumers();
  // From node up, breadth first over consumers: each remembers what it was reached from.
  const cameFrom = new Map([[node, node]]);
  let frontier = [node];
  while (!cameFrom.has(graph.root)) {
    const next: number[] = [];
    for (const below of frontier) {
      for (const consumer of consumers[below]) {
        if (cameFrom.has(consumer)) continue;
        cameFrom.set(consumer, below);
        next.push(consumer);
      }
    }
    frontier = next;
  }
  const found = [graph.root];
  while (found[found.length - 1] !== node) found.push(cameFrom.get(found[found.length - 1])!);
  return found;
}

function checkedOrder(graph: Graph, order: readonly (number | string | Node)[]): number[] {
  const given = order.map((node) => graph.find(node).id);
  const times = new Uint32Array(graph.length);
  for (const id of given) times[id] += 1;
  const twice = graph.nodes.filter((node) => times[node.id] > 1);
  const missing = graph.nodes.filter((node) => !isConst(node) && times[node.id] === 0);
  const names = (nodes: readonly Node[]): string[] => nodes.map(({ id }) => graph.name(id));
  if (twice.length) throw new OrderError(message("order-twice", names(twice)));
  if (missing.length) throw new OrderError(message("order-missing", names(missing)));
  return given;
}

function isBug(bug: string): bug is Bug {
  return (BUGS as readonly string[]).includes(bug);
}

function same(x: number, y: number): boolean {
  return x === y || (Number.isNaN(x) && Number.isNaN(y));
}

/** Return local × incoming; the side that was not selected gets nothing of an infinity either. */
export function contributed(op: string, local: number, incoming: number): number {
  if (local === 0 && !Number.isFinite(incoming) && BY_SYMBOL.get(op)?.selects) return 0;
  return local * incoming;
}
