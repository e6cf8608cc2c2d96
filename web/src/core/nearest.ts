/**
 * Did you mean …? A name of the same letters; else the measure of likeness is that of Python's
 * difflib, so that both sides suggest the same.
 */

import { codePoints } from "./numbers.ts";

/** Return the one of `names` that `name` was probably meant to be, or nothing. */
export function nearest(name: string, names: Iterable<string>): string {
  // Matching is quadratic in the length: nobody misspells a name of a thousand letters.
  if (codePoints(name) > 40) return "";
  const candidates = [...names].filter((candidate) => codePoints(candidate) <= 40).slice(0, 200);
  const word = [...name];
  const letters = word.toSorted().join("");
  const swapped = candidates.find((one) => [...one].toSorted().join("") === letters);
  if (swapped !== undefined) return swapped; // tahn: tanh, not tan
  let best = "";
  let highest = 0.6;
  for (const candidate of candidates) {
    const score = ratio([...candidate], word);
    if (score > highest || (score === highest && compare(candidate, best) > 0)) {
      [best, highest] = [candidate, score];
    }
  }
  return best;
}

/** Return how alike two texts are: twice the matched characters over all of them. */
function ratio(a: readonly string[], b: readonly string[]): number {
  const places = new Map<string, number[]>();
  b.forEach((character, j) => {
    const known = places.get(character);
    if (known) known.push(j);
    else places.set(character, [j]);
  });
  let matched = 0;
  const open: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [aLow, aHigh, bLow, bHigh] = part;
    const [i, j, length] = longestMatch(a, places, part);
    if (!length) continue;
    matched += length;
    open.push([aLow, i, bLow, j], [i + length, aHigh, j + length, bHigh]);
  }
  return a.length + b.length ? (2 * matched) / (a.length + b.length) : 1;
}

/** Return where the longest stretch that both share begins, the first of equals, and its length. */
function longestMatch(
  a: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [aLow, aHigh, bLow, bHigh]: readonly [number, number, number, number],
): [number, number, number] {
  let best: [number, number, number] = [aLow, bLow, 0];
  let lengths = new Map<number, number>();
  for (let i = aLow; i < aHigh; i++) {
    const longer = new Map<number, number>();
    for (const j of places.get(a[i]) ?? []) {
      if (j < bLow || j >= bHigh) continue;
      const length = (lengths.get(j - 1) ?? 0) + 1;
      longer.set(j, length);
      if (length > best[2]) best = [i - length + 1, j - length + 1, length];
    }
    lengths = longer;
  }
  return best;
}

/** Compare by code points, as Python does; JavaScript's < compares halves of some. */
function compare(left: string, right: string): number {
  const a = [...left].map((character) => character.codePointAt(0)!);
  const b = [...right].map((character) => character.codePointAt(0)!);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i] - b[i];
  }
  return a.length - b.length;
}
