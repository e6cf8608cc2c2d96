/**
 * Make the sources that Python writes and git ignores: the table of operations and the lessons.
 *
 * The build, the tests and `npm run check` run it first, so that these files are never stale.
 */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const VENV = ["bin/python", "Scripts/python.exe"].map((name) => join(root, ".venv", name));

/** The Python that runs gradwalk: pytest's own, else the checkout's. */
export const PYTHON =
  process.env.GRADWALK_PYTHON ?? VENV.find((path) => existsSync(path)) ?? "python3";

export function generate() {
  for (const tool of ["web_rows", "lessons"]) {
    try {
      execFileSync(PYTHON, [join(root, "tools", `${tool}.py`)], { stdio: "inherit" });
    } catch {
      console.error(
        `tools/${tool}.py failed under ${PYTHON}, which must have gradwalk: run \`python3 x.py setup\`, or set GRADWALK_PYTHON`,
      );
      process.exit(1);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) generate();
