/** Walk, Order, Bugs, Checks, embed and export, by the ids of the feature list. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { card, e, lab, label, PYTHON, STATIC, turnTo, visit } from "./harness.mjs";

const found = lab();
const on = (...args) => visit(found, ...args);
const X6 = `f=${e("b = a + 1; c = a * 3; d = b * c")}&x=a:2`;
const X7 = `f=${e("c = a * b; L = c + a")}&x=a:2,b:3`;

test("W1 W2 W3: one click, one event; the phase is named; unfilled fields show --", () =>
  on("#1/walk?t=0", async (page) => {
    const data = (name) => card(page, name).locator(".value").textContent();
    assert.equal(await data("f"), "--");
    await page.getByRole("button", { name: "Step", exact: true }).click();
    assert.equal(await data("t1"), "−1");
    assert.equal(await data("f"), "--");
    const step = page.getByRole("button", { name: "Step", exact: true });
    await step.click();
    assert.equal(await data("f"), "−10");
    const phase = (name) => page.getByRole("button", { name, exact: true, pressed: true });
    await step.click();
    while (!(await phase("Backward").count())) {
      await phase("Sort").waitFor();
      await step.click();
    }
    assert.match(await card(page, "f").locator(".grad").textContent(), /^1/);
    assert.equal(await card(page, "a").locator(".grad").textContent(), "--");
    for (const id of ["x1", "x2", "x3", "x6"]) await page.getByLabel("Examples").selectOption(id);
  }));

test("W4 W5: leaf values are editable; a click on an edge reads its local derivative", () =>
  on(`#1/walk?${X6}&t=0`, async (page) => {
    await card(page, "a").dblclick();
    await page.keyboard.type("4");
    assert.match(await label(page, "a"), /value 4,/);
    const edge = page.locator('.edge[aria-label^="edge from b to d"]');
    const at = await edge.locator(".hit").evaluate((path) => {
      const point = path
        .getPointAtLength(path.getTotalLength() / 2)
        .matrixTransform(path.getScreenCTM());
      return [point.x, point.y];
    });
    await page.mouse.click(...at);
    assert.match(await page.locator(".panel.rule").textContent(), /Edge b → d/);
    assert.match(await page.locator(".panel.rule .equation").textContent(), /12/);
    assert.deepEqual(await page.locator(".pill.selected text").allTextContents(), ["local = 12"]);
  }));

test("R1: both trace tables of X7, row by row as in table 3", () =>
  on(`#1/walk?${X7}&t=999999`, async (page) => {
    const rows = (name) =>
      page
        .locator(`table.trace.${name} tbody tr`)
        .evaluateAll((all) =>
          all.map((row) =>
            [...row.cells].map((cell) => cell.textContent.replace(/\s+/g, " ").trim()),
          ),
        );
    assert.deepEqual(await rows("sort"), [
      ["1", "(L,0)", "(L,1) (c,0)", "c L", ""],
      ["2", "(c,0)", "(L,1) (c,1) (a,0)", "a c L", ""],
      ["3", "(a,0) leaf", "(L,1) (c,1)", "a c L", "a"],
      ["4", "(c,1)", "(L,1) (c,2) (b,0)", "a b c L", "a"],
      ["5", "(b,0) leaf", "(L,1) (c,2)", "a b c L", "a b"],
      ["6", "(c,2) done", "(L,1)", "a b c L", "a b c"],
      ["7", "(L,1) a already visited", "(L,2)", "a b c L", "a b c"],
      ["8", "(L,2) done", "empty", "a b c L", "a b c L"],
    ]);
    assert.deepEqual(
      (await rows("backward")).map((row) => row.slice(1)),
      [
        ["L (1)", "c += 1 × 1 = 1a += 1 × 1 = 1"],
        ["c (1)", "a += 1 × 3 = 3 → 4b += 1 × 2 = 2"],
        ["b (2)", "leaf: skipped"],
        ["a (4)", "leaf: skipped"],
      ],
    );
  }));

test("R1: the tables step with the picture", () =>
  on(`#1/walk?${X7}&t=0`, async (page) => {
    assert.equal(await page.locator("table.trace.sort tbody tr.past").count(), 0);
    await page.keyboard.press("Shift+ArrowRight");
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("table.trace.sort tr.now td").nth(1).textContent(), "(c,1) ");
    assert.match(
      await page.locator('[data-node][class*="active"] .target').getAttribute("aria-label"),
      /^c:/,
    );
    await page.getByRole("button", { name: "Go to event 7: Stage 1" }).click();
    assert.match(await page.locator(".words").textContent(), /a is already visited/);
  }));

test("W7: each of the 24 orders of the diamond gives what it must", () =>
  on(`#1/order?${X6}`, async (page) => {
    const expected = {
      "d b c a": 15,
      "d c b a": 15,
      "d b a c": 6,
      "d c a b": 9,
      "b d c a": 9,
      "c d b a": 6,
    };
    const results = await page.evaluate(() => {
      const lab = document.querySelector("gradwalk-lab");
      const { graph, names } = lab.lab.program;
      const ids = graph.nodes.filter((node) => !node.tags.includes("const")).map((node) => node.id);
      const orders = (left) =>
        left.length
          ? left.flatMap((id) =>
              orders(left.filter((one) => one !== id)).map((rest) => [id, ...rest]),
            )
          : [[]];
      return orders(ids).map((order) => {
        lab.store.dispatch({ type: "order", order });
        lab.store.dispatch({ type: "run", on: true, time: 1e9 });
        const { walk } = lab.lab.program;
        return [order.map((id) => names[id]).join(" "), walk.grads[ids[0]]];
      });
    });
    assert.equal(results.length, 24);
    for (const [order, grad] of results) assert.equal(grad, expected[order] ?? 0, order);
  }));

test("W7: place by key, by button and by drag; run; learn what was lost and why", () =>
  on(`#1/order?${X6}`, async (page) => {
    const order = async () => (await page.locator(".grip").allTextContents()).join(" ");
    assert.match(
      await page.locator(".stage").textContent(),
      /a visited node accepts nothing more\. Constants need no place/,
    );
    assert.equal(await order(), "a b c d");
    await page.locator(".grip", { hasText: "d" }).focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
    assert.equal(await order(), "d a b c");
    await page.getByRole("button", { name: "Visit a later" }).click();
    assert.equal(await order(), "d b a c");
    const from = await page.locator(".place", { hasText: "a" }).boundingBox();
    const to = await page.locator(".place", { hasText: "c" }).boundingBox();
    await page.mouse.move(from.x + 40, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(to.x + 50, to.y + 20, { steps: 6 });
    await page.mouse.up();
    assert.equal(await order(), "d b c a");
    await page.getByRole("button", { name: "Visit a earlier" }).click();
    await page.getByRole("button", { name: "Run this order" }).click();
    await page.keyboard.press("End");
    assert.match(
      await page.locator(".verdict").textContent(),
      /One contribution was lost.*9 along d → c → a.*a was visited before c/s,
    );
    assert.match(await page.locator(".pill.lost").textContent(), /9 lost/);
    await page.getByRole("button", { name: "Show the path" }).click();
    assert.equal(await page.locator(".card.lit").count(), 3);
    await page.getByRole("button", { name: "Show a right one" }).click();
    await page.getByRole("button", { name: "Run this order" }).click();
    await page.keyboard.press("End");
    assert.match(await page.locator(".verdict").textContent(), /This order is right/);
  }));

test("B1: wrong beside right on X3, X4 and X5, for each bug that shows there", async () => {
  const rows = [
    ["a*a", "a:3", "overwrite", { a: [3, 6] }],
    ["a+a", "a:3", "overwrite", { a: [1, 2] }],
    ["d = a*b; e = a + b; f = d*e", "a:-2,b:3", "overwrite", { a: [3, -3], b: [-2, -8] }],
    ["a*a", "a:3", "no-reset", { a: [12, 6] }],
    ["(a+b)*c", "a:2,b:-3,c:10", "wrong-order", { a: [0, 10], b: [0, 10] }],
    ["d = a*b; f = d*d", "a:2,b:3", "no-visited", {}],
  ];
  for (const [text, values, bug, wrong] of rows)
    await on(`#1/bugs?f=${e(text)}&x=${values}&t=999999`, async (page) => {
      await page.locator(`[data-bug="${bug}"]`).click();
      const minus = (x) => String(x).replace("-", "−");
      for (const [name, [bad, good]] of Object.entries(wrong)) {
        const shown = await card(page, name).locator(".grad").textContent();
        assert.equal(
          shown.replace(/\s+/g, " ").trim(),
          `✗ ${minus(bad)}✓ ${minus(good)}`,
          `${text} ${bug} ${name}`,
        );
      }
      assert.ok((await page.locator(".comparison tr.differs").count()) >= 1, bug);
    });
});

test("B1: a graph that hides a bug says so and offers one that shows it", () =>
  on("#1/bugs?f=a*a&x=a:3", async (page) => {
    await page.locator('[data-bug="no-visited"]').click();
    assert.match(await page.locator(".words").textContent(), /hides the bug/);
    await page.getByRole("button", { name: "Take one that shows it" }).click();
    assert.ok((await page.locator(".comparison tr.differs").count()) >= 1);
  }));

test("B1: recursion dies at 1,000 frames, a stack does not", () =>
  on("#1/bugs?b=recursion", async (page) => {
    assert.equal(await page.locator(".pile.dies").count(), 0);
    await page.getByRole("slider", { name: "Chain length" }).fill("4");
    assert.match(await page.locator(".pile.dies").textContent(), /RecursionError/);
    assert.match(await page.locator(".pile:not(.dies)").textContent(), /10,001 entries.*finishes/s);
  }));

test("B1: the diagnosis game tells right from wrong and says what gives a bug away", () =>
  on("#1/bugs", async (page) => {
    for (let i = 0; i < 4; i++) {
      await page.locator(".quiz .choices button").nth(i).click();
      assert.match(await page.locator(".quiz").textContent(), /What gives it away/);
      await page.getByRole("button", { name: "Next case" }).click();
    }
    assert.match(await page.locator(".score").textContent(), /of 4 right/);
  }));

const opened = (page) =>
  page.evaluate(() => {
    const { game, seed, bug, good } = document.querySelector("gradwalk-lab").store.state;
    return { game, isDrawn: seed > 0, bug, good };
  });

for (const [width, colorScheme, reducedMotion] of [
  [390, "dark", "reduce"],
  [1024, "light", "no-preference"],
  [1440, "dark", "no-preference"],
])
  test(`Bugs opens with a case to diagnose, and the bug lab is one press away, ${width}`, () =>
    on(
      "#1/bugs",
      async (page) => {
        const mode = (name) => page.getByRole("button", { name, exact: true });
        assert.deepEqual(await opened(page), {
          game: true,
          isDrawn: true,
          bug: "overwrite",
          good: "d = a*b; e = a + b; f = d*e",
        });
        assert.equal(await page.locator(".quiz .choices button").count(), 4);
        assert.equal(await mode("Diagnose").getAttribute("aria-pressed"), "true");
        await mode("Diagnose").focus();
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        assert.equal(await mode("Explore").getAttribute("aria-pressed"), "true");
        assert.equal(await page.locator("[data-bug]").count(), 5);
        assert.ok((await page.locator(".comparison tr.differs").count()) >= 1);
        await turnTo(page, "order");
        await turnTo(page, "bugs");
        assert.equal(await page.locator(".quiz .choices button").count(), 4);
      },
      { viewport: { width, height: 900 }, colorScheme, reducedMotion },
    ));

test("a link that names a bug or a graph opens the bug lab with it", async () => {
  for (const [hash, bug, good] of [
    ["#1/bugs?b=no-reset", "no-reset", "d = a*b; e = a + b; f = d*e"],
    ["#1/bugs?f=a*a&x=a:3", "overwrite", "a*a"],
    ["#1/bugs?f=a*a&x=a:3&t=900&b=no-visited", "no-visited", "a*a"],
  ])
    await on(hash, async (page) => {
      assert.deepEqual(await opened(page), { game: false, isDrawn: false, bug, good });
      assert.equal(await page.locator("[data-bug]").count(), 5);
    });
  await on("#1/bugs?o=game&k=5", async (page) => {
    await page.locator(".quiz").waitFor();
    assert.equal(
      await page.evaluate(() => document.querySelector("gradwalk-lab").store.state.seed),
      5,
    );
  });
});

test("W8: the four checks; a wrong answer is taught by its paths", () =>
  on("#1/checks", async (page) => {
    const answers = ["10", "4", "1.0", "15"];
    for (let i = 0; i < 4; i++) {
      await page.locator(".question").nth(i).click();
      if (i === 3) {
        await page.getByLabel("your answer").fill("9");
        await page.getByRole("button", { name: "Check", exact: true }).click();
        const verdict = page.locator(".quiz .verdict");
        const hint = await verdict.textContent();
        assert.match(hint, /9 is not it.*path d → c → a alone.*Hint: 2 paths lead from d to a/s);
        assert.doesNotMatch(hint, /×|15/);
        assert.equal(await card(page, "a").locator(".grad").textContent(), "--");
        await page.getByLabel("your answer").fill("9");
        await page.getByRole("button", { name: "Check", exact: true }).click();
        const taught = await verdict.textContent();
        assert.match(
          taught,
          /9 is not it.*path d → c → a alone.*3 × 3 = 9.*6 × 1 = 6.*9 \+ 6 = 15/s,
        );
        await page.locator(".path").first().click();
        assert.equal(await page.locator(".card.lit").count(), 3);
      }
      await page.getByLabel("your answer").fill(answers[i]);
      await page.keyboard.press("Enter");
      assert.match(await page.locator(".quiz .verdict").textContent(), /Right/);
    }
    assert.match(await page.locator(".list .score").textContent(), /4 of 4/);
  }));

test("two labs on one page: a lesson in the second one keeps the focus there", () =>
  on("#1/learn?l=local.0", async (page) => {
    const inside = await page.evaluate(async () => {
      const [first] = document.querySelectorAll("gradwalk-lab");
      const second = document.createElement("gradwalk-lab");
      first.after(second);
      await second.updateComplete;
      const next = () => second.shadowRoot.querySelector(".turn .primary");
      while (!next()) await new Promise(requestAnimationFrame);
      next().click();
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
      const found = document.activeElement === second && second.shadowRoot.activeElement?.localName;
      second.remove();
      return found;
    });
    assert.equal(inside, "h2");
  }));

test("a live region has nothing of the page before", () =>
  on(`#1/walk?${X6}&t=999999`, async (page) => {
    const said = () => page.locator("[role=status].hidden").first().textContent();
    assert.match(await said(), /gradient is 15/);
    await turnTo(page, "order");
    assert.doesNotMatch(await said(), /gradient is 15/);
  }));

test("a page opens with its own example, until somebody changes one", () =>
  on("#1/sandbox?t=0", async (page) => {
    const go = (name) => turnTo(page, name);
    await go("order");
    assert.ok(await page.getByRole("button", { name: "Undo" }).isDisabled());
    await go("sandbox");
    const text = () => page.locator("#expression").inputValue();
    await go("order");
    assert.equal(await text(), "b = a + 1; c = a * 3; d = b * c");
    await go("descend");
    assert.equal(await text(), "o = tanh(w*x + b); loss = (o - y)**2");
    await go("bugs");
    await page.getByRole("button", { name: "Explore" }).click();
    assert.equal(await text(), "d = a*b; e = a + b; f = d*e");
    await page.getByLabel("a, value").fill("4");
    await go("descend");
    assert.equal(await text(), "d = a*b; e = a + b; f = d*e");
  }));

test("Next question leads to the next one that is open, past those that are done, and then to a new one", () =>
  on("#1/checks", async (page) => {
    const next = page.getByRole("button", { name: "Next question" });
    const asked = () => page.locator(".question[aria-current] .asked").textContent();
    const solve = async (answer) => {
      await page.getByLabel("your answer").fill(answer);
      await page.keyboard.press("Enter");
    };
    // The second one is solved first: the way leads past it.
    await page.locator(".question").nth(1).click();
    await solve("4");
    await page.locator(".question").first().click();
    assert.equal(await next.count(), 0);
    await solve("10");
    await next.click();
    assert.equal(await asked(), "∂o/∂w1 = ?");
    // Where the focus is, one types.
    await page.keyboard.type("1");
    await page.keyboard.press("Enter");
    await next.click();
    assert.equal(await asked(), "∂d/∂a = ?");
    await solve("15");
    await next.click();
    assert.equal(await page.locator(".question").count(), 5);
    assert.equal(await page.locator(".question[aria-current]").count(), 1);
    assert.equal(await page.locator(".question").nth(4).getAttribute("aria-current"), "true");
    assert.equal(await page.getByLabel("your answer").inputValue(), "");
  }));

test("W8: generated checks, and one for the learner's own expression", () =>
  on(`#1/checks?f=${e("x*y + x")}&x=x:3,y:4`, async (page) => {
    await page.getByRole("button", { name: "Make me one" }).click();
    assert.equal(await page.locator(".question").count(), 5);
    await page.getByRole("button", { name: "From my own expression" }).click();
    await page.getByLabel("your answer").fill("5");
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".quiz .verdict").textContent(), /Right/);
  }));

test("an exported file opens from disk, makes no request and is one walk like any other", async () => {
  const template = await readFile(join(STATIC, "export.html"), "utf8");
  assert.ok(template.length < 1_000_000);
  const folder = await mkdtemp(join(tmpdir(), "gradwalk-"));
  const state = { expression: "relu(x*w + b)", values: { x: 2, w: 3, b: 1 } };
  const file = join(folder, "walk.html");
  await writeFile(
    file,
    template.replace('{"gradwalk": "state"}', () =>
      JSON.stringify(state).replaceAll("<", "\\u003c"),
    ),
  );
  const context = await found.browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  const requests = [];
  const problems = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(pathToFileURL(file).href);
  await page.locator("[data-node].root").waitFor();
  await page.keyboard.press("End");
  assert.match(await label(page, "w"), /gradient 2$/);
  assert.deepEqual(
    requests.filter((url) => !url.startsWith("file:") && url !== "data:,"),
    [],
  );
  assert.equal(requests.filter((url) => url.startsWith("file:")).length, 1);
  assert.deepEqual(problems, []);
  await context.close();
});

test("an exported graph without text has a picture and a transport, and no box to type in", async () => {
  const template = await readFile(join(STATIC, "export.html"), "utf8");
  const contract = JSON.parse(
    await readFile(new URL("../../../contract/samples/walk-x7.json", import.meta.url), "utf8"),
  );
  const folder = await mkdtemp(join(tmpdir(), "gradwalk-"));
  const file = join(folder, "graph.html");
  await writeFile(
    file,
    template.replace('{"gradwalk": "state"}', () => JSON.stringify({ graph: contract })),
  );
  await on(pathToFileURL(file).href, async (page) => {
    await page.keyboard.press("End");
    assert.match(await label(page, "a"), /gradient 4$/);
    assert.equal(await page.locator("#expression").count(), 0);
  });
});

test("an exported file has one player and keeps the theme that is chosen", async () => {
  const template = await readFile(join(STATIC, "export.html"), "utf8");
  const folder = await mkdtemp(join(tmpdir(), "gradwalk-"));
  const file = join(folder, "walk.html");
  const state = '{"expression": "a*b", "values": {"a": 2, "b": 3}}';
  await writeFile(file, template.replace('{"gradwalk": "state"}', state));
  await on(
    pathToFileURL(file).href,
    async (page) => {
      assert.equal(await page.locator("gradwalk-lab").count(), 1);
      await page.getByRole("button", { name: /^Theme/ }).click();
      await page.waitForFunction(() => !document.querySelector("gradwalk-lab").store.state.playing);
      assert.equal(await page.locator("gradwalk-lab").getAttribute("theme"), "light");
      // Taken out of its page, a lab stops.
      const time = await page.evaluate(async () => {
        const lab = document.querySelector("gradwalk-lab");
        lab.store.dispatch({ type: "play", on: true, time: 0 });
        lab.remove();
        const before = lab.store.state.time;
        await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
        return lab.store.state.time - before;
      });
      assert.equal(time, 0);
    },
    { reducedMotion: "no-preference" },
  );
});

/** Have Python write a page, and open it from disk; nothing may be requested. */
async function exported(words, act) {
  const folder = await mkdtemp(join(tmpdir(), "gradwalk-"));
  const file = join(folder, "walk.html");
  await promisify(execFile)(PYTHON, [...words, file]);
  await on(pathToFileURL(file).href, act);
}

