/** The words of the page on which an MLP learns two moons, in English. */

import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

export const moons = {
  play: "Learn",
  pause: "Pause",
  step: "One step",
  reset: "Start over",
  rate: "Learning rate",
  optimiser: "Optimiser",
  optimisers: { sgd: "SGD", adam: "Adam" } as Record<string, string>,
  now: (steps: number, loss: string, accuracy: string) =>
    `After ${plural(steps, { one: "# step", other: "# steps" })}: loss ${loss}, ${accuracy} of the points on their side.`,
  strange: "The numbers have run away: start over with a smaller learning rate.",
  surface: "What the model says of each place",
  surfaceSaid: (count: number, accuracy: string) =>
    `The plane, coloured by the model's score: blue above 0, violet below; the line between is the boundary. ${plural(count, { one: "# point", other: "# points" })}, ${accuracy} on their side.`,
  hint: "Click into the plane to add a point. Click a point to see its graph.",
  adds: "A click adds",
  kinds: { "1": "▲ +1", "-1": "▼ −1" } as Record<string, string>,
  x: "x",
  y: "y",
  add: "Add this point",
  clear: "Remove all points",
  fresh: "Two moons",
  csv: "Points as CSV",
  csvHint: "One point per line: x, y, kind. A kind above 0 is ▲, any other ▼. Up to 200 points.",
  csvUse: "Use these points",
  csvBad: (count: number) =>
    plural(count, { one: "# line was left out.", other: "# lines were left out." }),
  few: "Two points or more are needed, of either kind.",
  loss: "Loss, step by step",
  noLoss: "Take a step: the loss is drawn here.",
  graph: (x: string, y: string, kind: string) => `Graph of the point (${x}, ${y}), ${kind}`,
  table: "Parameters",
  parameter: "parameter",
  value: "value",
  grad: "gradient",
  update: "next step adds",
  select: (name: string) => `Show ${name} in the graph`,
};
