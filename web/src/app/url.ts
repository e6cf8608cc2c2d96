/**
 * The state in the address: `#1/sandbox?f=(a+b)*c&x=a:2,b:-3&t=1500&o=final`.
 *
 * The 1 is the version. Anyone can write an address, so everything read from one is checked, and
 * what does not pass is left out: a broken link opens the lab, never breaks it. What a link does not
 * say is as in a fresh lab. Nodes are called by their names; ids are read, too.
 *
 * Who follows a link starts with their own progress (`progress.ts`).
 */

import {
  BUG_IDS,
  FITTED,
  FRONT,
  type Look,
  PAGES,
  type Page,
  type Settings,
  SPEEDS,
} from "./state.ts";

const VERSION = "1";
const MOST_CHARACTERS = 16_000;
const MOST_TEXT = 4096;
const MOST_NAMES = 256;
const MOST_TIME = 1e7;
const FLAGS = ["unfold", "final", "predict", "strict", "ran", "game", "teach"] as const;
/** A box that can be opened, by its key. */
const BOX = /^[^|\p{C}]{1,200}$/u;
const MOST_BOXES = 64;
const NAME = /^[\p{L}_][\p{L}\p{N}\p{M}_]{0,79}$/u;
/** A model, and the box of it that is open. */
const PLACE = /^(neuron|mlp|block|gpt)(\/[^|\p{C}]{1,300})?$/u;
/** A lesson, and the number of its step. */
const LESSON = /^[a-z]{1,20}(\.\d{1,2})?$/;
const QUESTION = /^[a-z0-9][a-z0-9.-]{0,39}$/;

/** What an address says. It calls nodes by name; `link.ts` finds their ids. */
export interface Link extends Partial<Settings> {
  nodeName?: string;
  edgeName?: { target: string; operand: number };
  orderNames?: readonly string[];
  /** How the picture is turned and which boxes are open. A camera fits one stage only: it stays. */
  look?: Look;
}

/**
 * `names` is what nodes are called, empty for those that have no name to write.
 * A graph that came in a file has no text: `untitled` leaves it and its values out.
 */
export function encode(
  state: Settings & { look?: Look },
  names: readonly string[] = [],
  untitled = false,
): string {
  const called = (id: number): string => (NAME.test(names[id] ?? "") ? names[id] : String(id));
  const query = new URLSearchParams();
  if (!untitled) {
    query.set("f", state.text);
    const values = [...state.values].map(([name, value]) => `${name}:${value}`);
    if (values.length) query.set("x", values.join(","));
  }
  // Without a time, a page opens as it likes to: −1 is that.
  if (state.time >= 0) query.set("t", String(Math.round(state.time)));
  const on: string[] = FLAGS.filter((flag) => state[flag]);
  if (on.length) query.set("o", on.join(","));
  if (state.view === "3d") query.set("v", "3d");
  const { orbit, opened } = state.look ?? FITTED;
  if (state.view === "3d" && orbit !== FRONT) {
    const { turn, tilt, near } = orbit;
    query.set("p", [turn, tilt, near].map((x) => Math.round(100 * x)).join(","));
  }
  if (opened.size) query.set("g", [...opened].filter((key) => BOX.test(key)).join("|"));
  if (state.speed !== 1) query.set("s", String(state.speed));
  if (state.bug) query.set("b", state.bug);
  if (state.order.length) query.set("q", state.order.map(called).join("."));
  if (state.seed) query.set("k", String(state.seed));
  if (state.question) query.set("c", state.question);
  if (state.place) query.set("m", state.place);
  if (state.lesson) query.set("l", state.lesson);
  if (state.edge) query.set("e", `${called(state.edge.target)}.${state.edge.operand}`);
  if (state.node !== null) query.set("n", called(state.node));
  // These are safe in a fragment, and a link with them can be read.
  const readable = query
    .toString()
    .replaceAll("%28", "(")
    .replaceAll("%29", ")")
    .replaceAll("%2C", ",")
    .replaceAll("%3A", ":")
    .replaceAll("%2F", "/")
    .replaceAll("%3D", "=")
    .replaceAll("%3B", ";");
  return `#${VERSION}/${state.page}?${readable}`;
}

