/** Checks: questions with a graph beside them. A wrong answer is taught by its paths. */

import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { ref } from "lit/directives/ref.js";
import { type Program, programOf } from "../app/derive.ts";
import { type Lab, local } from "../app/lab.ts";
import { finish, progress } from "../app/progress.ts";
import { type Answer, isSettled, type State } from "../app/state.ts";
import { frameAt } from "../app/timeline.ts";
import { alongPath } from "../scene/find.ts";
import { accepts, num, readNumber } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { is, pathProduct, pathSum } from "../teach/arithmetic.ts";
import { graphOf, type Level } from "../teach/generate.ts";
import { answerOf, diagnose, FIXED, OWN, type Question, questionOf } from "../teach/questions.ts";
import { totalFraction } from "./equation.ts";

const LEVELS: readonly Level[] = ["easy", "medium", "hard"];

const FRESH = {
  /** The ids of those that were made besides the fixed ones. */
  made: [] as readonly string[],
  level: "medium" as Level,
  /** The path that is lit, −1 for none, and of which question. */
  path: -1,
  of: "",
  /** The question that someone went to: whoever types at once types there. */
  to: "",
};

const own = (lab: Lab): ReturnType<typeof local<typeof FRESH>> => local(lab, "checks", FRESH);

function find({ state, fixed }: Lab, id: string): Question | null {
  return questionOf(id, fixed ? "" : state.good, Object.fromEntries(state.values));
}

/** The ids of those that were made, and of one that a link brings. */
function madeOf(lab: Lab, ...more: string[]): string[] {
  const ids = new Set([...own(lab)[0].made, lab.state.question, ...more]);
  return [...ids].filter((id) => id && !FIXED.some((one) => one.id === id));
}

function questionsOf(lab: Lab): Question[] {
  return [...FIXED, ...madeOf(lab).flatMap((id) => find(lab, id) ?? [])];
}

function currentOf(lab: Lab): Question {
  return questionsOf(lab).find(({ id }) => id === lab.state.question) ?? FIXED[0];
}

/** What became of a question; of the learner's own, as long as it stays the same one. */
function outcomeOf({ told }: State, question: Question): Answer | undefined {
  return told.get(keyOf(question));
}

function say(lab: Lab, question: Question, typed: string, right = false, misses = true): void {
  lab.dispatch({ type: "tell", key: keyOf(question), typed, right, misses });
  if (right && question.id !== OWN) finish(`check:${question.id}`);
}

function go(lab: Lab, id: string): void {
  own(lab)[1]({ made: madeOf(lab, id), to: id });
  lab.dispatch({ type: "set", change: { question: id } });
}

/** To the next question that is not solved yet; after the last one, to a new one. */
function next(lab: Lab): void {
  const questions = questionsOf(lab);
  const at = questions.findIndex(({ id }) => id === currentOf(lab).id);
  const others = [...questions.slice(at + 1), ...questions.slice(0, at)];
  const open = others.find((one) => !isSolved(lab, one) && !isSettled(outcomeOf(lab.state, one)));
  if (open) go(lab, open.id);
  else make(lab);
}

function isSolved({ state }: Lab, one: Question): boolean {
  return outcomeOf(state, one)?.right === true || progress().done.has(`check:${one.id}`);
}

function make(lab: Lab): void {
  go(lab, `${own(lab)[0].level}.${Math.floor(Math.random() * 1e9)}`);
}

export function checksPage(lab: Lab): TemplateResult {
  const question = currentOf(lab);
  const graph = graphOf(question);
  const program = programOf(graph);
  const outcome = outcomeOf(lab.state, question);
  const settled = isSettled(outcome);
  const time = settled ? program.line.total : (program.line.phases[0]?.end ?? 0);
  const found = answerOf(graph, question.leaf);
  const path = pathOf(lab, question);
  const lights = settled && path >= 0 ? alongPath(program, found.largest[path].nodes) : null;
  const at = Object.entries(question.values)
    .map(([name, value]) => `${name} ${is(value)}`)
    .join(", ");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const { value } = (event.target as HTMLFormElement).elements.namedItem(
      "answer",
    ) as HTMLInputElement;
    say(lab, question, value, accepts(found.total, value), readNumber(value) !== null);
  };
  const typed = outcome?.typed ?? "";
  return html`<div class="checks">
    ${list(lab, question)}
    <div class="check">
      <section class="stage">
        <div class="banner"><div class="words">
          <p class="what">${question.text}</p><p class="why">${t.checks.where(at)}</p>
        </div></div>
        <gradwalk-scene class="picture" .program=${program} .frame=${frameAt(program.line, time)}
          .lit=${lights} .asked=${settled ? null : -1}></gradwalk-scene>
      </section>
      <section class="panel quiz"><div class="body">
        <form @submit=${submit} novalidate>
          <label for="answer" class="ask"><span class="hidden">${t.checks.question(program.output, question.leaf)}</span>
            <math aria-hidden="true"><mrow>${totalFraction(program.output, question.leaf)}<mo>=</mo></mrow></math></label>
          ${keyed(
            keyOf(question),
            html`<input id="answer" name="answer" inputmode="decimal" autocomplete="off" size="10"
              aria-label=${t.checks.answer} .value=${typed} ${ref((input) => focusOnce(lab, input))} />`,
          )}
          <button class="primary">${t.checks.check}</button>
          ${
            settled
              ? html`<button type="button" class="toggle" data-next @click=${() => next(lab)}>${t.checks.next}</button>`
              : html`<button type="button" class="toggle" @click=${() => say(lab, question, typed)}>${outcome?.missed ? t.checks.reveal : t.checks.hint}</button>`
          }
        </form>
        <div class="verdict" aria-live="polite">${outcome ? verdict(lab, question, program, outcome) : nothing}</div>
      </div></section>
    </div>
  </div>`;
}

