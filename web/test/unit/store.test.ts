import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { programFor, sound } from "../../src/app/derive.ts";
import { meant } from "../../src/app/fields.ts";
import { linkTo, stateOf } from "../../src/app/link.ts";
import { parsed, written } from "../../src/app/progress.ts";
import { events } from "../../src/app/server.ts";
import { FITTED, FRONT, type Settings } from "../../src/app/state.ts";
import { initial, reduce } from "../../src/app/store.ts";
import { decode, encode } from "../../src/app/url.ts";
import { questionOf } from "../../src/teach/questions.ts";

test("S1: an error keeps the text as typed and the last good graph", () => {
  const state = reduce(initial(), { type: "type", text: "(a + b * c" });
  assert.equal(state.text, "(a + b * c");
  assert.equal(state.good, "(a + b) * c");
  assert.equal(programFor(state).graph.nodes.at(-1)!.data, -10);
});

test("a new variable gets a value, a known one keeps its own", () => {
  const state = reduce(initial(), { type: "type", text: "a * zed" });
  assert.equal(state.values.get("a"), 2);
  assert.equal(typeof state.values.get("zed"), "number");
});

test("undo brings back what was there, redo what was undone", () => {
  const first = initial();
  const second = reduce(first, { type: "value", name: "a", value: 7 }, 1_000);
  const third = reduce(second, { type: "type", text: "a + a" }, 2_000);
  const back = reduce(third, { type: "undo" });
  assert.equal(back.good, "(a + b) * c");
  assert.equal(back.values.get("a"), 7);
  assert.equal(reduce(back, { type: "undo" }).values.get("a"), 2);
  assert.equal(reduce(back, { type: "redo" }).good, "a + a");
});

test("undo leaves the question of a lesson behind, and a page's own example is no edit", () => {
  let state = reduce(initial(), { type: "value", name: "a", value: 7 }, 1_000);
  state = reduce(state, { type: "page", page: "learn" });
  state = reduce(state, { type: "set", change: { hold: 720 } });
  assert.equal(reduce(state, { type: "undo" }).hold, null);
  const fresh = reduce(initial(), { type: "load", text: "a*b", values: { b: 3 }, own: true });
  assert.deepEqual([fresh.past, fresh.good], [[], "a*b"]);
});

test("another page has no question of a lesson, and nothing that was picked on this one", () => {
  let state = reduce(initial(), { type: "page", page: "learn" });
  state = reduce(state, { type: "set", change: { hold: 720 } });
  state = reduce(state, { type: "play", on: true, until: 500 });
  state = reduce(state, { type: "pick", node: 1 });
  const { hold, until, node, playing } = reduce(state, { type: "page", page: "sandbox" });
  assert.deepEqual([hold, until, node, playing], [null, null, null, false]);
});

test("a drag is one edit", () => {
  let state = initial();
  for (let i = 0; i < 50; i++)
    state = reduce(state, { type: "value", name: "a", value: i / 10 }, 1_000 + i * 16);
  assert.equal(state.past.length, 1);
});

test("strict mode refuses a variable exponent, with its reason", () => {
  const typed = reduce(initial(), { type: "type", text: "a ** b" });
  assert.equal(typed.good, "a ** b");
  assert.equal(
    reduce(reduce(initial(), { type: "toggle", flag: "strict" }), { type: "type", text: "a ** b" })
      .good,
    "(a + b) * c",
  );
});

