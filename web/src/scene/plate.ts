/** A flat thing in space with writing on it: a card or a pill, painted on a canvas when it changes. */

import {
  CanvasTexture,
  LinearMipmapLinearFilter,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  SRGBColorSpace,
  Vector3,
} from "three";
import { isConst, type Push } from "../core/index.ts";
import { GLYPHS, num, signOf } from "../format.ts";
import type { Program } from "../program.ts";
import { en } from "../strings/en.ts";
import { operationText, opSign, product } from "../teach/arithmetic.ts";
import type { Frame } from "../timeline.ts";
import type { Palette } from "./palette.ts";

const SCALE = 3;

export interface Painter {
  /** Equal keys look equal: what has not changed is not painted again. */
  key: string;
  paint: ((canvas: CanvasRenderingContext2D, width: number, height: number) => void) | null;
}

export class Plate {
  readonly mesh: Mesh<PlaneGeometry, MeshBasicMaterial>;
  #texture: CanvasTexture;
  #context: CanvasRenderingContext2D;
  #key = "";

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    const canvas = document.createElement("canvas");
    canvas.width = width * SCALE;
    canvas.height = height * SCALE;
    this.#context = canvas.getContext("2d")!;
    this.#context.scale(SCALE, SCALE);
    this.#texture = new CanvasTexture(canvas);
    this.#texture.colorSpace = SRGBColorSpace;
    // Cards are seen smaller than painted and at an angle: without these, thin strokes get lost.
    this.#texture.minFilter = LinearMipmapLinearFilter;
    this.#texture.anisotropy = 8;
    // Plates are drawn after the wires and over them: nothing crosses what is written.
    this.mesh = new Mesh(
      new PlaneGeometry(width, height),
      new MeshBasicMaterial({ map: this.#texture, transparent: true, depthTest: false }),
    );
    this.mesh.renderOrder = 1;
  }

  /** Its four corners in the world. */
  corners(): Vector3[] {
    const [x, y] = [this.width / 2, this.height / 2];
    return [
      [-x, -y],
      [x, -y],
      [x, y],
      [-x, y],
    ].map(([dx, dy]) => this.mesh.localToWorld(new Vector3(dx, dy, 0)));
  }

  paint({ key, paint }: Painter): void {
    this.mesh.visible = paint !== null;
    if (key === this.#key || !paint) return;
    this.#key = key;
    this.#context.clearRect(0, 0, this.width, this.height);
    paint(this.#context, this.width, this.height);
    this.#texture.needsUpdate = true;
  }
}

const SANS = "system-ui, 'DejaVu Sans', sans-serif";
const MONO = "ui-monospace, Menlo, 'DejaVu Sans Mono', monospace";

function write(
  c: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  font: string,
  color: string,
  align: CanvasTextAlign = "left",
): void {
  c.font = font;
  c.fillStyle = color;
  c.textAlign = align;
  c.fillText(text, x, y);
}

export function cardPainter(
  program: Program,
  id: number,
  frame: Frame,
  palette: Palette,
  final: boolean,
  selected: boolean,
): Painter {
  const node = program.graph.nodes[id];
  const now = frame.nodes[id];
  const grad = final ? program.walk.grads[id] : now.grad;
  const value = now.filled ? num(node.data) : "·";
  const active = now.state === "active";
  const accent = frame.phase === "forward" ? palette.forward : palette.backward;
  const key = [value, grad, active, frame.phase, selected, palette.text, now.filled].join();
  return {
    key,
    paint: (c, width, height) => {
      c.beginPath();
      c.roundRect(2, 2, width - 4, height - 4, 8);
      c.fillStyle = active
        ? frame.phase === "forward"
          ? palette["forward-wash"]
          : palette["backward-wash"]
        : palette.card;
      c.fill();
      c.lineWidth = active || selected ? 3 : 1.25;
      c.strokeStyle = selected ? palette.text : active ? accent : palette.edge;
      c.stroke();
      if (isConst(node)) {
        write(c, num(node.data), 12, 23, `15px ${MONO}`, palette.text);
        write(c, en.tags.const, width - 12, 22, `italic 12px ${SANS}`, palette.muted, "right");
        return;
      }
      const operation = node.operands.length > 0;
      const name = operation ? `${opSign(node.op)}  ${program.names[id]}` : program.names[id];
      write(c, name, 12, operation ? 29 : 25, `600 15px ${SANS}`, palette.text);
      write(c, value, width - 12, operation ? 29 : 25, `18px ${MONO}`, palette.text, "right");
      if (operation && now.filled)
        write(
          c,
          operationText(program.graph, node, Math.floor((width - 22) / 7.3)),
          12,
          50,
          `12px ${MONO}`,
          palette.muted,
        );
      write(c, en.grad, 12, height - 10, `12px ${SANS}`, palette.muted);
      const sign = signOf(grad);
      const color = sign === "pos" ? palette.pos : sign === "neg" ? palette.neg : palette.zero;
      write(
        c,
        grad === null ? "--" : `${num(grad)} ${GLYPHS[sign]}`,
        width - 12,
        height - 10,
        `15px ${MONO}`,
        color,
        "right",
      );
    },
  };
}

/** `local` is what a picked edge says before anything has come along it. */
export function pillPainter(
  push: Push | null,
  active: boolean,
  selected: boolean,
  local: number,
  palette: Palette,
): Painter {
  if (!push && !selected) return { key: "", paint: null };
  const text = push ? product(push, 21) : en.pillLocal(num(local));
  return {
    key: `${text} ${active} ${selected} ${palette.text}`,
    paint: (c, width, height) => {
      const span = Math.min(width - 4, 22 + text.length * 7.3);
      c.beginPath();
      c.roundRect((width - span) / 2, 2, span, height - 4, 11);
      c.fillStyle = active ? palette.backward : palette.surface;
      c.fill();
      c.lineWidth = selected ? 2 : 1;
      c.strokeStyle = selected ? palette.text : palette.backward;
      c.stroke();
      write(
        c,
        text,
        width / 2,
        height / 2 + 4.5,
        `12px ${MONO}`,
        active ? palette.surface : palette.text,
        "center",
      );
    },
  };
}
