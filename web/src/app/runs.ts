/**
 * Training runs that are watched: a GPT of the lab's server, or someone's own script.
 *
 * A `Run` collects the events of one job. It holds numbers only; whoever shows them asks again when
 * `changed` is called, at most once a frame.
 */

import { readTape, type Tape } from "../core/index.ts";
import {
  answer,
  answerBytes,
  follow,
  isInPage,
  job,
  type ServerError,
  type ServerEvent,
  steer,
} from "./server.ts";

export interface GptSettings {
  readonly steps: number;
  readonly n_embd: number;
  readonly n_layer: number;
  readonly n_head: number;
  readonly block_size: number;
  readonly seed: number;
  readonly lr: number;
  readonly text: string;
  readonly broken: string;
  readonly pace: number;
}

export const REFERENCE: GptSettings = {
  steps: 1000,
  n_embd: 16,
  n_layer: 1,
  n_head: 4,
  block_size: 16,
  seed: 42,
  lr: 0.01,
  text: "",
  broken: "",
  pace: 100,
};

/** What Python without C trains while someone looks on. */
export const IN_PAGE: GptSettings = { ...REFERENCE, steps: 100, pace: 0 };

/** Sizes to choose from. */
export const SIZES: Record<string, Partial<GptSettings>> = {
  tiny: { n_embd: 8, n_layer: 1, n_head: 2, block_size: 8 },
  reference: { n_embd: 16, n_layer: 1, n_head: 4, block_size: 16 },
  deep: { n_embd: 16, n_layer: 2, n_head: 4, block_size: 16 },
};

/** The parts of a model that can be taken out, as `gradwalk.gpt.breaks` names them. */
export const BREAKS: readonly string[] = [
  "no-residual",
  "no-rmsnorm",
  "no-position",
  "no-attention",
  "no-relu",
  "overwrite-grads",
  "no-zero-grad",
  "no-decay",
];

export type Status = "starting" | "running" | "paused" | "done" | "stopped" | "failed";

export interface Point {
  readonly step: number;
  readonly loss: number;
}

export interface Sample {
  readonly step: number;
  readonly texts: readonly string[];
}

export interface Attention {
  readonly step: number;
  readonly document: string;
  readonly tokens: readonly string[];
  /** By layer, head, token that looks, token that is looked at. */
  readonly weights: readonly (readonly (readonly (readonly number[])[])[])[];
}

export interface TensorRow {
  readonly name: string;
  readonly shape: readonly number[];
  readonly norm: number | string;
  readonly grad_norm: number | string;
}

export interface Bins {
  readonly low: number;
  readonly high: number;
  readonly counts: readonly number[];
  readonly zeros?: number;
  readonly strange: number;
}

export interface Histograms {
  readonly step: number;
  readonly parameters: Bins;
  readonly gradients: Bins;
}

/** The first nan or infinity of a run: who made it, from what, and how it reaches the loss. */
export interface Anomaly {
  readonly step: number;
  readonly message: string;
  /** Its node in the graph that Python keeps; −1 where there is no graph yet. */
  readonly node: number;
  readonly line: readonly [string, number] | null;
  readonly source: string;
  readonly operands: readonly (readonly [string, number | string])[];
  readonly path: readonly string[];
}

const MOST_POINTS = 4000;
const MOST_SAMPLES = 40;

export class Run {
  status: Status = "starting";
  problem: ServerError | null = null;
  points: Point[] = [];
  samples: Sample[] = [];
  attention: Attention | null = null;
  tensors: readonly TensorRow[] = [];
  histograms: Histograms | null = null;
  anomaly: Anomaly | null = null;
  /** Whether it was trained before, and is only told. */
  recorded = false;
  /** Whether it is a script of someone's own, and what that is called. */
  readonly watched: boolean;
  title = "";
  /** How many parameters the model has, and how many documents there are. */
  parameters = 0;
  documents = 0;
  step = 0;
  document = "";

  readonly settings: GptSettings;
  readonly #changed: () => void;
  #stop = new AbortController();
  #id = "";

  constructor(settings: GptSettings, changed: () => void, watched = "") {
    this.settings = settings;
    this.watched = watched !== "";
    this.#id = watched;
    this.#changed = changed;
  }

  get loss(): number {
    return this.points.at(-1)?.loss ?? Number.NaN;
  }

  get isOver(): boolean {
    return this.status === "done" || this.status === "stopped" || this.status === "failed";
  }

