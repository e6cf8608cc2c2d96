"""Neural networks of Values: modules, initial weights, losses. micrograd's names work unchanged.

A module is an object whose attributes hold its parameters: a Value, lists of Values at any depth,
or further modules, alone or in lists and dicts. `Module` finds them there, so a model says what it
has once. Training a model is `optim`; a whole one, written out, is `gpt.model`.

Start reading at `Module`, then `Neuron`. Weighted sums are n-ary operations: one node for each dot
product, which a graph unfolds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import wraps
from typing import Any, SupportsFloat

from gradwalk import ops
from gradwalk.engine import (
    Value,
    cross_entropy,
    dot,
    layernorm,
    linear,
    mean,
    modes,
    rmsnorm,
    scope,
    softmax,
    take,
    zero_grad,
)
from gradwalk.errors import OperandError

__all__ = [
    "MLP",
    "Attention",
    "Block",
    "Embedding",
    "Layer",
    "LayerNorm",
    "Linear",
    "Module",
    "Neuron",
    "RMSNorm",
    "accuracy",
    "constant",
    "cross_entropy",
    "gauss",
    "hinge",
    "kaiming",
    "matrix",
    "mse",
    "penalty",
    "uniform",
    "xavier",
]

Number = Value | SupportsFloat
Vector = list[Value]
Matrix = list[list[Value]]


class Module:
    """The parameters of a model, found in its attributes in the order they were made.

    >>> from gradwalk.nn import Linear
    >>> layer = Linear(2, 1)
    >>> [name for name, _ in layer.named_parameters()]
    ['w[0][0]', 'w[0][1]', 'b[0]']

    Inside `with scope():` a call names the nodes it makes after the module, so that graphs draw it
    as a box; a part too small to be one says `boxed=False` behind its base.
    """

    def __init_subclass__(cls, *, boxed: bool = True, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if boxed and "__call__" in vars(cls):
            setattr(cls, "__call__", _named(vars(cls)["__call__"]))  # noqa: B010  (strict typing)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Return what a notebook shows at the end of a cell: see `Value.show` for the import."""
        from importlib import import_module

        return import_module("gradwalk.render.parts").bundle(self)

    def parameters(self) -> list[Value]:
        """Return every parameter once, in order."""
        return list(dict.fromkeys([v for _, tensor in self.tensors() for v in _flat(tensor)]))

    def named_parameters(self) -> Iterator[tuple[str, Value]]:
        """Yield each parameter once, as `blocks.0.wq[3][5]`: modules by dots, numbers in lists."""
        met: set[Value] = set()
        for name, tensor in self.tensors():
            for index, value in _entries(tensor):
                if value not in met:
                    met.add(value)
                    yield name + index, value

    def tensors(self) -> Iterator[tuple[str, Any]]:
        """Yield each attribute that holds parameters: a Value, or lists of them."""
        yield from [pair for pair in _walk("", self, ()) if not isinstance(pair[1], Module)]

    def modules(self) -> Iterator[tuple[str, Module]]:
        """Yield the modules inside by name, outer ones first; this one is `""`."""
        yield from [pair for pair in _walk("", self, ()) if isinstance(pair[1], Module)]

    def label_parameters(self) -> None:
        """Write each parameter's name on it as its label, so that graphs show it."""
        for name, value in self.named_parameters():
            value.label = name

    def zero_grad(self) -> None:
        """Set the gradient of every parameter to 0."""
        zero_grad(self.parameters())

    def state_dict(self) -> dict[str, Any]:
        """Return the numbers of all parameters: a float, or lists of floats, for each tensor."""
        return {name: _numbers(tensor) for name, tensor in self.tensors()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Set all parameters to these numbers; nothing changes unless all of them fit."""
        if not isinstance(state, Mapping):
            raise OperandError(f"a state is a dict, as state_dict() gives it, not {state!r:.40}")
        own = dict(self.tensors())
        for name in {**own, **state}:
            if name not in state:
                raise OperandError(f"the state has no {name!r}, which the model has")
            if name not in own:
                raise OperandError(f"the model has no {name!r}, which the state has")
        fitted = [pair for name in own for pair in _fit(name, own[name], state[name])]
        for value, number in fitted:
            value.data = number


# The modules inside the one that runs now: their names in it, by id.
_inside: ContextVar[dict[int, str] | None] = ContextVar("gradwalk_modules", default=None)


def _named(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return a module's `__call__` so that under `scope` it opens a scope of the module's name."""

    @wraps(call)
    def named(self: Module, *args: Any, **kwargs: Any) -> Any:
        if not modes.active or not modes.current() & modes.SCOPES:
            return call(self, *args, **kwargs)
        around = _inside.get() or {}
        if around.get(id(self)) == "":  # the base class's part of the same call
            return call(self, *args, **kwargs)
        before = _inside.get()
        inside = {id(module): name for name, module in self.modules()}

        def scoped() -> Any:
            with scope(around.get(id(self)) or type(self).__name__):
                return call(self, *args, **kwargs)

        return modes.enclosed(lambda: _inside.set(inside), scoped, lambda: _inside.set(before))

    return named


def _walk(name: str, part: Any, around: tuple[Module, ...]) -> Iterator[tuple[str, Any]]:
    """Yield the modules and the tensors from a part down, by name, outer ones first.

    `around` are the modules on the way, so that one that knows what it is part of ends there.
    """
    if str(getattr(part, "dtype", "")) == "object":  # an array of NumPy's
        part = part.tolist()
    if _holds_values(part):
        yield name, part
        return
    if isinstance(part, Module):
        if any(part is module for module in around):
            return
        yield name, part
        around = (*around, part)
    for inner, entry in _parts(name, part):
        yield from _walk(inner, entry, around)


def _parts(name: str, whole: Any) -> Iterator[tuple[str, Any]]:
    """Yield what a module, a list or a dict holds, by name."""
    found: Any = ()
    if isinstance(whole, Module):
        found = vars(whole).items()
    elif isinstance(whole, list | tuple):
        found = enumerate(whole)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    elif isinstance(whole, dict):
        found = whole.items()  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    parts: Iterable[tuple[Any, Any]] = found
    for key, part in parts:
        yield (f"{name}.{key}" if name else str(key)), part


def _holds_values(part: Any) -> bool:
    """Say whether a part is a Value, or lists of Values and of nothing else."""
    if isinstance(part, list | tuple):
        kinds = set(map(type, part))  # pyright: ignore[reportUnknownArgumentType]
        return kinds == {Value} or (bool(kinds) and all(map(_holds_values, part)))  # pyright: ignore[reportUnknownArgumentType]
    return isinstance(part, Value)


def _flat(tensor: Any) -> list[Value]:
    if isinstance(tensor, Value):
        return [tensor]
    if set(map(type, tensor)) == {Value}:
        return list(tensor)
    return [value for entry in tensor for value in _flat(entry)]


def _entries(tensor: Any) -> Iterator[tuple[str, Value]]:
    if isinstance(tensor, Value):
        yield "", tensor
        return
    for i, entry in enumerate(tensor):
        for index, value in _entries(entry):
            yield f"[{i}]{index}", value


def _numbers(tensor: Any) -> Any:
    return tensor.data if isinstance(tensor, Value) else [_numbers(entry) for entry in tensor]


def _fit(name: str, tensor: Any, numbers: Any) -> Iterator[tuple[Value, float]]:
    if hasattr(numbers, "tolist"):  # an array, or an entry of one
        numbers = numbers.tolist()
    if isinstance(tensor, Value):
        if isinstance(numbers, bool) or not isinstance(numbers, int | float):
            raise OperandError(f"{name} is one number, not {numbers!r:.40}")
        yield tensor, float(numbers)
    elif not isinstance(numbers, list | tuple) or len(numbers) != len(tensor):  # pyright: ignore[reportUnknownArgumentType]
        raise OperandError(f"{name} is a list of {len(tensor)}, not {numbers!r:.40}")
    else:
        for i, entry in enumerate(tensor):
            yield from _fit(f"{name}[{i}]", entry, numbers[i])


# ── Initial weights ──────────────────────────────────────────────────────────────────────────
# An initialiser is a function (outputs, inputs) → number. Each takes a random.Random, or draws from
# the module `random`, which `random.seed` governs.

Initialiser = Callable[[int, int], float]


def uniform(low: float = -1.0, high: float = 1.0, rng: random.Random | None = None) -> Initialiser:
    """Numbers from an interval, all alike; micrograd's choice is -1 to 1."""
    draw = (rng or random).uniform
    return lambda _outputs, _inputs: draw(low, high)


def gauss(deviation: float, rng: random.Random | None = None) -> Initialiser:
    """Normally distributed numbers around 0."""
    draw = (rng or random).gauss
    return lambda _outputs, _inputs: draw(0.0, deviation)


def kaiming(rng: random.Random | None = None) -> Initialiser:
    """Normal with deviation sqrt(2 / inputs): relu layers keep the size of what passes."""
    draw = (rng or random).gauss
    return lambda _outputs, inputs: draw(0.0, (2.0 / inputs) ** 0.5)


def xavier(rng: random.Random | None = None) -> Initialiser:
    """Uniform within sqrt(6 / (inputs + outputs)): tanh layers keep the size of what passes."""
    draw = (rng or random).uniform

    def initialise(outputs: int, inputs: int) -> float:
        bound = (6.0 / (inputs + outputs)) ** 0.5
        return draw(-bound, bound)

    return initialise


def constant(number: float) -> Initialiser:
    """The same number everywhere."""
    return lambda _outputs, _inputs: number


def matrix(rows: int, columns: int, init: Initialiser) -> Matrix:
    """Return rows × columns parameters, drawn row by row."""
    _need_sizes(rows=rows, columns=columns)
    if init in (uniform, gauss, kaiming, xavier, constant):
        raise OperandError(f"{init.__name__} makes an initialiser: write init={init.__name__}(…)")
    if not callable(init):
        raise OperandError(f"init is an initialiser such as uniform(), not {init!r:.40}")
    return [[Value(init(rows, columns)) for _ in range(columns)] for _ in range(rows)]


def _need_sizes(**sizes: Any) -> None:
    for name, size in sizes.items():
        if not hasattr(size, "__index__") or size < 1:
            raise OperandError(f"{name} is a whole number from 1 on, not {size!r:.40}")


# ── micrograd's modules ──────────────────────────────────────────────────────────────────────


class Neuron(Module, boxed=False):
    """relu(w·x + b), or w·x + b where `nonlin` is false."""

    def __init__(self, nin: int, nonlin: bool = True, init: Initialiser | None = None) -> None:
        _need_sizes(nin=nin)
        self.w = matrix(1, nin, init or uniform())[0]
        self.b = Value(0.0)
        self.nonlin = nonlin

    def __call__(self, x: Sequence[Number]) -> Value:
        # The bias comes first, as in micrograd's sum: the same numbers, to the last bit.
        weights, entries = [self.b, *self.w], [1.0, *x]
        if len(entries) != len(weights):
            raise OperandError(f"a neuron of {len(self.w)} inputs got {len(entries) - 1}")
        act = dot(weights, entries)
        return act.relu() if self.nonlin else act

    def __repr__(self) -> str:
        return f"{'ReLU' if self.nonlin else 'Linear'}Neuron({len(self.w)})"


class Layer(Module):
    """Neurons side by side; one neuron alone gives its Value, several give a list."""

    def __init__(self, nin: int, nout: int, **kwargs: Any) -> None:
        _need_sizes(nin=nin, nout=nout)
        self.neurons = [Neuron(nin, **kwargs) for _ in range(nout)]

    def __call__(self, x: Sequence[Number]) -> Any:
        out = [neuron(x) for neuron in self.neurons]
        return out[0] if len(out) == 1 else out

    def __repr__(self) -> str:
        return f"Layer of [{', '.join(map(str, self.neurons))}]"


class MLP(Module):
    """Layers one after another: relu in all but the last.

    >>> from gradwalk.nn import MLP
    >>> model = MLP(2, [16, 16, 1])
    >>> len(model.parameters())
    337
    """

    def __init__(self, nin: int, nouts: Sequence[int], init: Initialiser | None = None) -> None:
        if not isinstance(nouts, Iterable) or not list(nouts):
            raise OperandError(f"nouts is a list of sizes, such as [16, 16, 1], not {nouts!r:.40}")
        sizes = [nin, *nouts]
        last = len(nouts) - 1
        self.layers = [
            Layer(sizes[i], sizes[i + 1], nonlin=i != last, init=init) for i in range(len(nouts))
        ]

    def __call__(self, x: Sequence[Number]) -> Any:
        out: Any = x
        for layer in self.layers:
            # A layer of one gives a bare value: the next one wants a list again.
            out = layer(out if hasattr(out, "__iter__") else [out])
        return out

    def __repr__(self) -> str:
        return f"MLP of [{', '.join(map(str, self.layers))}]"


# ── The parts of a transformer ───────────────────────────────────────────────────────────────


class Linear(Module):
    """W·x + b, or W·x where `bias` is false; always a list."""

    def __init__(
        self, nin: int, nout: int, bias: bool = True, init: Initialiser | None = None
    ) -> None:
        _need_sizes(nin=nin, nout=nout)
        self.w = matrix(nout, nin, init or kaiming())
        self.b = [Value(0.0) for _ in range(nout)] if bias else None

    def __call__(self, x: Sequence[Number]) -> Vector:
        return linear(self.w, x, self.b)

    def __repr__(self) -> str:
        return f"Linear({len(self.w[0])}, {len(self.w)}{'' if self.b else ', bias=False'})"


class Embedding(Module):
    """A table of vectors: called with an index, gives that row."""

    def __init__(self, count: int, width: int, init: Initialiser | None = None) -> None:
        _need_sizes(count=count, width=width)
        self.rows = matrix(count, width, init or gauss(0.08))

    def __call__(self, index: int) -> Vector:
        if ops.real(index) is not None and not 0 <= index < len(self.rows):
            raise OperandError(f"the index goes from 0 to {len(self.rows) - 1}, not {index!r}")
        return take(self.rows, index)

    def __repr__(self) -> str:
        return f"Embedding({len(self.rows)}, {len(self.rows[0])})"


class RMSNorm(Module):
    """x / sqrt(mean of squares + epsilon), times a gain for each entry where `gain` is true."""

    def __init__(self, width: int, gain: bool = True, epsilon: float = 1e-5) -> None:
        _need_sizes(width=width)
        self.width = width
        self.gain = [Value(1.0) for _ in range(width)] if gain else None
        self.epsilon = epsilon

    def __call__(self, x: Sequence[Number]) -> Vector:
        _need_width(self, self.width, x)
        out = rmsnorm(x, self.epsilon)
        return [v * g for v, g in zip(out, self.gain, strict=True)] if self.gain else out

    def __repr__(self) -> str:
        return f"RMSNorm({self.width})"


class LayerNorm(Module):
    """(x - mean) / sqrt(variance + epsilon), times a gain, plus a shift, for each entry."""

    def __init__(self, width: int, epsilon: float = 1e-5) -> None:
        _need_sizes(width=width)
        self.gain = [Value(1.0) for _ in range(width)]
        self.shift = [Value(0.0) for _ in range(width)]
        self.epsilon = epsilon

    def __call__(self, x: Sequence[Number]) -> Vector:
        _need_width(self, len(self.gain), x)
        scaled = zip(layernorm(x, self.epsilon), self.gain, self.shift, strict=True)
        return [v * g + s for v, g, s in scaled]

    def __repr__(self) -> str:
        return f"LayerNorm({len(self.gain)})"


class Attention(Module):
    """Causal attention with several heads: each vector mixes the values of those before it.

    Called with a list of vectors, gives as many.
    """

    def __init__(self, width: int, heads: int, init: Initialiser | None = None) -> None:
        _need_sizes(width=width, heads=heads)
        if width % heads:
            raise OperandError(f"{width} entries do not divide into {heads} heads")
        self.heads = heads
        self.query = Linear(width, width, bias=False, init=init)
        self.key = Linear(width, width, bias=False, init=init)
        self.value = Linear(width, width, bias=False, init=init)
        self.out = Linear(width, width, bias=False, init=init)

    def __call__(self, xs: Sequence[Sequence[Number]]) -> list[Vector]:
        width = len(self.query.w)
        size = width // self.heads
        keys = [self.key(x) for x in xs]
        values = [self.value(x) for x in xs]
        mixed: list[Vector] = []
        for now, x in enumerate(xs):
            query = [q * size**-0.5 for q in self.query(x)]
            row: Vector = []
            for begin in range(0, width, size):
                end = begin + size
                scores = [dot(query[begin:end], key[begin:end]) for key in keys[: now + 1]]
                weights = softmax(scores)
                row += [dot(weights, [v[j] for v in values[: now + 1]]) for j in range(begin, end)]
            mixed.append(self.out(row))
        return mixed

    def __repr__(self) -> str:
        return f"Attention({len(self.query.w)}, heads={self.heads})"


class Block(Module):
    """One storey of a transformer: attention, then a relu MLP, each normed and added to x."""

    def __init__(self, width: int, heads: int, init: Initialiser | None = None) -> None:
        self.norm1 = RMSNorm(width)
        self.attention = Attention(width, heads, init)
        self.norm2 = RMSNorm(width)
        self.up = Linear(width, 4 * width, bias=False, init=init)
        self.down = Linear(4 * width, width, bias=False, init=init)

    def __call__(self, xs: Sequence[Vector]) -> list[Vector]:
        changes = self.attention([self.norm1(x) for x in xs])
        xs = [_added(x, change) for x, change in zip(xs, changes, strict=True)]
        return [
            _added(x, self.down([v.relu() for v in self.up(self.norm2(x))])) for x in xs
        ]  # fmt: skip

    def __repr__(self) -> str:
        return f"Block({len(self.up.w[0])}, heads={self.attention.heads})"


def _need_width(module: Module, width: int, x: Sequence[Number]) -> None:
    if len(x) != width:
        raise OperandError(f"{module} takes a vector of {width}, not of {len(x)}")


def _added(x: Iterable[Value], change: Iterable[Value]) -> Vector:
    return [a + b for a, b in zip(x, change, strict=True)]


# ── Losses ───────────────────────────────────────────────────────────────────────────────────
# `cross_entropy(logits, target)` is the engine's own.


def mse(outputs: Sequence[Value], targets: Sequence[Number]) -> Value:
    """Return the mean of (output - target)²."""
    return mean([(out - target) ** 2 for out, target in _pairs("mse", outputs, targets)])


def hinge(scores: Sequence[Value], signs: Sequence[float]) -> Value:
    """Return the mean of relu(1 - sign·score): 0 once every score is beyond ±1 on its side."""
    pairs = _pairs("hinge", scores, signs)
    for _, sign in pairs:
        if ops.real(sign) not in (-1, 1, None):  # None: a Value, or recorded
            raise OperandError(f"hinge takes signs -1 and 1, not {sign!r}")
    return mean([(1 + -sign * score).relu() for score, sign in pairs])


def penalty(parameters: Iterable[Value], weight: float) -> Value:
    """Return weight·Σp², which draws parameters towards 0."""
    values = list(parameters)
    return weight * dot(values, values)


def accuracy(scores: Sequence[Value], signs: Sequence[float]) -> float:
    """Return the share of scores on their side of 0."""
    pairs = _pairs("accuracy", scores, signs)
    return sum([(score.data > 0) == (sign > 0) for score, sign in pairs]) / len(pairs)


def _pairs(name: str, outputs: Sequence[Value], targets: Sequence[Any]) -> list[tuple[Value, Any]]:
    for what, given in (("outputs", outputs), ("targets", targets)):
        if not hasattr(given, "__len__"):
            kind = type(given).__name__
            raise OperandError(
                f"{name} takes a list of {what}, not {kind}; for one: {name}([…], …)"
            )
    if len(outputs) != len(targets) or not len(outputs):
        raise OperandError(
            f"{name} takes a target for each output, not {len(targets)} for {len(outputs)}"
        )
    values = [out if ops.real(out) is None else Value(out) for out in outputs]
    return list(zip(values, targets, strict=True))
