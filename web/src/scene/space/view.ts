/**
 * The picture in space: a canvas, and on it the words of the flat picture as HTML.
 *
 * The scene lends what it knows of its cards and wires; this says where on the stage they are, and has
 * the canvas painted. Loaded, with three.js, when someone first asks for 3D.
 */

import { html, svg, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { memo, type Program } from "../../app/derive.ts";
import type { Orbit } from "../../app/state.ts";
import { frameAt } from "../../app/timeline.ts";
import type { Size } from "../camera.ts";
import { vars } from "../css.ts";
import type { Picture } from "../picture.ts";
import { drawingOf, type Moment, type Wire } from "./drawing.ts";
import {
  course,
  type Eye,
  eyeOf,
  labelSize,
  laid,
  lifts,
  nearer,
  onSlab,
  type Slab,
  seen,
  slabsOf,
  THICK,
  turned,
  type Vec,
} from "./geometry.ts";
import { type Label, label } from "./label.ts";
import { type Drawing, Painter } from "./paint.ts";

export interface Strand extends Wire {
  readonly said: string;
  /** The words of its pill, in lines of so many characters. */
  pill(room: number): readonly string[];
  readonly pillState: string;
}

/** What the scene lends. */
export interface Shown extends Moment {
  readonly orbit: Orbit;
  readonly stage: Size;
  label(item: number): Label;
  strand(wire: number): Strand;
}

interface Pill {
  readonly wire: number;
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
}

/** Below this many pixels a unit there is room for the pill of the moment only. */
const CROWDED = 54;
const LETTER = 7.3;
const LINE = 14;

export class SpaceView {
  readonly nearer = nearer;
  readonly turned = turned;
  readonly #changed: () => void;
  #canvas: HTMLCanvasElement | null = null;
  #painter: Painter | null = null;
  #drawing: Drawing | null = null;
  #hovered = -1;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  render(shown: Shown): TemplateResult {
    const { program, picture, frame, final, stage, orbit } = shown;
    const slabs = this.#slabs(picture);
    const eye = this.#eye(slabs, orbit, stage.width, stage.height);
    const lifted = lifts(program, picture, frame, shown);
    const strands = picture.layout.edges.map((_, wire) => shown.strand(wire));
    this.#canvas ??= this.#made();
    this.#drawing = drawingOf(shown, eye, slabs, lifted, strands);
    const away = slabs.map((slab, item) => seen(eye, onSlab(slab, lifted[item], 0, 0)).away);
    const labels = slabs.map((slab, item) => ({ slab, item, its: shown.label(item) }));
    return html`${this.#canvas}<svg class="hits" @pointerover=${this.#over} @pointerleave=${this.#over}>${picture.layout.edges.map(
      (edge, wire) =>
        svg`<g data-edge=${wire} role="img" aria-label=${strands[wire].said}><path class="hit" d=${pathOf(eye, course(picture, slabs, lifted, edge, 0))} /></g>`,
    )}</svg>${repeat(
      labels,
      ({ its }) => its.key,
      ({ slab, item, its }) =>
        label(program, frame, final, its, labelSize(slab, eye.scale), eye.scale, {
          transform: laid(eye, slab, lifted[item], eye.scale),
          "z-index": String(away.filter((other) => other > away[item]).length),
        }),
    )}${this.#pills(shown, eye, slabs, strands).map(
      ({ wire, lines, x, y }) =>
        html`<div class="note pill ${strands[wire].pillState}" data-edge=${wire} ${vars({ transform: `translate(${x}px, ${y}px)` })}>${lines.map((line) => html`<span>${line}</span>`)}</div>`,
    )}`;
  }

  #slabs = memo(slabsOf);
  #eye = memo(
    (slabs: readonly Slab[], orbit: Orbit, width: number, height: number) =>
      // A link of before may say more than one can turn now.
      eyeOf(slabs, turned(orbit, 0, 0), { width, height }),
    { alike: [0] },
  );

  #made(): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.className = "deep";
    canvas.ariaHidden = "true";
    canvas.addEventListener("webglcontextrestored", this.#changed);
    return canvas;
  }

  /** Paint what was rendered last. Nothing is painted in between. */
  paint(): void {
    if (!this.#canvas || !this.#drawing) return;
    this.#painter ??= new Painter(this.#canvas);
    this.#painter.paint(this.#drawing);
  }

  /** Give the graphics card back. */
  end(): void {
    this.#painter?.dispose();
    this.#painter = this.#canvas = null;
  }

  // ── Pills ──────────────────────────────────────────────────────────────────────────────────

  #over = (event: Event): void => {
    const part = (event.target as Element).closest<SVGGElement>("[data-edge]");
    const wire = event.type === "pointerover" && part ? Number(part.dataset.edge) : -1;
    if (wire === this.#hovered) return;
    this.#hovered = wire;
    this.#changed();
  };

  /** Where pills are: found for the end of the event, so that none moves while it plays. */
  #pills(
    shown: Shown,
    eye: Eye,
    slabs: readonly Slab[],
    strands: readonly Strand[],
  ): readonly Pill[] {
    const isCrowded = eye.scale < CROWDED;
    const room = isCrowded ? 14 : Math.max(9, Math.floor((1.5 * eye.scale) / LETTER));
    const texts = strands.map((strand, wire) => {
      const isNow = strand.frame.active || strand.isMarked || wire === this.#hovered;
      return !isCrowded || isNow ? strand.pill(room) : [];
    });
    const { program, picture, frame, final, calm } = shown;
    const key = texts.map((lines) => lines.join("\n")).join("|");
    return this.#placed(picture, eye, key, frame.index, program, final, () => {
      const then = frame.event ? frameAt(program.line, frame.event.end) : frame;
      const lifted = lifts(program, picture, then, { final, calm });
      return placed(picture, eye, slabs, lifted, texts);
    });
  }

  #placed = memo(
    (
      _picture: Picture,
      _eye: Eye,
      _texts: string,
      _index: number,
      _program: Program,
      _final: boolean,
      place: () => readonly Pill[],
    ) => place(),
    { keyed: 6 },
  );
}

