"""Random programs, on the native engine and on the reference: the same to the last bit.

Programs draw from every row of the table and from numbers that break things: nan, infinities, signed
zeros, the largest and the smallest doubles. Compared are data, grad, order, local gradients, names.
"""
# ruff: noqa: E501  (scripts and tables, one thing a line)

import math
import random

import pytest
from support import alone
from support.bits import bits
from support.programs import APPLY

from gradwalk import ops
from gradwalk.engine import reference
from gradwalk.errors import OperandError

native = pytest.importorskip("gradwalk.engine._native")

ENGINES = (reference, native)
PROGRAMS = 3000
NUMBERS = (0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, math.inf, -math.inf, math.nan, 1e308, -1e308, 5e-324,
           1e-308, 709.0, -745.0, 1e16, 30.0, -30.0, 0.9)  # fmt: skip


def draw(rng: random.Random) -> float:
    return rng.choice(NUMBERS) if rng.random() < 0.3 else rng.uniform(-3, 3)


def make_program(seed) -> tuple[list[float], list[tuple[str, list[int | float]]], random.Random]:
    rng = random.Random(seed)
    leaves = [draw(rng) for _ in range(rng.randint(1, 4))]
    steps: list[tuple[str, list[int | float]]] = []
    for count in range(len(leaves), len(leaves) + rng.randint(1, 25)):
        if rng.random() < 0.6:
            op = ops.BY_NAME[rng.choice(["add", "mul", "sub", "div", "pow", "neg"])]
        else:
            op = rng.choice(ops.TABLE)
        operands: list[int | float] = [
            draw(rng) if rng.random() < 0.25 else rng.randrange(count) for _ in range(op.arity)
        ]
        operands[rng.randrange(op.arity)] = rng.randrange(max(0, count - 4), count)
        steps.append((op.name, operands))
    return leaves, steps, rng


def run(engine, seed: int) -> list[object]:
    """Run a program and return everything one can see of it."""
    leaves, steps, rng = make_program(seed)
    nodes = [engine.Value(leaf) for leaf in leaves]
    for name, operands in steps:
        taken = [nodes[x] if isinstance(x, int) else x for x in operands]
        if rng.random() < 0.2:
            taken = [int(x) if isinstance(x, float) and x == 3.0 else x for x in taken]
        nodes.append((APPLY if rng.random() < 0.8 else ops.BY_NAME)[name](*taken))
        if rng.random() < 0.1:
            nodes[-1]._children  # a native node then makes its constants nodes  # noqa: B018
        if rng.random() < 0.05:
            nodes[rng.randrange(len(nodes))].data = draw(rng)
        if rng.random() < 0.05:
            nodes[rng.randrange(len(nodes))].label = "named"
    root = nodes[-1]
    for _ in range(rng.randint(1, 3)):
        root.backward()
    order = engine.topological_order(root)
    place = {id(node): i for i, node in enumerate(order)}
    return [
        (
            bits(node.data),
            bits(node.grad),
            node._op,
            node.label,
            tuple(place[id(child)] for child in node._children),
            tuple(map(bits, node._local_grads)),
        )
        for node in order
    ] + [(bits(node.data), bits(node.grad)) for node in nodes]


