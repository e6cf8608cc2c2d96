/**
 * The engine: `Value` with the fields of Python's reference engine, one for one.
 *
 * An operation makes a `Value` that remembers its inputs and, for each input, the local gradient
 * d out / d input at that point. `backward()` sorts the graph so that inputs come before their
 * consumers, seeds the root with 1, and walks the order in reverse:
 *
 *     input.grad += local * node.grad        along every edge
 *
 * Start reading at `backward`, then `topologicalOrder`, then the operators. The rules are rows of
 * `ops`. Where Python has an operator there is a method of the row's name: `a.add(b)`, `a.rsub(1)`.
 */

import { BackwardError, message, OperandError } from "./errors.ts";
import { described, repr } from "./numbers.ts";
import { BY_NAME, dividesPlainly, type Op, type OpAlias, type OpName, real, TABLE } from "./ops.ts";

export const CONST = "const"; // the _op of a plain number that an operation met

export type Operand = Value | number;

const NOTHING: readonly never[] = Object.freeze([]);

/**
 * A number that remembers how it was computed.
 *
 * `_children` are the inputs in order (`a * a` has two), `_local_grads` one number for each. Both are
 * those of the recorded point: changing `.data` later does not change what was computed.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the loop at the end adds the methods
export class Value {
  data: number;
  grad: number;
  label: string;
  _op: string;
  _children: readonly Value[];
  /** null where a `_backward` of its own pushes instead. */
  _local_grads: readonly number[] | null;
  _custom: (() => void) | null;
  /** The file and line that made it, where Python recorded one. */
  _line: readonly [string, number] | null;
  /** The box it was made in: Python names them, a Value of the browser has none. */
  _scope: string;

  /** Make a leaf; or a node from its inputs and, as `_op`, its name or its local gradients. */
  constructor(
    data: number,
    _children: readonly Value[] = NOTHING,
    _op: string | readonly number[] = "",
    label = "",
  ) {
    const number = real(data);
    if (number === null) {
      throw new OperandError(message("value-number", described(data)));
    }
    for (const child of _children) {
      if (!(child instanceof Value)) {
        throw new OperandError(message("input-value", described(child)));
      }
    }
    this.data = number;
    this.grad = 0;
    this.label = label;
    this._children = _children;
    if (typeof _op === "string") {
      this._op = _op;
      this._local_grads = _children.length ? null : NOTHING;
    } else {
      if (_op.length !== _children.length) {
        throw new OperandError(message("local-count", _children.length, _op.length));
      }
      this._op = "";
      this._local_grads = _op;
    }
    this._custom = null;
    this._line = null;
    this._scope = "";
  }

  // ── The walk ───────────────────────────────────────────────────────────────────────────────

  /**
   * Fill `.grad` of every node below: d this / d node.
   *
   * Interior gradients start at 0, leaves accumulate over calls. Either the whole walk happens or,
   * when it throws, no gradient changes.
   */
  backward(buffers: Buffers = new Buffers()): void {
    const { order, visited, stack } = buffers._lend();
    try {
      sort(this, order, visited, stack);
      const before = order.map((node) => node.grad);
      try {
        for (const node of order) {
          if (node._children.length) node.grad = 0;
        }
        this.grad += 1;
        for (let i = order.length - 1; i >= 0; i--) {
          const node = order[i];
          const incoming = node.grad;
          const children = node._children;
          if (incoming === 0 || !children.length) continue;
          const locals = node._local_grads;
          if (locals === null) node._backward();
          else if (incoming - incoming === 0) {
            for (let k = 0; k < children.length; k++) children[k].grad += locals[k] * incoming;
          } else push(node); // an infinite gradient, or nan
        }
      } catch (error) {
        order.forEach((node, i) => {
          node.grad = before[i];
        });
        throw error;
      }
    } finally {
      buffers._return();
    }
  }

  /**
   * Push this node's gradient one step back, to its inputs.
   *
   * Assigning a function of your own, as micrograd's operations do, replaces the local gradients:
   * `backward()` then calls it.
   */
  get _backward(): () => void {
    return this._custom ?? (() => push(this));
  }

  set _backward(custom: () => void) {
    this._custom = custom;
    this._local_grads = null;
  }

  /** The inputs as a set, micrograd's name for them. */
  get _prev(): Set<Value> {
    return new Set(this._children);
  }

  /** Return a leaf with the same data: gradients stop there. */
  detach(): Value {
    return new Value(this.data);
  }

  // ── Operators ──────────────────────────────────────────────────────────────────────────────
  // + * ** are written out because they are most of every graph; the rest of the table becomes
  // methods at the end of this file.

  add(other: Operand): Value {
    if (other instanceof Value) return node(this.data + other.data, "+", [this, other], [1, 1]);
    const right = operand(ADD, other);
    return node(this.data + right.data, "+", [this, right], [1, 0]);
  }

  mul(other: Operand): Value {
    const x = this.data;
    if (other instanceof Value) {
      return node(x * other.data, "*", [this, other], [other.data, x]);
    }
    const right = operand(MUL, other);
    return node(x * right.data, "*", [this, right], [right.data, 0]);
  }

  pow(other: Operand): Value {
    return Value._apply(POW, [this, operand(POW, other)]);
  }

  radd(other: Operand): Value {
    return this.add(other);
  }

  rmul(other: Operand): Value {
    return this.mul(other);
  }

  rpow(other: Operand): Value {
    return operand(POW, other).pow(this);
  }

  // As in micrograd and microGPT, a - b is a + (b * -1) and a / b is a * b**-1, to the last bit. The
  // outer node carries the derived symbol, so that pictures can fold the pair into one. Where b**-1 or
  // b**-2 leaves the normal doubles, a / b is one node, with the row's own derivatives.

  neg(): Value {
    // Where the left one is a constant, `_apply` is what knows that no gradient flows there.
    return renamed(this._op === CONST ? Value._apply(MUL, [this, -1]) : this.mul(-1), "neg");
  }

  sub(other: Operand): Value {
    return renamed(this.add(operand(SUB, other).neg()), "-");
  }

  rsub(other: Operand): Value {
    return renamed(Value._apply(ADD, [operand(SUB, other), this.neg()]), "-");
  }

  div(other: Operand): Value {
    const right = operand(DIV, other);
    if (!dividesPlainly(right.data)) return recorded(DIV, [this, right]);
    return renamed(this.mul(right.pow(-1)), "/");
  }

  rdiv(other: Operand): Value {
    const left = operand(DIV, other);
    if (!dividesPlainly(this.data)) return recorded(DIV, [left, this]);
    return renamed(Value._apply(MUL, [left, this.pow(-1)]), "/");
  }

  abs(): Value {
    return Value._apply(ABS, [this]);
  }

  /** Record one row of the table: its value, and a local gradient for each operand. */
  static _apply(op: Op, operands: readonly Operand[]): Value {
    if (op.derived) return derived(op, operands);
    return recorded(
      op,
      operands.map((x) => operand(op, x)),
    );
  }

  /** The text that Python's repr gives. */
  toString(): string {
    const label = this.label ? `, label=${repr(this.label)}` : "";
    return `Value(data=${repr(this.data)}, grad=${repr(this.grad)}${label})`;
  }
}

