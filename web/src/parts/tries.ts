/** "Try this": small experiments. Each knows when it is done, from the state alone. */

import { html, nothing, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import { calm } from "../app/player.ts";
import { preset } from "../app/presets.ts";
import { finish, progress } from "../app/progress.ts";
import { predicted } from "../app/state.ts";
import { END } from "../app/store.ts";
import { t } from "../strings/index.ts";

interface Try {
  id: string;
  preset: string;
  predict?: boolean;
  values?: Record<string, number>;
  done: (lab: Lab) => boolean;
}

const leafGrads = (lab: Lab): number[] =>
  lab.program.graph.leaves.map((leaf) => lab.program.walk.grads[leaf.id]);

export const TRIES: readonly Try[] = [
  {
    id: "predict",
    preset: "x1",
    predict: true,
    done: ({ state, program }) => {
      const pushes = program.line.events.flatMap((event, i) => (event.kind === "push" ? [i] : []));
      return state.predict && pushes.length > 3 && pushes.every((i) => predicted(state, i)?.right);
    },
  },
  {
    id: "dead",
    preset: "x9",
    values: { x: 2, w: 3, b: 1 },
    done: (lab) => lab.state.good.includes("relu") && leafGrads(lab).every((grad) => grad === 0),
  },
  {
    id: "square",
    preset: "x3",
    done: ({ state, program, frame }) =>
      /^\s*(\w+)\s*\*\s*\1\s*$/.test(state.good) && frame.time >= program.line.total,
  },
  {
    id: "negative",
    preset: "x6",
    done: (lab) => leafGrads(lab).some((grad) => grad < 0),
  },
];

/** Remember the experiment that was begun, once it is done: what happens by the way is no award. */
export function award(lab: Lab): void {
  const begun = TRIES.find(({ id }) => id === lab.state.task);
  if (begun?.done(lab)) finish(`try:${begun.id}`);
}

export function triesList(lab: Lab): TemplateResult {
  const finished = new Set(
    TRIES.map((one) => one.id).filter((id) => progress().done.has(`try:${id}`)),
  );
  const task = t.tries.rows[lab.state.task];
  const done = finished.has(lab.state.task);
  return html`<div class="tries" role="group" aria-label=${t.tries.title}>
    <span class="lead">${t.tries.title}</span>
    ${TRIES.map((one) => {
      const [title, text] = t.tries.rows[one.id];
      return html`<button
        class="try ${finished.has(one.id) ? "done" : ""}"
        data-try=${one.id}
        title=${text}
        aria-pressed=${one.id === lab.state.task}
        @click=${(event: Event) => {
          setUp(lab, one);
          showStage(event.currentTarget as Element);
        }}
      ><span aria-hidden="true">${finished.has(one.id) ? "✓" : "○"}</span> ${title}${finished.has(one.id) ? html`<span class="hidden">, ${t.trace.done}</span>` : nothing}</button>`;
    })}
    ${task ? html`<p class="task ${done ? "good" : ""}" role="status">${done ? `✓ ${t.tries.well}` : ""} ${task[1]}</p>` : nothing}
  </div>`;
}

/** On a phone the experiments are under the picture, which may have left the screen. */
function showStage(button: Element): void {
  const root = button.getRootNode() as ParentNode;
  // With the next frame the new graph and its words have their places.
  requestAnimationFrame(() => {
    const stage = root.querySelector<HTMLElement>(".stage");
    if (stage && stage.getBoundingClientRect().top < 0)
      stage.scrollIntoView({ block: "start", behavior: calm() ? "instant" : "smooth" });
  });
}

function setUp(lab: Lab, one: Try): void {
  const row = preset(one.preset);
  const values = one.values ?? row.values;
  // It begins when all is in place: what was there before is no part of it.
  lab.dispatch({ type: "set", change: { task: "" } });
  lab.dispatch({ type: "load", text: row.text, values });
  lab.dispatch({ type: "toggle", flag: "predict", on: one.predict ?? false });
  // Its walk is shown at once, so that there is something to change; where motion is unwelcome, its end.
  lab.dispatch({ type: "play", on: true, time: 0 });
  if (calm() && !one.predict) lab.dispatch({ type: "seek", time: END });
  lab.dispatch({ type: "set", change: { task: one.id } });
}
