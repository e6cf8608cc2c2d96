/** The transport bar: phase, step, play, scrub, speed. */

import { html, svg, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { Lab } from "../app/lab.ts";
import { SPEEDS } from "../app/state.ts";
import type { Timeline } from "../app/timeline.ts";
import { vars } from "../scene/css.ts";
import { t } from "../strings/index.ts";
import { narrate } from "../teach/narration.ts";
import { icon } from "./icons.ts";

const MOST_TICKS = 160;

export function transport(lab: Lab): TemplateResult {
  const { state, program, frame } = lab;
  const { line } = program;
  const playing = state.playing;
  // Play comes first for the Tab key; the style sheet puts it in its place.
  const play = html`<button class="play" aria-label=${playing ? t.pause : t.play} title=${playing ? t.pause : t.play} @click=${lab.playPause}>${icon(playing ? "pause" : "play")}</button>`;
  return html`<div class="transport" role="group" aria-label=${t.time}>
    <div class="buttons">
      ${play}
      ${button("start", t.toStart, () => lab.seek(0))}
      ${button("back", t.stepBack, () => lab.step(-1))}
      ${button("step", t.step, () => lab.step(1))}
      ${button("end", t.toEnd, () => lab.seek(line.total))}
    </div>
    <div class="segments" role="group" aria-label=${t.phaseSwitch}>
      ${line.phases.map(
        (span) => html`<button
          class="segment ${span.phase}"
          aria-pressed=${frame.phase === span.phase && frame.index >= 0}
          @click=${() => lab.dispatch({ type: "play", on: true, time: span.start })}
        >${t.phases[span.phase]}</button>`,
      )}
    </div>
    <div class="scrub" ${vars(split(line))}>
      ${ticks(line)}
      <input
        type="range"
        min="0"
        max=${Math.ceil(line.total)}
        step="1"
        aria-label=${t.time}
        aria-valuetext=${narrate(program, frame.event, state.hold !== null).what}
        .value=${live(String(Math.round(frame.time)))}
        @input=${(event: Event) => lab.seek(Math.min(line.total, Number((event.target as HTMLInputElement).value)))}
        @keydown=${(event: KeyboardEvent) => scrubKey(lab, event)}
      />
    </div>
    <label class="speed">
      <span class="hidden">${t.speed}</span>
      <select aria-label=${t.speed} @change=${(event: Event) => lab.dispatch({ type: "set", change: { speed: Number((event.target as HTMLSelectElement).value) } })}>
        ${SPEEDS.map((speed) => html`<option value=${speed} .selected=${speed === state.speed}>${t.speeds(speed)}</option>`)}
      </select>
    </label>
  </div>`;
}

function button(
  name: "start" | "back" | "step" | "end",
  label: string,
  act: () => void,
): TemplateResult {
  return html`<button class="quiet ${name}" aria-label=${label} title=${label} @click=${act}>${icon(name)}</button>`;
}

/** Arrows on the bar step whole events, as they do everywhere. */
function scrubKey(lab: Lab, event: KeyboardEvent): void {
  if (event.shiftKey || event.ctrlKey || event.metaKey) return;
  const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (!way) return;
  event.preventDefault();
  event.stopPropagation();
  lab.step(way);
}

/** The phases as stretches of the bar, by custom properties. */
function split(line: Timeline): Record<string, string> {
  const end = (phase: string): string => {
    const span = line.phases.find((one) => one.phase === phase);
    return span ? `${((100 * span.end) / line.total).toFixed(2)}%` : "";
  };
  const forward = end("forward") || "0%";
  return { "--forward-end": forward, "--sort-end": end("sort") || forward };
}

function ticks(line: Timeline): unknown {
  if (line.events.length > MOST_TICKS) return "";
  return html`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${line.events.map((event) => {
      const x = `${(100 * event.end) / line.total}%`;
      return svg`<line x1=${x} x2=${x} y1="0" y2="8" />`;
    })}
  </svg>`;
}
