/** The sandbox: type, slide, play. Five views of one walk answer each other. */

import { html, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Lab } from "../lab.ts";
import { codePanel } from "../panels/code.ts";
import { equationPanel } from "../panels/equation.ts";
import { eventTable } from "../panels/events.ts";
import { expressionBox, variables } from "../panels/expression.ts";
import { numberTable } from "../panels/numbers.ts";
import { stage } from "../panels/stage.ts";
import { transport } from "../panels/transport.ts";
import { triesList } from "../panels/tries.ts";
import { en } from "../strings/en.ts";

export function sandboxPage(lab: Lab): TemplateResult {
  return html`
    <div class="controls">${lab.fixed ? "" : html`${expressionBox(lab)}${variables(lab)}${triesList(lab)}`}</div>
    ${stage(lab)}
    ${transport(lab)}
    <div class="dock four">${linkedPanels(lab)}</div>`;
}

/** Events, chain rule, code and numbers; they change with the event, not with the frame. */
export function linkedPanels(lab: Lab): unknown {
  const { program, frame, state, dispatch } = lab;
  return guard(
    [program, frame.index, frame.landed, state.node, state.edge, state.final, lab.veil],
    () => [
      panel(en.events.title, eventTable(program, frame, lab.seek, lab.veil), "table"),
      panel(en.equation.title, equationPanel(program, frame, state.node, state.edge), "rule"),
      panel(en.code.title, codePanel(program, frame), "engine"),
      panel(
        en.numbers.title,
        numberTable(program, frame, state.node, state.final, (id) =>
          dispatch({ type: "pick", node: id }),
        ),
        "table",
      ),
    ],
  );
}

export function panel(title: string, body: unknown, kind = ""): TemplateResult {
  return html`<section class="panel ${kind}"><h2>${title}</h2><div class="body" tabindex="0" role="region" aria-label=${title}>${body}</div></section>`;
}
