/** Checks: work it out, then ask. The questions live in their own element. */

import { html, type TemplateResult } from "lit";
import "../parts/checks.ts";
import type { Lab } from "../app/lab.ts";

export function checksPage(lab: Lab): TemplateResult {
  const { state, dispatch } = lab;
  return html`<gradwalk-checks .text=${lab.fixed ? "" : state.good} .values=${state.values} .question=${state.question}
    @question=${(event: CustomEvent<string>) => dispatch({ type: "question", question: event.detail })}></gradwalk-checks>`;
}
