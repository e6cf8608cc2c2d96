/**
 * `<gradwalk-moons>`: an MLP learns to tell points apart. Boundary, graph and table answer each other:
 * a point has its graph, a parameter of the table its node, a node its row.
 */

import { html, svg, type TemplateResult } from "lit";
import {
  type Dot,
  EDGE,
  MOST_DOTS,
  Moons,
  type Optimiser,
  type Parameter,
  readDots,
  twoMoons,
} from "../app/moons.ts";
import { calm } from "../app/player.ts";
import type { Theme } from "../app/state.ts";
import { startWorker } from "../app/workers.ts";
import type { Tape } from "../core/index.ts";
import { readPalette } from "../scene/palette.ts";
import type { GradwalkPlan } from "../scene/plan/plan.ts";
import { PlanService } from "../scene/plan/service.ts";
import { element } from "../scene/speaking.ts";
import { rgb } from "../scene/tones.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { curves } from "./charts.ts";
import { icon } from "./icons.ts";
import { panel } from "./panel.ts";
import liveStyle from "./styles/live.css";
import moonsStyle from "./styles/moons.css";
import "../scene/plan/plan.ts";
import { styled } from "./styles.ts";

const RATES = [0.003, 0.01, 0.03, 0.1, 0.3, 1];
const SIDE = 72;
const COUNT = 60;
const STEPS_A_FRAME = 2;

