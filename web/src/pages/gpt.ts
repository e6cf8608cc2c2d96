/** A GPT in training. It is loaded when it is opened. */

import { html, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import { t } from "../strings/index.ts";

export function gptPage({ state }: Lab): TemplateResult {
  if (!globalThis.GRADWALK_ALONE) void import("../parts/gpt.ts");
  return html`<gradwalk-gpt .theme=${state.theme}><p class="why pad" role="status">${t.gpt.status.starting}</p></gradwalk-gpt>`;
}
