/** Links that were shared before the four doors: `links.json` has what each has to bring back. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { programFor, sound } from "../../src/app/derive.ts";
import { stateOf } from "../../src/app/link.ts";
import { FRONT } from "../../src/app/state.ts";
import { decode } from "../../src/app/url.ts";
import ROWS from "./links.json" with { type: "json" };

/** What a fresh lab has; a row names only what differs from it. */
const FRESH = {
  text: "(a + b) * c",
  good: "(a + b) * c",
  unfold: false,
  final: false,
  predict: false,
  strict: false,
  view: "2d",
  speed: 1,
  bug: "overwrite",
  ran: false,
  game: false,
  seed: 0,
  question: "",
  teach: false,
  place: "",
};

type Row = (typeof ROWS)[number];

function broughtBack(link: string): Row {
  const asked = decode(link);
  const state = stateOf(asked);
  const { graph, names, output } = programFor(state);
  const { node, edge } = sound(state, graph);
  const changed = Object.entries(FRESH).flatMap(([key, fresh]) => {
    const value = state[key as keyof typeof FRESH];
    return value === fresh ? [] : [[key, value]];
  });
  const { orbit, opened } = state.look;
  const { page, lesson } = state;
  return {
    link,
    shows: page,
    ...Object.fromEntries(changed),
    ...(asked.time === undefined ? {} : { time: asked.time }),
    ...(lesson ? { lesson } : {}),
    ...(state.order.length ? { order: state.order.map((id) => names[id]) } : {}),
    ...(node === null ? {} : { node: names[node] }),
    ...(edge ? { edge: [names[edge.target], edge.operand] } : {}),
    ...(orbit === FRONT ? {} : { orbit: [orbit.turn, orbit.tilt, orbit.near] }),
    ...(opened.size ? { opened: [...opened] } : {}),
    graph: [graph.nodes.length, output, graph.nodes[graph.root].data],
    values: Object.fromEntries(graph.leaves.map(({ label, data }) => [label, data])),
  } as unknown as Row;
}

test("208 links of before open the same page, graph, values, time and choices", () => {
  assert.equal(ROWS.length, 208);
  for (const row of ROWS) assert.deepEqual(broughtBack(row.link), row, row.link);
});
