/**
 * Build the lab into src/gradwalk/lab/static, which is committed: whoever uses gradwalk needs no Node.
 * A file keeps its name when its content changes, so a changed word changes the files that say it.
 *
 *   node build.mjs [folder]      the same sources give the same bytes; a test rebuilds and compares
 *   node build.mjs --watch       for working on it
 */

import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";
import { generate } from "./generate.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const watching = process.argv.includes("--watch");
const out =
  process.argv.slice(2).find((word) => !word.startsWith("--")) ??
  join(here, "../src/gradwalk/lab/static");

/** A template literal of Lit keeps its line breaks; in markup they mean nothing. */
const shared = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  target: ["chrome123", "firefox126", "safari17.5"],
  loader: { ".css": "text" },
  charset: "utf8",
  legalComments: "eof",
  logLevel: "warning",
  define: { "globalThis.GRADWALK_ALONE": "false" },
};

/** The editor of "write it yourself", in a file of its own. */
const EDITOR = [
  ...["state", "view", "commands", "language", "lang-python", "autocomplete"].map(
    (name) => `@codemirror/${name}`,
  ),
  ...["common", "highlight", "lr", "python"].map((name) => `@lezer/${name}`),
  ...["style-mod", "w3c-keyname", "crelt", "@marijn/find-cluster-break"],
];

/** What others wrote of the lab: three.js draws in space, in a file of its own. */
const PARTS = ["lit", "three", ...EDITOR];

const app = {
  ...shared,
  entryPoints: {
    app: "src/entries/app.ts",
    embed: "src/entries/embed.ts",
    docs: "src/entries/docs.ts",
    "plan-worker": "src/entries/plan-worker.ts",
    "python-worker": "src/entries/python-worker.ts",
  },
  format: "esm",
  splitting: true,
  chunkNames: "chunk-[name]-[hash]",
  outdir: out,
  plugins: [minifyCss()],
};

generate();
if (watching) {
  await page([]);
  await lessons();
  await (await context(app)).watch();
} else {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const first = await parts();
  await build({
    ...shared,
    entryPoints: { widget: "src/entries/widget.ts" },
    format: "esm",
    outdir: out,
  });
  await writeFile(join(out, "licences.txt"), await licences(PARTS));
  await writeFile(join(out, "sbom.cdx.json"), await bill(PARTS));
  await page(first);
  await single();
  await lessons();
}

/**
 * Write the script with its shared parts; return the parts that app.js imports at once. esbuild
 * shares parts only under names with a hash of the content, so they get stable names afterwards.
 */
async function parts() {
  const { metafile, outputFiles } = await build({ ...app, metafile: true, write: false });
  const outputs = Object.entries(metafile.outputs).map(([path, about]) => [basename(path), about]);
  const names = new Map(outputs.map(([name, about]) => [name, stable(name, about)]));
  if (new Set(names.values()).size < names.size) throw new Error("two parts have one name");
  for (const { path, text } of outputFiles) {
    const renamed = text.replaceAll(/chunk-[\w-]+-[A-Z0-9]{8}\.js/g, (name) => names.get(name));
    await writeFile(join(out, names.get(basename(path))), renamed);
  }
  const [, { imports }] = outputs.find(([name]) => name === "app.js");
  return imports
    .filter(({ kind }) => kind === "import-statement")
    .map(({ path }) => names.get(basename(path)));
}

/** A part is named after the module that it is loaded for; a shared one after its largest module. */
function stable(name, { entryPoint, inputs }) {
  if (!name.startsWith("chunk-")) return name;
  const size = (path) => inputs[path].bytesInOutput;
  const [largest] = Object.keys(inputs).sort((x, y) => size(y) - size(x) || (x < y ? -1 : 1));
  const module = (entryPoint ?? largest).replace(/^(src|node_modules)\//, "").replace(/\.\w+$/, "");
  return `chunk-${entryPoint ? "" : "shared-"}${module.replaceAll(/\W+/g, "-")}.js`;
}

/** The page asks for all parts of its script at once, not for the rest after the first. */
async function page(parts) {
  await mkdir(out, { recursive: true });
  const source = await readFile(join(here, "src/entries/index.html"), "utf8");
  const links = parts.map((name) => `    <link rel="modulepreload" href="${name}" />\n`);
  await writeFile(
    join(out, "index.html"),
    source.replace("  </head>", `${links.join("")}  </head>`),
  );
  await writeFile(join(out, "app.css"), await pageStyle());
}

/** The lessons, which `gradwalk lessons` reads, too: so they are data and not a part of the script. */
async function lessons() {
  for (const language of ["en", "ru", "et"])
    await copyFile(
      join(here, `src/teach/lessons/${language}.json`),
      join(out, `lessons-${language}.json`),
    );
}

/** The licence texts of what is built in. */
async function licences(names) {
  const texts = names.map(async (name) => {
    const text = await readFile(join(here, "node_modules", name, "LICENSE"), "utf8");
    return `${name}\n${"=".repeat(name.length)}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join("\n\n");
}

/** The same as a bill of materials, CycloneDX, which wheels carry (PEP 770). */
async function bill(names) {
  const { packages } = JSON.parse(await readFile(join(here, "package-lock.json"), "utf8"));
  const components = names.map((name) => {
    const { version, license } = packages[`node_modules/${name}`];
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    const licenses = [{ license: { id: license } }];
    return { type: "library", "bom-ref": purl, name, version, purl, licenses };
  });
  const about = { component: { type: "application", name: "gradwalk lab" } };
  const form = { bomFormat: "CycloneDX", specVersion: "1.5", version: 1 };
  return `${JSON.stringify({ ...form, metadata: about, components }, null, 2)}\n`;
}

async function pageStyle() {
  const { outputFiles } = await build({
    ...shared,
    entryPoints: ["src/parts/styles/page.css"],
    loader: {},
    write: false,
    outdir: out,
  });
  return outputFiles[0].text;
}

/**
 * The single file that `gradwalk walk --format html` fills in: script and style inline, allowed by
 * their hashes, and nothing else allowed. The state goes into a JSON block, which no policy runs.
 */
async function single() {
  const { outputFiles } = await build({
    ...shared,
    entryPoints: ["src/entries/export.ts"],
    format: "iife",
    write: false,
    outdir: out,
    plugins: [minifyCss()],
    // It has no files beside it, and so no workers.
    define: { "globalThis.GRADWALK_ALONE": "true", "import.meta.url": '""' },
  });
  const script = outputFiles[0].text.trim().replaceAll("</script", "<\\/script");
  const style = (await pageStyle()).trim();
  const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html`;
  const texts = (await licences(["lit"])).replaceAll("--", "- -").trim();
  const template = await readFile(join(here, "src/entries/export.html"), "utf8");
  const page = template
    .replace("{{licences}}", () => texts)
    .replace("{{policy}}", () => policy)
    .replace("{{style}}", () => style)
    .replace("{{script}}", () => script);
  await writeFile(join(out, "export.html"), page);
}

/** Style sheets are imported as text; this shortens them first. */
function minifyCss() {
  return {
    name: "minify-css",
    setup({ onLoad }) {
      onLoad({ filter: /\.css$/ }, async ({ path }) => {
        const { outputFiles } = await build({
          ...shared,
          entryPoints: [path],
          loader: {},
          write: false,
          outdir: "/",
        });
        return { contents: outputFiles[0].text.trim(), loader: "text" };
      });
    },
  };
}
