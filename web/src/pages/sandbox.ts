/** The sandbox: type, slide, play. Five views of one walk answer each other. */

import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Lab } from "../app/lab.ts";
import { isConnected } from "../app/server.ts";
import { codePanel } from "../parts/code.ts";
import { rulePanel } from "../parts/equation.ts";
import { eventTable } from "../parts/events.ts";
import { controls } from "../parts/expression.ts";
import { numberTable } from "../parts/numbers.ts";
import { stage } from "../parts/stage.ts";
import { transport } from "../parts/transport.ts";
import { triesList } from "../parts/tries.ts";
import { greeting } from "../parts/welcome.ts";
import { t } from "../strings/index.ts";

export function sandboxPage(lab: Lab): TemplateResult {
  return html`
    ${transport(lab)}
    ${lab.embedded ? nothing : greeting(lab)}
    ${controls(lab, lab.fixed ? nothing : triesList(lab))}
    ${stage(lab)}
    <div class="dock four">${linkedPanels(lab)}</div>`;
}

/** Events, chain rule, code and numbers; they change with the event, not with the frame. */
export function linkedPanels(lab: Lab): unknown {
  const { program, frame, state, dispatch } = lab;
  // What is still to be predicted is said nowhere: not of a picked node, and not by Python.
  const hides = program.line.events[lab.veil] !== undefined;
  const checks = isConnected() && !lab.fixed && !hides;
  return guard(
    [t, program, frame.index, frame.landed, state.node, state.edge, state.final, lab.veil, checks],
    () => [
      panel(t.events.title, eventTable(program, frame, lab.seek, lab.veil), "table"),
      panel(t.equation.title, rulePanel(lab), "rule"),
      panel(t.code.title, codePanel(program, frame), "engine"),
      panel(
        t.numbers.title,
        numberTable(program, frame, state.node, state.final, (id) =>
          dispatch({ type: "pick", node: id }),
        ),
        "table",
        checks
          ? html`<button class="toggle" @click=${() => dispatch({ type: "proof", on: true })}>${t.proof.button}</button>`
          : nothing,
      ),
    ],
  );
}

export function panel(
  title: string,
  body: unknown,
  kind = "",
  tool: unknown = nothing,
): TemplateResult {
  return html`<section class="panel ${kind}"><div class="title"><h2>${title}</h2>${tool}</div><div class="body" tabindex="0" role="region" aria-label=${title}>${body}</div></section>`;
}
