/** The expression as a Python script that prints what the lab shows. */

import { FUNCTIONS, parse } from "./core/index.ts";

export function pythonOf(
  text: string,
  values: ReadonlyMap<string, number>,
  output: string,
): string {
  const expression = parse(text);
  const called = new Set(
    expression.nodes.map((node) => node.op).filter((op) => FUNCTIONS.has(op) && op !== "abs"),
  );
  const statements = expression
    .toString()
    .split("; ")
    .map((line, i, all) =>
      i === all.length - 1 && !/^[^=<>!]+ = /.test(line) ? `${output} = ${line}` : line,
    );
  const last = statements.at(-1)!.split(" = ")[0];
  const leaves = expression.names.map(
    (name) => `${name} = Value(${pythonNumber(values.get(name) ?? 1)}, label="${name}")`,
  );
  return [
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
