/**
 * `<gradwalk-plan>`: the floor plan of a tape, to move about in.
 *
 * Drag moves, Ctrl and the wheel zoom, a click opens a box or picks a node. With keys: arrows go from card to
 * card of a room, Enter opens, Escape leaves, + and − zoom. It draws when something changed and never
 * else. Events: `pick` with a node or null, `entered` with the box that is now open.
 */

import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { namedOf } from "../../app/names.ts";
import { calm } from "../../app/player.ts";
import type { Camera } from "../../app/state.ts";
import type { Frame } from "../../app/timeline.ts";
import { TAG_CONST, type Tape } from "../../core/index.ts";
import { GLYPHS, num, signOf } from "../../strings/format.ts";
import { t } from "../../strings/index.ts";
import { opSign } from "../../teach/arithmetic.ts";
import { following, held, zoomed } from "../camera.ts";
import { vars } from "../css.ts";
import { type Palette, readPalette } from "../palette.ts";
import { element } from "../speaking.ts";
import { grasped, wheel } from "../steer.ts";
import { tonesOf } from "../tones.ts";
import { Grid } from "./grid.ts";
import { insideOf, type Near, Painter, READ_FROM, type Rect, shortened } from "./paint.ts";
import { KINDS, type Placed } from "./place.ts";
import type { PlanService } from "./service.ts";

interface Cursor {
  readonly room: string;
  readonly card: number;
}

