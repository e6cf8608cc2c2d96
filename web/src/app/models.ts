/** Graphs to look at as floor plans: from Python, or, the small ones, made in the page. */

import { readTape, snapshot, type Tape, tapeOf, Value } from "../core/index.ts";
import { Mlp, meanSquare, scoped } from "./mlp.ts";
import { randomFrom } from "./random.ts";
import { answerBytes, isConnected, isInPage } from "./server.ts";

export const MODELS = ["neuron", "mlp", "block", "gpt"] as const;
export type ModelName = (typeof MODELS)[number];

/** Those that the page makes itself where no Python is there. */
export const OWN: readonly ModelName[] = ["neuron", "mlp"];

export async function loadModel(
  model: ModelName,
  document: string,
  signal: AbortSignal,
): Promise<Tape> {
  if (!isConnected() || (isInPage() && OWN.includes(model)))
    return model === "neuron" ? neuron() : mlp();
  return readTape(await answerBytes("model", { model, document, seed: 42 }, signal));
}

function neuron(): Tape {
  const inputs = [2, -1, 0.5].map((x, i) => new Value(x, [], "", `x[${i}]`));
  const weights = [0.7, 0.2, 0.9].map((w, i) => new Value(w, [], "", `w[${i}]`));
  let sum = new Value(0.1, [], "", "b");
  weights.forEach((weight, i) => {
    sum = scoped(sum.add(scoped(weight.mul(inputs[i]), "neuron")), "neuron");
  });
  return walked(meanSquare([scoped(sum.relu(), "neuron")], [1]));
}

function mlp(): Tape {
  const model = new Mlp([2, 8, 8, 1], randomFrom(42));
  const points = [
    [1, 0.5],
    [-0.5, 0.25],
    [0, -1],
  ];
  const scores = points.map((point) => model.score(point));
  return walked(meanSquare(scores, [1, -1, 1]));
}

function walked(loss: Value): Tape {
  loss.backward();
  return tapeOf(snapshot(loss, { fold: false }));
}
