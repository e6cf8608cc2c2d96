/**
 * Python in the page: Pyodide with the package `gradwalk`, in a worker that the page may end.
 *
 * It computes what the lab's server computes, by the same tasks (gradwalk/lab/page.py). Between two
 * events of a task it listens, so that a run can be paused, called off, or wait for another's answer.
 * Once all is loaded it gives up the network and the storage: whatever someone's program does then,
 * it does to this worker alone.
 */

import type { FromPython, ToPython } from "../app/python.ts";

interface Proxy {
  destroy(): void;
}
interface Events extends Proxy {
  next(): { done: boolean; value: Proxy & { toJs(): [string, Uint8Array<ArrayBuffer>] } };
  return(): unknown;
}
interface Pyodide {
  unpackArchive(content: ArrayBuffer, format: "zip", options: { extractDir: string }): void;
  pyimport(name: string): { ask(table: string, task: string, body: string): Events };
  runPython(code: string): void;
}

const worker = globalThis as unknown as {
  postMessage(message: FromPython, transfer?: Transferable[]): void;
  onmessage: (event: MessageEvent<ToPython>) => void;
};

/** Tasks that run: "go on", unless the page has said another word since. */
const words = new Map<number, string>();

const loaded = load().then(
  (python) => {
    worker.postMessage({ ready: true });
    return python;
  },
  (error: unknown) => {
    worker.postMessage({ failed: String(error) });
    throw error;
  },
);
loaded.catch(() => {});

/** A static server may not know the type of WebAssembly, and browsers insist on it. */
function typed<T extends unknown[]>(compile: (source: Response, ...rest: T) => unknown) {
  return async (source: Response | Promise<Response>, ...rest: T): Promise<unknown> => {
    const headers = { "content-type": "application/wasm" };
    return compile(new Response((await source).body, { headers }), ...rest);
  };
}

async function load(): Promise<ReturnType<Pyodide["pyimport"]>> {
  const { compileStreaming, instantiateStreaming } = WebAssembly;
  Object.assign(WebAssembly, {
    compileStreaming: typed(compileStreaming),
    instantiateStreaming: typed(instantiateStreaming),
  });
  const base = new URL("./python/", import.meta.url).href;
  const [{ loadPyodide }, archive] = await Promise.all([
    import(`${base}pyodide.mjs`) as Promise<{ loadPyodide(options: object): Promise<Pyodide> }>,
    fetch(`${base}gradwalk.zip`).then((answer) => {
      if (!answer.ok) throw new Error(`gradwalk.zip: ${answer.status}`);
      return answer.arrayBuffer();
    }),
  ]);
  const pyodide = await loadPyodide({ indexURL: base, stdout: () => {}, stderr: console.info });
  pyodide.unpackArchive(archive, "zip", { extractDir: "/gradwalk" });
  pyodide.runPython("import sys; sys.path.insert(0, '/gradwalk')");
  const page = pyodide.pyimport("gradwalk.lab.page");
  giveUp();
  return page;
}

/** Take away all that reaches beyond this worker. */
function giveUp(): void {
  const names =
    "fetch XMLHttpRequest WebSocket WebTransport EventSource Worker importScripts indexedDB caches BroadcastChannel navigator cookieStore";
  for (const name of names.split(" "))
    for (let at: object | null = globalThis; at; at = Object.getPrototypeOf(at))
      Reflect.deleteProperty(at, name);
}

worker.onmessage = ({ data }) => {
  if ("word" in data) {
    const { id, word } = data;
    if (!words.has(id)) return;
    words.set(id, word);
    const told = new TextEncoder().encode("{}");
    if (word !== "cancel") worker.postMessage({ id, name: `${word}d`, data: told });
  } else {
    words.set(data.id, "resume");
    void run(data);
  }
};

async function run({ id, table, task, body }: Extract<ToPython, { body: string }>): Promise<void> {
  const python = await loaded;
  const events = python.ask(table, task, body);
  try {
    for (;;) {
      await breath();
      if (words.get(id) === "cancel") break;
      if (words.get(id) === "pause") continue;
      const { done, value } = events.next();
      if (done) break;
      const [name, data] = value.toJs();
      value.destroy();
      worker.postMessage({ id, name, data }, [data.buffer]);
    }
  } catch (error) {
    worker.postMessage({ id, died: String(error) });
  } finally {
    events.return();
    events.destroy();
    words.delete(id);
    worker.postMessage({ id, ended: true });
  }
}

/** Let messages come in; a paused run has no hurry. */
function breath(): Promise<void> {
  const paused = [...words.values()].every((word) => word === "pause");
  return new Promise((resolve) => setTimeout(resolve, paused ? 50 : 0));
}
