/** `<gradwalk-checks>`: questions with a graph beside them. A wrong answer is taught by its paths. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { accepts, num, readNumber, wrapped } from "../format.ts";
import { type Level, seeded } from "../generate.ts";
import { lit } from "../pages/order.ts";
import { fraction } from "../panels/equation.ts";
import { type Program, programOf } from "../program.ts";
import {
  about,
  answerOf,
  diagnose,
  FIXED,
  generated,
  graphOf,
  type Question,
} from "../questions.ts";
import { en } from "../strings/en.ts";
import { labStyles } from "../styles.ts";
import { frameAt } from "../timeline.ts";

type Outcome = { typed: string; right: boolean; shown: boolean };

const LEVELS: readonly Level[] = ["easy", "medium", "hard"];

export class GradwalkChecks extends LitElement {
  static override styles = labStyles;
  static override properties = {
    text: {},
    values: { attribute: false },
    seed: { type: Number },
    questions: { state: true },
    current: { state: true },
    outcomes: { state: true },
    level: { state: true },
    path: { state: true },
  };
  /** The sandbox's expression, to ask about. */
  declare text: string;
  declare values: ReadonlyMap<string, number>;
  declare seed: number;
  declare questions: readonly Question[];
  declare current: number;
  declare outcomes: ReadonlyMap<string, Outcome>;
  declare level: Level;
  /** The path that is lit, −1 for none. */
  declare path: number;

  #random = seeded(1);

  constructor() {
    super();
    this.text = "";
    this.values = new Map();
    this.seed = Math.floor(Math.random() * 2 ** 31);
    this.questions = FIXED;
    this.current = 0;
    this.outcomes = new Map();
    this.level = "medium";
    this.path = -1;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#random = seeded(this.seed);
  }

  #add(question: Question | null): void {
    if (!question) return;
    this.questions = [...this.questions, question];
    this.#go(this.questions.length - 1);
  }

  #go(index: number): void {
    this.current = index;
    this.path = -1;
    void this.updateComplete.then(() => {
      const input = this.renderRoot.querySelector<HTMLInputElement>("#answer");
      if (input) input.value = this.outcomes.get(this.questions[this.current].id)?.typed ?? "";
      input?.focus();
    });
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const typed = (this.renderRoot.querySelector("#answer") as HTMLInputElement).value;
    const question = this.questions[this.current];
    const { total } = answerOf(graphOf(question), question.leaf);
    const right = accepts(total, typed);
    const was = this.outcomes.get(question.id);
    this.outcomes = new Map(this.outcomes).set(question.id, {
      typed,
      right,
      shown: was?.shown ?? false,
    });
  };

  #reveal(): void {
    const { id } = this.questions[this.current];
    const was = this.outcomes.get(id) ?? { typed: "", right: false };
    this.outcomes = new Map(this.outcomes).set(id, { ...was, shown: true });
  }

  protected override render(): TemplateResult {
    const question = this.questions[this.current];
    const graph = graphOf(question);
    const program = programOf(graph);
    const outcome = this.outcomes.get(question.id);
    const teaches =
      outcome !== undefined &&
      (outcome.right || outcome.shown || readNumber(outcome.typed) !== null);
    const time = teaches ? program.line.total : (program.line.phases[0]?.end ?? 0);
    const found = answerOf(graph, question.leaf);
    const lights = teaches && this.path >= 0 ? lit(program, found.largest[this.path].nodes) : null;
    const at = Object.entries(question.values)
      .map(([name, value]) => `${name} = ${num(value)}`)
      .join(", ");
    return html`<div class="checks">
      ${this.#list()}
      <div class="check">
        <section class="stage">
          <div class="banner"><div class="words"><p class="what">${question.text}</p><p class="why">${en.checks.where(at)}</p></div></div>
          <gradwalk-scene class="picture" .program=${program} .frame=${frameAt(program.line, time)} .lit=${lights} unfilled="·"></gradwalk-scene>
        </section>
        <section class="panel quiz"><div class="body">
          <form @submit=${this.#submit} novalidate>
            <label for="answer" class="ask"><span class="hidden">${en.checks.question(program.output, question.leaf)}</span>
              <math aria-hidden="true"><mrow>${fraction(program.output, question.leaf)}<mo>=</mo></mrow></math></label>
            <input id="answer" inputmode="decimal" autocomplete="off" aria-label=${en.checks.answer} size="10" />
            <button class="primary">${en.checks.check}</button>
            <button type="button" class="toggle" @click=${() => this.#reveal()}>${en.checks.reveal}</button>
          </form>
          <div class="verdict" aria-live="polite">${outcome ? this.#verdict(question, program, outcome) : nothing}</div>
        </div></section>
      </div>
    </div>`;
  }

  #list(): TemplateResult {
    const solved = this.questions.filter((one) => this.outcomes.get(one.id)?.right).length;
    return html`<section class="panel list">
      <h2>${en.checks.list} <span class="score">${en.checks.solved(solved, this.questions.length)}</span></h2>
      <div class="body" tabindex="0" role="region" aria-label=${en.checks.list}>
        <p class="why">${en.checks.intro}</p>
        <ol class="questions">
          ${this.questions.map((one, i) => {
            const outcome = this.outcomes.get(one.id);
            const state = outcome?.right ? "✓" : outcome ? "✗" : "○";
            return html`<li><button class="question ${outcome?.right ? "good" : ""}" aria-current=${i === this.current ? "true" : nothing} @click=${() => this.#go(i)}>
              <span aria-hidden="true">${state}</span><span><code>${one.text}</code><br /><span class="asked">${en.checks.ask(outputOf(one), one.leaf)}</span></span>
            </button></li>`;
          })}
        </ol>
        <div class="more">
          <label>${en.checks.level} <select @change=${(event: Event) => {
            this.level = (event.target as HTMLSelectElement).value as Level;
          }}>${LEVELS.map((level) => html`<option value=${level} .selected=${level === this.level}>${en.checks[level]}</option>`)}</select></label>
          <button class="toggle" @click=${() => this.#add(generated(this.#random, this.level, `made-${this.questions.length}`))}>${en.checks.generate}</button>
          <button class="toggle" @click=${() => this.#add(about(this.text, Object.fromEntries(this.values), `own-${this.questions.length}`))}>${en.checks.own}</button>
        </div>
      </div>
    </section>`;
  }

  #verdict(question: Question, program: Program, outcome: Outcome): TemplateResult {
    const typed = readNumber(outcome.typed);
    if (!outcome.shown && typed === null) return html`<p class="bad">${en.checks.number}</p>`;
    const found = answerOf(program.graph, question.leaf);
    const why =
      outcome.right || typed === null ? "" : diagnose(program.graph, question.leaf, typed);
    return html`
      ${outcome.right ? html`<p><strong class="good">✓ ${en.checks.right}</strong></p>` : typed === null ? nothing : html`<p><strong class="bad">✗ ${en.checks.wrong(num(typed, 10))}</strong> ${why}</p>`}
      <p>${found.count === 1n ? en.checks.onePath : en.checks.manyPaths(String(found.count), question.leaf)}</p>
      <ul class="paths">
        ${found.largest.map((path, i) => {
          const way = path.nodes.map((id) => program.names[id]).join(" → ");
          const product = `${path.locals.map((local) => wrapped(local)).join(" × ")} = ${num(path.product)}`;
          return html`<li><button class="path" aria-pressed=${this.path === i} @click=${() => {
            this.path = i;
          }} @mouseenter=${() => {
            this.path = i;
          }}><span class="way">${way}</span><span class="product">${product}</span></button></li>`;
        })}
        ${found.complete ? nothing : html`<li class="why">…</li>`}
      </ul>
      ${found.count > 1n ? html`<p class="sum">${en.checks.sum(found.largest.map((path, i) => (i ? wrapped(path.product) : num(path.product))).join(" + "), num(found.total))}</p>` : nothing}`;
  }
}

function outputOf(question: Question): string {
  return programOf(graphOf(question)).output;
}

customElements.define("gradwalk-checks", GradwalkChecks);
