/** What is asked is shown nowhere else: all text of the page, speech included, is read for the answer. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { e, follow, lab, label, readCourse, visit } from "./harness.mjs";

const found = lab();
const COURSE = readCourse();
const on = (...args) => visit(found, ...args);

/** Everything that eyes and ears get of the lab. */
const saidOn = (page) =>
  page.evaluate(() => {
    const texts = [];
    const read = (root) => {
      for (const one of root.querySelectorAll("*")) {
        if (one.matches("style, option, script")) continue;
        for (const name of ["aria-label", "title", "aria-valuetext"])
          texts.push(one.getAttribute(name) ?? "");
        for (const node of one.childNodes)
          if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent);
        if (one.shadowRoot) read(one.shadowRoot);
      }
    };
    read(document.querySelector("gradwalk-lab").shadowRoot);
    return texts.join("\n");
  });

const shows = (text, number) =>
  new RegExp(`(?<![\\d.])${String(number).replaceAll(".", "\\.")}(?![\\d]|\\.\\d)`).test(text);

for (const [view, width, colorScheme, reducedMotion] of [
  ["2d", 390, "light", "no-preference"],
  ["2d", 1440, "dark", "reduce"],
  ["3d", 1024, "light", "reduce"],
  ["3d", 1920, "dark", "no-preference"],
])
  test(`predict first: no text on the page has the number that is asked for, ${view}, ${width}`, () =>
    on(
      `#1/sandbox?f=${e("tanh((a + b) * c) * exp(d*e)")}&x=a:0.31,b:-0.17,c:1.37,d:0.23,e:0.71&o=predict&v=${view}`,
      async (page) => {
        let asked = 0;
        for (let i = 0; i < 20; i++) {
          await page.keyboard.press("End");
          const answer = await page.evaluate(() => {
            const { program, veil } = document.querySelector("gradwalk-lab").lab;
            const push = program.line.events[veil]?.push;
            if (!push) return null;
            const four = (x) => String(Math.abs(Number(x.toPrecision(4))));
            // A copy is the number that the question itself names.
            const known = [push.incoming, ...program.graph.nodes.map(({ data }) => data)].map(four);
            const right = four(push.contribution);
            return { right: known.includes(right) ? "" : right, typed: push.contribution };
          });
          if (!answer) break;
          if (answer.right) {
            asked += 1;
            for (const name of ["t1", "t2"]) {
              const text = await saidOn(page);
              assert.ok(!shows(text, answer.right), `${answer.right}: ${text}`);
              await page.evaluate((node) => {
                const { store, lab } = document.querySelector("gradwalk-lab");
                store.dispatch({ type: "pick", node: lab.program.names.indexOf(node) });
              }, name);
            }
          }
          await page.getByLabel("your prediction").fill(String(answer.typed));
          await page.getByRole("button", { name: "Check", exact: true }).click();
        }
        assert.ok(asked >= 4, `${asked} asked`);
      },
      { viewport: { width, height: 900 }, colorScheme, reducedMotion },
    ));

test("predict first: the local derivatives that the output keeps are not told before they are asked", () =>
  on(`#1/sandbox?f=${e("(a + b) * c")}&x=a:2,b:-3,c:10&o=predict&t=0`, async (page) => {
    for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowRight");
    const rule = await page.locator(".panel.rule .body").textContent();
    assert.match(rule, /Hidden while you predict/);
    assert.doesNotMatch(rule, /10/);
  }));

test("events still to come show no results", () =>
  on(`#1/sandbox?f=${e("(a + b) * c")}&x=a:2,b:-3,c:10&t=0`, async (page) => {
    const results = () => page.locator(".events td.end").allTextContents();
    assert.deepEqual(new Set(await results()), new Set(["--"]));
    await page.keyboard.press("ArrowRight");
    assert.deepEqual((await results()).slice(0, 2), ["= −1", "--"]);
  }));

test("the answer to one of the checks is not the next one's, and stands on no card before", () =>
  on("#1/checks", async (page) => {
    for (const [answer, next] of [
      ["10", "4"],
      ["4", "none: every output has the gradient 1"],
      ["1", "15"],
    ]) {
      await page.getByLabel("your answer").fill(answer);
      await page.keyboard.press("Enter");
      const grads = await page.locator(".card .grad").allTextContents();
      assert.ok(!grads.some((one) => one.trim().split(" ")[0] === next), `${next} in ${grads}`);
      await page.getByRole("button", { name: "Next question" }).click();
      assert.equal(await page.locator(".card .grad:not(.none)").count(), 0);
    }
  }));