const WALK = ["-m", "gradwalk", "walk"];

test("a page that Python wrote is the very same view: a bug", () =>
  exported([...WALK, "a*a", "a=3", "--bug", "overwrite", "-o"], async (page) => {
    assert.equal(await page.locator("#expression").inputValue(), "a*a");
    assert.equal(await page.locator('[data-bug="overwrite"]').getAttribute("aria-pressed"), "true");
    assert.equal(await card(page, "a").locator(".grad").textContent(), "✗ 3✓ 6");
  }));

test("a page that Python wrote is the very same view: an order", () =>
  exported(
    [...WALK, "b = a+1; c = a*3; d = b*c", "a=2", "--order", "d b a c", "-o"],
    async (page) => {
      assert.deepEqual(await page.locator(".grip").allTextContents(), ["d", "b", "a", "c"]);
      assert.match(await page.locator(".verdict").textContent(), /9 along d → c → a/);
      assert.equal(await card(page, "a").locator(".grad").textContent(), "✗ 6✓ 15");
    },
  ));

test("a page that Python wrote is the very same view: unfolded", () =>
  exported([...WALK, "a/b", "a=6", "b=3", "--unfold", "-o"], async (page) => {
    await page.keyboard.press("End");
    assert.equal(
      await page.getByRole("button", { name: "Unfold derived" }).getAttribute("aria-pressed"),
      "true",
    );
    assert.match(await label(page, "b"), /gradient −0\.6+\d$/);
    assert.equal(await page.locator("[data-node]").count(), 5);
  }));

