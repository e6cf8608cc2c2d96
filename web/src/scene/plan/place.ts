/**
 * Where the cards and wires of one room go, as arrays that a worker can send.
 *
 * The layers are those of every picture of the lab. A tensor's entries stand in their rows and
 * columns. Runs in the worker; start at `place`.
 */

import { Graph, type Layout, layout, type Node } from "../../core/index.ts";
import type { CardKind } from "../scopes.ts";
import type { Card, Room } from "./rooms.ts";

export const KINDS: readonly CardKind[] = ["box", "part", "tensor", "node", "input", "output"];

export interface Placed {
  readonly key: string;
  readonly width: number;
  readonly height: number;
  /** Per card its kind, by its place in KINDS, and its rectangle. */
  readonly kinds: Uint8Array;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly w: Float32Array;
  readonly h: Float32Array;
  readonly names: readonly string[];
  readonly keys: readonly string[];
  /** The nodes of card i are members[first[i]] … members[first[i + 1] - 1]. */
  readonly first: Uint32Array;
  readonly members: Uint32Array;
  /** Per wire its two cards, and where its points begin; points are pairs. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly turn: Uint32Array;
  readonly points: Float32Array;
}

const SIZES: Record<CardKind, readonly [number, number]> = {
  box: [280, 200],
  part: [200, 140],
  tensor: [140, 110],
  node: [120, 48],
  input: [120, 28],
  output: [120, 28],
};
/** A box of few nodes is drawn smaller. */
const FEW = 40;
const FEW_SIZE: readonly [number, number] = [200, 120];

function sizeOf(
  { kind, nodes }: Card,
  [wider, higher]: readonly [number, number] = AS_IT_IS,
): readonly [number, number] {
  const [width, height] = kind === "box" && nodes.length < FEW ? FEW_SIZE : SIZES[kind];
  if (kind !== "box" && kind !== "part" && kind !== "tensor") return [width, height];
  return [2 * Math.round((width * wider) / 2), 2 * Math.round((height * higher) / 2)];
}

const AS_IT_IS: readonly [number, number] = [1, 1];
/** The shape that a room has at best: that of a stage. */
const SHAPE = 1.5;
const MOST_STRETCH = 3;
const MOST_STRETCHED = 60;

export function place(room: Room): Placed {
  const { cards } = room;
  const isTensor = cards.length > 1 && cards.every(({ operands }) => !operands.length);
  if (isTensor) return inGrid(room);
  const inner = cards.filter(({ kind }) => kind === "box" || kind === "part");
  const sources = new Set(["input", "tensor"]);
  const isSide = inner.every(({ operands }) =>
    operands.every((one) => sources.has(cards[one].kind)),
  );
  const isPlain = cards.every(({ kind }) => kind !== "node");
  return isSide && isPlain && inner.length >= LEAST_SIDE ? sideBySide(room) : inLayers(room);
}

/** So many boxes that read nothing of each other stand in a block. */
const LEAST_SIDE = 6;

/**
 * Boxes that do not read each other, such as one for each token: what all of them read at the left,
 * the boxes in a block. Wires from each to each would say nothing, so there are none.
 */
function sideBySide({ key, cards }: Room): Placed {
  const spots: (readonly [number, number])[] = [];
  const sizes = cards.map((card) => sizeOf(card));
  const isInner = ({ kind }: Card): boolean => kind === "box" || kind === "part";
  const inner = cards.filter(isInner);
  const wide = Math.max(...inner.map((card) => sizeOf(card)[0])) + 20;
  const high = Math.max(...inner.map((card) => sizeOf(card)[1])) + 20;
  const columns = Math.max(1, Math.round(Math.sqrt((SHAPE * inner.length * high) / wide)));
  const rows = Math.ceil(inner.length / columns);
  const left = cards.some(({ kind }) => kind === "input" || kind === "tensor") ? 200 : 20;
  let [sideY, place] = [20, 0];
  cards.forEach((card, i) => {
    if (isInner(card)) {
      spots.push([left + wide * (place % columns), 20 + high * Math.floor(place / columns)]);
      place += 1;
    } else if (card.kind === "output") spots.push([left + wide * columns, 20]);
    else {
      spots.push([20, sideY]);
      sideY += sizes[i][1] + 20;
    }
  });
  const none = new Uint32Array();
  return {
    ...base(key, cards),
    width: left + wide * columns + 140,
    height: Math.max(20 + high * rows, sideY),
    x: Float32Array.from(spots, ([x]) => x),
    y: Float32Array.from(spots, ([, y]) => y),
    w: Float32Array.from(sizes, ([w]) => w),
    h: Float32Array.from(sizes, ([, h]) => h),
    from: none,
    to: none,
    turn: Uint32Array.of(0),
    points: new Float32Array(),
  };
}

function inLayers({ key, cards }: Room): Placed {
  const nodes = cards.map(
    ({ operands }, id): Node => ({
      id,
      op: "",
      label: "",
      data: 0,
      grad: 0,
      operands,
      local_grads: operands.map(() => 0),
      tags: [],
      line: null,
      scope: "",
    }),
  );
  const laid = (stretch: readonly [number, number]): Layout =>
    layout(new Graph(nodes), {
      pills: false,
      sizes: cards.map((card) => sizeOf(card, stretch)),
      gap: 20,
      channel: [28, 120],
      margin: 20,
    });
  let found = laid(AS_IT_IS);
  const shape = found.width / found.height;
  // A row of boxes becomes a row of high boxes, and a column one of wide ones: what is inside gains.
  if (cards.length <= MOST_STRETCHED && (shape > 1.3 * SHAPE || shape < SHAPE / 1.3)) {
    const by = Math.min(MOST_STRETCH, Math.max(shape / SHAPE, SHAPE / shape));
    found = laid(shape > SHAPE ? [1, by] : [by, 1]);
  }
  const points: number[] = [];
  const turn = [0];
  for (const edge of found.edges) {
    for (const { x, y } of edge.points) points.push(x, y);
    turn.push(points.length / 2);
  }
  return {
    ...base(key, cards),
    width: found.width,
    height: found.height,
    x: Float32Array.from(found.cards, ({ x }) => x),
    y: Float32Array.from(found.cards, ({ y }) => y),
    w: Float32Array.from(found.cards, ({ width }) => width),
    h: Float32Array.from(found.cards, ({ height }) => height),
    from: Uint32Array.from(found.edges, ({ source }) => source),
    to: Uint32Array.from(found.edges, ({ target }) => target),
    turn: Uint32Array.from(turn),
    points: Float32Array.from(points),
  };
}

/** Entries in rows and columns: by their indices, or, where these say nothing, in a square. */
function inGrid({ key, cards }: Room): Placed {
  const [width, height] = SIZES.node;
  const [stepX, stepY] = [width + 8, height + 8];
  const square = Math.ceil(Math.sqrt(cards.length));
  const spots = cards.map(({ name }, i): readonly [number, number] => {
    const found = [...name.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]));
    if (found.length >= 2) return [found[found.length - 2], found[found.length - 1]];
    return [Math.floor(i / square), i % square];
  });
  const rows = Math.max(...spots.map(([row]) => row)) + 1;
  const columns = Math.max(...spots.map(([, column]) => column)) + 1;
  // Indices are a stranger's words: rows far apart are drawn closely.
  const sparse = rows * columns > 16 * cards.length;
  const at = (i: number): readonly [number, number] =>
    sparse ? [Math.floor(i / square), i % square] : spots[i];
  const none = new Uint32Array();
  return {
    ...base(key, cards),
    width: 40 + stepX * (sparse ? square : columns) - 8,
    height: 40 + stepY * (sparse ? square : rows) - 8,
    x: Float32Array.from(cards, (_, i) => 20 + stepX * at(i)[1]),
    y: Float32Array.from(cards, (_, i) => 20 + stepY * at(i)[0]),
    w: new Float32Array(cards.length).fill(width),
    h: new Float32Array(cards.length).fill(height),
    from: none,
    to: none,
    turn: Uint32Array.of(0),
    points: new Float32Array(),
  };
}

function base(
  key: string,
  cards: readonly Card[],
): Pick<Placed, "key" | "kinds" | "names" | "keys" | "first" | "members"> {
  const first = new Uint32Array(cards.length + 1);
  cards.forEach(({ nodes }, i) => {
    first[i + 1] = first[i] + nodes.length;
  });
  const members = new Uint32Array(first[cards.length]);
  cards.forEach(({ nodes }, i) => {
    members.set(nodes, first[i]);
  });
  return {
    key,
    kinds: Uint8Array.from(cards, ({ kind }) => KINDS.indexOf(kind)),
    names: cards.map(({ name }) => name),
    keys: cards.map(({ key: own }) => own),
    first,
    members,
  };
}
