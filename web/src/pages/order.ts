/** The order puzzle: place the visits, run them, and see which path's contribution was lost. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { isWholeOrder, type Program, placesOf } from "../app/derive.ts";
import type { Lab } from "../app/lab.ts";
import { frameAt } from "../app/timeline.ts";
import { type Lost, walk } from "../core/index.ts";
import { controls } from "../parts/expression.ts";
import { icon } from "../parts/icons.ts";
import { rows } from "../parts/rows.ts";
import { stage } from "../parts/stage.ts";
import { alongPath } from "../scene/find.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { drag } from "./drag.ts";

const MOST = 24;

export function orderPage(lab: Lab): TemplateResult {
  return html`${controls(lab)}${puzzle(lab)}`;
}

export function puzzle(lab: Lab): TemplateResult {
  const { state, program } = lab;
  const places = placesOf(program.graph);
  const order = isWholeOrder(program.graph, state.order) ? state.order : places;
  const begin = forwardEnd(program);
  const shown: Lab = state.ran ? lab : { ...lab, frame: frameAt(program.line, begin) };
  const headline = state.ran
    ? undefined
    : html`<div class="words"><p class="what task">${t.order.task}</p><p class="why">${t.order.rule}</p></div>`;
  return html`
    ${stage(shown, { compare: state.ran, switches: [], headline, foot: state.ran ? undefined : nothing, lit: state.ran ? litPath(program, lab.state.edge, lab.state.node) : null })}
    ${places.length > MOST ? html`<p class="panel pad">${t.order.count(places.length)}</p>` : tray(lab, order, begin)}
    ${state.ran ? verdict(lab) : nothing}`;
}

function forwardEnd(program: Program): number {
  const [first] = program.line.phases;
  return first?.phase === "forward" ? first.end : 0;
}

function tray(lab: Lab, order: readonly number[], begin: number): TemplateResult {
  const { program, dispatch, state } = lab;
  const { names } = program;
  const put = (next: readonly number[]): void => dispatch({ type: "order", order: next });
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= order.length || from === to) return;
    const next = [...order];
    next.splice(to, 0, ...next.splice(from, 1));
    put(next);
  };
  return html`<section class="tray panel" aria-label=${t.order.tray}>
    <ol class="places" @pointerdown=${(event: PointerEvent) => drag(event, () => currentOrder(lab, order), put)}>
      ${repeat(
        order,
        (id) => id,
        (id, place) => html`<li class="place" data-place=${id}>
          <span class="number" aria-hidden="true">${place + 1}</span>
          <button class="bare nudge" aria-label=${t.order.earlier(names[id])} ?disabled=${place === 0} @click=${() => move(place, place - 1)}>${icon("left")}</button>
          <button class="grip" aria-label=${t.order.place(names[id], place + 1, order.length)} @keydown=${(event: KeyboardEvent) => chipKey(event, place, move)}>${names[id]}</button>
          <button class="bare nudge" aria-label=${t.order.later(names[id])} ?disabled=${place === order.length - 1} @click=${() => move(place, place + 1)}>${icon("right")}</button>
        </li>`,
      )}
    </ol>
    <div class="actions">
      <button class="primary" @click=${() => {
        if (!isWholeOrder(program.graph, state.order)) put(order);
        dispatch({ type: "run", on: true, time: begin });
      }}>${icon("play")} ${t.order.run}</button>
      <button class="toggle" @click=${() => put(shuffled(order))}>${t.order.shuffle}</button>
      <button class="toggle" @click=${() => put(walk(program.graph).order.filter((id) => order.includes(id)))}>${t.order.right}</button>
    </div>
  </section>`;
}

function currentOrder(lab: Lab, fallback: readonly number[]): readonly number[] {
  return isWholeOrder(lab.program.graph, lab.state.order) ? lab.state.order : fallback;
}

function chipKey(
  event: KeyboardEvent,
  place: number,
  move: (from: number, to: number) => void,
): void {
  const way = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  if (!way) return;
  event.preventDefault();
  event.stopPropagation();
  move(place, place + way);
  const chip = event.currentTarget as HTMLElement;
  requestAnimationFrame(() => chip.focus());
}

function shuffled(order: readonly number[]): number[] {
  const next = [...order];
  for (let i = next.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [next[i], next[j]] = [next[j], next[i]];
  }
  return next;
}

/** What came of it, once the run is over: each loss with its path and its reason. */
function verdict(lab: Lab): TemplateResult {
  const { program, frame } = lab;
  const { walk: found, names } = program;
  if (frame.time < program.line.total - 1) return html``;
  if (!found.wrong.length) {
    return html`<section class="panel verdict right"><h2>✓ ${t.order.won}</h2><div class="body"><p>${t.order.insight}</p>${comparison(program)}</div></section>`;
  }
  const starved = found.backward.filter(
    (step) => step.note === "zero" && found.expected[step.node] !== 0,
  );
  return html`<section class="panel verdict wrong">
    <h2>✗ ${found.lost.length ? t.order.lost(found.lost.length) : t.order.starved}</h2>
    <div class="body columns">
      <ul class="losses">
        ${found.lost.map((lost) => lossRow(lab, lost))}
        ${starved.map((step) => html`<li><span>${t.order.starvedRow(names[step.node])}</span></li>`)}
        <li class="insight">${t.order.insight}</li>
      </ul>
      ${comparison(program)}
    </div>
  </section>`;
}

function lossRow(lab: Lab, lost: Lost): TemplateResult {
  const { names, graph } = lab.program;
  const operand = graph.nodes[lost.source].operands.indexOf(lost.to);
  return html`<li>
    <span><strong class="bad">${t.order.lostRow(num(lost.contribution), lost.path.map((id) => names[id]).join(" → "))}</strong>
    <br />${t.narration.lostWhy(names[lost.to], names[lost.source])}</span>
    <button class="toggle" @click=${() => lab.dispatch({ type: "pick", node: null, edge: { target: lost.source, operand } })}>${t.order.showPath}</button>
  </li>`;
}

/** The whole way of the loss that was picked, from the root to where it ended. */
function litPath(
  program: Program,
  edge: Lab["state"]["edge"],
  node: number | null,
): { nodes: Set<number>; edges: Set<number> } | null {
  if (!edge || node !== null) return null;
  const to = program.graph.nodes[edge.target].operands[edge.operand];
  const lost = program.walk.lost.find((one) => one.source === edge.target && one.to === to);
  return lost ? alongPath(program, lost.path) : null;
}

export function comparison(program: Program): TemplateResult {
  const { walk: found, names, graph } = program;
  const places = placesOf(graph).toReversed();
  const wrongs = new Set(found.wrong);
  return html`<table class="comparison" aria-rowcount=${places.length + 1}>
    <caption>${t.bugs.table}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${t.numbers.node}</th><th scope="col" class="end">${t.order.got}</th><th scope="col" class="end">${t.order.should}</th><th scope="col"><span class="hidden">${t.order.verdict}</span></th></tr></thead>
    <tbody>${rows({
      count: places.length,
      now: -1,
      columns: 4,
      row: (index) => {
        const id = places[index];
        const wrong = wrongs.has(id);
        return html`<tr class=${wrong ? "differs" : ""} aria-rowindex=${index + 2}><td>${names[id]}</td><td class="end ${wrong ? "bad" : ""}">${num(found.grads[id])}</td><td class="end">${num(found.expected[id])}</td><td class=${wrong ? "bad" : "good"}>${wrong ? "✗" : "✓"}</td></tr>`;
      },
    })}</tbody>
  </table>`;
}