@pytest.mark.parametrize("block", range(10))
def test_random_programs_agree_to_the_last_bit(block: int) -> None:
    for seed in range(block * PROGRAMS // 10, (block + 1) * PROGRAMS // 10):
        expected, got = (run(engine, seed) for engine in ENGINES)
        assert got == expected, f"seed {seed}"


@pytest.mark.parametrize("op", [op for op in ops.TABLE if not op.derived], ids=lambda op: op.name)
def test_every_row_agrees_at_every_odd_point(op: ops.Op) -> None:
    rng = random.Random(op.name)
    points = [[x] * op.arity for x in NUMBERS]
    points += [[rng.choice(NUMBERS) for _ in range(op.arity)] for _ in range(300)]
    points += [[rng.uniform(-50, 50) for _ in range(op.arity)] for _ in range(300)]
    points += [[rng.uniform(-1, 1) for _ in range(op.arity)] for _ in range(300)]
    for point in points:
        seen = []
        for engine in ENGINES:
            out = op(*map(engine.Value, point))
            seen.append((bits(out.data), tuple(map(bits, out._local_grads)), out._op))
        assert seen[0] == seen[1], point


def test_an_infinite_gradient_reaches_a_constant_as_nan_in_both() -> None:
    for engine in ENGINES:
        x = engine.Value(0.0)
        doubled = x * 2.0
        doubled.log().backward()
        assert math.isnan(doubled._children[1].grad)
        assert math.isinf(x.grad)


@pytest.mark.parametrize(
    "attempt",
    [
        *('V("3")', "V(None)", "V(1.0, [3])", "V(1.0, (V(1.0),), (1.0, 2.0))"),
        *('V(1.0, (V(1.0),), ("x",))', "V(1.0, (V(1.0),), [1.0])", 'V(1.0) + "x"', "[] * V(1.0)"),
        *("V(1.0) ** {}", "V(1.0).exp(2)", "V(1.0).maximum()", 'V(1.0).maximum("y")'),
        *('V(1.0).clip(0.0, "high" * 30)', "V(1.0).backward([])", 'V(1.0) < "x"'),
        *("int(V(math.inf))", "int(V(math.nan))", 'format(V(1.0), "z<<")', "V(2.0).nothing"),
    ],
)
def test_mistakes_raise_the_same_error(attempt: str) -> None:
    seen = []
    for engine in ENGINES:
        try:
            eval(attempt, {"V": engine.Value, "math": math})
            seen.append(None)
        except Exception as error:
            seen.append((type(error), str(error)))
    assert seen[0] is not None
    assert seen[0] == seen[1]


def test_texts_agree() -> None:
    def texts(V) -> list[object]:
        v = V(2.0, label="it's")
        return [repr(v), f"{v:.3f}", f"{v}", str(V(math.nan)), repr(V(10**400)), repr(V(True)),
                V.exp.__doc__, V.arcsin.__name__, V.__name__, V.__module__, V.__qualname__, V.__doc__.split()]  # fmt: skip

    assert texts(reference.Value) == texts(native.Value)


def test_both_have_the_same_public_attributes() -> None:
    def names(V) -> set[str]:
        return {name for name in dir(V) if not name.startswith("__") or name in {"__floor__"}}

    slots = {"_data", "_grad", "_label"}  # behind the properties of these names
    assert names(reference.Value) - slots == names(native.Value)


def test_a_row_written_in_python_only_works() -> None:
    twice = ops.Op("twice", "x y", lambda x, y: 2 * x + y, (lambda out, x, y: 2.0, lambda out, x, y: 1.0),
                   ("2", "1"), "doubles", probes=((1.0, 2.0),))  # fmt: skip
    for engine in ENGINES:
        x = engine.Value(3.0)
        out = twice(x, 4.0)
        out.backward()
        assert (out.data, x.grad, out._op, out._local_grads) == (10.0, 2.0, "twice", (2.0, 0.0))


@pytest.mark.parametrize("wrong", ["x", None, [1.0], 1j, "long" * 30], ids=repr)
@pytest.mark.parametrize("name", ["data", "grad", "label"])
def test_data_grad_and_label_refuse_what_they_cannot_hold(name: str, wrong: object) -> None:
    if name == "label" and isinstance(wrong, str):
        wrong = 3
    said = []
    for engine in ENGINES:
        v = engine.Value(1.0)
        with pytest.raises(OperandError, match=f"not {type(wrong).__name__}") as refused:
            setattr(v, name, wrong)
        said.append(str(refused.value))
        assert (v.data, v.grad, v.label) == (1.0, 0.0, "")
    assert said[0] == said[1]


def test_data_and_grad_cannot_be_deleted_and_keep_floats() -> None:
    for engine in ENGINES:
        v = engine.Value(1.0)
        for name in ("data", "grad"):
            with pytest.raises(
                AttributeError, match=f"a Value keeps its {name}: it cannot be deleted"
            ):
                delattr(v, name)
        v.data = 3
        v.grad = True
        assert (v.data, v.grad, type(v.data), type(v.grad)) == (3.0, 1.0, float, float)


def test_parts_can_be_assigned_as_on_the_reference() -> None:
    for engine in ENGINES:
        a, b, c = engine.Value(2.0), engine.Value(3.0), engine.Value(4.0)
        node = a * b
        node._children = (a, c)
        node._local_grads = (10.0, 20.0)
        node._op = "odd"
        node.backward()
        assert (a.grad, b.grad, c.grad, node._op) == (10.0, 0.0, 20.0, "odd")
        node._children = ()
        node._local_grads = ()
        node.backward()
        assert (a.grad, node.grad) == (10.0, 2.0)


def test_a_row_that_only_the_table_has_becomes_a_method() -> None:
    script = """
from gradwalk import ops
double = ops.Op("double", "x slope", lambda x, s: s * x, (lambda o, x, s: s, lambda o, x, s: x),
                ("slope", "x"), "scales", probes=((1.0, 2.0),), defaults=(2.0,), aliases=("twice",))
ops.TABLE = (*ops.TABLE, double)
ops.BY_NAME["double"] = ops.BY_SYMBOL["double"] = double
import sys
del sys.modules["gradwalk.engine._native"]  # a second engine then, which reads the longer table
from gradwalk.engine._native import Value
x = Value(3.0)
out = x.double() + x.twice(5)
out.backward()
print(out.data, x.grad, x.double()._op)
"""
    assert alone.run(script) == "21.0 7.0 double\n"
