/**
 * `<gradwalk-graph expression="(a + b) * c" values='{"a": 2}'>`: one walk to put into any page.
 *
 * The picture and the transport, without the rest of the lab and without touching the address.
 */

import { html, type TemplateResult } from "lit";
import { stage } from "../parts/stage.ts";
import { GradwalkLab } from "./lab.ts";

export class GradwalkGraph extends GradwalkLab {
  constructor() {
    super();
    this.embedded = true;
  }

  protected override render(): TemplateResult {
    const { lab } = this;
    return html`<div class="page embed" @click=${this.clicked} @open=${this.opened}>${stage(lab, { switches: ["final", "unfold"] })}</div>${this.spokenLine(lab)}`;
  }
}

customElements.define("gradwalk-graph", GradwalkGraph);
