/** Playing: time goes on by the frame, or, where motion is unwelcome, by the event. */

import { programFor } from "./derive.ts";
import { isSettled, predicted, type State } from "./state.ts";
import type { Store } from "./store.ts";
import { stopAt, type Timeline } from "./timeline.ts";

const STEP_PAUSE = 900;
const DESCENT_PAUSE = 90;
const CALM_STEPS = 10;

export const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The first contribution that is still to be predicted; infinity when nothing is asked. */
export function veilOf(state: State, line: Timeline): number {
  if (!state.predict || state.page !== "sandbox") return Number.POSITIVE_INFINITY;
  const found = line.events.findIndex(
    (event, i) => event.kind === "push" && !isSettled(predicted(state, i)),
  );
  return found < 0 ? Number.POSITIVE_INFINITY : found;
}

/** The latest moment that may be shown. */
export function limitOf(state: State, line: Timeline): number {
  // A question of a lesson is open: what it asks for comes later.
  if (state.hold !== null) return Math.min(state.hold, line.total);
  return line.events[veilOf(state, line)]?.start ?? line.total;
}

/** The moment one event on or back from `time`. */
export function stepFrom(line: Timeline, time: number, way: number): number {
  if (way > 0) return line.events.find((event) => event.end > time + 1e-6)?.end ?? line.total;
  return line.events.findLast((event) => event.end < time - 1e-6)?.end ?? 0;
}

/** The moment one phase on or back. */
export function phaseFrom(line: Timeline, time: number, way: number): number {
  const ends = [0, ...line.phases.map((span) => span.end)];
  if (way > 0) return ends.find((end) => end > time + 1e-6) ?? line.total;
  return ends.findLast((end) => end < time - 1e-6) ?? 0;
}

export class Player {
  #raf = 0;
  #last = 0;
  #waited = 0;

  #unsubscribe: () => void;

  constructor(private store: Store) {
    this.#unsubscribe = store.subscribe(() => this.wake());
  }

  stop(): void {
    this.#unsubscribe();
    cancelAnimationFrame(this.#raf);
    this.#raf = 0;
  }

  wake(): void {
    const { playing, descending } = this.store.state;
    if ((!playing && !descending) || this.#raf) return;
    this.#last = performance.now();
    this.#waited = 0;
    this.#raf = requestAnimationFrame(this.#tick);
  }

  /** A step down, then a pause; where motion is unwelcome, many at once and a rest. */
  #descend(now: number): void {
    this.#raf = requestAnimationFrame(this.#tick);
    const pause = calm() ? STEP_PAUSE : DESCENT_PAUSE;
    if (now - this.#stepped < pause) return;
    this.#stepped = now;
    this.store.dispatch({ type: "descend", steps: calm() ? CALM_STEPS : 1 });
  }

  #stepped = 0;

  #tick = (now: number): void => {
    this.#raf = 0;
    const { state } = this.store;
    if (state.descending) {
      this.#descend(now);
      return;
    }
    if (!state.playing) return;
    const { line } = programFor(state);
    const passed = Math.min(100, Math.max(0, now - this.#last)) * state.speed;
    this.#last = now;
    const limit = Math.min(limitOf(state, line), state.until ?? line.total);
    let time = Math.min(state.time, line.total);
    if (calm()) {
      this.#waited += passed;
      if (this.#waited >= STEP_PAUSE) {
        this.#waited = 0;
        time = line.stay ? line.stay * (stopAt(line, time) + 1) : stepFrom(line, time, 1);
      }
    } else time += passed;
    time = Math.min(time, limit);
    this.#raf = requestAnimationFrame(this.#tick);
    if (time >= limit) this.store.dispatch({ type: "play", on: false, time });
    else if (time !== state.time) this.store.dispatch({ type: "seek", time, keepPlaying: true });
  };
}
