/**
 * `<gradwalk-program>`: what the expression is compiled to, stage by stage, beside its graph.
 *
 * Choosing an instruction picks its node, and a node that is picked marks its instructions.
 */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { type Compiled, nodeOf, nodesOf, type Row, type Stage } from "../app/compiled.ts";
import { isConnected, isInPage } from "../app/server.ts";
import type { State } from "../app/state.ts";
import type { Graph } from "../core/index.ts";
import { t } from "../strings/index.ts";
import { troubleText } from "../strings/trouble.ts";
import { rows } from "./rows.ts";
import { labStyles } from "./styles.ts";

export class GradwalkProgram extends LitElement {
  static override styles = labStyles;
  static override properties = {
    fixed: { type: Boolean },
    graph: { attribute: false },
    node: { attribute: false },
    chosen: { state: true },
    answer: { attribute: false },
  };
  /** A graph without a text: there is nothing to compile. */
  declare fixed: boolean;
  declare graph: Graph;
  declare node: number | null;
  declare chosen: string;
  /** What Python has said so far. */
  declare answer: State["compiled"];

  get #compiled(): Compiled | null {
    return this.answer?.result ?? null;
  }

  constructor() {
    super();
    this.fixed = false;
    this.node = null;
    this.chosen = "recorded";
    this.answer = null;
  }

  protected override render(): TemplateResult {
    const words = t.program;
    if (this.fixed || !isConnected())
      return html`<p class="why pad">${this.fixed ? words.given : words.alone}</p>`;
    if (this.answer?.problem)
      return html`<p class="bad pad" role="alert"><strong>✗ ${words.failed}</strong> ${troubleText(this.answer.problem)}</p>`;
    const compiled = this.#compiled;
    if (!compiled) return html`<p class="why pad" role="status">${words.asking}</p>`;
    const stage = compiled.stages.find(({ name }) => name === this.chosen) ?? compiled.stages[0];
    const most = Math.max(...compiled.stages.map(({ rows }) => rows.length));
    return html`
      <div class="stages" role="tablist" aria-label=${words.stages} @keydown=${this.#moved}>
        ${compiled.stages.map((one) => this.#tab(one, one === stage, most))}
      </div>
      <div class="listing body" role="tabpanel" id="listing" aria-labelledby=${`tab-${stage.name}`} tabindex="0">
        <p class="why">${words.explained[stage.name] ?? ""}</p>
        ${stage.rows.some(({ op }) => op) ? this.#table(compiled, stage) : this.#list(stage)}
      </div>
      <p class="cost">${isInPage() ? words.inPage : this.#cost(compiled)}</p>`;
  }

  #tab(stage: Stage, chosen: boolean, most: number): TemplateResult {
    const count = stage.rows.length;
    const share = (part: number): string => `inline-size: ${(100 * part) / most}%`;
    const words = t.program;
    return html`<button role="tab" id=${`tab-${stage.name}`} aria-selected=${chosen} aria-controls=${chosen ? "listing" : nothing} tabindex=${chosen ? 0 : -1}
      @click=${() => this.#choose(stage.name)}>
      <span class="name">${words.names[stage.name] ?? stage.name}</span>
      <span class="bars" aria-hidden="true"><i class="forward" .style=${share(stage.forward)}></i><i class="backward" .style=${share(count - stage.forward)}></i></span><span class="count">${count}<span class="hidden"> ${words.lines(count)}</span></span>
    </button>`;
  }

  #choose(name: string): void {
    this.chosen = name;
  }

  #moved = (event: KeyboardEvent): void => {
    const names = this.#compiled!.stages.map(({ name }) => name);
    const here = names.indexOf(this.chosen);
    const rtl = getComputedStyle(this).direction === "rtl" ? -1 : 1;
    const to = { ArrowRight: here + rtl, ArrowLeft: here - rtl, Home: 0, End: names.length - 1 }[
      event.key
    ];
    if (to === undefined) return;
    // The lab's own arrows walk through events: here they walk through stages.
    event.preventDefault();
    event.stopPropagation();
    this.#choose(names[(to + names.length) % names.length]);
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus(),
    );
  };

  #table(compiled: Compiled, stage: Stage): TemplateResult {
    const words = t.program;
    const nodes = nodesOf(compiled, this.graph);
    return html`<table class="instructions">
      <caption class="hidden">${words.caption}</caption>
      <thead><tr><th scope="col" class="end">${words.id}</th><th scope="col">${words.instruction}</th></tr></thead>
      <tbody>${rows({
        count: stage.rows.length,
        now: -1,
        columns: 2,
        row: (i) => {
          const row = stage.rows[i];
          const backward = i >= stage.forward;
          return this.#row(row, i, nodeOf(row, nodes, this.graph, backward), backward);
        },
      })}</tbody>
    </table>`;
  }

  #row(row: Row, i: number, node: number | null, backward: boolean): TemplateResult {
    const words = t.program;
    const now = node !== null && node === this.node;
    const pick = (): void => {
      if (node !== null) this.dispatchEvent(new CustomEvent("pick", { detail: now ? null : node }));
    };
    const marks = [
      ...(row.result ? [words.result] : []),
      ...(row.gradients ?? []).map((name) => words.gradient(name)),
    ];
    return html`<tr class="${now ? "now" : ""} ${backward ? "backward" : "forward"} ${node === null ? "plain" : ""}" aria-rowindex=${i + 2} @click=${pick}>
      <td class="end index">%${i}</td>
      <td>${
        node === null
          ? html`<code>${row.text}</code>`
          : html`<button class="bare" aria-pressed=${now} aria-label=${words.select(i, row.text)}><code>${row.text}</code></button>`
      } ${marks.map((mark) => html`<span class="result">${mark}</span>`)}</td>
    </tr>`;
  }

  #list(stage: Stage): TemplateResult {
    return html`<ol class="blocks">${stage.rows.map(({ text }) => html`<li>${text}</li>`)}</ol>`;
  }

  #cost({ sizes }: Compiled): string {
    const { bytes, "gradient bytes": both } = sizes;
    return bytes === undefined ? "" : t.program.cost(bytes, both ?? bytes);
  }
}

customElements.define("gradwalk-program", GradwalkProgram);
