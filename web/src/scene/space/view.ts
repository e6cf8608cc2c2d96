/**
 * The picture in space: a canvas, and on it the words of the flat picture as HTML.
 *
 * The scene lends what it knows of its cards and wires; this says where on the stage they are, and has
 * the canvas painted. Loaded, with three.js, when someone first asks for 3D.
 */

import { html, svg, type TemplateResult, unsafeCSS } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { memo } from "../../app/derive.ts";
import type { Orbit } from "../../app/state.ts";
import { frameAt } from "../../app/timeline.ts";
import type { Size } from "../camera.ts";
import { vars } from "../css.ts";
import { drawingOf, type Moment, type Wire } from "./drawing.ts";
import * as geometry from "./geometry.ts";
import { type Label, label } from "./label.ts";
import { type Drawing, Painter } from "./paint.ts";
import { LETTER, type Pill, placed } from "./pills.ts";
import style from "./space.css";

/** What the scene adopts with the rest. */
export const sheet: CSSStyleSheet = unsafeCSS(style).styleSheet!;

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

/** Below this many pixels a unit there is room for the pill of the moment only. */
const CROWDED = 44;

export class SpaceView {
  readonly nearer = geometry.nearer;
  readonly turned = geometry.turned;
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
    const lifted = geometry.lifts(program, picture, frame, shown);
    const strands = picture.layout.edges.map((_, wire) => shown.strand(wire));
    this.#canvas ??= this.#made();
    this.#drawing = drawingOf(shown, { eye, slabs, lifted }, strands);
    const away = slabs.map(
      (slab, item) => geometry.seen(eye, geometry.onSlab(slab, lifted[item], 0, 0)).z,
    );
    const wires = picture.layout.edges.map((edge, wire) => {
      const line = geometry.part(geometry.course(picture, slabs, lifted, edge, 0), 0, 1, 12);
      const spots = line
        .map((p) => geometry.seen(eye, p))
        .map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
      return svg`<g data-edge=${wire} role="img" aria-label=${strands[wire].said}><path class="hit" d="M${spots.join("L")}" /></g>`;
    });
    const labels = slabs.map((slab, item) => ({ slab, item, its: shown.label(item) }));
    return html`${this.#canvas}<svg class="hits" @pointerover=${this.#over} @pointerleave=${this.#over}>${wires}</svg>${repeat(
      labels,
      ({ its }) => its.key,
      ({ slab, item, its }) =>
        label(program, frame, final, its, geometry.labelSize(slab, eye), eye.scale, {
          transform: geometry.laid(eye, slab, lifted[item]),
          "z-index": String(away.filter((other) => other > away[item]).length),
        }),
    )}${this.#pills(shown, eye, slabs, strands).map(
      ({ wire, lines, x, y }) =>
        html`<div class="note pill ${strands[wire].pillState}" data-edge=${wire} ${vars({ transform: `translate(${x}px, ${y}px)` })}>${lines.map((line) => html`<span>${line}</span>`)}</div>`,
    )}`;
  }

  #slabs = memo(geometry.slabsOf);
  #eye = memo(
    (slabs: readonly geometry.Slab[], orbit: Orbit, width: number, height: number) =>
      // A link of before may say more than one can turn now.
      geometry.eyeOf(slabs, geometry.turned(orbit, 0, 0), { width, height }),
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

  #over = (event: Event): void => {
    const part = (event.target as Element).closest<SVGGElement>("[data-edge]");
    const wire = event.type === "pointerover" && part ? Number(part.dataset.edge) : -1;
    if (wire === this.#hovered) return;
    this.#hovered = wire;
    this.#changed();
  };

  /** Pills stand where there is room at the end of the event: none moves while it plays. */
  #pills(
    shown: Shown,
    eye: geometry.Eye,
    slabs: readonly geometry.Slab[],
    strands: readonly Strand[],
  ): readonly Pill[] {
    const { program, picture, frame } = shown;
    const isCrowded = eye.scale < CROWDED;
    const room = isCrowded ? 14 : Math.max(9, Math.floor((1.5 * eye.scale) / LETTER));
    const isLoud = (wire: number): boolean =>
      [strands[wire].frame.active, strands[wire].isMarked, strands[wire].isAsked].includes(true) ||
      wire === this.#hovered;
    const texts = strands.map((strand, wire) =>
      !isCrowded || isLoud(wire) ? strand.pill(room) : [],
    );
    const then = frame.event ? frameAt(program.line, frame.event.end) : frame;
    const lifted = geometry.lifts(program, picture, then, shown);
    return placed(picture, { eye, slabs, lifted }, texts, isLoud);
  }
}
