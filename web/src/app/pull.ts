/**
 * A leaf that is pulled: what every node and every wire then moves by. Pure; `parts/pull.ts` shows it.
 *
 * Moves are those of the formula, computed again at the new point. Gradients, and the local
 * derivatives on the wires, are those from before: that is what they promise.
 */

import { type Graph, isConst, Push } from "../core/index.ts";
import { graphFor, memo } from "./derive.ts";
import type { Lab } from "./lab.ts";
import { calm } from "./player.ts";
import type { Pull, State } from "./state.ts";

export interface Pulled extends Pull {
  readonly rest: Graph;
  readonly now: Graph;
  readonly leaf: number;
  readonly step: number;
  /** By node: how far it has moved, and how far each unit of the leaf promised to move it. */
  readonly moves: readonly number[];
  readonly slopes: readonly number[];
  /** The largest of these slopes, and of the parts of them that a wire carries. */
  readonly steepest: number;
  /** Whether the output has moved by what the gradient said, but for rounding. */
  readonly straight: boolean;
}

/** So many steps, at most, can a leaf be pulled. */
export const REACH = 8;

/** One step: about a twentieth of a value, as a round number. */
export function stepOf(value: number): number {
  const size = Math.max(1, Math.abs(value)) / 20;
  const ten = 10 ** Math.floor(Math.log10(size));
  return Number(((size >= 5 * ten ? 5 : size >= 2 * ten ? 2 : 1) * ten).toPrecision(1));
}

/** A pull of a leaf by whole steps, no further than it reaches. */
export function pullOf(name: string, value: number, steps: number): Pull {
  const whole = Math.max(-REACH, Math.min(REACH, Math.round(steps)));
  return { name, by: Number((whole * stepOf(value)).toPrecision(12)) };
}

export const pulledAt = (value: number, by: number): number =>
  by ? Number((value + by).toPrecision(15)) : value;

const computed = memo((rest: Graph, now: Graph, pull: Pull): Pulled => {
  const leaf = rest.leaves.find(({ label }) => label === pull.name)!.id;
  const moves = rest.nodes.map(({ data }, id) => moved(data, now.nodes[id].data));
  const slopes: number[] = [];
  let steepest = 0;
  for (const { id, operands, local_grads: locals } of rest.nodes) {
    const carried = operands.map((input, i) =>
      isConst(rest.nodes[input]) ? 0 : locals[i] * slopes[input],
    );
    slopes.push(id === leaf ? 1 : carried.reduce((sum, one) => sum + one, 0));
    for (const one of [...carried, slopes[id]])
      if (Number.isFinite(one)) steepest = Math.max(steepest, Math.abs(one));
  }
  const said = slopes[rest.root] * pull.by;
  const straight = Math.abs(moves[rest.root] - said) <= 1e-9 * Math.max(1, Math.abs(said));
  const step = stepOf(rest.nodes[leaf].data);
  return { ...pull, rest, now, leaf, step, moves, slopes, steepest, straight };
});

/** The difference of two numbers, without the noise of their last digits. */
function moved(from: number, to: number): number {
  const by = to - from;
  const noise = 1e-14 * Math.max(Math.abs(from), Math.abs(to));
  return Number.isFinite(by) ? (Math.abs(by) <= noise ? 0 : Number(by.toPrecision(12))) : by;
}

/** What is pulled on the stage; null where nothing is. */
export function pulledFor(state: State): Pulled | null {
  const { pull, values } = state;
  if (!pull) return null;
  const rest = graphFor(state);
  const value = values.get(pull.name);
  if (value === undefined || !rest.leaves.some(({ label }) => label === pull.name)) return null;
  const there = new Map(values).set(pull.name, pulledAt(value, pull.by));
  return computed(rest, graphFor({ ...state, values: there }), pull);
}

/** What a wire carries of the move of its input: by the local derivative from before. */
export function carriedBy({ rest, moves }: Pulled, target: number, operand: number): Push {
  const node = rest.nodes[target];
  const incoming = moves[node.operands[operand]];
  const contribution = incoming === 0 ? 0 : incoming * node.local_grads[operand];
  return new Push(rest, node, operand, incoming, contribution, 0, moves[target]);
}

/**
 * How large a move is drawn, from −1 to 1: all by one measure, so that they compare, and like
 * rubber, so that the first step shows and the last one fits.
 */
export function drawnAs({ by, step, steepest }: Pulled, move: number): number {
  const most = steepest * (Math.abs(by) + step);
  return most > 0 && Number.isFinite(move) ? Math.max(-1, Math.min(1, move / most)) : 0;
}

const LASTS = 500;

/** Pull to where a hand would be, or, without `to`, let go; where motion is unwelcome, at once. */
export function pullTo(lab: Lab, to: Pull | null): void {
  const { dispatch } = lab;
  const from = lab.state.pull;
  const name = (to ?? from)?.name;
  if (!name) return;
  const begin = from?.name === name ? from.by : 0;
  const end = to?.by ?? 0;
  if (calm() || begin === end) {
    dispatch({ type: "pull", pull: to });
    return;
  }
  let last: Pull = { name, by: begin };
  dispatch({ type: "pull", pull: last });
  let first = 0;
  const go = (now: number): void => {
    // Who takes hold of something meanwhile has taken over.
    if (lab.current().state.pull !== last) return;
    first ||= now;
    const u = Math.min(1, (now - first) / LASTS);
    const by = Number((begin + (end - begin) * (1 - (1 - u) ** 3)).toPrecision(3));
    last = { name, by };
    dispatch({ type: "pull", pull: u < 1 ? last : to });
    if (u < 1) requestAnimationFrame(go);
  };
  requestAnimationFrame(go);
}
