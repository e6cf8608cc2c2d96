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

/** The width of the smallest letters. */
const LETTER = 7.25;

/** Characters of these on so many pixels, without what is free at both sides. */
const fits = (pixels: number): number => Math.floor((pixels - 12) / LETTER);

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
  const number = html`<span class="value">${value}</span>`;
  // What has no room is written smaller, then without its operation, then without its value.
  const isWhole = much === "full" || much === "snug";
  const least = 20 + 8.5 * names[id].length + LETTER * value.length;
  const long = least + 22 + LETTER * op.length > width;
  const first =
    isWhole && !long
      ? html`${sign}${name}${number}`
      : html`${isWhole ? name : short}${least > width ? nothing : number}`;
  const isTight =
    isWhole && 34 + LETTER * op.length + 9 * names[id].length + 9.6 * value.length > width;
  const grad = final ? walk.grads[id] : now.grad;
  const its = signOf(grad);
  const sum = final ? "" : sumOf(now, fits(width) + 1);
  const text = grad === null ? UNKNOWN : sum || num(grad);
  // A number is whole or not there; a minus says what its glyph would.
  const isShown = text.length <= fits(width) + 1;
  const glyph = GLYPHS[its] && text.length + 2 <= fits(width) + 1 ? GLYPHS[its] : "";
  const hasCaption = isWhole && !sum && 56 + 8.4 * text.length <= width;
  const under =
    isWhole && inputs
      ? html`<p class="arithmetic"><span>${now.filled ? operationUnder(graph, node, fits(width)) : ""}</span>${node.tags.includes("derived") ? html`<i class="tag">${t.tags.derived}</i>` : nothing}</p>`
      : nothing;
  return html`<p class=${isTight ? "tight" : ""}>${first}</p>${under}<p class="last">${hasCaption ? html`<span class="caption">grad</span>` : nothing}<span class="grad ${its} ${sum ? "sum" : ""}">${isShown ? text : ""}${glyph && html`<i class="glyph">${glyph}</i>`}</span></p>`;
}
