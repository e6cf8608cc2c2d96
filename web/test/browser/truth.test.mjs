/**
 * What stands on the page, read from the page and evaluated with exact decimals: every example at every
 * event, on both pages that show the chain rule, in 2D, in 3D and in a saved file, with motion on and
 * off, at every width.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { mistakesIn, statementsIn } from "../strict.mjs";
import { card, e, follow, frames, lab, label, open, save, visit } from "./harness.mjs";

const found = lab();
const on = (...args) => visit(found, ...args);

/** Read every equation of the page: a list of sides, each a list of numbers to add. */
function readPage() {
  const root = document.querySelector("gradwalk-lab").shadowRoot;
  const { program, frame } = document.querySelector("gradwalk-lab").lab;
  const { graph, names, walk } = program;
  const number = (text) =>
    Number(
      text
        .replace(/[()\s]/g, "")
        .replaceAll("−", "-")
        .replace("inf", "Infinity"),
    );
  const id = (name) => names.indexOf(name);
  const said = [];
  const mistakes = [];
  const near = (x, y) =>
    Object.is(x, y) ||
    (Number.isNaN(x) && Number.isNaN(y)) ||
    Math.abs(x - y) <= 2e-3 * Math.max(0.02, Math.abs(x), Math.abs(y));

  for (const equation of root.querySelectorAll(".panel.rule .equation")) {
    const sides = [[[]]];
    const signs = [];
    const parts = [...equation.querySelectorAll("math > mrow")].flatMap((row) => [...row.children]);
    for (const part of parts) {
      const text = part.textContent.trim();
      if (part.localName === "mo" && ["=", "≈", "+="].includes(text)) {
        signs.push(text);
        sides.push([[]]);
      } else if (text === "+") sides.at(-1).push([]);
      else if (text === "×" || text === "·") continue;
      else if (part.matches(".total")) {
        const [above, below] = [...part.querySelectorAll("mi")].map((one) => one.textContent);
        if (above !== names[graph.root]) mistakes.push(`${above} is not the output`);
        sides.at(-1).at(-1).push(walk.expected[id(below)]);
      } else if (part.matches(".local")) {
        const [symbol, above, below] = [...part.querySelectorAll("mi")].map(
          (one) => one.textContent,
        );
        if (symbol === "∂") mistakes.push("a local derivative looks like a total");
        const { operands, local_grads } = graph.nodes[id(above)];
        const arrows = operands.flatMap((to, i) => (names[to] === below ? [local_grads[i]] : []));
        const arrow = /\d+/.exec(part.querySelector("mtext").textContent)?.[0] ?? 1;
        if (arrows.length > 1 && !/\d/.test(part.querySelector("mtext").textContent))
          mistakes.push(`${above} by ${below}: which arrow?`);
        sides
          .at(-1)
          .at(-1)
          .push(arrows[arrow - 1]);
      } else if (part.matches(".grad"))
        sides
          .at(-1)
          .at(-1)
          .push(frame.node(id(text.replace(".grad", ""))).grad ?? 0);
      else if (part.matches("mn")) sides.at(-1).at(-1).push(number(text));
      else sides.at(-1).at(-1).push(Number.NEGATIVE_INFINITY); // a formula, or …
    }
    const worth = sides.map((terms) =>
      terms.flat().includes(Number.NEGATIVE_INFINITY) || !terms[0].length
        ? null
        : terms.map((factors) => factors.reduce((x, y) => x * y, 1)).reduce((x, y) => x + y),
    );
    said.push(equation.textContent.replace(/\s+/g, " "));
    for (let i = 1; i < worth.length; i++) {
      if (worth[i] === null || worth[i - 1] === null || signs[i - 1] === "+=") continue;
      if (!near(worth[i], worth[i - 1])) mistakes.push(equation.textContent);
    }
  }

  const scene = root.querySelector("gradwalk-scene").shadowRoot;
  const all = (within, selector) => [...within.querySelectorAll(selector)];
  const text = (one) => one?.textContent.replace(/\s+/g, " ") ?? "";
  const texts = [
    ...all(root, ".words p, .trace td, ol.code li, .panel.rule p, [role=status]").map(text),
    ...all(root, ".events tbody tr").map(
      (one) => `${text(one.children[2])} ${text(one.children[3])}`,
    ),
    ...all(root, ".panel.rule .equation").map((one) =>
      all(one, "math > mrow > *")
        .map((part) =>
          part.matches("mn") ? `(${text(part)})`.replace("((", "(").replace("))", ")") : text(part),
        )
        .join(" "),
    ),
    ...all(scene, "[aria-label]").map((one) => one.ariaLabel.split(", value ")[0]),
    ...all(scene, ".pill").map((one) => all(one, "tspan, span").map(text).join(" ")),
    ...all(scene, ".card").map((one) => {
      const line = text(one.querySelector(".arithmetic"));
      return /^[=≈]/.test(line)
        ? `${line.slice(1)} ${line[0]} ${text(one.querySelector(".value"))}`
        : line;
    }),
    ...all(scene, ".grad").map(text),
  ];
  for (const one of texts) {
    said.push(...statementsIn(one).map((found) => found.text));
    mistakes.push(...mistakesIn(one));
  }
  // A number has the same digits wherever it stands: no text shows one that is shortened.
  const known = new Set(["?", "--"]);
  const know = (x) => known.add(numberOn(x));
  for (const node of graph.nodes) for (const x of [node.data, ...node.local_grads]) know(x);
  for (const x of [...walk.grads, ...walk.expected]) know(x);
  for (const { pushes } of walk.backward)
    for (const push of pushes)
      for (const x of [push.incoming, push.contribution, push.before, push.after]) know(x);
  for (const where of [
    ...all(scene, ".value, .grad, .pill :is(tspan, span), .arithmetic"),
    ...all(root, "mn, .events .end"),
  ])
    for (const [token] of text(where).matchAll(/−?(?<![\w.])(?:\d+(?:\.\d+)?(?:e−?\d+)?)/gu))
      if (!known.has(token) && !known.has(token.replace("−", "")))
        mistakes.push(`${token} in ${text(where)}`);
  return { said, mistakes };
}

