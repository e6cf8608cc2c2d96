"""The contenders of `gradwalk bench replay`, each in the form that its own users would write.

    python -P replay_peers.py CASE NAME FILE      be one: read the numbers from FILE, obey stdin

Every contender runs in a process of its own, on one thread, in whatever Python has it installed:
so this file imports nothing of gradwalk's, only the contender `gradwalk` does. It says how long it
took until the first answer, and the answer; then, for each line on stdin, how long one piece of
work takes. Start reading at CONTENDERS; `replay` holds the answers against each other.
"""

from __future__ import annotations

import json
import math
import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["CONTENDERS", "FLOOR", "asian", "heston", "heston_by_hand", "main"]

FLOOR = 1e-10  # the variance that is left when it is truncated: sqrt has no slope at 0
LEAST = 0.1  # seconds that a timing lasts at least

# ── Scalar programs: one path ────────────────────────────────────────────────────────────────


def heston(
    p: Any, z: Any, sqrt: Callable[..., Any], exp: Callable[..., Any], top: Callable[..., Any]
) -> Any:
    """Return the discounted payoff of a call on one path of a year, by Euler with full truncation.

    `p` is s0, v0, r, kappa, theta, xi, rho, k; `z` has two normal numbers for each step.
    """
    s0, v0, r, kappa, theta, xi, rho, k = p
    dt = 1.0 / len(z)
    other = sqrt(1.0 - rho * rho)
    x, v = 0.0, v0
    for z1, z2 in z:
        positive = top(v, FLOOR)
        spread = sqrt(positive * dt)
        x = x + (r - 0.5 * positive) * dt + spread * z1
        v = v + kappa * (theta - positive) * dt + xi * spread * (rho * z1 + other * z2)
    return exp(0.0 - r) * top(s0 * exp(x) - k, 0.0)


def asian(
    p: Any, z: Any, sqrt: Callable[..., Any], exp: Callable[..., Any], top: Callable[..., Any]
) -> Any:
    """Return the discounted payoff of a call on the average of one path of a year.

    `p` is s0, r, sigma; the strike is 95.
    """
    s0, r, sigma = p
    dt = 1.0 / len(z)
    drift = (r - 0.5 * sigma * sigma) * dt
    spread = sigma * math.sqrt(dt)
    s, total = s0, 0.0
    for zi in z:
        s = s * exp(drift + spread * zi)
        total = total + s
    return exp(0.0 - r) * top(total / len(z) - 95.0, 0.0)


def heston_by_hand(np: Any, p: Any, z: Any) -> list[float]:
    """Return the mean price and its 8 sensitivities, differentiated by hand, all paths at once.

    `z` has the shape (steps, 2, paths). No program was asked: this is what the others are held to.
    """
    s0, v0, r, kappa, theta, xi, rho, k = p
    steps, _, paths = z.shape
    dt, other = 1.0 / steps, math.sqrt(1.0 - rho * rho)
    x, v = np.zeros(paths), np.full(paths, v0)
    kept: list[Any] = []
    for z1, z2 in z:
        positive = np.maximum(v, FLOOR)
        spread = np.sqrt(positive * dt)
        w = rho * z1 + other * z2
        kept.append((v > FLOOR, positive, spread, w))
        x += (r - 0.5 * positive) * dt + spread * z1
        v = v + kappa * (theta - positive) * dt + xi * spread * w
    end = s0 * np.exp(x)
    discount = math.exp(-r)
    price = discount * np.maximum(end - k, 0.0)
    paid = np.where(end > k, discount, 0.0)
    ax, av = paid * end, np.zeros(paths)
    ar, akappa, atheta, axi, arho = -price, 0.0, 0.0, 0.0, 0.0
    for (z1, z2), (above, positive, spread, w) in zip(z[::-1], reversed(kept), strict=True):
        ar = ar + ax * dt
        akappa = akappa + av * (theta - positive) * dt
        atheta = atheta + av * kappa * dt
        axi = axi + av * spread * w
        arho = arho + av * xi * spread * (z1 - z2 * rho / other)
        slope = (ax * z1 + av * xi * w) * (0.5 * dt) / spread
        av = av + np.where(above, slope - 0.5 * dt * ax - kappa * dt * av, 0.0)
    parts = [price, paid * end / s0, av, ar, akappa, atheta, axi, arho, -paid]
    return [float(np.mean(part)) for part in parts]


class Contender(NamedTuple):
    """What one can do: `answer` is computed again by each `work`, which does `units` of them."""

    answer: Any  # numbers, flat
    work: Callable[[], Any]
    units: int
    said: str = ""
    first: float | None = None  # CPU seconds to the first answer, where more than that was done
    paths: int | None = None  # how many of the paths the answer is over, where not over all


