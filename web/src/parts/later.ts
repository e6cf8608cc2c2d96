/** Parts of the page that are files of their own, asked for when they are shown. */

import { html, type TemplateResult } from "lit";
import { t } from "../strings/index.ts";

/** Of each part whether it was asked for, and whether that failed. */
const states = new Map<string, "asked" | "missing">();

/**
 * Ask for a part, once; null while all is well. One that did not come is asked for again by hand.
 * `changed` is called when it is here, and when it is known not to come.
 */
export function later(
  name: string,
  load: () => Promise<unknown>,
  changed: () => void,
): TemplateResult | null {
  const ask = (): void => {
    states.set(name, "asked");
    load()
      .catch(() => states.set(name, "missing"))
      .then(changed);
  };
  if (!states.has(name)) ask();
  if (states.get(name) !== "missing") return null;
  const again = (): void => {
    ask();
    changed();
  };
  return html`<p class="pad missing" role="alert"><span class="bad">${t.missing}</span> <button class="toggle" @click=${again}>${t.again}</button></p>`;
}
