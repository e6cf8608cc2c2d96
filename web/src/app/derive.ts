/**
 * What follows from a state: expression, graph, walk, timeline, frame.
 *
 * Each is computed when first asked for and kept until what it comes from changes. Where things are
 * drawn is no part of it: see `scene/picture.ts`.
 */

import {
  type Expression,
  ExpressionError,
  type Graph,
  GraphError,
  isConst,
  type Message,
  parse,
  snapshot,
  type Walk,
  walk,
} from "../core/index.ts";
import { meant } from "./fields.ts";
import { namesOf } from "./names.ts";
import type { Page, State } from "./state.ts";
import { type Timeline, type TimelineOptions, timeline } from "./timeline.ts";

/** A graph at a point, with the walk that a page shows, ready to be drawn at any time. */
export interface Program {
  graph: Graph;
  walk: Walk;
  line: Timeline;
  /** Whether cards have room for two gradients, one wrong and one right. */
  compare: boolean;
  /** What each node is called, everywhere on the page. */
  names: readonly string[];
  /** Equal for two programs that look the same but for their numbers. */
  structure: string;
  /** The name of the root. */
  output: string;
  /** Why the walk that was asked for could not be made; the right one stands in. */
  problem?: Message;
}

export interface ProgramOptions extends TimelineOptions {
  bug?: string;
  order?: readonly number[];
  compare?: boolean;
}

export interface Mistake {
  said: Message;
  /** Where in the text, counted in code points. */
  column: number;
}

/** The error of the text as typed, or null when it parses. */
export const mistakeOf = memo((text: string, strict: boolean): Mistake | null => {
  try {
    parse(text, { strict });
    return null;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { said: error.said, column: error.column };
  }
});

const expressionOf = memo((text: string): Expression => parse(text));

export function variablesOf(state: State): readonly string[] {
  return expressionOf(state.good).names;
}

/** What a link carries: the values of the variables in use, and what matters on its page. */
export function shareable(state: State): State {
  const names = state.given ? [] : variablesOf(state);
  const values = new Map(names.map((name) => [name, state.values.get(name) ?? 1]));
  return { ...state, ...meant(state), values };
}

/** The state as its graph allows it: a link can name a node or an edge that is not there. */
export function sound(state: State, graph: Graph): State {
  const { node, edge } = state;
  const noNode = node !== null && !graph.nodes[node];
  const noEdge = edge !== null && graph.nodes[edge.target]?.operands[edge.operand] === undefined;
  if (!noNode && !noEdge) return state;
  return { ...state, node: noNode ? null : node, edge: noEdge ? null : edge };
}

const graphOf = memo(
  (text: string, values: State["values"], unfold: boolean): Graph => {
    const expression = expressionOf(text);
    const given = new Map(expression.names.map((name) => [name, values.get(name) ?? 1]));
    return snapshot(expression.evaluate(given), { fold: !unfold });
  },
  { alike: [0, 2] },
);

const unfoldedOf = memo(
  (graph: Graph, unfold: boolean): Graph => (unfold ? graph.unfold() : graph),
);

export function graphFor(state: State): Graph {
  if (state.given) return unfoldedOf(state.given, state.unfold);
  return graphOf(state.good, state.values, state.unfold);
}

const structureNames = memo(
  (_structure: string, graph: Graph): readonly string[] => namesOf(graph),
  { keyed: 1 },
);

/**
 * The program of any graph: what exported files and checks show. A text gives the same structure at
 * every point, so whoever has one need not have it found again.
 */
export function programOf(
  graph: Graph,
  options: ProgramOptions = {},
  structure: string = structureOf(graph),
): Program {
  const found = walk(graph, walkOptions(graph, options));
  const names = structureNames(structure, graph);
  return {
    graph,
    walk: found,
    line: timeline(found, options),
    compare: options.compare === true,
    names,
    structure,
    output: names[graph.root],
  };
}

const textStructure = memo(
  (_text: string, _unfold: boolean, graph: Graph): string => structureOf(graph),
  { keyed: 2 },
);