/** Four digits, a true minus: how every number is written. */
function numberOn(x) {
  if (!Number.isFinite(x)) return String(x).replace("Infinity", "inf").replace("NaN", "nan");
  const size = Math.abs(x);
  const kept = size >= 1e4 && size < 1e6 ? Math.round(x) : Number(x.toPrecision(4));
  const isLong = x !== 0 && (size >= 1e6 || size < 1e-4);
  return String(isLong ? kept.toExponential().replace("e+", "e") : kept || 0).replaceAll("-", "−");
}

/**
 * Read the page in the middle of every event, when it lands and at its end; then with every node and
 * every arrow picked. All of it runs in the page, because thousands of moments are read.
 */
const readWalk = ({ text, values }) => `(async () => {
  ${statementsIn}
  ${mistakesIn}
  ${numberOn}
  const readPage = ${readPage};
  const one = document.querySelector("gradwalk-lab");
  const done = async (action) => {
    one.store.dispatch(action);
    await one.updateComplete;
    await one.shadowRoot.querySelector("gradwalk-scene").updateComplete;
  };
  await done({ type: "load", text: ${JSON.stringify(text)}, values: ${JSON.stringify(values)} });
  await done({ type: "pick", node: null });
  const { line, graph } = one.lab.program;
  const wrong = [];
  let [said, moments] = [0, 0];
  const read = (where) => {
    const found = readPage();
    said += found.said.length;
    moments += 1;
    for (const mistake of found.mistakes) wrong.push(where + ": " + mistake);
  };
  for (const { start, land, end } of line.events)
    for (const time of land > start ? [(start + land) / 2, land + 1, end] : [end]) {
      await done({ type: "seek", time });
      read("at " + time);
    }
  for (const { id, operands } of graph.nodes) {
    await done({ type: "pick", node: id });
    read("node " + id);
    for (let operand = 0; operand < operands.length; operand++) {
      await done({ type: "pick", node: null, edge: { target: id, operand } });
      read("arrow " + id + "." + operand);
    }
  }
  return { said, moments, wrong };
})()`;

