"""map: one replay for each row of numpy arrays, with gradients by scenario or reduced."""

# ruff: noqa: PLW0108  (a lambda has the signature that is recorded, and a line of its own)

import dataclasses
import math
from fractions import Fraction
from typing import Any

import pytest

import gradwalk
from gradwalk import (
    AnomalyError,
    OperandError,
    ProgramError,
    Value,
    compile,  # noqa: A004
)
from gradwalk.program import map as mapping

np = pytest.importorskip("numpy")
rng = np.random.default_rng(5)


@compile
def pay(s0, k, z):
    s = s0
    for zi in z:
        s = s * gradwalk.exp(0.1 * zi)
    return gradwalk.maximum(s - k, 0.0)


def looped(s0, k, z):
    """The same by one value_and_grad for each row."""
    count = len(z)
    rows = [
        pay.value_and_grad(
            float(s0[i]) if np.ndim(s0) else s0, float(k[i]) if np.ndim(k) else k, z[i]
        )
        for i in range(count)
    ]
    values = np.array([value for value, _ in rows])
    grads = {name: np.array([grad[name] for _, grad in rows]) for name in ("s0", "k", "z")}
    return values, grads


Z = rng.standard_normal((9, 4))
S = 90.0 + 20.0 * rng.random(9)


@pytest.mark.parametrize("s0", [100.0, S], ids=["shared", "varying"])
@pytest.mark.parametrize("threads", [None, 1, 2, 3])
def test_mapped_is_looped(s0, threads, backend: str) -> None:
    values, grads = looped(s0, 100.0, Z)
    assert pay.map(s0, 100.0, Z, threads=threads) == pytest.approx(values, rel=1e-12)
    found, by_name = pay.map.value_and_grad(s0, k=100.0, z=Z, threads=threads)
    assert found == pytest.approx(values, rel=1e-12)
    assert set(by_name) == {"s0", "k", "z"}
    for name, grad in by_name.items():
        assert grad.shape == grads[name].shape
        assert grad == pytest.approx(grads[name], rel=1e-12)


@pytest.mark.parametrize("reduce", ["sum", "mean"])
def test_reduced_gradients_are_those_of_the_reduced_value(reduce, backend: str) -> None:
    values, grads = looped(100.0, 100.0, Z)
    share = 1.0 if reduce == "sum" else 1.0 / len(Z)
    value, by_name = pay.map.value_and_grad(100.0, 100.0, Z, reduce=reduce)
    assert set(by_name) == {"s0", "k"}  # what is shared
    assert isinstance(value, float)
    assert value == pytest.approx(values.sum() * share, rel=1e-12)
    assert by_name["s0"] == pytest.approx(grads["s0"].sum() * share, rel=1e-12)
    assert by_name["k"] == pytest.approx(grads["k"].sum() * share, rel=1e-12)
    _, asked = pay.map.value_and_grad(100.0, 100.0, Z, reduce=reduce, wrt=("z", "k"))
    assert set(asked) == {"z", "k"}
    assert asked["z"] == pytest.approx(grads["z"] * share, rel=1e-12)
    assert asked["k"] == pytest.approx(by_name["k"], rel=1e-12)
    _, all_vary = pay.map.value_and_grad(S, S * 0.9, Z, reduce=reduce)
    assert all_vary["z"].shape == Z.shape
    with pytest.raises(OperandError, match="reduce is None, 'sum' or 'mean', not 'max'"):
        pay.map.value_and_grad(100.0, 100.0, Z, reduce="max")


