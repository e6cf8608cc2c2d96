/** The door Play: one stage with four tabs, and beside it what happens now and all events. */

import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Lab } from "../app/lab.ts";
import { controls } from "../parts/expression.ts";
import { pullPart } from "../parts/holding.ts";
import { later } from "../parts/later.ts";
import { panel } from "../parts/panel.ts";
import { rail } from "../parts/rail.ts";
import { stage, theatre } from "../parts/stage.ts";
import { tabs } from "../parts/tabs.ts";
import { backwardTable, sortTable } from "../parts/trace.ts";
import { triesList } from "../parts/tries.ts";
import { greeting } from "../parts/welcome.ts";
import { t } from "../strings/index.ts";

/** Pulse: type, slide, play. */
export function pulsePage(lab: Lab): TemplateResult {
  return html`
    ${lab.embedded ? nothing : greeting(lab)}
    ${theatre(
      stage(lab, { head: tabs(lab), pulls: true }),
      controls(lab, lab.fixed ? nothing : triesList(lab)),
      pullPart(lab)?.pullRail(lab) ?? rail(lab),
    )}`;
}

/** Tables: the sort with its stack, and backward node by node, step together with the picture. */
export function tablesPage(lab: Lab): TemplateResult {
  const { program, frame } = lab;
  const tables = guard([t, program, frame.index, frame.landed], () => [
    panel(t.trace.sort, sortTable(program, frame, lab.seek), "table"),
    panel(t.trace.backward, backwardTable(program, frame, lab.seek), "table"),
  ]);
  const picture = stage(lab, { head: tabs(lab), switches: ["unfold"] });
  return theatre([picture, html`<div class="pair">${tables}</div>`], controls(lab), rail(lab));
}

/** Compiled: the expression as it is recorded and compiled, beside its graph. */
export function compiledPage(lab: Lab): TemplateResult {
  const { state, program, dispatch } = lab;
  const picture = stage(lab, { head: tabs(lab), switches: [], foot: nothing });
  const listing = html`<section class="panel compiled">
    <div class="title"><h2>${t.pages.program}</h2></div>
    <p class="why">${t.program.how}</p>
    ${later("program", () => import("../parts/program.ts"), lab.refresh) ?? nothing}
    <gradwalk-program .answer=${state.compiled} .fixed=${lab.fixed} .graph=${program.graph} .node=${state.node}
      @pick=${(event: CustomEvent<number | null>) => dispatch({ type: "pick", node: event.detail })}></gradwalk-program>
  </section>`;
  return theatre(picture, controls(lab), html`<div class="rail">${listing}</div>`);
}
