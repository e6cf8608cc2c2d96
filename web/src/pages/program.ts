/** The program: the expression as it is recorded and compiled, beside its graph. */

import { html, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import { controls } from "../parts/expression.ts";
import { stage } from "../parts/stage.ts";
import { t } from "../strings/index.ts";
import "../parts/program.ts";

export function programPage(lab: Lab): TemplateResult {
  const { state, program, dispatch } = lab;
  return html`
    ${controls(lab)}
    <div class="beside">
      ${stage(lab, {
        switches: [],
        headline: html`<div class="words"><p class="what">${t.program.head}</p><p class="why">${t.program.how}</p></div>`,
      })}
      <section class="panel compiled">
        <div class="title"><h2>${t.program.title}</h2></div>
        <gradwalk-program .answer=${state.compiled} ?fixed=${lab.fixed} .graph=${program.graph} .node=${state.node}
          @pick=${(event: CustomEvent<number | null>) => dispatch({ type: "pick", node: event.detail })}></gradwalk-program>
      </section>
    </div>`;
}
