/**
 * Which nodes of a large graph stand together on one card. Pure, and by structure alone.
 *
 *   scope     the nodes that were made in one box: `layers.0`
 *   sum       additions that feed each other, and nothing else; `product` likewise
 *   run       a chain of operations of which each is read by the next alone
 *   repeat    equal subtrees, four or more, that all feed the same card; opened, it shows each as a
 *   unit      one of them
 *   block     a stretch of what is still too much, in topological order
 *
 * A box of very many parts opens into smaller boxes of the same kind, a few at a time.
 *
 * Cards that stand for many nodes must not read each other in a circle. Sums, runs and units have one
 * way out, and all of a repeat's ways out lead to one such card, so these never do. A scope may: one
 * that is left and entered again becomes two cards. Start reading at `groupsOf`.
 */

import { type Graph, isConst } from "../core/index.ts";
import { homesOf, Slots, stepsOf } from "./scopes.ts";

export type GroupKind = "scope" | "sum" | "product" | "run" | "repeat" | "unit" | "block";

export interface Group {
  /** The same for the same group of the same structure: what is opened is known by it. */
  readonly key: string;
  readonly kind: GroupKind;
  /** Its nodes, inputs first. */
  readonly nodes: readonly number[];
  /** Who has a cell on its card: the ends of a repeat's parts; of a sum nobody, its nodes agree. */
  readonly cells: readonly number[];
  /** How many equal parts a repeat has; 1 for the others. */
  readonly parts: number;
  /** The scope's name, or the operations of one part, outermost first. */
  readonly name: string;
}

const LEAST_SUM = 3;
const LEAST_RUN = 8;
const LEAST_REPEAT = 4;
/** A box opens into no more cards than this, as far as that goes. */
const MOST_PARTS = 24;
/** More cards than this are cut into so many stretches; as many leaves stay outside of them. */
const MOST_CARDS = 60;
const STRETCHES = 4;
const MOST_LEAVES = 12;

/** Return the closed groups of a graph; what is in none of them is drawn as a card of its own. */
export function groupsOf(graph: Graph, opened: ReadonlySet<string>): readonly Group[] {
  const closed = new Folder(graph, NONE_OPENED).groups();
  const cards = cardsOf(graph, closed).map(({ nodes }) => nodes);
  if (cards.length <= MOST_CARDS) return opened.size ? new Folder(graph, opened).groups() : closed;
  const blocks = blocksOf(graph, cards, opened);
  const held = new Set(blocks.flatMap(({ nodes }) => nodes));
  const rest = new Folder(graph, opened).groups().filter(({ nodes }) => !held.has(nodes[0]));
  return [...blocks, ...rest];
}

const NONE_OPENED: ReadonlySet<string> = new Set();

/** What else does not fold is cut into stretches: every edge leads from one to a later one. */
function blocksOf(
  graph: Graph,
  cards: readonly (readonly number[])[],
  opened: ReadonlySet<string>,
): Group[] {
  const isLeaf = ([id]: readonly number[]): boolean => !graph.nodes[id].operands.length;
  const few = cards.filter(isLeaf).length <= MOST_LEAVES;
  const line = few ? cards.filter((card) => !isLeaf(card)) : cards;
  const blocks: Group[] = [];
  const cut = (from: number, to: number): void => {
    if (to - from <= MOST_PARTS) return;
    const size = Math.ceil((to - from) / STRETCHES);
    for (let start = from; start < to; start += size) {
      const end = Math.min(to, start + size);
      const key = `block ${start} ${end}`;
      if (opened.has(key)) {
        cut(start, end);
        continue;
      }
      const nodes = rising(line.slice(start, end).flat());
      const cells = nodes.filter((id) => !isConst(graph.nodes[id]));
      blocks.push({ key, kind: "block", nodes, cells, parts: 1, name: "" });
    }
  };
  cut(0, line.length);
  return blocks;
}

/** The nodes of each card, every card behind those that it reads. */
export function cardsOf(
  graph: Graph,
  groups: readonly Group[],
): readonly { nodes: readonly number[]; group: Group | null }[] {
  const groupOf = new Map<number, Group>();
  for (const group of groups) for (const id of group.nodes) groupOf.set(id, group);
  adoptConstants(graph, groupOf);
  const members = new Map<Group, number[]>();
  for (const { id } of graph.nodes) {
    const group = groupOf.get(id);
    if (!group) continue;
    const held = members.get(group);
    if (held) held.push(id);
    else members.set(group, [id]);
  }
  return sorted(graph, groupOf, members).map((nodes) => ({
    nodes,
    group: groupOf.get(nodes[0]) ?? null,
  }));
}

