"""Every row of the operation table against mpmath: values, slopes, slopes of slopes, edges."""

import math
from itertools import product
from random import Random

import pytest
from support import engines, exact
from support.bits import bits, same

from gradwalk import compile, grad, ops  # noqa: A004
from gradwalk.ops import Edge, Op

pytest_generate_tests = engines.on_every_engine

EPSILON = 2.0**-52

rows = pytest.mark.parametrize("op", ops.TABLE, ids=lambda op: op.name)
partials = pytest.mark.parametrize(
    ("op", "operand"),
    [
        pytest.param(op, i, id=f"{op.name}-by-{name}")
        for op in ops.TABLE
        for i, name in enumerate(op.operands)
    ],
)
edges = pytest.mark.parametrize(
    ("op", "edge"),
    [
        pytest.param(op, edge, id=f"{op.name}{edge.operands}")
        for op in ops.TABLE
        for edge in op.edges
    ],
)


def at(op: Op, operand: int, point: tuple[float, ...]) -> float:
    """The partial derivative by the row's own rule, on floats."""
    return op.partials[operand](op.value(*point), *point)


# ── The table itself ─────────────────────────────────────────────────────────────────────────


def test_every_row_has_an_oracle_and_places_to_sample() -> None:
    assert exact.EXACT.keys() == exact.POINTS.keys() == ops.BY_NAME.keys()


@rows
def test_row_is_complete(op: Op) -> None:
    assert len(op.partials) == len(op.formulas) == op.arity
    assert op.probes
    assert {len(point) for point in op.probes} == {op.arity}
    assert {(len(edge.operands), len(edge.partials)) for edge in op.edges} <= {(op.arity, op.arity)}
    assert op.reason
    assert ops.BY_SYMBOL[op.symbol] is ops.BY_NAME[op.name] is op


# ── Values ───────────────────────────────────────────────────────────────────────────────────


@rows
def test_value_is_within_4_ulp(op: Op) -> None:
    worst, where = max(
        (exact.ulps(op.value(*point), exact.exact(op.name, point)), point)
        for point in [*op.probes, *exact.points(op.name, 2000, seed=op.name)]
    )
    print(f"{op.name}: at most {worst:.2f} ulp, at {where}")
    assert worst <= 4, f"{op.name}{where} is off by {worst} ulp"


@pytest.mark.parametrize("x", [-37.6, -37.9, -38.2, -38.5])
def test_gelu_where_erfc_is_subnormal_is_off_by_few_of_the_least_double(x: float) -> None:
    # gelu is x · erfc / 2: what erfc lost to the grid of subnormals, x magnifies up to 19-fold.
    assert abs(ops.gelu.value(x) - exact.exact("gelu", (x,))) <= 20 * 5e-324


@rows
def test_value_never_raises_and_is_always_a_float(op: Op) -> None:
    extremes = [0.0, -0.0, 1.0, -1.0, 5e-324, 1.7e308, -1.7e308, math.inf, -math.inf, math.nan]
    extremes += [0.5, -2.5, 710.0, -746.0]
    points = [()]
    for _ in op.operands:
        points = [(*point, x) for point in points for x in extremes]
    for point in points:
        assert type(op.value(*point)) is float, point
        for operand in range(op.arity):
            assert type(at(op, operand, point)) is float, (point, operand)


# ── Slopes ───────────────────────────────────────────────────────────────────────────────────


@partials
def test_partial_is_within_16_ulp_or_what_an_ulp_of_its_operands_does(op: Op, operand: int) -> None:
    """Where the slope magnifies its operands' last bits by κ, κ further ulps are allowed.

    That is next to the zeros of slopes that are differences: those of silu and gelu.
    """
    for point in [*op.probes, *exact.points(op.name, 150, seed=f"{op.name} {operand}")]:
        ours, true = at(op, operand, point), exact.partial(op.name, point, operand)
        off = exact.ulps(ours, true)
        allowed = 16 if off <= 16 else 16 + exact.condition(op.name, point, operand)
        assert off <= allowed, f"at {point}: {ours}, not {float(true)}; {off} ulp"


@pytest.mark.parametrize("name", ["erf", "erfc", "gelu"])
def test_slopes_keep_their_digits_far_out_in_the_tails(name: str) -> None:
    op, random = ops.BY_NAME[name], Random(name)
    for x in [24.332484693261122, *[random.uniform(3.0, 26.0) for _ in range(300)]]:
        for point in ((x,), (-x,)):
            off = exact.ulps(at(op, 0, point), exact.partial(name, point, 0))
            assert off <= 16, (point, off)


@partials
def test_partial_rule_on_values_agrees_with_itself_on_floats(Value, op: Op, operand: int) -> None:
    for point in op.probes:
        operands = [Value(x) for x in point]
        by_values = op.partials[operand](op(*operands), *operands)
        number = by_values.data if isinstance(by_values, Value) else by_values
        assert number == pytest.approx(at(op, operand, point), rel=8 * EPSILON, abs=0.0)


