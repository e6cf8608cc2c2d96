/** What this build can do; the bundler knows. */

import type { Page } from "./state.ts";

declare global {
  var GRADWALK_ALONE: boolean | undefined;
}

const LOADED: readonly Page[] = ["learn", "traces", "write", "plan", "gpt", "moons"];

/** Pages with their own files to load are not in a page that travels alone. */
export function isOffered(page: Page): boolean {
  return !globalThis.GRADWALK_ALONE || !LOADED.includes(page);
}

/** The licence texts are a file beside the page; one that travels alone has them inside. */
export const HAS_LICENCES: boolean = !(globalThis.GRADWALK_ALONE ?? false);
