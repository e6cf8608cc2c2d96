/** A hand on a leaf: it is held, and pulled up and down, by pointer or by key. */

/** So many steps from where it rests, so many more than now, or, with neither, let go. */
export interface PullEvent {
  readonly node: number;
  readonly steps?: number;
  readonly more?: number;
}

export function tellPull(scene: HTMLElement, detail: PullEvent): void {
  scene.dispatchEvent(new CustomEvent("pull", { detail, bubbles: true, composed: true }));
}

const SLACK = 5;
/** The pixels of a step. */
const STEP = 14;

/** A finger that pulls does not scroll the page: no style sheet can say so of a part of an SVG. */
export function stay(event: TouchEvent): void {
  if ((event.currentTarget as HTMLElement).dataset.dragging === "pull") event.preventDefault();
}

/** A press that hardly moves stays a click. */
export function hold(scene: HTMLElement, node: number, first: PointerEvent): void {
  if (first.button !== 0 || scene.dataset.dragging) return;
  let steps: number | null = null;
  scene.dataset.dragging = "maybe";
  const moved = (event: PointerEvent): void => {
    if (event.pointerId !== first.pointerId) return;
    const up = first.clientY - event.clientY;
    if (steps === null && Math.abs(up) < SLACK) return;
    scene.dataset.dragging = "pull";
    const next = Math.round(up / STEP);
    if (next === steps) return;
    steps = next;
    tellPull(scene, { node, steps });
  };
  const ended = (event: PointerEvent): void => {
    if (event.pointerId !== first.pointerId) return;
    removeEventListener("pointermove", moved);
    removeEventListener("pointerup", ended);
    removeEventListener("pointercancel", ended);
    delete scene.dataset.dragging;
    if (steps === null) return;
    swallowClick();
    tellPull(scene, { node });
  };
  addEventListener("pointermove", moved);
  addEventListener("pointerup", ended);
  addEventListener("pointercancel", ended);
}

/** Stop the click that follows at once, if one does. */
export function swallowClick(): void {
  const stop = (click: Event): void => click.stopPropagation();
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, { capture: true }));
}