/** A constant that only a group reads is part of it. */
function adoptConstants(graph: Graph, groupOf: Map<number, Group>): void {
  const consumers = graph.consumers();
  for (const node of graph.nodes) {
    if (!isConst(node) || groupOf.has(node.id)) continue;
    const [first, ...others] = consumers[node.id].map((id) => groupOf.get(id));
    if (first && others.every((other) => other === first)) groupOf.set(node.id, first);
  }
}

/** The nodes of each card, every card behind those that it reads. */
function sorted(
  graph: Graph,
  groupOf: ReadonlyMap<number, Group>,
  members: ReadonlyMap<Group, readonly number[]>,
): (readonly number[])[] {
  const order: (readonly number[])[] = [];
  const done = new Uint8Array(graph.length);
  const of = (id: number): readonly number[] => {
    const group = groupOf.get(id);
    return group ? members.get(group)! : [id];
  };
  for (const { id } of graph.nodes) {
    const stack = [id];
    while (stack.length) {
      const top = stack[stack.length - 1];
      if (done[top]) {
        stack.pop();
        continue;
      }
      const ids = of(top);
      const own = new Set(ids);
      const waiting = ids.flatMap((one) =>
        graph.nodes[one].operands.filter((operand) => !done[operand] && !own.has(operand)),
      );
      if (waiting.length) {
        stack.push(waiting[waiting.length - 1]);
        continue;
      }
      stack.pop();
      for (const one of ids) done[one] = 1;
      order.push(ids);
    }
  }
  return order;
}

const NONE = -1;

class Folder {
  readonly #graph: Graph;
  readonly #opened: ReadonlySet<string>;
  readonly #consumers: readonly (readonly number[])[];
  /** The one node that reads a node, or −1. */
  readonly #only: Int32Array;
  /** Equal for nodes whose subtrees, as far as nothing else reads them, are equal. */
  readonly #shape: Int32Array;
  /** The group in the making that a node was put into, or −1. */
  readonly #place: Int32Array;
  readonly #closed: Group[] = [];
  readonly #members = new Map<number, readonly number[]>();
  readonly #scopePlaces = new Set<number>();
  #places = 0;

  constructor(graph: Graph, opened: ReadonlySet<string>) {
    this.#graph = graph;
    this.#opened = opened;
    this.#consumers = graph.consumers();
    this.#only = new Int32Array(graph.length).fill(NONE);
    for (let id = 0; id < graph.length; id++) {
      const [first, ...others] = this.#consumers[id];
      if (first !== undefined && others.every((one) => one === first)) this.#only[id] = first;
    }
    this.#shape = this.#shapes();
    this.#place = new Int32Array(graph.length).fill(NONE);
  }

