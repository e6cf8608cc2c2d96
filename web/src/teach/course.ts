/** The lessons: compiled from lessons/ by tools/lessons.py, one file per language, loaded when read. */

import type { Pull } from "../app/state.ts";
import { t } from "../strings/index.ts";

/** A text, or a piece of it that is code, bold or italic. */
export type Span = string | readonly ["c" | "b" | "i", string];
export type Line = readonly Span[];

export type Block =
  | { readonly p: Line }
  | { readonly ul: readonly Line[] }
  | { readonly code: string };

export type View =
  | "graph"
  | "sliders"
  | "numbers"
  | "chain"
  | "code"
  | "trace"
  | "rules"
  | "bugs"
  | "order"
  | "descend"
  | "unfold"
  | "source";

/** What a step shows: an expression at a point, a moment of its walk, and how to look at it. */
export interface Directive {
  readonly text: string;
  readonly values: Readonly<Record<string, number>>;
  readonly view: View;
  /** start, forward, seed, end, `sort 3` or `backward 2`: after so many events of that phase. */
  readonly at: string;
  readonly bug?: string;
  /** The step size of a descent. */
  readonly rate?: number;
  /** A leaf that is held as the step opens. Only where there is one may leaves be pulled. */
  readonly pull?: Pull;
}

export interface Choice {
  readonly right: boolean;
  readonly text: Line;
  readonly why: Line;
}

/** A question; `grad`, `data` and `bug` ask for a number of `node`, the last one with the bug on. */
export type Check =
  | { readonly kind: "choice"; readonly ask: Line; readonly options: readonly Choice[] }
  | {
      readonly kind: "grad" | "data" | "bug";
      readonly ask: Line;
      readonly node: string;
      readonly answer: number;
      readonly why: Line;
    };

/** A line of the engine's own source; it is lit at its `event`. */
export interface SourceRow {
  readonly text: string;
  readonly note?: string;
  readonly event?: string;
}

export interface Step {
  readonly title: Line;
  readonly blocks: readonly Block[];
  readonly walk?: Directive;
  readonly check?: Check;
  readonly source?: { readonly name: string; readonly rows: readonly SourceRow[] };
  readonly notes?: readonly Block[];
}

export interface Lesson {
  readonly id: string;
  readonly title: Line;
  /** The time that it takes, in minutes. */
  readonly minutes: number;
  readonly steps: readonly Step[];
}

export interface Course {
  readonly lang: string;
  readonly lessons: readonly Lesson[];
  readonly glossary: readonly (readonly [Line, Line])[];
}

const loaded = new Map<string, Course>();
let shown: Course | null = null;

/**
 * The lessons in the current language. While these load, the lessons of the language before, so that
 * half an answer is not lost; null if there were none.
 */
export function courseNow(): Course | null {
  shown = loaded.get(t.lang) ?? shown;
  return shown;
}

export function isLoaded(): boolean {
  return loaded.has(t.lang);
}

export async function loadCourse(): Promise<Course> {
  const { lang } = t;
  const course = loaded.get(lang) ?? (await fetched(lang));
  loaded.set(lang, course);
  return course;
}

async function fetched(lang: string): Promise<Course> {
  const response = await fetch(`lessons-${lang}.json`);
  if (!response.ok) throw new Error(`lessons-${lang}.json: ${response.status}`);
  return await response.json();
}

/** Where `order.2` is: the lesson and the index of its step, inside of what there is. */
export function placeIn(course: Course, place: string): { lesson: Lesson; index: number } | null {
  const [id, step] = place.split(".");
  const lesson = course.lessons.find((one) => one.id === id);
  if (!lesson) return null;
  return { lesson, index: Math.min(lesson.steps.length - 1, Number(step ?? 0)) };
}

export function plain(line: Line): string {
  return line.map((span) => (typeof span === "string" ? span : span[1])).join("");
}
