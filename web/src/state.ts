/** What the lab knows: one record, and the few words its fields may hold. */

import type { Compiled } from "./compiled.ts";
import type { Graph } from "./core/index.ts";
import type { Point } from "./teach/descent.ts";

export const PAGES = ["sandbox", "walk", "order", "bugs", "descend", "checks", "program"] as const;
export type Page = (typeof PAGES)[number];

/** How large a step down is, for a gradient of 1. */
export const RATES: readonly number[] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1];

export const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4];

/** The bugs that the engine can make, and recursion, which only depth brings out. */
export const BUG_IDS: readonly string[] = [
  "overwrite",
  "wrong-order",
  "no-reset",
  "no-visited",
  "recursion",
];

export type Theme = "auto" | "light" | "dark";

/** What a link carries and what undo brings back. */
export interface Settings {
  page: Page;
  /** As typed, right or wrong. */
  text: string;
  values: ReadonlyMap<string, number>;
  time: number;
  unfold: boolean;
  final: boolean;
  predict: boolean;
  strict: boolean;
  view: "2d" | "3d";
  speed: number;
  bug: string;
  /** The order puzzle's answer, as node ids. */
  order: readonly number[];
  /** Whether that order is being run. */
  ran: boolean;
  /** Whether the bug lab plays its diagnosis game. */
  game: boolean;
  /** Which case the game shows; 0 for any. */
  seed: number;
  /** Which question is asked: its id, empty for the first. */
  question: string;
  /** What was picked to look at. */
  node: number | null;
  edge: EdgeRef | null;
}

export interface EdgeRef {
  target: number;
  operand: number;
}

/** What someone said to "what arrives?", by the index of its event. */
export interface Answer {
  /** The last number typed, empty where the answer was asked for. */
  typed: string;
  right: boolean;
  /** Wrong numbers and requests for help so far: after the first there is a hint. */
  missed: number;
}

/** What someone has done, in numbers that can travel. */
export interface Score {
  tries: number;
  checks: number;
  /** The diagnosis game: right, of all. */
  right: number;
  all: number;
}

/** A row of the contract's gradcheck: JSON has no nan, so a number may be a word. */
export interface CheckedLeaf {
  name: string;
  gradient: number | string;
  difference: number | string;
  ok: boolean;
  kink: boolean;
}

/** How far Python is with measuring slopes, and what it found. */
export interface Check {
  done: number;
  total: number;
  leaves: readonly CheckedLeaf[] | null;
  problem: Error | null;
}

/** A leaf that was moved a little, to see what its gradient says of the output. */
export interface Nudge {
  name: string;
  from: number;
  by: number;
  grad: number;
  output: number;
}

/** Whether a contribution may be shown: it was said, or missed twice. */
export function isSettled(answer: Answer | undefined): boolean {
  return answer !== undefined && (answer.right || answer.missed > 1);
}

export interface State extends Settings {
  /** The last text that parsed: what the graph shows. */
  good: string;
  /** A graph made elsewhere, shown in place of a text: it has no box to type in and no sliders. */
  given: Graph | null;
  playing: boolean;
  answers: ReadonlyMap<number, Answer>;
  /** The experiment of "try this" that was begun. */
  task: string;
  help: boolean;
  /** Whether Python is asked to check the gradients, and what it said. */
  proof: boolean;
  check: Check | null;
  /** What the expression is compiled to, as far as Python has said. */
  compiled: { result: Compiled | null; problem: Error | null } | null;
  theme: Theme;
  /** Whether the sentence that says what this is has been closed. */
  greeted: boolean;
  nudge: Nudge | null;
  // ── Descent ──
  rate: number;
  /** The leaves that learn, by name. */
  learning: readonly string[];
  /** Every point since the descent began, the current one last; empty before the first step. */
  way: readonly Point[];
  descending: boolean;
  /** Why the descent stopped by itself: numbers ran away, nothing moves, or the output only grows. */
  stuck: "" | "numbers" | "still" | "up";
  /** A score that came with the link: someone else's. */
  sent: Score | null;
  /** Whether the sharing dialog is open. */
  sharing: boolean;
  /** Whether keys of one character do something. */
  letters: boolean;
  past: readonly Settings[];
  future: readonly Settings[];
  /** The last edit: what follows it closely joins it in undo. */
  edit: { kind: string; at: number };
}
