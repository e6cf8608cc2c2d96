/**
 * A walk as one file. The block `#gradwalk-state` says what to show:
 *
 *   {"expression": "(a + b) * c", "values": {"a": 2, "b": -3, "c": 10}, "page": "walk"}
 *   {"graph": …}          a graph of the JSON contract, which has no text to edit
 */

import { graphFromJson } from "./core/index.ts";
import { GradwalkLab } from "./elements/lab.ts";
import { PAGES } from "./state.ts";

const lab = document.querySelector("gradwalk-lab");
const state = read();
if (lab instanceof GradwalkLab) {
  // The element is upgraded already: tell it, and let it begin again.
  lab.remove();
  if (typeof state.expression === "string") lab.expression = state.expression;
  if (isNumbers(state.values)) lab.values = state.values;
  if (state.graph) lab.graph = graphFromJson(state.graph as Parameters<typeof graphFromJson>[0]);
  const page = PAGES.find((one) => one === state.page);
  if (page && !location.hash) location.hash = `#${page}`;
  document.body.append(lab);
}

function read(): Record<string, unknown> {
  try {
    return JSON.parse(document.querySelector("#gradwalk-state")?.textContent ?? "{}");
  } catch {
    return {};
  }
}

function isNumbers(values: unknown): values is Record<string, number> {
  return (
    typeof values === "object" &&
    values !== null &&
    Object.values(values).every((one) => typeof one === "number")
  );
}
