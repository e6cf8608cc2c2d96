/**
 * The expression language: `d = a*b; e = a + b; d*e` as text, as plain data, as a graph of Values.
 *
 *   text ─tokenize→ tokens ─Parser→ Expression(nodes) ─bind→ Value
 *                                       └─toString→ text, normalised
 *
 * Start reading at `parse`, then `ExprNode` and `Expression`, then `Parser.expression`, where
 * precedence is decided. Operators, precedence, names and every message are those of
 * `gradwalk.expr`; tests/fixtures/expressions.json holds both parsers together.
 *
 * The nodes of an expression lie flat, operands before consumers, so nothing that works on them
 * recurses. Only the parser does, and `MAX_DEPTH` bounds it.
 */

import { apply, CONST, constant, Value } from "./engine.ts";
import { ExpressionError, type Message, message, OperandError } from "./errors.ts";
import { nearest } from "./nearest.ts";
import {
  codePoints,
  described,
  firstCharacters,
  isDigits,
  repr,
  short,
  utf16Index,
} from "./numbers.ts";
import { BY_SYMBOL, type Op, real, TABLE } from "./ops.ts";

// A node takes at least one byte of text, so this is also the most nodes an expression can have.
export const MAX_BYTES = 4096;
export const MAX_DEPTH = 64;

/** What can be called, by every name it has: the rows that are not written with an operator. */
export const FUNCTIONS: ReadonlyMap<string, Op> = new Map(
  TABLE.filter((op) => !op.infix && !op.derived).flatMap((op) =>
    [op.name, ...op.aliases].map((name) => [name, op] as const),
  ),
);

/** Names that are numbers unless the expression assigns them or is given a value for them. */
export const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["e", Math.E],
  ["tau", 2 * Math.PI],
  ["inf", Infinity],
]);

/** Values for variables, by name. */
export type Values = Readonly<Record<string, number>> | ReadonlyMap<string, number>;

/**
 * Return the expression that `text` writes, or throw an ExpressionError that points into it.
 *
 * With `strict` the exponent of ** must be a number, as in micrograd.
 */
export function parse(text: string, { strict = false }: { strict?: boolean } = {}): Expression {
  if (typeof text !== "string") {
    throw new OperandError(message("parse-text", described(text)));
  }
  // A code point is at most two of JavaScript's characters: a text of any size is refused at once.
  if (text.length > 2 * MAX_BYTES || bytes(text) > MAX_BYTES) {
    const shown = firstCharacters(text.slice(0, 2 * MAX_BYTES), MAX_BYTES);
    throw new ExpressionError(message("too-long", MAX_BYTES), shown, codePoints(shown));
  }
  return new Parser(text, strict).program();
}

/**
 * One number, read of a name, operation or assignment, and the columns it was written at.
 *
 * `op` is "const", "name", "=", a comparison, or the symbol of a row of the table; `operands` are
 * indices of earlier nodes. Columns count code points.
 */
export interface ExprNode {
  readonly op: string;
  readonly operands: readonly number[];
  readonly number: number;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A graph made from an expression: its root, and the leaf of each free variable. */
export interface Bound {
  readonly root: Value;
  readonly leaves: ReadonlyMap<string, Value>;
}

/** A parsed text. */
export class Expression {
  readonly text: string;
  readonly nodes: readonly ExprNode[];
  /** The free variables, in the order of first use. */
  readonly names: readonly string[];
  /** The constants it reads, such as pi. One that is given a value is a variable. */
  readonly constants: readonly string[];

  constructor(
    text: string,
    nodes: readonly ExprNode[],
    names: readonly string[],
    constants: readonly string[] = [],
  ) {
    this.text = text;
    this.nodes = nodes;
    this.names = names;
    this.constants = constants;
  }

  /** Return the root of a fresh graph, with `values` for the free variables. */
  evaluate(values: Values): Value {
    return this.bind(values).root;
  }

