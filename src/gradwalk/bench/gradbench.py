"""`gradwalk bench gradbench`: a tool for the GradBench suite, over standard input and output.

Each line is a message: `start`, `define` a module, `evaluate` a function of it, `analysis`. The
answer repeats the message's id. An evaluation runs at least `min_runs` times and `min_seconds`
long; its timings named `evaluate` are one a run, in nanoseconds, and `prepare` is the recording.

    EVALS   the table: module, function, and what makes its evaluation
    serve   read messages and answer them
"""

# Inputs come as JSON, so they have no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from time import perf_counter, perf_counter_ns
from typing import Any, TextIO

from gradwalk.bench.problems import learning, nested, small, vision
from gradwalk.program import compile as compiled
from gradwalk.transforms import jacobian, jvp

Input = dict[str, Any]
Run = Callable[[], Any]


def serve(messages: Iterable[str], out: TextIO) -> None:
    """Answer messages, one per line, until there are no more."""
    for line in messages:
        if line.strip():
            out.write(json.dumps(answer(json.loads(line))) + "\n")
            out.flush()


def answer(message: Input) -> Input:
    """Return the response to one message."""
    response: Input = {"id": message.get("id")}
    kind = message.get("kind")
    if kind == "start":
        response |= {"tool": "gradwalk"}
    elif kind == "define":
        response |= {"success": message.get("module") in EVALS}
    elif kind == "evaluate":
        try:
            response |= evaluate(message["module"], message["function"], message["input"])
        except Exception as error:  # the suite goes on with the next evaluation
            response |= {"success": False, "error": f"{type(error).__name__}: {error}"}
    return response


def evaluate(module: str, function: str, given: Any) -> Input:
    """Return the output of a function of a module, and how long each run took."""
    began = perf_counter_ns()
    run = EVALS[module][function](given)
    output = None if module in ("saddle", "particle") else run()  # what records, records now
    timings = [{"name": "prepare", "nanoseconds": perf_counter_ns() - began}]
    runs = given if isinstance(given, dict) else {}
    least, seconds = runs.get("min_runs", 1), runs.get("min_seconds", 0.0)
    done, start = 0, perf_counter()
    while done < max(1, least) or perf_counter() - start < seconds:
        before = perf_counter_ns()
        output = run()
        timings.append({"name": "evaluate", "nanoseconds": perf_counter_ns() - before})
        done += 1
    return {"success": True, "output": _plain(output), "timings": timings}


def _plain(output: Any) -> Any:
    if hasattr(output, "tolist"):
        return output.tolist()
    if isinstance(output, dict):
        return {key: _plain(part) for key, part in output.items()}
    return [_plain(part) for part in output] if isinstance(output, (list, tuple)) else output


# ── Small problems ───────────────────────────────────────────────────────────────────────────


def _llsq(given: Input) -> tuple[Any, tuple[Any, ...]]:
    import numpy as np

    n = given["n"]
    t = -1.0 + np.arange(n) * 2.0 / (n - 1)
    return compiled(small.squared_residual), (given["x"], t, np.sign(t))


def llsq_primal(given: Input) -> Run:
    f, args = _llsq(given)
    return lambda: f.map(*args, reduce="sum", threads=1)


def llsq_gradient(given: Input) -> Run:
    f, args = _llsq(given)
    run = lambda: f.map.value_and_grad(*args, wrt="x", reduce="sum", threads=1)  # noqa: E731
    return lambda: run()[1]["x"]


def _array(given: Input, name: str) -> Any:
    """Return an input as an array, which is read and given back faster than a list."""
    import numpy as np

    return np.array(given[name])


def lse_primal(given: Input) -> Run:
    f, x = compiled(small.log_sum_exp), _array(given, "x")
    return lambda: f(x)


def lse_gradient(given: Input) -> Run:
    f, x = compiled(small.log_sum_exp), _array(given, "x")
    return lambda: f.value_and_grad(x)[1]["x"]


def _det(given: Input) -> tuple[Any, Any]:
    size = given["ell"]
    return compiled(lambda entries: small.determinant(entries, size)), _array(given, "A")


def det_primal(given: Input) -> Run:
    f, entries = _det(given)
    return lambda: f(entries)


def det_gradient(given: Input) -> Run:
    f, entries = _det(given)
    return lambda: f.value_and_grad(entries)[1]["entries"]


def ode_primal(given: Input) -> Run:
    steps, x = given["s"], _array(given, "x")
    f = compiled(lambda x: small.runge_kutta(x, steps))
    return lambda: f(x)


