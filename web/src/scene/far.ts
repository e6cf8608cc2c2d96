/**
 * A picture from far away, on a canvas: thousands of cards as cells coloured by their gradients.
 *
 * What depends on no number (wires, outlines, signs) is painted once for a camera and copied; a new
 * moment only fills the cells. The overview in the corner is the same, smaller.
 */

import type { Program } from "../app/derive.ts";
import type { Camera } from "../app/state.ts";
import type { Frame } from "../app/timeline.ts";
import { opSign } from "../teach/arithmetic.ts";
import type { Size } from "./camera.ts";
import { farLetters } from "./card.ts";
import type { Palette } from "./palette.ts";
import type { Picture } from "./picture.ts";
import { coloursOf, css, largestOf, toneOf } from "./tones.ts";
import { wireOf } from "./wire.ts";

export interface FarOptions {
  final: boolean;
  /** The node that is picked. */
  node: number | null;
  /** Whether there are signs, where they can be read. */
  signs: boolean;
}

export class FarView {
  /** Whether the picture is seen so: the scene says it. */
  isShown = false;
  #still = document.createElement("canvas");
  #key: readonly unknown[] = [];

  paint(
    canvas: HTMLCanvasElement,
    size: Size,
    program: Program,
    picture: Picture,
    frame: Frame,
    camera: Camera,
    palette: Palette,
    options: FarOptions,
  ): void {
    const ratio = Math.min(2, devicePixelRatio);
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (canvas.width !== width || canvas.height !== height)
      [canvas.width, canvas.height] = [width, height];
    const c = canvas.getContext("2d")!;
    const { x, y, k } = camera;
    const place = (to: CanvasRenderingContext2D): void =>
      to.setTransform(ratio * k, 0, 0, ratio * k, ratio * x, ratio * y);
    const key = [picture.layout, x, y, k, width, height, palette, options.signs];
    if (!key.every((one, i) => one === this.#key[i])) {
      this.#key = key;
      [this.#still.width, this.#still.height] = [width, height];
      const still = this.#still.getContext("2d")!;
      place(still);
      paintStill(still, program, picture, palette, k, options.signs);
    }
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, width, height);
    place(c);
    this.#cells(c, program, picture, frame, palette, options);
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.drawImage(this.#still, 0, 0);
    place(c);
    this.#now(c, picture, frame, palette, k, options.node);
  }

  #cells(
    c: CanvasRenderingContext2D,
    program: Program,
    picture: Picture,
    frame: Frame,
    palette: Palette,
    { final }: FarOptions,
  ): void {
    const most = largestOf(program.walk.grads);
    const fills = [...coloursOf(palette).map(css), palette.card];
    const paths = fills.map(() => new Path2D());
    picture.layout.cards.forEach(({ x, y, width, height }, item) => {
      const { node } = picture.items[item];
      const grad = final ? program.walk.grads[node] : frame.grad(node);
      const path = grad === null ? paths.at(-1)! : paths[toneOf(grad, most)];
      path.rect(x, y, width, height);
    });
    paths.forEach((path, tone) => {
      c.fillStyle = fills[tone];
      c.fill(path);
    });
  }

  /** What happens: the card that acts, its wires, and the card that is picked. */
  #now(
    c: CanvasRenderingContext2D,
    picture: Picture,
    frame: Frame,
    palette: Palette,
    k: number,
    node: number | null,
  ): void {
    const { cards, edges } = picture.layout;
    const outline = (id: number, color: string): void => {
      const { x, y, width, height } = cards[picture.itemOf[id]];
      c.lineWidth = 3 / k;
      c.strokeStyle = color;
      c.strokeRect(x, y, width, height);
    };
    if (frame.event) {
      const color = frame.phase === "forward" ? palette.forward : palette.backward;
      c.lineWidth = 2.5 / k;
      c.strokeStyle = color;
      for (const edge of frame.event.edges) {
        const wire = picture.wireOf[edge];
        if (wire >= 0) c.stroke(new Path2D(wireOf(edges[wire], picture.down).middle));
      }
      outline(frame.event.node, color);
    }
    if (node !== null) outline(node, palette.text);
  }
}

function paintStill(
  c: CanvasRenderingContext2D,
  { graph }: Program,
  { layout, items, down }: Picture,
  palette: Palette,
  k: number,
  signs: boolean,
): void {
  const wires = new Path2D();
  for (const edge of layout.edges) wires.addPath(new Path2D(wireOf(edge, down).middle));
  c.globalAlpha = 0.5;
  c.lineWidth = Math.min(24, 1 / k);
  c.strokeStyle = palette.edge;
  c.stroke(wires);
  c.globalAlpha = 1;
  c.strokeStyle = palette.edge;
  c.lineWidth = Math.min(12, 1 / k);
  const outlines = new Path2D();
  for (const { x, y, width, height } of layout.cards) outlines.rect(x, y, width, height);
  c.stroke(outlines);
  if (!signs) return;
  c.fillStyle = palette.text;
  c.textAlign = "center";
  layout.cards.forEach((box, item) => {
    const { op, label } = graph.nodes[items[item].node];
    const found = farLetters(label || opSign(op), box, k);
    if (!found) return;
    c.font = `600 ${found.size.toFixed(1)}px system-ui, sans-serif`;
    c.fillText(found.word, box.x + box.width / 2, box.y + box.height / 2 + 0.36 * found.size);
  });
}
