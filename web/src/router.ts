/**
 * The address and the state, kept equal: pages make entries in the history, edits rewrite the last.
 *
 * In a frame of another site, or from a file, the history may be refused; the lab then runs without.
 */

import { programFor, shareable } from "./program.ts";
import { takeToken } from "./server.ts";
import type { Store } from "./store.ts";
import { decode, encode } from "./url.ts";

const PAUSE = 250;

export function route(store: Store): () => void {
  let page = store.state.page;
  let timer = 0;
  let written = location.hash;

  const write = (push: boolean): void => {
    const { state } = store;
    const time = Math.min(state.time, programFor(state).line.total);
    const hash = encode({ ...shareable(state), time }, state.given !== null);
    if (hash === written) return;
    written = hash;
    try {
      history[push ? "pushState" : "replaceState"](null, "", hash);
    } catch {
      // Refused, as in a sandboxed frame: the lab works, its address does not follow.
    }
  };
  const unsubscribe = store.subscribe((state) => {
    clearTimeout(timer);
    if (state.page !== page) {
      page = state.page;
      write(true);
    } else if (!state.playing) timer = window.setTimeout(() => write(false), PAUSE);
  });
  const read = (): void => {
    takeToken();
    if (location.hash === written) return;
    written = location.hash;
    store.dispatch({ type: "restore", settings: { time: 0, ...decode(location.hash) } });
    page = store.state.page;
  };
  addEventListener("hashchange", read);
  addEventListener("popstate", read);
  return () => {
    unsubscribe();
    removeEventListener("hashchange", read);
    removeEventListener("popstate", read);
  };
}
