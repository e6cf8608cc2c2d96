/** The lessons: every step opens, asks before it tells, and remembers what was done. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { AXE, card, lab, label, open, STATIC, visit } from "./harness.mjs";

const found = lab();
const on = (hash, act, options) => visit(found, hash, act, options);
const COURSE = JSON.parse(
  readFileSync(join(STATIC, "../../../../web/src/teach/lessons/en.json"), "utf8"),
);
const state = (page, name) =>
  page.evaluate((key) => document.querySelector("gradwalk-lab").store.state[key], name);
const answer = async (page, text) => {
  await page.getByLabel("your answer").fill(text);
  await page.keyboard.press("Enter");
};

test("every step of every lesson opens, and none tells before it asks", () =>
  on("#/learn", async (page) => {
    const entries = page.locator(".entry");
    await entries.first().waitFor();
    assert.equal(await entries.count(), COURSE.lessons.length);
    for (const { id, steps } of COURSE.lessons)
      for (const [index, { walk, check }] of steps.entries()) {
        await page.evaluate((to) => {
          location.hash = to;
        }, `#1/learn?l=${id}.${index}`);
        await page.waitForFunction(
          (place) => {
            const { store, shadowRoot } = document.querySelector("gradwalk-lab");
            const dots = [...shadowRoot.querySelectorAll(".dot")];
            const now = dots.findIndex((dot) => dot.hasAttribute("aria-current"));
            return store.state.staged === place && place.endsWith(`.${now}`);
          },
          `${id}.${index}`,
          { polling: "raf" },
        );
        assert.equal(await state(page, "good"), walk.text);
        if (!check || check.kind === "choice" || walk.at === "end") continue;
        // What is asked for can be reached by no key.
        await page.keyboard.press("End");
        const shown = await page.evaluate((name) => {
          const { program, frame } = document.querySelector("gradwalk-lab").lab;
          const { nodes } = program.graph;
          const node = nodes.find((one) => one.label === name);
          return [frame.grad(node.id), frame.node(node.id).filled];
        }, check.node);
        if (check.kind === "data") assert.equal(shown[1], false, `${id}.${index}`);
        else assert.notEqual(shown[0], check.answer || Number.NaN, `${id}.${index}`);
      }
  }));

test("a wrong number is explained, the second miss shows the answer, and a right one is kept", () =>
  on("#1/learn?l=accumulate", async (page) => {
    await answer(page, "3");
    const ask = page.locator(".ask");
    await ask.getByText("That is the path f → a alone.").waitFor();
    assert.match(await label(page, "a"), /gradient not yet known/);
    await answer(page, "9");
    await ask.getByText("The answer is 6").waitFor();
    assert.match(await label(page, "a"), /gradient 6/);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("heading", { name: "Add, do not replace" }).waitFor();
    await answer(page, "3");
    await ask.getByText("Right.").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await ask.getByRole("button", { name: "Never" }).click();
    await ask.getByText("It is wrong code").waitFor();
    await ask.getByRole("button", { name: "When every card is used once" }).click();
    await page.getByRole("button", { name: "Next" }).click();
    assert.equal(await page.locator(".complete").count(), 0);
    await answer(page, "4");
    await page.getByText("Lesson complete.").waitFor();
    await page.waitForURL(/l=accumulate\.3/);
    await page.reload();
    await page.getByRole("button", { name: "All lessons" }).click();
    const entry = page.locator(".entry", { hasText: "Why" }).first();
    assert.match(await entry.textContent(), /✓.*complete.*3 of 4 questions/s);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save my progress" }).click(),
    ]);
    const saved = await readFile(await file.path(), "utf8");
    assert.ok(JSON.parse(saved).done.includes("lesson:accumulate"));
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await page.getByText("0 of 15 lessons complete").waitFor();
    const input = page.locator(".file input");
    await input.setInputFiles({
      name: "x.json",
      mimeType: "application/json",
      buffer: Buffer.from("{}"),
    });
    assert.equal(
      await input.evaluate((one) => one.validationMessage),
      "This is not a file of progress from the lab.",
    );
    await input.setInputFiles({
      name: "p.json",
      mimeType: "application/json",
      buffer: Buffer.from(saved),
    });
    await page.getByText("1 of 15 lessons complete").waitFor();
  }));

test("whoever changes the numbers is asked about their own", () =>
  on("#1/learn?l=relu", async (page) => {
    await page.getByLabel("x, value").fill("5");
    await page.keyboard.press("Enter");
    await page.getByText("here is a question about yours").waitFor();
    await answer(page, "2");
    await page.getByText("2 is not it.").waitFor();
    await answer(page, "5");
    await page.getByText("One path leads to w").waitFor();
    await page.locator("#expression").fill("k * k + k");
    await page.getByText("gradient of f with respect to k").waitFor();
    await page.getByLabel("k, value").fill("3");
    await page.keyboard.press("Enter");
    await answer(page, "7");
    await page.getByText("3 paths lead to k").waitFor();
  }));

test("the engine's own source: the line that runs is lit", () =>
  on("#1/learn?l=engine.2", async (page) => {
    const lit = () => page.locator(".annotated .now code").allTextContents();
    assert.deepEqual(
      (await lit()).map((text) => text.trim()),
      ["self._grad += seed"],
    );
    await answer(page, "4");
    await page.getByText("Right.").waitFor();
    const now = await page.locator(".annotated .now").count();
    assert.equal(now, 1);
    for (let i = 0; i < 2; i++) await page.getByRole("button", { name: "Step back" }).click();
    assert.match((await lit()).join(), /child\._grad \+= local \* incoming/);
  }));

test("a class is shown large type, notes and no answers; Page Down turns, Escape leaves", () =>
  on("#1/learn?l=order.2", async (page) => {
    const size = () =>
      page
        .locator(".lesson .text .body")
        .evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));
    const before = await size();
    await page.getByRole("button", { name: "Teach" }).click();
    await page.locator("header").waitFor({ state: "detached" });
    assert.ok((await size()) >= 1.4 * before);
    assert.equal(await page.getByLabel("your answer").count(), 0);
    assert.match(await label(page, "a"), /gradient not yet known/);
    await page.getByRole("button", { name: "Show the answer" }).click();
    await page.getByText("The answer is 15").waitFor();
    await page.keyboard.press("PageUp");
    await page.getByText("Of the 24 orders, two are right.").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("header").waitFor();
    assert.equal(await page.getByText("Of the 24 orders").count(), 0);
    await card(page, "a").waitFor();
  }));

test("the language changes inside of a lesson, and the step stays", () =>
  on("#1/learn?l=phases.1", async (page) => {
    await page.locator(".language select").selectOption("ru");
    await page.getByRole("heading", { name: "Назад: заполняем градиенты" }).waitFor();
    await page.locator(".language select").selectOption("et");
    await page.getByRole("heading", { name: "Tagasi: täida gradiendid" }).waitFor();
    assert.match(await page.title(), /^Õppetunnid/);
    await page.getByRole("link", { name: "Õppetunnid" }).click();
    await page.getByRole("button", { name: "Sõnastik" }).click();
    assert.equal(await page.locator(".glossary div").count(), COURSE.glossary.length);
    await page.goBack();
    await page.locator(".entry").first().waitFor();
  }));

test("a trace is graded cell by cell, and a whole one is remembered", () =>
  on("#1/learn?l=traces", async (page) => {
    const cell = (name) => page.getByLabel(name);
    await cell("pop, 2").fill("c,0");
    await cell("stack after, 2").fill("(L,1) (c,1) (b,0)");
    await page.getByRole("button", { name: "Grade it" }).click();
    await page.getByText(" of 33 cells are right").waitFor();
    const verdicts = page.locator(".fill td[class]:not([class=''])");
    assert.deepEqual(await verdicts.evaluateAll((all) => all.map((one) => one.className)), [
      "right",
      "wrong",
      "right",
    ]);
    const rows = [
      ["c,0", "L,1 c,1 a,0", ""],
      ["a,0", "L,1 c,1", "a"],
      ["c,1", "L,1 c,2 b,0", "a"],
      ["b,0", "L,1 c,2", "a b"],
      ["c,2", "L,1", "a b c"],
      ["L,1", "L,2", "a b c"],
      ["L,2", "", "a b c L"],
    ];
    const pushes = [
      [1, 1, 1],
      [1, 1, 1],
      [3, 3, 4],
      [2, 2, 2],
    ];
    const inputs = page.locator(".fill input");
    for (const [i, text] of [...rows, ...pushes].flat().entries())
      await inputs.nth(i).fill(String(text));
    await page.keyboard.press("Enter");
    await page.getByText("33 of 33 cells are right").waitFor();
    await page.getByRole("button", { name: "long way, short way ✓" }).waitFor();
    await page.getByRole("button", { name: "(a + b) · c" }).click();
    assert.equal(await inputs.first().inputValue(), "");
    await page.getByRole("button", { name: "Fill in the answers" }).click();
    await page.getByText(/^(\d+) of \1 cells are right$/).waitFor();
    assert.equal(await page.getByRole("button", { name: "(a + b) · c ✓" }).count(), 0);
  }));

test("the editor is loaded when it is opened; keys typed there stay there, and a draft is kept", () =>
  on("#/learn", async (page) => {
    const scripts = () =>
      page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    await page.locator(".entry").first().waitFor();
    assert.ok(!(await scripts()).some((name) => name.includes("chunk-write")));
    await page.getByRole("button", { name: "Write it yourself" }).click();
    const editor = page.locator("gradwalk-write .cm-content");
    await editor.click();
    assert.ok((await scripts()).some((name) => name.includes("chunk-write")));
    await page.keyboard.press("Control+End");
    await page.keyboard.type("# g?3 /");
    assert.match(await editor.textContent(), /# g\?3 \//);
    assert.equal(await state(page, "help"), false);
    assert.equal(await state(page, "view"), "2d");
    await page.getByText("gradwalk judge my_value.py").waitFor();
    await page.getByRole("button", { name: "Glossary" }).click();
    await page.getByRole("button", { name: "Write it yourself" }).click();
    await page.locator("gradwalk-write .cm-content").waitFor();
    assert.match(await page.locator("gradwalk-write .cm-content").textContent(), /# g\?3 \//);
  }));

test("no violation of axe's rules, in three languages, two themes, wide and narrow", async () => {
  for (const [locale, hashes] of [
    ["en", ["#/learn", "#1/learn?l=glossary", "#1/learn?l=engine&o=teach"]],
    ["ru", ["#1/learn?l=accumulate.1", "#1/learn?l=write"]],
    ["et", ["#1/learn?l=training.2", "#1/learn?l=traces"]],
  ]) {
    const page = await open(found.browser, "", { bypassCSP: true, locale });
    for (const hash of hashes) {
      await page.goto("about:blank");
      await page.goto(found.server.url + hash);
      await page.locator(".lesson, .course .panel, .stage").first().waitFor();
      await page.evaluate(AXE);
      for (const [width, colorScheme] of [
        [1280, "dark"],
        [360, "light"],
      ]) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        const [broken, wide] = await page.evaluate(async () => {
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
          return [
            violations.flatMap(({ id, nodes }) =>
              nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
            ),
            document.documentElement.scrollWidth,
          ];
        });
        assert.deepEqual(broken, [], `${locale} ${hash} ${width}`);
        assert.ok(wide <= width, `${hash} is ${wide} wide at ${width}`);
      }
    }
    await page.context().close();
  }
});
