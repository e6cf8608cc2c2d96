/**
 * The one store: state → reduce → state, and a subscription.
 *
 * `reduce` is pure and knows nothing of the page; what follows from a state (graph, walk, layout,
 * frame) is computed in `program.ts` and never stored. Edits go to `past` for undo; playing does not.
 */

import { type Graph, parse } from "../core/index.ts";
import { learners, outputAt, stepDown } from "./descent.ts";
import { EDITED, FRESH, undoable } from "./fields.ts";
import {
  answered,
  type EdgeRef,
  FITTED,
  type Page,
  type Pull,
  RATE,
  type Settings,
  type State,
  unpredicted,
} from "./state.ts";

/** What is remembered as it is said, and changes nothing else. */
type Plain = Pick<
  State,
  | "view"
  | "speed"
  | "task"
  | "game"
  | "seed"
  | "question"
  | "help"
  | "look"
  | "check"
  | "compiled"
  | "place"
  | "theme"
  | "letters"
  | "greeted"
  | "sharing"
  | "hold"
  | "teach"
>;

export type Action =
  | { type: "set"; change: Partial<Plain> }
  | { type: "type"; text: string }
  | { type: "load"; text: string; values: Record<string, number>; play?: boolean; own?: boolean }
  | { type: "value"; name: string; value: number }
  | { type: "page"; page: Page; time?: number }
  | { type: "seek"; time: number; keepPlaying?: boolean }
  | { type: "play"; on: boolean; time?: number; until?: number }
  | { type: "toggle"; flag: "unfold" | "final" | "predict" | "strict"; on?: boolean }
  | { type: "bug"; bug: string }
  | { type: "order"; order: readonly number[] }
  | { type: "run"; on: boolean; time: number }
  | { type: "again"; time: number }
  | { type: "pick"; node: number | null; edge?: EdgeRef | null }
  | { type: "proof"; on: boolean }
  | { type: "descend"; steps: number }
  | { type: "descending"; on: boolean }
  | { type: "climb" }
  | { type: "rate"; rate: number }
  | { type: "learning"; learning: readonly string[] }
  | { type: "pull"; pull: Pull | null }
  | { type: "restore"; state: State }
  | { type: "lesson"; lesson: string }
  | {
      type: "scene";
      lesson: string;
      scene: Page;
      text: string;
      values: Record<string, number>;
      bug: string;
      unfold: boolean;
      rate: number;
      time: number;
      hold: number | null;
      pull: Pull | null;
    }
  | { type: "shown"; given: Graph | null; text?: string; values?: ReadonlyMap<string, number> }
  | { type: "tell"; key: string; typed: string; right: boolean; misses?: boolean; shown?: boolean }
  | { type: "local"; key: string; value: object }
  | { type: "undo" }
  | { type: "redo" };

const MOST_PAST = 200;

/** Later than any walk takes: whatever is drawn, it is complete. */
export const END = 1e9;

export function initial(settings: Partial<Settings> = {}, given: Graph | null = null): State {
  const state: State = {
    ...FRESH,
    good: FRESH.text,
    look: FITTED,
    scene: "sandbox",
    staged: "",
    hold: null,
    until: null,
    told: new Map(),
    locals: new Map(),
    given,
    playing: false,
    task: "",
    help: false,
    proof: false,
    check: null,
    compiled: null,
    theme: "auto",
    letters: true,
    greeted: false,
    pull: null,
    rate: RATE,
    learning: [],
    way: [],
    descending: false,
    stuck: "",
    sharing: false,
    past: [],
    future: [],
    edit: { kind: "", at: 0 },
  };
  const final = settings.final === true && !settings.predict;
  return withText({ ...state, ...settings, final }, settings.text ?? state.text);
}

/** `at` is the time of the action in milliseconds: edits that follow closely are undone as one. */
export function reduce(state: State, action: Action, at = 0): State {
  const next = letGo(state, reduced(state, action, at));
  // Another picture is fitted afresh. A link brings its own look.
  const same = next.good === state.good && next.unfold === state.unfold && next.page === state.page;
  if (same || action.type === "restore") return next;
  return { ...next, look: { ...FITTED, orbit: next.look.orbit } };
}

/** Whoever does something else has let go of what was pulled. */
function letGo(state: State, next: State): State {
  const isHeld = next.pull !== null && next.pull === state.pull;
  return isHeld && HELD.some((key) => next[key] !== state[key]) ? { ...next, pull: null } : next;
}

const HELD = ["good", "values", "page", "lesson", "time", "playing", "predict", "unfold"] as const;

