/** What lies under a point of a room: its cards by the cells of a grid. */

import type { Placed } from "./place.ts";

export class Grid {
  readonly #room: Placed;
  readonly #columns: number;
  readonly #rows: number;
  readonly #start: Uint32Array;
  readonly #cards: Uint32Array;

  constructor(room: Placed) {
    this.#room = room;
    const side = Math.max(1, Math.ceil(Math.sqrt(room.kinds.length)));
    [this.#columns, this.#rows] = [side, side];
    const counts = new Uint32Array(side * side + 1);
    this.#each((_, cell) => {
      counts[cell + 1]++;
    });
    for (let i = 0; i < side * side; i++) counts[i + 1] += counts[i];
    this.#start = counts;
    this.#cards = new Uint32Array(counts[side * side]);
    const next = counts.slice();
    this.#each((card, cell) => {
      this.#cards[next[cell]++] = card;
    });
  }

  #each(act: (card: number, cell: number) => void): void {
    const { x, y, w, h, kinds } = this.#room;
    for (let i = 0; i < kinds.length; i++)
      for (let row = this.#row(y[i]); row <= this.#row(y[i] + h[i]); row++)
        for (let column = this.#column(x[i]); column <= this.#column(x[i] + w[i]); column++)
          act(i, row * this.#columns + column);
  }

  #column(x: number): number {
    return clamp(Math.floor((x / this.#room.width) * this.#columns), this.#columns);
  }

  #row(y: number): number {
    return clamp(Math.floor((y / this.#room.height) * this.#rows), this.#rows);
  }

  /** The card at a point of the room, or −1. */
  at(px: number, py: number): number {
    const { x, y, w, h } = this.#room;
    const cell = this.#row(py) * this.#columns + this.#column(px);
    for (let i = this.#start[cell]; i < this.#start[cell + 1]; i++) {
      const card = this.#cards[i];
      if (px >= x[card] && px <= x[card] + w[card] && py >= y[card] && py <= y[card] + h[card])
        return card;
    }
    return -1;
  }
}

const clamp = (i: number, count: number): number => Math.max(0, Math.min(count - 1, i));
