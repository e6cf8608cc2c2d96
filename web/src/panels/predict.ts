/** Predict before reveal: the walk waits at each contribution until someone has said a number. */

import { html, nothing, type TemplateResult } from "lit";
import { accepts, num, readNumber } from "../format.ts";
import type { Lab } from "../lab.ts";
import { product } from "../scene/edge.ts";
import { en } from "../strings/en.ts";
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
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${words.input} />
      <button class="primary">${words.check}</button>
      <button type="button" class="toggle" @click=${() => answer("?")}>${words.show}</button>
    </p>
    <p class="why">${before ?? nothing} ${score(lab)}</p>
  </form>`;
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
