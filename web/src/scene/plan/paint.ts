/**
 * The floor plan on a canvas, at every distance:
 *
 *   far      a box is a tile, one cell per node or few, coloured by gradient
 *   nearer   a box shows its room as a bitmap that is painted once
 *   near     its cards one by one, with their wires; small ones as dots
 *   close    a node is an HTML card, which the element lays over the canvas
 *
 * Rooms lie inside rooms at ever smaller scales. Positions on the screen are computed in doubles,
 * because the numbers of a canvas are too coarse for a depth of five rooms.
 */

import type { Camera } from "../../app/state.ts";
import type { Tape } from "../../core/index.ts";
import { GLYPHS } from "../../strings/format.ts";
import { opSign } from "../../teach/arithmetic.ts";
import type { Size } from "../camera.ts";
import type { Palette } from "../palette.ts";
import { coloursOf, css, signIn, strength } from "../tones.ts";
import { KINDS, type Placed } from "./place.ts";

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A node that is near enough to be read. */
export interface Near extends Rect {
  readonly node: number;
}

export interface Painted {
  /** Boxes whose rooms are wanted next, nearest first. */
  readonly wanted: readonly string[];
  readonly near: readonly Near[];
}

export interface PaintOptions {
  /** Nodes of the path that is followed, from the root on. */
  readonly path: readonly number[];
  /** The node that is picked, and the card that keys have chosen. */
  readonly node: number | null;
  readonly cursor: { readonly room: string; readonly card: number } | null;
  readonly count: (nodes: number) => string;
}

const [BOX, PART, TENSOR, NODE, INPUT, OUTPUT] = KINDS.map((_, i) => i);

const TILE_FROM = 7;
const FRAME_FROM = 60;
/** A box shows what is inside from here on, and asks for it a little before. */
const OPEN_FROM = 190;
const ASK_FROM = 120;
const TITLE = 26;
const PAD = 8;
/** A room is drawn card by card once its narrowest kind of card has so many pixels. */
const CARDS_FROM = 20;
export const READ_FROM = 120;
/** The smallest letters, and the height of a card that has room for them. */
const LETTERS = 12;
const LETTERS_FROM = 14;
/** A negative number has a dash, whatever its colour: from so wide a card, and so large a cell. */
const DASH_FROM = 6;
const [CELL_WIDE, CELL_HIGH] = [3, 3];
const MOST_NEAR = 240;
const BITMAP = 900;
const TILE_SIDE = 56;
const MOST_BITMAPS = 160;

/** Where a box's room lies inside its card: below its title, as large as it fits. */
export function insideOf(room: Placed, card: number, inner: Placed): { at: Rect; scale: number } {
  const [x, y, w, h] = [room.x[card], room.y[card], room.w[card], room.h[card]];
  const [iw, ih] = [w - 2 * PAD, h - TITLE - PAD];
  const scale = Math.min(iw / inner.width, ih / inner.height);
  const [width, height] = [inner.width * scale, inner.height * scale];
  const at = {
    x: x + PAD + (iw - width) / 2,
    y: y + TITLE + (ih - height) / 2,
    w: width,
    h: height,
  };
  return { at, scale };
}

export class Painter {
  readonly #tape: Tape;
  readonly #tones: Uint8Array;
  readonly #palette: Palette;
  readonly #inks: readonly string[];
  readonly #tiles = new Map<string, HTMLCanvasElement>();
  readonly #bitmaps = new Map<string, HTMLCanvasElement>();
  readonly #wires = new Map<string, Path2D>();
  readonly #spots = new Map<string, Int32Array>();
  #path: readonly number[] = [];

  // What the drawing of one frame shares.
  #c!: CanvasRenderingContext2D;
  #size!: Size;
  #options!: PaintOptions;
  #rooms!: ReadonlyMap<string, Placed>;
  #wanted: { key: string; size: number }[] = [];
  #near: Near[] = [];
  #ends: (readonly [number, number] | null)[] = [];

  constructor(tape: Tape, tones: Uint8Array, palette: Palette) {
    this.#tape = tape;
    this.#tones = tones;
    this.#palette = palette;
    this.#inks = coloursOf(palette).map(css);
  }

