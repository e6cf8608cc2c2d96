/**
 * `<gradwalk-gpt>`: a GPT in training, and what is inside it while it learns.
 *
 * Runs with a part taken out stand beside the unbroken one. Any step opens as a floor plan.
 */

import { html, nothing, type TemplateResult } from "lit";
import { calm } from "../app/player.ts";
import {
  BREAKS,
  type GptSettings,
  IN_PAGE,
  REFERENCE,
  Run,
  SIZES,
  smoothed,
  watchedJob,
} from "../app/runs.ts";
import { expect, isConnected, isInPage, ServerError, type ServerEvent } from "../app/server.ts";
import type { Theme } from "../app/state.ts";
import type { Tape } from "../core/index.ts";
import { vars } from "../scene/css.ts";
import { element } from "../scene/speaking.ts";
import { num, UNKNOWN } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { troubleText } from "../strings/trouble.ts";
import { is } from "../teach/arithmetic.ts";
import { bars, type Curve, curves, heat } from "./charts.ts";
import { icon } from "./icons.ts";
import { panel } from "./panel.ts";
import liveStyle from "./styles/live.css";
import { styled } from "./styles.ts";
import "./floor.ts";

const MOST_RUNS = 6;
/** A curve of so few points needs no mean. */
const FEW = 24;

