/**
 * What a pull shows beside the picture: the output's move as gradient × step, the curve it goes
 * along, and every node's move. Loaded when a leaf is first held.
 */

import { html, nothing, svg, type TemplateResult } from "lit";
import { memo, type Program } from "../app/derive.ts";
import { outputAt } from "../app/descent.ts";
import type { Lab } from "../app/lab.ts";
import { drawnAs, type Pulled, pulledFor, pullOf, pullTo, REACH } from "../app/pull.ts";
import type { State } from "../app/state.ts";
import { isConst, relation } from "../core/index.ts";
import { vars } from "../scene/css.ts";
import type { PullEvent } from "../scene/hold.ts";
import type { Picture } from "../scene/picture.ts";
import { Pulling } from "../scene/pull.ts";
import { GLYPHS, num, signed, signOf } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { ticks } from "../teach/ticks.ts";
import { panel } from "./panel.ts";
import style from "./styles/pull.css";

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);

function dress(root: ParentNode): void {
  const { adoptedStyleSheets: sheets } = root as ShadowRoot;
  if (!sheets.includes(sheet)) sheets.push(sheet);
}

/** A hand has moved a leaf by whole steps, or let it go. */
export function pullBy(lab: Lab, { node, steps, more }: PullEvent): void {
  const { state, program } = lab;
  const { label, data } = program.graph.nodes[node];
  const now = pulledFor(state);
  if (steps !== undefined) lab.dispatch({ type: "pull", pull: pullOf(label, data, steps) });
  else if (more !== undefined) {
    const from = now?.name === label ? now.by / now.step : 0;
    pullTo(lab, pullOf(label, data, from + more));
  } else pullTo(lab, null);
}

const painter = memo((pulled: Pulled, program: Program) => (picture: Picture, root: ShadowRoot) => {
  dress(root);
  return new Pulling(pulled, program, picture);
});

/** What the scene draws in place of the walk. */
export function pulling({ state, program }: Lab): ReturnType<typeof painter> | null {
  const pulled = pulledFor(state);
  return pulled && painter(pulled, program);
}

// ── Under the picture ──────────────────────────────────────────────────────────────────────────

/** The output's move, beside what the gradient says of it. */
export function strip(lab: Lab): TemplateResult | typeof nothing {
  const { state, program, root } = lab;
  const pulled = pulledFor(state);
  if (!pulled) return nothing;
  dress(root);
  const { name, by, moves, rest, leaf, straight } = pulled;
  const grad = program.walk.expected[leaf];
  const move = moves[rest.root];
  const words = t.pull;
  const sign = relation("*", [num(grad), num(by)], num(move));
  const part = (text: string, kind: string, caption: string): TemplateResult =>
    html`<span class="part"><strong class=${kind}>${text}</strong><small>${caption}</small></span>`;
  const product = relation("*", [num(grad), num(by)], num(grad * by));
  const why = !Number.isFinite(move)
    ? words.strange(program.output)
    : straight
      ? words.straight(program.output, name)
      : words.bends(program.output, name, `${num(grad)} × ${num(by)} ${product} ${num(grad * by)}`);
  return html`<div class="pull-strip" role="group" aria-label=${words.holds(name)}>
    <p class="moved" role="status">${part(signed(move), signOf(move), words.moved(program.output))}
      <b>${sign}</b>${part(num(grad), "gradient", `${name}.grad`)}<b>×</b>${part(signed(by), signOf(by), words.step)}</p>
    <p class="why">${why}</p>
    <button class="toggle" @click=${() => pullTo(lab, null)}>${words.letGo}</button>
  </div>`;
}

/** What a pull says, in words. */
export function headline({ state, program }: Lab): TemplateResult | null {
  const pulled = pulledFor(state);
  if (!pulled) return null;
  const { name, leaf } = pulled;
  const words = t.pull;
  const grad = num(program.walk.expected[leaf]);
  return html`<div class="words"><p class="what">${words.title(name, program.output)}</p><p class="why">${words.each(name, program.output, grad)}</p></div>`;
}

// ── Beside the picture ─────────────────────────────────────────────────────────────────────────

export function pullRail(lab: Lab): TemplateResult | null {
  const { state, program } = lab;
  const pulled = pulledFor(state);
  if (!pulled) return null;
  const words = t.pull;
  const beside = html`<span class="score">${words.before}</span>`;
  return html`<div class="rail">
    <section class="panel moment pulling">
      <div class="title"><h2>${t.now}</h2><span class="score">${words.holds(pulled.name)}</span></div>
      ${headline(lab)}
      ${chart(state, program, pulled)}
    </section>
    ${panel(words.moves, moveTable(program, pulled), "table", beside)}
  </div>`;
}

const [WIDE, HIGH, LEFT, TOP, BELOW] = [316, 204, 50, 16, 34];
const POINTS = 48;

