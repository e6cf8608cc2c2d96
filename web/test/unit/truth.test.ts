/**
 * Every equation that the page can show, evaluated: none is false at the moment it stands there.
 *
 * The oracle of a derivative is a difference quotient of the graph computed again, in doubles, with
 * one node moved; nothing of the walk takes part in it.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Program, programOf } from "../../src/app/derive.ts";
import { PRESETS } from "../../src/app/presets.ts";
import { randomFrom } from "../../src/app/random.ts";
import { frameAt } from "../../src/app/timeline.ts";
import {
  BY_SYMBOL,
  type Graph,
  isConst,
  parse,
  paths,
  type Relation,
  snapshot,
} from "../../src/core/index.ts";
import { cardLabel } from "../../src/scene/card.ts";
import { num } from "../../src/strings/format.ts";
import {
  operationText,
  operationUnder,
  pathProduct,
  pathSum,
  product,
  productLines,
  sum,
} from "../../src/teach/arithmetic.ts";
import {
  type Equation,
  edgeEquation,
  localEquations,
  placeOf,
  pushEquations,
  type Term,
  totalEquation,
} from "../../src/teach/chain.ts";
import { type Level, sample } from "../../src/teach/generate.ts";
import { narrate, row, spoken } from "../../src/teach/narration.ts";
import { mistakesIn, statementsIn } from "../strict.mjs";

interface Case {
  title: string;
  graph: Graph;
}

function casesOf(): Case[] {
  const rows = PRESETS.map(({ text, values }) => ({ text, values }));
  for (const level of ["easy", "medium", "hard"] as Level[])
    for (let seed = 1; seed <= 12; seed++) rows.push(sample(randomFrom(seed), level));
  const odd = { x: 0.37, y: -1.234567, z: 2.5 };
  for (const text of [
    "a = x*y; b = a*x; a*b + a - x/z",
    "tanh(x) ** 2 + exp(y) / (1 + z*z)",
    "log(z) * log(z) - sin(x*y)",
    "s = x + y; t1 = s*s; t1*t1 + s",
    "1e6*x + 1e-6*y",
    "relu(y) * x + z",
  ])
    rows.push({ text, values: odd });
  return rows.flatMap(({ text, values }) => {
    const expression = parse(text);
    const used = Object.fromEntries(expression.names.map((name) => [name, values[name]]));
    return [true, false].map((fold) => ({
      title: `${text}${fold ? "" : ", unfolded"}`,
      graph: snapshot(expression.evaluate(used), { fold }),
    }));
  });
}

const CASES = casesOf();

/** The output when `moved` is `by` more than it was; along one arrow alone if one is given. */
function outputWith(graph: Graph, moved: number, by: number): number {
  const data: number[] = [];
  for (const node of graph.nodes) {
    const value = node.operands.length
      ? BY_SYMBOL.get(node.op)!.value(...node.operands.map((id) => data[id]))
      : node.data;
    data.push(node.id === moved ? value + by : value);
  }
  return data[graph.root];
}