  /** Draw what the camera sees; the camera places the outermost room. */
  paint(
    canvas: HTMLCanvasElement,
    size: Size,
    camera: Camera,
    rooms: ReadonlyMap<string, Placed>,
    options: PaintOptions,
  ): Painted {
    const ratio = Math.min(2, devicePixelRatio);
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (canvas.width !== width || canvas.height !== height)
      [canvas.width, canvas.height] = [width, height];
    const c = canvas.getContext("2d", { alpha: false })!;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = this.#palette.surface;
    c.fillRect(0, 0, size.width, size.height);
    this.#c = c;
    this.#size = size;
    this.#options = options;
    this.#rooms = rooms;
    this.#wanted = [];
    this.#near = [];
    const marked = [...options.path, ...(options.node === null ? [] : [options.node])];
    if (marked.length !== this.#path.length || marked.some((id, i) => id !== this.#path[i])) {
      this.#path = marked;
      this.#spots.clear();
    }
    this.#ends = marked.map(() => null);
    const whole = rooms.get("");
    if (whole) this.#room(whole, camera.x, camera.y, camera.k);
    this.#follow();
    this.#wanted.sort((a, b) => b.size - a.size);
    return { wanted: this.#wanted.map(({ key }) => key), near: this.#near };
  }

  // ── Rooms ──────────────────────────────────────────────────────────────────────────────────

  #room(room: Placed, x: number, y: number, k: number): void {
    const { kinds } = room;
    const spots = this.#spotsIn(room);
    this.#paintWires(room, x, y, k);
    for (let i = 0; i < kinds.length; i++) {
      const rect = {
        x: x + room.x[i] * k,
        y: y + room.y[i] * k,
        w: room.w[i] * k,
        h: room.h[i] * k,
      };
      if (!this.#isSeen(rect)) {
        this.#mark(spots, i, rect);
        continue;
      }
      if (kinds[i] === NODE) this.#node(room, i, rect);
      else if (kinds[i] === INPUT || kinds[i] === OUTPUT) this.#port(room, i, rect);
      else this.#box(room, i, rect, x, y, k);
      this.#mark(spots, i, rect);
      const { cursor } = this.#options;
      if (cursor && cursor.card === i && cursor.room === room.key)
        this.#outline(rect, this.#palette.text, 3, 3);
    }
  }

