/**
 * What stands on the page, read from the page and computed again: at every event, on both pages that
 * show the chain rule, with motion on and off.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { card, e, lab, label, visit } from "./harness.mjs";

const found = lab();
const on = (...args) => visit(found, ...args);

const EXPRESSIONS = [
  ["(a + b) * c", "a:2,b:-3,c:10"],
  ["n = x1*w1 + x2*w2 + b; o = tanh(n)", "x1:2,w1:-3,x2:0,w2:1,b:6.881373587019543"],
  ["a * a", "a:3"],
  ["b = a + 1; c = a * 3; d = b * c", "a:2"],
  ["c = a * b; L = c + a", "a:2,b:3"],
  ["1 / (1 + exp(0 - x))", "x:0.5"],
  ["s = x*y + x; s*s*x - s/y", "x:0.37,y:-1.234"],
];

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
    Math.abs(x - y) <= 0.06 * Math.max(0.02, Math.abs(x), Math.abs(y));

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
        const [above, below] = [...part.querySelectorAll("mi")].map((one) => one.textContent);
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
  const texts = [
    ...root.querySelectorAll(
      ".words p, .events td, .trace td, ol.code li, .panel.rule p, [role=status]",
    ),
    ...scene.querySelectorAll(".pill text, .arithmetic, .grad"),
  ].map((one) => one.textContent);
  const NUMBER = "\\(?[−]?(?:\\d+(?:\\.\\d+)?(?:e[−]?\\d+)?|inf|nan)\\)?";
  const CHAIN = new RegExp(`(${NUMBER}(?: ?[+×∗·] ?${NUMBER})+) ?[=≈] ?(${NUMBER})`, "gu");
  for (const text of texts)
    for (const [chain, left, right] of text.matchAll(CHAIN)) {
      const value = left
        .split(/ ?\+ ?/u)
        .map((term) => term.split(/ ?[×∗·] ?/u).reduce((x, y) => x * number(y), 1))
        .reduce((x, y) => x + y);
      said.push(chain);
      if (!near(value, number(right))) mistakes.push(chain);
    }
  return { said, mistakes };
}

for (const reducedMotion of ["reduce", "no-preference"])
  for (const page of ["sandbox", "walk"])
    test(`no equation on the page is false: ${page}, motion ${reducedMotion}`, async () => {
      for (const [text, values] of EXPRESSIONS)
        await on(
          `#1/${page}?f=${e(text)}&x=${values}&t=0`,
          async (tab) => {
            const moments = await tab.evaluate(() => {
              const { events } = document.querySelector("gradwalk-lab").lab.program.line;
              return events.flatMap(({ start, land, end }) => [(start + land) / 2, land + 1, end]);
            });
            let count = 0;
            for (const time of moments) {
              await tab.evaluate(async (to) => {
                const one = document.querySelector("gradwalk-lab");
                one.store.dispatch({ type: "seek", time: to });
                await one.updateComplete;
              }, time);
              const { said, mistakes } = await tab.evaluate(readPage);
              assert.deepEqual(mistakes, [], `${text} at ${time}`);
              count += said.length;
            }
            assert.ok(count > moments.length, `${count} equations`);
          },
          { reducedMotion },
        );
    });

test("every node and every arrow that is picked says what is true", async () => {
  for (const [text, values] of EXPRESSIONS)
    await on(`#1/sandbox?f=${e(text)}&x=${values}&t=999999`, async (tab) => {
      const picks = await tab.evaluate(() =>
        document.querySelector("gradwalk-lab").lab.program.graph.nodes.flatMap((node) => [
          { node: node.id },
          ...node.operands.map((_, operand) => ({
            node: null,
            edge: { target: node.id, operand },
          })),
        ]),
      );
      for (const pick of picks) {
        await tab.evaluate(async (which) => {
          const one = document.querySelector("gradwalk-lab");
          one.store.dispatch({ type: "pick", ...which });
          await one.updateComplete;
        }, pick);
        const { mistakes } = await tab.evaluate(readPage);
        assert.deepEqual(mistakes, [], `${text} ${JSON.stringify(pick)}`);
      }
    });
});

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