Data = dict[str, Any]


def _load(name: str) -> Any:
    return import_module(name)


def _best(candidates: dict[str, Callable[[], Any]]) -> tuple[str, Callable[[], Any], float | None]:
    """Return the fastest of several forms: its name, itself, and what its first run took.

    A single one is not run: what it takes is then part of the time until the first answer.
    """
    if len(candidates) == 1:
        return *next(iter(candidates.items())), None
    clock = _clock
    seconds: dict[str, tuple[float, float]] = {}
    for name, work in candidates.items():
        marks = [clock()]
        for _ in range(2):
            work()
            marks.append(clock())
        seconds[name] = marks[2] - marks[1], marks[1] - marks[0]
    name = min(seconds, key=lambda name: seconds[name])
    return name, candidates[name], seconds[name][1]


def _clock() -> float:
    """CPU seconds of this process and of the compilers that it started."""
    return time.process_time() + sum(os.times()[2:4])


# ── gradwalk ─────────────────────────────────────────────────────────────────────────────────


def _gradwalk_path(program: Callable[..., Any], data: Data) -> Contender:
    gradwalk = _load("gradwalk")
    names = [str(name) for name in data["names"]]

    def path(p: Any, z: Any) -> Any:
        return program([p[name] for name in names], z, math.sqrt, math.exp, gradwalk.maximum)

    compiled = gradwalk.compile(path)
    p = dict(zip(names, data["p"].tolist(), strict=True))
    z = data["z"]  # a row a scenario

    def work() -> Any:
        return compiled.map.value_and_grad(p, z, wrt="p", reduce="mean", threads=1)

    value, grads = work()
    answer = [value, *[grads["p"][name] for name in names]]
    return Contender(answer, work, len(z), "compile, map.value_and_grad")


def _gradwalk_gpt(data: Data) -> Contender:
    gradwalk = _load("gradwalk")
    gpt = _load("gradwalk.gpt.model")
    optim = _load("gradwalk.optim")
    sizes = {"vocabulary": len(data["wte"]), "block_size": len(data["wpe"])}
    model = gpt.GPT(gpt.Config(**sizes), _load("random").Random(0))
    documents = data["tokens"].tolist()

    def start() -> Any:
        for name, table in _tables(model).items():
            for row, numbers in zip(table, data[name].tolist(), strict=True):
                for value, number in zip(row, numbers, strict=True):
                    value.data = number
        return optim.Adam(model.parameters(), float(data["rate"]), (0.85, 0.99), 1e-8)

    compiled = gradwalk.compile(model.loss)
    with compiled.train(start()) as train:
        answer = [train.step(tokens) for tokens in documents[:FIRST]]
    train = compiled.train(start()).__enter__()

    def work() -> None:
        for tokens in documents:
            train.step(tokens)

    return Contender(answer, work, len(documents), "compile, train")


def _tables(model: Any) -> dict[str, Any]:
    [layer] = model.layers
    tables = {name: getattr(model, name) for name in ("wte", "wpe", "lm_head")}
    return tables | {name: getattr(layer, name) for name in ("wq", "wk", "wv", "wo", "fc1", "fc2")}


def _gradwalk_gpt64(data: Data) -> Contender:
    gradwalk = _load("gradwalk")
    gpt = _load("gradwalk.gpt.model")
    sizes = {"vocabulary": len(data["wte"]), "block_size": len(data["wpe"])}
    model = gpt.GPT(gpt.Config(**sizes), _load("random").Random(0))
    [layer] = model.layers

    @gradwalk.compile
    def loss(weights: Any, tokens: Any) -> Any:
        for name, table in weights.items():
            setattr(model if name in ("wte", "wpe", "lm_head") else layer, name, table)
        return model.loss(tokens)

    weights = {name: data[name].tolist() for name in WEIGHTS}
    tokens = data["tokens"].astype(float)

    def work() -> Any:
        return loss.map.value_and_grad(weights, tokens, wrt="weights", reduce="mean", threads=1)

    value, grads = work()
    tables = [grads["weights"][name] for name in WEIGHTS]
    answer = [value, *chain.from_iterable(chain.from_iterable(tables))]
    return Contender(answer, work, len(tokens), "compile, map.value_and_grad")


# ── JAX ──────────────────────────────────────────────────────────────────────────────────────


def _jax() -> tuple[Any, Any]:
    jax = _load("jax")
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    jax.devices()  # what it does at its start is not part of any compilation
    return jax, _load("jax.numpy")


