/**
 * Where everything in a picture goes: leaves left, operations right of their inputs, the root last.
 * Or, with `down`, leaves at the top and the root at the bottom: the same with the axes exchanged.
 * What follows, and the names below, speak of the first.
 *
 * The picture is cut into columns. Even columns hold cards, odd ones between them hold the pills of
 * the edges, and a wire that passes a column has a place of its own in it. Between two columns lies
 * a channel, and only there do wires bend. So two things can overlap only if they share a column,
 * and there they are stacked: nothing covers anything, by construction.
 *
 *   layers   longest path, then what can move to its consumer at no cost does
 *   order    depth first from the root, then barycentre sweeps; the fewest crossings win
 *   heights  least squares towards the neighbours, keeping the distances
 *   place    columns get their widths, channels grow with how far their wires must climb
 *
 * Positions depend on structure alone (operations, labels, operands, tags), never on a number, so a
 * picture stands still while its values change. All of it is whole pixels, and the same as that of
 * `gradwalk.render.layout`: tests/fixtures/layout.json holds the two together.
 */

import {
  grouped,
  joined,
  type Lists,
  ordered,
  type Pulls,
  type Segments,
  settled,
} from "./columns.ts";
import { type Graph, isConst, type Node } from "./graph.ts";
import { codePoints } from "./numbers.ts";

export const MARGIN = 24;
export const PILL_WIDTH = 200;
const PILL_HEIGHT = 20;
/** Half the distance between the forward and the backward wire of an edge. */
export const SPREAD = 6;
const CARD_GAP = 24;
const CHANNEL_LEAST = 32;
const CHANNEL_MOST = 128;
const RAIL_HEIGHT = 2 * SPREAD + 8;

// A node read further away than this many layers sends its wire over the top of the picture: the
// places that passing wires take in columns then stay linear in the number of nodes.
const LONGEST_PASSAGE = 6;

// How much a segment wants to be straight; the trunk of the graph runs level, the rest gives way.
const STRAIGHT = 2;
const STRAIGHT_PASSAGE = 6;
const STRAIGHT_MAIN = 512;

/** A rectangle; x and y are its upper left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A turn of a wire: forward passes it `spread` above y, backward as far below. In a picture that
 * goes down, forward passes to the left of x, and backward to the right.
 *
 * Between two points, a wire is the cubic curve that leaves and arrives level, with both control
 * points half way across; where the heights are equal that is a straight line.
 */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly spread: number;
}

/** The wire from a node to one operand position of its consumer; `pill` is room for its label. */
export interface Edge {
  readonly source: number;
  readonly target: number;
  readonly operand: number;
  readonly points: readonly Point[];
  readonly pill: Box | null;
}

/** `cards` has one box for each node, `edges` go by target and operand. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly cards: readonly Box[];
  readonly edges: readonly Edge[];
}

export interface LayoutOptions {
  /** Without them there is one wire an edge and no room for labels. */
  readonly pills?: boolean;
  /** Make the cards wide enough for two gradients, one wrong and one right. */
  readonly compare?: boolean;
  /** Widths and heights, all even, of cards that hold something else than a node. */
  readonly sizes?: readonly (readonly [number, number])[];
  /** From the top to the bottom, where a stage is higher than wide. */
  readonly down?: boolean;
  /** How wide a pill is. */
  readonly pill?: number;
  /** How high it is: more than one line needs more. */
  readonly pillHeight?: number;
  /** The distance between neighbouring cards: more of it fills a high stage. */
  readonly gap?: number;
  /** The least and the most width of a channel: more of it fills a wide stage. */
  readonly channel?: readonly [number, number];
  /** What is left free around the picture. */
  readonly margin?: number;
}

/** Return where the cards, wires and pills of `graph` go. */
export function layout(graph: Graph, options: LayoutOptions = {}): Layout {
  return new Sheet(graph, options).place();
}

/** Return the width and height of a card: room for its symbol, label, tag and any number. */
export function cardSize(node: Node, uses: number, compare: boolean): readonly [number, number] {
  let width = 104 + 9 * Math.min(codePoints(node.label), 16);
  if (isConst(node)) return [whole(width + 32, 8), 36];
  const inputs = node.operands.length;
  if (inputs) width += node.op.length < 2 ? 24 : 16 + 9 * Math.min(node.op.length, 10);
  width += node.tags.includes("derived") ? 64 : 0;
  let least = !inputs ? 144 : inputs < 3 ? 176 : 240;
  if (uses > 1) least = Math.max(least, 176); // the gradient is a sum: `1 + 3 = 4`
  if (compare) least = Math.max(least, 208);
  const height = inputs ? Math.max(84, 48 + 12 * inputs) : 60;
  return [whole(Math.max(width, least), 16), height];
}

