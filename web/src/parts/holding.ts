/** Who may pull a leaf, and the file that shows a pull: it is loaded when one is first held. */

import type { Lab } from "../app/lab.ts";
import type { PullEvent } from "../scene/hold.ts";
import { later } from "./later.ts";

type Part = typeof import("./pull.ts");
let part: Part | null = null;

const MOST_NODES = 24;

async function load(): Promise<void> {
  part = await import("./pull.ts");
}

/** Only what a text says can be computed again, and nothing that is asked is given away. */
export function canPull({ state, program, fixed }: Lab): boolean {
  const isOpen = !state.predict && state.hold === null && state.text === state.good;
  const isSmall = program.graph.nodes.length <= MOST_NODES && !state.unfold;
  return isOpen && isSmall && !fixed && !globalThis.GRADWALK_ALONE;
}

/** What shows a pull, while there is one and its file is here. */
export function pullPart(lab: Lab): Part | null {
  if (!lab.state.pull || globalThis.GRADWALK_ALONE) return null;
  later("pull", load, lab.refresh);
  return part;
}

/** A hand has moved a leaf, or let it go. */
export function pulled(lab: Lab, event: PullEvent): void {
  const { program, dispatch, current } = lab;
  if (globalThis.GRADWALK_ALONE) return;
  if (part) {
    part.pullBy(lab, event);
    return;
  }
  const isHeld = event.steps !== undefined || event.more !== undefined;
  const name = program.graph.nodes[event.node].label;
  dispatch({ type: "pull", pull: isHeld ? { name, by: 0 } : null });
  const go = (): void => {
    if (current().state.pull) part?.pullBy(current(), event);
  };
  load().then(go, lab.refresh);
}
