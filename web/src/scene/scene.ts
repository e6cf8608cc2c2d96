/**
 * `<gradwalk-scene>`: the graph, flat or in space, drawn from a program and a frame.
 *
 * The owner of the state gives it the `look`: camera, orbit and opened boxes. A hand that moves the
 * picture makes a `look` event, clicks and keys make `pick` events, and the owner answers with new
 * properties. The scene's own camera follows the walk from there. Start reading at `render`.
 *
 * Near, cards are SVG, and only those in view. From far away, where there would be hundreds, they are
 * cells on a canvas. The camera moves by our own hand: a CSS transition on a large drawing has the
 * browser paint all of it, frame by frame. In space they are HTML on a canvas, which `space/` draws.
 */

import { html, nothing, type PropertyValues, svg, type TemplateResult, unsafeCSS } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { memo, type Program } from "../app/derive.ts";
import { calm } from "../app/player.ts";
import { type Camera, type EdgeRef, FITTED, FRONT, type Look, type Orbit } from "../app/state.ts";
import { ease, type Frame, type NodeFrame } from "../app/timeline.ts";
import { type Box, type Edge, isConst, type Layout } from "../core/index.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { fit, following, held, LEAST, type Rect, type Size, zoomed } from "./camera.ts";
import { type CardOptions, card, cardLabel, wrongIn } from "./card.ts";
import { groupCard, groupLabel } from "./cells.ts";
import { vars } from "./css.ts";
import { type EdgeOptions, edgeClass, edgeLines, pill, pillLines, pillState } from "./edge.ts";
import { FarView } from "./far.ts";
import findStyle from "./find.css";
import { endOf, isEnd } from "./find.ts";
import { Finder } from "./finder.ts";
import { itemFrame, type WireFrame, wireFrame } from "./frames.ts";
import { hold, stay } from "./hold.ts";
import { type Palette, readPalette } from "./palette.ts";
import {
  type Face,
  type Item,
  LEGIBLE,
  MANY_NODES,
  MOST_DEEP,
  type Picture,
  pictureOf,
} from "./picture.ts";
import type { Pulling } from "./pull.ts";
import styles from "./scene.css";
import type { Label } from "./space/label.ts";
import type { SpaceView, Strand } from "./space/view.ts";
import { element } from "./speaking.ts";
import { steer } from "./steer.ts";
import { wireOf } from "./wire.ts";

export interface Pick {
  node: number | null;
  edge: EdgeRef | null;
}

/** What of a picture is in the window: it depends on no number, so a slider does not pay for it. */
interface InView {
  cards: readonly { box: Box; id: number }[];
  /** Wires with an end in view. */
  edges: readonly { edge: Edge; id: number; key: string }[];
  /** A wire that only passes by has no end to see: all such are one path, and cost one. */
  passing: string;
  /** Too many to draw one by one: the canvas has them. */
  isFar: boolean;
}

function inView(picture: Picture, camera: Camera, size: Size): InView {
  const { x, y, k } = camera;
  const { layout, down } = picture;
  const all = layout.cards.length <= MANY;
  // Before its size is known, a large picture waits for it: to draw all of it first takes longest.
  if (!all && !size.width) return { cards: [], edges: [], passing: "", isFar: false };
  const left = -x / k - 40;
  const top = -y / k - 40;
  const right = left + size.width / k + 80;
  const bottom = top + size.height / k + 80;
  const sees = (r: Rect): boolean =>
    all || (r.right >= left && r.left <= right && r.bottom >= top && r.top <= bottom);
  const cards = layout.cards.map((box, id) => ({ box, id })).filter(({ box }) => sees(rectOf(box)));
  if (cards.length > MANY || (!all && k < SIGNS))
    return { cards: [], edges: [], passing: "", isFar: true };
  const seen = new Set(cards.map(({ id }) => id));
  const crossing = layout.edges
    .map((edge, id) => ({ edge, id }))
    .filter(({ edge }) => sees(wireOf(edge, down)))
    .map(({ edge, id }) => ({
      edge,
      id,
      key: `${edge.target}.${edge.operand}.${wireOf(edge, down).middle}`,
    }));
  const ends = ({ edge }: { edge: Edge }): boolean =>
    seen.has(edge.source) || seen.has(edge.target);
  const passing = crossing.filter((one) => !ends(one));
  return {
    cards,
    edges: crossing.filter(ends),
    passing: passing.map(({ edge }) => wireOf(edge, down).middle).join(""),
    isFar: false,
  };
}