interface Curve {
  readonly x: readonly [low: number, high: number];
  readonly y: readonly [low: number, high: number];
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** The output over the leaf, as far as it can be pulled: it stands still while someone pulls. */
const curveOf = memo(
  (text: string, values: State["values"], name: string, step: number, output: number): Curve => {
    const middle = values.get(name) ?? 0;
    const [low, high] = [middle - REACH * step, middle + REACH * step];
    const points = Array.from({ length: POINTS + 1 }, (_, i) => {
      const x = low + ((high - low) * i) / POINTS;
      return [x, outputAt(text, new Map(values).set(name, x))] as const;
    }).filter(([, y]) => Number.isFinite(y));
    const ys = points.map(([, y]) => y);
    const [least, most] = [Math.min(...ys, output), Math.max(...ys, output)];
    const room = 0.08 * (most - least || Math.max(1, Math.abs(most)));
    return { x: [low, high], y: [least - room, most + room], points };
  },
);

function chart(state: State, program: Program, pulled: Pulled): TemplateResult {
  const { name, by, step, rest, now, leaf, moves } = pulled;
  const [from, output] = [rest.nodes[leaf].data, rest.nodes[rest.root].data];
  const grad = program.walk.expected[leaf];
  const curve = curveOf(state.good, state.values, name, step, output);
  const place =
    ([low, high]: Curve["x"], begin: number, end: number) =>
    (value: number): number =>
      begin + ((end - begin) * (value - low)) / (high - low);
  const [x, y] = [place(curve.x, LEFT, WIDE - 10), place(curve.y, HIGH - BELOW, TOP)];
  const path = curve.points.map(([a, b]) => `${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("L");
  const [there, reached] = [now.nodes[leaf].data, now.nodes[now.root].data];
  const tangent = [-REACH, REACH].map((n) => [from + n * step, output + grad * n * step] as const);
  const corner = `M${x(from)} ${y(output)}H${x(there)}`;
  const words = t.pull;
  const said = words.curve(program.output, name);
  return html`<svg class="slope" viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label=${said}>
    <clipPath id="pull-room"><rect x=${LEFT} y=${TOP - 6} width=${WIDE - LEFT - 6} height=${HIGH - TOP - BELOW + 12} /></clipPath>
    ${ticks(...curve.y, 5).map((at) => svg`<line class="grid" x1=${LEFT} x2=${WIDE - 10} y1=${y(at)} y2=${y(at)} /><text class="level" x=${LEFT - 6} y=${y(at) + 4}>${num(at)}</text>`)}
    ${ticks(...curve.x, 5).map((at) => svg`<text class="at" x=${x(at)} y=${HIGH - BELOW + 17}>${num(at)}</text>`)}
    <text class="axis" x=${LEFT - 6} y="11">${program.output}</text><text class="axis" x=${WIDE - 10} y=${HIGH - 3}>${name}</text>
    <g clip-path="url(#pull-room)">
      ${svg`<path class="tangent" d="M${tangent.map(([a, b]) => `${x(a)} ${y(b)}`).join("L")}" /><path class="curve" d="M${path}" />`}
    </g>
    ${by && Number.isFinite(reached) ? svg`<path class="leg ${signOf(by)}" d=${corner} /><path class="leg ${signOf(moves[rest.root])}" d="M${x(there)} ${y(output)}V${y(reached)}" />` : ""}
    ${svg`<circle class="rest" cx=${x(from)} cy=${y(output)} r="5" />`}
    ${Number.isFinite(reached) ? svg`<circle class="there" cx=${x(there)} cy=${y(reached)} r="5" />` : ""}
  </svg>`;
}

/** Every node's move, as a number and as a bar of one measure. */
function moveTable(program: Program, pulled: Pulled): TemplateResult {
  const { rest, now, moves } = pulled;
  const rows = rest.nodes.filter((node) => !isConst(node));
  return html`<table class="moves"><caption class="hidden">${t.pull.moves}</caption>
    <thead class="hidden"><tr><th scope="col">${t.numbers.node}</th><th scope="col">${t.numbers.value}</th><td></td><th scope="col">${t.pull.move}</th></tr></thead>
    <tbody>${rows.map(({ id, data }) => {
      const move = moves[id];
      const sign = signOf(move);
      const to = now.nodes[id].data;
      const size = `${(50 * Math.abs(drawnAs(pulled, move))).toFixed(1)}%`;
      return html`<tr><th scope="row">${program.names[id]}</th><td>${move ? `${num(data)} → ${num(to)}` : num(data)}</td>
        <td class="measure"><i class=${sign} ${vars({ "--size": size })}></i></td><td class="end ${sign}">${signed(move)} ${GLYPHS[sign]}</td></tr>`;
    })}</tbody></table>`;
}
