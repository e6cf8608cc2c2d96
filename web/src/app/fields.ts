/**
 * What links, files and undo carry of a state: a new field is a row here and a line in `Settings`.
 *
 * Anyone can write an address or a file. `sound` lets pass what can be used, and nothing else.
 */

import { preset } from "./presets.ts";
import { BUG_IDS, type EdgeRef, PAGES, type Page, type Settings, SPEEDS } from "./state.ts";

export interface Field<T> {
  /** What an address calls it. Flags share one letter. */
  letter: string;
  /** What it is in a fresh lab, and where a link does not say it. */
  fresh: T;
  sound: (raw: unknown) => T | undefined;
  /** Without a value of its own where a link does not say it, and so always written. */
  always?: boolean;
  read?: (text: string) => unknown;
  /** Its text; empty leaves it out. `called` is what a node is called. */
  write?: (value: T, called: (id: number) => string) => string;
  /** Where it means something; elsewhere it is as in a fresh lab. */
  on?: (state: Settings) => boolean;
  /** Whether undo brings it back. A step of undo begins where one that is edited changes. */
  undo?: "edited" | "kept";
}

const MOST_TEXT = 4096;
export const MOST_NAMES = 256;
const MOST_TIME = 1e7;
export const FLAG = "o";
export const NAME = /^[\p{L}_][\p{L}\p{N}\p{M}_]{0,79}$/u;

const isWhole = (x: unknown, below: number): x is number =>
  Number.isInteger(x) && (x as number) >= 0 && (x as number) < below;
export const isId = (x: unknown): x is number => isWhole(x, 1e5);