def _jax_paths(mean: Callable[..., Any], data: Data, sizes: tuple[int, ...]) -> Contender:
    """Paths as vectors through lax.scan, the whole at once or in parts that stay in cache."""
    jax, jnp = _jax()
    np = _load("numpy")
    step = jax.jit(jax.value_and_grad(partial(mean, jax, jnp)))
    p = jnp.asarray(data["p"])
    across = data["z"].swapaxes(0, -1)  # steps first, paths last
    if across.ndim == 3:
        across = across.swapaxes(0, 1)
    paths = across.shape[-1]

    def in_parts(size: int) -> Callable[[], Any]:
        parts = [jnp.asarray(across[..., i : i + size]) for i in range(0, paths, size)]

        def work() -> Any:
            done = [step(p, part) for part in parts]
            values = [float(value) for value, _ in done]
            grads = np.mean([np.asarray(grads) for _, grads in done], axis=0)
            return sum(values) / len(values), grads

        return work

    candidates = {
        f"scan, {size:,} at once": in_parts(size) for size in sizes if paths % size == 0
    } or {f"scan, {paths:,} at once": in_parts(paths)}
    said, work, first = _best(candidates)
    value, grads = work()
    return Contender([float(value), *map(float, grads)], work, paths, said, first)


def _jax_heston_mean(jax: Any, jnp: Any, p: Any, z: Any) -> Any:
    s0, v0, r, kappa, theta, xi, rho, k = p
    dt, other = 1.0 / len(z), jnp.sqrt(1.0 - rho * rho)

    def step(carry: Any, zi: Any) -> Any:
        x, v = carry
        positive = jnp.maximum(v, FLOOR)
        spread = jnp.sqrt(positive * dt)
        x = x + (r - 0.5 * positive) * dt + spread * zi[0]
        v = v + kappa * (theta - positive) * dt + xi * spread * (rho * zi[0] + other * zi[1])
        return (x, v), None

    start = (jnp.zeros(z.shape[-1]), jnp.full(z.shape[-1], v0))
    (x, _), _ = jax.lax.scan(step, start, z)
    return jnp.mean(jnp.exp(-r) * jnp.maximum(s0 * jnp.exp(x) - k, 0.0))


def _jax_asian_mean(jax: Any, jnp: Any, p: Any, z: Any) -> Any:
    s0, r, sigma = p
    dt = 1.0 / len(z)
    drift, spread = (r - 0.5 * sigma * sigma) * dt, sigma * math.sqrt(dt)

    def step(carry: Any, zi: Any) -> Any:
        s, total = carry
        s = s * jnp.exp(drift + spread * zi)
        return (s, total + s), None

    start = (jnp.full(z.shape[-1], s0), jnp.zeros(z.shape[-1]))
    (_, total), _ = jax.lax.scan(step, start, z)
    return jnp.mean(jnp.exp(-r) * jnp.maximum(total / len(z) - 95.0, 0.0))


def _jax_gpt_loss(jax: Any, jnp: Any, w: Any, tokens: Any) -> Any:
    def norm(x: Any) -> Any:
        return x * (jnp.mean(x * x, -1, keepdims=True) + 1e-5) ** -0.5

    positions = tokens.shape[-1] - 1
    shape = (*tokens.shape[:-1], positions, 4, 4)
    x = norm(w["wte"][tokens[..., :-1]] + w["wpe"][:positions])
    inner = norm(x)
    q, k, v = [(inner @ w[name].T).reshape(shape) for name in ("wq", "wk", "wv")]
    scores = jnp.einsum("...thd,...shd->...hts", q, k) / 2.0
    seen = jnp.tril(jnp.ones((positions, positions), bool))
    share = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf), -1)
    mixed = jnp.einsum("...hts,...shd->...thd", share, v).reshape(x.shape)
    x = mixed @ w["wo"].T + x
    x = jax.nn.relu(norm(x) @ w["fc1"].T) @ w["fc2"].T + x
    chances = jax.nn.log_softmax(x @ w["lm_head"].T, -1)
    return -jnp.mean(jnp.take_along_axis(chances, tokens[..., 1:, None], -1))


