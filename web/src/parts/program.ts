/**
 * `<gradwalk-program>`: what the expression is compiled to, stage by stage, beside its graph.
 *
 * Choosing an instruction picks its node, and a node that is picked marks its instructions. Loops are
 * folded. The choices of the expression are a tree, which counts the sides that its numbers took.
 */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import {
  type Compiled,
  conditionOf,
  type Line,
  linesOf,
  nodeOf,
  nodesOf,
  type Row,
  type Stage,
  sidesOf,
} from "../app/compiled.ts";
import { isConnected, isInPage } from "../app/server.ts";
import type { State } from "../app/state.ts";
import type { Graph } from "../core/index.ts";
import { element } from "../scene/speaking.ts";
import { t } from "../strings/index.ts";
import { troubleText } from "../strings/trouble.ts";
import { rows } from "./rows.ts";
import programStyle from "./styles/program.css";
import { styled } from "./styles.ts";

export class GradwalkProgram extends element(() => ({
  /** A graph without a text: there is nothing to compile. */
  fixed: false as boolean,
  graph: undefined as unknown as Graph,
  node: null as number | null,
  chosen: "recorded",
  /** The loops that are written out, of the stage that is shown. */
  open: new Set() as ReadonlySet<number>,
  /** What Python has said so far. */
  answer: null as State["compiled"],
})) {
  static styles = styled(programStyle);

  /** How often each branch went which way, for the numbers of one program so far. */
  #counts: { yes: number; no: number; now: boolean | null }[] = [];
  #counted: Compiled | null = null;
  #inputs = "";

  get #compiled(): Compiled | null {
    return this.answer?.result ?? null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const compiled = this.#compiled;
    if (!compiled?.branches?.length || this.answer?.running) return;
    if (compiled !== this.#counted) {
      this.#counted = compiled;
      this.#counts = compiled.branches.map(() => ({ yes: 0, no: 0, now: null }));
      this.#inputs = "";
    } else if (!changed.has("graph")) return;
    const leaves = new Map(
      this.graph.nodes.filter((node) => !node.operands.length).map((node) => [node.label, node]),
    );
    const inputs = compiled.names.map((name) => leaves.get(name)?.data);
    const key = JSON.stringify(inputs);
    if (key === this.#inputs || !inputs.every((value) => value !== undefined)) return;
    this.#inputs = key;
    sidesOf(compiled, inputs).forEach((side, k) => {
      const count = this.#counts[k];
      count.now = side;
      if (side !== null) count[side ? "yes" : "no"]++;
    });
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
      ${compiled.branches?.length ? this.#branches(compiled) : nothing}
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
    this.open = new Set();
  }

  #branches(compiled: Compiled): TemplateResult {
    const words = t.program;
    return html`<details class="branches" open>
      <summary>${words.branches(compiled.branches!.length)}</summary>
      <p class="why">${words.branchesWhy}</p>
      ${this.#branchesOn(compiled, -1)}
    </details>`;
  }

  /** The branches on the sides of one; −1: those on no side. */
  #branchesOn(compiled: Compiled, parent: number): TemplateResult {
    const words = t.program;
    const on = (side: boolean): number[] =>
      compiled.branches!.flatMap((one, k) =>
        one.parent === parent && one.side === side ? [k] : [],
      );
    return html`<ul>${[...on(true), ...on(false)].map((k) => {
      const branch = compiled.branches![k];
      const { yes, no, now } = this.#counts[k];
      const side = (is: boolean, count: number): TemplateResult =>
        html`<span class="side ${now === is ? "now" : ""}">${now === is ? html`<span aria-hidden="true">● </span><span class="hidden">${words.now} </span>` : nothing}${is ? words.yes(count) : words.no(count)}</span>`;
      const head = html`${parent < 0 ? nothing : html`<span class="way">${branch.side ? words.ifYes : words.ifNo}</span> `}<code>${conditionOf(compiled, branch)}</code> ${side(true, yes)} ${side(false, no)}`;
      const leads = compiled.branches!.some((other) => other.parent === k);
      return html`<li>${leads ? html`<details open><summary>${head}</summary>${this.#branchesOn(compiled, k)}</details>` : head}</li>`;
    })}</ul>`;
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
    const lines = linesOf(stage, this.open);
    return html`<table class="instructions">
      <caption class="hidden">${words.caption}</caption>
      <thead><tr><th scope="col" class="end">${words.id}</th><th scope="col">${words.instruction}</th></tr></thead>
      <tbody>${rows({
        count: lines.length,
        now: -1,
        columns: 2,
        row: (at) => this.#line(stage, lines[at], at, nodes),
      })}</tbody>
    </table>`;
  }

  #line(stage: Stage, line: Line, at: number, nodes: readonly (number | null)[]): TemplateResult {
    if ("body" in line)
      return html`<tr class="plain" aria-rowindex=${at + 2}><td></td><td class="inner"><code>${line.body}</code></td></tr>`;
    if ("row" in line) {
      const row = stage.rows[line.row];
      const backward = line.row >= stage.forward;
      return this.#row(row, line.row, at, nodeOf(row, nodes, this.graph, backward), backward);
    }
    const { count, ids } = stage.loops![line.loop];
    const open = this.open.has(line.loop);
    const fold = (): void => {
      const next = new Set(this.open);
      if (!next.delete(line.loop)) next.add(line.loop);
      this.open = next;
    };
    return html`<tr class="plain" aria-rowindex=${at + 2}><td colspan="2"><button class="bare" aria-expanded=${open} @click=${fold}><span aria-hidden="true">${open ? "▾" : "▸"} </span>${t.program.loop(count, ids[0], ids[ids.length - 1])}</button></td></tr>`;
  }

  #row(row: Row, i: number, at: number, node: number | null, backward: boolean): TemplateResult {
    const words = t.program;
    const now = node !== null && node === this.node;
    const pick = (): void => {
      if (node !== null) this.dispatchEvent(new CustomEvent("pick", { detail: now ? null : node }));
    };
    const marks = [
      ...(row.result ? [t.events.result] : []),
      ...(row.gradients ?? []).map((name) => words.gradient(name)),
    ];
    return html`<tr class="${now ? "now" : ""} ${backward ? "backward" : "forward"} ${node === null ? "plain" : ""}" aria-rowindex=${at + 2} @click=${pick}>
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
