/**
 * Predict before reveal: the walk waits at each contribution until someone has said a number. The first
 * wrong number gets a hint, the second the answer.
 */

import { html, nothing, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import type { Lab } from "../app/lab.ts";
import { type Answer, isSettled, PREDICT, predicted, predictions } from "../app/state.ts";
import { accepts, num, readNumber } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { product } from "../teach/arithmetic.ts";
import { reasonOf } from "../teach/narration.ts";

/** Whether the walk waits for a number just now. */
export function asks({ program, veil, frame }: Lab): boolean {
  const event = program.line.events[veil];
  return event !== undefined && frame.time >= event.start - 1e-6;
}

export function predictBox(lab: Lab): TemplateResult {
  const { program, veil } = lab;
  const event = program.line.events[veil];
  const push = event.push!;
  const words = t.predictBox;
  const said = predicted(lab.state, veil);
  const answer = (typed: string): void => {
    const right = accepts(push.contribution, typed);
    lab.dispatch({ type: "tell", key: `${PREDICT}${veil}`, typed, right });
    if (!right && !said) return;
    lab.dispatch({ type: "play", on: false, time: event.start + 1 });
    lab.step(1);
  };
  const submit = (submitted: SubmitEvent): void => {
    submitted.preventDefault();
    const form = submitted.target as HTMLFormElement;
    const input = form.elements.namedItem("prediction") as HTMLInputElement;
    const bad = readNumber(input.value) === null;
    input.setAttribute("aria-invalid", String(bad));
    form.querySelector(".invalid")!.textContent = bad ? t.notNumber : "";
    if (bad) {
      input.focus();
      return;
    }
    const typed = input.value;
    if (said || accepts(push.contribution, typed)) input.value = "";
    else input.select();
    answer(typed);
  };
  return html`<form class="words predict" @submit=${submit} novalidate>
    <p class="what"><label for="prediction">${words.ask(program.names[event.node], program.names[push.to], num(push.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${words.input} aria-describedby="prediction-note" ${ref((input) => answerHere(input as HTMLInputElement | undefined, veil))} />
      <button class="primary">${t.checks.check}</button>
      <button type="button" class="toggle" @click=${() => answer("")}>${said ? words.show : t.checks.hint}</button>
      <span class="score">${score(lab)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${said ? hint(lab, said) : (lastAnswer(lab) ?? words.rule(num(push.incoming)))}</p>
  </form>`;
}

/** The walk waits for a number: who is not typing elsewhere can type it at once, once a question. */
function answerHere(input: HTMLInputElement | undefined, veil: number): void {
  if (!input || input.dataset.veil === String(veil)) return;
  input.dataset.veil = String(veil);
  queueMicrotask(() => {
    const { activeElement } = input.getRootNode() as ShadowRoot;
    if (!activeElement?.matches("input, gradwalk-number, select"))
      input.focus({ preventScroll: true });
  });
}

/** The rule of the operation, and not its number. */
function hint(lab: Lab, said: Answer): TemplateResult {
  const { program, veil } = lab;
  const { node } = program.line.events[veil];
  const words = t.predictBox;
  return html`${said.typed ? html`<strong class="bad">✗ ${t.checks.wrong(said.typed)}</strong> ` : nothing}${words.hintText(reasonOf(program, node))}`;
}

/** What became of the last prediction: a wrong one gets its reason. */
function lastAnswer(lab: Lab): TemplateResult | null {
  const known = predictions(lab.state).map(([event]) => event);
  const index = Math.max(-1, ...known.filter((event) => event < lab.veil));
  const answer = predicted(lab.state, index);
  const event = lab.program.line.events[index];
  if (!answer || !event?.push) return null;
  if (answer.right) return html`<strong class="good">✓ ${t.checks.right}</strong>`;
  const text = product(event.push);
  const { wrong, was } = t.predictBox;
  return html`<strong class="bad">${answer.typed ? wrong(answer.typed, text) : was(text)}</strong> ${t.narration.rule(reasonOf(lab.program, event.node))}`;
}

function score(lab: Lab): string {
  const answers = predictions(lab.state).flatMap(([, one]) => (isSettled(one) ? [one] : []));
  const right = answers.filter((one) => one.right);
  const hinted = right.filter((one) => one.missed > 0).length;
  const words = t.predictBox;
  const first = answers.length ? words.score(right.length, answers.length) : "";
  return hinted ? `${first}, ${words.hinted(hinted)}` : first;
}

/** Once everything was predicted: the score, and another go. Null while there is more to say. */
export function predictEnd(lab: Lab): TemplateResult | null {
  const { state, program, veil } = lab;
  if (!state.predict || state.page !== "sandbox" || program.line.events[veil]) return null;
  const answers = predictions(state);
  if (!answers.length || lab.frame.time < program.line.total - 1) return null;
  const all = answers.every(([, one]) => one.right);
  return html`<div class="words predict">
    <p class="what"><span class=${all ? "good" : ""}>${all ? "✓ " : ""}${score(lab)}</span>
      <button class="primary" @click=${() => lab.dispatch({ type: "again", time: 0 })}>${t.predictBox.again}</button></p>
    <p class="why">${lastAnswer(lab) ?? ""} ${all ? t.predictBox.all : t.predictBox.some}</p>
  </div>`;
}
