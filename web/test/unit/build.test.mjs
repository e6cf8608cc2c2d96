/** What is committed is what the sources give, and it is as small as promised. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { PYTHON } from "../../generate.mjs";

const web = join(dirname(fileURLToPath(import.meta.url)), "../..");
const STATIC = join(web, "../src/gradwalk/lab/static");
const read = (name, folder = STATIC) => readFileSync(join(folder, name));

test("the committed files are those that the sources build, byte by byte", () => {
  const fresh = mkdtempSync(join(tmpdir(), "gradwalk-build-"));
  execFileSync(process.execPath, [join(web, "build.mjs"), fresh]);
  assert.deepEqual(
    readdirSync(STATIC).sort(),
    readdirSync(fresh).sort(),
    "run `npm run build` in web/ and commit the result",
  );
  for (const name of readdirSync(fresh))
    assert.ok(
      read(name).equals(read(name, fresh)),
      `${name} is stale: run \`npm run build\` in web/`,
    );
});

test("a changed word changes two files: the part that says it, and the single file", () => {
  const copy = mkdtempSync(join(tmpdir(), "gradwalk-word-"));
  for (const name of ["src", "build.mjs", "generate.mjs", "package-lock.json"])
    cpSync(join(web, name), join(copy, "web", name), { recursive: true });
  for (const name of ["web/node_modules", "tools", "lessons", "src"])
    symlinkSync(join(web, "..", name), join(copy, name));
  const filter = (path) => !path.includes("_build");
  cpSync(join(web, "../docs"), join(copy, "docs"), { recursive: true, filter });
  const built = (folder) => {
    execFileSync(process.execPath, [join(copy, "web/build.mjs"), join(copy, folder)], {
      env: { ...process.env, GRADWALK_PYTHON: PYTHON },
    });
    return join(copy, folder);
  };
  const before = built("before");
  const words = join(copy, "web/src/strings/en.ts");
  const text = readFileSync(words, "utf8");
  writeFileSync(words, text.replace(/ sandbox: "\w+/, "$&es"));
  assert.notEqual(readFileSync(words, "utf8"), text);
  const after = built("after");
  assert.deepEqual(readdirSync(after), readdirSync(before));
  const changed = readdirSync(after).filter((one) => !read(one, after).equals(read(one, before)));
  assert.deepEqual(changed, ["chunk-shared-strings-en.js", "export.html"]);
});

test("npm ci works on every platform: the lock has each platform's package, with its hash", () => {
  const { packages } = JSON.parse(readFileSync(join(web, "package-lock.json"), "utf8"));
  for (const [path, { optionalDependencies = {} }] of Object.entries(packages))
    for (const name of Object.keys(optionalDependencies))
      assert.ok(packages[`node_modules/${name}`]?.integrity, `${path} wants ${name}`);
});

/** The script a first visit loads: the entry and what it imports at once. */
function initial(entry) {
  const names = new Set();
  const visit = (name) => {
    if (names.has(name)) return;
    names.add(name);
    for (const [, one] of read(name)
      .toString()
      .matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      visit(one);
  };
  visit(entry);
  return [...names];
}

test("the first visit loads at most 130 KB of script, gzipped, and nothing of the 3D view", () => {
  const names = initial("app.js");
  const size = names.reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0);
  assert.ok(size <= 130 * 1024, `${size} bytes`);
  for (const name of names) assert.doesNotMatch(read(name).toString(), /WebGLRenderer/);
});

test("the page asks for all of that script at once, not for one file after another", () => {
  const asked = [
    ...read("index.html")
      .toString()
      .matchAll(/(?:src|modulepreload" href)="([^"]+)"/g),
  ];
  assert.deepEqual(asked.map(([, name]) => name).sort(), initial("app.js").sort());
});

test("an exported file is below 1 MB, and its policy allows its own script and style only", () => {
  const page = read("export.html").toString();
  assert.ok(page.length < 1_000_000);
  const script = /<script>(.*?)<\/script>/s.exec(page)[1];
  const style = /<style>(.*?)<\/style>/s.exec(page)[1];
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)[1];
  for (const text of [script, style])
    assert.ok(policy.includes(`'sha256-${createHash("sha256").update(text).digest("base64")}'`));
  assert.doesNotMatch(policy, /unsafe|http/);
  assert.match(policy, /^default-src 'none'/);
  assert.equal(page.split('{"gradwalk": "state"}').length, 2);
});

test("the page has no inline script and no style attribute", () => {
  assert.doesNotMatch(read("index.html").toString(), /<script>|style=/);
});
