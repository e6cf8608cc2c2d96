/**
 * Read statements of arithmetic out of a text, and evaluate each with exact decimals.
 *
 * An oracle: it shares no line with the code that writes them. One function without imports, so that
 * a browser test can run it in the page.
 */

/** Every statement in `text`, as {text, sign, right, isExact, off}; `off` is its error, relative to its terms. */
export function statementsIn(text) {
  const NUMBER = /^[(\s]*−?(?:\d+(?:\.\d+)?(?:e−?\d+)?|inf|nan)/u;
  const TOKEN = /\s*(\d+(?:\.\d+)?(?:e−?\d+)?|inf|nan|[a-z_]\w*|\*\*|[-−+×∗·÷/*%(),])/uy;
  const rational = (word) => {
    const [, whole, decimals = "", power = "0"] = /^(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(word);
    const shift = Number(power.replace("−", "-")) - decimals.length;
    const n = BigInt(whole + decimals);
    return shift < 0 ? [n, 10n ** BigInt(-shift)] : [n * 10n ** BigInt(shift), 1n];
  };
  const float = ([n, d]) => {
    if (d === 1n && n < 10n ** 15n && n > -(10n ** 15n)) return Number(n);
    const digits = (x) => x.toString().replace("-", "").length;
    const shift = digits(d) - digits(n) + 20;
    const scaled = shift >= 0 ? (n * 10n ** BigInt(shift)) / d : n / (d * 10n ** BigInt(-shift));
    return Number(`${scaled}e${-shift}`);
  };
  // A value is {exact: [n, d] | null, x: number, size: the largest term}.
  const made = (exact, x, size = Math.abs(x)) => ({ exact, x, size });
  const fromExact = (exact, size) => made(exact, float(exact), size ?? Math.abs(float(exact)));
  const FUNCTIONS = {
    relu: (x) => Math.max(0, x),
    sigmoid: (x) => 1 / (1 + Math.exp(-x)),
    maximum: Math.max,
    minimum: Math.min,
    neg: (x) => -x,
  };
  const CHOOSING = ["relu", "abs", "maximum", "minimum", "sign", "floor"];
  const call = (name, args) => {
    const rule = FUNCTIONS[name] ?? Math[name];
    if (!rule) throw new Error(name);
    const x = rule(...args.map((one) => one.x));
    if (CHOOSING.includes(name)) {
      const found = args.map(({ exact }) => exact).find((one) => one && float(one) === x);
      return found ? fromExact(found) : made(Number.isInteger(x) ? [BigInt(x), 1n] : null, x);
    }
    if (name === "sqrt" && args[0].exact && args[0].x >= 0)
      return { ...made(null, x), squared: args[0].exact };
    const isPoint = args.every((one) => [-1, 0, 1].includes(one.x));
    return isPoint && Number.isInteger(2 * x) ? made([BigInt(2 * x), 2n], x) : made(null, x);
  };
  const combine = (op, a, b) => {
    const [p, q] = [a.exact, b.exact];
    const both = p && q;
    const size = Math.max(a.size, b.size);
    switch (op) {
      case "+":
        return made(both ? [p[0] * q[1] + q[0] * p[1], p[1] * q[1]] : null, a.x + b.x, size);
      case "-":
        return made(both ? [p[0] * q[1] - q[0] * p[1], p[1] * q[1]] : null, a.x - b.x, size);
      case "*":
        return made(both ? [p[0] * q[0], p[1] * q[1]] : null, a.x * b.x);
      case "/":
        if (!both || q[0] === 0n) return made(null, a.x / b.x);
        return made(
          q[0] < 0n ? [-p[0] * q[1], -p[1] * q[0]] : [p[0] * q[1], p[1] * q[0]],
          a.x / b.x,
        );
      default: {
        const x = a.x ** b.x;
        if (!both || !Number.isInteger(b.x) || Math.abs(b.x) > 64) return made(null, x);
        const power = BigInt(Math.abs(b.x));
        const raised = [p[0] ** power, p[1] ** power];
        if (b.x >= 0) return made(raised, x);
        if (!raised[0]) return made(null, x);
        return made(raised[0] < 0n ? [-raised[1], -raised[0]] : [raised[1], raised[0]], x);
      }
    }
  };
  /** The value of a whole text, or null when it is no arithmetic with an operation in it. */
  const valueIn = (source) => {
    const words = [];
    TOKEN.lastIndex = 0;
    let at = 0;
    for (;;) {
      TOKEN.lastIndex = at;
      const found = TOKEN.exec(source);
      if (!found) break;
      words.push(found[1]);
      at = TOKEN.lastIndex;
    }
    if (source.slice(at).trim()) return null;
    let i = 0;
    let operations = 0;
    const take = (...wanted) => (wanted.includes(words[i]) ? words[i++] : null);
    const sum = () => {
      let left = product();
      for (let op = take("+", "−", "-"); op; op = take("+", "−", "-")) {
        operations += 1;
        left = combine(op === "+" ? "+" : "-", left, product());
      }
      return left;
    };
    const product = () => {
      let left = power();
      for (
        let op = take("×", "∗", "·", "*", "÷", "/");
        op;
        op = take("×", "∗", "·", "*", "÷", "/")
      ) {
        operations += 1;
        left = combine(op === "÷" || op === "/" ? "/" : "*", left, power());
      }
      return left;
    };
    const power = () => {
      const left = signed();
      if (!take("**")) return left;
      operations += 1;
      return combine("**", left, power());
    };
    const signed = () => {
      if (!take("−", "-")) return atom();
      if (words[i] === "(") operations += 1;
      const { exact, x, size } = signed();
      return made(exact && [-exact[0], exact[1]], -x, size);
    };
    const atom = () => {
      const word = words[i++];
      if (word === "(") {
        const inner = sum();
        if (!take(")")) throw new Error("bracket");
        return inner;
      }
      if (word === "inf") return made(null, Number.POSITIVE_INFINITY);
      if (word === "nan") return made(null, Number.NaN);
      if (/^\d/.test(word ?? "")) return fromExact(rational(word));
      if (/^[a-z_]/.test(word ?? "") && take("(")) {
        operations += 1;
        const args = [sum()];
        while (take(",")) args.push(sum());
        if (!take(")")) throw new Error("bracket");
        return call(word, args);
      }
      throw new Error("no arithmetic");
    };
    try {
      const value = sum();
      return i === words.length && operations ? value : null;
    } catch {
      return null;
    }
  };
  const found = [];
  for (const sign of text.matchAll(/(?<!\+)[=≈]/gu)) {
    const right = NUMBER.exec(text.slice(sign.index + 1))?.[0].replace(/[(\s]/g, "");
    if (right === undefined) continue;
    const before = text.slice(0, sign.index).replace(/^.*[=≈;:]/su, "");
    // From the left, word by word, until the rest is arithmetic.
    const starts = [0, ...[...before.matchAll(/(?<=[\s(→])(?=\S)/gu)].map(({ index }) => index)];
    for (const start of starts) {
      const left = before.slice(start);
      const value = valueIn(left);
      if (!value) continue;
      const shown = valueIn(`0 + ${right.startsWith("−") ? `(${right})` : right}`);
      let isExact = false;
      if (value.squared && shown.exact) {
        const [[n, d], [p, q]] = [value.squared, shown.exact];
        isExact = shown.x >= 0 && n * q * q === p * p * d;
      } else if (value.exact && shown.exact)
        isExact = value.exact[0] * shown.exact[1] === shown.exact[0] * value.exact[1];
      else if (!Number.isFinite(shown.x) || !Number.isFinite(value.x))
        isExact = Object.is(value.x, shown.x);
      const error = Math.abs(value.x - shown.x) / Math.max(value.size, Math.abs(shown.x), 1e-300);
      const off = isExact ? 0 : error;
      found.push({ text: `${left}${sign[0]} ${right}`, sign: sign[0], isExact, off });
      break;
    }
  }
  return found;
}

/** What is wrong with the statements in a text: = where it is not exact, ≈ where it is, or far away. */
export function mistakesIn(text) {
  return statementsIn(text)
    .filter(({ sign, isExact, off }) => (sign === "=") !== isExact || !(off <= 3e-3))
    .map(({ text: said }) => said);
}
