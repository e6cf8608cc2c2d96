/**
 * Graphs, walks and paths in the form of the JSON contract, and a graph back out of it.
 *
 * The words are those of contract/; its samples are what both sides must give. JSON has no nan and
 * no infinities: they are the strings "NaN", "Infinity" and "-Infinity".
 */

import { CONST } from "./engine.ts";
import { GraphError } from "./errors.ts";
import { Graph, isConst, type Node } from "./graph.ts";
import { described } from "./numbers.ts";
import type { Paths } from "./paths.ts";
import { power } from "./special.ts";
import type { SortStep, Walk } from "./walk.ts";

export const VERSION = 1;

// The stacks of a deep graph grow with the square of its depth. Beyond this many entries in all, a
// sort comes without them: the pops tell the same story.
const MOST_ENTRIES = 2_000_000;

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

export interface WalkJson extends GraphJson {
  readonly forward: readonly {
    readonly node: number;
    readonly data: NumberJson;
    readonly equation: string;
  }[];
  readonly sort: readonly {
    readonly pop: readonly [number, number];
    readonly stack: readonly (readonly [number, number])[] | null;
    readonly sorted: readonly number[] | null;
    readonly note: string;
  }[];
  readonly order: readonly number[];
  readonly backward: readonly {
    readonly node: number;
    readonly grad: NumberJson;
    readonly pushes: readonly {
      readonly to: number;
      readonly operand: number;
      readonly incoming: NumberJson;
      readonly local: NumberJson;
      readonly contribution: NumberJson;
      readonly before: NumberJson;
      readonly after: NumberJson;
      readonly formula: string;
      readonly reason: string;
    }[];
    readonly note: string;
  }[];
  readonly grads: readonly NumberJson[];
  readonly expected: readonly NumberJson[];
  readonly lost: readonly {
    readonly from: number;
    readonly to: number;
    readonly contribution: NumberJson;
    readonly path: readonly number[];
    readonly why: string;
  }[];
  readonly bug: string | null;
}

export interface PathsJson extends GraphJson {
  readonly to: number;
  readonly count: number | string;
  readonly total: NumberJson;
  readonly rest: NumberJson;
  readonly complete: boolean;
  readonly paths: readonly {
    readonly nodes: readonly number[];
    readonly locals: readonly NumberJson[];
    readonly product: NumberJson;
  }[];
}

/** Return a graph: its nodes, inputs first, and the id of its root. */
export function graphJson(graph: Graph): GraphJson {
  return {
    version: VERSION,
    nodes: graph.nodes.map((node) => nodeJson(graph, node)),
    root: graph.root,
  };
}

/** Return a walk: the graph, every step, and what came of it. */
export function walkJson(walk: Walk): WalkJson {
  return {
    ...graphJson(walk.graph),
    forward: walk.forward.map(({ node, data, equation }) => ({
      node,
      data: numberJson(data),
      equation,
    })),
    sort: sortJson(walk.sort),
    order: walk.order,
    backward: walk.backward.map((step) => ({
      node: step.node,
      grad: numberJson(step.grad),
      pushes: step.pushes.map((push) => ({
        to: push.to,
        operand: push.operand,
        incoming: numberJson(push.incoming),
        local: numberJson(push.local),
        contribution: numberJson(push.contribution),
        before: numberJson(push.before),
        after: numberJson(push.after),
        formula: push.formula,
        reason: push.reason,
      })),
      note: step.note,
    })),
    grads: walk.grads.map(numberJson),
    expected: walk.expected.map(numberJson),
    lost: walk.lost.map(({ source, to, contribution, path, why }) => ({
      from: source,
      to,
      contribution: numberJson(contribution),
      path,
      why,
    })),
    bug: walk.bug,
  };
}

/** Return the paths behind a gradient; `count` is a string where a double would round it. */
export function pathsJson(paths: Paths): PathsJson {
  return {
    ...graphJson(paths.graph),
    to: paths.to,
    count: countJson(paths.count),
    total: numberJson(paths.total),
    rest: numberJson(paths.rest),
    complete: paths.complete,
    paths: paths.largest.map(({ nodes, locals, product }) => ({
      nodes,
      locals: locals.map(numberJson),
      product: numberJson(product),
    })),
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
    throw new GraphError(`a graph has a list of nodes, not ${described(found)}`);
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

function sortJson(steps: readonly SortStep[]): WalkJson["sort"] {
  // Every turn but the last of a node puts one pair on the stack or leaves it as high as it was.
  let depth = 1;
  let entries = 0;
  for (const { note, placed } of steps) {
    depth += note === "" ? 1 : note === "leaf" || note === "done" ? -1 : 0;
    entries += depth + placed;
  }
  const whole = entries <= MOST_ENTRIES;
  return steps.map((step) => ({
    pop: step.pop,
    stack: whole ? step.stack : null,
    sorted: whole ? step.sorted : null,
    note: step.note,
  }));
}

function numberJson(x: number): NumberJson {
  if (Number.isFinite(x)) return x;
  return Number.isNaN(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity";
}

/** Return a whole number that any program can read: `BigInt` takes every form of it. */
function countJson(count: bigint): number | string {
  if (count < 2n ** 53n) return Number(count);
  // Python refuses to write very long decimals, since they take quadratic time.
  return count < 2n ** 1024n ? count.toString() : `0x${count.toString(16)}`;
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
  if (!fits) throw new GraphError(`node ${id} is not one of the contract: ${described(json)}`);
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
  throw new GraphError(`node ${id} has a number that is none: ${described(json)}`);
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
