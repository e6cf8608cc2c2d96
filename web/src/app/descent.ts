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

export interface Surface {
  readonly x: readonly [low: number, high: number];
  readonly y: readonly [low: number, high: number];
  /** Outputs, row by row from the top. */
  readonly rows: readonly (readonly number[])[];
}

/** The output over two leaves, around the way that was gone. */
export function surfaceOf(
  text: string,
  values: Values,
  [first, second]: readonly [string, string],
  way: readonly Point[],
  size = 24,
): Surface {
  const expression = parse(text);
  const range = (name: string): readonly [number, number] => {
    const numbers = way.map((point) => point.values.get(name) ?? 0);
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    const room = Math.max(0.35 * (high - low), 0.3 * Math.max(1, Math.abs(high), Math.abs(low)));
    return [low - room, high + room];
  };
  const [x, y] = [range(first), range(second)];
  const fixed = at(expression, values);
  const between = ([low, high]: readonly [number, number], i: number): number =>
    low + ((high - low) * (i + 0.5)) / size;
  const rows = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column) => {
      const point = { ...fixed };
      point[first] = between(x, column);
      point[second] = between(y, size - 1 - row);
      return expression.evaluate(point).data;
    }),
  );
  return { x, y, rows };
}
