/**
 * `<gradwalk-steps>`: the walk of a tape, event by event, with a table of which only what is in view
 * is written. Events: `moved` with how many events have happened, and `room` with a node whose room is
 * walked next; the picture is someone else's.
 */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { calm } from "../app/player.ts";
import type { Theme } from "../app/state.ts";
import { type TapeEvent, type TapeWalk, tapeName } from "../core/index.ts";
import { shortened } from "../scene/plan/paint.ts";
import { Speaking } from "../scene/speaking.ts";
import { t } from "../strings/index.ts";
import { operationLine, product, sum } from "../teach/arithmetic.ts";
import { strange } from "../teach/narration.ts";
import { type Icon, icon } from "./icons.ts";
import { rows } from "./rows.ts";
import stepsStyle from "./styles/steps.css";
import { styled } from "./styles.ts";

/** Events a second; 0 goes from room to room. The camera follows these two, the others wash by. */
const PACES = [0, 2, 200, 20_000];
const ROOMS = 0;
/** How long a walk stays in a room. */
const STAY = 900;
/** A walk of more events than this would take minutes one by one. */
const MANY_EVENTS = 240;

export class GradwalkSteps extends LitElement {
  static override styles = styled(stepsStyle);
  static override properties = {
    theme: { reflect: true },
    walk: { attribute: false },
    count: { attribute: false },
    node: { attribute: false },
    pace: { state: true },
    playing: { state: true },
  };
  declare theme: Theme;
  declare walk: TapeWalk;
  /** How many events have happened. */
  declare count: number;
  /** The node that is picked, for the way to it. */
  declare node: number | null;
  declare pace: number;
  declare playing: boolean;

  #raf = 0;
  #last = 0;
  #due = 0;

  constructor() {
    super();
    new Speaking(this);
    this.theme = "auto";
    this.count = 0;
    this.node = null;
    this.pace = ROOMS;
    this.playing = false;
  }

