/**
 * The lessons: their list, a lesson with its stage, the glossary. Loaded when someone opens them.
 *
 * A step of a lesson puts its walk on the stage (`staged`) and holds it at its moment while its
 * question is open. The question is about what is on the stage: whoever moves a slider or types an
 * expression of their own is asked about that.
 */

import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { programFor } from "../app/derive.ts";
import type { Lab } from "../app/lab.ts";
import { calm } from "../app/player.ts";
import { finish, merge, progress, written } from "../app/progress.ts";
import { pullTo } from "../app/pull.ts";
import { type Answer, isSettled, type Page, RATE, type State } from "../app/state.ts";
import { type Action, reduce } from "../app/store.ts";
import type { Happening } from "../app/timeline.ts";
import { codePanel } from "../parts/code.ts";
import { rulePanel } from "../parts/equation.ts";
import { controls } from "../parts/expression.ts";
import { icon } from "../parts/icons.ts";
import { later } from "../parts/later.ts";
import { numberTable } from "../parts/numbers.ts";
import { panel } from "../parts/panel.ts";
import { sourcePanel } from "../parts/source.ts";
import { stage } from "../parts/stage.ts";
import { backwardTable, sortTable } from "../parts/trace.ts";
import { accepts, num, readNumber } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import {
  type Block,
  type Check,
  type Course,
  courseNow,
  isLoaded,
  type Lesson,
  type Line,
  loadCourse,
  placeIn,
  plain,
  type Step,
  type View,
} from "../teach/course.ts";
import { momentOf } from "../teach/moments.ts";
import { answerOf, diagnose } from "../teach/questions.ts";
import { codeLines } from "./bugs.ts";
import { descent } from "./descend.ts";
import { comparison, puzzle } from "./order.ts";
import { thumb } from "./thumb.ts";

/** The page whose walk a view shows. */
const SCENES: Partial<Record<View, Page>> = {
  trace: "walk",
  source: "walk",
  bugs: "bugs",
  order: "order",
  descend: "descend",
};

// ── Going about ────────────────────────────────────────────────────────────────────────────────

/** Load the lessons and put the step that the address names on the stage. */
export async function begin(lab: Lab): Promise<void> {
  // One that does not come is asked for again on the page.
  if (!(await loadCourse().catch(() => null))) return;
  const now = lab.current();
  if (now.state.page !== "learn") return;
  const { staged: shown, lesson } = now.state;
  if (shown !== lesson) show(now, lesson);
  lab.refresh();
}

/** One step on or back; behind the last one is the list. */
export function turn(lab: Lab, way: number, past = false): void {
  const course = courseNow();
  const found = course && placeIn(course, lab.state.lesson);
  if (!found) return;
  const { lesson, index } = found;
  const to = index + way;
  // A class does not slip into the next lesson by one click of a remote too many.
  if (lab.state.teach && to === lesson.steps.length && !past) return;
  if (to >= 0 && to < lesson.steps.length) go(lab, `${lesson.id}.${to}`);
  else if (to >= lesson.steps.length) leave(lab, course, lesson);
}

/** Put a step on the stage; where it begins with a pull, that is seen to happen. */
function show(lab: Lab, place: string): void {
  const action = staged(lab.state, place);
  lab.dispatch(action);
  if (action.type !== "scene" || !action.pull || calm()) return;
  lab.dispatch({ type: "pull", pull: null });
  pullTo(lab.current(), action.pull);
}

function go(lab: Lab, place: string): void {
  show(lab, place);
  focusTitle(lab);
}

/** Past the end: what comes next, or the list. */
function leave(lab: Lab, course: Course, lesson: Lesson): void {
  settle(lab.state, lesson);
  const next = course.lessons[course.lessons.indexOf(lesson) + 1];
  go(lab, next ? next.id : "");
}

/** Someone who reads by ear, or by keys, lands at the new text. */
function focusTitle({ root }: Lab): void {
  requestAnimationFrame(() => {
    root.querySelector<HTMLElement>(".lesson h2, .course h2")?.focus();
    root.querySelector(".lesson .text")?.scrollTo({ top: 0 });
  });
}

