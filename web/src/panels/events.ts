/** The event table: the text twin of the picture. Choosing a row goes to that moment. */

import { html, nothing, type TemplateResult } from "lit";
import type { Program } from "../program.ts";
import { en } from "../strings/en.ts";
import type { Frame } from "../timeline.ts";
import { row } from "./narration.ts";

/** A long table keeps only the rows around the current one, or every move would pay for all. */
const MANY = 60;
const AROUND = 20;

export function eventTable(
  program: Program,
  frame: Frame,
  seek: (time: number) => void,
  veil = Number.POSITIVE_INFINITY,
): TemplateResult {
  const { events } = program.line;
  const around = events.length > MANY ? AROUND : MANY;
  const first = Math.max(0, frame.index - around);
  const last = Math.min(events.length, Math.max(frame.index, 0) + around);
  const words = en.events;
  return html`<table class="events">
    <caption class="hidden">${words.caption}</caption>
    <thead>
      <tr><th scope="col" class="index">${words.number}</th><th scope="col">${words.what}</th><th scope="col">${words.how}</th><th scope="col" class="end">${words.result}</th></tr>
    </thead>
    <tbody>
      ${first > 0 ? html`<tr><td colspan="4">${words.more(first)}</td></tr>` : nothing}
      ${events.slice(first, last).map((event, i) => {
        const index = first + i;
        const text = row(program, event);
        const hidden = index >= veil && event.phase === "backward";
        const state = index === frame.index ? "now" : index < frame.index ? "past" : "ahead";
        return html`<tr class="${event.phase} ${state}" aria-current=${index === frame.index ? "step" : nothing} @click=${() => seek(event.end)}>
          <td class="index"><button class="bare" aria-label=${words.goto(index + 1, text.what)} @click=${(
            click: Event,
          ) => {
            click.stopPropagation();
            seek(event.end);
          }}>${index + 1}</button></td>
          <td class="who">${text.what}</td>
          <td class="how">${hidden ? "?" : text.how}</td>
          <td class="end">${hidden ? "?" : text.result}</td>
        </tr>`;
      })}
      ${last < events.length ? html`<tr><td colspan="4">${words.more(events.length - last)}</td></tr>` : nothing}
    </tbody>
  </table>`;
}
