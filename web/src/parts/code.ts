/** The engine in fifteen lines, and the one that runs now with its numbers beside it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Program } from "../app/derive.ts";
import type { Frame, Happening } from "../app/timeline.ts";
import { num } from "../strings/format.ts";
import { t } from "../strings/index.ts";
import { is } from "../teach/arithmetic.ts";
import { turnOf } from "../teach/narration.ts";

/** A line and its name; the walk refers to lines by name. */
type Line = readonly [name: string, text: string];

/** What runs forward, by operation. */
const RULES: Readonly<Record<string, readonly Line[]>> = {
  "+": [
    ["", "def __add__(self, other):"],
    ["+", "    return Value(self.data + other.data,"],
    ["", "        (self, other), (1, 1))"],
  ],
  "*": [
    ["", "def __mul__(self, other):"],
    ["*", "    return Value(self.data * other.data,"],
    ["", "        (self, other),"],
    ["", "        (other.data, self.data))"],
  ],
  tanh: [
    ["", "def tanh(self):"],
    ["tanh", "    t = math.tanh(self.data)"],
    ["other", "    return Value(t, (self,), (1 - t * t,))"],
  ],
  "-": [
    ["", "def __sub__(self, other):"],
    ["-", "    return self + (other * -1)"],
  ],
  "/": [
    ["", "def __truediv__(self, other):"],
    ["/", "    return self * other**-1"],
  ],
  neg: [
    ["", "def __neg__(self):"],
    ["neg", "    return self * -1"],
  ],
  "**": [
    ["", "def __pow__(self, n):"],
    ["**", "    return Value(self.data**n,"],
    ["", "        (self,), (n * self.data**(n - 1),))"],
  ],
  relu: [
    ["", "def relu(self):"],
    ["relu", "    return Value(max(0, self.data),"],
    ["", "        (self,), (float(self.data > 0),))"],
  ],
  exp: [
    ["", "def exp(self):"],
    ["exp", "    e = math.exp(self.data)"],
    ["", "    return Value(e, (self,), (e,))"],
  ],
  log: [
    ["", "def log(self):"],
    ["log", "    return Value(math.log(self.data),"],
    ["", "        (self,), (1 / self.data,))"],
  ],
};

const SORT: readonly Line[] = [
  ["", "topo, visited, stack = [], {self}, [(self, 0)]"],
  ["", "while stack:"],
  ["pop", "    node, i = stack.pop()"],
  ["", "    if i == len(node._children):"],
  ["place", "        topo.append(node)"],
  ["", "        continue"],
  ["", "    stack.append((node, i + 1))"],
  ["", "    child = node._children[i]"],
  ["visited", "    if child not in visited:"],
  ["", "        visited.add(child)"],
  ["push", "        stack.append((child, 0))"],
];

const BACKWARD: readonly Line[] = [
  ["seed", "self.grad = 1.0"],
  ["visit", "for v in reversed(topo):"],
  ["", "    edges = zip(v._children, v._local_grads)"],
  ["", "    for child, local in edges:"],
  ["push", "        child.grad += local * v.grad"],
];

const LISTINGS = {
  forward: ["+", "*", "tanh"].flatMap((op) => RULES[op]),
  sort: SORT,
  backward: BACKWARD,
};

/** The listing, or, with `most`, so many of its lines around the one that runs. */
export function codePanel(
  program: Program,
  frame: Frame,
  most = Number.POSITIVE_INFINITY,
): TemplateResult {
  const { event } = frame;
  const lines = event?.kind === "compute" ? rule(program, event) : LISTINGS[frame.phase];
  const now = event ? nameOf(program, event) : "";
  const space = indent(lines.find(([name]) => name === now)?.[1] ?? "");
  const remark = event
    ? notes(program, event).map(
        (text) => html`<li class="note"><code>${space}# ${text}</code></li>`,
      )
    : nothing;
  // A rule is one statement over several lines: what it gives stands behind the last.
  const after =
    event?.kind === "compute"
      ? lines.length - 1
      : lines.findIndex(([name]) => name && name === now);
  const from = Math.max(0, Math.min(after + 1, lines.length) - most);
  return html`<ol class="code ${frame.phase}" aria-label=${t.code.title}>
    ${lines.slice(from, from + most).map(([name, text], i) => html`<li class=${name !== "" && name === now ? "now" : ""}><code>${text}</code></li>${i + from === after ? remark : nothing}`)}
  </ol>`;
}

function indent(text: string): string {
  return /^ */.exec(text)![0];
}

/** The rule of the operation that computes: its own two lines say more than a list of all. */
function rule(program: Program, event: Happening): readonly Line[] {
  const { op } = program.graph.nodes[event.node];
  return (
    RULES[op] ?? [
      ["", `def ${op}(…):`],
      [op, "    return Value(…, inputs, local_grads)"],
      ["", `    # the row ${op} of ops.py`],
    ]
  );
}

function nameOf(program: Program, event: Happening): string {
  switch (event.kind) {
    case "compute":
      return program.graph.nodes[event.node].op;
    case "sort": {
      const { note } = turnOf(program, event);
      return note === "leaf" || note === "done" ? "place" : note;
    }
    case "seed":
      return "seed";
    case "skip":
    case "leaf":
      return "visit";
    default:
      return "push";
  }
}

/** What the line does just now, with its numbers. */
function notes(program: Program, event: Happening): readonly string[] {
  const { names, graph } = program;
  switch (event.kind) {
    case "push": {
      const push = event.push!;
      const sign = program.walk.bug === "overwrite" ? "=" : "+=";
      return [
        `${names[push.to]}.grad ${sign} ${num(push.local)} * ${num(push.incoming)}`,
        `local ${is(push.local)}, ${names[event.node]}.grad ${is(push.incoming)}`,
      ];
    }
    case "compute":
      return [`${names[event.node]} ${is(graph.nodes[event.node].data)}`];
    case "seed":
      return [`${program.output}.grad = 1`];
    case "sort": {
      const { note, name, input } = turnOf(program, event);
      if (note === "leaf" || note === "done") return [`node = ${name}`];
      return [note === "visited" ? `child = ${input}: visited` : `push (${input}, 0)`];
    }
    case "lost":
      return [`${names[event.lost!.to]}: ✗`];
    default:
      return [`v = ${names[event.node]}`];
  }
}
