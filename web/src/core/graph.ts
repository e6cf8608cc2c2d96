/**
 * An immutable picture of a computation: what everything that explains or draws works on.
 *
 * `snapshot(value)` turns the live graph under a Value into a `Graph` of `Node`s with small ids in
 * topological order, inputs first, the root last. Nothing above this module touches a Value.
 *
 * The engine records `a - b` as `a + (b * -1)` and `a / b` as `a * b**-1`, as micrograd does. A
 * graph shows such a pair folded into one node tagged *derived*; `unfold()` shows the primitives.
 * An operation over a list stays one node here: only Python unfolds those.
 */

import { CONST, topologicalOrder, Value } from "./engine.ts";
import { GraphError, message, OperandError } from "./errors.ts";
import { described, isDigits, number, repr } from "./numbers.ts";
import { dividesPlainly, NARY_REASONS } from "./ops.ts";

const LEAF = "leaf";
const DERIVED = "derived";

/**
 * One value of the computation, as it was when the snapshot was taken. `operands` are ids of its
 * inputs in order; `local_grads` has d node / d input for each.
 */
export interface Node {
  readonly id: number;
  readonly op: string;
  readonly label: string;
  readonly data: number;
  readonly grad: number;
  readonly operands: readonly number[];
  readonly local_grads: readonly number[];
  readonly tags: readonly string[];
  readonly line: readonly [string, number] | null;
  /** The box it was made in, as `layers.0.attention`; empty for none. Only Python names them. */
  readonly scope: string;
}

/** Whether a node is a plain number: it does not vary and receives no gradient. */
export function isConst(node: Node): boolean {
  return node.tags.length > 0 && node.tags.includes(CONST);
}

/** Nodes in topological order: `graph.nodes[i].id === i`, the root is the last. */
export class Graph {
  readonly nodes: readonly Node[];
  readonly #recorded: readonly Node[];
  #names: readonly string[] | null = null;
  #found: Map<string, number> | null = null;
  #consumers: readonly (readonly number[])[] | null = null;

  constructor(nodes: readonly Node[], recorded: readonly Node[] = nodes) {
    this.nodes = nodes;
    this.#recorded = recorded;
  }

  get length(): number {
    return this.nodes.length;
  }

  /** The id of the root. */
  get root(): number {
    return this.nodes.length - 1;
  }

  /** The nodes without inputs that are not constants. */
  get leaves(): readonly Node[] {
    return this.nodes.filter((node) => node.tags.includes(LEAF));
  }

  /**
   * Return the name a person knows the node by: its label, its number, or its symbol. Where several
   * nodes would share a name, a subscript tells them apart.
   */
  name(id: number): string {
    this.#names ??= names(this.nodes);
    return this.#names[id];
  }