function whole(width: number, grid: number): number {
  return Math.ceil(width / grid) * grid;
}

/**
 * Return the depth of each node, the length of its longest path to a leaf, and its layer.
 *
 * A node goes next to its nearest consumer if that does not make more wires longer than shorter:
 * all leaves do, and with them whole subtrees that nothing else reads.
 */
function layers(graph: Graph): [number[], number[]] {
  const consumers = graph.consumers();
  const depths: number[] = [];
  const follows: boolean[] = []; // used once, and so is all below it: it can move along
  for (const node of graph.nodes) {
    let deepest = -1;
    let loose = true;
    for (const operand of node.operands) {
      deepest = Math.max(deepest, depths[operand]);
      loose &&= follows[operand];
    }
    depths.push(1 + deepest);
    follows.push(loose && consumers[node.id].length === 1);
  }
  const found = [...depths];
  for (let id = graph.root; id >= 0; id--) {
    const reads = new Set(consumers[id]);
    const staying = new Set(graph.nodes[id].operands.filter((operand) => !follows[operand]));
    if (!reads.size || staying.size > reads.size) continue;
    let nearest = Infinity;
    for (const consumer of reads) nearest = Math.min(nearest, found[consumer]);
    found[id] = nearest - 1;
  }
  return [depths, found];
}

/**
 * The picture in the making: items in columns, segments between neighbouring columns.
 *
 * Items 0 … n-1 are the cards. Behind them come the passages, one for each column that a longer wire
 * crosses, and then the slots, one for each edge in the odd column left of its target. The passages
 * of a wire have numbers one behind the other, from left to right, and so have the slots of a card.
 */
class Sheet {
  readonly graph: Graph;
  readonly pills: boolean;
  readonly down: boolean;
  readonly pill: number;
  readonly pillHeight: number;
  readonly gap: number;
  readonly channel: readonly [number, number];
  readonly margin: number;
  /** How far a pill reaches from its wire, upwards and downwards. */
  readonly pillAbove: number;
  readonly pillBelow: number;
  readonly depths: readonly number[];
  readonly layers: readonly number[];
  readonly sizes: readonly (readonly [number, number])[];
  readonly column: number[];
  readonly above: number[];
  readonly below: number[];
  /** Where segments start and end; of those at one item, the first laid comes first. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** Nodes whose wire goes over the top: their furthest layer. */
  readonly rails = new Map<number, number>();
  readonly firstPassage: readonly number[];
  readonly firstSlot: readonly number[];
  readonly slots: number;
  readonly columns: Lists;
  readonly segments: Segments;
  readonly main: readonly number[];
  /** Where the wire from an item meets the left side of its card, counted from the middle. */
  readonly portLeft: Int32Array;
  /** Where the wire to an item meets the right side of its card; for a rail, by the card itself. */
  readonly portRight: Int32Array;
  readonly spreadLeft: Int32Array;
  readonly spreadRight: Int32Array;
  readonly y: Float64Array;
  readonly railY = new Map<number, number>();
  readonly begin: number[] = [];
  readonly end: number[] = [];
  cards: readonly Box[] = [];

