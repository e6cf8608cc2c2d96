/**
 * What is drawn of a program, and where: cards for nodes and for groups of them, and their wires.
 *
 * A picture comes from the structure, from what was opened and from the shape of the stage, never
 * from a number: while values change it stands still. Of several ways to draw the same graph, the
 * first is taken that fits its stage with letters one can read; then it is spread until it fills it.
 */

import { memo, type Program } from "../app/derive.ts";
import {
  cardSize,
  Graph,
  isConst,
  type Layout,
  type LayoutOptions,
  layout,
  type Node,
} from "../core/index.ts";
import { FIT_MOST, fitScale, type Size } from "./camera.ts";
import { cardsOf, type Group, groupsOf } from "./groups.ts";
import { parted } from "./wire.ts";

/** How much a card says: all of it, two lines, or three short ones. */
export type Face = "full" | "low" | "narrow";

/** A card: a node, or a group of nodes. */
export interface Item {
  /** The node, or the last of the group: who is picked with the card. */
  readonly node: number;
  readonly group: Group | null;
}

export interface Picture {
  readonly items: readonly Item[];
  readonly layout: Layout;
  readonly down: boolean;
  readonly face: Face;
  /** How much higher than its room a pill may be. */
  readonly spare: number;
  /** For each node its item. */
  readonly itemOf: Int32Array;
  /** For each edge of the graph its wire, as an index into the layout's edges; −1 inside a group. */
  readonly wireOf: Int32Array;
  /** For each wire the edges of the graph that go along it. */
  readonly edges: readonly (readonly number[])[];
}

export interface PictureOptions {
  readonly opened: ReadonlySet<string>;
  readonly stage: Size;
  /** Whether it lies on a floor: the same cards in the same order, as slabs. */
  readonly deep?: boolean;
  /** How large letters should be where there is room: 1 for one reader, more for a class. */
  readonly letters?: number;
}

/** A picture of more cards stays flat. */
export const MOST_DEEP = 150;

/** A graph of more nodes is folded; one of no more than a few never; between, if it does not fit. */
export const MANY_NODES = 60;
const FEW_NODES = 24;

function varying(graph: Graph): number {
  let count = 0;
  for (const node of graph.nodes) if (!isConst(node)) count += 1;
  return count;
}

export function pictureOf(program: Program, options: PictureOptions): Picture {
  const { opened, deep = false, stage, letters = 1 } = options;
  const { structure, compare, graph, names } = program;
  const { width, height } = stage;
  return made(structure, opened, compare, deep, width, height, letters, graph, names);
}

const made = memo(
  (
    structure: string,
    opened: ReadonlySet<string>,
    compare: boolean,
    deep: boolean,
    width: number,
    height: number,
    letters: number,
    graph: Graph,
    names: readonly string[],
  ): Picture => {
    const stage = { width, height };
    const drawn = (folds: boolean): Picture & { fits: boolean } => {
      const outline = outlined(structure, folds ? opened : null, graph, names);
      const { items, itemOf, wireOf, edges } = outline;
      const flat = best(outline, compare, stage, letters);
      const drawn = deep ? { ...flat, ...onFloor(outline) } : flat;
      return { items, itemOf, wireOf, edges, ...drawn };
    };
    const count = varying(graph);
    if (count > MANY_NODES) return drawn(true);
    const whole = drawn(false);
    return whole.fits || count <= FEW_NODES || !width ? whole : drawn(true);
  },
  { keyed: 7 },
);

// ── Items and wires ────────────────────────────────────────────────────────────────────────────

interface Outline extends Pick<Picture, "items" | "itemOf" | "wireOf" | "edges"> {
  /** The graph of the cards: what the layout reads. */
  readonly cards: Graph;
  /** The names on them. */
  readonly names: readonly string[];
}

/** Folded but for what was opened, or, without that, whole. */
const outlined = memo(
  (
    _structure: string,
    opened: ReadonlySet<string> | null,
    graph: Graph,
    names: readonly string[],
  ): Outline => outlineOf(graph, opened ? groupsOf(graph, opened) : [], names),
  { keyed: 2 },
);

function outlineOf(graph: Graph, groups: readonly Group[], names: readonly string[]): Outline {
  const { nodes } = graph;
  const items: Item[] = [];
  const itemOf = new Int32Array(nodes.length).fill(-1);
  const order: (readonly number[])[] = [];
  for (const { nodes: ids, group } of cardsOf(graph, groups)) {
    for (const id of ids) itemOf[id] = items.length;
    items.push({ node: group ? group.nodes[group.nodes.length - 1] : ids[0], group });
    order.push(ids);
  }
  const firstEdge: number[] = [];
  let edgeCount = 0;
  for (const node of nodes) {
    firstEdge.push(edgeCount);
    edgeCount += node.operands.length;
  }
  const wireOf = new Int32Array(edgeCount).fill(-1);
  const edges: number[][] = [];
  const cards: Node[] = items.map(({ node, group }, item) => {
    const operands: number[] = [];
    // A node keeps a wire for each operand, as `a * a` needs; a group has one for each card it reads.
    const known = new Map<number, number>();
    for (const id of order[item])
      nodes[id].operands.forEach((operand, i) => {
        const source = itemOf[operand];
        if (source === item) return;
        let wire = group ? known.get(source) : undefined;
        if (wire === undefined) {
          wire = edges.length;
          known.set(source, wire);
          edges.push([]);
          operands.push(source);
        }
        edges[wire].push(firstEdge[id] + i);
        wireOf[firstEdge[id] + i] = wire;
      });
    return { ...nodes[node], id: item, operands, local_grads: operands.map(() => 0) };
  });
  const called = items.map(({ node }) => names[node]);
  return { items, itemOf, wireOf, edges, cards: new Graph(cards), names: called };
}

