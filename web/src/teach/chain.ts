/**
 * The chain rule of the moment as data: equations made of terms, which `parts` typesets and a test
 * evaluates. None may be false while it is on the page:
 *
 *   total   ∂f/∂a, the whole derivative of the output. Its number is written only when it is complete.
 *   local   the derivative of a node by one input along one arrow. `a*a` has two arrows, so two.
 *   grad    what a.grad holds at this moment: a running sum.
 */

import type { Program } from "../app/derive.ts";
import type { EdgeRef } from "../app/state.ts";
import type { Happening, Timeline } from "../app/timeline.ts";
import { formula, isConst, type Push, paths, relation } from "../core/index.ts";
import { num } from "../strings/format.ts";
import { adds, productSign, type Relation, statedAll, sumSign } from "./arithmetic.ts";

export type Term =
  | { kind: "number"; x: number }
  | { kind: "total"; node: number }
  | { kind: "local"; node: number; operand: number }
  | { kind: "grad"; node: number }
  /** A local derivative in the names of its inputs. */
  | { kind: "formula"; text: string; node: number; operand: number }
  /** Terms that are left out. */
  | { kind: "rest" }
  | { kind: "sign"; sign: Relation | "+=" | "×" | "+" };

export type Equation = readonly Term[];

const n = (x: number): Term => ({ kind: "number", x });
const total = (node: number): Term => ({ kind: "total", node });
const local = (node: number, operand: number): Term => ({ kind: "local", node, operand });
const grad = (node: number): Term => ({ kind: "grad", node });
const sign = (text: Relation | "+=" | "×" | "+"): Term => ({ kind: "sign", sign: text });

/** Which of the contributions to its input an event brings: the first is 1. */
export interface Place {
  place: number;
  count: number;
  /** Whether each contribution is one path from the output: then people can count paths. */
  arePaths: boolean;
}

const places = new WeakMap<Timeline, ReadonlyMap<Push, readonly [number, number]>>();

function placesIn(line: Timeline): ReadonlyMap<Push, readonly [number, number]> {
  let found = places.get(line);
  if (found) return found;
  const counts = new Map<number, number>();
  const order: [Push, number][] = [];
  for (const { push } of line.events) {
    if (!push) continue;
    const place = (counts.get(push.to) ?? 0) + 1;
    counts.set(push.to, place);
    order.push([push, place]);
  }
  found = new Map(order.map(([push, place]) => [push, [place, counts.get(push.to)!]]));
  places.set(line, found);
  return found;
}

export function placeOf(program: Program, push: Push): Place {
  const [place, count] = placesIn(program.line).get(push) ?? [1, 1];
  const arePaths = paths(program.graph, push.to, 1).count === BigInt(count);
  return { place, count, arePaths };
}

/** What a contribution says: the step, what the input holds then, and its total once complete. */
export function pushEquations(
  program: Program,
  event: Happening,
  landed: boolean,
): { step: Equation; holds: Equation | null; complete: Equation | null } {
  const { walk } = program;
  const push = event.push!;
  const from = event.node;
  const { incoming, contribution, before, after, to } = push;
  // In a wrong order a node pushes what it has, which is not its derivative.
  const whole = Object.is(incoming, walk.expected[from]) || incoming === walk.expected[from];
  const step = [
    grad(to),
    sign(adds(push) ? "+=" : "="),
    whole ? total(from) : grad(from),
    sign("×"),
    local(from, push.operand),
    sign(statedAll(incoming, push.local)),
    n(incoming),
    sign("×"),
    n(push.local),
    sign(productSign(push)),
    n(contribution),
  ];
  const { place, count } = placeOf(program, push);
  if (!landed) return { step, holds: null, complete: null };
  const sums = place > 1 && adds(push);
  const addition = sums ? [n(before), sign("+"), n(contribution), sign(sumSign(push))] : [];
  const first = sign(sums ? statedAll(before, contribution) : statedAll(after));
  const right =
    place === count && (Object.is(after, walk.expected[to]) || after === walk.expected[to]);
  return {
    step,
    holds: right || place === 1 ? null : [grad(to), first, ...addition, n(after)],
    complete: right ? [total(to), first, ...addition, n(after)] : null,
  };
}

/** The local derivatives that a node keeps when it computes: one per arrow. */
export function localEquations(program: Program, node: number): Equation[] {
  const { graph } = program;
  const { operands, local_grads } = graph.nodes[node];
  return operands.flatMap((operand, i) =>
    isConst(graph.nodes[operand])
      ? []
      : [[local(node, i), sign(statedAll(local_grads[i])), n(local_grads[i])]],
  );
}

/** A picked arrow: its local derivative in names and in numbers. */
export function edgeEquation({ graph, names }: Program, { target, operand }: EdgeRef): Equation {
  const node = graph.nodes[target];
  const value = node.local_grads[operand];
  const text = formula(graph, node, operand, (id) => names[id]);
  const named = text.replaceAll("-", "−") !== num(value);
  const last = [sign(statedAll(value)), n(value)];
  if (!named) return [local(target, operand), ...last];
  return [
    local(target, operand),
    sign("="),
    { kind: "formula", text, node: target, operand },
    ...last,
  ];
}

/** A picked node: its derivative, path by path. */
export function totalEquation({ graph }: Program, node: number): Equation {
  if (node === graph.root) return [total(node), sign("="), n(1)];
  const found = paths(graph, node, 4);
  const terms = found.largest.flatMap((path, i): Term[] => [
    ...(i ? [sign("+")] : []),
    ...path.locals.flatMap((x, k) => (k ? [sign("×"), n(x)] : [n(x)])),
  ]);
  if (terms.length < 2) return [total(node), sign(statedAll(found.total)), n(found.total)];
  const all = found.largest.map(({ locals }) => locals);
  const written = all.map((locals) => locals.map((x) => num(x)));
  const rest: Term[] = found.complete ? [] : [sign("+"), { kind: "rest" }];
  const last = found.complete ? relation("+", written, num(found.total)) : statedAll(found.total);
  const first = statedAll(...all.flat());
  return [total(node), sign(first), ...terms, ...rest, sign(last), n(found.total)];
}