/** A room's place on the screen at scale 1 of the whole, found by going down from there. */
interface Spot {
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

const MARGIN = 18;
const FLIGHT = 420;
const MOST_ASKED = 4;
/** A card that is gone to has about three of its size around it, where it can be read then. */
const AROUND = 7;

export class GradwalkPlan extends element(() => ({
  tape: null as Tape | null,
  service: null as PlanService | null,
  /** Nodes that a gradient passes, from the root on. */
  path: [] as readonly number[],
  node: null as number | null,
  /** The moment of a walk that is under way. Null shows the tape as it is. */
  frame: null as Frame | null,
  near: [] as readonly Near[],
  said: "",
})) {
  static styles = css`
    :host { display: block; position: relative; overflow: hidden; touch-action: none; min-block-size: 240px; direction: ltr; }
    canvas { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; }
    .view { position: absolute; inset: 0; cursor: grab; }
    .view:active { cursor: grabbing; }
    .view:focus-visible { outline: 2px solid var(--focus); outline-offset: -3px; }
    .cards { position: absolute; inset: 0; pointer-events: none; transform-origin: 0 0; }
    .card { position: absolute; inset-block-start: 0; inset-inline-start: 0; inline-size: 120px; block-size: 48px; transform-origin: 0 0; box-sizing: border-box; padding: 0 6px; border: 1px solid var(--edge); border-radius: 6px; background: var(--card); color: var(--text); font: 12px / 15px var(--mono); overflow: hidden; white-space: nowrap; }
    .card.picked { border-color: var(--text); border-width: 2px; }
    .card.onpath { border-color: var(--backward); border-width: 2px; background: var(--backward-wash); }
    .card b { font: 600 12px / 15px var(--sans); }
    .card span { display: block; }
    .grad.pos { color: var(--pos); }
    .grad.neg { color: var(--neg); }
    .grad.zero, .grad.none { color: var(--muted); }
    .hidden { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
    p { margin: 0; }
  `;

  #rooms = new Map<string, Placed>();
  #grids = new Map<string, Grid>();
  #asked = new Set<string>();
  #camera: Camera = { x: 0, y: 0, k: 1 };
  #painter: Painter | null = null;
  #tones: Uint8Array = new Uint8Array();
  #palette: Palette | null = null;
  #cursor: Cursor | null = null;
  #size = { width: 0, height: 0 };
  #drawing = 0;
  #flight = 0;
  #flying = false;
  #resized = new ResizeObserver(() => this.#measured());
  #dark = matchMedia("(prefers-color-scheme: dark)");

  protected override spoken(): void {
    this.renumber();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resized.observe(this);
    this.#dark.addEventListener("change", this.#repaint);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
    this.#dark.removeEventListener("change", this.#repaint);
    cancelAnimationFrame(this.#drawing);
    cancelAnimationFrame(this.#flight);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("tape") || changed.has("service")) this.#begin();
    else if (changed.has("frame") && this.#isLater(changed.get("frame"))) this.renumber();
    if (changed.has("path") || changed.has("node")) this.draw();
  }

  /** Whether numbers have changed since a frame. */
  #isLater(before: Frame | null | undefined): boolean {
    const { frame } = this;
    return frame?.index !== before?.index || frame?.landed !== before?.landed;
  }

  /** How many rooms are laid out so far. */
  get open(): number {
    return this.#rooms.size;
  }

  /** Whether the camera is on its way. */
  get moving(): boolean {
    return this.#flying;
  }

  /** Colours have changed, with the theme: all that was painted is stale. */
  #repaint = (): void => {
    this.#painter = null;
    this.draw();
  };

  /** The tape has other numbers now, in the same graph. */
  renumber(): void {
    if (!this.tape) return;
    this.#tones = tonesOf(this.tape, this.frame);
    this.#repaint();
    this.requestUpdate();
  }

  recolour(): void {
    this.#repaint();
  }

  #begin(): void {
    this.#rooms.clear();
    this.#grids.clear();
    this.#asked.clear();
    this.#painter = null;
    this.#cursor = null;
    this.near = [];
    if (!this.tape || !this.service) return;
    this.#tones = tonesOf(this.tape, this.frame);
    void this.#need("").then(() => {
      this.#cursor = null;
      this.fit();
      this.dispatchEvent(new CustomEvent("drawn"));
    });
  }

  #measured(): void {
    const { width, height } = this.getBoundingClientRect();
    const first = !this.#size.width;
    this.#size = { width, height };
    if (first) this.fit();
    else this.draw();
  }

  /** A room, asked for once. */
  async #need(key: string): Promise<Placed | null> {
    const known = this.#rooms.get(key);
    if (known || !this.service) return known ?? null;
    this.#asked.add(key);
    const { service } = this;
    const room = await service.ask({ ask: "room", key });
    if (service !== this.service) return null;
    this.#asked.delete(key);
    if (room) this.#rooms.set(key, room);
    this.draw();
    return room;
  }

  // ── Drawing ────────────────────────────────────────────────────────────────────────────────

  draw(): void {
    this.#drawing ||= requestAnimationFrame(() => {
      this.#drawing = 0;
      this.#paint();
    });
  }

  #paint(): void {
    const canvas = this.renderRoot.querySelector("canvas");
    const { tape } = this;
    if (!canvas || !tape || !this.#size.width || !this.isConnected) return;
    this.#palette = this.#painter ? this.#palette : readPalette(this);
    this.#painter ??= new Painter(tape, this.#tones, this.#palette!);
    const { wanted, near } = this.#painter.paint(canvas, this.#size, this.#camera, this.#rooms, {
      path: this.path,
      node: this.node,
      cursor: this.#cursor,
      count: t.group.title.block,
    });
    for (const key of wanted)
      if (this.#asked.size < MOST_ASKED && !this.#asked.has(key)) void this.#need(key);
    this.near = near;
  }

  protected override render(): TemplateResult {
    return html`<canvas aria-hidden="true"></canvas>
      <div class="cards" aria-hidden="true">${repeat(
        this.near,
        ({ node }) => node,
        (one) => this.#card(one),
      )}</div>
      <div class="view" tabindex="0" role="application" aria-label=${t.plan.view} aria-describedby="said"
        @pointerdown=${this.#down} @click=${this.#pressed} @wheel=${(event: WheelEvent) => wheel(this, event)} @keydown=${this.#key}></div>
      <p class="hidden" id="said" role="status">${this.said}</p>`;
  }

  #card({ node, x, y, w }: Near): TemplateResult {
    const { tape } = this;
    if (!tape || node >= tape.length) return html`${nothing}`;
    const { data, grad } = known(tape, this.frame, node);
    const sign = signOf(grad);
    const place = { transform: `translate(${x}px, ${y}px) scale(${w / 120})` };
    const head = tape.tag[node] & TAG_CONST ? "" : shortened(namedOf(tape).names[node]);
    return html`<div class="card ${node === this.node ? "picked" : ""} ${this.path.includes(node) ? "onpath" : ""}" ${vars(place)}>
      <span><b>${opSign(tape.ops[tape.op[node]])}</b> ${head}</span><span>${shownOr(data)}</span><span class="grad ${sign}">${GLYPHS[sign]} ${shownOr(grad)}</span>
    </div>`;
  }

  // ── Where one looks ────────────────────────────────────────────────────────────────────────

  /** The whole plan. */
  fit(): void {
    const whole = this.#rooms.get("");
    if (whole) this.#fly({ x: 0, y: 0, w: whole.width, h: whole.height }, true);
  }

  zoom(factor: number, x = this.#size.width / 2, y = this.#size.height / 2): void {
    this.#look(zoomed(this.#camera, factor, x, y, [this.#least, 1e7]));
  }

  pan(dx: number, dy: number): void {
    this.#look({ ...this.#camera, x: this.#camera.x + dx, y: this.#camera.y + dy });
  }

  /** A hand on the picture ends a flight where it is, and leaves some of the plan in sight. */
  #look(camera: Camera): void {
    this.#land();
    const whole = this.#rooms.get("");
    this.#camera = whole ? held(camera, whole, this.#size) : camera;
    this.draw();
  }

  get #least(): number {
    const whole = this.#rooms.get("");
    if (!whole) return 0.001;
    return 0.5 * Math.min(this.#size.width / whole.width, this.#size.height / whole.height);
  }

  #land(): void {
    cancelAnimationFrame(this.#flight);
    this.#flying = false;
  }

  /** Go to a rectangle of the whole; at once where motion is unwelcome. */
  #fly(to: Rect, atOnce = false): void {
    const { width, height } = this.#size;
    if (!width) return;
    const k = Math.min((width - 2 * MARGIN) / to.w, (height - 2 * MARGIN) / to.h);
    const end = { k, x: width / 2 - (to.x + to.w / 2) * k, y: height / 2 - (to.y + to.h / 2) * k };
    this.#land();
    const from = this.#camera;
    if (atOnce || calm()) {
      this.#camera = end;
      this.draw();
      return;
    }
    // The scale goes evenly by factors, and the middle of the view with it.
    const middle = (c: Camera): [number, number] => [
      (width / 2 - c.x) / c.k,
      (height / 2 - c.y) / c.k,
    ];
    const [[x0, y0], [x1, y1]] = [middle(from), middle(end)];
    const start = performance.now();
    this.#flying = true;
    const step = (now: number): void => {
      const s = Math.min(1, (now - start) / FLIGHT);
      const eased = s * s * (3 - 2 * s);
      const scale = from.k * (end.k / from.k) ** eased;
      const share =
        Math.abs(end.k - from.k) < 1e-9 * end.k
          ? eased
          : (1 / scale - 1 / from.k) / (1 / end.k - 1 / from.k);
      const [mx, my] = [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
      this.#camera = { k: scale, x: width / 2 - mx * scale, y: height / 2 - my * scale };
      this.#paint();
      if (s < 1) this.#flight = requestAnimationFrame(step);
      else {
        this.#flying = false;
        this.#camera = end;
        this.#paint();
      }
    };
    this.#flight = requestAnimationFrame(step);
  }

  /** Where a room lies in the whole; null while one around it is not there. */
  #frameOf(key: string): Spot | null {
    if (!key) return { x: 0, y: 0, k: 1 };
    const outer = outerOf(key);
    const frame = this.#frameOf(outer);
    const [room, inner] = [this.#rooms.get(outer), this.#rooms.get(key)];
    const card = room?.keys.indexOf(key) ?? -1;
    if (!frame || !room || !inner || card < 0) return null;
    const { at, scale } = insideOf(room, card, inner);
    return { x: frame.x + at.x * frame.k, y: frame.y + at.y * frame.k, k: frame.k * scale };
  }

  #rectOf({ room, card }: Cursor): Rect | null {
    const frame = this.#frameOf(room);
    const placed = this.#rooms.get(room);
    if (!frame || !placed) return null;
    const { x, y, k } = frame;
    return {
      x: x + placed.x[card] * k,
      y: y + placed.y[card] * k,
      w: placed.w[card] * k,
      h: placed.h[card] * k,
    };
  }

  /** Open a box: its room fills the view. */
  async enter(key: string): Promise<void> {
    if (!key) {
      this.fit();
      this.#tell("", null);
      return;
    }
    // Rooms are known from the outside in.
    const parts = key.split("/").slice(1);
    for (let i = 0; i <= parts.length; i++) {
      const at = i ? `/${parts.slice(0, i).join("/")}` : "";
      if (!(await this.#need(at))) return;
    }
    const [frame, room] = [this.#frameOf(key), this.#rooms.get(key)];
    if (!frame || !room) return;
    this.#fly({ x: frame.x, y: frame.y, w: room.width * frame.k, h: room.height * frame.k });
    this.#tell(key, null);
  }

  /** Open the room that has a node as a card, unless it is open. */
  async enterAround(node: number): Promise<void> {
    const found = await this.service?.ask({ ask: "way", node });
    const key = found?.rooms.at(-1)?.key;
    if (key === undefined || key === this.#entered) return;
    await this.enter(key);
  }

  /** Go to a node, near enough to read it; `stays` where it is in sight and can be read already. */
  async goTo(node: number, stays = false): Promise<void> {
    if (!this.service) return;
    const { rooms } = await this.service.ask({ ask: "way", node });
    for (const room of rooms) this.#rooms.set(room.key, room);
    const last = rooms.at(-1);
    if (!last) return;
    const card = last.keys.findIndex(
      (_, i) => KINDS[last.kinds[i]] === "node" && last.members[last.first[i]] === node,
    );
    if (card < 0) return;
    const rect = this.#rectOf({ room: last.key, card });
    if (rect && !(stays && this.#isSeen(rect))) {
      const { width, height } = this.#size;
      const room = Math.min(width - 2 * MARGIN, ((height - 2 * MARGIN) * rect.w) / rect.h);
      const n = Math.max(1, Math.min(AROUND, room / (READ_FROM + 1)));
      const [w, h] = [n * rect.w, n * rect.h];
      this.#fly({ x: rect.x - (w - rect.w) / 2, y: rect.y - (h - rect.h) / 2, w, h });
    }
    this.#cursor = { room: last.key, card };
    this.#tell(last.key, this.#cursor);
  }

  #isSeen(rect: Rect): boolean {
    const { x, y, k } = this.#camera;
    const [left, top] = [rect.x * k + x, rect.y * k + y];
    const { width, height } = this.#size;
    const inside = left >= 0 && top >= 0;
    return (
      inside && left + rect.w * k <= width && top + rect.h * k <= height && rect.w * k >= READ_FROM
    );
  }

  /** The box that was last entered. */
  #entered = "";

  #tell(key: string, cursor: Cursor | null): void {
    this.#entered = key;
    this.#cursor = cursor;
    this.said = cursor
      ? this.#saidOf(cursor)
      : key
        ? t.plan.inside(nameOf(key))
        : `${t.plan.whole}.`;
    this.dispatchEvent(new CustomEvent("entered", { detail: key }));
    this.draw();
  }

  #saidOf({ room, card }: Cursor): string {
    const placed = this.#rooms.get(room);
    const { tape } = this;
    if (!placed || !tape) return "";
    const count = placed.first[card + 1] - placed.first[card];
    const kind = KINDS[placed.kinds[card]];
    const name = placed.names[card];
    if (kind === "input" || kind === "output")
      return name ? t.plan.port[kind](name) : t.plan.port.end;
    if (kind !== "node") return t.plan.box(name, count);
    const node = placed.members[placed.first[card]];
    const { data, grad } = known(tape, this.frame, node);
    const said = (x: number | null): string => (x === null ? t.notYet : num(x));
    return t.plan.node(namedOf(tape).names[node], said(data), said(grad));
  }

  // ── Hands and keys ─────────────────────────────────────────────────────────────────────────

  /** What is under a point of the screen: the innermost card that is drawn there. */
  #hit(px: number, py: number): Cursor | null {
    let found: Cursor | null = null;
    let frame: Spot = { ...this.#camera };
    for (let key = ""; ; ) {
      const room = this.#rooms.get(key);
      if (!room) return found;
      let grid = this.#grids.get(key);
      if (!grid) {
        grid = new Grid(room);
        this.#grids.set(key, grid);
      }
      const card = grid.at((px - frame.x) / frame.k, (py - frame.y) / frame.k);
      if (card < 0) return found;
      found = { room: key, card };
      const inner = this.#rooms.get(room.keys[card]);
      // A box that is small on the screen is met as a whole.
      if (!inner || room.w[card] * frame.k < 190) return found;
      const { at, scale } = insideOf(room, card, inner);
      frame = { x: frame.x + at.x * frame.k, y: frame.y + at.y * frame.k, k: frame.k * scale };
      key = inner.key;
    }
  }

  #clicked(px: number, py: number): void {
    const hit = this.#hit(px, py);
    this.#cursor = hit;
    if (hit) this.#act(hit);
    else this.draw();
  }

  #act(cursor: Cursor): void {
    const room = this.#rooms.get(cursor.room)!;
    const kind = KINDS[room.kinds[cursor.card]];
    if (kind === "node") {
      this.said = this.#saidOf(cursor);
      const node = room.members[room.first[cursor.card]];
      this.dispatchEvent(new CustomEvent("pick", { detail: node }));
      this.draw();
    } else if (kind !== "input" && kind !== "output") void this.enter(room.keys[cursor.card]);
  }

  /** What a hand holds: the same as of any picture, one finger or two. */
  get view(): Element {
    return this;
  }

  drag(dx: number, dy: number): void {
    this.pan(dx, dy);
  }

  #down = (first: PointerEvent): void => grasped(this, first);

  #pressed = (event: MouseEvent): void => {
    const bounds = this.getBoundingClientRect();
    this.#clicked(event.clientX - bounds.left, event.clientY - bounds.top);
  };

  #key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key.startsWith("Arrow")) {
      if (event.shiftKey) {
        const [dx, dy] = WAYS[key];
        this.pan(-60 * dx, -60 * dy);
      } else this.#walk(key);
    } else if (key === "Enter" && this.#cursor) this.#into(this.#cursor);
    else if (key === "Escape" || key === "Backspace") this.#out();
    else if (key === "+" || key === "=") this.zoom(1.4);
    else if (key === "-") this.zoom(1 / 1.4);
    else if (key === "f" || key === "0" || key === "Home") void this.enter("");
    else return;
    // The lab's own keys are about a walk.
    event.preventDefault();
    event.stopPropagation();
  };

  /** The innermost room that has most of the view. */
  get #here(): string {
    const hit = this.#hit(this.#size.width / 2, this.#size.height / 2);
    return hit?.room ?? "";
  }

  #walk(way: string): void {
    const now = this.#cursor ?? { room: this.#here, card: -1 };
    const room = this.#rooms.get(now.room);
    if (!room) return;
    const card = now.card < 0 ? 0 : nextCard(room, now.card, WAYS[way]);
    this.#cursor = { room: now.room, card };
    this.said = this.#saidOf(this.#cursor);
    this.#show(this.#cursor);
    this.draw();
  }

  /** Move no more than needed for a card to be in view. */
  #show(cursor: Cursor): void {
    const rect = this.#rectOf(cursor);
    if (!rect) return;
    const { x: left, y: top, w, h } = rect;
    const target = { left, top, right: left + w, bottom: top + h };
    this.#look(following(this.#camera, target, this.#size));
  }

  #into(cursor: Cursor): void {
    const room = this.#rooms.get(cursor.room)!;
    const kind = KINDS[room.kinds[cursor.card]];
    if (kind === "box" || kind === "part" || kind === "tensor") {
      const key = room.keys[cursor.card];
      void this.enter(key).then(() => {
        if (!this.#rooms.has(key)) return;
        this.#cursor = { room: key, card: 0 };
        this.said = this.#saidOf(this.#cursor);
        this.draw();
      });
    } else this.#act(cursor);
  }

  #out(): void {
    const key = this.#cursor?.room || this.#here;
    if (!key) {
      this.dispatchEvent(new CustomEvent("pick", { detail: null }));
      void this.enter("");
      return;
    }
    const outer = outerOf(key);
    const card = this.#rooms.get(outer)?.keys.indexOf(key) ?? 0;
    void this.enter(outer).then(() => {
      this.#cursor = { room: outer, card };
      this.said = this.#saidOf(this.#cursor);
      this.draw();
    });
  }
}

