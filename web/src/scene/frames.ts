/** What a card and a wire of a picture show at a moment: many nodes and edges, told as one. */

import type { EdgeFrame, Frame, NodeFrame } from "../app/timeline.ts";
import type { Lost, Push, Walk } from "../core/index.ts";
import { isConst } from "../core/index.ts";
import type { Item, Picture } from "./picture.ts";

export interface WireFrame extends EdgeFrame {
  /** How many edges of the graph go along the wire, and how many have carried a gradient. */
  count: number;
  arrived: number;
}

export function wireFrame(
  picture: Picture,
  frame: Frame,
  wire: number,
  hasLosses: boolean,
): WireFrame {
  const edges = picture.edges[wire];
  if (edges.length === 1) {
    const only = frame.edge(edges[0]);
    return { ...only, count: 1, arrived: only.push ? 1 : 0 };
  }
  const moving = frame.event?.edges.find((edge) => picture.wireOf[edge] === wire);
  const now = moving === undefined ? null : frame.edge(moving);
  let carried = false;
  let arrived = 0;
  let last: Push | null = null;
  let lost: Lost | null = null;
  for (const edge of edges) {
    carried ||= frame.carried(edge);
    if (hasLosses) lost ??= frame.edge(edge).lost;
    const push = frame.push(edge);
    if (!push) continue;
    arrived += 1;
    last = push;
  }
  return {
    forward: now?.forward ?? null,
    backward: now?.backward ?? null,
    active: now !== null,
    carried,
    push: now?.push ?? last,
    lost,
    count: edges.length,
    arrived,
  };
}

/** The frame of a card's node; for a group that of its last node, active while any of it acts. */
export function itemFrame(picture: Picture, frame: Frame, id: number, item: Item): NodeFrame {
  const its = frame.node(item.node);
  if (!item.group) return its;
  const { event } = frame;
  const isActive = event !== null && picture.itemOf[event.node] === id;
  const fresh = event?.push && frame.landed && picture.itemOf[event.push.to] === id;
  const glow = fresh ? frame.node(event.push!.to).glow : its.glow;
  return { ...its, state: isActive ? "active" : its.state, glow };
}

const largest = new WeakMap<Walk, number>();

/** The size of the largest gradient that can be compared with, for colours: found once a walk. */
export function largestGrad(walk: Walk): number {
  let most = largest.get(walk);
  if (most === undefined) {
    most = 0;
    for (let id = 0; id < walk.grads.length; id++) {
      const size = Math.abs(walk.grads[id]);
      if (size > most && Number.isFinite(size) && !isConst(walk.graph.nodes[id])) most = size;
    }
    largest.set(walk, (most ||= 1));
  }
  return most;
}
