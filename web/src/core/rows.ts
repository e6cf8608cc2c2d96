// Made by tools/web_rows.py from src/gradwalk/ops.py: change that, then run `python3 x.py fix`.

import {
  dividesPlainly, erf, erfc, floorDivide, isNormal, modulo, power, productRest,
} from "./special.ts";

const inf = Infinity;
const nan = NaN;
const MOST_PLAIN = 6.703903964971299e+153;
const ROOT_TAU_INVERSE = 0.3989422804014327;
const ROOT_HALF = 0.7071067811865476;
const SQRT2_HIGH = 0.7071067811865476;
const SQRT2_LOW = -4.833646656726457e-17;
const TWO_OVER_ROOT_PI = 1.1283791670955126;
const LOG2_E = 1.4426950408889634;
const LOG10_E = 0.4342944819032518;
const LN_2 = 0.6931471805599453;

function powByBase(_out: number, x: number, y: number): number {
  if (x === 0 && y === 0) {
    return 0;
  }
  let lower = power(x, y - 1);
  if (!(isNormal(lower)) && x !== 0 && Number.isFinite(x)) {
    let half = power(Math.abs(x), (y - 1) * 0.5);
    return lower !== lower ? lower : (lower < 0 || Object.is(lower, -0) ? -1 : 1) * (y * half) * half;
  }
  return y * lower;
}

function powByExponent(out: number, x: number, y: number): number {
  if (x === 0 && y >= 0) {
    return 0;
  }
  if (!(isNormal(out)) && (0 < x && x < inf)) {
    let half = power(x, y * 0.5);
    return half * Math.log(x) * half;
  }
  return out * Math.log(x);
}

function divByX(_out: number, _x: number, y: number): number {
  return dividesPlainly(y) ? power(y, -1) : 1 / y;
}

function divByY(out: number, x: number, y: number): number {
  return dividesPlainly(y) ? x * (-1 * power(y, -2)) : -1 * (out / y);
}

function atanByX(_out: number, x: number): number {
  if (-MOST_PLAIN <= x && x <= MOST_PLAIN) {
    return 1 / (1 + x * x);
  }
  return 1 / x / x;
}

function turn(x: number, y: number): number {
  if (x === 0 && y === 0) {
    return 0;
  }
  let length = Math.hypot(y, x);
  if (length === inf && Number.isFinite(x) && Number.isFinite(y)) {
    length = Math.hypot(y * 0.5, x * 0.5);
    return x * 0.5 / length / length * 0.5;
  }
  return x / length / length;
}

function tanhByX(out: number, x: number): number {
  if (Math.abs(out) < 0.9) {
    return 1 - out * out;
  }
  let e = Math.exp(x > 0 ? x * -2 : x * 2);
  return 4 * e / ((1 + e) * (1 + e));
}

function sigmoid(x: number): number {
  if (x >= 0) {
    return 1 / (1 + Math.exp(-x));
  }
  let e = Math.exp(x);
  return e / (1 + e);
}

function softplus(x: number): number {
  return (x > 0 ? x : x <= 0 ? 0 : x) + Math.log1p(Math.exp(-Math.abs(x)));
}

function relu(x: number): number {
  return x <= 0 ? 0 : x;
}

function leakyRelu(x: number, slope: number): number {
  return x > 0 ? x : slope * x;
}

function siluByX(out: number, x: number): number {
  let tail = sigmoid(-x);
  return sigmoid(x) + (tail > 0 ? out * tail : 0);
}

function silu(x: number): number {
  if (x < -700) {
    let half = Math.exp(0.5 * x);
    return half !== 0 ? x * half * half : -0;
  }
  return x * sigmoid(x);
}

function geluByX(_out: number, x: number): number {
  let bell = ROOT_TAU_INVERSE * Math.exp(x * x * -0.5);
  return 0.5 * erfc(x * -ROOT_HALF) + (bell > 0 ? x * bell : 0);
}

