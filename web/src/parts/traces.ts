/** `<gradwalk-traces>`: both trace tables of a walk, empty, to fill in by hand and have graded. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { type Program, programOf } from "../app/derive.ts";
import { PRESETS } from "../app/presets.ts";
import { finish, progress } from "../app/progress.ts";
import { frameAt } from "../app/timeline.ts";
import { parse, snapshot } from "../core/index.ts";
import { element } from "../scene/speaking.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { type Cell, passes, pushCells, sortCells } from "../teach/cells.ts";
import handStyle from "./styles/hand.css";
import { styled } from "./styles.ts";

const OFFERED = ["x7", "x1", "x6", "x5"];
const OWN = "own";
const MOST_NODES = 12;

export class GradwalkTraces extends element(() => ({
  /** The sandbox's expression, to take a trace of; empty when there is none. */
  text: "",
  values: new Map() as ReadonlyMap<string, number>,
  chosen: OFFERED[0] as string,
  typed: new Map() as ReadonlyMap<string, string>,
  /** The cells as they were when someone asked; null before that. */
  graded: null as ReadonlyMap<string, string> | null,
  shown: false as boolean,
})) {
  static styles = styled(handStyle);

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("chosen")) return;
    this.typed = new Map();
    this.graded = null;
    this.shown = false;
  }

  get #program(): Program {
    const preset = PRESETS.find(({ id }) => id === this.chosen);
    const text = preset?.text ?? this.text;
    const values = preset?.values ?? Object.fromEntries(this.values);
    const expression = parse(text);
    const used = Object.fromEntries(expression.names.map((name) => [name, values[name] ?? 1]));
    return programOf(snapshot(expression.evaluate(used)), { sort: true, leaves: true });
  }

  get #ownFits(): boolean {
    try {
      return (
        this.text !== "" &&
        snapshot(parse(this.text).evaluate(this.values)).nodes.length <= MOST_NODES
      );
    } catch {
      return false;
    }
  }

  #type(key: string, text: string): void {
    this.typed = new Map(this.typed).set(key, text);
  }

  #grade(cells: readonly Cell[]): void {
    this.graded = this.typed;
    const right = cells.every((cell) => passes(cell, this.typed.get(cell.key) ?? ""));
    if (right && !this.shown && this.chosen !== OWN) finish(`trace:${this.chosen}`);
  }

  protected override render(): TemplateResult {
    const program = this.#program;
    const { walk, names } = program;
    const sort = sortCells(walk, names);
    const pushes = pushCells(walk, names);
    // As wide as the longest of its column: none says how long its answer is.
    const widths = [
      ["pop", "stack", "sorted"].map((name) => longest(sort.map((one) => one[name as "pop"]))),
      ["local", "contribution", "after"].map((name) =>
        longest(pushes.map((one) => one[name as "local"])),
      ),
    ];
    const cells = [
      // The first row is an example.
      ...sort.slice(1).flatMap(({ pop, stack, sorted }) => [pop, stack, sorted]),
      ...pushes.flatMap(({ local, contribution, after }) => [local, contribution, after]),
    ];
    const right = this.graded
      ? cells.filter((cell) => passes(cell, this.graded!.get(cell.key) ?? "")).length
      : 0;
    const words = t.traces;
    const forward = program.line.phases[0]?.end ?? 0;
    return html`<div class="traces">
      <section class="panel"><div class="body">
        <h2 tabindex="-1">${words.title}</h2>
        <p>${words.intro}</p>
        <div class="actions choices" role="group" aria-label=${words.choose}>
          ${OFFERED.map(
            (id) =>
              html`<button class="toggle" aria-pressed=${this.chosen === id} @click=${() => {
                this.chosen = id;
              }}>${t.presetNames[id]}${progress().done.has(`trace:${id}`) ? html` ✓<span class="hidden"> ${t.checks.done}</span>` : nothing}</button>`,
          )}
          ${
            this.#ownFits
              ? html`<button class="toggle" aria-pressed=${this.chosen === OWN} @click=${() => {
                  this.chosen = OWN;
                }}>${t.checks.own}</button>`
              : nothing
          }
        </div>
      </div></section>
      <section class="stage"><gradwalk-scene class="picture" .program=${program} .frame=${frameAt(program.line, forward)} .asked=${this.shown ? null : -1}></gradwalk-scene></section>
      <form class="panel" novalidate @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        this.#grade(cells);
      }}>
        <div class="body tables">
          <table class="fill">
            <caption>${t.trace.sort}</caption>
            <thead><tr><th scope="col">#</th><th scope="col">${t.trace.pop}</th><th scope="col">${t.trace.stack}</th><th scope="col">${t.trace.sorted}</th></tr></thead>
            <tbody>${sort.map(({ pop, stack, sorted }, i) => html`<tr><th scope="row">${i + 1}</th>${i ? this.#row([pop, stack, sorted], [t.trace.pop, t.trace.stack, t.trace.sorted], widths[0], i) : [pop, stack, sorted].map((cell) => html`<td><code>${written(cell)}</code></td>`)}</tr>`)}</tbody>
          </table>
          <table class="fill">
            <caption>${t.trace.backward}</caption>
            <thead><tr><th scope="col">${words.arrow}</th><th scope="col">${t.equation.local}</th><th scope="col">${words.contribution}</th><th scope="col">${words.after}</th></tr></thead>
            <tbody>${pushes.map(({ from, to, local, contribution, after }, i) => html`<tr><th scope="row"><code>${from} → ${to}</code></th>${this.#row([local, contribution, after], [t.equation.local, words.contribution, words.after], widths[1], i)}</tr>`)}</tbody>
          </table>
        </div>
        <div class="actions pad">
          <button class="primary">${words.grade}</button>
          <button type="button" class="toggle" @click=${() => this.#show(cells)}>${words.show}</button>
          <span role="status">${this.graded ? words.score(right, cells.length) : nothing}</span>
        </div>
      </form>
    </div>`;
  }

  #show(cells: readonly Cell[]): void {
    this.shown = true;
    this.typed = new Map(cells.map((cell) => [cell.key, written(cell)]));
    this.graded = this.typed;
  }

  /** A row that nobody has touched is not marked: it is not wrong yet. */
  #row(
    cells: readonly Cell[],
    labels: readonly string[],
    widths: readonly number[],
    row: number,
  ): TemplateResult[] {
    const { graded } = this;
    const touched = graded !== null && cells.some(({ key }) => graded.get(key));
    return cells.map((cell, i) => {
      const right = touched && passes(cell, graded.get(cell.key) ?? "");
      const verdict = touched ? (right ? "right" : "wrong") : "";
      const said = verdict ? `: ${t.traces[verdict]}` : "";
      return html`<td class=${verdict}><input autocomplete="off" spellcheck="false" size=${widths[i]}
        aria-label=${`${labels[i]}, ${row + 1}${said}`} .value=${live(this.typed.get(cell.key) ?? "")}
        @input=${(event: Event) => this.#type(cell.key, (event.target as HTMLInputElement).value)} /><span aria-hidden="true">${verdict ? (right ? "✓" : "✗") : ""}</span></td>`;
    });
  }
}

const longest = (cells: readonly Cell[]): number =>
  Math.max(6, ...cells.map((cell) => written(cell).length));

function written({ right }: Cell): string {
  return typeof right === "number" ? num(right) : right;
}

customElements.define("gradwalk-traces", GradwalkTraces);
