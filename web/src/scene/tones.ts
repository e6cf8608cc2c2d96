/** Colours by gradient: the larger, the stronger, over six decades below the largest of the graph. */

import type { Frame } from "../app/timeline.ts";
import type { Tape } from "../core/index.ts";
import type { Sign } from "../strings/format.ts";
import type { Palette } from "./palette.ts";

/** 0 is a gradient of 0; 1 … LEVELS positive, LEVELS + 1 … 2 LEVELS negative; the last is nan or inf. */
export const LEVELS = 5;
export const STRANGE = 2 * LEVELS + 1;
export const TONES: readonly number[] = Array.from({ length: STRANGE + 1 }, (_, tone) => tone);
const DECADES = 6;

/** The tones of a tape, or of a moment of its walk on the scale of its end: what is not known is 0. */
export function tonesOf(tape: Tape, frame: Frame | null): Uint8Array {
  const most = largestOf(tape.grad);
  return Uint8Array.from(tape.grad, (grad, id) =>
    toneOf(frame ? (frame.grad(id) ?? 0) : grad, most),
  );
}

/** The size of the largest gradient that others are compared with; the last is the root's. */
export function largestOf(grads: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < grads.length; i++) {
    const size = Math.abs(grads[i]);
    // The root's own gradient is 1 by definition, and mostly far larger than any other.
    if (size > most && Number.isFinite(size) && i < grads.length - 1) most = size;
  }
  return most;
}

export function toneOf(grad: number, most: number): number {
  if (!Number.isFinite(grad)) return STRANGE;
  if (grad === 0 || most === 0) return 0;
  const share = 1 + Math.log10(Math.abs(grad) / most) / DECADES;
  const level = Math.max(1, Math.min(LEVELS, Math.ceil(share * LEVELS)));
  return grad > 0 ? level : LEVELS + level;
}

export type Rgb = readonly [number, number, number];

/** A colour per tone, in a theme. */
export function coloursOf(palette: Palette): readonly Rgb[] {
  const card = rgb(palette.card);
  const mixed = (ink: Rgb, share: number): Rgb =>
    card.map((part, i) => Math.round(part + (ink[i] - part) * share)) as unknown as Rgb;
  return TONES.map((tone) => {
    if (tone === 0) return mixed(rgb(palette.edge), 0.28);
    if (tone === STRANGE) return rgb(palette.text);
    return mixed(rgb(tone > LEVELS ? palette.neg : palette.pos), inkOf(tone));
  });
}

export function rgb(text: string): Rgb {
  const found = (text.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  // `color(srgb …)` counts to 1.
  const scale = text.startsWith("color(") ? 255 : 1;
  return [0, 1, 2].map((i) => Math.round((found[i] ?? 0) * scale)) as unknown as Rgb;
}

export const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;

/** The sign that a tone stands for; of nan and infinity, none. */
export function signIn(tone: number): Sign {
  if (tone === 0 || tone === STRANGE) return "none";
  return tone > LEVELS ? "neg" : "pos";
}

/** How much of its colour a tone has: the larger the gradient, the more. */
export function inkOf(tone: number): number {
  return Math.min(1, 0.16 + (0.84 * strength(tone)) / LEVELS);
}

/** How much a tone says: of several, the strongest stands for all. */
export function strength(tone: number): number {
  return tone === STRANGE ? LEVELS + 1 : tone > LEVELS ? tone - LEVELS : tone;
}
