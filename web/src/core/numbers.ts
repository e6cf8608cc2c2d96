/**
 * Numbers and texts as Python writes them: `.6g`, `repr`, columns that count code points.
 *
 * What a person reads in the browser and in the terminal is then the same, to the letter.
 */

/** Return a number as words and pictures show it: six significant digits, no signed zero. */
export function number(x: number): string {
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return special(x);
  // Whole numbers up to six digits are most of what is shown, and are their own text.
  if (Number.isInteger(x) && x < 1e6 && x > -1e6) return String(x);
  const [digits, exponent] = rounded(x);
  const sign = x < 0 ? "-" : "";
  const kept = digits.replace(/0+$/, "");
  return (
    sign + (exponent < -4 || exponent >= 6 ? scientific(kept, exponent) : plain(kept, exponent))
  );
}

/** Return a number or a text as Python's `repr` does: 2.0, 1e-05, inf, 'a', "it's". */
export function repr(thing: number | string): string {
  return typeof thing === "string" ? quoted(thing) : float(thing);
}

function float(x: number): string {
  if (!Number.isFinite(x)) return special(x);
  const sign = x < 0 || Object.is(x, -0) ? "-" : "";
  if (x === 0) return `${sign}0.0`;
  const [mantissa, power] = Math.abs(x).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) return sign + scientific(digits, exponent);
  const text = plain(digits, exponent);
  return sign + (text.includes(".") ? text : `${text}.0`);
}

function special(x: number): string {
  return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

/** Return six significant digits and the power of ten of the first. */
function rounded(x: number): [string, number] {
  const size = Math.abs(x);
  let [mantissa, power] = size.toExponential(5).split("e");
  // Half way between two, JavaScript goes up and Python to the even one. A double lies exactly half
  // way only if its seven digits are all it has; those of the rest tell.
  const longer = size.toExponential(6);
  if (longer.includes("5e") && /^.{8}0*e/.test(size.toExponential(100))) {
    const down = longer.slice(0, longer.indexOf("e") - 1);
    if ("02468".includes(down[down.length - 1])) [mantissa, power] = [down, longer.split("e")[1]];
  }
  return [mantissa.replace(".", ""), Number(power)];
}

function scientific(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits[0]}${fraction}e${exponent < 0 ? "-" : "+"}${size}`;
}

function plain(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return digits.length > exponent + 1 ? `${whole}.${digits.slice(exponent + 1)}` : whole;
}

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = "";
  for (const character of text) {
    if (character === quote || character === "\\") out += `\\${character}`;
    else if (isPrintable(character)) out += character;
    else out += ESCAPES[character] ?? escaped(character.codePointAt(0)!);
  }
  return quote + out + quote;
}

function escaped(code: number): string {
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** Whether Python shows a character as it is: all but the blanks, controls and unassigned. */
export function isPrintable(character: string): boolean {
  return character === " " || !/[\p{C}\p{Z}]/u.test(character);
}

// The digits that are no decimals: superscripts, subscripts, circled and the like.
const DIGITS = new RegExp(
  "^(?:\\p{Nd}|[\\u00b2\\u00b3\\u00b9\\u1369-\\u1371\\u19da\\u2070\\u2074-\\u2079\\u2080-\\u2089" +
    "\\u2460-\\u2468\\u2474-\\u247c\\u2488-\\u2490\\u24ea\\u24f5-\\u24fd\\u24ff\\u2776-\\u277e" +
    "\\u2780-\\u2788\\u278a-\\u2792\\u{10a40}-\\u{10a43}\\u{10e60}-\\u{10e68}" +
    "\\u{11052}-\\u{1105a}\\u{1f100}-\\u{1f10a}])+$",
  "u",
);

/** Whether every character is a digit to Python's `isdigit`: ² and ① are, ½ is not. */
export function isDigits(text: string): boolean {
  return DIGITS.test(text);
}

// ── Columns ──────────────────────────────────────────────────────────────────────────────────
// A column counts code points from 0, as Python does; JavaScript's strings count halves of some.

const HALVES = /[\ud800-\udbff][\udc00-\udfff]/;

/** Return how many code points a text has. */
export function codePoints(text: string): number {
  return HALVES.test(text) ? [...text].length : text.length;
}

/** Return the index in a JavaScript string of the character at a column. */
export function utf16Index(text: string, column: number): number {
  if (!HALVES.test(text)) return Math.min(column, text.length);
  return [...text].slice(0, column).join("").length;
}

/** Return the first `count` characters. */
export function firstCharacters(text: string, count: number): string {
  return text.slice(0, utf16Index(text, count));
}

/** Return a text short enough for a message. */
export function short(text: string): string {
  return codePoints(text) <= 40 ? text : `${firstCharacters(text, 39)}…`;
}

/** Return what a thing that is no number is: its type and repr, by Python's names. */
export function described(thing: unknown): string {
  if (typeof thing === "string") return `str: ${firstCharacters(repr(thing), 40)}`;
  if (thing === null || thing === undefined) return "NoneType: None";
  const type = Array.isArray(thing) ? "list" : typeof thing === "object" ? "dict" : typeof thing;
  let text: string;
  try {
    text = String(thing);
  } catch {
    text = "…"; // an object without a prototype has no text
  }
  return `${type}: ${firstCharacters(text, 40)}`;
}