def test_shared_lists_keep_their_shape_when_reduced(backend: str) -> None:
    @compile
    def f(curve, x):
        return curve["a"][0] * x + curve["a"][1] * x * x + curve["b"]

    x = np.array([1.0, 2.0, 3.0])
    curve = {"a": [1.0, 2.0], "b": 5.0}
    value, grads = f.map.value_and_grad(curve, x, reduce="sum")
    assert value == 6.0 + 28.0 + 15.0
    assert grads == {"curve": {"a": [6.0, 14.0], "b": 3.0}}
    _, rows = f.map.value_and_grad(curve, x)
    assert rows["curve"]["a"].tolist() == [[1.0, 1.0], [2.0, 4.0], [3.0, 9.0]]
    assert rows["curve"]["b"].tolist() == [1.0, 1.0, 1.0]
    mixed, both = f.map.value_and_grad({"a": [x, 2.0], "b": x}, x)
    assert mixed.tolist() == [1 + 2 + 1, 4 + 8 + 2, 9 + 18 + 3]
    assert both["curve"]["a"].tolist() == [[1.0, 1.0], [2.0, 4.0], [3.0, 9.0]]


@dataclasses.dataclass
class Market:
    spot: object
    curve: object
    name: str = "m"


def test_arrays_in_dataclasses_vary_too(backend: str) -> None:
    f = compile(lambda m, x: m.spot * x + m.curve[1] * m.curve[0])
    spot, x = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])
    values, grads = f.map.value_and_grad(Market(spot, [10.0, 20.0]), x)
    assert values.tolist() == [204.0, 210.0, 218.0]
    assert grads["m"]["spot"].tolist() == [4.0, 5.0, 6.0]
    assert grads["m"]["curve"].tolist() == [[20.0, 10.0]] * 3
    total, shared = f.map.value_and_grad(Market(2.0, [10.0, 20.0]), x, reduce="sum")
    assert total == 630.0
    assert shared == {"m": Market(15.0, [60.0, 30.0], "m")}


def test_results_of_any_structure_become_arrays(backend: str) -> None:
    f = compile(lambda x, n: {"a": (x, [x * 2.0, n]), "b": None, "c": x + n})
    out = f.map(np.array([1.0, 2.0]), 3.0)
    assert out["a"][0].tolist() == [1.0, 2.0]
    assert out["a"][1].tolist() == [[2.0, 3.0], [4.0, 3.0]]
    assert out["b"] is None
    assert out["c"].tolist() == [4.0, 5.0]
    grid = compile(lambda m: m * 2.0)
    m = rng.random((3, 2, 2))
    assert (grid.map(m) == m * 2).all()
    with pytest.raises(ProgramError, match="one number"):
        f.map.value_and_grad(np.array([1.0]), 3.0)


LAYOUTS = {
    "C": lambda z: np.ascontiguousarray(z),
    "F": lambda z: np.asfortranarray(z),
    "view": lambda z: np.repeat(np.repeat(z, 2, 0), 3, 1)[::2, ::3],
    "reversed": lambda z: np.ascontiguousarray(z[::-1])[::-1],
    "broadcast": lambda z: np.broadcast_to(z[:1], z.shape),
    "read-only": lambda z: _frozen(z),
    "float32": lambda z: z.astype(np.float32),
    "big-endian": lambda z: z.astype(">f8"),
    "integers": lambda z: np.round(z).astype(np.int16),
}


def _frozen(z):
    z = z.copy()
    z.flags.writeable = False
    return z


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("count", [1, 9])
def test_arrays_of_any_layout_and_type(layout: str, count: int, backend: str) -> None:
    z = LAYOUTS[layout](Z[:count])
    wanted, grads = looped(100.0, 95.0, np.asarray(z, dtype=np.float64))
    value, by_name = pay.map.value_and_grad(100.0, 95.0, z)
    assert value == pytest.approx(wanted, rel=1e-12)
    assert by_name["z"] == pytest.approx(grads["z"], rel=1e-12)


