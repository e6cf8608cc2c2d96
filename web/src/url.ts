/**
 * The state in the address: `#1/sandbox?f=(a+b)*c&x=a:2,b:-3&t=1500&o=final`.
 *
 * The 1 is the version. Anyone can write an address, so everything read from one is checked, and
 * what does not pass is left out: a broken link opens the lab, never breaks it.
 */

import { BUG_IDS, PAGES, type Page, type Settings, SPEEDS } from "./state.ts";

const VERSION = "1";
const MOST_CHARACTERS = 12_000;
const MOST_NAMES = 256;
const FLAGS = ["unfold", "final", "predict", "strict"] as const;
const NAME = /^[\p{L}_][\p{L}\p{N}\p{M}_]{0,79}$/u;

export function encode(state: Settings): string {
  const query = new URLSearchParams();
  query.set("f", state.text);
  const values = [...state.values].map(([name, value]) => `${name}:${value}`);
  if (values.length) query.set("x", values.join(","));
  if (state.time > 0) query.set("t", String(Math.round(state.time)));
  const on: string[] = FLAGS.filter((flag) => state[flag]);
  if (on.length) query.set("o", on.join(","));
  if (state.view === "3d") query.set("v", "3d");
  if (state.speed !== 1) query.set("s", String(state.speed));
  if (state.bug) query.set("b", state.bug);
  if (state.order.length) query.set("q", state.order.join("."));
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

export function decode(hash: string): Partial<Settings> {
  if (hash.length > MOST_CHARACTERS) return {};
  const match = /^#?(\d+)\/([a-z]+)(?:\?(.*))?$/s.exec(hash);
  if (!match || match[1] !== VERSION) return pageOnly(hash);
  const found: Partial<Settings> = {};
  if (isPage(match[2])) found.page = match[2];
  let query: URLSearchParams;
  try {
    query = new URLSearchParams(match[3] ?? "");
  } catch {
    return found;
  }
  const text = query.get("f");
  if (text !== null && text.length <= 4096) found.text = text;
  const values = readValues(query.get("x"));
  if (values.size) found.values = values;
  const time = Number(query.get("t") ?? Number.NaN);
  if (Number.isFinite(time) && time >= 0 && time < 1e7) found.time = time;
  const flags = (query.get("o") ?? "").split(",");
  for (const flag of FLAGS) if (flags.includes(flag)) found[flag] = true;
  if (query.get("v") === "3d") found.view = "3d";
  const speed = Number(query.get("s"));
  if (SPEEDS.includes(speed)) found.speed = speed;
  const bug = query.get("b");
  if (bug !== null && BUG_IDS.includes(bug)) found.bug = bug;
  const order = (query.get("q") ?? "").split(".").filter((part) => /^\d{1,5}$/.test(part));
  if (order.length) found.order = [...new Set(order.map(Number))].slice(0, MOST_NAMES);
  return found;
}

/** `#walk` and `#/walk` open a page, too: short enough to type. */
function pageOnly(hash: string): Partial<Settings> {
  const page = hash.replace(/^#\/?/, "");
  return isPage(page) ? { page } : {};
}

function isPage(text: string): text is Page {
  return (PAGES as readonly string[]).includes(text);
}

function readValues(text: string | null): Map<string, number> {
  const values = new Map<string, number>();
  for (const pair of (text ?? "").split(",").slice(0, MOST_NAMES)) {
    const colon = pair.indexOf(":");
    const name = pair.slice(0, colon);
    const value = Number(pair.slice(colon + 1));
    if (colon > 0 && NAME.test(name) && pair.length > colon + 1 && Number.isFinite(value))
      values.set(name.normalize("NFKC"), value);
  }
  return values;
}
