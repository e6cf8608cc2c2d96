/** Predict before reveal: the walk waits at each contribution until someone has said a number. */

import { html, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { accepts, num, readNumber } from "../format.ts";
import type { Lab } from "../lab.ts";
import { en } from "../strings/en.ts";
import { product } from "../teach/arithmetic.ts";
import { reasonOf } from "./narration.ts";

export function predictBox(lab: Lab): TemplateResult {
  const { program, veil } = lab;
  const event = program.line.events[veil];
  const push = event.push!;
  const words = en.predictBox;
  const answer = (typed: string): void => {
    lab.dispatch({ type: "answer", event: veil, typed, right: accepts(push.contribution, typed) });
    lab.dispatch({ type: "play", on: false, time: event.start + 1 });
    lab.step(1);
  };
  const submit = (submitted: SubmitEvent): void => {
    submitted.preventDefault();
    const form = submitted.target as HTMLFormElement;
    const input = form.elements.namedItem("prediction") as HTMLInputElement;
    if (readNumber(input.value) === null) {
      input.focus();
      input.setAttribute("aria-invalid", "true");
      return;
    }
    const typed = input.value;
    input.value = "";
    input.removeAttribute("aria-invalid");
    answer(typed);
  };
  const before = lastAnswer(lab);
  return html`<form class="words predict" @submit=${submit}>
    <p class="what"><label for="prediction">${words.ask(program.names[event.node], program.names[push.to], num(push.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${words.input} ${ref((input) => answerHere(input as HTMLInputElement | undefined, veil))} />
      <button class="primary">${words.check}</button>
      <button type="button" class="toggle" @click=${() => answer("?")}>${words.show}</button>
      <span class="score">${score(lab)}</span>
    </p>
    <p class="why">${before ?? words.hint(num(push.incoming))}</p>
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

/** What became of the last prediction: a wrong one gets its reason. */
function lastAnswer(lab: Lab): TemplateResult | null {
  const index = Math.max(-1, ...[...lab.state.answers.keys()].filter((key) => key < lab.veil));
  const answer = lab.state.answers.get(index);
  const event = lab.program.line.events[index];
  if (!answer || !event?.push) return null;
  if (answer.right) return html`<strong class="good">✓ ${en.predictBox.right}</strong>`;
  const typed = answer.typed === "?" ? "" : en.predictBox.wrong(answer.typed, product(event.push));
  return html`<strong class="bad">${typed}</strong> ${reasonOf(lab.program, event.node)}.`;
}

export function score(lab: Lab): string {
  const answers = [...lab.state.answers.values()];
  return answers.length
    ? en.predictBox.score(answers.filter((one) => one.right).length, answers.length)
    : "";
}
