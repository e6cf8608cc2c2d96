/**
 * The table of operations, row for row that of `gradwalk.ops`: same names, order, words, numbers.
 *
 * Start reading at `Op`, then at the rows. Here rules take plain numbers only: the browser takes no
 * derivative of a derivative. JavaScript's numbers are IEEE doubles and its Math never throws, so
 * what Python guards against needs no guard here. A new operation is one row, in `TABLE`.
 */

import { OperandError } from "./errors.ts";
import { erf, erfc, power, productRest } from "./special.ts";

export type Rule = (...numbers: number[]) => number;

/** What an operation gives at one point where calculus or real numbers do not settle it. */
export interface Edge {
  readonly operands: readonly number[];
  readonly value: number;
  readonly partials: readonly number[];
  readonly why: string;
}

interface Options<Alias extends string> {
  readonly probes: readonly (readonly number[])[];
  readonly edges?: readonly Edge[];
  readonly symbol?: string;
  readonly infix?: boolean;
  readonly stands_for?: string;
  readonly selects?: boolean;
  readonly aliases?: readonly Alias[];
  readonly defaults?: readonly number[];
}

/**
 * One row. `symbol` is what a node's `_op` says and what pictures show. `infix` rows are written
 * between their operands, `derived` rows are recorded as the primitives named in `stands_for`. A row
 * that `selects` passes nothing to an input whose partial is 0, not even of an infinite gradient.
 */
export class Op<Name extends string = string, Alias extends string = string> {
  readonly name: Name;
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
  readonly aliases: readonly Alias[];
  readonly defaults: readonly number[];

  constructor(
    name: Name,
    operands: string,
    value: Rule,
    partials: readonly Rule[],
    formulas: readonly string[],
    reason: string,
    options: Options<Alias>,
  ) {
    this.name = name;
    this.symbol = options.symbol ?? name;
    this.operands = operands.split(" ");
    this.value = value;
    this.partials = partials;
    this.formulas = formulas;
    this.reason = reason;
    this.probes = options.probes;
    this.edges = options.edges ?? [];
    this.infix = options.infix ?? false;
    this.stands_for = options.stands_for ?? "";
    this.derived = this.stands_for !== "";
    this.selects = options.selects ?? false;
    this.aliases = options.aliases ?? [];
    this.defaults = options.defaults ?? [];
  }

  get arity(): number {
    return this.operands.length;
  }

  /** Whether it is written name(operands); the others have signs of their own. */
  get isFunction(): boolean {
    return !this.infix && this.name !== "neg";
  }

