/**
 * The words of the page. Every folder to the right takes them from here: `t.pages.walk`.
 *
 * A language is a file of the shape of `en.ts`, which `tsc` checks, and a row in `LANGUAGES`. Words
 * are looked up when they are drawn, never kept in a constant, so a change of language needs only a
 * redraw.
 */

import { en } from "./en.ts";

export type Strings = typeof en;

const LANGUAGES: Readonly<Record<string, Strings>> = { en };

/** The words of the language in use. */
export let t: Strings = en;

/** Take a language by its tag; one that there is no file for changes nothing. */
export function speak(lang: string, languages = LANGUAGES): void {
  const known = Object.keys(languages).find((tag) => tag === lang.split("-")[0]);
  if (known) t = languages[known];
}
