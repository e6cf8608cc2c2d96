/** The worked examples X1 to X9, as rows. */

export interface Preset {
  id: string;
  text: string;
  values: Record<string, number>;
}

export const PRESETS: readonly Preset[] = [
  { id: "x1", text: "(a + b) * c", values: { a: 2, b: -3, c: 10 } },
  {
    id: "x2",
    text: "n = x1*w1 + x2*w2 + b; o = tanh(n)",
    values: { x1: 2, w1: -3, x2: 0, w2: 1, b: 6.881373587019543 },
  },
  { id: "x3", text: "a * a", values: { a: 3 } },
  { id: "x4", text: "a + a", values: { a: 3 } },
  { id: "x5", text: "d = a*b; e = a + b; f = d*e", values: { a: -2, b: 3 } },
  { id: "x6", text: "b = a + 1; c = a * 3; d = b * c", values: { a: 2 } },
  { id: "x7", text: "c = a * b; L = c + a", values: { a: 2, b: 3 } },
  { id: "x8", text: "relu(a * b)", values: { a: 2, b: -3 } },
  { id: "x9", text: "relu(x*w + b)", values: { x: 2, w: 3, b: -10 } },
  {
    id: "learn",
    text: "o = tanh(w*x + b); loss = (o - y)**2",
    values: { w: -0.8, x: 1.5, b: 0.4, y: 0.6 },
  },
  { id: "bowl", text: "(a - 3)**2 + 2*(b + 1)**2", values: { a: -2, b: 2 } },
  { id: "x9s", text: "1 / (1 + exp(0 - x))", values: { x: 0.5 } },
];

export function preset(id: string): Preset {
  return PRESETS.find((row) => row.id === id) ?? PRESETS[0];
}