interface Room {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** How much two rooms share, with a few pixels between them. */
function shared(a: Room, b: Room): number {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left) + 4;
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) + 4;
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** Where a pill is tried: at a share of its wire, so many of its own widths and heights aside. */
const PLACES = [0.5, 0.4, 0.6, 0.3, 0.7].flatMap((share) =>
  [0, -0.7, 0.7].flatMap((dx) => [0, 1, -1, 2, -2, 3].map((dy) => [share, dx, dy] as const)),
);

/** For each pill with words the place on its wire, or beside it, where it covers least. */
function placed(
  picture: Picture,
  eye: Eye,
  slabs: readonly Slab[],
  lifted: ArrayLike<number>,
  texts: readonly (readonly string[])[],
): readonly Pill[] {
  const taken: Room[] = slabs.map((slab, item) => roomOf(eye, slab, lifted[item]));
  const pills: Pill[] = [];
  texts.forEach((lines, wire) => {
    if (!lines.length) return;
    const wide = 16 + LETTER * Math.max(...lines.map((line) => line.length));
    const high = LINE * lines.length + 6;
    const line = course(picture, slabs, lifted, picture.layout.edges[wire], 1);
    let best: Room | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const [share, dx, dy] of PLACES) {
      const { x, y } = seen(eye, line[Math.round(share * (line.length - 1))]);
      const middle = y + dy * (high / 2 + 10);
      const left = Math.max(4, Math.min(eye.stage.width - wide - 4, x + (dx - 0.5) * wide));
      const top = Math.max(4, Math.min(eye.stage.height - high - 4, middle - high / 2));
      const one = { left, top, right: left + wide, bottom: top + high };
      // The middle of its wire is the best place for a pill; each step away from it has to pay.
      const away = 40 * Math.abs(share - 0.5) + 4 * Math.abs(dx) + 8 * Math.abs(dy);
      const cost = taken.reduce((sum, other) => sum + shared(one, other), away);
      if (cost < least) [best, least] = [one, cost];
    }
    taken.push(best!);
    pills.push({ wire, lines, x: Math.round(best!.left), y: Math.round(best!.top) });
  });
  return pills;
}

/** The room that a slab takes on the stage. */
function roomOf(eye: Eye, slab: Slab, lift: number): Room {
  const corners = [-0.5, 0.5].flatMap((x) =>
    [-0.5, 0.5].map((y) =>
      seen(eye, onSlab(slab, lift, x * slab.width, y * slab.height, THICK / 2)),
    ),
  );
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
}

function pathOf(eye: Eye, line: readonly Vec[]): string {
  const spots = line.map((p) => seen(eye, p)).map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
  return `M${spots.join("L")}`;
}
