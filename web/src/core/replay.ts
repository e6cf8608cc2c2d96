/**
 * A tape computed again with other numbers in its leaves, and walked backward: no node is made.
 *
 * The rules are the rows of the operation table. `replay` is for tapes of primitives, as an unfolded
 * snapshot has them.
 */

import { BY_SYMBOL } from "./ops.ts";
import { TAG_CONST, type Tape } from "./tape.ts";

/** Compute every node from its inputs, and the local gradients with it; then every gradient. */
export function replay(tape: Tape): void {
  const { length, data, grad, start, operand, local, tag } = tape;
  const rows = tape.ops.map((symbol) => BY_SYMBOL.get(symbol) ?? null);
  const [plus, times] = ["+", "*"].map((symbol) => tape.ops.indexOf(symbol));
  for (let id = 0; id < length; id++) {
    const [from, to] = [start[id], start[id + 1]];
    if (from === to) continue;
    const op = tape.op[id];
    if (op === plus) data[id] = data[operand[from]] + data[operand[from + 1]];
    else if (op === times) {
      const [x, y] = [data[operand[from]], data[operand[from + 1]]];
      data[id] = x * y;
      local[from] = y;
      local[from + 1] = x;
    } else {
      const row = rows[op]!;
      const inputs = Array.from(operand.subarray(from, to), (one) => data[one]);
      data[id] = row.value(...inputs);
      for (let e = from; e < to; e++) local[e] = row.partials[e - from](data[id], ...inputs);
    }
    for (let e = from; e < to; e++) if (tag[operand[e]] & TAG_CONST) local[e] = 0;
  }
  grad.fill(0);
  grad[length - 1] = 1;
  for (let id = length - 1; id >= 0; id--) {
    if (grad[id] === 0) continue;
    for (let e = start[id]; e < start[id + 1]; e++)
      if (!(tag[operand[e]] & TAG_CONST)) grad[operand[e]] += local[e] * grad[id];
  }
}
