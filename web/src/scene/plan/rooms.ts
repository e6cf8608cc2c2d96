/**
 * A tape as a floor plan: scopes are boxes, and a box opens into a room with the wiring inside.
 *
 *   box       a scope: every node made in it and in the scopes inside it
 *   part      nodes of a scope that no wire joins to its others, such as one row of a matrix product;
 *             or some hundred in the order of the tape, where a scope has too many of its own
 *   tensor    parameters whose labels differ only in their indices: `wq[0][0]`, `wq[0][1]` …
 *   node      one node
 *   input     what a room reads from outside, by the box that makes it
 *   output    who reads what the room makes
 *
 * The rules are those of `gradwalk.plan`. A leaf belongs to the innermost scope that all its readers
 * share. A scope that is left and entered again becomes two boxes, so boxes never read each other in
 * a circle. Constants are part of the operation that reads them. Pure; start at `Plan`.
 */

import { TAG_CONST, type Tape } from "../../core/index.ts";
import { type CardKind, homesOf, Slots, sameSteps, stepsOf } from "../scopes.ts";

export interface Card {
  readonly kind: CardKind;
  readonly name: string;
  /** Where it stands in the plan: the keys of the boxes around it, and its own. */
  readonly key: string;
  /** The nodes that it stands for, in the order of the tape; of a port, none. */
  readonly nodes: readonly number[];
  /** The cards that it reads, each once, by their places. */
  readonly operands: readonly number[];
}

/** The cards of one room, each behind those that it reads. */
export interface Room {
  readonly key: string;
  readonly cards: readonly Card[];
}

/** So many nodes of a scope's own are shown one by one, if they hang together; else fewer. */
const MOST_LOOSE = 700;
const FEW_LOOSE = 100;
const MOST_PARTS = 128;
const STRETCH = 400;
const MOST_STRETCHES = 48;

const INDICES = /(\[\d+\])+$/;

export class Plan {
  readonly tape: Tape;
  readonly #nameOf: (id: number) => string;
  /** For each node the boxes around it. */
  readonly #homes: readonly (readonly string[])[];
  readonly #readers: Uint32Array;
  readonly #readersStart: Uint32Array;
  /** For each node the tensor that it is an entry of, or "". */
  readonly #tensors: readonly string[];
  readonly #rooms = new Map<string, Room>();
  /** For each node its slot in the room that is being made, or −1. */
  readonly #slotOf: Int32Array;
  readonly #boxes = new Map<string, Held>();

  constructor(tape: Tape, nameOf = (id: number): string => stepName(tape, id)) {
    this.tape = tape;
    this.#nameOf = nameOf;
    [this.#readersStart, this.#readers] = readersOf(tape);
    this.#homes = this.#found();
    const bases = tape.labels.map((label) =>
      INDICES.test(label) ? label.replace(INDICES, "") : "",
    );
    this.#tensors = Array.from(tape.label, (place, id) =>
      tape.start[id] === tape.start[id + 1] ? bases[place] : "",
    );
    this.#slotOf = new Int32Array(tape.length).fill(-1);
    const all = Array.from({ length: tape.length }, (_, id) => id);
    this.#boxes.set("", { nodes: all, steps: [], kind: "box" });
  }

  /** The room inside a box, by its key; "" is the whole. Null where there is no such box. */
  room(key: string): Room | null {
    const known = this.#rooms.get(key);
    if (known) return known;
    const held = this.#held(key);
    if (!held) return null;
    const room = held.kind === "tensor" ? tensorRoom(this.tape, key, held.nodes) : this.#made(key);
    this.#rooms.set(key, room);
    return room;
  }

  /** The keys of the rooms around a node, outermost first; the last has the node as a card. */
  around(node: number): readonly string[] {
    const keys: string[] = [];
    for (let key = ""; ; ) {
      keys.push(key);
      const card = this.room(key)?.cards.find(
        ({ kind, nodes }) => kind !== "node" && holds(nodes, node),
      );
      if (!card) return keys;
      key = card.key;
    }
  }

