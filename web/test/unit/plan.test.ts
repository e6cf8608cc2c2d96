/** Tapes and floor plans: what is read is checked, and a plan shows every node once. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { Mlp, meanSquare } from "../../src/app/mlp.ts";
import { randomFrom } from "../../src/app/random.ts";
import {
  GraphError,
  graphFromJson,
  graphOfTape,
  parse,
  readTape,
  snapshot,
  type Tape,
  tapeOf,
  Value,
} from "../../src/core/index.ts";
import { Grid } from "../../src/scene/plan/grid.ts";
import { cardWith } from "../../src/scene/plan/paint.ts";
import { place } from "../../src/scene/plan/place.ts";
import { Plan } from "../../src/scene/plan/rooms.ts";
import { PlanService, PlanWork, type Way } from "../../src/scene/plan/service.ts";
import { toneOf } from "../../src/scene/tones.ts";

const SAMPLES = join(process.cwd(), "../contract/samples");

function sample(): ArrayBuffer {
  const bytes = readFileSync(join(SAMPLES, "columns-scoped.bin"));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
}

test("the columns that Python wrote are the graph of its JSON", () => {
  const json = JSON.parse(readFileSync(join(SAMPLES, "graph-scoped.json"), "utf8"));
  const { nodes } = graphFromJson(json);
  assert.deepEqual(graphOfTape(readTape(sample())).nodes, nodes);
  assert.deepEqual(graphOfTape(tapeOf(graphFromJson(json))).nodes, nodes);
});

test("bytes that are no graph are refused, wherever they are wrong", () => {
  const whole = new Uint8Array(sample());
  const refuses = (bytes: Uint8Array): void => {
    try {
      const tape = readTape(bytes.slice().buffer as ArrayBuffer);
      // What passes is a graph: inputs before their nodes, every place there.
      for (let id = 0; id < tape.length; id++)
        for (let e = tape.start[id]; e < tape.start[id + 1]; e++) assert.ok(tape.operand[e] < id);
      for (const node of graphOfTape(tape).nodes) assert.equal(typeof node.op, "string");
    } catch (error) {
      assert.ok(error instanceof GraphError, String(error));
    }
  };
  for (let length = 0; length < whole.length; length += 7) {
    assert.throws(() => readTape(whole.slice(0, length).buffer as ArrayBuffer), GraphError);
  }
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      (changes) => {
        const bytes = whole.slice();
        for (const [at, byte] of changes) bytes[at] = byte;
        refuses(bytes);
      },
    ),
    { numRuns: 400 },
  );
});

function mlpTape(): Tape {
  const model = new Mlp([2, 8, 8, 1], randomFrom(1));
  const loss = meanSquare(
    [
      [1, 2],
      [-1, 0.5],
    ].map((point) => model.score(point)),
    [1, -1],
  );
  loss.backward();
  return tapeOf(snapshot(loss, { fold: false }));
}

/** A graph whose nodes were made in scopes that are entered again and again. */
function tangled(picks: readonly number[]): Tape {
  const scopes = ["", "a", "a.b", "c", "c.0.d"];
  const values = [0, 1, 2].map((i) => new Value(i + 1, [], "", `w[${i}]`));
  for (const pick of picks) {
    const value = values[pick % values.length].add(values[(pick * 7) % values.length]);
    value._scope = scopes[pick % scopes.length];
    values.push(value);
  }
  let root = values[0];
  for (const value of values.slice(1)) root = root.add(value);
  root.backward();
  return tapeOf(snapshot(root));
}

