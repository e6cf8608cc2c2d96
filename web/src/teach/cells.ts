/** A trace to fill in by hand: which cells there are, what belongs into each, and what passes. */

import { isConst, type Walk } from "../core/index.ts";
import { accepts } from "../strings/format.ts";

export interface Cell {
  readonly key: string;
  /** What belongs here: a number, or names and pairs. */
  readonly right: number | string;
}

export interface SortRow {
  readonly pop: Cell;
  readonly stack: Cell;
  readonly sorted: Cell;
}

export interface PushRow {
  readonly from: string;
  readonly to: string;
  readonly local: Cell;
  readonly contribution: Cell;
  readonly after: Cell;
}

/** The first table: what is popped, the stack after it, what is placed. */
export function sortCells(walk: Walk, names: readonly string[]): readonly SortRow[] {
  const pair = ([id, index]: readonly [number, number]): string => `(${names[id]},${index})`;
  return walk.sort.map((step, i) => ({
    pop: { key: `pop ${i}`, right: pair(step.pop) },
    stack: { key: `stack ${i}`, right: step.stack.map(pair).join(" ") },
    sorted: { key: `sorted ${i}`, right: step.sorted.map((id) => names[id]).join(" ") },
  }));
}

/** The second table: one row per arrow, in the order in which backward follows them. */
export function pushCells(walk: Walk, names: readonly string[]): readonly PushRow[] {
  return walk.backward
    .filter((step) => !isConst(walk.graph.nodes[step.node]))
    .flatMap((step) =>
      step.pushes
        .filter((push) => !isConst(walk.graph.nodes[push.to]))
        .map((push, i) => ({
          from: names[step.node],
          to: names[push.to],
          local: { key: `local ${step.node} ${i}`, right: push.local },
          contribution: { key: `contribution ${step.node} ${i}`, right: push.contribution },
          after: { key: `after ${step.node} ${i}`, right: push.after },
        })),
    );
}

/** Whether what was typed is right: spaces, brackets and commas are nobody's mistake. */
export function passes({ right }: Cell, typed: string): boolean {
  if (typeof right === "number") return accepts(right, typed);
  const bare = (text: string): string =>
    text
      .normalize("NFKC")
      .replaceAll("−", "-")
      .replace(/[(),;\s]+/g, " ")
      .replace(/^(empty|-|–|—)$/i, "")
      .trim();
  return bare(typed) === bare(right);
}
