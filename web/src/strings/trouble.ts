/** Trouble with the lab's server, in words. */

import { t } from "./index.ts";

/** `said` comes with the server's own words, `status` with a number of HTTP. */
export type TroubleCode = "gone" | "broke" | "status" | "said";

export interface Trouble {
  readonly code: TroubleCode;
  readonly detail: string;
}

export function troubleText({ code, detail }: Trouble): string {
  const words = t.server;
  if (code === "said") return detail;
  return code === "status" ? words.status(Number(detail)) : words[code];
}
