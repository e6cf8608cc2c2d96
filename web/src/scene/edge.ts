/** An edge: forward solid above, backward dashed below, its pill, and the pulse on its way. */

import { nothing, type SVGTemplateResult, svg } from "lit";
import type { Program } from "../app/derive.ts";
import type { Phase } from "../app/timeline.ts";
import type { Edge } from "../core/index.ts";
import { num, signOf } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { is, productLines } from "../teach/arithmetic.ts";
import { fits } from "./card.ts";
import { vars } from "./css.ts";
import { endOf } from "./find.ts";
import type { WireFrame } from "./frames.ts";
import type { Wire } from "./wire.ts";

export interface EdgeOptions {
  selected: boolean;
  lit: boolean;
  /** Whether someone is asked for its number just now. */
  asked: boolean;
  phase: Phase;
  details: boolean;
  /** How much higher than its room a pill may be. */
  spare: number;
  /** How wide the picture is: no pill goes beyond. */
  width: number;
  /** How much larger letters are than the layout thinks. */
  type: number;
  /** The size of the largest contribution, for the width of wires. */
  largest: number;
}

const LONG = 4000;

export function edgeClass(edge: Edge, frame: WireFrame, options: EdgeOptions): string {
  const words = ["edge"];
  const [start, end] = [edge.points[0], edge.points.at(-1)!];
  if (end.x - start.x + end.y - start.y > LONG) words.push("long");
  if (frame.count > 1) words.push("many");
  if (frame.carried) words.push("carried");
  if (frame.push) words.push("pushed");
  if (frame.lost) words.push("lost");
  if (frame.active) words.push("active");
  if (options.selected) words.push("selected");
  if (options.lit) words.push("lit");
  if (options.asked) words.push("asked");
  return words.join(" ");
}

export function edgeLines(
  edge: Edge,
  wire: Wire,
  frame: WireFrame,
  options: EdgeOptions,
): SVGTemplateResult {
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
  id: number,
  edge: Edge,
  frame: WireFrame,
  options: EdgeOptions,
): unknown {
  if (!edge.pill || !options.details) return nothing;
  const size = options.type;
  const step = LINE * Math.min(1.2, size);
  const most = (edge.pill.height + options.spare) * Math.min(1.2, size);
  const heightOf = ({ length }: readonly string[]): number =>
    Math.max(20, Math.round(step * length + 5));
  const room = fits(edge.pill.width - PADDING, size);
  // What is past is left out where it has no room. What happens now may be wider, over wires, so
  // that it is no higher than the way between the cards.
  const isNow = frame.active || options.selected || options.asked;
  const lines = (isNow ? [room, LONGEST, 2 * LONGEST] : [room])
    .map((letters) => pillLines(program, id, frame, options, letters))
    .find((lines) => lines.length && heightOf(lines) <= most);
  if (!lines) return nothing;
  const height = heightOf(lines);
  const y = edge.pill.y + (edge.pill.height - height) / 2;
  // No wider than its text: the wire shows on both sides. Its room is the layout's all the same.
  const longest = Math.max(...lines.map((line) => line.length));
  const width = PADDING + longest * 7.3 * size;
  const centred = edge.pill.x + (edge.pill.width - width) / 2;
  const x = Math.max(2, Math.min(centred, options.width - width - 2));
  const first = y + (height - step * (lines.length - 1)) / 2 + 4.4 * size;
  return svg`<g class="pill ${pillState(frame, options)}" ${vars({ "--type": String(size) })}>
    <rect x=${x} y=${y} width=${width} height=${height} rx=${Math.min(10, height / 2)} />
    <text>${lines.map((line, i) => svg`<tspan x=${x + width / 2} y=${first + i * step}>${line}</tspan>`)}</text>
  </g>`;
}

/** What a pill is: its sign, and what is done with it. */
export function pillState(frame: WireFrame, { asked, selected }: EdgeOptions): string {
  const sign = frame.push ? signOf(frame.push.contribution) : "none";
  return `${sign} ${frame.active ? "active" : ""} ${frame.lost ? "lost" : ""} ${asked ? "asked" : ""} ${selected ? "selected" : ""}`;
}

/** The height of a line of a pill, and what is free beside its text. */
const LINE = 12;
const PADDING = 10;
/** The longest line of a product in three lines: `× −0.0001234`. */
const LONGEST = 12;

export function pillLines(
  program: Program,
  edge: number,
  frame: WireFrame,
  { asked, selected }: EdgeOptions,
  room: number,
): readonly string[] {
  if (asked) return ["?"];
  if (frame.count > 1 && !frame.active)
    return frame.arrived || selected ? [tally(frame, room)] : [];
  if (frame.lost) return [t.pillLost(num(frame.lost.contribution))];
  if (frame.push) return productLines(frame.push, room);
  if (!selected) return [];
  const { target, operand } = endOf(program, edge);
  return [t.pillLocal(is(program.graph.nodes[target].local_grads[operand]))];
}

/** How many of a wire's edges have carried something: what they carried is on the cells. */
function tally({ arrived, count }: WireFrame, room: number): string {
  const whole = t.pillMany(arrived, count);
  return whole.length <= room ? whole : `${arrived}/${count}`;
}
