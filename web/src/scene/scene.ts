/**
 * `<gradwalk-scene>`: the graph in 2D, drawn from a program and a frame.
 *
 * It holds nothing but the camera. Clicks and keys become `pick` events; whoever owns the state
 * answers by new properties. Start reading at `render`.
 */

import {
  css,
  html,
  LitElement,
  nothing,
  type PropertyValues,
  svg,
  type TemplateResult,
  unsafeCSS,
} from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type Box, type Edge, isConst, type Layout } from "../core/index.ts";
import { num } from "../format.ts";
import { memo, type Program } from "../program.ts";
import type { EdgeRef } from "../state.ts";
import { en } from "../strings/en.ts";
import type { Frame } from "../timeline.ts";
import { type Camera, fit, following, held, type Rect, type Size, zoomed } from "./camera.ts";
import { type CardOptions, card, cardLabel, wrongIn } from "./card.ts";
import { vars } from "./css.ts";
import { type EdgeOptions, edgeClass, edgeLines, pill } from "./edge.ts";
import styles from "./scene.css";
import { steer } from "./steer.ts";
import { wireOf } from "./wire.ts";

export interface Pick {
  node: number | null;
  edge: EdgeRef | null;
}

/** Many wires as one path. */
function bundled(edges: readonly { edge: Edge }[]): string {
  return edges.map(({ edge }) => wireOf(edge).middle).join("");
}

/** What of a layout is in the window: it depends on no number, so a slider does not pay for it. */
interface InView {
  cards: readonly { box: Box; id: number }[];
  /** Wires with an end in view. */
  edges: readonly { edge: Edge; id: number; key: string }[];
  /** A wire that only passes by has no end to see: all such are one path, and cost one. */
  passing: string;
}

function inView(layout: Layout, camera: Camera, size: Size): InView {
  const { x, y, k } = camera;
  const all = layout.cards.length <= MANY;
  // Before its size is known, a large picture waits for it: to draw all of it first takes longest.
  if (!all && !size.width) return { cards: [], edges: [], passing: "" };
  const left = -x / k - 200;
  const top = -y / k - 200;
  const right = left + size.width / k + 400;
  const bottom = top + size.height / k + 400;
  const sees = (r: Rect): boolean =>
    all || (r.right >= left && r.left <= right && r.bottom >= top && r.top <= bottom);
  const cards = layout.cards.map((box, id) => ({ box, id })).filter(({ box }) => sees(rectOf(box)));
  if (k < READABLE) return { cards, edges: [], passing: "" };
  const seen = new Set(cards.map(({ id }) => id));
  const crossing = layout.edges
    .map((edge, id) => ({ edge, id, key: `${edge.target}.${edge.operand}.${wireOf(edge).middle}` }))
    .filter(({ edge }) => sees(wireOf(edge)));
  const ends = ({ edge }: { edge: Edge }): boolean =>
    seen.has(edge.source) || seen.has(edge.target);
  return {
    cards,
    edges: crossing.filter(ends),
    passing: bundled(crossing.filter((one) => !ends(one))),
  };
}

function rectOf({ x, y, width, height }: Box): Rect {
  return { left: x, top: y, right: x + width, bottom: y + height };
}

/** Below this scale letters cannot be read, and are not drawn. */
const READABLE = 0.34;
/** From here to there a card shows its sign alone. */
const SIGNS = 0.1;
const MANY = 150;

export class GradwalkScene extends LitElement {
  static override styles = css`${unsafeCSS(styles)}`;
  static override properties = {
    program: { attribute: false },
    frame: { attribute: false },
    node: { attribute: false },
    edge: { attribute: false },
    lit: { attribute: false },
    asked: { attribute: false },
    unfilled: {},
    final: { type: Boolean },
    compare: { type: Boolean },
    camera: { state: true },
  };
  declare program: Program;
  declare frame: Frame;
  declare node: number | null;
  declare edge: EdgeRef | null;
  /** Nodes and edges to stress, as a path does: ids of nodes, indices of edges. */
  declare lit: { nodes: ReadonlySet<number>; edges: ReadonlySet<number> } | null;
  /** While someone predicts: the edge whose number is asked for, −1 for none yet. */
  declare asked: number | null;
  declare unfilled: string;
  declare final: boolean;
  declare compare: boolean;
  declare camera: Camera;

