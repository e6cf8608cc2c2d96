/** What a reader sets for themselves, kept in this browser: the theme, and whether letters are keys. */

import type { Theme } from "./state.ts";

const THEME = "gradwalk-theme";
const LETTERS = "gradwalk-letters";

export interface Own {
  theme: Theme;
  letters: boolean;
}

export function readOwn(): Own {
  const theme = stored(THEME);
  return {
    theme: theme === "light" || theme === "dark" ? theme : "auto",
    letters: stored(LETTERS) !== "off",
  };
}

export function writeTheme(theme: Theme): void {
  store(THEME, theme);
}

export function writeLetters(on: boolean): void {
  store(LETTERS, on ? "on" : "off");
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
