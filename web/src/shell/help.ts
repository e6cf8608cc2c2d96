/** Dialogs over the lab: the help, and what Python has to say. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { HAS_LICENCES } from "../app/flags.ts";
import type { Lab } from "../app/lab.ts";
import { forget } from "../app/progress.ts";
import { keep } from "../app/settings.ts";
import { icon } from "../parts/icons.ts";
import type { Drawn } from "../scene/save.ts";
import { t } from "../strings/index.ts";
import { proof } from "./proof.ts";
import { endSharing, share } from "./share.ts";

/** A dialog is closed as one, and only then taken away: so the browser gives the focus back. */
function dialog(title: string, shut: () => void, body: unknown): TemplateResult {
  const close = (event: Event): void =>
    (event.target as Element).closest<HTMLDialogElement>("dialog")?.close();
  return html`<dialog aria-labelledby="dialog-title" ${ref((element) => show(element as HTMLDialogElement | undefined))} @close=${shut} @click=${(
    event: Event,
  ) => {
    if ((event.target as Element).tagName === "DIALOG") close(event);
  }}>
    <div class="inside">
      <div class="head"><h2 id="dialog-title">${title}</h2><button class="quiet" aria-label=${t.close} @click=${close}>${icon("close")}</button></div>
      ${body}
    </div>
  </dialog>`;
}

/** Python's word on the gradients. */
export function proofDialog(lab: Lab): TemplateResult {
  return dialog(t.proof.button, () => lab.dispatch({ type: "proof", on: false }), proof(lab));
}

/** What can leave this machine. */
export function shareDialog(lab: Lab): TemplateResult {
  const { program, frame, state } = lab;
  const wrong = state.page === "bugs" || (state.page === "order" && state.ran);
  const drawn: Drawn = {
    program,
    frame,
    final: state.final,
    compare: wrong,
  };
  return dialog(t.share.title, () => endSharing(lab), share(lab, drawn));
}

export function helpDialog(lab: Lab): TemplateResult {
  return dialog(
    t.helpTitle,
    () => lab.dispatch({ type: "set", change: { help: false } }),
    html`<dl class="keys">${t.helpRows.map(([keys, what]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>
      <h2>${t.helpRead}</h2>
      <ul class="legend">
        <li>${wire("forward")} ${t.legend.forward}</li>
        <li>${wire("backward")} ${t.legend.backward}</li>
        <li class="pos">${t.legend.pos}</li>
        <li class="neg">${t.legend.neg}</li>
        <li class="zero">${t.legend.zero}</li>
      </ul>
      <p class="foot"><span class="why">${t.lettersWhy}</span> <button class="toggle" aria-pressed=${lab.state.letters} @click=${() => {
        keep("letters", lab.state.letters ? "off" : "on");
        lab.dispatch({ type: "set", change: { letters: !lab.state.letters } });
      }}>${lab.state.letters ? t.lettersOn : t.lettersOff}</button></p>
      <p class="foot"><span class="why">${t.progress}</span> <button class="toggle" @click=${(
        event: Event,
      ) => {
        forget();
        (event.currentTarget as HTMLElement).textContent = t.forgotten;
      }}>${t.forget}</button></p>
      <h2>${t.about.title}</h2>
      <p class="about">${t.about.text} ${t.about.uses} ${HAS_LICENCES ? html`<a href="licences.txt" target="_blank" rel="noopener">${t.about.licences}</a>` : nothing}</p>`,
  );
}

function show(dialog: HTMLDialogElement | undefined): void {
  if (dialog && !dialog.open)
    queueMicrotask(() => dialog.isConnected && !dialog.open && dialog.showModal());
}

function wire(way: "forward" | "backward"): TemplateResult {
  return html`<svg class="wire ${way}" width="56" height="12" aria-hidden="true">${svg`<line x1="2" x2="54" y1="6" y2="6" />`}</svg>`;
}
