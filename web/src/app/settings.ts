/** What readers set for themselves, kept in this browser: theme, keys, and what they have read. */

import type { Theme } from "./state.ts";

const THEME = "gradwalk-theme";
const LETTERS = "gradwalk-letters";
const GREETED = "gradwalk-greeted";
const HOME = "gradwalk-home";
const LANGUAGE = "gradwalk-language";
const DRAFT = "gradwalk-draft";
const MOST_DRAFT = 32_000;

export interface Own {
  theme: Theme;
  letters: boolean;
  greeted: boolean;
}

export function readOwn(): Own {
  const theme = stored(THEME);
  return {
    theme: theme === "light" || theme === "dark" ? theme : "auto",
    letters: stored(LETTERS) !== "off",
    greeted: stored(GREETED) === "yes",
  };
}

/** The language that was chosen; empty for the browser's. */
export function readLanguage(): string {
  return stored(LANGUAGE) ?? "";
}

export function writeLanguage(language: string): void {
  store(LANGUAGE, language);
}

/** The `Value` that someone writes; empty before the first letter. */
export function readDraft(): string {
  return (stored(DRAFT) ?? "").slice(0, MOST_DRAFT);
}

export function writeDraft(text: string): void {
  store(DRAFT, text.slice(0, MOST_DRAFT));
}

export function writeTheme(theme: Theme): void {
  store(THEME, theme);
}

export function writeLetters(on: boolean): void {
  store(LETTERS, on ? "on" : "off");
}

export function writeGreeted(): void {
  store(GREETED, "yes");
}

/** The address of the copy of the lab that links are made for; empty for the page's own. */
export function readHome(): string {
  const home = stored(HOME) ?? "";
  return /^https?:\/\/[^\s"<>]{1,500}$/.test(home) ? home : "";
}

export function writeHome(home: string): void {
  store(HOME, home);
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Private windows and frames may refuse; the choice then lasts as long as the page.
  }
}
