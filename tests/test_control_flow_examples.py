"""examples/control_flow: plain Python, compiled as it is, over random inputs."""

import importlib.util
import math
import random
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import gradwalk
from gradwalk import Value

np = pytest.importorskip("numpy")

FOLDER = Path(__file__).parent.parent / "examples" / "control_flow"
SCENARIOS = 10_000
CALLS = 200

# The function of each file, and where its arguments are drawn from: (low, high), or (low, high,
# how many) for a list.
EXAMPLES: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "adaptive_rk45": ("angle_at", [(0.1, 2.0), (-1.5, 1.5), (0.0, 0.5)]),
    "american_put": ("price", [(70, 130), (90, 110), (0.01, 0.1), (0.1, 0.5)]),
    "asian_option": ("payoff", [(90, 110), (0.1, 0.5), (80, 110), (-2, 2, 8)]),
    "barrier_option": ("payoff", [(90, 120), (0.1, 0.5), (70, 95), (-2, 2, 8)]),
    "bisection": ("root", [(-20, 20)]),
    "bouncing_ball": ("distance", [(0.2, 4), (0.5, 3), (0.4, 0.9)]),
    "clamp": ("clamp", [(-2, 2), (-1, 1), (-1, 1)]),
    "greedy_choice": ("best", [(0.5, 12), (1, 20, 4), (0.5, 5, 4)]),
    "implied_volatility": ("implied_volatility", [(12, 40), (98, 102), (98, 102)]),
    "kalman": ("place", [(0.1, 1), (0.001, 0.1), (-3, 3, 5)]),
    "kepler": ("anomaly", [(0.1, 3), (0.0, 0.9)]),
    "median": ("median", [(-2, 2)] * 5),
    "mortgage": ("interest_paid", [(5e4, 2e5), (0.01, 0.1), (500, 4000), (0, 4e4)]),
    "pid": ("run", [(-6, 6), (0.5, 3), (0.01, 0.3)]),
    "tax": ("tax", [(0, 2e5), (0, 4)]),
    "two_link_arm": ("angles", [(-2, 2), (-2, 2), (0.5, 1.2), (0.5, 1.2)]),
}
# What math computes, on Values; a program computes it within 2 units in the last place.
EAGER = SimpleNamespace(
    pi=math.pi,
    **{
        name: getattr(gradwalk, name)
        for name in ("exp", "log", "sqrt", "sin", "cos", "acos", "atan2", "erf")
    },
)


def module_of(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"flow_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def function_of(name: str) -> Any:
    return getattr(module_of(name), EXAMPLES[name][0])


def points_of(name: str, count: int) -> list[list[Any]]:
    rng = random.Random(name)
    points = []
    for _ in range(count):
        point: list[Any] = []
        for low, high, *length in EXAMPLES[name][1]:
            drawn = [rng.uniform(low, high) for _ in range(*length or [1])]
            point.append(drawn if length else drawn[0])
        points.append(point)
    return points


def columns_of(points: list[list[Any]]) -> list[Any]:
    return [np.array(column) for column in zip(*points, strict=True)]


def leaves(thing: Any) -> list[Any]:
    return [leaf for part in thing for leaf in leaves(part)] if isinstance(thing, list) else [thing]


def test_every_example_is_tried() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == EXAMPLES.keys()


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_knows_nothing_of_gradwalk_and_runs(name, capsys) -> None:
    assert "gradwalk" not in (FOLDER / f"{name}.py").read_text("utf-8")
    module_of(name).main()
    assert all(math.isfinite(float(line)) for line in capsys.readouterr().out.split())


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_compiled_example_is_equal_to_plain_python(name) -> None:
    function, points = function_of(name), points_of(name, SCENARIOS)
    program = gradwalk.compile(function)
    wanted = [function(*point) for point in points]
    near = pytest.approx(np.array(wanted), rel=1e-12, abs=1e-12)
    assert program.map(*columns_of(points)) == near
    assert len(set(wanted)) > SCENARIOS // 20
    for point, value in zip(points[:CALLS], wanted, strict=False):
        assert program(*point) == pytest.approx(value, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_gradient_of_the_example_is_that_of_the_path_taken(name) -> None:
    module, points = module_of(name), points_of(name, 20)
    program = gradwalk.compile(function_of(name))
    rows = program.map.value_and_grad(*columns_of(points))[1]
    if hasattr(module, "math"):
        module.math = EAGER
    for k, point in enumerate(points):
        operands = [list(map(Value, x)) if isinstance(x, list) else Value(x) for x in point]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            out = getattr(module, EXAMPLES[name][0])(*operands)
            if isinstance(out, Value):
                out.backward()
            found = leaves(list(program.value_and_grad(*point)[1].values()))
        wanted = [operand.grad for operand in leaves(operands)]
        scale = max(map(abs, wanted))
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9 * scale)
        mapped = [leaf for row in rows.values() for leaf in leaves(np.asarray(row)[k].tolist())]
        assert mapped == pytest.approx(wanted, rel=1e-9, abs=1e-9 * scale)
