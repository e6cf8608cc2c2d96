/**
 * A graph in the form of the JSON contract, and back out of it.
 *
 * The words are those of contract/; its samples are what both sides must give. JSON has no nan and
 * no infinities: they are the strings "NaN", "Infinity" and "-Infinity".
 */

import { CONST } from "./engine.ts";
import { GraphError, message } from "./errors.ts";
import { Graph, isConst, type Node } from "./graph.ts";
import { described } from "./numbers.ts";
import { power } from "./special.ts";

export const VERSION = 1;

export type NumberJson = number | "NaN" | "Infinity" | "-Infinity";

export interface NodeJson {
  readonly id: number;
  readonly op: string;
  readonly label: string;
  readonly name: string;
  readonly data: NumberJson;
  readonly grad: NumberJson;
  readonly operands: readonly number[];
  readonly local_grads: readonly NumberJson[];
  readonly tags: readonly string[];
  readonly line?: readonly [string, number];
  readonly scope?: string;
}

export interface GraphJson {
  readonly version: number;
  readonly nodes: readonly NodeJson[];
  readonly root: number;
}

/** Return a graph: its nodes, inputs first, and the id of its root. */
export function graphJson(graph: Graph): GraphJson {
  return {
    version: VERSION,
    nodes: graph.nodes.map((node) => nodeJson(graph, node)),
    root: graph.root,
  };
}

/**
 * Return the graph that Python made and sent, or throw a GraphError that says what is wrong with it.
 *
 * It folds and unfolds like any other: what a derived node stands for is written out again.
 */
export function graphFromJson(json: unknown): Graph {
  const found = (json as { nodes?: unknown } | null)?.nodes;
  if (!Array.isArray(found) || !found.length) {
    throw new GraphError(message("no-node-list", described(found)));
  }
  const nodes = found.map(nodeFromJson);
  return new Graph(nodes, writtenOut(nodes));
}

function nodeJson(graph: Graph, node: Node): NodeJson {
  const { id, op, label, operands, tags, line, scope } = node;
  return {
    id,
    op,
    label,
    name: graph.name(id),
    data: numberJson(node.data),
    grad: numberJson(node.grad),
    operands,
    local_grads: node.local_grads.map(numberJson),
    tags,
    ...(line && { line }),
    ...(scope && { scope }),
  };
}

/** Return a number as JSON can hold it. */
export function numberJson(x: number): NumberJson {
  if (Number.isFinite(x)) return x;
  return Number.isNaN(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity";
}

function nodeFromJson(json: unknown, id: number): Node {
  const node = json as Partial<NodeJson> | null;
  const operands = node?.operands ?? [];
  const local_grads = node?.local_grads ?? [];
  const isId = (operand: unknown): boolean =>
    Number.isInteger(operand) && Number(operand) >= 0 && Number(operand) < id;
  const fits =
    node?.id === id &&
    typeof node.op === "string" &&
    typeof node.label === "string" &&
    Array.isArray(operands) &&
    operands.every(isId) &&
    Array.isArray(local_grads) &&
    local_grads.length === operands.length &&
    Array.isArray(node.tags);
  if (!fits) throw new GraphError(message("not-contract", id, described(json)));
  return {
    id,
    op: node.op!,
    label: node.label!,
    data: numberFromJson(node.data, id),
    grad: numberFromJson(node.grad, id),
    operands,
    local_grads: local_grads.map((local) => numberFromJson(local, id)),
    tags: node.tags!,
    line: node.line ?? null,
    scope: typeof node.scope === "string" ? node.scope : "",
  };
}

function numberFromJson(json: unknown, id: number): number {
  if (typeof json === "number") return json;
  if (json === "NaN" || json === "Infinity" || json === "-Infinity") return Number(json);
  throw new GraphError(message("not-number", id, described(json)));
}

/** Return nodes as the engine records them: `a - b` as `a + (b * -1)`, and its like. */
function writtenOut(nodes: readonly Node[]): readonly Node[] {
  const recorded: Node[] = [];
  const ids: number[] = [];
  const add = (node: Omit<Node, "id">): number =>
    recorded.push({ id: recorded.length, ...node }) - 1;
  for (const node of nodes) {
    const { op, label, data, grad, line, scope } = node;
    let { local_grads, tags } = node;
    let operands = node.operands.map((operand) => ids[operand]);
    if (tags.includes("derived") && operands.length === SHOWN.get(op)) {
      const common = { label: "", grad: 0, line, scope };
      const minusOne = { op: CONST, data: -1, operands: [], local_grads: [], tags: [CONST] };
      const [left, right] = node.operands.map((operand) => nodes[operand]);
      const last = add({ ...common, ...minusOne });
      tags = [];
      if (op === "neg") {
        operands = [operands[0], last];
        local_grads = [local_grads[0], 0];
      } else {
        const divides = op === "/";
        const outer = divides ? left.data : 1; // the local gradient towards the inner node
        const slope = divides ? -1 * power(right.data, -2) : -1;
        const inner = add({
          ...common,
          op: divides ? "**" : "neg",
          data: divides ? power(right.data, -1) : right.data * -1,
          grad: grad * outer,
          operands: [operands[1], last],
          local_grads: [isConst(right) ? 0 : slope, 0],
          tags: [],
        });
        operands = [operands[0], inner];
        local_grads = [local_grads[0], outer];
      }
    }
    ids.push(add({ op, label, data, grad, operands, local_grads, tags, line, scope }));
  }
  return recorded;
}

/** How many operands a derived symbol shows when it is folded. */
const SHOWN: ReadonlyMap<string, number> = new Map([
  ["neg", 1],
  ["-", 2],
  ["/", 2],
]);
