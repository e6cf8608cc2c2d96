/**
 * From a state to its link and back. `url.ts` knows the form of an address; here its names of nodes
 * become ids, by the graph that the link describes.
 */

import { type Graph, isConst } from "../core/index.ts";
import { graphFor, namedGraphFor, shareable } from "./derive.ts";
import { namesOf } from "./names.ts";
import { FITTED, type State } from "./state.ts";
import { initial } from "./store.ts";
import { encode, type Link } from "./url.ts";

/** The link that brings back what is shown; without a time a page opens as it likes to. */
export function linkTo(state: State, time?: number): string {
  const { graph, names } = namedGraphFor(state);
  // A constant's name is its number, which would read as an id.
  const written = names.map((name, id) => (isConst(graph.nodes[id]) ? "" : name));
  // A lesson brings its own expression and its own moment.
  const inLesson = state.page === "learn" && state.lesson !== "";
  const shared = { ...shareable(state), time: inLesson ? -1 : (time ?? -1) };
  return encode(shared, written, state.given !== null || inLesson);
}

/** The state that a link describes: all of it, so nothing of an earlier state is left. */
export function stateOf(link: Link, given: Graph | null = null): State {
  const { nodeName, edgeName, orderNames, look = FITTED, ...settings } = link;
  const state = { ...initial(settings, given), look };
  if (!nodeName && !edgeName && !orderNames) return state;
  const names = namesOf(graphFor(state));
  const id = (name: string): number => names.indexOf(name);
  const node = nodeName ? id(nodeName) : -1;
  const target = edgeName ? id(edgeName.target) : -1;
  const order = (orderNames ?? []).map(id).filter((one) => one >= 0);
  return {
    ...state,
    node: node >= 0 ? node : state.node,
    edge: target >= 0 ? { target, operand: edgeName!.operand } : state.edge,
    order: order.length ? [...new Set(order)] : state.order,
  };
}