test("a link carries the whole state", () => {
  fc.assert(
    fc.property(
      fc.record({
        page: fc.constantFrom("sandbox", "walk", "order", "bugs", "checks", "program"),
        text: fc.string({ maxLength: 60, unit: "grapheme" }),
        values: fc
          .array(
            fc.tuple(
              fc.constantFrom("a", "b", "x1", "é", "constructor", "__proto__"),
              fc.double({ noNaN: true, noDefaultInfinity: true }),
            ),
          )
          .map((rows) => new Map(rows)),
        time: fc.nat(9_999_999),
        unfold: fc.boolean(),
        final: fc.boolean(),
        predict: fc.boolean(),
        strict: fc.boolean(),
        view: fc.constantFrom("2d", "3d"),
        speed: fc.constantFrom(0.25, 0.5, 1, 2, 4),
        bug: fc.constantFrom("overwrite", "no-reset", "recursion"),
        order: fc.uniqueArray(fc.nat(50), { maxLength: 8 }),
        ran: fc.boolean(),
        game: fc.boolean(),
        seed: fc.nat(1e9),
        question: fc.constantFrom("", "x1-a", "medium.123456", "own"),
        node: fc.option(fc.nat(4095)),
        edge: fc.option(
          fc.record({ target: fc.nat(4095), operand: fc.nat(3) }, { noNullPrototype: true }),
        ),
      }),
      (settings) => {
        const state = initial();
        // What means nothing on its page is as in a fresh lab.
        const given = { ...settings, ...meant({ ...state, ...settings } as Settings) };
        const found = { ...state, ...decode(encode(given)) };
        for (const key of Object.keys(settings) as (keyof Settings)[]) {
          if (key === "values") {
            for (const [name, value] of given.values)
              assert.equal(found.values.get(name), value === 0 ? 0 : value);
          } else assert.deepEqual(found[key], given[key]);
        }
      },
    ),
  );
});

test("no address breaks the lab", () => {
  const hostile = [
    "#",
    "#1/",
    "#9/sandbox?f=a",
    "#1/nowhere?f=",
    "#1/sandbox?x=a:NaN,b:Infinity,:3,c",
    "#1/sandbox?t=-5&s=99&b=<script>",
    "#%",
    `#1/sandbox?f=${"(".repeat(20_000)}`,
    "#1/sandbox?f=%ff%00",
    "#1/sandbox?n=99999&e=3.99999&k=1e9&c=../../x",
    "#1/checks?c=medium.99999999999999999999",
  ];
  for (const hash of hostile) programFor(initial(decode(hash)));
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (junk) => {
      programFor(initial(decode(`#1/sandbox?${junk}`)));
      programFor(initial(decode(junk)));
    }),
  );
});

test("a link says all: what it leaves out is as in a fresh lab", () => {
  const busy = initial({ final: true, order: [2, 1], ran: true, view: "3d", bug: "no-reset" });
  const dirty = {
    ...busy,
    task: "dead",
    told: new Map([["predict.1", { typed: "3", right: true, missed: 0 }]]),
  };
  const restore = (hash: string) =>
    reduce(dirty, { type: "restore", state: stateOf(decode(hash)) });
  const { final, order, ran, view, page, bug, task, told } = restore("#1/order?f=a*a");
  assert.deepEqual(
    [final, order, ran, view, page, bug],
    [false, [], false, "2d", "order", "overwrite"],
  );
  assert.deepEqual([task, told.size], ["", 0]);
  assert.deepEqual({ ...restore(""), edit: null }, { ...initial(), edit: null });
});

test("a link calls nodes by their names, and an id still finds its node", () => {
  const state = { ...initial(), node: 2, edge: { target: 4, operand: 1 } };
  const hash = linkTo({ ...state, page: "order", order: [4, 2, 3, 0, 1] });
  assert.match(hash, /[?&]q=f\.t1\.c\.a\.b(&|$)/);
  assert.match(hash, /[?&]n=t1(&|$)/);
  assert.match(hash, /[?&]e=f\.1(&|$)/);
  for (const written of [hash, "#1/order?n=2&e=4.1&q=4.2.3.0.1"]) {
    const { node, edge, order } = stateOf(decode(written));
    assert.deepEqual([node, edge, order], [2, state.edge, [4, 2, 3, 0, 1]]);
  }
  const { node, edge, order } = stateOf(decode("#1/order?n=zed&e=zed.1&q=zed.zoo"));
  assert.deepEqual([node, edge, order], [null, null, []]);
});

test("a pick that its graph does not have is no pick", () => {
  const state = initial(decode("#1/sandbox?n=5&e=4.2"));
  const { graph } = programFor(state);
  assert.equal(graph.nodes.length, 5);
  const { node, edge } = sound(state, graph);
  assert.deepEqual([node, edge], [null, null]);
  const there = initial(decode("#1/sandbox?n=4&e=4.1"));
  assert.equal(sound(there, graph), there);
});

