/**
 * `<gradwalk-write>`: write `Value` yourself, and have it judged.
 *
 * The judge is Python's: in the sandbox of the lab's server, or in the page's worker, which ends with
 * whatever it runs. The page itself never runs the text.
 */

import { html, nothing, type TemplateResult } from "lit";
import { expect, isConnected, job, ServerError } from "../app/server.ts";
import { keep, kept } from "../app/settings.ts";
import { element } from "../scene/speaking.ts";
import { languageOf, t } from "../strings/index.ts";
import { type Trouble, troubleText } from "../strings/trouble.ts";
import { type Editor, editor } from "./editor.ts";
import { icon } from "./icons.ts";
import handStyle from "./styles/hand.css";
import { styled } from "./styles.ts";

interface Checked {
  group: string;
  name: string;
  status: string;
  findings: readonly string[];
  why: string;
  remedy: string;
}

interface Report {
  ok: boolean;
  sturdy: boolean;
  passed: number;
  failed: number;
  missing: readonly string[];
  checks: readonly Checked[];
}

const MOST_SHOWN = 6;

export class GradwalkWrite extends element(() => ({
  theme: "auto",
  running: false as boolean,
  report: null as Report | null,
  problem: null as Trouble | null,
})) {
  static styles = styled(handStyle);

  #editor: Editor | null = null;
  #starter = t.write.starter;
  #stop = new AbortController();
  #timer = 0;

  protected override firstUpdated(): void {
    expect();
    const box = this.renderRoot.querySelector<HTMLElement>(".editor")!;
    this.#editor = editor(
      box,
      this.shadowRoot!,
      kept("draft") || this.#starter,
      () => t.write.editor,
      (text) => {
        clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => this.#keep(text), 400);
      },
    );
  }

  #keep(text: string): void {
    keep("draft", text === this.#starter ? "" : text);
  }

  /** A text that nobody has touched is said in the new language. */
  protected override spoken(): void {
    const isNew = this.#editor?.text === this.#starter;
    this.#starter = t.write.starter;
    if (isNew) this.#editor!.set(this.#starter);
    else this.#editor?.relabel();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.#editor) this.#keep(this.#editor.text);
    this.#stop.abort();
  }

  async #judge(): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.running = true;
    this.problem = null;
    try {
      const asked = { source: this.#editor!.text, language: languageOf(t.lang) || "en" };
      for await (const { name, data } of job("judge", asked, signal))
        if (name === "result") this.report = data as Report;
    } catch (error) {
      if (signal.aborted) return;
      this.report = null;
      this.problem = error instanceof ServerError ? error : { code: "said", detail: String(error) };
    }
    this.running = false;
  }

  #end(): void {
    this.#stop.abort();
    this.running = false;
  }

  #restart(): void {
    this.#editor?.set(this.#starter);
    this.report = null;
    this.problem = null;
    this.#editor?.focus();
  }

  #save(): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([this.#editor!.text], { type: "text/x-python" }));
    link.download = "my_value.py";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  protected override render(): TemplateResult {
    const connected = isConnected();
    return html`<div class="write">
      <section class="panel">
        <div class="body"><h2 tabindex="-1">${t.write.title}</h2><p>${t.write.intro}</p></div>
        <div class="editor"></div>
        <div class="actions pad">
          ${connected ? html`<button class="primary" ?disabled=${this.running} @click=${() => void this.#judge()}>${icon("play")} ${this.running ? t.write.running : t.write.judge}</button>` : nothing}
          ${this.running ? html`<button class="toggle" @click=${() => this.#end()}>${t.gpt.stop}</button>` : nothing}
          <button class="toggle" @click=${() => this.#save()}>${t.write.save}</button>
          <button class="toggle" @click=${() => this.#restart()}>${t.write.restart}</button>
        </div>
      </section>
      <section class="panel verdicts" aria-label=${t.write.verdict}><div class="body" role="status">
        ${connected ? this.#verdict() : html`<p class="why">${t.write.alone}</p>`}
      </div></section>
    </div>`;
  }

  #verdict(): TemplateResult {
    if (this.problem)
      return html`<p><strong class="bad">✗ ${t.write.unloaded}</strong></p><pre>${troubleText(this.problem)}</pre>`;
    const { report } = this;
    if (!report) return html`<p class="why">${t.write.nothing}</p>`;
    const groups = byCause(report.checks.filter(({ status }) => status === "failed"));
    return html`
      <p class=${report.ok ? "good" : "bad"}><strong>${report.ok ? "✓" : "✗"} ${report.ok ? t.write.right : t.write.wrong}</strong></p>
      <p>${t.write.score(report.passed, report.passed + report.failed)}</p>
      ${report.ok && !report.sturdy ? html`<p class="why">${t.write.sturdy}</p>` : nothing}
      <ul class="failures">
        ${groups.slice(0, MOST_SHOWN).map(
          ([{ name, findings, why, remedy }, ...more]) => html`<li lang="en">
          <strong>✗ ${more.length ? html`<span lang=${t.lang}>${t.write.cause(more.length + 1)}</span>` : html`<code>${name}</code>`}</strong>
          ${more.length ? html`<details><summary lang=${t.lang}>${t.write.which}</summary><code>${[name, ...more.map((one) => one.name)].join("  ")}</code></details>` : nothing}
          ${findings.slice(0, 3).map((finding) => html`<p><code>${finding}</code></p>`)}
          ${why ? html`<p>${why}</p>` : nothing}${remedy ? html`<p class="why">${remedy}</p>` : nothing}</li>`,
        )}
      </ul>
      ${groups.length > MOST_SHOWN ? html`<p class="why">${t.write.more(groups.slice(MOST_SHOWN).flat().length)}</p>` : nothing}
      ${report.missing.length ? html`<p class="why">${t.write.missing} <code>${report.missing.join("  ")}</code></p>` : nothing}`;
  }
}

/** Checks that fail for the same reason stand together; one without a reason stands alone. */
function byCause(failed: readonly Checked[]): readonly (readonly Checked[])[] {
  const groups = new Map<string, Checked[]>();
  for (const one of failed) {
    const cause = one.why ? `${one.why} ${one.remedy}` : one.name;
    groups.set(cause, [...(groups.get(cause) ?? []), one]);
  }
  return [...groups.values()].sort((x, y) => y.length - x.length);
}

customElements.define("gradwalk-write", GradwalkWrite);
