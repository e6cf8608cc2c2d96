/** Finding nodes by what one calls them, and edges by their number. */

import type { Program } from "../app/derive.ts";
import type { EdgeRef } from "../app/state.ts";
import { type Graph, isConst } from "../core/index.ts";
import { opSign } from "../teach/arithmetic.ts";

/** The nodes that a text may mean: by name, operation or scope; whole names first. */
export function matching(graph: Graph, names: readonly string[], text: string): readonly number[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const same: number[] = [];
  const near: number[] = [];
  for (const node of graph.nodes) {
    if (isConst(node)) continue;
    const words = [names[node.id], node.op, opSign(node.op)].map((word) => word.toLowerCase());
    if (words.includes(wanted)) same.push(node.id);
    else if ([words[0], node.scope.toLowerCase()].some((word) => word.includes(wanted)))
      near.push(node.id);
  }
  return [...same, ...near];
}

/** The end of an edge of the graph: edges are counted by target, then by operand. */
export function endOf({ line, graph }: Program, edge: number): EdgeRef {
  const { firstEdge } = line;
  let low = 0;
  let high = graph.nodes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (firstEdge[middle] <= edge) low = middle;
    else high = middle - 1;
  }
  return { target: low, operand: edge - firstEdge[low] };
}

export function isEnd(program: Program, edge: number, { target, operand }: EdgeRef): boolean {
  return program.line.firstEdge[target] + operand === edge;
}

/** The nodes and edges along a path, for the scene to stress. */
export function alongPath(
  program: Program,
  path: readonly number[],
): { nodes: Set<number>; edges: Set<number> } {
  const edges = new Set<number>();
  path.slice(1).forEach((to, i) => {
    const operand = program.graph.nodes[path[i]].operands.indexOf(to);
    if (operand >= 0) edges.add(program.line.firstEdge[path[i]] + operand);
  });
  return { nodes: new Set(path), edges };
}
