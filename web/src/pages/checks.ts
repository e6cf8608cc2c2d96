/** Checks: work it out, then ask. The questions live in their own element. */

import { html, type TemplateResult } from "lit";
import "../elements/checks.ts";
import type { Lab } from "../lab.ts";

export function checksPage(lab: Lab): TemplateResult {
  return html`<gradwalk-checks .text=${lab.state.good} .values=${lab.state.values}></gradwalk-checks>`;
}