/** Whatever example is chosen; and an expression with numbers that do not come out even. */
async function nothingFalse(tab, most = Number.POSITIVE_INFINITY) {
  const expressions = [{ text: "s = x*y + x; s*s*x - s/y", values: { x: 0.37, y: -1.234 } }];
  const examples = tab.locator(".presets option");
  const ids = await examples.evaluateAll((all) => all.map((one) => one.value).filter(Boolean));
  assert.ok(ids.length > 10);
  for (const id of ids.slice(0, most)) {
    await tab.getByLabel("Examples").selectOption(id);
    expressions.push(
      await tab.evaluate(() => {
        const { good, values } = document.querySelector("gradwalk-lab").store.state;
        return { text: good, values: Object.fromEntries(values) };
      }),
    );
  }
  for (const expression of expressions) {
    const { said, moments, wrong } = await tab.evaluate(readWalk(expression));
    assert.deepEqual(wrong, [], expression.text);
    assert.ok(said > moments, `${said} equations in ${moments} moments of ${expression.text}`);
  }
}

for (const [name, hash, most] of [
  ["sandbox", "#1/sandbox?t=0"],
  ["walk", "#1/walk?t=0"],
  // It has the words of the flat picture, as another test says.
  ["sandbox in 3D", "#1/sandbox?t=0&v=3d", 3],
])
  test(`no equation on the page is false, whatever the example and the moment: ${name}`, () =>
    on(hash, (tab) => nothingFalse(tab, most)));

test("no equation on the page is false with motion on", () =>
  on("#1/sandbox?t=0", (tab) => nothingFalse(tab, 2), {
    reducedMotion: "no-preference",
  }));

/** Expressions drawn from a seed, with numbers that do not come out even. */
function drawn(seed, count) {
  let state = seed;
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  const pick = (list) => list[Math.floor(next() * list.length)];
  const term = (depth) => {
    if (!depth || next() < 0.2) return pick(["a", "b", "c", "a", "b", "2", "0.5"]);
    const kind = next();
    if (kind < 0.25) return `${pick(["tanh", "exp", "relu", "sin"])}(${term(depth - 1)})`;
    if (kind < 0.35) return `(${term(depth - 1)})**2`;
    return `(${term(depth - 1)} ${pick(["+", "-", "*", "*", "/"])} ${term(depth - 1)})`;
  };
  const value = () =>
    Number(((next() - 0.5) * 10 ** pick([-1, 0, 1, 2])).toPrecision(pick([1, 3, 6])));
  return Array.from({ length: count }, () => ({
    text: `${term(3)} + a*b - c`,
    values: { a: value(), b: value(), c: value() },
  }));
}

for (const width of [390, 1024, 1440, 1920])
  test(`no equation of a random expression is false, ${width} wide`, () =>
    on(
      "#1/sandbox?t=0",
      async (tab) => {
        for (const expression of drawn(width, 6)) {
          const { wrong } = await tab.evaluate(readWalk(expression));
          assert.deepEqual(wrong, [], JSON.stringify(expression));
        }
      },
      { viewport: { width, height: 900 }, colorScheme: width > 1200 ? "light" : "dark" },
    ));

/** Everything that is written or said of the page: blocks, rows of tables, formulas, labels. */
const textsOn = (page) =>
  page.evaluate(() => {
    const found = [];
    const apart = (one) =>
      ["text", "tspan", "mo", "mi", "mrow"].includes(one.localName) ||
      !/^(inline|contents|none)/.test(getComputedStyle(one).display);
    const text = (one, isWhole) =>
      [...one.childNodes]
        .map((child) => {
          if (child.nodeType === Node.TEXT_NODE) return child.textContent;
          if (child.nodeType !== Node.ELEMENT_NODE || child.matches("style, option, svg"))
            return "";
          if (child.localName === "mn") return ` (${child.textContent.replace(/[()]/g, "")}) `;
          if (!apart(child)) return text(child, isWhole);
          return isWhole ? ` ${text(child, true)} ` : ";";
        })
        .join("");
    const read = (root) => {
      for (const one of root.querySelectorAll("*:not(style, script, option)")) {
        if (one.shadowRoot) read(one.shadowRoot);
        for (const name of ["aria-label", "title", "aria-valuetext"])
          found.push(one.getAttribute(name) ?? "");
        if (one.matches("tr, .equation, svg text")) found.push(text(one, true));
        else if (!one.closest("tr, .equation, svg") && apart(one)) found.push(text(one, false));
      }
    };
    read(document.querySelector("gradwalk-lab").shadowRoot);
    return found.map((one) => one.replace(/\s+/g, " ")).filter((one) => /[=≈]/.test(one));
  });

