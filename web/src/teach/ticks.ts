/** Round numbers for an axis: 1, 2 or 5 times a power of ten apart. */

/** The round numbers from `low` to `high`, about `count` of them and never twice as many. */
export function ticks(low: number, high: number, count: number): readonly number[] {
  const step = roundStep((high - low) / Math.max(1, count));
  if (!(step > 0) || !Number.isFinite(step)) return [low];
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => rounded((first + i) * step));
}

/** The least step of 1, 2 or 5 times a power of ten that is not below `least`. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return rounded(([1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) ?? 10) * power);
}

/** 0.30000000000000004 is 0.3. */
const rounded = (x: number): number => Number(x.toPrecision(12));