const givenStructure = memo((graph: Graph): string => structureOf(graph));

const pageProgram = memo(
  (
    graph: Graph,
    structure: string,
    page: string,
    bug: string,
    order: readonly number[],
    ran: boolean,
  ): Program => {
    const made = (options: ProgramOptions): Program => programOf(graph, options, structure);
    switch (page) {
      case "walk":
        return made({ sort: true, leaves: true });
      case "order":
        return made(ran ? { order, compare: true } : { compare: true });
      case "bugs":
        try {
          return made({ bug: bug === "recursion" ? undefined : bug, compare: true });
        } catch (error) {
          if (!(error instanceof GraphError)) throw error;
          return { ...made({ compare: true }), problem: error.said };
        }
      default:
        return made({});
    }
  },
  { alike: [1, 2, 3] },
);

/** The page whose walk is shown: a step of a lesson borrows another page's. */
export function shownPage(state: State): Page {
  return state.page === "learn" ? state.scene : state.page;
}

export function programFor(state: State): Program {
  const page = shownPage(state);
  const bug = page === "bugs" ? state.bug : "";
  const puzzling = page === "order";
  const graph = graphFor(state);
  const structure = structureFor(state, graph);
  return pageProgram(
    graph,
    structure,
    page,
    bug,
    puzzling ? state.order : NO_ORDER,
    puzzling && state.ran,
  );
}

/** A page's graph and the names of its nodes: all that a link needs. */
export function namedGraphFor(state: State): { graph: Graph; names: readonly string[] } {
  const graph = graphFor(state);
  return { graph, names: structureNames(structureFor(state, graph), graph) };
}

function structureFor(state: State, graph: Graph): string {
  return state.given ? givenStructure(graph) : textStructure(state.good, state.unfold, graph);
}

const NO_ORDER: readonly number[] = [];

/** The nodes that an order puzzle asks for: all but the constants. */
export function placesOf(graph: Graph): number[] {
  return graph.nodes.filter((node) => !isConst(node)).map((node) => node.id);
}

export function isWholeOrder(graph: Graph, order: readonly number[]): boolean {
  const places = placesOf(graph);
  return order.length === places.length && places.every((id) => order.includes(id));
}

function walkOptions(graph: Graph, options: ProgramOptions): { order?: number[]; bug?: string } {
  if (options.order && isWholeOrder(graph, options.order)) return { order: [...options.order] };
  return options.bug ? { bug: options.bug } : {};
}

/** What a picture depends on besides its numbers; a constant is named by its number, so it counts. */
function structureOf(graph: Graph): string {
  let text = "";
  for (const node of graph.nodes) {
    const constant = isConst(node) ? node.data : "";
    text += `${node.op}|${node.label}|${node.operands}|${node.tags}|${node.scope}|${constant};`;
  }
  return text;
}

/**
 * Remember the last few answers of a function, by the identity of its first `keyed` arguments.
 *
 * Of answers that agree in the arguments at `alike` only the last is kept: the points that a slider
 * passes are not wanted again, and whatever is kept makes the collector's pauses longer.
 */
export function memo<A extends unknown[], R>(
  compute: (...args: A) => R,
  { keyed = Number.POSITIVE_INFINITY, alike }: { keyed?: number; alike?: readonly number[] } = {},
): (...args: A) => R {
  let kept: { args: A; result: R }[] = [];
  return (...args) => {
    const found = kept.findIndex((one) =>
      one.args.every((arg, i) => i >= keyed || Object.is(arg, args[i])),
    );
    if (found === 0) return kept[0].result;
    if (found < 0 && alike)
      kept = kept.filter((one) => !alike.every((i) => Object.is(one.args[i], args[i])));
    const entry = found < 0 ? { args, result: compute(...args) } : kept.splice(found, 1)[0];
    kept.unshift(entry);
    kept.length = Math.min(kept.length, 6);
    return entry.result;
  };
}