  /** Whether `value.name(…)` makes sense: not for where, whose first operand only chooses. */
  get isMethod(): boolean {
    return this.isFunction && this.name !== "abs" && this.name !== "where";
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
      const wanted = this.least === this.arity ? `${this.arity}` : `${this.least} to ${this.arity}`;
      const noun = this.arity === 1 ? "operand" : "operands";
      throw new OperandError(`${this.name} takes ${wanted} ${noun}, got ${operands.length}`);
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

// ── Numbers near the ends of the doubles ─────────────────────────────────────────────────────

// From 2**-511 to 2**511 both y**-1 and y**-2 are normal doubles.
const LEAST_PLAIN = 2 ** -511;
const MOST_PLAIN = 2 ** 511;
const LEAST_NORMAL = 2 ** -1022;

/**
 * Return whether x / y is recorded as x * y**-1, the arithmetic of micrograd. Where y**-1 or y**-2
 * leaves the normal doubles it is recorded as one division.
 */
export function dividesPlainly(y: number): boolean {
  const size = Math.abs(y);
  return !((size > MOST_PLAIN && size < Infinity) || (size < LEAST_PLAIN && size > 0));
}

function isNormal(x: number): boolean {
  const size = Math.abs(x);
  return size >= LEAST_NORMAL && size < Infinity;
}

function powByBase(_out: number, x: number, y: number): number {
  if (x === 0 && y === 0) return 0;
  const lower = power(x, y - 1);
  if (!isNormal(lower) && x !== 0 && Number.isFinite(x)) {
    if (Number.isNaN(lower)) return lower;
    // The product with y may be among the doubles though the power is not: take it by halves.
    const half = power(Math.abs(x), (y - 1) * 0.5);
    return (lower < 0 || Object.is(lower, -0) ? -1 : 1) * (y * half) * half;
  }
  return y * lower;
}

function powByExponent(out: number, x: number, y: number): number {
  if (x === 0 && y >= 0) return 0;
  if (!isNormal(out) && x > 0 && x < Infinity) {
    const half = power(x, y * 0.5);
    return half * Math.log(x) * half;
  }
  return out * Math.log(x);
}

/** Return x // y as Python computes it, but an infinity or nan at y = 0. */
function floorDivide(x: number, y: number): number {
  if (y === 0) return x / y;
  const rest = x % y;
  let quotient = (x - rest) / y;
  if (rest && y < 0 !== rest < 0) quotient -= 1;
  if (quotient === 0) return x / y < 0 || Object.is(x / y, -0) ? -0 : 0;
  const whole = Math.floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

/** Return x % y as Python computes it: the sign is that of y. JavaScript's has that of x. */
function modulo(x: number, y: number): number {
  const rest = x % y;
  if (rest === 0) return y < 0 || Object.is(y, -0) ? -0 : 0;
  return rest && y < 0 !== rest < 0 ? rest + y : rest;
}

/** Return x / hypot(x, y), also where the length leaves the normal doubles. */
function shareOfLength(out: number, x: number, y: number): number {
  if (out === 0) return 0;
  if (!isNormal(out) && Number.isFinite(x) && Number.isFinite(y)) {
    const scale = out > 1 ? 0.5 : 2 ** 600;
    return (x * scale) / Math.hypot(x * scale, y * scale);
  }
  return x / out;
}

/** Return x / (x² + y²), by which atan2 turns. */
function turn(x: number, y: number): number {
  if (x === 0 && y === 0) return 0;
  const length = Math.hypot(y, x);
  if (length === Infinity && Number.isFinite(x) && Number.isFinite(y)) {
    const half = Math.hypot(y * 0.5, x * 0.5);
    return ((x * 0.5) / half / half) * 0.5;
  }
  return x / length / length;
}

// ── Values ───────────────────────────────────────────────────────────────────────────────────
// Step for step as in Python, so that only the functions of Math can differ in the last bits.

function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const e = Math.exp(x);
  return e / (1 + e);
}

function silu(x: number): number {
  if (x < -700) {
    // The sigmoid is exp(x) here, and too near 0 to keep its digits for x to scale.
    const half = Math.exp(0.5 * x);
    return half ? x * half * half : -0;
  }
  return x * sigmoid(x);
}

function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}

const TWO_OVER_ROOT_PI = 1.1283791670955126;
const ROOT_HALF = Math.SQRT1_2;
const ROOT_TAU_INVERSE = 0.3989422804014327;
const ROOT_HALF_REST = -4.833646656726457e-17; // 1/√2 − ROOT_HALF

function gelu(x: number): number {
  // erfc keeps the left tail, where 1 + erf cancels; the second term mends the rounding of x/√2,
  // which erfc's steepness would otherwise magnify a hundredfold.
  const t = -x * ROOT_HALF;
  if (-30 < t && t < 30) {
    const rest = productRest(-x, ROOT_HALF, t) - x * ROOT_HALF_REST;
    return 0.5 * x * (erfc(t) - TWO_OVER_ROOT_PI * Math.exp(-t * t) * rest);
  }
  return x > 0 ? x : x < 0 ? -0 : x;
}

// ── Partials that need more than one expression ──────────────────────────────────────────────

function tanhByX(out: number, x: number): number {
  if (Math.abs(out) < 0.9) return 1 - out * out;
  // Near ±1 the difference above loses its digits; 4e/(1+e)² with e = exp(-2|x|) keeps them.
  const e = Math.exp(x > 0 ? x * -2 : x * 2);
  return (4 * e) / ((1 + e) * (1 + e));
}

function halfAtTie(wins: boolean, ties: boolean): number {
  return wins ? 1 : ties ? 0.5 : 0;
}

function geluByX(_out: number, x: number): number {
  const bell = ROOT_TAU_INVERSE * Math.exp(x * x * -0.5);
  // x·exp(-x²/2) is 0 at ±inf, where the product itself would be inf·0.
  return 0.5 * erfc(x * -ROOT_HALF) + (bell > 0 ? x * bell : 0);
}

function siluByX(out: number, x: number): number {
  const tail = sigmoid(-x);
  return sigmoid(x) + (tail > 0 ? out * tail : 0);
}

// ── The rows ─────────────────────────────────────────────────────────────────────────────────

const inf = Infinity;
const nan = NaN;

function edge(operands: number[], value: number, partials: number[], why: string): Edge {
  return { operands, value, partials, why };
}

/** Make a row whose name is known to the types, too. */
function row<const Name extends string, const Alias extends string = never>(
  name: Name,
  operands: string,
  value: Rule,
  partials: readonly Rule[],
  formulas: readonly string[],
  reason: string,
  options: Options<Alias>,
): Op<Name, Alias> {
  return new Op(name, operands, value, partials, formulas, reason, options);
}

const ROWS = [
  row(
    "add",
    "x y",
    (x, y) => x + y,
    [() => 1, () => 1],
    ["1", "1"],
    "add copies: each input receives the gradient unchanged",
    {
      symbol: "+",
      infix: true,
      probes: [
        [2, -3],
        [1e16, 1],
        [-0.5, 0.25],
      ],
      edges: [
        edge([inf, -inf], nan, [1, 1], "inf - inf has no value"),
        edge([-0, -0], -0, [1, 1], "the zeros keep their sign"),
      ],
    },
  ),
  row(
    "mul",
    "x y",
    (x, y) => x * y,
    [(_out, _x, y) => y, (_out, x) => x],
    ["y", "x"],
    "multiply swaps and scales: each input receives the gradient times the other input",
    {
      symbol: "*",
      infix: true,
      probes: [
        [2, -3],
        [1e-3, 1e3],
        [-0.5, -7],
      ],
      edges: [
        edge([0, inf], nan, [inf, 0], "0 · inf has no value"),
        edge([1e200, 1e200], inf, [1e200, 1e200], "overflow is inf"),
      ],
    },
  ),
  row(
    "pow",
    "x y",
    power,
    [powByBase, powByExponent],
    ["y * x**(y - 1)", "x**y * log(x)"],
    "power brings the exponent down and lowers it by one",
    {
      symbol: "**",
      infix: true,
      probes: [
        [2, 3],
        [0.5, -1.5],
        [3, 0],
        [7, -1],
        [1.7, 0.5],
      ],
      edges: [
        edge([0, -1], inf, [-inf, -inf], "a pole"),
        edge([-0, -1], -inf, [-inf, inf], "an odd pole takes the sign of the zero"),
        edge([-8, 1 / 3], nan, [nan, nan], "no real root of a negative number"),
        edge([-2, 3], -8, [12, nan], "a whole power; the exponent cannot vary there"),
        edge([0, 0], 1, [0, 0], "x**0 is 1 everywhere, so flat"),
        edge([0, 2], 0, [0, 0], "flat at the origin"),
        edge([0, 1], 0, [1, 0], "the identity"),
        edge([1e200, 2], inf, [2e200, inf], "overflow is inf"),
        edge([-1e200, 3], -inf, [inf, nan], "an odd overflow keeps the sign"),
      ],
    },
  ),
  row("neg", "x", (x) => x * -1, [() => -1], ["-1"], "negate flips the sign of the gradient", {
    stands_for: "x * -1",
    probes: [[2], [-3]],
  }),
  row(
    "sub",
    "x y",
    (x, y) => x + y * -1,
    [() => 1, () => -1],
    ["1", "-1"],
    "subtract copies to the left and flips the sign to the right",
    {
      symbol: "-",
      infix: true,
      stands_for: "x + (y * -1)",
      probes: [
        [2, -3],
        [5, 4.75],
      ],
    },
  ),
  row(
    "div",
    "x y",
    (x, y) => (dividesPlainly(y) ? x * power(y, -1) : x / y),
    [
      (_out, _x, y) => (dividesPlainly(y) ? power(y, -1) : 1 / y),
      (out, x, y) => (dividesPlainly(y) ? x * (-1 * power(y, -2)) : -1 * (out / y)),
    ],
    ["1 / y", "-x / y**2"],
    "divide scales by 1/y to the left, and by -x/y² to the right",
    {
      symbol: "/",
      infix: true,
      stands_for: "x * y**-1",
      probes: [
        [2, -3],
        [1, 8],
      ],
      edges: [
        edge([1, 0], inf, [inf, -inf], "a pole"),
        edge([0, 0], nan, [inf, nan], "0/0 has no value"),
        edge([1e-310, 1e-310], 1, [inf, -inf], "one division: 1/y is beyond the doubles"),
        edge([1e200, 1e200], 1, [1e-200, -1e-200], "one division: y**-2 is below the doubles"),
      ],
    },
  ),
  row(
    "abs",
    "x",
    Math.abs,
    [(_out, x) => Math.sign(x)],
    ["sign(x)"],
    "abs passes the gradient on, with the sign of the input",
    { probes: [[2.5], [-1.5]], edges: [edge([0], 0, [0], "kink: the middle of [-1, 1]")] },
  ),
  row(
    "sqrt",
    "x",
    Math.sqrt,
    [(out) => 0.5 / out],
    ["1 / (2 * sqrt(x))"],
    "square root divides the gradient by twice the output",
    {
      probes: [[2], [1e-4], [9]],
      edges: [
        edge([0], 0, [inf], "a vertical tangent"),
        edge([-1], nan, [nan], "no real root"),
        edge([inf], inf, [0], "flattens out"),
      ],
    },
  ),
  row("exp", "x", Math.exp, [(out) => out], ["exp(x)"], "exp scales by its own output", {
    probes: [[0.5], [-3], [10]],
    edges: [edge([1000], inf, [inf], "overflow is inf"), edge([-1000], 0, [0], "underflow is 0")],
  }),
  row(
    "expm1",
    "x",
    Math.expm1,
    [(_out, x) => Math.exp(x)],
    ["exp(x)"],
    "exp(x) - 1 scales by exp(x)",
    {
      probes: [[1e-9], [0.5], [-3]],
      edges: [
        edge([1000], inf, [inf], "overflow is inf"),
        edge([-1000], -1, [0], "flat on the left"),
      ],
    },
  ),
  row(
    "log",
    "x",
    Math.log,
    [(_out, x) => 1 / x],
    ["1 / x"],
    "log divides the gradient by the input",
    {
      probes: [[2], [0.01], [1e5]],
      edges: [
        edge([0], -inf, [inf], "a pole"),
        edge([-1], nan, [-1], "no real logarithm"),
        edge([inf], inf, [0], "flattens out"),
      ],
    },
  ),
  row(
    "log1p",
    "x",
    Math.log1p,
    [(_out, x) => 1 / (1 + x)],
    ["1 / (1 + x)"],
    "log(1 + x) divides the gradient by 1 + x",
    {
      probes: [[1e-9], [2], [-0.5]],
      edges: [edge([-1], -inf, [inf], "a pole"), edge([-2], nan, [-1], "no real logarithm")],
    },
  ),
  row("sin", "x", Math.sin, [(_out, x) => Math.cos(x)], ["cos(x)"], "sin scales by the cosine", {
    probes: [[0.5], [-2], [30]],
    edges: [edge([inf], nan, [nan], "no angle")],
  }),
  row(
    "cos",
    "x",
    Math.cos,
    [(_out, x) => -Math.sin(x)],
    ["-sin(x)"],
    "cos scales by minus the sine",
    { probes: [[0.5], [-2], [30]], edges: [edge([inf], nan, [nan], "no angle")] },
  ),
  row(
    "tan",
    "x",
    Math.tan,
    [(out) => 1 + out * out],
    ["1 + tan(x)**2"],
    "tan scales by one plus its output squared",
    { probes: [[0.5], [-1.2], [2]], edges: [edge([inf], nan, [nan], "no angle")] },
  ),
  row(
    "asin",
    "x",
    Math.asin,
    [(_out, x) => 1 / Math.sqrt((1 - x) * (1 + x))],
    ["1 / sqrt(1 - x**2)"],
    "asin divides by the cosine of its output",
    {
      aliases: ["arcsin"],
      probes: [[0.5], [-0.9], [0.001]],
      edges: [
        edge([1], Math.PI / 2, [inf], "a vertical tangent"),
        edge([2], nan, [nan], "no real angle"),
      ],
    },
  ),
  row(
    "acos",
    "x",
    Math.acos,
    [(_out, x) => -1 / Math.sqrt((1 - x) * (1 + x))],
    ["-1 / sqrt(1 - x**2)"],
    "acos divides by minus the sine of its output",
    {
      aliases: ["arccos"],
      probes: [[0.5], [-0.9], [0.001]],
      edges: [edge([1], 0, [-inf], "a vertical tangent"), edge([2], nan, [nan], "no real angle")],
    },
  ),
  row(
    "atan",
    "x",
    Math.atan,
    [(_out, x) => (Math.abs(x) > MOST_PLAIN ? 1 / x / x : 1 / (1 + x * x))],
    ["1 / (1 + x**2)"],
    "atan divides by one plus the input squared",
    {
      aliases: ["arctan"],
      probes: [[0.5], [-3], [100]],
      edges: [edge([inf], Math.PI / 2, [0], "flattens out")],
    },
  ),
  row(
    "atan2",
    "y x",
    Math.atan2,
    [(_out, y, x) => turn(x, y), (_out, y, x) => (x === 0 && y === 0 ? 0 : -turn(y, x))],
    ["x / (x**2 + y**2)", "-y / (x**2 + y**2)"],
    "the angle turns by the cross component over the distance squared",
    {
      aliases: ["arctan2"],
      probes: [
        [1, 2],
        [-1, -2],
        [3, -0.5],
      ],
      edges: [edge([0, 0], 0, [0, 0], "no angle at the origin: taken flat")],
    },
  ),
  row("sinh", "x", Math.sinh, [(_out, x) => Math.cosh(x)], ["cosh(x)"], "sinh scales by cosh", {
    probes: [[0.5], [-2], [6]],
    edges: [edge([-1000], -inf, [inf], "overflow keeps the sign")],
  }),
  row("cosh", "x", Math.cosh, [(_out, x) => Math.sinh(x)], ["sinh(x)"], "cosh scales by sinh", {
    probes: [[0.5], [-2], [6]],
    edges: [edge([-1000], inf, [-inf], "overflow is inf")],
  }),
  row(
    "tanh",
    "x",
    Math.tanh,
    [tanhByX],
    ["1 - tanh(x)**2"],
    "tanh scales by one minus its output squared: the flatter, the less passes",
    {
      probes: [[0.8813735870195432], [-0.25], [4], [-9]],
      edges: [
        edge([400], 1, [0], "saturated: the true slope, 1e-347, is below the doubles"),
        edge([-400], -1, [0], "saturated"),
        edge([inf], 1, [0], "saturated"),
      ],
    },
  ),
  row(
    "sigmoid",
    "x",
    sigmoid,
    [(out, x) => out * sigmoid(-x)],
    ["sigmoid(x) * (1 - sigmoid(x))"],
    "sigmoid scales by s(1 - s): at most a quarter passes",
    {
      probes: [[0.5], [-2], [30], [-30]],
      edges: [edge([1000], 1, [0], "saturated"), edge([-1000], 0, [0], "saturated")],
    },
  ),
  row(
    "softplus",
    "x",
    softplus,
    [(_out, x) => sigmoid(x)],
    ["sigmoid(x)"],
    "softplus scales by the sigmoid",
    {
      probes: [[0.5], [-2], [40], [-40]],
      edges: [
        edge([1000], 1000, [1], "the identity on the right, no overflow"),
        edge([-1000], 0, [0], "flat on the left"),
      ],
    },
  ),
  row(
    "relu",
    "x",
    (x) => Math.max(x, 0), // nan stays nan
    [(_out, x) => (x > 0 ? 1 : 0)],
    ["1 if x > 0 else 0"],
    "relu is a gate: open it passes the gradient unchanged, closed it stops it",
    {
      selects: true,
      probes: [[2], [-2]],
      edges: [edge([0], 0, [0], "kink: closed at 0"), edge([nan], nan, [0], "nan stays visible")],
    },
  ),
  row(
    "leaky_relu",
    "x slope",
    (x, slope) => (x > 0 ? x : slope * x),
    [(_out, x, slope) => (x > 0 ? 1 : slope), (_out, x) => Math.min(x, 0)],
    ["1 if x > 0 else slope", "0 if x > 0 else x"],
    "leaky relu passes all of the gradient, or the slope's share of it",
    {
      defaults: [0.01],
      selects: true,
      probes: [
        [2, 0.01],
        [-2, 0.1],
      ],
      edges: [edge([0, 0.01], 0, [0.01, 0], "kink: the left slope")],
    },
  ),
  row(
    "silu",
    "x",
    silu,
    [siluByX],
    ["s * (1 + x * (1 - s)), s = sigmoid(x)"],
    "silu scales by its own slope, slightly negative on the left",
    {
      probes: [[0.5], [-2], [10]],
      edges: [
        edge([inf], inf, [1], "the identity on the right"),
        edge([-inf], -0, [0], "flat on the left"),
      ],
    },
  ),
  row(
    "gelu",
    "x",
    gelu,
    [geluByX],
    ["P(x) + x * p(x), the normal distribution and its density"],
    "gelu scales by the chance that a normal number is below x, plus a bump",
    {
      probes: [[0.5], [-2], [5], [-5]],
      edges: [
        edge([inf], inf, [1], "the identity on the right"),
        edge([-inf], -0, [0], "flat on the left"),
      ],
    },
  ),
  row(
    "erf",
    "x",
    erf,
    [(_out, x) => TWO_OVER_ROOT_PI * Math.exp(-(x * x))],
    ["2 / sqrt(pi) * exp(-x**2)"],
    "erf scales by a bell curve",
    { probes: [[0.5], [-1], [2.5]], edges: [edge([inf], 1, [0], "saturated")] },
  ),
  row(
    "erfc",
    "x",
    erfc,
    [(_out, x) => -TWO_OVER_ROOT_PI * Math.exp(-(x * x))],
    ["-2 / sqrt(pi) * exp(-x**2)"],
    "erfc scales by minus a bell curve",
    { probes: [[0.5], [-1], [5]], edges: [edge([inf], 0, [-0], "saturated")] },
  ),
  row(
    "maximum",
    "x y",
    (x, y) => (x > y || Number.isNaN(x) ? x : y),
    [(_out, x, y) => halfAtTie(x > y, x === y), (_out, x, y) => halfAtTie(y > x, x === y)],
    ["1 if x > y else 0", "1 if y > x else 0"],
    "maximum routes: the larger input receives all of the gradient",
    {
      selects: true,
      probes: [
        [2, 1],
        [-3, -1],
      ],
      edges: [
        edge([2, 2], 2, [0.5, 0.5], "a tie shares the gradient"),
        edge([nan, 1], nan, [0, 0], "nan stays visible"),
      ],
    },
  ),
  row(
    "minimum",
    "x y",
    (x, y) => (x < y || Number.isNaN(x) ? x : y),
    [(_out, x, y) => halfAtTie(x < y, x === y), (_out, x, y) => halfAtTie(y < x, x === y)],
    ["1 if x < y else 0", "1 if y < x else 0"],
    "minimum routes: the smaller input receives all of the gradient",
    {
      selects: true,
      probes: [
        [2, 1],
        [-3, -1],
      ],
      edges: [
        edge([2, 2], 2, [0.5, 0.5], "a tie shares the gradient"),
        edge([1, nan], nan, [0, 0], "nan stays visible"),
      ],
    },
  ),
  row(
    "where",
    "condition x y",
    (condition, x, y) => (condition !== 0 ? x : y),
    [
      () => 0,
      (_out, condition) => (condition !== 0 ? 1 : 0),
      (_out, condition) => (condition !== 0 ? 0 : 1),
    ],
    ["0", "1 if condition else 0", "0 if condition else 1"],
    "where routes: the chosen input receives all of the gradient, the condition none",
    {
      selects: true,
      probes: [
        [1, 2, 3],
        [0, 2, 3],
      ],
      edges: [edge([nan, 2, 3], 2, [0, 1, 0], "nan is true, as in Python")],
    },
  ),
  row(
    "clip",
    "x low high",
    // biome-ignore lint/complexity/useMathMinMax: Math.max would make nan of a nan bound
    (x, low, high) => (x > high ? high : x < low ? low : x),
    [
      (_out, x, low, high) => (x > high || x < low ? 0 : 1),
      (_out, x, low, high) => (x < low && !(x > high) ? 1 : 0),
      (_out, x, _low, high) => (x > high ? 1 : 0),
    ],
    ["1 if low <= x <= high else 0", "1 if x < low else 0", "1 if x > high else 0"],
    "clip passes the gradient inside the bounds; outside, the bound receives it",
    {
      selects: true,
      probes: [
        [0.5, -1, 1],
        [-2, -1, 1],
        [3, -1, 1],
      ],
      edges: [
        edge([1, -1, 1], 1, [1, 0, 0], "the bound itself counts as inside"),
        edge([0, 2, 1], 2, [0, 1, 0], "crossed bounds: the first one crossed"),
      ],
    },
  ),
  row(
    "hypot",
    "x y",
    Math.hypot,
    [shareOfLength, (out, x, y) => shareOfLength(out, y, x)],
    ["x / hypot(x, y)", "y / hypot(x, y)"],
    "hypot scales each input by its share of the length",
    {
      probes: [
        [3, 4],
        [-1, 0.5],
        [1e200, 1e200],
      ],
      edges: [
        edge([0, 0], 0, [0, 0], "the tip of the cone: taken flat"),
        edge([inf, nan], inf, [nan, nan], "inf wins over nan, as in C"),
      ],
    },
  ),
  row(
    "floor",
    "x",
    Math.floor,
    [() => 0],
    ["0"],
    "floor is a staircase: flat between the jumps, so no gradient passes",
    {
      selects: true,
      probes: [[2.5], [-2.5]],
      edges: [edge([2], 2, [0], "a jump: taken flat"), edge([inf], inf, [0], "no steps there")],
    },
  ),
  row(
    "sign",
    "x",
    Math.sign,
    [() => 0],
    ["0"],
    "sign is flat on both sides of its jump, so no gradient passes",
    { selects: true, probes: [[2.5], [-2.5]], edges: [edge([0], 0, [0], "a jump: taken flat")] },
  ),
  row(
    "log2",
    "x",
    Math.log2,
    [(_out, x) => Math.LOG2E / x],
    ["1 / (x * log(2))"],
    "log2 divides the gradient by the input, and by log(2)",
    {
      probes: [[3], [0.01], [1e5]],
      edges: [
        edge([0], -inf, [inf], "a pole"),
        edge([8], 3, [Math.LOG2E / 8], "exact at powers of two"),
      ],
    },
  ),
  row(
    "log10",
    "x",
    Math.log10,
    [(_out, x) => Math.LOG10E / x],
    ["1 / (x * log(10))"],
    "log10 divides the gradient by the input, and by log(10)",
    {
      probes: [[2], [0.01], [1e5]],
      edges: [
        edge([0], -inf, [inf], "a pole"),
        edge([1000], 3, [Math.LOG10E / 1000], "exact at powers of ten"),
      ],
    },
  ),
  row(
    "exp2",
    "x",
    (x) => 2 ** x,
    [(out) => out * Math.LN2],
    ["2**x * log(2)"],
    "2**x scales by its own output, and by log(2)",
    {
      probes: [[0.5], [-3], [10]],
      edges: [edge([2000], inf, [inf], "overflow is inf"), edge([-2000], 0, [0], "underflow is 0")],
    },
  ),
  row(
    "cbrt",
    "x",
    Math.cbrt,
    [(out) => 1 / (3 * (out * out))],
    ["1 / (3 * cbrt(x)**2)"],
    "cube root divides the gradient by three times the output squared",
    {
      probes: [[2], [-0.3], [1e5]],
      edges: [edge([0], 0, [inf], "a vertical tangent"), edge([-inf], -inf, [0], "flattens out")],
    },
  ),
  row(
    "asinh",
    "x",
    Math.asinh,
    [(_out, x) => 1 / Math.hypot(1, x)],
    ["1 / sqrt(1 + x**2)"],
    "asinh divides by the hyperbolic cosine of its output",
    {
      aliases: ["arcsinh"],
      probes: [[0.5], [-2], [100]],
      edges: [edge([-inf], -inf, [0], "flattens out")],
    },
  ),
  row(
    "acosh",
    "x",
    Math.acosh,
    [(_out, x) => 1 / (Math.sqrt(x - 1) * Math.sqrt(x + 1))],
    ["1 / sqrt(x**2 - 1)"],
    "acosh divides by the hyperbolic sine of its output",
    {
      aliases: ["arccosh"],
      probes: [[1.5], [3], [100]],
      edges: [
        edge([1], 0, [inf], "a vertical tangent"),
        edge([0.5], nan, [nan], "no real number has a smaller cosh than 1"),
        edge([inf], inf, [0], "flattens out"),
      ],
    },
  ),
  row(
    "atanh",
    "x",
    Math.atanh,
    [(_out, x) => 1 / ((1 - x) * (1 + x))],
    ["1 / (1 - x**2)"],
    "atanh divides by one minus the input squared",
    {
      aliases: ["arctanh"],
      probes: [[0.5], [-0.9], [0.001]],
      edges: [
        edge([1], inf, [inf], "a pole"),
        edge([-1], -inf, [inf], "a pole"),
        edge([2], nan, [-1 / 3], "no real number has a larger tanh than 1"),
      ],
    },
  ),
  row(
    "floordiv",
    "x y",
    floorDivide,
    [() => 0, () => 0],
    ["0", "0"],
    "floor division is a staircase: flat between the jumps, so no gradient passes",
    {
      symbol: "//",
      infix: true,
      selects: true,
      probes: [
        [7, 2],
        [-7, 2],
        [7.5, -2],
      ],
      edges: [
        edge([6, 2], 3, [0, 0], "a jump: taken flat"),
        edge([-0, 2], -0, [0, 0], "a zero has the sign of x / y"),
        edge([1, 0], inf, [0, 0], "a pole"),
        edge([-1, inf], -1, [0, 0], "just below 0"),
      ],
    },
  ),
  row(
    "mod",
    "x y",
    modulo,
    [() => 1, (_out, x, y) => -floorDivide(x, y)],
    ["1", "-(x // y)"],
    "the remainder copies to the left; to the right it takes away one y for each whole step",
    {
      symbol: "%",
      infix: true,
      probes: [
        [7, 2],
        [-7, 2],
        [7.5, -2],
      ],
      edges: [
        edge([6, 2], 0, [1, -3], "a jump: the slope on its right"),
        edge([6, -2], -0, [1, 3], "a zero has the sign of y"),
        edge([1, 0], nan, [1, -inf], "no remainder"),
        edge([-1, inf], inf, [1, 1], "the sign of y"),
      ],
    },
  ),
] as const;

export type OpName = (typeof ROWS)[number]["name"];
export type OpAlias = (typeof ROWS)[number]["aliases"][number];

export const TABLE: readonly Op[] = ROWS;
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
