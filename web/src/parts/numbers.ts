/** Every node with all the digits it has: the table that answers "what exactly?". */

import { html, type TemplateResult } from "lit";
import type { Program } from "../app/derive.ts";
import type { Frame } from "../app/timeline.ts";
import { isConst } from "../core/index.ts";
import { exact, GLYPHS, num, signOf, UNKNOWN } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { rows } from "./rows.ts";

export function numberTable(
  program: Program,
  frame: Frame,
  node: number | null,
  final: boolean,
  pick: (id: number) => void,
): TemplateResult {
  const { graph, names, walk } = program;
  const words = t.numbers;
  const all = graph.nodes.filter((one) => !isConst(one)).toReversed();
  const line = (index: number): TemplateResult => {
    const one = all[index];
    const picked = one.id === node;
    const now = frame.node(one.id);
    const grad = final ? walk.grads[one.id] : now.grad;
    const sign = signOf(grad);
    const written = picked ? exact : num;
    return html`<tr class=${`${picked ? "now" : ""} ${frame.phase}`} aria-rowindex=${index + 2} @click=${() => pick(one.id)}>
      <td title=${names[one.id]}><button class="bare" aria-label=${words.select(names[one.id])} aria-pressed=${picked}>${names[one.id]}</button></td>
      <td class="end" title=${now.filled ? exact(one.data) : ""}>${now.filled ? written(one.data) : UNKNOWN}</td>
      <td class="end ${sign}" title=${grad === null ? "" : exact(grad)}>${grad === null ? UNKNOWN : written(grad)} ${GLYPHS[sign]}</td>
    </tr>`;
  };
  const now = node === null ? -1 : all.findIndex(({ id }) => id === node);
  return html`<table class="numbers" aria-rowcount=${all.length + 1}>
    <caption class="hidden">${words.caption}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${words.node}</th><th scope="col" class="end">${words.value}</th><th scope="col" class="end">${words.grad}</th></tr></thead>
    <tbody>${rows({ count: all.length, now, columns: 3, row: line })}</tbody>
  </table>`;
}
