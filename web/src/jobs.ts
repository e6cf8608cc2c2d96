/**
 * What Python is asked, driven by the store: a state that wants an answer starts a job, its events
 * become actions, and a state that no longer wants it calls it off. No element asks by itself.
 */

import type { Compiled } from "./compiled.ts";
import { variablesOf } from "./program.ts";
import { answer, isConnected, job, type ServerError } from "./server.ts";
import type { CheckedLeaf, State } from "./state.ts";
import type { Store } from "./store.ts";

/** Start jobs as the state asks for them; the result ends them all. */
export function runJobs(store: Store): () => void {
  const proof = new Slot();
  const program = new Slot();
  const look = (state: State): void => {
    const connected = isConnected() && state.given === null;
    proof.want(state.proof && connected ? proofKey(state) : "", (signal) =>
      check(store, state, signal),
    );
    program.want(
      state.page === "program" && connected ? JSON.stringify([state.good, state.strict]) : "",
      (signal) => compile(store, state, signal),
    );
  };
  const unsubscribe = store.subscribe(look);
  look(store.state);
  return () => {
    unsubscribe();
    proof.want("", () => {});
    program.want("", () => {});
  };
}

/** One question at a time: another one calls the last one off. */
class Slot {
  #key = "";
  #stop = new AbortController();

  want(key: string, start: (signal: AbortSignal) => void): void {
    if (key === this.#key) return;
    this.#key = key;
    this.#stop.abort();
    this.#stop = new AbortController();
    if (key) start(this.#stop.signal);
  }
}

function proofKey(state: State): string {
  return JSON.stringify([state.good, state.strict, [...valuesOf(state)]]);
}

function valuesOf(state: State): Map<string, number> {
  return new Map(variablesOf(state).map((name) => [name, state.values.get(name) ?? 1]));
}

async function check(store: Store, state: State, signal: AbortSignal): Promise<void> {
  const { dispatch } = store;
  const fields = {
    expression: state.good,
    values: Object.fromEntries(valuesOf(state)),
    strict: state.strict,
  };
  dispatch({ type: "checking", check: { done: 0, total: 0, leaves: null, problem: null } });
  try {
    for await (const { name, data } of job("gradcheck", fields, signal)) {
      if (signal.aborted) return;
      const now = store.state.check!;
      if (name === "progress")
        dispatch({
          type: "checking",
          check: { ...now, ...(data as { done: number; total: number }) },
        });
      if (name === "result") {
        const { leaves } = data as { leaves: readonly CheckedLeaf[] };
        dispatch({ type: "checking", check: { ...now, leaves } });
      }
    }
  } catch (error) {
    if (signal.aborted) return;
    const check = { done: 0, total: 0, leaves: null, problem: error as ServerError };
    dispatch({ type: "checking", check });
  }
}

async function compile(store: Store, state: State, signal: AbortSignal): Promise<void> {
  const { dispatch } = store;
  const before = store.state.compiled?.result ?? null;
  dispatch({ type: "compiled", compiled: { result: before, problem: null } });
  try {
    const fields = { expression: state.good, strict: state.strict };
    const result = (await answer("program", fields, signal)) as Compiled;
    if (!signal.aborted) dispatch({ type: "compiled", compiled: { result, problem: null } });
  } catch (error) {
    if (signal.aborted) return;
    dispatch({ type: "compiled", compiled: { result: null, problem: error as ServerError } });
  }
}
