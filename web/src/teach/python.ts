/** The expression as a Python script that prints what the lab shows. */

import { FUNCTIONS, parse } from "../core/index.ts";

export function pythonOf(
  text: string,
  values: ReadonlyMap<string, number>,
  output: string,
): string {
  const expression = parse(text);
  const called = new Set(
    expression.nodes.map((node) => node.op).filter((op) => FUNCTIONS.has(op) && op !== "abs"),
  );
  const statements = expression.statements;
  const whole = expression.nodes.at(-1)!;
  const last = whole.op === "=" ? whole.name : output;
  if (whole.op !== "=") statements.push(`${output} = ${statements.pop()}`);
  const leaves = expression.names.map(
    (name) => `${name} = Value(${pythonNumber(values.get(name) ?? 1)}, label="${name}")`,
  );
  const imported = expression.constants.length
    ? [`from math import ${[...expression.constants].sort().join(", ")}`]
    : [];
  return [
    ...imported,
    `from gradwalk import ${["Value", ...[...called].sort()].join(", ")}`,
    "",
    ...leaves,
    ...statements,
    `${last}.backward()`,
    `print("${last} =", ${last}.data)`,
    ...expression.names.map((name) => `print("${name}.grad =", ${name}.grad)`),
    "",
  ].join("\n");
}

function pythonNumber(x: number): string {
  return Number.isInteger(x) && Math.abs(x) < 1e16 ? x.toFixed(1) : String(x);
}
