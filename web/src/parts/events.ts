/** The event table: the text twin of the picture. Choosing a row goes to that moment. */

import { html, nothing, type TemplateResult } from "lit";
import type { Program } from "../app/derive.ts";
import type { Frame } from "../app/timeline.ts";
import { vars } from "../scene/css.ts";
import { UNKNOWN } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { row } from "../teach/narration.ts";
import { rows } from "./rows.ts";

export function eventTable(
  program: Program,
  frame: Frame,
  seek: (time: number) => void,
  veil = Number.POSITIVE_INFINITY,
): TemplateResult {
  const { events } = program.line;
  const words = t.events;
  const line = (index: number): TemplateResult => {
    const event = events[index];
    const { what, how, result } = row(program, event);
    // What is to come, and what someone is asked for, is said nowhere.
    const asked = index >= veil && event.phase === "backward";
    const hidden = asked ? "?" : index > frame.index ? UNKNOWN : null;
    const state = index === frame.index ? "now" : index < frame.index ? "past" : "ahead";
    return html`<tr class="${event.phase} ${state}" aria-rowindex=${index + 2} aria-current=${index === frame.index ? "step" : nothing} @click=${() => seek(event.end)}>
      <td class="index"><button class="bare" aria-label=${words.goto(index + 1, what)} @click=${(
        click: Event,
      ) => {
        click.stopPropagation();
        seek(event.end);
      }}>${index + 1}</button></td>
      <td class="who" title=${what}>${what}</td>
      <td class="how">${hidden ?? how}</td>
      <td class="end">${hidden ?? result}</td>
    </tr>`;
  };
  return html`<table class="events" aria-rowcount=${events.length + 1} ${vars({ "--digits": String(String(events.length).length) })}>
    <caption class="hidden">${words.caption}</caption>
    <thead>
      <tr aria-rowindex="1"><th scope="col" class="index">${words.number}</th><th scope="col">${words.what}</th><th scope="col">${words.how}</th><th scope="col" class="end">${words.result}</th></tr>
    </thead>
    <tbody>${rows({ count: events.length, now: frame.index, columns: 4, row: line })}</tbody>
  </table>`;
}
