/**
 * Python in the page itself, where the site brings it (`gradwalk site`): the page's end.
 *
 * The worker is started by whoever first asks, and kept. A task that does not stop when it is called
 * off, or takes longer than it may, is ended together with its worker; the next question starts
 * another.
 */

import { startWorker } from "./workers.ts";

export type ToPython =
  | { id: number; table: "answers" | "jobs"; task: string; body: string }
  | { id: number; word: "pause" | "resume" | "cancel" };

export type FromPython =
  | { ready: true }
  | { failed: string }
  | { id: number; name: string; data: Uint8Array<ArrayBuffer> }
  | { id: number; died: string }
  | { id: number; ended: true };

export interface Frame {
  name: string;
  data: Uint8Array<ArrayBuffer>;
}

/** Why a task gave nothing: Python did not load, it took too long, it broke down. */
export class PythonError extends Error {
  constructor(
    readonly code: "unloaded" | "slow" | "ended",
    readonly detail = "",
  ) {
    super(code);
  }
}

/** Whether this page brings Python. */
export function hasPython(): boolean {
  return document.querySelector('meta[name="gradwalk-python"]') !== null;
}

export type Loading = "no" | "loading" | "ready";
let loading: Loading = "no";
const listeners = new Set<() => void>();

export function pythonLoading(): Loading {
  return loading;
}

/** Hear of Python's loading; calling the result ends that. */
export function onPython(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(now: Loading): void {
  loading = now;
  for (const listener of listeners) listener();
}

type Heard = FromPython | { gone: PythonError };
let worker: Worker | null = null;
let asked = 0;
const tasks = new Map<number, (heard: Heard) => void>();

/** Load Python, if it is not there yet: someone is about to ask. */
export function wakePython(): Worker {
  if (worker) return worker;
  const started = startWorker("python-worker");
  worker = started;
  tell("loading");
  started.onmessage = ({ data }: MessageEvent<FromPython>) => {
    if ("ready" in data) tell("ready");
    else if ("failed" in data) end(new PythonError("unloaded", data.failed));
    else tasks.get(data.id)?.(data);
  };
  started.onerror = (event) => {
    event.preventDefault();
    end(new PythonError(loading === "loading" ? "unloaded" : "ended", event.message ?? ""));
  };
  return started;
}

/** End the worker with all that runs in it. */
function end(why: PythonError): void {
  worker?.terminate();
  worker = null;
  const ended = [...tasks.values()];
  tasks.clear();
  tell("no");
  for (const hear of ended) hear({ gone: why });
}

/** The last task that was called off has stopped, or its worker has ended: nobody asks before. */
let calledOff: Promise<void> = Promise.resolve();

/** How long a task may take to notice that it was called off. */
const GRACE = 400;

/**
 * Run a task and yield its frames; the last is its result, or an error. Whoever stops listening, by
 * `return` or by the signal, ends it. `begun` hears the id to steer it by.
 */
export async function* frames(
  table: "answers" | "jobs",
  task: string,
  fields: Record<string, unknown>,
  signal: AbortSignal,
  begun: (id: number) => void = () => {},
): AsyncGenerator<Frame> {
  await calledOff;
  signal.throwIfAborted();
  const python = wakePython();
  asked += 1;
  const id = asked;
  const heard: Heard[] = [];
  let wake = (): void => {};
  let timer = 0;
  let ended = false;
  const hear = (one: Heard): void => {
    ended ||= "ended" in one;
    heard.push(one);
    wake();
  };
  tasks.set(id, hear);
  signal.addEventListener("abort", () => wake(), { once: true });
  python.postMessage({ id, table, task, body: JSON.stringify(fields) } satisfies ToPython);
  begun(id);
  try {
    for (;;) {
      signal.throwIfAborted();
      const one = heard.shift();
      if (!one) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      if ("gone" in one) throw one.gone;
      if ("died" in one) {
        end(new PythonError("ended", one.died));
        throw new PythonError("ended", one.died);
      }
      if (!("name" in one)) return;
      if (one.name === "begun") {
        const seconds = Number(new TextDecoder().decode(one.data));
        timer = window.setTimeout(
          () => end(new PythonError("slow", String(seconds))),
          1000 * seconds,
        );
      } else yield one;
    }
  } finally {
    clearTimeout(timer);
    if (tasks.has(id) && worker === python && !ended) cancel(python, id);
    else tasks.delete(id);
  }
}

/** Call a task off; one that does not hear takes the worker with it. */
function cancel(python: Worker, id: number): void {
  calledOff = new Promise((resolve) => {
    const late = window.setTimeout(() => {
      if (worker === python && loading === "ready") end(new PythonError("ended"));
      resolve();
    }, GRACE);
    tasks.set(id, (heard) => {
      if (!("ended" in heard) && !("gone" in heard)) return;
      clearTimeout(late);
      tasks.delete(id);
      resolve();
    });
  });
  python.postMessage({ id, word: "cancel" } satisfies ToPython);
}

/** Pause a task, or let it go on. */
export function steerPython(id: number, word: "pause" | "resume"): void {
  worker?.postMessage({ id, word } satisfies ToPython);
}