// ── The best way to draw them ──────────────────────────────────────────────────────────────────

/** Ways to draw: how much a card says, how wide and high a pill is, how far letters may be enlarged. */
interface Way {
  readonly face: Face;
  readonly down: boolean;
  readonly pill: number;
  readonly pillHeight: number;
  /** What is free above and below it. */
  readonly spare: number;
  readonly channel: readonly [number, number];
  readonly gap: number;
  readonly margin: number;
}

const CLOSE = { face: "full", pill: 136, channel: [20, 96], gap: 20, margin: 20 } as const;
const TIGHT = { face: "full", pill: 96, channel: [14, 64], gap: 14, margin: 12 } as const;
const LOW = { face: "low", pill: 96, channel: [14, 48], gap: 12, margin: 12 } as const;
const LOWER = { face: "low", pill: 84, channel: [6, 20], gap: 8, margin: 8 } as const;
const NARROW = { face: "narrow", pill: 76, channel: [12, 32], gap: 8, margin: 8 } as const;
const NARROWER = { face: "narrow", pill: 64, channel: [6, 8], gap: 4, margin: 2 } as const;

/** What three lines of a pill take, and what its room has at most: a phone has little. */
const LINES = 41;
const MOST_PILL = { right: 36, down: 22 };

/** A pill has room for three lines, together with what is free above and below it. */
function way(
  down: boolean,
  { channel, gap, ...rest }: Omit<Way, "down" | "pillHeight" | "spare">,
): Way {
  const spare = down ? 2 * channel[0] : gap;
  const pillHeight = Math.max(20, Math.min(MOST_PILL[down ? "down" : "right"], LINES - spare));
  return { ...rest, channel, gap, down, pillHeight, spare };
}

const right = (its: Omit<Way, "down" | "pillHeight" | "spare">): Way => way(false, its);
const down = (its: Omit<Way, "down" | "pillHeight" | "spare">): Way => way(true, its);

const WIDE: readonly Way[] = [
  right(CLOSE),
  right(TIGHT),
  right(LOW),
  right(LOWER),
  right(NARROW),
  right(NARROWER),
  down(LOW),
  down(NARROW),
];
const HIGH: readonly Way[] = [
  down(CLOSE),
  down(TIGHT),
  down(LOW),
  down(NARROW),
  down(NARROWER),
  right(LOW),
  right(NARROW),
];

/** The smallest scale at which a face can be read: its letters are then 12 pixels high. */
export const LEGIBLE: Record<Face, number> = { full: 0.8, low: 0.93, narrow: 0.93 };

/** With more cards than this no way fits, and to try them all takes its time. */
const MOST_TRIED = 90;

function best(
  outline: Outline,
  compare: boolean,
  stage: Size,
  letters: number,
): Pick<Picture, "layout" | "down" | "face" | "spare"> & { fits: boolean } {
  const isHigh = stage.height > stage.width;
  const ways = isHigh ? HIGH : WIDE;
  const draw = (way: Way): Layout => layout(outline.cards, optionsOf(outline, way, compare));
  if (outline.items.length > MOST_TRIED || !stage.width) {
    const way = isHigh && stage.width ? down(CLOSE) : right(CLOSE);
    const { face, spare } = way;
    return { layout: draw(way), down: way.down, face, spare, fits: false };
  }
  let chosen = ways[0];
  let most = -1;
  for (const way of ways) {
    const fits = fitScale(draw(way), stage) / LEGIBLE[way.face];
    if (fits > most) [chosen, most] = [way, fits];
    if (fits >= letters) break;
  }
  const found = most >= 1 ? filled(draw, chosen, stage, letters) : draw(chosen);
  const { face, spare } = chosen;
  const apart = parted(found, chosen.down);
  return { layout: apart, down: chosen.down, face, spare, fits: most >= 1 };
}

/** How far letters are enlarged before pills get the room: cards that say little need it more. */
const LARGE: Record<Face, number> = { full: FIT_MOST, low: 1.1, narrow: 1.05 };
/** A product of four-digit numbers in one line. */
const PILL_MOST = 216;
const GAP_MOST = 120;
const CHANNEL_MOST = 160;
const STEEP = 40;

