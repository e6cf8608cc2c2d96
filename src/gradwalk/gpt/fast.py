"""The same GPT in n-ary operations: one node for a dot product, a softmax entry, a loss.

Each method stands for the one of its name in `model`, and gives the same numbers to 1e-12; the
graph is some twenty times smaller. What is not here is inherited.
"""

# ruff: noqa: B905  (the vectors that are zipped here are all of one length, by their sizes)

from __future__ import annotations

from operator import add

from gradwalk.engine import Value, cross_entropy, linear, rmsnorm, softmax, take
from gradwalk.gpt.model import GPT, Past, Vector, Weights


class FastGPT(GPT):
    """The model of `GPT`, with the same parameters under the same names."""

    def read_out(self, x: Vector) -> Vector:
        return linear(self.lm_head, x)

    def norm(self, x: Vector) -> Vector:
        return rmsnorm(x)

    def embed(self, token: int, position: int) -> Vector:
        return list(map(add, take(self.wte, token), self.wpe[position]))

    def add(self, change: Vector, x: Vector) -> Vector:
        return list(map(add, change, x))

    def attention(self, layer: Weights, x: Vector, past: Past) -> Vector:
        """The keys lie here in parts, one for each head; the values by columns, one for each entry.

        So neither is cut again for every token that looks back.
        """
        size, heads = self.config.n_embd // self.config.n_head, self.config.n_head
        parts = [slice(size * head, size * (head + 1)) for head in range(heads)]
        shrink = 1.0 / self.scale  # the query is shrunk once, not each of its products
        query = [q * shrink for q in linear(layer.wq, x)]
        key = linear(layer.wk, x)
        past.keys += [key[part] for part in parts]
        past.values = past.values or [[] for _ in x]
        for column, entry in zip(past.values, linear(layer.wv, x)):
            column.append(entry)
        gathered: Vector = []
        for head, part in enumerate(parts):
            weights = self.look(query[part], past.keys[head::heads])
            gathered += linear(past.values[part], weights)
        return linear(layer.wo, gathered)

    def look(self, query: Vector, keys: list[Vector]) -> Vector:
        return softmax(linear(keys, query))

    def mlp(self, layer: Weights, x: Vector) -> Vector:
        return linear(layer.fc2, [h.relu() for h in linear(layer.fc1, x)])

    def surprise(self, logits: Vector, target: int) -> Value:
        return cross_entropy(logits, target)
