/** The words of the floor plan, in English. */

import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

export const plan = {
  title: "Floor plan",
  model: "Model",
  models: {
    neuron: "one neuron",
    mlp: "MLP",
    block: "transformer block",
    gpt: "microGPT",
    run: "step of your run",
  } as Record<string, string>,
  document: "It reads",
  load: "Show",
  loading: "Building the graph …",
  alone:
    "Python builds this model. Start the lab with gradwalk lab to see it. One neuron and the MLP are built in the page.",
  failed: "The graph could not be shown.",
  view: "Floor plan. Arrow keys go from card to card, Enter opens a box, Escape leaves it, plus and minus zoom.",
  nodes: (count: number) => plural(count, { one: "# node", other: "# nodes" }),
  count: "nodes",
  whole: "Whole model",
  where: "You are in",
  inside: (name: string) => (name ? `Inside ${name}.` : "The whole model."),
  box: (name: string, count: number) =>
    plural(count, {
      one: `${name}, a box of # node. Press Enter to open it.`,
      other: `${name}, a box of # nodes. Press Enter to open it.`,
    }),
  node: (name: string, value: string, grad: string) =>
    `${name}: value ${value}, gradient ${grad}. Press Enter to pick it.`,
  port: {
    input: (name: string) => `Reads from ${name}.`,
    output: (name: string) => (name ? `Read by ${name}.` : "The way out."),
  },
  rooms: "In this room",
  roomsEmpty: "Loading …",
  largest: "largest gradient",
  picked: "Node",
  pickHint: "Click a node, or find one, to see its numbers and the paths of its gradient.",
  op: "operation",
  made: "made in",
  line: "source line",
  value: "value",
  grad: "gradient",
  inputs: "Inputs",
  consumers: "Consumers",
  more: (count: number) => plural(count, { one: "and # more", other: "and # more" }),
  follow: "Follow its gradient",
  paths: (count: bigint, name: string, root: string) =>
    plural(count, {
      one: `One path leads from ${root} to ${name}:`,
      other: `# paths lead from ${root} to ${name}. The largest:`,
    }),
  path: (place: number, product: string, steps: number) =>
    `Path ${place}: contributes ${product} over ${plural(steps, { one: "# step", other: "# steps" })}`,
  rest: (rest: string, total: string) => `All others: ${rest}. The sum is the gradient, ${total}.`,
  all: (total: string) => `Their sum is the gradient, ${total}.`,
  noPath: "No path leads there: it is a constant.",
  clear: "Stop following",
  shares: "Where the path passes, from the loss to the node:",
  walk: {
    start: "Walk it, event by event",
    legend:
      "Green: positive gradient. Rose, with a dash or ▼: negative. Grey: zero or not known yet. Stronger means larger.",
    leave: "End the walk",
    until: (name: string) => `Go to where ${name}.grad is complete`,
  },
  legend:
    "Green: positive gradient. Rose, with a dash or ▼: negative. Grey: zero. Stronger means larger.",
  size: (nodes: string, edges: string) => `${nodes} nodes, ${edges} edges`,
};