function rectOf({ x, y, width, height }: Box): Rect {
  return { left: x, top: y, right: x + width, bottom: y + height };
}

/** Below this scale letters cannot be read, and are not drawn. */
const READABLE: Record<Face, number> = { full: 0.55, low: 0.7, narrow: 0.7 };
/** Below this scale there is nothing left to draw with letters. */
const SIGNS = 0.12;
/** More cards than this are not drawn one by one, and nothing glides. */
const MANY = 150;
const GLIDE = 320;
/** The height of the row of tools over a large picture. */
const TOOLS = 44;
/** A stage that is narrower, as on a phone held upright, stays flat. */
const NARROWEST = 480;
const MAP: Size = { width: 176, height: 112 };

/** What draws in space is a file of its own, which a page that travels as one file leaves at home. */
const loadSpace = globalThis.GRADWALK_ALONE ? null : () => import("./space/view.ts");

/** Whether the browser draws in space: asked once, before anything is loaded for it. */
const drawsInSpace = memo((): boolean => {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
});

export class GradwalkScene extends element(() => ({
  program: undefined as unknown as Program,
  frame: undefined as unknown as Frame,
  node: null as number | null,
  edge: null as EdgeRef | null,
  /** Nodes and edges to stress, as a path does: ids of nodes, indices of edges. */
  lit: null as { nodes: ReadonlySet<number>; edges: ReadonlySet<number> } | null,
  /** While someone predicts: the edge whose number is asked for, −1 for none yet. */
  asked: null as number | null,
  final: false as boolean,
  compare: false as boolean,
  /** Whether cards stand above a floor, as high as their gradients are large. */
  deep: false as boolean,
  /** Whether a class reads it, from far away. */
  large: false as boolean,
  /** What was done to the view by hand. */
  look: FITTED,
  /** Whether leaves can be pulled. */
  pulls: false as boolean,
  /** What a pull makes of a picture, while a leaf is held. */
  pulling: null as ((picture: Picture, root: ShadowRoot) => Pulling) | null,
  /** Where the scene looks; while it glides, where it will. */
  camera: { x: 0, y: 0, k: 1 } as Camera,
})) {
  static styles = [unsafeCSS(styles), unsafeCSS(findStyle)];

  #size: Size = { width: 0, height: 0 };
  /** The camera of the last look that was taken over. */
  #taken: Camera | null = null;
  #focus = 0;
  #glide: { from: Camera; start: number } | null = null;
  #watch = new ResizeObserver(() => this.#resized());
  #steer = steer(this);
  #far = new FarView();
  #map = new FarView();
  /** What the camera was last fitted to. */
  #drawn: Size & { layout: Layout | null } = { width: 0, height: 0, layout: null };
  #wires: { frame: Frame | null; picture: Picture | null; found: Map<number, WireFrame> } = {
    frame: null,
    picture: null,
    found: new Map(),
  };
  #ink: { color: string; palette: Palette } | null = null;
  #space: SpaceView | null = null;
  /** Whether what draws in space is on its way, did not come, or cannot draw. */
  #coming: "" | "asked" | "missing" | "failed" = "";

  constructor() {
    super();
    this.addEventListener("touchmove", stay, { passive: false });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.hasUpdated) return;
    this.#watch.observe(this.view);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch.disconnect();
    this.#space?.end();
  }

  /** What is drawn: cards and wires, and where. A few pixels more or less of stage change nothing. */
  get picture(): Picture {
    const [width, height] = [this.#size.width, this.#size.height].map((n) => n - (n % 16));
    const options = { opened: this.opened, stage: { width, height } };
    const flat = pictureOf(this.program, { ...options, letters: this.large ? 1.5 : 1 });
    if (!this.#space || this.#flatWord(flat) !== null) return flat;
    return pictureOf(this.program, { ...options, deep: true });
  }

  /** Whether it is drawn in space. */
  get isDeep(): boolean {
    return this.#space !== null && this.#flatWord(this.picture) === null;
  }

  /** Why it is flat all the same where 3D is asked for; `null` is no reason. */
  #flatWord({ items }: Picture): unknown {
    if (!this.deep || !loadSpace) return nothing;
    if (this.#size.width < NARROWEST) return t.flat3d.narrow;
    if (items.length > MOST_DEEP) return t.flat3d.many(items.length, MOST_DEEP);
    if (this.#coming === "failed" || !drawsInSpace()) return t.flat3d.webgl;
    if (this.#coming === "missing")
      return html`${t.missing} <button @click=${this.#loadSpace}>${t.again}</button>`;
    return null;
  }

  #loadSpace = (): void => {
    this.#coming = "asked";
    loadSpace!()
      .then(
        ({ SpaceView, sheet }) => {
          (this.renderRoot as ShadowRoot).adoptedStyleSheets.push(sheet);
          this.#space = new SpaceView(() => this.requestUpdate());
        },
        () => {
          this.#coming = "missing";
        },
      )
      .then(() => this.requestUpdate());
  };

  // ── Camera ─────────────────────────────────────────────────────────────────────────────────

  get orbit(): Orbit {
    return this.look.orbit;
  }

  get opened(): ReadonlySet<string> {
    return this.look.opened;
  }

  /** Change the look, and tell the owner. */
  #change(change: Partial<Look>): void {
    this.look = { ...this.look, ...change };
    this.#taken = this.look.camera;
    this.dispatchEvent(
      new CustomEvent<Look>("look", { detail: this.look, bubbles: true, composed: true }),
    );
  }

  /** A hand moves the camera. */
  #move(camera: Camera, glide: boolean): void {
    const within = held(camera, this.picture.layout, this.#size);
    this.#change({ camera: within });
    this.#look(within, glide);
  }

  /** Fit at a size one can read; once more, fit the whole. */
  fit(): void {
    if (this.isDeep) {
      this.#change({ orbit: FRONT });
      return;
    }
    const near = this.#near();
    const whole = fit(this.picture.layout, this.#size);
    const isNear = this.camera.k === near.k && whole.k !== near.k;
    this.#change({ camera: isNear ? whole : null });
    this.#look(isNear ? whole : near, true);
  }

  /** As much as can be read, from the start of the picture; of one much too large, the whole. */
  #near(): Camera {
    const { layout, face, items } = this.picture;
    return fit(layout, this.#size, items.length > MANY ? LEAST : LEGIBLE[face]);
  }

  zoom(factor: number, x = this.#size.width / 2, y = this.#size.height / 2): void {
    if (this.isDeep) {
      this.#change({ orbit: this.#space!.nearer(this.orbit, factor) });
      return;
    }
    this.#move(zoomed(this.camera, factor, x, y), false);
  }

  /** Walk around the floor, and rise above it. */
  turn(by: number, tilt: number): void {
    if (this.isDeep) this.#change({ orbit: this.#space!.turned(this.orbit, by, tilt) });
  }

  /** What a drag of so many pixels does. */
  drag(dx: number, dy: number): void {
    if (this.isDeep) this.turn(-dx * 0.004, dy * 0.003);
    else this.pan(dx, dy);
  }

  pan(dx: number, dy: number): void {
    if (this.isDeep) {
      this.#change({ orbit: { ...this.orbit, x: this.orbit.x + dx, y: this.orbit.y + dy } });
      return;
    }
    this.#move({ ...this.camera, x: this.camera.x + dx, y: this.camera.y + dy }, false);
  }

  /** Look at a point of the picture. */
  lookAt(x: number, y: number, { k = this.camera.k, glide = true } = {}): void {
    this.#move({ k, x: this.#size.width / 2 - x * k, y: this.#size.height / 2 - y * k }, glide);
  }

  #look(camera: Camera, glide: boolean): void {
    const from = this.#shown;
    this.camera = camera;
    const glides = glide && !calm() && this.picture.items.length <= MANY;
    this.#glide = glides ? { from, start: performance.now() } : null;
    if (glides) requestAnimationFrame(this.#gliding);
  }

  /** Where it looks at this instant. */
  get #shown(): Camera {
    if (!this.#glide) return this.camera;
    const u = ease(Math.min(1, (performance.now() - this.#glide.start) / GLIDE));
    const { from } = this.#glide;
    const { x, y, k } = this.camera;
    return {
      x: from.x + (x - from.x) * u,
      y: from.y + (y - from.y) * u,
      k: from.k + (k - from.k) * u,
    };
  }

  #gliding = (): void => {
    if (!this.#glide) return;
    if (performance.now() - this.#glide.start >= GLIDE) this.#glide = null;
    else requestAnimationFrame(this.#gliding);
    this.requestUpdate();
  };

  /** The part of the element that the picture has to itself. */
  get view(): Element {
    return this.renderRoot.querySelector(".view") ?? this;
  }

  #resized(): void {
    const { clientWidth: width, clientHeight: height } = this.view;
    if (width === this.#size.width && height === this.#size.height) return;
    this.#size = { width, height };
    this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!this.program || !this.frame) return;
    if (!this.#size.width)
      this.#size = {
        width: this.clientWidth,
        height: this.clientHeight - (this.#isLarge ? TOOLS : 0),
      };
    const before = changed.get("program") as Program | undefined;
    if (changed.has("program") && before?.structure !== this.program.structure) {
      this.#focus = this.program.graph.root;
      // An owner with a store gives the new picture its look; a scene of its own starts afresh.
      if (before && !changed.has("look")) this.look = { ...FITTED, orbit: this.orbit };
    }
    const { width, height } = this.#size;
    const { picture } = this;
    const { layout } = picture;
    if (!this.#coming && this.#flatWord(picture) === null) this.#loadSpace();
    const isNew = layout !== this.#drawn.layout;
    const isResized = width !== this.#drawn.width || height !== this.#drawn.height;
    if (width && (isNew || isResized)) {
      const isFirst = this.#drawn.layout === null;
      this.#drawn = { layout, width, height };
      this.#taken = this.look.camera;
      this.#look(this.#taken ?? this.#near(), isNew && !isFirst && !this.#taken);
      if (!this.#taken) this.#follow(false, this.frame.time >= this.program.line.total);
    } else if (width && this.look.camera !== this.#taken) {
      // Someone else moved it: a link that was followed, or a step back.
      this.#taken = this.look.camera;
      this.#look(this.#taken ?? this.#near(), true);
    }
    const was = changed.get("frame") as Frame | undefined;
    if (was && was.index !== this.frame.index) this.#follow(true);
  }

  /** Keep what happens in view, where the picture is larger than its window; of an `end` the output. */
  #follow(glide: boolean, end = false): void {
    const { event } = this.frame;
    const picture = this.picture;
    const { width, height, cards } = picture.layout;
    const { k } = this.camera;
    if (!event || this.isDeep) return;
    if (width * k <= this.#size.width + 4 && height * k <= this.#size.height + 4) return;
    const { nodes } = this.program.graph;
    const target = rectOf(cards[picture.itemOf[end ? this.program.graph.root : event.node]]);
    const beside = end ? [] : event.push ? [event.push.to] : nodes[event.node].operands;
    for (const operand of beside) {
      const end = rectOf(cards[picture.itemOf[operand]]);
      target.left = Math.min(target.left, end.left);
      target.top = Math.min(target.top, end.top);
      target.right = Math.max(target.right, end.right);
      target.bottom = Math.max(target.bottom, end.bottom);
    }
    const next = following(this.camera, target, this.#size);
    if (next.x === this.camera.x && next.y === this.camera.y) return;
    this.#look(next, glide);
  }

  // ── Picking ────────────────────────────────────────────────────────────────────────────────

  pick(node: number | null, edge: EdgeRef | null = null): void {
    const detail: Pick = { node, edge };
    this.dispatchEvent(new CustomEvent("pick", { detail, bubbles: true, composed: true }));
  }

  /** Move the focus to a card, along an edge where there is one. */
  focusNode(id: number, along: EdgeRef | null = null): void {
    const { items, itemOf, layout } = this.picture;
    const item = itemOf[id];
    this.#focus = items[item].node;
    this.pick(id, along);
    this.#show(layout.cards[item]);
    this.requestUpdate();
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(`[data-node="${this.#focus}"] .target`)?.focus(),
    );
  }

  /** Move no further than it takes to have a card in view. */
  #show(box: Box): void {
    if (this.isDeep) return;
    const next = following(this.camera, rectOf(box), this.#size);
    if (next.x === this.camera.x && next.y === this.camera.y) return;
    this.#move(next, true);
  }

  #clicked = (event: MouseEvent): void => {
    const part = (event.target as Element).closest<HTMLElement>("[data-node], [data-edge]");
    const { picture } = this;
    if (!part) {
      const item = this.#far.isShown ? this.#itemAt(event) : -1;
      this.pick(item < 0 ? null : picture.items[item].node);
    } else if (part.dataset.node) {
      this.#focus = Number(part.dataset.node);
      const { group } = picture.items[picture.itemOf[this.#focus]];
      this.pick(this.#focus);
      // The last line of a group says "open", and is where to press.
      const { bottom, height } = part.getBoundingClientRect();
      const box = picture.layout.cards[picture.itemOf[this.#focus]];
      if (group && bottom - event.clientY < (27 / box.height) * height) this.open(this.#focus);
    } else {
      const edge = picture.edges[Number(part.dataset.edge)][0];
      this.pick(null, endOf(this.program, edge));
    }
  };

  /** A leaf that can be pulled is held; anything else is the picture, which moves. */
  #pressed = (event: PointerEvent): void => {
    const leaf = (event.target as Element).closest<SVGGElement>(".card.leaf");
    if (this.pulls && leaf) hold(this, Number(leaf.dataset.node), event);
    else this.#steer.down(event);
  };

  #at(event: MouseEvent): { x: number; y: number } {
    const bounds = this.view.getBoundingClientRect();
    const { x, y, k } = this.camera;
    return { x: (event.clientX - bounds.left - x) / k, y: (event.clientY - bounds.top - y) / k };
  }

  #itemAt(event: MouseEvent): number {
    const { x, y } = this.#at(event);
    return this.picture.layout.cards.findIndex(
      (box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height,
    );
  }

  #opened = (event: MouseEvent): void => {
    const part = (event.target as Element).closest<SVGGElement>("[data-node]");
    if (part) this.open(Number(part.dataset.node));
  };

  /** Open the group that a card stands for; a plain card emits its event instead. */
  open(node: number): void {
    const { items, itemOf } = this.picture;
    const { group } = items[itemOf[node]];
    if (group) {
      this.#change({ opened: new Set(this.opened).add(group.key), camera: null });
      void this.updateComplete.then(() => this.focusNode(node));
      return;
    }
    this.dispatchEvent(
      new CustomEvent("open", { detail: { node }, bubbles: true, composed: true }),
    );
  }

  #closeAll = (): void => {
    this.#change({ opened: FITTED.opened, camera: null });
    this.#focus = this.picture.items[this.picture.itemOf[this.#focus]].node;
  };

  // ── Finding ────────────────────────────────────────────────────────────────────────────────

  #finder = new Finder(
    this,
    () => this.program,
    (node) => {
      const { layout, itemOf, items, face } = this.picture;
      const box = layout.cards[itemOf[node]];
      this.#focus = items[itemOf[node]].node;
      const k = Math.max(this.camera.k, LEGIBLE[face]);
      if (!this.isDeep) this.lookAt(box.x + box.width / 2, box.y + box.height / 2, { k });
      this.pick(node);
    },
  );

  // ── The picture ────────────────────────────────────────────────────────────────────────────

  protected override render(): TemplateResult {
    if (!this.program || !this.frame) return html``;
    const { picture } = this;
    if (this.isDeep) return this.#standing(picture);
    const { x, y, k } = this.#shown;
    const view = this.#inView(picture, this.camera, this.#size);
    const small = view.isFar ? this.#few(picture) : view;
    const quiet = picture.items.length > MANY_NODES;
    this.#far.isShown = view.isFar;
    const why = this.#flatWord(picture);
    const pulling = this.pulling?.(picture, this.renderRoot as ShadowRoot) ?? null;
    return html`${this.#tools()}<div class="view"><canvas class="far" aria-hidden="true" ?hidden=${!view.isFar}></canvas><svg
      class=${quiet ? "quiet" : ""}
      role="group"
      aria-label=${t.graphLabel(this.program.graph.nodes.length)}
      @click=${this.#clicked}
      @dblclick=${this.#opened}
      @keydown=${this.#steer.key}
      @wheel=${this.#steer.wheel}
      @pointerdown=${this.#pressed}
    >
      <g class="camera" ${vars({ transform: `translate(${x}px, ${y}px) scale(${k})`, "--type": String(this.#type), "--thin": `${Math.min(24, 1.25 / Math.min(1, k))}px` })}>
        ${pulling ? pulling.wires() : this.#edges(picture, small)}${this.#cards(picture, small, pulling)}${pulling ? pulling.pills((id) => this.#edgeOptions(picture, id, 1)) : this.#pills(picture, small)}
      </g>
    </svg>${this.#overview(picture)}</div>${why === nothing || why === null ? nothing : html`<p class="word flat" role=${typeof why === "string" ? "status" : "alert"}>${why}</p>`}`;
  }

  // ── In space ───────────────────────────────────────────────────────────────────────────────

  #standing(picture: Picture): TemplateResult {
    this.#far.isShown = false;
    const { program, frame, final, orbit } = this;
    const inSpace = this.#space!.render({
      program,
      picture,
      frame,
      final,
      orbit,
      calm: calm(),
      stage: this.#size,
      palette: this.#palette,
      label: (item) => this.#label(picture, item),
      strand: (wire) => this.#strand(picture, wire),
    });
    return html`${this.#tools()}<div class="view"><div
      class="space"
      role="group"
      aria-label=${t.graphLabel(program.graph.nodes.length)}
      @click=${this.#clicked}
      @dblclick=${this.#opened}
      @keydown=${this.#steer.key}
      @wheel=${this.#steer.wheel}
      @pointerdown=${this.#down}
    >${inSpace}</div><div class="word turner" tabindex="0" role="application" aria-label=${t.turn3d} @keydown=${this.#turnKey}>${t.hint3d}</div></div>`;
  }

  #label(picture: Picture, id: number): Label {
    const item = picture.items[id];
    const now = itemFrame(picture, this.frame, id, item);
    return {
      key: this.#keyOf(item),
      item,
      now,
      classes: this.#cardClass(picture, id, now.state, now.glow),
      said: this.#said(item, now),
      isPicked: this.node !== null && picture.itemOf[this.node] === id,
      tab: picture.itemOf[this.#focus] === id ? 0 : -1,
    };
  }

  /** A press on words selects them; one beside them takes hold of the picture. */
  #down = (event: PointerEvent): void => {
    if (!(event.target as Element).closest(".words")) this.#steer.down(event);
  };

  #strand(picture: Picture, id: number): Strand {
    const options = this.#edgeOptions(picture, id, 1);
    const its = this.#wireFrame(picture, id);
    // On its way, a contribution is said beside its bead.
    const frame = its.active ? { ...its, push: its.push ?? this.frame.event?.push ?? null } : its;
    return {
      frame,
      said: this.#edgeLabel(picture.edges[id]),
      isMarked: options.selected || options.lit,
      isAsked: options.asked,
      pill: (room) => pillLines(this.program, picture.edges[id][0], frame, options, room),
      pillState: pillState(frame, options),
    };
  }

  #turnKey = (event: KeyboardEvent): void => {
    const ways: Record<string, [number, number]> = {
      ArrowLeft: [-0.1, 0],
      ArrowRight: [0.1, 0],
      ArrowUp: [0, 0.08],
      ArrowDown: [0, -0.08],
    };
    const way = ways[event.key];
    if (!way || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.turn(...way);
  };

  /** From far away, cards one by one only for who is picked, has the focus or acts. */
  #few({ layout, itemOf }: Picture): InView {
    const ids = [this.#focus, this.node].filter((id) => id !== null);
    const items = [...new Set(ids.map((id) => itemOf[id]))];
    const cards = items.map((id) => ({ box: layout.cards[id], id }));
    return { cards, edges: [], passing: "", isFar: true };
  }

  #inView = memo(inView, { alike: [] });

  protected override firstUpdated(): void {
    this.#watch.observe(this.view);
  }

  protected override updated(): void {
    if (!this.program || !this.frame || !this.#size.width) return;
    const { picture } = this;
    const { width, height } = picture.layout;
    const { k } = this.camera;
    const larger = width * k > this.#size.width + 1 || height * k > this.#size.height + 1;
    this.toggleAttribute("roams", larger || this.isDeep);
    this.toggleAttribute("space", this.isDeep);
    this.toggleAttribute("pulls", this.pulls);
    if (this.isDeep) {
      try {
        this.#space!.paint();
      } catch {
        this.#coming = "failed";
        this.requestUpdate();
      }
      return;
    }
    this.#space?.end();
    const options = { final: this.final, node: this.node, signs: true };
    if (this.#far.isShown) {
      const canvas = this.renderRoot.querySelector<HTMLCanvasElement>(".far")!;
      this.#far.paint(
        canvas,
        this.#size,
        this.program,
        picture,
        this.frame,
        this.camera,
        this.#palette,
        options,
      );
    }
    const map = this.renderRoot.querySelector<HTMLCanvasElement>(".map");
    if (!map) return;
    const camera = fit(picture.layout, MAP);
    this.#map.paint(map, MAP, this.program, picture, this.frame, camera, this.#palette, {
      ...options,
      signs: false,
    });
    frameWindow(map, camera, this.camera, this.#size, this.#palette);
  }

  /** The theme's colours, read again when they change. */
  get #palette(): Palette {
    const { color } = getComputedStyle(this);
    if (this.#ink?.color !== color) this.#ink = { color, palette: readPalette(this) };
    return this.#ink.palette;
  }

  // ── Tools for large graphs ─────────────────────────────────────────────────────────────────

  get #isLarge(): boolean {
    return this.program.graph.nodes.length > MANY_NODES || this.opened.size > 0;
  }

  #tools(): unknown {
    if (!this.#isLarge) return nothing;
    const close = html`<button @click=${this.#closeAll}>${t.group.closeAll}</button>`;
    return this.#finder.render(this.opened.size ? close : nothing);
  }

  /** A small picture of all of it, where the window shows a part. */
  #overview(picture: Picture): unknown {
    const { width, height } = picture.layout;
    const { k } = this.camera;
    const all = width * k <= this.#size.width + 4 && height * k <= this.#size.height + 4;
    if (all || !this.#isLarge) return nothing;
    return html`<canvas class="map" role="img" aria-label=${t.map} @pointerdown=${this.#mapDown}></canvas>`;
  }

  #mapDown = (first: PointerEvent): void => {
    first.stopPropagation();
    const map = first.currentTarget as HTMLCanvasElement;
    const camera = fit(this.picture.layout, MAP);
    const go = (event: PointerEvent): void => {
      const bounds = map.getBoundingClientRect();
      const x = (event.clientX - bounds.left - camera.x) / camera.k;
      const y = (event.clientY - bounds.top - camera.y) / camera.k;
      this.lookAt(x, y, { glide: false });
    };
    map.setPointerCapture(first.pointerId);
    map.addEventListener("pointermove", go);
    map.addEventListener("pointerup", () => map.removeEventListener("pointermove", go), {
      once: true,
    });
    go(first);
  };

  // ── Parts of the picture ───────────────────────────────────────────────────────────────────

  /** Letters grow as the picture shrinks: cards have the room, and someone sits in the last row. */
  get #type(): number {
    return Math.min(1.45, Math.max(1, 1 / this.camera.k));
  }

  get #hasDetails(): boolean {
    return this.camera.k >= READABLE[this.picture.face];
  }

  #edgeOptions(picture: Picture, id: number, largest: number): EdgeOptions {
    const edges = picture.edges[id];
    const picked = this.edge && edges.some((one) => isEnd(this.program, one, this.edge!));
    return {
      selected: picked ?? false,
      lit: this.lit ? edges.some((one) => this.lit!.edges.has(one)) : false,
      asked: this.asked !== null && edges.includes(this.asked),
      phase: this.frame.phase,
      details: this.#hasDetails,
      spare: picture.spare,
      width: picture.layout.width,
      type: this.#type,
      largest,
    };
  }

  /** The largest contribution so far, of the wires that are seen. */
  #largest(picture: Picture, view: InView): number {
    let most = 0;
    for (const { id } of view.edges) {
      const edges = picture.edges[id];
      if (edges.length > 1) continue;
      const size = Math.abs(this.frame.push(edges[0])?.contribution ?? 0);
      if (size > most && Number.isFinite(size)) most = size;
    }
    return most || 1;
  }

  /** What a wire shows at this moment: asked for by its line and by its pill. */
  #wireFrame(picture: Picture, id: number): WireFrame {
    if (this.#wires.frame !== this.frame || this.#wires.picture !== picture)
      this.#wires = { frame: this.frame, picture, found: new Map() };
    const { found } = this.#wires;
    let wire = found.get(id);
    if (!wire) {
      wire = wireFrame(picture, this.frame, id, this.program.walk.lost.length > 0);
      found.set(id, wire);
    }
    return wire;
  }

  #edges(picture: Picture, view: InView): unknown {
    const largest = this.#largest(picture, view);
    return svg`<path class="bundle" stroke-width="1.5" d=${view.passing || nothing} />${repeat(
      view.edges,
      ({ key }) => key,
      ({ edge, id }) => {
        const options = this.#edgeOptions(picture, id, largest);
        const frame = this.#wireFrame(picture, id);
        return svg`<g
          class=${edgeClass(edge, frame, options)}
          data-edge=${id}
          role="img"
          aria-label=${this.#edgeLabel(picture.edges[id])}
        >${edgeLines(edge, wireOf(edge, picture.down), frame, options)}</g>`;
      },
    )}`;
  }

  /** What a wire is called; where many edges go along one, by the one that is asked for, or the first. */
  #edgeLabel(edges: readonly number[]): string {
    const { names, graph } = this.program;
    const isAsked = this.asked !== null && edges.includes(this.asked);
    const edge = isAsked ? this.asked! : edges[0];
    const { target, operand } = endOf(this.program, edge);
    const { operands, local_grads } = graph.nodes[target];
    const [from, to] = [names[operands[operand]], names[target]];
    if (isAsked) return t.edgeAsked(from, to);
    // Before it is said, a local derivative is half of the answer.
    if (this.asked !== null && !this.frame.push(edge)) return t.edgePlain(from, to);
    return t.edgeLabel(from, to, num(local_grads[operand]));
  }

  #cards(picture: Picture, view: InView, pulling: Pulling | null): unknown {
    const options: CardOptions = {
      final: this.final,
      compare: this.compare,
      details: this.#hasDetails && !view.isFar,
      signs: view.isFar ? 0 : this.camera.k,
      type: this.#type,
      face: picture.face,
    };
    return repeat(
      view.cards,
      ({ id }) => this.#keyOf(picture.items[id]),
      ({ id }) => this.#card(picture, id, options, pulling),
    );
  }

  #pills(picture: Picture, view: InView): unknown {
    return repeat(
      view.edges,
      ({ key }) => key,
      ({ id }) => {
        const edge = picture.layout.edges[id];
        const options = this.#edgeOptions(picture, id, 1);
        const frame = this.#wireFrame(picture, id);
        return svg`<g data-edge=${id}>${pill(this.program, picture.edges[id][0], edge, frame, options)}</g>`;
      },
    );
  }

  /** What a reader says of a card. */
  #said({ node, group }: Item, now: NodeFrame): string {
    const { program, final } = this;
    return group ? groupLabel(program, group, now, final) : cardLabel(program, node, now, final);
  }

  #card(picture: Picture, id: number, options: CardOptions, pulling: Pulling | null): unknown {
    const item = picture.items[id];
    const box = picture.layout.cards[id];
    const held = pulling && !isConst(this.program.graph.nodes[item.node]) ? pulling : null;
    const moment = itemFrame(picture, this.frame, id, item);
    const now = pulling ? { ...moment, state: "done" as const, glow: 0 } : moment;
    // A finger needs 24 pixels, however small the card; a hair more, as browsers round.
    const spare = options.details ? Math.max(0, (24.01 / this.camera.k - box.height) / 2) : 0;
    const lift = held?.lift(id) ?? 0;
    const transform = `translate(${box.x}px, ${box.y - lift}px)`;
    return svg`<g
      class=${this.#cardClass(picture, id, now.state, now.glow)}
      data-node=${item.node}
      ${vars({ transform, "--glow": now.glow.toFixed(2) })}
    ><g aria-hidden="true">${held ? held.card(item.node, box, lift, options) : item.group ? groupCard(this.program, item.group, this.frame, now, box, options) : card(this.program, item.node, now, box, options)}</g>
      <rect
        class="target"
        rx="8"
        y=${-spare}
        width=${box.width}
        height=${box.height + 2 * spare}
        role="button"
        aria-pressed=${this.node !== null && picture.itemOf[this.node] === id}
        aria-label=${held ? held.said(item.node) : this.#said(item, now)}
        tabindex=${picture.itemOf[this.#focus] === id ? 0 : -1}
      /></g>`;
  }

  #keyOf({ node, group }: Item): string {
    const { graph, names } = this.program;
    if (group) return group.key;
    return isConst(graph.nodes[node]) ? `${names[node]}:${node}` : names[node];
  }

  #cardClass(picture: Picture, id: number, state: string, glow: number): string {
    const { walk, graph } = this.program;
    const { node: own, group } = picture.items[id];
    const node = graph.nodes[own];
    const words = ["card", this.frame.phase, state];
    if (group) words.push("group");
    else if (isConst(node)) words.push("const");
    else if (!node.operands.length) words.push("leaf");
    if (own === graph.root) words.push("root");
    if (glow > 0) words.push("fresh");
    if (this.node !== null && picture.itemOf[this.node] === id) words.push("selected");
    if (this.lit && (group ? group.nodes : [own]).some((one) => this.lit!.nodes.has(one)))
      words.push("lit");
    if (this.compare && this.frame.grad(own) === walk.grads[own] && wrongIn(walk).has(own))
      words.push("wrong");
    return words.join(" ");
  }
}

/** Where the large picture's window lies, drawn over the overview. */
function frameWindow(
  map: HTMLCanvasElement,
  to: Camera,
  { x, y, k }: Camera,
  size: Size,
  palette: Palette,
): void {
  const c = map.getContext("2d")!;
  const ratio = map.width / MAP.width;
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.strokeStyle = palette.text;
  c.lineWidth = 1.5;
  const scale = to.k / k;
  c.strokeRect(to.x - x * scale, to.y - y * scale, size.width * scale, size.height * scale);
}

customElements.define("gradwalk-scene", GradwalkScene);
