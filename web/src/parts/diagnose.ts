/** `<gradwalk-diagnose>`: wrong numbers are shown, and someone says which bug made them. */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type Program, programOf } from "../app/derive.ts";
import { diagnosed, progress } from "../app/progress.ts";
import { frameAt } from "../app/timeline.ts";
import { isConst } from "../core/index.ts";
import { Speaking } from "../scene/speaking.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { is } from "../teach/arithmetic.ts";
import { type Case, drawCase, graphOf, outcomes } from "../teach/cases.ts";
import { seeded } from "../teach/generate.ts";
import quizStyle from "./styles/quiz.css";
import { styled } from "./styles.ts";

const CHOICES = ["overwrite", "wrong-order", "no-reset", "no-visited"];

export class GradwalkDiagnose extends LitElement {
  static override styles = styled(quizStyle);
  static override properties = {
    seed: { type: Number },
    fixed: { type: Boolean },
    answer: { state: true },
  };
  /** Which case to show: the same number, the same case. 0 draws one. */
  declare seed: number;
  /** Whether the lab shows a graph from a file, and so cannot take over a case. */
  declare fixed: boolean;
  declare answer: string;
  #case!: Case;
  #program!: Program;

  constructor() {
    super();
    new Speaking(this);
    this.seed = 0;
    this.fixed = false;
    this.answer = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.seed) this.#draw();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("seed")) return;
    this.#case = drawCase(seeded(this.seed));
    this.#program = programOf(graphOf(this.#case), { bug: this.#case.bug, compare: true });
    this.answer = "";
  }

  #draw(): void {
    this.seed = 1 + Math.floor(Math.random() * 1e9);
    const { seed } = this;
    // Not while the lab draws: it would change in the middle of that.
    queueMicrotask(() =>
      this.dispatchEvent(new CustomEvent("case", { detail: seed, bubbles: true, composed: true })),
    );
  }

  #choose(bug: string): void {
    if (this.answer) return;
    this.answer = bug;
    diagnosed(bug === this.#case.bug);
  }

  protected override render(): TemplateResult {
    const { text, values, bug } = this.#case;
    const { right, all } = progress();
    const program = this.#program;
    const at = Object.entries(values)
      .map(([name, value]) => `${name} ${is(value)}`)
      .join(", ");
    return html`<section class="stage game">
        <div class="banner">
          <div class="words"><p class="what">${text}</p><p class="why">${t.checks.where(at)}</p></div>
          <span class="score">${all ? t.bugs.score(right, all) : nothing}</span>
        </div>
        <gradwalk-scene class="picture" .program=${program} .frame=${frameAt(program.line, program.line.total)} compare></gradwalk-scene>
      </section>
      <section class="panel quiz" aria-live="polite">
        <div class="body">
          <p class="ask">${t.bugs.game}</p>
          <div class="choices">
            ${CHOICES.map(
              (one) => html`<button
                class="toggle ${this.answer && one === bug ? "is-right" : ""} ${one === this.answer && one !== bug ? "is-wrong" : ""}"
                data-choice=${one}
                aria-pressed=${one === this.answer}
                ?disabled=${this.answer !== "" && one !== this.answer && one !== bug}
                @click=${() => this.#choose(one)}
              >${t.bugs.names[one]}</button>`,
            )}
          </div>
          ${this.answer ? this.#verdict() : nothing}
        </div>
      </section>`;
  }

  #verdict(): TemplateResult {
    const { bug } = this.#case;
    const right = this.answer === bug;
    return html`<div class="verdict">
      ${
        right
          ? html`<p><strong class="good">✓ ${t.bugs.correct(t.bugs.names[bug])}</strong></p>`
          : html`<p><strong class="bad">✗ ${t.bugs.incorrect(t.bugs.names[this.answer])}</strong> <code>${this.#numbers(this.answer)}</code></p>
              <p>${t.bugs.was(t.bugs.names[bug])}</p>`
      }
      <p><strong>${t.bugs.evidence}</strong> ${t.bugs.clues[bug]}</p>
      <p class="actions">
        <button class="primary" @click=${() => this.#draw()}>${t.bugs.next}</button>
        ${this.fixed ? nothing : html`<button class="toggle" @click=${() => this.dispatchEvent(new CustomEvent("show", { detail: this.#case, bubbles: true, composed: true }))}>${t.bugs.explore}</button>`}
      </p>
    </div>`;
  }

  /** What the gradients would be with another bug. */
  #numbers(bug: string): string {
    const { graph, names } = this.#program;
    const grads = outcomes(graph).get(bug)!;
    return graph.nodes
      .filter((node) => !isConst(node))
      .map((node) => `${names[node.id]} ${num(grads[node.id])}`)
      .join("   ");
  }
}

customElements.define("gradwalk-diagnose", GradwalkDiagnose);