test("no lesson shows what it asks for", () =>
  on("#1/learn", async (page) => {
    const steps = COURSE.lessons.flatMap(({ id, steps }) =>
      steps.flatMap(({ check }, i) => (check?.node ? [{ place: `${id}.${i}`, ...check }] : [])),
    );
    assert.ok(steps.length > 15);
    for (const { place, kind, node, answer } of steps) {
      await follow(page, `#1/learn?l=${place}`);
      await page.locator(".ask").waitFor();
      const said = await label(page, node);
      const told = new RegExp(`${kind === "data" ? "value" : "gradient"} (\\S+)`).exec(said)[1];
      assert.notEqual(Number(told.replace("−", "-")), answer, `${place}: ${said}`);
      // Neither a card that is picked nor an arrow says more: the walk waits, and so do they.
      const arrows = page.locator("gradwalk-scene [data-edge][aria-label]");
      const early = await arrows.evaluateAll((all) =>
        all
          .filter((one) => !one.matches(".pushed") && /derivative −?\d/.test(one.ariaLabel))
          .map((one) => one.ariaLabel),
      );
      const isHeld = await page.evaluate(
        () => document.querySelector("gradwalk-lab").store.state.hold !== null,
      );
      if (!isHeld) continue;
      assert.deepEqual(early, [], place);
      const rule = page.locator(".panel.rule:not(.rule-card) .body");
      const speech = page.locator("[role=status]").first();
      for (const pick of ["node", "edge"]) {
        await page.evaluate(
          ([what, name]) => {
            const { store, lab } = document.querySelector("gradwalk-lab");
            const { graph } = lab.program;
            const id = graph.find(name).id;
            const target = graph.nodes.find(({ operands }) => operands.includes(id))?.id ?? 0;
            const operand = graph.nodes[target].operands.indexOf(id);
            const edge = what === "edge" && operand >= 0 ? { target, operand } : null;
            store.dispatch({ type: "pick", node: edge ? null : id, edge });
          },
          [pick, node],
        );
        if (await rule.count())
          assert.doesNotMatch(await rule.first().textContent(), /∂|ℓ/, `${place} ${pick}`);
        assert.doesNotMatch(await speech.textContent(), /local derivative is/, place);
        assert.equal(await page.locator(".pill.selected").count(), 0, place);
      }
    }
  }));

test("no lesson shows what it asks for anywhere, at other numbers either, and no key tells it", () =>
  on("#1/learn", async (page) => {
    const steps = COURSE.lessons.flatMap(({ id, steps }) =>
      steps.flatMap(({ check }, i) => (check?.node ? [{ place: `${id}.${i}`, ...check }] : [])),
    );
    let asked = 0;
    for (const { place, kind, node } of steps) {
      await follow(page, `#1/learn?l=${place}`);
      await page.locator(".ask").waitFor();
      // Numbers that do not come out even: what a lesson's own text says are others.
      const answer = await page.evaluate(
        async ([name, kind]) => {
          const { store } = document.querySelector("gradwalk-lab");
          const now = () => document.querySelector("gradwalk-lab").lab;
          for (const [i, { label, data }] of now().program.graph.leaves.entries())
            store.dispatch({
              type: "value",
              name: label,
              value: Number((data * (1.053 + 0.0137 * i) + 0.0317 * (i + 1)).toPrecision(4)),
            });
          const { program, frame } = now();
          const { graph, walk } = program;
          const { id, data } = graph.find(name);
          const right = { data, bug: walk.grads[id], grad: walk.expected[id] }[kind];
          const four = (x) => String(Math.abs(Number(x.toPrecision(4))));
          // A number that a card has already is asked for by what it means.
          const known = graph.nodes.flatMap((one) => {
            const { filled, grad } = frame.node(one.id);
            return [...(filled ? [one.data] : []), ...(grad === null ? [] : [grad])].map(four);
          });
          return ["0", "1", ...known].includes(four(right)) ? "" : four(right);
        },
        [node, kind],
      );
      if (!answer) continue;
      asked += 1;
      for (const key of ["f", "ArrowRight", "End", "g", "d", "p", "3"]) {
        await page.keyboard.press(key);
        const text = await saidOn(page);
        assert.ok(!shows(text, answer), `${place}: ${answer} after ${key} in ${text}`);
      }
    }
    assert.ok(asked >= 9, `${asked} asked`);
  }));

