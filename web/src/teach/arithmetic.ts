/**
 * Arithmetic as it is written on screen: products, sums and operations.
 *
 * Numbers have the same digits wherever they stand, and = or ≈ is decided on these digits. A line that
 * has no room wraps or is left out; it never loses digits.
 */

import {
  BY_SYMBOL,
  type Graph,
  type Node,
  type Path,
  type Paths,
  type Push,
  type Relation,
  relation,
  stated,
} from "../core/index.ts";
import { num, wrapped } from "../strings/format.ts";

export type { Relation };

type Product = Pick<Push, "incoming" | "local" | "contribution">;
type Sum = Pick<Push, "before" | "contribution" | "after">;

/** `= 0.5`, or `≈ 0.3333` of a number that has more digits. */
export function is(x: number): string {
  const text = num(x);
  return `${stated(x, text)} ${text}`;
}

/** Between the exact values of numbers and their written digits. */
export function statedAll(...numbers: readonly number[]): Relation {
  return numbers.every((x) => stated(x, num(x)) === "=") ? "=" : "≈";
}

/** The sign between `incoming × local` and their contribution. */
export function productSign({ incoming, local, contribution }: Product): Relation {
  return relation("*", [num(incoming), num(local)], num(contribution));
}

/** `incoming × local = contribution`. */
export function product(push: Product): string {
  return productLines(push, Number.POSITIVE_INFINITY)[0];
}

/** The same in one, two or three lines of at most `room` characters; in none where it has no room. */
export function productLines(push: Product, room: number): readonly string[] {
  const [incoming, local] = [num(push.incoming), num(push.local)];
  const result = `${productSign(push)} ${num(push.contribution)}`;
  const ways = [
    [`${incoming} × ${local} ${result}`],
    [`${incoming} × ${local}`, result],
    [incoming, `× ${local}`, result],
  ];
  return ways.find((lines) => lines.every((line) => line.length <= room)) ?? [];
}

/** The sign between `before + contribution` and their sum. */
export function sumSign({ before, contribution, after }: Sum): Relation {
  return relation("+", [num(before), num(contribution)], num(after));
}

/** `1 + 3 = 4`. */
export function sum(push: Sum): string {
  return `${num(push.before)} + ${wrapped(push.contribution)} ${sumSign(push)} ${num(push.after)}`;
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
export function operation(graph: Graph, node: Node, write = num): Operation {
  const numbers = node.operands.map((operand) => write(graph.nodes[operand].data));
  const right = write(node.data);
  return { left: written(node.op, numbers), sign: relation(node.op, numbers, right), right };
}

const lineOf = ({ left, sign, right }: Operation): string => `${left} ${sign} ${right}`;

function written(op: string, numbers: readonly string[]): string {
  const [first, second] = numbers;
  if (BY_SYMBOL.get(op)?.infix && numbers.length === 2) {
    const left = op === "**" && first.startsWith("−") ? `(${first})` : first;
    return `${left} ${opSign(op)} ${second}`;
  }
  if (op === "neg") return `−(${first})`;
  return `${op}(${numbers.join(", ")})`;
}

export function operationText(graph: Graph, node: Node, write = num): string {
  return lineOf(operation(graph, node, write));
}

/** An operation under its result, in at most `room` characters: whole, or as `≈ tanh(0.5)`, or not. */
export function operationUnder(graph: Graph, node: Node, room: number): string {
  const { left, sign, right } = operation(graph, node);
  const texts = [`${left} ${sign} ${right}`, `${sign} ${left}`];
  return texts.find((text) => text.length <= room) ?? "";
}

/** `3 × 3 = 9`: the local derivatives along a path, and their product. */
export function pathProduct({ locals, product: result }: Path): string {
  const factors = locals.map((local) => wrapped(local)).join(" × ");
  return `${factors} ${relation("*", [locals.map((x) => num(x))], num(result))} ${num(result)}`;
}

/** `9 + 6 = 15`: paths add up; of many the largest are written, and … for the rest. */
export function pathSum({ largest, total, complete }: Paths): string {
  const terms = largest.map(({ product }, i) => (i ? wrapped(product) : num(product)));
  const written = largest.map(({ product }) => num(product));
  const sign = complete ? relation("+", written, num(total)) : stated(total, num(total));
  return `${[...terms, ...(complete ? [] : ["…"])].join(" + ")} ${sign} ${num(total)}`;
}
