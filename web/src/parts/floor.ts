/**
 * `<gradwalk-floor>`: the floor plan with what belongs to it: models, search, rooms, paths, the tape.
 *
 * `place` says which model is shown and which box of it is open, as in a link.
 */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type Lab, labOf } from "../app/lab.ts";
import { loadModel, MODELS, type ModelName, OWN } from "../app/models.ts";
import { type Named, namedOf } from "../app/names.ts";
import { Player } from "../app/player.ts";
import { isConnected, ServerError } from "../app/server.ts";
import type { Theme } from "../app/state.ts";
import { initial, Store } from "../app/store.ts";
import { type Frame, type Happening, stopAt } from "../app/timeline.ts";
import { startWorker } from "../app/workers.ts";
import { GradwalkError, type Tape } from "../core/index.ts";
import findStyle from "../scene/find.css";
import { Finder } from "../scene/finder.ts";
import { shortened } from "../scene/plan/paint.ts";
import { KINDS, type Placed } from "../scene/plan/place.ts";
import { type GradwalkPlan, known, nameOf, shownOr } from "../scene/plan/plan.ts";
import { type FoundPaths, PlanService } from "../scene/plan/service.ts";
import { element } from "../scene/speaking.ts";
import { GLYPHS, num, signOf } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { messageText } from "../strings/messages.ts";
import { troubleText } from "../strings/trouble.ts";
import { icon } from "./icons.ts";
import { panel } from "./panel.ts";
import { rail } from "./rail.ts";
import { scrollToNow } from "./rows.ts";
import floorStyle from "./styles/floor.css";
import { styled } from "./styles.ts";
import { transport } from "./transport.ts";

const MOST_PATHS = 5;
const MOST_LISTED = 8;
const MOST_ROWS = 60;

