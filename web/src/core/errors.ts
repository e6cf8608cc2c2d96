/**
 * Every error the engine throws on purpose, the tree of `gradwalk.errors`.
 *
 *   GradwalkError
 *   ├── OperandError      an operand is neither a Value nor a real number
 *   ├── ExpressionError   the text is not an expression; carries the column
 *   ├── GraphError        a node, label or path that the graph does not have
 *   │   └── OrderError    a visit order that is not one of this graph
 *   └── BackwardError     the graph cannot be walked backward as it stands
 */

import { codePoints, isPrintable, utf16Index } from "./numbers.ts";

/** The root of the tree above. */
export class GradwalkError extends Error {
  override name = "GradwalkError"; // written out: a minified class has no name of its own
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

  constructor(message: string, text = "", column = 0) {
    super(message);
    this.text = text;
    this.column = column;
  }

  /** The column as an index into the JavaScript string. */
  get index(): number {
    return utf16Index(this.text, this.column);
  }

  /** The message, the line of the text and a caret under the column, as Python prints it. */
  override toString(): string {
    const [line, column] = excerpt(this.text, this.column);
    return line.trim() ? `${this.message}\n  ${line}\n  ${" ".repeat(column)}^` : this.message;
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

/** Return at most `width` characters around `column`, and the caret's place in them. */
function excerpt(text: string, column: number, width = 72): [string, number] {
  const index = utf16Index(text, column);
  const begin = index ? text.lastIndexOf("\n", index - 1) + 1 : 0;
  const end = text.indexOf("\n", index);
  const characters = [...text.slice(begin, end >= 0 ? end : undefined)];
  const line = characters.map((c) => (isPrintable(c) ? c : "·"));
  const caret = column - codePoints(text.slice(0, begin));
  if (line.length <= width) return [line.join(""), caret];
  const left = Math.max(0, Math.min(caret - Math.floor(width / 2), line.length - width));
  const shown = line.slice(left, left + width);
  if (left) shown[0] = "…";
  if (left + width < line.length) shown[shown.length - 1] = "…";
  return [shown.join(""), caret - left];
}
