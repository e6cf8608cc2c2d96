/** The floor plan. It is loaded when it is opened. */

import { html, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import { t } from "../strings/index.ts";

export function planPage({ state, dispatch }: Lab): TemplateResult {
  // The file that travels alone has one walk to show, and none of this.
  if (!globalThis.GRADWALK_ALONE) void import("../parts/floor.ts");
  return html`<gradwalk-floor .place=${state.place} .theme=${state.theme}
    @place=${(event: CustomEvent<string>) => dispatch({ type: "place", place: event.detail })}><p class="why pad" role="status">${t.plan.loading}</p></gradwalk-floor>`;
}
