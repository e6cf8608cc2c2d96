"""The same GPT in n-ary operations: one node for a dot product, a softmax entry, a loss.

Each method stands for the one of its name in `model`, and gives the same numbers to 1e-12; the
graph is some twenty times smaller. What is not here is inherited.
"""

from __future__ import annotations

from gradwalk.engine import Value, cross_entropy, linear, rmsnorm, softmax
from gradwalk.gpt.model import GPT, Past, Vector, Weights

__all__ = ["FastGPT"]


class FastGPT(GPT):
    """The model of `GPT`, with the same parameters under the same names."""

    def read_out(self, x: Vector) -> Vector:
        return linear(self.lm_head, x)

    def norm(self, x: Vector) -> Vector:
        return rmsnorm(x)

    def attention(self, layer: Weights, x: Vector, past: Past) -> Vector:
        query = linear(layer.wq, x)
        past.keys.append(linear(layer.wk, x))
        past.values.append(linear(layer.wv, x))
        columns = list(zip(*past.values, strict=True))  # entry j of every value so far
        size = self.config.n_embd // self.config.n_head
        gathered: Vector = []
        for begin in range(0, self.config.n_embd, size):
            end = begin + size
            weights = self.look(query[begin:end], [key[begin:end] for key in past.keys])
            gathered += linear(columns[begin:end], weights)
        return linear(layer.wo, gathered)

    def look(self, query: Vector, keys: list[Vector]) -> Vector:
        shrink = 1.0 / self.scale  # the query is shrunk once, not each of its products
        return softmax(linear(keys, [q * shrink for q in query]))

    def mlp(self, layer: Weights, x: Vector) -> Vector:
        return linear(layer.fc2, [xi.relu() for xi in linear(layer.fc1, x)])

    def surprise(self, logits: Vector, target: int) -> Value:
        return cross_entropy(logits, target)