function gelu(x: number): number {
  let t = -x * SQRT2_HIGH;
  if (-30 < t && t < 30) {
    let rest = productRest(-x, SQRT2_HIGH, t) - x * SQRT2_LOW;
    return 0.5 * x * (erfc(t) - TWO_OVER_ROOT_PI * Math.exp(-t * t) * rest);
  }
  return x > 0 ? x : x < 0 ? -0 : x;
}

function halfAtTie(wins: boolean, ties: boolean): number {
  return wins ? 1 : ties ? 0.5 : 0;
}

function maximum(x: number, y: number): number {
  return x > y || x !== x ? x : y;
}

function minimum(x: number, y: number): number {
  return x < y || x !== x ? x : y;
}

function inside(x: number, low: number, high: number): number {
  return x > high || x < low ? 0 : 1;
}

function clip(x: number, low: number, high: number): number {
  return x > high ? high : x < low ? low : x;
}

function shareOfLength(out: number, x: number, y: number): number {
  if (!(isNormal(out)) && Number.isFinite(x) && Number.isFinite(y)) {
    if (!(out !== 0)) {
      return 0;
    }
    let scale = out > 1 ? 0.5 : power(2, 600);
    return x * scale / Math.hypot(x * scale, y * scale);
  }
  return out === 0 ? 0 : x / out;
}

