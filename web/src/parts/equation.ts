/** The chain rule of the moment, typeset: MathML made here, no library. What it says is `teach/chain`. */

import { html, mathml, nothing, type TemplateResult } from "lit";
import type { Program } from "../app/derive.ts";
import type { Lab } from "../app/lab.ts";
import { limitOf } from "../app/player.ts";
import type { EdgeRef } from "../app/state.ts";
import type { Frame } from "../app/timeline.ts";
import { isConst, type Node, paths } from "../core/index.ts";
import { exact, num, signOf, wrapped } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import {
  type Equation,
  edgeEquation,
  localEquations,
  placeOf,
  pushEquations,
  type Term,
  totalEquation,
} from "../teach/chain.ts";
import { strange } from "../teach/narration.ts";

type Maths = ReturnType<typeof mathml>;

/**
 * The chain rule of what was picked, if anything is, else of what happens now. While something is
 * asked, nothing of it that would tell the answer.
 */
export function rulePanel({ program, frame, state, veil }: Lab): TemplateResult {
  const { event } = frame;
  const { line } = program;
  const hides = line.events[veil] !== undefined || state.hold !== null;
  // The local derivatives that a node keeps are half of the answer.
  const tells = state.node !== null || state.edge !== null || event?.kind === "compute";
  if (hides && tells) return html`<p class="why">${t.predictBox.hidden}</p>`;
  if (state.edge) return edgePanel(program, state.edge);
  if (state.node !== null) return nodePanel(program, state.node);
  if (event?.kind === "push") return pushPanel(program, frame);
  if (event?.kind === "compute") {
    const found = program.graph.nodes[event.node];
    return html`<p class="why">${t.equation.keeps}</p>
      <div class="locals">${localEquations(program, found.id).map((equation) => typeset(program, equation))}</div>`;
  }
  if (event?.kind === "sort") return html`<p class="why">${t.equation.sorting}</p>`;
  // Where no step leads to a product, nobody is told to take one.
  const last = limitOf(state, line);
  const comes = line.events.some(
    ({ kind, end }, i) => kind === "push" && i > frame.index && end <= last,
  );
  return html`<p class="why">${t.equation.idle} ${comes ? t.equation.stepOn : ""}</p>`;
}

function pushPanel(program: Program, frame: Frame): TemplateResult {
  const event = frame.event!;
  const push = event.push!;
  const { step, holds, complete } = pushEquations(program, event, frame.landed);
  const { place, count, arePaths } = placeOf(program, push);
  const words = t.equation;
  return html`
    ${typeset(program, step)}
    <p class="part">${(arePaths ? words.path : words.contribution)(place, count)}${complete ? `: ${words.complete}` : ""}</p>
    ${holds ? typeset(program, holds) : nothing}
    ${complete ? typeset(program, complete) : nothing}`;
}

function edgePanel(program: Program, edge: EdgeRef): TemplateResult {
  const { graph, names } = program;
  const source = graph.nodes[edge.target].operands[edge.operand];
  const title = html`<p class="picked">${t.inspect.edge(names[source], names[edge.target])}</p>`;
  if (isConst(graph.nodes[source])) return html`${title}<p class="why">${t.inspect.noPath}</p>`;
  const local = graph.nodes[edge.target].local_grads[edge.operand];
  return html`
    ${title}
    ${typeset(program, edgeEquation(program, edge))}
    <p class="why">${t.inspect.wiggle(names[source], names[edge.target], num(local))}</p>`;
}

function nodePanel(program: Program, id: number): TemplateResult {
  const { graph, names, output } = program;
  const node = graph.nodes[id];
  if (isConst(node))
    return html`<p class="picked">${t.inspect.node(names[id])}</p>${scopeLine(node)}<p class="why">${t.inspect.noPath}</p>`;
  return html`
    <p class="picked">${t.inspect.node(names[id])}<span class="exact">${exact(node.data)}</span></p>
    ${scopeLine(node)}
    ${typeset(program, totalEquation(program, id))}
    ${oddLine(node.data, program.walk.grads[id])}
    ${id === graph.root ? nothing : html`<p class="why">${t.inspect.paths(paths(graph, id, 1).count, names[id], output)}</p>`}`;
}

/** What nan and inf mean, where a value or a gradient is one. */
function oddLine(...numbers: readonly number[]): TemplateResult | typeof nothing {
  const words = [...new Set(numbers.map(strange))].filter(Boolean);
  return words.length ? html`<p class="why odd">${words.join(" ")}</p>` : nothing;
}

/** The box that made a node, where one was named. */
function scopeLine(node: Node): TemplateResult | typeof nothing {
  return node.scope ? html`<p class="why scope">${t.inspect.scope(node.scope)}</p>` : nothing;
}

// ── Typesetting ────────────────────────────────────────────────────────────────────────────────

/** In pieces, each with its sign in front: browsers break no line inside one `<math>`. */
function typeset(program: Program, equation: Equation): TemplateResult {
  const pieces: Maths[][] = [[]];
  equation.forEach((term, i) => {
    const breaks = term.kind === "sign" && term.sign !== "×";
    if (breaks && pieces.at(-1)!.length) pieces.push([]);
    pieces.at(-1)!.push(typesetTerm(program, term, i > 0 ? equation[i - 1] : null));
  });
  return html`<div class="equation">${pieces.map((piece) => html`<math display="inline" displaystyle="true"><mrow>${piece}</mrow></math>`)}</div>`;
}

function typesetTerm(program: Program, term: Term, before: Term | null): Maths {
  const { names, output } = program;
  switch (term.kind) {
    case "number": {
      // Behind a sign a negative number is wrapped, so that signs never meet.
      const wraps = before?.kind === "sign" && !["=", "≈", "+="].includes(before.sign);
      return mathml`<mn class=${signOf(term.x)}>${wraps ? wrapped(term.x) : num(term.x)}</mn>`;
    }
    case "total":
      return totalFraction(output, names[term.node]);
    case "local":
      return localSymbol(program, term.node, term.operand);
    case "grad":
      return mathml`<mi class="grad">${t.narration.gradOf(names[term.node])}</mi>`;
    case "formula":
      return mathml`<mtext class="code">${term.text.replaceAll("-", "−").replaceAll("*", "∗")}</mtext>`;
    case "rest":
      return mathml`<mo>…</mo>`;
    case "sign":
      return mathml`<mo form="infix">${term.sign}</mo>`;
  }
}

function fraction(above: string, below: string): Maths {
  return mathml`<mfrac><mrow><mo rspace="0">∂</mo><mi>${above}</mi></mrow><mrow><mo rspace="0">∂</mo><mi>${below}</mi></mrow></mfrac>`;
}

/** The whole derivative of the output: filled. */
export function totalFraction(output: string, by: string): Maths {
  return mathml`<mrow class="total">${fraction(output, by)}</mrow>`;
}

/**
 * A derivative along one arrow: outlined, with a symbol of its own, because ∂f/∂a is the total. It says
 * that it is local, and which arrow it means.
 */
function localSymbol({ graph, names }: Program, node: number, operand: number): Maths {
  const { operands } = graph.nodes[node];
  const alike = operands.filter((id) => id === operands[operand]).length;
  const place = operands.slice(0, operand + 1).filter((id) => id === operands[operand]).length;
  return mathml`<munder class="local"><msub><mi>ℓ</mi><mrow><mi>${names[node]}</mi><mo>→</mo><mi>${names[operands[operand]]}</mi></mrow></msub><mtext>${alike > 1 ? t.equation.arrow(place) : t.equation.local}</mtext></munder>`;
}
