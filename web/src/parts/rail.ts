/** The rail beside a picture: what happens now, in words and by the chain rule, and all events. */

import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Lab } from "../app/lab.ts";
import { t } from "../strings/index.ts";
import { codePanel } from "./code.ts";
import { rulePanel } from "./equation.ts";
import { eventPanel } from "./events.ts";
import { happening } from "./stage.ts";

/** What happens now: in words, by the chain rule, and in the engine's own line; then all events. */
export function rail(lab: Lab, below: unknown = nothing): TemplateResult {
  const { program, frame, state } = lab;
  const { events } = program.line;
  const place = frame.event
    ? `${t.phases[frame.phase]}, ${t.find.found(frame.index + 1, events.length)}`
    : "";
  // They change with the event, not with the frame.
  const keys = [t, program, frame.index, frame.landed, state.node, state.edge, lab.veil];
  return html`<div class="rail">
    <section class="panel rule moment">
      <div class="title"><h2>${t.now}</h2><span class="score">${place}</span></div>
      ${happening(lab)}
      ${guard(
        [...keys, state.hold],
        () => html`
        <div class="body" tabindex="0" role="region" aria-label=${t.equation.title}>${rulePanel(lab)}</div>
        ${codePanel(program, frame, MOST_LINES)}`,
      )}
    </section>
    ${guard(keys, () => eventPanel(program, frame, lab.seek, lab.veil))}
    ${below}
  </div>`;
}

/** So many lines of the engine show where the one of the moment stands. */
const MOST_LINES = 4;