  constructor(graph: Graph, options: LayoutOptions) {
    this.graph = graph;
    this.pills = options.pills ?? true;
    this.down = options.down ?? false;
    this.pill = options.pill ?? PILL_WIDTH;
    this.pillHeight = options.pillHeight ?? PILL_HEIGHT;
    this.gap = options.gap ?? CARD_GAP;
    this.channel = options.channel ?? [CHANNEL_LEAST, CHANNEL_MOST];
    this.margin = options.margin ?? MARGIN;
    this.pillAbove = this.down ? this.pill / 2 : Math.max(SPREAD + 2, this.pillHeight / 2 - SPREAD);
    this.pillBelow = this.down ? this.pill / 2 : SPREAD + this.pillHeight / 2;
    [this.depths, this.layers] = layers(graph);
    const { nodes, length } = graph;
    const consumers = graph.consumers();
    const compare = options.compare ?? false;
    const sizes =
      options.sizes ?? nodes.map((node) => cardSize(node, consumers[node.id].length, compare));
    this.sizes = this.down ? sizes.map(([width, height]) => [height, width]) : sizes;
    this.column = this.layers.map((layer) => 2 * layer);
    this.above = this.sizes.map(([, height]) => height / 2);
    this.below = [...this.above];
    this.firstPassage = nodes.map((node) => this.#layWire(node.id, consumers[node.id]));
    this.slots = this.column.length;
    this.firstSlot = nodes.map((node) => this.#laySlots(node));
    this.segments = joined(this.column.length, this.starts, this.ends);
    this.columns = ordered(this.#depthFirst(), this.segments, length);
    this.main = nodes.map((node) => this.#mainInput(node));
    this.portLeft = new Int32Array(this.column.length);
    this.portRight = new Int32Array(this.column.length);
    this.spreadLeft = new Int32Array(length);
    this.spreadRight = new Int32Array(length);
    this.#findPorts();
    this.y = settled(this.columns, this.#distances(), this.segments, this.#pulls());
  }

  // ── What there is to place ─────────────────────────────────────────────────────────────────

  #item(column: number, above: number, below: number, source: number | null): number {
    const item = this.column.length;
    this.column.push(column);
    this.above.push(above);
    this.below.push(below);
    if (source !== null) this.#join(source, item);
    return item;
  }

  #join(start: number, end: number): void {
    this.starts.push(start);
    this.ends.push(end);
  }

  /** Lay the passages of a node's wire as far as its last consumer; return the first. */
  #layWire(node: number, consumers: readonly number[]): number {
    const first = this.column.length;
    const here = this.layers[node];
    let furthest = here;
    for (const consumer of consumers) furthest = Math.max(furthest, this.layers[consumer]);
    if (furthest - here > LONGEST_PASSAGE) {
      this.rails.set(node, furthest);
      return first;
    }
    let last = node;
    for (let column = 2 * here + 1; column < 2 * furthest - 1; column++) {
      last = this.#item(column, SPREAD + 2, SPREAD + 2, last);
    }
    return first;
  }

  /** Lay a slot for each operand of a node; return the first. */
  #laySlots(node: Node): number {
    const first = this.column.length;
    const column = 2 * this.layers[node.id] - 1;
    for (const operand of node.operands) {
      const span = column - 2 * this.layers[operand];
      let source: number | null = operand;
      if (span > 1) source = this.rails.has(operand) ? null : this.firstPassage[operand] + span - 2;
      const item = this.#hasPill(operand)
        ? this.#item(column, this.pillAbove, this.pillBelow, source)
        : this.#item(column, SPREAD + 2, SPREAD, source);
      this.#join(item, node.id);
    }
    return first;
  }

  #hasPill(source: number): boolean {
    return this.pills && !isConst(this.graph.nodes[source]);
  }

