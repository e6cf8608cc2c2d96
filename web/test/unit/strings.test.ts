import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ServerError } from "../../src/app/server.ts";
import { en } from "../../src/strings/en.ts";
import { pluralIn } from "../../src/strings/plural.ts";
import { troubleText } from "../../src/strings/trouble.ts";

test("words take the form that a language has for a number", () => {
  const english = pluralIn("en");
  const forms = { one: "# path", other: "# paths" };
  assert.deepEqual(
    [0, 1, 2, 1234].map((n) => english(n, forms)),
    ["0 paths", "1 path", "2 paths", "1,234 paths"],
  );
  assert.equal(english(2n ** 70n, forms), "1,180,591,620,717,411,303,424 paths");
  const polish = pluralIn("pl");
  const paths = { one: "# ścieżka", few: "# ścieżki", many: "# ścieżek", other: "# ścieżki" };
  assert.deepEqual(
    [1, 2, 5, 22].map((n) => polish(n, paths)),
    ["1 ścieżka", "2 ścieżki", "5 ścieżek", "22 ścieżki"],
  );
  assert.equal(pluralIn("ja")(1, { other: "# 本" }), "1 本");
});

test("every string that takes arguments uses them, and none is half filled", () => {
  let count = 0;
  const look = (thing: unknown, path: string): void => {
    if (typeof thing === "function") {
      const marks = Array.from({ length: thing.length }, (_, i) => i + 2);
      const text = String(thing(...marks));
      assert.doesNotMatch(text, /undefined|NaN|\[object|#/, path);
      count += 1;
    } else if (typeof thing === "object" && thing !== null)
      for (const [key, one] of Object.entries(thing)) look(one, `${path}.${key}`);
    else assert.equal(typeof thing, "string", path);
  };
  const { said, ...rest } = en;
  const { operation, ...others } = said;
  look(rest, "en");
  look(others, "en.said");
  assert.equal(operation("*", ["2", "3"]), "2 times 3");
  assert.equal(operation("neg", ["2"]), "minus 2");
  assert.equal(operation("tanh", ["2"]), "tanh of 2");
  assert.ok(count > 60, String(count));
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
