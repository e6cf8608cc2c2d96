/** Small charts as SVG: curves side by side, histograms, maps. Each says in words what it shows. */

import { html, nothing, svg, type TemplateResult } from "lit";
import type { Bins, Point } from "../app/runs.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";

export interface Curve {
  readonly name: string;
  readonly points: readonly Point[];
  /** The mean of so many of them, a thin second line. */
  readonly mean?: readonly Point[];
  readonly width?: number;
  /** Which of the inks and dashes it has. */
  readonly ink: number;
}

const WIDE = 640;
const HIGH = 220;
const [LEFT, RIGHT, TOP, BOTTOM] = [44, 10, 8, 22];

/** Curves over steps; `mark` is a step to point at, `guide` a level to compare with. */
export function curves(
  list: readonly Curve[],
  options: { mark?: number; guide?: number; last?: number; choose?: (step: number) => void } = {},
): TemplateResult {
  const finite = list.flatMap(({ points }) => points).filter(({ loss }) => Number.isFinite(loss));
  const values = finite.map(({ loss }) => loss);
  if (options.guide !== undefined) values.push(options.guide);
  const high = Math.max(...values);
  const low = Math.min(0, Math.min(...values));
  const last = Math.max(options.last ?? 1, ...finite.map(({ step }) => step));
  const x = (step: number): number =>
    LEFT + ((WIDE - LEFT - RIGHT) * (step - 1)) / Math.max(1, last - 1);
  const y = (loss: number): number =>
    HIGH - BOTTOM - ((HIGH - TOP - BOTTOM) * (loss - low)) / Math.max(1e-12, high - low);
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
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => low + share * (high - low));
  const choose = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * WIDE;
    const step = 1 + ((share - LEFT) / (WIDE - LEFT - RIGHT)) * (last - 1);
    options.choose?.(Math.max(1, Math.min(last, Math.round(step))));
  };
  const words = list.map(({ name, points }) =>
    t.gpt.lossSaid(
      name,
      num(points[0]?.loss ?? Number.NaN),
      num(points.at(-1)?.loss ?? Number.NaN),
      points.at(-1)?.step ?? 0,
    ),
  );
  return html`<svg class="curves" viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label=${words.join(". ")} @click=${choose}>
    ${ticks.map((tick) => svg`<line class="grid" x1=${LEFT} x2=${WIDE - RIGHT} y1=${y(tick)} y2=${y(tick)} /><text class="tick" x=${LEFT - 6} y=${y(tick) + 4} text-anchor="end">${num(tick, 2)}</text>`)}
    ${[1, Math.round(last / 2), last].map((step) => svg`<text class="tick" x=${x(step)} y=${HIGH - 6} text-anchor=${step === 1 ? "start" : step === last ? "end" : "middle"}>${step}</text>`)}
    ${options.guide === undefined ? nothing : svg`<line class="guide" x1=${LEFT} x2=${WIDE - RIGHT} y1=${y(options.guide)} y2=${y(options.guide)} />`}
    ${list.map(({ points, ink }) => svg`<path class="curve ink${ink}" d=${path(points)} />`)}
    ${list.map(({ mean }) => (mean ? svg`<path class="mean" d=${path(mean)} />` : nothing))}
    ${options.mark === undefined ? nothing : svg`<line class="mark" x1=${x(options.mark)} x2=${x(options.mark)} y1=${TOP} y2=${HIGH - BOTTOM} />`}
  </svg>`;
}

/** Bars of equal width. */
export function bars({ counts }: Bins, said: string): TemplateResult {
  const most = Math.max(1, ...counts);
  const wide = 320 / counts.length;
  return html`<figure class="bins"><svg viewBox="0 0 320 90" role="img" aria-label=${said} preserveAspectRatio="none">
    ${counts.map((count, i) => svg`<rect class="bin" x=${(i * wide + 0.5).toFixed(2)} width=${(wide - 1).toFixed(2)} y=${(88 - (84 * count) / most).toFixed(2)} height=${((84 * count) / most).toFixed(2)} />`)}
    ${svg`<line class="grid" x1="0" x2="320" y1="88" y2="88" />`}
  </svg><figcaption>${said}</figcaption></figure>`;
}

/** Weights from one token to another: the more, the stronger. */
export function heat(
  rows: readonly (readonly number[])[],
  tokens: readonly string[],
  said: string,
): TemplateResult {
  const size = tokens.length;
  const [cell, edge] = [18, 18];
  const side = edge + size * cell;
  return html`<svg class="heat" viewBox="0 0 ${side} ${side}" role="img" aria-label=${said}>
    ${tokens.map((token, i) => svg`<text class="tick" x=${edge + (i + 0.5) * cell} y="13" text-anchor="middle">${token}</text><text class="tick" x="9" y=${edge + (i + 0.7) * cell} text-anchor="middle">${token}</text>`)}
    ${rows.map((row, now) => row.map((weight, then) => svg`<rect class="cell" x=${edge + then * cell} y=${edge + now * cell} width=${cell - 1} height=${cell - 1} fill-opacity=${Math.max(0.04, Number(weight)).toFixed(3)} />`))}
  </svg>`;
}
