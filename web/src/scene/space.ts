/**
 * `<gradwalk-space>`: the same picture in three dimensions, loaded only when asked for.
 *
 * It stands on the 2D layout: from the front it is the same picture, and turning it gives depth. The
 * orbit is clamped, so that every card stays readable. Over each card lies a target of its size, so
 * that a click, the keys and a reader find the same here as in 2D: `pick` and `open` events, arrows
 * along the edges. Without WebGL it says so, and 2D remains.
 */

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import {
  CatmullRomCurve3,
  Color,
  Group,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Scene,
  SphereGeometry,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from "three";
import type { Program } from "../program.ts";
import type { EdgeRef } from "../state.ts";
import { en } from "../strings/en.ts";
import type { Frame } from "../timeline.ts";
import type { Rect } from "./camera.ts";
import { type CardOptions, cardLabel } from "./card.ts";
import { type Palette, readPalette } from "./palette.ts";
import { cardPainter, Plate, pillPainter } from "./plate.ts";
import type { Pick } from "./scene.ts";
import { neighbour, swallowClick } from "./steer.ts";
import { dashes, tube } from "./tubes.ts";

const TURN_MOST = 0.6;
const TILT_MOST = 0.4;
const TURN = -0.2;
const TILT = 0.12;
/** How far nodes stand before and behind the plane: enough to part wires, too little to hide cards. */
const DEPTH = 36;
const MARGIN = 0.94;
/** A small graph does not fill the window: this many pixels to one of the layout are enough. */
const LARGEST = 1.4;
/** More cards than this have no targets; a click still finds them. */
const MOST_TARGETS = 300;
const NEAR_WIRE = 12;
const UNDER = 16;
const SLACK = 5;

interface EdgeParts {
  forward: Mesh<never, MeshBasicMaterial>;
  backward: Mesh<never, MeshBasicMaterial> | null;
  up: CatmullRomCurve3;
  down: CatmullRomCurve3;
  pill: Plate | null;
}

export class GradwalkSpace extends LitElement {
  static override properties = {
    program: { attribute: false },
    frame: { attribute: false },
    node: { attribute: false },
    edge: { attribute: false },
    theme: {},
    final: { type: Boolean },
    broken: { state: true },
  };
  static override styles = css`
    :host {
      display: block;
      position: relative;
      overflow: hidden;
      min-block-size: 0;
    }
    canvas {
      display: block;
      inline-size: 100%;
      block-size: 100%;
      cursor: grab;
      touch-action: pan-y;
    }
    canvas:focus-visible {
      outline: 2px solid var(--focus);
      outline-offset: -2px;
    }
    .target {
      position: absolute;
      inset-block-start: 0;
      inset-inline-start: 0;
      min-inline-size: 24px;
      min-block-size: 24px;
      border-radius: var(--radius);
      cursor: pointer;
      touch-action: pan-y;
    }
    .target:focus-visible {
      outline: 3px solid var(--focus);
    }
    .target:hover {
      box-shadow: inset 0 0 0 1px var(--text);
    }
    p {
      position: absolute;
      inset-block-end: 8px;
      inset-inline-start: 16px;
      margin: 0;
      color: var(--muted);
      font: var(--small) var(--sans);
      pointer-events: none;
    }
  `;
  declare program: Program;
  declare frame: Frame;
  declare node: number | null;
  declare edge: EdgeRef | null;
  /** The theme that someone chose: colours are read again when it changes. */
  declare theme: string;
  declare final: boolean;
  declare broken: boolean;

  #renderer: WebGLRenderer | null = null;
  #scene = new Scene();
  #camera = new PerspectiveCamera(24, 1, 10, 40_000);
  #world = new Group();
  #cards: Plate[] = [];
  #edges: EdgeParts[] = [];
  /** One dot for each pulse that can be under way at once. */
  #dots: Mesh<SphereGeometry, MeshBasicMaterial>[] = [];
  #built = "";
  #turn = TURN;
  #tilt = TILT;
  #near = 1;
  #focus = -1;
  #watch = new ResizeObserver(() => this.#draw());
  #scheme = matchMedia("(prefers-color-scheme: dark)");
  #repaint = (): void => this.#draw();

  constructor() {
    super();
    this.node = null;
    this.edge = null;
    this.theme = "auto";
    this.final = false;
    this.broken = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#watch.observe(this);
    this.#scheme.addEventListener("change", this.#repaint);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch.disconnect();
    this.#scheme.removeEventListener("change", this.#repaint);
    this.#renderer?.dispose();
    this.#renderer = null;
    this.#built = "";
  }

  // ── The camera, by the same words as the 2D scene ──────────────────────────────────────────

  fit(): void {
    this.#turn = TURN;
    this.#tilt = TILT;
    this.#near = 1;
    this.#draw();
  }

  zoom(factor: number): void {
    this.#near = Math.min(2.6, Math.max(0.6, this.#near * factor));
    this.#draw();
  }

  /** Move the focus to a card, along an edge where there is one. */
  focusNode(id: number, along: EdgeRef | null = null): void {
    this.#focus = id;
    this.#pick(id, along);
    this.requestUpdate();
    void this.updateComplete.then(() => (this.#target(id) ?? this.canvas)?.focus());
  }

  #target(id: number): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(`[data-node="${id}"]`);
  }

  #pick(node: number | null, edge: EdgeRef | null = null): void {
    const detail: Pick = { node, edge };
    this.dispatchEvent(new CustomEvent("pick", { detail, bubbles: true, composed: true }));
  }

  /** Turn, but never so far that a card could not be read. */
  turn(by: number, tilt: number): void {
    this.#turn = Math.min(TURN_MOST, Math.max(-TURN_MOST, this.#turn + by));
    this.#tilt = Math.min(TILT_MOST, Math.max(-TILT_MOST, this.#tilt + tilt));
    this.#draw();
  }

  get canvas(): HTMLCanvasElement | null {
    return this.renderRoot.querySelector("canvas");
  }

  get orbit(): { turn: number; tilt: number } {
    return { turn: this.#turn, tilt: this.#tilt };
  }

  #pressed = (event: KeyboardEvent): void => {
    const ways: Record<string, [number, number]> = {
      ArrowLeft: [-0.08, 0],
      ArrowRight: [0.08, 0],
      ArrowUp: [0, 0.06],
      ArrowDown: [0, -0.06],
    };
    const way = ways[event.key];
    if (!way || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.turn(...way);
  };

  #cardKey = (event: KeyboardEvent): void => {
    const id = Number((event.target as HTMLElement).dataset.node);
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === "Enter")
      this.dispatchEvent(
        new CustomEvent("open", { detail: { node: id }, bubbles: true, composed: true }),
      );
    else if (event.key.startsWith("Arrow")) {
      const [to, edge] = neighbour(this.program, id, event.key);
      if (to !== null) this.focusNode(to, edge);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Drag to turn. A press that hardly moves is a click, and picks. */
  #down = (first: PointerEvent): void => {
    if (first.button !== 0) return;
    let { clientX, clientY } = first;
    let turning = false;
    const moved = (event: PointerEvent): void => {
      const far = Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY);
      if (!turning && far < SLACK) return;
      turning = true;
      this.turn((event.clientX - clientX) * 0.005, (event.clientY - clientY) * 0.004);
      ({ clientX, clientY } = event);
    };
    const ended = (): void => {
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", ended);
      removeEventListener("pointercancel", ended);
      if (turning) swallowClick();
    };
    addEventListener("pointermove", moved);
    addEventListener("pointerup", ended);
    addEventListener("pointercancel", ended);
  };

  #clicked = (event: MouseEvent): void => {
    const bounds = this.getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
    const target = (event.target as Element).closest<HTMLElement>("[data-node]");
    const under = this.#cards.findIndex((plate) => {
      const { left, top, right, bottom } = this.#outline(plate);
      return x >= left && x <= right && y >= top && y <= bottom;
    });
    const card = target ? Number(target.dataset.node) : under;
    if (card >= 0) {
      this.#focus = card;
      this.#pick(card);
      return;
    }
    const found = this.#edges.findIndex((edge) =>
      [edge.up, edge.down].some((way) =>
        way.getPoints(32).some((point) => {
          const at = this.#onScreen(point);
          return Math.hypot(at.x - x, at.y - y) < NEAR_WIRE;
        }),
      ),
    );
    const edge = this.program.layout.edges[found];
    this.#pick(null, edge ? { target: edge.target, operand: edge.operand } : null);
  };

  protected override render(): TemplateResult {
    if (this.broken) return html`<p role="status">${en.no3d}</p>`;
    const { nodes, root } = this.program.graph;
    const focus = nodes[this.#focus] ? this.#focus : root;
    const options = { unfilled: "--", final: this.final, compare: false } as CardOptions;
    return html`<div class="all" @pointerdown=${this.#down} @click=${this.#clicked}>
      <canvas tabindex="0" role="img" aria-label=${`${en.view3d}. ${en.graphLabel(nodes.length)}. ${en.hint3d}`} @keydown=${this.#pressed}></canvas>
      <div role="group" aria-label=${en.graphLabel(nodes.length)} @keydown=${this.#cardKey}>
        ${nodes.length > MOST_TARGETS ? nothing : nodes.map((_, id) => html`<div class="target" role="button" data-node=${id} tabindex=${id === focus ? 0 : -1} aria-pressed=${this.node === id} aria-label=${cardLabel(this.program, id, this.frame.nodes[id], options)}></div>`)}
      </div></div><p>${en.hint3d}</p>`;
  }

  protected override updated(_changed: PropertyValues): void {
    if (this.broken) return;
    try {
      this.#renderer ??= this.#start();
    } catch {
      this.broken = true;
      return;
    }
    this.#draw();
  }

  #start(): WebGLRenderer {
    const canvas = this.canvas!;
    const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    renderer.outputColorSpace = SRGBColorSpace;
    this.#scene.add(this.#world);
    return renderer;
  }

  // ── The world ──────────────────────────────────────────────────────────────────────────────

  #draw(): void {
    const renderer = this.#renderer;
    const { clientWidth: width, clientHeight: height } = this;
    if (!renderer || !this.program || !this.frame || !width || !height) return;
    const palette = readPalette(this);
    const key = `${this.program.structure} ${palette.text}`;
    if (key !== this.#built) this.#build(palette);
    this.#built = key;
    this.#paint(palette);
    renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    renderer.setSize(width, height, false);
    this.#look(width, height);
    renderer.render(this.#scene, this.#camera);
    this.#place();
  }

  /** Stand where the whole picture is seen and fills the window, whichever way it is turned. */
  #look(width: number, height: number): void {
    const camera = this.#camera;
    const half = Math.tan((camera.fov * Math.PI) / 360);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    // Cards turn most of the way towards the eye: readable, and still things in space.
    for (const plate of [...this.#cards, ...this.#edges.map((edge) => edge.pill)]) {
      plate?.mesh.rotation.set(-this.#tilt * 0.85, this.#turn * 0.85, 0);
      plate?.mesh.updateMatrixWorld();
    }
    const { layout } = this.program;
    const centre = new Vector3();
    let distance = Math.max(layout.height, layout.width / camera.aspect) / 2 / half + DEPTH;
    const back = new Vector3(
      Math.sin(this.#turn) * Math.cos(this.#tilt),
      Math.sin(this.#tilt),
      Math.cos(this.#turn) * Math.cos(this.#tilt),
    );
    const stand = (far: number): void => {
      camera.position.copy(centre).addScaledVector(back, far);
      camera.lookAt(centre);
      camera.updateMatrixWorld();
    };
    // Perspective makes near cards larger: a few steps of "how far off is it?" find the place.
    for (let i = 0; i < 6; i++) {
      stand(distance);
      let [left, right, bottom, top] = [1, -1, 1, -1];
      for (const plate of this.#cards)
        for (const corner of plate.corners()) {
          corner.project(camera);
          left = Math.min(left, corner.x);
          right = Math.max(right, corner.x);
          bottom = Math.min(bottom, corner.y);
          top = Math.max(top, corner.y);
        }
      const reach = distance * half;
      centre.x += ((left + right) / 2) * reach * camera.aspect;
      centre.y += ((bottom + top) / 2) * reach;
      distance *= Math.max((right - left) / 2, (top - bottom) / 2) / MARGIN;
      distance = Math.max(distance, height / 2 / half / LARGEST);
    }
    stand(distance / this.#near);
  }

  #onScreen(point: Vector3): { x: number; y: number } {
    const { x, y } = point.clone().project(this.#camera);
    return { x: ((x + 1) / 2) * this.clientWidth, y: ((1 - y) / 2) * this.clientHeight };
  }

  /** The rectangle around a card as it is seen. */
  #outline(plate: Plate): Rect {
    const corners = plate.corners().map((corner) => this.#onScreen(corner));
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    return {
      left: Math.min(...xs),
      top: Math.min(...ys),
      right: Math.max(...xs),
      bottom: Math.max(...ys),
    };
  }

  /** Targets lie where their cards are seen. */
  #place(): void {
    for (const target of this.renderRoot.querySelectorAll<HTMLElement>("[data-node]")) {
      const plate = this.#cards[Number(target.dataset.node)];
      if (!plate) continue;
      const { left, top, right, bottom } = this.#outline(plate);
      target.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
      target.style.width = `${(right - left).toFixed(1)}px`;
      target.style.height = `${(bottom - top).toFixed(1)}px`;
      target.classList.add("placed");
    }
  }

  #at(x: number, y: number, z: number): Vector3 {
    const { width, height } = this.program.layout;
    return new Vector3(x - width / 2, height / 2 - y, z);
  }

  /** How far towards the eye a node stands: neighbours differ, so that wires part when turned. */
  #depth(id: number): number {
    return DEPTH * Math.sin(id * 2.4);
  }

  #build(palette: Palette): void {
    this.#world.clear();
    const { layout, graph } = this.program;
    this.#cards = layout.cards.map((box, id) => {
      const plate = new Plate(box.width, box.height);
      plate.mesh.position.copy(
        this.#at(box.x + box.width / 2, box.y + box.height / 2, this.#depth(id)),
      );
      this.#world.add(plate.mesh);
      return plate;
    });
    this.#edges = layout.edges.map((edge) => {
      const from = this.#depth(edge.source);
      const to = this.#depth(edge.target);
      const line = (side: number): CatmullRomCurve3 => {
        const [first] = edge.points;
        const last = edge.points.at(-1)!;
        // Cards turn, and so do their edges: wires end under them, where they are not seen.
        const ends = [
          { ...first, x: first.x - UNDER },
          ...edge.points,
          { ...last, x: last.x + UNDER },
        ];
        return new CatmullRomCurve3(
          ends.map((p) =>
            this.#at(
              p.x,
              p.y + side * p.spread,
              from + ((to - from) * (p.x - first.x)) / Math.max(1, last.x - first.x) - 2,
            ),
          ),
          false,
          "centripetal",
        );
      };
      const [up, down] = [line(-1), line(1)];
      const forward = tube(up, 1.6, palette.edge);
      this.#world.add(forward);
      const backward = edge.pill ? dashes(down, 2, palette.backward) : null;
      if (backward) this.#world.add(backward);
      const pill = edge.pill ? new Plate(edge.pill.width, edge.pill.height + 6) : null;
      if (pill && edge.pill) {
        pill.mesh.position.copy(down.getPoint(0.5).add(new Vector3(0, 0, 8)));
        pill.mesh.position.x = this.#at(edge.pill.x + edge.pill.width / 2, 0, 0).x;
        pill.mesh.position.y = this.#at(0, edge.pill.y + edge.pill.height / 2, 0).y;
        this.#world.add(pill.mesh);
      }
      return { forward, backward, up, down, pill } as EdgeParts;
    });
    const most = Math.max(1, ...graph.nodes.map((node) => node.operands.length));
    this.#dots = Array.from(
      { length: most },
      () => new Mesh(new SphereGeometry(9, 20, 14), new MeshBasicMaterial()),
    );
    for (const dot of this.#dots) this.#world.add(dot);
  }

  #paint(palette: Palette): void {
    const { frame, program } = this;
    this.#cards.forEach((plate, id) => {
      plate.paint(cardPainter(program, id, frame, palette, this.final, this.node === id));
    });
    let used = 0;
    this.#edges.forEach((edge, id) => {
      const now = frame.edges[id];
      const { target, operand } = program.layout.edges[id];
      const picked = this.edge?.target === target && this.edge.operand === operand;
      edge.forward.material.color = new Color(
        picked ? palette.text : now.carried ? palette.forward : palette.edge,
      );
      if (edge.backward)
        edge.backward.visible = frame.phase === "backward" && (now.push !== null || now.active);
      const local = program.graph.nodes[target].local_grads[operand];
      edge.pill?.paint(pillPainter(now.push, now.active, picked, local, palette));
      const u = now.forward ?? now.backward;
      const dot = this.#dots[used];
      if (u === null || !dot) return;
      used += 1;
      const way = now.forward !== null ? edge.up : edge.down;
      dot.position.copy(way.getPointAt(now.forward !== null ? u : 1 - u));
      dot.material.color = new Color(now.forward !== null ? palette.forward : palette.backward);
    });
    this.#dots.forEach((dot, i) => {
      dot.visible = i < used;
    });
  }
}

customElements.define("gradwalk-space", GradwalkSpace);
