import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { programFor } from "../../src/program.ts";
import type { Settings } from "../../src/state.ts";
import { initial, reduce } from "../../src/store.ts";
import { decode, encode } from "../../src/url.ts";

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
        page: fc.constantFrom("sandbox", "walk", "order", "bugs", "checks"),
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
      }),
      (settings) => {
        const state = initial();
        const given = { ...state, ...settings } as Settings;
        const found = { ...state, ...decode(encode(given)) };
        for (const key of Object.keys(settings) as (keyof Settings)[]) {
          if (key === "order" && !given.order.length) continue;
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
  ];
  for (const hash of hostile) programFor(initial(decode(hash)));
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (junk) => {
      programFor(initial(decode(`#1/sandbox?${junk}`)));
      programFor(initial(decode(junk)));
    }),
  );
});
