import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Program, programOf } from "../../src/app/derive.ts";
import { PRESETS } from "../../src/app/presets.ts";
import { randomFrom } from "../../src/app/random.ts";
import { FITTED } from "../../src/app/state.ts";
import { Graph, isConst, type Node, parse, snapshot } from "../../src/core/index.ts";
import { fitScale } from "../../src/scene/camera.ts";
import { groupsOf } from "../../src/scene/groups.ts";
import { LEGIBLE, type Picture, pictureOf } from "../../src/scene/picture.ts";
import { sample } from "../../src/teach/generate.ts";

const STAGE = { width: 1392, height: 336 };

function of(text: string): Program {
  const expression = parse(text);
  const values = Object.fromEntries(expression.names.map((name) => [name, 0.5]));
  return programOf(snapshot(expression.evaluate(values)));
}

function drawn(program: Program, opened: ReadonlySet<string> = FITTED.opened): Picture {
  return pictureOf(program, { opened, stage: STAGE });
}

const kinds = (picture: Picture): (string | undefined)[] =>
  picture.items.filter(({ group }) => group).map(({ group }) => group?.kind);

const sum = (terms: number): string =>
  Array.from({ length: terms }, (_, i) => `a*${"bc"[i % 2]}`).join("+");

/** Two layers of neurons, all of one of them read by all of the other. */
function network(width: number): string {
  const each = (build: (i: number) => string, by: string): string =>
    Array.from({ length: width }, (_, i) => build(i)).join(by);
  const letters = "abcdefghijklmnop";
  return [
    each((i) => `h${i} = tanh(x1*u${i} + x2*v${i} + b${i})`, ";"),
    each((i) => `g${i} = tanh(${each((j) => `h${j}*q${i}${letters[j]}`, "+")})`, ";"),
    `y = ${each((j) => `g${j}*z${j}`, "+")}`,
  ].join(";");
}

/** What a folded picture promises, whatever was opened. */
function check(program: Program, picture: Picture): void {
  const { items, itemOf, edges, wireOf, layout } = picture;
  const { nodes } = program.graph;
  // Every node is on one card, and the cards' nodes are those of the graph.
  assert.ok(itemOf.every((item) => item >= 0 && item < items.length));
  for (const [item, { node, group }] of items.entries()) {
    assert.equal(itemOf[node], item);
    if (group) for (const id of group.nodes) assert.equal(itemOf[id], item);
  }
  // Every edge between two cards goes along a wire between these two.
  let edge = 0;
  for (const { id, operands } of nodes)
    for (const operand of operands) {
      const wire = wireOf[edge];
      if (itemOf[operand] === itemOf[id]) assert.equal(wire, -1);
      else {
        assert.equal(layout.edges[wire].source, itemOf[operand]);
        assert.equal(layout.edges[wire].target, itemOf[id]);
        assert.ok(edges[wire].includes(edge));
      }
      edge += 1;
    }
  // No card reads itself by way of others: the layout has inputs before their consumers.
  for (const { source, target } of layout.edges) assert.ok(source < target);
}

/** Open whatever there is, a box at a time. */
function openAll(program: Program): void {
  let opened = new Set<string>();
  for (let i = 0; i < 2000; i++) {
    const picture = drawn(program, opened);
    check(program, picture);
    const box = picture.items.find(({ group }) => group)?.group;
    if (!box) {
      assert.equal(picture.items.length, program.graph.length);
      return;
    }
    opened = new Set(opened).add(box.key);
  }
  assert.fail("boxes without end");
}

test("a sum of products is two cards and the leaves", () => {
  const program = of(sum(200));
  const picture = drawn(program);
  check(program, picture);
  assert.deepEqual(kinds(picture), ["repeat", "sum"]);
  assert.equal(picture.items.length, 5);
  assert.equal(picture.items[3].group!.parts, 200);
  assert.equal(picture.items[4].group!.nodes.length, 199);
});

test("a chain is one card, and layers of neurons are a card each", () => {
  const steps = Array.from(
    { length: 80 },
    (_, i) => `v${i} = ${i ? `v${i - 1}` : "a"}${i % 2 ? "*" : "+"}b`,
  );
  const chain = of(steps.join(";"));
  assert.deepEqual(kinds(drawn(chain)), ["run"]);
  const layered = of(network(8));
  const picture = drawn(layered);
  check(layered, picture);
  assert.deepEqual(kinds(picture), ["repeat", "repeat", "sum"]);
  assert.deepEqual(
    picture.items.map(({ group }) => group?.parts ?? 0),
    [0, 0, 8, 8, 1],
  );
});

test("a box opens into few cards, down to the last node", () => {
  const program = of(sum(1000));
  const [, , , repeat, total] = drawn(program).items;
  for (const { group } of [repeat, total]) {
    const opened = drawn(program, new Set([group!.key]));
    check(program, opened);
    assert.ok(opened.items.length > 20 && opened.items.length <= 60, `${opened.items.length}`);
  }
  openAll(of(sum(80)));
  openAll(of(network(5)));
});

test("scopes are boxes, and one that is left and entered again is two", () => {
  const scoped = (graph: Graph, scopeOf: (node: Node) => string): Program =>
    programOf(new Graph(graph.nodes.map((node) => ({ ...node, scope: scopeOf(node) }))));
  const { graph } = of(network(6));
  const layer = (node: Node): string =>
    /^h/.test(node.label) || (node.op === "tanh" && node.id < 60) ? "layers.0.act" : "";
  const once = scoped(graph, layer);
  check(once, drawn(once));
  assert.ok(kinds(drawn(once)).includes("scope"));
  const steps = Array.from({ length: 80 }, (_, i) => `v${i} = ${i ? `v${i - 1}` : "a"}*b`);
  const again = scoped(of(steps.join(";")).graph, ({ operands, id }) =>
    operands.length && (id < 30 || id > 60) ? "cell.inner" : "",
  );
  const picture = drawn(again);
  check(again, picture);
  assert.deepEqual(
    picture.items.map(({ group }) => group && `${group.kind} ${group.name}`),
    [null, "scope cell", "run *", "scope cell (2)"],
  );
  openAll(once);
  openAll(again);
});

test("any graph can be folded and opened", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const drawn = sample(randomFrom(seed), "hard");
      const graph = snapshot(parse(drawn.text).evaluate(drawn.values));
      const groups = groupsOf(graph, FITTED.opened);
      const members = groups.flatMap(({ nodes }) => nodes);
      assert.equal(new Set(members).size, members.length);
    }),
    { numRuns: 40 },
  );
});

test("up to 24 nodes nothing is folded, and a constant that only a box reads is in it", () => {
  assert.deepEqual(kinds(drawn(of(sum(10)))), []);
  const program = of(Array.from({ length: 40 }, (_, i) => `tanh(a*${i + 2})`).join("+"));
  const picture = drawn(program);
  check(program, picture);
  assert.ok(picture.items.every(({ node }) => !isConst(program.graph.nodes[node])));
});

test("every preset fits every stage at a scale at which its letters can be read", () => {
  for (const stage of [
    { width: 334, height: 496 },
    { width: 976, height: 248 },
    { width: 818, height: 340 },
    { width: 932, height: 470 },
    { width: 1392, height: 352 },
  ])
    for (const { id, text, values } of PRESETS) {
      const program = programOf(snapshot(parse(text).evaluate(values)));
      const { layout, face } = pictureOf(program, { opened: FITTED.opened, stage });
      assert.ok(fitScale(layout, stage) >= LEGIBLE[face], `${id} ${stage.width}`);
    }
});
