"""Forward and reverse sweeps that write the numbers they compute as operations of the same kind.

    Trace       the operations between some inputs and some outputs, in order
    of_values   the Trace of a graph of Values
    of_tape     the Trace of the instructions that a recording has appended
    forward     tangents from the inputs to the outputs
    reverse     gradients from the outputs to the inputs; reverse_each: for several seeds

A sweep over Values gives Values, and one over recorded values gives recorded values, so its results
can be differentiated again, to any depth. Where nothing else than the inputs varies, a sweep over
Values works on the recorded local gradients and gives floats.

A Trace holds only what depends on its inputs. That keeps nested derivatives apart: an inner one
sees the variables of an outer one as constants. No tag or type per level is needed.
"""

# A handle is a float, a Value or a recorded value, so it has no one type to write down.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import Any, NamedTuple, cast

from gradwalk import engine, ops
from gradwalk.engine import CONST, Value, constant, modes, nary, topological_order
from gradwalk.engine.backends import record
from gradwalk.errors import BackwardError
from gradwalk.graph import local_grads

__all__ = [
    "Step",
    "Trace",
    "are_open",
    "backward_as_graph",
    "forward",
    "of_tape",
    "of_values",
    "passed",
    "reverse",
    "reverse_each",
    "scaled",
    "share",
    "smooth_places",
    "total",
]


class Step(NamedTuple):
    """One operation: its result, its operands, and their places in the trace (-1: outside it).

    `rule` computes the partials of an operation that the user has defined.
    """

    name: str
    out: Any
    operands: Sequence[Any]
    places: Sequence[int]
    rule: Callable[[Any, Sequence[Any]], Sequence[Any]] | None = None


class Trace:
    """The operations that depend on the inputs. The first places are the inputs themselves."""

    def __init__(
        self,
        inputs: int,
        steps: list[Step],
        outputs: list[int],
        rule: Callable[[Step], Sequence[Any]],
        is_open: bool,
        along: dict[str, Callable[[Step, list[Any]], Any]] | None = None,
    ) -> None:
        self.inputs = inputs
        self.steps = steps
        self.outputs = outputs  # the place of each output, -1 where it does not depend on an input
        self.is_open = is_open  # whether anything else than the inputs varies
        self.along = along or {}  # tangents of operations that have a shorter form than a sum
        self._rule = rule
        self._partials: list[Sequence[Any] | None] = [None] * len(steps)

    def __len__(self) -> int:
        return self.inputs + len(self.steps)

    def partials(self, index: int) -> Sequence[Any]:
        """Return the partial derivatives of a step, computed once for all sweeps."""
        found = self._partials[index]
        if found is None:
            found = self._partials[index] = self._rule(self.steps[index])
        return found


def forward(trace: Trace, tangents: Sequence[Any]) -> list[Any]:
    """Return the tangents of the outputs, given those of the inputs; None stands for 0."""
    found: list[Any] = [*tangents, *[None] * len(trace.steps)]
    for index, step in enumerate(trace.steps):
        moved = [None if place < 0 else found[place] for place in step.places]
        if any(tangent is not None for tangent in moved):
            along = trace.along.get(step.name)
            if along is not None:
                found[trace.inputs + index] = along(step, moved)
            else:
                parts = enumerate(zip(trace.partials(index), moved, strict=True))
                found[trace.inputs + index] = total([share(step, k, p, t) for k, (p, t) in parts])
    return [None if place < 0 else found[place] for place in trace.outputs]


def reverse(trace: Trace, seeds: Sequence[Any]) -> list[Any]:
    """Return the gradients by the inputs, given those by the outputs; None stands for 0."""
    return reverse_each(trace, [seeds])[0]