def ode_gradient(given: Input) -> Run:
    steps, x = given["s"], _array(given, "x")
    f = compiled(lambda x: small.runge_kutta(x, steps)[-1])
    return lambda: f.value_and_grad(x)[1]["x"]


# ── Learning ─────────────────────────────────────────────────────────────────────────────────


def kmeans_cost(given: Input) -> Run:
    f, points = compiled(learning.least_distance), _array(given, "points")
    return lambda: f.map(points, given["centroids"], reduce="sum", threads=1)


def kmeans_dir(given: Input) -> Run:
    """The step of Newton's method. The Hessian is diagonal, so its rows' sums are its entries."""
    import numpy as np

    points, centroids = np.array(given["points"]), given["centroids"]
    ones = [[1.0] * len(row) for row in centroids]

    def moved(point: Any, centroids: Any) -> Any:
        return jvp(lambda c: learning.least_distance(point, c), (centroids,), (ones,))[1]

    first, second = compiled(learning.least_distance), compiled(moved)

    def run() -> Any:
        rows = [
            f.map.value_and_grad(points, centroids, wrt="centroids", reduce="sum", threads=1)[1]
            for f in (first, second)
        ]
        gradient, diagonal = [np.array(row["centroids"]) for row in rows]
        return gradient / diagonal

    return run


def _gmm(given: Input) -> tuple[Any, Any, Any, Any, Input]:
    import math

    import numpy as np

    d, x = given["d"], np.array(given["x"])
    if "icf" in given:
        given = {
            **given,
            "mu": given["means"],
            "q": [row[:d] for row in given["icf"]],
            "l": [row[d:] for row in given["icf"]],
        }
    gamma, m = given["gamma"], given["m"]
    prior = compiled(lambda q, l: learning.log_prior(q, l, gamma, m))  # noqa: E741
    constant = -0.5 * len(x) * d * math.log(2.0 * math.pi)
    return compiled(learning.log_likelihood), prior, x, constant, given


def gmm_objective(given: Input) -> Run:
    f, prior, x, constant, g = _gmm(given)

    def run() -> float:
        likely = f.map(x, g["alpha"], g["mu"], g["q"], g["l"], reduce="sum", threads=1)
        return constant + likely + prior(g["q"], g["l"])

    return run


def gmm_jacobian(given: Input) -> Run:
    f, prior, x, _, g = _gmm(given)

    def run() -> Any:
        _, found = f.map.value_and_grad(
            x, g["alpha"], g["mu"], g["q"], g["l"],
            wrt=("alpha", "mu", "q", "l"), reduce="sum", threads=1,
        )  # fmt: skip
        _, more = prior.value_and_grad(g["q"], g["l"])
        for name in ("q", "l"):
            found[name] = [
                [a + b for a, b in zip(*rows, strict=True)]
                for rows in zip(found[name], more[name], strict=True)
            ]
        if "icf" not in g:
            return found
        wide = [a + b for a, b in zip(found["q"], found["l"], strict=True)]
        return [*found["alpha"], *_joined(found["mu"]), *_joined(wide)]

    return run


def _joined(rows: Iterable[Iterable[float]]) -> list[float]:
    return [x for row in rows for x in row]


def _lstm(given: Input) -> tuple[Any, list[Any]]:
    names = ("main_params", "extra_params", "state", "sequence")
    return compiled(learning.lstm_loss), [given[name] for name in names]


def lstm_objective(given: Input) -> Run:
    f, args = _lstm(given)
    return lambda: f(*args)


def lstm_jacobian(given: Input) -> Run:
    f, args = _lstm(given)

    def run() -> list[float]:
        found = f.value_and_grad(*args, wrt=("main", "extra"))[1]
        return [*_joined(found["main"]), *_joined(found["extra"])]

    return run


# ── Vision ───────────────────────────────────────────────────────────────────────────────────


def _observations(given: Input) -> tuple[Any, ...]:
    """Return arrays with a row an observation, and the places of its camera and its point."""
    import numpy as np

    n, m, p = given["n"], given["m"], given["p"]
    at = np.arange(p)
    rows = [np.tile(given[name], (p, 1)) for name in ("cam", "x")]
    return *rows, np.full(p, given["w"]), np.tile(given["feat"], (p, 1)), at % n, at % m


def ba_objective(given: Input) -> Run:
    f = compiled(vision.reprojection_error)
    *args, _, _ = _observations(given)

    def run() -> Any:
        errors = f.map(*args, threads=1)
        p = given["p"]
        return {
            "reproj_error": {"elements": [float(e) for e in errors[0]], "repeated": p},
            "w_err": {"element": vision.weight_error(given["w"]), "repeated": p},
        }

    return run


