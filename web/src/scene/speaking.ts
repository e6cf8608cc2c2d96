/** What elements have in common. What was typed and chosen in one stays when the language changes. */

import { LitElement } from "lit";
import { onLanguage } from "../strings/index.ts";

class Spoken extends LitElement {
  #end: () => void = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.#end = onLanguage(() => this.spoken());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#end();
  }

  /** Another language is in use. */
  protected spoken(): void {
    this.requestUpdate();
  }
}

/**
 * The base of an element: what it knows and what that is at first, each redrawing it when it changes.
 * Only a theme is an attribute, for the style sheets to see.
 */
export function element<F extends object>(fresh: () => F): new () => Spoken & F {
  class Known extends Spoken {
    static override properties = Object.fromEntries(
      Object.keys(fresh()).map((name) => [
        name,
        name === "theme" ? { reflect: true } : { attribute: false },
      ]),
    );

    constructor() {
      super();
      Object.assign(this, fresh());
    }
  }
  return Known as unknown as new () => Spoken & F;
}