  /** Start it, and follow it to its end. */
  async start(): Promise<void> {
    const { signal } = this.#stop;
    const begun = (id: string): void => {
      this.#id = id;
    };
    const events = this.watched
      ? follow(this.#id, signal)
      : job("gpt", { ...this.settings }, signal, begun);
    try {
      for await (const event of events) this.hear(event);
      this.status = "done";
    } catch (error) {
      if (this.#stop.signal.aborted) this.status = "stopped";
      else {
        this.status = "failed";
        this.problem = error as ServerError;
      }
    }
    this.#changed();
  }

  /** Tell what was recorded, from where it stopped, step by step or, without a pace, at once. */
  tell(events: readonly ServerEvent[], pace: number): void {
    this.recorded = true;
    this.#events = events;
    this.#told ||= 0;
    this.#go(pace);
  }

  #events: readonly ServerEvent[] = [];
  #told = 0;
  #timer = 0;

  #go(pace: number): void {
    const before = this.step;
    while (this.#told < this.#events.length && (!pace || this.step === before)) {
      this.hear(this.#events[this.#told]);
      this.#told += 1;
    }
    if (this.#told === this.#events.length) this.status = "done";
    else {
      const steps = Math.max(1, this.step - before);
      this.#timer = window.setTimeout(() => this.#go(pace), (1000 * steps) / pace);
    }
    this.#changed();
  }

  async pause(on: boolean): Promise<void> {
    if (this.recorded) {
      clearTimeout(this.#timer);
      this.status = on ? "paused" : "running";
      if (!on) this.#go(this.settings.pace);
      this.#changed();
      return;
    }
    if (this.#id && !this.isOver) await steer(this.#id, on ? "pause" : "resume");
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
  }

  /** The graph of one step's loss, which Python computes anew; of a script, that of its next step. */
  async graph(at: number, signal: AbortSignal): Promise<Tape> {
    if (this.watched) return readTape(await answerBytes("watch/graph", {}, signal));
    const { pace: _pace, ...fields } = this.settings;
    return readTape(await answerBytes("gpt-graph", { ...fields, at }, signal));
  }

  hear({ name, data }: ServerEvent): void {
    const event = data as Record<string, unknown> & { step: number };
    switch (name) {
      case "start":
        this.status = "running";
        this.parameters = event.parameters as number;
        this.documents = event.documents as number;
        this.title = (event.title as string | undefined) ?? "";
        break;
      case "paused":
      case "resumed":
        this.status = name === "paused" ? "paused" : "running";
        break;
      case "step":
        this.step = event.step;
        this.document = event.document as string;
        // A line of many steps has their mean, too: what happened is the points.
        for (const [step, loss] of (event.points as [number, number][] | undefined) ?? [
          [event.step, event.loss as number],
        ])
          this.points.push({ step, loss: Number(loss) });
        if (this.points.length > MOST_POINTS)
          this.points = this.points.filter((_, i, { length }) => (length - i) % 2);
        break;
      case "sample":
        this.samples.push({ step: event.step, texts: event.texts as string[] });
        // The first ones stay: they are what the last ones are better than.
        if (this.samples.length > MOST_SAMPLES)
          this.samples = this.samples.filter((_, i) => i % 2 === 0);
        break;
      case "attention":
        this.attention = event as unknown as Attention;
        break;
      case "statistics":
        this.tensors = event.tensors as TensorRow[];
        break;
      case "anomaly":
        this.anomaly = event as unknown as Anomaly;
        break;
      case "histograms":
        this.histograms = event as unknown as Histograms;
        break;
      case "result":
        this.step = event.step;
        if (event.texts) this.samples.push({ step: event.step, texts: event.texts as string[] });
        break;
    }
    this.#changed();
  }
}

/** The points of a curve, smoothed: each is the mean of those around it. */
export function smoothed(points: readonly Point[], width: number): Point[] {
  const half = Math.floor(width / 2);
  const sums = [0];
  let [seen, strange] = [0, 0];
  const bad: number[] = [0];
  for (const { loss } of points) {
    seen += Number.isFinite(loss) ? loss : 0;
    strange += Number.isFinite(loss) ? 0 : 1;
    sums.push(seen);
    bad.push(strange);
  }
  return points.map(({ step }, i) => {
    const [from, to] = [Math.max(0, i - half), Math.min(points.length, i + half + 1)];
    const count = to - from - (bad[to] - bad[from]);
    return { step, loss: count ? (sums[to] - sums[from]) / count : Number.NaN };
  });
}

/** The job of a script that Python watches, or an empty text. */
export async function watchedJob(signal: AbortSignal): Promise<string> {
  if (isInPage()) return ""; // no script runs there
  const { id } = (await answer("watch", {}, signal)) as { id: string | null };
  return id ?? "";
}