  /** Return the root of a fresh graph together with its leaves, to read gradients from. */
  bind(values: Values): Bound {
    const leaves = this.#leaves(values);
    const known = new Map<string, Value>();
    for (const name of this.constants) {
      const value = constant(CONSTANTS.get(name)!);
      value.label = name;
      known.set(name, value);
    }
    for (const [name, leaf] of leaves) known.set(name, leaf);
    const results: Value[] = [];
    for (const node of this.nodes) {
      const operands = node.operands.map((index) => results[index]);
      const compare = COMPARISONS.get(node.op);
      let result: Value;
      if (node.op === "name") {
        result = known.get(node.name)!;
      } else if (node.op === CONST) {
        result = constant(node.number);
      } else if (node.op === "=") {
        result = operands[0];
        known.set(node.name, result);
        result.label ||= node.name;
      } else if (compare) {
        result = constant(compare(operands[0].data, operands[1].data) ? 1 : 0);
      } else {
        result = apply(BY_SYMBOL.get(node.op)!, ...operands);
      }
      results.push(result);
    }
    return { root: results[results.length - 1], leaves };
  }

  #leaves(values: Values): Map<string, Value> {
    const given = new Map<string, number>();
    for (const [name, number] of values instanceof Map ? values : Object.entries(values)) {
      given.set(normal(name), number);
    }
    for (const name of given.keys()) {
      if (!this.names.includes(name) && !this.constants.includes(name)) throw this.#unknown(name);
    }
    const leaves = new Map<string, Value>();
    for (const name of [...this.names, ...this.constants.filter((name) => given.has(name))]) {
      if (!given.has(name)) {
        throw this.#error(message("no-value", short(name)), name);
      }
      const data = real(given.get(name));
      if (data === null) {
        throw new OperandError(message("leaf-number", short(name), described(given.get(name))));
      }
      leaves.set(name, new Value(data, [], "", name));
    }
    return leaves;
  }

  #unknown(name: string): ExpressionError {
    if (this.nodes.some((node) => node.op === "=" && node.name === name)) {
      return this.#error(message("computed-here", short(name)), name);
    }
    const near = nearest(name, this.names);
    const remedy = near ? message("did-you-mean", near) : listed(this.names);
    return this.#error(message("no-variable", repr(short(name)), remedy), near);
  }

  /** Return an error that points to where `name` comes first. */
  #error(said: Message, name: string): ExpressionError {
    const first = name ? this.nodes.find((node) => node.name === name) : undefined;
    return new ExpressionError(said, this.text, first?.start ?? 0);
  }

  /** Return the text with normal spacing and no spare parentheses; it parses to the same. */
  toString(): string {
    return this.statements.join("; ");
  }

  /** Its statements, each with normal spacing; the last one is what it computes. */
  get statements(): string[] {
    const texts: string[] = [];
    const powers: number[] = [];
    const consumed = new Set<number>();
    const operand = (index: number, least: number): string =>
      powers[index] >= least ? texts[index] : `(${texts[index]})`;
    for (const { op, operands, name, number } of this.nodes) {
      for (const index of operands) consumed.add(index);
      const binding = POWERS.get(op);
      let power = ATOM;
      let text: string;
      if (op === "name") {
        text = name;
      } else if (op === CONST) {
        text = repr(number).replace(/\.0$/, "");
        power = text.startsWith("-") ? UNARY : ATOM;
      } else if (op === "=") {
        text = `${name} = ${texts[operands[0]]}`;
      } else if (op === "neg") {
        power = UNARY;
        text = `-${operand(operands[0], UNARY)}`;
      } else if (binding) {
        power = binding[0];
        const space = op === "**" ? "" : " ";
        const left = operand(operands[0], binding[1]);
        text = left + space + op + space + operand(operands[1], binding[2]);
      } else {
        text = `${BY_SYMBOL.get(op)!.name}(${operands.map((index) => texts[index]).join(", ")})`;
      }
      texts.push(text);
      powers.push(power);
    }
    // What no node consumes is a statement.
    return texts.filter((_, index) => !consumed.has(index));
  }
}