  #isSeen({ x, y, w, h }: Rect): boolean {
    return x < this.#size.width && y < this.#size.height && x + w > 0 && y + h > 0;
  }

  #box(room: Placed, i: number, rect: Rect, x: number, y: number, k: number): void {
    const c = this.#c;
    const key = room.keys[i];
    if (rect.w < TILE_FROM) {
      c.fillStyle = this.#inks[this.#strongest(room, i)];
      c.fillRect(rect.x, rect.y, Math.max(1, rect.w), Math.max(1, rect.h));
      return;
    }
    const framed = rect.w >= FRAME_FROM;
    const isTensor = room.kinds[i] === TENSOR;
    const inner = this.#rooms.get(key);
    // Inside of a box that is larger than the view, its frame is all around and out of sight.
    c.fillStyle = this.#palette.card;
    c.fillRect(rect.x, rect.y, rect.w, rect.h);
    if (!inner || rect.w < OPEN_FROM) {
      if (!inner && rect.w >= ASK_FROM) this.#wanted.push({ key, size: rect.w });
      const body = framed ? this.#body(rect, this.#band(rect, k), k) : rect;
      this.#drawTile(room, i, body);
    } else {
      const { at, scale } = insideOf(room, i, inner);
      const [ix, iy, ik] = [x + at.x * k, y + at.y * k, k * scale];
      if (narrowest(inner) * ik >= CARDS_FROM) this.#room(inner, ix, iy, ik);
      else {
        c.imageSmoothingEnabled = true;
        c.drawImage(this.#bitmap(inner), ix, iy, at.w * k, at.h * k);
      }
    }
    c.lineWidth = Math.min(2, Math.max(0.75, rect.w / 140));
    c.strokeStyle = isTensor ? this.#palette.forward : this.#palette.edge;
    c.strokeRect(rect.x, rect.y, rect.w, rect.h);
    if (framed) this.#title(room, i, rect, k);
  }

  #body(rect: Rect, title: number, k: number): Rect {
    const pad = PAD * k;
    return { x: rect.x + pad, y: rect.y + title, w: rect.w - 2 * pad, h: rect.h - title - pad };
  }

  /** How high the strip with a box's name is: never too low for letters, nor half of the box. */
  #band(rect: Rect, k: number): number {
    const band = Math.max(TITLE * k, LETTERS + 5);
    return band < rect.h / 2 ? band : TITLE * k;
  }

  #title(room: Placed, i: number, rect: Rect, k: number): void {
    const c = this.#c;
    const band = this.#band(rect, k);
    if (band < LETTERS + 2) return;
    const size = Math.min(22, Math.max(LETTERS, 15 * k));
    const count = room.first[i + 1] - room.first[i];
    // A box around the view keeps its name in sight.
    const left = Math.max(rect.x, 0) + 6 * Math.min(1.5, k);
    const end = Math.min(rect.x + rect.w, this.#size.width);
    const base = rect.y + band * 0.5 + size * 0.36;
    // What is inside may reach under the strip.
    c.fillStyle = this.#palette.card;
    c.fillRect(rect.x + 1, rect.y + 1, rect.w - 2, band - 1);
    c.textAlign = "left";
    c.fillStyle = this.#palette.text;
    c.font = `600 ${size}px system-ui, sans-serif`;
    const name = cut(c, shortened(room.names[i]), end - left - 4);
    c.fillText(name, left, base);
    const spare = end - left - c.measureText(name).width;
    c.font = `${Math.max(LETTERS, size * 0.87)}px system-ui, sans-serif`;
    const said = this.#options.count(count);
    if (c.measureText(said).width + 14 < spare) {
      c.fillStyle = this.#palette.muted;
      c.textAlign = "right";
      c.fillText(said, end - 6, base);
    }
  }

  #portColour(kind: number, { x, y, w, h }: Rect): void {
    this.#c.fillStyle = this.#palette[kind === INPUT ? "forward-wash" : "backward-wash"];
    this.#c.fillRect(x, y, w, h);
  }

  #port(room: Placed, i: number, rect: Rect): void {
    const c = this.#c;
    const isInput = room.kinds[i] === INPUT;
    this.#portColour(room.kinds[i], rect);
    if (rect.h < LETTERS_FROM) return;
    c.fillStyle = isInput ? this.#palette.forward : this.#palette.backward;
    c.textAlign = "center";
    const size = Math.min(15, Math.max(LETTERS, rect.h * 0.55));
    c.font = `${size}px system-ui, sans-serif`;
    const words = isInput ? `${shortened(room.names[i])} ›` : `› ${shortened(room.names[i])}`;
    const fitting = cut(c, words, rect.w - 6);
    c.fillText(fitting, rect.x + rect.w / 2, rect.y + rect.h / 2 + 0.36 * size);
  }

  #node(room: Placed, i: number, rect: Rect): void {
    const node = room.members[room.first[i]];
    const c = this.#c;
    if (rect.w >= READ_FROM && this.#near.length < MOST_NEAR) {
      this.#near.push({ node, ...rect });
      return;
    }
    const tone = this.#tones[node];
    if (rect.h < LETTERS_FROM) {
      this.#cell(tone, rect);
      return;
    }
    c.fillStyle = this.#inks[tone];
    c.fillRect(rect.x, rect.y, rect.w, rect.h);
    c.fillStyle = strength(tone) > 2 ? this.#palette.surface : this.#palette.text;
    c.textAlign = "center";
    const size = Math.min(16, Math.max(LETTERS, rect.h * 0.5));
    c.font = `600 ${size}px system-ui, sans-serif`;
    const tape = this.#tape;
    const said = shortened(tape.labels[tape.label[node]] || opSign(tape.ops[tape.op[node]]));
    const words = `${GLYPHS[signIn(tone)]} ${said}`.trim();
    c.fillText(cut(c, words, rect.w - 4), rect.x + rect.w / 2, rect.y + rect.h / 2 + 0.36 * size);
  }

  /** A node too small for letters: its colour and, where it is negative, a dash. */
  #cell(tone: number, { x, y, w, h }: Rect): void {
    const c = this.#c;
    c.fillStyle = this.#inks[tone];
    c.fillRect(x, y, Math.max(1, w), Math.max(1, h));
    if (signIn(tone) !== "neg" || w < DASH_FROM) return;
    c.fillStyle = this.#palette.card;
    c.fillRect(x + w / CELL_WIDE, y + 0.4 * h, w * (1 - 2 / CELL_WIDE), Math.max(1, 0.2 * h));
  }

  // ── Wires and paths ────────────────────────────────────────────────────────────────────────

  #paintWires(room: Placed, x: number, y: number, k: number): void {
    if (!room.from.length || k > 60) return; // nothing but a card or two is in sight
    const c = this.#c;
    c.save();
    c.translate(x, y);
    c.scale(k, k);
    c.lineWidth = Math.min(3, 1 / k);
    c.strokeStyle = this.#palette.edge;
    c.globalAlpha = 0.75;
    c.stroke(this.#wiresOf(room));
    c.restore();
  }

  #wiresOf(room: Placed): Path2D {
    let path = this.#wires.get(room.key);
    if (!path) {
      path = new Path2D();
      const { turn, points } = room;
      for (let i = 0; i + 1 < turn.length; i++) {
        path.moveTo(points[2 * turn[i]], points[2 * turn[i] + 1]);
        for (let p = turn[i] + 1; p < turn[i + 1]; p++) {
          const [x0, y0] = [points[2 * p - 2], points[2 * p - 1]];
          const [x1, y1] = [points[2 * p], points[2 * p + 1]];
          const middle = (x0 + x1) / 2;
          if (y0 === y1) path.lineTo(x1, y1);
          else path.bezierCurveTo(middle, y0, middle, y1, x1, y1);
        }
      }
      this.#wires.set(room.key, path);
    }
    return path;
  }

  /** For each marked node the card of this room that has it, or −1. */
  #spotsIn(room: Placed): Int32Array {
    let spots = this.#spots.get(room.key);
    if (!spots) {
      spots = Int32Array.from(this.#path, (node) => cardWith(room, node));
      this.#spots.set(room.key, spots);
    }
    return spots;
  }

  /** Where a marked node is seen: in the innermost card that was drawn for it. */
  #mark(spots: Int32Array, card: number, { x, y, w, h }: Rect): void {
    for (let i = 0; i < spots.length; i++)
      if (spots[i] === card && !this.#ends[i]) this.#ends[i] = [x + w / 2, y + h / 2];
  }

  #follow(): void {
    const { path, node } = this.#options;
    const c = this.#c;
    if (path.length) {
      c.save();
      c.strokeStyle = this.#palette.backward;
      c.fillStyle = this.#palette.backward;
      c.lineWidth = 3;
      c.setLineDash([9, 6]);
      c.beginPath();
      let last: readonly [number, number] | null = null;
      const stops: (readonly [number, number])[] = [];
      for (let i = 0; i < path.length; i++) {
        const end = this.#ends[i];
        if (!end || (last && end[0] === last[0] && end[1] === last[1])) continue;
        if (last) {
          const bend = Math.min(40, Math.abs(end[0] - last[0]) / 3);
          c.moveTo(last[0], last[1]);
          c.bezierCurveTo(last[0] - bend, last[1], end[0] + bend, end[1], end[0], end[1]);
        }
        last = end;
        stops.push(end);
      }
      c.stroke();
      c.setLineDash([]);
      for (const [x, y] of stops) {
        c.beginPath();
        c.arc(x, y, 4.5, 0, 2 * Math.PI);
        c.fill();
      }
      c.restore();
    }
    const end = node === null ? null : this.#ends[this.#ends.length - 1];
    if (end) {
      c.lineWidth = 3;
      c.strokeStyle = this.#palette.text;
      c.beginPath();
      c.arc(end[0], end[1], 9, 0, 2 * Math.PI);
      c.stroke();
    }
  }

  #outline({ x, y, w, h }: Rect, colour: string, width: number, gap: number): void {
    const c = this.#c;
    c.lineWidth = width;
    c.strokeStyle = colour;
    c.strokeRect(x - gap, y - gap, w + 2 * gap, h + 2 * gap);
  }

  // ── Tiles and bitmaps ──────────────────────────────────────────────────────────────────────

  #strongest(room: Placed, i: number): number {
    let best = 0;
    for (let m = room.first[i]; m < room.first[i + 1]; m++) {
      const tone = this.#tones[room.members[m]];
      if (strength(tone) > strength(best)) best = tone;
    }
    return best;
  }

  #drawTile(room: Placed, i: number, { x, y, w, h }: Rect): void {
    this.#c.imageSmoothingEnabled = false;
    const { wide, high } = gridOf(room.first[i + 1] - room.first[i]);
    const isMarked = w >= CELL_WIDE * wide && h >= CELL_HIGH * high;
    this.#c.drawImage(this.#tile(room, i, isMarked), x, y, w, h);
  }

  /**
   * One cell per node, in the order of the tape; of very many, one per few, the strongest shown. A
   * cell is a dot or, where negative ones are marked, a few with a dash in their middle.
   */
  #tile(room: Placed, i: number, isMarked: boolean): HTMLCanvasElement {
    const key = `${room.keys[i]}${isMarked ? " −" : ""}`;
    let tile = this.#tiles.get(key);
    if (tile) return tile;
    const [from, to] = [room.first[i], room.first[i + 1]];
    const { count, wide, high } = gridOf(to - from);
    const cells = wide * high;
    const [cellWide, cellHigh] = isMarked ? [CELL_WIDE, CELL_HIGH] : [1, 1];
    const best = new Int16Array(cells).fill(-1);
    for (let m = from; m < to; m++) {
      const cell = count <= cells ? m - from : Math.floor(((m - from) * cells) / count);
      const tone = this.#tones[room.members[m]];
      if (best[cell] < 0 || strength(tone) > strength(best[cell])) best[cell] = tone;
    }
    tile = document.createElement("canvas");
    [tile.width, tile.height] = [wide * cellWide, high * cellHigh];
    const c = tile.getContext("2d")!;
    for (let cell = 0; cell < cells; cell++) {
      if (best[cell] < 0) continue;
      const [x, y] = [(cell % wide) * cellWide, Math.floor(cell / wide) * cellHigh];
      c.fillStyle = this.#inks[best[cell]];
      c.fillRect(x, y, cellWide, cellHigh);
      if (isMarked && signIn(best[cell]) === "neg") c.clearRect(x + 1, y + 1, cellWide - 2, 1);
    }
    this.#tiles.set(key, tile);
    return tile;
  }

  /** A whole room, painted once. The oldest go when there are very many. */
  #bitmap(room: Placed): HTMLCanvasElement {
    const known = this.#bitmaps.get(room.key);
    if (known) return known;
    const bitmap = document.createElement("canvas");
    const k = Math.min(1, BITMAP / Math.max(room.width, room.height));
    bitmap.width = Math.max(1, Math.round(room.width * k));
    bitmap.height = Math.max(1, Math.round(room.height * k));
    const c = bitmap.getContext("2d")!;
    const outer = this.#c;
    this.#c = c;
    this.#paintWires(room, 0, 0, k);
    for (let i = 0; i < room.kinds.length; i++) {
      const rect = { x: room.x[i] * k, y: room.y[i] * k, w: room.w[i] * k, h: room.h[i] * k };
      const kind = room.kinds[i];
      if (kind === NODE) this.#cell(this.#tones[room.members[room.first[i]]], rect);
      else if (kind === BOX || kind === PART || kind === TENSOR) this.#drawTile(room, i, rect);
      else this.#portColour(kind, rect);
    }
    this.#c = outer;
    this.#bitmaps.set(room.key, bitmap);
    if (this.#bitmaps.size > MOST_BITMAPS) this.#bitmaps.delete(this.#bitmaps.keys().next().value!);
    return bitmap;
  }
}

