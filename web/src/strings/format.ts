/** Numbers as people read them: four significant digits, a true minus, a glyph for the sign. */

const MINUS = "−";

export type Sign = "pos" | "neg" | "zero" | "none";

export const GLYPHS: Record<Sign, string> = { pos: "▲", neg: "▼", zero: "", none: "" };

/** What stands where a number is not known yet. */
export const UNKNOWN = "--";

/** `x` to so many significant digits, whole numbers up to a million. */
function rounded(x: number, digits = 4): number {
  if (!Number.isFinite(x) || x === 0) return x;
  const size = Math.abs(x);
  return size >= 10 ** digits && size < 1e6 ? Math.round(x) : Number(x.toPrecision(digits));
}

/** A number to so many significant digits; exponents only where digits would not fit. */
export function num(x: number, digits = 4): string {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : `${MINUS}inf`;
  if (x === 0) return "0";
  const size = Math.abs(x);
  const kept = rounded(x, digits);
  const text = size >= 1e6 || size < 1e-4 ? kept.toExponential().replace("e+", "e") : String(kept);
  return text.replaceAll("-", MINUS);
}

/** The same with its sign, as a move has it: +0.5. */
export function signed(x: number): string {
  return x > 0 ? `+${num(x)}` : num(x);
}

/** At most how many letters `num` takes for `x`: found without writing it. */
export function letters(x: number): number {
  const size = Math.abs(x);
  const sign = x < 0 ? 1 : 0;
  if (!Number.isFinite(x) || size === 0) return 4;
  if (size >= 1e6 || size < 1e-4) return sign + 10;
  if (Number.isInteger(x)) return sign + Math.ceil(Math.log10(size + 1));
  if (size >= 1) return sign + (size >= 1e4 ? 7 : 5);
  return sign + 6 + Math.floor(-Math.log10(size));
}

/** A number with every digit it has. */
export function exact(x: number): string {
  if (!Number.isFinite(x)) return num(x);
  return (Object.is(x, -0) ? "0" : String(x)).replace("e+", "e").replaceAll("-", MINUS);
}

/** A number in an expression: a negative one is wrapped, so that signs never meet. */
export function wrapped(x: number, digits = 4): string {
  return x < 0 ? `(${num(x, digits)})` : num(x, digits);
}

export function signOf(x: number | null | undefined): Sign {
  if (x === null || x === undefined) return "none";
  return x > 0 ? "pos" : x < 0 ? "neg" : x === 0 ? "zero" : "none";
}

/** The number that a person typed: 3, −.5, 1e-3, 1/3; null when it is none. */
export function readNumber(typed: string): number | null {
  const text = typed.trim().replaceAll(MINUS, "-").replace(",", ".");
  const parts = text.split("/");
  if (
    parts.length > 2 ||
    parts.some((part) => !/^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(part))
  )
    return null;
  const value = parts.length === 2 ? Number(parts[0]) / Number(parts[1]) : Number(text);
  return Number.isFinite(value) ? value : null;
}

/** Whether two numbers are the same but for rounding. */
export function close(x: number, y: number, tolerance = 1e-9): boolean {
  return (
    x === y ||
    Math.abs(x - y) <= tolerance * Math.max(1, Math.abs(y)) ||
    (Number.isNaN(x) && Number.isNaN(y))
  );
}

/** Whether `typed` is `right`, or `right` rounded to the decimals typed (two at least). */
export function accepts(right: number, typed: string): boolean {
  const value = readNumber(typed);
  if (value === null) return false;
  if (close(value, right)) return true;
  const decimals = /[.,](\d+)\s*$/.exec(typed)?.[1].length ?? 0;
  return decimals >= 2 && Math.abs(value - right) <= 0.5000001 * 10 ** -decimals;
}
