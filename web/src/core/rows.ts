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
const DIGAMMA = [-0.00017312261802727394, 0.00025968482126430747, -0.00015148586836773365, 0.0002272331660987376, -0.0004821990530566789, 0.0007233266279287554, -0.0010376374098418604, 0.0015566317474486838, -0.002345267632540769, 0.003519006401502276, -0.005279964873257405, 0.007926944646403797, -0.011908218001568644, 0.0179072524394512, -0.02697579675613825, 0.04076083381242074, -0.061922133273064534, 0.09498872445494122, -0.14840492305390884, 0.2405424842407742, -0.4236274212814605, 0.951055876031833];
const DIGAMMA_ZERO = 0.46163214496836236;
const DIGAMMA_ZERO_REST = -1.5522348162858677e-17;
const BERNOULLI = [0.16666666666666666, -0.03333333333333333, 0.023809523809523808, -0.03333333333333333, 0.07575757575757576, -0.2531135531135531, 1.1666666666666667, -7.092156862745098];
const ROOT_TAU = 2.5066282746310007;
const ROOT_TAU_REST = -1.8328579980459167e-16;
const LGAMMA = [2.760390862919285e-07, 1.120129975111828e-07, 4.854598902919292e-08, -7.05481421384969e-07, 9.75857680957378e-07, -1.9163118630153526e-06, 4.38945038046016e-06, -9.471111834877157e-06, 2.0500748418879063e-05, -4.492145730911986e-05, 9.94586563110572e-05, -0.00022315519070297175, 0.0005096694212741989, -0.0011927538890680867, 0.002890510335476359, -0.007385551029293381, 0.02058080842769018, -0.06735230105319123, 0.32246703342411376, 0.42278433509846713];
const HALF_LOG_TAU = 0.9189385332046728;

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

function digammaFrom1(t: number): number {
  let total = 0;
  for (const number of DIGAMMA) {
    total = total * (t - 0.5) + number;
  }
  return (t - DIGAMMA_ZERO - DIGAMMA_ZERO_REST) * total;
}

function digamma(x: number): number {
  if (x !== x || x === inf) {
    return x;
  }
  if (x === 0) {
    return -1 / x;
  }
  if (x < 0) {
    if (x === Math.floor(x)) {
      return nan;
    }
    let rest = -x % 1;
    let turned = Math.PI / Math.tan(Math.PI * (rest > 0.5 ? rest - 1 : rest));
    return (x > -1 ? digammaFrom1(-x) : digamma(-x) - 1 / x) + turned;
  }
  if (x < 1) {
    return digammaFrom1(x) - 1 / x;
  }
  let total = 0;
  if (x < 12) {
    let y = x;
    while (y >= 2) {
      y -= 1;
      total += 1 / y;
    }
    return total + digammaFrom1(y - 1);
  }
  let square = 1 / (x * x);
  let power = square;
  let k = 2;
  for (const number of BERNOULLI) {
    total += number / k * power;
    power *= square;
    k += 2;
  }
  return Math.log(x) - (0.5 / x + total);
}

function sineOfHalfTurns(x: number): number {
  let rest = x % 2;
  let sign = 1;
  if (rest >= 1) {
    rest -= 1;
    sign = -1;
  }
  if (rest > 0.5) {
    rest = 1 - rest;
  }
  return sign * Math.sin(Math.PI * rest);
}

function gammaOfNegative(x: number): number {
  if (x === inf || x === Math.floor(x)) {
    return nan;
  }
  let sine = sineOfHalfTurns(x);
  if (x > 200) {
    return -0 * sine;
  }
  if (x <= 170) {
    return -Math.PI / (x * sine) / gamma(x);
  }
  let y = x;
  let out = -Math.PI / (x * sine) / gamma(x - 40);
  while (y > x - 40) {
    y -= 1;
    out /= y;
  }
  return out;
}

function stirling(x: number): number {
  let power = 1 / x;
  let square = power * power;
  let total = 0;
  let k = 2;
  for (const number of BERNOULLI) {
    total += number / (k * (k - 1)) * power;
    power *= square;
    k += 2;
  }
  return total;
}

function gamma(x: number): number {
  if (x !== x || x === inf) {
    return x;
  }
  if (-1e-17 < x && x < 1e-17) {
    return 1 / x;
  }
  if (x < 0) {
    return gammaOfNegative(-x);
  }
  if (x > 172) {
    return inf;
  }
  let y = x;
  let factor = 1;
  if (x <= 23 && x === Math.floor(x)) {
    while (y > 2) {
      y -= 1;
      factor *= y;
    }
    return factor;
  }
  let steps = 0;
  let lost = 0;
  let rest = 0;
  while (y < 12) {
    let product = factor * y;
    rest -= (productRest(factor, y, product) + factor * lost) / product;
    factor = product;
    steps += 1;
    y = x + steps;
    lost = x - (y - steps);
  }
  if (y > 140) {
    factor = power(2, -64);
    while (y > 140) {
      y -= 1;
      let product = factor * y;
      rest += productRest(factor, y, product) / product;
      factor = product;
    }
  }
  let high = power(y, y - 0.5);
  let low = Math.exp(-y);
  let small = high * low;
  rest += productRest(high, low, small) / small;
  let scaled = small * ROOT_TAU;
  rest += productRest(small, ROOT_TAU, scaled) / scaled + ROOT_TAU_REST / ROOT_TAU;
  let more = Math.expm1(stirling(y));
  if (x < 12) {
    let out = scaled / factor;
    rest += lost * (Math.log(y) - 0.5 / y) - productRest(out, factor, scaled) / scaled;
    return out + out * (more + rest + more * rest);
  }
  if (x <= 140) {
    return scaled + scaled * (more + rest);
  }
  let out = scaled * factor;
  rest += productRest(scaled, factor, out) / out;
  return (out + out * (more + rest)) * power(2, 64);
}