/** The cells of a tile. */
function gridOf(nodes: number): { count: number; wide: number; high: number } {
  const count = Math.max(1, nodes);
  const wide = Math.min(TILE_SIDE, Math.max(1, Math.ceil(Math.sqrt(count * 1.6))));
  return { count, wide, high: Math.min(TILE_SIDE, Math.ceil(count / wide)) };
}

/** As much of a text as fits, and … for the rest; nothing, where that would be only a letter. */
function cut(c: CanvasRenderingContext2D, text: string, room: number): string {
  if (c.measureText(text).width <= room) return text;
  for (let length = text.length - 1; length > 1; length--) {
    const part = `${text.slice(0, length)}…`;
    if (c.measureText(part).width <= room) return part;
  }
  return "";
}

function narrowest(room: Placed): number {
  return room.kinds.includes(NODE) ? 120 : 140;
}

/** The last step of a long name: `layers.0.wq` is `wq`, `layers.0` stays. */
export function shortened(name: string): string {
  const dot = name.search(/\.(?=[^.\d][^.]*$)/);
  return dot < 0 ? name : name.slice(dot + 1);
}

/** The card of a room that has a node, or −1. The nodes of each card rise. */
export function cardWith(room: Placed, node: number): number {
  const { first, members, kinds } = room;
  for (let i = 0; i < kinds.length; i++) {
    let [low, high] = [first[i], first[i + 1] - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (members[middle] === node) return i;
      if (members[middle] < node) low = middle + 1;
      else high = middle - 1;
    }
  }
  return -1;
}
