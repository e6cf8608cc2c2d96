/**
 * An MLP that learns to tell two kinds of points apart, in the page.
 *
 * The loss over all points is recorded once as a tape and replayed at each step. The graph of one
 * point is a second, small tape with the same parameters. Start at `Moons`.
 */

import { snapshot, type Tape, tapeOf } from "../core/index.ts";
import { replay } from "../core/replay.ts";
import { Mlp, meanSquare } from "./mlp.ts";
import { randomFrom } from "./random.ts";

export interface Dot {
  readonly x: number;
  readonly y: number;
  /** +1 or −1. */
  readonly kind: number;
}

export const LAYERS: readonly number[] = [2, 6, 4, 1];
export const MOST_DOTS = 200;
/** What of the plane is shown. */
export const EDGE = 2;

/** Two half circles that reach into each other. */
export function twoMoons(count: number, seed: number, noise = 0.12): Dot[] {
  const random = randomFrom(seed);
  const near = (): number => (random() + random() + random() - 1.5) * 2 * noise;
  return Array.from({ length: count }, (_, i) => {
    const angle = Math.PI * random();
    const kind = i % 2 ? 1 : -1;
    const [x, y] =
      kind < 0
        ? [Math.cos(angle) - 0.5, Math.sin(angle) - 0.25]
        : [0.5 - Math.cos(angle), 0.25 - Math.sin(angle)];
    return { x: 1.1 * x + near(), y: 1.1 * y + near(), kind };
  });
}

/** One kind inside of the other, and kinds that take turns around the middle. */
function drawnAround(
  count: number,
  seed: number,
  place: (random: () => number, i: number) => Dot,
): Dot[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, i) => place(random, i));
}

/** Sets of points to learn, by their names. */
export const SETS: Readonly<Record<string, (count: number, seed: number) => Dot[]>> = {
  moons: (count, seed) => twoMoons(count, seed),
  rings: (count, seed) =>
    drawnAround(count, seed, (random, i) => {
      const angle = 2 * Math.PI * random();
      const kind = i % 2 ? 1 : -1;
      const radius = (kind > 0 ? 0.1 : 1.2) + 0.4 * random();
      return { x: radius * Math.cos(angle), y: radius * Math.sin(angle), kind };
    }),
  corners: (count, seed) =>
    drawnAround(count, seed, (random, i) => {
      const [across, up] = [i & 1 ? 1 : -1, i & 2 ? 1 : -1];
      const near = (): number => 0.35 + 0.9 * random();
      return { x: across * near(), y: up * near(), kind: across * up };
    }),
};

/** Lines of `x, y, kind`: a kind above 0 is one, any other the other. What is no such line is told. */
export function readDots(text: string): { dots: Dot[]; bad: number } {
  const dots: Dot[] = [];
  let bad = 0;
  for (const line of text.split(/\r?\n/)) {
    if (!line.trim()) continue;
    const parts = line.split(/[,;\t]/).map((part) => part.trim());
    const [x, y, kind] = parts.map((part) => (part === "" ? Number.NaN : Number(part)));
    const sound = parts.length === 3 && [x, y, kind].every(Number.isFinite);
    if (!sound || dots.length >= MOST_DOTS) bad += 1;
    else dots.push({ x, y, kind: kind > 0 ? 1 : -1 });
  }
  return { dots, bad };
}

export type Optimiser = "sgd" | "adam";

export interface Parameter {
  readonly name: string;
  readonly value: number;
  readonly grad: number;
  /** What the next step adds. */
  readonly update: number;
}

const [BETA1, BETA2, EPSILON] = [0.9, 0.99, 1e-8];

export class Moons {
  readonly dots: readonly Dot[];
  steps = 0;
  readonly #tape: Tape;
  readonly #names: readonly string[];
  /** Where the parameters are on the tape. */
  readonly #places: readonly number[];
  readonly #first: Float64Array;
  readonly #second: Float64Array;
  /** The loss after each step, the first before any. */
  readonly losses: number[] = [];

