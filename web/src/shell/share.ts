/** `<gradwalk-share>`: what of a walk can leave this machine: a file, a picture, a link, a frame. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { HAS_LICENCES } from "../app/flags.ts";
import type { Lab } from "../app/lab.ts";
import { readHome, writeHome } from "../app/settings.ts";
import {
  addressOf,
  fileName,
  fileOf,
  fileState,
  isLocal,
  PLACEHOLDER,
  snippetOf,
} from "../app/share.ts";
import shareStyle from "../parts/styles/share.css";
import { styled } from "../parts/styles.ts";
import { type Drawn, pngOf, svgOf } from "../scene/save.ts";
import { t } from "../strings/index.ts";
import { pythonOf } from "../teach/python.ts";

export class GradwalkShare extends LitElement {
  static override styles = styled(shareStyle);
  static override properties = {
    lab: { attribute: false },
    drawn: { attribute: false },
    home: { state: true },
    done: { state: true },
  };
  declare lab: Lab;
  declare drawn: Drawn;
  /** The address of a copy of the lab that others can open; empty for this one. */
  declare home: string;
  /** What was just done, or what went wrong. */
  declare done: string;

  constructor() {
    super();
    this.home = readHome();
    this.done = "";
  }

  get #base(): string {
    return this.home || location.href.split("#")[0];
  }

  get #address(): string {
    const { state, frame } = this.lab;
    return addressOf(this.#base, state, frame.time);
  }

  get #title(): string {
    const { state } = this.lab;
    return t.title(t.pages[state.page], state.given ? "" : state.good);
  }

  async #copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.done = t.copied;
    } catch {
      this.done = t.share.copyFailed;
    }
  }

  async #save(kind: "html" | "svg" | "png"): Promise<void> {
    const { state } = this.lab;
    const name = fileName(state.given ? "graph" : state.good, kind);
    try {
      download(await this.#made(kind), name);
      this.done = t.share.saved(name);
    } catch {
      this.done = t.share.failed;
    }
  }

  async #made(kind: "html" | "svg" | "png"): Promise<Blob> {
    if (kind === "html") {
      const template = await templateText();
      const { state, frame } = this.lab;
      const text = fileOf(template, fileState(state, frame.time), this.#title);
      return new Blob([text], { type: "text/html" });
    }
    const stage = (this.getRootNode() as ShadowRoot).querySelector<HTMLElement>("main")!;
    const svg = await svgOf(stage, this.drawn, this.#title);
    return kind === "png" ? pngOf(svg) : new Blob([svg], { type: "image/svg+xml" });
  }

  protected override render(): TemplateResult {
    const words = t.share;
    const address = this.#address;
    const local = isLocal(this.#base);
    const { state, program, fixed } = this.lab;
    return html`<div class="share">
      <h3>${words.save}</h3>
      <p class="row">
        <button class="primary" data-save="html" @click=${() => this.#save("html")}>${words.html}</button>
        <button class="toggle" data-save="svg" @click=${() => this.#save("svg")}>${words.svg}</button>
        <button class="toggle" data-save="png" @click=${() => this.#save("png")}>${words.png}</button>
        ${fixed ? nothing : html`<button class="toggle" @click=${() => this.#copy(pythonOf(state.good, state.values, program.output))}>${t.copyPython}</button>`}
      </p>
      <p class="why">${words.saveWhy}</p>
      <h3>${words.link}</h3>
      <p class="row"><input id="link" readonly aria-label=${words.link} .value=${address} @focus=${select} /><button class="toggle" @click=${() => this.#copy(address)}>${words.copy}</button></p>
      ${local ? html`<p class="why">${words.local}</p>` : nothing}
      <label class="field">${words.home}
        <input id="home" type="url" placeholder="https://example.org/lab/" .value=${this.home} @input=${(
          event: Event,
        ) => {
          this.home = (event.target as HTMLInputElement).value.trim();
          writeHome(this.home);
        }} /></label>
      <h3>${words.embed}</h3>
      <p class="row"><input id="embed" readonly aria-label=${words.embed} .value=${snippetOf(address, this.#title)} @focus=${select} /><button class="toggle" @click=${() => this.#copy(snippetOf(address, this.#title))}>${words.copy}</button></p>
      <p class="good" role="status">${this.done}</p>
    </div>`;
  }
}

function select(event: FocusEvent): void {
  (event.target as HTMLInputElement).select();
}

/** The page that a file is made of: beside this one, or this one itself where it is such a file. */
async function templateText(): Promise<string> {
  if (!HAS_LICENCES) {
    const page = document.documentElement.cloneNode(true) as HTMLElement;
    page.querySelector("gradwalk-lab")?.remove();
    page.querySelector("title")!.textContent = "gradwalk";
    // By the text: a script's own text may not be set, and this block is one that no browser runs.
    const text = page.outerHTML.replace(
      /(id="gradwalk-state">)[^<]*(<\/script>)/,
      (_, before, after) => `${before}${PLACEHOLDER}${after}`,
    );
    return `<!doctype html>\n${text}\n`;
  }
  const response = await fetch("export.html", { credentials: "omit" });
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}

function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

customElements.define("gradwalk-share", GradwalkShare);
