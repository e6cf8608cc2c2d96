/** What pages and panels get to work with: the state, what follows from it, and what one can do. */

import type { Program } from "./derive.ts";
import type { Page, State } from "./state.ts";
import type { Action } from "./store.ts";
import type { Frame } from "./timeline.ts";

export interface Lab {
  state: State;
  program: Program;
  frame: Frame;
  dispatch: (action: Action) => void;
  /** Go to a moment, and stay there. */
  seek: (time: number) => void;
  /** One event on or back. */
  step: (way: number) => void;
  /** One phase on or back. */
  stepPhase: (way: number) => void;
  playPause: () => void;
  load: (text: string, values: Record<string, number>) => void;
  /** Open another page, as its link does. */
  open: (page: Page) => void;
  /** The lab as it is by now, after what was dispatched since. */
  current: () => Lab;
  /** Draw again: something arrived that is not part of the state. */
  refresh: () => void;
  /** The index of the first event whose numbers are still to be predicted. */
  veil: number;
  /** What the lab is drawn into: two labs on one page keep out of each other. */
  root: ParentNode;
  /** Whether the lab is a guest on someone's page. */
  embedded: boolean;
  /** Whether there is room for one page alone: no header, and no way to another page. */
  bare: boolean;
  /** Give a file's graph, which has no text and no sliders, its own view. */
  fixed: boolean;
}
