"""numpy's functions on Values give numpy's numbers, and gradients."""

import math
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from gradwalk import Value

np = pytest.importorskip("numpy")

PLACES, HEIGHTS = [0.0, 1.0, 3.0], [2.0, -1.0, 4.0]

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "radians": np.radians,
    "deg2rad": np.deg2rad,
    "degrees": np.degrees,
    "rad2deg": np.rad2deg,
    "exp": np.exp,
    "where": lambda x: np.where(x > 0.5, x * x, -x),
    "clip": lambda x: np.clip(x, -1.0, 1.0) * 2.0,
    "clip below": lambda x: np.clip(x, 0.0, None),
    "interp": lambda x: np.interp(x, PLACES, HEIGHTS),
    "interp, its ends given": lambda x: np.interp(x, PLACES, HEIGHTS, left=7.0, right=8.0),
    "copysign": lambda x: np.copysign(x, -2.0),
    "fmod": lambda x: np.fmod(x, 0.45),
    "modf": lambda x: np.modf(x)[0] * 3.0 + np.modf(x)[1],
    "trunc": np.trunc,
    "ceil": np.ceil,
    "floor": np.floor,
    "sign": np.sign,
    "times an array": lambda x: (np.array([1.0, 2.0]) * x).sum(),
    "an array of it": lambda x: np.sum(np.array([x, 2.0 * x]) * np.array([1.0, 3.0])),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("x", [0.3, -0.7, 1.7, 2.9, -5.2, 4.1])
def test_a_function_gives_numpys_number_and_the_slope_of_it(name: str, x: float) -> None:
    function, h = FUNCTIONS[name], 1e-6
    value = Value(x)
    out = function(value)
    assert isinstance(out, Value)
    out.backward()
    assert math.isclose(out.data, float(function(x)), rel_tol=1e-14, abs_tol=1e-14)
    slope = (float(function(x + h)) - float(function(x - h))) / (2 * h)
    assert math.isclose(value.grad, slope, rel_tol=1e-6, abs_tol=1e-6)


def test_heights_of_an_interpolation_get_gradients() -> None:
    heights = [Value(height) for height in HEIGHTS]
    out = np.interp(Value(1.5), PLACES, heights)
    out.backward()
    assert out.data == 0.25
    assert [height.grad for height in heights] == [0.0, 0.75, 0.25]


def test_an_interpolation_at_its_points_is_exact_and_nan_stays() -> None:
    assert [np.interp(Value(x), PLACES, HEIGHTS).data for x in PLACES] == HEIGHTS
    assert math.isnan(np.interp(Value(math.nan), PLACES, HEIGHTS).data)
    with pytest.raises(ValueError, match="as many xp as fp"):
        np.interp(Value(1.0), PLACES, HEIGHTS[:2])


@pytest.mark.parametrize("function", [np.isnan, np.isinf, np.isfinite])
def test_questions_are_answered_as_of_floats(function: Any) -> None:
    for x in (1.0, math.inf, math.nan):
        assert function(Value(x)) == function(x)


def test_arrays_beside_a_value_broadcast() -> None:
    x, row = Value(2.0), np.array([1.0, 3.0])
    made = np.where(row > 2.0, x, row)
    assert [float(getattr(v, "data", v)) for v in made] == [1.0, 2.0]
    assert [v.data for v in np.clip(row, Value(2.0), 5.0)] == [2.0, 3.0]
    assert [v.data for v in np.maximum(row, x)[:1]] == [2.0]
    assert [v.data for v in np.add.outer(row, np.array([x]))[:, 0]] == [3.0, 5.0]
    assert pickle.loads(pickle.dumps(x)).data == 2.0
