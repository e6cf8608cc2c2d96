/** A node as a card: operation, name, value, arithmetic, gradient. What is unfilled says so. */

import { nothing, type SVGTemplateResult, svg } from "lit";
import type { Program } from "../app/derive.ts";
import type { NodeFrame } from "../app/timeline.ts";
import { type Box, isConst, type Node, type Walk } from "../core/index.ts";
import { exact, GLYPHS, num, signOf, UNKNOWN } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { adds, operationText, operationUnder, opSign, sum } from "../teach/arithmetic.ts";
import { vars } from "./css.ts";
import { type Face, signSpan } from "./picture.ts";

export interface CardOptions {
  final: boolean;
  compare: boolean;
  /** Whether there are letters; from further away there is a sign, and from afar nothing. */
  details: boolean;
  /** The scale of the picture where signs stand on the cards; 0 where there are none. */
  signs: number;
  /** How much larger letters are than the layout thinks: the further away, the larger. */
  type: number;
  /** How much there is room for. */
  face: Face;
}

/** Characters of 12 px monospace, so much enlarged, that fit into so many pixels. */
export const fits = (pixels: number, type: number): number => Math.floor(pixels / (7.3 * type));

/** The room that a value takes at the end of its card. */
const valueRoom = (value: string, type: number): number => 12 + value.length * 10.9 * type;

export function card(
  program: Program,
  id: number,
  frame: NodeFrame,
  box: Box,
  options: CardOptions,
): SVGTemplateResult {
  const node = program.graph.nodes[id];
  if (isConst(node)) return constant(node, box, options);
  const { width, height } = box;
  if (options.details && options.face !== "full") return small(program, node, frame, box, options);
  const value = frame.filled ? num(node.data) : UNKNOWN;
  return svg`
    <rect class="body" width=${width} height=${height} rx="8" />
    ${
      options.details
        ? svg`
      ${node.operands.length ? badge(program, node, value, width, options.type) : leafName(program, node, value, width, options.type)}
      <text class="value" x=${width - 12} y=${node.operands.length ? 29 : 25}>${value}</text>
      ${node.operands.length ? arithmetic(program, node, frame, width, options.type) : nothing}
      <line class="rule" x1="1" x2=${width - 1} y1=${height - 27} y2=${height - 27} />
      ${hasCaption(program, id, frame, width, options) ? svg`<text class="caption" x="12" y=${height - 9}>grad</text>` : nothing}
      ${gradient(program, id, frame, width - 12, height - 9, fits(width - 24 - 30 * options.type, options.type), options)}`
        : farWord(node.label || opSign(node.op) || program.names[id], box, options.signs)
    }`;
}

/** The smallest letters, and the width of one of the letters of a sign, in its height. */
const LEAST_LETTERS = 12;
const FAR_LETTER = 0.74;

/** A name or a sign as large as its card has room for; shorter, or none, before it is too small. */
export function farLetters(
  name: string,
  { width, height }: Box,
  scale: number,
): { word: string; size: number } | null {
  for (let length = Math.min(4, name.length); length > 0; length--) {
    const word = clipped(name, length);
    if (word === "…") break;
    const size = Math.min(58, 0.9 * height, (width - 8) / (FAR_LETTER * word.length));
    if (size * scale >= LEAST_LETTERS) return { word, size };
  }
  return null;
}

function farWord(name: string, box: Box, scale: number): SVGTemplateResult | typeof nothing {
  const found = farLetters(name, box, scale);
  if (!found) return nothing;
  const { word, size } = found;
  return svg`<text class="far" x=${box.width / 2} y=${box.height / 2 + 0.36 * size} ${vars({ "--far": `${size.toFixed(1)}px` })}>${word}</text>`;
}

/** Where things stand on a card with little room: [first line, value's line, last line]. */
const LINES = { low: [21, 21, 41], narrow: [16, 32, 48] } as const;

/** A card without arithmetic, caption and rule: two lines, or three short ones. */
function small(
  program: Program,
  node: Node,
  frame: NodeFrame,
  box: Box,
  options: CardOptions & { face: Face },
): SVGTemplateResult {
  const { width } = box;
  const isLow = options.face === "low";
  const [first, second, last] = LINES[isLow ? "low" : "narrow"];
  const span = node.operands.length ? signSpan(node) : 0;
  const left = span ? span + 12 : 10;
  const value = frame.filled ? num(node.data) : UNKNOWN;
  const taken = isLow ? 18 + 7.9 * Math.min(value.length, SMALL_VALUE) : 6;
  const name = clipped(
    program.names[node.id],
    Math.max(1, Math.floor((width - left - taken) / 8.4)),
  );
  return svg`
    <rect class="body" width=${width} height=${box.height} rx="8" />
    <g class="small">
      ${
        span
          ? svg`<rect class=${node.tags.includes("derived") ? "capsule derived" : "capsule"} x="6" y=${first - 15} width=${span} height="20" rx="10" />
      <text class="sign" x=${6 + span / 2} y=${first}>${opSign(node.op || "?")}</text>`
          : nothing
      }
      <text class=${node.label || !node.operands.length ? "name" : "name given"} x=${left} y=${first}>${name}</text>
      <text class="value" x=${width - 8} y=${second} textLength=${value.length > SMALL_VALUE ? 7.9 * SMALL_VALUE : nothing} lengthAdjust="spacingAndGlyphs">${value}</text>
      ${gradient(program, node.id, frame, width - 8, last, Math.floor((width - 30) / 7.9), options)}
    </g>`;
}

