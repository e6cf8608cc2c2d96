/** Trouble with Python, on the lab's server or in the page, in words. */

import { t } from "./index.ts";

/**
 * `said` comes with Python's own words, `status` with a number of HTTP. `unloaded`, `slow` (with
 * seconds) and `ended` are those of Python in the page.
 */
export type TroubleCode = "gone" | "broke" | "status" | "said" | "unloaded" | "slow" | "ended";

export interface Trouble {
  readonly code: TroubleCode;
  readonly detail: string;
}

export function troubleText({ code, detail }: Trouble): string {
  const words = t.server;
  if (code === "said") return detail;
  return code === "status" || code === "slow" ? words[code](Number(detail)) : words[code];
}