  #size: Size = { width: 0, height: 0 };
  #moved = false;
  #glide = false;
  #focus = 0;
  #watch = new ResizeObserver(() => this.#resized());
  #steer = steer(this);

  constructor() {
    super();
    this.asked = null;
    this.node = null;
    this.edge = null;
    this.lit = null;
    this.unfilled = "--";
    this.final = false;
    this.compare = false;
    this.camera = { x: 0, y: 0, k: 1 };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#watch.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch.disconnect();
  }

  // ── Camera ─────────────────────────────────────────────────────────────────────────────────

  /** Fit at a size one can read; once more, fit the whole. */
  fit(): void {
    this.#moved = false;
    this.#glide = true;
    const near = fit(this.program.layout, this.#size);
    const whole = fit(this.program.layout, this.#size, false);
    this.camera = this.camera.k === near.k ? whole : near;
  }

  zoom(factor: number, x = this.#size.width / 2, y = this.#size.height / 2): void {
    this.#look(zoomed(this.camera, factor, x, y), false);
  }

  pan(dx: number, dy: number): void {
    this.#look({ ...this.camera, x: this.camera.x + dx, y: this.camera.y + dy }, false);
  }

  #look(camera: Camera, glide: boolean): void {
    this.#moved = true;
    this.#glide = glide;
    this.camera = held(camera, this.program.layout, this.#size);
  }

  #resized(): void {
    this.#size = { width: this.clientWidth, height: this.clientHeight };
    if (!this.program || !this.#size.width) return;
    if (!this.#moved) {
      this.camera = fit(this.program.layout, this.#size);
      this.#follow();
    }
    this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("program") as Program | undefined;
    if (changed.has("program") && before?.layout !== this.program.layout) {
      if (before && before.structure !== this.program.structure)
        this.#focus = this.program.graph.root;
      if (!before) this.#focus = this.program.graph.root;
      this.#moved = false;
      this.#glide = before !== undefined;
      if (this.#size.width) this.camera = fit(this.program.layout, this.#size);
    }
    const was = changed.get("frame") as Frame | undefined;
    if (was && was.index !== this.frame.index) this.#follow();
  }

  /** Keep what happens in view, where the picture is larger than its window. */
  #follow(): void {
    const { event } = this.frame;
    const { width, height, cards, edges } = this.program.layout;
    const { k } = this.camera;
    if (!event || (width * k <= this.#size.width + 4 && height * k <= this.#size.height + 4))
      return;
    const box = cards[event.node];
    const target: Rect = {
      left: box.x,
      top: box.y,
      right: box.x + box.width,
      bottom: box.y + box.height,
    };
    for (const id of event.edges) {
      for (const end of [cards[edges[id].source], cards[edges[id].target]]) {
        target.left = Math.min(target.left, end.x);
        target.top = Math.min(target.top, end.y);
        target.right = Math.max(target.right, end.x + end.width);
        target.bottom = Math.max(target.bottom, end.y + end.height);
      }
    }
    this.#glide = true;
    this.camera = following(this.camera, target, this.#size);
  }

  protected override updated(): void {
    if (!this.program) return;
    const { width, height } = this.program.layout;
    const { k } = this.camera;
    const larger = width * k > this.#size.width + 1 || height * k > this.#size.height + 1;
    this.toggleAttribute("roams", larger);
  }

  // ── Picking ────────────────────────────────────────────────────────────────────────────────

  pick(node: number | null, edge: EdgeRef | null = null): void {
    const detail: Pick = { node, edge };
    this.dispatchEvent(new CustomEvent("pick", { detail, bubbles: true, composed: true }));
  }

  /** Move the focus to a card, along an edge where there is one. */
  focusNode(id: number, along: EdgeRef | null = null): void {
    this.#focus = id;
    this.pick(id, along);
    this.requestUpdate();
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<SVGGElement>(`[data-node="${id}"] .target`)?.focus(),
    );
  }

  #clicked = (event: MouseEvent): void => {
    const part = (event.target as Element).closest<SVGGElement>("[data-node], [data-edge]");
    if (!part) {
      this.pick(null);
    } else if (part.dataset.node) {
      this.#focus = Number(part.dataset.node);
      this.pick(this.#focus);
    } else {
      const edge = this.program.layout.edges[Number(part.dataset.edge)];
      this.pick(null, { target: edge.target, operand: edge.operand });
    }
  };

  #opened = (event: MouseEvent): void => {
    const part = (event.target as Element).closest<SVGGElement>("[data-node]");
    if (part) this.open(Number(part.dataset.node));
  };

  open(node: number): void {
    this.dispatchEvent(
      new CustomEvent("open", { detail: { node }, bubbles: true, composed: true }),
    );
  }

  // ── The picture ────────────────────────────────────────────────────────────────────────────

  protected override render(): TemplateResult {
    if (!this.program || !this.frame) return html``;
    const { x, y, k } = this.camera;
    const view = this.#inView(this.program.layout, this.camera, this.#size);
    return html`<svg
      class=${this.#glide ? "glide" : ""}
      role="group"
      aria-label=${en.graphLabel(this.program.graph.nodes.length)}
      @click=${this.#clicked}
      @dblclick=${this.#opened}
      @keydown=${this.#steer.key}
      @wheel=${this.#steer.wheel}
      @pointerdown=${this.#steer.down}
    >
      <g class="camera" ${vars({ transform: `translate(${x}px, ${y}px) scale(${k})`, "--type": String(this.#type), "--thin": `${Math.min(24, 1.25 / Math.min(1, k))}px` })}>
        ${this.#edges(view)}${this.#cards(view)}${this.#pills(view)}
      </g>
    </svg>`;
  }

  #inView = memo(inView, { alike: [] });
  #bundleAll = memo((layout: Layout): string => bundled(layout.edges.map((edge) => ({ edge }))));
  #bundleDone = memo(
    (layout: Layout, ids: string): string =>
      bundled(ids.split(",").map((id) => ({ edge: layout.edges[Number(id)] }))),
    { alike: [] },
  );

  /** Letters grow as the picture shrinks: cards have the room, and someone sits in the last row. */
  get #type(): number {
    const { k } = this.camera;
    return k >= 0.95 ? 1 : k >= 0.75 ? 1.15 : k >= 0.56 ? 1.3 : 1.45;
  }

  #edgeOptions(id: number, largest: number): EdgeOptions {
    const edge = this.program.layout.edges[id];
    return {
      selected: this.edge?.target === edge.target && this.edge.operand === edge.operand,
      lit: this.lit?.edges.has(id) ?? false,
      asked: this.asked === id,
      phase: this.frame.phase,
      details: this.camera.k >= READABLE,
      type: this.#type,
      largest,
    };
  }

  get #largest(): number {
    let most = 0;
    for (const edge of this.frame.edges) {
      if (edge.push && Number.isFinite(edge.push.contribution))
        most = Math.max(most, Math.abs(edge.push.contribution));
    }
    return most || 1;
  }