def test_no_scenarios_give_no_results(backend: str) -> None:
    empty = np.zeros((0, 4))
    assert pay.map(100.0, 100.0, empty).shape == (0,)
    values, grads = pay.map.value_and_grad(100.0, 100.0, empty)
    assert values.shape == (0,)
    assert grads["z"].shape == (0, 4)
    assert pay.map.value_and_grad(100.0, 100.0, empty, reduce="sum") == (0.0, {"s0": 0.0, "k": 0.0})
    with pytest.raises(OperandError, match="mean over no scenarios"):
        pay.map.value_and_grad(100.0, 100.0, empty, reduce="mean")


def test_wrong_arguments_are_named_with_their_shapes(backend: str) -> None:
    with pytest.raises(
        OperandError, match=r"z of shape \(9, 4\) has 9 rows.* s0 of shape \(8,\) has 8"
    ):
        pay.map(S[:8], 100.0, Z)
    with pytest.raises(OperandError, match=r"pay.map\(\) needs a numpy array"):
        pay.map(100.0, 100.0, [1.0, 2.0])
    with pytest.raises(OperandError, match="z is an array of complex128: expected float64"):
        pay.map(100.0, 100.0, Z * 1j)
    with pytest.raises(OperandError, match="z is an array of <U1"):
        pay.map(100.0, 100.0, np.array([["a"]]))
    for threads in (0, -1, 1.5, True):
        with pytest.raises(OperandError, match="threads is a positive count"):
            pay.map(100.0, 100.0, Z, threads=threads)


def test_anomalies_name_their_scenario(backend: str) -> None:
    f = compile(lambda x: gradwalk.log(x))
    x = np.array([1.0, 2.0, -3.0, -4.0])
    assert np.isnan(f.map(x)).tolist() == [False, False, True, True]
    with gradwalk.detect_anomaly():
        assert f.map(x[:2])[0] == 0.0
        for use in (f.map, f.map.value_and_grad):
            with pytest.raises(AnomalyError, match=r"scenario 2: log\(-3.0\) is nan, recorded at"):
                use(x)


def test_without_numpy_map_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    with pytest.raises(OperandError, match="numpy is not installed"):
        mapping._numpy()
    assert compile(lambda x: x * 2.0)([1.0] * 0 or 3.0) == 6.0


def test_parts_that_cancel_keep_their_digits_in_rows_and_in_one_product(backend: str) -> None:
    draw = np.random.default_rng(1)
    x = draw.normal(size=4000) * 1e8
    y = x + draw.normal(size=4000) * 1e-4
    exact = math.fsum(x - y)
    parts = compile(lambda w, x, y: w * x - w * y)
    assert math.fsum(parts.map.value_and_grad(1.5, x, y)[1]["w"]) == exact
    reduced = parts.map.value_and_grad(1.5, x, y, reduce="sum")[1]["w"]
    assert abs(reduced - exact) <= 2.0**-50 * (abs(x).sum() + abs(y).sum())
    one = compile(lambda w, x, y: w * (x - y)).map.value_and_grad(1.5, x, y, reduce="sum")[1]["w"]
    assert one == pytest.approx(exact, rel=1e-13)


def test_sums_of_two_rows_by_few_scenarios_are_those_of_each_scenario(level: str) -> None:
    def nearest(point: Any, centres: Any) -> Any:
        best: Any = None
        for centre in centres:
            apart = [a - b for a, b in zip(centre, point, strict=True)]
            squared = gradwalk.dot(apart, apart)
            best = squared if best is None else gradwalk.minimum(best, squared)
        return best

    f, centres = gradwalk.compile(nearest), [[0.0, 0.5], [4.0, 3.0]]
    points = np.array([[1.0, 0.25], [3.0, 5.0], [-1.0, 0.5]])
    found = f.map.value_and_grad(points, centres, wrt="centres", reduce="sum")[1]
    assert found == {"centres": [[0.0, 0.5], [2.0, -4.0]]}