@partials
def test_second_derivatives_come_from_running_the_rule_on_values(Value, op, operand) -> None:
    for point in op.probes:
        operands = [Value(x) for x in point]
        slope = op.partials[operand](op(*operands), *operands)
        if isinstance(slope, Value):
            slope.backward()
        for other, value in enumerate(operands):
            true = exact.second_partial(op.name, point, operand, other)
            scale = 1e-12 * abs(float(exact.partial(op.name, point, operand)))
            assert value.grad == pytest.approx(float(true), rel=1e-12, abs=scale), (point, other)


def near(found: float, wanted: float, scale: float = 0.0) -> bool:
    if math.isnan(wanted):
        return math.isnan(found)
    return found == pytest.approx(wanted, rel=1e-12, abs=1e-12 * scale)


@partials
def test_the_compiled_gradient_of_a_row_is_the_eager_and_the_true_one(op: Op, operand: int) -> None:
    """Also at the row's edges. Where 0/0 has no value, nothing is passed on to y."""
    slope = grad(op, operand)
    compiled = compile(slope)
    for point in op.probes:
        true = float(exact.partial(op.name, point, operand))
        assert near(compiled(*point), true), point
        assert near(slope(*point), true), point
    for edge in op.edges:
        assert near(compiled(*edge.operands), slope(*edge.operands)), edge
        if not math.isnan(edge.value):
            assert near(slope(*edge.operands), edge.partials[operand]), edge


@partials
def test_the_compiled_second_derivatives_of_a_row_are_the_eager_and_the_true_ones(op, operand):
    for other in range(op.arity):
        slope = grad(grad(op, operand), other)
        compiled = compile(slope)
        for point in op.probes:
            true = float(exact.second_partial(op.name, point, operand, other))
            scale = abs(float(exact.partial(op.name, point, operand)))
            assert near(compiled(*point), true, scale), (point, other)
            assert near(slope(*point), true, scale), (point, other)
        for edge in op.edges:
            if not math.isnan(edge.value):
                found, eager = compiled(*edge.operands), slope(*edge.operands)
                assert near(found, eager), (edge, other, found, eager)


SPECIAL = (0.0, -0.0, 1.0, -2.5, math.inf, -math.inf, math.nan, 1e300, 1e-200)


@partials
def test_compiled_derivatives_are_the_eager_ones_at_all_pairs_of_special_numbers(op, operand):
    some = SPECIAL if op.arity < 3 else (0.0, 1.0, -2.5, math.inf, math.nan)
    points = list(product(some, repeat=op.arity))
    for other in (None, *range(op.arity)):
        slope = grad(op, operand) if other is None else grad(grad(op, operand), other)
        compiled = compile(slope)
        for point in points:
            found, eager = compiled(*point), slope(*point)
            assert near(found, eager, 1e-4), (point, other, found, eager)


@pytest.mark.parametrize("y", [0.0, 5e-324, 1e-3])
@pytest.mark.parametrize("x", [5e-324, 1e-310])
def test_compiled_slopes_of_powers_of_subnormal_numbers_are_true(x: float, y: float) -> None:
    for operand in range(2):  # x ** (y - 1) is inf, or nearly
        slope = grad(ops.pow_, operand)
        true = float(exact.partial("pow", (x, y), operand))
        assert near(compile(slope)(x, y), true), operand
        assert near(slope(x, y), true), operand


@rows
def test_a_node_records_the_rows_value_and_partials(Value, op: Op) -> None:
    for point in op.probes:
        operands = [Value(x) for x in point]
        out = op(*operands)
        out.backward()
        assert bits(out.data) == bits(op.value(*point))
        for operand, value in enumerate(operands):
            expected = at(op, operand, point)
            if op.derived:  # recorded as two primitives, each of which rounds
                assert value.grad == pytest.approx(expected, rel=4 * EPSILON)
            else:
                assert bits(out._local_grads[operand]) == bits(expected)
                assert value.grad == expected


# ── Edges: subgradients at kinks, IEEE results at the ends ───────────────────────────────────


@edges
def test_edge_is_as_documented(op: Op, edge: Edge) -> None:
    found = [at(op, operand, edge.operands) for operand in range(op.arity)]
    assert bits(op.value(*edge.operands)) == bits(edge.value), op.value(*edge.operands)
    assert same(found, edge.partials), found


@edges
def test_edge_is_what_a_graph_gives(Value, op: Op, edge: Edge) -> None:
    operands = [Value(x) for x in edge.operands]
    out = op(*operands)
    assert bits(out.data) == bits(edge.value)
    if not op.derived:
        assert same(out._local_grads, edge.partials)


@pytest.mark.parametrize("exponent", [-1.0, -3.0, -(2.0**51 + 1.0)])
def test_a_pole_takes_the_sign_of_a_zero_at_odd_exponents_alone(Value, exponent: float) -> None:
    assert ops.pow_.value(-0.0, exponent) == -math.inf
    for near in (math.nextafter(exponent, 0.0), math.nextafter(exponent, -math.inf)):
        assert ops.pow_.value(-0.0, near) == math.inf
        assert (Value(-0.0) ** Value(near)).data == math.inf
    assert ops.pow_.value(-0.0, -math.inf) == math.inf
