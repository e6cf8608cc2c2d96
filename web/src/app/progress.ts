/**
 * What someone has done: experiments finished, checks solved, cases diagnosed, lessons read.
 *
 * It stays in this browser, under one key with a version, and goes nowhere else: not into links,
 * which say what is shown, and not to the server. What storage gives back is checked like an address.
 * Where there is no storage, as in a private window, it lasts as long as the page. What is stored is
 * read before each use, because other tabs write it too.
 */

export interface Progress {
  done: ReadonlySet<string>;
  /** The diagnosis game: how many cases were told right, of how many. */
  right: number;
  all: number;
}

const KEY = "gradwalk-progress";
const VERSION = 1;
const MOST = 500;
const ID = /^[a-z]+:[a-z0-9.-]{1,40}$/;
const NONE: Progress = { done: new Set(), right: 0, all: 0 };

let kept: Progress = NONE;
/** The text that `kept` was read from; null when the storage refused it. */
let seen: string | null = "";

export function progress(): Progress {
  const now = stored();
  if (seen !== null && seen !== now) {
    seen = now;
    kept = parsed(now);
  }
  return kept;
}

/** Call back when another tab has changed the progress; calling the result ends that. */
export function onProgress(listener: () => void): () => void {
  const changed = ({ key }: StorageEvent): void => {
    if (key === KEY || key === null) listener();
  };
  addEventListener("storage", changed);
  return () => removeEventListener("storage", changed);
}

/** Remember that `id` is done; what was done stays done. */
export function finish(id: string): void {
  const { done } = progress();
  if (!done.has(id)) keep({ ...progress(), done: new Set([...done, id].slice(-MOST)) });
}

export function diagnosed(right: boolean): void {
  const { right: before, all } = progress();
  keep({ ...progress(), right: before + Number(right), all: all + 1 });
}

/** Add what a file of progress says to what is here; false when it is no such file. */
export function merge(text: string): boolean {
  const found = parsed(text);
  if (found === NONE) return false;
  const { done, right, all } = progress();
  const ids = new Set([...done, ...found.done].slice(-MOST));
  const better = found.all > all ? found : { right, all };
  keep({ done: ids, right: better.right, all: better.all });
  return true;
}

export function forget(): void {
  keep(NONE);
}

/** What a text of the storage says; anything else than what we wrote says nothing. */
export function parsed(text: string): Progress {
  try {
    const { version, done, right, all } = JSON.parse(text);
    if (version !== VERSION || !Array.isArray(done)) return NONE;
    const ids = done.filter((id) => typeof id === "string" && ID.test(id)).slice(0, MOST);
    const sane =
      Number.isSafeInteger(right) && Number.isSafeInteger(all) && right >= 0 && right <= all;
    return { done: new Set(ids), right: sane ? right : 0, all: sane ? all : 0 };
  } catch {
    return NONE;
  }
}

export function written({ done, right, all }: Progress): string {
  return JSON.stringify({ version: VERSION, done: [...done], right, all });
}

function stored(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

function keep(next: Progress): void {
  kept = next;
  seen = written(next);
  try {
    localStorage.setItem(KEY, seen);
  } catch {
    seen = null; // Refused or full: it lasts as long as the page.
  }
}
