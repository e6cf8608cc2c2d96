/** `<gradwalk-depth>`: why the sort must not recurse: a chain grows until Python's stack is full. */

import { html, LitElement, svg, type TemplateResult } from "lit";
import { en } from "../strings/en.ts";
import { labStyles } from "../styles.ts";

const LIMIT = 1000;
const MOST = 5;

export class GradwalkDepth extends LitElement {
  static override styles = labStyles;
  static override properties = { power: { state: true } };
  /** The length of the chain, as a power of ten. */
  declare power: number;

  constructor() {
    super();
    this.power = 2;
  }

  get length(): number {
    const raw = 10 ** this.power;
    const unit = 10 ** Math.max(0, Math.floor(this.power) - 1);
    return Math.round(raw / unit) * unit;
  }

  protected override render(): TemplateResult {
    const { length } = this;
    const dies = length >= LIMIT;
    const shown = length.toLocaleString("en");
    return html`<section class="panel depth">
      <div class="body">
        <label class="variable wide">
          <span>${en.bugs.depth}</span>
          <input type="range" min="0.5" max=${MOST} step="0.01" .value=${String(this.power)} aria-valuetext=${shown}
            @input=${(event: Event) => {
              this.power = Number((event.target as HTMLInputElement).value);
            }} />
          <output>${shown}</output>
        </label>
        <p class="why">${en.bugs.depthText(shown)}</p>
        <div class="columns">
          ${this.#column(en.bugs.recursive, en.bugs.frames(Math.min(length, LIMIT).toLocaleString("en")), dies ? en.bugs.overflow : en.bugs.fine, dies, true)}
          ${this.#column(en.bugs.iterative, en.bugs.entries((length + 1).toLocaleString("en")), en.bugs.fine, false, false)}
        </div>
      </div>
    </section>`;
  }

  #column(
    title: string,
    used: string,
    outcome: string,
    dies: boolean,
    limited: boolean,
  ): TemplateResult {
    // Sizes by their logarithm: 10 and 100,000 fit into one picture.
    const share = Math.min(1, this.power / MOST);
    const limit = Math.log10(LIMIT) / MOST;
    const filled = dies ? limit : share;
    return html`<div class="pile ${dies ? "dies" : ""}">
      <h2>${title}</h2>
      <svg viewBox="0 0 400 44" role="img" aria-label=${used}>
        <rect class="room" x="1" y="8" width="398" height="28" rx="6"></rect>
        <rect class="used" x="1" y="8" width=${398 * filled} height="28" rx="6"></rect>
        ${limited ? svg`<line class="limit" x1=${398 * limit} x2=${398 * limit} y1="0" y2="44" />` : ""}
      </svg>
      <p>${used}${limited ? html` <span class="why">· ${en.bugs.limit}</span>` : ""}</p>
      <p class=${dies ? "bad" : "good"}><strong>${dies ? "✗" : "✓"} ${outcome}</strong></p>
    </div>`;
  }
}

customElements.define("gradwalk-depth", GradwalkDepth);
