/** The stage: what happens now in words, the switches of the view, and the picture. */

import { html, nothing, type TemplateResult } from "lit";
import { memo } from "../app/derive.ts";
import type { Lab } from "../app/lab.ts";
import type { Look } from "../app/state.ts";
import type { Graph } from "../core/index.ts";
import { vars } from "../scene/css.ts";
import type { PullEvent } from "../scene/hold.ts";
import type { Pick } from "../scene/scene.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { narrate } from "../teach/narration.ts";
import { canPull, pulled, pullPart } from "./holding.ts";
import { icon } from "./icons.ts";
import { asks, predictBox, predictEnd } from "./predict.ts";
import { transport } from "./transport.ts";
import { endCard, legend } from "./welcome.ts";

export interface StageOptions {
  compare?: boolean;
  /** Which switches to offer. */
  switches?: readonly ("final" | "unfold" | "predict" | "3d")[];
  /** Whether its leaves can be pulled. */
  pulls?: boolean;
  lit?: { nodes: ReadonlySet<number>; edges: ReadonlySet<number> } | null;
  /** Shown in place of the narration. */
  headline?: TemplateResult;
  /** The tabs of the stage, in place of any words: these stand beside it. */
  head?: unknown;
  /** Shown in place of the transport. */
  foot?: unknown;
}

export function stage(lab: Lab, options: StageOptions = {}): TemplateResult {
  const { state, program, frame } = lab;
  const all = options.switches ?? ["final", "unfold", "predict", "3d"];
  // A page that travels as one file has no file that draws in space.
  const wanted = all.filter((one) => one !== "3d" || !globalThis.GRADWALK_ALONE);
  const predicting = state.predict && wanted.includes("predict");
  // While someone predicts, nothing shows what is asked, and the asked wire is marked.
  const switches = wanted.filter((one) => one !== "final" || !predicting);
  const hidden = predicting ? program.line.events[lab.veil] : undefined;
  const isAsked = hidden !== undefined || state.hold !== null;
  const asked = hidden && asks(lab) ? hidden.edges[0] : isAsked ? -1 : null;
  const is3d = state.view === "3d" && switches.includes("3d") && !state.pull;
  const pulls = options.pulls === true && canPull(lab);
  const pull = pullPart(lab);
  return html`<section class="stage" aria-label=${t.graphLabel(program.graph.nodes.length)}>
    <div class=${options.head === undefined ? `banner ${frame.event ? frame.phase : "idle"}` : "tabbed"}>
      ${options.head ?? options.headline ?? pull?.headline(lab) ?? happening(lab)}
      <div class="switches">
        ${switches.includes("final") ? toggle(lab, "final", t.final) : nothing}
        ${switches.includes("unfold") && (state.unfold || lab.program.graph.nodes.some((node) => node.tags.includes("derived"))) ? toggle(lab, "unfold", t.unfold) : nothing}
        ${switches.includes("predict") && (state.strict || state.text.includes("**")) ? toggle(lab, "strict", t.strict) : nothing}
        ${switches.includes("predict") ? toggle(lab, "predict", t.predict) : nothing}
        ${
          switches.includes("3d")
            ? html`<span class="segments" role="group" aria-label=${t.viewSwitch}>
                ${(["2d", "3d"] as const).map((view) => html`<button class="segment" data-switch=${view} aria-pressed=${state.view === view} @click=${() => lab.dispatch({ type: "set", change: { view } })}>${view.toUpperCase()}</button>`)}
              </span>`
            : nothing
        }
        <span class="zoom">
          <button class="quiet" aria-label=${t.zoomOut} title=${t.zoomOut} data-zoom="out">${icon("minus")}</button>
          <button class="quiet" aria-label=${t.fit} title=${`${t.fit} (f)`} data-zoom="fit">${icon("fit")}</button>
          <button class="quiet" aria-label=${t.zoomIn} title=${t.zoomIn} data-zoom="in">${icon("plus")}</button>
        </span>
      </div>
    </div>
    <gradwalk-scene
      id="scene"
      class="picture"
      ${vars({ "--levels": String(levelsOf(program.graph)) })}
      .program=${program}
      .frame=${frame}
      .node=${state.node}
      .edge=${isAsked ? null : state.edge}
      .look=${state.look}
      .lit=${options.lit ?? null}
      .asked=${asked}
      .final=${state.final && switches.includes("final")}
      .compare=${options.compare ?? false}
      .deep=${is3d}
      .large=${state.teach}
      .pulls=${pulls}
      .pulling=${pull?.pulling(lab) ?? null}
      @pull=${(event: CustomEvent<PullEvent>) => pulled(lab, event.detail)}
      @look=${(event: CustomEvent<Look>) => lab.dispatch({ type: "set", change: { look: event.detail } })}
      @pick=${(event: CustomEvent<Pick>) => lab.dispatch({ type: "pick", ...event.detail })}
    ></gradwalk-scene>
    ${legend(pulls)}
    ${options.foot === undefined ? transport(lab) : options.foot}
    ${pull ? pull.strip(lab) : nothing}
  </section>`;
}

/** The stage with what belongs under it, the controls above both, and the rail beside: as Tab goes. */
export function theatre(stage: unknown, above: unknown, rail: unknown): TemplateResult {
  return html`<div class="under">${stage}</div>${above}${rail}`;
}

/** What happens now, or is asked, in words. */
export function happening(lab: Lab): TemplateResult {
  return asks(lab) ? predictBox(lab) : (predictEnd(lab) ?? narration(lab));
}

/** How many cards stand one behind the other: where these go down, the picture needs their height. */
const levelsOf = memo((graph: Graph): number => {
  const levels: number[] = [];
  for (const { id, operands } of graph.nodes)
    levels[id] = 1 + Math.max(0, ...operands.map((input) => levels[input]));
  return levels[graph.root] ?? 1;
});

function narration(lab: Lab): TemplateResult {
  const words = narrate(lab.program, lab.frame.event, lab.state.hold !== null);
  const stale = lab.state.text !== lab.state.good && !lab.fixed;
  const { graph, line, output } = lab.program;
  const result = graph.nodes[graph.root].data;
  const isOver = lab.frame.time >= line.total;
  const why = stale
    ? t.lastGood
    : isOver && !Number.isFinite(result)
      ? t.strangeOutput(output, num(result))
      : lab.state.predict && lab.frame.index < 0
        ? t.predictBox.start
        : words.why;
  const end = endCard(lab);
  if (end) return html`<div class="words end-card">${end}</div>`;
  return html`<div class="words"><p class="what">${words.what}</p><p class="why ${stale ? "bad" : ""}" title=${why}>${why}</p></div>`;
}

function toggle(
  lab: Lab,
  flag: "final" | "unfold" | "predict" | "strict",
  label: string,
): TemplateResult {
  return html`<button class="toggle" data-switch=${flag} aria-pressed=${lab.state[flag]} @click=${() => lab.dispatch({ type: "toggle", flag })}>${label}</button>`;
}
