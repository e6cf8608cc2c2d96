/** The slopes that Python measured, beside the page's gradients. */

import { html, nothing, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import type { CheckedLeaf } from "../app/state.ts";
import { close, num, signOf } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { troubleText } from "../strings/trouble.ts";

/** How far Python is, and what it found; the expression is the one that is shown. */
export function proof({ state, program: { graph, walk } }: Lab): TemplateResult {
  const words = t.proof;
  const asked = { done: 0, total: 0, leaves: null, problem: null };
  const { done, total, leaves, problem } = state.check ?? asked;
  const here = new Map(graph.leaves.map((leaf) => [leaf.label, walk.expected[leaf.id]]));
  return html`<div class="proof" aria-live="polite">
    <p class="why">${words.how}</p>
    ${problem ? html`<p class="bad"><strong>✗ ${words.failed}</strong> ${troubleText(problem)}</p>` : nothing}
    ${
      leaves || problem
        ? nothing
        : html`<p><progress aria-label=${words.progress} max=${total || 1} value=${total ? done : nothing}></progress> ${total ? words.checked(done, total) : words.begins}</p>`
    }
    ${leaves ? table(leaves, here) : nothing}
  </div>`;
}

/** `grads` has the gradient of each variable as this page has it. */
function table(leaves: readonly CheckedLeaf[], grads: ReadonlyMap<string, number>): TemplateResult {
  const words = t.proof;
  const rows = leaves.map((leaf) => {
    const here = grads.get(leaf.name) ?? Number.NaN;
    const agrees = close(here, Number(leaf.gradient), 1e-12) && (leaf.ok || leaf.kink);
    return { leaf, here, agrees };
  });
  const all = rows.every((row) => row.agrees);
  return html`
    <p><strong class=${all ? "good" : "bad"}>${all ? `✓ ${words.agree}` : `✗ ${words.differ}`}</strong></p>
    <table class="comparison">
      <caption>${words.button}</caption>
      <thead><tr><th scope="col">${words.variable}</th><th scope="col" class="end">${words.here}</th><th scope="col" class="end">Python</th><th scope="col" class="end">${words.measured}</th><th scope="col"><span class="hidden">${words.verdict}</span></th></tr></thead>
      <tbody>${rows.map(
        ({ leaf, here, agrees }) => html`<tr class=${agrees ? "" : "differs"}>
          <td>${leaf.name}</td>
          <td class="end ${signOf(here)}">${num(here)}</td>
          <td class="end">${num(Number(leaf.gradient))}</td>
          <td class="end">${num(Number(leaf.difference), 7)}</td>
          <td class=${agrees ? "good" : "bad"}>${agrees ? "✓" : "✗"}${leaf.kink ? html` <span class="why">${words.kink}</span>` : nothing}</td>
        </tr>`,
      )}</tbody>
    </table>`;
}
