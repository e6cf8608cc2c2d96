/** What readers set for themselves, kept in this browser: theme, keys, and what they have read. */

import type { Theme } from "./state.ts";

type Name = "theme" | "letters" | "greeted" | "home" | "language" | "draft";

const MOST = 32_000;

/** What was kept under a name; empty where nothing was. */
export function kept(name: Name): string {
  try {
    return (localStorage.getItem(`gradwalk-${name}`) ?? "").slice(0, MOST);
  } catch {
    return "";
  }
}

export function keep(name: Name, text: string): void {
  try {
    localStorage.setItem(`gradwalk-${name}`, text.slice(0, MOST));
  } catch {
    // Private windows and frames may refuse; the choice then lasts as long as the page.
  }
}

export function readOwn(): { theme: Theme; letters: boolean; greeted: boolean } {
  const theme = kept("theme");
  return {
    theme: theme === "light" || theme === "dark" ? theme : "auto",
    letters: kept("letters") !== "off",
    greeted: kept("greeted") === "yes",
  };
}

/** The address of the copy of the lab that links are made for; empty for the page's own. */
export function readHome(): string {
  const home = kept("home");
  return /^https?:\/\/[^\s"<>]{1,500}$/.test(home) ? home : "";
}
