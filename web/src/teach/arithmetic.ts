/**
 * Arithmetic as it is written on screen: products, sums and operations.
 *
 * Every line is true of the numbers that it shows. Where the shown digits, computed again, do not
 * give the shown result, the line says ≈.
 */

import {
  BY_SYMBOL,
  type Graph,
  type Node,
  type Path,
  type Paths,
  type Push,
} from "../core/index.ts";
import { fitted, num, shown, wrapped } from "../strings/format.ts";

export type Relation = "=" | "≈";

/** Whether a value computed from shown numbers reads as `result` does. */
export function relation(computed: number, result: number, digits = 4): Relation {
  return num(computed, digits) === num(result, digits) ? "=" : "≈";
}

/** `incoming × local = contribution`, in at most `room` characters: spaces give way first, then factors. */
export function product(
  { incoming, local, contribution }: Pick<Push, "incoming" | "local" | "contribution">,
  room = Number.POSITIVE_INFINITY,
): string {
  const build = (digits: number, gap: string): string => {
    const sign = relation(shown(incoming, digits) * shown(local, digits), contribution, digits);
    return [num(incoming, digits), "×", num(local, digits), sign, num(contribution, digits)].join(
      gap,
    );
  };
  return (
    fitted((digits) => build(digits, " "), room, "") ||
    fitted((digits) => build(Math.min(3, digits), ""), room, "") ||
    fitted((digits) => `= ${num(contribution, digits - 1)}`, room, num(contribution, 2))
  );
}

/** `1 + 3 = 4`, or `last` where it has no room. */
export function sum(
  { before, contribution, after }: Pick<Push, "before" | "contribution" | "after">,
  room = Number.POSITIVE_INFINITY,
  last = "",
): string {
  return fitted(
    (digits) => {
      const computed = shown(before, digits) + shown(contribution, digits);
      return `${num(before, digits)} + ${wrapped(contribution, digits)} ${relation(computed, after, digits)} ${num(after, digits)}`;
    },
    room,
    last,
  );
}

/** Whether a contribution was added to what was there; with the overwrite bug it was not. */
export function adds({ before, contribution, after }: Push): boolean {
  return Object.is(after, before + contribution) || after === before + contribution;
}

export interface Operation {
  left: string;
  sign: Relation;
  right: string;
}

const SIGNS: Readonly<Record<string, string>> = { "*": "∗", "-": "−", "/": "÷", neg: "−" };

/** The sign of an operation as cards show it: ∗ for `*`, ÷ for `/`. */
export function opSign(op: string): string {
  return SIGNS[op] ?? op;
}

/** `2 + −3 = −1` in its parts. */
export function operation(graph: Graph, node: Node, digits = 4): Operation {
  const data = node.operands.map((operand) => graph.nodes[operand].data);
  return operationOf(node.op, data, node.data, digits);
}

function operationOf(op: string, data: readonly number[], result: number, digits = 4): Operation {
  const numbers = data.map((x) => num(x, digits));
  const row = BY_SYMBOL.get(op);
  const rounded = data.map((x) => shown(x, digits));
  // What cannot be computed again here, as a sum over a list, is exact only if every number is.
  const exact = [...data, result].every((x) => Object.is(shown(x, digits), x));
  const sign =
    row?.arity === data.length
      ? relation(row.value(...rounded), result, digits)
      : exact
        ? "="
        : "≈";
  return { left: written(op, numbers), sign, right: num(result, digits) };
}

/** An operation as one line: `2 + −3 = −1`. */
export function operationLine(op: string, data: readonly number[], result: number): string {
  const { left, sign, right } = operationOf(op, data, result);
  return `${left} ${sign} ${right}`;
}

function written(op: string, numbers: readonly string[]): string {
  const [first, second] = numbers;
  if (BY_SYMBOL.get(op)?.infix && numbers.length === 2) {
    const left = op === "**" && first.startsWith("−") ? `(${first})` : first;
    return `${left} ${opSign(op)} ${second}`;
  }
  if (op === "neg") return `−(${first})`;
  return `${op}(${numbers.join(", ")})`;
}

/** An operation as one line, cut to what fits: the whole, its left side, or its result. */
export function operationText(graph: Graph, node: Node, room = Number.POSITIVE_INFINITY): string {
  const parts = (digits: number): Operation => operation(graph, node, digits);
  const whole = fitted(
    (digits) => {
      const { left, sign, right } = parts(digits);
      return `${left} ${sign} ${right}`;
    },
    room,
    "",
  );
  return whole || fitted((digits) => parts(digits).left, room, `= ${num(node.data)}`);
}

/** `3 × 3 = 9`: the local derivatives along a path, and their product. */
export function pathProduct({ locals, product: result }: Path): string {
  const computed = locals.reduce((product, local) => product * shown(local), 1);
  const factors = locals.map((local) => wrapped(local)).join(" × ");
  return `${factors} ${relation(computed, result)} ${num(result)}`;
}

/** `9 + 6 = 15`: paths add up; of many the largest are written, and … for the rest. */
export function pathSum({ largest, total, complete }: Paths): string {
  const terms = largest.map(({ product }, i) => (i ? wrapped(product) : num(product)));
  const computed = largest.reduce((sum, { product }) => sum + shown(product), 0);
  const sign = complete ? relation(computed, total) : "=";
  return `${[...terms, ...(complete ? [] : ["…"])].join(" + ")} ${sign} ${num(total)}`;
}
