/**
 * A long table body of which only the rows in view are written: `<tbody>${rows({ … })}</tbody>`.
 *
 * Every row is there to scroll to. Two empty rows keep the height of those that are not written. A
 * row that becomes the current one is written at once, so that whoever scrolls to it finds it. The
 * nearest `.body` around the table is what scrolls.
 */

import { html, nothing, type TemplateResult } from "lit";
import { AsyncDirective } from "lit/async-directive.js";
import { type ChildPart, directive, type PartInfo } from "lit/directive.js";
import { repeat } from "lit/directives/repeat.js";
import { vars } from "../scene/css.ts";

export interface Rows {
  count: number;
  /** The current row, −1 for none. */
  now: number;
  columns: number;
  row: (index: number) => TemplateResult;
}

/** Up to so many rows are all written. */
export const FEW = 60;
const SPARE = 6;
/** What a row measures before one has been seen. */
const HEIGHT = 24;
const VIEW = 24;

class RowsDirective extends AsyncDirective {
  #rows!: Rows;
  #place: ChildPart | null = null;
  #body: HTMLElement | null = null;
  /** What was last measured: drawing must not ask the browser for a layout. */
  #height = HEIGHT;
  #view = VIEW;
  #top = 0;
  #resized = new ResizeObserver(() => this.#scrolled());
  #now = -2;
  #first = 0;
  #last = 0;

  constructor(info: PartInfo) {
    super(info);
  }

  render(_rows: Rows): unknown {
    return nothing;
  }

  override update(part: ChildPart, [rows]: [Rows]): unknown {
    this.#rows = rows;
    this.#place = part;
    if (rows.count <= FEW) {
      this.disconnected();
      return this.#written(0, rows.count);
    }
    if (!this.#body) queueMicrotask(() => this.#connect());
    this.#look(rows.now !== this.#now);
    this.#now = rows.now;
    return this.#written(this.#first, this.#last);
  }

  #connect(): void {
    if (!this.isConnected || this.#body) return;
    const parent = this.#place?.parentNode as HTMLElement | null;
    this.#body = parent?.closest<HTMLElement>(".body") ?? null;
    if (!this.#body) return;
    this.#body.addEventListener("scroll", this.#scrolled, { passive: true });
    this.#resized.observe(this.#body);
  }

  override disconnected(): void {
    this.#body?.removeEventListener("scroll", this.#scrolled);
    this.#resized.disconnect();
    this.#body = null;
  }

  override reconnected(): void {
    queueMicrotask(() => this.#connect());
  }

  #scrolled = (): void => {
    const [first, last] = [this.#first, this.#last];
    this.#measure();
    this.#look(false);
    if (first === this.#first && last === this.#last) return;
    this.setValue(this.#written(this.#first, this.#last));
  };

  #measure(): void {
    const body = this.#body;
    if (!body) return;
    const seen = body.querySelector<HTMLElement>("tbody tr[aria-rowindex]")?.offsetHeight;
    if (seen) this.#height = seen;
    this.#view = Math.ceil(body.clientHeight / this.#height);
    this.#top = Math.floor(body.scrollTop / this.#height);
  }

  /** Find the rows in view; `moved` brings the current row among them. */
  #look(moved: boolean): void {
    const { count, now } = this.#rows;
    const view = this.#view;
    let top = this.#top;
    if (moved && now >= 0 && now < count && (now < top || now >= top + view))
      top = now - Math.floor(view / 2);
    top = Math.max(0, Math.min(top, count - view));
    this.#first = Math.max(0, top - SPARE);
    this.#last = Math.min(count, top + view + SPARE);
  }

  #written(first: number, last: number): unknown {
    const { count, columns, row } = this.#rows;
    const indices = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
    return [
      this.#gap(first, columns),
      repeat(indices, (index) => index, row),
      this.#gap(count - last, columns),
    ];
  }

  #gap(count: number, columns: number): unknown {
    if (count <= 0) return nothing;
    const height = `${count * this.#height}px`;
    return html`<tr class="gap" aria-hidden="true"><td colspan=${columns} ${vars({ "block-size": height })}></td></tr>`;
  }
}

export const rows = directive(RowsDirective);

/** The row of the moment is scrolled to, inside its own panel only. */
export function scrollToNow(root: ParentNode): void {
  for (const row of root.querySelectorAll<HTMLElement>(".body :is(tr, li).now")) {
    const body = row.closest<HTMLElement>(".body")!;
    const head = row.closest("table")?.tHead?.offsetHeight ?? 0;
    const height = Math.max(1, row.getBoundingClientRect().height);
    const top = row.offsetTop - head;
    // The next row shows as well, and all notes on this one. The last has none.
    let after = row.nextElementSibling;
    let seen = after ? 2 * height : height;
    while (after?.nextElementSibling?.matches(".note")) {
      after = after.nextElementSibling;
      seen += height;
    }
    const bottom = row.offsetTop + seen - body.clientHeight;
    // Whole rows: none is cut in half under the head of its table.
    if (body.scrollTop > top) body.scrollTop = top;
    else if (body.scrollTop < bottom) body.scrollTop = Math.ceil(bottom / height) * height;
  }
}
