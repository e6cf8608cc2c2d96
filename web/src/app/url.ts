/**
 * The state in the address: `#1/sandbox?f=(a+b)*c&x=a:2,b:-3&t=1500&o=final`.
 *
 * The 1 is the version. What does not pass is left out: a broken link opens the lab, never breaks it.
 * Nodes are called by their names; ids are read, too. `fields.ts` has a row for each field.
 *
 * Who follows a link starts with their own progress (`progress.ts`).
 */

import {
  checked,
  FIELDS,
  FLAG,
  FRESH,
  isId,
  isMeant,
  KEYS,
  MOST_NAMES,
  NAME,
  wholeNumber,
} from "./fields.ts";
import { FITTED, FRONT, type Look, type Settings } from "./state.ts";

const VERSION = "1";
const MOST_CHARACTERS = 16_000;
/** A box that can be opened, by its key. */
const BOX = /^[^|\p{C}]{1,200}$/u;
const MOST_BOXES = 64;

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
  for (const key of KEYS) {
    const { letter, fresh, always, write = String } = FIELDS[key];
    const value = state[key];
    const left = untitled && (key === "text" || key === "values");
    if (!letter || left || !isMeant(key, state) || (!always && value === fresh)) continue;
    const text =
      letter === FLAG
        ? [query.get(FLAG), key].filter(Boolean).join(",")
        : (write as (x: unknown, called: (id: number) => string) => string)(value, called);
    // An empty expression is one, too.
    if (text || key === "text") query.set(letter, text);
  }
  const { orbit, opened } = state.look ?? FITTED;
  if (state.view === "3d" && orbit !== FRONT) {
    const { turn, tilt, near } = orbit;
    query.set("p", [turn, tilt, near].map((x) => Math.round(100 * x)).join(","));
  }
  if (opened.size) query.set("g", [...opened].filter((key) => BOX.test(key)).join("|"));
  // Some signs are safe in a fragment, and a link with them can be read.
  const readable = query.toString().replace(/%(28|29|2C|3A|2F|3D|3B)/g, decodeURIComponent);
  return `#${VERSION}/${state.page}?${readable}`;
}

export function decode(hash: string): Link {
  if (hash.length > MOST_CHARACTERS) return {};
  const match = /^#?(\d+)\/([a-z]+)(?:\?(.*))?$/s.exec(hash);
  // `#walk` and `#/walk` open a page, too: short enough to type.
  if (!match || match[1] !== VERSION) return checked({ page: hash.replace(/^#\/?/, "") });
  const query = new URLSearchParams(match[3] ?? "");
  const flags = (query.get(FLAG) ?? "").split(",");
  const raw = KEYS.map((key) => {
    const { letter, always, read } = FIELDS[key];
    const text = query.get(letter);
    if (letter === FLAG) return [key, flags.includes(key)];
    if (text === null) return [key, always ? undefined : FRESH[key]];
    return [key, read ? read(text) : text];
  });
  return {
    ...checked({ ...Object.fromEntries(raw), page: match[2] }),
    ...namesIn(query),
  };
}

/** What an address calls by name. */
function namesIn(query: URLSearchParams): Link {
  const found: Link = {};
  const node = query.get("n");
  if (node !== null && NAME.test(node)) found.nodeName = node;
  const [target, operand] = (query.get("e") ?? "").split(".");
  const arrow = wholeNumber(operand);
  if (NAME.test(target) && arrow !== undefined && isId(arrow))
    found.edgeName = { target, operand: arrow };
  const names = (query.get("q") ?? "").split(".").filter((one) => NAME.test(one));
  if (names.length) Object.assign(found, { orderNames: names.slice(0, MOST_NAMES), order: [] });
  const look = lookOf(query.get("p"), query.get("g"));
  return look ? { ...found, look } : found;
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
