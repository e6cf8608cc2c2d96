/** Draws what depends on how wide its place is, in pixels, and again when that changes. */

import { noChange } from "lit";
import { AsyncDirective } from "lit/async-directive.js";
import { type ChildPart, directive, type PartInfo, PartType } from "lit/directive.js";

type Draw = (width: number) => unknown;

/** What is assumed until it is measured. */
const FIRST = 480;

class SizedDirective extends AsyncDirective {
  #draw: Draw = () => noChange;
  #place: HTMLElement | null = null;
  #width = FIRST;
  #watch = new ResizeObserver(() => {
    const width = this.#place?.clientWidth ?? 0;
    if (!width || width === this.#width) return;
    this.#width = width;
    this.setValue(this.#draw(width));
  });

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.CHILD) throw new TypeError("sized");
  }

  override update(part: ChildPart, [draw]: [Draw]): unknown {
    this.#draw = draw;
    if (!this.#place) {
      this.#place = part.parentNode as HTMLElement;
      this.#watch.observe(this.#place);
    }
    return this.render(draw);
  }

  override render(draw: Draw): unknown {
    return draw(this.#width);
  }

  override disconnected(): void {
    this.#watch.disconnect();
  }

  override reconnected(): void {
    if (this.#place) this.#watch.observe(this.#place);
  }
}

/** `<div class="chart">${sized((width) => …)}</div>`: the place must not be as wide as what is in it. */
export const sized = directive(SizedDirective);
