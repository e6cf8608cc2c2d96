/**
 * Gradient descent on the expression of the sandbox: every leaf that learns takes a step against its
 * gradient. Pure; the store keeps the history and the player the pace.
 */

import { type Expression, parse, snapshot, walk } from "../core/index.ts";

/** A point on the way down: what the learning leaves were, and the output there. */
export interface Point {
  readonly values: ReadonlyMap<string, number>;
  readonly output: number;
}

export type Values = ReadonlyMap<string, number>;

const DATA = /^(x|y|t|target|input|label|data)\d*$/i;

/** The leaves that learn unless someone says otherwise: all but those that sound like data. */
export function learners(names: readonly string[]): string[] {
  const found = names.filter((name) => !DATA.test(name));
  return found.length ? found : [...names];
}

function at(expression: Expression, values: Values): Record<string, number> {
  return Object.fromEntries(expression.names.map((name) => [name, values.get(name) ?? 1]));
}

export function outputAt(text: string, values: Values): number {
  const expression = parse(text);
  return expression.evaluate(at(expression, values)).data;
}

/** The values after one step of size `rate`; null where a gradient or a value is no number. */
export function stepDown(
  text: string,
  values: Values,
  learning: readonly string[],
  rate: number,
): Values | null {
  const expression = parse(text);
  const graph = snapshot(expression.evaluate(at(expression, values)));
  const { expected } = walk(graph);
  const next = new Map(values);
  for (const leaf of graph.leaves) {
    if (!learning.includes(leaf.label)) continue;
    const value = leaf.data - rate * expected[leaf.id];
    if (!Number.isFinite(value)) return null;
    next.set(leaf.label, value);
  }
  return next;
}

type Range = readonly [low: number, high: number];

/** What part of the plane of two leaves is shown. */
export interface Domain {
  readonly x: Range;
  readonly y: Range;
}

/** How many steps are looked ahead, and how much room there is around them. */
const [AHEAD, ROOM, LEAST] = [60, 1.6, 0.5];

/**
 * Where a descent takes place: around its start and where steps of size `rate` lead from there. It
 * hangs on nothing else, so a map of it stands still while someone goes down.
 */
export function domainOf(
  text: string,
  start: Values,
  learning: readonly string[],
  [first, second]: readonly [string, string],
  rate: number,
): Domain {
  const way = [start];
  let output = outputAt(text, start);
  while (way.length < AHEAD) {
    const next = stepDown(text, way[way.length - 1], learning, rate);
    const lower = next ? outputAt(text, next) : Number.NaN;
    if (!next || !(lower < output)) break;
    way.push(next);
    output = lower;
  }
  const [x, y] = [first, second].map((name) => {
    const numbers = way.map((values) => values.get(name) ?? 1);
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    const middle = (low + high) / 2;
    const half = Math.max((ROOM * (high - low)) / 2, LEAST * Math.max(1, Math.abs(middle)));
    return { middle, half };
  });
  // Of one scale, where that shows both: a step then goes straight across the lines of height.
  const half = Math.max(x.half, y.half);
  const isAlike = half <= 4 * Math.min(x.half, y.half);
  const [across, up] = [x, y].map(({ middle, half: own }): Range => {
    const room = isAlike ? half : own;
    return [middle - room, middle + room];
  });
  return { x: across, y: up };
}

/** The output over two leaves at the corners of `cells` × `cells` cells, row by row from the top. */
export function surfaceOf(
  text: string,
  values: Values,
  [first, second]: readonly [string, string],
  { x, y }: Domain,
  cells = 28,
): readonly (readonly number[])[] {
  const expression = parse(text);
  const fixed = at(expression, values);
  const between = ([low, high]: Range, i: number): number => low + ((high - low) * i) / cells;
  const places = Array.from({ length: cells + 1 }, (_, i) => i);
  return places.map((row) =>
    places.map((column) => {
      const point = { ...fixed, [first]: between(x, column), [second]: between(y, cells - row) };
      return expression.evaluate(point).data;
    }),
  );
}
