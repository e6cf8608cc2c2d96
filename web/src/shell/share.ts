/** Sharing: what of a walk can leave this machine: a file, a picture, a link, a frame. */

import { html, nothing, type TemplateResult } from "lit";
import { HAS_LICENCES } from "../app/flags.ts";
import { type Lab, local } from "../app/lab.ts";
import { keep, readHome } from "../app/settings.ts";
import {
  addressOf,
  fileName,
  fileOf,
  fileState,
  isLocal,
  PLACEHOLDER,
  snippetOf,
} from "../app/share.ts";
import type { State } from "../app/state.ts";
import { type Drawn, pngOf, svgOf } from "../scene/save.ts";
import { t } from "../strings/index.ts";
import { pythonOf } from "../teach/python.ts";

interface Sharing {
  /** The address of a copy of the lab that others can open; empty for this one. */
  readonly home: string;
  /** What was just done, or what went wrong. */
  readonly done: string;
}

const sharing = (lab: Lab): ReturnType<typeof local<Sharing>> =>
  local(lab, "share", { home: readHome(), done: "" });

/** Whoever comes back is not told again what was done. */
export function endSharing(lab: Lab): void {
  sharing(lab)[1]({ done: "" });
  lab.dispatch({ type: "set", change: { sharing: false } });
}

/** What a window or a file is called. */
export function titleOf({ page, given, good }: State): string {
  return `${t.pages[page]}${given || !good ? "" : `: ${good}`} – gradwalk`;
}

async function copy(lab: Lab, text: string): Promise<void> {
  const copied = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  sharing(lab)[1]({ done: copied ? t.copied : t.share.copyFailed });
}

type Kind = "html" | "svg" | "png";

async function save(lab: Lab, drawn: Drawn, kind: Kind): Promise<void> {
  const { state } = lab;
  const name = fileName(state.given ? "graph" : state.good, kind);
  try {
    download(await made(lab, drawn, kind), name);
    sharing(lab)[1]({ done: t.share.saved(name) });
  } catch {
    sharing(lab)[1]({ done: t.share.failed });
  }
}

async function made(lab: Lab, drawn: Drawn, kind: Kind): Promise<Blob> {
  const { state, frame, root } = lab;
  if (kind === "html") {
    const template = await templateText();
    const text = fileOf(template, fileState(state, frame.time), titleOf(lab.state));
    return new Blob([text], { type: "text/html" });
  }
  const svg = await svgOf(root.querySelector<HTMLElement>("main")!, drawn, titleOf(lab.state));
  return kind === "png" ? pngOf(svg) : new Blob([svg], { type: "image/svg+xml" });
}

export function share(lab: Lab, drawn: Drawn): TemplateResult {
  const words = t.share;
  const { state, program, frame, fixed } = lab;
  const [{ home, done }, change] = sharing(lab);
  const base = home || location.href.split("#")[0];
  const address = addressOf(base, state, frame.time);
  const snippet = snippetOf(address, titleOf(lab.state));
  const python = (): Promise<void> => copy(lab, pythonOf(state.good, state.values, program.output));
  const move = (event: Event): void => {
    const home = (event.target as HTMLInputElement).value.trim();
    keep("home", home);
    change({ home });
  };
  const shown = (id: string, label: string, text: string): TemplateResult =>
    html`<p class="actions row"><input id=${id} readonly aria-label=${label} .value=${text} @focus=${select} />
      <button class="toggle" @click=${() => copy(lab, text)}>${words.copy}</button></p>`;
  return html`<div class="share">
    <h3>${words.save}</h3>
    <p class="actions row">
      ${(["html", "svg", "png"] as const).map((kind) => html`<button class=${kind === "html" ? "primary" : "toggle"} data-save=${kind} @click=${() => save(lab, drawn, kind)}>${words[kind]}</button>`)}
      ${fixed ? nothing : html`<button class="toggle" @click=${python}>${t.copyPython}</button>`}
    </p>
    <p class="why">${words.saveWhy}</p>
    <h3>${words.link}</h3>
    ${shown("link", words.link, address)}
    ${isLocal(base) ? html`<p class="why">${words.local}</p>` : nothing}
    <label class="field">${words.home}
      <input id="home" type="url" placeholder="https://example.org/lab/" .value=${home} @input=${move} /></label>
    <h3>${words.embed}</h3>
    ${shown("embed", words.embed, snippet)}
    <p class="good" role="status">${done}</p>
  </div>`;
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