test("Value.show: a graph of Python's own, on every page, by every control", () => {
  const script = `import sys
from gradwalk import Value
a, b = Value(2.0, label="a"), Value(-3.0)
((a * b + a) / b).relu().show(sys.argv[1], open=False)`;
  return exported(["-c", script], async (page) => {
    assert.equal(await page.locator("#expression").count(), 0);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.keyboard.press("End");
    assert.match(await label(page, "a"), /value 2, gradient 0\.6+\d$/);
    const before = await page.locator("[data-node]").count();
    await page.keyboard.press("d");
    assert.ok((await page.locator("[data-node]").count()) > before);
    await page.keyboard.press("d");
    await turnTo(page, "bugs");
    assert.match(await page.locator(".words").textContent(), /gradients? (is|are) wrong/);
    await turnTo(page, "order");
    await page.getByRole("button", { name: "Show a right one" }).click();
    await page.getByRole("button", { name: "Run this order" }).click();
    await page.keyboard.press("End");
    assert.match(await page.locator(".verdict").textContent(), /This order is right/);
    await turnTo(page, "checks");
    assert.equal(await page.getByRole("button", { name: "From my sandbox" }).count(), 0);
    await page.goBack();
    assert.equal(await page.locator(".grip").count(), before);
  });
});

test("Value.show: where everything has a name, the page has its expression and its sliders", () => {
  const script = `import sys
from gradwalk import Value
a, b = Value(2.0, label="a"), Value(-3.0, label="b")
d = a * b
d.label = "d"
(d * d - a).show(sys.argv[1], open=False)`;
  return exported(["-c", script], async (page) => {
    assert.equal(await page.locator("#expression").inputValue(), "d = a * b; d * d - a");
    await page.getByLabel("b, value").fill("1");
    await page.keyboard.press("Escape");
    await page.keyboard.press("End");
    assert.match(await label(page, "a"), /gradient 3$/);
  });
});

