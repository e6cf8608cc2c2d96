/** Descend: every leaf that learns steps against its gradient, and the output falls. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { memo, variablesOf } from "../app/derive.ts";
import { type Point, type Surface, surfaceOf, type Values } from "../app/descent.ts";
import type { Lab } from "../app/lab.ts";
import { RATES } from "../app/state.ts";
import { curves } from "../parts/charts.ts";
import { controls } from "../parts/expression.ts";
import { icon } from "../parts/icons.ts";
import { panel } from "../parts/panel.ts";
import { stage, theatre } from "../parts/stage.ts";
import { tabs } from "../parts/tabs.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { is } from "../teach/arithmetic.ts";

export function descendPage(lab: Lab): TemplateResult {
  const rail = html`<div class="rail">
    <section class="panel moment">
      <div class="title"><h2>${t.now}</h2></div>
      ${headline(lab)}
    </section>
    ${panels(lab)}
  </div>`;
  const picture = stage(lab, { head: tabs(lab), switches: [], foot: bar(lab) });
  return theatre(picture, controls(lab), rail);
}

/** The same beside the text of a lesson. */
export function descent(lab: Lab): TemplateResult {
  return html`
    ${stage(lab, { switches: [], headline: headline(lab), foot: bar(lab) })}
    <div class="dock descent">${panels(lab)}</div>`;
}

function panels(lab: Lab): TemplateResult[] {
  return [
    panel(t.descend.curve(lab.program.output), sparkline(lab), "curve"),
    panel(t.descend.surface, surface(lab), "surface"),
    panel(t.descend.leaves, leaves(lab), "leaves"),
  ];
}

function bar(lab: Lab): TemplateResult {
  const { state, dispatch } = lab;
  const words = t.descend;
  return html`<div class="bar descend-bar" role="group" aria-label=${words.controls}>
    <button class="primary" data-descend="run" @click=${() => dispatch({ type: "descending", on: !state.descending })}>${icon(state.descending ? "pause" : "play")} ${state.descending ? t.pause : words.run}</button>
    <button class="toggle" data-descend="step" @click=${() => dispatch({ type: "descend", steps: 1 })}>${icon("step")} ${words.step}</button>
    <button class="toggle" data-descend="reset" ?disabled=${state.way.length < 2} @click=${() => dispatch({ type: "climb" })}>${icon("start")} ${words.reset}</button>
    <label>${words.rate} <select @change=${(event: Event) => dispatch({ type: "rate", rate: Number((event.target as HTMLSelectElement).value) })}>
      ${RATES.map((rate) => html`<option value=${rate} .selected=${rate === state.rate}>${num(rate)}</option>`)}
    </select></label>
  </div>`;
}

function headline(lab: Lab): TemplateResult {
  const { state, program } = lab;
  const words = t.descend;
  const steps = Math.max(0, state.way.length - 1);
  const now = program.graph.nodes[program.graph.root].data;
  const first = state.way[0]?.output ?? now;
  const why =
    state.stuck === "numbers"
      ? words.strange
      : state.stuck === "still"
        ? words.still
        : state.stuck === "up"
          ? words.up
          : words.rule;
  return html`<div class="words"><p class="what">${steps ? words.fell(program.output, num(first), num(now), steps) : words.start(program.output, is(now))}</p>
    <p class="why ${state.stuck === "numbers" || state.stuck === "up" ? "bad" : ""}" role="status">${why}</p></div>`;
}

const HIGH = 150;

/** The output at each step: a line that falls, or climbs. */
function sparkline(lab: Lab): TemplateResult {
  const { way } = lab.state;
  const words = t.descend;
  const seen = way.filter(({ output }) => Number.isFinite(output));
  if (seen.length < 2) return html`<p class="why">${words.noCurve}</p>`;
  const points = seen.map(({ output }, step) => ({ step, loss: output }));
  const last = seen.at(-1)!;
  const { output: name } = lab.program;
  const said = words.curveSaid(name, num(seen[0].output), num(last.output), seen.length - 1);
  return html`<figure class="sparkline">
    ${curves([{ name, points, ink: 0 }], { first: 0, high: HIGH, said })}
    <figcaption><span>${num(seen[0].output)}</span><span>${t.group.title.run(seen.length - 1)}</span><strong>${num(last.output)}</strong></figcaption>
  </figure>`;
}

