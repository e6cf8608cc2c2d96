/**
 * `<gradwalk-space>`: the same picture in three dimensions, loaded only when asked for.
 *
 * It stands on the 2D layout: from the front it is the same picture, and turning it gives depth. The
 * orbit is clamped, so that every card stays readable. Without WebGL it says so, and 2D remains.
 */

import { css, html, LitElement, type PropertyValues, type TemplateResult } from "lit";
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
import { en } from "../strings/en.ts";
import type { Frame } from "../timeline.ts";
import { type Palette, readPalette } from "./palette.ts";
import { cardPainter, Plate, pillPainter } from "./plate.ts";
import { dashes, tube } from "./tubes.ts";

const TURN_MOST = 0.75;
const TILT_MOST = 0.4;
const DEPTH = 90;

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
  declare final: boolean;
  declare broken: boolean;

  #renderer: WebGLRenderer | null = null;
  #scene = new Scene();
  #camera = new PerspectiveCamera(32, 1, 10, 20_000);
  #world = new Group();
  #cards: Plate[] = [];
  #edges: EdgeParts[] = [];
  /** One dot for each pulse that can be under way at once. */
  #dots: Mesh<SphereGeometry, MeshBasicMaterial>[] = [];
  #built = "";
  #turn = -0.24;
  #tilt = 0.16;
  #near = 1;
  #watch = new ResizeObserver(() => this.#draw());

  constructor() {
    super();
    this.node = null;
    this.final = false;
    this.broken = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#watch.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch.disconnect();
    this.#renderer?.dispose();
    this.#renderer = null;
    this.#built = "";
  }

  // ── The camera, by the same words as the 2D scene ──────────────────────────────────────────

  fit(): void {
    this.#turn = -0.24;
    this.#tilt = 0.16;
    this.#near = 1;
    this.#draw();
  }

  zoom(factor: number): void {
    this.#near = Math.min(2.6, Math.max(0.6, this.#near * factor));
    this.#draw();
  }

  focusNode(): void {
    this.renderRoot.querySelector("canvas")?.focus();
  }

  /** Turn, but never so far that a card could not be read. */
  turn(by: number, tilt: number): void {
    this.#turn = Math.min(TURN_MOST, Math.max(-TURN_MOST, this.#turn + by));
    this.#tilt = Math.min(TILT_MOST, Math.max(-TILT_MOST, this.#tilt + tilt));
    this.#draw();
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

  #down = (first: PointerEvent): void => {
    let { clientX, clientY } = first;
    const moved = (event: PointerEvent): void => {
      this.turn((event.clientX - clientX) * 0.005, (event.clientY - clientY) * 0.004);
      ({ clientX, clientY } = event);
    };
    const ended = (): void => {
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", ended);
    };
    addEventListener("pointermove", moved);
    addEventListener("pointerup", ended);
  };

  protected override render(): TemplateResult {
    if (this.broken) return html`<p role="status">${en.no3d}</p>`;
    return html`<canvas tabindex="0" role="img" aria-label=${`${en.view3d}. ${en.graphLabel(this.program.graph.nodes.length)}`} @pointerdown=${this.#down} @keydown=${this.#pressed}></canvas><p>${en.hint3d}</p>`;
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
    const canvas = this.renderRoot.querySelector("canvas")!;
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
    this.#look(width / height);
    renderer.render(this.#scene, this.#camera);
  }

  #look(aspect: number): void {
    const { layout } = this.program;
    const half = Math.tan((this.#camera.fov * Math.PI) / 360);
    const across = (layout.width * 1.12) / 2 / aspect;
    const distance = (Math.max(layout.height / 2 + 24, across) / half + DEPTH) / this.#near;
    this.#camera.aspect = aspect;
    const flat = Math.cos(this.#tilt) * distance;
    this.#camera.position.set(
      Math.sin(this.#turn) * flat,
      Math.sin(this.#tilt) * distance,
      Math.cos(this.#turn) * flat,
    );
    this.#camera.lookAt(0, 0, 0);
    this.#camera.updateProjectionMatrix();
    // Cards turn half way towards the eye: readable, and still things in space.
    for (const plate of [...this.#cards, ...this.#edges.map((edge) => edge.pill)])
      plate?.mesh.rotation.set(-this.#tilt * 0.7, this.#turn * 0.7, 0);
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
        return new CatmullRomCurve3(
          edge.points.map((p) =>
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
      edge.forward.material.color = new Color(now.carried ? palette.forward : palette.edge);
      if (edge.backward)
        edge.backward.visible = frame.phase === "backward" && (now.push !== null || now.active);
      edge.pill?.paint(pillPainter(now.push, now.active, palette));
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