test("checks and traces show no answer before it is said", () =>
  on("#1/learn?l=traces", async (page) => {
    const text = "s = a*b + c; s*s*d - a/d";
    const own = `f=${e(text)}&x=a:1.37,b:0.71,c:-2.3,d:0.83`;
    // Another computation than the page's: central differences.
    const f = ({ a, b, c, d }) => (a * b + c) ** 2 * d - a / d;
    const at = { a: 1.37, b: 0.71, c: -2.3, d: 0.83 };
    const slope = (x) => (f({ ...at, [x]: at[x] + 1e-6 }) - f({ ...at, [x]: at[x] - 1e-6 })) / 2e-6;
    const answers = Object.keys(at).map((x) => Math.abs(slope(x)).toPrecision(4));
    const hidden = async (when) => {
      const said = await saidOn(page);
      for (const answer of answers) assert.ok(!shows(said, Number(answer)), `${when}: ${answer}`);
    };
    await follow(page, `#1/checks?${own}&c=own`);
    await page.getByText(text).first().waitFor();
    await hidden("checks");
    await page.getByRole("button", { name: "Hint", exact: true }).click();
    await hidden("checks with a hint");
    await page.getByLabel("your answer").fill("0.001");
    await page.keyboard.press("Enter");
    await page.locator(".paths").waitFor();
    const told = await saidOn(page);
    assert.ok(answers.some((answer) => shows(told, Number(answer))));
    await follow(page, `#1/traces?${own}`);
    await page.getByRole("button", { name: "From my own expression" }).click();
    await page.locator("table.fill").first().waitFor();
    await hidden("traces");
    await page.getByRole("button", { name: "Grade it" }).click();
    await hidden("traces, graded");
  }));

test("checks and traces tell no local derivative before they are answered", () =>
  on(`#1/checks?f=${e("(a*b + c) * d")}&x=a:1.37,b:0.71,c:-2.3,d:0.83&c=own`, async (page) => {
    const asked = page.getByText("(a*b + c) * d").first();
    await asked.waitFor();
    for (const number of ["0.5893", "1.137"]) assert.ok(!shows(await saidOn(page), number), number);
    // Of an input that is one arrow away, the local derivative is the answer.
    const arrows = page.locator("gradwalk-scene [data-edge][aria-label]");
    const said = () => arrows.evaluateAll((all) => all.map((one) => one.ariaLabel).join());
    assert.match(await said(), /^edge from a to/);
    assert.doesNotMatch(await said(), /derivative/);
    await follow(page, "#1/learn?l=traces");
    await page.locator("table.fill").first().waitFor();
    assert.match(await said(), /^edge from a to/);
    assert.doesNotMatch(await said(), /derivative/);
    const sizes = await page
      .locator("table.fill td:nth-of-type(3) input")
      .evaluateAll((all) => all.map((one) => one.size));
    assert.ok(new Set(sizes).size <= 2, `${sizes}`);
  }));

test("a right answer plays to where it lands, and not on to the next question's answer", () =>
  on("#1/learn?l=local.1", async (page) => {
    await page.getByLabel("your answer").fill("10");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("Right.").waitFor();
    assert.match(await label(page, "s"), /gradient 10$/);
    assert.match(await label(page, "b"), /gradient not yet known$/);
  }));

test("a lesson's descent takes the step that its text computes", () =>
  on("#1/learn?l=parameters.2", async (page) => {
    await page.getByText("w - rate * w.grad = 1.31").waitFor();
    await page.getByRole("button", { name: "One step" }).click();
    const w = await page.evaluate(() =>
      document.querySelector("gradwalk-lab").store.state.values.get("w"),
    );
    assert.equal(w.toFixed(10), "1.3100000000");
  }));

test("who types while a leaf is pulled has taken over", () =>
  on(
    `#1/sandbox?f=${e("(a + b) * c")}&x=a:2,b:-3,c:10&t=999999`,
    async (page) => {
      assert.equal(await page.locator(".end-card .what").count(), 0);
      await page.getByRole("button", { name: "Try it" }).click();
      await page.locator("#expression").fill("a*c");
      await page.waitForFunction(
        () => performance.now() > (window.begin ??= performance.now()) + 1000,
      );
      const { pull, good } = await page.evaluate(() => {
        const { pull, good } = document.querySelector("gradwalk-lab").store.state;
        return { pull, good };
      });
      assert.deepEqual([pull, good], [null, "a*c"]);
    },
    { reducedMotion: "no-preference" },
  ));
