/** The shape of the lab: which folder may import which, and what rendering may not do. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { test } from "node:test";

// A file imports from its own folder and from those to its left.
const LADDER = "core strings app teach scene parts pages shell entries".split(" ");
const SRC = join(process.cwd(), "src");

/** Files of a folder and those below, relative to `src`. */
function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? below(path) : [relative(SRC, path).replaceAll("\\", "/")];
  });
}

const FILES = below(SRC).filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"));
const SOURCES = new Map(FILES.map((file) => [file, readFileSync(join(SRC, file), "utf8")]));

/** What a file imports of our own, relative to `src`: static, dynamic, types and re-exports alike. */
function importsOf(file: string, source: string): string[] {
  const found = source.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)"/g);
  const paths = [...found].map(([, path]) => normalize(join(dirname(file), path)));
  // The palette is Python's as well, and lies outside.
  return paths.filter((path) => !path.startsWith("..")).map((path) => path.replaceAll("\\", "/"));
}

function misdirected(file: string, source: string): string[] {
  const rung = (path: string): number => LADDER.indexOf(path.split("/")[0]);
  return importsOf(file, source)
    .filter((target) => rung(target) < 0 || rung(target) > rung(file))
    .map((target) => `${file} imports ${target}`);
}

test("every file of the lab lies in a folder of the ladder", () => {
  const folders = new Set(FILES.map((file) => file.split("/")[0]));
  assert.deepEqual([...folders].sort(), [...LADDER].sort());
});

test("imports point to the left only", () => {
  assert.deepEqual(
    FILES.flatMap((file) => misdirected(file, SOURCES.get(file)!)),
    [],
  );
});

test("an import to the right is found in each way it can be written", () => {
  for (const line of [
    'import { x } from "../parts/rows.ts";',
    'import type { X } from "../parts/rows.ts";',
    'import "../parts/rows.ts";',
    'export { x } from "../parts/rows.ts";',
    'const x = await import("../parts/rows.ts");',
  ])
    assert.deepEqual(misdirected("app/x.ts", line), ["app/x.ts imports parts/rows.ts"], line);
  assert.deepEqual(misdirected("pages/x.ts", 'import "../parts/rows.ts";'), []);
});

test("no two files import each other, by however many steps", () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, way: string[]): void => {
    if (way.includes(file)) cycles.push([...way.slice(way.indexOf(file)), file].join(" → "));
    if (done.has(file) || way.includes(file) || !SOURCES.has(file)) return;
    for (const target of importsOf(file, SOURCES.get(file)!)) visit(target, [...way, file]);
    done.add(file);
  };
  for (const file of FILES) visit(file, []);
  assert.deepEqual(cycles, []);
});

test("every file is imported by another or is an entry", () => {
  const imported = new Set(FILES.flatMap((file) => importsOf(file, SOURCES.get(file)!)));
  for (const target of imported) assert.ok(existsSync(join(SRC, target)), target);
  const alone = FILES.filter((file) => !imported.has(file) && !file.startsWith("entries/"));
  assert.deepEqual(alone, []);
});

test("only settings, progress and the server's secret touch the browser's storage", () => {
  const found = FILES.filter((file) => /\b(local|session)Storage\b/.test(SOURCES.get(file)!));
  assert.deepEqual(found, ["app/progress.ts", "app/server.ts", "app/settings.ts"]);
});