export function wholeNumber(text: string | null | undefined): number | undefined {
  return text != null && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

const at =
  (page: Page) =>
  (state: Settings): boolean =>
    state.page === page;
type Sound<T> = (raw: unknown) => T | undefined;
const passes =
  <T>(test: (raw: unknown) => boolean): Sound<T> =>
  (raw) =>
    test(raw) ? (raw as T) : undefined;
const oneOf = <T>(...all: readonly T[]): Sound<T> => passes((raw) => all.includes(raw as T));
const like = (form: RegExp): Sound<string> =>
  passes((raw) => raw === "" || (typeof raw === "string" && form.test(raw)));

const row = <T>(
  letter: string,
  fresh: T,
  sound: Sound<T>,
  undo?: Field<T>["undo"],
  more: Partial<Field<T>> = {},
): Field<T> => ({ letter, fresh, sound, ...more, ...(undo && { undo }) });
const flag = (undo?: "edited" | "kept", page?: Page): Field<boolean> =>
  row(FLAG, false, oneOf(true, false), undo, page && { on: at(page) });

const { text, values } = preset("x1");
const always = true;
const MODEL = /^(neuron|mlp|block|gpt)(\/[^|\p{C}]{1,300})?$/u;

export const FIELDS: { readonly [K in keyof Settings]: Field<Settings[K]> } = {
  page: row("", "sandbox", oneOf<Page>(...PAGES), "edited", { always }),
  text: row(
    "f",
    text,
    passes((raw) => typeof raw === "string" && raw.length <= MOST_TEXT),
    "edited",
    { always },
  ),
  values: row<Settings["values"]>("x", new Map(Object.entries(values)), soundValues, "edited", {
    always,
    read: pairs,
    write: (values) => [...values].map(([name, value]) => `${name}:${value}`).join(","),
  }),
  time: row(
    "t",
    0,
    passes((raw) => typeof raw === "number" && raw >= 0 && raw < MOST_TIME),
    "kept",
    // Without a time, a page opens as it likes to: −1 is that.
    { always, read: Number, write: (time) => (time >= 0 ? String(Math.round(time)) : "") },
  ),
  unfold: flag("edited"),
  final: flag("edited"),
  predict: flag("edited"),
  strict: flag("edited"),
  ran: flag("kept", "order"),
  game: flag("kept", "bugs"),
  teach: flag(),
  view: row("v", "2d", oneOf("2d", "3d"), "kept"),
  speed: row("s", 1, oneOf(...SPEEDS), "kept", { read: Number }),
  bug: row("b", "overwrite", oneOf(...BUG_IDS), "edited", { always, on: at("bugs") }),
  order: row<readonly number[]>("q", [], soundOrder, "edited", {
    on: at("order"),
    read: (list) => list.split(".").map(wholeNumber),
    write: (order, called) => order.map(called).join("."),
  }),
  seed: row(
    "k",
    0,
    passes((raw) => isWhole(raw, 2 ** 31)),
    "kept",
    { on: ({ page, game }) => page === "bugs" && game, read: wholeNumber },
  ),
  question: row("c", "", like(/^[a-z0-9][a-z0-9.-]{0,39}$/), "kept", { on: at("checks") }),
  place: row("m", "", like(MODEL), "kept", { on: at("plan") }),
  lesson: row("l", "", like(/^[a-z]{1,20}(\.\d{1,2})?$/), undefined, { on: at("learn") }),
  edge: row<EdgeRef | null>("e", null, soundEdge, undefined, {
    read: (pair) => {
      const [target, operand] = pair.split(".").map(wholeNumber);
      return target === undefined ? null : { target, operand };
    },
    write: (edge, called) => (edge ? `${called(edge.target)}.${edge.operand}` : ""),
  }),
  node: row<number | null>(
    "n",
    null,
    passes((raw) => raw === null || isId(raw)),
    undefined,
    { read: (id) => wholeNumber(id) ?? null, write: (node, called) => called(node!) },
  ),
};

type Key = keyof Settings;
export const KEYS = Object.keys(FIELDS) as Key[];
export const UNDONE: readonly Key[] = KEYS.filter((key) => FIELDS[key].undo);
export const EDITED: readonly Key[] = KEYS.filter((key) => FIELDS[key].undo === "edited");

const picked = (keys: readonly Key[], value: (key: Key) => unknown): Settings =>
  Object.fromEntries(keys.map((key) => [key, value(key)])) as unknown as Settings;

export const FRESH: Settings = picked(KEYS, (key) => FIELDS[key].fresh);

/** What undo keeps of a state. What was picked is left behind. */
export function undoable(state: Settings): Settings {
  return { ...picked(UNDONE, (key) => state[key]), node: null, edge: null };
}

/** The same without what means nothing where it is. */
export function meant(state: Settings): Settings {
  return picked(KEYS, (key) => (isMeant(key, state) ? state : FRESH)[key]);
}

export function isMeant(key: Key, state: Settings): boolean {
  return FIELDS[key].on?.(state) ?? true;
}

/** What of these fields is sound, wherever they come from: an address, a file, a page of others. */
export function checked(raw: Record<string, unknown>): Partial<Settings> {
  const found = KEYS.flatMap((key) => {
    const value = FIELDS[key].sound(raw[key]);
    return value === undefined ? [] : [[key, value]];
  });
  const settings: Partial<Settings> = Object.fromEntries(found);
  // Two of the puzzles were lessons once.
  const { page, lesson } = settings;
  if (page === "learn" && (lesson === "traces" || lesson === "write"))
    return { ...settings, page: lesson, lesson: "" };
  return settings;
}

function soundOrder(raw: unknown): readonly number[] | undefined {
  return Array.isArray(raw) ? [...new Set(raw.filter(isId))].slice(0, MOST_NAMES) : undefined;
}

function soundEdge(raw: unknown): EdgeRef | null | undefined {
  if (raw === null) return null;
  const { target, operand } = (raw ?? {}) as { target?: unknown; operand?: unknown };
  return isId(target) && isId(operand) ? { target, operand } : undefined;
}

function pairs(text: string): [string, number][] {
  return text.split(",").map((pair) => {
    const colon = pair.indexOf(":");
    const number = pair.slice(colon + 1);
    return [pair.slice(0, Math.max(0, colon)), number ? Number(number) : Number.NaN];
  });
}

function soundValues(raw: unknown): Map<string, number> | undefined {
  const rows = Array.isArray(raw) ? raw : Object.entries(raw ?? {});
  const found = (rows as [unknown, unknown][])
    .slice(0, MOST_NAMES)
    .filter(
      (row): row is [string, number] =>
        typeof row[0] === "string" && NAME.test(row[0]) && Number.isFinite(row[1]),
    )
    .map(([name, value]) => [name.normalize("NFKC"), value] as const);
  return found.length ? new Map(found) : undefined;
}