def test_sums_beyond_the_numbers_are_made_without_a_warning(backend: str) -> None:
    w = Value(1.0)
    f = compile(lambda x: x * w)
    rows = np.array([math.inf, -math.inf])
    assert math.isnan(f.map(rows, reduce="sum"))
    assert math.isnan(f.map.value_and_grad(rows, reduce="mean")[0])
    assert f.map(np.array([1e308, 1e308]), reduce="sum") == math.inf
    with f.train(gradwalk.optim.SGD([w], lr=0.1)) as train:
        assert math.isnan(train.batch(rows))


def test_detect_anomaly_finds_the_scenario_that_spoils_a_reduced_gradient(backend: str) -> None:
    root = compile(lambda a, x: a + gradwalk.sqrt(a * x))
    x = np.array([1.0, 2.0, 0.0, 3.0])  # sqrt(0) has slope inf, times 0
    with gradwalk.detect_anomaly(), pytest.raises(AnomalyError, match=r"scenario 2: .*\.py:\d+"):
        root.map.value_and_grad(1.0, x, wrt="a", reduce="mean")


@pytest.mark.parametrize("zeros", [1, 40, 300], ids=["one", "some", "all"])
def test_a_guarded_scenario_does_not_count_a_shared_gradient_twice(zeros, backend: str) -> None:
    def loss(x, s, w):  # s gets 3 w + x and w gets 3 s + 1 / x, of which 1 / 0 is not taken
        return 3.0 * s * w + s * x + (w / x if x > 0.0 else 0.0)

    x = np.concatenate([np.zeros(zeros), np.arange(1.0, 301.0 - zeros)])
    by_s = 300 * 3.0 * 2.0 + x.sum()
    by_w = 300 * 3.0 * 5.0 + (1.0 / x[zeros:]).sum()
    for threads in (1, 2):
        _, grads = compile(loss).map.value_and_grad(x, 5.0, 2.0, reduce="sum", threads=threads)
        assert grads == pytest.approx({"s": by_s, "w": by_w}, rel=1e-13)
        _, grads = compile(loss).map.value_and_grad(x, 5.0, 2.0, reduce="mean", threads=threads)
        assert grads == pytest.approx({"s": by_s / 300, "w": by_w / 300}, rel=1e-13)
    s, w = Value(5.0), Value(2.0)
    with compile(lambda x: loss(x, s, w)).train(gradwalk.optim.SGD([s, w], lr=1.0)) as train:
        train.batch(x)
    assert [s.data, w.data] == pytest.approx([5.0 - by_s / 300, 2.0 - by_w / 300], rel=1e-13)


@pytest.mark.parametrize("every", [1, 7, 64])
def test_rows_without_numbers_are_mapped_as_they_are_looped(every: int, backend: str) -> None:
    @gradwalk.compile
    def variance(v, kappa, z):
        for zi in z:
            root = gradwalk.sqrt(gradwalk.maximum(v, 0.0))
            v = v + kappa * (0.04 - v) / 2 + 0.3 * root * zi
        return gradwalk.maximum(v - 0.02, 0.0)

    count = 300 if backend == "native" else 30
    rows = np.random.default_rng(3).standard_normal((count, 3))
    rows[::every, 1] = np.nan
    rows[3, 0] = np.inf
    for shared in (0.04, 0.0, math.nan):  # at 0 the first root has the slope inf
        values, grads = variance.map.value_and_grad(shared, 0.5, rows)
        looped = [variance.value_and_grad(shared, 0.5, row) for row in rows]
        assert np.allclose(values, [value for value, _ in looped], 1e-12, equal_nan=True)
        for name in ("v", "kappa", "z"):
            wanted = np.array([by[name] for _, by in looped])
            assert np.allclose(grads[name], wanted, 1e-11, 1e-13, equal_nan=True)
        one, two = [
            variance.map.value_and_grad(
                shared, 0.5, rows, reduce="sum", wrt=("v", "kappa", "z"), threads=n
            )[1]
            for n in (1, 2)
        ]
        for name in ("v", "kappa"):
            total = sum([by[name] for _, by in looped])
            assert one[name] == pytest.approx(total, rel=1e-11, abs=1e-12, nan_ok=True)
            assert one[name] == two[name] or math.isnan(two[name])
        assert np.array_equal(one["z"], grads["z"], equal_nan=True)


