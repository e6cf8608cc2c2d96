/**
 * A graph in columns: one typed array per field, for graphs of tens of thousands of nodes.
 *
 * `contract/columns.md` has the bytes, which Python writes. Nothing that is read is believed: a tape
 * that comes out of `readTape` is a graph, with its operands before each node. Start there.
 */

import { GraphError, message } from "./errors.ts";
import { Graph, type Node } from "./graph.ts";

/** Bits of `tag`. */
export const TAG_LEAF = 1;
export const TAG_CONST = 2;
export const TAG_DERIVED = 4;

const TAGS = [
  [TAG_LEAF, "leaf"],
  [TAG_CONST, "const"],
  [TAG_DERIVED, "derived"],
] as const;

export interface Tape {
  readonly length: number;
  readonly data: Float64Array;
  readonly grad: Float64Array;
  /** Words, and for each node its place among them. */
  readonly ops: readonly string[];
  readonly labels: readonly string[];
  readonly scopes: readonly string[];
  readonly files: readonly string[];
  readonly op: Uint32Array;
  readonly label: Uint32Array;
  readonly scope: Uint32Array;
  readonly file: Uint32Array;
  /** The source line, 0 where it is not known. */
  readonly line: Uint32Array;
  readonly tag: Uint8Array;
  /** The edges of node i are start[i] … start[i + 1] - 1. */
  readonly start: Uint32Array;
  readonly operand: Uint32Array;
  readonly local: Float64Array;
}

const MAGIC = 0x43475747; // GWGC, read as a number
const VERSION = 1;
const HEAD = 24;
const MOST_NODES = 20_000_000;

function refuse(what: string): never {
  throw new GraphError(message("bad-columns", what));
}

interface Header {
  nodes: number;
  edges: number;
  columns: Record<string, unknown>;
  [list: string]: unknown;
}

/** Return the graph of the bytes, or throw a GraphError with what is wrong with them. */
export function readTape(buffer: ArrayBuffer): Tape {
  const view = new DataView(buffer);
  if (buffer.byteLength < HEAD || view.getUint32(0, true) !== MAGIC) refuse("GWGC");
  if (view.getUint32(4, true) !== VERSION) refuse(`version ${view.getUint32(4, true)}`);
  if (view.getBigUint64(8, true) !== BigInt(buffer.byteLength)) refuse("length");
  const length = view.getUint32(16, true);
  const begin = HEAD + length;
  if (length % 8 || begin > buffer.byteLength) refuse("header");
  const header = headerOf(buffer, length);
  const { nodes, edges } = header;
  const column = (name: string, type: string, size: number, count: number): number => {
    const [kind, offset, entries] = (header.columns[name] ?? []) as unknown[];
    if (kind !== type || entries !== count || !isCount(offset)) refuse(name);
    const at = begin + (offset as number);
    if (at % 8 || at + count * size > buffer.byteLength) refuse(name);
    return at;
  };
  const doubles = (name: string, count: number): Float64Array =>
    new Float64Array(buffer, column(name, "f8", 8, count), count);
  const counts = (name: string, count: number): Uint32Array =>
    new Uint32Array(buffer, column(name, "u4", 4, count), count);
  const words = (name: string): readonly string[] => {
    const found = header[name];
    if (!Array.isArray(found) || !found.every((word) => typeof word === "string")) refuse(name);
    return found as string[];
  };
  const tape: Tape = {
    length: nodes,
    data: doubles("data", nodes),
    grad: doubles("grad", nodes),
    local: doubles("local", edges),
    operand: counts("operand", edges),
    start: counts("start", nodes + 1),
    op: counts("op", nodes),
    label: counts("label", nodes),
    scope: counts("scope", nodes),
    file: counts("file", nodes),
    line: counts("line", nodes),
    tag: new Uint8Array(buffer, column("tag", "u1", 1, nodes), nodes),
    ops: words("ops"),
    labels: words("labels"),
    scopes: words("scopes"),
    files: words("files"),
  };
  check(tape);
  return tape;
}

