/**
 * The questions to Python, driven by the store. A state that wants an answer starts a job, the job's
 * events become actions, and a state that no longer wants the answer cancels the job. What was asked
 * and how far it is lies in the store; only the connection that can be cancelled is kept here.
 */

import type { Compiled } from "./compiled.ts";
import { variablesOf } from "./derive.ts";
import { answer, isConnected, job, ServerError } from "./server.ts";
import type { Check, CheckedLeaf, Compiling, State } from "./state.ts";
import type { Store } from "./store.ts";

/** Start jobs as the state asks for them; calling the result ends them all. */
export function runJobs(store: Store): () => void {
  const proof = new Connection();
  const program = new Connection();
  const look = (): void => {
    const { state, dispatch } = store;
    const connected = isConnected() && state.given === null;
    const proofWanted = state.proof && connected ? proofKey(state) : "";
    if (state.check?.key !== proof.key) proof.close();
    if (isStale(state.check, proofWanted)) {
      const signal = proof.open(proofWanted);
      if (proofWanted) void check(store, proofWanted, signal);
      else dispatch({ type: "set", change: { check: null } });
    }
    const programWanted =
      state.page === "program" && connected ? JSON.stringify([state.good, state.strict]) : "";
    if (state.compiled?.key !== program.key) program.close();
    if (isStale(state.compiled, programWanted)) {
      const signal = program.open(programWanted);
      if (programWanted) void compile(store, programWanted, signal);
      else dispatch({ type: "set", change: { compiled: null } });
    }
  };
  const unsubscribe = store.subscribe(look);
  look();
  return () => {
    unsubscribe();
    proof.close();
    program.close();
  };
}

/** One question at a time: opening the next one cancels the last. */
class Connection {
  key = "";
  #stop = new AbortController();

  open(key: string): AbortSignal {
    this.close();
    this.key = key;
    this.#stop = new AbortController();
    return this.#stop.signal;
  }

  close(): void {
    this.key = "";
    this.#stop.abort();
  }
}

/** Whether another question is to be asked, or a running one is no longer wanted. */
function isStale(job: { key: string; running: boolean } | null, wanted: string): boolean {
  return wanted ? job?.key !== wanted : job?.running === true;
}

function proofKey(state: State): string {
  return JSON.stringify([state.good, state.strict, [...valuesOf(state)]]);
}

function valuesOf(state: State): Map<string, number> {
  return new Map(variablesOf(state).map((name) => [name, state.values.get(name) ?? 1]));
}

function troubleOf(error: unknown): ServerError {
  return error instanceof ServerError ? error : new ServerError("said", String(error));
}

async function check(store: Store, key: string, signal: AbortSignal): Promise<void> {
  const { dispatch, state } = store;
  const fields = {
    expression: state.good,
    values: Object.fromEntries(valuesOf(state)),
    strict: state.strict,
  };
  let now: Check = { key, running: true, done: 0, total: 0, leaves: null, problem: null };
  const tell = (change: Partial<Check>): void => {
    now = { ...now, ...change };
    if (!signal.aborted) dispatch({ type: "set", change: { check: now } });
  };
  tell({});
  try {
    for await (const { name, data } of job("gradcheck", fields, signal)) {
      if (name === "progress") tell(data as { done: number; total: number });
      if (name === "result")
        tell({ running: false, leaves: (data as { leaves: readonly CheckedLeaf[] }).leaves });
    }
  } catch (error) {
    tell({ running: false, leaves: null, problem: troubleOf(error) });
  }
}

async function compile(store: Store, key: string, signal: AbortSignal): Promise<void> {
  const { good: expression, strict, compiled } = store.state;
  const tell = (change: Partial<Compiling>): void => {
    const next = { key, running: false, result: null, problem: null, ...change };
    if (!signal.aborted) store.dispatch({ type: "set", change: { compiled: next } });
  };
  // Until the answer comes, the last one stands.
  tell({ running: true, result: compiled?.result ?? null });
  try {
    tell({ result: (await answer("program", { expression, strict }, signal)) as Compiled });
  } catch (error) {
    tell({ problem: troubleOf(error) });
  }
}
