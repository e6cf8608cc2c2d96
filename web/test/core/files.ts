/** Files that Python's tests and these share, found from wherever the bundled tests lie. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

function root(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "pyproject.toml"))) folder = dirname(folder);
  return folder;
}

export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root(), path), "utf8"));
}

/** The names of the files in a folder. */
export function list(path: string): string[] {
  return readdirSync(join(root(), path));
}
