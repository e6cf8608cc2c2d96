/** The first minute: what this is, how to read the picture, and what a gradient is good for. */

import { html, nothing, svg, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import { keep } from "../app/settings.ts";
import { num, UNKNOWN } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { canPull, pulled } from "./holding.ts";
import { icon } from "./icons.ts";

/** One sentence, until someone closes it. */
export function greeting({ state, dispatch }: Lab): TemplateResult | typeof nothing {
  if (state.greeted) return nothing;
  const close = (): void => {
    keep("greeted", "yes");
    dispatch({ type: "set", change: { greeted: true } });
  };
  return html`<aside class="greeting" aria-label=${t.welcome.label}><p>${t.welcome.text}</p>
    <button class="quiet" aria-label=${t.welcome.close} title=${t.welcome.close} @click=${close}>${icon("close")}</button></aside>`;
}

/** How to read the picture, in the picture. */
export function legend(pulls: boolean): TemplateResult {
  const words = t.legend;
  const wire = (way: string): TemplateResult =>
    html`<svg class="wire ${way}" width="32" height="10" aria-hidden="true">${svg`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;
  return html`<ul class="reading" aria-label=${t.helpRead}>
    <li>${wire("forward")} ${words.forward}</li>
    <li>${wire("backward")} ${words.backward}</li>
    <li class="pos">${words.pos}</li>
    <li class="neg">${words.neg}</li>
    <li class="zero">${words.zero}</li>
    <li><code>${UNKNOWN}</code> ${t.notYet}</li>
    <li><code>t1</code> ${words.unnamed}</li>
    ${pulls ? html`<li class="pulls"><span aria-hidden="true">↕</span> ${words.pull}</li>` : nothing}
  </ul>`;
}

/** At the end of a walk: what a gradient says, to be tried by a pull. Null before the end. */
export function endCard(lab: Lab): TemplateResult | null {
  const { state, program, frame } = lab;
  if (state.page !== "sandbox" || state.playing || !canPull(lab)) return null;
  if (frame.time < program.line.total - 1 || state.text !== state.good) return null;
  const { graph, walk, names, output } = program;
  // A value that is nan or infinite moves by nothing that one could try.
  if (!Number.isFinite(graph.nodes[graph.root].data)) return null;
  // The chain rule beside it speaks of the last event's leaf, and so does the card where it can.
  const last = program.line.events.findLast(({ push }) => push)?.push?.to;
  const size = (id: number): number => (id === last ? Infinity : Math.abs(walk.grads[id]));
  const leaf = graph.leaves
    .filter(
      ({ id, data, label }) =>
        Number.isFinite(walk.grads[id]) &&
        walk.grads[id] !== 0 &&
        Number.isFinite(data) &&
        state.values.has(label),
    )
    .sort((x, y) => size(y.id) - size(x.id))[0];
  if (!leaf) return null;
  const grad = walk.grads[leaf.id];
  const words = t.welcome;
  return html`<p class="why">${words.pull(names[leaf.id], output, num(grad))}
    <button class="primary" @click=${() => pulled(lab, { node: leaf.id, more: 1 })}>${words.tryIt}</button></p>`;
}
