/**
 * `<gradwalk-number>`: a box for one number. Four digits at rest, all of them on focus; a half-typed
 * number is kept as typed and reported only when it is one.
 */

import { css, html, type TemplateResult } from "lit";
import { element } from "../scene/speaking.ts";
import { exact, num, readNumber } from "../strings/format.ts";
import { t } from "../strings/index.ts";

export class GradwalkNumber extends element(() => ({
  value: 0,
  label: "",
  /** The text while someone types; null at rest. */
  typed: null as string | null,
})) {
  static styles = css`
    :host {
      display: inline-block;
      position: relative;
    }
    .note {
      /* Where the box is clipped, its note is not: the update puts it under the box. */
      position: fixed;
      inset-block-start: var(--below, 0);
      inset-inline-start: var(--left, 0);
      z-index: 3;
      inline-size: max-content;
      max-inline-size: 200px;
      padding: 4px 8px;
      border: 1px solid var(--neg);
      border-radius: var(--radius);
      background: var(--surface);
      color: var(--neg);
      font: var(--small) / 1.3 var(--sans);
    }
    .note:empty {
      display: none;
    }
    input {
      inline-size: 100%;
      block-size: 32px;
      box-sizing: border-box;
      padding-inline: 6px;
      border: 1px solid var(--edge);
      border-radius: var(--radius);
      background: var(--field);
      color: var(--text);
      font: var(--body) var(--mono);
      font-variant-numeric: tabular-nums;
      text-align: right;
      direction: ltr;
    }
    input:focus-visible {
      outline: 2px solid var(--focus);
      outline-offset: 1px;
    }
    input[aria-invalid="true"] {
      border-color: var(--neg);
      color: var(--neg);
    }
  `;
  override focus(): void {
    this.renderRoot.querySelector("input")?.focus();
  }

  override blur(): void {
    this.renderRoot.querySelector("input")?.blur();
  }

  #report(value: number): void {
    this.dispatchEvent(new CustomEvent("number", { detail: value, bubbles: true, composed: true }));
  }

  #key(event: KeyboardEvent): void {
    const way = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (way) {
      event.preventDefault();
      const step = event.shiftKey ? 1 : 0.1;
      this.typed = null;
      this.#report(Number((this.value + way * step).toFixed(6)));
    } else if (event.key === "Enter" && this.#isBad) {
      event.preventDefault(); // it stays, and its note says what a number looks like
    } else if (event.key === "Enter" || event.key === "Escape") {
      this.dispatchEvent(new CustomEvent("leave", { bubbles: true, composed: true }));
      this.blur();
    }
  }

  protected override updated(): void {
    const note = this.renderRoot.querySelector<HTMLElement>(".note")!;
    if (!note.textContent) return;
    const { bottom, left } = this.getBoundingClientRect();
    const room = document.documentElement.clientWidth - note.offsetWidth - 8;
    note.style.setProperty("--below", `${bottom + 4}px`);
    note.style.setProperty("--left", `${Math.max(8, Math.min(left, room))}px`);
  }

  get #isBad(): boolean {
    return this.typed !== null && readNumber(this.typed) === null;
  }

  protected override render(): TemplateResult {
    const bad = this.#isBad;
    return html`<input
      type="text"
      inputmode="decimal"
      autocomplete="off"
      spellcheck="false"
      aria-label=${this.label}
      aria-invalid=${bad}
      aria-describedby="note"
      title=${exact(this.value)}
      .value=${this.typed ?? num(this.value)}
      @focus=${(event: FocusEvent) => {
        const input = event.target as HTMLInputElement;
        this.typed = exact(this.value);
        void this.updateComplete.then(() => input.select());
      }}
      @blur=${() => {
        this.typed = null;
      }}
      @input=${(event: InputEvent) => {
        this.typed = (event.target as HTMLInputElement).value;
        const value = readNumber(this.typed);
        if (value !== null) this.#report(value);
      }}
      @keydown=${this.#key}
    /><span class="note" id="note" role="alert">${bad ? t.notNumber : ""}</span>`;
  }
}

customElements.define("gradwalk-number", GradwalkNumber);
