/** Questions with a number for an answer, and what a wrong number says about how it was found. */

import { namesOf } from "../app/names.ts";
import { preset } from "../app/presets.ts";
import { randomFrom } from "../app/random.ts";
import { type Graph, type Paths, parse, paths, snapshot, walk } from "../core/index.ts";
import { close } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { graphOf, type Level, sample } from "./generate.ts";

export interface Question {
  id: string;
  text: string;
  values: Record<string, number>;
  /** The label of the node whose gradient is asked for. */
  leaf: string;
}

function fromPreset(id: string, leaf: string): Question {
  const { text, values } = preset(id);
  return { id: `${id}-${leaf}`, text, values, leaf };
}

export const FIXED: readonly Question[] = [
  fromPreset("x1", "a"),
  // Other numbers: the answer before it is not this one, too.
  { ...fromPreset("x1", "b"), values: { a: -1, b: 5, c: 4 } },
  fromPreset("x2", "w1"),
  fromPreset("x6", "a"),
];

/** The question that a level and a seed make: always the same, so that its id says all of it. */
export function generated(level: Level, seed: number): Question {
  const drawn = sample(randomFrom(seed), level);
  const leaf = mostShared(graphOf(drawn));
  return { ...drawn, id: `${level}.${seed}`, leaf };
}

/** The id of the question about the learner's own expression. */
export const OWN = "own";

/** The question of an id, which may come from a link; null when it is none. */
export function questionOf(
  id: string,
  text: string,
  values: Record<string, number>,
): Question | null {
  const fixed = FIXED.find((one) => one.id === id);
  if (fixed) return fixed;
  if (id === OWN) return text ? about(text, values, OWN) : null;
  const [, level, seed] = /^(easy|medium|hard)\.(\d{1,10})$/.exec(id) ?? [];
  return level ? generated(level as Level, Number(seed)) : null;
}

/** A question about any expression; null when it has no variable to ask for. */
export function about(text: string, values: Record<string, number>, id: string): Question | null {
  const expression = parse(text);
  const used = Object.fromEntries(expression.names.map((name) => [name, values[name] ?? 1]));
  const graph = snapshot(expression.evaluate(used));
  if (!graph.leaves.length) return null;
  return { id, text, values: used, leaf: mostShared(graph) };
}

/** The leaf with the most paths makes the better question. */
function mostShared(graph: Graph): string {
  let best = graph.leaves[0];
  let most = 0n;
  for (const leaf of graph.leaves) {
    const { count } = paths(graph, leaf.id, 1);
    if (count > most) [best, most] = [leaf, count];
  }
  return best.label;
}

export function answerOf(graph: Graph, leaf: string): Paths {
  return paths(graph, leaf, 6);
}

/** How someone comes to this wrong answer, or nothing when it is anyone's guess. */
export function diagnose(graph: Graph, leaf: string, typed: number): string {
  const words = t.checks.diagnosis;
  const found = answerOf(graph, leaf);
  const node = graph.find(leaf);
  const names = namesOf(graph);
  if (found.count > 1n && found.complete) {
    for (const path of found.largest) {
      if (close(typed, path.product))
        return words.onePath(path.nodes.map((id) => names[id]).join(" → "));
    }
    if (
      close(
        typed,
        found.largest.reduce((product, path) => product * path.product, 1),
      )
    )
      return words.product;
  }
  if (close(typed, walk(graph, { bug: "overwrite" }).grads[node.id])) return words.overwrite;
  if (close(typed, -found.total)) return words.flipped;
  if (close(typed, node.data)) return words.value(leaf);
  if (
    found.largest.some(
      (path) => path.locals.length > 1 && path.locals.some((local) => close(typed, local)),
    )
  )
    return words.local;
  return "";
}