export function decode(hash: string): Link {
  if (hash.length > MOST_CHARACTERS) return {};
  const match = /^#?(\d+)\/([a-z]+)(?:\?(.*))?$/s.exec(hash);
  if (!match || match[1] !== VERSION) return pageOnly(hash);
  const query = new URLSearchParams(match[3] ?? "");
  const flags = (query.get("o") ?? "").split(",");
  const whole = (key: string): number | undefined => wholeNumber(query.get(key));
  const [target, operand] = (query.get("e") ?? "").split(".");
  const order = (query.get("q") ?? "").split(".").filter(Boolean);
  const node = query.get("n");
  const named: Link = {};
  if (node !== null && NAME.test(node)) named.nodeName = node;
  const arrow = wholeNumber(operand ?? null);
  if (NAME.test(target) && arrow !== undefined && isId(arrow))
    named.edgeName = { target, operand: arrow };
  if (order.some((one) => NAME.test(one)))
    named.orderNames = order.filter((one) => NAME.test(one)).slice(0, MOST_NAMES);
  const look = lookOf(query.get("p"), query.get("g"));
  if (look) named.look = look;
  const settings = checked({
    page: match[2],
    text: query.get("f") ?? undefined,
    values: pairs(query.get("x")),
    time: query.has("t") ? Number(query.get("t")) : undefined,
    ...Object.fromEntries(FLAGS.map((flag) => [flag, flags.includes(flag)])),
    view: query.get("v") ?? "2d",
    speed: Number(query.get("s") ?? 1),
    bug: query.get("b") ?? undefined,
    order: named.orderNames ? [] : order.map(wholeNumber),
    seed: whole("k") ?? 0,
    question: query.get("c") ?? "",
    place: query.get("m") ?? "",
    lesson: query.get("l") ?? "",
    node: whole("n") ?? null,
    edge:
      wholeNumber(target) === undefined ? null : { target: wholeNumber(target), operand: arrow },
  });
  return { ...settings, ...named };
}

function lookOf(place: string | null, boxes: string | null): Look | undefined {
  const [turn, tilt, near] = /^-?\d{1,3},-?\d{1,3},\d{1,3}$/.test(place ?? "")
    ? place!.split(",").map((text) => Number(text) / 100)
    : [];
  const keys = (boxes ?? "").split("|").filter((key) => BOX.test(key));
  if (turn === undefined && !keys.length) return undefined;
  const isSound = turn !== undefined && Math.abs(tilt) <= 1.45 && near >= 0.5 && near <= 6;
  return {
    camera: null,
    orbit: isSound ? { ...FRONT, turn, tilt, near } : FRONT,
    opened: keys.length ? new Set(keys.slice(0, MOST_BOXES)) : FITTED.opened,
  };
}

/** What of these fields is sound, wherever they come from: an address, a file, a page of others. */
export function checked(raw: Record<string, unknown>): Partial<Settings> {
  const found: Partial<Settings> = {};
  const { page, text, time, speed, bug, question, node, order, values, seed } = raw;
  if (typeof page === "string" && isPage(page)) found.page = page;
  if (typeof text === "string" && text.length <= MOST_TEXT) found.text = text;
  const named = checkedValues(values);
  if (named.size) found.values = named;
  if (typeof time === "number" && time >= 0 && time < MOST_TIME) found.time = time;
  for (const flag of FLAGS) if (typeof raw[flag] === "boolean") found[flag] = raw[flag];
  if (raw.view === "2d" || raw.view === "3d") found.view = raw.view;
  if (typeof speed === "number" && SPEEDS.includes(speed)) found.speed = speed;
  if (typeof bug === "string" && BUG_IDS.includes(bug)) found.bug = bug;
  if (Array.isArray(order)) found.order = [...new Set(order.filter(isId))].slice(0, MOST_NAMES);
  if (isWhole(seed, 2 ** 31)) found.seed = seed;
  if (question === "" || (typeof question === "string" && QUESTION.test(question)))
    found.question = question;
  if (typeof raw.place === "string" && PLACE.test(raw.place)) found.place = raw.place;
  const { lesson } = raw;
  // Two of the puzzles were lessons once.
  if (page === "learn" && (lesson === "traces" || lesson === "write")) found.page = lesson;
  else if (lesson === "" || (typeof lesson === "string" && LESSON.test(lesson)))
    found.lesson = lesson;
  if (node === null || isId(node)) found.node = node;
  const edge = raw.edge as { target?: unknown; operand?: unknown } | null | undefined;
  if (edge === null) found.edge = null;
  else if (edge && isId(edge.target) && isId(edge.operand))
    found.edge = { target: edge.target, operand: edge.operand };
  return found;
}

/** `#walk` and `#/walk` open a page, too: short enough to type. */
function pageOnly(hash: string): Partial<Settings> {
  return checked({ page: hash.replace(/^#\/?/, "") });
}

function isPage(text: string): text is Page {
  return (PAGES as readonly string[]).includes(text);
}

const isWhole = (x: unknown, below: number): x is number =>
  Number.isInteger(x) && (x as number) >= 0 && (x as number) < below;
const isId = (x: unknown): x is number => isWhole(x, 1e5);

function wholeNumber(text: string | null | undefined): number | undefined {
  return text != null && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function pairs(text: string | null): [string, number][] {
  return (text ?? "").split(",").map((pair) => {
    const colon = pair.indexOf(":");
    const number = pair.slice(colon + 1);
    return [pair.slice(0, Math.max(0, colon)), number ? Number(number) : Number.NaN];
  });
}

function checkedValues(values: unknown): Map<string, number> {
  const rows = Array.isArray(values) ? values : Object.entries(values ?? {});
  return new Map(
    (rows as [unknown, unknown][])
      .slice(0, MOST_NAMES)
      .filter(
        (row): row is [string, number] =>
          typeof row[0] === "string" && NAME.test(row[0]) && Number.isFinite(row[1]),
      )
      .map(([name, value]) => [name.normalize("NFKC"), value]),
  );
}