  /** Return the node with this id, name, or label; `*_2` and `*2` also find `*₂`. */
  find(node: number | string | Node): Node {
    const id = typeof node === "object" ? node.id : node;
    if (typeof id === "number") {
      const found = this.nodes[id];
      if (found) return found;
      throw new GraphError(message("no-node-id", id, this.root));
    }
    this.#found ??= this.#index();
    const byName = this.#found.get(`=${id}`) ?? this.length;
    const first = Math.min(byName, this.#found.get(`~${typed(id)}`) ?? this.length);
    if (first < this.length) return this.nodes[first];
    const known = this.nodes.slice(0, 12).filter((candidate) => !isConst(candidate));
    const names = known.map((candidate) => this.name(candidate.id));
    throw new GraphError(message("no-node", repr(id), names));
  }

  /** Return, for each node, the ids of the nodes that read it, once for each edge. */
  consumers(): readonly (readonly number[])[] {
    if (this.#consumers) return this.#consumers;
    const found: number[][] = this.nodes.map(() => []);
    for (const node of this.nodes) {
      for (const operand of node.operands) found[operand].push(node.id);
    }
    this.#consumers = found;
    return found;
  }

  /** Return the same graph with these gradients, one for each node. */
  withGrads(grads: readonly number[]): Graph {
    const nodes = this.nodes.map((node, i) =>
      changed(node, node.id, node.op, node.operands, grads[i]),
    );
    const graph = new Graph(nodes, this.#recorded);
    graph.#names = this.#names; // names and wiring do not depend on gradients
    graph.#consumers = this.#consumers;
    return graph;
  }

  /** Return the graph with `a - b`, `a / b` and `-a` as one derived node each. */
  fold(): Graph {
    return folded(this.#recorded);
  }

  /** Return the graph in primitives: `a + (b * -1)`, `a * b**-1`, `a * -1`. */
  unfold(): Graph {
    return unfolded(this.#recorded);
  }

  /** First of each name as it is (=), and of each as it can be typed (~). */
  #index(): Map<string, number> {
    const found = new Map<string, number>();
    for (let id = this.root; id >= 0; id--) {
      found.set(`=${this.name(id)}`, id);
      if (!isConst(this.nodes[id])) found.set(`~${typed(this.name(id))}`, id);
    }
    return found;
  }
}

/** Return the graph under `root` as immutable data, derived operations folded unless told. */
export function snapshot(root: Value, { fold = true }: { fold?: boolean } = {}): Graph {
  if (!(root instanceof Value)) {
    throw new OperandError(message("snapshot-value", described(root)));
  }
  const order = topologicalOrder(root);
  const ids = new Map<Value, number>();
  const recorded: Node[] = [];
  for (let id = 0; id < order.length; id++) {
    const value = order[id];
    ids.set(value, id);
    recorded.push({
      id,
      op: value._op,
      label: value.label,
      data: value.data,
      grad: value.grad,
      operands: value._children.map((child) => ids.get(child)!),
      local_grads: localGrads(value),
      tags: tagsOf(value),
      line: value._line,
      scope: value._scope,
    });
  }
  return fold ? folded(recorded) : unfolded(recorded);
}

const NO_TAGS: readonly string[] = Object.freeze([]);
const LEAF_TAGS: readonly string[] = Object.freeze([LEAF]);
const CONST_TAGS: readonly string[] = Object.freeze([CONST]);
const DERIVED_TAGS: readonly string[] = Object.freeze([DERIVED]);

function tagsOf(value: Value): readonly string[] {
  if (value._op === CONST) return CONST_TAGS;
  if (NARY_REASONS.has(value._op)) return DERIVED_TAGS;
  return value._children.length ? NO_TAGS : LEAF_TAGS;
}

/**
 * Return the local gradients, with 0 towards constants, which do not vary.
 *
 * A node with a `_backward` of its own is asked: pushing is linear, so what it pushes of a gradient
 * of 1 into zeroed inputs is the local gradient.
 */
function localGrads(value: Value): readonly number[] {
  const children = value._children;
  const locals = value._local_grads;
  if (locals !== null) return locals.map((local, i) => (children[i]._op === CONST ? 0 : local));
  const before = [value, ...children].map((node) => node.grad);
  try {
    for (const child of children) child.grad = 0;
    value.grad = 1;
    value._backward();
    // a*a: the sum, on the first edge
    return children.map((child, i) => (children.indexOf(child) < i ? 0 : child.grad));
  } finally {
    [value, ...children].forEach((node, i) => {
      node.grad = before[i];
    });
  }
}

// The derived symbols: the primitive each is recorded as, and the inner node it swallows.
const PRIMITIVE: ReadonlyMap<string, string> = new Map([
  ["-", "+"],
  ["/", "*"],
  ["neg", "*"],
]);
const INNER: ReadonlyMap<string, string> = new Map([
  ["-", "neg"],
  ["/", "**"],
]);

/** Return whether a node stands for two primitives. A division by an extreme number is one itself. */
function isDerived(node: Node, nodes: readonly Node[]): boolean {
  if (!PRIMITIVE.has(node.op) || node.operands.length !== 2) return false;
  return node.op !== "/" || dividesPlainly(nodes[node.operands[1]].data);
}

function unfolded(recorded: readonly Node[]): Graph {
  const nodes = recorded.map((node) =>
    isDerived(node, recorded)
      ? changed(node, node.id, PRIMITIVE.get(node.op)!, node.operands)
      : node,
  );
  return new Graph(nodes, recorded);
}

function folded(recorded: readonly Node[]): Graph {
  const derived = recorded.filter((node) => isDerived(node, recorded));
  if (!derived.length) return new Graph(recorded, recorded);
  const uses = new Uint32Array(recorded.length);
  for (const node of recorded) {
    for (const operand of node.operands) uses[operand] += 1;
  }
  const swallowed = new Uint8Array(recorded.length);
  const folds = new Uint8Array(recorded.length);
  const innerOf = new Map<number, Node>();
  for (const node of derived) {
    folds[node.id] = 1;
    const inner = recorded[node.operands[1]];
    if (node.op === "neg") swallowed[inner.id] = 1;
    else if (inner.op === INNER.get(node.op) && uses[inner.id] === 1 && !inner.label) {
      innerOf.set(node.id, inner);
      swallowed[inner.id] = swallowed[inner.operands[1]] = 1;
    }
  }
  const ids = new Uint32Array(recorded.length);
  const nodes: Node[] = [];
  for (const node of recorded) {
    if (swallowed[node.id]) continue;
    const id = nodes.length;
    ids[node.id] = id;
    let { op, operands, local_grads, tags } = node;
    if (folds[node.id]) {
      const inner = innerOf.get(node.id);
      if (op === "neg") {
        operands = [operands[0]];
        local_grads = [local_grads[0]];
        tags = DERIVED_TAGS;
      } else if (inner) {
        operands = [operands[0], inner.operands[0]];
        local_grads = [local_grads[0], local_grads[1] * inner.local_grads[0]];
        tags = DERIVED_TAGS;
      } else {
        op = PRIMITIVE.get(op)!; // its inner node is in use elsewhere: show what is there
      }
    }
    operands = operands.map((operand) => ids[operand]);
    nodes.push(changed(node, id, op, operands, node.grad, local_grads, tags));
  }
  return new Graph(nodes, recorded);
}

/** Return a node with some fields changed; written out because a spread is three times slower. */
function changed(
  node: Node,
  id: number,
  op: string,
  operands: readonly number[],
  grad = node.grad,
  local_grads = node.local_grads,
  tags = node.tags,
): Node {
  const { label, data, line, scope } = node;
  return { id, op, label, data, grad, operands, local_grads, tags, line, scope };
}

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

function names(nodes: readonly Node[]): readonly string[] {
  const bare = nodes.map((n) => n.label || (isConst(n) ? number(n.data) : n.op || "v"));
  const count = new Map<string, number>();
  for (const node of nodes) {
    if (!isConst(node)) count.set(bare[node.id], (count.get(bare[node.id]) ?? 0) + 1);
  }
  const seen = new Map<string, number>();
  return nodes.map((node) => {
    const name = bare[node.id];
    if (isConst(node) || count.get(name) === 1) return name;
    const place = (seen.get(name) ?? 0) + 1;
    seen.set(name, place);
    return name + String(place).replace(/\d/g, (digit) => SUBSCRIPTS[Number(digit)]);
  });
}

/** Return a name as it can be typed: `*₂` is `*2`, and so is `*_2`. */
function typed(name: string): string {
  const plain = name.replace(/[₀-₉]/g, (digit) => String(SUBSCRIPTS.indexOf(digit)));
  const cut = plain.lastIndexOf("_");
  const tail = plain.slice(cut + 1);
  return cut > 0 && isDigits(tail) ? plain.slice(0, cut) + tail : plain;
}