  /** From far away, where pairs of wires cannot be told apart: all in one path, and what is done. */
  #bundle(): unknown {
    const { layout } = this.program;
    const width = Math.min(24, 1 / this.camera.k);
    const done: number[] = [];
    const now: { edge: Edge; id: number }[] = [];
    this.frame.edges.forEach(({ push, active }, id) => {
      if (push !== null) done.push(id);
      if (active) now.push({ edge: layout.edges[id], id });
    });
    const all = this.#bundleAll(layout);
    const path =
      done.length === layout.edges.length
        ? all
        : done.length
          ? this.#bundleDone(layout, done.join())
          : "";
    return svg`
      <path class="bundle" d=${all} stroke-width=${width} />
      <path class="bundle done" d=${path || nothing} stroke-width=${width} />
      ${now.map(({ edge, id }) => svg`<g class="edge active" data-edge=${id}><path class="bundle now" d=${wireOf(edge).middle} stroke-width=${3 * width} /></g>`)}`;
  }

  #edges(view: InView): unknown {
    if (this.camera.k < READABLE) return this.#bundle();
    const largest = this.#largest;
    return svg`<path class="bundle" stroke-width="1.5" d=${view.passing || nothing} />${repeat(
      view.edges,
      ({ key }) => key,
      ({ edge, id }) => {
        const options = this.#edgeOptions(id, largest);
        const frame = this.frame.edges[id];
        return svg`<g
          class=${edgeClass(edge, frame, options)}
          data-edge=${id}
          role="img"
          aria-label=${this.#edgeLabel(edge, id)}
        >${edgeLines(edge, frame, options)}</g>`;
      },
    )}`;
  }

  #edgeLabel(edge: Edge, id: number): string {
    const { names, graph } = this.program;
    const [source, target] = [names[edge.source], names[edge.target]];
    if (this.asked === id) return en.edgeAsked(source, target);
    // Before it is said, a local derivative is half of the answer.
    if (this.asked !== null && !this.frame.edges[id].push) return en.edgePlain(source, target);
    return en.edgeLabel(source, target, num(graph.nodes[edge.target].local_grads[edge.operand]));
  }

  #pills(view: InView): unknown {
    return view.edges.map(
      ({ edge, id }) =>
        svg`<g data-edge=${id}>${pill(this.program, edge, this.frame.edges[id], this.#edgeOptions(id, 1))}</g>`,
    );
  }

  #cards(view: InView): unknown {
    const { graph, names } = this.program;
    const options: CardOptions = {
      unfilled: this.unfilled,
      final: this.final,
      compare: this.compare,
      details: this.camera.k >= READABLE,
      signs: this.camera.k >= SIGNS,
      type: this.#type,
    };
    return repeat(
      view.cards,
      ({ id }) => (isConst(graph.nodes[id]) ? `${names[id]}:${id}` : names[id]),
      ({ box, id }) => {
        const frame = this.frame.nodes[id];
        // A finger needs 24 pixels, however small the card; a hair more, as browsers round.
        const spare = options.details ? Math.max(0, (24.01 / this.camera.k - box.height) / 2) : 0;
        return svg`<g
          class=${this.#cardClass(id)}
          data-node=${id}
          ${vars({ transform: `translate(${box.x}px, ${box.y}px)`, "--glow": frame.glow.toFixed(2) })}
        ><g aria-hidden="true">${card(this.program, id, frame, box, options)}</g>
          <rect
            class="target"
            rx="8"
            y=${-spare}
            width=${box.width}
            height=${box.height + 2 * spare}
            role="button"
            aria-pressed=${this.node === id}
            aria-label=${options.details ? cardLabel(this.program, id, frame, options) : names[id]}
            tabindex=${id === this.#focus ? 0 : -1}
          /></g>`;
      },
    );
  }

  #cardClass(id: number): string {
    const { walk, graph } = this.program;
    const frame = this.frame.nodes[id];
    const node = graph.nodes[id];
    const words = ["card", this.frame.phase, frame.state];
    if (isConst(node)) words.push("const");
    else if (!node.operands.length) words.push("leaf");
    if (id === graph.root) words.push("root");
    if (frame.glow > 0) words.push("fresh");
    if (this.node === id) words.push("selected");
    if (this.lit?.nodes.has(id)) words.push("lit");
    if (this.compare && frame.grad === walk.grads[id] && wrongIn(walk).has(id)) words.push("wrong");
    return words.join(" ");
  }
}

customElements.define("gradwalk-scene", GradwalkScene);