  /** Return the columns in the order of a walk from the root, which no tree crosses. */
  #depthFirst(): Lists {
    const { nodes, root } = this.graph;
    const walked: number[] = [];
    const seen = new Uint8Array(nodes.length);
    seen[root] = 1;
    const stack = [root];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      walked.push(node);
      const passed = node < nodes.length - 1 ? this.firstPassage[node + 1] : this.slots;
      for (let item = this.firstPassage[node]; item < passed; item++) walked.push(item);
      const { operands } = nodes[node];
      for (let i = 0; i < operands.length; i++) walked.push(this.firstSlot[node] + i);
      for (let i = operands.length - 1; i >= 0; i--) {
        if (seen[operands[i]]) continue;
        seen[operands[i]] = 1;
        stack.push(operands[i]);
      }
    }
    const columns = walked.map((item) => this.column[item]);
    return grouped(2 * this.layers[root] + 1, columns, walked);
  }

  // ── Ports, pulls, distances ────────────────────────────────────────────────────────────────

  /**
   * Return the slot of the input that the trunk of the graph comes through, or -1.
   *
   * Its wire meets the card in the middle, so that a long chain runs level.
   */
  #mainInput({ id, operands }: Node): number {
    const slot = this.firstSlot[id];
    if (operands.length !== 2) return operands.length === 1 ? slot : -1;
    const first = this.depths[operands[0]];
    const second = this.depths[operands[1]];
    return first === second ? -1 : slot + (second > first ? 1 : 0);
  }

  /** Spread the wires of each card over its sides, in the order in which they come. */
  #findPorts(): void {
    const { from, to, left, right } = this.segments;
    const { begin, items } = this.columns;
    const place = new Int32Array(items.length);
    for (let column = 0; column + 1 < begin.length; column++) {
      for (let i = begin[column]; i < begin[column + 1]; i++) place[items[i]] = i - begin[column];
    }
    const met: number[] = [];
    const meet = (card: number, { begin, items }: Lists, ends: Int32Array): void => {
      met.length = 0;
      for (let k = begin[card]; k < begin[card + 1]; k++) met.push(ends[items[k]]);
      met.sort((a, b) => place[a] - place[b]);
    };
    for (let card = 0; card < this.graph.length; card++) {
      const height = this.sizes[card][1];
      meet(card, left, from);
      this.spreadLeft[card] = spreadPorts(met, height, this.main[card], this.portLeft);
      meet(card, right, to);
      if (this.rails.has(card)) met.unshift(card); // the port of its rail
      this.spreadRight[card] = spreadPorts(met, height, -1, this.portRight);
    }
  }

  /** Return how much each segment wants to be straight, and from which port to which. */
  #pulls(): Pulls {
    const { from, to, right } = this.segments;
    const cards = this.graph.length;
    const shift = new Int32Array(from.length);
    const weight = new Int32Array(from.length);
    for (let segment = 0; segment < from.length; segment++) {
      const slot = to[segment] < cards ? from[segment] : to[segment];
      shift[segment] = this.#leaving(segment) - this.#arriving(segment);
      weight[segment] = STRAIGHT;
      if (slot < this.slots) weight[segment] = STRAIGHT_PASSAGE;
      else if (this.main[to[right.items[right.begin[slot]]]] === slot)
        weight[segment] = STRAIGHT_MAIN;
    }
    return { shift, weight };
  }

  #leaving(segment: number): number {
    const { from, to } = this.segments;
    return from[segment] < this.graph.length ? this.portRight[to[segment]] : 0;
  }

  #arriving(segment: number): number {
    const { from, to } = this.segments;
    return to[segment] < this.graph.length ? this.portLeft[from[segment]] : 0;
  }

  /** Return how far the line of each item must be below that of the one above it. */
  #distances(): Int32Array {
    const { begin, items } = this.columns;
    const cards = this.graph.length;
    const apart = new Int32Array(items.length);
    for (let column = 0; column + 1 < begin.length; column++) {
      for (let i = begin[column] + 1; i < begin[column + 1]; i++) {
        const upper = items[i - 1];
        const lower = items[i];
        const gap = upper < cards && lower < cards ? this.gap : 8;
        apart[i] = this.below[upper] + gap + this.above[lower];
      }
    }
    return apart;
  }

  // ── Placing ────────────────────────────────────────────────────────────────────────────────

  /** Return the finished layout: columns get their x, the top left corner its margin. */
  place(): Layout {
    const { begin, items } = this.columns;
    const { y } = this;
    const lanes = this.#lanes();
    let rails = 0;
    for (const lane of lanes.values()) rails = Math.max(rails, RAIL_HEIGHT * (1 + lane) + 8);
    let top = Infinity;
    let bottom = -Infinity;
    for (let column = 0; column + 1 < begin.length; column++) {
      const first = items[begin[column]];
      const last = items[begin[column + 1] - 1];
      top = Math.min(top, y[first] - this.above[first]);
      bottom = Math.max(bottom, y[last] + this.below[last]);
    }
    const down = rails + this.margin - top;
    for (let item = 0; item < y.length; item++) y[item] += down;
    for (const [card, lane] of lanes) this.railY.set(card, this.margin + 8 + RAIL_HEIGHT * lane);
    this.#placeColumns();
    this.cards = this.sizes.map(([width, height], card) =>
      this.#box(this.end[this.column[card]] - width, y[card] - height / 2, width, height),
    );
    const edges: Edge[] = [];
    for (const { id, operands } of this.graph.nodes) {
      for (let i = 0; i < operands.length; i++) edges.push(this.#edge(operands[i], id, i));
    }
    const width = this.end[this.end.length - 1] + this.margin;
    const height = bottom + down + this.margin;
    const [wide, high] = this.down ? [height, width] : [width, height];
    return { width: wide, height: high, cards: this.cards, edges };
  }

  #box(x: number, y: number, width: number, height: number): Box {
    return this.down ? { x: y, y: x, width: height, height: width } : { x, y, width, height };
  }

  #point(x: number, y: number, spread: number): Point {
    return this.down ? { x: y, y: x, spread } : { x, y, spread };
  }

  /** Return the lane of each rail, 0 at the top; rails that do not meet may share one. */
  #lanes(): Map<number, number> {
    const lanes = new Map<number, number>();
    const freeFrom: number[] = []; // for each lane, the layer from which it is free
    const cards = [...this.rails.keys()];
    cards.sort((a, b) => this.layers[a] - this.layers[b] || a - b);
    for (const card of cards) {
      const free = freeFrom.findIndex((layer) => layer <= this.layers[card]);
      const lane = free < 0 ? freeFrom.length : free;
      lanes.set(card, lane);
      freeFrom[lane] = this.rails.get(card)!;
    }
    return lanes;
  }

  /** Find the x at which each column begins and ends. */
  #placeColumns(): void {
    const { begin, items } = this.columns;
    const { to, right } = this.segments;
    const cards = this.graph.length;
    let x = this.margin;
    for (let column = 0; column + 1 < begin.length; column++) {
      let width = 0;
      let climb = 0;
      for (let i = begin[column]; i < begin[column + 1]; i++) {
        const item = items[i];
        if (column % 2 === 0) {
          if (item < cards) width = Math.max(width, this.sizes[item][0]);
        } else if (this.below[item] === this.pillBelow) {
          width = this.down ? this.pillHeight : this.pill;
        }
        for (let k = right.begin[item]; k < right.begin[item + 1]; k++) {
          const segment = right.items[k];
          const start = this.y[item] + this.#leaving(segment);
          const end = this.y[to[segment]] + this.#arriving(segment);
          climb = Math.max(climb, Math.abs(end - start));
        }
      }
      this.begin.push(x);
      this.end.push(x + width);
      x += width + Math.min(Math.max(this.channel[0], Math.floor(climb / 3)), this.channel[1]);
    }
  }

  #edge(source: number, target: number, operand: number): Edge {
    const { y, column, begin, end } = this;
    const slot = this.firstSlot[target] + operand;
    const start = column[source];
    const odd = column[slot];
    const spread = this.#hasPill(source) ? SPREAD : 0;
    const isRail = odd - start > 1 && this.rails.has(source);
    const passages = isRail ? 0 : odd - start - 1;
    const passage = this.firstPassage[source];
    const first = isRail ? source : passages ? passage : slot;
    const leaving = y[source] + this.portRight[first];
    const points: Point[] = [
      this.#point(end[start], leaving, Math.min(spread, this.spreadRight[source])),
    ];
    const level = (from: number, to: number, height: number): void => {
      points.push(this.#point(from, height, spread));
      if (to > from) points.push(this.#point(to, height, spread));
    };
    if (isRail) level(begin[start + 1], end[odd - 1], this.railY.get(source)!);
    for (let i = 0; i <= passages; i++) {
      const item = i < passages ? passage + i : slot;
      const at = column[item];
      if (!this.pills && at % 2) continue; // it holds nothing: one curve, not two halves
      level(begin[at], end[at], y[item]);
    }
    const arriving = y[target] + this.portLeft[slot];
    const into = Math.min(spread, this.spreadLeft[target]);
    points.push(this.#point(begin[odd + 1], arriving, into));
    const side = end[odd + 1] - this.sizes[target][0];
    if (side > begin[odd + 1]) points.push(this.#point(side, arriving, into)); // narrower: go on level
    const pill = !spread
      ? null
      : this.down
        ? { x: y[slot] - this.pill / 2, y: begin[odd], width: this.pill, height: this.pillHeight }
        : {
            x: begin[odd],
            y: y[slot] + SPREAD - this.pillHeight / 2,
            width: this.pill,
            height: this.pillHeight,
          };
    return { source, target, operand, points, pill };
  }
}

/**
 * Say where each wire meets a side of this height; return how far its pair may spread there.
 *
 * Ports count from the middle, which the main one takes, unless that is -1.
 */
function spreadPorts(
  items: readonly number[],
  height: number,
  main: number,
  ports: Int32Array,
): number {
  const gap = Math.min(28, Math.floor((height - 24) / Math.max(1, items.length - 1)));
  const middle = main < 0 ? Math.floor((gap * (items.length - 1)) / 2) : gap * items.indexOf(main);
  for (let index = 0; index < items.length; index++) ports[items[index]] = gap * index - middle;
  return Math.max(1, Math.min(SPREAD, Math.floor(gap / 4)));
}
