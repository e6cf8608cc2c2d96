/**
 * Sharing without a server: a file, a snippet, a link for a copy of the lab elsewhere. Pure texts;
 * `scene/save.ts` makes the pictures.
 */

import { type GraphJson, graphJson } from "../core/index.ts";
import { shareable } from "./derive.ts";
import { isMeant, KEYS } from "./fields.ts";
import { linkTo } from "./link.ts";
import type { State } from "./state.ts";

/** What a template has where its state goes; put together, so that a template has it once. */
export const PLACEHOLDER = `{"gradwalk": ${JSON.stringify("state")}}`;

/** What a file says of a state, in the words of `export.ts`. */
export function fileState(state: State, time: number): Record<string, unknown> {
  const { values } = shareable(state);
  const what: { graph: GraphJson } | { expression: string; values: Record<string, number> } =
    state.given
      ? { graph: graphJson(state.given) }
      : { expression: state.good, values: Object.fromEntries(values) };
  // Who brings an order has run it.
  const left = ["text", "values", "ran", ...(state.ran ? [] : ["order"])];
  const said = KEYS.filter((key) => isMeant(key, state) && !left.includes(key));
  return { ...Object.fromEntries(said.map((key) => [key, state[key]])), ...what, time };
}

/** The lab as one file: the template with a state in it. */
export function fileOf(template: string, state: Record<string, unknown>, title: string): string {
  const json = JSON.stringify(state).replaceAll("<", "\\u003c");
  return template
    .replace(PLACEHOLDER, () => json)
    .replace("<title>gradwalk</title>", () => `<title>${escaped(title)}</title>`);
}

/** A frame for someone's page. */
export function snippetOf(address: string, title: string): string {
  return `<iframe src="${escaped(address)}" title="${escaped(title)}" width="880" height="560" loading="lazy" style="border: 0"></iframe>`;
}

function escaped(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (character) => names[character]);
}

/** A link into the lab at `base`. */
export function addressOf(base: string, state: State, time: number): string {
  return base.replace(/#.*$/s, "") + linkTo(state, time);
}

/** Whether an address is this machine's alone. */
export function isLocal(base: string): boolean {
  try {
    const { protocol, hostname } = new URL(base);
    return protocol === "file:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  } catch {
    return true;
  }
}

/** A name for a file: the expression in letters and digits. */
export function fileName(expression: string, ending: string): string {
  const words = expression.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  return `gradwalk-${words.slice(0, 40) || "walk"}.${ending}`;
}