// ── Tables ───────────────────────────────────────────────────────────────────────────────────

const COMPARISONS: ReadonlyMap<string, (x: number, y: number) => boolean> = new Map([
  ["<", (x: number, y: number) => x < y],
  ["<=", (x: number, y: number) => x <= y],
  [">", (x: number, y: number) => x > y],
  [">=", (x: number, y: number) => x >= y],
  ["==", (x: number, y: number) => x === y],
  ["!=", (x: number, y: number) => x !== y],
]);

// Python's precedence. For each operator: how tightly it binds, and the least that its left and its
// right operand must bind to stand without parentheses. Right above left groups to the left; both
// above the operator's own does not chain; ** takes a sign on its right, but not on its left.
const UNARY = 4;
const ATOM = 6;
type Binding = readonly [number, number, number];
const POWERS: ReadonlyMap<string, Binding> = new Map<string, Binding>([
  ...[...COMPARISONS.keys()].map((sign) => [sign, [1, 2, 2]] as [string, Binding]),
  ["+", [2, 2, 3]],
  ["-", [2, 2, 3]],
  ["*", [3, 3, 4]],
  ["/", [3, 3, 4]],
  ["//", [3, 3, 4]],
  ["%", [3, 3, 4]],
  ["**", [5, 6, UNARY]],
]);

const DIGITS = "[0-9](?:_?[0-9])*";
const TOKEN = new RegExp(
  `(?<name>[A-Za-z_\\u0080-\\u{10ffff}][0-9A-Za-z_\\u0080-\\u{10ffff}]*)` + // cut by leadingName
    `|(?<number>(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?)` +
    `|(?<blank>[ \\t]+)` +
    `|(?<symbol>\\*\\*=|//=|[-+*/%:]=|//|\\*\\*|[<>=!]=|.)`,
  "gsu",
);
const SYMBOLS: ReadonlySet<string> = new Set([...POWERS.keys(), ..."()=,;"]);

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except " +
    "finally for from global if import in is lambda nonlocal not or pass raise return try while " +
    "with yield"
  ).split(" "),
);

function remedy(things: Iterable<string>, said: Message): [string, Message][] {
  return [...things].map((thing) => [thing, said]);
}

// What people type that is not of the language, and what to write for it.
const REMEDIES: ReadonlyMap<string, Message> = new Map([
  ["^", message("write-power")],
  ...remedy(["+=", "-=", "*=", "/=", "**=", "//=", "%="], message("write-out")),
  [":=", message("write-name")],
  ...remedy("×·⋅∙∗", message("write-times")),
  ...remedy("÷∕⁄", message("write-divide")),
  ...remedy("−–—", message("write-minus")),
  ["√", message("write-root")],
  ["≤", message("write", "<=")],
  ["≥", message("write", ">=")],
  ["≠", message("write", "!=")],
  ...remedy("'\"`‘’“”«»", message("no-quotes")),
  ...remedy("[]{}", message("no-brackets")),
  [".", message("no-dot")],
  ["!", message("write-unequal")],
  ["#", message("no-comments")],
  ["True", message("write", "1")],
  ["False", message("write", "0")],
  ...remedy(["if", "else"], message("write-where")),
]);

// Functions by the names they have elsewhere.
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ...TABLE.filter((op) => op.infix).map(
    (op) => [op.name, op.operands.join(` ${op.symbol} `)] as [string, string],
  ),
  ["neg", "-x"],
  ["ln", "log(x)"],
  ["max", "maximum(x, y)"],
  ["min", "minimum(x, y)"],
]);

// ── Tokens ───────────────────────────────────────────────────────────────────────────────────

