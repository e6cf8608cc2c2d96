/** `<gradwalk-checks>`: questions with a graph beside them. A wrong answer is taught by its paths. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type Program, programOf } from "../app/derive.ts";
import { finish, progress } from "../app/progress.ts";
import { type Answer, answered, isSettled } from "../app/state.ts";
import { frameAt } from "../app/timeline.ts";
import { alongPath } from "../scene/find.ts";
import { element } from "../scene/speaking.ts";
import { accepts, num, readNumber } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { is, pathProduct, pathSum } from "../teach/arithmetic.ts";
import type { Level } from "../teach/generate.ts";
import {
  answerOf,
  diagnose,
  FIXED,
  graphOf,
  OWN,
  type Question,
  questionOf,
} from "../teach/questions.ts";
import { totalFraction } from "./equation.ts";
import quizStyle from "./styles/quiz.css";
import { styled } from "./styles.ts";

const LEVELS: readonly Level[] = ["easy", "medium", "hard"];

export class GradwalkChecks extends element(() => ({
  /** The sandbox's expression, to ask about; empty when there is none. */
  text: "",
  values: new Map() as ReadonlyMap<string, number>,
  /** The id of the question that is asked, empty for the first. */
  question: "",
  /** The ids of those that were made besides the fixed ones. */
  made: [] as readonly string[],
  outcomes: new Map() as ReadonlyMap<string, Answer>,
  level: "medium" as Level,
  /** The path that is lit, −1 for none. */
  path: -1,
})) {
  static styles = styled(quizStyle);

  /** A link may bring a question that is not on the list yet. */
  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("question")) return;
    this.path = -1;
    const known = FIXED.some(({ id }) => id === this.question) || this.made.includes(this.question);
    if (this.question && !known && this.#find(this.question))
      this.made = [...this.made, this.question];
  }

  protected override updated(changed: PropertyValues): void {
    const input = this.renderRoot.querySelector<HTMLInputElement>("#answer");
    if (changed.has("question") && input) input.value = this.#outcome(this.#current)?.typed ?? "";
  }

  #find(id: string): Question | null {
    return questionOf(id, this.text, Object.fromEntries(this.values));
  }

  get #questions(): Question[] {
    return [...FIXED, ...this.made.flatMap((id) => this.#find(id) ?? [])];
  }

  get #current(): Question {
    return this.#questions.find(({ id }) => id === this.question) ?? FIXED[0];
  }

  /** What became of a question; of the learner's own, as long as it stays the same one. */
  #outcome(question: Question): Answer | undefined {
    return this.outcomes.get(keyOf(question));
  }

  #note(question: Question, outcome: Answer): void {
    this.outcomes = new Map(this.outcomes).set(keyOf(question), outcome);
    if (outcome.right && question.id !== OWN) finish(`check:${question.id}`);
  }

  #go(id: string): void {
    this.question = id;
    this.dispatchEvent(new CustomEvent("question", { detail: id, bubbles: true, composed: true }));
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLInputElement>("#answer")?.focus(),
    );
  }

  /** To the next question that is not solved yet; after the last one, to a new one. */
  #next(): void {
    const questions = this.#questions;
    const at = questions.findIndex(({ id }) => id === this.#current.id);
    const others = [...questions.slice(at + 1), ...questions.slice(0, at)];
    const open = others.find((one) => !this.#isSolved(one) && !isSettled(this.#outcome(one)));
    if (open) this.#go(open.id);
    else this.#make();
  }

  #isSolved(one: Question): boolean {
    return this.#outcome(one)?.right === true || progress().done.has(`check:${one.id}`);
  }

  #make(): void {
    this.#go(`${this.level}.${Math.floor(Math.random() * 1e9)}`);
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const typed = (this.renderRoot.querySelector("#answer") as HTMLInputElement).value;
    const question = this.#current;
    const { total } = answerOf(graphOf(question), question.leaf);
    const right = accepts(total, typed);
    const isNumber = readNumber(typed) !== null;
    this.#note(question, answered(this.#outcome(question), typed, right, isNumber));
  };

  #reveal(): void {
    const question = this.#current;
    const was = this.#outcome(question);
    this.#note(question, answered(was, was?.typed ?? "", false));
  }

  protected override render(): TemplateResult {
    const question = this.#current;
    const graph = graphOf(question);
    const program = programOf(graph);
    const outcome = this.#outcome(question);
    const time = isSettled(outcome) ? program.line.total : (program.line.phases[0]?.end ?? 0);
    const found = answerOf(graph, question.leaf);
    const lights =
      isSettled(outcome) && this.path >= 0
        ? alongPath(program, found.largest[this.path].nodes)
        : null;
    const at = Object.entries(question.values)
      .map(([name, value]) => `${name} ${is(value)}`)
      .join(", ");
    return html`<div class="checks">
      ${this.#list()}
      <div class="check">
        <section class="stage">
          <div class="banner"><div class="words"><p class="what">${question.text}</p><p class="why">${t.checks.where(at)}</p></div></div>
          <gradwalk-scene class="picture" .program=${program} .frame=${frameAt(program.line, time)} .lit=${lights} .asked=${isSettled(outcome) ? null : -1}></gradwalk-scene>
        </section>
        <section class="panel quiz"><div class="body">
          <form @submit=${this.#submit} novalidate>
            <label for="answer" class="ask"><span class="hidden">${t.checks.question(program.output, question.leaf)}</span>
              <math aria-hidden="true"><mrow>${totalFraction(program.output, question.leaf)}<mo>=</mo></mrow></math></label>
            <input id="answer" inputmode="decimal" autocomplete="off" aria-label=${t.checks.answer} size="10" />
            <button class="primary">${t.checks.check}</button>
            ${isSettled(outcome) ? html`<button type="button" class="toggle" data-next @click=${() => this.#next()}>${t.checks.next}</button>` : html`<button type="button" class="toggle" @click=${() => this.#reveal()}>${outcome?.missed ? t.checks.reveal : t.checks.hint}</button>`}
          </form>
          <div class="verdict" aria-live="polite">${outcome ? this.#verdict(question, program, outcome) : nothing}</div>
        </div></section>
      </div>
    </div>`;
  }

  #list(): TemplateResult {
    const questions = this.#questions;
    const current = this.#current;
    const solved = questions.filter((one) => this.#isSolved(one)).length;
    return html`<section class="panel list">
      <h2>${t.checks.list} <span class="score">${t.checks.solved(solved, questions.length)}</span></h2>
      <div class="body" tabindex="0" role="region" aria-label=${t.checks.list}>
        <p class="why">${t.checks.intro}</p>
        <ol class="questions">
          ${questions.map((one) => {
            const done = this.#isSolved(one);
            const state = done ? "✓" : isMissed(this.#outcome(one)) ? "✗" : "○";
            return html`<li><button class="question ${done ? "good" : ""}" aria-current=${one.id === current.id ? "true" : nothing} @click=${() => this.#go(one.id)}>
              <span aria-hidden="true">${state}</span><span>${done ? html`<span class="hidden">${t.checks.done}: </span>` : nothing}<code>${one.text}</code><br /><span class="asked">${t.checks.ask(outputOf(one), one.leaf)}</span></span>
            </button></li>`;
          })}
        </ol>
        <div class="more">
          <label>${t.checks.level} <select @change=${(event: Event) => {
            this.level = (event.target as HTMLSelectElement).value as Level;
          }}>${LEVELS.map((level) => html`<option value=${level} .selected=${level === this.level}>${t.checks[level]}</option>`)}</select></label>
          <button class="toggle" @click=${() => this.#make()}>${t.checks.generate}</button>
          ${this.#find(OWN) ? html`<button class="toggle" @click=${() => this.#go(OWN)}>${t.checks.own}</button>` : nothing}
        </div>
      </div>
    </section>`;
  }

  #verdict(question: Question, program: Program, outcome: Answer): TemplateResult {
    const typed = readNumber(outcome.typed);
    const found = answerOf(program.graph, question.leaf);
    if (!isSettled(outcome)) {
      if (outcome.typed && typed === null) return html`<p class="bad">${t.notNumber}</p>`;
      const guess = typed === null ? "" : diagnose(program.graph, question.leaf, typed);
      return html`<p>${typed === null ? nothing : html`<strong class="bad">✗ ${t.checks.wrong(num(typed, 10))}</strong> `}${guess}</p>
        <p>${t.checks.hintText(found.count, question.leaf, program.output)}</p>`;
    }
    const why =
      outcome.right || typed === null ? "" : diagnose(program.graph, question.leaf, typed);
    return html`
      ${outcome.right ? html`<p><strong class="good">✓ ${t.checks.right}</strong></p>` : typed === null ? nothing : html`<p><strong class="bad">✗ ${t.checks.wrong(num(typed, 10))}</strong> ${why}</p>`}
      <p>${found.count === 1n ? t.checks.onePath : t.checks.manyPaths(found.count, question.leaf)}</p>
      <ul class="paths">
        ${found.largest.map((path, i) => {
          const way = path.nodes.map((id) => program.names[id]).join(" → ");
          const product = pathProduct(path);
          return html`<li><button class="path" aria-pressed=${this.path === i} @click=${() => {
            this.path = i;
          }} @mouseenter=${() => {
            this.path = i;
          }}><span class="way">${way}</span><span class="product">${product}</span></button></li>`;
        })}
        ${found.complete ? nothing : html`<li class="why">…</li>`}
      </ul>
      ${found.count > 1n ? html`<p class="sum">${pathSum(found)}</p>` : nothing}`;
  }
}

/** Whether a wrong number was typed, or the paths were asked for: a hint alone is no miss. */
function isMissed(outcome: Answer | undefined): boolean {
  return outcome !== undefined && (readNumber(outcome.typed) !== null || outcome.missed > 1);
}

function keyOf({ id, text, values }: Question): string {
  return id === OWN ? JSON.stringify([text, values]) : id;
}

function outputOf(question: Question): string {
  return programOf(graphOf(question)).output;
}

customElements.define("gradwalk-checks", GradwalkChecks);
