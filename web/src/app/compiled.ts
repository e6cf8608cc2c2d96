/**
 * What the server says an expression is compiled to, and which instruction is which node.
 *
 * The compiler is Python's own; the page knows no more of it than the rows it is sent.
 */

import { BY_NAME, type Graph, isConst } from "../core/index.ts";

export interface Row {
  text: string;
  op?: string;
  operands?: readonly number[];
  /** Of a const its number, of an input its slot. */
  number?: number | string;
  /** The recorded instruction that it comes from, −1 for none. */
  origin?: number;
  result?: boolean;
  /** The inputs whose gradient it is. */
  gradients?: readonly string[];
}

export interface Stage {
  name: string;
  /** The rows from here on compute the gradient. */
  forward: number;
  rows: readonly Row[];
}

export interface Compiled {
  names: readonly string[];
  stages: readonly Stage[];
  sizes: Readonly<Record<string, number>>;
}

/**
 * For each recorded instruction the node that it computes, or null.
 *
 * Both sides evaluate in the order of the text, so of nodes that look alike the first is the first.
 * An unfolded graph has other nodes for a subtraction, and nothing for it here.
 */
export function nodesOf(compiled: Compiled, graph: Graph): readonly (number | null)[] {
  const free = new Map<string, number[]>();
  for (const node of graph.nodes) {
    const key = node.operands.length
      ? `${node.op} ${node.operands}`
      : isConst(node)
        ? `= ${node.data}`
        : `name ${node.label}`;
    free.set(key, [...(free.get(key) ?? []), node.id]);
  }
  const found: (number | null)[] = [];
  for (const row of compiled.stages[0].rows) {
    const operands = row.operands ?? [];
    const key =
      row.op === "input"
        ? `name ${compiled.names[Number(row.number)]}`
        : row.op === "const"
          ? `= ${Number(row.number)}`
          : `${BY_NAME.get(row.op as never)?.symbol} ${operands.map((id) => found[id])}`;
    const nodes = free.get(key) ?? [];
    // Python may record an equal instruction twice: then both are that node.
    found.push((nodes.length > 1 ? nodes.shift() : nodes[0]) ?? null);
  }
  return found;
}

/** The node to pick for a row: the one that it computes, or the leaf whose gradient it is. */
export function nodeOf(
  row: Row,
  nodes: readonly (number | null)[],
  graph: Graph,
  backward: boolean,
): number | null {
  if (!backward) return nodes[row.origin ?? -1] ?? null;
  const leaf = graph.nodes.find(
    ({ label, operands }) => !operands.length && row.gradients?.includes(label),
  );
  return leaf?.id ?? null;
}
