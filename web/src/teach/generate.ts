/** Random small expressions whose gradients can be found in the head; the same seed, the same one. */

import { type Graph, parse, snapshot, walk } from "../core/index.ts";

export interface Sample {
  text: string;
  values: Record<string, number>;
}

export type Level = "easy" | "medium" | "hard";

export type Random = () => number;

export function graphOf({ text, values }: Sample): Graph {
  return snapshot(parse(text).evaluate(values));
}

const LEVELS: Record<Level, { operations: number; leaves: number; vocabulary: string[] }> = {
  easy: { operations: 2, leaves: 3, vocabulary: ["+", "*"] },
  medium: { operations: 3, leaves: 2, vocabulary: ["+", "*", "*", "-"] },
  hard: { operations: 5, leaves: 2, vocabulary: ["+", "*", "*", "-", "**2", "relu"] },
};

const LEAVES = ["a", "b", "c"];
const NAMES = ["d", "e", "g", "h", "k", "m"];
const NUMBERS = [-4, -3, -2, -1, 1, 2, 2, 3, 4, 5];
const LARGEST = 60;

export function sample(random: Random, level: Level): Sample {
  for (;;) {
    const drawn = draw(random, level);
    if (isGood(drawn)) return drawn;
  }
}

function draw(random: Random, level: Level): Sample {
  const { operations, leaves, vocabulary } = LEVELS[level];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const values: Record<string, number> = {};
  const names = LEAVES.slice(0, 1 + Math.floor(random() * leaves));
  for (const name of names) values[name] = pick(NUMBERS);
  const known = [...names];
  let loose = [...names];
  const statements: string[] = [];
  for (let i = 0; i < operations; i++) {
    const name = NAMES[i];
    const mustJoin = loose.length > operations - i;
    const op = pick(mustJoin ? ["+", "*"] : vocabulary);
    const first = pick(loose);
    const others = mustJoin ? loose.filter((one) => one !== first) : known;
    const second = pick(others.length ? others : known);
    if (op === "relu") statements.push(`${name} = relu(${first})`);
    else if (op === "**2") statements.push(`${name} = ${first}**2`);
    else statements.push(`${name} = ${first} ${op} ${second}`);
    const used = op === "relu" || op === "**2" ? [first] : [first, second];
    loose = [...loose.filter((one) => !used.includes(one)), name];
    known.push(name);
  }
  return { text: statements.join("; "), values };
}

/** No number too large for the head, and no gradient that is 0 for no reason to be seen. */
function isGood(drawn: Sample): boolean {
  const graph = graphOf(drawn);
  if (graph.leaves.length !== Object.keys(drawn.values).length) return false;
  const { expected } = walk(graph);
  return graph.nodes.every(
    (node) =>
      Math.abs(node.data) <= LARGEST &&
      Math.abs(expected[node.id]) <= LARGEST &&
      (node.tags.includes("const") || expected[node.id] !== 0) &&
      (node.data !== 0 || node.op === "relu"),
  );
}