def reverse_each(trace: Trace, rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return what `reverse` does for each row of seeds, in one pass over the operations."""
    received: list[dict[int, list[Any]]] = [{} for _ in range(len(trace))]  # by place and row
    for row, seeds in enumerate(rows):
        for place, seed in zip(trace.outputs, seeds, strict=True):
            if place >= 0 and seed is not None:
                received[place].setdefault(row, []).append(seed)
    for index in range(len(trace.steps) - 1, -1, -1):
        place = trace.inputs + index
        gradients = {row: total(terms) for row, terms in received[place].items()}
        received[place] = {}
        if not gradients:
            continue
        step = trace.steps[index]
        for k, partial in enumerate(trace.partials(index)):
            operand = step.places[k]
            if operand < 0:
                continue
            for row, gradient in gradients.items():
                if (part := share(step, k, partial, gradient)) is not None:
                    received[operand].setdefault(row, []).append(part)
    inputs = received[: trace.inputs]
    return [[total(found.get(row, [])) for found in inputs] for row in range(len(rows))]


def share(step: Step, k: int, partial: Any, by: Any) -> Any:
    """Return what a gradient or a tangent passes between a step and its k-th operand."""
    if step.name == "div" and k == 1 and by is not None:
        # x / y is x * y**-1, and that power has received x * by.
        return careful(partial * by, ops.where(by, step.operands[0] * by, 0.0))
    return passed(step, partial, by)


def passed(step: Step, partial: Any, by: Any) -> Any:
    """Return partial · by; None where it is 0 for sure.

    A row that selects passes nothing where its partial is 0, not even of an infinite gradient.
    """
    if by is not None and _is_recorded(partial) and step.name in _SELECTING:
        kept = ops.where(partial, by, 0.0)
        return kept if step.name in _ROUTING else careful(partial * by, kept)
    return scaled(partial, by)


def scaled(partial: Any, by: Any) -> Any:
    """Return partial · by; None where it is 0 for sure."""
    if partial is None or by is None:
        return None
    if type(partial) is float:
        if partial == 0.0:
            return None
        if partial == 1.0:
            return by
        if partial - partial == 0.0:
            return partial * by
    if type(by) is float:
        if by == 0.0:
            return None
        return partial if by == 1.0 else partial * by
    return careful(partial * by, by)


def careful(product: Any, by: Any) -> Any:
    """Return a product, but 0 where it is nan only because 0 was multiplied by inf or nan.

    A gradient that is exactly 0 passes nothing on, whatever the partial. Where the product is a
    number, its derivatives stay those of a product: 0 now is not 0 beside it.
    """
    if isinstance(product, Value):
        return None if product.data != product.data and by.data == 0.0 else product
    keeps = ops.where(by, 1.0, product == product)  # a nan of another origin stays, and its slopes
    return ops.where(keeps, product, 0.0)


def total(terms: Sequence[Any]) -> Any:
    """Return the sum of what is not None, or None."""
    terms = [term for term in terms if term is not None]
    if len(terms) > 2 and any(type(term) is not float for term in terms):
        return engine.sum(terms)
    result = terms[0] if terms else None
    for term in terms[1:]:
        result = result + term
    return result


# ── Values ───────────────────────────────────────────────────────────────────────────────────


def of_values(
    inputs: Sequence[Value],
    outputs: Sequence[Any],
    order: Callable[[Value], Sequence[Value]] = topological_order,
    variables: Set[int] = frozenset(),
    is_open: bool = False,
) -> Trace:
    """Return the trace between Values. An output may be a plain number.

    `order` gives the nodes below a root, inputs first. It may leave out nodes that cannot depend on
    the inputs. `variables` are the ids of other nodes that vary. With `is_open`, sweeps give Values
    even where only the inputs vary.
    """
    place = {id(value): index for index, value in enumerate(inputs)}
    roots = [out for out in outputs if isinstance(out, Value)]
    steps: list[Step] = []
    if roots:
        root: Any = roots[0]
        if len(roots) > 1:
            apart = [0.0] * len(roots)  # under no_grad, a node has no children
            root = modes.recording(None, lambda: record(0.0, "", cast(Any, roots), apart))
        nodes = order(root)
        known = {id(node) for node in nodes}
        for node in nodes if len(roots) == 1 else nodes[:-1]:
            if id(node) in place:
                continue
            children = node._children
            places = [place.get(id(child), -1) for child in children]
            if max(places, default=-1) >= 0:
                place[id(node)] = len(inputs) + len(steps)
                steps.append(Step(node._op, node, children, places))
                is_open = is_open or any(
                    at < 0 and id(child) not in known and child._op != CONST
                    for at, child in zip(places, children, strict=True)
                )
            elif (not children and node._op != CONST) or id(node) in variables:
                is_open = True
        is_open = is_open or are_open(inputs)
    at = [place.get(id(out), -1) if isinstance(out, Value) else -1 for out in outputs]
    return Trace(len(inputs), steps, at, _of_values if is_open else _of_numbers, is_open)


def are_open(inputs: Sequence[Value]) -> bool:
    """Say whether inputs are computed from something that may vary."""
    return any(child._op != CONST for value in inputs for child in value._children)


def backward_as_graph(root: Value, seed: float = 1.0) -> dict[Value, Value]:
    """Return the gradient of a root by each leaf, as Values; add the numbers to `.grad`."""
    leaves = [node for node in topological_order(root) if not node._children and node._op != CONST]
    trace = of_values(leaves, [root], is_open=True)
    gradients: dict[Value, Value] = {}
    for leaf, found in zip(leaves, reverse(trace, [seed]), strict=True):
        number = 0.0 if found is None else found
        gradients[leaf] = number if isinstance(number, Value) else _constant(number)
    for leaf, gradient in gradients.items():
        leaf.grad += gradient.data
    return gradients


def _constant(number: float) -> Value:
    made = constant(number)
    assert made is not None
    return made


def _of_numbers(step: Step) -> Sequence[float]:
    return local_grads(step.out)


def _of_values(step: Step) -> Sequence[Any]:
    """Return the partials of a node, as Values where they vary."""
    node, children = step.out, step.operands
    rule = getattr(node, "_rule", None)
    if rule is not None:
        return rule(node, children, step.places)
    operands = [child.data if child._op == CONST else child for child in children]
    symbol = node._op
    if symbol in _OVER_LISTS:
        return _OVER_LISTS[symbol](node, operands, step.places)
    if symbol == "/" and not ops.divides_plainly(children[1].data):
        row = ops.div
    else:
        row = ops.BY_SYMBOL.get(_PRIMITIVE.get(symbol, symbol))
    if row is None or node._local_grads is None or row.arity != len(children):
        raise BackwardError(
            f"{node!r:.60} has local gradients that are plain numbers, so it has no second "
            "derivative; write the operation with gradwalk.custom_rule"
        )
    return [
        None if at < 0 else partial(node, *operands)
        for partial, at in zip(row.partials, step.places, strict=True)
    ]


_PRIMITIVE = {"-": "+", "/": "*", "neg": "*"}  # how the engine records these


def _of_dot(node: Any, x: list[Any], places: Sequence[int]) -> list[Any]:
    return [x[i ^ 1] for i in range(len(x))]


def _of_logsumexp(node: Any, x: list[Any], places: Sequence[int]) -> list[Any]:
    return [None if at < 0 else ops.exp(v - node) for v, at in zip(x, places, strict=True)]


def _of_cross_entropy(node: Any, x: list[Any], places: Sequence[int]) -> list[Any]:
    *values, target = x
    likely = values[int(target)]
    shares = [ops.exp(value - likely - node) for value in values]
    return [share - 1.0 if i == int(target) else share for i, share in enumerate(shares)] + [None]


def _written_out(node: Any, x: list[Any], places: Sequence[int]) -> list[Any]:
    """Return the partials of an operation over a list by differentiating what it stands for."""
    return expanded(node._children, places, nary.TABLE[node._op].written)


def expanded(
    children: Sequence[Value], places: Sequence[int], function: Callable[..., Any]
) -> list[Any]:
    """Return the partials of `function` at Values, as Values."""
    inputs = [child * 1.0 if at >= 0 else child for child, at in zip(children, places, strict=True)]
    varying = [value for value, at in zip(inputs, places, strict=True) if at >= 0]
    out = function(*inputs)
    gradients = iter(reverse(of_values(varying, [out]), [1.0]))
    return [next(gradients) if at >= 0 else None for at in places]


_OVER_LISTS: dict[str, Callable[..., list[Any]]] = {
    **dict.fromkeys(nary.TABLE, _written_out),
    "dot": _of_dot,
    "sum": lambda node, x, places: [1.0] * len(x),
    "mean": lambda node, x, places: [1.0 / len(x)] * len(x),
    "logsumexp": _of_logsumexp,
    "cross_entropy": _of_cross_entropy,
}


# ── Recorded values ──────────────────────────────────────────────────────────────────────────
def of_tape(tape: Any, inputs: Sequence[Any], outputs: Sequence[Any], begin: int) -> Trace:
    """Return the trace between recorded values, over the instructions from `begin` on."""
    codes, names, starts, args, numbers = tape.instructions()
    place = {handle._id: index for index, handle in enumerate(inputs)}
    steps: list[Step] = []
    for i in range(begin, len(codes)):
        custom = tape.rules.get(i)
        if custom is not None:
            handles, rule = custom
            places = [place.get(handle._id, -1) for handle in handles]
            if max(places, default=-1) >= 0:
                place[i] = len(inputs) + len(steps)
                steps.append(Step("", tape.traced(i), handles, places, rule))
            continue
        ids = args[starts[i] : starts[i + 1]]
        if i in place or not any(id_ in place for id_ in ids):
            continue
        handles = [
            numbers[id_] if names[codes[id_]] == "const" else tape.traced(id_) for id_ in ids
        ]
        places = [place.get(id_, -1) for id_ in ids]
        place[i] = len(inputs) + len(steps)
        steps.append(Step(names[codes[i]], tape.traced(i), handles, places))
    at = [place.get(handle._id, -1) for handle in outputs]
    return Trace(len(inputs), steps, at, recorded_partials, True, _ALONG)


def recorded_partials(step: Step) -> Sequence[Any]:
    """Return the partials of an instruction, as recorded values where they vary."""
    name, out, x, places, rule = step
    if rule is not None:
        return rule(out, x)
    if name in COMPARISONS:
        return [None] * len(x)
    if name in _MANY:
        return _MANY[name](out, x)
    return [
        None if at < 0 else partial(out, *x)
        for partial, at in zip(ops.BY_NAME[name].partials, places, strict=True)
    ]


def smooth_places(step: Step) -> list[int]:
    """Return the places in the trace by which an instruction has a derivative that is not 0."""
    name, _, x, places, _ = step
    if name in _FLAT:
        return []
    first = 1 if name in ("where", "take", "polygamma") else 0  # the first operand only chooses
    if name == "pow" and type(x[1]) is float and x[1] == 0.0:
        return []
    return [place for place in places[first:] if place >= 0]


def _is_recorded(x: Any) -> bool:
    return hasattr(type(x), "_records")


COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
_FLAT = COMPARISONS | {"floor", "floordiv", "sign"}
_SELECTING = frozenset({"take", *[op.name for op in ops.TABLE if op.selects]})
_ROUTING = frozenset({"take", "where", "relu", "clip"})  # their partials are 0 or 1
_MANY: dict[str, Callable[[Any, Sequence[Any]], Sequence[Any]]] = {
    "sum": lambda out, x: [1.0] * len(x),
    "dot": lambda out, x: [x[i ^ 1] for i in range(len(x))],
    "take": lambda out, x: [None, *[_cut(x[0]) == float(i) for i in range(len(x) - 1)]],
}


def _cut(index: Any) -> Any:
    """Return the whole number that a take reads, which is 0 from -1 on."""
    return ops.maximum(ops.floor(index), 0.0)


def _take_along(step: Step, moved: list[Any]) -> Any:
    if all(tangent is None for tangent in moved[1:]):
        return None
    if not hasattr(type(step.operands[0]), "_take"):
        return moved[1 + int(step.operands[0])]
    return step.operands[0]._take([0.0 if t is None else t for t in moved[1:]])


def _where_along(step: Step, moved: list[Any]) -> Any:
    yes, no = [0.0 if tangent is None else tangent for tangent in moved[1:]]
    return None if moved[1] is moved[2] is None else ops.where(step.operands[0], yes, no)


def _dot_along(step: Step, moved: list[Any]) -> Any:
    pairs = [(step.operands[i ^ 1], t) for i, t in enumerate(moved) if t is not None]
    return total([scaled(x, t) for x, t in pairs])


# Operations whose tangent is one operation over a list, where a sum of products would be many.
_ALONG: dict[str, Callable[[Step, list[Any]], Any]] = {
    "take": _take_along,
    "where": _where_along,
    "dot": _dot_along,
}