test("a file whose state says nonsense opens as a fresh lab", async () => {
  const template = await readFile(join(STATIC, "export.html"), "utf8");
  const folder = await mkdtemp(join(tmpdir(), "gradwalk-"));
  const states = [
    '{"page": 7, "expression": ["a"], "values": {"a": "x"}, "order": ["a", -1], "bug": "no"}',
    '{"values": [[["a"]]], "edge": {"target": 1e9}, "node": {}, "speed": "fast", "time": null}',
    "[]",
    "{",
  ];
  for (const [i, state] of states.entries()) {
    const file = join(folder, `${i}.html`);
    await writeFile(
      file,
      template.replace('{"gradwalk": "state"}', () => state),
    );
    await on(pathToFileURL(file).href, async (page) => {
      assert.equal(await page.locator("#expression").inputValue(), "(a + b) * c");
      await page.keyboard.press("End");
      assert.match(await label(page, "c"), /gradient −1$/);
    });
  }
});

test("embed: <gradwalk-graph> is an element for any page, and leaves that page's address alone", async () => {
  const context = await found.browser.newContext({
    reducedMotion: "reduce",
    viewport: { width: 1400, height: 900 },
  });
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  const host = `<!doctype html><a id="own" href="#own">own</a>
    <gradwalk-graph expression="a * a" values='{"a": 3}'></gradwalk-graph>
    <gradwalk-graph expression="x + y" values='{"x": 1, "y": 2}'></gradwalk-graph>
    <script type="module" src="${found.server.url}embed.js"></script>`;
  await page.route("**/host*", (route) => route.fulfill({ contentType: "text/html", body: host }));
  await page.goto(`${found.server.url}host#1/sandbox?f=b&token=of-the-host-page`);
  const graph = page.locator("gradwalk-graph").first();
  await graph.locator("[data-node].root").waitFor();
  await graph.getByRole("button", { name: "To the end" }).click();
  assert.match(await card(page, "a").locator(".grad").textContent(), /3 \+ 3 = 6/);
  assert.equal(await page.locator("gradwalk-graph [data-node]").count(), 5);
  assert.match(page.url(), /token=of-the-host-page$/);
  // Keys belong to the element that has the focus, and to no other.
  await page.locator("#own").focus();
  await page.keyboard.press("Home");
  assert.match(await card(page, "a").locator(".grad").textContent(), /3 \+ 3 = 6/);
  await card(page, "a").locator(".target").focus();
  await page.keyboard.press("Home");
  assert.equal(await card(page, "a").locator(".grad").textContent(), "--");
  assert.deepEqual(problems, []);
  await context.close();
});

