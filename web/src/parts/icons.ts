/** Icons drawn on a 20 px grid, in the colour of the text around them. */

import { html, type SVGTemplateResult, svg, type TemplateResult } from "lit";

const PATHS = {
  play: "M6 4v12l10-6z",
  pause: "M5 4h4v12H5zM11 4h4v12h-4z",
  step: "M4 4l8 6-8 6zM13 4h3v12h-3z",
  back: "M16 4l-8 6 8 6zM4 4h3v12H4z",
  start: "M5 4h2v12H5zM17 4l-8 6 8 6z",
  end: "M13 4h2v12h-2zM3 4l8 6-8 6z",
  undo: "M8 4L3 9l5 5v-3.2h3.5a2.7 2.7 0 010 5.4H7v2h4.500a4.700 4.700 0 000-9.400H8z",
  redo: "M12 4l5 5-5 5v-3.200H8.500a2.700 2.700 0 000 5.400H13v2H8.500a4.700 4.700 0 010-9.400H12z",
  learn:
    "M2 4c3-1 5-.6 7 .6V16c-2-1.200-4-1.600-7-.6zM11 4.600c2-1.200 4-1.600 7-.6v11.400c-3-1-5-.6-7 .6z",
  puzzles: "M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM13 11h2v2h2v2h-2v2h-2v-2h-2v-2h2z",
  models:
    "M5 2a3 3 0 012.900 2.200l4.700 3.300a3 3 0 110 5l-4.700 3.300A3 3 0 115 12a3 3 0 012 .800l4-2.800-4-2.800A3 3 0 115 2z",
  help: "M10 2a8 8 0 110 16 8 8 0 010-16zm0 2a6 6 0 100 12 6 6 0 000-12zM9 13h2v2H9zm-2-5.200a3 3 0 116 .2c0 1.400-.9 2-1.500 2.400-.4.300-.5.400-.5.800v.8H9v-.8c0-1.400.8-2 1.400-2.400.4-.3.6-.5.6-.8a1 1 0 10-2 0z",
  share:
    "M14 2a3 3 0 11-2.400 4.800L7.900 8.900a3 3 0 010 2.200l3.700 2.100a3 3 0 11-1 1.700L6.900 12.800a3 3 0 110-5.600l3.700-2.100A3 3 0 0114 2z",
  code: "M7 5l1.400 1.400L4.800 10l3.600 3.600L7 15l-5-5zM13 5l5 5-5 5-1.400-1.400 3.600-3.600-3.600-3.600z",
  plus: "M9 4h2v5h5v2h-5v5H9v-5H4V9h5z",
  minus: "M4 9h12v2H4z",
  fit: "M3 3h5v2H5v3H3zM12 3h5v5h-2V5h-3zM3 12h2v3h3v2H3zM15 12h2v5h-5v-2h3z",
  close: "M5 3.600L10 8.600l5-5L16.400 5l-5 5 5 5-1.400 1.400-5-5-5 5L3.600 15l5-5-5-5z",
  left: "M12 4l1.400 1.400L8.800 10l4.600 4.600L12 16l-6-6z",
  right: "M8 4l6 6-6 6-1.400-1.400L11.200 10 6.600 5.400z",
  panel: "M3 4h14v12H3zM5 6v4h10V6z",
  sun: "M10 6a4 4 0 110 8 4 4 0 010-8zM9 1h2v3H9zM9 16h2v3H9zM1 9h3v2H1zM16 9h3v2h-3zM3 4.400L4.400 3l2.100 2.100-1.400 1.400zM13.500 14.900l1.400-1.400L17 15.600 15.600 17zM3 15.600l2.100-2.100 1.400 1.400L4.400 17zM13.500 5.100L15.600 3 17 4.400l-2.100 2.100z",
  moon: "M8 2a8 8 0 1010 10A7 7 0 018 2z",
  auto: "M10 2a8 8 0 110 16 8 8 0 010-16zm0 2v12a6 6 0 000-12z",
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d=${PATHS[name]} fill-rule="evenodd"></path></svg>`;
}

/** Two values meet, and a dashed way leads back: the mark of the lab. */
export const mark: SVGTemplateResult | TemplateResult =
  html`<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
  <path class="go" d="M7 8C15 8 15 15 23 15M7 22C12 22 14 17 23 16"></path>
  <path class="return" d="M23 20C18 26 14 27 8 26"></path>
  <circle cx="6" cy="8" r="3.500"></circle><circle cx="6" cy="22" r="3.500"></circle><circle class="root" cx="25" cy="15.500" r="4.500"></circle>
</svg>`;

export { svg };
