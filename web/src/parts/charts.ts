/** Small charts as SVG: curves side by side, histograms, maps. Each says in words what it shows. */

import { html, nothing, svg, type TemplateResult } from "lit";
import type { Bins, Point } from "../app/runs.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { roundStep, ticks } from "../teach/ticks.ts";
import { sized } from "./sized.ts";

export interface Curve {
  readonly name: string;
  readonly points: readonly Point[];
  /** The mean of so many of them, a thin second line. */
  readonly mean?: readonly Point[];
  readonly width?: number;
  /** Which of the inks and dashes it has. */
  readonly ink: number;
}

const HIGH = 220;
const [RIGHT, TOP, BOTTOM] = [12, 10, 24];
/** How far apart the ticks are at least, and how wide one of their letters is. */
const [TICK_X, TICK_Y, LETTER] = [60, 30, 7];

interface CurveOptions {
  readonly mark?: number;
  readonly guide?: number;
  readonly last?: number;
  /** The first place on the axis below: steps count from 1, points of a way from 0. */
  readonly first?: number;
  readonly high?: number;
  /** What it shows, in words. */
  readonly said?: string;
  readonly choose?: (step: number) => void;
}

/** Curves over steps; `mark` is a step to point at, `guide` a level to compare with. */
export function curves(list: readonly Curve[], options: CurveOptions = {}): TemplateResult {
  return html`<div class="chart">${sized((width) => drawn(list, options, width))}</div>`;
}

/** In the pixels of its place: letters and lines are as large as they say. */
function drawn(list: readonly Curve[], options: CurveOptions, wide: number): TemplateResult {
  const finite = list.flatMap(({ points }) => points).filter(({ loss }) => Number.isFinite(loss));
  const values = finite.map(({ loss }) => loss);
  if (options.guide !== undefined) values.push(options.guide);
  const { first = 1, high: height = HIGH } = options;
  const least = values.reduce((x, y) => Math.min(x, y), 0);
  const most = values.reduce((x, y) => Math.max(x, y), least);
  // The axis ends at round numbers.
  const levels = Math.max(2, Math.floor((height - TOP - BOTTOM) / TICK_Y));
  const step = roundStep((most - least || 1) / levels);
  const [low, high] = [
    Math.floor(least / step) * step,
    Math.ceil(most / step - 1e-9) * step || step,
  ];
  const rows = ticks(low, high, levels);
  const left = 12 + LETTER * Math.max(...rows.map((tick) => num(tick).length));
  const last = finite.reduce((x, point) => Math.max(x, point.step), options.last ?? first + 1);
  const x = (at: number): number =>
    left + ((wide - left - RIGHT) * (at - first)) / Math.max(1, last - first);
  const y = (loss: number): number =>
    height - BOTTOM - ((height - TOP - BOTTOM) * (loss - low)) / (high - low);
  const path = (points: readonly Point[]): string => {
    let [text, pen] = ["", "M"];
    for (const { step, loss } of points) {
      if (!Number.isFinite(loss)) {
        pen = "M";
        continue;
      }
      text += `${pen}${x(step).toFixed(1)} ${y(loss).toFixed(1)}`;
      pen = "L";
    }
    return text;
  };
  const apart = Math.max(1, Math.floor((wide - left - RIGHT) / TICK_X));
  const columns = ticks(first, last, apart).filter(Number.isInteger);
  const choose = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = first + ((event.clientX - box.left - left) / (wide - left - RIGHT)) * (last - first);
    options.choose?.(Math.max(first, Math.min(last, Math.round(at))));
  };
  const words = list.map(({ name, points }) =>
    t.gpt.lossSaid(
      name,
      num(points[0]?.loss ?? Number.NaN),
      num(points.at(-1)?.loss ?? Number.NaN),
      points.at(-1)?.step ?? 0,
    ),
  );
  const anchor = (at: number): string => (x(at) > wide - 30 ? "end" : "middle");
  return html`<svg class="curves ${options.choose ? "chooses" : ""}" width=${wide} height=${height} viewBox="0 0 ${wide} ${height}" role="img" aria-label=${options.said ?? words.join(". ")} @click=${choose}>
    ${rows.map((tick) => svg`<line class="grid" x1=${left} x2=${wide - RIGHT} y1=${y(tick)} y2=${y(tick)} /><text class="tick" x=${left - 6} y=${y(tick) + 4} text-anchor="end">${num(tick)}</text>`)}
    ${columns.map((tick) => svg`<line class="notch" x1=${x(tick)} x2=${x(tick)} y1=${height - BOTTOM} y2=${height - BOTTOM + 4} /><text class="tick" x=${x(tick)} y=${height - 6} text-anchor=${anchor(tick)}>${tick}</text>`)}
    ${options.guide === undefined ? nothing : svg`<line class="guide" x1=${left} x2=${wide - RIGHT} y1=${y(options.guide)} y2=${y(options.guide)} />`}
    ${list.map(({ points, ink }) => svg`<path class="curve ink${ink}" d=${path(points)} />`)}
    ${list.map(({ mean }) => (mean ? svg`<path class="mean" d=${path(mean)} />` : nothing))}
    ${options.mark === undefined ? nothing : svg`<line class="mark" x1=${x(options.mark)} x2=${x(options.mark)} y1=${TOP} y2=${height - BOTTOM} />`}
  </svg>`;
}

/** Bars of equal width. */
export function bars({ counts }: Bins, said: string): TemplateResult {
  const most = Math.max(1, ...counts);
  const drawn = (width: number): TemplateResult => {
    const wide = width / counts.length;
    return html`<svg width=${width} height="80" role="img" aria-label=${said}>
      ${counts.map((count, i) => svg`<rect class="bin" x=${(i * wide + 0.5).toFixed(2)} width=${(wide - 1).toFixed(2)} y=${(78 - (74 * count) / most).toFixed(2)} height=${((74 * count) / most).toFixed(2)} />`)}
      ${svg`<line class="grid" x1="0" x2=${width} y1="78" y2="78" />`}
    </svg>`;
  };
  return html`<figure class="bins"><div class="chart">${sized(drawn)}</div><figcaption>${said}</figcaption></figure>`;
}

/** Weights from one token to another: the more, the stronger. */
export function heat(
  rows: readonly (readonly number[])[],
  tokens: readonly string[],
  said: string,
): TemplateResult {
  const size = tokens.length;
  const [cell, edge] = [16, 16];
  const side = edge + size * cell;
  return html`<svg class="heat" width=${side} height=${side} viewBox="0 0 ${side} ${side}" role="img" aria-label=${said}>
    ${tokens.map((token, i) => svg`<text class="tick" x=${edge + (i + 0.5) * cell} y="12" text-anchor="middle">${token}</text><text class="tick" x="8" y=${edge + (i + 0.7) * cell} text-anchor="middle">${token}</text>`)}
    ${rows.map((row, now) => row.map((weight, then) => svg`<rect class="cell" x=${edge + then * cell} y=${edge + now * cell} width=${cell - 1} height=${cell - 1} fill-opacity=${Math.max(0.04, Number(weight)).toFixed(3)} />`))}
  </svg>`;
}
