/** What stands on a slab, as HTML: the words of the flat card, in letters of the stage's own pixels. */

import { html, nothing, svg, type TemplateResult } from "lit";
import type { Program } from "../../app/derive.ts";
import type { Frame, NodeFrame } from "../../app/timeline.ts";
import { isConst } from "../../core/index.ts";
import { GLYPHS, num, signOf, UNKNOWN } from "../../strings/format.ts";
import { t } from "../../strings/index.ts";
import { operationUnder, opSign } from "../../teach/arithmetic.ts";
import type { Size } from "../camera.ts";
import { sumOf } from "../card.ts";
import { groupCard } from "../cells.ts";
import { vars } from "../css.ts";
import { groupSize, type Item } from "../picture.ts";

/** How much a label says: all of it, in letters of two sizes or of one; no arithmetic; its name alone. */
type Much = "full" | "snug" | "low" | "far";

export interface Label {
  readonly key: string;
  readonly item: Item;
  readonly now: NodeFrame;
  /** What it is, as classes, and what a reader says of it. */
  readonly classes: string;
  readonly said: string;
  readonly isPicked: boolean;
  readonly tab: number;
}

/** Pixels of a unit at which letters are as large as on a flat card. */
const PLAIN = 66;

export function much(fine: number): Much {
  return fine >= 60 ? "full" : fine >= 44 ? "snug" : fine >= 33 ? "low" : "far";
}

/** A label of so many pixels, of which a unit has `fine`. */
export function label(
  program: Program,
  frame: Frame,
  final: boolean,
  { item, now, classes, said, isPicked, tab }: Label,
  { width, height }: Size,
  fine: number,
  place: Record<string, string>,
): TemplateResult {
  const letters = Math.max(1, fine / PLAIN);
  const style = {
    ...place,
    width: `${width}px`,
    height: `${height}px`,
    "--letters": String(letters),
  };
  const words = item.group
    ? box(program, frame, item, now, final)
    : card(program, now, item.node, final, much(fine), width / letters);
  return html`<div class="slab ${classes} ${much(fine)}" data-node=${item.node} ${vars(style)}><div class="target" role="button" aria-pressed=${isPicked} aria-label=${said} tabindex=${tab}></div><div class="words" aria-hidden="true">${words}</div></div>`;
}

function box(
  program: Program,
  frame: Frame,
  item: Item,
  now: NodeFrame,
  final: boolean,
): TemplateResult {
  const [width, height] = groupSize(item.group!);
  const options = {
    final,
    compare: false,
    details: true,
    signs: 1,
    type: 1,
    face: "full",
  } as const;
  const size = { x: 0, y: 0, width, height };
  return html`<svg viewBox="0 0 ${width} ${height}">${svg`${groupCard(program, item.group!, frame, now, size, options)}`}</svg>`;
}

/** Characters of the smallest letters on so many pixels, without what is free at both sides. */
const fits = (pixels: number): number => Math.floor((pixels - 12) / 7.25);

function card(
  program: Program,
  now: NodeFrame,
  id: number,
  final: boolean,
  much: Much,
  width: number,
): TemplateResult {
  const { graph, names, walk } = program;
  const node = graph.nodes[id];
  if (isConst(node))
    return html`<p><b class="constant">${num(node.data)}</b>${much === "full" ? html`<i class="tag">${t.tags.const}</i>` : nothing}</p>`;
  const inputs = node.operands.length;
  const [op, value] = [inputs ? opSign(node.op || "?") : "", now.filled ? num(node.data) : UNKNOWN];
  const sign = op && html`<span class="capsule">${op}</span>`;
  const name = html`<b class=${node.label || !inputs ? "name" : "name given"}>${names[id]}</b>`;
  const short = inputs && !node.label ? sign : name;
  if (much === "far") return html`<p>${short}</p>`;
  // Where the first line is too long, it is written in the smallest letters, or without its value.
  const isWhole = much === "full" || much === "snug";
  const letters = isWhole ? [9, 9.6, 34 + 7.3 * op.length] : [8.4, 7.3, 12];
  const long = letters[0] * names[id].length + letters[1] * value.length + letters[2] > width;
  const number = html`<span class="value">${value}</span>`;
  const first = isWhole ? html`${sign}${name}${number}` : html`${short}${long ? nothing : number}`;
  const grad = final ? walk.grads[id] : now.grad;
  const its = signOf(grad);
  const sum = final ? "" : sumOf(now, fits(width) + 1);
  const text = grad === null ? UNKNOWN : sum || num(grad);
  // Beside letters of 14 pixels, the word has room or is left out.
  const hasCaption = isWhole && !sum && 56 + 8.4 * text.length <= width;
  const under =
    isWhole && inputs
      ? html`<p class="arithmetic"><span>${now.filled ? operationUnder(graph, node, fits(width)) : ""}</span>${node.tags.includes("derived") ? html`<i class="tag">${t.tags.derived}</i>` : nothing}</p>`
      : nothing;
  return html`<p class=${long ? "tight" : ""}>${first}</p>${under}<p class="last">${hasCaption ? html`<span class="caption">${t.grad}</span>` : nothing}<span class="grad ${its} ${sum ? "sum" : ""}">${text}${GLYPHS[its] === "" ? nothing : html`<i class="glyph">${GLYPHS[its]}</i>`}</span></p>`;
}
