/**
 * `<gradwalk-moons>`: an MLP learns to tell points apart. Boundary, graph and table answer each other:
 * a point has its graph, a parameter of the table its node, a node its row.
 */

import { html, svg, type TemplateResult } from "lit";
import {
  type Dot,
  EDGE,
  LAYERS,
  MOST_DOTS,
  Moons,
  type Optimiser,
  type Parameter,
  readDots,
  SETS,
  twoMoons,
} from "../app/moons.ts";
import { calm } from "../app/player.ts";
import type { Theme } from "../app/state.ts";
import { startWorker } from "../app/workers.ts";
import type { Tape } from "../core/index.ts";
import { vars } from "../scene/css.ts";
import type { GradwalkPlan } from "../scene/plan/plan.ts";
import { PlanService } from "../scene/plan/service.ts";
import { element } from "../scene/speaking.ts";
import { rgb } from "../scene/tones.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { curves } from "./charts.ts";
import { icon } from "./icons.ts";
import { panel } from "./panel.ts";
import { sized } from "./sized.ts";
import liveStyle from "./styles/live.css";
import moonsStyle from "./styles/moons.css";
import "../scene/plan/plan.ts";
import { styled } from "./styles.ts";

const RATES = [0.003, 0.01, 0.03, 0.1, 0.3, 1];
/** The points of a map, to a side. */
const SIDE = 48;
const COUNT = 60;
const STEPS_A_FRAME = 2;
/** As it opens where motion is unwelcome: a few pictures, and not hundreds. */
const STEPS_AT_ONCE = 60;
/** So many steps are taken as the page opens. */
const OPENING = 360;

/** Where things are: in a stage that is wide, and in one that is not. */
interface Places {
  readonly width: number;
  readonly height: number;
  readonly columns: readonly number[];
  /** The height that the columns have, and the radius of the neurons in each. */
  readonly high: number;
  readonly radii: readonly number[];
  readonly out: { readonly x: number; readonly y: number; readonly side: number };
}
const WIDE: Places = {
  width: 960,
  height: 560,
  columns: [70, 250, 440],
  high: 560,
  radii: [30, 34, 40],
  out: { x: 580, y: 96, side: 368 },
};
const HIGH: Places = {
  width: 480,
  height: 800,
  columns: [60, 230, 410],
  high: 440,
  radii: [30, 32, 36],
  out: { x: 80, y: 478, side: 320 },
};
const NARROW = 640;
const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