// The rows without an operator of their own, and their aliases: `v.exp()`, `y.atan2(x)`.
type Written = "add" | "mul" | "pow" | "neg" | "sub" | "div" | "abs" | "where";
type Methods = {
  [name in Exclude<OpName, Written> | OpAlias]: (...others: Operand[]) => Value;
};
export interface Value extends Methods {}

/** The sort's lists, kept between calls: `root.backward(buffers)`; they hold no node after it. */
export class Buffers {
  readonly order: Value[] = [];
  readonly visited: Set<Value> = new Set();
  readonly stack: [Value, number][] = [];
  _busy = false;

  _lend(): this {
    if (this._busy) {
      throw new BackwardError(message("buffers-busy"));
    }
    this._busy = true;
    return this;
  }

  _return(): void {
    this.order.length = 0;
    this.visited.clear();
    this.stack.length = 0;
    this._busy = false;
  }
}

/** Return the nodes below and including `root`, inputs before consumers, each once. */
export function topologicalOrder(root: Value): Value[] {
  const order: Value[] = [];
  sort(root, order, new Set(), []);
  return order;
}

/** Return a plain number as a node tagged const: it does not vary, its local gradient is 0. */
export function constant(number: number): Value {
  return new Value(number, NOTHING, CONST);
}

/** Record an operation on Values and numbers, at least one of them a Value, defaults filled in. */
export function apply(op: Op, ...operands: Operand[]): Value {
  return Value._apply(op, op.complete(operands));
}

