/** The floor plan. It is loaded when it is opened. */

import { html, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import { later } from "../parts/later.ts";
import { t } from "../strings/index.ts";

export function planPage({ state, dispatch, refresh }: Lab): TemplateResult {
  // The file that travels alone has one walk to show, and none of this.
  const missing =
    !globalThis.GRADWALK_ALONE && later("floor", () => import("../parts/floor.ts"), refresh);
  if (missing) return missing;
  return html`<gradwalk-floor .place=${state.place} .theme=${state.theme}
    @place=${(event: CustomEvent<string>) => dispatch({ type: "place", place: event.detail })}><p class="why pad" role="status">${t.plan.loading}</p></gradwalk-floor>`;
}
