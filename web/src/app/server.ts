/**
 * The one place that asks Python: the lab's own server, or the page's own Python (`python.ts`).
 *
 * `gradwalk lab` prints an address with a code in it.
 * The code opens the lab once. It is taken out of the address and handed in at once, for a secret of
 * this tab. The secret is in the sessionStorage, so a reload stays connected, and in no link, history
 * or timing entry. It is no cookie: browsers send those to every port of this machine.
 */

import type { Trouble, TroubleCode } from "../strings/trouble.ts";
import { type Frame, frames, hasPython, PythonError, steerPython, wakePython } from "./python.ts";

const KEY = "gradwalk-secret";
let code = "";
let secret = "";
let handedIn: Promise<unknown> = Promise.resolve();

const CODE = /([?&])token=([\w-]{1,200})(&|$)/;

/** Take the code out of the address, if one is in it, and hand it in. */
export function takeToken(): void {
  const match = CODE.exec(location.hash);
  if (!match) return;
  code = match[2];
  const rest = location.hash.replace(CODE, (_, before: string, _code, after: string) =>
    after === "" ? "" : before,
  );
  try {
    history.replaceState(history.state, "", rest || "#");
  } catch {
    // Refused, as in a sandboxed frame: the address stays, and is that frame's own.
  }
  handedIn = handIn().catch(() => {}); // the first question that is asked says what is wrong
}

async function handIn(): Promise<void> {
  const opened = await answered(send("/api/session", post({}), code));
  ({ secret } = (await opened.json()) as { secret: string });
  try {
    sessionStorage.setItem(KEY, secret);
  } catch {
    // No storage, as in a sandboxed frame: connected until the next reload.
  }
}

/** Whether Python can be asked. */
export function isConnected(): boolean {
  return isInPage() || hasServer();
}

/** Whether it is the page's own Python, which has no C. */
export function isInPage(): boolean {
  return hasPython() && !hasServer();
}

/** Let the page's own Python load: someone is about to ask it. */
export function expect(): void {
  if (isInPage()) wakePython();
}

function hasServer(): boolean {
  return code !== "" || kept() !== "";
}

/** The secret of this tab, or "". */
function kept(): string {
  try {
    secret ||= sessionStorage.getItem(KEY) ?? "";
  } catch {
    // A sandboxed frame has no storage, and says so by an error.
  }
  return secret;
}

export interface ServerEvent {
  name: string;
  data: unknown;
}

/** Why the server gave nothing. */
export class ServerError extends Error implements Trouble {
  constructor(
    readonly code: TroubleCode,
    readonly detail = "",
  ) {
    super(`${code} ${detail}`.trim());
  }
}

async function ask(path: string, options: RequestInit = {}): Promise<Response> {
  await handedIn;
  try {
    return await send(path, options, kept());
  } catch (error) {
    // A fetch that nobody answers fails with a TypeError; one that was called off does not.
    throw error instanceof TypeError ? new ServerError("gone") : error;
  }
}

function post(fields: Record<string, unknown>, signal?: AbortSignal): RequestInit {
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(fields), ...(signal && { signal }) };
}

function send(path: string, options: RequestInit, token: string): Promise<Response> {
  return fetch(path, {
    ...options,
    headers: { ...options.headers, "x-gradwalk-token": token },
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
  });
}

/**
 * Run a job and yield its events; the last is its result. An error of the job is thrown. Whoever
 * stops listening, by `return` or by the signal, cancels it. `begun` hears the job's id.
 */
export async function* job(
  kind: string,
  fields: Record<string, unknown>,
  signal: AbortSignal,
  begun: (id: string) => void = () => {},
): AsyncGenerator<ServerEvent> {
  if (isInPage()) {
    const tell = (id: number): void => begun(String(id));
    for await (const { name, data } of inPage("jobs", kind, fields, signal, tell))
      yield { name, data: JSON.parse(text(data)) };
    return;
  }
  const started = await answered(ask("/api/jobs", post({ kind, ...fields }, signal)));
  const { id } = (await started.json()) as { id: string };
  begun(id);
  yield* follow(id, signal, true);
}

/** Yield the events of a job that runs; with `own`, whoever stops listening cancels it. */
export async function* follow(
  id: string,
  signal: AbortSignal,
  own = false,
): AsyncGenerator<ServerEvent> {
  let ended = false;
  try {
    const response = await answered(ask(`/api/jobs/${id}/events`, { signal }));
    for await (const event of events(response.body!)) {
      ended = event.name === "result" || event.name === "error" || event.name === "cancelled";
      if (event.name === "error" || event.name === "cancelled")
        throw new ServerError("said", (event.data as { message?: string }).message ?? event.name);
      yield event;
      if (ended) return;
    }
    throw new ServerError("broke");
  } catch (error) {
    // The connection broke while events were read.
    throw error instanceof TypeError ? new ServerError("broke") : error;
  } finally {
    if (own && !ended) void ask(`/api/jobs/${id}`, { method: "DELETE" }).catch(() => {});
  }
}

/** Pause a job, or let it go on. */
export async function steer(id: string, word: "pause" | "resume"): Promise<void> {
  if (isInPage()) return steerPython(Number(id), word);
  await answered(ask(`/api/jobs/${id}/${word}`, post({})));
}

/** Ask for something that is answered at once. */
export async function answer(
  task: string,
  fields: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  return JSON.parse(text(await answerBytes(task, fields, signal)));
}

/** The same, for what is answered in bytes. */
export async function answerBytes(
  task: string,
  fields: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  if (!isInPage()) return (await answered(ask(`/api/${task}`, post(fields, signal)))).arrayBuffer();
  let last = new Uint8Array().buffer;
  for await (const { data } of inPage("answers", task, fields, signal)) last = data.buffer;
  return last;
}

function text(data: ArrayBuffer | Uint8Array): string {
  return new TextDecoder().decode(data);
}

/** Frames of the page's own Python; what went wrong is thrown as it is by a server. */
async function* inPage(
  table: "answers" | "jobs",
  task: string,
  fields: Record<string, unknown>,
  signal: AbortSignal,
  begun?: (id: number) => void,
): AsyncGenerator<Frame> {
  try {
    for await (const frame of frames(table, task, fields, signal, begun)) {
      if (frame.name === "error")
        throw new ServerError("said", JSON.parse(text(frame.data)).message);
      yield frame;
    }
  } catch (error) {
    throw error instanceof PythonError ? new ServerError(error.code, error.detail) : error;
  }
}

async function answered(asked: Promise<Response>): Promise<Response> {
  const response = await asked;
  if (response.ok) return response;
  const found = (await response.json().catch(() => ({}))) as { message?: string };
  throw found.message
    ? new ServerError("said", found.message)
    : new ServerError("status", String(response.status));
}

/** Server-sent events out of a stream: fields in lines, an empty line between events. */
export async function* events(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = stream.pipeThrough(new TextDecoderStream() as never).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = (await reader.read()) as ReadableStreamReadResult<string>;
      if (done) return;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop()!;
      for (const block of blocks) {
        const event = read(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function read(block: string): ServerEvent | null {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, text] = /^(\w*): ?(.*)$/s.exec(line) ?? [];
    if (field === "event") name = text;
    else if (field === "data") data.push(text);
  }
  // A comment, such as a heartbeat, has no data.
  return data.length ? { name, data: JSON.parse(data.join("\n")) } : null;
}
