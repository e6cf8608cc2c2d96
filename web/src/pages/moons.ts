/** An MLP learns two moons. It is loaded when it is opened. */

import { html, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import { later } from "../parts/later.ts";
import { t } from "../strings/index.ts";

export function moonsPage({ state, refresh }: Lab): TemplateResult {
  const missing =
    !globalThis.GRADWALK_ALONE && later("moons", () => import("../parts/moons.ts"), refresh);
  if (missing) return missing;
  return html`<gradwalk-moons .theme=${state.theme}><p class="why pad" role="status">${t.plan.roomsEmpty}</p></gradwalk-moons>`;
}
