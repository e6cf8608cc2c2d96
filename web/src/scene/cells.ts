/** A group of nodes as one card: what it is, a cell for each part, value and gradient. */

import { nothing, type SVGTemplateResult, svg } from "lit";
import type { Program } from "../app/derive.ts";
import type { Frame, NodeFrame } from "../app/timeline.ts";
import type { Box } from "../core/index.ts";
import { exact, GLYPHS, num, type Sign, signOf, UNKNOWN } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { opSign } from "../teach/arithmetic.ts";
import { type CardOptions, clipped, fits } from "./card.ts";
import type { Group } from "./groups.ts";
import { CELL, grid } from "./picture.ts";
import { inkOf, largestOf, signIn, TONES, toneOf } from "./tones.ts";

function groupTitle({ kind, name, cells, nodes }: Group): string {
  if (kind === "scope") return name;
  const signs = name.split(" ").map(opSign).join(" ");
  if (kind === "repeat" || kind === "unit") return signs || t.group.leaves;
  // So many additions have one term more.
  const isChain = kind === "sum" || kind === "product";
  return t.group.title[kind]((cells.length || nodes.length) + Number(isChain));
}

/** Whether all of a group's results leave by one node: then its value and gradient are the group's. */
function hasOneEnd(group: Group): boolean {
  return !["repeat", "scope", "block"].includes(group.kind);
}

export function groupCard(
  program: Program,
  group: Group,
  frame: Frame,
  now: NodeFrame,
  box: Box,
  options: CardOptions,
): SVGTemplateResult {
  const { width, height } = box;
  const sign = t.group.sign[group.kind] + (group.kind === "repeat" ? group.parts : "");
  const span = Math.max(28, 12 + sign.length * 8.4 * options.type);
  const end = group.nodes[group.nodes.length - 1];
  const value = hasOneEnd(group) ? (now.filled ? num(program.graph.nodes[end].data) : UNKNOWN) : "";
  const room = Math.floor(
    (width - span - 34 - value.length * 10.9 * options.type) / (8.6 * options.type),
  );
  const cells = svg`${cellPaths(program, group, frame, options)}`;
  if (!options.details)
    return svg`<rect class="body" width=${width} height=${height} rx="8" />${group.cells.length ? cells : svg`<text class="far" x=${width / 2} y=${height / 2 + 20}>${sign}</text>`}`;
  return svg`
    <rect class="body" width=${width} height=${height} rx="8" />
    <rect class="capsule" x="10" y="10" width=${span} height="26" rx="13" />
    <text class="sign grow" x=${10 + span / 2} y="28">${sign}</text>
    <text class="name given" x=${16 + span} y="28">${titleIn(group, room)}</text>
    <text class="value" x=${width - 12} y="29">${value}</text>
    ${cells}
    <line class="rule" x1="1" x2=${width - 1} y1=${height - 27} y2=${height - 27} />
    ${lastLine(program, group, frame, now, box, options)}`;
}

/** What a group is, in as many letters as there is room for: a count alone says more than a stump. */
function titleIn(group: Group, room: number): string {
  const title = groupTitle(group);
  const isChain = group.kind === "sum" || group.kind === "product";
  if (title.length <= room || !isChain) return clipped(title, Math.max(2, room));
  return t.group.few(group.nodes.length + 1);
}

/** Where to press to open it, and the gradient; what has no room says less. */
function lastLine(
  program: Program,
  group: Group,
  frame: Frame,
  now: NodeFrame,
  { width, height }: Box,
  options: CardOptions,
): SVGTemplateResult {
  const room = fits(width - 24, options.type);
  const [text, sign] = gradText(program, group, frame, now, room - 4, options);
  const word = `${t.group.open} ⤢`;
  const y = height - 9;
  return svg`<text class="caption" x="12" y=${y}>${text.length + word.length + 2 <= room ? word : "⤢"}</text>
    <text class="grad sum ${sign}" x=${width - 12} y=${y}>${text} ${GLYPHS[sign]}</text>`;
}