function lgammaFrom2(t: number): number {
  let total = 0;
  for (const number of LGAMMA) {
    total = total * t + number;
  }
  return total * t;
}

function lgamma(x: number): number {
  if (x !== x) {
    return x;
  }
  if (x <= 0 && x === Math.floor(x) || x === inf) {
    return inf;
  }
  if (x < 0) {
    if (x > -1e-17) {
      return -Math.log(-x);
    }
    return Math.log(Math.PI / Math.abs(x * sineOfHalfTurns(-x))) - lgamma(-x);
  }
  if (x < 0.5) {
    return lgammaFrom2(x) - Math.log1p(x) - Math.log(x);
  }
  if (x < 1.25) {
    return lgammaFrom2(x - 1) - Math.log1p(x - 1);
  }
  if (x < 8) {
    let y = x;
    let factor = 1;
    let rest = 0;
    while (y >= 2.5) {
      y -= 1;
      let product = factor * y;
      rest = rest * y + productRest(factor, y, product);
      factor = product;
    }
    return lgammaFrom2(y - 2) + (Math.log(factor) + rest / factor);
  }
  let less = Math.log(x) - 1;
  if (x > 1e+17) {
    return x * less;
  }
  let main = (x - 0.5) * less;
  let rest = productRest(x - 0.5, less, main) + (HALF_LOG_TAU - 0.5 + stirling(x));
  return main + rest;
}

function polygamma(order: number, x: number): number {
  if (order === 0) {
    return digamma(x);
  }
  if (x !== x || !(1 <= order && order <= 100) || order !== Math.floor(order) || x < -1000) {
    return nan;
  }
  let sign = order % 2 === 1 ? 1 : -1;
  if (x <= 0 && x === Math.floor(x)) {
    return sign > 0 ? inf : nan;
  }
  let factorial = 1;
  let k = 2;
  while (k <= order) {
    factorial *= k;
    k += 1;
  }
  let steps = 0;
  while (x + steps < 12 + 2 * order) {
    steps += 1;
  }
  let y = x + steps;
  let square = 1 / y / y;
  let rising = 0.5 * (order + 1) * square;
  let tail = 0;
  k = 2;
  for (const number of BERNOULLI) {
    tail += number * rising;
    rising *= (order + k) * (order + k + 1) / ((k + 1) * (k + 2)) * square;
    k += 2;
  }
  tail = 1 / order + (0.5 / y + tail);
  if (steps === 0) {
    let half = power(y, -0.5 * order);
    return sign * (factorial * half * tail) * half;
  }
  let total = power(y, -order) * tail;
  while (steps > 0) {
    steps -= 1;
    total += power(x + steps, -order - 1);
  }
  return sign * factorial * total;
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
  {
    name: "gamma",
    symbol: "gamma",
    operands: ["x"],
    value: gamma,
    partials: [(out: number, x: number) => out * digamma(x)],
    formulas: ["gamma(x) * digamma(x)"],
    reason: "gamma scales by its own output, and by digamma of the input",
    probes: [[0.5], [4.5], [30.25]],
    edges: [
      { operands: [5], value: 24, partials: [36.14682404236321], why: "exact at whole numbers up to 23" },
      { operands: [0], value: inf, partials: [-inf], why: "a pole" },
      { operands: [-1], value: nan, partials: [nan], why: "a pole: the sides differ" },
      { operands: [200], value: inf, partials: [inf], why: "overflow is inf" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "lgamma",
    symbol: "lgamma",
    operands: ["x"],
    value: lgamma,
    partials: [(_out: number, x: number) => digamma(x)],
    formulas: ["digamma(x)"],
    reason: "lgamma scales by digamma of the input",
    probes: [[0.5], [4.5], [100000]],
    edges: [
      { operands: [0], value: inf, partials: [-inf], why: "a pole" },
      { operands: [-1], value: inf, partials: [nan], why: "a pole: the slopes of its sides differ" },
      { operands: [2], value: 0, partials: [0.42278433509846713], why: "exact at 1 and 2" },
      { operands: [-inf], value: inf, partials: [nan], why: "no slope: there are poles at all whole numbers" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "digamma",
    symbol: "digamma",
    operands: ["x"],
    value: digamma,
    partials: [(_out: number, x: number) => polygamma(1, x)],
    formulas: ["polygamma(1, x)"],
    reason: "digamma scales by polygamma(1, x), which is positive",
    probes: [[0.5], [4.5], [100000]],
    edges: [
      { operands: [0], value: -inf, partials: [inf], why: "a pole" },
      { operands: [-1], value: nan, partials: [inf], why: "a pole: the sides differ" },
      { operands: [inf], value: inf, partials: [0], why: "grows as log(x)" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
  {
    name: "polygamma",
    symbol: "polygamma",
    operands: ["order", "x"],
    value: polygamma,
    partials: [() => 0, (_out: number, order: number, x: number) => polygamma(order + 1, x)],
    formulas: ["0", "polygamma(order + 1, x)"],
    reason: "polygamma scales by polygamma of the next order; the order itself gets no gradient",
    probes: [[1, 0.5], [2, 4.5], [3, 30.25]],
    edges: [
      { operands: [1, 0], value: inf, partials: [0, nan], why: "a pole" },
      { operands: [0.5, 2], value: nan, partials: [0, nan], why: "the order is a whole number from 0 to 100" },
      { operands: [1, -1000.5], value: nan, partials: [0, nan], why: "not computed below -1000" },
    ],
    infix: false,
    stands_for: "",
    selects: false,
    aliases: [],
    defaults: [],
  },
] as const;
