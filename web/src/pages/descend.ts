/** Descend: every leaf that learns steps against its gradient, and the output falls. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { memo, variablesOf } from "../app/derive.ts";
import { type Domain, domainOf, surfaceOf, type Values } from "../app/descent.ts";
import type { Lab } from "../app/lab.ts";
import { RATE, RATES } from "../app/state.ts";
import { curves } from "../parts/charts.ts";
import { contourAt, levelsOf } from "../parts/contours.ts";
import { controls } from "../parts/expression.ts";
import { icon } from "../parts/icons.ts";
import { panel } from "../parts/panel.ts";
import { sized } from "../parts/sized.ts";
import { stage, theatre } from "../parts/stage.ts";
import { tabs } from "../parts/tabs.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { is } from "../teach/arithmetic.ts";
import { ticks } from "../teach/ticks.ts";

export function descendPage(lab: Lab): TemplateResult {
  const rail = html`<div class="rail">
    <section class="panel moment">
      <div class="title"><h2>${t.now}</h2></div>
      ${headline(lab)}
    </section>
    ${surfacePanel(lab)}
  </div>`;
  const picture = stage(lab, { head: tabs(lab), switches: [], foot: bar(lab) });
  return theatre([picture, html`<div class="pair">${panels(lab)}</div>`], controls(lab), rail);
}

/** The same beside the text of a lesson. */
export function descent(lab: Lab): TemplateResult {
  return html`
    ${stage(lab, { switches: [], headline: headline(lab), foot: bar(lab) })}
    <div class="dock descent">${surfacePanel(lab)}${panels(lab)}</div>`;
}

const surfacePanel = (lab: Lab): TemplateResult =>
  panel(t.descend.surface, surface(lab), "surface");

function panels(lab: Lab): TemplateResult[] {
  return [
    panel(t.descend.curve(lab.program.output), sparkline(lab), "curve"),
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

const HIGH = 130;

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

const domainAt = memo((text: string, start: Values, learning: readonly string[], axes: string) => {
  const [first, second] = axes.split(" ");
  return domainOf(text, start, learning, [first, second], RATE);
});

/** The same heights while the other leaves have the same values. */
const heightsAt = memo(
  (text: string, axes: string, domain: Domain, _others: string, values: Values) => {
    const [first, second] = axes.split(" ");
    return surfaceOf(text, values, [first, second], domain);
  },
  { keyed: 4 },
);

const contoursAt = memo((heights: readonly (readonly number[])[], side: number) =>
  levelsOf(heights).map((level) => contourAt(heights, level, side)),
);

/** The output over two leaves as seen from above, with lines of equal height and the way that was gone. */
function surface(lab: Lab): TemplateResult {
  const { state, program } = lab;
  const words = t.descend;
  const axes = axesOf(lab);
  if (!axes) return html`<p class="why">${words.noSurface}</p>`;
  const start = state.way[0]?.values ?? state.values;
  const domain = domainAt(state.good, start, state.learning, axes.join(" "));
  const others = program.graph.leaves
    .filter(({ label }) => !axes.includes(label))
    .map(({ label, data }) => `${label}:${data}`);
  const heights = heightsAt(state.good, axes.join(" "), domain, others.join(), state.values);
  const way = state.way.length ? state.way.map(({ values }) => values) : [state.values];
  const points = way.map((values) => axes.map((name) => values.get(name) ?? 0) as [number, number]);
  const levels = levelsOf(heights);
  const [a, b] = points.at(-1)!;
  const isOut = [domain.x, domain.y].some(([low, high], i) => [a, b][i] < low || [a, b][i] > high);
  const apart = levels.length > 1 ? levels[1] - levels[0] : 0;
  return html`<figure class="surface-map">
    <div class="chart">${sized((width) => map(axes, domain, heights, points, width))}</div>
    <figcaption>${isOut ? words.outside : words.heights(program.output, num(Number(apart.toPrecision(6))))}</figcaption>
  </figure>`;
}

const MAP = 320;
const [LEFT, RIGHT, TOP, BOTTOM] = [48, 10, 22, 38];
/** How far apart the ticks of the map are at least. */
const TICK = 52;
/** How dark the highest ground is. */
const DARK = 0.6;

/** In the pixels of its place, so that letters and lines are as large as they say. */
function map(
  axes: readonly [string, string],
  domain: Domain,
  heights: readonly (readonly number[])[],
  points: readonly (readonly [number, number])[],
  width: number,
): TemplateResult {
  const side = Math.min(MAP, width) - LEFT - RIGHT;
  const high = side + TOP + BOTTOM;
  const x = (value: number): number => (side * (value - domain.x[0])) / (domain.x[1] - domain.x[0]);
  const y = (value: number): number =>
    side - (side * (value - domain.y[0])) / (domain.y[1] - domain.y[0]);
  const lines = contoursAt(heights, side);
  const shade = (1 - (1 - DARK) ** (1 / Math.max(1, lines.length))).toFixed(3);
  const count = Math.max(2, Math.floor(side / TICK));
  const way = points.map(([a, b]) => `${x(a).toFixed(1)} ${y(b).toFixed(1)}`);
  const [first, last] = [points[0], points.at(-1)!];
  const values = (name: string, i: number): string => `${name} ${is(last[i])}`;
  const said = t.descend.surfaceSaid(axes[0], axes[1], values(axes[0], 0), values(axes[1], 1));
  return html`<svg width=${side + LEFT + RIGHT} height=${high} role="img" aria-label=${said}>
    <svg x=${LEFT} y=${TOP} width=${side} height=${side}>
      <rect class="ground" width=${side} height=${side} />
      ${lines.map(({ area, line }) => svg`<path class="area" d=${area} fill-opacity=${shade} /><path class="line" d=${line} />`)}
      <path class="way" d="M${way.join("L")}" />
      <circle class="start" cx=${x(first[0])} cy=${y(first[1])} r="5" />
      ${points.length > 1 ? svg`<circle class="now" cx=${x(last[0])} cy=${y(last[1])} r="6" />` : nothing}
    </svg>
    ${ticks(domain.x[0], domain.x[1], count).map((tick) => svg`<line class="notch" x1=${LEFT + x(tick)} x2=${LEFT + x(tick)} y1=${TOP + side} y2=${TOP + side + 4} /><text class="tick" x=${LEFT + x(tick)} y=${TOP + side + 17} text-anchor="middle">${num(tick)}</text>`)}
    ${ticks(domain.y[0], domain.y[1], count).map((tick) => svg`<line class="notch" x1=${LEFT - 4} x2=${LEFT} y1=${TOP + y(tick)} y2=${TOP + y(tick)} /><text class="tick" x=${LEFT - 7} y=${TOP + y(tick) + 4} text-anchor="end">${num(tick)}</text>`)}
    <text class="axis" x=${LEFT + side / 2} y=${high - 4} text-anchor="middle">${axes[0]} →</text>
    <text class="axis" x=${LEFT} y="14">↑ ${axes[1]}</text>
  </svg>`;
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