export class GradwalkGpt extends element(() => ({
  theme: "auto" as Theme,
  /** The latest last. */
  runs: [] as readonly Run[],
  settings: isInPage() ? IN_PAGE : (REFERENCE as GptSettings),
  size: isInPage() ? "tiny" : ("reference" as string),
  /** The step that is looked at. */
  mark: null as number | null,
  tape: null as Tape | null,
  opening: false as boolean,
  problem: "",
  title: "",
  broken: BREAKS[0] as string,
})) {
  static styles = styled(liveStyle);

  /** The node that an opened graph begins at. */
  start: number | null = null;
  #graph = new AbortController();
  #drawing = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    expect();
    if (isConnected()) void this.#watch();
    if (this.runs.length) this.runs = this.runs.filter(({ recorded }) => !recorded);
    else void this.#record();
  }

  /** Until someone trains, a run that was recorded plays. */
  async #record(): Promise<void> {
    const { default: events } = await import("./gpt-run.json");
    if (this.runs.length || !this.isConnected) return;
    const run = new Run(REFERENCE, this.#changed);
    this.runs = [run];
    run.tell(events as unknown as readonly ServerEvent[], calm() ? 0 : REFERENCE.pace);
  }

  /** A script that this lab watches is there at once. */
  async #watch(): Promise<void> {
    const id = await watchedJob(this.#graph.signal).catch(() => "");
    if (!id || this.runs.some(({ watched }) => watched)) return;
    const run = new Run(REFERENCE, this.#changed, id);
    this.runs = [...this.#own, run];
    void run.start();
  }

  /** Without the recorded one, which ends where another begins. */
  get #own(): readonly Run[] {
    for (const run of this.runs) if (run.recorded) run.stop();
    return this.runs.filter(({ recorded }) => !recorded);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const run of this.runs) run.stop();
    this.#graph.abort();
    cancelAnimationFrame(this.#drawing);
  }

  /** Many events come in one frame; it is drawn once. */
  #changed = (): void => {
    this.#drawing ||= requestAnimationFrame(() => {
      this.#drawing = 0;
      this.requestUpdate();
    });
  };

  get #run(): Run | null {
    return this.runs.at(-1) ?? null;
  }

  #start(broken: string): void {
    const settings = { ...this.settings, ...SIZES[this.size], broken };
    const run = new Run(settings, this.#changed);
    this.runs = [...this.#own, run].slice(-MOST_RUNS);
    this.mark = null;
    this.problem = "";
    void run.start();
  }

  async #pause(run: Run): Promise<void> {
    try {
      await run.pause(run.status !== "paused");
    } catch (error) {
      this.problem = error instanceof ServerError ? troubleText(error) : String(error);
    }
  }

  async #open(run: Run, step: number, node: number | null = null): Promise<void> {
    this.#graph.abort();
    this.#graph = new AbortController();
    const { signal } = this.#graph;
    this.opening = true;
    this.problem = "";
    try {
      const tape = await run.graph(step, signal);
      if (signal.aborted) return;
      this.tape = tape;
      this.start = node;
      this.title = run.watched ? run.title : t.gpt.opened(step);
    } catch (error) {
      if (!signal.aborted)
        this.problem = error instanceof ServerError ? troubleText(error) : String(error);
    }
    this.opening = false;
  }

  // ── The page ───────────────────────────────────────────────────────────────────────────────

  protected override render(): TemplateResult {
    const words = t.gpt;
    if (this.tape)
      return html`<div class="bar"><button class="toggle" @click=${() => {
        this.tape = null;
      }}>‹ ${words.back}</button></div>
        <gradwalk-floor .given=${this.tape} .givenName=${this.title} .start=${this.start} .theme=${this.theme}></gradwalk-floor>`;
    const run = this.#run;
    return html`${this.#bar(run)}
      <p class="why now ${run?.status === "failed" ? "bad" : ""}" role="status">${this.#said(run)}</p>
      ${isConnected() ? nothing : html`<p class="why">${words.alone}</p>`}
      ${isInPage() ? html`<p class="why">${words.inPage}</p>` : nothing}
      ${this.problem ? html`<p class="bad" role="alert">${this.problem}</p>` : nothing}
      ${run?.anomaly ? this.#anomaly(run) : nothing}
      <div class="live">
        ${panel(words.loss, this.#loss(run), "wide")}
        ${panel(words.samples, this.#samples(run))}
        ${panel(words.parts, this.#parts(run))}
        ${panel(words.attention, this.#attention(run))}
        ${panel(words.histograms, this.#histograms(run))}
        ${isConnected() ? panel(words.break, this.#breaks()) : nothing}
      </div>`;
  }

  #bar(run: Run | null): TemplateResult {
    const words = t.gpt;
    const going = run && !run.isOver && !run.watched && !run.recorded;
    const pause = (): unknown =>
      html`<button class=${run!.recorded ? "toggle" : "primary"} ?disabled=${run!.status === "starting"} @click=${() => void this.#pause(run!)}>${icon(run!.status === "paused" ? "play" : "pause")} ${run!.status === "paused" ? words.resume : words.pause}</button>`;
    if (!isConnected())
      return html`<div class="bar live-bar" role="group" aria-label=${t.pages.gpt}>${run && !run.isOver ? pause() : nothing}</div>`;
    return html`<div class="bar live-bar" role="group" aria-label=${t.pages.gpt}>
      ${
        going
          ? html`${pause()} <button class="toggle" @click=${() => run.stop()}>${words.stop}</button>`
          : html`<button class="primary" @click=${() => this.#start("")}>${icon("play")} ${words.start}</button> ${run?.recorded && !run.isOver ? pause() : nothing}`
      }
      ${this.#number(words.steps, "steps", 1, 100000)}
      <label>${words.size} <select @change=${(event: Event) => {
        this.size = (event.target as HTMLSelectElement).value;
      }}>${Object.keys(SIZES).map((name) => html`<option value=${name} .selected=${name === this.size}>${words.sizes[name]}</option>`)}</select></label>
      ${this.#number(words.seed, "seed", 0, 2147483647)}
      <label>${words.pace} <select @change=${(event: Event) => {
        this.settings = {
          ...this.settings,
          pace: Number((event.target as HTMLSelectElement).value),
        };
      }}>${Object.keys(words.paces).map((pace) => html`<option value=${pace} .selected=${Number(pace) === this.settings.pace}>${words.paces[pace]}</option>`)}</select></label>
      <details class="own"><summary>${words.text}</summary>
        <textarea rows="5" maxlength="60000" spellcheck="false" aria-label=${words.text} placeholder=${words.textHint} .value=${this.settings.text} @input=${(
          event: Event,
        ) => {
          this.settings = {
            ...this.settings,
            text: (event.target as HTMLTextAreaElement).value,
          };
        }}></textarea><p class="why">${words.textHint}</p></details>
    </div>`;
  }

  #number(label: string, field: "steps" | "seed", least: number, most: number): TemplateResult {
    return html`<label>${label} <input type="number" min=${least} max=${most} .value=${String(this.settings[field])} @change=${(
      event: Event,
    ) => {
      const box = event.target as HTMLInputElement;
      const typed = Math.round(Number(box.value));
      const value = Number.isFinite(typed)
        ? Math.max(least, Math.min(most, typed))
        : this.settings[field];
      box.value = String(value);
      this.settings = { ...this.settings, [field]: value };
    }} /></label>`;
  }

  #said(run: Run | null): string {
    const words = t.gpt;
    if (!run) return words.idle;
    if (run.status === "failed")
      return `${words.status.failed} ${run.problem instanceof ServerError ? troubleText(run.problem) : String(run.problem)}`;
    if (!run.points.length) return words.status.starting;
    if (run.watched)
      return words.watched(words.status[run.status], run.title, run.step, num(run.loss));
    const said = words.now(
      run.recorded ? words.recorded : words.status[run.status],
      run.step,
      run.settings.steps,
      num(run.loss),
    );
    return `${said}. ${words.model(run.parameters, run.documents)}.`;
  }

  #loss(run: Run | null): TemplateResult {
    const words = t.gpt;
    const seen = this.runs.filter(({ points }) => points.length > 1);
    if (!seen.length || !run) return html`<p class="why">${words.noLoss}</p>`;
    const list = this.runs.flatMap((one, i): Curve[] => {
      if (one.points.length < 2) return [];
      const width = Math.max(3, Math.ceil(one.points.length / 12));
      // Of several runs the one that is looked at has its mean beside it.
      const mean = one === run && one.points.length > FEW ? smoothed(one.points, width) : undefined;
      return [{ name: nameOf(one), points: one.points, mean, width, ink: i }];
    });
    const mark = Math.min(this.mark ?? run.step, Math.max(1, run.step));
    const choose = (step: number): void => {
      this.mark = Math.min(step, Math.max(1, run.step));
    };
    return html`${curves(list, { mark, choose, last: Math.max(...seen.map(({ settings, watched, step }) => (watched ? step : settings.steps))) })}
      <ul class="keys">${list.map(({ name, ink, points, mean, width = 0 }) => html`<li><i class="key ink${ink}" aria-hidden="true"></i>${name} <b>${num(points.at(-1)?.loss ?? Number.NaN)}</b>${mean ? html` <span class="why">${words.mean(width)}</span>` : nothing}</li>`)}</ul>
      <div class="chosen"><label>${words.step} <input type="range" min="1" max=${Math.max(1, run.step)} .value=${String(mark)} @input=${(
        event: Event,
      ) =>
        choose(
          Number((event.target as HTMLInputElement).value),
        )} /> <output>${mark}</output></label>
        <button class="toggle" ?disabled=${this.opening || !isConnected()} @click=${() => void this.#open(run, mark)}>${this.opening ? (run.watched ? t.plan.loading : words.opening) : run.watched ? words.openNext : words.open(mark)}</button></div>`;
  }

  /** The first nan: its line, its operands, its way to the loss. */
  #anomaly(run: Run): TemplateResult {
    const words = t.gpt.anomaly;
    const { step, message, line, source, operands, path, node } = run.anomaly!;
    return html`<section class="panel anomaly" role="alert"><div class="title"><h2>${words.title(step)}</h2></div><div class="body">
      <p><strong>${message}</strong></p>
      ${line ? html`<p>${words.line} <code>${line[0]}:${line[1]}</code></p><pre>${source}</pre>` : html`<p class="why">${words.noLine}</p>`}
      ${operands.length ? html`<p>${words.operands} ${operands.map(([name, value]) => html`<code>${name} ${is(Number(value))}</code> `)}</p>` : nothing}
      ${path.length ? html`<p>${words.path} ${path.map((name, i) => html`${i ? " → " : ""}<code>${name}</code>`)}</p>` : nothing}
      ${node >= 0 ? html`<p><button class="toggle" @click=${() => void this.#open(run, step, node)}>${words.open}</button></p>` : nothing}
    </div></section>`;
  }

  #samples(run: Run | null): TemplateResult {
    if (!run?.samples.length) return html`<p class="why">${t.gpt.noSamples}</p>`;
    const some = run.samples.slice(-9);
    const rows = some.includes(run.samples[0]) ? some : [run.samples[0], ...some.slice(1)];
    return html`<ol class="made">${rows.map(({ step, texts }) => html`<li><span class="when">${t.gpt.at(step)}</span> ${texts.map((text) => html`<code>${text || "“”"}</code> `)}</li>`)}</ol>`;
  }

  #attention(run: Run | null): TemplateResult {
    const seen = run?.attention;
    if (!seen) return html`<p class="why">${t.gpt.noAttention}</p>`;
    return html`<div class="heads">${seen.weights.flatMap((layer, l) =>
      layer.map(
        (rows, h) =>
          html`<figure>${heat(rows, seen.tokens, t.gpt.attentionSaid(l, h, seen.document))}<figcaption>${t.gpt.head(l, h)}</figcaption></figure>`,
      ),
    )}</div>`;
  }

  /** The model as boxes, in the order that numbers pass them. */
  #parts(run: Run | null): TemplateResult {
    const tensors = run?.tensors ?? [];
    if (!tensors.length) return html`<p class="why">${t.gpt.noParts}</p>`;
    const norms = tensors.map(({ grad_norm }) => Number(grad_norm));
    const most = Math.max(...norms.filter(Number.isFinite), 1e-300);
    const box = (i: number): TemplateResult => {
      const { name, shape } = tensors[i];
      const norm = norms[i];
      const share = Number.isFinite(norm)
        ? Math.max(0, Math.min(1, 1 + Math.log10(Math.max(norm, 1e-300) / most) / 3))
        : 1;
      const shown = name.replace(/^layers\.\d+\./, "");
      return html`<li class="part ${Number.isFinite(norm) ? "" : "bad"}" title=${t.gpt.part(name, shape.join(" × "), num(norm))} ${vars({ "--share": `${Math.round(70 * share)}%` })}><b>${shown}</b><span>${num(norm)}</span></li>`;
    };
    const at = (test: (name: string) => boolean): number[] =>
      tensors.flatMap(({ name }, i) => (test(name) ? [i] : []));
    const layers = [
      ...new Set(tensors.map(({ name }) => /^layers\.\d+/.exec(name)?.[0] ?? "").filter(Boolean)),
    ];
    const before = at((name) => name === "wte" || name === "wpe");
    const after = at((name) => name === "lm_head");
    return html`<div class="model">
      <ul>${before.map(box)}</ul>
      ${layers.map((layer) => html`<div class="layer"><h3>${layer}</h3><ul>${at((name) => name.startsWith(`${layer}.`)).map(box)}</ul></div>`)}
      <ul>${after.map(box)}</ul>
    </div>`;
  }

  #histograms(run: Run | null): TemplateResult {
    const seen = run?.histograms;
    const words = t.gpt;
    if (!seen) return html`<p class="why">${words.noHistograms}</p>`;
    const { parameters, gradients } = seen;
    return html`${bars(parameters, words.parameterBins(num(Number(parameters.low)), num(Number(parameters.high))))}
      ${bars(gradients, gradients.zeros ? `${words.gradientBins}; ${words.zeros(gradients.zeros)}` : words.gradientBins)}
      <p class="axis" aria-hidden="true"><span>10${superscript(gradients.low)}</span><span>10${superscript(gradients.high)}</span></p>`;
  }

  #breaks(): TemplateResult {
    const words = t.gpt;
    const going = this.runs.filter((run) => !run.isOver).length;
    return html`<p class="why">${words.breakWhy}</p>
      <p class="choose"><select aria-label=${words.break} @change=${(event: Event) => {
        this.broken = (event.target as HTMLSelectElement).value;
      }}>${BREAKS.map((name) => html`<option value=${name} .selected=${name === this.broken}>${words.breaks[name]}</option>`)}</select>
      <button class="toggle" ?disabled=${going > 1} @click=${() => this.#start(this.broken)}>${words.breakStart}</button></p>
      ${
        this.runs.length
          ? html`<table class="numbers"><caption class="hidden">${words.runs}</caption><thead><tr><th scope="col">${words.run}</th><th scope="col" class="end">${words.step}</th><th scope="col" class="end">${words.final}</th></tr></thead>
              <tbody>${this.runs.map((run, i) => html`<tr><td><i class="key ink${i}" aria-hidden="true"></i>${nameOf(run)}</td><td class="end">${run.step}</td><td class="end">${run.points.length ? num(run.loss) : UNKNOWN}</td></tr>`)}</tbody></table>
              <p><button class="toggle" ?disabled=${!this.runs.some((run) => run.isOver)} @click=${() => {
                this.runs = this.runs.filter((run) => !run.isOver);
              }}>${words.clear}</button></p>`
          : nothing
      }`;
  }
}

function nameOf(run: Run): string {
  if (run.watched) return t.gpt.script;
  if (run.recorded) return t.gpt.recorded;
  return run.settings.broken ? t.gpt.breaks[run.settings.broken] : t.gpt.unbroken;
}

function superscript(power: number): string {
  return String(power)
    .replace("-", "⁻")
    .replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]);
}

customElements.define("gradwalk-gpt", GradwalkGpt);