/** A longer number is squeezed: it keeps its digits. */
const SMALL_VALUE = 7;

function constant(node: Node, box: Box, options: CardOptions): SVGTemplateResult {
  const isFull = options.face === "full";
  return svg`
    <rect class="body" width=${box.width} height=${box.height} rx="8" />
    ${
      options.details
        ? svg`<text class="constant" x=${isFull ? 12 : 8} y=${isFull ? 23 : 20}>${num(node.data)}</text>
      ${isFull ? svg`<text class="tag" x=${box.width - 12} y="22">${t.tags.const}</text>` : nothing}`
        : nothing
    }`;
}

function leafName(
  program: Program,
  node: Node,
  value: string,
  width: number,
  type: number,
): SVGTemplateResult {
  const room = Math.floor((width - 16 - valueRoom(value, type)) / (9 * type));
  const name = clipped(program.names[node.id], Math.max(2, room));
  return svg`<text class="name" x="12" y="25">${name}</text>`;
}

/** The operation in a capsule, then the name it was given, then what kind it is. */
function badge(
  program: Program,
  node: Node,
  value: string,
  width: number,
  type: number,
): SVGTemplateResult {
  const sign = opSign(node.op || "?");
  const span = Math.max(28, 12 + sign.length * 8.4);
  const name = program.names[node.id];
  const derived = node.tags.includes("derived");
  const room = Math.floor((width - span - 20 - valueRoom(value, type)) / (9 * type));
  return svg`
    <rect class="capsule" x="10" y="10" width=${span} height="26" rx="13" />
    <text class="sign" x=${10 + span / 2} y="28">${sign}</text>
    <text class=${node.label ? "name" : "name given"} x=${16 + span} y="28">${clipped(name, Math.max(1, room))}</text>
    ${derived ? svg`<text class="tag" x=${width - 12} y="50">${t.tags.derived}</text>` : nothing}`;
}

function arithmetic(
  program: Program,
  node: Node,
  frame: NodeFrame,
  width: number,
  type: number,
): SVGTemplateResult {
  const room = fits(width - (node.tags.includes("derived") ? 30 + 50 * type : 22), type);
  const text = frame.filled ? operationUnder(program.graph, node, room) : "";
  return svg`<text class="arithmetic" x="12" y="50">${text}</text>`;
}

const wrongs = new WeakMap<Walk, ReadonlySet<number>>();

/** The nodes whose gradient came out wrong: asked for by every card, found once. */
export function wrongIn(walk: Walk): ReadonlySet<number> {
  let found = wrongs.get(walk);
  if (!found) wrongs.set(walk, (found = new Set(walk.wrong)));
  return found;
}

/** Whether the word before the gradient has room beside it: enlarged letters may need all of it. */
function hasCaption(
  program: Program,
  id: number,
  frame: NodeFrame,
  width: number,
  options: CardOptions,
): boolean {
  const shown = options.final ? program.walk.grads[id] : frame.grad;
  if (shown === null || options.compare) return true;
  return 28 + (26 + 9 * num(shown).length + 17) * options.type <= width;
}

/** The gradient, ending at x, y; as a sum if that takes no more characters than `room`. */
function gradient(
  program: Program,
  id: number,
  frame: NodeFrame,
  x: number,
  y: number,
  room: number,
  options: CardOptions,
): SVGTemplateResult {
  const { walk } = program;
  const shown = options.final ? walk.grads[id] : frame.grad;
  if (shown === null) return svg`<text class="grad none" x=${x} y=${y}>${UNKNOWN}</text>`;
  const sign = signOf(shown);
  if (options.compare && Object.is(shown, walk.grads[id]) && wrongIn(walk).has(id)) {
    return svg`<text class="grad wrong" x=${x} y=${y}><tspan class="bad">✗ ${num(shown)}</tspan><tspan class="good" dx="10">✓ ${num(walk.expected[id])}</tspan></text>`;
  }
  const sum = options.final ? "" : sumOf(frame, room);
  if (sum) return svg`<text class="grad sum ${sign}" x=${x} y=${y}>${sum} ${GLYPHS[sign]}</text>`;
  const text = num(shown);
  // On a narrow card a space is a character too many.
  const gap = options.face === "narrow" ? "" : " ";
  const length = text.length > Math.max(room, SMALL_VALUE) ? 7.9 * room : nothing;
  return svg`<text class="grad ${sign}" x=${x} y=${y} textLength=${length} lengthAdjust="spacingAndGlyphs">${text}${gap}<tspan class="glyph" dx=${gap ? 0 : 2}>${GLYPHS[sign]}</tspan></text>`;
}

/** `1 + 3 = 4`, once a second contribution has arrived. */
export function sumOf(frame: NodeFrame, room: number): string {
  const push = frame.last;
  const text = push && frame.arrivals > 1 && adds(push) ? sum(push) : "";
  return text.length <= room - 2 ? text : "";
}

/** What a screen reader says of a card. */
export function cardLabel(program: Program, id: number, frame: NodeFrame, final: boolean): string {
  const node = program.graph.nodes[id];
  if (isConst(node)) return t.cardConst(exact(node.data));
  const grad = final ? program.walk.grads[id] : frame.grad;
  return t.cardLabel(
    program.names[id],
    frame.filled ? exact(node.data) : t.notYet,
    grad === null ? t.notYet : exact(grad),
    node.operands.length && frame.filled ? `${operationText(program.graph, node, exact)}, ` : "",
  );
}

export function clipped(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
