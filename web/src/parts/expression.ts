/** The expression box, its errors, the examples, and a slider for each variable. */

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { mistakeOf, variablesOf } from "../app/derive.ts";
import type { Lab } from "../app/lab.ts";
import { PRESETS } from "../app/presets.ts";
import type { State } from "../app/state.ts";
import { MAX_BYTES } from "../core/index.ts";
import { t } from "../strings/index.ts";
import { messageText } from "../strings/messages.ts";

/** What stands above the picture: the text, its values, and `more`; a graph from a file has none. */
export function controls(lab: Lab, more: unknown = nothing): TemplateResult {
  if (lab.fixed) return html``;
  return html`<div class="controls">${expressionBox(lab)}${variables(lab)}${more}</div>`;
}

export function expressionBox(lab: Lab, only?: readonly string[]): TemplateResult {
  const { state } = lab;
  const mistake = mistakeOf(state.text, state.strict);
  const message = mistake ? messageText(mistake.said) : "";
  return html`<div class="expression ${mistake ? "invalid" : ""}">
    <div class="line">
      <label class="hidden" for="expression">${t.expression}</label>
      <div class="grow">
        <textarea
          id="expression"
          rows="1"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          maxlength=${MAX_BYTES}
          placeholder="(a + b) * c"
          aria-invalid=${mistake !== null}
          aria-describedby="expression-note"
          .value=${live(state.text)}
          @input=${(event: InputEvent) => lab.dispatch({ type: "type", text: oneLine((event.target as HTMLTextAreaElement).value) })}
          @keydown=${(event: KeyboardEvent) => {
            if (event.key === "Enter") {
              event.preventDefault();
              lab.dispatch({ type: "play", on: true, time: 0 });
            }
            if (event.key === "Escape") leaveFrom(event.target as HTMLElement);
          }}
        ></textarea>
        <div class="mirror" aria-hidden="true">${mirrored(state.text, mistake?.column)}</div>
      </div>
      ${presetSelect(lab, only)}
    </div>
    <p id="expression-note" class="note" role=${mistake ? "alert" : nothing}>
      ${
        mistake
          ? html`<span class="message" title=${message}>${message}</span>`
          : html`<span class="hint">${t.expressionHint}</span>`
      }
    </p>
  </div>`;
}

/** Tell the lab that someone is done here: it knows where the focus came from. */
function leaveFrom(box: HTMLElement): void {
  box.dispatchEvent(new CustomEvent("leave", { bubbles: true, composed: true }));
}

/** The same text under the box makes it as high as its lines, and has the mark of a mistake. */
function mirrored(text: string, column = -1): unknown {
  // Behind the last line break a line needs something in it.
  if (column < 0) return `${text}\u200b`;
  const letters = [...text];
  const [before, after] = [letters.slice(0, column).join(""), letters.slice(column).join("")];
  return html`${before}<span class="caret"></span>${after}\u200b`;
}

/** An expression is one line, however many it takes on screen. */
const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, " ");

function presetSelect(lab: Lab, only?: readonly string[]): TemplateResult {
  const rows = only ? PRESETS.filter((row) => only.includes(row.id)) : PRESETS;
  const current = rows.find((row) => row.text === lab.state.good)?.id ?? "";
  return html`<label class="presets"><span class="hidden">${t.presets}</span>
    <select
      aria-label=${t.presets}
      @change=${(event: Event) => {
        const row = rows.find((one) => one.id === (event.target as HTMLSelectElement).value);
        if (row) lab.load(row.text, row.values);
      }}
    >
      ${current ? nothing : html`<option value="" .selected=${true}>${t.presetOwn}</option>`}
      ${rows.map((row) => html`<option value=${row.id} .selected=${row.id === current}>${t.presetNames[row.id]}</option>`)}
    </select>
  </label>`;
}

export function variables(lab: Lab): TemplateResult {
  const names = variablesOf(lab.state);
  return html`<div class="variables" role="group" aria-label=${t.variables}>
    ${repeat(
      names,
      (name) => name,
      (name) => variable(lab, name, shown(lab.state, name)),
    )}
  </div>`;
}

/** Where a variable stands; of one that is pulled, where it is held. */
function shown({ values, pull }: State, name: string): number {
  const value = values.get(name) ?? 0;
  return pull?.name === name ? Number((value + pull.by).toPrecision(15)) : value;
}

function variable(lab: Lab, name: string, value: number): TemplateResult {
  const most = reach(value);
  const set = (next: number): void => lab.dispatch({ type: "value", name, value: next });
  return html`<div class="variable">
    <span class="name" aria-hidden="true" title=${name}>${name}</span>
    <input
      type="range"
      min=${-most}
      max=${most}
      step="any"
      aria-label=${t.slider(name)}
      .value=${live(String(value))}
      @input=${(event: Event) => set(snapped(Number((event.target as HTMLInputElement).value), most))}
      @keydown=${(event: KeyboardEvent) => nudge(event, value, most, set)}
    />
    <gradwalk-number id=${`box-${name}`} .value=${value} .label=${t.box(name)} @number=${(event: CustomEvent<number>) => set(event.detail)}></gradwalk-number>
  </div>`;
}

/** The slider's end: 10, 100, 1000 … whichever holds the value; a drag never changes it. */
export function reach(value: number): number {
  let most = 10;
  while (most < Math.abs(value) && most < 1e300) most *= 10;
  return most;
}

function snapped(value: number, most: number): number {
  const step = most / 100;
  return Number((Math.round(value / step) * step).toPrecision(10));
}

function nudge(
  event: KeyboardEvent,
  value: number,
  most: number,
  set: (value: number) => void,
): void {
  const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (!way) return;
  event.preventDefault();
  const step = (most / 100) * (event.shiftKey ? 10 : 1);
  set(Math.max(-most, Math.min(most, snapped(value + way * step, most))));
}