/** The two leaves that the surface is over: the first that learn. */
function axesOf({ state }: Lab): readonly [string, string] | null {
  const names = variablesOf(state).filter((name) => state.learning.includes(name));
  return names.length >= 2 ? [names[0], names[1]] : null;
}

const surfaceAt = memo(
  (text: string, first: string, second: string, way: readonly Point[], values: Values): Surface =>
    surfaceOf(text, values, [first, second], way.length ? way : [{ values, output: 0 }]),
);

/** The output over two leaves as shades and, for those who see none, the way as a line. */
function surface(lab: Lab): TemplateResult {
  const { state } = lab;
  const words = t.descend;
  const axes = axesOf(lab);
  if (!axes) return html`<p class="why">${words.noSurface}</p>`;
  const found = surfaceAt(state.good, axes[0], axes[1], state.way, state.values);
  const size = found.rows.length;
  const finite = found.rows.flat().filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  // By rank of height rather than height: a steep wall must not make the valley flat.
  const shade = (value: number): number =>
    Number.isFinite(value) ? Math.sqrt((value - low) / Math.max(high - low, 1e-300)) : 1;
  const x = (value: number): number => (size * (value - found.x[0])) / (found.x[1] - found.x[0]);
  const y = (value: number): number =>
    size - (size * (value - found.y[0])) / (found.y[1] - found.y[0]);
  const points = (state.way.length ? state.way : [{ values: state.values, output: 0 }]).map(
    ({ values }) => [x(values.get(axes[0]) ?? 0), y(values.get(axes[1]) ?? 0)] as const,
  );
  const way = points.map(([px, py], i) => `${i ? "L" : "M"}${px.toFixed(2)} ${py.toFixed(2)}`);
  const [endX, endY] = points.at(-1)!;
  return html`<figure class="surface-map">
    <svg viewBox="0 0 ${size} ${size}" role="img" aria-label=${words.surfaceSaid(axes[0], axes[1], num(low), num(high))}>
      ${found.rows.map((row, r) => row.map((value, c) => svg`<rect class="cell" x=${c} y=${r} width="1" height="1" shape-rendering="crispEdges" fill-opacity=${shade(value).toFixed(2)} />`))}
      ${svg`<path class="way" d=${way.join("")} vector-effect="non-scaling-stroke" /><circle class="now" cx=${endX} cy=${endY} r="0.6" />`}
    </svg>
    <figcaption>${words.axes(axes[0], num(found.x[0]), num(found.x[1]), axes[1], num(found.y[0]), num(found.y[1]))}</figcaption>
  </figure>`;
}

function leaves(lab: Lab): TemplateResult {
  const { state, program, dispatch } = lab;
  const { graph, walk } = program;
  const words = t.descend;
  return html`<table class="numbers learns">
    <caption class="hidden">${words.leaves}</caption>
    <thead><tr><th scope="col">${words.learns}</th><th scope="col" class="end">${t.numbers.value}</th><th scope="col" class="end">${t.numbers.grad}</th></tr></thead>
    <tbody>${graph.leaves.map((leaf) => {
      const on = state.learning.includes(leaf.label);
      const flip = (): void => {
        const learning = on
          ? state.learning.filter((name) => name !== leaf.label)
          : [...state.learning, leaf.label];
        dispatch({ type: "learning", learning });
      };
      return html`<tr class="backward"><td><label class="check-line"><input type="checkbox" .checked=${on} @change=${flip} /> ${leaf.label}</label></td>
        <td class="end">${num(leaf.data)}</td><td class="end">${on ? num(walk.expected[leaf.id]) : nothing}</td></tr>`;
    })}</tbody>
  </table>`;
}
