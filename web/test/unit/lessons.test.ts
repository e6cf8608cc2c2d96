/** The lessons as data: three languages of one shape, moments that exist, progress that travels. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { programOf } from "../../src/app/derive.ts";
import { linkTo, stateOf } from "../../src/app/link.ts";
import {
  diagnosed,
  finish,
  forget,
  merge,
  parsed,
  progress,
  written,
} from "../../src/app/progress.ts";
import { decode } from "../../src/app/url.ts";
import { parse, snapshot } from "../../src/core/index.ts";
import { en as english } from "../../src/strings/en.ts";
import { et as estonian } from "../../src/strings/et.ts";
import { ru as russian } from "../../src/strings/ru.ts";
import { type Course, placeIn, plain } from "../../src/teach/course.ts";
import en from "../../src/teach/lessons/en.json";
import et from "../../src/teach/lessons/et.json";
import ru from "../../src/teach/lessons/ru.json";
import { momentOf } from "../../src/teach/moments.ts";

const COURSES = [en, ru, et] as unknown as readonly Course[];

test("there are fifteen lessons of a few minutes in each language, and a glossary", () => {
  for (const { lessons, glossary } of COURSES) {
    assert.equal(lessons.length, 15);
    for (const { steps, minutes } of lessons) {
      assert.ok(steps.length >= 3 && minutes >= 1 && minutes <= 6);
      assert.ok(steps.some(({ check }) => check));
    }
    assert.ok(glossary.length > 20);
  }
});

test("every answer is what the browser's engine computes, and a question comes at its moment", () => {
  let asked = 0;
  for (const { lessons } of COURSES)
    for (const { id, steps } of lessons)
      for (const { walk: directive, check } of steps) {
        if (!directive) continue;
        const graph = snapshot(parse(directive.text).evaluate(directive.values));
        const { line, walk } = programOf(graph, { sort: true, leaves: true, bug: directive.bug });
        const moment = momentOf(line, directive.at);
        assert.ok(directive.at === "start" ? moment === 0 : moment > 0, `${id}: ${directive.at}`);
        assert.ok(moment <= line.total);
        if (!check || check.kind === "choice") continue;
        asked += 1;
        const node = graph.find(check.node);
        const right =
          check.kind === "data"
            ? node.data
            : (check.kind === "bug" ? walk.grads : walk.expected)[node.id];
        assert.equal(check.answer, right, `${id}: ${plain(check.ask)}`);
      }
  assert.ok(asked > 60, String(asked));
});

/** The labels of a catalogue, by where they stand in it. */
function labels(words: object, path = ""): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]) =>
      typeof value === "string"
        ? [[`${path}.${key}`, value] as [string, string]]
        : typeof value === "object"
          ? [...labels(value, `${path}.${key}`)]
          : [],
    ),
  );
}

test("a lesson calls a control as the page does, in every language", () => {
  const places = labels(english);
  const italics = (step: object): string[] =>
    [...JSON.stringify(step).matchAll(/\["i","([^"]*)"\]/g)].map(([, text]) => text);
  let count = 0;
  for (const [course, words] of [
    [ru, labels(russian)],
    [et, labels(estonian)],
  ] as const)
    en.lessons.forEach(({ id, steps }, i) => {
      steps.forEach((step, k) => {
        const said = italics(course.lessons[i].steps[k]);
        for (const text of italics(step)) {
          const known = [...places].filter(([, label]) => label === text).map(([place]) => place);
          if (!known.length) continue;
          count += 1;
          const right = known.map((place) => words.get(place)!);
          assert.ok(
            said.some((one) => right.includes(one)),
            `${words.get(".lang")} ${id}.${k}: ${text} is ${right}, not ${said}`,
          );
        }
      });
    });
  assert.ok(count > 6, String(count));
});

test("a place names a lesson and a step inside of it", () => {
  const course = COURSES[0];
  assert.equal(placeIn(course, "order.2")?.index, 2);
  assert.equal(placeIn(course, "order")?.index, 0);
  assert.equal(placeIn(course, "order.99")?.index, 3);
  assert.equal(placeIn(course, "nothing.1"), null);
  assert.equal(placeIn(course, ""), null);
});

test("a link brings a lesson back, and takes nothing that is none", () => {
  const link = linkTo({ ...stateOf({ page: "learn", lesson: "order.2" }) });
  assert.equal(link, "#1/learn?l=order.2");
  assert.equal(decode(link).lesson, "order.2");
  for (const bad of ["../x", "order.999", "<b>", "a".repeat(30)])
    assert.equal(decode(`#1/learn?l=${encodeURIComponent(bad)}`).lesson, undefined, bad);
});

test("progress that was saved is added to what is here; anything else is refused", () => {
  forget();
  finish("lesson:order");
  const saved = written(progress());
  forget();
  finish("lesson:value");
  for (const bad of ["", "{}", "[]", '{"version":9,"done":[]}']) assert.equal(merge(bad), false);
  assert.equal(merge(saved), true);
  assert.deepEqual([...progress().done].sort(), ["lesson:order", "lesson:value"]);
  assert.equal(merge('{"version":1,"done":["lesson:x","<script>",7],"right":-1,"all":0}'), true);
  assert.ok(progress().done.has("lesson:x") && progress().done.size === 3);
  forget();
});

test("of two scores of the diagnosis the one of more cases is kept", () => {
  const scored = (right: number, all: number) => written({ done: new Set(), right, all });
  for (const [file, kept] of [
    [scored(4, 9), [4, 9]],
    [scored(2, 2), [1, 3]],
  ] as const) {
    forget();
    for (const right of [true, false, false]) diagnosed(right);
    assert.equal(merge(file), true);
    assert.deepEqual([progress().right, progress().all], kept);
  }
  forget();
});

test("two tabs add to one progress, and what one forgets is forgotten in both", () => {
  const texts = new Map<string, string>();
  let isFull = false;
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key: string) => texts.get(key) ?? null,
      setItem: (key: string, text: string) => {
        if (isFull) throw new Error("full");
        texts.set(key, text);
      },
    },
  });
  try {
    finish("lesson:order");
    const [key] = texts.keys();
    const done = () => [...parsed(texts.get(key)!).done].sort();
    const elsewhere = (ids: string[], all: number) =>
      texts.set(key, written({ done: new Set(ids), right: 1, all }));
    elsewhere(["lesson:order", "check:x1-a"], 4);
    assert.ok(progress().done.has("check:x1-a"));
    elsewhere(["lesson:order", "check:x1-a", "try:dead"], 5);
    finish("lesson:value");
    assert.deepEqual(done(), ["check:x1-a", "lesson:order", "lesson:value", "try:dead"]);
    diagnosed(true);
    assert.deepEqual([progress().right, progress().all], [2, 6]);
    elsewhere([], 0);
    assert.equal(progress().done.size, 0);
    isFull = true;
    finish("lesson:relu");
    assert.ok(progress().done.has("lesson:relu"), "a full storage keeps it in the page");
    assert.deepEqual(done(), []);
  } finally {
    Reflect.deleteProperty(globalThis, "localStorage");
    forget();
  }
});