/** A step of a lesson as one action: its walk on the stage, at its moment, held there while it asks. */
function staged(state: State, place: string): Action {
  const course = courseNow();
  const found = course && placeIn(course, place);
  const step = found?.lesson.steps[found.index];
  const directive = step?.walk;
  if (!directive) return { type: "lesson", lesson: place };
  const scene: Extract<Action, { type: "scene" }> = {
    type: "scene",
    lesson: place,
    scene: SCENES[directive.view] ?? "sandbox",
    text: directive.text,
    values: { ...directive.values },
    bug: directive.bug ?? "",
    unfold: directive.view === "unfold",
    rate: directive.rate ?? RATE,
    time: 0,
    hold: null,
    pull: directive.pull ?? null,
  };
  const time = momentOf(programFor(reduce(state, scene)).line, directive.at);
  const asks = step.check !== undefined && step.check.kind !== "choice";
  const open = asks && !isSettled(state.told.get(`${found!.lesson.id}.${found!.index}`));
  // The last moment of a walk hides nothing.
  return { ...scene, time, hold: open && directive.at !== "end" ? time : null };
}

// ── The page ───────────────────────────────────────────────────────────────────────────────────

export function learnPage(lab: Lab): TemplateResult {
  const come = (): void => (isLoaded() ? void begin(lab.current()) : lab.refresh());
  const missing = isLoaded() ? null : later(`lessons ${t.lang}`, loadCourse, come);
  const course = courseNow();
  if (!course) return missing ?? html`<p class="pad">${t.learn.loading}</p>`;
  const found = placeIn(course, lab.state.lesson);
  if (found) return lessonView(lab, found.lesson, found.index);
  return html`<div class="course">
    ${tabs(lab)}
    ${lab.state.lesson === "glossary" ? glossary(course) : list(lab, course)}
  </div>`;
}

const TABS = ["", "glossary"] as const;

function tabs(lab: Lab): TemplateResult {
  const { lesson } = lab.state;
  return html`<div class="bar">
    <span class="segments" role="group" aria-label=${t.pages.learn}>
      ${TABS.map((tab) => html`<button class="segment" aria-pressed=${lesson === tab} @click=${() => lab.dispatch({ type: "lesson", lesson: tab })}>${t.learn.tabs[tab || "lessons"]}</button>`)}
    </span>
  </div>`;
}

function list(lab: Lab, course: Course): TemplateResult {
  const done = course.lessons.filter((one) => isComplete(one)).length;
  const next = course.lessons.find((one) => !isComplete(one));
  return html`
    <section class="panel intro"><div class="body">
      <h2 tabindex="-1">${t.learn.head}</h2>
      <p>${t.learn.intro}</p>
      <progress max=${course.lessons.length} value=${done} aria-label=${t.learn.progress(done, course.lessons.length)}></progress>
      <div class="actions">
        <span>${t.learn.progress(done, course.lessons.length)}</span>
        ${next ? html`<button class="primary" @click=${() => go(lab, next.id)}>${icon("play")} ${done ? t.learn.resume : t.learn.start}</button>` : html`<strong class="good">✓ ${t.learn.all}</strong>`}
        <span class="gap"></span>
        <button class="toggle" @click=${save}>${t.learn.save}</button>
        <label class="toggle file">${t.learn.load}<input type="file" accept="application/json,.json" @change=${(event: Event) => void read(lab, event)} /></label>
      </div>
    </div></section>
    <ol class="lessons">
      ${course.lessons.map((lesson, i) => entry(lab, lesson, i))}
    </ol>`;
}