def _jax_gpt(data: Data, form: str) -> Contender:
    jax, jnp = _jax()
    differentiated = jax.value_and_grad(partial(_jax_gpt_loss, jax, jnp))
    rate = float(data["rate"])
    weights = {name: jnp.asarray(data[name]) for name in WEIGHTS}
    zeros = jax.tree.map(jnp.zeros_like, weights)
    tokens = jnp.asarray(data["tokens"])

    def step(state: Any, document: Any) -> Any:
        w, mean, square = [dict(tables) for tables in state[:3]]
        done = state[3]
        loss, grads = differentiated(w, document)
        done = done + 1
        lack1, lack2 = 1 - 0.85**done, 1 - 0.99**done
        for name, g in grads.items():
            mean[name] = 0.85 * mean[name] + 0.15 * g
            square[name] = 0.99 * square[name] + 0.01 * g * g
            move = (mean[name] / lack1) / (jnp.sqrt(square[name] / lack2) + 1e-8)
            w[name] = w[name] - rate * move
        return (w, mean, square, done), loss

    start = (weights, zeros, zeros, jnp.asarray(0.0))
    if form == "scan":
        run = jax.jit(partial(jax.lax.scan, step))
        answer = run(start, tokens[:FIRST])[1].tolist()
        run(start, tokens)[1].block_until_ready()  # compiled for this many documents

        def work() -> Any:
            return run(start, tokens)[1].block_until_ready()
    else:
        one = jax.jit(step)
        rows = list(tokens)

        def losses_of(documents: Any) -> list[Any]:
            state: Any = start
            losses: list[Any] = []
            for document in documents:
                state, loss = one(state, document)
                losses.append(loss)
            losses[-1].block_until_ready()
            return losses

        answer = [float(loss) for loss in losses_of(rows[:FIRST])]

        def work() -> Any:
            return losses_of(rows)

    return Contender(answer, work, len(tokens), f"tensors, {form}")


def _jax_gpt64(data: Data) -> Contender:
    jax, jnp = _jax()
    step = jax.jit(jax.value_and_grad(partial(_jax_gpt_loss, jax, jnp)))
    weights = {name: jnp.asarray(data[name]) for name in WEIGHTS}
    tokens = jnp.asarray(data["tokens"])

    def work() -> Any:
        return jax.block_until_ready(step(weights, tokens))

    value, grads = work()
    answer = [float(value), *[float(x) for name in WEIGHTS for x in grads[name].ravel().tolist()]]
    return Contender(answer, work, len(tokens), "tensors, jit")


# ── PyTorch ──────────────────────────────────────────────────────────────────────────────────


def _torch() -> Any:
    torch = _load("torch")
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    return torch


def _torch_paths(program: Callable[..., Any], data: Data, sizes: tuple[int, ...]) -> Contender:
    """The scalar program on vectors of paths: the whole at once, or in parts that stay in cache."""
    torch = _torch()
    p = torch.tensor(data["p"], requires_grad=True)
    floors = {FLOOR: torch.tensor(FLOOR), 0.0: torch.tensor(0.0)}
    paths = len(data["z"])

    def top(x: Any, floor: float) -> Any:
        return torch.maximum(x, floors[floor]) if torch.is_tensor(x) else max(x, floor)

    def in_parts(size: int) -> Callable[[], Any]:
        parts: list[Any] = []
        for i in range(0, paths, size):
            part = torch.tensor(data["z"][i : i + size])
            parts.append([
                tuple(column.contiguous() for column in row.unbind(1)) if row.ndim == 2 else row
                for row in (row.contiguous() for row in part.unbind(1))
            ])  # fmt: skip

        def work() -> Any:
            p.grad = None
            total = 0.0
            for part in parts:
                mean = program(list(p.unbind()), part, torch.sqrt, torch.exp, top).sum() / paths
                mean.backward()
                total += mean.detach()
            return total, p.grad

        return work

    candidates = {
        f"eager, {size:,} at once": in_parts(size) for size in sizes if paths % size == 0
    } or {f"eager, {paths:,} at once": in_parts(paths)}
    said, work, first = _best(candidates)
    value, grads = work()
    return Contender([float(value), *grads.tolist()], work, paths, said, first)


def _torch_gpt_loss(torch: Any, w: Any, tokens: Any) -> Any:
    def norm(x: Any) -> Any:
        return x * (torch.mean(x * x, -1, keepdim=True) + 1e-5) ** -0.5

    positions = tokens.shape[-1] - 1
    shape = (*tokens.shape[:-1], positions, 4, 4)
    x = norm(w["wte"][tokens[..., :-1]] + w["wpe"][:positions])
    inner = norm(x)
    q, k, v = [(inner @ w[name].T).reshape(shape).transpose(-3, -2) for name in ("wq", "wk", "wv")]
    attend = torch.nn.functional.scaled_dot_product_attention
    mixed = attend(q, k, v, is_causal=True).transpose(-3, -2).reshape(x.shape)
    x = mixed @ w["wo"].T + x
    x = torch.relu(norm(x) @ w["fc1"].T) @ w["fc2"].T + x
    logits = (x @ w["lm_head"].T).flatten(0, -2)
    return torch.nn.functional.cross_entropy(logits, tokens[..., 1:].flatten())


