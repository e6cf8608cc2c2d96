/**
 * One name per node, the same in card, table, formula, speech and link.
 *
 * A label is a name. A constant is called by its number. An operation without a label is t1, t2, …
 * in topological order, a leaf without one v1, v2, …, and the output f, or y or out where f is taken.
 */

import { type Graph, graphOfTape, isConst, number, type Tape } from "../core/index.ts";

const OUTPUTS = ["f", "y", "out"];
const MINUS = "−";

export function namesOf(graph: Graph): readonly string[] {
  const taken = new Set(graph.nodes.map((node) => node.label));
  const counts = { t: 0, v: 0 };
  const next = (letter: "t" | "v"): string => {
    let name: string;
    do name = `${letter}${++counts[letter]}`;
    while (taken.has(name));
    return name;
  };
  const used = new Set<string>();
  const distinct = (name: string): string => {
    let found = name;
    while (used.has(found)) found += "′";
    used.add(found);
    return found;
  };
  const output = OUTPUTS.find((name) => !taken.has(name)) ?? next("t");
  return graph.nodes.map((node) => {
    if (isConst(node)) return number(node.data).replaceAll("-", MINUS);
    if (node.label) return distinct(graph.name(node.id));
    if (node.id === graph.root) return distinct(output);
    return distinct(next(node.operands.length ? "t" : "v"));
  });
}

export interface Named {
  readonly graph: Graph;
  readonly names: readonly string[];
}

const known = new WeakMap<Tape, Named>();

/** A tape as a graph, and what its nodes are called: made when first asked for. */
export function namedOf(tape: Tape): Named {
  let named = known.get(tape);
  if (!named) {
    const graph = graphOfTape(tape);
    known.set(tape, (named = { graph, names: namesOf(graph) }));
  }
  return named;
}
