/**
 * What the server says an expression is compiled to, and which instruction is which node.
 *
 * The compiler is Python's own; the page knows no more of it than the rows it is sent.
 */

import { BY_NAME, type Graph, isConst, number } from "../core/index.ts";

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
  loops?: readonly Loop[];
}

/** Instructions that repeat: those of all iterations, and the body as text. */
export interface Loop {
  count: number;
  ids: readonly number[];
  body: readonly string[];
}

/** A choice of the expression: the recorded condition, and the side of which other one it is on. */
export interface Branch {
  parent: number;
  side: boolean;
  condition: number;
}

export interface Compiled {
  names: readonly string[];
  stages: readonly Stage[];
  branches?: readonly Branch[];
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

/** A line of a listing: an instruction, the head of a loop, or a line of the body of a folded one. */
export type Line = { row: number } | { loop: number } | { body: string };

/** The lines of a stage; the loops in `open` are written out. */
export function linesOf({ rows, loops = [] }: Stage, open: ReadonlySet<number>): Line[] {
  const lines: Line[] = [];
  let next = 0;
  loops.forEach(({ ids, body }, loop) => {
    const inside = new Set(ids);
    const end = ids[ids.length - 1] + 1;
    const all = Array.from({ length: end - next }, (_, k) => next + k);
    lines.push(...all.filter((row) => !inside.has(row)).map((row) => ({ row })));
    lines.push({ loop });
    lines.push(
      ...(open.has(loop) ? ids.map((row) => ({ row })) : body.map((text) => ({ body: text }))),
    );
    next = end;
  });
  for (; next < rows.length; next++) lines.push({ row: next });
  return lines;
}

const COMPARISONS: Readonly<Record<string, [string, (x: number, y: number) => boolean]>> = {
  lt: ["<", (x, y) => x < y],
  le: ["<=", (x, y) => x <= y],
  gt: [">", (x, y) => x > y],
  ge: [">=", (x, y) => x >= y],
  eq: ["==", (x, y) => x === y],
  ne: ["!=", (x, y) => x !== y],
};

/** What a branch asks, as in `a < %3`. */
export function conditionOf({ names, stages }: Compiled, { condition }: Branch): string {
  const { rows } = stages[0];
  const told = (id: number): string => {
    const { op, number: at } = rows[id];
    if (op === "input") return names[Number(at)];
    return op === "const" ? number(Number(at)) : `%${id}`;
  };
  const { op, operands = [] } = rows[condition];
  const compared = COMPARISONS[op ?? ""];
  return compared ? `${told(operands[0])} ${compared[0]} ${told(operands[1])}` : told(condition);
}

/** Which side each branch takes for these inputs; null for one that stands on a side not taken. */
export function sidesOf(
  { stages, branches = [] }: Compiled,
  inputs: readonly number[],
): (boolean | null)[] {
  const values: number[] = [];
  for (const { op, operands = [], number: at } of stages[0].rows) {
    const from = operands.map((id) => values[id]);
    const compared = COMPARISONS[op ?? ""];
    if (op === "input") values.push(inputs[Number(at)]);
    else if (op === "const") values.push(Number(at));
    else if (compared) values.push(compared[1](from[0], from[1]) ? 1 : 0);
    else values.push(BY_NAME.get(op!)?.value(...from) ?? Number.NaN);
  }
  const taken: (boolean | null)[] = [];
  for (const { parent, side, condition } of branches)
    taken.push(parent >= 0 && taken[parent] !== side ? null : values[condition] !== 0);
  return taken;
}
