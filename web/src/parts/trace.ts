/** Both trace tables of a walk: the sort with its stack, and backward node by node. */

import { html, nothing, type TemplateResult } from "lit";
import { memo, type Program } from "../app/derive.ts";
import type { Frame, Timeline } from "../app/timeline.ts";
import { isConst, type Push } from "../core/index.ts";
import { num, signOf, UNKNOWN } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { product } from "../teach/arithmetic.ts";
import { rows } from "./rows.ts";

export function sortTable(
  program: Program,
  frame: Frame,
  seek: (time: number) => void,
): TemplateResult {
  const { walk, names, line } = program;
  const words = t.trace;
  const firstEvent = line.events.findIndex((event) => event.phase === "sort");
  const now = Math.min(frame.index - firstEvent, walk.sort.length);
  const stack = (entries: readonly (readonly [number, number])[]): string =>
    entries.map(([id, index]) => `(${names[id]},${index})`).join(" ") || words.empty;
  const turn = (index: number): TemplateResult => {
    const step = walk.sort[index];
    const [id, input] = step.pop;
    const event = line.events[firstEvent + index];
    const known = index <= now;
    const note =
      step.note === "leaf" || step.note === "done"
        ? words[step.note]
        : step.note
          ? words.already(names[program.graph.nodes[id].operands[input]])
          : "";
    return html`<tr class=${`sort ${index === now ? "now" : known ? "past" : "ahead"}`} aria-rowindex=${index + 2} aria-current=${index === now ? "step" : nothing} @click=${() => seek(event.end)}>
      <td class="index"><button class="bare" aria-label=${t.events.goto(index + 1, words.sort)}>${index + 1}</button></td>
      <td class="who">${known ? html`(${names[id]},${input}) <span class="note">${note}</span>` : UNKNOWN}</td>
      <td class="how">${known ? stack(step.stack) : UNKNOWN}</td>
      <td class="how">${known ? visitedBy(program, step.stack, step.sorted) : UNKNOWN}</td>
      <td class="how">${known ? step.sorted.map((one) => names[one]).join(" ") : UNKNOWN}</td>
    </tr>`;
  };
  return html`<table class="trace sort" aria-rowcount=${walk.sort.length + 1}>
    <caption>${words.sort}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${words.pop}</th><th scope="col">${words.stack}</th><th scope="col">${words.visited}</th><th scope="col">${words.sorted}</th></tr></thead>
    <tbody>${rows({ count: walk.sort.length, now, columns: 5, row: turn })}</tbody>
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

/** The events of each step of backward, but for the seed. */
const eventsOf = memo((line: Timeline): ReadonlyMap<number, readonly number[]> => {
  const found = new Map<number, number[]>();
  line.events.forEach(({ phase, kind, row }, i) => {
    if (phase !== "backward" || kind === "seed") return;
    const known = found.get(row);
    if (known) known.push(i);
    else found.set(row, [i]);
  });
  return found;
});

export function backwardTable(
  program: Program,
  frame: Frame,
  seek: (time: number) => void,
): TemplateResult {
  const { walk, names, line, graph } = program;
  const words = t.trace;
  const { event } = frame;
  const backward = event?.phase === "backward";
  const now = backward ? (event.kind === "seed" ? 0 : event.row) : -1;
  const ofRow = eventsOf(line);
  const steps = walk.backward
    .map((step, row) => ({ step, row }))
    .filter(({ step }) => !isConst(graph.nodes[step.node]));
  const turn = (index: number): TemplateResult => {
    const { step, row } = steps[index];
    const events = ofRow.get(row) ?? [];
    const known = row < now || (row === now && event?.kind !== "seed");
    const seen = known || (row === now && step.node === graph.root);
    const end = line.events[events.at(-1) ?? -1]?.end ?? 0;
    const pushes = (): unknown =>
      events
        .filter((i) => i <= frame.index)
        .map((i) => (line.events[i].push ? pushText(program, line.events[i].push) : nothing));
    const note = step.note === "leaf" ? words.skipped : words.skippedZero;
    return html`<tr class=${`backward ${row === now ? "now" : known ? "past" : "ahead"}`} aria-rowindex=${index + 2} aria-current=${row === now ? "step" : nothing} @click=${() => seek(end)}>
      <td class="index"><button class="bare" aria-label=${t.events.goto(row + 1, words.backward)}>${row + 1}</button></td>
      <td class="who">${frame.phase === "backward" ? names[step.node] : UNKNOWN} (${seen ? num(step.grad) : UNKNOWN})</td>
      <td class="how">${known ? (step.note ? note : pushes()) : UNKNOWN}</td>
    </tr>`;
  };
  const current = steps.findIndex(({ row }) => row === now);
  return html`<table class="trace backward" aria-rowcount=${steps.length + 1}>
    <caption>${words.backward}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${words.node}</th><th scope="col">${words.pushes}</th></tr></thead>
    <tbody>${rows({ count: steps.length, now: current, columns: 3, row: turn })}</tbody>
  </table>`;
}

function pushText(program: Program, push: Push): TemplateResult {
  const result = push.before === 0 ? "" : ` → ${num(push.after)}`;
  return html`<span class="push ${signOf(push.contribution)}">${program.names[push.to]} += ${product(push)}${result}</span>`;
}
