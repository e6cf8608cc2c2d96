/** An edge: forward solid above, backward dashed below, its pill, and the pulse on its way. */

import { nothing, type SVGTemplateResult, svg } from "lit";
import type { Edge } from "../core/index.ts";
import { num, signOf } from "../format.ts";
import type { Program } from "../program.ts";
import { en } from "../strings/en.ts";
import { product } from "../teach/arithmetic.ts";
import type { EdgeFrame, Phase } from "../timeline.ts";
import { fits } from "./card.ts";
import { vars } from "./css.ts";
import { wireOf } from "./wire.ts";

export interface EdgeOptions {
  selected: boolean;
  lit: boolean;
  /** Whether someone is asked for its number just now. */
  asked: boolean;
  phase: Phase;
  details: boolean;
  /** How much larger letters are than the layout thinks. */
  type: number;
  /** The size of the largest contribution, for the width of wires. */
  largest: number;
}

const LONG = 4000;

export function edgeClass(edge: Edge, frame: EdgeFrame, options: EdgeOptions): string {
  const words = ["edge"];
  if (edge.points.at(-1)!.x - edge.points[0].x > LONG) words.push("long");
  if (frame.carried) words.push("carried");
  if (frame.push) words.push("pushed");
  if (frame.lost) words.push("lost");
  if (frame.active) words.push("active");
  if (options.selected) words.push("selected");
  if (options.lit) words.push("lit");
  if (options.asked) words.push("asked");
  return words.join(" ");
}

export function edgeLines(edge: Edge, frame: EdgeFrame, options: EdgeOptions): SVGTemplateResult {
  const wire = wireOf(edge);
  const returns = edge.pill !== null;
  const size = frame.push ? Math.abs(frame.push.contribution) / options.largest : 0;
  const share = Number.isFinite(size) ? Math.min(1, size) : 1;
  // In half pixels: a wire is painted again only when one could see the difference.
  const width = frame.push ? Math.round((1.5 + 2.5 * Math.sqrt(share)) * 2) / 2 : 1.25;
  return svg`
    <path class="hit" d=${wire.middle} />
    <path class="forward" d=${wire.forward} />
    <path class="forward head" d=${wire.forwardHead} />
    ${
      returns && (options.phase === "backward" || frame.push || frame.lost)
        ? svg`<path class="backward" d=${wire.backward} stroke-width=${width} />
          <path class="backward head" d=${wire.backwardHead} />`
        : nothing
    }
    ${pulse(wire.forward, frame.forward, "forward")}
    ${pulse(wire.backward, frame.backward, "backward")}`;
}

/** A bright stretch of the wire with a round head: where the number is just now. */
function pulse(path: string, u: number | null, way: "forward" | "backward"): unknown {
  if (u === null) return nothing;
  const tail = Math.min(u, 0.22);
  return svg`<g class="pulse ${way}">
    <path class="tail" d=${path} pathLength="1" stroke-dasharray="${tail} 2" stroke-dashoffset=${tail - u} />
    <path class="halo" d=${path} pathLength="1" stroke-dasharray="0 2" stroke-dashoffset=${-u} />
    <path class="dot" d=${path} pathLength="1" stroke-dasharray="0 2" stroke-dashoffset=${-u} />
  </g>`;
}

export function pill(
  program: Program,
  edge: Edge,
  frame: EdgeFrame,
  options: EdgeOptions,
): unknown {
  if (!edge.pill || !options.details) return nothing;
  // Every arrow says all of it: where large letters have no room for that, smaller ones do.
  const room = edge.pill.width - 20;
  let size = options.type;
  let text = pillText(program, edge, frame, options, fits(room, size));
  while (text.startsWith("=") && size > 1) {
    size = Math.max(1, size - 0.15);
    text = pillText(program, edge, frame, options, fits(room, size));
  }
  if (!text) return nothing;
  const height = Math.round(edge.pill.height * Math.min(1.2, size));
  const y = edge.pill.y + (edge.pill.height - height) / 2;
  // No wider than its text: the wire shows on both sides. Its room is the layout's all the same.
  const width = Math.min(edge.pill.width, 20 + text.length * 7.3 * size);
  const x = edge.pill.x + (edge.pill.width - width) / 2;
  const sign = frame.push ? signOf(frame.push.contribution) : "none";
  const state = `${frame.active ? "active" : ""} ${frame.lost ? "lost" : ""} ${options.asked ? "asked" : ""} ${options.selected ? "selected" : ""}`;
  return svg`<g class="pill ${sign} ${state}" ${vars({ "--type": String(size) })}>
    <rect x=${x} y=${y} width=${width} height=${height} rx=${height / 2} />
    <text x=${x + width / 2} y=${y + height / 2 + 4.4 * size}>${text}</text>
  </g>`;
}

function pillText(
  program: Program,
  edge: Edge,
  frame: EdgeFrame,
  { asked, selected }: EdgeOptions,
  room: number,
): string {
  if (asked) return "?";
  if (frame.lost) return en.pillLost(num(frame.lost.contribution));
  if (frame.push) return product(frame.push, room);
  if (!selected) return "";
  return en.pillLocal(num(program.graph.nodes[edge.target].local_grads[edge.operand]));
}
