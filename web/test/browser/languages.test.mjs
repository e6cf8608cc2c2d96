/** Three languages, switched without a reload, and a fourth one with texts twice as long. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { e, follow, lab, open, STATIC, visit } from "./harness.mjs";

const found = lab();
const on = (hash, act, options) => visit(found, hash, act, options);
const language = (page) => page.locator(".language select");

test("the language changes at once, without a reload, and is remembered", () =>
  on("#1/sandbox?t=999999", async (page) => {
    await page.evaluate(() => {
      window.kept = true;
    });
    for (const [lang, title, play] of [
      ["ru", "Импульс: (a + b) * c – gradwalk", "Пуск"],
      ["et", "Impulss: (a + b) * c – gradwalk", "Käivita"],
      ["en", "Pulse: (a + b) * c – gradwalk", "Play"],
      ["et", "Impulss: (a + b) * c – gradwalk", "Käivita"],
    ]) {
      await language(page).selectOption(lang);
      await page.getByRole("button", { name: play, exact: true }).waitFor();
      assert.equal(await page.title(), title);
      assert.equal(await page.evaluate(() => document.documentElement.lang), lang);
    }
    assert.equal(await page.evaluate(() => window.kept), true);
    assert.equal(await page.locator("#expression").inputValue(), "(a + b) * c");
    await page.reload();
    await page.getByRole("button", { name: "Käivita", exact: true }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Klahvid" }).waitFor();
  }));

test("another language takes nothing away that was typed, answered or opened", () =>
  on("#1/traces", async (page) => {
    await page.getByLabel("pop, 2").fill("c,0");
    await page.getByLabel("stack after, 2").fill("(L,1)");
    await page.getByRole("button", { name: "Grade it" }).click();
    await page.getByLabel("pop, 3").fill("a");
    await language(page).selectOption("ru");
    await page.getByText(/^верно \d+ из 33 ячеек$/).waitFor();
    assert.equal(await page.getByLabel("снято, 2: верно").inputValue(), "c,0");
    assert.equal(await page.getByLabel("стек после, 2: пока неверно").inputValue(), "(L,1)");
    assert.equal(await page.getByLabel("снято, 3").inputValue(), "a");

    await follow(page, "#1/learn?l=accumulate");
    await page.getByLabel("ваш ответ").fill("3");
    await page.keyboard.press("Enter");
    await page.getByText("Это только один путь: f → a.").waitFor();
    await page.getByLabel("ваш ответ").fill("4.");
    // The lessons in Estonian are not loaded yet.
    await language(page).selectOption("et");
    await page.getByText("See on ainult tee f → a.").waitFor();
    await page.getByRole("heading", { name: "Üks sisend, kaks kasutust" }).waitFor();
    assert.equal(await page.getByLabel("sinu vastus").inputValue(), "4.");

    await follow(page, "#1/checks");
    await page.locator("#answer").fill("77");
    await page.keyboard.press("Enter");
    await page.getByText("77 pole õige.").waitFor();
    await page.locator("#answer").fill("5");
    await language(page).selectOption("en");
    await page.getByText("77 is not it.").waitFor();
    assert.equal(await page.locator("#answer").inputValue(), "5");

    await follow(page, "#1/bugs?o=game&k=7");
    await page.locator("[data-choice]").first().click();
    await page.getByText("What gives it away:").waitFor();
    await language(page).selectOption("ru");
    await page.getByText("Что её выдаёт:").waitFor();

    await follow(page, "#1/write");
    const editor = page.locator("gradwalk-write .cm-content");
    await editor.getByText("А у произведения?").waitFor();
    await language(page).selectOption("en");
    await editor.getByText("And those of a product?").waitFor();
    await editor.press("Control+End");
    await page.keyboard.type("# mine");
    await language(page).selectOption("ru");
    await page.getByRole("textbox", { name: "Ваш класс на Python" }).waitFor();
    assert.match(await editor.textContent(), /And those of a product\?.*# mine/s);
  }));

test("a browser of one of the languages opens the lab in it", () =>
  on(
    "#1/walk",
    async (page) => {
      await page.getByRole("button", { name: "Пуск" }).waitFor();
      assert.match(await h1(page), /^Таблицы/);
    },
    { locale: "ru-RU" },
  ));

async function h1(page) {
  return page.evaluate(() => {
    const { shadowRoot } = document.querySelector("gradwalk-lab");
    return shadowRoot.querySelector("h1").textContent;
  });
}

/** A language whose texts are twice as long: what fits now leaves room for any other. */
const TWICE = (name) => `
  import { ru } from "./${name}?whole";
  const KEPT = /^(product|grad|lang|code|sign)$/;
  const twice = (thing, key) =>
    typeof thing === "function" ? (...args) => twice(thing(...args), key)
    : typeof thing === "string" ? (KEPT.test(key) ? thing : thing + " " + thing)
    : Array.isArray(thing) ? thing.map((one) => twice(one, key))
    : typeof thing === "object" && thing
      ? Object.fromEntries(Object.entries(thing).map(([k, one]) => [k, KEPT.test(k) ? one : twice(one, k)]))
      : thing;
  const words = twice(ru, "");
  export { words as ru };`;

test("texts twice as long stay inside of their boxes, left to right and right to left", async () => {
  const page = await open(found.browser, "", { locale: "ru-RU" });
  await page.route(/chunk-strings-ru\.js$/, async (route) => {
    const name = route.request().url().split("/").at(-1);
    // The lessons have a file of that name too: theirs stays as it is.
    const text = await readFile(join(STATIC, name), "utf8");
    const body = /\bas ru\b/.test(text) && !name.includes("?") ? TWICE(name) : text;
    return route.fulfill({ contentType: "text/javascript", body });
  });
  await page.goto(found.server.url);
  for (const hash of [
    `#1/sandbox?f=${e("relu(a - b)")}&t=999999`,
    "#1/walk",
    "#1/order",
    "#1/bugs",
    "#1/descend",
    "#1/checks",
    "#1/program",
    "#1/learn",
    "#1/learn?l=accumulate.1",
    "#1/traces",
    "#1/write",
    "#1/plan?m=mlp",
    "#1/moons",
    "#1/gpt",
  ]) {
    await follow(page, hash);
    assert.match(await h1(page), /^(.+) \1$/);
    for (const dir of ["ltr", "rtl"])
      for (const width of [360, 1024, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        const [wide, out] = await page.evaluate(async (to) => {
          document.documentElement.dir = to;
          // What the page arranges by script follows a frame later.
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          const { shadowRoot } = document.querySelector("gradwalk-lab");
          const own = shadowRoot.querySelector("main > :is(gradwalk-floor, gradwalk-moons)");
          const boxes = [shadowRoot, own?.shadowRoot ?? shadowRoot]
            .flatMap((root) => [...root.querySelectorAll(".panel, .stage, .transport, header")])
            .map((one) => one.getBoundingClientRect());
          const outside = boxes.filter((box) => box.right > innerWidth + 1 || box.left < -1).length;
          return [document.documentElement.scrollWidth, outside];
        }, dir);
        assert.ok(
          wide <= width && out === 0,
          `${hash} ${dir} at ${width}: ${wide}, ${out} outside`,
        );
      }
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
