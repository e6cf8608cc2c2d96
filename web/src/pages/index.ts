/** The pages by name. A new page is a row here, a word in `state.ts` and a string. */

import { html, nothing, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import { preset } from "../app/presets.ts";
import { anySeed } from "../app/random.ts";
import { doorOf, type Page, type State } from "../app/state.ts";
import { type Action, END } from "../app/store.ts";
import { later } from "../parts/later.ts";
import { tabs } from "../parts/tabs.ts";
import { t } from "../strings/index.ts";
import {
  bugsPage,
  checksPage,
  descendPage,
  gptPage,
  moonsPage,
  orderPage,
  planPage,
  tracesPage,
  writePage,
} from "./loaded.ts";
import { compiledPage, pulsePage, tablesPage } from "./play.ts";

interface Row {
  body: (lab: Lab) => TemplateResult;
  /** The moment it opens at: with all numbers in, or with none. */
  start: number;
  /** The example it begins with, unless someone has chosen another. */
  preset?: string;
  /** What happens as it opens; a graph from elsewhere is shown as it is. */
  opening?: (state: State) => Action | null;
}

/** The lessons are a file of their own, loaded when someone opens them. */
type Learn = typeof import("./learn.ts");
let learn: Learn | null = null;

export async function lessons(): Promise<Learn | null> {
  // A page that travels as one file leaves them at home.
  if (!globalThis.GRADWALK_ALONE) learn ??= await import("./learn.ts").catch(() => null);
  return learn;
}

async function loadLessons(): Promise<void> {
  if (!(await lessons())) throw new TypeError("learn.ts");
}

function learnPage(lab: Lab): TemplateResult {
  if (learn) return learn.learnPage(lab);
  const missing = !globalThis.GRADWALK_ALONE && later("learn", loadLessons, lab.refresh);
  if (missing) return missing;
  return html`<p class="pad">${t.learn.loading}</p>`;
}

const ROWS: Record<Page, Row> = {
  sandbox: { body: pulsePage, start: END },
  walk: { body: tablesPage, start: 0 },
  descend: {
    body: descendPage,
    start: END,
    preset: "learn",
    // Its own example is on its way as it opens; the values of others are theirs to move.
    opening: (state) =>
      isOwn(state) && !(state.way.length && state.good === preset("learn").text)
        ? { type: "descend", steps: 1 }
        : null,
  },
  program: { body: compiledPage, start: END },
  learn: { body: learnPage, start: END },
  order: { body: orderPage, start: 0, preset: "x6" },
  bugs: {
    body: bugsPage,
    start: END,
    preset: "x5",
    opening: ({ seed }) => ({ type: "set", change: { game: true, seed: seed || anySeed() } }),
  },
  checks: { body: checksPage, start: 0 },
  traces: { body: tracesPage, start: END },
  write: { body: writePage, start: END },
  plan: { body: planPage, start: END },
  gpt: { body: gptPage, start: END },
  moons: { body: moonsPage, start: END },
};

export function pageBody(lab: Lab): TemplateResult {
  const { page } = lab.state;
  // Play has its tabs on the stage, which is the same for all of them.
  return html`${doorOf(page) === "play" ? nothing : tabs(lab)}${ROWS[page].body(lab)}`;
}

export function startOf(page: Page): number {
  return ROWS[page].start;
}

/** Whether the text and its values are an example that a page began with, or a descent from there. */
function isOwn({ given, text, values, way }: State): boolean {
  if (given) return false;
  const start = way[0]?.values ?? values;
  return ["x1", ...Object.values(ROWS).flatMap((row) => row.preset ?? [])]
    .map(preset)
    .some(
      (row) =>
        row.text === text &&
        Object.entries(row.values).every(([name, value]) => start.get(name) === value),
    );
}

/**
 * Open a page; where nobody has chosen or changed anything yet, with the page's own example.
 * `opens` is whether it begins as it likes to: a link may ask for one of its parts.
 */
export function enter(
  page: Page,
  state: State,
  dispatch: (action: Action) => void,
  opens = true,
): void {
  dispatch({ type: "page", page });
  const { preset: own, opening } = ROWS[page];
  if (own && isOwn(state) && state.good !== preset(own).text)
    dispatch({ type: "load", ...preset(own), own: true });
  dispatch({ type: "seek", time: ROWS[page].start });
  const action = opens && !state.given ? opening?.(state) : null;
  if (action) dispatch(action);
}
