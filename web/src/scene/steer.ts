/** Keys, wheel and pointers of the scene: the focus moves along edges, the picture by hand. */

import type { Program } from "../app/derive.ts";
import type { EdgeRef } from "../app/state.ts";
import { isConst } from "../core/index.ts";
import { endOf, isEnd } from "./find.ts";
import { swallowClick, tellPull } from "./hold.ts";
import type { Picture } from "./picture.ts";

/** What a hand moves: a picture in its window. */
export interface Held extends HTMLElement {
  readonly view: Element;
  zoom(factor: number, x: number, y: number): void;
  drag(dx: number, dy: number): void;
  pan(dx: number, dy: number): void;
}

/** The scene, as far as it is needed here. */
export interface Steered extends Held {
  readonly program: Program;
  readonly picture: Picture;
  readonly edge: EdgeRef | null;
  readonly pulls: boolean;
  open(node: number): void;
  focusNode(node: number, along: EdgeRef | null): void;
  pick(node: number | null, edge: EdgeRef | null): void;
}

export interface Steer {
  key: (event: KeyboardEvent) => void;
  wheel: (event: WheelEvent) => void;
  down: (event: PointerEvent) => void;
}

export function steer(scene: Steered): Steer {
  return {
    key: (event) => key(scene, event),
    wheel: (event) => wheel(scene, event),
    down: (event) => grasped(scene, event),
  };
}

function key(scene: Steered, event: KeyboardEvent): void {
  const part = (event.target as Element).closest<SVGGElement>("[data-node]");
  if (!part || event.ctrlKey || event.metaKey || event.altKey) return;
  const id = Number(part.dataset.node);
  const up = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (event.shiftKey) {
    if (!up || !scene.pulls || !part.matches(".leaf")) return;
    tellPull(scene, { node: id, more: up });
  } else if (event.key === "Enter") scene.open(id);
  else if (event.key.startsWith("Arrow")) {
    const [to, edge] = neighbour(scene.program, scene.picture, id, event.key);
    if (to !== null) scene.focusNode(to, edge);
  } else if (event.key === "PageDown" || event.key === "PageUp") {
    const edge = nextEdge(scene, id, event.key === "PageDown" ? 1 : -1);
    if (edge) scene.pick(null, edge);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The arrows of a card one by one, into it and out of it: of `a*a` both. */
function nextEdge({ program, picture, edge }: Steered, id: number, way: number): EdgeRef | null {
  const item = picture.itemOf[id];
  const own = picture.layout.edges.flatMap(({ source, target }, wire) =>
    source === item || target === item ? picture.edges[wire] : [],
  );
  if (!own.length) return null;
  const now = edge ? own.findIndex((one) => isEnd(program, one, edge)) : -1;
  const next = now < 0 ? (way > 0 ? 0 : own.length - 1) : (now + way + own.length) % own.length;
  return endOf(program, own[next]);
}

/**
 * Left is to the first input, right to a consumer, up and down to the neighbours of a column. In a
 * picture that goes down, up is to the input.
 */
export function neighbour(
  program: Program,
  { layout, items, itemOf, edges, down }: Picture,
  id: number,
  way: string,
): [number | null, EdgeRef | null] {
  const item = itemOf[id];
  const [back, on, next] = down
    ? ["ArrowUp", "ArrowDown", "ArrowRight"]
    : ["ArrowLeft", "ArrowRight", "ArrowDown"];
  if (way === back || way === on) {
    const wires = layout.edges
      .map((edge, wire) => ({ to: way === back ? edge.source : edge.target, edge, wire }))
      .filter(({ edge }) => (way === back ? edge.target : edge.source) === item);
    const wire = wires.find(({ to }) => !isConst(program.graph.nodes[items[to].node])) ?? wires[0];
    return wire ? [items[wire.to].node, endOf(program, edges[wire.wire][0])] : [null, null];
  }
  // The far sides of a column's cards are aligned.
  const side = (other: number): number => {
    const { x, y, width, height } = layout.cards[other];
    return down ? y + height : x + width;
  };
  const place = (other: number): number => (down ? layout.cards[other].x : layout.cards[other].y);
  const sign = way === next ? 1 : -1;
  let best: number | null = null;
  layout.cards.forEach((_, other) => {
    const ahead = (place(other) - place(item)) * sign;
    if (side(other) !== side(item) || ahead <= 0) return;
    if (best === null || ahead < (place(best) - place(item)) * sign) best = other;
  });
  return [best === null ? null : items[best].node, null];
}

export function wheel(scene: Held, event: WheelEvent): void {
  // A plain wheel scrolls the page; with Ctrl, and so by pinching a touchpad, it zooms.
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  const bounds = scene.view.getBoundingClientRect();
  scene.zoom(
    Math.exp(-event.deltaY * 0.004),
    event.clientX - bounds.left,
    event.clientY - bounds.top,
  );
}

const SLACK = 5;

/** Drag to pan; two fingers zoom. A press that hardly moves is a click and stays one. */
export function grasped(scene: Held, first: PointerEvent): void {
  if (first.button !== 0 || scene.dataset.dragging) return;
  const at = new Map([[first.pointerId, { x: first.clientX, y: first.clientY }]]);
  let panning = false;
  const spread = (): number => {
    const [p, q] = [...at.values()];
    return q ? Math.hypot(p.x - q.x, p.y - q.y) : 0;
  };
  const start = { x: first.clientX, y: first.clientY };
  scene.dataset.dragging = "maybe";
  const joined = (event: PointerEvent): void => {
    if (at.size < 2) at.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const moved = (event: PointerEvent): void => {
    const was = at.get(event.pointerId);
    if (!was) return;
    if (!panning && Math.hypot(event.clientX - start.x, event.clientY - start.y) < SLACK) return;
    panning = true;
    scene.dataset.dragging = "yes";
    const before = spread();
    at.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (at.size === 2 && before > 0) {
      const bounds = scene.view.getBoundingClientRect();
      const [p, q] = [...at.values()];
      scene.zoom(spread() / before, (p.x + q.x) / 2 - bounds.left, (p.y + q.y) / 2 - bounds.top);
    }
    const [dx, dy] = [(event.clientX - was.x) / at.size, (event.clientY - was.y) / at.size];
    if (at.size === 2 || event.shiftKey) scene.pan(dx, dy);
    else scene.drag(dx, dy);
  };
  const ended = (event: PointerEvent): void => {
    at.delete(event.pointerId);
    if (at.size) return;
    removeEventListener("pointermove", moved);
    removeEventListener("pointerup", ended);
    removeEventListener("pointercancel", ended);
    scene.removeEventListener("pointerdown", joined);
    // The click that ends a drag must not pick what happens to lie under it.
    if (panning) swallowClick();
    setTimeout(() => delete scene.dataset.dragging);
  };
  addEventListener("pointermove", moved);
  addEventListener("pointerup", ended);
  addEventListener("pointercancel", ended);
  scene.addEventListener("pointerdown", joined);
}
