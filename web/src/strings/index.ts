/**
 * The words of the page. Every folder to the right takes them from here: `t.pages.walk`.
 *
 * A language is a file of the shape of `en.ts`, which `tsc` checks, and a row in `LANGUAGES`. Words
 * are looked up when they are drawn, never kept in a constant, so a change of language needs only a
 * redraw. English comes with the page; another language is loaded when it is first spoken.
 */

import { en, type Strings } from "./en.ts";

export type { Strings } from "./en.ts";

export interface Language {
  /** What its speakers call it. */
  readonly name: string;
  readonly load: () => Strings | Promise<Strings>;
}

export const LANGUAGES: Readonly<Record<string, Language>> = {
  en: { name: "English", load: () => en },
  ru: { name: "Русский", load: async () => (await import("./ru.ts")).ru },
  et: { name: "Eesti", load: async () => (await import("./et.ts")).et },
};

/** The words of the language in use. */
export let t: Strings = en;

let wanted = en.lang;
const listeners = new Set<() => void>();

/** Call back whenever another language is in use; calling the result ends that. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The language of a tag, `et` of `et-EE`, or an empty text where there is none. */
export function languageOf(tag: string, languages = LANGUAGES): string {
  const short = tag.split("-")[0].toLowerCase();
  return Object.hasOwn(languages, short) ? short : "";
}

/**
 * Take a language by its tag; one that there is no file for changes nothing. Of two that are asked
 * for at the same time the last one counts.
 */
export async function speak(tag: string, languages = LANGUAGES): Promise<void> {
  const lang = languageOf(tag, languages);
  if (!lang) return;
  wanted = lang;
  const loaded = languages[lang].load();
  const words = loaded instanceof Promise ? await loaded.catch(() => null) : loaded;
  // A file that did not arrive leaves the language as it is.
  if (!words || wanted !== lang || words === t) return;
  t = words;
  for (const listener of listeners) listener();
}