export class GradwalkMoons extends element(() => ({
  theme: "auto" as Theme,
  playing: false as boolean,
  rate: 0.1,
  optimiser: "sgd" as Optimiser,
  /** The kind of point that a click adds. */
  kind: 1,
  /** The point whose graph is shown, by its place. */
  dot: 0,
  /** The parameter that is picked, by its name. */
  name: "",
  note: "",
  round: 0,
})) {
  static styles = styled(liveStyle, moonsStyle);

  #moons = new Moons(twoMoons(COUNT, 7), 3);
  #tape: Tape = this.#moons.graphOf(this.#moons.dots[0]);
  #service = new PlanService(this.#tape, () => startWorker("plan-worker"));
  /** The frame or, where motion is unwelcome, the timer that the next steps wait for. */
  #frame = 0;
  #timer = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#play(false);
    this.#service.close();
  }

  get #plan(): GradwalkPlan | null {
    return this.renderRoot.querySelector("gradwalk-plan");
  }

  // ── Learning ───────────────────────────────────────────────────────────────────────────────

  #play(on: boolean): void {
    this.playing = on;
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    if (on) this.#frame = requestAnimationFrame(this.#go);
  }

  #go = (): void => {
    for (let i = 0; i < STEPS_A_FRAME && this.playing; i++) this.#step();
    if (!this.playing) return;
    // Without motion, the picture changes a few times a second.
    if (calm()) this.#timer = window.setTimeout(this.#go, 250);
    else this.#frame = requestAnimationFrame(this.#go);
  };

  #step(): void {
    this.#moons.step(this.rate, this.optimiser);
    if (!Number.isFinite(this.#moons.loss)) this.playing = false;
    this.round += 1;
  }

  /** Learn from these points: from the beginning, or with what was learnt `before`. */
  #begin(dots: readonly Dot[], before: Moons | null = null): void {
    const kinds = new Set(dots.map(({ kind }) => kind));
    if (kinds.size < 2) {
      this.note = t.moons.few;
      return;
    }
    this.note = "";
    this.#moons = new Moons(dots.slice(0, MOST_DOTS), 3, before);
    this.#choose(Math.min(this.dot, dots.length - 1));
    this.round += 1;
  }

  #add(dot: Dot): void {
    this.#begin([...this.#moons.dots, dot], this.#moons);
  }

  #choose(place: number): void {
    this.dot = place;
    this.#tape = this.#moons.graphOf(this.#moons.dots[place]);
    this.#service.close();
    this.#service = new PlanService(this.#tape, () => startWorker("plan-worker"));
    this.requestUpdate();
  }

  /** Show a parameter in the graph of the point. */
  #show(name: string): void {
    this.name = name;
    const place = this.#tape.labels.indexOf(name);
    const node = this.#tape.label.indexOf(place);
    if (node >= 0) void this.#plan?.goTo(node);
  }

  #picked = ({ detail }: CustomEvent<number | null>): void => {
    const label = detail === null ? "" : this.#tape.labels[this.#tape.label[detail]];
    this.name = label;
    if (!label) return;
    void this.updateComplete.then(() => {
      const row = this.renderRoot.querySelector<HTMLElement>("tr.now");
      const body = row?.closest<HTMLElement>(".body");
      if (row && body) body.scrollTop = row.offsetTop - body.clientHeight / 2;
    });
  };

  // ── The page ───────────────────────────────────────────────────────────────────────────────

  protected override updated(): void {
    this.#paint();
    this.#moons.renumber(this.#tape);
    this.#plan?.renumber();
  }

  protected override render(): TemplateResult {
    const words = t.moons;
    const moons = this.#moons;
    const dot = moons.dots[this.dot] ?? moons.dots[0];
    const accuracy = `${Math.round(100 * moons.accuracy)} %`;
    const parameters = moons.parameters(this.rate, this.optimiser);
    const node = this.name ? this.#tape.label.indexOf(this.#tape.labels.indexOf(this.name)) : -1;
    const strange = !Number.isFinite(moons.loss);
    return html`${this.#bar()}
      <p class="why now ${strange ? "bad" : ""}" role="status">${this.note || (strange ? words.strange : words.now(moons.steps, num(moons.loss), accuracy))}</p>
      <div class="live moons">
        ${panel(words.surface, this.#surface(accuracy), "plane")}
        ${panel(words.graph(num(dot.x), num(dot.y), words.kinds[String(dot.kind)]), html`<gradwalk-plan .tape=${this.#tape} .service=${this.#service} .node=${node < 0 ? null : node} @pick=${this.#picked}></gradwalk-plan>`, "graph")}
        ${panel(words.table, this.#table(parameters), "params")}
        ${panel(words.loss, this.#loss(), "curve")}
        ${panel(words.csv, this.#csv(), "points")}
      </div>`;
  }

  #bar(): TemplateResult {
    const words = t.moons;
    return html`<div class="bar live-bar" role="group" aria-label=${t.pages.moons}>
      <button class="primary" @click=${() => this.#play(!this.playing)}>${icon(this.playing ? "pause" : "play")} ${this.playing ? words.pause : words.play}</button>
      <button class="toggle" @click=${() => {
        this.#play(false);
        this.#step();
      }}>${words.step}</button>
      <button class="toggle" @click=${() => {
        this.#play(false);
        this.#begin(this.#moons.dots);
      }}>${words.reset}</button>
      <label>${words.rate} <select @change=${(event: Event) => {
        this.rate = Number((event.target as HTMLSelectElement).value);
      }}>${RATES.map((rate) => html`<option value=${rate} .selected=${rate === this.rate}>${num(rate)}</option>`)}</select></label>
      <label>${words.optimiser} <select @change=${(event: Event) => {
        this.optimiser = (event.target as HTMLSelectElement).value as Optimiser;
      }}>${Object.keys(words.optimisers).map((name) => html`<option value=${name} .selected=${name === this.optimiser}>${words.optimisers[name]}</option>`)}</select></label>
      <button class="toggle" @click=${() => this.#begin(twoMoons(COUNT, 7 + this.round))}>${words.fresh}</button>
    </div>`;
  }

  #surface(accuracy: string): TemplateResult {
    const words = t.moons;
    const at = (value: number): number => ((value + EDGE) / (2 * EDGE)) * 100;
    const { dots } = this.#moons;
    return html`<div class="map" @click=${this.#clicked}>
        <canvas width=${SIDE} height=${SIDE} role="img" aria-label=${words.surfaceSaid(dots.length, accuracy)}></canvas>
        <svg viewBox="0 0 100 100" aria-hidden="true">${dots.map(({ x, y, kind }, i) => {
          const [cx, cy] = [at(x), 100 - at(y)];
          const shape = kind > 0 ? `M${cx} ${cy - 2.2}l2 3.6h-4z` : `M${cx} ${cy + 2.2}l2 -3.6h-4z`;
          return svg`<path class="dot ${kind > 0 ? "up" : "down"} ${i === this.dot ? "chosen" : ""}" d=${shape} data-dot=${i} />`;
        })}</svg>
      </div>
      <p class="why">${words.hint}</p>
      <div class="choose"><span class="segments" role="group" aria-label=${words.adds}>${[
        1, -1,
      ].map(
        (kind) =>
          html`<button class="segment" aria-pressed=${this.kind === kind} @click=${() => {
            this.kind = kind;
          }}>${words.kinds[String(kind)]}</button>`,
      )}</span>
        <form class="actions" @submit=${this.#typed}><label>${words.x} <input name="x" type="number" step="any" min=${-EDGE} max=${EDGE} value="0" required /></label><label>${words.y} <input name="y" type="number" step="any" min=${-EDGE} max=${EDGE} value="0" required /></label><button class="toggle">${words.add}</button></form></div>`;
  }

  #clicked = (event: MouseEvent): void => {
    const place = (event.target as Element).getAttribute("data-dot");
    if (place !== null) {
      this.#choose(Number(place));
      return;
    }
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 * EDGE - EDGE;
    const y = EDGE - ((event.clientY - box.top) / box.height) * 2 * EDGE;
    this.#add({ x, y, kind: this.kind });
  };

  #typed = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    this.#add({ x: Number(data.get("x")), y: Number(data.get("y")), kind: this.kind });
  };

  #paint(): void {
    const canvas = this.renderRoot.querySelector<HTMLCanvasElement>(".map canvas");
    if (!canvas) return;
    const palette = readPalette(this);
    const [ground, up, down] = [palette.surface, palette.forward, palette.backward].map(rgb);
    const score = this.#moons.scorer();
    const image = new ImageData(SIDE, SIDE);
    for (let row = 0; row < SIDE; row++)
      for (let column = 0; column < SIDE; column++) {
        const x = ((column + 0.5) / SIDE) * 2 * EDGE - EDGE;
        const y = EDGE - ((row + 0.5) / SIDE) * 2 * EDGE;
        const value = score(x, y);
        const ink = value > 0 ? up : down;
        const share = Number.isFinite(value) ? 0.12 + 0.5 * Math.min(1, Math.abs(value)) : 0;
        for (let part = 0; part < 3; part++)
          image.data[4 * (row * SIDE + column) + part] =
            ground[part] + (ink[part] - ground[part]) * share;
        image.data[4 * (row * SIDE + column) + 3] = 255;
      }
    canvas.getContext("2d")!.putImageData(image, 0, 0);
  }

  #table(parameters: readonly Parameter[]): TemplateResult {
    const words = t.moons;
    return html`<table class="numbers"><caption class="hidden">${words.table}</caption>
      <thead><tr><th scope="col">${words.parameter}</th><th scope="col" class="end">${words.value}</th><th scope="col" class="end">${words.grad}</th><th scope="col" class="end">${words.update}</th></tr></thead>
      <tbody>${parameters.map(({ name, value, grad, update }) => html`<tr class="backward ${name === this.name ? "now" : ""}"><td><button class="bare" aria-label=${words.select(short(name))} aria-pressed=${name === this.name} @click=${() => this.#show(name)}>${short(name)}</button></td><td class="end">${num(value)}</td><td class="end">${num(grad)}</td><td class="end">${num(update)}</td></tr>`)}</tbody></table>`;
  }

  #loss(): TemplateResult {
    const { losses } = this.#moons;
    if (losses.length < 2) return html`<p class="why">${t.moons.noLoss}</p>`;
    const every = Math.ceil(losses.length / 400);
    const points = losses.flatMap((loss, i) =>
      i % every && i < losses.length - 1 ? [] : [{ step: i + 1, loss }],
    );
    return curves([{ name: t.moons.loss, points, ink: 0 }]);
  }

  #csv(): TemplateResult {
    const words = t.moons;
    const text = this.#moons.dots
      .map(({ x, y, kind }) => `${x.toFixed(3)}, ${y.toFixed(3)}, ${kind}`)
      .join("\n");
    return html`<form @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      const box = this.renderRoot.querySelector("textarea")!;
      const { dots, bad } = readDots(box.value);
      this.#begin(dots);
      if (bad && !this.note) this.note = words.csvBad(bad);
    }}><textarea rows="8" aria-label=${words.csv} spellcheck="false" .value=${text}></textarea>
      <p class="why">${words.csvHint}</p><button class="toggle">${words.csvUse}</button></form>`;
  }
}

const short = (name: string): string => name.replace("layers.", "").replace("neurons.", "");

customElements.define("gradwalk-moons", GradwalkMoons);