export class GradwalkMoons extends element(() => ({
  theme: "auto" as Theme,
  playing: false as boolean,
  rate: 0.1,
  optimiser: "sgd" as Optimiser,
  set: "moons",
  /** The neuron that is looked at: its layer, from 1 on, and its place in it. */
  layer: 1,
  place: 0,
  /** How many steps it goes on by itself. */
  left: 0,
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

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#moons.steps) return;
    this.left = OPENING;
    this.#play(true);
  }

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
    const steps = calm() && this.left ? STEPS_AT_ONCE : STEPS_A_FRAME;
    for (let i = 0; i < steps && this.playing; i++) this.#step();
    if (!this.playing) return;
    // Without motion, the picture changes a few times a second.
    if (calm()) this.#timer = window.setTimeout(this.#go, 250);
    else this.#frame = requestAnimationFrame(this.#go);
  };

  #step(): void {
    this.#moons.step(this.rate, this.optimiser);
    if (!Number.isFinite(this.#moons.loss) || (this.left && !--this.left)) this.playing = false;
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
    this.#pick(name);
    const place = this.#tape.labels.indexOf(name);
    const node = this.#tape.label.indexOf(place);
    if (node >= 0) void this.#plan?.goTo(node);
  }

  #pick(name: string): void {
    this.name = name;
    const [, layer, place] = /^layers\.(\d+)\.neurons\.(\d+)/.exec(name) ?? [];
    if (layer) [this.layer, this.place] = [Number(layer) + 1, Number(place)];
  }

  #picked = ({ detail }: CustomEvent<number | null>): void => {
    this.#pick(detail === null ? "" : this.#tape.labels[this.#tape.label[detail]]);
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
        ${panel(words.net, [sized((width) => this.#net(width < NARROW ? HIGH : WIDE, accuracy, parameters)), this.#legend()], "net")}
        ${panel(words.loss, this.#loss(), "curve")}
        ${panel(this.#title(this.layer, this.place), this.#table(parameters), "params")}
        ${panel(words.graph(num(dot.x), num(dot.y), words.kinds[String(dot.kind)]), html`<gradwalk-plan .tape=${this.#tape} .service=${this.#service} .node=${node < 0 ? null : node} @pick=${this.#picked}></gradwalk-plan>`, "graph")}
        ${panel(words.csv, this.#csv(), "points")}
      </div>`;
  }

  #bar(): TemplateResult {
    const words = t.moons;
    return html`<div class="bar live-bar" role="group" aria-label=${t.pages.moons}>
      <button class="primary" @click=${() => {
        this.left = 0;
        this.#play(!this.playing);
      }}>${icon(this.playing ? "pause" : "play")} ${this.playing ? words.pause : words.play}</button>
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
      <label>${words.points} <select @change=${(event: Event) => {
        this.set = (event.target as HTMLSelectElement).value;
        this.#begin(SETS[this.set](COUNT, 7));
      }}>${Object.keys(SETS).map((name) => html`<option value=${name} .selected=${name === this.set}>${words.sets[name]}</option>`)}</select></label>
    </div>`;
  }

  /** What a neuron is called. */
  #title(layer: number, place: number): string {
    return layer === LAYERS.length - 1 ? t.moons.output : t.moons.neuron(layer, place + 1);
  }

  /** The network: each neuron as the map of what it says, each weight as a wire. */
  #net(places: Places, accuracy: string, parameters: readonly Parameter[]): TemplateResult {
    const words = t.moons;
    const { width, height, columns, high, radii, out } = places;
    const last = LAYERS.length - 1;
    const across = (x: number): string => `${((100 * x) / width).toFixed(3)}%`;
    const down = (y: number): string => `${((100 * y) / height).toFixed(3)}%`;
    const top = places === WIDE ? 24 : 30;
    const center = (layer: number, i: number): number =>
      top + ((high - top) * (i + 0.5)) / LAYERS[layer];
    const wires = parameters.flatMap(({ name, value }) => {
      const found = /^layers\.(\d+)\.neurons\.(\d+)\.w\[(\d+)\]$/.exec(name);
      if (!found) return [];
      const [layer, to, from] = found.slice(1).map(Number);
      const [x, y] = [columns[layer] + radii[layer], center(layer, from)];
      const near = layer + 1 === this.layer && to === this.place ? "near" : "";
      const share = (from + 1) / (LAYERS[layer] + 1);
      const end: readonly [number, number] =
        layer + 1 < last
          ? [columns[layer + 1] - radii[layer + 1], center(layer + 1, to)]
          : [out.x, out.y + out.side * share];
      const half = (x + end[0]) / 2;
      const path =
        places === HIGH && layer + 1 === last
          ? `M${columns[layer]} ${y + radii[layer]}C${columns[layer]} ${out.y - 30} ${out.x + out.side * share} ${y + 60} ${out.x + out.side * share} ${out.y}`
          : `M${x} ${y}C${half} ${y} ${half} ${end[1]} ${end[0]} ${end[1]}`;
      const wide = Math.min(11, 0.7 + 2.6 * Math.abs(value)).toFixed(1);
      return svg`<path class="wire ${value < 0 ? "minus" : "plus"} ${near}" stroke-width=${wide} d=${path} />`;
    });
    const circle = (layer: number, i: number): TemplateResult => {
      const radius = radii[layer];
      const place = vars({
        left: across(columns[layer] - radius),
        top: down(center(layer, i) - radius),
        width: across(2 * radius),
      });
      const map = html`<canvas width=${SIDE} height=${SIDE} data-map="${layer}.${i}"></canvas>`;
      if (!layer)
        return html`<span class="neuron" ${place}>${map}<b>${i ? words.y : words.x}</b></span>`;
      const isPicked = layer === this.layer && i === this.place;
      return html`<button class="neuron" ${place} aria-label=${words.neuron(layer, i + 1)} aria-pressed=${isPicked} @click=${() => {
        [this.layer, this.place, this.name] = [layer, i, ""];
      }}>${map}</button>`;
    };
    const heading = (layer: number): TemplateResult =>
      html`<span class="heading" ${vars({ left: across(columns[layer]) })}>${layer ? words.layer(layer) : words.inputs}</span>`;
    const at = (value: number): number => ((value + EDGE) / (2 * EDGE)) * 100;
    const { dots } = this.#moons;
    return html`<div class="network" ${vars({ "aspect-ratio": `${width} / ${height}` })}>
      <svg class="wires" viewBox="0 0 ${width} ${height}" aria-hidden="true">${wires}</svg>
      ${columns.map((_, layer) => [heading(layer), Array.from({ length: LAYERS[layer] }, (_one, i) => circle(layer, i))])}
      <button class="bare heading out" ${vars({ left: across(out.x + out.side / 2), top: down(out.y - 34) })} aria-pressed=${this.layer === last} @click=${() => {
        [this.layer, this.place, this.name] = [last, 0, ""];
      }}>${words.output}</button>
      <div class="map" ${vars({ left: across(out.x), top: down(out.y), width: across(out.side) })} @click=${this.#clicked}>
        <canvas width=${SIDE} height=${SIDE} data-map="${last}.0" role="img" aria-label=${words.surfaceSaid(dots.length, accuracy)}></canvas>
        <svg viewBox="0 0 100 100" aria-hidden="true">${dots.map(({ x, y, kind }, i) => {
          const [cx, cy] = [at(x), 100 - at(y)];
          const shape = kind > 0 ? `M${cx} ${cy - 2.2}l2 3.6h-4z` : `M${cx} ${cy + 2.2}l2 -3.6h-4z`;
          return svg`<path class="dot ${kind > 0 ? "up" : "down"} ${i === this.dot ? "chosen" : ""}" d=${shape} data-dot=${i} />`;
        })}</svg>
      </div>
    </div>`;
  }

  #legend(): TemplateResult {
    const words = t.moons;
    return html`<p class="scale"><i class="ramp" aria-hidden="true"></i> −1 … +1 <i class="plus" aria-hidden="true"></i> ${words.positive} <i class="minus" aria-hidden="true"></i> ${words.negative}; ${words.wider}</p>
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

  /** What each neuron says of every place, in its circle. */
  #paint(): void {
    const canvases = [...this.renderRoot.querySelectorAll<HTMLCanvasElement>("[data-map]")];
    if (!canvases.length) return;
    const [ground, plus, minus] = this.#inks();
    const images = canvases.map(() => new ImageData(SIDE, SIDE));
    const places = canvases.map(({ dataset }) => dataset.map!.split(".").map(Number));
    const neurons = this.#moons.neurons();
    for (let row = 0; row < SIDE; row++)
      for (let column = 0; column < SIDE; column++) {
        const x = ((column + 0.5) / SIDE) * 2 * EDGE - EDGE;
        const y = EDGE - ((row + 0.5) / SIDE) * 2 * EDGE;
        const all = neurons(x, y);
        images.forEach(({ data }, k) => {
          const value = all[places[k][0]][places[k][1]] / (places[k][0] ? 1 : EDGE);
          const ink = value > 0 ? plus : minus;
          const share = Number.isFinite(value) ? Math.min(1, Math.abs(value)) : 0;
          const at = 4 * (row * SIDE + column);
          for (let part = 0; part < 3; part++)
            data[at + part] = ground[part] + (ink[part] - ground[part]) * share;
          data[at + 3] = 255;
        });
      }
    canvases.forEach((canvas, k) => {
      canvas.getContext("2d")!.putImageData(images[k], 0, 0);
    });
  }

  /** The colours of 0, +1 and −1. */
  #inks(): ReturnType<typeof rgb>[] {
    const legend = this.renderRoot.querySelector(".scale")!;
    return ["ramp", "plus", "minus"].map((name) => {
      const { color } = getComputedStyle(legend.querySelector(`.${name}`)!);
      return rgb(color);
    });
  }

  /** The weights of the neuron that is looked at. */
  #table(parameters: readonly Parameter[]): TemplateResult {
    const words = t.moons;
    const title = this.#title(this.layer, this.place);
    const own = parameters.filter(({ name }) =>
      name.startsWith(`layers.${this.layer - 1}.neurons.${this.place}.`),
    );
    return html`<table class="numbers"><caption class="hidden">${title}</caption>
      <thead><tr><td></td><th scope="col" class="end">${words.value}</th><th scope="col" class="end">${words.grad}</th><th scope="col" class="end">${words.update}</th></tr></thead>
      <tbody>${own.map(({ name, value, grad, update }) => html`<tr class="backward ${name === this.name ? "now" : ""}"><td><button class="bare" aria-label=${words.select(`${title}, ${short(name)}`)} aria-pressed=${name === this.name} @click=${() => this.#show(name)}>${short(name)}</button></td><td class="end ${value < 0 ? "minus" : "plus"}">${num(value)}</td><td class="end">${num(grad)}</td><td class="end">${num(update)}</td></tr>`)}</tbody></table>`;
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

/** `w₁` of its first weight, counted as people do, and `b`. */
function short(name: string): string {
  const weight = /w\[(\d+)\]$/.exec(name);
  return weight ? `w${SUBSCRIPTS[Number(weight[1]) + 1]}` : "b";
}

customElements.define("gradwalk-moons", GradwalkMoons);
