/** Every node with all the digits it has: the table that answers "what exactly?". */

import { html, nothing, type TemplateResult } from "lit";
import { isConst } from "../core/index.ts";
import { exact, GLYPHS, num, signOf } from "../format.ts";
import type { Program } from "../program.ts";
import { en } from "../strings/en.ts";
import type { Frame } from "../timeline.ts";

/** Of many nodes, those nearest to the root: every row is written anew at every move of a slider. */
const MANY = 60;
const MOST = 20;

export function numberTable(
  program: Program,
  frame: Frame,
  node: number | null,
  final: boolean,
  pick: (id: number) => void,
): TemplateResult {
  const { graph, names, walk } = program;
  const words = en.numbers;
  const all = graph.nodes.filter((one) => !isConst(one)).toReversed();
  const picked = node !== null && !isConst(graph.nodes[node]) ? [graph.nodes[node]] : [];
  // The one that was picked is among them, wherever it stands.
  const shown = all.length <= MANY ? all : [...new Set([...picked, ...all.slice(0, MOST)])];
  return html`<table class="numbers">
    <caption class="hidden">${words.caption}</caption>
    <thead><tr><th scope="col">${words.node}</th><th scope="col" class="end">${words.value}</th><th scope="col" class="end">${words.grad}</th></tr></thead>
    <tbody>
      ${shown.map((one) => {
        const now = frame.nodes[one.id];
        const grad = final ? walk.grads[one.id] : now.grad;
        const sign = signOf(grad);
        return html`<tr class=${`${one.id === node ? "now" : ""} ${frame.phase}`} @click=${() => pick(one.id)}>
          <td><button class="bare" aria-label=${words.select(names[one.id])} aria-pressed=${one.id === node}>${names[one.id]}</button></td>
          <td class="end" title=${now.filled ? exact(one.data) : ""}>${now.filled ? (one.id === node ? exact(one.data) : num(one.data)) : "·"}</td>
          <td class="end ${sign}" title=${grad === null ? "" : exact(grad)}>${grad === null ? "·" : one.id === node ? exact(grad) : num(grad)} ${GLYPHS[sign]}</td>
        </tr>`;
      })}
      ${shown.length < all.length ? html`<tr><td colspan="3">${en.events.more(all.length - shown.length)}</td></tr>` : nothing}
    </tbody>
  </table>`;
}