  groups(): readonly Group[] {
    const rest = this.#scopes(
      this.#graph.nodes.map(({ id }) => id),
      [],
      this.#homes(),
    );
    this.#divide(rest, "");
    return this.#closed;
  }

  /** Close a group, or, if it was opened, leave its nodes to `inside`. */
  #make(group: Group, inside: () => void): void {
    if (this.#opened.has(group.key)) inside();
    else this.#closed.push(group);
  }

  // ── Scopes ─────────────────────────────────────────────────────────────────────────────────

  #homes(): readonly (readonly string[])[] {
    const { nodes } = this.#graph;
    const own = nodes.map(({ scope }) => stepsOf(scope));
    if (!own.some(({ length }) => length)) return own;
    return homesOf(
      own,
      (id) => !nodes[id].operands.length,
      (id) => this.#consumers[id],
    );
  }

  /** Make groups of the scopes just inside `outer`; return the nodes that are in none of them. */
  #scopes(
    nodes: readonly number[],
    outer: readonly string[],
    homes: readonly (readonly string[])[],
  ): number[] {
    const slots = new Slots();
    const slotOf = new Map<number, number>();
    for (const id of nodes) {
      const name = homes[id][outer.length];
      const sources = this.#graph.nodes[id].operands.flatMap((one) => slotOf.get(one) ?? []);
      slotOf.set(id, slots.add(name ? "box" : "node", name ?? String(id), id, sources));
    }
    const rest: number[] = [];
    for (const { kind, name: plain, turn, nodes: ids } of slots.rows) {
      if (kind === "node") {
        rest.push(...ids);
        continue;
      }
      const name = turn > 1 ? `${plain} (${turn})` : plain;
      const place = this.#places++;
      this.#scopePlaces.add(place);
      for (const id of ids) this.#place[id] = place;
      const group: Group = {
        key: `scope ${[...outer, name].join(".")}`,
        kind: "scope",
        nodes: ids,
        cells: this.#varying(ids),
        parts: 1,
        name,
      };
      this.#make(group, () => {
        for (const id of ids) this.#place[id] = NONE;
        this.#divide(this.#scopes(ids, [...outer, plain], homes), group.key);
      });
    }
    return rest;
  }

  // ── Sums, repeats, runs ────────────────────────────────────────────────────────────────────

  /** Make groups of some nodes, which come in topological order. */
  #divide(nodes: readonly number[], prefix: string): void {
    const inside = new Set(nodes);
    for (let i = nodes.length - 1; i >= 0; i--) {
      const id = nodes[i];
      const node = this.#graph.nodes[id];
      if (this.#place[id] !== NONE || isConst(node)) continue;
      if (node.op === "+" || node.op === "*") this.#chain(id, node.op, inside, prefix);
      if (this.#place[id] === NONE) this.#repeat(id, inside, prefix);
      if (this.#place[id] === NONE && node.operands.length) this.#run(id, inside, prefix);
    }
  }

  /** Whether a node may still join a group of these nodes. */
  #isFree(id: number, inside: ReadonlySet<number>): boolean {
    return inside.has(id) && this.#place[id] === NONE;
  }

  #put(
    kind: GroupKind,
    key: string,
    nodes: readonly number[],
    cells: readonly number[],
    parts: number,
    name: string,
  ): Group {
    const place = this.#places++;
    for (const id of nodes) this.#place[id] = place;
    return { key, kind, nodes: rising(nodes), cells: rising(cells), parts, name };
  }

  #varying(nodes: readonly number[]): number[] {
    return nodes.filter((id) => !isConst(this.#graph.nodes[id]));
  }

  /** A sum or a product: operations of one kind, each but the last read by the next alone. */
  #chain(root: number, op: string, inside: ReadonlySet<number>, prefix: string): void {
    const found: number[] = [];
    const stack = [root];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      found.push(id);
      for (const operand of this.#graph.nodes[id].operands) {
        const { op: other, label } = this.#graph.nodes[operand];
        if (other === op && !label && this.#only[operand] === id && this.#isFree(operand, inside))
          stack.push(operand);
      }
    }
    if (found.length < LEAST_SUM) return;
    const kind = op === "+" ? "sum" : "product";
    const group = this.#put(kind, `${prefix}${kind} ${root}`, found, [], 1, op);
    const parts = group.nodes.map((id) => [id]);
    this.#make(group, () => this.#open(group, parts));
  }

  /** Equal subtrees that feed the card that a node feeds. */
  #repeat(id: number, inside: ReadonlySet<number>, prefix: string): void {
    const reader = this.#readerOf(id);
    if (reader === NONE) return;
    const roots = new Set<number>();
    for (const member of this.#readers(reader))
      for (const operand of this.#graph.nodes[member].operands)
        if (
          this.#shape[operand] === this.#shape[id] &&
          this.#isFree(operand, inside) &&
          this.#readerOf(operand) === reader
        )
          roots.add(operand);
    if (roots.size < LEAST_REPEAT) return;
    const parts = [...roots].map((root) => this.#subtree(root, inside));
    const nodes = [...new Set(parts.flat())];
    const key = `${prefix}repeat ${id}`;
    const name = this.#nameOf(parts[0]);
    const group = this.#put("repeat", key, nodes, [...roots], roots.size, name);
    this.#make(group, () => this.#open(group, parts));
  }

  /** Show the parts of a group: each by itself, or, of very many, as boxes of some of them. */
  #open(group: Group, parts: readonly (readonly number[])[]): void {
    const { key, kind, name } = group;
    if (parts.length > MOST_PARTS) {
      const size = Math.max(MOST_PARTS, Math.ceil(parts.length / MOST_PARTS));
      for (let i = 0; i < parts.length; i += size) {
        const some = parts.slice(i, i + size);
        const nodes = some.flat();
        const cells = kind === "repeat" || kind === "run" ? some.map(([first]) => first) : [];
        const box: Group = {
          key: `${key}:${i}`,
          kind,
          nodes: rising(nodes),
          cells: rising(cells),
          parts: kind === "repeat" ? some.length : 1,
          name,
        };
        this.#make(box, () => this.#open(box, some));
      }
      return;
    }
    if (kind !== "repeat") return;
    for (const part of parts) {
      if (part.length < 2) continue;
      const unit: Group = {
        key: `${key}/${part[0]}`,
        kind: "unit",
        nodes: rising(part),
        cells: rising(this.#varying(part)),
        parts: 1,
        name,
      };
      this.#make(unit, () => {
        for (const id of part) this.#place[id] = NONE;
        this.#divide(unit.nodes, unit.key);
      });
    }
  }

  /**
   * Return the only reader of a node, a node or a group that is no scope; −1 if there are more.
   *
   * Groups are told by their places, nodes by numbers below −1.
   */
  #readerOf(id: number): number {
    let found = NONE;
    for (const consumer of this.#consumers[id]) {
      const place = this.#place[consumer];
      const reader = place === NONE ? -2 - consumer : place;
      if (this.#scopePlaces.has(place) || (found !== NONE && found !== reader)) return NONE;
      found = reader;
    }
    return found;
  }

  /** The nodes of a reader. */
  #readers(reader: number): readonly number[] {
    if (reader < NONE) return [-2 - reader];
    let members = this.#members.get(reader);
    if (!members) {
      members = this.#graph.nodes.map(({ id }) => id).filter((id) => this.#place[id] === reader);
      this.#members.set(reader, members);
    }
    return members;
  }

  /** A node and all below it that nothing else reads. */
  #subtree(root: number, inside: ReadonlySet<number>): number[] {
    const found = [root];
    for (let i = 0; i < found.length; i++)
      for (const operand of new Set(this.#graph.nodes[found[i]].operands))
        if (this.#only[operand] === found[i] && this.#isFree(operand, inside)) found.push(operand);
    return found;
  }

  #run(id: number, inside: ReadonlySet<number>, prefix: string): void {
    const found: number[] = [];
    for (let next: number | undefined = id; next !== undefined; ) {
      found.push(next);
      const here: number = next;
      const inputs: number[] = this.#graph.nodes[here].operands.filter(
        (one) => this.#graph.nodes[one].operands.length,
      );
      const [first] = inputs;
      const goes =
        new Set(inputs).size === 1 && this.#only[first] === here && this.#isFree(first, inside);
      next = goes ? first : undefined;
    }
    if (found.length < LEAST_RUN) return;
    const nodes = [...found];
    for (const one of found)
      for (const operand of this.#graph.nodes[one].operands)
        if (
          !this.#graph.nodes[operand].operands.length &&
          this.#only[operand] === one &&
          this.#isFree(operand, inside)
        )
          nodes.push(operand);
    const operations = found.map((one) => this.#graph.nodes[one].op).reverse();
    const group = this.#put("run", `${prefix}run ${id}`, nodes, found, 1, abridged(operations));
    const parts = found
      .toReversed()
      .map((one) => [one, ...nodes.slice(found.length).filter((leaf) => this.#only[leaf] === one)]);
    this.#make(group, () => this.#open(group, parts));
  }

  #shapes(): Int32Array {
    const { nodes } = this.#graph;
    const numbers = new Map<string, number>();
    const shape = new Int32Array(nodes.length);
    for (const node of nodes) {
      let text = isConst(node) ? "#" : node.op || "x";
      for (const operand of node.operands) {
        const own = this.#only[operand] === node.id || isConst(nodes[operand]);
        text += own ? ` ${shape[operand]}` : " ·";
      }
      let number = numbers.get(text);
      if (number === undefined) numbers.set(text, (number = numbers.size));
      shape[node.id] = number;
    }
    return shape;
  }

  #nameOf(part: readonly number[]): string {
    const operations = part.map((id) => this.#graph.nodes[id]).filter((n) => n.operands.length);
    if (operations.length) return abridged(operations.map((node) => node.op));
    return "";
  }
}

function rising(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b);
}

const MOST_WORDS = 3;

/** A few operations, each that follows itself once: `tanh + *`, and a sign for what is left out. */
function abridged(operations: readonly string[]): string {
  const words = operations.filter((op, i) => op !== operations[i - 1]);
  return words.slice(0, MOST_WORDS).join(" ") + (words.length > MOST_WORDS ? " …" : "");
}
