/** Drag a place of the order: the others make room while the pointer moves. */

import { swallowClick } from "../scene/hold.ts";

const SLACK = 4;

export function drag(
  first: PointerEvent,
  current: () => readonly number[],
  put: (order: readonly number[]) => void,
): void {
  const chip = (first.target as Element).closest<HTMLElement>("[data-place]");
  const list = first.currentTarget as HTMLElement;
  if (!chip || first.button !== 0) return;
  const id = Number(chip.dataset.place);
  let order = [...current()];
  let moving = false;
  const moved = (event: PointerEvent): void => {
    if (!moving && Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY) < SLACK)
      return;
    moving = true;
    chip.classList.add("dragged");
    event.preventDefault();
    const over = [...list.querySelectorAll<HTMLElement>("[data-place]")].find((one) => {
      const box = one.getBoundingClientRect();
      return (
        event.clientX >= box.left &&
        event.clientX <= box.right &&
        event.clientY >= box.top - 12 &&
        event.clientY <= box.bottom + 12
      );
    });
    const target = over ? order.indexOf(Number(over.dataset.place)) : -1;
    const from = order.indexOf(id);
    if (target < 0 || target === from) return;
    order = order.filter((one) => one !== id);
    order.splice(target, 0, id);
    put(order);
  };
  const ended = (): void => {
    chip.classList.remove("dragged");
    if (moving) swallowClick();
    removeEventListener("pointermove", moved);
    removeEventListener("pointerup", ended);
    removeEventListener("pointercancel", ended);
  };
  addEventListener("pointermove", moved);
  addEventListener("pointerup", ended);
  addEventListener("pointercancel", ended);
}