export class GradwalkFloor extends element(() => ({
  place: "",
  theme: "auto" as Theme,
  /** A tape that comes from elsewhere, shown in place of a model. */
  given: null as Tape | null,
  givenName: "",
  /** The node that is picked at first. */
  start: null as number | null,
  tape: null as Tape | null,
  problem: "",
  busy: false as boolean,
  node: null as number | null,
  room: null as Placed | null,
  paths: undefined as FoundPaths | null | undefined,
  /** Which of the paths is followed, −1 for none. */
  chosen: -1,
  document: "isabel",
})) {
  static styles = styled(findStyle, floorStyle);

  /** The walk that is under way, a lab of its own, and how to end it. */
  #walk: (() => Lab) | null = null;
  #endWalk: () => void = () => {};
  #service: PlanService | null = null;
  #loading = new AbortController();
  #shown = "";
  #boxKey = "";

  get #model(): ModelName {
    const name = this.place.split("/")[0] as ModelName;
    return MODELS.includes(name) ? name : isConnected() ? "gpt" : "mlp";
  }

  get #box(): string {
    const cut = this.place.indexOf("/");
    return cut < 0 ? "" : this.place.slice(cut);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#shown = "";
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#loading.abort();
    this.#service?.close();
    this.#service = null;
    this.#leave();
    this.tape = null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const wanted = this.given ? "given" : `${this.#model} ${this.document}`;
    if (this.#shown !== wanted || (changed.has("given") && this.given)) {
      this.#shown = wanted;
      void this.#load();
    }
  }

  protected override updated(changed: PropertyValues): void {
    if (this.lab) scrollToNow(this.renderRoot);
    if (changed.has("theme") && this.#plan) this.#plan.recolour();
    const isFromOutside = this.#box !== this.#boxKey && this.#box !== this.#told;
    if (changed.has("place") && this.tape && isFromOutside) void this.#open(this.#box);
  }

  get #plan(): GradwalkPlan | null {
    return this.renderRoot.querySelector("gradwalk-plan");
  }

  async #load(): Promise<void> {
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    this.problem = "";
    if (!this.given && !isConnected() && !OWN.includes(this.#model)) {
      this.#show(null);
      this.problem = t.plan.alone;
      return;
    }
    this.busy = true;
    try {
      const tape = this.given ?? (await loadModel(this.#model, this.document, signal));
      if (!signal.aborted) this.#show(tape);
    } catch (error) {
      if (signal.aborted) return;
      this.#show(null);
      this.problem = `${t.plan.failed} ${said(error)}`;
    }
    this.busy = false;
  }

  #show(tape: Tape | null): void {
    this.#service?.close();
    this.#service = tape && new PlanService(tape, () => startWorker("plan-worker"));
    this.tape = tape;
    this.node = null;
    this.room = null;
    this.paths = undefined;
    this.chosen = -1;
    this.#boxKey = "";
    this.#leave();
  }

  // ── The walk ───────────────────────────────────────────────────────────────────────────────

  /** The graph, with what each node is called: the same here and in its walk. */
  get #named(): Named {
    return namedOf(this.tape!);
  }

  /** The walk that is under way: a lab of the same kind as the page's own. */
  get lab(): Lab | null {
    return this.#walk?.() ?? null;
  }

  #begin(): void {
    this.#leave();
    const store = new Store(initial({ time: 0 }, this.#named.graph));
    const player = new Player(store);
    const unsubscribe = store.subscribe(() => this.#moved());
    this.#walk = labOf(store, () => ({
      root: this.renderRoot,
      embedded: true,
      bare: true,
      open: () => {},
      refresh: () => this.requestUpdate(),
    }));
    this.#endWalk = () => {
      player.stop();
      unsubscribe();
    };
    this.#pick(null, false);
  }

  #leave(): void {
    this.#endWalk();
    this.#walk = null;
    this.#seen = null;
    this.requestUpdate();
  }

  /** The event that was last gone to. */
  #seen: Happening | null = null;

  /** The camera follows: while it plays from room to room, by hand from node to node. */
  #moved(): void {
    const { state, frame, program } = this.lab!;
    const { event } = frame;
    const before = this.#seen;
    this.#seen = event;
    this.requestUpdate();
    if (!event || event === before) return;
    const stop = stopAt(program.line, event.start);
    if (!state.playing || stop < 0)
      void this.#plan?.goTo(event.push ? event.push.to : event.node, true);
    else if (!before || stopAt(program.line, before.start) !== stop)
      void this.#plan?.enterAround(event.node);
  }

  /** The nodes of the event that has just happened. */
  get #acting(): readonly number[] {
    const event = this.lab?.frame.event;
    if (!event) return NO_PATH;
    return event.push ? [event.node, event.push.to] : [event.node];
  }

  /** To the event after which the picked node's gradient is complete. */
  #wayTo({ program, frame, seek }: Lab): TemplateResult | typeof nothing {
    const { node } = this;
    const last = program.line.events.findLast(({ push }) => push?.to === node);
    if (node === null || !last || last.end === frame.time) return nothing;
    const words = t.plan.walk.until(shortened(program.names[node]));
    return html`<p><button class="toggle" @click=${() => seek(last.end)}>${words}</button></p>`;
  }

  /** The box that was last told to the page, which hands it back a moment later. */
  #told = "";

  // ── What one can do ────────────────────────────────────────────────────────────────────────

  /** Open a box, by its key. */
  async #open(key: string): Promise<void> {
    this.#boxKey = key;
    await this.#plan?.enter(key);
  }

  #entered = async ({ detail }: CustomEvent<string>): Promise<void> => {
    this.#boxKey = detail;
    const service = this.#service;
    const room = (await service?.ask({ ask: "room", key: detail })) ?? null;
    if (service !== this.#service || detail !== this.#boxKey) return;
    this.room = room;
    this.#told = detail;
    if (!this.given)
      this.dispatchEvent(new CustomEvent("place", { detail: `${this.#model}${detail}` }));
  };

  #drawn = async (): Promise<void> => {
    const key = this.given ? "" : this.#box;
    if (key) await this.#open(key);
    if (this.start !== null && this.tape && this.start < this.tape.length)
      this.#pick(this.start, true);
    else if (!this.room)
      await this.#entered(new CustomEvent("entered", { detail: key && this.#boxKey }));
  };

  #picked = ({ detail }: CustomEvent<number | null>): void => this.#pick(detail, false);

  #pick(node: number | null, goes: boolean): void {
    this.node = node;
    this.paths = undefined;
    this.chosen = -1;
    if (node !== null && goes) void this.#plan?.goTo(node);
  }

  async #follow(): Promise<void> {
    const { node } = this;
    if (node === null || !this.#service) return;
    const paths = await this.#service.ask({ ask: "paths", node, most: MOST_PATHS });
    if (this.node !== node) return;
    this.paths = paths;
    this.#choose(paths ? 0 : -1);
  }

  /** Show a path in the whole of the model, where it passes. */
  #choose(place: number): void {
    this.chosen = place;
    if (place >= 0) void this.#plan?.enter("");
  }

  #finder = new Finder(
    this,
    () => this.#named,
    (node) => this.#pick(node, true),
  );

  // ── The page ───────────────────────────────────────────────────────────────────────────────

  protected override render(): TemplateResult {
    const { tape, lab } = this;
    const path = lab
      ? this.#acting
      : this.paths && this.chosen >= 0
        ? this.paths.largest[this.chosen].nodes
        : NO_PATH;
    return html`${this.#bar()}
      <div class="floor">
        <section class="stage" aria-label=${t.pages.plan}>
          ${this.#crumbs()}
          ${
            this.problem
              ? html`<p class="pad bad" role="alert">${this.problem}</p>`
              : tape
                ? html`<gradwalk-plan
                    .tape=${tape} .service=${this.#service} .node=${this.node} .path=${path}
                    .frame=${lab?.frame ?? null}
                    @pick=${this.#picked} @entered=${this.#entered} @drawn=${this.#drawn}
                  ></gradwalk-plan>`
                : html`<p class="pad why" role="status">${t.plan.loading}</p>`
          }
          <p class="legend">${t.plan.walk.legend}</p>
          ${lab ? transport(lab) : nothing}
        </section>
        ${lab ? rail(lab, this.#sheets()) : html`<div class="rail">${this.#sheets()}</div>`}
      </div>`;
  }

  /** What belongs to the plan: the node that is picked, the room that is open. */
  #sheets(): TemplateResult {
    return html`${panel(t.plan.picked, this.#details())}
      ${panel(t.plan.rooms, this.#rows(), "rooms")}`;
  }

  #bar(): TemplateResult {
    const words = t.plan;
    return html`<div class="bar floor-bar">
      ${
        this.given
          ? html`<strong>${this.givenName}</strong>`
          : html`<label>${words.model} <select @change=${(event: Event) => this.#chooseModel((event.target as HTMLSelectElement).value)}>
              ${MODELS.map((name) => html`<option value=${name} .selected=${name === this.#model}>${words.models[name]}</option>`)}
            </select></label>
            ${
              this.#model === "gpt" && isConnected()
                ? html`<form class="actions" @submit=${(event: Event) => {
                    event.preventDefault();
                    const box = this.renderRoot.querySelector<HTMLInputElement>("#document")!;
                    this.document = box.value.trim() || "isabel";
                  }}><label>${words.document} <input id="document" maxlength="16" size="10" .value=${this.document} autocomplete="off" spellcheck="false" /></label>
                  <button class="toggle">${words.load}</button></form>`
                : nothing
            }`
      }
      ${this.tape ? this.#finder.render() : nothing}
      <span class="zoom">
        <button class="quiet" aria-label=${t.zoomOut} title=${t.zoomOut} @click=${() => this.#plan?.zoom(1 / 1.5)}>${icon("minus")}</button>
        <button class="quiet" aria-label=${t.fit} title=${t.fit} @click=${() => void this.#open("")}>${icon("fit")}</button>
        <button class="quiet" aria-label=${t.zoomIn} title=${t.zoomIn} @click=${() => this.#plan?.zoom(1.5)}>${icon("plus")}</button>
      </span>
      ${this.tape ? html`<span class="count">${words.size(count(this.tape.length), count(this.tape.operand.length))}</span>` : nothing}
    </div>`;
  }

  #chooseModel(name: string): void {
    this.#boxKey = "";
    this.dispatchEvent(new CustomEvent("place", { detail: name }));
  }

  #crumbs(): TemplateResult {
    const parts = (this.room?.key ?? "").split("/").slice(1);
    const words = t.plan.walk;
    const walk = (): void => (this.lab ? this.#leave() : this.#begin());
    return html`<nav class="crumbs" aria-label=${t.plan.where}>
      <button @click=${() => void this.#open("")} aria-current=${parts.length ? nothing : "location"}>${t.plan.whole}</button>
      ${parts.map((part, i) => {
        const key = `/${parts.slice(0, i + 1).join("/")}`;
        return html`<span aria-hidden="true">›</span><button @click=${() => void this.#open(key)} aria-current=${i === parts.length - 1 ? "location" : nothing}>${shortened(nameOf(`/${part}`))}</button>`;
      })}
      <button class=${this.lab ? "toggle" : "primary"} ?disabled=${!this.tape} @click=${walk}>${this.lab ? words.leave : words.start}</button>
    </nav>`;
  }

  /** The cards of the room that is open: what the picture shows, as a list. */
  #rows(): TemplateResult {
    const { room, tape } = this;
    if (!room || !tape) return html`<p class="why">${t.plan.roomsEmpty}</p>`;
    const cards = [...room.kinds.keys()].filter((i) => {
      const kind = KINDS[room.kinds[i]];
      return kind !== "input" && kind !== "output";
    });
    const left = cards.length - MOST_ROWS;
    return html`<table class="numbers"><caption class="hidden">${t.plan.rooms}</caption>
      <thead><tr><th scope="col">${t.plan.rooms}</th><th scope="col" class="end">${t.plan.count}</th><th scope="col" class="end">${t.plan.largest}</th></tr></thead>
      <tbody>${cards.slice(0, MOST_ROWS).map((i) => this.#row(room, tape, i))}
      ${left > 0 ? html`<tr><td colspan="3">${t.plan.more(left)}</td></tr>` : nothing}</tbody></table>`;
  }

  #row(room: Placed, tape: Tape, i: number): TemplateResult {
    const isNode = KINDS[room.kinds[i]] === "node";
    const node = room.members[room.first[i]];
    const grad = largest(tape, this.lab?.frame ?? null, room, i);
    const name = isNode ? this.#named.names[node] : room.names[i];
    const act = (): void => (isNode ? this.#pick(node, true) : void this.#open(room.keys[i]));
    return html`<tr class="backward"><td><button class="bare" @click=${act}>${isNode ? "" : "▣ "}${shortened(name)}</button></td>
      <td class="end">${count(room.first[i + 1] - room.first[i])}</td><td class="end ${signOf(grad)}">${GLYPHS[signOf(grad)]} ${shownOr(grad)}</td></tr>`;
  }

  #details(): TemplateResult {
    const { tape, node } = this;
    const words = t.plan;
    if (!tape || node === null) return html`<p class="why">${words.pickHint}</p>`;
    const { graph, names } = this.#named;
    const { op, scope, line, operands } = graph.nodes[node];
    const { data, grad } = known(tape, this.lab?.frame ?? null, node);
    return html`<dl class="facts">
        <dt>${t.plan.picked}</dt><dd><strong>${names[node]}</strong></dd>
        ${op ? html`<dt>${words.op}</dt><dd><code>${op}</code></dd>` : nothing}
        <dt>${t.numbers.value}</dt><dd>${shownOr(data, 8)}</dd>
        <dt>${t.numbers.grad}</dt><dd class=${signOf(grad)}>${GLYPHS[signOf(grad)]} ${shownOr(grad, 8)}</dd>
        ${scope ? html`<dt>${words.made}</dt><dd>${scope}</dd>` : nothing}
        ${line ? html`<dt>${words.line}</dt><dd>${line[0]}:${line[1]}</dd>` : nothing}
      </dl>
      ${this.#list(words.inputs, operands)}
      ${this.#list(words.consumers, graph.consumers()[node])}
      ${this.lab ? this.#wayTo(this.lab) : this.#followed(node)}`;
  }

  #list(title: string, ids: readonly number[]): TemplateResult | typeof nothing {
    if (!ids.length) return nothing;
    const left = ids.length - MOST_LISTED;
    return html`<h3>${title}</h3><p class="nodes">${ids.slice(0, MOST_LISTED).map((id) => html`<button class="toggle" @click=${() => this.#pick(id, true)}>${shortened(this.#named.names[id])}</button> `)}${left > 0 ? t.plan.more(left) : ""}</p>`;
  }

  #followed(node: number): TemplateResult {
    const words = t.plan;
    const { paths } = this;
    if (paths === undefined)
      return html`<p><button class="primary" @click=${() => void this.#follow()}>${words.follow}</button></p>`;
    if (paths === null) return html`<p class="why">${words.noPath}</p>`;
    const { names } = this.#named;
    return html`<h3>${words.paths(paths.count, names[node], names[names.length - 1])}</h3>
      <ol class="ways">${paths.largest.map(
        ({ product, nodes }, i) =>
          html`<li><button class="toggle" aria-pressed=${this.chosen === i} @click=${() => this.#choose(i)}>${words.path(i + 1, num(product), nodes.length - 1)}</button></li>`,
      )}</ol>
      <p class="why">${paths.largest.length < Number(paths.count) ? words.rest(num(paths.rest), num(paths.total)) : words.all(num(paths.total))}</p>
      ${this.chosen >= 0 ? this.#passed(paths.largest[this.chosen].nodes) : nothing}
      <p><button class="toggle" @click=${() => this.#pick(node, false)}>${words.clear}</button></p>`;
  }

  /** The boxes that a path passes, each once in a row. */
  #passed(nodes: readonly number[]): TemplateResult {
    const scopes = nodes.map((id) => this.#named.graph.nodes[id].scope || this.#named.names[id]);
    const steps = scopes.filter((scope, i) => scope !== scopes[i - 1]);
    return html`<p class="why">${t.plan.shares}</p><ol class="passed">${steps.map((scope) => html`<li>${scope}</li>`)}</ol>`;
  }
}

const NO_PATH: readonly number[] = [];

const count = (n: number): string => n.toLocaleString(t.lang);

/** The gradient of a card's nodes that is furthest from 0; null where none is known yet. */
function largest(tape: Tape, frame: Frame | null, room: Placed, i: number): number | null {
  let best: number | null = null;
  for (let m = room.first[i]; m < room.first[i + 1]; m++) {
    const { grad } = known(tape, frame, room.members[m]);
    if (grad !== null && (best === null || !(Math.abs(grad) <= Math.abs(best)))) best = grad;
  }
  return best;
}

function said(error: unknown): string {
  if (error instanceof ServerError) return troubleText(error);
  return error instanceof GradwalkError ? messageText(error.said) : String(error);
}

customElements.define("gradwalk-floor", GradwalkFloor);
