/** A GPT in training. It is loaded when it is opened. */

import { html, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import { later } from "../parts/later.ts";
import { t } from "../strings/index.ts";

export function gptPage({ state, refresh }: Lab): TemplateResult {
  const missing =
    !globalThis.GRADWALK_ALONE && later("gpt", () => import("../parts/gpt.ts"), refresh);
  if (missing) return missing;
  return html`<gradwalk-gpt .theme=${state.theme}><p class="why pad" role="status">${t.gpt.status.starting}</p></gradwalk-gpt>`;
}