for (const [i, width] of [390, 1024, 1440, 1920].entries())
  test(`no statement on any page is false, of a random expression, ${width} wide`, () =>
    on(
      "#1/sandbox?t=0",
      async (page) => {
        const [{ text, values }] = drawn(31 * width, 1);
        const given = `f=${e(text)}&x=${Object.entries(values)
          .map((pair) => pair.join(":"))
          .join()}`;
        const press = (name) => page.getByRole("button", { name, exact: true }).first().click();
        const go = async (hash, ...buttons) => {
          await follow(page, `#1/${hash}`);
          for (const name of buttons) await press(name);
          await frames(page);
        };
        let said = 0;
        for (const [hash, ...buttons] of [
          [`sandbox?${given}&t=2500`],
          [`sandbox?${given}&t=999999`],
          [`sandbox?${given}&t=999999&n=a`],
          [`sandbox?${given}&t=999999&v=3d`],
          [`walk?${given}&t=9000`, "To the end"],
          [`descend?${given}`, "One step", "One step"],
          [`order?${given}`, "Run this order"],
          [`bugs?${given}&b=overwrite`],
          [`bugs?${given}&b=no-visited`],
          [`checks?${given}&c=own`, "Hint", "Show the paths"],
          [`traces?${given}`, "From my own expression", "Fill in the answers"],
        ]) {
          await go(hash, ...buttons);
          const texts = await textsOn(page);
          said += texts.flatMap(statementsIn).length;
          assert.deepEqual(texts.flatMap(mistakesIn), [], `${hash} ${text}`);
        }
        assert.ok(said > 100, `${said} statements`);
      },
      {
        viewport: { width, height: 900 },
        colorScheme: i % 2 ? "dark" : "light",
        reducedMotion: i < 2 ? "reduce" : "no-preference",
      },
    ));

test("no equation in a saved file is false", () =>
  on("#1/walk?t=0", async (page) => {
    const tab = await open(found.browser, pathToFileURL(await save(page, "html")).href);
    await nothingFalse(tab, 3);
    assert.deepEqual(tab.problems, []);
    await tab.context().close();
  }));

test("the diamond: 9 is a step on path 1 of 2, and the total 15 stands behind path 2", () =>
  on(`#1/sandbox?f=${e("b = a + 1; c = a * 3; d = b * c")}&x=a:2&t=0`, async (page) => {
    const rule = page.locator(".panel.rule .body");
    const go = (name) => page.getByRole("button", { name: new RegExp(`: ${name}$`) }).click();
    await go("c → a");
    const first = await rule.textContent();
    assert.match(first, /a\.grad.*\+=.*=.*9.*path 1 of 2/s);
    assert.doesNotMatch(first, /15|complete/);
    await go("b → a");
    assert.match(await rule.textContent(), /path 2 of 2: the sum is complete.*∂d.*∂a.*9.*6.*15/s);
  }));

test("one name everywhere: card, event, formula, speech and link", () =>
  on(`#1/sandbox?f=${e("(a + b) * c")}&x=a:2,b:-3,c:10&t=999999`, async (page) => {
    assert.equal(await card(page, "t1").locator(".name").textContent(), "t1");
    assert.equal(await card(page, "t1").locator(".sign").textContent(), "+");
    assert.equal(await card(page, "f").locator(".name").textContent(), "f");
    assert.match(await label(page, "t1"), /^t1: 2 \+ −3 = −1/);
    assert.match(await page.locator(".events tbody").textContent(), /f → t1/);
    assert.match(await page.locator("[role=status]").first().textContent(), /^t1 passes/);
    await card(page, "t1").click();
    assert.match(await page.locator(".panel.rule .picked").textContent(), /Node t1/);
    await page.waitForFunction(() => /[?&]n=t1(&|$)/.test(location.hash));
    await page.reload();
    await page.locator(".panel.rule .picked").waitFor();
    assert.match(await page.locator(".panel.rule .picked").textContent(), /Node t1/);
  }));
