/**
 * All tests, or those of some folders: `node test/run.mjs [unit] [core] [browser]`.
 *
 * TypeScript tests are bundled first, because Node 20 reads no types. Browser tests run on the built
 * files that are committed, so they test what users get.
 */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { generate } from "../generate.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../.build/test");
const wanted = process.argv.slice(2);
const folders = wanted.length ? wanted : ["unit", "core", "browser"];

const find = (folder, ending) => {
  const path = join(here, folder);
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => name.endsWith(ending))
        .map((name) => join(path, name))
    : [];
};

const sources = folders.flatMap((folder) => find(folder, ".test.ts"));
await rm(out, { recursive: true, force: true });
generate();
if (sources.length) {
  await build({
    entryPoints: sources,
    outdir: out,
    outbase: here,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    loader: { ".css": "text" },
    outExtension: { ".js": ".mjs" },
    external: ["lit", "lit/*", "fast-check"],
    sourcemap: "inline",
    logLevel: "warning",
  });
}
const built = folders.flatMap((folder) => {
  const path = join(out, folder);
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => name.endsWith(".test.mjs"))
        .map((name) => join(path, name))
    : [];
});
const run = (...words) => spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1;
const tests = [
  ...built,
  ...folders.filter((one) => one !== "browser").flatMap((folder) => find(folder, ".test.mjs")),
];
let status = tests.length ? run("--enable-source-maps", "--test", ...tests) : 0;
if (folders.includes("browser")) {
  // In one process: its files share a browser.
  const imports = find("browser", ".test.mjs").map((file) => `import ${JSON.stringify(file)};`);
  status ||= run("--input-type=module", "--eval", imports.join(""));
}
process.exit(status);
