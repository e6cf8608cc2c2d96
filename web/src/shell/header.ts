/** The head of the lab: the doors, then what one can do with what is shown. */

import { html, nothing, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import { isConnected } from "../app/server.ts";
import { keep } from "../app/settings.ts";
import { doorOf, type Theme } from "../app/state.ts";
import { type Icon, icon, mark } from "../parts/icons.ts";
import { barKey, doors } from "../parts/tabs.ts";
import { LANGUAGES, speak, t } from "../strings/index.ts";

export const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const THEME_ICONS = { auto: "auto", light: "sun", dark: "moon" } as const;

/** Whether Python may be asked about the gradients: not while someone is to predict them. */
export function canCheck({ state, program, veil, fixed }: Lab): boolean {
  const asked = program.line.events[veil] !== undefined;
  return doorOf(state.page) === "play" && isConnected() && !fixed && !asked;
}

export function header(lab: Lab, skip: () => void): TemplateResult {
  const { state, dispatch } = lab;
  const next = THEMES[(THEMES.indexOf(state.theme) + 1) % THEMES.length];
  const words = t.tool;
  return html`<header>
    <button class="skip" @click=${skip}>${t.skip}</button>
    <span class="brand">${mark}<span>gradwalk</span></span>
    ${doors(lab)}
    <span class="tools" role="toolbar" aria-label=${t.tools} @keydown=${barKey}>
      ${tool("undo", t.undo, () => dispatch({ type: "undo" }), `${t.undo} (Ctrl Z)`, !state.past.length)}
      ${tool("redo", t.redo, () => dispatch({ type: "redo" }), t.redo, !state.future.length)}
      ${canCheck(lab) ? tool("code", t.proof.button, () => dispatch({ type: "proof", on: true })) : nothing}
      ${tool("share", t.share.title, () => dispatch({ type: "set", change: { sharing: true } }))}
      ${tool(
        THEME_ICONS[state.theme],
        words.theme,
        () => {
          keep("theme", next);
          dispatch({ type: "set", change: { theme: next } });
        },
        t.theme[state.theme],
      )}
      ${tool("help", words.help, () => dispatch({ type: "set", change: { help: true } }), `${t.help} (?)`)}
      ${lab.embedded ? nothing : languageSwitch()}
    </span>
  </header>`;
}

/** The language by its own name; the page shows its tag, and has no more room than that. */
function languageSwitch(): TemplateResult {
  return html`<label class="language" title=${t.language}>
    <span aria-hidden="true">${t.lang.toUpperCase()} ▾</span>
    <select tabindex="-1" aria-label=${t.language} @change=${(event: Event) => {
      const { value } = event.target as HTMLSelectElement;
      keep("language", value);
      void speak(value);
    }}>${Object.entries(LANGUAGES).map(([lang, { name }]) => html`<option value=${lang} lang=${lang} .selected=${lang === t.lang}>${name}</option>`)}</select>
  </label>`;
}

/** An icon with its word; where there is little room the word is heard, and the title is seen. */
function tool(
  name: Icon,
  word: string,
  act: () => void,
  title = word,
  disabled = false,
): TemplateResult {
  return html`<button class="quiet" tabindex=${name === "help" ? 0 : -1} title=${title} ?disabled=${disabled} @click=${act}>${icon(name)}<span>${word}</span></button>`;
}
