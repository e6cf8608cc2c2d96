"""The GradBench tool: its protocol, and each problem against its mathematics or differences."""

import io
import json

import numpy as np
import pytest

from gradwalk import Value
from gradwalk.bench import gradbench
from gradwalk.bench.problems import nested, vision

rng = np.random.default_rng(17)


TIMED = {"x": [0.0, 0.0], "min_runs": 4, "min_seconds": 0.0}


def output(module, function, given):
    answer = gradbench.evaluate(module, function, given)
    assert answer["success"]
    json.dumps(answer)
    return answer["output"]


def plain(numbers):
    """Plain numbers for Values: an operation over a list gives one, even of floats."""
    if isinstance(numbers, list):
        return [plain(number) for number in numbers]
    return getattr(numbers, "data", numbers) if isinstance(numbers, Value) else numbers


def slopes(f, at, step=1e-6):
    """Central differences of f by each entry of an array."""
    at = np.array(at, float)
    columns = []
    for i in np.ndindex(at.shape):
        above, below = at.copy(), at.copy()
        above[i] += step
        below[i] -= step
        columns.append((np.array(plain(f(above))) - np.array(plain(f(below)))) / (2 * step))
    return np.array(columns).reshape(*at.shape, *columns[0].shape)


def test_messages_are_answered_line_by_line():
    messages = [
        {"id": 0, "kind": "start", "eval": "hello"},
        {"id": 1, "kind": "define", "module": "hello"},
        {"id": 2, "kind": "define", "module": "unknown"},
        {"id": 3, "kind": "evaluate", "module": "hello", "function": "double", "input": 3.0},
        {"id": 4, "kind": "analysis", "of": 3, "valid": True},
        {"id": 5, "kind": "evaluate", "module": "hello", "function": "cube", "input": 3.0},
        {"id": 6, "kind": "evaluate", "module": "lse", "function": "primal", "input": TIMED},
    ]
    out = io.StringIO()
    gradbench.serve([json.dumps(message) + "\n" for message in messages], out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [answer["id"] for answer in answers] == list(range(7))
    assert answers[0]["tool"] == "gradwalk"
    assert [answers[i]["success"] for i in (1, 2, 3, 5)] == [True, False, True, False]
    assert answers[3]["output"] == 6.0
    assert "KeyError" in answers[5]["error"]
    names = [timing["name"] for timing in answers[6]["timings"]]
    assert names.count("evaluate") == 4
    assert all(timing["nanoseconds"] > 0 for timing in answers[6]["timings"])


def test_least_squares():
    x, n = rng.normal(size=5), 20
    t = -1.0 + np.arange(n) * 2.0 / (n - 1)
    powers = t[:, None] ** np.arange(5)
    rest = powers @ x - np.sign(t)
    given = {"x": x.tolist(), "n": n}
    assert output("llsq", "primal", given) == pytest.approx(0.5 * rest @ rest)
    assert output("llsq", "gradient", given) == pytest.approx((rest @ powers).tolist())


def test_log_sum_exp():
    x = rng.uniform(-5.0, 5.0, 40)
    given = {"x": x.tolist()}
    assert output("lse", "primal", given) == pytest.approx(np.log(np.exp(x).sum()))
    shares = np.exp(x) / np.exp(x).sum()
    assert output("lse", "gradient", given) == pytest.approx(shares.tolist())


def test_determinant():
    a = rng.normal(size=(5, 5))
    given = {"A": a.ravel().tolist(), "ell": 5}
    assert output("det", "primal", given) == pytest.approx(np.linalg.det(a))
    cofactors = np.linalg.det(a) * np.linalg.inv(a).T
    assert output("det", "gradient", given) == pytest.approx(cofactors.ravel().tolist())


def test_differential_equation():
    x = rng.uniform(size=4)
    given = {"x": x.tolist(), "s": 25}
    # y_i(t) is x_0 ⋯ x_i t^(i+1) / (i+1)!, and steps of order 4 are exact up to the fourth power.
    factorials = np.array([1.0, 2.0, 6.0, 24.0])
    exact = np.cumprod(x) * 2.0 ** np.arange(1, 5) / factorials
    assert output("ode", "primal", given) == pytest.approx(exact.tolist())
    assert output("ode", "gradient", given) == pytest.approx((exact[-1] / x).tolist())


def test_means():
    points = rng.normal(size=(60, 3))
    centroids = points[:4] + 0.01
    squared = ((points[:, None] - centroids) ** 2).sum(2)
    nearest = squared.argmin(1)
    given = {"points": points.tolist(), "centroids": centroids.tolist()}
    assert output("kmeans", "cost", given) == pytest.approx(squared.min(1).sum())
    # A step of Newton's method goes to the mean of a centroid's points.
    steps = [centroids[j] - points[nearest == j].mean(0) for j in range(4)]
    assert np.allclose(output("kmeans", "dir", given), steps)


def drawn(seed, sizes):
    draw = np.random.default_rng(seed)
    return {name: draw.normal(size=size).round(3) for name, size in sizes.items()}


def by_differences(module, given, parts, name):
    """The slopes of a module's own objective by one of its arrays."""

    def moved(part):
        return output(module, "objective", {**given, name: part.tolist()})

    return slopes(moved, parts[name])


def test_mixture():
    d, k, n = 3, 2, 7
    parts = drawn(5, {"mu": (k, d), "q": (k, d), "l": (k, 3), "alpha": (k,), "x": (n, d)})
    given = {"d": d, "k": k, "n": n, "m": 1, "gamma": 1.3}
    given |= {name: part.tolist() for name, part in parts.items()}
    # Each point's density and the prior, multiplied out in numpy; the gamma function by mpmath.
    assert output("gmm", "objective", given) == pytest.approx(-89.31771105156488)
    found = output("gmm", "jacobian", given)
    for name in ("alpha", "mu", "q", "l"):
        assert np.allclose(found[name], by_differences("gmm", given, parts, name), atol=1e-5)
    old = {name: part for name, part in given.items() if name not in ("mu", "q", "l")}
    old |= {"means": given["mu"], "icf": np.hstack([parts["q"], parts["l"]]).tolist()}
    flat = output("gmm", "jacobian", old)
    wide = np.hstack([found["q"], found["l"]])
    assert np.allclose(flat, np.concatenate([found["alpha"], np.ravel(found["mu"]), wide.ravel()]))


def test_lstm():
    sizes = {"main_params": (4, 12), "extra_params": (3, 3), "state": (4, 3), "sequence": (5, 3)}
    parts = drawn(6, sizes)
    given = {name: part.tolist() for name, part in parts.items()}
    # Its two layers written out in numpy.
    assert output("lstm", "objective", given) == pytest.approx(-0.23888483810395922)
    names = ("main_params", "extra_params")
    right = [by_differences("lstm", given, parts, name).ravel() for name in names]
    assert np.allclose(output("lstm", "jacobian", given), np.concatenate(right), atol=1e-8)


def test_bundle_adjustment():
    n, m, p = 2, 3, 40
    camera, point, weight = rng.normal(size=11), rng.normal(size=3) + np.array([0, 0, 5]), 0.7
    feature = [0.1, 0.2]
    given = {"n": n, "m": m, "p": p, "cam": camera.tolist(), "x": point.tolist()}
    given |= {"w": weight, "feat": feature}
    error = vision.reprojection_error(camera.tolist(), point.tolist(), weight, feature)
    found = output("ba", "objective", given)
    assert found["reproj_error"] == {"elements": pytest.approx(plain(error)), "repeated": p}
    assert found["w_err"] == {"element": pytest.approx(1 - weight**2), "repeated": p}
    sparse = output("ba", "jacobian", given)

    def moved(x):
        return vision.reprojection_error(x[:11].tolist(), x[11:14].tolist(), x[14], feature)

    # The suite's form of an answer: the first 30 entries of each array, and the last.
    entries = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 22, 23, 24, 31]
    block = slopes(moved, [*camera, *point, weight]).T
    assert sparse["rows"] == [*range(0, 450, 15), 31 * p]
    assert sparse["cols"] == [*entries, *entries, 11 * n + 3 * m + p - 1]
    assert np.allclose(sparse["vals"], [*block[0], *block[1], -2 * weight], atol=1e-5)


