/** Parts of the page that are files of their own, asked for when they are shown. */

import { html, type TemplateResult } from "lit";
import { t } from "../strings/index.ts";

/** Of each part whether it was asked for, and whether it came. */
const states = new Map<string, "asked" | "here" | "missing">();
/** Who waits for a part: of two labs on a page both. */
const waiting = new Map<string, (() => void)[]>();

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
      .then(
        () => states.set(name, "here"),
        () => states.set(name, "missing"),
      )
      .then(() => {
        for (const tell of waiting.get(name) ?? []) tell();
        waiting.delete(name);
      });
  };
  if (!states.has(name)) ask();
  if (states.get(name) === "asked") waiting.set(name, [...(waiting.get(name) ?? []), changed]);
  if (states.get(name) !== "missing") return null;
  const again = (): void => {
    ask();
    changed();
  };
  return html`<p class="pad missing" role="alert"><span class="bad">${t.missing}</span> <button class="toggle" @click=${again}>${t.again}</button></p>`;
}
