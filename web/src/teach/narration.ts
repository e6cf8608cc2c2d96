/** The current event in words: what happens, and why. The same words go to screen readers. */

import type { Program } from "../app/derive.ts";
import type { Happening } from "../app/timeline.ts";
import { BY_SYMBOL, NARY_REASONS, type Relation } from "../core/index.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { adds, is, operation, operationText, product, productSign, sum } from "./arithmetic.ts";

export interface Words {
  what: string;
  why: string;
}

/** `waits` where play is locked until a question is answered: nobody is told to press it. */
export function narrate(program: Program, event: Happening | null, waits = false): Words {
  const say = t.narration;
  if (!event) return { what: waits ? t.learn.waits : say.idle, why: say.idleWhy };
  const { graph, names, walk } = program;
  const node = graph.nodes[event.node];
  const name = names[event.node];
  switch (event.kind) {
    case "compute": {
      return {
        what: say.compute(name, operationText(graph, node)),
        why: strange(node.data) || say.computeWhy(node.operands.length),
      };
    }
    case "seed":
      return { what: say.seed(program.output), why: say.seedWhy(program.output) };
    case "push": {
      const push = event.push!;
      const to = names[push.to];
      const what = say.push(name, to, product(push));
      if (!Number.isFinite(push.after)) return { what, why: strange(push.after) };
      if (push.before === 0) return { what, why: say.rule(ruleOf(node.op)) };
      return {
        what,
        why: adds(push) ? say.sum(to, sum(push)) : say.set(to, num(push.before), is(push.after)),
      };
    }
    case "skip":
      return { what: say.skip(name), why: say.skipWhy };
    case "leaf":
      return { what: say.leaf(name, num(walk.grads[event.node])), why: say.leafWhy };
    case "lost": {
      const lost = event.lost!;
      return {
        what: say.lost(name, names[lost.to], num(lost.contribution)),
        why: say.lostWhy(names[lost.to], name),
      };
    }
    case "sort":
      return sortWords(program, event);
  }
}

/** The rule of an operation in words. */
function ruleOf(op: string): string {
  const said = t.rules[op] ?? BY_SYMBOL.get(op)?.reason ?? NARY_REASONS.get(op);
  return said ?? (op ? t.ownRule(op) : t.ownRuleHere);
}

/** A turn of the sort: who is looked at, which input, and what becomes of it. */
export function turnOf(
  { graph, walk, names }: Program,
  { row }: Happening,
): { note: "push" | "visited" | "done" | "leaf"; name: string; index: number; input: string } {
  const { note, pop } = walk.sort[row];
  const [node, index] = pop;
  const input = names[graph.nodes[node].operands[index]] ?? "";
  return { note: note || "push", name: names[node], index, input };
}

function sortWords(program: Program, event: Happening): Words {
  const { note, name, index, input } = turnOf(program, event);
  const say = t.narration;
  return { what: say.sortPop(name, index), why: say.sort[note](name, input) };
}

/** The same for ears: a sentence without arrows and signs. */
export function spoken(program: Program, event: Happening | null, waits = false): string {
  const say = t.said;
  if (!event) return waits ? t.learn.waits : say.idle;
  const { graph, names, walk } = program;
  const node = graph.nodes[event.node];
  const name = names[event.node];
  switch (event.kind) {
    case "compute": {
      const numbers = node.operands.map((id) => num(graph.nodes[id].data));
      const { sign, right } = operation(graph, node);
      const what = say.compute(name, say.operation(node.op, numbers), about(sign, right));
      return `${what} ${strange(node.data)}`.trim();
    }
    case "seed":
      return say.seed(name);
    case "push": {
      const { incoming, local, contribution, before, after, to } = event.push!;
      const passed = about(productSign(event.push!), num(contribution));
      const step = say.push(name, names[to], num(incoming), num(local), passed);
      const grows = adds(event.push!) ? say.sum : say.set;
      const then =
        before === 0 ? say.first(names[to], num(after)) : grows(names[to], num(before), num(after));
      return `${step} ${then} ${strange(after)}`.trim();
    }
    case "skip":
      return `${say.skip(name)} ${t.narration.skipWhy}`;
    case "leaf":
      return say.leaf(name, num(walk.grads[event.node]));
    case "lost": {
      const { to, contribution } = event.lost!;
      return say.lost(name, names[to], num(contribution));
    }
    case "sort": {
      const { note, name, input } = turnOf(program, event);
      return say.sort[note](name, input);
    }
  }
}

/** A number that is exact, or about right. */
function about(sign: Relation, text: string): string {
  return sign === "=" ? text : t.said.about(text);
}

/** What nan and inf mean, where a number is one. */
export function strange(x: number): string {
  if (Number.isNaN(x)) return t.strange.nan;
  return Number.isFinite(x) ? "" : t.strange.inf;
}

/** One line for tables: who, the arithmetic, and its result. */
export function row(
  program: Program,
  event: Happening,
): { what: string; how: string; result: string } {
  const { graph, names, walk } = program;
  const name = names[event.node];
  switch (event.kind) {
    case "compute": {
      const { left, sign, right } = operation(graph, graph.nodes[event.node]);
      return { what: name, how: left, result: `${sign} ${right}` };
    }
    case "seed":
      return { what: t.narration.gradOf(name), how: "", result: "= 1" };
    case "push": {
      const push = event.push!;
      return {
        what: `${name} → ${names[push.to]}`,
        how: `${num(push.incoming)} × ${num(push.local)}`,
        result: `${productSign(push)} ${num(push.contribution)}`,
      };
    }
    case "lost":
      return {
        what: `${name} → ${names[event.lost!.to]}`,
        how: t.pillLost(num(event.lost!.contribution)),
        result: "",
      };
    case "skip":
      return { what: name, how: t.trace.skippedZero, result: "" };
    case "leaf":
      return { what: name, how: t.trace.skipped, result: is(walk.grads[event.node]) };
    case "sort": {
      const words = sortWords(program, event);
      return { what: words.what, how: words.why, result: "" };
    }
  }
}

export function reasonOf(program: Program, node: number): string {
  return ruleOf(program.graph.nodes[node].op);
}