/** Return a leaf with the same data: gradients stop there. */
export function detach(value: Value): Value {
  return value.detach();
}

/** Set gradients to 0: of a root and all below it, or of just the Values in a list. */
export function zeroGrad(values: Value | Iterable<Value>): void {
  for (const value of values instanceof Value ? topologicalOrder(values) : values) value.grad = 0;
}

/** Append the graph to `order`, depth first, with a stack of (node, index of its next input). */
function sort(root: Value, order: Value[], visited: Set<Value>, stack: [Value, number][]): void {
  visited.add(root);
  stack.push([root, 0]);
  let entry = stack.pop();
  while (entry !== undefined) {
    const [parent, from] = entry;
    const children = parent._children;
    let index = from;
    let deeper = false;
    while (index < children.length) {
      const child = children[index];
      index += 1;
      if (visited.has(child)) continue;
      visited.add(child);
      if (child._children.length) {
        entry[1] = index;
        stack.push(entry, [child, 0]);
        deeper = true;
        break;
      }
      order.push(child); // a leaf is done at once: pushing it would only pop it again
    }
    if (!deeper) order.push(parent);
    entry = stack.pop();
  }
}

function push(from: Value): void {
  const locals = from._local_grads;
  if (locals === null) return;
  // 0 times an infinite gradient is nan; the side that was not selected receives nothing.
  const chosenOnly = SELECTS.has(from._op) && !Number.isFinite(from.grad);
  from._children.forEach((child, i) => {
    if (locals[i] !== 0 || !chosenOnly) child.grad += locals[i] * from.grad;
  });
}

/** Make the result of an operation: the one door every node comes through. */
function node(
  data: number,
  op: string,
  children: readonly Value[],
  locals: readonly number[],
): Value {
  const value = new Value(data, children, locals);
  value._op = op;
  return value;
}

function renamed(value: Value, symbol: string): Value {
  value._op = symbol;
  return value;
}

function operand(op: Op, x: Operand): Value {
  if (x instanceof Value) return x;
  const number = real(x);
  if (number === null) {
    throw new OperandError(message("operand-value", op.name, described(x)));
  }
  return constant(number);
}

/** Record one row of the table on Values. */
function recorded(op: Op, inputs: readonly Value[]): Value {
  const { partials } = op;
  // By the number of operands, because spreading a list costs more than the arithmetic.
  if (inputs.length === 1) {
    const [a] = inputs;
    const x = a.data;
    const out = op.value(x);
    return node(out, op.symbol, inputs, [a._op === CONST ? 0 : partials[0](out, x)]);
  }
  if (inputs.length === 2) {
    const [a, b] = inputs;
    const x = a.data;
    const y = b.data;
    const out = op.value(x, y);
    return node(out, op.symbol, inputs, [
      a._op === CONST ? 0 : partials[0](out, x, y),
      b._op === CONST ? 0 : partials[1](out, x, y),
    ]);
  }
  const numbers = inputs.map((input) => input.data);
  const out = op.value(...numbers);
  const locals = inputs.map((x, i) => (x._op === CONST ? 0 : partials[i](out, ...numbers)));
  return node(out, op.symbol, inputs, locals);
}

/** Record a derived row, with a plain number on the left as Python's reflected operators do. */
function derived(op: Op, operands: readonly Operand[]): Value {
  const [left, right] = operands;
  if (op === NEG) return operand(NEG, left).neg();
  if (left instanceof Value) return op === SUB ? left.sub(right) : left.div(right);
  const last = operand(op, right);
  return op === SUB ? last.rsub(left) : last.rdiv(left);
}

const SELECTS: ReadonlySet<string> = new Set(
  TABLE.filter((op) => op.selects).map((op) => op.symbol),
);
const [ADD, MUL, POW, NEG, SUB, DIV, ABS] = ["add", "mul", "pow", "neg", "sub", "div", "abs"].map(
  (name) => BY_NAME.get(name)!,
);

for (const op of TABLE) {
  if (!op.isMethod) continue;
  for (const name of [op.name, ...op.aliases]) {
    Object.defineProperty(Value.prototype, name, {
      value: function (this: Value, ...others: Operand[]): Value {
        return apply(op, this, ...others);
      },
      writable: true,
      configurable: true,
    });
  }
}