function checkPlan(tape: Tape): number {
  const plan = new Plan(tape);
  let rooms = 0;
  const visit = (key: string, held: readonly number[]): void => {
    const room = plan.room(key);
    assert.ok(room, key);
    rooms += 1;
    const shown = room.cards.flatMap(({ nodes }) => nodes);
    assert.deepEqual(
      [...shown].sort((x, y) => x - y),
      [...held],
      key,
    );
    assert.equal(new Set(room.cards.map((card) => card.key)).size, room.cards.length, key);
    room.cards.forEach(({ operands }, i) => {
      for (const operand of operands) assert.ok(operand < i, `${key} ${i} reads ${operand}`);
    });
    const placed = place(room);
    const grid = new Grid(placed);
    placed.kinds.forEach((_, i) => {
      const [x, y] = [placed.x[i] + placed.w[i] / 2, placed.y[i] + placed.h[i] / 2];
      assert.ok(x < placed.width && y < placed.height && x > 0 && y > 0, `${key} ${i}`);
      assert.equal(grid.at(x, y), i);
    });
    for (const { kind, key: inner, nodes } of room.cards)
      if (kind === "box" || kind === "part" || kind === "tensor")
        if (nodes.length < held.length || kind === "tensor" || inner.length < 200)
          visit(inner, nodes);
  };
  const all = Array.from({ length: tape.length }, (_, id) => id);
  const consts = all.filter((id) => tape.tag[id] & 2);
  visit(
    "",
    all.filter((id) => !consts.includes(id)),
  );
  return rooms;
}

test("every node is on one card of each room around it, and no card reads a later one", () => {
  assert.ok(checkPlan(mlpTape()) > 8);
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 1, maxLength: 80 }), (picks) => {
      checkPlan(tangled(picks));
    }),
    { numRuns: 60 },
  );
});

test("a graph without scopes and of thousands of nodes is cut into parts", () => {
  let value = new Value(1, [], "", "x");
  for (let i = 0; i < 4000; i++) value = value.add(value);
  const tape = tapeOf(snapshot(value));
  const plan = new Plan(tape);
  const room = plan.room("")!;
  assert.ok(room.cards.length <= 60 && room.cards.length > 5, String(room.cards.length));
  const way = plan.around(2000);
  const last = plan.room(way[way.length - 1])!;
  assert.ok(last.cards.some(({ kind, nodes }) => kind === "node" && nodes[0] === 2000));
});

test("the worker's answers: a way to every parameter, and paths that add up to its gradient", () => {
  const tape = mlpTape();
  const work = new PlanWork(tape);
  for (let id = 0; id < tape.length; id += 5) {
    if (tape.tag[id] & 2) continue;
    const way = work.answer({ ask: "way", node: id }) as Way;
    const last = way.rooms[way.rooms.length - 1];
    assert.ok(cardWith(last, id) >= 0);
    for (const room of way.rooms) assert.ok(cardWith(room, id) >= 0, room.key);
    const found = work.answer({ ask: "paths", node: id, most: 3 }) as { total: number } | null;
    assert.ok(found && Math.abs(found.total - tape.grad[id]) < 1e-12);
  }
  assert.equal(work.answer({ ask: "room", key: "/box:none" }), null);
});

test("a tone says sign and size; nan and infinity have their own", () => {
  assert.deepEqual(
    [0, 1, 1e-9, -1, -1e-9, Number.NaN, Number.POSITIVE_INFINITY].map((x) => toneOf(x, 1)),
    [0, 5, 1, 10, 6, 11, 11],
  );
});

test("the levels of a tone share six decades below the largest", () => {
  const exponents = [0, -1, -2, -3, -4, -5, -6, -7];
  const levels = exponents.map((exponent) => toneOf(10 ** (exponent - 0.1), 1));
  assert.deepEqual(levels, [5, 5, 4, 3, 2, 1, 1, 1]);
});

test("a service that is closed leaves nobody waiting", async () => {
  const silent = { postMessage: () => {}, terminate: () => {} } as unknown as Worker;
  const tape = tapeOf(snapshot(parse("a * b").evaluate({ a: 2, b: 3 })));
  const service = new PlanService(tape, () => silent);
  const asked = [
    service.ask({ ask: "room", key: "" }),
    service.ask({ ask: "way", node: 0 }),
    service.ask({ ask: "paths", node: 0, most: 3 }),
  ];
  service.close();
  assert.deepEqual(await Promise.all(asked), [null, { node: 0, rooms: [] }, null]);
  assert.equal(await service.ask({ ask: "room", key: "" }), null);
});
