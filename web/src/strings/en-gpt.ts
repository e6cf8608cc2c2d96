/** The words of the page with a GPT in training, in English. */

import { pluralIn } from "./plural.ts";

const plural = pluralIn("en");

export const gpt = {
  alone: "Python trains the model. Start the lab with gradwalk lab to train a GPT here.",
  inPage:
    "Python runs in this page without C, and slowly: the tiny model is the one to watch. Installed, gradwalk lab is hundreds of times faster.",
  start: "Train",
  pause: "Pause",
  resume: "Go on",
  stop: "Stop",
  steps: "Steps",
  size: "Size",
  sizes: { tiny: "tiny", reference: "microGPT's", deep: "two layers" } as Record<string, string>,
  seed: "Seed",
  pace: "Speed",
  paces: {
    "20": "20 steps a second",
    "100": "100 steps a second",
    "0": "as fast as it can",
  } as Record<string, string>,
  text: "Your own text",
  textHint: "One document per line: names, words, short sentences. Empty: 2,400 first names.",
  status: {
    starting: "Starting …",
    running: "Training",
    paused: "Paused",
    done: "Done",
    stopped: "Stopped",
    failed: "This run failed.",
  },
  now: (status: string, step: number, all: number, loss: string) =>
    `${status}: step ${step} of ${all}, loss ${loss}`,
  model: (parameters: number, documents: number) =>
    `${plural(parameters, { one: "# parameter", other: "# parameters" })}, ${plural(documents, { one: "# document", other: "# documents" })}`,
  idle: "Press Train. The model starts from random numbers and learns to make up names.",
  loss: "Loss, step by step",
  mean: (count: number) => `thin line: the mean of ${count} points`,
  lossSaid: (name: string, first: string, last: string, step: number) =>
    `${name}: loss from ${first} to ${last} after ${plural(step, { one: "# step", other: "# steps" })}`,
  noLoss: "The curve is drawn here while the model learns.",
  step: "Step",
  open: (step: number) => `Open the graph of step ${step}`,
  opening: "Training up to that step once more …",
  opened: (step: number) => `Step ${step}: the graph of its loss`,
  back: "Back to the run",
  samples: "What it makes up",
  noSamples: "Samples appear here, from noise to names.",
  at: (step: number) => `step ${step}`,
  attention: "Where each token looks",
  attentionSaid: (layer: number, head: number, document: string) =>
    `Attention of layer ${layer}, head ${head}, reading ${document}. A row is a token that looks, a column the token that it looks at.`,
  head: (layer: number, head: number) => `layer ${layer}, head ${head}`,
  noAttention: "Attention maps appear here.",
  parts: "Gradient norm of each part",
  noParts: "Each matrix of the model is coloured by the norm of its gradient.",
  part: (name: string, shape: string, norm: string) => `${name}, ${shape}: gradient norm ${norm}`,
  histograms: "Parameters and gradients",
  noHistograms: "Histograms appear here.",
  parameterBins: (low: string, high: string) => `Parameters, from ${low} to ${high}`,
  gradientBins: (zeros: number) =>
    `Sizes of gradients, by powers of ten${zeros ? `; ${plural(zeros, { one: "# is 0", other: "# are 0" })}` : ""}`,
  break: "Break it",
  breakWhy: "Take one part out, train with the same seed, and compare the curves.",
  breakStart: "Train it broken",
  unbroken: "unbroken",
  breaks: {
    "no-residual": "no residual: each layer replaces x",
    "no-rmsnorm": "no rmsnorm: vectors keep their size",
    "no-position": "no position: it does not know where tokens stand",
    "no-attention": "no attention: each token sees only itself",
    "no-relu": "no relu: two matrices in a row",
    "overwrite-grads": "= instead of +=",
    "no-zero-grad": "gradients are not reset",
    "no-decay": "the learning rate stays",
  } as Record<string, string>,
  watched: (status: string, title: string, step: number, loss: string) =>
    `${title}. ${status}: step ${step}, loss ${loss}.`,
  openNext: "Open the graph of the next step",
  script: "your script",
  anomaly: {
    title: (step: number) => `The first number that is not finite, at step ${step}`,
    line: "Made by",
    noLine: "Run gradwalk watch --lines to see the line that made it.",
    operands: "From",
    path: "Its way to the loss:",
    open: "Open its graph",
  },
  runs: "Runs",
  run: "run",
  final: "loss",
  clear: "Remove finished runs",
};
