/**
 * What a picture shows while a leaf is pulled: cards moved, wires as wide as what they carry.
 *
 * A wire is as wide at its start as its input has moved, and at its end as what it adds to the move
 * of its consumer: where wires meet, their widths add up. Beads go along all of them at once, as far
 * as the leaf is pulled. Pure; all of it follows from a `Pulled`.
 */

import { type SVGTemplateResult, svg } from "lit";
import type { Program } from "../app/derive.ts";
import { carriedBy, drawnAs, type Pulled } from "../app/pull.ts";
import type { Box, Edge } from "../core/index.ts";
import { GLYPHS, num, signed, signOf } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { operationUnder, opSign } from "../teach/arithmetic.ts";
import { type CardOptions, clipped, fits } from "./card.ts";
import { type EdgeOptions, pill } from "./edge.ts";
import { endOf } from "./find.ts";
import type { WireFrame } from "./frames.ts";
import { type Picture, signSpan } from "./picture.ts";
import { type Place, path, turnOf } from "./wire.ts";

/** The widest wire, and the largest bead in it. */
const WIDEST = 30;
const BEAD = 9;
/** How far a card is moved: as far as the next one of its column allows, within these. */
const [LEAST_LIFT, MOST_LIFT] = [14, 64];

/** A pull on a picture: what the scene asks for in place of the walk. */
export class Pulling {
  #lift: number;

  constructor(
    readonly pulled: Pulled,
    readonly program: Program,
    readonly picture: Picture,
  ) {
    this.#lift = liftOf(picture);
  }

  /** How far up a card is moved. */
  lift(item: number): number {
    const { node } = this.picture.items[item];
    return this.#lift * drawnAs(this.pulled, this.pulled.moves[node]);
  }

  card(node: number, box: Box, lift: number, options: CardOptions): SVGTemplateResult {
    const { names } = this.program;
    const { now, moves, leaf, slopes } = this.pulled;
    const { width, height } = box;
    const { operands, op, data } = now.nodes[node];
    const { type, face } = options;
    const [move, isHeld] = [moves[node], node === leaf];
    const sign = signOf(move);
    const span = operands.length ? signSpan(now.nodes[node]) : 0;
    const value = num(data);
    const room = Math.floor((width - span - 26 - value.length * 10 * type) / (9 * type));
    // Letters that are enlarged need the room of what can be read elsewhere.
    const [isFull, isRoomy] = [face === "full", face === "full" && type < 1.15];
    const first = isFull ? (operands.length ? 26 : 20) : 17;
    const rows = [...(isRoomy ? [height - (operands.length ? 25 : 23)] : []), height - 8];
    const grad = this.program.walk.expected[node];
    const line = (y: number, word: string, x: number, text: string): SVGTemplateResult => {
      const its = signOf(x);
      const isRoom = (word.length + text.length + 4) * 7.3 * type < width - 20;
      return svg`${isRoom ? svg`<text class="caption" x="12" y=${y}>${word}</text>` : ""}<text class="grad ${its}" x=${width - 12} y=${y}>${text} <tspan class="glyph">${GLYPHS[its]}</tspan></text>`;
    };
    return svg`<g class=${isFull ? "" : "small"}>
      ${move ? svg`<rect class="ghost" y=${lift} width=${width} height=${height} rx="8" />` : ""}
      <rect class="body ${isHeld ? "held" : move ? sign : ""}" width=${width} height=${height} rx="8" />
      ${span ? svg`<rect class="capsule" x="8" y=${first - 16} width=${span} height="21" rx="10" /><text class="sign" x=${8 + span / 2} y=${first}>${opSign(op)}</text>` : ""}
      <text class="name" x=${span ? span + 14 : 12} y=${first}>${clipped(names[node], Math.max(1, room))}</text>
      <text class="value" x=${width - 12} y=${first}>${value}</text>
      ${operands.length && isRoomy ? svg`<text class="arithmetic" x="12" y=${first + 17}>${operationUnder(now, now.nodes[node], fits(width - 24, type))}</text>` : ""}
      ${line(rows[0], t.pull.move, move, signed(move))}
      ${rows[1] ? line(rows[1], "grad", grad, num(grad)) : ""}
      ${slopes[node] !== 0 || isHeld ? this.#was(node, box, lift) : ""}</g>`;
  }