def _torch_gpt(data: Data) -> Contender:
    torch = _torch()
    tokens = list(torch.tensor(data["tokens"]))

    def start() -> tuple[Any, Any]:
        w = {name: torch.tensor(data[name], requires_grad=True) for name in WEIGHTS}
        settings = {"lr": float(data["rate"]), "betas": (0.85, 0.99), "eps": 1e-8}
        return w, torch.optim.Adam(list(w.values()), **settings, fused=True)

    def step(w: Any, optimizer: Any, document: Any) -> Any:
        optimizer.zero_grad()
        loss = _torch_gpt_loss(torch, w, document)
        loss.backward()
        optimizer.step()
        return loss

    w, optimizer = start()
    answer = [step(w, optimizer, document).item() for document in tokens[:FIRST]]
    w, optimizer = start()

    def work() -> None:
        for document in tokens:
            step(w, optimizer, document)

    return Contender(answer, work, len(tokens), "tensors, eager, fused Adam")


def _torch_gpt64(data: Data) -> Contender:
    torch = _torch()
    tokens = torch.tensor(data["tokens"])
    w = {name: torch.tensor(data[name], requires_grad=True) for name in WEIGHTS}

    def work() -> Any:
        for table in w.values():
            table.grad = None
        loss = _torch_gpt_loss(torch, w, tokens)
        loss.backward()
        return loss

    value = work().item()
    answer = [value, *[x for table in w.values() for x in table.grad.ravel().tolist()]]
    return Contender(answer, work, len(tokens), "tensors, eager")


# ── CasADi ───────────────────────────────────────────────────────────────────────────────────


def _casadi_heston(data: Data, compiled: bool) -> Contender:
    casadi = _load("casadi")
    paths, steps, _ = data["z"].shape
    p, z = casadi.SX.sym("p", 8), casadi.SX.sym("z", 2 * steps)
    pairs = [(z[2 * i], z[2 * i + 1]) for i in range(steps)]
    price = heston(casadi.vertsplit(p), pairs, casadi.sqrt, casadi.exp, casadi.fmax)
    gradient = casadi.gradient(price, p)
    options: dict[str, Any] = {}
    if compiled:
        flags = {"flags": ["-O3", "-march=native"], "compiler": "gcc"}
        options = {"jit": True, "compiler": "shell", "jit_options": flags, "jit_cleanup": True}
    one = casadi.Function("path", [p, z], [price, gradient], options)
    all_ = one.map("paths", "serial", paths, [0], [0, 1], {})
    # The threshold of a sqrt's slope apart, CasADi's fmax has the derivative that is meant here.
    rows = casadi.DM(data["z"].reshape(paths, -1).T)
    given = casadi.DM(data["p"])

    def work() -> Any:
        return all_(given, rows)

    value, grads = work()
    answer = [float(value) / paths, *[float(x) / paths for x in grads.full()[:, 0]]]
    return Contender(answer, work, paths, "SX, C by gcc -O3" if compiled else "SX, its own machine")


def _casadi_gpt(data: Data) -> Contender:
    """The scalar model, as gradwalk has it; the first document's tokens are baked into it."""
    casadi, np = _load("casadi"), _load("numpy")
    program = _file("scalar_program", "src", "gradwalk", "bench", "program.py")
    sizes = [(name, *data[name].shape) for name in WEIGHTS]
    flat = casadi.SX.sym("w", sum(rows * columns for _, rows, columns in sizes))
    symbols = iter(casadi.vertsplit(flat))
    weights = {
        name: [[next(symbols) for _ in range(columns)] for _ in range(rows)]
        for name, rows, columns in sizes
    }

    def nothing(_: Any) -> float:  # softmax of numbers as small as these needs none taken away
        return 0.0

    def relu(x: Any) -> Any:
        return casadi.fmax(x, 0.0)

    arithmetic = program.Arithmetic(nothing, casadi.exp, relu, casadi.log)
    loss = program.loss(weights, data["tokens"][0].tolist(), arithmetic)
    step = casadi.Function("step", [flat], [loss, casadi.densify(casadi.gradient(loss, flat))])
    rate = float(data["rate"])
    w = np.concatenate([data[name].ravel() for name in WEIGHTS])
    [answer, _] = step(w)
    buffer, run = step.buffer()
    value, grads = np.zeros(1), np.zeros(w.size)
    buffer.set_arg(0, memoryview(w))
    buffer.set_res(0, memoryview(value))
    buffer.set_res(1, memoryview(grads))
    mean, square = np.zeros(w.size), np.zeros(w.size)
    done = 0

    def work(_kept: Any = buffer) -> None:
        nonlocal done
        for _ in range(10):
            run()
            done += 1
            mean[:] = 0.85 * mean + 0.15 * grads
            square[:] = 0.99 * square + 0.01 * grads * grads
            w[:] -= rate * mean / (1 - 0.85**done) / (np.sqrt(square / (1 - 0.99**done)) + 1e-8)

    return Contender([float(answer)], work, 10, "SX, its own machine, Adam in NumPy")