def ba_jacobian(given: Input) -> Run:
    """The sparse Jacobian by compressed rows: a block of 2 × 15 an observation, then weights.

    All of it is computed. All observations are alike, so the suite asks for the first 30 entries of
    each array and the last.
    """
    import numpy as np

    f = compiled(jacobian(vision.reprojection_error, (0, 1, 2)))
    camera, point, weight, feature, of_camera, of_point = _observations(given)
    n, m, p = given["n"], given["m"], given["p"]

    def run() -> Any:
        blocks = f.map(camera, point, weight, feature, threads=1)
        values = [np.column_stack([*_columns(block)]) for block in blocks]
        vals = np.concatenate([np.stack(values, axis=1).reshape(-1), -2.0 * weight])
        by_camera = 11 * of_camera[:, None] + np.arange(11)
        by_point = 11 * n + 3 * of_point[:, None] + np.arange(3)
        by_weight = 11 * n + 3 * m + np.arange(p)
        row = np.column_stack([by_camera, by_point, by_weight])
        cols = np.concatenate([np.repeat(row, 2, axis=0).reshape(-1), by_weight])
        rows = np.concatenate([15 * np.arange(2 * p + 1), 30 * p + 1 + np.arange(p)])
        arrays = {"rows": rows, "cols": cols, "vals": vals}
        return {name: [*part[:30].tolist(), part[-1].item()] for name, part in arrays.items()}

    return run


def _columns(block: Any) -> list[Any]:
    camera, point, weight = block
    return [*[camera[:, i] for i in range(11)], *[point[:, i] for i in range(3)], weight]


def _hand(given: Input) -> tuple[Any, list[float], list[float]]:
    """Return the data, the pose, and the coordinates: pairs in the suite, here one list."""
    return given["data"], given["theta"], _joined(given["us"])


def ht_objective(given: Input) -> Run:
    data, theta, us = _hand(given)
    f = compiled(lambda theta, us: vision.hand_errors(theta, us, data))
    return lambda: f(theta, us)


def ht_jacobian(given: Input) -> Run:
    """The Jacobian by forward mode: one row of a map for each direction.

    The two coordinates of a point move only its own three errors, so all points move at once.
    """
    import numpy as np

    data, theta, us = _hand(given)
    count, own = len(theta), 2 if us else 0

    def moved(theta: Any, us: Any, along: Any, within: Any) -> Any:
        f = lambda t, u: vision.hand_errors(t, u, data)  # noqa: E731
        return jvp(f, (theta, us), (list(along), [within[i % 2] for i in range(len(us))]))[1]

    f = compiled(moved)
    along = np.vstack([np.zeros((own, count)), np.eye(count)])
    within = np.vstack([np.eye(2)[:own], np.zeros((count, 2))])
    return lambda: np.array(f.map(theta, us, along, within, threads=1)).T


# ── Nested ───────────────────────────────────────────────────────────────────────────────────


def _saddle(mode: str) -> Callable[[Input], Run]:
    return lambda given: lambda: nested.saddle(given["start"], mode)


def _particle(mode: str) -> Callable[[Input], Run]:
    return lambda given: lambda: nested.particle(given["w"], mode)


def hello_square(given: float) -> Run:
    f = compiled(lambda x: x * x)
    return lambda: f(float(given))


def hello_double(given: float) -> Run:
    f = compiled(lambda x: x * x)
    return lambda: f.value_and_grad(float(given))[1]["x"]


EVALS: dict[str, dict[str, Callable[[Any], Run]]] = {
    "hello": {"square": hello_square, "double": hello_double},
    "llsq": {"primal": llsq_primal, "gradient": llsq_gradient},
    "lse": {"primal": lse_primal, "gradient": lse_gradient},
    "det": {"primal": det_primal, "gradient": det_gradient},
    "ode": {"primal": ode_primal, "gradient": ode_gradient},
    "kmeans": {"cost": kmeans_cost, "dir": kmeans_dir},
    "gmm": {"objective": gmm_objective, "jacobian": gmm_jacobian},
    "lstm": {"objective": lstm_objective, "jacobian": lstm_jacobian},
    "ba": {"objective": ba_objective, "jacobian": ba_jacobian},
    "ht": {"objective": ht_objective, "jacobian": ht_jacobian},
    "saddle": {mode: _saddle(mode) for mode in nested.MODES},
    "particle": {mode: _particle(mode) for mode in nested.MODES},
}