test("a question has one id, and an id one question", () => {
  for (const id of ["x1-a", "x6-a", "easy.7", "hard.123456"])
    assert.equal(questionOf(id, "", {})?.id, id);
  assert.deepEqual(questionOf("medium.5", "", {}), questionOf("medium.5", "a*b", { a: 1 }));
  assert.equal(questionOf("own", "x*y + x", { x: 3, y: 4 })?.leaf, "x");
  for (const id of ["own", "huge.5", "medium.", "medium.x", "__proto__", "x9-zz"])
    assert.equal(questionOf(id, "", {}), null, id);
});

test("progress survives its own form, and anything else is no progress", () => {
  const done = new Set(["try:dead", "check:medium.12", "check:x1-a"]);
  assert.deepEqual(parsed(written({ done, right: 2, all: 3 })), { done, right: 2, all: 3 });
  const none = { done: new Set(), right: 0, all: 0 };
  for (const text of ["", "null", "[]", "{", '{"version":2,"done":["try:dead"]}', "7"])
    assert.deepEqual(parsed(text), none, text);
  const odd = '{"version":1,"done":["try:dead",7,"<img>","x:"],"right":9,"all":1}';
  assert.deepEqual(parsed(odd), { done: new Set(["try:dead"]), right: 0, all: 0 });
});

test("server-sent events are read however the stream is cut", async () => {
  const text =
    ': following\n\nid: 1\nevent: progress\ndata: {"done": 1}\n\n: still here\n\n' +
    'id: 2\r\nevent: result\r\ndata: {"a":\r\ndata: "é\u2028"}\r\n\r\n';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size)
          controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const found = [];
    for await (const event of events(stream)) found.push(event);
    assert.deepEqual(
      found,
      [
        { name: "progress", data: { done: 1 } },
        { name: "result", data: { a: "é\u2028" } },
      ],
      String(size),
    );
  }
});

test("the camera lives in the store: another picture is fitted afresh, and a link replaces it", () => {
  const camera = { x: 5, y: 6, k: 2 };
  const orbit = { ...FRONT, turn: 1 };
  const look = { camera, orbit, opened: new Set(["sum 4"]) };
  const moved = reduce(initial(), { type: "set", change: { look } });
  assert.equal(reduce(moved, { type: "value", name: "a", value: 7 }).look, look);
  assert.equal(reduce(moved, { type: "seek", time: 7 }).look, look);
  for (const action of [
    { type: "type", text: "a * b" },
    { type: "page", page: "walk" },
    { type: "toggle", flag: "unfold" },
  ] as const)
    assert.deepEqual(reduce(moved, action).look, { ...FITTED, orbit }, action.type);
  const check = { key: "k", running: true, done: 1, total: 2, leaves: null, problem: null };
  const busy = { ...moved, proof: true, check };
  const restored = reduce(busy, { type: "restore", state: stateOf(decode("#1/sandbox?f=a*b")) });
  assert.equal(restored.look, FITTED);
  assert.deepEqual([restored.proof, restored.check], [false, null]);
});

test("a link carries how the picture is turned and which boxes are open, and checks both", () => {
  const orbit = { ...FRONT, turn: 1.25, tilt: -0.5, near: 2 };
  const look = {
    camera: { x: 1, y: 2, k: 3 },
    orbit,
    opened: new Set(["scope layer/1", "block 3 9"]),
  };
  const link = linkTo({ ...initial(), view: "3d", look });
  const { look: back } = stateOf(decode(link));
  assert.deepEqual([back.camera, back.orbit], [null, orbit]);
  assert.deepEqual([...back.opened], [...look.opened]);
  for (const bad of ["p=1,2", "p=0,900,100", "p=0,0,900", "p=x,y,z", "g=||", "g="])
    assert.deepEqual(stateOf(decode(`#1/sandbox?v=3d&${bad}`)).look, FITTED, bad);
});
