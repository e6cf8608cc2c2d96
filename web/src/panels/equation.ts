/** The chain rule of the moment, typeset: MathML made here, no library. */

import { html, mathml, nothing, type TemplateResult } from "lit";
import { isConst, type Node, type Push, paths } from "../core/index.ts";
import { exact, num, signOf, wrapped } from "../format.ts";
import type { Program } from "../program.ts";
import { shownEquation } from "../scene/card.ts";
import type { EdgeRef } from "../state.ts";
import { en } from "../strings/en.ts";
import type { Frame } from "../timeline.ts";
import { reasonOf } from "./narration.ts";

type Maths = ReturnType<typeof mathml>;

/** What was picked, if anything is; else what happens now. */
export function equationPanel(
  program: Program,
  frame: Frame,
  node: number | null,
  edge: EdgeRef | null,
): TemplateResult {
  if (edge) return edgePanel(program, edge);
  if (node !== null) return nodePanel(program, node);
  const { event } = frame;
  if (event?.kind === "push") return pushPanel(program, event.node, event.push!);
  if (event?.kind === "compute") {
    const found = program.graph.nodes[event.node];
    return html`<p class="formula">${shownEquation(program, found, Number.POSITIVE_INFINITY)}</p>
      <p class="why">${en.equation.keeps}</p>
      <math display="block"><mrow>${found.operands.map((operand, i) =>
        isConst(program.graph.nodes[operand])
          ? nothing
          : mathml`${fraction(mathName(program, found.id), mathName(program, operand))}<mo>=</mo>${number(found.local_grads[i])}<mspace width="1.2em"></mspace>`,
      )}</mrow></math>`;
  }
  return html`<p class="why">${event?.kind === "sort" ? en.equation.sorting : en.equation.idle}</p>`;
}

function pushPanel(program: Program, from: number, push: Push): TemplateResult {
  const { output } = program;
  const here = mathName(program, from);
  const to = mathName(program, push.to);
  const sum = push.before !== 0 && push.after === push.before + push.contribution;
  return html`
    <math display="block">
      <mrow>
        ${fraction(output, to)}<mo>${sum ? "+=" : "="}</mo>
        ${fraction(output, here)}<mo>·</mo>${fraction(here, to)}
      </mrow>
    </math>
    <math display="block"><mrow><mo>=</mo>${number(push.incoming)}<mo>×</mo>${number(push.local)}<mo>=</mo>${number(push.contribution)}</mrow></math>
    ${
      sum
        ? html`<math display="block"><mrow>${fraction(output, to)}<mo>=</mo>${number(push.before)}<mo>+</mo>${number(push.contribution)}<mo>=</mo>${number(push.after)}</mrow></math>`
        : nothing
    }
    <p class="why">${reasonOf(program, from)}</p>`;
}

function edgePanel(program: Program, edge: EdgeRef): TemplateResult {
  const { graph, names, walk } = program;
  const target = graph.nodes[edge.target];
  const source = target.operands[edge.operand];
  const local = target.local_grads[edge.operand];
  const title = html`<p class="picked">${en.inspect.edge(names[source], names[target.id])}</p>`;
  if (isConst(graph.nodes[source])) return html`${title}<p class="why">${en.inspect.noPath}</p>`;
  const push = walk.backward
    .flatMap((step) => (step.node === target.id ? step.pushes : []))
    .find((one) => one.operand === edge.operand);
  const formula = push ? push.formula : "";
  return html`
    ${title}
    <math display="block">
      <mrow>
        ${fraction(mathName(program, target.id), mathName(program, source))}<mo>=</mo>
        ${formula && formula !== String(local) ? mathml`<mtext class="code">${formula.replaceAll("-", "−").replaceAll("*", "∗")}</mtext><mo>=</mo>` : nothing}
        ${number(local)}
      </mrow>
    </math>
    <p class="why">${en.inspect.wiggle(names[source], names[target.id], num(local))}</p>`;
}

function nodePanel(program: Program, id: number): TemplateResult {
  const { graph, names, output } = program;
  const node = graph.nodes[id];
  if (isConst(node))
    return html`<p class="picked">${en.inspect.node(names[id])}</p>${scopeLine(node)}<p class="why">${en.inspect.noPath}</p>`;
  const found = paths(graph, id, 4);
  const terms = found.largest;
  return html`
    <p class="picked">${en.inspect.node(names[id])}<span class="exact">${exact(node.data)}</span></p>
    ${scopeLine(node)}
    ${
      id === graph.root
        ? html`<math display="block"><mrow>${fraction(output, output)}<mo>=</mo>${number(1)}</mrow></math>`
        : html`<math display="block">
            <mrow>
              ${fraction(output, mathName(program, id))}<mo>=</mo>
              ${
                terms.length > 1 || terms[0].locals.length > 1
                  ? mathml`${terms.map((path, i) => mathml`${i ? mathml`<mo>+</mo>` : nothing}${path.locals.map((local, k) => mathml`${k ? mathml`<mo>×</mo>` : nothing}${number(local, true)}`)}`)}
                    ${found.complete ? nothing : mathml`<mo>+</mo><mo>…</mo>`}<mo>=</mo>`
                  : nothing
              }
              ${number(found.total)}
            </mrow>
          </math>
          <p class="why">${en.inspect.paths(String(found.count), names[id], output)}</p>`
    }`;
}

/** The box that made a node, where one was named. */
function scopeLine(node: Node): TemplateResult | typeof nothing {
  return node.scope ? html`<p class="why scope">${en.inspect.scope(node.scope)}</p>` : nothing;
}

export function fraction(above: string, below: string): Maths {
  return mathml`<mfrac><mrow><mo rspace="0">∂</mo><mi>${above}</mi></mrow><mrow><mo rspace="0">∂</mo><mi>${below}</mi></mrow></mfrac>`;
}

function number(x: number, wrap = false): Maths {
  return mathml`<mn class=${signOf(x)}>${wrap ? wrapped(x) : num(x)}</mn>`;
}

function mathName(program: Program, id: number): string {
  return id === program.graph.root ? program.output : program.names[id];
}
