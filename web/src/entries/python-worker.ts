/**
 * Python in the page: Pyodide with the package `gradwalk`, in a worker that the page may end.
 *
 * It computes what the lab's server computes, by the same tasks (gradwalk/lab/page.py). Between two
 * events of a task it listens, so that a run can be paused, called off, or wait for another's answer.
 * It runs in a frame without an origin (python.html of `gradwalk site`), whose policy it inherits: no
 * address can be reached from it, and no storage. All that it loads comes in its first message.
 */

import type { FromPython, Parcel, ToPython } from "../app/python.ts";

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

const parcel = new Promise<Parcel>((resolve) => {
  globalThis.onmessage = ({ data }: MessageEvent<Parcel>) => resolve(data);
});

/** Tasks that run: "go on", unless the page has said another word since. */
const words = new Map<number, string>();

const loaded = parcel.then(async ({ port, files }) => {
  try {
    const python = await load(files);
    port.postMessage({ ready: true } satisfies FromPython);
    return { python, port };
  } catch (error) {
    port.postMessage({ failed: String(error) } satisfies FromPython);
    throw error;
  }
});
loaded.catch(() => {});
parcel.then(({ port }) => {
  port.onmessage = hear;
});

const NOWHERE = "https://python.invalid/";

async function load(files: Parcel["files"]): Promise<ReturnType<Pyodide["pyimport"]>> {
  const file = (name: string): ArrayBuffer => files[name] as ArrayBuffer;
  const module = (name: string) => {
    const type = "text/javascript";
    return import(URL.createObjectURL(new Blob([file(name)], { type })));
  };
  globalThis.fetch = async (address) => {
    const headers = { "content-type": "application/wasm" };
    return new Response(file(String(address).replace(NOWHERE, "")), { headers });
  };
  const [{ loadPyodide }, { default: createPyodideModule }] = (await Promise.all([
    module("pyodide.mjs"),
    module("pyodide.asm.mjs"),
  ])) as [{ loadPyodide(options: object): Promise<Pyodide> }, { default: unknown }];
  const pyodide = await loadPyodide({
    indexURL: NOWHERE,
    createPyodideModule,
    lockFileContents: new TextDecoder().decode(file("pyodide-lock.json")),
    packageBaseUrl: NOWHERE,
    stdout: () => {},
    stderr: console.info,
  });
  pyodide.unpackArchive(file("gradwalk.zip"), "zip", { extractDir: "/gradwalk" });
  pyodide.runPython("import sys; sys.path.insert(0, '/gradwalk')");
  const page = pyodide.pyimport("gradwalk.lab.page");
  giveUp();
  return page;
}

/** Take away all that reaches beyond this worker: the policy refuses it, this says so sooner. */
function giveUp(): void {
  const names =
    "fetch XMLHttpRequest WebSocket WebTransport EventSource Worker importScripts indexedDB caches BroadcastChannel navigator cookieStore";
  for (const name of names.split(" "))
    for (let at: object | null = globalThis; at; at = Object.getPrototypeOf(at))
      Reflect.deleteProperty(at, name);
}

function hear({ data }: MessageEvent<ToPython>): void {
  if ("word" in data) {
    const { id, word } = data;
    if (!words.has(id)) return;
    words.set(id, word);
    const told = new TextEncoder().encode("{}");
    if (word !== "cancel") void tell({ id, name: `${word}d`, data: told });
  } else {
    words.set(data.id, "resume");
    void run(data);
  }
}

async function tell(message: FromPython, transfer: Transferable[] = []): Promise<void> {
  (await parcel).port.postMessage(message, transfer);
}

async function run({ id, table, task, body }: Extract<ToPython, { body: string }>): Promise<void> {
  const { python, port } = await loaded;
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
      port.postMessage({ id, name, data } satisfies FromPython, [data.buffer]);
    }
  } catch (error) {
    port.postMessage({ id, died: String(error) } satisfies FromPython);
  } finally {
    events.return();
    events.destroy();
    words.delete(id);
    port.postMessage({ id, ended: true } satisfies FromPython);
  }
}

/** Let messages come in; a paused run has no hurry. */
function breath(): Promise<void> {
  const paused = [...words.values()].every((word) => word === "pause");
  return new Promise((resolve) => setTimeout(resolve, paused ? 50 : 0));
}