/** `kind` is "number", "name", "end", "misfit" or, for a symbol, the symbol itself. */
interface Token {
  /** What is wrong with a misfit. */
  readonly wrong?: Message;
  readonly kind: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Return the tokens up to the end, or up to a misfit that says what is wrong with it.
 *
 * A misfit is not thrown here: what the parser finds to the left of it comes first.
 */
function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const column = columns(text);
  const add = (kind: string, found: string, start: number, end: number, wrong?: Message): void => {
    tokens.push({ kind, text: found, start: column(start), end: column(end), wrong });
  };
  let depth = 0;
  let lastEnd = -1; // where the last token ends, in JavaScript's count
  // A no-break space comes along with text from web pages and looks like any other.
  const read = text.replaceAll("\u00a0", " ").replaceAll("\r", "\n");
  for (const match of read.matchAll(TOKEN)) {
    const groups = match.groups!;
    let found = match[0];
    if (groups.blank !== undefined || (depth && found === "\n")) continue; // in () a line goes on
    let start = match.index!;
    const end = start + found.length;
    let kind = groups.name !== undefined ? "name" : "number";
    if (groups.symbol !== undefined) {
      kind = found === "\n" ? ";" : found;
      depth += kind === "(" ? 1 : kind === ")" ? -1 : 0;
    } else if (!isAscii(found)) {
      const name = leadingName(found);
      if (name === found) {
        found = normal(found);
      } else {
        if (name) add("name", normal(name), start, start + name.length);
        start += name.length;
        kind = found = String.fromCodePoint(text.codePointAt(start)!);
      }
    }
    let wrong = SYMBOLS.has(kind) ? null : misfit(kind, found);
    if (wrong) {
      const before = tokens[tokens.length - 1];
      if (found === "." && before?.kind === "name" && lastEnd === start) {
        wrong = dotted(before.text, text.slice(end)) ?? wrong;
      }
      add("misfit", found, start, end, wrong);
      break;
    }
    add(kind, found, start, end);
    lastEnd = end;
  }
  const length = column(text.length);
  tokens.push({ kind: "end", text: "", start: length, end: length });
  return tokens;
}

/** Return what turns an index into a column, which counts code points. */
function columns(text: string): (index: number) => number {
  if (codePoints(text) === text.length) return (index) => index;
  const counted = new Uint32Array(text.length + 1);
  let column = 0;
  let index = 0;
  for (const character of text) {
    counted.fill(column, index, index + character.length);
    index += character.length;
    column += 1;
  }
  counted[text.length] = column;
  return (at) => counted[at];
}

const FIRST = /^[\p{XID_Start}_]$/u;
const FOLLOWING = /^\p{XID_Continue}$/u;