/** The gradient of a group's one end, or from the least to the largest of its cells. */
function gradText(
  program: Program,
  group: Group,
  frame: Frame,
  now: NodeFrame,
  room: number,
  options: CardOptions,
): [string, Sign] {
  const end = group.nodes[group.nodes.length - 1];
  const grad = options.final ? program.walk.grads[end] : now.grad;
  const [low, high] = hasOneEnd(group)
    ? [grad, grad]
    : rangeOf(program, group, frame, options.final);
  if (low === null || high === null) return [UNKNOWN, "none"];
  if (low === high) return [num(low), signOf(low)];
  // Of one sign, the text has its colour and its glyph.
  const sign = signOf(low) === signOf(high) ? signOf(low) : "none";
  const range = t.group.range(num(low), num(high));
  return [range.length <= room ? range : "", sign];
}

function rangeOf(
  { walk }: Program,
  group: Group,
  frame: Frame,
  final: boolean,
): [number | null, number | null] {
  let low: number | null = null;
  let high: number | null = null;
  for (const id of group.cells) {
    const grad = final ? walk.grads[id] : frame.grad(id);
    if (grad === null) continue;
    if (low === null || grad < low) low = grad;
    if (high === null || grad > high) high = grad;
  }
  return [low, high];
}

/** What a screen reader says of a group. */
export function groupLabel(program: Program, group: Group, now: NodeFrame, final: boolean): string {
  const end = group.nodes[group.nodes.length - 1];
  const grad = final ? program.walk.grads[end] : now.grad;
  return t.group.label(
    groupTitle(group),
    group.nodes.length,
    now.filled ? exact(program.graph.nodes[end].data) : t.notYet,
    grad === null ? t.notYet : exact(grad),
  );
}

/**
 * The cells of a group as a few paths, one for each tone: up for a positive gradient, down for a
 * negative one, a dot for zero, a square for one not yet known. The larger, the stronger, as everywhere.
 */
function cellPaths(program: Program, group: Group, frame: Frame, options: CardOptions): unknown {
  if (!group.cells.length) return nothing;
  const { each, columns } = grid(group);
  const most = largestOf(program.walk.grads);
  const paths = new Map<number, string>();
  let active = "";
  const acting = frame.event?.push?.to ?? frame.event?.node ?? -1;
  for (let i = 0; i * each < group.cells.length; i++) {
    const x = 12 + (i % columns) * CELL;
    const y = 46 + Math.floor(i / columns) * CELL;
    let grad: number | null = null;
    for (let k = i * each; k < Math.min(group.cells.length, (i + 1) * each); k++) {
      const id = group.cells[k];
      const its = options.final ? program.walk.grads[id] : frame.grad(id);
      if (its !== null && (grad === null || !(Math.abs(its) <= Math.abs(grad)))) grad = its;
      if (id === acting) active = `M${x - 1} ${y - 1}h${CELL}v${CELL}h-${CELL}z`;
    }
    const tone = grad === null ? UNSEEN : toneOf(grad, most);
    paths.set(tone, (paths.get(tone) ?? "") + shape(tone, x, y));
  }
  const drawn = [UNSEEN, ...TONES].map(
    (tone) =>
      svg`<path class=${tone < 0 ? "unseen" : signIn(tone)} fill-opacity=${inkOf(tone)} d=${paths.get(tone) ?? ""} />`,
  );
  return svg`<g class="cells">${drawn}<path class="acting" d=${active} /></g>`;
}

/** In place of a tone: no gradient has arrived. */
const UNSEEN = -1;

function shape(tone: number, x: number, y: number): string {
  if (tone < 0) return `M${x + 2} ${y + 2}h6v6h-6z`;
  if (signIn(tone) === "none") return `M${x + 3.5} ${y + 3.5}h3v3h-3z`;
  return signIn(tone) === "pos" ? `M${x} ${y + 9.5}h10l-5 -9z` : `M${x} ${y + 0.5}h10l-5 9z`;
}