/** Spread a picture over the rest of its stage: cards apart, pills and channels wider, as large. */
function filled(draw: (way: Way) => Layout, way: Way, stage: Size, letters: number): Layout {
  const first = draw(way);
  const scale = Math.min(letters * LARGE[way.face], fitScale(first, stage));
  const fits = (found: Layout): boolean => fitScale(found, stage) >= scale - 1e-9;
  // Wires climb steeply rather than keep the rows together: a wide stage has height to fill, too.
  const steep = [way.channel[0], Math.min(way.channel[1], STEEP)] as const;
  const gap = largest(way.gap, GAP_MOST, (gap) => fits(draw({ ...way, gap, channel: steep })));
  const pill = largest(way.pill, PILL_MOST, (pill) =>
    fits(draw({ ...way, gap, pill, channel: steep })),
  );
  const wider = (least: number): Way => {
    const channel = [least, Math.max(least, steep[1])] as const;
    return { ...way, gap, pill, channel };
  };
  return draw(wider(largest(way.channel[0], CHANNEL_MOST, (least) => fits(draw(wider(least))))));
}

/** The largest even number from `low`, which is taken as it is, to `high` for which something holds. */
function largest(low: number, high: number, holds: (n: number) => boolean): number {
  let [least, most] = [low / 2, high / 2];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (holds(2 * middle)) least = middle;
    else most = middle - 1;
  }
  return 2 * least;
}

// ── On a floor ─────────────────────────────────────────────────────────────────────────────────

/** Slabs in hundredths of a unit, and what is free between two rows: a slab that is lifted needs it. */
const SLAB = { leaf: [160, 90], operation: [200, 120], constant: [120, 60] } as const;
const FLOOR = { gap: 200, margin: 0, pills: false } as const;
/** Half of the way between two columns; many cards stand closer, and are seen larger. */
const CHANNEL = { few: [80, 80], many: [52, 52] } as const;
const MOST_FEW = 16;

/** The same cards on a floor, to the right: slabs of two sizes, wider only for a long name. */
function onFloor({ items, cards, names }: Outline): Pick<Picture, "layout" | "down" | "face"> {
  const sizes = items.map(({ group }, item): readonly [number, number] => {
    if (group) return groupSize(group).map((x) => even(1.2 * x)) as [number, number];
    const node = cards.nodes[item];
    if (isConst(node)) return SLAB.constant;
    const [width, height] = node.operands.length ? SLAB.operation : SLAB.leaf;
    const most = node.operands.length ? 6 - node.op.length : 5;
    return [width + 12 * Math.max(0, Math.min(names[item].length, 16) - most), height];
  });
  const channel = CHANNEL[items.length > MOST_FEW ? "many" : "few"];
  return { layout: layout(cards, { ...FLOOR, channel, sizes }), down: false, face: "full" };
}

function optionsOf(outline: Outline, way: Way, compare: boolean): LayoutOptions {
  const { items, cards } = outline;
  const consumers = cards.consumers();
  const sizes = items.map(({ group }, item): readonly [number, number] => {
    if (group) return groupSize(group);
    const node = cards.nodes[item];
    const uses = consumers[item].length;
    const name = outline.names[item];
    if (way.face === "full") return cardSize({ ...node, label: name }, uses, compare);
    return way.face === "low" ? lowSize(node, name, compare) : narrowSize(node, name, compare);
  });
  return { ...way, sizes };
}

const even = (x: number): number => 2 * Math.ceil(x / 2);

/** Two lines: operation, name and value; gradient. */
function lowSize(node: Node, name: string, compare: boolean): readonly [number, number] {
  if (isConst(node)) return constSize(name);
  const width =
    76 + 9 * Math.min(name.length, 8) + (node.operands.length ? 12 + signSpan(node) : 0);
  return [even(Math.max(compare ? 148 : 104, width)), 50];
}

/** Three lines: operation and name; value; gradient. */
function narrowSize(node: Node, name: string, compare: boolean): readonly [number, number] {
  if (isConst(node)) return constSize(name);
  const width = 16 + 9 * Math.min(name.length, 6) + (node.operands.length ? 4 + signSpan(node) : 0);
  return [even(Math.max(compare ? 124 : 72, width)), 52];
}

/** A constant's number is part of the structure, so its card may be as wide as that. */
function constSize(name: string): readonly [number, number] {
  return [even(Math.max(34, 16 + 9.2 * Math.min(name.length, 7))), 30];
}

/** The width of the capsule with the sign of an operation, on a small card. */
export function signSpan(node: Node): number {
  return Math.max(22, 10 + 8 * node.op.length);
}

/** A title, cells and a last line. */
export function groupSize(group: Group): readonly [number, number] {
  const { columns, rows } = grid(group);
  return [Math.max(208, 24 + columns * CELL), 84 + (rows ? 6 + rows * CELL : 0)];
}

export const CELL = 12;
const MOST_CELLS = 420;
const LEAST_COLUMNS = 15;

/** How the cells of a group are arranged; of very many, each stands for `each` nodes. */
export function grid({ cells }: Group): { each: number; columns: number; rows: number } {
  const each = Math.ceil(cells.length / MOST_CELLS) || 1;
  const count = Math.ceil(cells.length / each);
  const columns = Math.max(LEAST_COLUMNS, 2 * Math.ceil(Math.sqrt(count / 2)));
  return { each, columns, rows: Math.ceil(count / columns) };
}
