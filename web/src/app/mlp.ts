/**
 * A multi-layer perceptron of Values, made in the page: an activation in all layers but the last.
 *
 * Its nodes carry the scopes that Python's `nn.MLP` gives them, so the floor plan draws its layers.
 */

import { constant, type Operand, Value } from "../core/index.ts";

export class Mlp {
  /** weights[layer][neuron][input], and one bias per neuron. */
  readonly weights: readonly (readonly (readonly Value[])[])[];
  readonly biases: readonly (readonly Value[])[];

  constructor(
    sizes: readonly number[],
    random: () => number,
    readonly activation: "relu" | "tanh" = "relu",
  ) {
    const layers = sizes.slice(1);
    this.weights = layers.map((outputs, layer) =>
      Array.from({ length: outputs }, (_, j) =>
        Array.from({ length: sizes[layer] }, (_unused, i) => {
          const bound = Math.sqrt(3 / sizes[layer]);
          const name = `layers.${layer}.neurons.${j}.w[${i}]`;
          return new Value((2 * random() - 1) * bound, [], "", name);
        }),
      ),
    );
    this.biases = layers.map((outputs, layer) =>
      Array.from(
        { length: outputs },
        (_, j) => new Value(0, [], "", `layers.${layer}.neurons.${j}.b`),
      ),
    );
  }

  get parameters(): readonly Value[] {
    return this.weights.flatMap((layer, l) =>
      layer.flatMap((row, j) => [...row, this.biases[l][j]]),
    );
  }

  score(inputs: readonly Operand[]): Value {
    let out: readonly Operand[] = inputs;
    this.weights.forEach((layer, l) => {
      const last = l === this.weights.length - 1;
      out = layer.map((row, j) => {
        const made = (value: Value): Value => scoped(value, `MLP.layers.${l}`);
        let sum = this.biases[l][j];
        row.forEach((weight, i) => {
          sum = made(sum.add(made(weight.mul(out[i]))));
        });
        return last ? sum : made(sum[this.activation]());
      });
    });
    return out[0] as Value;
  }
}

/** Write the box that made a node on it. */
export function scoped(value: Value, scope: string): Value {
  value._scope = scope;
  return value;
}

/** The mean of (score − target)², in a box of its own. */
export function meanSquare(scores: readonly Value[], targets: readonly number[]): Value {
  let sum: Value | null = null;
  const made = (value: Value): Value => scoped(value, "loss");
  scores.forEach((score, i) => {
    const square = made(made(score.add(constant(-targets[i]))).pow(2));
    sum = sum ? made(sum.add(square)) : square;
  });
  const loss = made(sum!.mul(1 / scores.length));
  loss.label = "loss";
  return loss;
}
