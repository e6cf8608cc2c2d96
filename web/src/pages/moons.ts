/** An MLP learns two moons. It is loaded when it is opened. */

import { html, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import { t } from "../strings/index.ts";

export function moonsPage({ state }: Lab): TemplateResult {
  if (!globalThis.GRADWALK_ALONE) void import("../parts/moons.ts");
  return html`<gradwalk-moons .theme=${state.theme}><p class="why pad" role="status">${t.plan.roomsEmpty}</p></gradwalk-moons>`;
}