  /** Where it was, in what is seen of that place, and the way from there. */
  #was(node: number, { width, height }: Box, lift: number): unknown {
    const shown = Math.abs(lift);
    if (shown < 14) return "";
    const [from, to] = lift > 0 ? [height + lift - 2, height + 3] : [lift + 2, -3];
    const y = lift > 0 ? height + lift - 5 : lift + 13;
    const way = lift > 0 ? 1 : -1;
    return svg`<text class="was" x="10" y=${y}>${t.pull.was(num(this.pulled.rest.nodes[node].data))}</text>
      <path class="arrow ${signOf(this.pulled.moves[node])}" d="M${width - 14} ${from}V${to + 6 * way}m-5 0h10l-5 ${-7 * way}z" />`;
  }

  said(node: number): string {
    const { moves, now } = this.pulled;
    const grad = num(this.program.walk.expected[node]);
    return t.pull.card(
      this.program.names[node],
      num(now.nodes[node].data),
      signed(moves[node]),
      grad,
    );
  }

  /** The wires, and in front of them what they carry. */
  wires(): SVGTemplateResult[] {
    const { layout, edges } = this.picture;
    return layout.edges.map((edge, id) => {
      const shape = this.#shape(edge, edges[id][0]);
      const { center, band, head, start, end } = shape;
      if (!shape.isMoved)
        return svg`<g class="edge" data-edge=${id}><path class="forward" d=${center} /></g>`;
      const size = Math.min(BEAD, 3 + Math.max(start, end) / 4);
      const gap = 1 / 3;
      const on = -((Math.abs(this.pulled.by) / (2 * this.pulled.step)) % 1) * gap;
      const beads = (radius: number, name: string): SVGTemplateResult =>
        svg`<path class=${name} d=${center} pathLength="1" stroke-width=${2 * radius} stroke-dasharray="0 ${gap}" stroke-dashoffset=${on - gap / 2} />`;
      return svg`<g class="pull ${shape.sign}" data-edge=${id}>
        <path class="rim" d=${band} /><path class="band" d=${band} /><path class="band" d=${head} />
        ${beads(size / 2 + 1.5, "rings")}${beads(size / 2, "beads")}</g>`;
    });
  }

  pills(optionsOf: (id: number) => EdgeOptions): unknown {
    const { layout, edges } = this.picture;
    return layout.edges.map((edge, id) => {
      if (!edge.pill) return "";
      const push = this.#push(edges[id][0]);
      const carries = push.contribution !== 0;
      const frame: WireFrame = {
        forward: null,
        backward: null,
        active: carries,
        carried: true,
        push,
        lost: null,
        count: 1,
        arrived: 1,
      };
      const placed = { ...edge, pill: this.#besides(edge, edges[id][0], edge.pill) };
      return svg`<g class=${carries ? "moves" : "stays"}>${pill(this.program, edges[id][0], placed, frame, optionsOf(id))}</g>`;
    });
  }

  #push(edge: number): ReturnType<typeof carriedBy> {
    const { target, operand } = endOf(this.program, edge);
    return carriedBy(this.pulled, target, operand);
  }

  /** The way of a wire at this moment; one to the next column goes straight there. */
  #way(edge: Edge): Place[] {
    const { down } = this.picture;
    const all = edge.points.map(({ x, y }) => (down ? [y, x] : [x, y]) as [number, number]);
    const [first, last] = [all[0], all[all.length - 1]];
    const points = all.length <= NEXT ? [first, last] : all;
    const [from, to] = [this.lift(edge.source), this.lift(edge.target)];
    return points.map(([along, across]) => {
      const u = (along - first[0]) / Math.max(1, last[0] - first[0]);
      const lift = from + (to - from) * u;
      return down ? [along - lift, across] : [along, across - lift];
    });
  }

  #shape(edge: Edge, id: number) {
    const push = this.#push(id);
    const isMoved = push.incoming !== 0;
    const [start, end] = [push.incoming, push.contribution].map((move) =>
      Math.max(1.5, WIDEST * Math.abs(drawnAs(this.pulled, move))),
    );
    const tip = isMoved ? Math.max(7, 0.6 * end) : 0;
    const way = this.#way(edge);
    const [begin, [at, across]] = [way[0], way[way.length - 1]];
    const side = (sign: number): Place[] =>
      way.map(([x, y], i) => {
        const u = (x - begin[0]) / Math.max(1, at - begin[0]);
        const half = (sign * (start + (end - start) * u)) / 2;
        return [i === way.length - 1 ? x - tip : x, y + half];
      });
    const turned = turnOf(this.picture.down);
    const wing = end / 2 + 4;
    const head = `M${turned(at - tip, across - wing)}L${turned(at, across)}L${turned(at - tip, across + wing)}Z`;
    const band = `${path(side(-1), turned)}L${path(side(1).reverse(), turned).slice(1)}Z`;
    return {
      center: path(side(0), turned),
      band,
      head,
      start,
      end,
      isMoved,
      sign: signOf(push.contribution),
    };
  }

  /** Where the middle of a wire is, and below it, if it is wide, its pill. */
  #besides(edge: Edge, id: number, room: Box): Box {
    // In a picture that goes down, the way between two rows has room for one line.
    if (this.picture.down || edge.points.length > NEXT) return room;
    const { start, end, isMoved } = this.#shape(edge, id);
    const way = this.#way(edge);
    const middle = (way[0][1] + way[1][1]) / 2;
    const beside = isMoved ? (start + end) / 4 + 14 : 0;
    return { ...room, y: middle - room.height / 2 + beside };
  }
}

/** A wire of no more points passes no column. */
const NEXT = 4;

/** As far as two neighbours of a column can come towards each other, or a card to the next row. */
function liftOf({ layout, down }: Picture): number {
  if (down) return LEAST_LIFT;
  let least = MOST_LIFT;
  for (const one of layout.cards)
    for (const other of layout.cards) {
      const apart = other.y - one.y - one.height;
      const isBeside = other.x < one.x + one.width && one.x < other.x + other.width;
      if (isBeside && apart > 0) least = Math.min(least, 0.8 * apart);
    }
  return Math.max(LEAST_LIFT, least);
}