/** The numbers of a node; in a walk, null for what is not known yet. */
export function known(
  tape: Tape,
  frame: Frame | null,
  node: number,
): { data: number | null; grad: number | null } {
  const isFilled = frame?.node(node).filled ?? true;
  return {
    data: isFilled ? tape.data[node] : null,
    grad: frame ? frame.grad(node) : tape.grad[node],
  };
}

export const shownOr = (x: number | null, digits = 4): string =>
  x === null ? "--" : num(x, digits);

const WAYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The nearest card in a direction; what lies askew counts as further away. */
function nextCard(room: Placed, card: number, [dx, dy]: readonly [number, number]): number {
  const centre = (i: number): [number, number] => [
    room.x[i] + room.w[i] / 2,
    room.y[i] + room.h[i] / 2,
  ];
  const [x, y] = centre(card);
  let [best, least] = [card, Number.POSITIVE_INFINITY];
  for (let i = 0; i < room.kinds.length; i++) {
    const [cx, cy] = centre(i);
    const ahead = (cx - x) * dx + (cy - y) * dy;
    if (ahead <= 1) continue;
    const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
    if (ahead + 3 * aside < least) [best, least] = [i, ahead + 3 * aside];
  }
  return best;
}

export function outerOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf("/")));
}

/** What a person calls a box: its own name, without its kind. */
export function nameOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1).replace(/^[a-z]+:/, "");
}

customElements.define("gradwalk-plan", GradwalkPlan);
