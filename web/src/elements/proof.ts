/**
 * `<gradwalk-proof>`: Python measures each slope and holds the page's gradients against it.
 *
 * A job of the lab's server, one variable at a time, whose events arrive while it runs. Closing it
 * cancels the job.
 */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { close, num, signOf } from "../format.ts";
import { job } from "../server.ts";
import { en } from "../strings/en.ts";
import { troubleText } from "../strings/trouble.ts";
import { labStyles } from "../styles.ts";

/** A row of the contract's gradcheck: JSON has no nan, so a number may be a word. */
interface Leaf {
  name: string;
  gradient: number | string;
  difference: number | string;
  ok: boolean;
  kink: boolean;
}

export class GradwalkProof extends LitElement {
  static override styles = labStyles;
  static override properties = {
    text: {},
    values: { attribute: false },
    strict: { type: Boolean },
    grads: { attribute: false },
    done: { state: true },
    total: { state: true },
    leaves: { state: true },
    problem: { state: true },
  };
  declare text: string;
  declare values: ReadonlyMap<string, number>;
  declare strict: boolean;
  /** The gradient of each variable as this page has it. */
  declare grads: ReadonlyMap<string, number>;
  declare done: number;
  declare total: number;
  declare leaves: readonly Leaf[] | null;
  declare problem: string;

  #stop = new AbortController();

  constructor() {
    super();
    this.text = "";
    this.values = new Map();
    this.strict = false;
    this.grads = new Map();
    this.done = 0;
    this.total = 0;
    this.leaves = null;
    this.problem = "";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop.abort();
  }

  protected override firstUpdated(_changed: PropertyValues): void {
    void this.#run();
  }

  async #run(): Promise<void> {
    const fields = {
      expression: this.text,
      values: Object.fromEntries(this.values),
      strict: this.strict,
    };
    try {
      for await (const { name, data } of job("gradcheck", fields, this.#stop.signal)) {
        if (name === "progress") Object.assign(this, data as { done: number; total: number });
        if (name === "result") this.leaves = (data as { leaves: Leaf[] }).leaves;
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) this.problem = troubleText(error);
    }
  }

  protected override render(): TemplateResult {
    const words = en.proof;
    return html`<div class="proof" aria-live="polite">
      <p class="why">${words.how}</p>
      ${this.problem ? html`<p class="bad"><strong>✗ ${words.failed}</strong> ${this.problem}</p>` : nothing}
      ${
        this.leaves || this.problem
          ? nothing
          : html`<p><progress aria-label=${words.progress} max=${this.total || 1} value=${this.total ? this.done : nothing}></progress> ${this.total ? words.checked(this.done, this.total) : words.begins}</p>`
      }
      ${this.leaves ? this.#table(this.leaves) : nothing}
    </div>`;
  }

  #table(leaves: readonly Leaf[]): TemplateResult {
    const words = en.proof;
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
