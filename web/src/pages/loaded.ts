/** Pages that are files of their own, loaded when someone opens them. */

import { html, type TemplateResult } from "lit";
import type { Lab } from "../app/lab.ts";
import { later } from "../parts/later.ts";
import { t } from "../strings/index.ts";

type Body = (lab: Lab) => TemplateResult;

/** A page that travels as one file leaves them at home. */
const LOADS: Record<string, () => Promise<unknown>> = globalThis.GRADWALK_ALONE
  ? {}
  : {
      traces: () => import("../parts/traces.ts"),
      write: () => import("../parts/write.ts"),
      plan: () => import("../parts/floor.ts"),
      gpt: () => import("../parts/gpt.ts"),
      moons: () => import("../parts/moons.ts"),
    };

const loaded =
  (name: string, body: Body): Body =>
  (lab) =>
    (LOADS[name] && later(name, LOADS[name], lab.refresh)) || body(lab);

const waiting = (text: string): TemplateResult =>
  html`<p class="why pad" role="status">${text}</p>`;

/** A page that is drawn in the lab's own root, by a function of its file. */
function drawn<M>(
  name: string,
  load: () => Promise<M>,
  body: (page: M, lab: Lab) => TemplateResult,
): Body {
  let page: M | null = null;
  const loads = async (): Promise<void> => {
    page = await load();
  };
  return (lab) =>
    page ? body(page, lab) : (later(name, loads, lab.refresh) ?? waiting(t.learn.loading));
}

export const orderPage = drawn(
  "order",
  () => import("./order.ts"),
  (page, lab) => page.orderPage(lab),
);

export const bugsPage = drawn(
  "bugs",
  () => import("./bugs.ts"),
  (page, lab) => page.bugsPage(lab),
);

export const descendPage = drawn(
  "descend",
  () => import("./descend.ts"),
  (page, lab) => page.descendPage(lab),
);

export const checksPage = drawn(
  "checks",
  () => import("../parts/checks.ts"),
  (page, lab) => page.checksPage(lab),
);

export const tracesPage: Body = loaded(
  "traces",
  ({ state, fixed }) =>
    html`<gradwalk-traces .text=${fixed ? "" : state.good} .values=${state.values}></gradwalk-traces>`,
);

export const writePage: Body = loaded(
  "write",
  ({ state }) =>
    html`<gradwalk-write .theme=${state.theme}>${waiting(t.learn.loading)}</gradwalk-write>`,
);

export const planPage: Body = loaded(
  "plan",
  ({ state, dispatch }) => html`<gradwalk-floor .place=${state.place} .theme=${state.theme}
    @place=${(event: CustomEvent<string>) => dispatch({ type: "set", change: { place: event.detail } })}>${waiting(t.plan.loading)}</gradwalk-floor>`,
);

export const gptPage: Body = loaded(
  "gpt",
  ({ state }) =>
    html`<gradwalk-gpt .theme=${state.theme}>${waiting(t.gpt.status.starting)}</gradwalk-gpt>`,
);

export const moonsPage: Body = loaded(
  "moons",
  ({ state }) =>
    html`<gradwalk-moons .theme=${state.theme}>${waiting(t.plan.roomsEmpty)}</gradwalk-moons>`,
);
