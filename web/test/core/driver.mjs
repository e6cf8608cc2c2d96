/**
 * Answers questions about the browser's engine: a line is a list of questions, or of answers.
 *
 *   node driver.mjs CORE     CORE is the engine as JavaScript: a bundle of test/core/contract.ts
 *
 * tests/test_web_core.py asks, and compares the answers with Python's. Where the sign of a zero or a
 * nan matters, doubles travel as the 16 hex digits of their bits; `exact` does that to structures.
 */

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const core = await import(pathToFileURL(process.argv[2]).href);
const { BY_NAME, Buffers, GradwalkError, Value } = core;

const view = new DataView(new ArrayBuffer(8));

function bits(x) {
  if (Number.isNaN(x)) return "nan";
  view.setFloat64(0, x);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

function double(text) {
  if (text === "nan") return NaN;
  view.setBigUint64(0, BigInt(`0x${text}`));
  return view.getFloat64(0);
}

/** Every number in a structure as its bits. */
function exact(thing) {
  if (typeof thing === "number") return bits(thing);
  if (Array.isArray(thing)) return thing.map(exact);
  if (thing === null || typeof thing !== "object") return thing;
  return Object.fromEntries(Object.entries(thing).map(([key, value]) => [key, exact(value)]));
}

/** The other way: what `exact` made of a graph's nodes, as a graph. */
function graphFrom(rows) {
  const word = (x) => (Number.isFinite(x) ? x : String(x));
  const number = (text) => word(double(text));
  const nodes = rows.map((row, id) => ({
    ...row,
    id,
    data: number(row.data),
    grad: number(row.grad),
    local_grads: row.local_grads.map(number),
  }));
  return core.graphFromJson({ nodes });
}

function recorded(root) {
  const order = core.topologicalOrder(root);
  const ids = new Map(order.map((value, id) => [value, id]));
  return order.map((value) => ({
    op: value._op,
    label: value.label,
    data: bits(value.data),
    grad: bits(value.grad),
    children: value._children.map((child) => ids.get(child)),
    local_grads: value._local_grads.map(bits),
  }));
}

/** What can be told about a graph: its walk, those with orders and bugs, paths, layouts. */
function explained(graph, { orders, bugs = [], to = [], layouts = [] }) {
  if (!orders) return { layouts: layouts.map((options) => core.layout(graph, options)) };
  return {
    walk: core.walkJson(core.walk(graph)),
    orders: orders.map((options) => tried(() => told(graph, options))),
    bugs: bugs.map((bug) => tried(() => told(graph, { bug }))),
    paths: to.map(([id, most]) => tried(() => core.pathsJson(core.paths(graph, id, most)))),
    layouts: layouts.map((options) => core.layout(graph, options)),
  };
}

/** What an order or a bug makes of a walk; the sort and forward are as ever. */
function told(graph, options) {
  const { order, backward, grads, expected, lost, bug } = core.walkJson(core.walk(graph, options));
  return { order, backward, grads, expected, lost, bug };
}

function tried(question) {
  try {
    return question();
  } catch (error) {
    if (!(error instanceof GradwalkError)) throw error;
    const { name, said, column } = error;
    const message = core.messageText(said);
    return { error: { name, message, column: column ?? null, shown: core.shown(error) } };
  }
}

const ANSWERS = {
  table: () =>
    core.TABLE.map((op) => ({
      name: op.name,
      symbol: op.symbol,
      operands: op.operands,
      formulas: op.formulas,
      reason: op.reason,
      probes: exact(op.probes),
      edges: exact(op.edges),
      infix: op.infix,
      derived: op.derived,
      stands_for: op.stands_for,
      selects: op.selects,
      aliases: op.aliases,
      defaults: exact(op.defaults),
      arity: op.arity,
      is_function: op.isFunction,
      is_method: op.isMethod,
      least: op.least,
    })),
  words: () => ({
    bugs: core.BUGS,
    nary: Object.fromEntries(core.NARY_REASONS),
    functions: Object.fromEntries([...core.FUNCTIONS].map(([name, op]) => [name, op.name])),
    limits: [core.MAX_BYTES, core.MAX_DEPTH],
  }),
  members: () => ({
    fields: Object.keys(new Value(1)),
    methods: Object.getOwnPropertyNames(Value.prototype),
    statics: Object.getOwnPropertyNames(Value),
    buffers: Object.keys(new Buffers()),
    walk: Object.keys(core.walk(new Value(1))),
    node: Object.keys(core.snapshot(new Value(1)).nodes[0]),
  }),
  values: ({ name, points }) =>
    points.map((point) => bits(BY_NAME.get(name).value(...point.map(double)))),
  partials: ({ name, points }) =>
    points.map((point) =>
      BY_NAME.get(name).partials.map((rule) => bits(rule(...point.map(double)))),
    ),
  numbers: ({ numbers }) => numbers.map(double).map((x) => [core.number(x), core.repr(x)]),
  texts: ({ texts }) => texts.map((text) => [core.repr(text), core.codePoints(text)]),
  parse: ({ text, strict }) =>
    tried(() => {
      const { names, nodes, ...expression } = core.parse(text, { strict });
      return {
        names,
        nodes: exact(nodes),
        text: expression.text,
        normal: String(core.parse(text)),
      };
    }),
  evaluate: ({ text, strict, values, ...questions }) =>
    tried(() => {
      const given = new Map(values.map(([name, data]) => [name, double(data)]));
      const { root, leaves } = core.parse(text, { strict }).bind(given);
      const graph = core.snapshot(root);
      const before = recorded(root);
      root.backward();
      return {
        recorded: before,
        leaves: [...leaves].map(([name, leaf]) => [name, bits(leaf.grad)]),
        grads: recorded(root).map((row) => row.grad),
        folded: exact(core.graphJson(graph)),
        unfolded: exact(core.graphJson(graph.unfold())),
        ...explained(graph, questions),
      };
    }),
  graph: ({ nodes, ...questions }) => {
    const graph = graphFrom(nodes);
    return {
      refolded: exact(core.graphJson(graph.fold())),
      unfolded: exact(core.graphJson(graph.unfold())),
      ...explained(graph, questions),
    };
  },
  program: ({ leaves, steps, times }) => {
    const nodes = leaves.map(([label, data]) => new Value(double(data), [], "", label));
    const operand = (x) => (typeof x === "number" ? nodes[x] : double(x));
    for (const [way, name, operands] of steps) {
      const [first, ...others] = operands.map(operand);
      const made =
        way === "op" ? core.apply(BY_NAME.get(name), first, ...others) : first[name](...others);
      nodes.push(made);
    }
    const root = nodes[nodes.length - 1];
    const buffers = new Buffers();
    const runs = [];
    for (let i = 0; i < times; i++) {
      root.backward(i % 2 ? undefined : buffers);
      runs.push(recorded(root).map((row) => row.grad));
    }
    const graph = core.snapshot(root);
    const seen = { recorded: recorded(root), folded: exact(core.graphJson(graph)), runs };
    core.zeroGrad(root);
    return {
      ...seen,
      zeroed: recorded(root).every((row) => row.grad === bits(0)),
      text: String(root),
    };
  },
  find: ({ nodes, names }) => {
    const graph = graphFrom(nodes);
    return names.map((name) => tried(() => graph.find(name).id));
  },
  sample: ({ sample, order, bug, to }) => {
    const graph = core.graphFromJson(sample);
    if (to !== undefined) return core.pathsJson(core.paths(graph, to));
    if (!("sort" in sample)) return core.graphJson(graph);
    return core.walkJson(core.walk(graph, { order, bug }));
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    const questions = JSON.parse(line);
    answer = { answers: questions.map(({ ask, ...details }) => ANSWERS[ask](details)) };
  } catch (error) {
    answer = { failure: error.stack };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
