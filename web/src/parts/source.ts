/** The engine's own source with a note at its lines; the line that runs now is lit. */

import { html, nothing, type TemplateResult } from "lit";
import type { Program } from "../app/derive.ts";
import type { Frame, Happening } from "../app/timeline.ts";
import { t } from "../strings/index.ts";

export interface Row {
  readonly text: string;
  readonly note?: string;
  readonly event?: string;
}

export function sourcePanel(rows: readonly Row[], program: Program, frame: Frame): TemplateResult {
  const now = frame.event ? eventName(program, frame.event) : "";
  return html`<ol class="code annotated ${frame.phase}" aria-label=${t.code.title}>
    ${rows.map(({ text, note, event }) => html`<li class=${event !== undefined && event === now ? "now" : ""}><code>${text}</code>${note ? html`<span class="remark">${note}</span>` : nothing}</li>`)}
  </ol>`;
}

/** What a line of the source is marked with, for an event of a walk. */
function eventName(program: Program, event: Happening): string {
  switch (event.kind) {
    case "compute":
      return program.graph.nodes[event.node].op;
    case "sort":
      return program.walk.sort[event.row].note === "leaf"
        ? "leaf"
        : program.walk.sort[event.row].note === "done"
          ? "done"
          : program.walk.sort[event.row].note
            ? "visited"
            : "push";
    case "leaf":
      return "skip";
    default:
      return event.kind;
  }
}
