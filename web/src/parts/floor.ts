/**
 * `<gradwalk-floor>`: the floor plan with what belongs to it: models, search, rooms, paths, the tape.
 *
 * `place` says which model is shown and which box of it is open, as in a link.
 */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { loadModel, MODELS, type ModelName, OWN } from "../app/models.ts";
import { isConnected, ServerError } from "../app/server.ts";
import type { Theme } from "../app/state.ts";
import { startWorker } from "../app/workers.ts";
import { GradwalkError, type Tape, type TapeMoment, TapeWalk, tapeName } from "../core/index.ts";
import { shortened } from "../scene/plan/paint.ts";
import { KINDS, type Placed } from "../scene/plan/place.ts";
import { type GradwalkPlan, known, nameOf, shownOr } from "../scene/plan/plan.ts";
import { readersOf } from "../scene/plan/rooms.ts";
import { type FoundPaths, PlanService } from "../scene/plan/service.ts";
import { Speaking } from "../scene/speaking.ts";
import { GLYPHS, num, signOf } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { messageText } from "../strings/messages.ts";
import { troubleText } from "../strings/trouble.ts";
import { icon } from "./icons.ts";
import { panel } from "./panel.ts";
import type { GradwalkSteps } from "./steps.ts";
import floorStyle from "./styles/floor.css";
import { styled } from "./styles.ts";
import "./steps.ts";

const MOST_PATHS = 5;
const MOST_LISTED = 8;
const MOST_ROWS = 60;

export class GradwalkFloor extends LitElement {
  static override styles = styled(floorStyle);
  static override properties = {
    place: { attribute: false },
    theme: { reflect: true },
    given: { attribute: false },
    givenName: { attribute: false },
    start: { attribute: false },
    tape: { state: true },
    problem: { state: true },
    busy: { state: true },
    node: { state: true },
    room: { state: true },
    found: { state: true },
    paths: { state: true },
    chosen: { state: true },
    text: { state: true },
    document: { state: true },
    walk: { state: true },
    count: { state: true },
  };
  declare place: string;
  declare theme: Theme;
  /** A tape that comes from elsewhere, shown in place of a model. */
  declare given: Tape | null;
  declare givenName: string;
  /** The node that is picked at first. */
  declare start: number | null;
  declare tape: Tape | null;
  declare problem: string;
  declare busy: boolean;
  declare node: number | null;
  declare room: Placed | null;
  declare found: { query: string; ids: readonly number[]; at: number };
  declare paths: FoundPaths | null | undefined;
  /** Which of the paths is followed, −1 for none. */
  declare chosen: number;
  declare text: string;
  declare document: string;
  /** The walk that is under way, and how many of its events have happened. */
  declare walk: TapeWalk | null;
  declare count: number;

  #moment: TapeMoment | null = null;
  #service: PlanService | null = null;
  #loading = new AbortController();
  #shown = "";
  #readers: [Uint32Array, Uint32Array] | null = null;
  #boxKey = "";

  constructor() {
    super();
    new Speaking(this);
    this.place = "";
    this.theme = "auto";
    this.given = null;
    this.givenName = "";
    this.start = null;
    this.tape = null;
    this.problem = "";
    this.busy = false;
    this.node = null;
    this.room = null;
    this.found = { query: "", ids: [], at: -1 };
    this.paths = undefined;
    this.chosen = -1;
    this.text = "";
    this.document = "isabel";
    this.walk = null;
    this.count = 0;
  }

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
    if (changed.has("theme") && this.#plan) this.#plan.recolour();
    if (changed.has("place") && this.tape && this.#box !== this.#boxKey) void this.#open(this.#box);
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
    this.found = { query: "", ids: [], at: -1 };
    this.#readers = null;
    this.#boxKey = "";
    this.#leave();
  }

  // ── The walk ───────────────────────────────────────────────────────────────────────────────

  #begin(): void {
    if (!this.tape) return;
    this.walk = new TapeWalk(this.tape);
    this.#pick(null, false);
    this.#moved(0, false);
  }