/** The box of a question is a new one: it takes the focus of who went there. */
function focusOnce(lab: Lab, input?: Element): void {
  if (!(input instanceof HTMLElement) || input.dataset.met) return;
  input.dataset.met = "yes";
  const { to } = own(lab)[0];
  if (to && to === lab.state.question) queueMicrotask(() => input.focus());
}

/** The path that is lit: of the question that is asked. */
function pathOf(lab: Lab, question: Question): number {
  const [{ path, of }] = own(lab);
  return of === keyOf(question) ? path : -1;
}

function list(lab: Lab, current: Question): TemplateResult {
  const questions = questionsOf(lab);
  const [{ level }, change] = own(lab);
  const solved = questions.filter((one) => isSolved(lab, one)).length;
  const pick = (event: Event): void =>
    change({ level: (event.target as HTMLSelectElement).value as Level });
  return html`<section class="panel list">
    <h2>${t.checks.list} <span class="score">${t.checks.solved(solved, questions.length)}</span></h2>
    <div class="body" tabindex="0" role="region" aria-label=${t.checks.list}>
      <p class="why">${t.checks.intro}</p>
      <ol class="questions">${questions.map((one) => row(lab, one, one.id === current.id))}</ol>
      <div class="actions">
        <label>${t.checks.level} <select @change=${pick}>
          ${LEVELS.map((one) => html`<option value=${one} .selected=${one === level}>${t.checks[one]}</option>`)}
        </select></label>
        <button class="toggle" @click=${() => make(lab)}>${t.checks.generate}</button>
        ${find(lab, OWN) ? html`<button class="toggle" @click=${() => go(lab, OWN)}>${t.checks.own}</button>` : nothing}
      </div>
    </div>
  </section>`;
}

function row(lab: Lab, one: Question, isCurrent: boolean): TemplateResult {
  const done = isSolved(lab, one);
  const mark = done ? "✓" : isMissed(outcomeOf(lab.state, one)) ? "✗" : "○";
  return html`<li><button class="question ${done ? "good" : ""}" aria-current=${isCurrent ? "true" : nothing}
    @click=${() => go(lab, one.id)}><span aria-hidden="true">${mark}</span>
    <span>${done ? html`<span class="hidden">${t.checks.done}: </span>` : nothing}<code>${one.text}</code><br />
      <span class="asked">${t.checks.ask(outputOf(one), one.leaf)}</span></span></button></li>`;
}

function verdict(lab: Lab, question: Question, program: Program, outcome: Answer): TemplateResult {
  const [, change] = own(lab);
  const lit = pathOf(lab, question);
  const typed = readNumber(outcome.typed);
  const found = answerOf(program.graph, question.leaf);
  if (!isSettled(outcome)) {
    if (outcome.typed && typed === null) return html`<p class="bad">${t.notNumber}</p>`;
    const guess = typed === null ? "" : diagnose(program.graph, question.leaf, typed);
    return html`<p>${typed === null ? nothing : html`<strong class="bad">✗ ${t.checks.wrong(num(typed, 10))}</strong> `}${guess}</p>
        <p>${t.checks.hintText(found.count, question.leaf, program.output)}</p>`;
  }
  const why = outcome.right || typed === null ? "" : diagnose(program.graph, question.leaf, typed);
  return html`
      ${outcome.right ? html`<p><strong class="good">✓ ${t.checks.right}</strong></p>` : typed === null ? nothing : html`<p><strong class="bad">✗ ${t.checks.wrong(num(typed, 10))}</strong> ${why}</p>`}
      <p>${found.count === 1n ? t.checks.onePath : t.checks.manyPaths(found.count, question.leaf)}</p>
      <ul class="paths">
        ${found.largest.map((path, i) => {
          const way = path.nodes.map((id) => program.names[id]).join(" → ");
          const product = pathProduct(path);
          const show = (): void => change({ path: i, of: keyOf(question) });
          return html`<li><button class="path" aria-pressed=${lit === i} @click=${show} @mouseenter=${show}><span class="way">${way}</span><span class="product">${product}</span></button></li>`;
        })}
        ${found.complete ? nothing : html`<li class="why">…</li>`}
      </ul>
      ${found.count > 1n ? html`<p class="sum">${pathSum(found)}</p>` : nothing}`;
}

/** Whether a wrong number was typed, or the paths were asked for: a hint alone is no miss. */
function isMissed(outcome: Answer | undefined): boolean {
  return outcome !== undefined && (readNumber(outcome.typed) !== null || outcome.missed > 1);
}

function keyOf({ id, text, values }: Question): string {
  return `check.${id === OWN ? JSON.stringify([text, values]) : id}`;
}

function outputOf(question: Question): string {
  return programOf(graphOf(question)).output;
}
