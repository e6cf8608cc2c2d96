/** Why the sort must not recurse: a chain grows until Python's stack is full. */

import { html, nothing, type TemplateResult } from "lit";
import { type Lab, local } from "../app/lab.ts";
import { vars } from "../scene/css.ts";
import { t } from "../strings/index.ts";

const LIMIT = 1000;
const MOST = 5;

const OVERFLOW = "RecursionError: maximum recursion depth exceeded";

/** The length of the chain is kept as a power of ten. */
export function depth(lab: Lab): TemplateResult {
  const [{ power }, change] = local(lab, "depth", { power: 2 });
  const unit = 10 ** Math.max(0, Math.floor(power) - 1);
  const length = Math.round(10 ** power / unit) * unit;
  const dies = length >= LIMIT;
  const shown = t.group.few(length);
  const { recursive, iterative, frames, entries: kept, fine } = t.bugs;
  const move = (event: Event): void =>
    change({ power: Number((event.target as HTMLInputElement).value) });
  return html`<section class="panel depth">
    <div class="body">
      <label class="variable wide">
        <span>${t.bugs.depth}</span>
        <input type="range" min="0.5" max=${MOST} step="0.01" .value=${String(power)} aria-valuetext=${shown}
          @input=${move} />
        <output>${shown}</output>
      </label>
      <p class="why">${t.bugs.depthText(length)}</p>
      <div class="columns">
        ${column(length, recursive, frames(Math.min(length + 1, LIMIT)), dies ? OVERFLOW : fine, dies, true)}
        ${column(length, iterative, kept(length + 1), fine, false, false)}
      </div>
    </div>
  </section>`;
}

function column(
  length: number,
  title: string,
  used: string,
  outcome: string,
  dies: boolean,
  limited: boolean,
): TemplateResult {
  // Sizes by their logarithm: 10 and 100,000 fit into one picture.
  const share = (n: number): string => `${(100 * Math.min(1, Math.log10(n) / MOST)).toFixed(2)}%`;
  return html`<div class="pile ${dies ? "dies" : ""}">
      <h2>${title}</h2>
      <div class="room" role="img" aria-label=${used} ${vars({ "--used": share(dies ? LIMIT : length), "--limit": share(LIMIT) })}>
        <div class="used"></div>${limited ? html`<div class="limit"></div>` : nothing}
      </div>
      <p>${used}${limited ? html` <span class="why">· ${t.bugs.limit}</span>` : nothing}</p>
      <p class=${dies ? "bad" : "good"}><strong>${dies ? "✗" : "✓"} ${outcome}</strong></p>
      <pre>${limited ? calls(length) : entries(length)}</pre>
    </div>`;
}

const node = (i: number): string =>
  i ? `+${[...String(i)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]).join("")}` : "x";

/** A few from each end, and how many lie between. */
function abridged(lines: (i: number) => string, count: number): string[] {
  if (count <= 8) return Array.from({ length: count }, (_, i) => lines(i));
  const rest = t.bugs.between(count - 6);
  return [0, 1, 2, 3].map(lines).concat(rest, lines(count - 2), lines(count - 1));
}

/** What Python's call stack holds: one frame inside the other. */
function calls(length: number): string {
  const deep = Math.min(length + 1, LIMIT);
  const frames = abridged((i) => `${"  ".repeat(Math.min(i, 5))}build(${node(length - i)})`, deep);
  return [...frames, length >= LIMIT ? OVERFLOW : ""].join("\n");
}

/** What the list holds at its longest: every node with the index of its next input. */
function entries(length: number): string {
  return abridged((i) => (i === length ? "(x, 0)" : `(${node(length - i)}, 1)`), length + 1).join(
    "\n",
  );
}
