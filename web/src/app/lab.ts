/** What pages and panels get to work with: the state, what follows from it, and what one can do. */

import { memo, type Program, programFor, sound } from "./derive.ts";
import { calm, limitOf, phaseFrom, stepFrom, veilOf } from "./player.ts";
import type { Page, State } from "./state.ts";
import type { Action, Store } from "./store.ts";
import { type Frame, frameAt } from "./timeline.ts";

export interface Lab {
  state: State;
  program: Program;
  frame: Frame;
  dispatch: (action: Action) => void;
  /** Go to a moment, and stay there. */
  seek: (time: number) => void;
  /** One event on or back. */
  step: (way: number) => void;
  /** One phase on or back. */
  stepPhase: (way: number) => void;
  playPause: () => void;
  load: (text: string, values: Record<string, number>) => void;
  /** Open another page, as its link does. */
  open: (page: Page) => void;
  /** The lab as it is by now, after what was dispatched since. */
  current: () => Lab;
  /** Draw again: something arrived that is not part of the state. */
  refresh: () => void;
  /** The index of the first event whose numbers are still to be predicted. */
  veil: number;
  /** What the lab is drawn into: two labs on one page keep out of each other. */
  root: ParentNode;
  /** Whether the lab is a guest on someone's page. */
  embedded: boolean;
  /** Whether there is room for one page alone: no header, and no way to another page. */
  bare: boolean;
  /** Give a file's graph, which has no text and no sliders, its own view. */
  fixed: boolean;
}

/** What a part of a page has chosen for itself, as it is fresh or as it was left, and how to change it. */
export function local<T extends object>(
  { state, dispatch, current }: Lab,
  key: string,
  fresh: T,
): [T, (change: Partial<T>) => void] {
  const now = (locals: State["locals"]): T => ({ ...fresh, ...locals.get(key) });
  const change = (change: Partial<T>): void =>
    dispatch({ type: "local", key, value: { ...now(current().state.locals), ...change } });
  return [now(state.locals), change];
}

/** What a lab is drawn into, and what only its owner can do. */
export interface Host {
  readonly root: ParentNode;
  readonly embedded: boolean;
  readonly bare: boolean;
  open: (page: Page) => void;
  refresh: () => void;
}

/** How to get a store's lab. Its frame is asked for more than once in a redraw, and never after it. */
export function labOf(store: Store, host: () => Host): () => Lab {
  const frameOf = memo(frameAt, { alike: [] });
  const { dispatch } = store;
  const current = (): Lab => {
    const program = programFor(store.state);
    const state = sound(store.state, program.graph);
    const { line } = program;
    const time = Math.min(state.time, limitOf(state, line));
    const now = (): number => Math.min(store.state.time, line.total);
    const seek = (next: number): void =>
      dispatch({ type: "seek", time: Math.min(next, limitOf(store.state, line)) });
    return {
      ...host(),
      state,
      program,
      // A pull is seen beside every gradient.
      frame: frameOf(line, state.pull ? line.total : time),
      veil: veilOf(state, line),
      fixed: state.given !== null,
      dispatch,
      seek,
      step: (way) => seek(stepFrom(line, now(), way)),
      stepPhase: (way) => seek(phaseFrom(line, now(), way)),
      playPause: () => {
        const again = time >= limitOf(state, line) && time >= line.total;
        dispatch({ type: "play", on: !state.playing, time: again && !state.playing ? 0 : time });
      },
      load: (text, values) =>
        dispatch({
          type: "load",
          text,
          values,
          play: state.page === "sandbox" && !calm() && !state.predict,
        }),
      current,
    };
  };
  return current;
}
