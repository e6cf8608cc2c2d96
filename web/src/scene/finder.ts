/** The box that finds nodes, the same over every picture: Enter goes to the next, Shift to the one before. */

import { html, type ReactiveControllerHost, type TemplateResult } from "lit";
import { memo } from "../app/derive.ts";
import type { Named } from "../app/names.ts";
import { t } from "../strings/index.ts";
import { matching } from "./find.ts";

export class Finder {
  #text = "";
  #at = -1;
  readonly #host: ReactiveControllerHost;
  readonly #among: () => Named;
  readonly #go: (node: number) => void;
  readonly #matches = memo(matching, { alike: [] });

  constructor(host: ReactiveControllerHost, among: () => Named, go: (node: number) => void) {
    this.#host = host;
    this.#among = among;
    this.#go = go;
  }

  get #found(): readonly number[] {
    const { graph, names } = this.#among();
    return this.#text ? this.#matches(graph, names, this.#text) : [];
  }

  render(beside: unknown = ""): TemplateResult {
    const { length } = this.#found;
    const outcome = length ? t.find.found(Math.max(0, this.#at) + 1, length) : t.find.none;
    return html`<div class="find" role="search">
      <input type="search" aria-label=${t.find.label} placeholder=${t.find.label}
        autocomplete="off" spellcheck="false" @input=${this.#typed} @keydown=${this.#pressed} />
      <output>${this.#text ? outcome : ""}</output>
      ${beside}
    </div>`;
  }

  #typed = (event: Event): void => {
    this.#text = (event.target as HTMLInputElement).value;
    this.#at = -1;
    this.#host.requestUpdate();
  };

  #pressed = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape" && this.#text) {
      (event.target as HTMLInputElement).value = "";
      this.#typed(event);
    }
    const found = this.#found;
    if (event.key !== "Enter" || !found.length) return;
    const way = event.shiftKey ? -1 : 1;
    this.#at = (Math.max(this.#at, way < 0 ? 0 : -1) + way + found.length) % found.length;
    this.#host.requestUpdate();
    this.#go(found[this.#at]);
  };
}