function reduced(state: State, action: Action, at: number): State {
  switch (action.type) {
    case "set":
      return { ...state, ...action.change };
    case "type":
      return remembering(
        state,
        "type",
        withText({ ...state, playing: false, time: state.page === "walk" ? 0 : END }, action.text),
        at,
      );
    case "load": {
      const values = new Map([...state.values, ...Object.entries(action.values)]);
      const next = {
        ...state,
        values,
        time: 0,
        playing: action.play ?? false,
        order: [],
        ran: false,
        way: [],
        descending: false,
        stuck: "" as const,
      };
      const loaded = withText(next, action.text);
      // A page that begins with its own example was edited by nobody.
      return action.own ? loaded : remembering(state, "load", loaded, at);
    }
    case "value": {
      const values = new Map(state.values).set(action.name, action.value);
      // Before its first event the sandbox has no numbers to show; whoever moves a value wants them.
      const blank =
        state.page === "sandbox" && !state.playing && !state.predict && state.time === 0;
      const time = blank ? END : state.time;
      return remembering(
        state,
        `value ${action.name}`,
        { ...state, values, time, told: unpredicted(state), way: [], descending: false, stuck: "" },
        at,
      );
    }
    case "page": {
      if (action.page === state.page) return state;
      const time = action.time ?? 0;
      return {
        ...state,
        page: action.page,
        time,
        playing: false,
        descending: false,
        ran: false,
        staged: "",
        hold: null,
        until: null,
        teach: false,
        node: null,
        edge: null,
      };
    }
    case "seek": {
      // A step leaves what was picked behind: the panels follow the walk again.
      if (action.keepPlaying) return { ...state, time: action.time };
      return { ...state, time: action.time, playing: false, until: null, node: null, edge: null };
    }
    case "play": {
      const picked = action.on ? { node: null, edge: null } : {};
      const until = action.until ?? null;
      return { ...state, ...picked, playing: action.on, until, time: action.time ?? state.time };
    }
    case "toggle": {
      const on = action.on ?? !state[action.flag];
      // Final gradients would say what someone is about to predict.
      if (action.flag === "final" && on && state.predict) return state;
      const next = { ...state, [action.flag]: on, told: unpredicted(state) };
      if (action.flag === "unfold") Object.assign(next, { node: null, edge: null, order: [] });
      if (action.flag === "predict" && on) Object.assign(next, { final: false, playing: false });
      return remembering(
        state,
        action.flag,
        action.flag === "strict" ? withText(next, state.text) : next,
        at,
      );
    }
    case "bug":
      return remembering(
        state,
        "bug",
        { ...state, bug: action.bug, time: END, playing: false },
        at,
      );
    case "order":
      return remembering(
        state,
        "order",
        { ...state, order: action.order, ran: false, time: 0, playing: false },
        at,
      );
    case "run":
      return {
        ...state,
        ran: action.on,
        time: action.time,
        playing: action.on,
        node: null,
        edge: null,
      };
    case "again":
      return { ...state, told: unpredicted(state), time: action.time, playing: false };
    case "pick":
      return { ...state, node: action.node, edge: action.edge ?? null };
    case "lesson":
      return { ...state, lesson: action.lesson, hold: null, playing: false, descending: false };
    case "scene": {
      const { lesson, scene, text, bug, unfold, rate, time, hold } = action;
      const values = new Map([...state.values, ...Object.entries(action.values)]);
      const clean = { predict: false, final: false, strict: false, ran: false, playing: false };
      const next = {
        ...state,
        ...clean,
        lesson,
        staged: lesson,
        scene,
        bug,
        unfold,
        rate,
        values,
        time,
      };
      const fresh = { node: null, edge: null, order: [], way: [], hold, until: null };
      const shown = { ...next, ...fresh, stuck: "", descending: false, view: "2d" } as const;
      return { ...withText(shown, text), pull: action.pull };
    }
    case "shown": {
      // Python has other numbers, or another graph; whoever looks on stays where they are.
      const { given, text = state.text } = action;
      const values = new Map([...state.values, ...(action.values ?? [])]);
      const next = { ...state, given, values, edge: null };
      if (given)
        return { ...next, node: (state.node ?? 0) < given.nodes.length ? state.node : null };
      return text === state.text ? next : withText(next, text);
    }
    case "tell": {
      const { key, typed, right, misses, shown } = action;
      const said = answered(state.told.get(key), typed, right, misses);
      // One that is shown at once was given up.
      const told = shown ? { ...said, missed: 2 } : said;
      return { ...state, told: new Map(state.told).set(key, told) };
    }
    case "local":
      return { ...state, locals: new Map(state.locals).set(action.key, action.value) };
    case "proof":
      return { ...state, proof: action.on, check: action.on ? null : state.check };
    case "descend":
      return descended(state, action.steps);
    case "descending":
      return { ...state, descending: action.on, stuck: action.on ? "" : state.stuck };
    case "climb": {
      const values = state.way[0]?.values ?? state.values;
      return { ...state, values, way: [], descending: false, stuck: "" };
    }
    case "rate":
      return { ...state, rate: action.rate, stuck: "" };
    case "learning":
      return { ...state, learning: action.learning, stuck: "" };
    case "pull":
      return { ...state, pull: action.pull, playing: false };
    case "restore": {
      // A link replaces the state. Only the reader's own settings stay: theme, keys and undo.
      const { given, theme, letters, greeted, past, future } = state;
      return { ...action.state, given, theme, letters, greeted, past, future };
    }
    case "undo":
      return travel(state, "past", "future");
    case "redo":
      return travel(state, "future", "past");
  }
}