  #leave(): void {
    this.walk = null;
    this.#moment = null;
  }

  #moved(count: number, follows: boolean): void {
    const { walk } = this;
    if (!walk) return;
    this.count = count;
    this.#moment = walk.moment(count);
    if (!count || !follows) return;
    const { node, push } = walk.event(count - 1);
    void this.#plan?.goTo(push ? push.to : node, true);
  }

  #follows = ({ detail }: CustomEvent<number>): void => {
    void this.#plan?.enterAround(detail);
  };

  /** The nodes of the event that has just happened. */
  get #acting(): readonly number[] {
    if (!this.walk || !this.count) return NO_PATH;
    const { node, push } = this.walk.event(this.count - 1);
    return push ? [node, push.to] : [node];
  }

  #steps(): TemplateResult {
    const { walk, tape } = this;
    const words = t.plan.walk;
    if (!tape) return html`<p class="why">${t.plan.roomsEmpty}</p>`;
    if (!walk)
      return html`<p><button class="primary" @click=${() => this.#begin()}>${words.start}</button></p><p class="why">${t.narration.idleWhy}</p>`;
    return html`<gradwalk-steps .walk=${walk} .count=${this.count} .node=${this.node} .theme=${this.theme}
        @room=${this.#follows}
        @moved=${({ detail, target }: CustomEvent<number>) => this.#moved(detail, !(target as GradwalkSteps).washes)}></gradwalk-steps>
      <p><button class="toggle" @click=${() => this.#leave()}>${words.leave}</button></p>`;
  }

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
    if (service !== this.#service) return;
    this.room = room;
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

  #search(step: number): void {
    const query = this.text.trim().toLowerCase();
    const { tape } = this;
    if (!tape || !query) return;
    if (query !== this.found.query) {
      const ids = matches(tape, query);
      this.found = { query, ids, at: ids.length ? 0 : -1 };
    } else if (this.found.ids.length) {
      const { ids, at } = this.found;
      this.found = { query, ids, at: (at + step + ids.length) % ids.length };
    }
    if (this.found.at >= 0) this.#pick(this.found.ids[this.found.at], true);
  }

  // ── The page ───────────────────────────────────────────────────────────────────────────────

  protected override render(): TemplateResult {
    const { tape } = this;
    const path = this.walk
      ? this.#acting
      : this.paths && this.chosen >= 0
        ? this.paths.largest[this.chosen].nodes
        : NO_PATH;
    return html`${this.#bar()}
      <div class="floor">
        <section class="stage" aria-label=${t.plan.title}>
          ${this.#crumbs()}
          ${
            this.problem
              ? html`<p class="pad bad" role="alert">${this.problem}</p>`
              : tape
                ? html`<gradwalk-plan .tape=${tape} .service=${this.#service} .node=${this.node} .path=${path} .moment=${this.#moment}
                    @pick=${this.#picked} @entered=${this.#entered} @drawn=${this.#drawn}></gradwalk-plan>`
                : html`<p class="pad why" role="status">${t.plan.loading}</p>`
          }
          <p class="legend">${this.walk ? t.plan.walk.legend : t.plan.legend}</p>
        </section>
        <div class="side">
          ${panel(t.plan.walk.title, this.#steps(), "walking")}
          ${panel(t.plan.picked, this.#details())}
          ${panel(t.plan.rooms, this.#rows())}
        </div>
      </div>`;
  }

  #bar(): TemplateResult {
    const words = t.plan;
    const submit = (event: Event): void => {
      event.preventDefault();
      this.#search(1);
    };
    return html`<div class="bar floor-bar">
      ${
        this.given
          ? html`<strong>${this.givenName}</strong>`
          : html`<label>${words.model} <select @change=${(event: Event) => this.#chooseModel((event.target as HTMLSelectElement).value)}>
              ${MODELS.map((name) => html`<option value=${name} .selected=${name === this.#model}>${words.models[name]}</option>`)}
            </select></label>
            ${
              this.#model === "gpt" && isConnected()
                ? html`<form @submit=${(event: Event) => {
                    event.preventDefault();
                    const box = this.renderRoot.querySelector<HTMLInputElement>("#document")!;
                    this.document = box.value.trim() || "isabel";
                  }}><label>${words.document} <input id="document" maxlength="16" size="10" .value=${this.document} autocomplete="off" spellcheck="false" /></label>
                  <button class="toggle">${words.load}</button></form>`
                : nothing
            }`
      }
      <form class="finder" role="search" @submit=${submit}>
        <input type="search" aria-label=${words.find} placeholder=${words.findHint} .value=${this.text} autocomplete="off" spellcheck="false"
          @input=${(event: Event) => {
            this.text = (event.target as HTMLInputElement).value;
          }} />
        <button class="toggle" ?disabled=${!this.tape}>${words.next}</button>
        <span class="count" role="status">${this.found.query && this.found.query === this.text.trim().toLowerCase() ? (this.found.ids.length ? words.found(this.found.at + 1, this.found.ids.length) : words.none) : ""}</span>
      </form>
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
    return html`<nav class="crumbs" aria-label=${t.plan.where}>
      <button @click=${() => void this.#open("")} aria-current=${parts.length ? nothing : "location"}>${t.plan.whole}</button>
      ${parts.map((part, i) => {
        const key = `/${parts.slice(0, i + 1).join("/")}`;
        return html`<span aria-hidden="true">›</span><button @click=${() => void this.#open(key)} aria-current=${i === parts.length - 1 ? "location" : nothing}>${shortened(nameOf(`/${part}`))}</button>`;
      })}
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
    const grad = largest(tape, this.#moment, room, i);
    const name = isNode ? tapeName(tape, node) : room.names[i];
    const act = (): void => (isNode ? this.#pick(node, true) : void this.#open(room.keys[i]));
    return html`<tr class="backward"><td><button class="bare" @click=${act}>${isNode ? "" : "▣ "}${shortened(name)}</button></td>
      <td class="end">${count(room.first[i + 1] - room.first[i])}</td><td class="end ${signOf(grad)}">${GLYPHS[signOf(grad)]} ${shownOr(grad)}</td></tr>`;
  }

  #details(): TemplateResult {
    const { tape, node } = this;
    const words = t.plan;
    if (!tape || node === null) return html`<p class="why">${words.pickHint}</p>`;
    const scope = tape.scopes[tape.scope[node]];
    const { data, grad } = known(tape, this.#moment, node);
    const inputs = [...tape.operand.subarray(tape.start[node], tape.start[node + 1])];
    this.#readers ??= readersOf(tape);
    const [start, readers] = this.#readers;
    const consumers = [...readers.subarray(start[node], start[node + 1])];
    return html`<dl class="facts">
        <dt>${t.plan.picked}</dt><dd><strong>${tapeName(tape, node)}</strong></dd>
        ${tape.ops[tape.op[node]] ? html`<dt>${words.op}</dt><dd><code>${tape.ops[tape.op[node]]}</code></dd>` : nothing}
        <dt>${words.value}</dt><dd>${shownOr(data, 8)}</dd>
        <dt>${words.grad}</dt><dd class=${signOf(grad)}>${GLYPHS[signOf(grad)]} ${shownOr(grad, 8)}</dd>
        ${scope ? html`<dt>${words.made}</dt><dd>${scope}</dd>` : nothing}
        ${tape.line[node] ? html`<dt>${words.line}</dt><dd>${tape.files[tape.file[node]]}:${tape.line[node]}</dd>` : nothing}
      </dl>
      ${this.#list(words.inputs, inputs)}
      ${this.#list(words.consumers, consumers)}
      ${this.walk ? nothing : this.#followed(tape, node)}`;
  }

  #list(title: string, ids: readonly number[]): TemplateResult | typeof nothing {
    const { tape } = this;
    if (!tape || !ids.length) return nothing;
    const left = ids.length - MOST_LISTED;
    return html`<h3>${title}</h3><p class="nodes">${ids.slice(0, MOST_LISTED).map((id) => html`<button class="toggle" @click=${() => this.#pick(id, true)}>${shortened(tapeName(tape, id))}</button> `)}${left > 0 ? t.plan.more(left) : ""}</p>`;
  }

  #followed(tape: Tape, node: number): TemplateResult {
    const words = t.plan;
    const { paths } = this;
    if (paths === undefined)
      return html`<p><button class="primary" @click=${() => void this.#follow()}>${words.follow}</button></p>`;
    if (paths === null) return html`<p class="why">${words.noPath}</p>`;
    const name = tapeName(tape, node);
    return html`<h3>${words.paths(paths.count, name, tapeName(tape, tape.length - 1))}</h3>
      <ol class="ways">${paths.largest.map(
        ({ product, nodes }, i) =>
          html`<li><button class="toggle" aria-pressed=${this.chosen === i} @click=${() => this.#choose(i)}>${words.path(i + 1, num(product), nodes.length - 1)}</button></li>`,
      )}</ol>
      <p class="why">${paths.largest.length < Number(paths.count) ? words.rest(num(paths.rest), num(paths.total)) : words.all(num(paths.total))}</p>
      ${this.chosen >= 0 ? this.#passed(tape, paths.largest[this.chosen].nodes) : nothing}
      <p><button class="toggle" @click=${() => this.#pick(node, false)}>${words.clear}</button></p>`;
  }

  /** The boxes that a path passes, each once in a row. */
  #passed(tape: Tape, nodes: readonly number[]): TemplateResult {
    const scopes = nodes.map((id) => tape.scopes[tape.scope[id]] || tapeName(tape, id));
    const steps = scopes.filter((scope, i) => scope !== scopes[i - 1]);
    return html`<p class="why">${t.plan.shares}</p><ol class="passed">${steps.map((scope) => html`<li>${scope}</li>`)}</ol>`;
  }
}

const NO_PATH: readonly number[] = [];

const count = (n: number): string => n.toLocaleString(t.lang);

/** The gradient of a card's nodes that is furthest from 0; null where none is known yet. */
function largest(tape: Tape, moment: TapeMoment | null, room: Placed, i: number): number | null {
  let best: number | null = null;
  for (let m = room.first[i]; m < room.first[i + 1]; m++) {
    const { grad } = known(tape, moment, room.members[m]);
    if (grad !== null && (best === null || !(Math.abs(grad) <= Math.abs(best)))) best = grad;
  }
  return best;
}

/** Nodes whose label or operation is what was typed, or else has it in it; labels first. */
function matches(tape: Tape, query: string): readonly number[] {
  const has = (words: readonly string[], exact: boolean): Set<number> =>
    new Set(
      words.flatMap((word, i) => {
        const low = word.toLowerCase();
        return word && (exact ? low === query : low.includes(query)) ? [i] : [];
      }),
    );
  for (const exact of [true, false]) {
    const [labels, ops, scopes] = [
      has(tape.labels, exact),
      has(tape.ops, exact),
      has(tape.scopes, exact),
    ];
    const found: number[] = [];
    for (let id = 0; id < tape.length; id++)
      if (labels.has(tape.label[id]) || ops.has(tape.op[id]) || scopes.has(tape.scope[id]))
        found.push(id);
    if (found.length) return found;
  }
  const id = /^#?\d{1,9}$/.test(query) ? Number(query.replace("#", "")) : -1;
  return id >= 0 && id < tape.length ? [id] : [];
}

function said(error: unknown): string {
  if (error instanceof ServerError) return troubleText(error);
  return error instanceof GradwalkError ? messageText(error.said) : String(error);
}

customElements.define("gradwalk-floor", GradwalkFloor);