def _file(name: str, *path: str) -> Any:
    """Return a file of this checkout as a module of that name."""
    spec = spec_from_file_location(name, Path(__file__).parents[1].joinpath(*path))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # its source is looked up by its name
    spec.loader.exec_module(module)
    return module


# ── numba, by hand ───────────────────────────────────────────────────────────────────────────


def _numba_heston(data: Data, widths: tuple[int, ...]) -> Contender:
    """Differentiated by hand, in loops: path by path, or many abreast so that LLVM sees vectors."""
    numba, np = _load("numba"), _load("numpy")
    z = data["z"]
    paths, steps, _ = z.shape

    @numba.njit(fastmath=True, error_model="numpy")
    def run(p: Any, z: Any) -> Any:
        s0, v0, r, kappa, theta, xi, rho, k = p
        count, steps, _, width = z.shape
        dt, other = 1.0 / steps, math.sqrt(1.0 - rho * rho)
        discount = math.exp(-r)
        sums = np.zeros((9, width))
        before, spreads = np.empty((steps, width)), np.empty((steps, width))
        x, v, ax, av = np.empty(width), np.empty(width), np.empty(width), np.empty(width)
        for b in range(count):
            for j in range(width):
                x[j] = 0.0
                v[j] = v0
            for i in range(steps):
                for j in range(width):
                    positive = max(v[j], FLOOR)
                    spread = math.sqrt(positive * dt)
                    before[i, j] = v[j]
                    spreads[i, j] = spread
                    w = rho * z[b, i, 0, j] + other * z[b, i, 1, j]
                    x[j] += (r - 0.5 * positive) * dt + spread * z[b, i, 0, j]
                    v[j] += kappa * (theta - positive) * dt + xi * spread * w
            for j in range(width):
                end = s0 * math.exp(x[j])
                paid = discount if end > k else 0.0
                price = paid * (end - k)
                ax[j] = paid * end
                av[j] = 0.0
                sums[0, j] += price
                sums[1, j] += paid * end / s0
                sums[3, j] += ax[j] - price
                sums[8, j] -= paid
            for i in range(steps - 1, -1, -1):
                for j in range(width):
                    z1, z2 = z[b, i, 0, j], z[b, i, 1, j]
                    spread, old = spreads[i, j], before[i, j]
                    positive = max(old, FLOOR)
                    w = rho * z1 + other * z2
                    a = av[j]
                    sums[4, j] += a * (theta - positive) * dt
                    sums[5, j] += a * kappa * dt
                    sums[6, j] += a * spread * w
                    sums[7, j] += a * xi * spread * (z1 - z2 * (rho / other))
                    slope = (ax[j] * z1 + a * xi * w) * (0.5 * dt) / spread
                    slope -= 0.5 * dt * ax[j] + kappa * dt * a
                    av[j] = a + (slope if old > FLOOR else 0.0)
            for j in range(width):
                sums[2, j] += av[j]
        return sums

    def abreast(width: int) -> Callable[[], Any]:
        # Each block of paths in one piece: (blocks, steps, 2, paths of the block).
        blocks = z.reshape(paths // width, width, steps, 2).transpose(0, 2, 3, 1)
        return partial(run, data["p"], np.ascontiguousarray(blocks))

    candidates = {f"{width} abreast": abreast(width) for width in widths if paths % width == 0}
    began = _clock()
    next(iter(candidates.values()))()
    compiled = _clock() - began  # once, for all of them
    said, work, first = _best(candidates)
    first = None if first is None else first + compiled
    answer = (work().sum(axis=1) / paths).tolist()
    return Contender(answer, work, paths, said, first)


# ── XAD ──────────────────────────────────────────────────────────────────────────────────────


def _xad_heston(data: Data) -> Contender:
    library, functions = _load("xad.adj_1st"), _load("xad.math")
    rows = data["z"][:50].tolist()  # each takes its time, and the same

    def work() -> list[float]:
        sums = [0.0] * 9
        for z in rows:
            with library.Tape() as tape:
                p = [library.Real(x) for x in data["p"].tolist()]
                tape.registerInputs(p)
                tape.newRecording()
                price = heston(p, z, functions.sqrt, functions.exp, functions.max)
                tape.registerOutput(price)
                price.setDerivative(1.0)
                tape.computeAdjoints()
                numbers = [price.getValue(), *[x.getDerivative() for x in p]]
                sums = [total + number for total, number in zip(sums, numbers, strict=True)]
        return [total / len(rows) for total in sums]

    return Contender(work(), work, len(rows), f"{len(rows)} paths, one by one", paths=len(rows))


# ── Growth: how compile time grows with the program, unrolled ────────────────────────────────


def _unrolled(data: Data, name: str) -> Contender:
    """One path of as many steps as `data` has, with its gradient; no loop is kept."""
    z = data["z"][0]
    p = data["p"]
    steps = len(z)
    if name == "JAX":
        jax, jnp = _jax()

        def price(p: Any, z: Any) -> Any:
            rows = [(z[i, 0], z[i, 1]) for i in range(steps)]
            return heston(list(p), rows, jnp.sqrt, jnp.exp, jnp.maximum)

        step = jax.jit(jax.value_and_grad(price))
        given = jnp.asarray(p), jnp.asarray(z)

        def run() -> Any:
            return jax.block_until_ready(step(*given))

        value, grads = run()
        return Contender([float(value), *map(float, grads)], run, 1, "unrolled")
    casadi = _load("casadi")
    symbols, normals = casadi.SX.sym("p", 8), casadi.SX.sym("z", 2 * steps)
    entries = casadi.vertsplit(normals)
    pairs = list(zip(entries[::2], entries[1::2], strict=True))
    price = heston(casadi.vertsplit(symbols), pairs, casadi.sqrt, casadi.exp, casadi.fmax)
    gradient = casadi.gradient(price, symbols)
    function = casadi.Function("path", [symbols, normals], [price, gradient])
    rows, numbers = casadi.DM(z.reshape(-1)), casadi.DM(p)
    value, grads = function(numbers, rows)
    answer = [float(value), *[float(x) for x in grads.full()[:, 0]]]
    return Contender(answer, lambda: function(numbers, rows), 1, "unrolled")


# ── Branches: examples/control_flow, and the same by others ──────────────────────────────────

STRIKE, SPOT = 100.0, 100.0


def _example(name: str) -> Any:
    return _file(name, "examples", "control_flow", f"{name}.py")


def _gradwalk_barrier(data: Data, form: str) -> Contender:
    """Plain Python with its early return; or the same with `where`, as it is written by hand."""
    gradwalk = _load("gradwalk")

    def by_where(s: Any, sigma: Any, barrier: Any, z: Any) -> Any:
        dt, alive = 1.0 / len(z), 1.0
        for zi in z:
            s = s * gradwalk.exp(-0.5 * sigma * sigma * dt + sigma * math.sqrt(dt) * zi)
            alive = gradwalk.where(s < barrier, 0.0, alive)
        return gradwalk.where(alive, gradwalk.maximum(s - STRIKE, 0.0), 0.0)

    plain = _example("barrier_option").payoff
    compiled = gradwalk.compile(plain if form == "if" else by_where)
    p, z = data["p"].tolist(), data["z"]

    def work() -> Any:
        how = {"wrt": ("s", "sigma"), "reduce": "mean", "threads": 1}
        return compiled.map.value_and_grad(*p, z, **how)

    value, grads = work()
    return Contender([value, grads["s"], grads["sigma"]], work, len(z), form)


def _jax_barrier_mean(jax: Any, jnp: Any, p: Any, z: Any) -> Any:
    s0, sigma, barrier = p
    dt = 1.0 / len(z)

    def step(carry: Any, zi: Any) -> Any:
        s, alive = carry
        s = s * jnp.exp(-0.5 * sigma * sigma * dt + sigma * math.sqrt(dt) * zi)
        return (s, jnp.where(s < barrier, 0.0, alive)), None

    start = (jnp.full(z.shape[-1], s0), jnp.ones(z.shape[-1]))
    (s, alive), _ = jax.lax.scan(step, start, z)
    return jnp.mean(alive * jnp.maximum(s - STRIKE, 0.0))


def _jax_barrier(data: Data) -> Contender:
    found = _jax_paths(_jax_barrier_mean, data, (2_000,))
    return found._replace(answer=found.answer[:3])  # the barrier has no derivative


def _gradwalk_volatility(data: Data) -> Contender:
    gradwalk = _load("gradwalk")
    compiled = gradwalk.compile(_example("implied_volatility").implied_volatility)
    price, strike = data["price"], data["strike"]

    def work() -> Any:
        return compiled.map.value_and_grad(price, SPOT, strike, threads=1)

    value, grads = work()
    answer = [float(x.mean()) for x in (value, grads["price"], grads["k"])]
    return Contender(answer, work, len(price), "with three gradients")


def _numba_volatility(data: Data) -> Contender:
    """The value alone."""
    numba, np = _load("numba"), _load("numpy")

    @numba.njit(error_model="numpy")
    def run(prices: Any, s: float, strikes: Any) -> Any:
        out = np.empty(len(prices))
        for i in range(len(prices)):
            price, k = prices[i], strikes[i]
            sigma, step = 0.3, 1.0
            while abs(step) > 1e-9:
                d1 = math.log(s / k) / sigma + 0.5 * sigma
                below1 = 0.5 * (1.0 + math.erf(d1 / math.sqrt(2.0)))
                below2 = 0.5 * (1.0 + math.erf((d1 - sigma) / math.sqrt(2.0)))
                vega = s * math.exp(-0.5 * d1 * d1) / math.sqrt(2.0 * math.pi)
                step = (s * below1 - k * below2 - price) / vega
                sigma = max(sigma - step, 0.01)
            out[i] = sigma
        return out

    work = partial(run, data["price"], SPOT, data["strike"])
    return Contender([float(work().mean())], work, len(data["price"]), "path by path")


# ── The table ────────────────────────────────────────────────────────────────────────────────

FIRST = 8  # training losses that an answer consists of
WEIGHTS = ("wte", "wpe", "lm_head", "wq", "wk", "wv", "wo", "fc1", "fc2")
_SIZES = (20_000, 4_000, 2_000, 1_000, 500)  # paths at once that are tried

# Case and name: the module that has to be there, and what makes the contender.
CONTENDERS: dict[str, dict[str, tuple[str, Callable[[Data], Contender]]]] = {
    "heston": {
        "gradwalk": ("gradwalk", partial(_gradwalk_path, heston)),
        "numba by hand, abreast": ("numba", partial(_numba_heston, widths=(16, 8, 40, 80))),
        "numba by hand": ("numba", partial(_numba_heston, widths=(1,))),
        "CasADi, C": ("casadi", partial(_casadi_heston, compiled=True)),
        "CasADi": ("casadi", partial(_casadi_heston, compiled=False)),
        "PyTorch": ("torch", lambda data: _torch_paths(heston, data, _SIZES)),
        "JAX": ("jax", lambda data: _jax_paths(_jax_heston_mean, data, _SIZES)),
        "XAD": ("xad", _xad_heston),
    },
    "asian": {
        "gradwalk": ("gradwalk", partial(_gradwalk_path, asian)),
        # One size, which has proved good: trying others would be part of the compile time.
        "JAX": ("jax", lambda data: _jax_paths(_jax_asian_mean, data, (2_000,))),
        "PyTorch": ("torch", lambda data: _torch_paths(asian, data, (2_000,))),
    },
    "gpt": {
        "gradwalk": ("gradwalk", _gradwalk_gpt),
        "JAX, steps in a scan": ("jax", partial(_jax_gpt, form="scan")),
        "JAX, jit": ("jax", partial(_jax_gpt, form="jit")),
        "CasADi": ("casadi", _casadi_gpt),
        "PyTorch": ("torch", _torch_gpt),
    },
    "gpt64": {
        "gradwalk": ("gradwalk", _gradwalk_gpt64),
        "JAX": ("jax", _jax_gpt64),
        "PyTorch": ("torch", _torch_gpt64),
    },
    "barrier": {
        "gradwalk": ("gradwalk", partial(_gradwalk_barrier, form="if")),
        "gradwalk, where by hand": ("gradwalk", partial(_gradwalk_barrier, form="where")),
        "JAX": ("jax", _jax_barrier),
    },
    "implied volatility": {
        "gradwalk": ("gradwalk", _gradwalk_volatility),
        "numba by hand, no gradient": ("numba", _numba_volatility),
    },
    "growth": {
        "CasADi": ("casadi", partial(_unrolled, name="CasADi")),
        "JAX": ("jax", partial(_unrolled, name="JAX")),
    },
}


def main(case: str, name: str, file: str, contenders: Any = None) -> None:
    """Be a contender: say what the first answer is and took, then time as often as asked."""
    np = _load("numpy")
    module, make = (contenders or CONTENDERS)[case][name]
    try:
        version = getattr(_load(module), "__version__", "")
    except ImportError:
        print(json.dumps({"missing": module}), flush=True)
        return
    if module == "jax":  # what it loads and starts once is not counted
        jax, jnp = _jax()
        jax.jit(jax.grad(jnp.exp))(1.0).block_until_ready()
    if module == "gradwalk":
        gradwalk = _load(module)
        gradwalk.compile(lambda x: x * x).map.value_and_grad(np.zeros(1))
    with np.load(file) as stored:
        data = {key: stored[key] for key in stored}
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    clock = time.process_time
    began = _clock()
    contender = make(data)
    first = _clock() - began if contender.first is None else contender.first
    said = contender._asdict()
    del said["work"], said["units"]
    print(json.dumps({**said, "first": first, "version": version}), flush=True)
    while sys.stdin.readline():
        seconds: list[float] = []
        until = clock() + LEAST
        while not seconds or clock() < until:
            began = clock()
            contender.work()
            seconds.append((clock() - began) / contender.units)
        # Not the least: on a virtual machine a CPU clock now and then takes away too much, and once
        # said 37 µs for 745.
        print(json.dumps(statistics.median(seconds)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
