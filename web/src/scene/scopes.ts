/**
 * The boxes that nodes are made in: `layers.0` is one box, and the whole is none.
 *
 * A box that is left and entered again becomes two, so that boxes never read each other in a circle:
 * `Slots` tells them apart.
 */

/** The boxes of a scope, outermost first: a number belongs to the name before it. */
export function stepsOf(scope: string): readonly string[] {
  return scope ? scope.split(/\.(?!\d)/) : [];
}

/**
 * The boxes around each node, from those of its own scope. A leaf without a scope belongs into the
 * innermost box that all its readers share.
 */
export function homesOf(
  own: (readonly string[])[],
  isLeaf: (id: number) => boolean,
  readersOf: (id: number) => Iterable<number>,
): readonly (readonly string[])[] {
  for (let id = own.length - 1; id >= 0; id--) {
    if (!isLeaf(id) || own[id].length) continue;
    let shared: readonly string[] | null = null;
    for (const reader of readersOf(id)) {
      const home = own[reader];
      shared = !shared || home === shared ? home : shared.slice(0, sameSteps(shared, home));
    }
    own[id] = shared ?? [];
  }
  return own;
}

/** How many boxes two nodes share, from the outermost on. */
export function sameSteps(one: readonly string[], other: readonly string[]): number {
  let same = 0;
  while (same < Math.min(one.length, other.length) && one[same] === other[same]) same++;
  return same;
}

export type CardKind = "box" | "part" | "tensor" | "node" | "input" | "output";

interface Row {
  readonly kind: CardKind;
  readonly name: string;
  /** How often the scope was entered. */
  readonly turn: number;
  readonly nodes: number[];
  readonly reads: Set<number>;
  /** The boxes that it depends on, by whatever way. */
  readonly before: Set<number>;
}

/** What stands for some nodes on the way to a card. */
export class Slots {
  readonly rows: Row[] = [];
  readonly #places = new Map<string, number>();

  place(kind: CardKind, name: string): number {
    const key = `${kind} ${name}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    return this.#push(key, kind, name, 1);
  }

  #push(key: string, kind: CardKind, name: string, turn: number): number {
    const slot =
      this.rows.push({ kind, name, turn, nodes: [], reads: new Set(), before: new Set() }) - 1;
    this.#places.set(key, slot);
    return slot;
  }

  /** Put a node into the slot of its name, or into the next of that name, lest it reads itself. */
  add(kind: CardKind, name: string, id: number, sources: readonly number[]): number {
    let slot = this.place(kind, name);
    const isMany = kind === "box" || kind === "part";
    if (isMany)
      for (const source of sources)
        if (
          source !== slot &&
          !this.rows[slot].reads.has(source) &&
          this.rows[source].before.has(slot)
        ) {
          slot = this.#push(`${kind} ${name}`, kind, name, this.rows[slot].turn + 1);
          break;
        }
    const row = this.rows[slot];
    if (id >= 0) row.nodes.push(id);
    for (const source of sources) {
      if (source === slot || row.reads.has(source)) continue;
      row.reads.add(source);
      const other = this.rows[source];
      const isBox = other.kind === "box" || other.kind === "part";
      const added = [...(isBox ? [source] : []), ...other.before].filter(
        (one) => one !== slot && !row.before.has(one),
      );
      if (!added.length) continue;
      for (const one of added) row.before.add(one);
      if (isMany && row.nodes.length > 1)
        for (const later of this.rows)
          if (later.before.has(slot)) for (const one of added) later.before.add(one);
    }
    return slot;
  }

  /** Every slot behind those that it reads; what nothing reads comes last. */
  sorted(): number[] {
    const order: number[] = [];
    const done = new Set<number>();
    for (let first = 0; first < this.rows.length; first++) {
      const stack: [number, Iterator<number>][] = [[first, this.rows[first].reads.values()]];
      while (stack.length) {
        const [slot, rest] = stack[stack.length - 1];
        let next = done.has(slot) ? undefined : rest.next();
        while (next && !next.done && done.has(next.value)) next = rest.next();
        if (next && !next.done) stack.push([next.value, this.rows[next.value].reads.values()]);
        else {
          stack.pop();
          if (!done.has(slot)) order.push(slot);
          done.add(slot);
        }
      }
    }
    return order;
  }
}