@pytest.mark.parametrize(
    "gate",
    [
        lambda x: gradwalk.where(x > 0.0, x, 0.0),
        lambda x: gradwalk.relu(x),
        lambda x: gradwalk.clip(x, 0.0, 9.0),
        lambda x: gradwalk.take([0.0, x], x > 0.0),
        lambda x: gradwalk.maximum(x, 0.0),
        lambda x: -gradwalk.minimum(-x, 0.0),
    ],
    ids=["where", "relu", "clip", "take", "maximum", "minimum"],
)
def test_a_side_that_is_not_taken_gets_no_gradient_also_from_an_inf(backend: str, gate) -> None:
    root = compile(lambda x: gradwalk.sqrt(gate(x)))  # at 0 the slope of sqrt is inf
    assert root.value_and_grad(-1.0) == (0.0, {"x": 0.0})
    values, grads = root.map.value_and_grad(np.array([4.0, -1.0, 1.0] * 50))
    assert values.tolist() == [2.0, 0.0, 1.0] * 50
    assert grads["x"].tolist() == [0.25, 0.0, 0.5] * 50


ZEROS = {
    "x + 0": lambda x: x + 0.0,
    "0 + x": lambda x: 0 + x,
    "x - 0": lambda x: x - 0.0,
    "0 - x": lambda x: 0.0 - x,
    "x + -0": lambda x: x + -0.0,
    "-0 + x": lambda x: -0.0 + x,
    "-0 - x": lambda x: -0.0 - x,
    "x - -0": lambda x: x - -0.0,
    "sum": lambda x: sum([x]),
    "x * 0": lambda x: x * 0.0,
    "-x": lambda x: -x,
    "x * x + 0": lambda x: x * abs(x) + 0.0,
}


@pytest.mark.parametrize("name", ZEROS)
def test_a_zero_keeps_or_loses_its_sign_as_in_python(name: str, backend: str) -> None:
    f = ZEROS[name]
    points = [0.0, -0.0, 2.0, -2.0]
    expected = [math.copysign(1.0, f(x)) for x in points]
    program = compile(f)
    assert [math.copysign(1.0, program(x)) for x in points] == expected
    assert np.copysign(1.0, program.map(np.array(points))).tolist() == expected


# ── What an array can be ─────────────────────────────────────────────────────────────────────


def test_masked_entries_are_refused_and_masks_without_any_are_not(backend: str) -> None:
    f = compile(lambda x: x * 2.0)
    total = compile(lambda v: sum(v))
    masked = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, True])
    with pytest.raises(OperandError, match=r"x is an array with 2 masked entries.*x\.filled"):
        f.map(masked)
    with pytest.raises(OperandError, match="v is an array with 2 masked entries"):
        total(masked)
    with pytest.raises(OperandError, match="x is an array with 1 masked entry"):
        f(masked[1])
    assert f.map(np.ma.array([1.0, 2.0])).tolist() == [2.0, 4.0]
    assert total(masked[:1]) == 1.0


def test_an_array_that_begins_between_doubles_is_read(backend: str) -> None:
    odd = np.frombuffer(b"\0" + np.arange(4.0).tobytes(), np.uint8)[1:].view(np.float64)
    assert not odd.flags.aligned
    assert compile(lambda v: sum(v))(odd) == 6.0
    assert compile(lambda x: x + 1.0).map(odd).tolist() == [1.0, 2.0, 3.0, 4.0]