function entry(lab: Lab, lesson: Lesson, place: number): TemplateResult {
  const complete = isComplete(lesson);
  const checks = checksOf(lesson);
  const solved = checks.filter((index) => isSolved(lesson, index)).length;
  return html`<li><a class="entry ${complete ? "done" : ""}" href=${`#1/learn?l=${lesson.id}`} @click=${(
    event: MouseEvent,
  ) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(lab, lesson.id);
  }}>
    ${thumb(lesson)}
    <span class="number" aria-hidden="true">${complete ? "✓" : place + 1}</span>
    <span class="name">${line(lesson.title)}${complete ? html`<span class="hidden">, ${t.learn.complete}</span>` : nothing}</span>
    <span class="facts">${t.learn.minutes(lesson.minutes)}, ${t.learn.solved(solved, checks.length)}</span>
  </a></li>`;
}

function glossary(course: Course): TemplateResult {
  return html`<section class="panel"><div class="body"><h2 tabindex="-1">${t.learn.tabs.glossary}</h2>
    <dl class="glossary">${course.glossary.map(([term, meaning]) => html`<div><dt>${line(term)}</dt><dd>${line(meaning)}</dd></div>`)}</dl>
  </div></section>`;
}

// ── A lesson ───────────────────────────────────────────────────────────────────────────────────

function lessonView(lab: Lab, lesson: Lesson, index: number): TemplateResult {
  const { state } = lab;
  const step = lesson.steps[index];
  const last = index === lesson.steps.length - 1;
  return html`<div class="lesson ${step.walk?.view ?? "graph"}">
    <article class="panel text" aria-label=${t.learn.text}>
      <div class="head">
        <button class="quiet" aria-label=${t.learn.back} title=${t.learn.back} @click=${() => go(lab, "")}>${icon("left")}</button>
        <span class="where">${line(lesson.title)}</span>
        <button class="toggle" @click=${() => present(lab, !state.teach)}>${state.teach ? t.learn.unteach : t.learn.teach}</button>
      </div>
      <div class="body" tabindex=${state.teach ? 0 : nothing}>
        <h2 tabindex="-1">${line(step.title)}</h2>
        ${step.blocks.map(block)}
        ${step.check ? question(lab, lesson, index, step.check) : nothing}
        ${state.teach && step.notes ? html`<details class="notes"><summary>${t.learn.notes}</summary>${step.notes.map(block)}</details>` : nothing}
        ${last && isComplete(lesson) ? html`<p class="complete" role="status">✓ ${t.learn.completed}</p>` : nothing}
      </div>
      <div class="turn">
        <button class="toggle" ?disabled=${index === 0} @click=${() => turn(lab, -1)}>${icon("left")} ${t.learn.before}</button>
        <ol class="dots" aria-label=${t.learn.steps}>${lesson.steps.map((one, i) => html`<li><button class="dot" aria-current=${i === index ? "step" : nothing} aria-label=${t.learn.step(i + 1, lesson.steps.length)} title=${plain(one.title)} @click=${() => go(lab, `${lesson.id}.${i}`)}></button></li>`)}</ol>
        <button class="primary" @click=${() => turn(lab, 1, true)}>${last ? t.learn.finish : t.learn.next} ${icon("right")}</button>
      </div>
    </article>
    <div class="work">${view(lab, step)}</div>
  </div>`;
}

function present(lab: Lab, on: boolean): void {
  lab.dispatch({ type: "set", change: { teach: on } });
  // A frame may refuse the whole screen; large type and notes come all the same.
  if (on)
    void document.documentElement.requestFullscreen?.().then(
      () => untilLeft(lab),
      () => {},
    );
  else if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
}

/** A browser takes the Escape that ends the whole screen for itself: teaching ends with it. */
function untilLeft(lab: Lab): void {
  document.addEventListener("fullscreenchange", function left() {
    if (document.fullscreenElement) return;
    document.removeEventListener("fullscreenchange", left);
    lab.dispatch({ type: "set", change: { teach: false } });
  });
}

/** In large type an answer may lie under the edge of the screen. */
function showAnswer(lab: Lab): void {
  if (!lab.state.teach) return;
  requestAnimationFrame(() => {
    lab.root.querySelector(".ask")?.scrollIntoView({ block: "nearest" });
  });
}

/** How a step looks at its walk. */
function view(lab: Lab, step: Step): unknown {
  const { program, frame, state, dispatch } = lab;
  const seen = step.walk?.view ?? "graph";
  const picture = stage(lab, {
    switches: seen === "unfold" ? ["unfold"] : [],
    compare: seen === "bugs",
    pulls: step.walk?.pull !== undefined,
  });
  const rule = (): unknown => panel(t.equation.title, rulePanel(lab), "rule");
  switch (seen) {
    case "order":
      return puzzle(lab);
    case "descend":
      return descent(lab);
    case "sliders":
      return [controls(lab), picture];
    case "numbers":
      return [
        picture,
        panel(
          t.numbers.title,
          numberTable(program, frame, state.node, false, (id) =>
            dispatch({ type: "pick", node: id }),
          ),
          "table",
        ),
      ];
    case "chain":
      return [picture, rule()];
    case "code":
      return [picture, panel(t.code.title, codePanel(program, frame), "engine")];
    case "trace": {
      const sort = panel(t.trace.sort, sortTable(program, frame, lab.seek), "table");
      const back = panel(t.trace.backward, backwardTable(program, frame, lab.seek), "table");
      // In large type there is room for the table that moves.
      const tables = state.teach
        ? frame.phase === "backward"
          ? back
          : sort
        : html`<div class="pair">${sort}${back}</div>`;
      return [picture, tables];
    }
    case "rules":
      return [rules(), picture, rule()];
    case "bugs":
      return [
        picture,
        html`<div class="pair">
          ${panel(t.bugs.names[state.bug] ?? "", codeLines(state.bug || "overwrite"), "rule")}
          ${panel(t.bugs.table, state.hold === null ? comparison(program) : nothing, "table")}
        </div>`,
      ];
    case "source":
      return [
        picture,
        step.source
          ? panel(
              t.learn.source(step.source.name),
              sourcePanel(step.source.rows, program, frame),
              "engine source",
            )
          : nothing,
      ];
    default:
      return picture;
  }
}

/** The two rules that cover most of what flows back. */
function rules(): TemplateResult {
  return html`<div class="pair rules">
    ${(["+", "*"] as const).map((op) => html`<section class="panel rule-card"><span class="sign" aria-hidden="true">${op === "*" ? "×" : op}</span><p><strong>${t.learn.rules[op][0]}</strong><br />${t.learn.rules[op][1]}</p></section>`)}
  </div>`;
}

// ── Questions ──────────────────────────────────────────────────────────────────────────────────

/** Whether the stage shows the walk of the step, or one that the learner has made of it. */
function isOwn(state: State, lesson: Lesson, index: number): boolean {
  const directive = lesson.steps[index].walk;
  if (directive?.view !== "sliders") return false;
  if (state.good !== directive.text) return true;
  return Object.entries(directive.values).some(([name, value]) => state.values.get(name) !== value);
}

function question(lab: Lab, lesson: Lesson, index: number, check: Check): TemplateResult {
  const key = `${lesson.id}.${index}`;
  if (check.kind === "choice") return choice(lab, lesson, index, check);
  const own = check.kind === "grad" && isOwn(lab.state, lesson, index);
  const { program, state } = lab;
  const { graph, walk: done } = program;
  const known = graph.nodes.find((node) => node.label === check.node);
  const node = known ?? graph.leaves[0];
  if (own && !node) return html``;
  const mark = own ? `${key} ${state.good} ${graph.leaves.map((leaf) => leaf.data)}` : key;
  const answer = own ? done.expected[node.id] : check.answer;
  const told = state.told.get(mark);
  const ask = own ? [t.checks.question(program.output, node.label)] : check.ask;
  const why = own ? [t.checks.manyPaths(answerOf(graph, node.label).count, node.label)] : check.why;
  const typed = told?.typed ?? "";
  const say = (typed: string, right = false, misses = true): void => {
    // Before a class one press shows the answer.
    lab.dispatch({ type: "tell", key: mark, typed, right, misses, shown: state.teach });
    showAnswer(lab);
    if (right) finish(`lesson:${key}`);
    const now = lab.current().state;
    if (!isSettled(now.told.get(mark))) return;
    settle(now, lesson);
    reveal(lab, check.kind, node.id);
  };
  return html`<section class="ask" aria-label=${t.learn.question}>
    ${own ? html`<p class="why">${t.learn.own}</p>` : nothing}
    <p class="asked">${line(ask)}</p>
    ${
      state.teach
        ? nothing
        : html`<form novalidate @submit=${(event: SubmitEvent) => {
            event.preventDefault();
            const input = (event.target as HTMLFormElement).querySelector("input")!;
            const right = accepts(answer, input.value);
            const number = readNumber(input.value) !== null;
            say(input.value, right, number);
          }}>
            ${keyed(mark, html`<input inputmode="decimal" autocomplete="off" size="8" aria-label=${t.checks.answer} .value=${typed} />`)}
            <button class="primary">${t.checks.check}</button>
          </form>`
    }
    <div aria-live="polite">${told ? numberVerdict(lab, check, node.label, told, answer, why, own) : nothing}</div>
    ${state.hold !== null && !state.teach ? html`<p class="why">${t.learn.held}</p>` : nothing}
    ${isSettled(told) ? nothing : html`<button class="toggle" @click=${() => say(typed)}>${state.teach || told?.missed ? t.learn.show : t.checks.hint}</button>`}
  </section>`;
}

/** The answer is known: the walk goes on to it, and not on to the answer of the next question. */
function reveal(lab: Lab, kind: "grad" | "data" | "bug", node: number): void {
  const { events, total } = lab.program.line;
  const tells = (event: Happening): boolean =>
    kind === "data" ? event.kind === "compute" && event.node === node : event.push?.to === node;
  const until = events.findLast(tells)?.end ?? total;
  lab.dispatch({ type: "set", change: { hold: null } });
  if (lab.frame.time >= until) return;
  if (calm()) lab.dispatch({ type: "seek", time: until });
  else lab.dispatch({ type: "play", on: true, until });
}

/** The lessons that come before local derivatives. */
const EARLY = /^(start|value)\b/;

function numberVerdict(
  lab: Lab,
  check: Check & { kind: "grad" | "data" | "bug" },
  name: string,
  told: Answer,
  answer: number,
  why: Line,
  own: boolean,
): TemplateResult {
  const typed = readNumber(told.typed);
  if (told.right)
    return html`<p class="good"><strong>✓ ${t.checks.right}</strong></p><p>${line(why)}</p>`;
  const { graph } = lab.program;
  const isLeafGrad = check.kind === "grad" && graph.leaves.some((leaf) => leaf.label === name);
  const guess = typed !== null && isLeafGrad ? diagnose(graph, name, typed) : "";
  const wrong =
    typed === null
      ? told.typed
        ? html`<p class="bad">${t.notNumber}</p>`
        : nothing
      : html`<p><strong class="bad">✗ ${t.checks.wrong(num(typed, 10))}</strong> ${guess}</p>`;
  if (told.missed > 1)
    return html`${wrong}<p>${t.learn.answer} <code>${num(answer)}</code></p><p>${line(why)}</p>`;
  if (!told.missed) return html`${wrong}`;
  const hint =
    check.kind === "grad" && (own || isLeafGrad)
      ? EARLY.test(lab.state.lesson)
        ? t.learn.nudge(name, lab.program.output)
        : t.checks.hintText(answerOf(graph, name).count, name, lab.program.output)
      : check.kind === "data"
        ? t.learn.compute
        : t.learn.look;
  return html`${wrong}<p>${hint}</p>`;
}

function choice(
  lab: Lab,
  lesson: Lesson,
  index: number,
  check: Check & { kind: "choice" },
): TemplateResult {
  const key = `${lesson.id}.${index}`;
  const told = lab.state.told.get(key);
  const say = (place: number): void => {
    const { right } = check.options[place];
    lab.dispatch({ type: "tell", key, typed: String(place), right });
    showAnswer(lab);
    if (right) finish(`lesson:${key}`);
    settle(lab.current().state, lesson);
  };
  const chosen = told ? check.options[Number(told.typed)] : undefined;
  return html`<section class="ask" aria-label=${t.learn.question}>
    <p class="asked">${line(check.ask)}</p>
    <div class="options" role="group" aria-label=${t.learn.choices}>
      ${check.options.map((option, i) => {
        const state = told?.typed === String(i) ? (option.right ? "right" : "wrong") : "";
        return html`<button class="option ${state}" aria-pressed=${state !== ""} @click=${() => say(i)}><span aria-hidden="true">${state === "right" ? "✓" : state === "wrong" ? "✗" : "○"}</span> <span>${line(option.text)}</span></button>`;
      })}
    </div>
    <div aria-live="polite">${chosen ? html`<p class=${chosen.right ? "good" : "bad"}>${line(chosen.why)}</p>` : nothing}</div>
  </section>`;
}

// ── Progress ───────────────────────────────────────────────────────────────────────────────────

function checksOf(lesson: Lesson): number[] {
  return lesson.steps.flatMap((step, i) => (step.check ? [i] : []));
}

function isSolved(lesson: Lesson, index: number): boolean {
  return progress().done.has(`lesson:${lesson.id}.${index}`);
}

function isComplete(lesson: Lesson): boolean {
  return progress().done.has(`lesson:${lesson.id}`);
}

/** A lesson is complete when each of its questions was answered, or given up. */
function settle(state: State, lesson: Lesson): void {
  const open = checksOf(lesson).some(
    (index) => !isSolved(lesson, index) && !isSettled(state.told.get(`${lesson.id}.${index}`)),
  );
  if (!open) finish(`lesson:${lesson.id}`);
}

function save(): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([written(progress())], { type: "application/json" }));
  link.download = "gradwalk-progress.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const MOST_BYTES = 100_000;

async function read(lab: Lab, event: Event): Promise<void> {
  const input = event.target as HTMLInputElement;
  const file = input.files?.[0];
  if (!file) return;
  const known = file.size <= MOST_BYTES && merge(await file.text());
  input.value = "";
  input.setCustomValidity(known ? "" : t.learn.unreadable);
  if (!known) input.reportValidity();
  lab.refresh();
}

// ── Text ───────────────────────────────────────────────────────────────────────────────────────

function line(spans: Line): unknown[] {
  return spans.map((span) => {
    if (typeof span === "string") return span;
    const [kind, text] = span;
    if (kind === "c") return html`<code class=${text.length < 20 ? "short" : ""}>${text}</code>`;
    return kind === "b" ? html`<strong>${text}</strong>` : html`<em>${text}</em>`;
  });
}

function block(one: Block): TemplateResult {
  if ("code" in one) return html`<pre class="code"><code>${one.code}</code></pre>`;
  if ("ul" in one) return html`<ul>${one.ul.map((item) => html`<li>${line(item)}</li>`)}</ul>`;
  return html`<p>${line(one.p)}</p>`;
}
