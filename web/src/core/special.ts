/**
 * The functions of C's libm that JavaScript lacks or defines otherwise: erf, erfc, pow;
 * and which doubles are normal.
 *
 * The coefficients of erf and erfc are Chebyshev interpolants, computed in 60 digits for this file
 * and written out as polynomials; each leaves less than 1e-17 of what it approximates.
 */

/** Return x**y as C does: 1 to any power is 1, even to nan, and so is -1 to ±inf. */
export function power(x: number, y: number): number {
  if (y === -1) return 1 / x; // rounded once, in every browser
  if (y === 2) return x * x;
  if (x === 1 || (x === -1 && (y === Infinity || y === -Infinity))) return 1;
  return x ** y;
}

/** Return the error function, within 2 units in the last place. */
export function erf(x: number): number {
  if (Number.isNaN(x)) return x;
  const size = Math.abs(x);
  if (size < 1) return x + x * horner(CORE, x * x);
  return size < 6 ? Math.sign(x) * (1 - tail(size)) : Math.sign(x);
}

/** Return 1 - erf(x), which keeps its digits where erf is close to 1. */
export function erfc(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x <= -0.75) return x > -6 ? 2 - tail(-x) : 2;
  if (x < 0.25) return 1 - (x + x * horner(CORE, x * x));
  if (x < 0.75) return 0.5 - (x - 0.5 + x * horner(CORE, x * x));
  return x < 28 ? tail(x) : 0;
}

/** Return erfc for x ≥ 0.75, by way of exp(x²)·erfc(x), which falls slowly. */
function tail(x: number): number {
  // What a step rounds away goes into `rest`, so that only the last ones count.
  let share: number;
  let rest: number;
  if (x < 2) {
    const bend = horner(SHOULDER, x - 1.375);
    share = SHOULDER_MIDDLE + bend;
    rest = bend - (share - SHOULDER_MIDDLE);
  } else {
    const bend = horner(TAIL, 1 - 8 / (x + 2));
    const scaled = TAIL_MIDDLE + bend;
    share = scaled / x;
    const product = share * x;
    rest = bend - (scaled - TAIL_MIDDLE) + (scaled - product) - productRest(share, x, product);
    rest /= x;
  }
  // exp magnifies the rounding of x² by x² itself: square a shorter number, exactly, and mend.
  const near = Math.fround(x);
  rest += share * Math.expm1((near - x) * (near + x));
  return Math.exp(-near * near) * (share + rest);
}

/** Return x·y − product, exactly (Dekker's splitting). */
export function productRest(x: number, y: number, product: number): number {
  const a = upperHalf(x);
  const b = upperHalf(y);
  return a * b - product + a * (y - b) + (x - a) * b + (x - a) * (y - b);
}

function upperHalf(x: number): number {
  const wide = 134217729 * x; // 2**27 + 1
  return wide - (wide - x);
}

function horner(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * x + coefficients[i];
  return sum;
}

// erf(x)/x - 1 on -1 … 1, in powers of x².
const CORE: readonly number[] = [
  0.1283791670955126, -0.37612638903183754, 0.1128379167095512, -0.026866170645129854,
  0.005223977625423455, -0.0008548327021945428, 0.00012055332903350668, -1.4925647581008593e-5,
  1.6462045711013026e-6, -1.6364645854816389e-7, 1.479243542696247e-8, -1.2164764337224506e-9,
  8.709755232851789e-11, -4.2320376764874594e-12,
];

// exp(x²)·erfc(x) on 0.75 … 2, in powers of x - 1.375; the middle is kept apart.
const SHOULDER_MIDDLE = 0.3432958898621254;
const SHOULDER: readonly number[] = [
  0, -0.18431546997466777, 0.08986211864695719, -0.040503371223400066, 0.017084991607389577,
  -0.006804603105342409, 0.002576220779227647, -0.0009320855801587878, 0.00032365077588252276,
  -0.00010823684691968516, 3.4965029169528455e-5, -1.0938100104649797e-5, 3.3208179206529843e-6,
  -9.805771565739507e-7, 2.8192609168291914e-7, -7.841713934715053e-8, 2.147170236183789e-8,
  -6.571982347503304e-9, 1.7251323531597281e-9,
];

// x·exp(x²)·erfc(x) on 2 … ∞, in powers of 1 - 8/(x + 2).
const TAIL_MIDDLE = 0.5566594068032301;
const TAIL: readonly number[] = [
  0, 0.01931557492979541, -0.01739945173937355, 0.0072014636849713435, -0.0018068731040532943,
  0.0001967598866511625, 3.7687494394879663e-5, -1.563190428081939e-5, -2.620837227373065e-7,
  1.0191326696294373e-6, -4.342352384761998e-8, -7.64514558892279e-8, 4.334699685689388e-9,
  6.801170617708587e-9, -1.8094299451819022e-10, -6.779435409321672e-10, -2.0365066704908973e-11,
  6.632260324727874e-11, 4.040682744482307e-12, -4.528115385094899e-12,
];

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

export function isNormal(x: number): boolean {
  const size = Math.abs(x);
  return size >= LEAST_NORMAL && size < Infinity;
}

/** Return x // y as Python computes it; an infinity or nan at y = 0. */
export function floorDivide(x: number, y: number): number {
  if (y === 0) return x / y;
  const rest = x % y;
  let quotient = (x - rest) / y;
  if (rest && y < 0 !== rest < 0) quotient -= 1;
  if (quotient === 0) return x / y < 0 || Object.is(x / y, -0) ? -0 : 0;
  const whole = Math.floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

/** Return x % y as Python computes it: the sign is that of y. JavaScript's has that of x. */
export function modulo(x: number, y: number): number {
  const rest = x % y;
  if (rest === 0) return y < 0 || Object.is(y, -0) ? -0 : 0;
  return rest && y < 0 !== rest < 0 ? rest + y : rest;
}
