/** Links from page to page: the doors in the head of the lab, and the tabs behind a door. */

import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { isOffered } from "../app/flags.ts";
import type { Lab } from "../app/lab.ts";
import { linkTo } from "../app/link.ts";
import { DOORS, type Door, doorOf, type Page } from "../app/state.ts";
import { t } from "../strings/index.ts";
import { icon } from "./icons.ts";

const pagesOf = (door: Door): readonly Page[] => DOORS[door].filter(isOffered);

export function doors(lab: Lab): TemplateResult {
  const here = doorOf(lab.state.page);
  const offered = (Object.keys(DOORS) as Door[]).filter((door) => pagesOf(door).length);
  return html`<nav class="doors" aria-label=${t.navigation} @keydown=${barKey}>
    ${offered.map((door) =>
      pageLink(
        lab,
        pagesOf(door)[0],
        html`${icon(door)}<span>${t.doors[door]}</span>`,
        door === here,
      ),
    )}
  </nav>`;
}

/** The pages behind the door of this page; a door with one page needs none. */
export function tabs(lab: Lab): unknown {
  const { page, good, values, given, unfold } = lab.state;
  const pages = pagesOf(doorOf(page));
  if (lab.bare || pages.length < 2) return nothing;
  return guard(
    [t, page, good, values, given, unfold],
    () => html`<nav class="tabs" aria-label=${t.doors[doorOf(page)]} @keydown=${barKey}>
      ${pages.map((one) => pageLink(lab, one, t.pages[one], one === page))}
    </nav>`,
  );
}

function pageLink(lab: Lab, page: Page, text: unknown, isHere: boolean): TemplateResult {
  return html`<a
    href=${linkTo({ ...lab.state, page, lesson: "", node: null, edge: null })}
    aria-current=${isHere ? "page" : nothing}
    tabindex=${isHere ? 0 : -1}
    @click=${(event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      lab.current().open(page);
    }}
  >${text}</a>`;
}

/** One tab stop for a whole bar; arrows go from one to the next. */
export function barKey(event: KeyboardEvent): void {
  const bar = event.currentTarget as HTMLElement;
  const stops = [...bar.querySelectorAll<HTMLElement>("a, select, button:not(:disabled)")];
  const now = stops.indexOf(event.target as HTMLElement);
  const rtl = getComputedStyle(bar).direction === "rtl" ? -1 : 1;
  const to = { ArrowRight: now + rtl, ArrowLeft: now - rtl }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  stops[(to + stops.length) % stops.length].focus();
}