export const ROWS = [
  {
    name: "add",
    symbol: "+",
    operands: ["x", "y"],
    value: (x: number, y: number) => x + y,
    partials: [() => 1, () => 1],
    formulas: ["1", "1"],
    reason: "add copies: each input receives the gradient unchanged",
    probes: [[2, -3], [1e+16, 1], [-0.5, 0.25]],
    edges: [
      { operands: [inf, -inf], value: nan, partials: [1, 1], why: "inf - inf has no value" },
      { operands: [-0, -0], value: -0, partials: [1, 1], why: "the zeros keep their sign" },
    ],
    infix: true,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "mul",
    symbol: "*",
    operands: ["x", "y"],
    value: (x: number, y: number) => x * y,
    partials: [(_out: number, _x: number, y: number) => y, (_out: number, x: number) => x],
    formulas: ["y", "x"],
    reason: "multiply swaps and scales: each input receives the gradient times the other input",
    probes: [[2, -3], [0.001, 1000], [-0.5, -7]],
    edges: [
      { operands: [0, inf], value: nan, partials: [inf, 0], why: "0 · inf has no value" },
      { operands: [1e+200, 1e+200], value: inf, partials: [1e+200, 1e+200], why: "overflow is inf" },
    ],
    infix: true,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "pow",
    symbol: "**",
    operands: ["x", "y"],
    value: power,
    partials: [powByBase, powByExponent],
    formulas: ["y * x**(y - 1)", "x**y * log(x)"],
    reason: "power brings the exponent down and lowers it by one",
    probes: [[2, 3], [0.5, -1.5], [3, 0], [7, -1], [1.7, 0.5]],
    edges: [
      { operands: [0, -1], value: inf, partials: [-inf, -inf], why: "a pole" },
      { operands: [-0, -1], value: -inf, partials: [-inf, inf], why: "an odd pole takes the sign of the zero" },
      { operands: [-8, 0.3333333333333333], value: nan, partials: [nan, nan], why: "no real root of a negative number" },
      { operands: [-2, 3], value: -8, partials: [12, nan], why: "a whole power; the exponent cannot vary there" },
      { operands: [0, 0], value: 1, partials: [0, 0], why: "x**0 is 1 everywhere, so flat" },
      { operands: [0, 2], value: 0, partials: [0, 0], why: "flat at the origin" },
      { operands: [0, 1], value: 0, partials: [1, 0], why: "the identity" },
      { operands: [1e+200, 2], value: inf, partials: [2e+200, inf], why: "overflow is inf" },
      { operands: [-1e+200, 3], value: -inf, partials: [inf, nan], why: "an odd overflow keeps the sign" },
    ],
    infix: true,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "neg",
    symbol: "neg",
    operands: ["x"],
    value: (x: number) => x * -1,
    partials: [() => -1],
    formulas: ["-1"],
    reason: "negate flips the sign of the gradient",
    probes: [[2], [-3]],
    edges: [],
    infix: false,
    stands_for: "x * -1",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "sub",
    symbol: "-",
    operands: ["x", "y"],
    value: (x: number, y: number) => x + y * -1,
    partials: [() => 1, () => -1],
    formulas: ["1", "-1"],
    reason: "subtract copies to the left and flips the sign to the right",
    probes: [[2, -3], [5, 4.75]],
    edges: [],
    infix: true,
    stands_for: "x + (y * -1)",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "div",
    symbol: "/",
    operands: ["x", "y"],
    value: (x: number, y: number) => dividesPlainly(y) ? x * power(y, -1) : x / y,
    partials: [divByX, divByY],
    formulas: ["1 / y", "-x / y**2"],
    reason: "divide scales by 1/y to the left, and by -x/y² to the right",
    probes: [[2, -3], [1, 8]],
    edges: [
      { operands: [1, 0], value: inf, partials: [inf, -inf], why: "a pole" },
      { operands: [0, 0], value: nan, partials: [inf, nan], why: "0/0 has no value" },
      { operands: [1e-310, 1e-310], value: 1, partials: [inf, -inf], why: "one division: 1/y is beyond the doubles" },
      { operands: [1e+200, 1e+200], value: 1, partials: [1e-200, -1e-200], why: "one division: y**-2 is below the doubles" },
    ],
    infix: true,
    stands_for: "x * y**-1",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "abs",
    symbol: "abs",
    operands: ["x"],
    value: Math.abs,
    partials: [(_out: number, x: number) => Math.sign(x)],
    formulas: ["sign(x)"],
    reason: "abs passes the gradient on, with the sign of the input",
    probes: [[2.5], [-1.5]],
    edges: [
      { operands: [0], value: 0, partials: [0], why: "kink: the middle of [-1, 1]" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "sqrt",
    symbol: "sqrt",
    operands: ["x"],
    value: Math.sqrt,
    partials: [(out: number) => 0.5 / out],
    formulas: ["1 / (2 * sqrt(x))"],
    reason: "square root divides the gradient by twice the output",
    probes: [[2], [0.0001], [9]],
    edges: [
      { operands: [0], value: 0, partials: [inf], why: "a vertical tangent" },
      { operands: [-1], value: nan, partials: [nan], why: "no real root" },
      { operands: [inf], value: inf, partials: [0], why: "flattens out" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "exp",
    symbol: "exp",
    operands: ["x"],
    value: Math.exp,
    partials: [(out: number) => out],
    formulas: ["exp(x)"],
    reason: "exp scales by its own output",
    probes: [[0.5], [-3], [10]],
    edges: [
      { operands: [1000], value: inf, partials: [inf], why: "overflow is inf" },
      { operands: [-1000], value: 0, partials: [0], why: "underflow is 0" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "expm1",
    symbol: "expm1",
    operands: ["x"],
    value: Math.expm1,
    partials: [(_out: number, x: number) => Math.exp(x)],
    formulas: ["exp(x)"],
    reason: "exp(x) - 1 scales by exp(x)",
    probes: [[1e-09], [0.5], [-3]],
    edges: [
      { operands: [1000], value: inf, partials: [inf], why: "overflow is inf" },
      { operands: [-1000], value: -1, partials: [0], why: "flat on the left" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "log",
    symbol: "log",
    operands: ["x"],
    value: Math.log,
    partials: [(_out: number, x: number) => 1 / x],
    formulas: ["1 / x"],
    reason: "log divides the gradient by the input",
    probes: [[2], [0.01], [100000]],
    edges: [
      { operands: [0], value: -inf, partials: [inf], why: "a pole" },
      { operands: [-1], value: nan, partials: [-1], why: "no real logarithm" },
      { operands: [inf], value: inf, partials: [0], why: "flattens out" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "log1p",
    symbol: "log1p",
    operands: ["x"],
    value: Math.log1p,
    partials: [(_out: number, x: number) => 1 / (1 + x)],
    formulas: ["1 / (1 + x)"],
    reason: "log(1 + x) divides the gradient by 1 + x",
    probes: [[1e-09], [2], [-0.5]],
    edges: [
      { operands: [-1], value: -inf, partials: [inf], why: "a pole" },
      { operands: [-2], value: nan, partials: [-1], why: "no real logarithm" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "sin",
    symbol: "sin",
    operands: ["x"],
    value: Math.sin,
    partials: [(_out: number, x: number) => Math.cos(x)],
    formulas: ["cos(x)"],
    reason: "sin scales by the cosine",
    probes: [[0.5], [-2], [30]],
    edges: [
      { operands: [inf], value: nan, partials: [nan], why: "no angle" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "cos",
    symbol: "cos",
    operands: ["x"],
    value: Math.cos,
    partials: [(_out: number, x: number) => -Math.sin(x)],
    formulas: ["-sin(x)"],
    reason: "cos scales by minus the sine",
    probes: [[0.5], [-2], [30]],
    edges: [
      { operands: [inf], value: nan, partials: [nan], why: "no angle" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "tan",
    symbol: "tan",
    operands: ["x"],
    value: Math.tan,
    partials: [(out: number) => 1 + out * out],
    formulas: ["1 + tan(x)**2"],
    reason: "tan scales by one plus its output squared",
    probes: [[0.5], [-1.2], [2]],
    edges: [
      { operands: [inf], value: nan, partials: [nan], why: "no angle" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "asin",
    symbol: "asin",
    operands: ["x"],
    value: Math.asin,
    partials: [(_out: number, x: number) => 1 / Math.sqrt((1 - x) * (1 + x))],
    formulas: ["1 / sqrt(1 - x**2)"],
    reason: "asin divides by the cosine of its output",
    probes: [[0.5], [-0.9], [0.001]],
    edges: [
      { operands: [1], value: 1.5707963267948966, partials: [inf], why: "a vertical tangent" },
      { operands: [2], value: nan, partials: [nan], why: "no real angle" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: ["arcsin"],
    defaults: [],
  },
  {
    name: "acos",
    symbol: "acos",
    operands: ["x"],
    value: Math.acos,
    partials: [(_out: number, x: number) => -1 / Math.sqrt((1 - x) * (1 + x))],
    formulas: ["-1 / sqrt(1 - x**2)"],
    reason: "acos divides by minus the sine of its output",
    probes: [[0.5], [-0.9], [0.001]],
    edges: [
      { operands: [1], value: 0, partials: [-inf], why: "a vertical tangent" },
      { operands: [2], value: nan, partials: [nan], why: "no real angle" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: ["arccos"],
    defaults: [],
  },
  {
    name: "atan",
    symbol: "atan",
    operands: ["x"],
    value: Math.atan,
    partials: [atanByX],
    formulas: ["1 / (1 + x**2)"],
    reason: "atan divides by one plus the input squared",
    probes: [[0.5], [-3], [100]],
    edges: [
      { operands: [inf], value: 1.5707963267948966, partials: [0], why: "flattens out" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: ["arctan"],
    defaults: [],
  },
  {
    name: "atan2",
    symbol: "atan2",
    operands: ["y", "x"],
    value: Math.atan2,
    partials: [(_out: number, y: number, x: number) => turn(x, y), (_out: number, y: number, x: number) => x === 0 && y === 0 ? 0 : -turn(y, x)],
    formulas: ["x / (x**2 + y**2)", "-y / (x**2 + y**2)"],
    reason: "the angle turns by the cross component over the distance squared",
    probes: [[1, 2], [-1, -2], [3, -0.5]],
    edges: [
      { operands: [0, 0], value: 0, partials: [0, 0], why: "no angle at the origin: taken flat" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: ["arctan2"],
    defaults: [],
  },
  {
    name: "sinh",
    symbol: "sinh",
    operands: ["x"],
    value: Math.sinh,
    partials: [(_out: number, x: number) => Math.cosh(x)],
    formulas: ["cosh(x)"],
    reason: "sinh scales by cosh",
    probes: [[0.5], [-2], [6]],
    edges: [
      { operands: [-1000], value: -inf, partials: [inf], why: "overflow keeps the sign" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "cosh",
    symbol: "cosh",
    operands: ["x"],
    value: Math.cosh,
    partials: [(_out: number, x: number) => Math.sinh(x)],
    formulas: ["sinh(x)"],
    reason: "cosh scales by sinh",
    probes: [[0.5], [-2], [6]],
    edges: [
      { operands: [-1000], value: inf, partials: [-inf], why: "overflow is inf" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "tanh",
    symbol: "tanh",
    operands: ["x"],
    value: Math.tanh,
    partials: [tanhByX],
    formulas: ["1 - tanh(x)**2"],
    reason: "tanh scales by one minus its output squared: the flatter, the less passes",
    probes: [[0.8813735870195432], [-0.25], [4], [-9]],
    edges: [
      { operands: [400], value: 1, partials: [0], why: "saturated: the true slope, 1e-347, is below the doubles" },
      { operands: [-400], value: -1, partials: [0], why: "saturated" },
      { operands: [inf], value: 1, partials: [0], why: "saturated" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "sigmoid",
    symbol: "sigmoid",
    operands: ["x"],
    value: sigmoid,
    partials: [(out: number, x: number) => out * sigmoid(-x)],
    formulas: ["sigmoid(x) * (1 - sigmoid(x))"],
    reason: "sigmoid scales by s(1 - s): at most a quarter passes",
    probes: [[0.5], [-2], [30], [-30]],
    edges: [
      { operands: [1000], value: 1, partials: [0], why: "saturated" },
      { operands: [-1000], value: 0, partials: [0], why: "saturated" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "softplus",
    symbol: "softplus",
    operands: ["x"],
    value: softplus,
    partials: [(_out: number, x: number) => sigmoid(x)],
    formulas: ["sigmoid(x)"],
    reason: "softplus scales by the sigmoid",
    probes: [[0.5], [-2], [40], [-40]],
    edges: [
      { operands: [1000], value: 1000, partials: [1], why: "the identity on the right, no overflow" },
      { operands: [-1000], value: 0, partials: [0], why: "flat on the left" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "relu",
    symbol: "relu",
    operands: ["x"],
    value: relu,
    partials: [(_out: number, x: number) => x > 0 ? 1 : 0],
    formulas: ["1 if x > 0 else 0"],
    reason: "relu is a gate: open it passes the gradient unchanged, closed it stops it",
    probes: [[2], [-2]],
    edges: [
      { operands: [0], value: 0, partials: [0], why: "kink: closed at 0" },
      { operands: [nan], value: nan, partials: [0], why: "nan stays visible" },
    ],
    infix: false,
    stands_for: "",
    selects: true,
    aliases: [],
    defaults: [],
  },
  {
    name: "leaky_relu",
    symbol: "leaky_relu",
    operands: ["x", "slope"],
    value: leakyRelu,
    partials: [(_out: number, x: number, slope: number) => x > 0 ? 1 : slope, (_out: number, x: number) => x > 0 ? 0 : x],
    formulas: ["1 if x > 0 else slope", "0 if x > 0 else x"],
    reason: "leaky relu passes all of the gradient, or the slope's share of it",
    probes: [[2, 0.01], [-2, 0.1]],
    edges: [
      { operands: [0, 0.01], value: 0, partials: [0.01, 0], why: "kink: the left slope" },
    ],
    infix: false,
    stands_for: "",
    selects: true,
    aliases: [],
    defaults: [0.01],
  },
  {
    name: "silu",
    symbol: "silu",
    operands: ["x"],
    value: silu,
    partials: [siluByX],
    formulas: ["s * (1 + x * (1 - s)), s = sigmoid(x)"],
    reason: "silu scales by its own slope, slightly negative on the left",
    probes: [[0.5], [-2], [10]],
    edges: [
      { operands: [inf], value: inf, partials: [1], why: "the identity on the right" },
      { operands: [-inf], value: -0, partials: [0], why: "flat on the left" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "gelu",
    symbol: "gelu",
    operands: ["x"],
    value: gelu,
    partials: [geluByX],
    formulas: ["P(x) + x * p(x), the normal distribution and its density"],
    reason: "gelu scales by the chance that a normal number is below x, plus a bump",
    probes: [[0.5], [-2], [5], [-5]],
    edges: [
      { operands: [inf], value: inf, partials: [1], why: "the identity on the right" },
      { operands: [-inf], value: -0, partials: [0], why: "flat on the left" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "erf",
    symbol: "erf",
    operands: ["x"],
    value: erf,
    partials: [(_out: number, x: number) => TWO_OVER_ROOT_PI * Math.exp(-(x * x))],
    formulas: ["2 / sqrt(pi) * exp(-x**2)"],
    reason: "erf scales by a bell curve",
    probes: [[0.5], [-1], [2.5]],
    edges: [
      { operands: [inf], value: 1, partials: [0], why: "saturated" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "erfc",
    symbol: "erfc",
    operands: ["x"],
    value: erfc,
    partials: [(_out: number, x: number) => -TWO_OVER_ROOT_PI * Math.exp(-(x * x))],
    formulas: ["-2 / sqrt(pi) * exp(-x**2)"],
    reason: "erfc scales by minus a bell curve",
    probes: [[0.5], [-1], [5]],
    edges: [
      { operands: [inf], value: 0, partials: [-0], why: "saturated" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "maximum",
    symbol: "maximum",
    operands: ["x", "y"],
    value: maximum,
    partials: [(_out: number, x: number, y: number) => halfAtTie(x > y, x === y), (_out: number, x: number, y: number) => halfAtTie(y > x, x === y)],
    formulas: ["1 if x > y else 0", "1 if y > x else 0"],
    reason: "maximum routes: the larger input receives all of the gradient",
    probes: [[2, 1], [-3, -1]],
    edges: [
      { operands: [2, 2], value: 2, partials: [0.5, 0.5], why: "a tie shares the gradient" },
      { operands: [nan, 1], value: nan, partials: [0, 0], why: "nan stays visible" },
    ],
    infix: false,
    stands_for: "",
    selects: true,
    aliases: [],
    defaults: [],
  },
  {
    name: "minimum",
    symbol: "minimum",
    operands: ["x", "y"],
    value: minimum,
    partials: [(_out: number, x: number, y: number) => halfAtTie(x < y, x === y), (_out: number, x: number, y: number) => halfAtTie(y < x, x === y)],
    formulas: ["1 if x < y else 0", "1 if y < x else 0"],
    reason: "minimum routes: the smaller input receives all of the gradient",
    probes: [[2, 1], [-3, -1]],
    edges: [
      { operands: [2, 2], value: 2, partials: [0.5, 0.5], why: "a tie shares the gradient" },
      { operands: [1, nan], value: nan, partials: [0, 0], why: "nan stays visible" },
    ],
    infix: false,
    stands_for: "",
    selects: true,
    aliases: [],
    defaults: [],
  },
  {
    name: "where",
    symbol: "where",
    operands: ["condition", "x", "y"],
    value: (condition: number, x: number, y: number) => condition !== 0 ? x : y,
    partials: [() => 0, (_out: number, condition: number) => condition !== 0 ? 1 : 0, (_out: number, condition: number) => condition !== 0 ? 0 : 1],
    formulas: ["0", "1 if condition else 0", "0 if condition else 1"],
    reason: "where routes: the chosen input receives all of the gradient, the condition none",
    probes: [[1, 2, 3], [0, 2, 3]],
    edges: [
      { operands: [nan, 2, 3], value: 2, partials: [0, 1, 0], why: "nan is true, as in Python" },
    ],
    infix: false,
    stands_for: "",
    selects: true,
    aliases: [],
    defaults: [],
  },
  {
    name: "clip",
    symbol: "clip",
    operands: ["x", "low", "high"],
    value: clip,
    partials: [(_out: number, x: number, low: number, high: number) => inside(x, low, high), (_out: number, x: number, low: number, high: number) => x < low && !(x > high) ? 1 : 0, (_out: number, x: number, _low: number, high: number) => x > high ? 1 : 0],
    formulas: ["1 if low <= x <= high else 0", "1 if x < low else 0", "1 if x > high else 0"],
    reason: "clip passes the gradient inside the bounds; outside, the bound receives it",
    probes: [[0.5, -1, 1], [-2, -1, 1], [3, -1, 1]],
    edges: [
      { operands: [1, -1, 1], value: 1, partials: [1, 0, 0], why: "the bound itself counts as inside" },
      { operands: [0, 2, 1], value: 2, partials: [0, 1, 0], why: "crossed bounds: the first one crossed" },
    ],
    infix: false,
    stands_for: "",
    selects: true,
    aliases: [],
    defaults: [],
  },
  {
    name: "hypot",
    symbol: "hypot",
    operands: ["x", "y"],
    value: Math.hypot,
    partials: [shareOfLength, (out: number, x: number, y: number) => shareOfLength(out, y, x)],
    formulas: ["x / hypot(x, y)", "y / hypot(x, y)"],
    reason: "hypot scales each input by its share of the length",
    probes: [[3, 4], [-1, 0.5], [1e+200, 1e+200]],
    edges: [
      { operands: [0, 0], value: 0, partials: [0, 0], why: "the tip of the cone: taken flat" },
      { operands: [inf, nan], value: inf, partials: [nan, nan], why: "inf wins over nan, as in C" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "floor",
    symbol: "floor",
    operands: ["x"],
    value: Math.floor,
    partials: [() => 0],
    formulas: ["0"],
    reason: "floor is a staircase: flat between the jumps, so no gradient passes",
    probes: [[2.5], [-2.5]],
    edges: [
      { operands: [2], value: 2, partials: [0], why: "a jump: taken flat" },
      { operands: [inf], value: inf, partials: [0], why: "no steps there" },
    ],
    infix: false,
    stands_for: "",
    selects: true,
    aliases: [],
    defaults: [],
  },
  {
    name: "sign",
    symbol: "sign",
    operands: ["x"],
    value: Math.sign,
    partials: [() => 0],
    formulas: ["0"],
    reason: "sign is flat on both sides of its jump, so no gradient passes",
    probes: [[2.5], [-2.5]],
    edges: [
      { operands: [0], value: 0, partials: [0], why: "a jump: taken flat" },
    ],
    infix: false,
    stands_for: "",
    selects: true,
    aliases: [],
    defaults: [],
  },
  {
    name: "log2",
    symbol: "log2",
    operands: ["x"],
    value: Math.log2,
    partials: [(_out: number, x: number) => LOG2_E / x],
    formulas: ["1 / (x * log(2))"],
    reason: "log2 divides the gradient by the input, and by log(2)",
    probes: [[3], [0.01], [100000]],
    edges: [
      { operands: [0], value: -inf, partials: [inf], why: "a pole" },
      { operands: [8], value: 3, partials: [0.18033688011112042], why: "exact at powers of two" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "log10",
    symbol: "log10",
    operands: ["x"],
    value: Math.log10,
    partials: [(_out: number, x: number) => LOG10_E / x],
    formulas: ["1 / (x * log(10))"],
    reason: "log10 divides the gradient by the input, and by log(10)",
    probes: [[2], [0.01], [100000]],
    edges: [
      { operands: [0], value: -inf, partials: [inf], why: "a pole" },
      { operands: [1000], value: 3, partials: [0.00043429448190325184], why: "exact at powers of ten" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "exp2",
    symbol: "exp2",
    operands: ["x"],
    value: (x: number) => power(2, x),
    partials: [(out: number) => out * LN_2],
    formulas: ["2**x * log(2)"],
    reason: "2**x scales by its own output, and by log(2)",
    probes: [[0.5], [-3], [10]],
    edges: [
      { operands: [2000], value: inf, partials: [inf], why: "overflow is inf" },
      { operands: [-2000], value: 0, partials: [0], why: "underflow is 0" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "cbrt",
    symbol: "cbrt",
    operands: ["x"],
    value: Math.cbrt,
    partials: [(out: number) => 1 / (3 * (out * out))],
    formulas: ["1 / (3 * cbrt(x)**2)"],
    reason: "cube root divides the gradient by three times the output squared",
    probes: [[2], [-0.3], [100000]],
    edges: [
      { operands: [0], value: 0, partials: [inf], why: "a vertical tangent" },
      { operands: [-inf], value: -inf, partials: [0], why: "flattens out" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "asinh",
    symbol: "asinh",
    operands: ["x"],
    value: Math.asinh,
    partials: [(_out: number, x: number) => 1 / Math.hypot(1, x)],
    formulas: ["1 / sqrt(1 + x**2)"],
    reason: "asinh divides by the hyperbolic cosine of its output",
    probes: [[0.5], [-2], [100]],
    edges: [
      { operands: [-inf], value: -inf, partials: [0], why: "flattens out" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: ["arcsinh"],
    defaults: [],
  },
  {
    name: "acosh",
    symbol: "acosh",
    operands: ["x"],
    value: Math.acosh,
    partials: [(_out: number, x: number) => 1 / (Math.sqrt(x - 1) * Math.sqrt(x + 1))],
    formulas: ["1 / sqrt(x**2 - 1)"],
    reason: "acosh divides by the hyperbolic sine of its output",
    probes: [[1.5], [3], [100]],
    edges: [
      { operands: [1], value: 0, partials: [inf], why: "a vertical tangent" },
      { operands: [0.5], value: nan, partials: [nan], why: "no real number has a smaller cosh than 1" },
      { operands: [inf], value: inf, partials: [0], why: "flattens out" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: ["arccosh"],
    defaults: [],
  },
  {
    name: "atanh",
    symbol: "atanh",
    operands: ["x"],
    value: Math.atanh,
    partials: [(_out: number, x: number) => 1 / ((1 - x) * (1 + x))],
    formulas: ["1 / (1 - x**2)"],
    reason: "atanh divides by one minus the input squared",
    probes: [[0.5], [-0.9], [0.001]],
    edges: [
      { operands: [1], value: inf, partials: [inf], why: "a pole" },
      { operands: [-1], value: -inf, partials: [inf], why: "a pole" },
      { operands: [2], value: nan, partials: [-0.3333333333333333], why: "no real number has a larger tanh than 1" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: ["arctanh"],
    defaults: [],
  },
  {
    name: "floordiv",
    symbol: "//",
    operands: ["x", "y"],
    value: floorDivide,
    partials: [() => 0, () => 0],
    formulas: ["0", "0"],
    reason: "floor division is a staircase: flat between the jumps, so no gradient passes",
    probes: [[7, 2], [-7, 2], [7.5, -2]],
    edges: [
      { operands: [6, 2], value: 3, partials: [0, 0], why: "a jump: taken flat" },
      { operands: [-0, 2], value: -0, partials: [0, 0], why: "a zero has the sign of x / y" },
      { operands: [1, 0], value: inf, partials: [0, 0], why: "a pole" },
      { operands: [-1, inf], value: -1, partials: [0, 0], why: "just below 0" },
    ],
    infix: true,
    stands_for: "",
    selects: true,
    aliases: [],
    defaults: [],
  },
  {
    name: "mod",
    symbol: "%",
    operands: ["x", "y"],
    value: modulo,
    partials: [() => 1, (_out: number, x: number, y: number) => floorDivide(x, y) * -1],
    formulas: ["1", "-(x // y)"],
    reason: "the remainder copies to the left; to the right it takes away one y for each whole step",
    probes: [[7, 2], [-7, 2], [7.5, -2]],
    edges: [
      { operands: [6, 2], value: 0, partials: [1, -3], why: "a jump: the slope on its right" },
      { operands: [6, -2], value: -0, partials: [1, 3], why: "a zero has the sign of y" },
      { operands: [1, 0], value: nan, partials: [1, -inf], why: "no remainder" },
      { operands: [-1, inf], value: inf, partials: [1, 1], why: "the sign of y" },
    ],
    infix: true,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
] as const;
