/**
 * What the floor plan asks of its worker: rooms that are laid out, ways to a node, paths.
 *
 * `PlanWork` does it, wherever it runs. `PlanService` asks a worker and, where the page may have
 * none, does it itself.
 */

import { namedOf } from "../../app/names.ts";
import { paths, type Tape } from "../../core/index.ts";
import { type Placed, place } from "./place.ts";
import { Plan } from "./rooms.ts";

export interface FoundPath {
  /** From the root to the node, and the local gradient of each step. */
  readonly nodes: readonly number[];
  readonly product: number;
}

export interface FoundPaths {
  readonly to: number;
  readonly count: bigint;
  readonly total: number;
  readonly rest: number;
  readonly largest: readonly FoundPath[];
}

/** The rooms around a node, outermost first. */
export interface Way {
  readonly node: number;
  readonly rooms: readonly Placed[];
}

export type Question =
  | { readonly ask: "room"; readonly key: string }
  | { readonly ask: "way"; readonly node: number }
  | { readonly ask: "paths"; readonly node: number; readonly most: number };

export type Answer = Placed | Way | FoundPaths | null;

export class PlanWork {
  readonly #tape: Tape;
  readonly #plan: Plan;
  readonly #placed = new Map<string, Placed>();

  constructor(tape: Tape) {
    this.#tape = tape;
    this.#plan = new Plan(tape, (id) => namedOf(tape).names[id]);
  }

  answer(question: Question): Answer {
    switch (question.ask) {
      case "room":
        return this.#room(question.key);
      case "way": {
        const rooms = this.#plan.around(question.node).map((key) => this.#room(key)!);
        return { node: question.node, rooms };
      }
      case "paths":
        return this.#paths(question.node, question.most);
    }
  }

  #room(key: string): Placed | null {
    const known = this.#placed.get(key);
    if (known) return known;
    const room = this.#plan.room(key);
    if (!room) return null;
    const placed = place(room);
    this.#placed.set(key, placed);
    return placed;
  }

  #paths(node: number, most: number): FoundPaths | null {
    try {
      const { to, count, total, rest, largest } = paths(namedOf(this.#tape).graph, node, most);
      return {
        to,
        count,
        total,
        rest,
        largest: largest.map(({ nodes, product }) => ({ nodes, product })),
      };
    } catch {
      return null; // no path leads there
    }
  }
}

/** Messages between the page and the worker. */
export interface Asked {
  readonly id: number;
  readonly question: Question;
}

export class PlanService {
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #worker: Worker | null = null;
  #own: PlanWork | null = null;
  #count = 0;
  readonly #tape: Tape;

  /** `bytes` are those that the tape was read from; one that was made here is sent as it is. */
  constructor(tape: Tape, makeWorker: () => Worker | null) {
    this.#tape = tape;
    try {
      this.#worker = makeWorker();
    } catch {
      this.#worker = null; // refused, as in a sandboxed frame
    }
    if (!this.#worker) return;
    this.#worker.onmessage = ({ data }: MessageEvent<{ id: number; answer: Answer }>) =>
      this.#settle(data.id, data.answer);
    this.#worker.onerror = () => this.#alone();
    this.#worker.postMessage({ tape });
  }

  ask(question: { ask: "room"; key: string }): Promise<Placed | null>;
  ask(question: { ask: "way"; node: number }): Promise<Way>;
  ask(question: { ask: "paths"; node: number; most: number }): Promise<FoundPaths | null>;
  ask(question: Question): Promise<Answer> {
    const id = ++this.#count;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#questions.set(id, question);
      if (this.#worker && !this.#isClosed)
        this.#worker.postMessage({ id, question } satisfies Asked);
      else queueMicrotask(() => this.#answerHere(id));
    });
  }

  readonly #questions = new Map<number, Question>();

  #settle(id: number, answer: Answer): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
    this.#questions.delete(id);
  }

  #answerHere(id: number): void {
    const question = this.#questions.get(id);
    if (!question) return;
    if (this.#isClosed) {
      this.#settle(id, question.ask === "way" ? { node: question.node, rooms: [] } : null);
      return;
    }
    this.#own ??= new PlanWork(this.#tape);
    this.#settle(id, this.#own.answer(question));
  }

  /** The worker could not be started: what it was asked is answered here. */
  #alone(): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const id of [...this.#questions.keys()]) this.#answerHere(id);
  }

  /** Whoever still waits gets an empty answer: a promise that never settles keeps all it knows. */
  close(): void {
    this.#worker?.terminate();
    this.#isClosed = true;
    for (const id of [...this.#questions.keys()]) this.#answerHere(id);
  }

  #isClosed = false;
}

/** The other side of the messages. */
export function serve(scope: {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage: (message: unknown) => void;
}): void {
  let work: PlanWork | null = null;
  scope.onmessage = ({ data }: MessageEvent<{ tape?: Tape } & Partial<Asked>>) => {
    if (data.tape) work = new PlanWork(data.tape);
    else if (work && data.question)
      scope.postMessage({ id: data.id, answer: work.answer(data.question) });
  };
}
