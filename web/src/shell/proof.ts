/** `<gradwalk-proof>`: the slopes that Python measured, beside the page's gradients. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import type { Check, CheckedLeaf } from "../app/state.ts";
import dialogsStyle from "../parts/styles/dialogs.css";
import { styled } from "../parts/styles.ts";
import { close, num, signOf } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { troubleText } from "../strings/trouble.ts";

export class GradwalkProof extends LitElement {
  static override styles = styled(dialogsStyle);
  static override properties = {
    check: { attribute: false },
    grads: { attribute: false },
  };
  declare check: Check | null;
  /** The gradient of each variable as this page has it. */
  declare grads: ReadonlyMap<string, number>;

  constructor() {
    super();
    this.check = null;
    this.grads = new Map();
  }

  protected override render(): TemplateResult {
    const words = t.proof;
    const { done, total, leaves, problem } = this.check ?? {
      done: 0,
      total: 0,
      leaves: null,
      problem: null,
    };
    return html`<div class="proof" aria-live="polite">
      <p class="why">${words.how}</p>
      ${problem ? html`<p class="bad"><strong>✗ ${words.failed}</strong> ${troubleText(problem)}</p>` : nothing}
      ${
        leaves || problem
          ? nothing
          : html`<p><progress aria-label=${words.progress} max=${total || 1} value=${total ? done : nothing}></progress> ${total ? words.checked(done, total) : words.begins}</p>`
      }
      ${leaves ? this.#table(leaves) : nothing}
    </div>`;
  }

  #table(leaves: readonly CheckedLeaf[]): TemplateResult {
    const words = t.proof;
    const rows = leaves.map((leaf) => {
      const here = this.grads.get(leaf.name) ?? Number.NaN;
      const agrees = close(here, Number(leaf.gradient), 1e-12) && (leaf.ok || leaf.kink);
      return { leaf, here, agrees };
    });
    const all = rows.every((row) => row.agrees);
    return html`
      <p><strong class=${all ? "good" : "bad"}>${all ? `✓ ${words.agree}` : `✗ ${words.differ}`}</strong></p>
      <table class="comparison">
        <caption>${words.title}</caption>
        <thead><tr><th scope="col">${words.variable}</th><th scope="col" class="end">${words.here}</th><th scope="col" class="end">${words.python}</th><th scope="col" class="end">${words.measured}</th><th scope="col"><span class="hidden">${words.verdict}</span></th></tr></thead>
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
}

customElements.define("gradwalk-proof", GradwalkProof);
