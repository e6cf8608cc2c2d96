/**
 * The address and the state, kept equal: pages make entries in the history, edits rewrite the last.
 *
 * In a frame of another site, or from a file, the history may be refused; the lab then runs without.
 */

import { programFor } from "./derive.ts";
import { linkTo } from "./link.ts";
import { takeToken } from "./server.ts";
import type { State } from "./state.ts";
import type { Store } from "./store.ts";
import { decode, type Link } from "./url.ts";

const PAUSE = 250;

/** Follow both ways; `open` takes the store to what an address says. */
export function route(store: Store, open: (link: Link) => void): () => void {
  let page = placeOf(store.state);
  let timer = 0;
  let written = location.hash;

  const write = (push: boolean): void => {
    const { state } = store;
    const hash = linkTo(state, Math.min(state.time, programFor(state).line.total));
    if (hash === written) return;
    written = hash;
    try {
      history[push ? "pushState" : "replaceState"](null, "", hash);
    } catch {
      // Refused, as in a sandboxed frame: the lab works, its address does not follow.
    }
  };
  let reading = false;
  const unsubscribe = store.subscribe((state) => {
    clearTimeout(timer);
    if (placeOf(state) !== page && !reading) {
      page = placeOf(state);
      write(true);
    } else if (!state.playing) timer = window.setTimeout(() => write(false), PAUSE);
  });
  const read = (): void => {
    takeToken();
    if (location.hash === written) return;
    written = location.hash;
    // Going back must not make an entry of its own, which would cut off the way forward.
    reading = true;
    open(decode(location.hash));
    reading = false;
    page = placeOf(store.state);
  };
  addEventListener("hashchange", read);
  addEventListener("popstate", read);
  return () => {
    clearTimeout(timer);
    unsubscribe();
    removeEventListener("hashchange", read);
    removeEventListener("popstate", read);
  };
}

/** What has an entry of its own in the history: a page, and each lesson. */
function placeOf({ page, lesson }: State): string {
  return page === "learn" ? `${page} ${lesson.split(".")[0]}` : page;
}
