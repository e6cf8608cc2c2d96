import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { mistakeOf, programFor } from "../../src/app/derive.ts";
import { ServerError } from "../../src/app/server.ts";
import { initial } from "../../src/app/store.ts";
import { NARY_REASONS, TABLE } from "../../src/core/index.ts";
import { en } from "../../src/strings/en.ts";
import { LANGUAGES, onLanguage, type Strings, speak, t } from "../../src/strings/index.ts";
import { messageText } from "../../src/strings/messages.ts";
import { troubleText } from "../../src/strings/trouble.ts";
import { words } from "../../src/strings/words.ts";
import { narrate, spoken } from "../../src/teach/narration.ts";

test("words take the form that a language has for a number", () => {
  const paths = (lang: string, text: string) => words(lang, { text } as { text: "{0|#}" }).text;
  const english = paths("en", "{0|# path|# paths}");
  assert.deepEqual(
    [0, 1, 2, 1234].map((n) => english(n)),
    ["0 paths", "1 path", "2 paths", "1,234 paths"],
  );
  assert.equal(english(2n ** 70n), "1,180,591,620,717,411,303,424 paths");
  const polish = paths("pl", "{0|# ścieżka|# ścieżki|# ścieżek}");
  assert.deepEqual(
    [1, 2, 5, 22].map((n) => polish(n)),
    ["1 ścieżka", "2 ścieżki", "5 ścieżek", "22 ścieżki"],
  );
  assert.equal(paths("ja", "{0|# 本}")(1), "1 本");
  const russian = paths("ru", "{0|=1 только один|# путь|# пути|# путей}");
  assert.deepEqual(
    [1, 21].map((n) => russian(n)),
    ["только один", "21 путь"],
  );
});

test("a hole takes what it is given as it is, and a list with commas", () => {
  const { text } = words("en", { text: "{1} before {0}" });
  assert.equal(text(["a", "b"], "{0|x}"), "{0|x} before a, b");
});

test("every string that takes arguments uses them, and none is half filled", async () => {
  const russian = await LANGUAGES.ru.load();
  const estonian = await LANGUAGES.et.load();
  for (const words of [en, russian, estonian]) filled(words);
  assert.equal(russian.said.operation("*", ["2", "3"]), "2 умножить на 3");
  assert.equal(estonian.said.operation("neg", ["2"]), "miinus 2");
});

const MOST_HOLES = 6;

