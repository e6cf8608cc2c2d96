/** Bugs: say which one made wrong numbers, or switch one on and see them beside the right ones. */

import { html, nothing, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import { anySeed } from "../app/random.ts";
import { BUG_IDS } from "../app/state.ts";
import { END } from "../app/store.ts";
import { depth } from "../parts/depth.ts";
import { diagnosis } from "../parts/diagnose.ts";
import { eventPanel } from "../parts/events.ts";
import { controls } from "../parts/expression.ts";
import { panel } from "../parts/panel.ts";
import { stage } from "../parts/stage.ts";
import { t } from "../strings/index.ts";
import { comparison } from "./order.ts";

export function bugsPage(lab: Lab): TemplateResult {
  const { state, dispatch } = lab;
  return html`
    <div class="bar">
      <span class="segments" role="group" aria-label=${t.bugs.mode}>
        ${[true, false].map((game) => html`<button class="segment" aria-pressed=${state.game === game} @click=${() => play(lab, game)}>${game ? t.bugs.diagnose : t.bugs.explore}</button>`)}
      </span>
      ${
        state.game
          ? nothing
          : html`<div class="actions choices" role="group" aria-label=${t.bugs.choose}>
              ${BUG_IDS.map((bug) => html`<button class="toggle" data-bug=${bug} aria-pressed=${state.bug === bug} @click=${() => dispatch({ type: "bug", bug })}>${t.bugs.names[bug]}</button>`)}
            </div>`
      }
    </div>
    ${
      state.game
        ? diagnosis(lab)
        : state.bug === "recursion"
          ? html`<section class="panel explain"><div class="body">${codeLines("recursion")}<p>${t.bugs.what.recursion}</p></div></section>${depth(lab)}`
          : explore(lab)
    }`;
}

function play(lab: Lab, on: boolean): void {
  lab.dispatch({ type: "set", change: { game: on, seed: lab.state.seed || anySeed() } });
}

function explore(lab: Lab): TemplateResult {
  const { program, state, frame } = lab;
  const { wrong } = program.walk;
  const verdict = program.problem
    ? t.bugs.tooMany
    : wrong.length
      ? t.bugs.differs(wrong.length)
      : t.bugs.same;
  const headline =
    frame.time >= program.line.total
      ? html`<div class="words"><p class="what ${wrong.length ? "bad" : "good"}">${wrong.length ? "✗" : "✓"} ${verdict}</p><p class="why" title=${t.bugs.what[state.bug]}>${t.bugs.what[state.bug]}</p></div>
          ${wrong.length || lab.fixed ? nothing : html`<button class="toggle showcase" @click=${() => showcase(lab)}>${t.bugs.showcase}</button>`}`
      : undefined;
  return html`
    ${controls(lab)}
    ${stage(lab, { compare: true, switches: ["unfold"], headline })}
    <div class="dock bugs">
      ${panel(t.bugs.names[state.bug], html`${codeLines(state.bug)}<p class="why">${t.bugs.what[state.bug]}</p>`, "rule")}
      ${panel(t.bugs.table, comparison(program), "table")}
      ${eventPanel(program, frame, lab.seek)}
    </div>`;
}

/** A graph on which each bug cannot hide. */
const SHOWCASES: Record<string, { text: string; values: Record<string, number> }> = {
  overwrite: { text: "d = a*b; e = a + b; f = d*e", values: { a: -2, b: 3 } },
  "wrong-order": { text: "(a + b) * c", values: { a: 2, b: -3, c: 10 } },
  "no-reset": { text: "a * a", values: { a: 3 } },
  "no-visited": { text: "d = a*b; f = d*d", values: { a: 2, b: 3 } },
};

function showcase(lab: Lab): void {
  lab.load(SHOWCASES[lab.state.bug].text, SHOWCASES[lab.state.bug].values);
  lab.seek(END);
}

/** The line as it should be, and as the bug has it. */
export function codeLines(bug: string): TemplateResult {
  const [right, wrong] = t.bugs.code[bug];
  return html`<dl class="diff">
    <div class="good"><dt>✓ ${t.bugs.right}</dt><dd><code>${right}</code></dd></div>
    <div class="bad"><dt>✗ ${t.bugs.wrong}</dt><dd><code>${wrong || t.bugs.missing}</code></dd></div>
  </dl>`;
}
