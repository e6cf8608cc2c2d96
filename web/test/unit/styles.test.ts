/** The style sheets: three breakpoints, and no page's rule that matches another page's part. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const FOLDER = "src/parts/styles";
const SHEETS = new Map(
  readdirSync(FOLDER).map((name) => [
    name.replace(".css", ""),
    readFileSync(`${FOLDER}/${name}`, "utf8").replaceAll(/\/\*.*?\*\//gs, ""),
  ]),
);

/** The classes by which a sheet's rules find where they begin. */
function begun(name: string): Set<string> {
  const selectors = [...SHEETS.get(name)!.matchAll(/([^{};]+)\{/g)].flatMap(([, text]) =>
    text.trim().startsWith("@") ? [] : text.split(/,(?![^(]*\))/),
  );
  return new Set(selectors.flatMap((one) => /^[^\s>~+]*?\.([\w-]+)/.exec(one.trim())?.[1] ?? []));
}

test("a rule of one page begins with no name that another page in the same root uses", () => {
  const shared = new Set(
    ["base", "charts", "stage", "dock", "shell"].flatMap((name) => [...begun(name)]),
  );
  const pages = ["pages", "quiz", "learn", "play", "embed"];
  const used = (name: string): string[] =>
    [...SHEETS.get(name)!.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/g)].map(([, found]) => found);
  for (const name of pages) {
    const own = [...begun(name)].filter((one) => !shared.has(one));
    assert.ok(own.length > 0, name);
    for (const other of pages.filter((one) => one !== name)) {
      const both = used(other).filter((one) => own.includes(one));
      assert.deepEqual(both, [], `${name}.css and ${other}.css`);
    }
  }
});

test("there are three breakpoints", () => {
  const widths = [...SHEETS.values()].flatMap((text) =>
    [...text.matchAll(/@media[^{]*?(max|min)-width: (\d+)px/g)].map(([, end, width]) =>
      end === "max" ? Number(width) + 1 : Number(width),
    ),
  );
  assert.deepEqual(
    [...new Set(widths)].sort((a, b) => a - b),
    [901, 1280, 1600],
  );
});

test("space comes by its names: gaps, paddings and margins of the grid are no numbers", () => {
  const bare = [...SHEETS].flatMap(([name, text]) =>
    [...text.matchAll(/(?:gap|padding|margin)[\w-]*: [^;]*?(?<![\w.-])(?:4|8|12|16|24)px/g)].map(
      ([found]) => `${name}: ${found}`,
    ),
  );
  assert.deepEqual(bare, []);
});
