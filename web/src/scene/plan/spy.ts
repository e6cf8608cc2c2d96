/** The tape from above: a dot for every edge, at the row of its node and the column of its input. */

import type { Tape } from "../../core/index.ts";
import type { Palette } from "../palette.ts";
import { rgb } from "./tones.ts";

/** Paint the edges into a square; where many fall on one dot, it is stronger. */
export function paintSpy(canvas: HTMLCanvasElement, tape: Tape, palette: Palette): void {
  const side = canvas.width;
  const counts = new Uint32Array(side * side);
  const scale = side / tape.length;
  let most = 1;
  for (let id = 0; id < tape.length; id++) {
    const row = Math.floor(id * scale);
    for (let e = tape.start[id]; e < tape.start[id + 1]; e++) {
      const cell = row * side + Math.floor(tape.operand[e] * scale);
      most = Math.max(most, ++counts[cell]);
    }
  }
  const image = new ImageData(side, side);
  const [ground, ink] = [rgb(palette.surface), rgb(palette.forward)];
  for (let cell = 0; cell < counts.length; cell++) {
    const share = counts[cell] ? 0.35 + (0.65 * Math.log1p(counts[cell])) / Math.log1p(most) : 0;
    for (let part = 0; part < 3; part++)
      image.data[4 * cell + part] = ground[part] + (ink[part] - ground[part]) * share;
    image.data[4 * cell + 3] = 255;
  }
  canvas.getContext("2d")!.putImageData(image, 0, 0);
}
