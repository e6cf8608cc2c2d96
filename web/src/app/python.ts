/**
 * Python in the page itself, where the site brings it (`gradwalk site`): the page's end.
 *
 * The worker is started by whoever first asks, and kept. A task that does not stop when it is called
 * off, or takes longer than it may, is ended together with its worker; the next question starts
 * another. So does each judgement, because a stranger's program may leave Python broken.
 *
 * The worker stands in a frame without an origin, with a policy of its own that reaches no address.
 * So this page fetches all that it loads, and hands it over.
 */

/** The tasks of the lab, and the examples of a page of the docs. */
export type Table = "answers" | "jobs" | "examples";

export type ToPython =
  | { id: number; table: Table; task: string; body: string }
  | { id: number; word: "pause" | "resume" | "cancel" };

export type FromPython =
  | { ready: true }
  | { failed: string }
  | { id: number; name: string; data: Uint8Array<ArrayBuffer> }
  | { id: number; died: string }
  | { id: number; ended: true };

/** The first message to the worker: what it loads, by name, and where it answers. */
export interface Parcel {
  port: MessagePort;
  files: Record<string, ArrayBuffer>;
}

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

/** A worker in its frame, and the tasks that run in it. */
class Python {
  readonly tasks = new Map<number, (heard: Heard) => void>();
  ready = false;
  private readonly frame = document.createElement("iframe");
  private readonly channel = new MessageChannel();

  constructor() {
    tell("loading");
    this.channel.port1.onmessage = ({ data }: MessageEvent<FromPython>) => {
      if ("ready" in data) {
        this.ready = true;
        tell("ready");
      } else if ("failed" in data) this.end(new PythonError("unloaded", data.failed));
      else this.tasks.get(data.id)?.(data);
    };
    this.frame.sandbox.add("allow-scripts");
    this.frame.hidden = true;
    this.frame.src = new URL("./python.html", import.meta.url).href;
    const shown = new Promise((resolve) => this.frame.addEventListener("load", resolve));
    window.addEventListener("message", this.broken);
    document.body.append(this.frame);
    Promise.all([filesOf(), shown]).then(
      ([[script, files]]) => {
        const { port2 } = this.channel;
        this.frame.contentWindow?.postMessage({ script, port: port2, files }, "*", [port2]);
      },
      (error: unknown) => this.end(new PythonError("unloaded", String(error))),
    );
  }

  post(message: ToPython): void {
    this.channel.port1.postMessage(message);
  }

  /** End the worker with all that runs in it. */
  end(why: PythonError): void {
    this.frame.remove();
    this.channel.port1.close();
    window.removeEventListener("message", this.broken);
    if (shared === this) shared = null;
    const ended = [...this.tasks.values()];
    this.tasks.clear();
    if (!shared) tell("no");
    for (const hear of ended) hear({ gone: why });
  }

  private readonly broken = ({ source, data }: MessageEvent<string>): void => {
    if (source === this.frame.contentWindow)
      this.end(new PythonError(this.ready ? "ended" : "unloaded", data));
  };
}

let shared: Python | null = null;
let asked = 0;

/** Load Python, if it is not there yet: someone is about to ask. */
export function wakePython(): Python {
  shared ??= new Python();
  return shared;
}

const RUNTIME = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"];
const FILES = [...RUNTIME, "pyodide-lock.json", "gradwalk.zip"];

/** Fetch the worker's script and the files that it loads. */
async function filesOf(): Promise<[ArrayBuffer, Parcel["files"]]> {
  const { search } = new URL(import.meta.url);
  const names = ["../python-worker.js", ...FILES];
  const [script, ...files] = await Promise.all(
    names.map(async (name) => {
      const answer = await fetch(new URL(`./python/${name}${search}`, import.meta.url));
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
      return answer.arrayBuffer();
    }),
  );
  return [script as ArrayBuffer, Object.fromEntries(FILES.map((name, k) => [name, files[k]]))];
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
  table: Table,
  task: string,
  fields: Record<string, unknown>,
  signal: AbortSignal,
  begun: (id: number) => void = () => {},
): AsyncGenerator<Frame> {
  await calledOff;
  signal.throwIfAborted();
  const python = shared?.tasks.size && task === "judge" ? new Python() : wakePython();
  if (task === "judge" && shared === python) shared = null; // nobody else asks it
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
  python.tasks.set(id, hear);
  signal.addEventListener("abort", () => wake(), { once: true });
  python.post({ id, table, task, body: JSON.stringify(fields) });
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
        python.end(new PythonError("ended", one.died));
        throw new PythonError("ended", one.died);
      }
      if (!("name" in one)) return;
      if (one.name === "begun") {
        const seconds = Number(new TextDecoder().decode(one.data));
        timer = window.setTimeout(
          () => python.end(new PythonError("slow", String(seconds))),
          1000 * seconds,
        );
      } else yield one;
    }
  } finally {
    clearTimeout(timer);
    if (task === "judge") {
      python.tasks.delete(id);
      python.end(new PythonError("ended"));
      wakePython(); // for the next
    } else if (python.tasks.has(id) && !ended) cancel(python, id);
    else python.tasks.delete(id);
  }
}

/** Call a task off; one that does not hear takes the worker with it. */
function cancel(python: Python, id: number): void {
  calledOff = new Promise((resolve) => {
    const late = window.setTimeout(() => {
      if (python.ready) python.end(new PythonError("ended"));
      resolve();
    }, GRACE);
    python.tasks.set(id, (heard) => {
      if (!("ended" in heard) && !("gone" in heard)) return;
      clearTimeout(late);
      python.tasks.delete(id);
      resolve();
    });
  });
  python.post({ id, word: "cancel" });
}

/** Pause a task, or let it go on. */
export function steerPython(id: number, word: "pause" | "resume"): void {
  shared?.post({ id, word });
}
