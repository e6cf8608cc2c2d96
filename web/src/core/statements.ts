/**
 * What stands between the two sides of a line of arithmetic: = or ≈.
 *
 * A line is judged by the digits that it shows, as exact decimals: 0.1 × 3 = 0.3, tanh(0.5) ≈ 0.4621.
 * Whatever shows a line asks here. contract/statements.json holds this and `gradwalk.statements`
 * together.
 */

import { BY_SYMBOL } from "./ops.ts";

export type Relation = "=" | "≈";

/** A number as it is shown, or the factors of a product. */
export type Operand = string | readonly string[];

/**
 * Return = if `op` of the shown operands is exactly the shown result, else ≈. `op` is an operation's
 * symbol; + and * take any number of operands.
 */
export function relation(op: string, operands: readonly Operand[], result: string): Relation {
  const factors = operands.map((one) => (typeof one === "string" ? [one] : one));
  const out = double(result);
  if ([out, ...factors.flat().map(double)].every(Number.isFinite)) {
    const values = factors.map((texts) => texts.map(fraction).reduce(times));
    return isExact(op, values, fraction(result)) ? "=" : "≈";
  }
  const numbers = factors.map((texts) => texts.map(double).reduce((x, y) => x * y));
  return same(computed(op, numbers), out) ? "=" : "≈";
}

/** Return = if `text` is the number `x`, to the 15 digits that every double keeps, else ≈. */
export function stated(x: number, text: string): Relation {
  return !Number.isFinite(x) || Number(x.toPrecision(15)) === double(text) ? "=" : "≈";
}

/** Fractions of whole numbers; the lower one is positive. */
interface Fraction {
  readonly above: bigint;
  readonly below: bigint;
}

const plain = (text: string): string => text.replace(/[()\s]/g, "").replaceAll("−", "-");

function double(text: string): number {
  const written = plain(text).replace(/inf|∞/, "Infinity");
  return written === "nan" ? Number.NaN : Number(written);
}

function fraction(text: string): Fraction {
  const [digits, power = "0"] = plain(text).toLowerCase().split("e");
  const [whole, decimals = ""] = digits.split(".");
  const shift = Number(power) - decimals.length;
  const above = BigInt(whole + decimals);
  return shift < 0
    ? { above, below: 10n ** BigInt(-shift) }
    : { above: above * 10n ** BigInt(shift), below: 1n };
}

const times = (x: Fraction, y: Fraction): Fraction => ({
  above: x.above * y.above,
  below: x.below * y.below,
});

const plus = (x: Fraction, y: Fraction): Fraction => ({
  above: x.above * y.below + y.above * x.below,
  below: x.below * y.below,
});

const negated = ({ above, below }: Fraction): Fraction => ({ above: -above, below });
const whole = (above: number): Fraction => ({ above: BigInt(above), below: 1n });
const equal = (x: Fraction, y: Fraction): boolean => x.above * y.below === y.above * x.below;
const isWhole = ({ above, below }: Fraction): boolean => above % below === 0n;
const total = (values: readonly Fraction[]): Fraction => values.reduce(plus, whole(0));
const square = (x: Fraction): Fraction => times(x, x);
const same = (x: number, y: number): boolean => x === y || (Number.isNaN(x) && Number.isNaN(y));

function computed(op: string, operands: readonly number[]): number {
  if (op === "+" || op === "sum") return operands.reduce((x, y) => x + y, 0);
  if (op === "*") return operands.reduce((x, y) => x * y, 1);
  const row = BY_SYMBOL.get(op);
  return row?.arity === operands.length ? row.value(...operands) : Number.NaN;
}

function isExact(op: string, values: readonly Fraction[], out: Fraction): boolean {
  return Object.hasOwn(RULES, op) ? RULES[op](values, out) : isSpecial(op, values, out);
}

// Their result is one of their operands, its opposite or a whole number: doubles tell.
const CHOOSING = ["abs", "relu", "maximum", "minimum", "clip", "where", "sign", "floor"];
const WHOLE = ["//", "%"];

/**
 * Whether a function is known to be exact: it chooses, or it is at one of the points 0 and ±1. At other
 * rational points the functions of the table are irrational, however a double rounds them.
 */
function isSpecial(op: string, values: readonly Fraction[], out: Fraction): boolean {
  const isPoint = ({ above, below }: Fraction): boolean =>
    above === 0n || above ** 2n === below ** 2n;
  const known = WHOLE.includes(op)
    ? values.every(isWhole)
    : CHOOSING.includes(op) || (values.every(isPoint) && isWhole(times(out, whole(2))));
  const number = ({ above, below }: Fraction): number => Number(above) / Number(below);
  return known && same(computed(op, values.map(number)), number(out));
}

const MOST_POWER = 8n;

/** Whether base ** exponent is out; not claimed of exponents that are large or not simple. */
function isPower(base: Fraction, exponent: Fraction, out: Fraction): boolean {
  const { above, below } = lowest(exponent);
  const size = above < 0n ? -above : above;
  if (size > MOST_POWER || below > MOST_POWER) return false;
  if (below > 1n && (base.above <= 0n || out.above < 0n)) return false;
  const raised = (x: Fraction, n: bigint): Fraction => ({
    above: x.above ** n,
    below: x.below ** n,
  });
  const [left, right] = [raised(base, size), raised(out, below)];
  return above >= 0n
    ? equal(left, right)
    : base.above !== 0n && equal(times(left, right), whole(1));
}

function lowest({ above, below }: Fraction): Fraction {
  let [x, y] = [above < 0n ? -above : above, below];
  while (y) [x, y] = [y, x % y];
  return { above: above / x, below: below / x };
}

type Rule = (values: readonly Fraction[], out: Fraction) => boolean;

const RULES: Readonly<Record<string, Rule>> = {
  "+": (x, out) => equal(total(x), out),
  sum: (x, out) => equal(total(x), out),
  mean: (x, out) => equal(total(x), times(out, whole(x.length))),
  dot: (x, out) => equal(total(x.flatMap((one, i) => (i % 2 ? [times(x[i - 1], one)] : []))), out),
  "-": ([x, y], out) => equal(plus(x, negated(y)), out),
  neg: ([x], out) => equal(negated(x), out),
  "*": (x, out) => equal(x.reduce(times), out),
  "/": ([x, y], out) => y.above !== 0n && equal(times(out, y), x),
  "**": ([x, y], out) => isPower(x, y, out),
  sqrt: ([x], out) => out.above >= 0n && equal(square(out), x),
  cbrt: ([x], out) => equal(times(square(out), out), x),
  hypot: (x, out) => out.above >= 0n && equal(total(x.map(square)), square(out)),
  exp2: ([x], out) => isPower(whole(2), x, out),
  log2: ([x], out) => isPower(whole(2), out, x),
  log10: ([x], out) => isPower(whole(10), out, x),
};
