/** The help: keys, and how to read the picture. */

import { html, svg, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { icon } from "../icons.ts";
import type { Lab } from "../lab.ts";
import { en } from "../strings/en.ts";

export function helpDialog(lab: Lab): TemplateResult {
  const shut = (): void => lab.dispatch({ type: "help", on: false });
  return html`<dialog class="help" aria-labelledby="help-title" ${ref((element) => show(element as HTMLDialogElement | undefined))} @close=${shut} @click=${(
    event: Event,
  ) => {
    if ((event.target as Element).tagName === "DIALOG") shut();
  }}>
    <div class="inside">
      <div class="head"><h2 id="help-title">${en.helpTitle}</h2><button class="quiet" aria-label=${en.close} @click=${shut}>${icon("close")}</button></div>
      <dl class="keys">${en.helpRows.map(([keys, what]) => html`<div><dt>${keys.split("  ").map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>
      <h2>${en.helpRead}</h2>
      <ul class="legend">
        <li>${wire("forward")} ${en.legend.forward}</li>
        <li>${wire("backward")} ${en.legend.backward}</li>
        <li class="pos">${en.legend.pos}</li>
        <li class="neg">${en.legend.neg}</li>
        <li class="zero">${en.legend.zero}</li>
      </ul>
    </div>
  </dialog>`;
}

function show(dialog: HTMLDialogElement | undefined): void {
  if (dialog && !dialog.open)
    queueMicrotask(() => dialog.isConnected && !dialog.open && dialog.showModal());
}

function wire(way: "forward" | "backward"): TemplateResult {
  return html`<svg class="wire ${way}" width="56" height="12" aria-hidden="true">${svg`<line x1="2" x2="54" y1="6" y2="6" />`}</svg>`;
}