/** Return the identifier that `text` starts with, or nothing. */
function leadingName(text: string): string {
  let end = 0;
  for (const character of text) {
    // Python would take the middle dot of a·b into the name; here it is a mistaken *.
    if (!(end ? FOLLOWING : FIRST).test(character) || normal(character).includes("·")) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Return what is wrong with a token that is not a symbol of the language, or null. */
function misfit(kind: string, found: string): Message | null {
  if (kind === "number") {
    return Number.isFinite(float(found)) ? null : message("beyond", short(found));
  }
  const remedy = REMEDIES.get(found);
  if (kind === "name") {
    if (!KEYWORDS.has(found)) return null;
    return message("keyword", found, remedy ?? message("rename", found));
  }
  const otherwise = message(isDigits(found) ? "digits" : "symbols");
  return message("unexpected", repr(found), remedy ?? otherwise);
}

/** Return what is wrong with `math.exp` and its like, or null. */
function dotted(before: string, after: string): Message | null {
  const name = normal(leadingName(after));
  if (!name) return null;
  const written = `${short(before)}.${short(name)}`;
  return FUNCTIONS.has(name)
    ? message("dotted-function", signature(name), written)
    : message("dotted-name", written.replaceAll(".", "_"), written);
}

// ── The parser ───────────────────────────────────────────────────────────────────────────────

/** A Pratt parser: `expression` asks for operators that bind at least so tightly. */
class Parser {
  readonly text: string;
  readonly strict: boolean;
  readonly tokens: readonly Token[];
  index = 0;
  token: Token;
  depth = 0;
  readonly nodes: ExprNode[] = [];
  readonly names = new Set<string>();
  readonly constants = new Set<string>();
  readonly assigned = new Set<string>();

  constructor(text: string, strict: boolean) {
    this.text = text;
    this.strict = strict;
    this.tokens = tokenize(text);
    this.token = this.tokens[0];
  }

  /** Step to the next token and return the one left behind. */
  advance(): Token {
    const { token } = this;
    this.index += 1;
    this.token = this.tokens[this.index];
    return token;
  }

  program(): Expression {
    while (this.token.kind !== "end") {
      if (this.token.kind === ";") this.advance();
      else this.statement();
    }
    if (!this.nodes.length) {
      throw this.error(message("empty"), this.token);
    }
    return new Expression(this.text, this.nodes, [...this.names], [...this.constants]);
  }

  statement(): void {
    const first = this.token;
    if (first.kind === "name" && this.tokens[this.index + 1].kind === "=") {
      if (FUNCTIONS.has(first.text)) {
        throw this.error(message("named-function", first.text), first);
      }
      this.advance();
      this.advance();
      this.add("=", [this.expression()], first.start, 0, first.text);
      this.assigned.add(first.text);
    } else {
      const whole = this.nodes[this.expression()];
      if (whole.op === "==") throw this.dropped(whole);
    }
    if (this.token.kind !== ";" && this.token.kind !== "end") throw this.unexpected();
  }

  /** Parse operands joined by operators that bind at least as tightly as `least`. */
  expression(least = 0): number {
    const { start } = this.token;
    let left = this.operand();
    let bound = ATOM;
    for (;;) {
      const binding = POWERS.get(this.token.kind);
      if (!binding) break;
      const [power, leastLeft, leastRight] = binding;
      if (power < least || bound < leastLeft) break;
      const sign = this.advance();
      const exponent = this.token;
      let right: number;
      if (sign.kind === "**") {
        right = this.nested(sign, leastRight);
        if (this.strict && this.nodes[right].op !== CONST)
          throw this.error(message("strict"), exponent);
      } else {
        right = this.expression(leastRight);
      }
      left = this.add(sign.kind, [left, right], start);
      bound = power;
    }
    return left;
  }

  /** Parse an expression inside another; all recursion without end comes through here. */
  nested(opener: Token, least = 0): number {
    if (this.depth === MAX_DEPTH) {
      throw this.error(message("too-deep", MAX_DEPTH), opener);
    }
    this.depth += 1;
    const inner = this.expression(least);
    this.depth -= 1;
    return inner;
  }

  operand(): number {
    const { token } = this;
    switch (token.kind) {
      case "number":
        this.advance();
        return this.add(CONST, [], token.start, float(token.text));
      case "name":
        if (this.tokens[this.index + 1].kind === "(") return this.call();
        if (FUNCTIONS.has(token.text)) {
          throw this.error(message("bare-function", token.text, signature(token.text)), token);
        }
        this.advance();
        if (!this.assigned.has(token.text)) {
          (CONSTANTS.has(token.text) ? this.constants : this.names).add(token.text);
        }
        return this.add("name", [], token.start, 0, token.text);
      case "(": {
        this.advance();
        const inner = this.nested(token);
        this.close(token);
        return inner;
      }
      case "+":
        this.advance();
        return this.nested(token, UNARY);
      case "-": {
        this.advance();
        const inner = this.nested(token, UNARY);
        if (this.nodes[inner].op !== CONST) return this.add("neg", [inner], token.start);
        // -3 is a number, and in a graph one node
        return this.add(CONST, [], token.start, -this.nodes.pop()!.number);
      }
      default:
        throw this.missing();
    }
  }

  call(): number {
    const name = this.advance();
    const op = FUNCTIONS.get(name.text);
    if (!op) throw this.error(noFunction(name.text), name);
    const opener = this.advance();
    const operands: number[] = [];
    while (this.token.kind !== ")" || operands.length) {
      operands.push(this.nested(opener));
      if (this.token.kind !== ",") break;
      this.advance();
    }
    this.close(opener);
    try {
      op.complete(operands);
    } catch (error) {
      if (!(error instanceof OperandError)) throw error;
      throw this.error(message("call-count", error.said, signature(name.text)), name);
    }
    return this.add(op.symbol, operands, name.start);
  }

  close(opener: Token): void {
    const { kind } = this.token;
    if (kind === ";" || kind === "end") throw this.error(message("unclosed"), opener);
    if (kind !== ")") throw this.unexpected();
    this.advance();
  }

  add(op: string, operands: readonly number[], start: number, number = 0, name = ""): number {
    const { end } = this.tokens[this.index - 1];
    this.nodes.push({ op, operands, number, name, start, end });
    return this.nodes.length - 1;
  }

  // ── What is wrong ──────────────────────────────────────────────────────────────────────────

  error(said: Message, token: Token): ExpressionError {
    return new ExpressionError(said, this.text, token.start);
  }

  /** A comparison of its own would be computed and dropped: most often it is a mistaken =. */
  dropped(comparison: ExprNode): ExpressionError {
    const { text } = this;
    const from = utf16Index(text, this.nodes[comparison.operands[0]].end);
    const column = codePoints(text.slice(0, text.indexOf("==", from)));
    return new ExpressionError(message("dropped-comparison"), text, column);
  }

  /** Say which operand is missing at the current token. */
  missing(): ExpressionError {
    const { token } = this;
    const { kind } = token;
    const before = this.index ? this.tokens[this.index - 1] : NOTHING;
    if (before.kind === "(" && (kind === ";" || kind === "end")) {
      return this.error(message("unclosed"), before);
    }
    if (before.kind === "(" && kind === ")") {
      return this.error(message("nothing-inside"), token);
    }
    if (POWERS.has(kind) || (before.kind === "(" && kind === ",")) {
      return this.error(message("no-left", kind), token);
    }
    if ((POWERS.has(before.kind) || "=,".includes(before.kind)) && kind !== "misfit") {
      return this.error(message("no-right", before.kind), before);
    }
    return this.unexpected();
  }

  /** Say why the current token cannot stand here. */
  unexpected(): ExpressionError {
    const { token } = this;
    if (token.wrong) return this.error(token.wrong, token);
    const misplaced = MISPLACED.get(token.kind);
    if (misplaced) return this.error(misplaced, token);
    const before = this.tokens[this.index - 1];
    const left = before.kind === ")" ? "(…)" : short(before.text);
    const right = token.kind === "(" ? "(…)" : short(token.text);
    return this.error(message("no-operator", left, right), token);
  }
}

const NOTHING: Token = { kind: ";", text: ";", start: 0, end: 0 };
const MISPLACED: ReadonlyMap<string, Message> = new Map([
  [")", message("unopened")],
  [",", message("comma")],
  ["=", message("late-equals")],
  ...remedy(COMPARISONS.keys(), message("chained")),
]);

function noFunction(name: string): Message {
  const spelling = SPELLINGS.get(name);
  if (spelling) return message("other-name", name, spelling);
  const near = nearest(name, FUNCTIONS.keys());
  if (near) return message("no-function", name, message("did-you-mean", near));
  // Nobody means a product by softmax(a).
  const remedy = codePoints(name) > 2 ? message("with-others") : message("to-multiply", name);
  return message("no-function", short(name), remedy);
}

function signature(name: string): string {
  return `${name}(${FUNCTIONS.get(name)!.operands.join(", ")})`;
}

function listed(variables: readonly string[]): Message {
  if (!variables.length) return message("no-variables");
  const shown = variables.slice(0, 9).map(short);
  if (variables.length > 9) shown.push("…");
  return message("variables-are", shown);
}

/** Return a name as Python reads it: é is one name, however it was typed. */
function normal(name: string): string {
  return isAscii(name) ? name : name.normalize("NFKC");
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

function float(text: string): number {
  return Number(text.replaceAll("_", ""));
}

/** Return the length of a text in UTF-8. */
function bytes(text: string): number {
  let count = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    count += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return count;
}
