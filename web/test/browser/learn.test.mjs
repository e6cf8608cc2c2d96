/** The lessons: every step opens, asks before it tells, and remembers what was done. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { card, follow, lab, label, readCourse, turnTo, visit } from "./harness.mjs";

const found = lab();
const on = (hash, act, options) => visit(found, hash, act, options);
const COURSE = readCourse();
const MOTIONS = ["reduce", "no-preference"];
const state = (page, name) =>
  page.evaluate((key) => document.querySelector("gradwalk-lab").store.state[key], name);
const answer = async (page, text) => {
  await page.getByLabel("your answer").fill(text);
  await page.keyboard.press("Enter");
};

for (const reducedMotion of MOTIONS)
  test(`every step of every lesson opens, and none tells before it asks, motion ${reducedMotion}`, () =>
    on(
      "#/learn",
      async (page) => {
        const entries = page.locator(".entry");
        await entries.first().waitFor();
        assert.ok((await page.locator(".entry .thumb rect").count()) > 45);
        assert.equal(await page.locator(".entry .thumb").count(), await entries.count());
        assert.equal(await entries.count(), COURSE.lessons.length);
        for (const { id, steps } of COURSE.lessons)
          for (const [index, { walk, check }] of steps.entries()) {
            await follow(page, `#1/learn?l=${id}.${index}`);
            const dots = page.locator(".dot");
            assert.equal(await dots.nth(index).getAttribute("aria-current"), "step");
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
      },
      { reducedMotion },
    ));

for (const reducedMotion of MOTIONS)
  test(`a wrong number is explained, the second miss shows the answer, and a right one is kept, motion ${reducedMotion}`, () =>
    on(
      "#1/learn?l=accumulate",
      async (page) => {
        await answer(page, "3");
        const ask = page.locator(".ask");
        await ask.getByText("That is the path f → a alone.").waitFor();
        assert.match(await label(page, "a"), /gradient not yet known/);
        await answer(page, "9");
        await ask.getByText("The answer is 6").waitFor();
        await card(page, "a").locator('[aria-label$="gradient 6"]').waitFor();
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
      },
      { reducedMotion },
    ));

for (const reducedMotion of MOTIONS)
  test(`whoever changes the numbers is asked about their own, motion ${reducedMotion}`, () =>
    on(
      "#1/learn?l=relu",
      async (page) => {
        await page.getByLabel("x, value").fill("5");
        await page.keyboard.press("Enter");
        await page.getByText("here is a question about yours").waitFor();
        await answer(page, "2");
        await page.getByText("2 is not it.").waitFor();
        await answer(page, "5");
        await page.getByText("w reaches the output by one path").waitFor();
        await page.locator("#expression").fill("k * k + k");
        await page.getByText("gradient of f with respect to k").waitFor();
        await page.getByLabel("k, value").fill("3");
        await page.keyboard.press("Enter");
        await answer(page, "7");
        await page.getByText("k reaches the output by 3 paths").waitFor();
      },
      { reducedMotion },
    ));

for (const reducedMotion of MOTIONS)
  test(`the engine's own source: the line that runs is lit, motion ${reducedMotion}`, () =>
    on(
      "#1/learn?l=engine.2",
      async (page) => {
        const lit = () => page.locator(".annotated .now code").allTextContents();
        await page.locator(".annotated .now").waitFor();
        assert.deepEqual(
          (await lit()).map((text) => text.trim()),
          ["root._grad += seed"],
        );
        await answer(page, "4");
        await page.getByText("Right.").waitFor();
        const now = await page.locator(".annotated .now").count();
        assert.equal(now, 1);
        await page.getByRole("button", { name: "To the end" }).click();
        for (let i = 0; i < 2; i++) await page.getByRole("button", { name: "Step back" }).click();
        assert.match((await lit()).join(), /child\._grad \+= local \* incoming/);
      },
      { reducedMotion },
    ));

for (const reducedMotion of MOTIONS)
  test(`a class is shown large type, notes and no answers; Page Down turns, Escape leaves, motion ${reducedMotion}`, () =>
    on(
      "#1/learn?l=order.2",
      async (page) => {
        const size = () =>
          page
            .locator(".lesson .text .body")
            .evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));
        const before = await size();
        await page.getByRole("button", { name: "Teach" }).click();
        await page.locator("header").waitFor({ state: "detached" });
        assert.ok((await size()) >= 1.4 * before);
        // Letters of 16 px and more, once the picture has come to rest.
        await page.waitForFunction(() => {
          const { shadowRoot } = document.querySelector("gradwalk-lab");
          const scene = shadowRoot.querySelector("gradwalk-scene").shadowRoot;
          const all = [...scene.querySelectorAll("[data-node] .value")];
          return all.length > 3 && all.every((one) => one.getBoundingClientRect().height > 19);
        });
        assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight));
        assert.equal(await page.getByLabel("your answer").count(), 0);
        assert.match(await label(page, "a"), /gradient not yet known/);
        await page.getByRole("button", { name: "Show the answer" }).click();
        await page.getByText("The answer is 15").waitFor();
        await page.keyboard.press("PageUp");
        // A wall shows no notes before the teacher wants them.
        const notes = page.getByText("Of the 24 orders, two are right.");
        assert.equal(await notes.isVisible(), false);
        await page.getByText("For the teacher").click();
        await notes.waitFor();
        for (let i = 0; i < 5; i++) await page.keyboard.press("PageDown");
        await page.getByRole("heading", { name: "How the engine finds it" }).waitFor();
        await page.keyboard.press("Escape");
        await page.locator("header").waitFor();
        assert.equal(await page.getByText("Of the 24 orders").count(), 0);
        await card(page, "a").waitFor();
      },
      { reducedMotion },
    ));

test("a first lesson explains a miss in words that it has taught", () =>
  on("#1/learn?l=start.2", async (page) => {
    await answer(page, "3");
    const said = await page.locator(".ask").textContent();
    assert.match(said, /That is the value of b, not its gradient\..*if b were larger by 1/s);
    assert.doesNotMatch(said, /local derivative|path/);
    await follow(page, "#1/learn?l=value.0");
    await page.getByText("What will").waitFor();
    await answer(page, "7");
    await page.getByText("start at the cards that have a number").waitFor();
  }));

test("numbers fit into their cards however small they get, and leaves have names beside a lesson", () =>
  on("#1/learn?l=training.2", async (page) => {
    await page.locator("[data-descend=run]").click();
    await page.waitForFunction(
      () => document.querySelector("gradwalk-lab").store.state.way.length > 24,
    );
    await page.locator("[data-descend=run]").click();
    const outside = await page.locator("[data-node]").evaluateAll((all) =>
      all.flatMap((one) => {
        const card = one.querySelector(".body")?.getBoundingClientRect();
        return [...one.querySelectorAll("text")]
          .filter((text) => {
            const { left, right } = text.getBoundingClientRect();
            return card && right > left && (left < card.left - 2 || right > card.right + 2);
          })
          .map((text) => text.textContent);
      }),
    );
    assert.deepEqual(outside, []);
    const names = page.locator(".learns .check-line");
    for (const box of await names.evaluateAll((all) =>
      all.map((one) => {
        const cell = one.closest("td, th").getBoundingClientRect();
        return [one.scrollWidth, cell.width, one.textContent.trim()];
      }),
    ))
      assert.ok(box[0] <= box[1] + 1 && box[1] > 40 && box[2], box.join(" "));
  }));

test("the language changes inside of a lesson, and the step stays", () =>
  on("#1/learn?l=phases.1", async (page) => {
    await page.locator(".language select").selectOption("ru");
    await page.getByRole("heading", { name: "Назад: заполняем градиенты" }).waitFor();
    await page.locator(".language select").selectOption("et");
    await page.getByRole("heading", { name: "Tagasi: täida gradiendid" }).waitFor();
    assert.match(await page.title(), /^Õppetunnid/);
    await page.getByRole("link", { name: "Õpi" }).click();
    await page.getByRole("button", { name: "Sõnastik" }).click();
    assert.equal(await page.locator(".glossary div").count(), COURSE.glossary.length);
    await page.goBack();
    await page.locator(".entry").first().waitFor();
  }));

test("what is done in one tab shows in the other, and neither overwrites it", () =>
  on("#/learn", async (page) => {
    const solved = (tab, place) => tab.locator(".entry").nth(place).getByText(", 1 of ").waitFor();
    await page.locator(".entry").first().waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url().replace(/#.*/, "#1/learn?l=start.2"));
    await answer(other, "2");
    await solved(page, 0);
    await page.locator(".entry").nth(1).click();
    await answer(page, "20");
    await other.getByRole("button", { name: "All lessons" }).click();
    await solved(other, 0);
    await solved(other, 1);
    await other.close();
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
    assert.ok(!(await scripts()).some((name) => name.includes("chunk-parts-write")));
    await turnTo(page, "write");
    const editor = page.locator("gradwalk-write .cm-content");
    await editor.click();
    assert.ok((await scripts()).some((name) => name.includes("chunk-parts-write")));
    await page.keyboard.press("Control+End");
    await page.keyboard.type("# g?3 /");
    assert.match(await editor.textContent(), /# g\?3 \//);
    assert.equal(await state(page, "help"), false);
    assert.equal(await state(page, "view"), "2d");
    await page.getByText("gradwalk judge my_value.py").waitFor();
    await turnTo(page, "learn");
    await turnTo(page, "write");
    await page.locator("gradwalk-write .cm-content").waitFor();
    assert.match(await page.locator("gradwalk-write .cm-content").textContent(), /# g\?3 \//);
  }));

for (const [width, height, hash] of [
  [390, 844, "start.1"],
  [390, 844, "neuron.1"],
])
  test(`on a phone the picture stays in view while a lesson is read, ${hash}`, () =>
    on(
      `#1/learn?l=${hash}`,
      async (page) => {
        const seen = async () => {
          const box = await page.locator(".lesson .picture").boundingBox();
          return [box.y, box.height, box.y + box.height];
        };
        await page.locator(".lesson .picture").waitFor();
        const [, high] = await seen();
        assert.ok(high >= 0.3 * height, `${high}`);
        await page.locator(".lesson .turn .primary").scrollIntoViewIfNeeded();
        const [top, , bottom] = await seen();
        assert.ok(top >= 0 && bottom < 0.6 * height, `${top} to ${bottom}`);
      },
      { viewport: { width, height } },
    ));

test("on a phone held sideways the whole picture is in view", () =>
  on(
    "#1/sandbox?t=3000",
    async (page) => {
      const box = await page.locator("gradwalk-scene").boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= 390 - 60 && box.height >= 180, `${box.y}`);
    },
    { viewport: { width: 844, height: 390 } },
  ));