  /** Whether events go by too fast for the camera to follow. */
  get washes(): boolean {
    return this.playing && this.pace !== PACES[1];
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("walk")) this.pace = this.walk.length > MANY_EVENTS ? ROOMS : PACES[1];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#play(false);
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("count")) return;
    // The row of the moment comes into view, and nothing but its table scrolls.
    const row = this.renderRoot.querySelector<HTMLElement>("tr.now");
    const body = this.renderRoot.querySelector<HTMLElement>(".body");
    if (!row || !body) return;
    const { top, bottom } = body.getBoundingClientRect();
    const box = row.getBoundingClientRect();
    if (box.top < top) body.scrollTop -= top - box.top;
    if (box.bottom > bottom) body.scrollTop += box.bottom - bottom;
  }

  #move(count: number): void {
    const detail = Math.max(0, Math.min(this.walk.length, Math.round(count)));
    this.dispatchEvent(new CustomEvent("moved", { detail }));
  }

  /** By hand: whoever steps has stopped playing. */
  #seek = (count: number): void => {
    this.#play(false);
    this.#move(count);
  };

  #play(on: boolean): void {
    cancelAnimationFrame(this.#raf);
    this.playing = on;
    if (!on) return;
    if (this.count >= this.walk.length) this.#move(0);
    this.#last = performance.now();
    this.#due = 0;
    this.#stop = null;
    this.#raf = requestAnimationFrame(this.#tick);
  }

  /** The room that is walked: from which event to which, and since when. */
  #stop: { from: number; to: number; since: number } | null = null;

  /** Walk the events of a room while its time lasts, then go to the next. */
  #byRoom(now: number): number {
    const { walk } = this;
    if (!this.#stop || now - this.#stop.since >= STAY) {
      const from = this.#stop?.to ?? this.count;
      const to = walk.nextStop(from);
      this.#stop = { from, to, since: now };
      if (to > from)
        this.dispatchEvent(new CustomEvent("room", { detail: walk.node((from + to - 1) >> 1) }));
    }
    const { from, to, since } = this.#stop;
    // Where motion is unwelcome all of a room happens at once.
    const share = calm() ? 1 : Math.min(1, (now - since) / STAY);
    return Math.round(from + (to - from) * share);
  }

  #tick = (now: number): void => {
    if (this.pace === ROOMS) {
      const count = this.#byRoom(now);
      if (count !== this.count) this.#move(count);
      if (count >= this.walk.length) this.#play(false);
      else this.#raf = requestAnimationFrame(this.#tick);
      return;
    }
    this.#due += (Math.min(100, Math.max(0, now - this.#last)) / 1000) * this.pace;
    this.#last = now;
    const steps = Math.floor(this.#due);
    this.#due -= steps;
    if (steps) this.#move(this.count + steps);
    if (this.count + steps >= this.walk.length) this.#play(false);
    else this.#raf = requestAnimationFrame(this.#tick);
  };

  protected override render(): TemplateResult {
    const { walk, count } = this;
    const words = t.plan.walk;
    const event = count ? walk.event(count - 1) : null;
    const { what, why } = this.#words(event);
    const label = this.playing ? t.pause : t.play;
    return html`<div class="buttons" role="group" aria-label=${t.time}>
        <button class="play" aria-label=${label} title=${label} @click=${() => this.#play(!this.playing)}>${icon(this.playing ? "pause" : "play")}</button>
        ${this.#button("start", t.toStart, () => 0)}
        ${this.#button("left", words.lastBox, () => walk.nextBox(count - 1, -1) + 1)}
        ${this.#button("back", t.stepBack, () => count - 1)}
        ${this.#button("step", t.step, () => count + 1)}
        ${this.#button("right", words.nextBox, () => walk.nextBox(count - 1, 1) + 1)}
        ${this.#button("end", t.toEnd, () => walk.length)}
      </div>
      <input type="range" min="0" max=${walk.length} aria-label=${t.time} aria-valuetext=${what} .value=${live(String(count))}
        @input=${(event: Event) => this.#seek(Number((event.target as HTMLInputElement).value))} />
      <div class="row">
        <span class="segments" role="group" aria-label=${t.phaseSwitch}>
          <button class="segment forward" aria-pressed=${count > 0 && count <= walk.seed} @click=${() => this.#seek(1)}>${t.phases.forward}</button>
          <button class="segment backward" aria-pressed=${count > walk.seed} @click=${() => this.#seek(walk.seed + 1)}>${t.phases.backward}</button>
        </span>
        <select aria-label=${t.speed} @change=${(event: Event) => {
          this.pace = Number((event.target as HTMLSelectElement).value);
          this.#stop = null;
        }}>${PACES.map((pace) => html`<option value=${pace} .selected=${pace === this.pace}>${pace === ROOMS ? words.byRoom : words.pace(pace)}</option>`)}</select>
      </div>
      <p class="why">${words.at(count, walk.length)}</p>
      <p class="what" role="status"><strong>${what}</strong> ${why}</p>
      ${this.#wayTo()}
      <div class="body" tabindex="0" role="region" aria-label=${t.events.title}>
        <table class="steps" aria-rowcount=${walk.length + 1}><caption class="hidden">${t.events.caption}</caption><colgroup><col /><col /></colgroup>
          <thead class="hidden"><tr aria-rowindex="1"><th scope="col">${t.events.number}</th><th scope="col">${t.events.what}</th></tr></thead>
          <tbody>${rows({ count: walk.length, now: count - 1, columns: 2, row: this.#row })}</tbody></table>
      </div>`;
  }

  #button(name: Icon, label: string, to: () => number): TemplateResult {
    return html`<button class="quiet" aria-label=${label} title=${label} @click=${() => this.#seek(to())}>${icon(name)}</button>`;
  }

  /** To the event after which the picked node's gradient is complete. */
  #wayTo(): TemplateResult | typeof nothing {
    const { node, walk } = this;
    const until = node === null ? 0 : walk.until(node);
    if (node === null || !until || until === this.count) return nothing;
    return html`<p><button class="toggle" @click=${() => this.#seek(until)}>${t.plan.walk.until(shortened(tapeName(walk.tape, node)))}</button></p>`;
  }

  #row = (index: number): TemplateResult => {
    const event = this.walk.event(index);
    const { what } = this.#words(event);
    const isNow = index === this.count - 1;
    const phase = event.kind === "compute" ? "forward" : "backward";
    return html`<tr class="${phase} ${isNow ? "now" : index < this.count ? "past" : "ahead"}" aria-rowindex=${index + 2} aria-current=${isNow ? "step" : nothing} @click=${() => this.#seek(index + 1)}>
      <td class="index"><button class="bare" aria-label=${t.events.goto(index + 1, what)}>${(index + 1).toLocaleString(t.lang)}</button></td>
      <td class="who" title=${what}>${what}</td></tr>`;
  };

  /** What happens, and what it does to a gradient. */
  #words(event: TapeEvent | null): { what: string; why: string } {
    const say = t.narration;
    const { tape } = this.walk;
    if (!event) return { what: say.idle, why: say.idleWhy };
    const { node, push, kind } = event;
    const name = shortened(tapeName(tape, node));
    if (kind === "seed") return { what: say.seed(name), why: say.seedWhy(name) };
    if (!push) {
      const edges = tape.operand.subarray(tape.start[node], tape.start[node + 1]);
      const data = Array.from(edges, (id) => tape.data[id]);
      const line = operationLine(tape.ops[tape.op[node]], data, tape.data[node]);
      return { what: say.compute(name, line), why: strange(tape.data[node]) };
    }
    const to = shortened(tapeName(tape, push.to));
    const { place, places } = push;
    const nth = `${t.equation.contribution(place, places, place === places)}.`;
    const adds = place > 1 ? `${say.sum(to, sum(push))} ` : "";
    return {
      what: say.push(name, to, product(push)),
      why: `${strange(push.after) || adds}${nth[0].toUpperCase()}${nth.slice(1)}`,
    };
  }
}

customElements.define("gradwalk-steps", GradwalkSteps);
