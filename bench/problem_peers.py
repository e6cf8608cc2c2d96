"""The contenders of `bench/problems.py`: the same gradients by gradwalk, PyTorch and JAX.

Each is written as its own users would write it, with whole arrays where it has them. Started like
`replay_peers`, whose protocol it speaks. Start reading at CONTENDERS.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # -P leaves it out

from replay_peers import Contender, Data, _jax, _load, _torch, main

__all__ = ["CONTENDERS", "SIZES", "given"]

SIZES: dict[str, dict[str, int]] = {
    "llsq": {"n": 1024, "m": 128},
    "lse": {"n": 80_000},
    "det": {"ell": 8},
    "ode": {"n": 1_000, "s": 100},
    "kmeans": {"k": 100, "n": 1_000, "d": 16},
    "gmm": {"n": 1_000, "d": 10, "k": 25, "m": 0},
    "lstm": {"layers": 2, "length": 100, "width": 14},
}


def given(case: str) -> Data:
    """Return the arrays of a problem: those of the suite in size, random in their numbers."""
    rng = _load("numpy").random.default_rng(7)
    size = SIZES[case]
    normal = rng.standard_normal
    if case == "llsq":
        return {"x": normal(size["m"]) / size["m"]}
    if case == "lse":
        return {"x": normal(size["n"])}
    if case == "det":
        return {"A": normal(size["ell"] ** 2)}
    if case == "ode":
        return {"x": rng.uniform(0.5, 1.5, size["n"])}
    if case == "kmeans":
        points = normal((size["n"], size["d"]))
        return {"points": points, "centroids": points[: size["k"]] + 0.01}  # none without a point
    if case == "gmm":
        n, d, k = size["n"], size["d"], size["k"]
        below = d * (d - 1) // 2
        return {
            "alpha": normal(k), "mu": normal((k, d)), "q": 0.3 * normal((k, d)),
            "l": 0.3 * normal((k, below)), "x": normal((n, d)),
        }  # fmt: skip
    layers, length, width = size["layers"], size["length"], size["width"]
    return {
        "main_params": normal((2 * layers, 4 * width)), "extra_params": normal((3, width)),
        "state": normal((2 * layers, width)),
        "sequence": (rng.random((length, width)) < 0.5).astype(float),
    }  # fmt: skip


# ── gradwalk ─────────────────────────────────────────────────────────────────────────────────

_FUNCTIONS = {"kmeans": "dir", "gmm": "jacobian", "lstm": "jacobian"}
_GAMMA = 1.0


def _gradwalk(data: Data, case: str) -> Contender:
    evals = _load("gradwalk.bench.gradbench").EVALS
    numbers = {name: array.tolist() for name, array in data.items()}
    work = evals[case][_FUNCTIONS.get(case, "gradient")](
        {**SIZES[case], "gamma": _GAMMA, **numbers}
    )
    return Contender(_flat(work()), work, 1)


def _flat(found: Any) -> list[float]:
    if isinstance(found, dict):
        return [x for name in ("alpha", "mu", "q", "l") for x in _flat(found[name])]
    return _load("numpy").concatenate([_load("numpy").ravel(part) for part in found]).tolist()


# ── The problems over arrays, for PyTorch and JAX alike ──────────────────────────────────────


def _llsq(m: Any, x: Any) -> Any:
    t = m.linspace(-1.0, 1.0, SIZES["llsq"]["n"])
    value = 0.0 * t
    for k in range(len(x) - 1, -1, -1):
        value = value * t + x[k]
    rest = m.sign(t) - value
    return 0.5 * (rest * rest).sum()


def _ode(m: Any, x: Any) -> Any:
    steps = SIZES["ode"]["s"]
    h = 2.0 / steps
    one, rest = 0.0 * x[:1] + 1.0, x[1:]
    y = 0.0 * x

    def slope(at: Any) -> Any:
        return m.cat([one * x[:1], rest * at[:-1]])

    for _ in range(steps):
        a = slope(y)
        b = slope(y + h / 2.0 * a)
        c = slope(y + h / 2.0 * b)
        y = y + (a + 2.0 * b + 2.0 * c + slope(y + h * c)) * (h / 6.0)
    return y[-1]


def _kmeans(m: Any, centroids: Any, points: Any) -> Any:
    apart = points[:, None, :] - centroids[None, :, :]
    return m.least((apart * apart).sum(-1)).sum()


def _gmm(m: Any, alpha: Any, mu: Any, q: Any, l: Any, x: Any) -> Any:  # noqa: E741
    """Up to a constant."""
    d = mu.shape[1]
    rows, columns = m.below(d)
    lower = m.placed(l, rows, columns, d)
    apart = x[:, None, :] - mu[None, :, :]
    whole = m.exp(q) * apart + m.einsum("kij,nkj->nki", lower, apart)
    terms = alpha + q.sum(1) - 0.5 * (whole * whole).sum(-1)
    prior = 0.5 * _GAMMA**2 * ((m.exp(2.0 * q)).sum() + (l * l).sum())
    return m.logsumexp(terms, 1).sum() - len(x) * m.logsumexp(alpha, 0) - prior


def _lstm(m: Any, main_: Any, extra: Any, state: Any, sequence: Any) -> Any:
    layers, width = SIZES["lstm"]["layers"], SIZES["lstm"]["width"]
    hidden = [state[2 * k] for k in range(layers)]
    cell = [state[2 * k + 1] for k in range(layers)]
    total = 0.0
    for t in range(len(sequence) - 1):
        signal = sequence[t] * extra[0]
        for k in range(layers):
            w, b = main_[2 * k].reshape(4, width), main_[2 * k + 1].reshape(4, width)
            forget = m.sigmoid(signal * w[0] + b[0])
            enter = m.sigmoid(hidden[k] * w[1] + b[1])
            leave = m.sigmoid(signal * w[2] + b[2])
            cell[k] = cell[k] * forget + enter * m.tanh(hidden[k] * w[3] + b[3])
            hidden[k] = leave * m.tanh(cell[k])
            signal = hidden[k]
        guess = signal * extra[1] + extra[2]
        norm = m.log(m.exp(guess).sum() + 2.0)
        total = total + (sequence[t + 1] * (guess - norm)).sum()
    return -(total / (width * (len(sequence) - 1)))


class _OfTorch:
    """What the problems need of PyTorch."""

    def __init__(self, torch: Any) -> None:
        for name in (
            "linspace",
            "sign",
            "cat",
            "exp",
            "einsum",
            "logsumexp",
            "sigmoid",
            "tanh",
            "log",
        ):
            setattr(self, name, getattr(torch, name))
        self._torch = torch

    def least(self, x: Any) -> Any:
        return x.min(1).values

    def below(self, d: int) -> Any:
        columns, rows = self._torch.triu_indices(d, d, 1)
        return rows, columns

    def placed(self, l: Any, rows: Any, columns: Any, d: int) -> Any:  # noqa: E741
        return self._torch.zeros((len(l), d, d)).index_put(
            (self._torch.arange(len(l))[:, None], rows[None], columns[None]), l
        )


class _OfJax:
    """What the problems need of JAX."""

    def __init__(self, jax: Any, jnp: Any) -> None:
        for name in ("linspace", "sign", "exp", "einsum", "tanh", "log"):
            setattr(self, name, getattr(jnp, name))
        self.cat, self.sigmoid = jnp.concatenate, jax.nn.sigmoid
        self.logsumexp = jax.scipy.special.logsumexp
        self._jnp = jnp

    def least(self, x: Any) -> Any:
        return x.min(1)

    def below(self, d: int) -> Any:
        columns, rows = self._jnp.triu_indices(d, 1)
        return rows, columns

    def placed(self, l: Any, rows: Any, columns: Any, d: int) -> Any:  # noqa: E741
        return self._jnp.zeros((len(l), d, d)).at[:, rows, columns].set(l)


# Problem: the function, the arrays to differentiate by, and those that stay.
_PROBLEMS: dict[str, tuple[Callable[..., Any], tuple[str, ...], tuple[str, ...]]] = {
    "llsq": (_llsq, ("x",), ()),
    "lse": (lambda m, x: m.logsumexp(x, 0), ("x",), ()),
    "ode": (_ode, ("x",), ()),
    "kmeans": (_kmeans, ("centroids",), ("points",)),
    "gmm": (_gmm, ("alpha", "mu", "q", "l"), ("x",)),
    "lstm": (_lstm, ("main_params", "extra_params"), ("state", "sequence")),
}


def _by_torch(data: Data, case: str) -> Contender:
    torch = _torch()
    function, by, rest = _PROBLEMS[case]
    fixed = [torch.as_tensor(data[name]) for name in rest]
    leaves = [torch.as_tensor(data[name]).requires_grad_() for name in by]
    of = _OfTorch(torch)
    second = case == "kmeans"

    def work() -> Any:
        value = function(of, *leaves, *fixed)
        grads = torch.autograd.grad(value, leaves, create_graph=second)
        if not second:
            return grads
        (diagonal,) = torch.autograd.grad(grads[0].sum(), leaves)
        return (grads[0] / diagonal,)

    return Contender(_flat([part.detach() for part in work()]), work, 1)


def _by_jax(data: Data, case: str) -> Contender:
    jax, jnp = _jax()
    function, by, rest = _PROBLEMS[case]
    count = len(by)
    grad = jax.grad(partial(function, _OfJax(jax, jnp)), tuple(range(count)))

    def newton(*arrays: Any) -> Any:
        ones = jnp.ones_like(arrays[0])
        rest_ = arrays[1:]
        first, second = jax.jvp(lambda c: grad(c, *rest_)[0], (arrays[0],), (ones,))
        return (first / second,)

    run = jax.jit(newton if case == "kmeans" else grad)
    arrays = [jnp.asarray(data[name]) for name in (*by, *rest)]

    def work() -> Any:
        return jax.block_until_ready(run(*arrays))

    return Contender(_flat(work()), work, 1)


def _contenders(case: str) -> dict[str, tuple[str, Callable[[Data], Contender]]]:
    found: dict[str, Any] = {"gradwalk": ("gradwalk", partial(_gradwalk, case=case))}
    if case in _PROBLEMS:
        found["PyTorch"] = ("torch", partial(_by_torch, case=case))
        found["JAX"] = ("jax", partial(_by_jax, case=case))
    return found


CONTENDERS = {case: _contenders(case) for case in SIZES}

if __name__ == "__main__":
    main(*sys.argv[1:], CONTENDERS)