  #held(key: string): Held | undefined {
    const known = this.#boxes.get(key);
    if (known || !key) return known;
    // Boxes are known once the room around them is: make that one first.
    const cut = key.lastIndexOf("/");
    if (cut < 0 || !this.room(key.slice(0, cut))) return undefined;
    return this.#boxes.get(key);
  }

  #found(): readonly (readonly string[])[] {
    const { tape } = this;
    const steps = tape.scopes.map(stepsOf);
    return homesOf(
      Array.from(tape.scope, (place) => steps[place]),
      (id) => tape.start[id] === tape.start[id + 1],
      (id) => this.#readers.subarray(this.#readersStart[id], this.#readersStart[id + 1]),
    );
  }

  #made(key: string): Room {
    const { nodes, steps, kind } = this.#held(key)!;
    const { tape } = this;
    const depth = steps.length;
    const rank = this.#ranks(nodes, depth, kind);
    const slots = new Slots();
    const slotOf = this.#slotOf;
    const leaving = new Set<number>();
    const whither: string[] = [];
    const inputs = new Map<readonly string[], number>();
    const sources: number[] = [];
    for (const id of nodes) {
      if (tape.tag[id] & TAG_CONST && this.#isRead(id)) continue;
      sources.length = 0;
      for (let e = tape.start[id]; e < tape.start[id + 1]; e++) {
        const operand = tape.operand[e];
        if (tape.tag[operand] & TAG_CONST) continue;
        let source = slotOf[operand];
        if (source < 0) {
          const home = this.#homes[operand];
          source = inputs.get(home) ?? slots.place("input", this.#outside(operand, steps));
          if (home.length > depth) inputs.set(home, source);
        }
        if (!sources.includes(source)) sources.push(source);
      }
      const [slotKind, name] = this.#slot(id, depth, kind, rank);
      slotOf[id] = slots.add(slotKind, name, id, sources);
    }
    if (key)
      for (const id of nodes)
        for (let i = this.#readersStart[id]; i < this.#readersStart[id + 1]; i++) {
          const reader = this.#readers[i];
          if (slotOf[reader] >= 0 || slotOf[id] < 0) continue;
          leaving.add(slotOf[id]);
          if (whither.length > 2) continue;
          const to = this.#outside(reader, steps);
          if (!whither.includes(to)) whither.push(to);
        }
    for (const id of nodes) slotOf[id] = -1;
    const read = new Set(slots.rows.flatMap(({ reads }) => [...reads]));
    slots.rows.forEach((_, slot) => {
      if (!read.has(slot)) leaving.add(slot);
    });
    // The whole ends in its root; any other room ends in what leaves it.
    if (key || leaving.size > 1)
      slots.add("output", whither.slice(0, 2).join(", "), -1, [...leaving]);
    return this.#room(key, steps, slots);
  }

  /** The slots as cards, each behind what it reads. */
  #room(key: string, steps: readonly string[], slots: Slots): Room {
    const order = slots.sorted();
    const place = new Map(order.map((slot, i) => [slot, i]));
    const cards = order.map((slot): Card => {
      const { kind, name, turn, nodes, reads } = slots.rows[slot];
      const step =
        kind === "node" ? `#${nodes[0]}` : `${kind}:${name}${turn > 1 ? ` (${turn})` : ""}`;
      const path = `${key}/${step.replaceAll("/", "∕")}`;
      if (kind === "box" || kind === "part" || kind === "tensor")
        this.#boxes.set(path, { nodes, steps: kind === "box" ? [...steps, name] : steps, kind });
      return {
        kind,
        name: turn > 1 ? `${name} (${turn})` : name,
        key: path,
        nodes,
        operands: [...reads].map((read) => place.get(read)!),
      };
    });
    return { key, cards };
  }

  #isRead(id: number): boolean {
    return this.#readersStart[id] < this.#readersStart[id + 1];
  }

  #slot(
    id: number,
    depth: number,
    around: CardKind,
    rank: ReadonlyMap<number, string>,
  ): [CardKind, string] {
    const home = this.#homes[id];
    if (around === "box" && home.length > depth) return ["box", home[depth]];
    const base = this.#tensors[id];
    if (base) return ["tensor", base];
    const part = rank.get(id);
    return part ? ["part", part] : ["node", String(id)];
  }

  /** Which part each loose node falls into, where there are too many to show one by one. */
  #ranks(nodes: readonly number[], depth: number, kind: CardKind): ReadonlyMap<number, string> {
    const loose = nodes.filter(
      (id) =>
        !(kind === "box" && this.#homes[id].length > depth) &&
        !this.#tensors[id] &&
        !(this.tape.tag[id] & TAG_CONST),
    );
    const found = new Map<number, string>();
    if (loose.length <= FEW_LOOSE) return found;
    const parts = this.#components(loose);
    if (parts.length > 1 && parts.length <= MOST_PARTS) {
      const met = new Map<string, number>();
      for (const part of parts) {
        const base = this.#rowOf(part) || stepName(this.tape, part[part.length - 1]);
        const count = (met.get(base) ?? 0) + 1;
        met.set(base, count);
        for (const id of part) found.set(id, count > 1 ? `${base} (${count})` : base);
      }
      return found;
    }
    if (loose.length <= MOST_LOOSE) return found;
    const size = Math.max(STRETCH, Math.ceil(loose.length / MOST_STRETCHES));
    for (let i = 0; i < loose.length; i += size) {
      const part = loose.slice(i, i + size);
      const name = `${part[0]} … ${part[part.length - 1]}`;
      for (const id of part) found.set(id, name);
    }
    return found;
  }

  /** Some nodes, divided into those that wires among them join. */
  #components(nodes: readonly number[]): number[][] {
    const { tape } = this;
    const above = new Map(nodes.map((id) => [id, id]));
    const top = (id: number): number => {
      let found = id;
      while (above.get(found) !== found) found = above.get(found)!;
      for (let at = id; at !== found; ) {
        const next = above.get(at)!;
        above.set(at, found);
        at = next;
      }
      return found;
    };
    for (const id of nodes)
      for (let e = tape.start[id]; e < tape.start[id + 1]; e++)
        if (above.has(tape.operand[e])) above.set(top(tape.operand[e]), top(id));
    const parts = new Map<number, number[]>();
    for (const id of nodes) {
      const held = parts.get(top(id));
      if (held) held.push(id);
      else parts.set(top(id), [id]);
    }
    return [...parts.values()];
  }

  /** The row of the tensor that the first of some nodes reads: `wq[3]`. */
  #rowOf(nodes: readonly number[]): string {
    const { tape } = this;
    for (const id of nodes)
      for (let e = tape.start[id]; e < tape.start[id + 1]; e++) {
        const operand = tape.operand[e];
        if (!this.#tensors[operand]) continue;
        const label = tape.labels[tape.label[operand]];
        return label.slice(label.lastIndexOf(".") + 1).replace(/\[\d+\]$/, "");
      }
    return "";
  }

  /** The name of what a node outside belongs to, as far as it differs from here. */
  #outside(id: number, here: readonly string[]): string {
    const there = this.#homes[id];
    const same = sameSteps(here, there);
    if (there.length > same) return there[same];
    return this.#tensors[id] || this.#nameOf(id);
  }
}