function filled(words: Strings): void {
  let count = 0;
  const look = (thing: unknown, path: string): void => {
    if (typeof thing === "function") {
      const marks = Array.from({ length: MOST_HOLES }, (_, i) => i + 2);
      const text = String(thing(...marks));
      assert.doesNotMatch(text, /undefined|NaN|\[object|#/, path);
      count += 1;
    } else if (typeof thing === "object" && thing !== null)
      for (const [key, one] of Object.entries(thing)) look(one, `${path}.${key}`);
    else assert.equal(typeof thing, "string", path);
  };
  const { said, messages: _, ...rest } = words;
  const { operation, ...others } = said;
  look(rest, words.lang);
  look(others, `${words.lang}.said`);
  assert.match(operation("tanh", ["2"]), /^tanh \S+ 2$/);
  assert.ok(count > 60, String(count));
}

/** Every text of a catalogue by its path; a function is called with marks that must come back. */
function textsOf(thing: unknown, path = "", first = 2): [string, string][] {
  if (typeof thing === "string") return [[path, thing]];
  if (typeof thing === "function")
    return [[path, String(thing(...Array.from({ length: MOST_HOLES }, (_, i) => i + first)))]];
  return Object.entries(thing as object).flatMap(([key, one]) =>
    textsOf(one, `${path}.${key}`, first),
  );
}

/** What may be the same in two languages: code, formulas, names of keys and formats. */
const ALIKE =
  /^\.moons\.(optimisers|kinds|grad|[xy]\b)|^\.plan\.(models\.mlp|grad)$|^\.(group\.sign|bugs\.(code|overflow|count)|helpRows\.\d+\.0)|^\.(rule|product|grad|view[23]d|title|speeds|proof\.python|numbers\.grad|share\.link|program\.id)$|^\.(presetNames\.x[134]|narration\.(gradOf|seed|push)|group\.(few|range|title\.(scope|repeat|unit))|checks\.ask|descend\.start)$/;

test("no catalogue misses a string, has one too many, or leaves one in English", async () => {
  // The words of errors take lists and numbers; the types have every code in every language.
  const catalogue = ({
    messages: _messages,
    rules: _rules,
    said,
    ...rest
  }: Strings): Map<string, string> => {
    const { operation: _operation, ...others } = said;
    return new Map(textsOf({ ...rest, said: others }));
  };
  const english = catalogue(en);
  assert.ok(english.size > 300, String(english.size));
  for (const lang of ["ru", "et"]) {
    const words = await LANGUAGES[lang].load();
    const found = catalogue(words);
    assert.deepEqual([...found.keys()].sort(), [...english.keys()].sort(), lang);
    assert.deepEqual(Object.keys(words.messages).sort(), Object.keys(en.messages).sort(), lang);
    const same = [...found].filter(([path, text]) => text === english.get(path));
    assert.deepEqual(
      same.map(([path]) => path).filter((path) => path !== ".lang" && !ALIKE.test(path)),
      [],
      lang,
    );
    const letters = lang === "ru" ? /[а-яё]/i : /[a-zõäöüšž]/i;
    assert.match(words.welcome.text, letters);
    for (const op of [...TABLE.map(({ symbol }) => symbol), ...NARY_REASONS.keys()])
      assert.ok(words.rules[op], `${lang}: the rule of ${op}`);
  }
});

/** What changes with an English text; a function says it twice, with other numbers. */
function markOf(said: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 6);
}

const MARKS = join(process.cwd(), "src/strings/translated.txt");

test("no translation is of an English text that has changed since", () => {
  const { messages: _messages, said, ...rest } = en;
  const { operation: _operation, ...others } = said;
  const texts = [1, 2].map((first) => textsOf({ ...rest, said: others }, "", first));
  const now = texts[0].map(([path, text], i): [string, string] => [
    path.slice(1),
    markOf([text, texts[1][i][1]]),
  ]);
  // `TRANSLATED=find npm run test:unit` says that all under `find` were translated anew.
  const taken = process.env.TRANSLATED;
  const rows = readFileSync(MARKS, "utf8").trim().split("\n");
  const known = new Map(rows.map((row) => row.split(" ") as [string, string]));
  if (taken !== undefined) {
    for (const [path, mark] of now) if (`${path}.`.startsWith(taken)) known.set(path, mark);
    const kept = now.map(([path]) => `${path} ${known.get(path) ?? "new"}\n`);
    writeFileSync(MARKS, kept.join(""));
  }
  const stale = now.filter(([path, mark]) => known.get(path) !== mark).map(([path]) => path);
  assert.deepEqual(stale, [], "translate these again, then run this with TRANSLATED=…");
});

test("Russian counts in three forms, Estonian in two", async () => {
  const russian = await LANGUAGES.ru.load();
  const estonian = await LANGUAGES.et.load();
  assert.deepEqual(
    [1, 2, 5, 11, 21].map((count) => russian.group.title.run(count)),
    ["1 шаг", "2 шага", "5 шагов", "11 шагов", "21 шаг"],
  );
  assert.deepEqual(
    [1, 2, 21].map((count) => estonian.group.title.run(count)),
    ["1 samm", "2 sammu", "21 sammu"],
  );
});

/** A language made of the English one: every text is marked. */
function marked<T>(thing: T): T {
  if (typeof thing === "function")
    return ((...args: unknown[]) => marked(thing(...args))) as unknown as T;
  if (typeof thing === "string") return `⟦${thing}⟧` as unknown as T;
  if (typeof thing !== "object" || thing === null) return thing;
  if (Array.isArray(thing)) return thing.map(marked) as unknown as T;
  return Object.fromEntries(
    Object.entries(thing).map(([key, one]) => [key, marked(one)]),
  ) as unknown as T;
}

test("another language is a catalogue: errors, narration and speech follow it at once", async () => {
  const program = programFor(initial());
  const said = (): string[] => {
    const { what, why } = narrate(program, program.line.events.at(-1)!);
    return [mistakeText("a + * b"), what, why, spoken(program, program.line.events[0])];
  };
  const english = said();
  try {
    let told = 0;
    const unsubscribe = onLanguage(() => {
      told += 1;
    });
    const words = { ...marked(en), lang: "xx" };
    await speak("xx-YY", { xx: { name: "X", load: () => words } });
    assert.equal(told, 1);
    unsubscribe();
    assert.equal(t.lang, "xx");
    for (const text of said()) assert.match(text, /^⟦.*⟧$/s);
    assert.equal(said()[0], `⟦${english[0]}⟧`);
    await speak("zz");
    assert.equal(t.lang, "xx", "a language that there is no catalogue for changes nothing");
  } finally {
    await speak("en-GB");
  }
  assert.deepEqual(said(), english);
});

function mistakeText(text: string): string {
  return messageText(mistakeOf(text, false)!.said);
}

test("the engine has codes, not words: no sentence stands in core", () => {
  const core = join(process.cwd(), "src/core");
  const found = readdirSync(core)
    // The table of operations is one row per operation, words included: Python has the same rows.
    .filter((file) => file !== "ops.ts" && file !== "rows.ts")
    .flatMap((file) => {
      const code = readFileSync(join(core, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
      const literals = code.match(/"[^"\n]*"|`[^`]*`/g) ?? [];
      const sentences = literals.filter((text) => /[a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(text));
      return sentences.map((text) => `${file}: ${text}`);
    });
  assert.deepEqual(
    found.filter((text) => !text.includes("False None True") && !text.includes("nonlocal")),
    [],
  );
});

test("trouble with the server has words for every code, and its own words where it has some", () => {
  assert.match(troubleText(new ServerError("gone")), /does not answer/);
  assert.match(troubleText(new ServerError("broke")), /stopped before/);
  assert.match(troubleText(new ServerError("status", "503")), /503/);
  assert.equal(troubleText(new ServerError("said", "no such task")), "no such task");
});

/** Files of a folder and those below. */
function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? below(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

test("no text of the page is written outside strings/", () => {
  const src = join(process.cwd(), "src");
  const found = below(src)
    .filter((file) => file.endsWith(".ts") && !/[\\/](core|strings)[\\/]/.test(file))
    .flatMap((file) => {
      const templates = readFileSync(file, "utf8").match(/html`[^`]*`/g) ?? [];
      // Words between tags, in capitals or of two and more: what a person would read.
      return templates
        .map((text) => text.replace(/\$\{[^}]*\}/g, ""))
        .flatMap((text) => text.match(/>[^<>${}]*[A-Za-z]{3,} [A-Za-z]{2,}[^<>]*</g) ?? [])
        .map((text) => `${file}: ${text}`);
    });
  assert.deepEqual(found, []);
});