function headerOf(buffer: ArrayBuffer, length: number): Header {
  let header: Header;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(
      new Uint8Array(buffer, HEAD, length),
    );
    header = JSON.parse(text) as Header;
  } catch {
    return refuse("header");
  }
  if (typeof header !== "object" || header === null) refuse("header");
  const { nodes, edges, columns } = header;
  if (!isCount(nodes) || !nodes || !isCount(edges)) refuse("nodes");
  if (typeof columns !== "object" || columns === null) refuse("columns");
  return header;
}

const isCount = (x: unknown): x is number =>
  Number.isInteger(x) && (x as number) >= 0 && (x as number) <= MOST_NODES * 64;

/** Every place exists, every input comes before the node that reads it. */
function check(tape: Tape): void {
  const { length, start, operand } = tape;
  if (start[0] !== 0 || start[length] !== operand.length) refuse("start");
  for (const name of ["op", "label", "scope", "file"] as const) {
    const most = tape[`${name}s`].length;
    const places = tape[name];
    for (let i = 0; i < length; i++) if (places[i] >= most) refuse(name);
  }
  for (let i = 0; i < length; i++) {
    const [from, to] = [start[i], start[i + 1]];
    if (to < from) refuse("start");
    for (let e = from; e < to; e++) if (operand[e] >= i) refuse("operand");
  }
}

/** A graph's columns, for one that was made here. */
export function tapeOf(graph: Graph): Tape {
  const { nodes, length } = graph;
  const edges = nodes.reduce((sum, node) => sum + node.operands.length, 0);
  const lists = { op: new Words(), label: new Words(), scope: new Words(), file: new Words() };
  const tape = {
    length,
    data: Float64Array.from(nodes, (node) => node.data),
    grad: Float64Array.from(nodes, (node) => node.grad),
    op: Uint32Array.from(nodes, (node) => lists.op.place(node.op)),
    label: Uint32Array.from(nodes, (node) => lists.label.place(node.label)),
    scope: Uint32Array.from(nodes, (node) => lists.scope.place(node.scope)),
    file: Uint32Array.from(nodes, (node) => lists.file.place(node.line?.[0] ?? "")),
    line: Uint32Array.from(nodes, (node) => node.line?.[1] ?? 0),
    tag: Uint8Array.from(nodes, (node) =>
      TAGS.reduce((sum, [bit, word]) => sum + (node.tags.includes(word) ? bit : 0), 0),
    ),
    start: new Uint32Array(length + 1),
    operand: new Uint32Array(edges),
    local: new Float64Array(edges),
  };
  let edge = 0;
  for (const { id, operands, local_grads } of nodes) {
    operands.forEach((operand, i) => {
      tape.operand[edge] = operand;
      tape.local[edge++] = local_grads[i];
    });
    tape.start[id + 1] = edge;
  }
  const { op, label, scope, file } = lists;
  return { ...tape, ops: op.list, labels: label.list, scopes: scope.list, files: file.list };
}

class Words {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  place(word: string): number {
    let place = this.#places.get(word);
    if (place === undefined) {
      place = this.list.push(word) - 1;
      this.#places.set(word, place);
    }
    return place;
  }
}

/** The same graph as nodes, for what works on these. */
export function graphOfTape(tape: Tape): Graph {
  const tags = Array.from({ length: 8 }, (_, bits) =>
    TAGS.filter(([bit]) => bits & bit).map(([, word]) => word),
  );
  const nodes: Node[] = [];
  for (let id = 0; id < tape.length; id++) {
    const [from, to] = [tape.start[id], tape.start[id + 1]];
    nodes.push({
      id,
      op: tape.ops[tape.op[id]],
      label: tape.labels[tape.label[id]],
      data: tape.data[id],
      grad: tape.grad[id],
      operands: [...tape.operand.subarray(from, to)],
      local_grads: [...tape.local.subarray(from, to)],
      tags: tags[tape.tag[id] & 7],
      line: tape.line[id] ? [tape.files[tape.file[id]], tape.line[id]] : null,
      scope: tape.scopes[tape.scope[id]],
    });
  }
  return new Graph(nodes, nodes);
}
