/**
 * The engine and all that Python says about a graph: walks and paths in the form of the JSON
 * contract, and errors in Python's words. The page needs none of it; the tests hold both engines
 * together with it.
 */

import {
  BY_SYMBOL,
  codePoints,
  ExpressionError,
  type GradwalkError,
  type GraphJson,
  graphJson,
  NARY_REASONS,
  type NumberJson,
  numberJson,
  type Paths,
  utf16Index,
  type Walk,
} from "../../src/core/index.ts";
import { isPrintable } from "../../src/core/numbers.ts";
import { messageText } from "../../src/strings/messages.ts";

export * from "../../src/core/index.ts";
export { messageText };

// The stacks of a deep graph grow with the square of its depth. Beyond this many entries in all, a
// sort comes without them: the pops tell the same story.
const MOST_ENTRIES = 2_000_000;

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

/** Return a walk: the graph, every step, and what came of it. */
export function walkJson(walk: Walk): WalkJson {
  return {
    ...graphJson(walk.graph),
    forward: walk.forward.map(({ node, data, equation }) => ({
      node,
      data: numberJson(data),
      equation,
    })),
    sort: sortJson(walk),
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
        reason: reason(walk.graph.nodes[step.node].op),
      })),
      note: step.note === "zero" ? "gradient 0" : step.note,
    })),
    grads: walk.grads.map(numberJson),
    expected: walk.expected.map(numberJson),
    lost: walk.lost.map(({ source, to, contribution, path }) => ({
      from: source,
      to,
      contribution: numberJson(contribution),
      path,
      why: `${walk.graph.name(to)} was visited before ${walk.graph.name(source)}, and a visited node accepts nothing more`,
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

function sortJson({ sort: steps, graph }: Walk): WalkJson["sort"] {
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
    note: step.visited >= 0 ? `${graph.name(step.visited)} already visited` : step.note,
  }));
}

/** Return a whole number that any program can read: `BigInt` takes every form of it. */
function countJson(count: bigint): number | string {
  if (count < 2n ** 53n) return Number(count);
  // Python refuses to write very long decimals, since they take quadratic time.
  return count < 2n ** 1024n ? count.toString() : `0x${count.toString(16)}`;
}

/** The rule of an operation, as Python words it. */
function reason(op: string): string {
  return (
    BY_SYMBOL.get(op)?.reason ??
    NARY_REASONS.get(op) ??
    `${op || "this node"} brings its own local gradient`
  );
}

/** The error as Python prints it; of a text with its line and a caret under the column. */
export function shown(error: GradwalkError): string {
  const text = messageText(error.said);
  if (!(error instanceof ExpressionError)) return `${error.name}: ${text}`;
  const [line, column] = excerpt(error.text, error.column);
  return line.trim() ? `${text}\n  ${line}\n  ${" ".repeat(column)}^` : text;
}

/** Return at most `width` characters around `column`, and the caret's place in them. */
function excerpt(text: string, column: number, width = 72): [string, number] {
  const index = utf16Index(text, column);
  const begin = index ? text.lastIndexOf("\n", index - 1) + 1 : 0;
  const end = text.indexOf("\n", index);
  const characters = [...text.slice(begin, end >= 0 ? end : undefined)];
  const line = characters.map((c) => (isPrintable(c) ? c : "\ufffd"));
  const caret = column - codePoints(text.slice(0, begin));
  if (line.length <= width) return [line.join(""), caret];
  const left = Math.max(0, Math.min(caret - Math.floor(width / 2), line.length - width));
  const shown = line.slice(left, left + width);
  if (left) shown[0] = "…";
  if (left + width < line.length) shown[shown.length - 1] = "…";
  return [shown.join(""), caret - left];
}
