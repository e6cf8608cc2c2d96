/**
 * A walk as one file. The block `#gradwalk-state` says what to show, in the words of `state.ts`:
 *
 *   {"expression": "(a + b) * c", "values": {"a": 2, "b": -3, "c": 10}, "page": "walk"}
 *   {"graph": …}          a graph of the JSON contract, which has no text to edit
 *
 * and `unfold`, `bug`, `order` and all the rest that an address can say. Where the file was opened
 * with such an address, that counts: it is someone's link into it.
 */

import { checked } from "../app/url.ts";
import { type Graph, graphFromJson } from "../core/index.ts";
import { GradwalkLab } from "../shell/lab.ts";

const { expression, graph, ...rest } = read();
const lab = new GradwalkLab();
// An order that a file brings has been run: what came of it is what the file is about.
lab.start = checked({ ...rest, text: expression, ran: Array.isArray(rest.order) });
if (graph) lab.graph = graphOf(graph);
document.body.append(lab);

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
