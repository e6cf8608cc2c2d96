/** Both trace tables of a walk: the sort with its stack, and backward node by node. */

import { html, nothing, type TemplateResult } from "lit";
import { isConst, type Push } from "../core/index.ts";
import { num, shown, signOf, wrapped } from "../format.ts";
import type { Program } from "../program.ts";
import { en } from "../strings/en.ts";
import { relation } from "../teach/arithmetic.ts";
import type { Frame } from "../timeline.ts";

const AROUND = 60;

export function sortTable(
  program: Program,
  frame: Frame,
  seek: (time: number) => void,
): TemplateResult {
  const { walk, names, line } = program;
  const words = en.trace;
  const firstEvent = line.events.findIndex((event) => event.phase === "sort");
  const now = frame.index - firstEvent;
  const low = Math.max(0, Math.min(now, walk.sort.length) - AROUND);
  const stack = (entries: readonly (readonly [number, number])[]): string =>
    entries.map(([id, index]) => `(${names[id]},${index})`).join(" ") || words.empty;
  return html`<table class="trace sort">
    <caption>${words.sort}</caption>
    <thead><tr><th scope="col" class="index">#</th><th scope="col">${words.pop}</th><th scope="col">${words.stack}</th><th scope="col">${words.visited}</th><th scope="col">${words.sorted}</th></tr></thead>
    <tbody>
      ${walk.sort.slice(low, low + 2 * AROUND).map((step, i) => {
        const index = low + i;
        const [id, input] = step.pop;
        const event = line.events[firstEvent + index];
        const known = index <= now;
        const note =
          step.note === "leaf" || step.note === "done"
            ? words[step.note]
            : step.note
              ? words.already(names[program.graph.nodes[id].operands[input]])
              : "";
        return html`<tr class=${`sort ${index === now ? "now" : known ? "past" : "ahead"}`} aria-current=${index === now ? "step" : nothing} @click=${() => seek(event.end)}>
          <td class="index"><button class="bare" aria-label=${en.events.goto(index + 1, words.sort)}>${index + 1}</button></td>
          <td class="who">${known ? html`(${names[id]},${input}) <span class="note">${note}</span>` : "·"}</td>
          <td class="how">${known ? stack(step.stack) : "·"}</td>
          <td class="how">${known ? visitedBy(program, step.stack, step.sorted) : "·"}</td>
          <td class="how">${known ? step.sorted.map((one) => names[one]).join(" ") : "·"}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

/** What the sort has seen is what it has placed and what still lies on its stack. */
function visitedBy(
  program: Program,
  stack: readonly (readonly [number, number])[],
  sorted: readonly number[],
): string {
  const seen = new Set([...sorted, ...stack.map(([id]) => id)]);
  return [...seen]
    .sort((x, y) => x - y)
    .map((id) => program.names[id])
    .join(" ");
}

export function backwardTable(
  program: Program,
  frame: Frame,
  seek: (time: number) => void,
): TemplateResult {
  const { walk, names, line, graph } = program;
  const words = en.trace;
  const { event } = frame;
  const now =
    event?.phase === "backward" && event.kind !== "seed"
      ? event.row
      : event?.phase === "backward"
        ? 0
        : -1;
  const steps = walk.backward
    .map((step, row) => ({ step, row }))
    .filter(({ step }) => !isConst(graph.nodes[step.node]));
  const low = Math.max(0, now - AROUND);
  return html`<table class="trace backward">
    <caption>${words.backward}</caption>
    <thead><tr><th scope="col" class="index">#</th><th scope="col">${words.node}</th><th scope="col">${words.pushes}</th></tr></thead>
    <tbody>
      ${steps.slice(low, low + 2 * AROUND).map(({ step, row }) => {
        const events = line.events
          .map((one, i) => ({ one, i }))
          .filter(({ one }) => one.phase === "backward" && one.row === row && one.kind !== "seed");
        const known = row < now || (row === now && event?.kind !== "seed");
        const end = events.at(-1)?.one.end ?? 0;
        return html`<tr class=${`backward ${row === now ? "now" : known ? "past" : "ahead"}`} aria-current=${row === now ? "step" : nothing} @click=${() => seek(end)}>
          <td class="index"><button class="bare" aria-label=${en.events.goto(row + 1, words.backward)}>${row + 1}</button></td>
          <td class="who">${frame.phase === "backward" ? names[step.node] : "·"} (${known || (row === now && step.node === graph.root) ? num(step.grad) : "·"})</td>
          <td class="how">${
            known
              ? step.note
                ? step.note === "leaf"
                  ? words.skipped
                  : words.skippedZero
                : events
                    .filter(({ i }) => i <= frame.index)
                    .map(({ one }) => (one.push ? pushText(program, one.push) : nothing))
              : "·"
          }</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

function pushText(program: Program, push: Push): TemplateResult {
  const { local, incoming, contribution, before, after, to } = push;
  const computed = shown(local) * shown(incoming);
  const result =
    before === 0 ? ` ${relation(computed, contribution)} ${num(contribution)}` : ` → ${num(after)}`;
  return html`<span class="push ${signOf(contribution)}">${program.names[to]} += ${wrapped(local)}·${wrapped(incoming)}${result}</span>`;
}