test("embed: the whole lab in a frame, from a server or as one file, sandboxed or not", async () => {
  const page = await found.browser.newPage({ reducedMotion: "reduce" });
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  const template = await readFile(join(STATIC, "export.html"), "utf8");
  const host = `<!doctype html>
    <iframe id="one" src="${found.server.url}#1/sandbox?f=a*b&x=a:2,b:5&t=999999" width="880" height="480"></iframe>
    <iframe id="two" src="/file" sandbox="allow-scripts" width="880" height="480"></iframe>`;
  const file = template.replace(
    '{"gradwalk": "state"}',
    '{"expression": "a*a", "values": {"a": 4}, "time": 99999}',
  );
  const html = (body) => (route) => route.fulfill({ contentType: "text/html", body });
  await page.route("**/host", html(host));
  await page.route("**/file", html(file));
  await page.goto(`${found.server.url}host`);
  for (const [id, grad] of [
    ["one", "5 ▲"],
    ["two", "4 + 4 = 8 ▲"],
  ]) {
    const frame = page.frameLocator(`#${id}`);
    await card(frame, "a").waitFor();
    assert.equal(await card(frame, "a").locator(".grad").textContent(), grad);
    await frame.getByRole("button", { name: "To the start" }).first().click();
    assert.equal(await card(frame, "a").locator(".grad").textContent(), "--");
  }
  assert.deepEqual(problems, []);
  await page.close();
});
