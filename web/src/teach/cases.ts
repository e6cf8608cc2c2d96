/** Cases for the diagnosis game: a graph on which exactly one bug makes these numbers. */

import { BUGS, type Graph, walk } from "../core/index.ts";
import { graphOf, type Random, type Sample, sample } from "./generate.ts";

export interface Case extends Sample {
  bug: string;
}

/** What each bug makes of a graph, by name of the bug. */
export function outcomes(graph: Graph): Map<string, readonly number[]> {
  return new Map(BUGS.map((bug) => [bug, walk(graph, { bug }).grads]));
}

export function drawCase(random: Random): Case {
  for (;;) {
    const drawn = sample(random, "medium");
    const graph = graphOf(drawn);
    const right = walk(graph).grads.join();
    const found = [...outcomes(graph)];
    const [bug, grads] = found[Math.floor(random() * found.length)];
    const alike = found.filter(([, other]) => other.join() === grads.join()).length;
    if (alike === 1 && grads.join() !== right) return { ...drawn, bug };
  }
}
