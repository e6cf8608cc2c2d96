/**
 * The event table: the text twin of the picture. Choosing a row goes to that moment. While backward is
 * on its way, the events of forward are one row.
 */

import { html, nothing, type TemplateResult } from "lit";
import { memo, type Program } from "../app/derive.ts";
import type { Frame } from "../app/timeline.ts";
import { vars } from "../scene/css.ts";
import { letters, UNKNOWN } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { is } from "../teach/arithmetic.ts";
import { row } from "../teach/narration.ts";
import { panel } from "./panel.ts";
import { rows } from "./rows.ts";

export function eventPanel(...given: Parameters<typeof eventTable>): TemplateResult {
  const { events, phases } = given[0].line;
  const counts = phases.map(({ phase }) => {
    const count = events.filter((event) => event.phase === phase).length;
    return `${t.phases[phase]} ${count}`;
  });
  const beside = html`<span class="score">${counts.join(", ")}</span>`;
  return panel(t.events.title, eventTable(...given), "table", beside);
}

function eventTable(
  program: Program,
  frame: Frame,
  seek: (time: number) => void,
  veil = Number.POSITIVE_INFINITY,
): TemplateResult {
  const { events } = program.line;
  const words = t.events;
  const forward =
    frame.phase === "backward" ? events.findIndex((one) => one.phase !== "forward") : 0;
  const folded = forward > 2 ? forward : 0;
  const first = Math.max(0, folded - 1);
  const line = (at: number): TemplateResult => {
    const index = at + first;
    if (folded && !at) return fold();
    const event = events[index];
    const { what, how, result } = row(program, event);
    // What is to come, and what someone is asked for, is said nowhere.
    const asked = index >= veil && event.phase === "backward";
    const hidden = asked ? "?" : index > frame.index ? UNKNOWN : null;
    const state = index === frame.index ? "now" : index < frame.index ? "past" : "ahead";
    return html`<tr class="${event.phase} ${state}" aria-rowindex=${at + 2} aria-current=${index === frame.index ? "step" : nothing} @click=${() => seek(event.end)}>
      <td class="index"><button class="bare" aria-label=${words.goto(index + 1, what)} @click=${(
        click: Event,
      ) => {
        click.stopPropagation();
        seek(event.end);
      }}>${index + 1}</button></td>
      <td class="who" title=${what}>${what}</td>
      ${event.phase === "sort" ? html`<td class="how" colspan="2" title=${hidden ?? how}>${hidden ?? how}</td>` : html`<td class="how">${hidden ?? how}</td><td class="end">${hidden ?? result}</td>`}
    </tr>`;
  };
  const fold = (): TemplateResult => {
    const { graph, output } = program;
    const what = words.folded(folded, `${output} ${is(graph.nodes[graph.root].data)}`);
    const { end } = events[first];
    return html`<tr class="forward past fold" aria-rowindex="2" @click=${() => seek(end)}>
      <td class="index"><button class="bare" aria-label=${words.goto(folded, what)}>▸</button></td>
      <td class="who" colspan="3" title=${what}>${what}</td>
    </tr>`;
  };
  return html`<table class="events" aria-rowcount=${events.length - first + 1} ${vars(room(program))}>
    <caption class="hidden">${words.caption}</caption>
    <thead>
      <tr aria-rowindex="1"><th scope="col" class="index">${words.number}</th><th scope="col">${words.what}</th><th scope="col">${words.how}</th><th scope="col" class="end">${words.result}</th></tr>
    </thead>
    <tbody>${rows({ count: events.length - first, now: frame.index - first, columns: 4, row: line })}</tbody>
  </table>`;
}

/** The longest arithmetic of two numbers, `−1.234e−300 × −1.234e−300`; a longer one may be cut. */
const LONGEST = 25;

/** How many letters the columns of numbers need, so that none is cut. */
const room = memo((program: Program): Record<string, string> => {
  const { graph, line } = program;
  let [how, result] = [0, 0];
  const need = (text: number, number: number): void => {
    how = Math.max(how, Math.min(text, LONGEST));
    result = Math.max(result, 2 + letters(number));
  };
  for (const event of line.events) {
    const { push, kind } = event;
    const { op, operands, data } = graph.nodes[event.node];
    if (push) need(letters(push.incoming) + 3 + letters(push.local), push.contribution);
    else if (kind === "compute") {
      const around = /^\w/.test(op) ? op.length : op.length - 2; // max(a, b), but a + b
      need(
        operands.reduce((sum, id) => sum + 2 + letters(graph.nodes[id].data), around),
        data,
      );
    } else if (kind === "leaf")
      need(row(program, event).how.length, program.walk.grads[event.node]);
  }
  return {
    "--digits": String(String(line.events.length).length),
    "--how": String(how),
    "--result": String(result),
  };
});
