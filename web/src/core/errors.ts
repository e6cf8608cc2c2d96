/**
 * Every error the engine throws on purpose, the tree of `gradwalk.errors`.
 *
 *   GradwalkError
 *   ├── OperandError      an operand is neither a Value nor a real number
 *   ├── ExpressionError   the text is not an expression; carries the column
 *   ├── GraphError        a node, label or path that the graph does not have
 *   │   └── OrderError    a visit order that is not one of this graph
 *   └── BackwardError     the graph cannot be walked backward as it stands
 *
 * An error carries a code and arguments. The words are in `strings/`, one entry per code and language.
 */

import { utf16Index } from "./numbers.ts";

/** The arguments of each message, by its code. A message inside a message says how to mend it. */
export interface Messages {
  // Operands
  "value-number": [thing: string];
  "input-value": [thing: string];
  "local-count": [inputs: number, given: number];
  "operand-value": [op: string, thing: string];
  "operand-count": [op: string, least: number, most: number, given: number];
  "snapshot-value": [thing: string];
  "buffers-busy": [];
  // Graphs and walks
  "no-node-id": [id: number, last: number];
  "no-node": [name: string, known: readonly string[]];
  "no-node-list": [thing: string];
  "not-contract": [id: number, thing: string];
  "not-number": [id: number, thing: string];
  "bad-columns": [part: string];
  "no-path": [root: string, to: string];
  "value-in-graph": [];
  "not-in-graph": [value: string, root: string];
  "no-bug": [name: string, known: readonly string[]];
  "order-and-bug": [bug: string];
  "too-many-visits": [visits: string, nodes: number, most: number];
  "order-twice": [names: readonly string[]];
  "order-missing": [names: readonly string[]];
  // Expressions
  "parse-text": [thing: string];
  "too-long": [bytes: number];
  "leaf-number": [name: string, thing: string];
  "no-value": [name: string];
  "computed-here": [name: string];
  "no-variable": [name: string, remedy: Message];
  beyond: [number: string];
  keyword: [word: string, remedy: Message];
  unexpected: [sign: string, remedy: Message];
  "dotted-function": [call: string, written: string];
  "dotted-name": [name: string, written: string];
  empty: [];
  "named-function": [name: string];
  "bare-function": [name: string, call: string];
  "call-count": [wrong: Message, call: string];
  "no-function": [name: string, remedy: Message];
  "other-name": [name: string, written: string];
  strict: [];
  "too-deep": [most: number];
  "dropped-comparison": [];
  unclosed: [];
  unopened: [];
  comma: [];
  "late-equals": [];
  chained: [];
  "nothing-inside": [];
  "no-left": [sign: string];
  "no-right": [sign: string];
  "no-operator": [left: string, right: string];
  // Remedies
  "did-you-mean": [name: string];
  "variables-are": [names: readonly string[]];
  "no-variables": [];
  "to-multiply": [name: string];
  "with-others": [];
  rename: [name: string];
  write: [written: string];
  "write-power": [];
  "write-out": [];
  "write-name": [];
  "write-times": [];
  "write-divide": [];
  "write-minus": [];
  "write-root": [];
  "write-unequal": [];
  "write-where": [];
  "no-quotes": [];
  "no-brackets": [];
  "no-dot": [];
  "no-comments": [];
  digits: [];
  symbols: [];
}

export type Code = keyof Messages;
export type Argument = string | number | readonly string[] | Message;

/** What is to be said, before it is put into the words of a language. */
export interface Message {
  readonly code: Code;
  readonly args: readonly Argument[];
}

export function message<C extends Code>(code: C, ...args: Messages[C]): Message {
  return { code, args: args as readonly Argument[] };
}

/** The root of the tree above. */
export class GradwalkError extends Error {
  override name = "GradwalkError"; // written out: a minified class has no name of its own
  readonly said: Message;

  constructor(said: Message) {
    super(`${said.code} ${JSON.stringify(said.args)}`); // for a console; people read `strings/`
    this.said = said;
  }
}

/** An operand is neither a Value nor a real number. */
export class OperandError extends GradwalkError {
  override name = "OperandError";
}

/** The text is not an expression gradwalk accepts; `column` counts code points from 0. */
export class ExpressionError extends GradwalkError {
  override name = "ExpressionError";
  readonly text: string;
  readonly column: number;

  constructor(said: Message, text = "", column = 0) {
    super(said);
    this.text = text;
    this.column = column;
  }

  /** The column as an index into the JavaScript string. */
  get index(): number {
    return utf16Index(this.text, this.column);
  }
}

/** The graph has no such node, label or path. */
export class GraphError extends GradwalkError {
  override name = "GraphError";
}

/** The visit order is not an order of this graph's nodes. */
export class OrderError extends GraphError {
  override name = "OrderError";
}

/** The graph cannot be walked backward as it stands. */
export class BackwardError extends GradwalkError {
  override name = "BackwardError";
}
