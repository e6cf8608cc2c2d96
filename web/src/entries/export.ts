/**
 * A walk as one file. The block `#gradwalk-state` says what to show, in the words of `state.ts`:
 *
 *   {"expression": "(a + b) * c", "values": {"a": 2, "b": -3, "c": 10}, "page": "walk"}
 *   {"graph": …}          a graph of the JSON contract, which has no text to edit
 *
 * and `unfold`, `bug`, `order` and all the rest that an address can say. Where the file was opened
 * with such an address, that counts: it is someone's link into it.
 *
 * With `linked`, it is in the frame of a notebook's widget, which tells it what to show from then
 * on, and is told what someone picks and moves.
 */

import { checked } from "../app/fields.ts";
import type { Theme } from "../app/state.ts";

import { type Graph, graphFromJson } from "../core/index.ts";
import { GradwalkLab } from "../shell/lab.ts";

const { expression, graph, linked, theme, ...rest } = read();
const lab = new GradwalkLab();
// An order that a file brings has been run: what came of it is what the file is about.
lab.start = checked({ ...rest, text: expression, ran: Array.isArray(rest.order) });
if (graph) lab.graph = graphOf(graph);
if (linked === true) {
  lab.embedded = lab.bare = true;
  lab.theme = theme as Theme;
}
document.body.append(lab);
if (linked === true) link(lab);

/** Tell the widget what someone picks and moves here; what the widget itself told is no news. */
function link(lab: GradwalkLab): void {
  const { store } = lab;
  let last = store.state;
  let hearing = false;
  store.subscribe((state) => {
    const before = last;
    last = state;
    if (hearing) return;
    const { node, unfold, good, values, given } = state;
    const picked = node !== before.node || unfold !== before.unfold;
    const moved = !given && (good !== before.good || values !== before.values);
    const message = {
      ...(picked ? { node, unfold } : {}),
      ...(moved ? { expression: good, values: Object.fromEntries(values) } : {}),
    };
    if (picked || moved) parent.postMessage({ gradwalk: message }, "*");
  });
  window.addEventListener("message", ({ source, data }) => {
    if (source !== parent || !data?.gradwalk) return;
    const { graph, expression, values, theme } = data.gradwalk;
    if (theme) lab.theme = theme;
    if (!graph && !expression) return;
    const named = checked({ text: expression, values });
    hearing = true;
    store.dispatch({ type: "shown", given: (graph && graphOf(graph)) || null, ...named });
    hearing = false;
  });
}

function read(): Record<string, unknown> {
  try {
    return JSON.parse(document.querySelector("#gradwalk-state")?.textContent ?? "{}");
  } catch {
    return {};
  }
}

/** A graph that cannot be read leaves the lab as it is: something to play with, not a blank page. */
function graphOf(json: unknown): Graph | undefined {
  try {
    return graphFromJson(json as Parameters<typeof graphFromJson>[0]);
  } catch (error) {
    console.error(error);
    return undefined;
  }
}
