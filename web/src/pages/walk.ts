/** Walk it backward: one click, one event; the picture and both trace tables step together. */

import { html, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Lab } from "../app/lab.ts";
import { codePanel } from "../parts/code.ts";
import { equationPanel } from "../parts/equation.ts";
import { controls } from "../parts/expression.ts";
import { icon } from "../parts/icons.ts";
import { stage } from "../parts/stage.ts";
import { backwardTable, sortTable } from "../parts/trace.ts";
import { transport } from "../parts/transport.ts";
import { t } from "../strings/index.ts";
import { panel } from "./sandbox.ts";

export function walkPage(lab: Lab): TemplateResult {
  const { program, frame, state } = lab;
  return html`
    <div class="stepper">${transport(lab)}${stepButton(lab)}</div>
    ${controls(lab)}
    ${stage(lab, { switches: ["unfold"] })}
    <div class="dock traces">
      ${guard([t, program, frame.index, frame.landed, state.node, state.edge], () => [
        panel(t.trace.sort, sortTable(program, frame, lab.seek), "table"),
        panel(t.trace.backward, backwardTable(program, frame, lab.seek), "table"),
        panel(t.equation.title, equationPanel(program, frame, state.node, state.edge), "rule"),
        panel(t.code.title, codePanel(program, frame), "engine"),
      ])}
    </div>`;
}

/** The one large button: it says what the next click begins. */
function stepButton(lab: Lab): TemplateResult {
  const { events } = lab.program.line;
  const next =
    events[
      lab.frame.landed && lab.frame.time >= (lab.frame.event?.end ?? 0) - 1e-6
        ? lab.frame.index + 1
        : lab.frame.index
    ];
  const starts = next && next.phase !== lab.frame.event?.phase;
  const label = !next
    ? t.toStart
    : !starts
      ? t.step
      : next.phase === "forward"
        ? t.startForward
        : next.phase === "sort"
          ? t.startSort
          : t.startBackward;
  return html`<button class="primary step-on ${next?.phase ?? ""}" @click=${() => (next ? lab.step(1) : lab.seek(0))}>${icon(next ? "step" : "start")} ${label}</button>`;
}