def hand(us):
    bones, vertices, count = 22, 6, 4

    def placed():
        matrix = np.eye(4)
        matrix[:3] = rng.normal(size=(3, 4))
        return matrix.tolist()

    model = {
        "bone_count": bones,
        "parents": [-1, *[int(rng.integers(0, i)) for i in range(1, bones)]],
        "base_relatives": [placed() for _ in range(bones)],
        "inverse_base_absolutes": [placed() for _ in range(bones)],
        "base_positions": [[*rng.normal(size=3).tolist(), 1.0] for _ in range(vertices)],
        "weights": (rng.uniform(size=(vertices, bones)) * (rng.uniform(size=bones) < 0.2)).tolist(),
        "triangles": [[0, 1, 2], [2, 3, 4], [3, 4, 5]],
        "is_mirrored": False,
    }
    at = [int(rng.integers(0, 3)) for _ in range(count)]
    data = {"model": model, "correspondences": at, "points": rng.normal(size=(count, 3)).tolist()}
    coordinates = rng.uniform(size=(count, 2)).tolist() if us else []
    return {"theta": (0.3 * rng.normal(size=26)).tolist(), "data": data, "us": coordinates}


@pytest.mark.parametrize("us", [False, True])
def test_hand_tracking(us):
    given = hand(us)
    count = len(given["data"]["points"])
    flat = np.ravel(given["us"]).tolist()
    errors = vision.hand_errors(given["theta"], flat, given["data"])
    assert output("ht", "objective", given) == pytest.approx(plain(errors))
    found = np.array(output("ht", "jacobian", given))
    assert found.shape == (3 * count, 26 + 2 * us)
    by_theta = slopes(
        lambda theta: vision.hand_errors(theta.tolist(), flat, given["data"]), given["theta"]
    ).T
    size = np.abs(by_theta).max()
    assert np.allclose(found[:, 2 * us :], by_theta, atol=1e-7 * size)
    if us:
        by_us = slopes(
            lambda us: vision.hand_errors(given["theta"], us.tolist(), given["data"]), flat
        ).T
        for i in range(count):
            own = by_us[3 * i : 3 * i + 3, 2 * i : 2 * i + 2]
            assert np.allclose(found[3 * i : 3 * i + 3, :2], own, atol=1e-7 * size)


# ── Nested ───────────────────────────────────────────────────────────────────────────────────


def test_the_particle_has_one_gradient_in_all_four_modes():
    found = []
    for outer, inner in nested.MODES.values():
        value, (slope,) = outer(nested.crossing(inner), [0.3])
        found.append((value, slope))
    for value, slope in found:
        assert value == pytest.approx(found[0][0], rel=1e-12)
        assert slope == pytest.approx(found[0][1], rel=1e-9)
    f = nested.crossing(nested.MODES["rr"][1])
    assert found[0][1] == pytest.approx((f([0.3 + 1e-6]) - f([0.3 - 1e-6])) / 2e-6, rel=1e-6)
