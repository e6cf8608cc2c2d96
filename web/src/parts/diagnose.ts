/** The game of the bug lab: wrong numbers are shown, and someone says which bug made them. */

import { html, nothing, type TemplateResult } from "lit";
import { memo, type Program, programOf } from "../app/derive.ts";
import type { Lab } from "../app/lab.ts";
import { diagnosed, progress } from "../app/progress.ts";
import { anySeed, randomFrom } from "../app/random.ts";
import { frameAt } from "../app/timeline.ts";
import { isConst } from "../core/index.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { is } from "../teach/arithmetic.ts";
import { type Case, drawCase, outcomes } from "../teach/cases.ts";
import { graphOf } from "../teach/generate.ts";

const CHOICES = ["overwrite", "wrong-order", "no-reset", "no-visited"];

/** The same number, the same case. */
const caseOf = memo((seed: number): { shown: Case; program: Program } => {
  const shown = drawCase(randomFrom(seed));
  return { shown, program: programOf(graphOf(shown), { bug: shown.bug, compare: true }) };
});

export function diagnosis(lab: Lab): TemplateResult {
  const { state, dispatch } = lab;
  const { shown, program } = caseOf(state.seed);
  const { text, values, bug } = shown;
  const { right, all } = progress();
  const key = `case.${state.seed}`;
  const answer = state.told.get(key)?.typed ?? "";
  const choose = (one: string): void => {
    if (answer) return;
    dispatch({ type: "tell", key, typed: one, right: one === bug });
    diagnosed(one === bug);
  };
  const at = Object.entries(values)
    .map(([name, value]) => `${name} ${is(value)}`)
    .join(", ");
  return html`<section class="stage game">
      <div class="banner">
        <div class="words"><p class="what">${text}</p><p class="why">${t.checks.where(at)}</p></div>
        <span class="score">${all ? t.predictBox.score(right, all) : nothing}</span>
      </div>
      <gradwalk-scene class="picture" .program=${program} .frame=${frameAt(program.line, program.line.total)} .compare=${true}></gradwalk-scene>
    </section>
    <section class="panel quiz" aria-live="polite">
      <div class="body">
        <p class="ask">${t.bugs.game}</p>
        <div class="actions choices">
          ${CHOICES.map(
            (one) => html`<button
              class="toggle ${answer && one === bug ? "is-right" : ""} ${one === answer && one !== bug ? "is-wrong" : ""}"
              data-choice=${one}
              aria-pressed=${one === answer}
              ?disabled=${answer !== "" && one !== answer && one !== bug}
              @click=${() => choose(one)}
            >${t.bugs.names[one]}</button>`,
          )}
        </div>
        ${answer ? verdict(lab, shown, program, answer) : nothing}
      </div>
    </section>`;
}

function verdict(lab: Lab, { text, values, bug }: Case, program: Program, answer: string): unknown {
  const explore = (): void => {
    lab.dispatch({ type: "load", text, values });
    lab.dispatch({ type: "bug", bug });
    lab.dispatch({ type: "set", change: { game: false } });
  };
  return html`<div class="verdict">
    ${
      answer === bug
        ? html`<p><strong class="good">✓ ${t.bugs.correct(t.bugs.names[bug])}</strong></p>`
        : html`<p><strong class="bad">✗ ${t.bugs.incorrect(t.bugs.names[answer])}</strong> <code>${numbersOf(program, answer)}</code></p>
            <p>${t.bugs.was(t.bugs.names[bug])}</p>`
    }
    <p><strong>${t.bugs.evidence}</strong> ${t.bugs.clues[bug]}</p>
    <p class="actions">
      <button class="primary" @click=${() => lab.dispatch({ type: "set", change: { seed: anySeed() } })}>${t.bugs.next}</button>
      ${lab.fixed ? nothing : html`<button class="toggle" @click=${explore}>${t.bugs.explore}</button>`}
    </p>
  </div>`;
}

/** What the gradients would be with another bug. */
function numbersOf({ graph, names }: Program, bug: string): string {
  const grads = outcomes(graph).get(bug)!;
  return graph.nodes
    .filter((node) => !isConst(node))
    .map((node) => `${names[node.id]} ${num(grads[node.id])}`)
    .join("   ");
}
