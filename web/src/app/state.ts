/** What the lab knows: one record, and the few words its fields may hold. */

import type { Graph } from "../core/index.ts";
import type { Trouble } from "../strings/trouble.ts";
import type { Compiled } from "./compiled.ts";
import type { Point } from "./descent.ts";

/** The four doors, and the pages behind each. A door leads to its first page. */
export const DOORS = {
  play: ["sandbox", "walk", "descend", "program"],
  learn: ["learn"],
  puzzles: ["order", "bugs", "checks", "traces", "write"],
  models: ["moons", "gpt", "plan"],
} as const;
export type Door = keyof typeof DOORS;
export type Page = (typeof DOORS)[Door][number];

export const PAGES: readonly Page[] = Object.values(DOORS).flat();

export function doorOf(page: Page): Door {
  const doors = Object.keys(DOORS) as Door[];
  return doors.find((door) => (DOORS[door] as readonly Page[]).includes(page)) ?? "play";
}

/** The step size that a descent begins with: how large a step is for a gradient of 1. */
export const RATE = 0.1;

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
  /** Where someone is among the lessons: `order.2` is the third step, empty is the list. */
  lesson: string;
  /** Whether a lesson is shown to a class: large, with notes, answers on demand. */
  teach: boolean;
  /** What was picked to look at. */
  node: number | null;
  edge: EdgeRef | null;
  /** What the floor plan shows: a model and, behind it, the box that is open. */
  place: string;
}

/** Where a flat picture is looked at from: a translation and a scale. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

/** Where a picture in space is looked at from. */
export interface Orbit {
  /** The angle around the upright axis, and the angle above the floor. */
  readonly turn: number;
  readonly tilt: number;
  /** How much nearer than the distance that shows everything, and how far to the side. */
  readonly near: number;
  readonly x: number;
  readonly y: number;
}

const degrees = (angle: number): number => (angle * Math.PI) / 180;

export const FRONT: Orbit = { turn: degrees(-9), tilt: degrees(40), near: 1, x: 0, y: 0 };

/** How far one may turn it and come near: every card stays readable. */
export const TURNS = {
  turn: [degrees(-35), degrees(35)],
  tilt: [degrees(25), degrees(50)],
  near: [0.5, 6],
} as const;

/** What someone did to the view by hand. The scene follows the walk from there. */
export interface Look {
  /** Null until someone moves it: the scene then fits the picture to its stage. */
  readonly camera: Camera | null;
  readonly orbit: Orbit;
  /** The keys of the groups that were opened. */
  readonly opened: ReadonlySet<string>;
}

export const FITTED: Look = { camera: null, orbit: FRONT, opened: new Set() };

export interface EdgeRef {
  target: number;
  operand: number;
}

/** What someone said to a question, wherever it was asked. */
export interface Answer {
  /** The last number typed, empty where the answer was asked for. */
  typed: string;
  right: boolean;
  /** Wrong numbers and requests for help so far: after the first there is a hint. */
  missed: number;
}

/** A row of the contract's gradcheck: JSON has no nan, so a number may be a word. */
export interface CheckedLeaf {
  name: string;
  gradient: number | string;
  difference: number | string;
  ok: boolean;
  kink: boolean;
}

/** A question to Python. Its key says what was asked, so that a late answer to another is dropped. */
interface Job {
  key: string;
  running: boolean;
}

/** How far Python is with measuring slopes, and what it found. */
export interface Check extends Job {
  done: number;
  total: number;
  leaves: readonly CheckedLeaf[] | null;
  problem: Trouble | null;
}

/** What an expression is compiled to. While it is asked for again, the last answer stands. */
export interface Compiling extends Job {
  result: Compiled | null;
  problem: Trouble | null;
}

/** A leaf that is held and pulled, to see what its gradient says: let go, it returns. */
export interface Pull {
  readonly name: string;
  readonly by: number;
}

/** The next answer to a question: a miss and a request for help count alike. */
export function answered(
  before: Answer | undefined,
  typed: string,
  right: boolean,
  misses = true,
): Answer {
  return { typed, right, missed: (before?.missed ?? 0) + Number(misses && !right) };
}

/** What someone predicted of an event, and of all, by their indices. */
export function predicted({ told }: Pick<State, "told">, event: number): Answer | undefined {
  return told.get(`${PREDICT}${event}`);
}

export function predictions({ told }: Pick<State, "told">): [number, Answer][] {
  const mine = [...told].filter(([key]) => key.startsWith(PREDICT));
  return mine.map(([key, answer]) => [Number(key.slice(PREDICT.length)), answer]);
}

/** All that was told but the predictions: other numbers, or another go, ask them anew. */
export function unpredicted({ told }: Pick<State, "told">): State["told"] {
  return new Map([...told].filter(([key]) => !key.startsWith(PREDICT)));
}

export const PREDICT = "predict.";

/** Whether the answer may be shown: it was said, or missed twice. */
export function isSettled(answer: Answer | undefined): boolean {
  return answer !== undefined && (answer.right || answer.missed > 1);
}

export interface State extends Settings {
  /** The page whose walk a step of a lesson shows, and the step that is on the stage. */
  scene: Page;
  staged: string;
  /** The last moment that may be shown while a question is open; null when none is. */
  hold: number | null;
  /** Where playing ends by itself, null for the end of the walk. */
  until: number | null;
  told: ReadonlyMap<string, Answer>;
  /** What a part of a page has chosen for itself, by its name: see `local`. */
  locals: ReadonlyMap<string, object>;
  look: Look;
  /** The last text that parsed: what the graph shows. */
  good: string;
  /** A graph made elsewhere, shown in place of a text: it has no box to type in and no sliders. */
  given: Graph | null;
  playing: boolean;
  /** The experiment of "try this" that was begun. */
  task: string;
  help: boolean;
  /** Whether Python is asked to check the gradients, and what it said. */
  proof: boolean;
  check: Check | null;
  /** What the expression is compiled to, as far as Python has said. */
  compiled: Compiling | null;
  theme: Theme;
  /** Whether the sentence that says what this is has been closed. */
  greeted: boolean;
  pull: Pull | null;
  // ── Descent ──
  rate: number;
  /** The leaves that learn, by name. */
  learning: readonly string[];
  /** Every point since the descent began, the current one last; empty before the first step. */
  way: readonly Point[];
  descending: boolean;
  /** Why the descent stopped by itself: numbers ran away, nothing moves, or the output only grows. */
  stuck: "" | "numbers" | "still" | "up";
  /** Whether the sharing dialog is open. */
  sharing: boolean;
  /** Whether keys of one character do something. */
  letters: boolean;
  past: readonly Settings[];
  future: readonly Settings[];
  /** The last edit: what follows it closely joins it in undo. */
  edit: { kind: string; at: number };
}