interface Held {
  readonly nodes: readonly number[];
  /** The scope that it is, or that it is part of. */
  readonly steps: readonly string[];
  readonly kind: CardKind;
}

/** The entries of a matrix, row by row: nothing reads anything here. */
function tensorRoom(tape: Tape, key: string, nodes: readonly number[]): Room {
  const cards = nodes.map(
    (id): Card => ({
      kind: "node",
      name: tape.labels[tape.label[id]],
      key: `${key}/#${id}`,
      nodes: [id],
      operands: [],
    }),
  );
  return { key, cards };
}

/** What a link calls a part, by its last node: not what a person reads. */
function stepName(tape: Tape, id: number): string {
  const label = tape.labels[tape.label[id]];
  return label || `${tape.tag[id] & TAG_CONST ? "const" : tape.ops[tape.op[id]] || "v"} ${id}`;
}

/** For each node those that read it, as one list with the place where each begins. */
function readersOf(tape: Tape): [start: Uint32Array, readers: Uint32Array] {
  const { length, operand } = tape;
  const start = new Uint32Array(length + 1);
  for (let e = 0; e < operand.length; e++) start[operand[e] + 1]++;
  for (let i = 0; i < length; i++) start[i + 1] += start[i];
  const readers = new Uint32Array(operand.length);
  const next = start.slice(0, length);
  for (let id = 0; id < length; id++)
    for (let e = tape.start[id]; e < tape.start[id + 1]; e++) readers[next[operand[e]]++] = id;
  return [start, readers];
}

/** Whether a rising list has a number. */
function holds(list: readonly number[], number: number): boolean {
  let low = 0;
  let high = list.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (list[middle] === number) return true;
    if (list[middle] < number) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
