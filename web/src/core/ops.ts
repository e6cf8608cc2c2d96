/**
 * The table of operations. Its rows are in rows.ts, which tools/web_rows.py translates from
 * `gradwalk.ops`: a new operation is added there, and nothing is written here.
 *
 * Rules take plain numbers only: the browser takes no derivative of a derivative. JavaScript's
 * numbers are IEEE doubles and its Math never throws, so Python's guards are not needed here.
 */

import { message, OperandError } from "./errors.ts";
import { ROWS } from "./rows.ts";

export { dividesPlainly } from "./special.ts";

export type Rule = (...numbers: number[]) => number;

/** What an operation gives at one point where calculus or real numbers do not settle it. */
export interface Edge {
  readonly operands: readonly number[];
  readonly value: number;
  readonly partials: readonly number[];
  readonly why: string;
}

/** A row of rows.ts. */
interface Row {
  readonly name: string;
  readonly symbol: string;
  readonly operands: readonly string[];
  readonly value: Rule;
  readonly partials: readonly Rule[];
  readonly formulas: readonly string[];
  readonly reason: string;
  readonly probes: readonly (readonly number[])[];
  readonly edges: readonly Edge[];
  readonly infix: boolean;
  readonly stands_for: string;
  readonly selects: boolean;
  readonly aliases: readonly string[];
  readonly defaults: readonly number[];
}

/**
 * One row. `symbol` is what a node's `_op` says and what pictures show. `infix` rows are written
 * between their operands, `derived` rows are recorded as the primitives named in `stands_for`. A row
 * that `selects` passes nothing to an input whose partial is 0, not even of an infinite gradient.
 */
export class Op implements Row {
  readonly name: string;
  readonly symbol: string;
  readonly operands: readonly string[];
  readonly value: Rule;
  readonly partials: readonly Rule[];
  readonly formulas: readonly string[];
  readonly reason: string;
  readonly probes: readonly (readonly number[])[];
  readonly edges: readonly Edge[];
  readonly infix: boolean;
  readonly derived: boolean;
  readonly stands_for: string;
  readonly selects: boolean;
  readonly aliases: readonly string[];
  readonly defaults: readonly number[];

  constructor(row: Row) {
    this.name = row.name;
    this.symbol = row.symbol;
    this.operands = row.operands;
    this.value = row.value;
    this.partials = row.partials;
    this.formulas = row.formulas;
    this.reason = row.reason;
    this.probes = row.probes;
    this.edges = row.edges;
    this.infix = row.infix;
    this.stands_for = row.stands_for;
    this.derived = row.stands_for !== "";
    this.selects = row.selects;
    this.aliases = row.aliases;
    this.defaults = row.defaults;
  }

  get arity(): number {
    return this.operands.length;
  }

  /** Whether it is written name(operands); the others have signs of their own. */
  get isFunction(): boolean {
    return !this.infix && this.name !== "neg";
  }

  /** Whether `value.name(…)` makes sense: not where the first operand only chooses. */
  get isMethod(): boolean {
    return this.isFunction && !["abs", "where", "polygamma"].includes(this.name);
  }

  /** How many operands must be given; the rest have defaults. */
  get least(): number {
    return this.operands.length - this.defaults.length;
  }

  /** Return the operands with the defaults filled in; throw when their number is wrong. */
  complete<T>(operands: readonly T[]): readonly (T | number)[] {
    const missing = this.arity - operands.length;
    if (!missing) return operands;
    if (missing < 0 || missing > this.defaults.length) {
      const { name, least, arity } = this;
      throw new OperandError(message("operand-count", name, least, arity, operands.length));
    }
    return [...operands, ...this.defaults.slice(this.defaults.length - missing)];
  }
}

/** Return a real number as a double, or null for anything else. */
export function real(thing: unknown): number | null {
  if (typeof thing === "number") return thing;
  if (typeof thing === "boolean" || typeof thing === "bigint") return Number(thing);
  return null;
}

// ── The rows ─────────────────────────────────────────────────────────────────────────────────

export type OpName = (typeof ROWS)[number]["name"];
export type OpAlias = (typeof ROWS)[number]["aliases"][number];

export const TABLE: readonly Op[] = ROWS.map((row) => new Op(row));
export const BY_NAME: ReadonlyMap<string, Op> = new Map(TABLE.map((op) => [op.name, op]));
export const BY_SYMBOL: ReadonlyMap<string, Op> = new Map(TABLE.map((op) => [op.symbol, op]));

/**
 * Operations over lists. The browser does not compute them: it shows and walks graphs in which
 * Python recorded one as a single node, and explains them by these words.
 */
export const NARY_REASONS: ReadonlyMap<string, string> = new Map([
  ["dot", "dot multiplies pairwise and adds: each input receives the gradient times its partner"],
  ["sum", "sum copies: each input receives the gradient unchanged"],
  ["mean", "mean shares: each input receives an equal part of the gradient"],
  ["logsumexp", "logsumexp shares by softmax: the largest input receives most"],
  ["softmax", "softmax weighs: an input that gains takes from all others"],
  [
    "log_softmax",
    "log softmax passes the gradient to its own input and takes each input's probability from all",
  ],
  ["cross_entropy", "cross entropy gives each input its probability, less one for the target"],
  ["rmsnorm", "rmsnorm scales, and takes back what lies along the input itself"],
  ["layernorm", "layernorm scales, and takes back the mean and what lies along the input itself"],
]);