  /** With `before`, it goes on with what that one has learnt. */
  constructor(dots: readonly Dot[], seed: number, before: Moons | null = null) {
    this.dots = dots;
    const model = new Mlp(LAYERS, randomFrom(seed), "tanh");
    const scores = dots.map(({ x, y }) => model.score([x, y]));
    const targets = dots.map(({ kind }) => kind);
    this.#tape = tapeOf(snapshot(meanSquare(scores, targets), { fold: false }));
    this.#names = model.parameters.map(({ label }) => label);
    this.#places = placesOf(this.#tape, this.#names);
    this.#first = new Float64Array(this.#names.length);
    this.#second = new Float64Array(this.#names.length);
    if (before) {
      this.steps = before.steps;
      this.losses.push(...before.losses.slice(0, -1));
      this.#first.set(before.#first);
      this.#second.set(before.#second);
      this.#places.forEach((place, i) => {
        this.#tape.data[place] = before.#tape.data[before.#places[i]];
      });
    }
    replay(this.#tape);
    this.losses.push(this.loss);
  }

  get loss(): number {
    return this.#tape.data[this.#tape.length - 1];
  }

  get nodes(): number {
    return this.#tape.length;
  }

  /** The share of points on their side of the boundary. */
  get accuracy(): number {
    const score = this.scorer();
    const right = this.dots.filter(({ x, y, kind }) => score(x, y) > 0 === kind > 0);
    return right.length / this.dots.length;
  }

  /** The parameters with their gradients, and what the next step adds to each. */
  parameters(rate: number, optimiser: Optimiser): Parameter[] {
    return this.#names.map((name, i) => ({
      name,
      value: this.#tape.data[this.#places[i]],
      grad: this.#tape.grad[this.#places[i]],
      update: this.#update(i, rate, optimiser)[0],
    }));
  }

  #update(i: number, rate: number, optimiser: Optimiser): [number, number, number] {
    const grad = this.#tape.grad[this.#places[i]];
    if (optimiser === "sgd") return [-rate * grad, this.#first[i], this.#second[i]];
    const first = BETA1 * this.#first[i] + (1 - BETA1) * grad;
    const second = BETA2 * this.#second[i] + (1 - BETA2) * grad * grad;
    const step = this.steps + 1;
    const mean = first / (1 - BETA1 ** step);
    const spread = second / (1 - BETA2 ** step);
    return [(-rate * mean) / (Math.sqrt(spread) + EPSILON), first, second];
  }

  step(rate: number, optimiser: Optimiser): void {
    const updates = this.#names.map((_, i) => this.#update(i, rate, optimiser));
    updates.forEach(([update, first, second], i) => {
      this.#tape.data[this.#places[i]] += update;
      this.#first[i] = first;
      this.#second[i] = second;
    });
    this.steps += 1;
    replay(this.#tape);
    this.losses.push(this.loss);
  }

  /** The score of any point, computed without a graph. */
  scorer(): (x: number, y: number) => number {
    const outputs = this.neurons();
    return (x, y) => outputs(x, y).at(-1)![0];
  }

  /** What every neuron says of any point, layer by layer. */
  neurons(): (x: number, y: number) => readonly number[][] {
    const values = this.#places.map((place) => this.#tape.data[place]);
    return (x, y) => {
      const all: number[][] = [[x, y]];
      let at = 0;
      for (let layer = 1; layer < LAYERS.length; layer++) {
        const [before, next]: [number[], number[]] = [all[layer - 1], []];
        for (let j = 0; j < LAYERS[layer]; j++) {
          let sum = values[at + before.length];
          for (let i = 0; i < before.length; i++) sum += values[at + i] * before[i];
          at += before.length + 1;
          next.push(layer === LAYERS.length - 1 ? sum : Math.tanh(sum));
        }
        all.push(next);
      }
      return all;
    };
  }

  /** The graph of one point's own loss, with the parameters as they are now. */
  graphOf({ x, y, kind }: Dot): Tape {
    const model = new Mlp(LAYERS, () => 0, "tanh");
    const tape = tapeOf(snapshot(meanSquare([model.score([x, y])], [kind]), { fold: false }));
    this.renumber(tape);
    return tape;
  }

  /** Put today's parameters into the graph of a point. */
  renumber(tape: Tape): void {
    placesOf(tape, this.#names).forEach((place, i) => {
      tape.data[place] = this.#tape.data[this.#places[i]];
    });
    replay(tape);
  }
}

function placesOf(tape: Tape, names: readonly string[]): number[] {
  const place = new Map<string, number>();
  for (let id = 0; id < tape.length; id++) {
    const label = tape.labels[tape.label[id]];
    if (label && tape.start[id] === tape.start[id + 1]) place.set(label, id);
  }
  return names.map((name) => place.get(name)!);
}