/** Take a text as typed; the graph follows only when it parses. */
function withText(state: State, text: string): State {
  try {
    const names = parse(text, { strict: state.strict }).names;
    const values = withDefaults(state.values, names);
    const same = text === state.good && text === state.text;
    // A text that came with its order and its pick, as by a link, keeps them.
    const dropped = state.text === text ? {} : { node: null, edge: null, order: [], ran: false };
    const fresh = {
      told: unpredicted(state),
      pull: null,
      way: [],
      descending: false,
      stuck: "" as const,
    };
    const known = names.filter((name) => state.learning.includes(name));
    const learning = known.length && same ? known : learners(names);
    const changed = same ? { learning } : { ...dropped, ...fresh, learning };
    return { ...state, ...changed, text, good: text, values };
  } catch {
    const good = parses(state.good) ? state.good : FRESH.text;
    return { ...state, text, good, values: withDefaults(state.values, parse(good).names) };
  }
}

const MOST_WAY = 2000;
/** So many steps in a row that make the output larger are no descent. */
const MOST_UP = 20;

/** Some steps down, until numbers run away, nothing moves any more, or the output only grows. */
function descended(state: State, steps: number): State {
  let { values } = state;
  const way = state.way.length
    ? [...state.way]
    : [{ values, output: outputAt(state.good, values) }];
  let stuck: State["stuck"] = "";
  for (let i = 0; i < steps && !stuck; i++) {
    const next = stepDown(state.good, values, state.learning, state.rate);
    const output = next ? outputAt(state.good, next) : Number.NaN;
    if (!next || !Number.isFinite(output)) {
      stuck = "numbers";
      break;
    }
    const moved = state.learning.some(
      (name) => Math.abs((next.get(name) ?? 0) - (values.get(name) ?? 0)) > 1e-9,
    );
    values = next;
    way.push({ values, output });
    if (!moved) stuck = "still";
    const recent = way.slice(-MOST_UP - 1);
    if (recent.length > MOST_UP && recent.every((p, k) => !k || p.output > recent[k - 1].output))
      stuck = "up";
  }
  const descending = state.descending && !stuck;
  return { ...state, values, way: way.slice(-MOST_WAY), stuck, descending, time: END };
}

function parses(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

const DEFAULTS = [2, -3, 10, 0.5, 1.5, -1];

function withDefaults(values: State["values"], names: readonly string[]): State["values"] {
  if (names.every((name) => values.has(name))) return values;
  const all = new Map(values);
  names.forEach((name, i) => {
    if (!all.has(name)) all.set(name, DEFAULTS[i % DEFAULTS.length]);
  });
  return all;
}

// ── Undo ───────────────────────────────────────────────────────────────────────────────────────

/** Keep what was there before an edit; a run of the same kind, typing or a drag, is one edit. */
function remembering(before: State, kind: string, after: State, at: number): State {
  if (EDITED.every((key) => before[key] === after[key])) return after;
  const continues =
    kind === before.edit.kind && at - before.edit.at < 900 && before.past.length > 0;
  const past = continues ? before.past : [...before.past, undoable(before)].slice(-MOST_PAST);
  return { ...after, past, future: [], edit: { kind, at } };
}

function travel(state: State, from: "past" | "future", to: "past" | "future"): State {
  const settings = state[from].at(-1);
  if (!settings) return state;
  // A question of a lesson holds the walk of its own step alone.
  const hold = settings.page === "learn" ? state.hold : null;
  return {
    ...withText({ ...state, ...settings, playing: false, hold, until: null }, settings.text),
    edit: { kind: "", at: 0 },
    [from]: state[from].slice(0, -1),
    [to]: [...state[to], undoable(state)],
  };
}

// ── The store itself ───────────────────────────────────────────────────────────────────────────

export class Store {
  #listeners = new Set<(state: State) => void>();

  constructor(public state: State) {}

  dispatch = (action: Action): void => {
    const next = reduce(this.state, action, Date.now());
    if (next === this.state) return;
    this.state = next;
    for (const listener of this.#listeners) listener(next);
  };

  subscribe(listener: (state: State) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