function slope(f: (h: number) => number): number {
  const h = 1e-4;
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

const totalOf = (graph: Graph, node: number): number =>
  node === graph.root ? 1 : slope((h) => outputWith(graph, node, h));

function localOf(graph: Graph, node: number, operand: number): number {
  const { op, operands } = graph.nodes[node];
  const numbers = operands.map((id) => graph.nodes[id].data);
  return slope((h) =>
    BY_SYMBOL.get(op)!.value(...numbers.map((x, i) => (i === operand ? x + h : x))),
  );
}

/** Whether a written number can stand for `x`: its digits, or a kink's side, where slopes differ. */
function near(written: number, x: number, why: string): void {
  const tolerance = 2e-3 * Math.max(1, Math.abs(x));
  assert.ok(Math.abs(written - x) <= tolerance, `${why}: ${written} is written, ${x} is true`);
}

/** Check an equation; `grads` is what each .grad holds, before and after the event. */
function check(
  program: Program,
  equation: Equation,
  grads: { before: readonly (number | null)[]; after: readonly (number | null)[] },
  why: string,
): void {
  const { graph } = program;
  const sides: Term[][] = [[]];
  const relations: (Relation | "+=")[] = [];
  for (const term of equation) {
    if (term.kind === "sign" && ["=", "≈", "+="].includes(term.sign)) {
      relations.push(term.sign as Relation | "+=");
      sides.push([]);
    } else sides.at(-1)!.push(term);
  }
  const worth = (side: readonly Term[]): number | null => {
    let found = 0;
    let factor = 1;
    for (const term of side) {
      if (term.kind === "rest") return null;
      if (term.kind === "sign") {
        if (term.sign !== "+") continue;
        found += factor;
        factor = 1;
      } else if (term.kind === "number") factor *= term.x;
      else if (term.kind === "total") factor *= totalOf(graph, term.node);
      else if (term.kind === "grad") factor *= grads.after[term.node] ?? 0;
      else factor *= localOf(graph, term.node, term.operand);
    }
    return found + factor;
  };
  if (relations[0] === "+=") {
    const [left] = sides.shift()!;
    relations.shift();
    assert.equal(left.kind, "grad");
    const { node } = left as { node: number };
    const added = (grads.after[node] ?? 0) - (grads.before[node] ?? 0);
    near(worth(sides[0])!, added, `${why}, what is added`);
  }
  const values = sides.map(worth);
  for (let i = 1; i < values.length; i++) {
    const [left, right] = [values[i - 1], values[i]];
    if (left === null || right === null) continue;
    near(left, right, why);
    const [from, to] = [sides[i - 1], sides[i]];
    const isWritten = (side: readonly Term[]): boolean =>
      side.every(({ kind }) => kind === "number" || kind === "sign");
    if (isWritten(from) && from.length) {
      // Two sides of numbers alone: computed again from what is written, with exact decimals.
      const text = [...from, signTerm(relations[i - 1]), ...to]
        .map((term) => (term.kind === "number" ? `(${num(term.x)})` : textOf(term)))
        .join(" ");
      if (from.length > 1) assert.deepEqual(mistakesIn(text), [], why);
      else
        assert.equal(num((from[0] as { x: number }).x) === num((to[0] as { x: number }).x), true);
    } else if (relations[i - 1] === "=" && isWritten(to))
      for (const term of to)
        if (term.kind === "number")
          assert.equal(
            Number(term.x.toPrecision(15)),
            Number(num(term.x).replaceAll("−", "-")),
            why,
          );
  }
}

const signTerm = (sign: Relation | "+="): Term => ({ kind: "sign", sign });
const textOf = (term: Term): string => (term.kind === "sign" ? term.sign : "…");

const spokenIn = (equation: Equation): string => JSON.stringify(equation);

test("the chain rule is true at every event of every walk", () => {
  let checked = 0;
  for (const { title, graph } of CASES) {
    const program = programOf(graph);
    const { line } = program;
    line.events.forEach((event, i) => {
      const grads = (time: number): (number | null)[] => {
        const frame = frameAt(line, time);
        return graph.nodes.map(({ id }) => frame.node(id).grad);
      };
      const moment = { before: grads(event.start), after: grads(event.end) };
      const why = `${title}, event ${i}`;
      if (event.kind === "compute")
        for (const equation of localEquations(program, event.node))
          check(program, equation, moment, why);
      if (event.kind !== "push") return;
      const early = pushEquations(program, event, false);
      assert.deepEqual([early.holds, early.complete], [null, null]);
      const { step, holds, complete } = pushEquations(program, event, true);
      for (const equation of [step, holds, complete])
        if (equation) check(program, equation, moment, `${why}: ${spokenIn(equation)}`);
      const { place, count } = placeOf(program, event.push!);
      // A total has its number only when it is complete, and then it has it.
      const written = [step, holds].some((equation) => equation?.[0].kind === "total");
      assert.ok(!written, why);
      assert.equal(complete !== null, place === count, why);
      checked += 1;
    });
  }
  assert.ok(checked > 300, `${checked} contributions`);
});

test("the chain rule is true of every node and every arrow that can be picked", () => {
  for (const { title, graph } of CASES) {
    const program = programOf(graph);
    const grads = { before: program.walk.grads, after: program.walk.grads };
    for (const node of graph.nodes) {
      if (isConst(node)) continue;
      check(program, totalEquation(program, node.id), grads, `${title}, node ${node.id}`);
      node.operands.forEach((to, operand) => {
        if (isConst(graph.nodes[to])) return;
        const equation = edgeEquation(program, { target: node.id, operand });
        check(program, equation, grads, `${title}, arrow ${node.id}.${operand}`);
      });
    }
  }
});

test("the diamond's first contribution is a step, and 15 stands only behind the second", () => {
  const { text, values } = PRESETS.find(({ id }) => id === "x6")!;
  const program = programOf(snapshot(parse(text).evaluate(values)));
  const toA = program.line.events.filter(({ push }) => push && program.names[push.to] === "a");
  const said = toA.map((event) => {
    const { complete } = pushEquations(program, event, true);
    return complete
      ?.filter(({ kind }) => kind === "number")
      .map((term) => (term as { x: number }).x);
  });
  assert.deepEqual(said, [undefined, [9, 6, 15]]);
  assert.deepEqual(
    toA.map(({ push }) => placeOf(program, push!)),
    [
      { place: 1, count: 2, arePaths: true },
      { place: 2, count: 2, arePaths: true },
    ],
  );
});

// ── Lines of text ──────────────────────────────────────────────────────────────────────────────

let lines = 0;

/** `=` is exact in the digits that are written, and ≈ is not. */
function checkText(text: string, why: string): void {
  lines += statementsIn(text).length;
  assert.deepEqual(mistakesIn(text), [], why);
}

test("the oracle finds statements, and what is false in them", () => {
  const wrong = [
    "(−4.5) ** 2 = 20",
    "7.2×3=22",
    "3.1 + 12 = 15",
    "1.25 ∗ 3.75 = 4.688",
    "t1 → a   −0.1 × −1 = 0.105",
    "tanh(20) = 1",
    "2 × 3 ≈ 6",
    "2 × 3 ≈ 7",
    "a.grad += 3 × 4 = 12.5",
  ];
  for (const text of wrong) assert.equal(mistakesIn(text).length, 1, text);
  const right = [
    "(−4.5) ** 2 = 20.25",
    "7.2 × 3= 21.6",
    "1.25 ∗ 3.75 ≈ 4.688",
    "tanh(0) = 0",
    "−(3) = −3",
    "1 ÷ 3 ≈ 0.3333",
    "3 × 3 + 2 × (−3) = 3",
    "sqrt(2.25) = 1.5",
    "relu(−6) = 0",
    "1e−200 × 1e−200 ≈ 0",
  ];
  for (const text of right) {
    assert.deepEqual(mistakesIn(text), [], text);
    assert.equal(statementsIn(text).length, 1, text);
  }
});

test("every line of arithmetic is exact in the digits that it shows, or says ≈", () => {
  for (const { title, graph } of CASES) {
    const program = programOf(graph, { sort: true, leaves: true });
    for (const event of program.line.events) {
      const { what, why } = narrate(program, event);
      const { how, result } = row(program, event);
      const told = [what, why, `${how} ${result}`];
      if (event.push) told.push(product(event.push), sum(event.push));
      for (const line of told) checkText(line, title);
      const heard = spoken(program, event)
        .replace(/, which is about /, " ≈ ")
        .replace(/, which is /, " = ");
      checkText(heard.replaceAll(" times ", " × ").replaceAll(" plus ", " + "), title);
    }
    const frame = frameAt(program.line, program.line.total);
    for (const node of graph.nodes) {
      checkText(cardLabel(program, node.id, frame.node(node.id), false), title);
      if (node.operands.length) checkText(operationText(graph, node), title);
    }
    for (const leaf of graph.leaves) {
      const found = paths(graph, leaf.id, 3);
      for (const path of found.largest) checkText(pathProduct(path), title);
      if (found.complete) checkText(pathSum(found), title);
      else assert.match(pathSum(found), / \+ … [=≈] /);
    }
  }
  assert.ok(lines > 1000, `${lines} lines`);
});

test("a number has the same digits at every width, and a pill never loses a factor", () => {
  for (const { title, graph } of CASES) {
    const program = programOf(graph);
    for (const { push } of program.line.events) {
      if (!push) continue;
      const whole = product(push).replaceAll(" ", "");
      for (let room = 1; room < 40; room++) {
        const found = productLines(push, room);
        assert.ok(found.every((line) => line.length <= room));
        if (found.length) assert.equal(found.join("").replaceAll(" ", ""), whole, title);
      }
      assert.ok(productLines(push, 12).length, `${whole} has no room in three lines`);
    }
    for (const node of graph.nodes) {
      if (!node.operands.length) continue;
      for (let room = 1; room < 60; room++) {
        const text = operationUnder(graph, node, room);
        const [left, , sign, right] = /^(.*?)( ?)([=≈]) (.*)$/u.exec(text) ?? [];
        if (text) checkText(left ? text : `${right} ${sign} ${num(node.data)}`, title);
      }
    }
  }
});
