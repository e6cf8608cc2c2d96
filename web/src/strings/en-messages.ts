/** What the engine's errors say, in English: the words that Python has for them, too. */

import type { Code, Message, Messages } from "../core/index.ts";

/** A message inside a message arrives as text. */
type Told<A> = { [K in keyof A]: A[K] extends Message ? string : A[K] };
export type MessageWords = { readonly [C in Code]: (...args: Told<Messages[C]>) => string };

export const messages: MessageWords = {
  "value-number": (thing) => `Value takes a real number, not ${thing}`,
  "input-value": (thing) => `an input is a Value, not ${thing}`,
  "local-count": (inputs, given) => `${inputs} inputs need as many local gradients, not ${given}`,
  "operand-value": (op, thing) => `${op} takes a Value or a real number, not ${thing}`,
  "operand-count": (op, least, most, given) => {
    const wanted = least === most ? `${most}` : `${least} to ${most}`;
    return `${op} takes ${wanted} ${most === 1 ? "operand" : "operands"}, got ${given}`;
  },
  "snapshot-value": (thing) => `snapshot takes a Value, not ${thing}`,
  "buffers-busy": () => "these Buffers are in use by a backward() that has not returned",

  "no-node-id": (id, last) => `there is no node ${id}: ids go from 0 to ${last}`,
  "no-node": (name, known) => `there is no node ${name}; this graph has ${known.join(", ")}`,
  "no-node-list": (thing) => `a graph has a list of nodes, not ${thing}`,
  "not-contract": (id, thing) => `node ${id} is not one of the contract: ${thing}`,
  "not-number": (id, thing) => `node ${id} has a number that is none: ${thing}`,
  "bad-columns": (part) => `these bytes are not a graph in columns: ${part} is wrong`,
  "no-path": (root, to) => `no path leads from ${root} to ${to}`,
  "value-in-graph": () => "a Value cannot be found in a Graph: name the node or give its id",
  "not-in-graph": (value, root) => `${value} is not in the graph of ${root}`,
  "no-bug": (name, known) => `there is no bug ${name}; the bugs are ${known.join(", ")}`,
  "order-and-bug": (bug) => `an order of your own goes with no bug but overwrite, not with ${bug}`,
  "too-many-visits": (visits, nodes, most) =>
    `without the visited set this sort makes ${visits} visits to ${nodes} nodes; take a smaller graph, up to ${most} visits`,
  "order-twice": (names) => `the order has ${names.join(", ")} twice; it must have every node once`,
  "order-missing": (names) =>
    `the order has ${names.join(", ")} not at all; it must have every node once`,

  "parse-text": (thing) => `parse takes a str, not ${thing}`,
  "too-long": (bytes) =>
    `the text is longer than ${bytes} bytes: split the work into several expressions`,
  "leaf-number": (name, thing) => `${name} takes a real number, not ${thing}`,
  "no-value": (name) => `${name} has no value: give it one, as in ${name}=1`,
  "computed-here": (name) => `${name} is computed here: give it no value`,
  "no-variable": (name, remedy) => `there is no variable ${name}: ${remedy}`,
  beyond: (number) => `${number} is beyond the largest double, 1.8e308`,
  keyword: (word, remedy) => `${word} is a keyword of Python: ${remedy}`,
  unexpected: (sign, remedy) => `unexpected ${sign}: ${remedy}`,
  "dotted-function": (call, written) => `functions stand alone: write ${call} for ${written}`,
  "dotted-name": (name, written) => `a name has no dot in it: write ${name} for ${written}`,
  empty: () => "there is no expression: write one, such as (a + b) * c",
  "named-function": (name) => `${name} is a function: name the value otherwise, as in d = a*b`,
  "bare-function": (name, call) => `${name} is a function: write ${call}`,
  "call-count": (wrong, call) => `${wrong}: write ${call}`,
  "no-function": (name, remedy) => `there is no function ${name}: ${remedy}`,
  "other-name": (name, written) => `${name} is written ${written}`,
  strict: () =>
    "strict: the exponent must be a number, because the rule for x**n, n * x**(n-1), needs a fixed n; drop --strict to differentiate both sides",
  "too-deep": (most) => `nested more than ${most} deep: name a part first, as in d = a*b; d + 1`,
  "dropped-comparison": () => "== compares: to name a value write =, as in d = a*b",
  unclosed: () => "this ( is never closed: expected )",
  unopened: () => "this ) closes nothing: expected an operator or the end",
  comma: () =>
    "a comma only separates the operands of a function; decimals have a point, as in 1.5",
  "late-equals": () =>
    "= names a value at the start of a statement, as in d = a*b; to compare write ==",
  chained: () => "comparisons do not chain: write one, as in where(a < b, a, b)",
  "nothing-inside": () => "expected an expression between ( and )",
  "no-left": (sign) => `expected an operand before ${sign}`,
  "no-right": (sign) => `expected an operand after ${sign}`,
  "no-operator": (left, right) =>
    `expected an operator before ${right}: did you mean ${left}*${right}?`,

  "did-you-mean": (name) => `did you mean ${name}?`,
  "variables-are": (names) => `the variables are ${names.join(", ")}`,
  "no-variables": () => "the expression has none",
  "to-multiply": (name) => `to multiply, write ${name}*(…)`,
  "with-others": () => "write it with others, such as exp, log, where",
  rename: (name) => `call the variable ${name}_`,
  write: (written) => `write ${written}`,
  "write-power": () => "power is written **, as in a**2",
  "write-out": () => "write it out, as in a = a + 1",
  "write-name": () => "a value is named with =, as in d = a*b",
  "write-times": () => "multiply is written *",
  "write-divide": () => "divide is written /",
  "write-minus": () => "minus is written -",
  "write-root": () => "a square root is written sqrt(x)",
  "write-unequal": () => "not equal is written !=",
  "write-where": () => "a choice is written where(condition, x, y)",
  "no-quotes": () => "an expression has no quotes: leave them out",
  "no-brackets": () => "only ( and ) group",
  "no-dot": () => "a dot belongs inside a number, as in 0.5",
  "no-comments": () => "an expression has no comments: leave it out",
  digits: () => "digits are 0 to 9, and power is written **, as in a**2",
  symbols: () => "an expression has numbers, names, ( ) and + - * / // % **",
};