def test_rows_of_python_s_numbers_vary_as_any_others_do(backend: str) -> None:
    f = compile(lambda x, y: x * y)
    rows = np.array([1, 2.5, Fraction(4)], dtype=object)
    assert f.map(rows, 2.0).tolist() == [2.0, 5.0, 8.0]
    with pytest.raises(OperandError, match=r"x\[1\] is a str: the rows of a map hold numbers"):
        f.map(np.array([1, "b"], dtype=object), 2.0)


def test_a_complaint_of_the_function_comes_with_what_it_was_given(backend: str) -> None:
    f = compile(lambda x, y: math.sin(x) * y)
    with pytest.raises(TypeError, match=r"0-dim") as caught:
        f.map(np.zeros((3, 1)), 2.0)
    assert caught.value.__notes__ == [
        "math takes one number: np.exp(x), or [math.exp(v) for v in x]",
        "while <lambda> was recorded, with x an array of shape (1,), y a number",
        "scenario 0",
    ]


def test_arguments_with_the_name_of_an_option_are_given_by_position() -> None:
    f = compile(lambda wrt, reduce, threads: wrt * reduce + threads)
    assert f.value_and_grad(2.0, 3.0, 1.0, wrt="reduce") == (7.0, {"reduce": 2.0})
    assert f(wrt=2.0, reduce=3.0, threads=1.0) == 7.0
    with pytest.raises(OperandError, match="give an argument that is called wrt by its position"):
        f.value_and_grad(2.0, 3.0, 1.0, wrt=2.0)
    rows = np.array([1.0, 3.0])
    assert f.map(rows, 2.0, 1.0, reduce="sum") == 10.0
    found = f.map.value_and_grad(rows, 2.0, 1.0, reduce="sum", wrt=["threads"])
    assert found == (10.0, {"threads": 2.0})


@pytest.mark.parametrize(
    "given",
    [
        {"a": [[1.0, 2.0], [3.0, 4.0]], "b": (5.0, [6.0])},
        [(1.0, 2.0), (3.0, 4)],
        {1: [1.0, 2.0], 2: [3.0]},
        [[1.0, np.float64(2.0)], [True, 3.0]],
        [[1.0, Value(2.0)], [3.0, 4.0]],
        [[1.0, 10**400], [3.0, 4.0]],
        [[1.0, Fraction(1, 2)], [3.0, 4.0]],
        {"a": [1.0, 2.0], "b": "name", "c": None},
        {"a": [1.0, 2.0], "b": []},
    ],
)
def test_lists_are_read_anew_in_each_call(given: Any, backend: str) -> None:
    """The second call has the structure of the first, and other numbers."""

    def leaves(thing: Any) -> list[Any]:
        if isinstance(thing, list | tuple | dict):
            parts = thing.values() if isinstance(thing, dict) else thing
            return [x for part in parts for x in leaves(part)]
        return [] if thing is None or isinstance(thing, str) else [thing]

    def doubled(thing: Any) -> Any:
        if isinstance(thing, dict):
            return {key: doubled(part) for key, part in thing.items()}
        if isinstance(thing, list | tuple):
            return type(thing)([doubled(part) for part in thing])
        return thing if thing is None or isinstance(thing, str | Value) else 2 * thing

    def weighted(w: Any, z: Any) -> Any:
        return sum([(k + 1.0) * x * z for k, x in enumerate(leaves(w))])

    compiled = compile(weighted)
    z = np.array([0.5, 1.0, 2.0])
    for w in (given, doubled(given), given):
        value, grads = compiled.map.value_and_grad(w, z, wrt="w", reduce="sum")
        numbers = [x.data if isinstance(x, Value) else _double(x) for x in leaves(w)]
        assert value == pytest.approx(sum([(k + 1.0) * x * 3.5 for k, x in enumerate(numbers)]))
        assert leaves(grads["w"]) == [(k + 1.0) * 3.5 for k in range(len(numbers))]
        assert type(grads["w"]) is type(given)
    assert len(compiled._store) == 1


def _double(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf
