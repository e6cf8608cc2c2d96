"""The executor of many scenarios, alone: its vector mathematics against mpmath, its steps against
instructions one by one, its plans on random programs, its sums, its threads and its failures. Run with -s for the table of units.
"""
# ruff: noqa: E501  (tables, one thing a line)

import functools
import importlib
import itertools
import math
import random
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import accuracy
from support.builds import made_once
from support.replay_library import (
    ARITY,
    CODE,
    CODES,
    FUNCTIONS,
    LEVELS,
    LISTEN,
    ROWS,
    Library,
    Plan,
    Program,
    Watch,
    build_plain,
)

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
fuzz_code: Any = importlib.import_module("fuzz_code")
arithmetic_program, random_program = fuzz_code.arithmetic_program, fuzz_code.random_program

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

TINY, LEAST, MOST = 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, math.inf, -math.inf, math.nan, TINY, -TINY, LEAST, -LEAST,
           MOST, -MOST, 1e-20, -1e-20, 1e20, -1e20, 709.5, -709.5, 710.0, -745.2, 30.0, -30.0, 1e6, 1e10]  # fmt: skip


@pytest.fixture(scope="module")
def library() -> Library:
    module = importlib.import_module("gradwalk.program._replay")
    return Library(Path(module.__file__ or ""), "tested_functions")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return Library(made_once(tmp_path_factory, "plain", build_plain))


@pytest.fixture(params=[*LEVELS, *(f"{level} code" for level in fuzz_code.LEVELS)])
def leveled(request: pytest.FixtureRequest, library: Library) -> Iterator[Library]:
    if not library.choose(request.param):
        pytest.skip(f"this processor has no {request.param}")
    yield library
    library.choose(None)


@pytest.mark.parametrize(
    "code", ["gate", "choose", "refuse", "pick", "pull", "draw", "partial0", "largest"]
)
def test_the_adjoint_refuses_a_code_that_has_no_derivative(library: Library, code: str) -> None:
    program = Program(library, 2)
    x, y = program.inputs()
    number = float(CODES.index("sin")) if code == "partial0" else 0.0
    program.results([program.add(code, x, y, number=number)])
    with pytest.raises(ValueError, match=f"{code} has no derivative"):
        program.gradient([0, 1])


# ── Vector mathematics ───────────────────────────────────────────────────────────────────────────


@functools.cache
def sampled(name: str) -> tuple[np.ndarray, list[np.ndarray]]:
    at = accuracy.points(name, 300)
    return np.array(at).T, [accuracy.truth(exact, at) for exact in accuracy.CASES[name].exact]


@pytest.fixture(params=[*LEVELS, "plain"])
def mathematics(request: pytest.FixtureRequest) -> Iterator[Library]:
    """The functions of each level, and those of a build that has none."""
    plain = request.param == "plain"
    chosen = request.getfixturevalue("plain" if plain else "library")
    if not chosen.choose(None if plain else request.param):
        pytest.skip(f"this processor has no {request.param}")
    yield chosen
    chosen.choose(None)


def test_functions_and_derivatives_are_within_2_units(mathematics: Library) -> None:
    wrong: list[str] = []
    for name in FUNCTIONS:
        base, which = (name[5:], "xyz".index(name[3]) + 1) if name[:3] == "by_" else (name, 0)
        x, true = sampled(base)
        far = accuracy.units(mathematics.function(name, *x), true[which])
        worst = int(np.argmax(far))
        print(f"{name:12}{far[worst]:6.2f} units at {x[:, worst]!r}")
        if far[worst] > 2:
            wrong.append(f"{name}: {far[worst]:.2f} units at {x[:, worst]!r}")
    assert not wrong, wrong


def test_powers_of_special_numbers_are_those_of_python(mathematics: Library) -> None:
    special = [(a, b) for a in SPECIAL for b in [*SPECIAL, 3.0, -3.0, 1 / 3]]
    values = mathematics.function("pow", *map(np.array, zip(*special, strict=True)))
    for (a, b), value in zip(special, values, strict=True):
        try:
            truth = math.pow(a, b)
        except ValueError:
            truth = math.inf if a == 0 else math.nan
            truth = -truth if a == 0 and math.copysign(1, a) < 0 and b in (-1.0, -3.0) else truth
        except OverflowError:
            truth = -math.inf if a < 0 and b % 2 == 1 else math.inf
        assert same(value, truth, 1e-15), (a, b, value, truth)


def same(got: float, want: float, within: float, slack: float = 1e-307) -> bool:
    if math.isnan(want) or math.isnan(got):
        return math.isnan(want) and math.isnan(got)
    if math.isinf(want) or math.isinf(got):
        return want == got
    return abs(got - want) <= within * abs(want) + slack


# ── Each code ────────────────────────────────────────────────────────────────────────────────────


def columns_of(rng: random.Random, arity: int, count: int) -> list[np.ndarray]:
    draw = lambda: rng.choice(SPECIAL) if rng.random() < 0.5 else rng.uniform(-3, 3)  # noqa: E731
    return [np.array([draw() for _ in range(count)]) for _ in range(arity)]


def rows_of(columns: list[np.ndarray], count: int) -> np.ndarray:
    """The numbers of each scenario."""
    return np.column_stack([np.broadcast_to(column, count) for column in columns])


def check(program, plan, columns, count, within, slack=1e-307) -> None:
    status, outputs, grads, _ = plan.run(columns, count)
    assert status == 0
    wanted = program.by_itself(rows_of(columns, count), careful=False)
    for i, want in enumerate(wanted):
        for k, (g, w) in enumerate(zip([*outputs[i], *grads[i]], want, strict=True)):
            assert same(g, w, within, slack), (k, i, [c[i] if c.ndim else c for c in columns], g, w)


@pytest.mark.parametrize("name", [name for name in CODE if name in ARITY])
def test_each_code_is_what_it_is_by_itself(name: str, leveled: Library) -> None:
    rng = random.Random(name)
    arity = ARITY[name]
    for shared in itertools.product((False, True), repeat=arity):
        program = Program(leveled, arity)
        inputs = program.inputs()
        program.results([program.add(name, *inputs)])
        plan = Plan(program, shared)
        for _ in range(1 if not any(shared) else 4):
            columns = columns_of(rng, arity, 150)
            columns = [np.array(c[0]) if s else c for c, s in zip(columns, shared, strict=True)]
            check(program, plan, columns, 150, 2e-13)


WITHOUT_PARTIALS = ("neg", "sub", "div", "where", "clip")  # the adjoint writes these out


@pytest.mark.parametrize("name", [name for name in ROWS if name not in WITHOUT_PARTIALS])
def test_each_partial_is_what_it_is_by_itself(name: str, leveled: Library) -> None:
    arity = ARITY[name]
    rng = random.Random(name)
    for which in range(arity):
        program = Program(leveled, arity)
        inputs = program.inputs()
        out = program.add(name, *inputs)
        program.results([program.add(f"partial{which}", out, *inputs, number=CODE[name])])
        plan = Plan(program, [False] * arity)
        check(program, plan, columns_of(rng, arity, 200), 200, 5e-13)


def test_sums_products_picks_and_the_largest(leveled: Library) -> None:
    rng = random.Random(5)
    for _ in range(40):
        count = rng.randint(1, 30)
        program = Program(leveled, 6)
        inputs = program.inputs()
        inputs += [
            program.add("neg", inputs[0]),
            program.add("mul", inputs[1], inputs[2]),
            program.add("const", number=2.5),
        ]
        some = [rng.choice(inputs) for _ in range(2 * count)]
        index = program.add("floor", inputs[3])
        parts = [
            index if k % 2 == 0 and rng.random() < 0.7 else part for k, part in enumerate(some)
        ]
        ids = [program.add("sum", *some), program.add("dot", *some), program.add("pull", *some), program.add("largest", *some),
               program.add("pick", *parts, number=float(rng.randint(-2, 2))), program.add("sub", inputs[0], inputs[0])]  # fmt: skip
        shared = [rng.random() < 0.3 for _ in range(6)]
        program.results([*ids, *ids[:2]])
        plan = Plan(program, shared)
        columns = [
            np.array(rng.uniform(-2, 2)) if s else np.array([rng.uniform(-2, 2) for _ in range(77)])
            for s in shared
        ]
        check(program, plan, columns, 77, 1e-13, slack=1e-13)  # 30 terms of about 1 may cancel


# ── Random programs ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_agree_with_their_instructions_one_by_one(
    seed: int, leveled: Library
) -> None:
    rng = random.Random(seed)
    for _ in range(6):
        slots = rng.choice([3, 5, 12, 30])
        program = random_program(leveled, rng, slots, rng.choice([5, 30, 120, 400]))
        program.ir.contents.fast = rng.random() < 0.5
        wrt = rng.sample(range(slots), rng.randint(1, slots))
        program.passes().gradient(wrt)
        shared = [rng.random() < 0.4 for _ in range(slots)]
        count = rng.choice([1, 7, 64, 65, 150])
        table = np.array([[rng.uniform(-2, 2) for _ in range(slots)] for _ in range(count)])
        columns = [table[0, k].copy() if s else table[:, k] for k, s in enumerate(shared)]
        columns = [np.asarray(c) for c in columns]
        agree(program, shared, wrt, columns, count)


def any_double(rng: random.Random) -> float:
    """Half of them of ordinary size, half of any exponent."""
    if rng.random() < 0.5:
        return rng.uniform(-4, 4)
    return rng.choice([-1, 1]) * math.ldexp(rng.uniform(0.5, 1), rng.randint(-1073, 1024))


@pytest.mark.parametrize("seed", range(6))
def test_written_operations_have_the_bits_of_the_recorded_program(seed, leveled) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        slots, count = rng.choice([2, 5, 12]), rng.choice([1, 7, 65])
        shared = [rng.random() < 0.3 for _ in range(slots)]
        table = np.array([[any_double(rng) for _ in range(slots)] for _ in range(count)])
        table[:, shared] = table[0, shared]
        columns = [np.asarray(table[0, k]) if s else table[:, k] for k, s in enumerate(shared)]
        program = arithmetic_program(leveled, rng, slots, rng.choice([4, 12, 60]))
        want = program.by_itself(table, careful=False)
        program.passes()
        wrt = rng.choice([[], list(range(slots))])
        if wrt:
            program.gradient(wrt)
        plan = Plan(program, shared, wrt)
        status, outputs, *_ = plan.run(columns, count)
        assert status == 0
        same_bits = outputs.view(np.int64) == want.view(np.int64)
        assert (same_bits | (np.isnan(outputs) & np.isnan(want))).all(), (outputs, want)


def agree(program, shared, wrt, columns, count) -> None:
    each, summed = Plan(program, shared, wrt), Plan(program, shared, wrt, sums=True)
    want = program.by_itself(rows_of(columns, count))
    status, outputs, grads, _ = each.run(columns, count)
    assert status == 0
    again = each.run(columns, count, threads=2)
    assert again[1].tobytes() == outputs.tobytes()
    assert again[2].tobytes() == grads.tobytes()
    status, outputs2, grads2, totals = summed.run(columns, count)
    assert status == 0
    again = summed.run(columns, count, threads=2)
    assert again[3].tobytes() == totals.tobytes()
    assert again[2].tobytes() == grads2.tobytes()
    scale = np.maximum(
        np.abs(want),
        np.nanmax(np.abs(np.where(np.isfinite(want), want, 0)), axis=0, keepdims=True) * 1e-3,
    )
    got = np.hstack([outputs, grads])
    assert np.array_equal(np.isnan(got), np.isnan(want))
    good = np.isfinite(want)
    assert np.array_equal(got[~good & ~np.isnan(want)], want[~good & ~np.isnan(want)])
    assert np.all(np.abs(got[good] - want[good]) <= 1e-10 * scale[good] + 1e-300), np.nanmax(
        np.abs(got - want) / scale
    )
    n = program.ir.contents.outputs
    assert outputs2.shape == outputs.shape
    for k, slot in enumerate(wrt):
        column = want[:, n + k]
        if not shared[slot]:
            assert np.array_equal(grads2[:, k] == -777.0, np.zeros(count, bool))
            assert np.array_equal(np.isnan(grads2[:, k]), np.isnan(column))
            assert totals[k] == -777.0
        else:
            assert np.all(grads2[:, k] == -777.0)
            total = math.fsum(column) if np.isfinite(column).all() else column.sum()
            assert (
                same(totals[k], total, 1e-10)
                or abs(totals[k] - total) <= 1e-10 * np.abs(column).sum()
            ), (k, totals[k], total)


@pytest.mark.parametrize("level", fuzz_code.LEVELS)
@pytest.mark.parametrize("kind", fuzz_code.KINDS)
def test_machine_code_gives_the_bits_of_the_interpreter(kind, level, library) -> None:
    if not library.choose(f"{level} code"):
        pytest.skip(f"there is no machine code for {level} here")
    bytes_of_a_step = [fuzz_code.examine_program(library, kind, level, seed) for seed in range(60)]
    assert sum([bytes_ < 100 for bytes_ in bytes_of_a_step]) > 40  # others have hardly a step
    if kind == "loops":  # written out, a step takes 16 bytes and more for each of its vectors
        least = {"avx2": 20, "avx512": 40}[level]
        assert sum([bytes_ < least for bytes_ in bytes_of_a_step]) > 12


def chain(library: Library, steps: int) -> tuple[Program, list[int]]:
    """A path: x ← x + a·tanh(x)·z[i], one z a step, shared a: long sums in the gradient of a."""
    program = Program(library, 2 + steps)
    x, a, *z = program.inputs()
    for one in z:
        x = program.add(
            "add", x, program.add("mul", program.add("mul", a, program.add("tanh", x)), one)
        )
    program.results([program.add("mul", x, x)])
    program.passes().gradient([0, 1])
    return program, [0, 1]


@pytest.mark.parametrize("layout", ["rows", "columns", "reversed", "odd"])
def test_inputs_are_read_where_they_are(layout: str, leveled: Library) -> None:
    steps, count = 37, 133
    program, wrt = chain(leveled, steps)
    z = np.random.default_rng(2).normal(size=(count, steps))
    if layout == "columns":
        z = np.asfortranarray(z)
    elif layout == "reversed":
        z = z[::-1, ::-1]
    elif layout == "odd":
        z = np.random.default_rng(2).normal(size=(count, 2 * steps))[:, ::2]
    columns = [np.linspace(0.5, 1.5, count), np.array(0.1), *(z[:, k] for k in range(steps))]
    agree(program, [False, True] + [False] * steps, wrt, columns, count)


@pytest.mark.parametrize("shape", [(4, 4, 4), (5, 7, 6), (9, 6, 5), (16, 4, 11)], ids=str)
@pytest.mark.parametrize("float32", [False, True])
def test_layers_whose_weights_are_shared(shape, float32, leveled) -> None:
    """Two layers, w2·relu(w1·x), and the sum of their squares; by hand in numpy."""
    inputs, hidden, outputs = shape
    count = 2 * 128 + 5  # whole blocks and one that is not
    program = Program(leveled, inputs + inputs * hidden + hidden * outputs)
    slots = program.inputs()
    x, w1, w2 = np.split(np.array(slots), [inputs, inputs * (1 + hidden)])

    def layer(weights: np.ndarray, of: list[int]) -> list[int]:
        rows = weights.reshape(-1, len(of))
        pairs = [[node for pair in zip(of, row, strict=True) for node in pair] for row in rows]
        return [program.add("dot", *map(int, row)) for row in pairs]

    middle = [program.add("relu", h) for h in layer(w1, [*x])]
    out = layer(w2, middle)
    program.results([program.add("dot", *[o for o in out for _ in range(2)])])
    wrt = [*map(int, range(inputs, len(slots)))]
    program.passes().gradient(wrt)

    rng = np.random.default_rng(3)
    points = rng.normal(size=(count, inputs))
    a, b = rng.normal(size=(hidden, inputs)), rng.normal(size=(outputs, hidden))
    h = np.maximum(points @ a.T, 0.0)
    y = h @ b.T
    to_a = ((2 * y @ b) * (h > 0)).T @ points
    truth = np.concatenate([to_a.ravel(), (2 * y.T @ h).ravel()])

    plan = Plan(program, [False] * inputs + [True] * len(wrt), wrt, sums=True, float32=float32)
    steps = {line.split()[1] for line in plan.text.splitlines()}
    assert {"PRODUCTS", "SUMS"} <= steps
    columns = [*points.T, *[np.array(w) for w in (*a.ravel(), *b.ravel())]]
    status, values, _, totals = plan.run(columns, count)
    assert status == 0
    within = 2e-4 if float32 else 1e-12
    np.testing.assert_allclose(values[:, 0], (y * y).sum(1), rtol=within, atol=within)
    np.testing.assert_allclose(totals, truth, rtol=within, atol=within * np.abs(truth).max())


def test_slots_are_used_again(library: Library) -> None:
    program, wrt = chain(library, 400)
    for sums in (False, True):
        plan = Plan(program, [False, True] + [False] * 400, wrt, sums=sums)
        recorded = 4 * 400
        assert plan.sizes["slots"] * 8 <= 8 * recorded, plan.sizes


def test_what_is_shared_is_computed_once(library: Library) -> None:
    program = Program(library, 2)
    a, x = program.inputs()
    for _ in range(100):
        a = program.add("sin", a)
    program.results([program.add("mul", a, x)])
    program.passes().gradient([0, 1])
    plan = Plan(program, [True, False], [0, 1], sums=True)
    assert plan.sizes["varying"] < 10
    assert plan.sizes["uniform"] > 100
    assert plan.sizes["steps"] < 10
    columns = [np.array(0.4), np.linspace(1, 2, 500)]
    agree(program, [True, False], [0, 1], columns, 500)


# ── nan, indices, stopping ───────────────────────────────────────────────────────────────────────


def test_a_gradient_of_0_passes_nothing_on(leveled: Library) -> None:
    """d(k·√x)/dx at x = 0, k = 0 is 0, not 0·inf; and 1·inf stays inf."""
    program = Program(leveled, 3)
    k, x, a = program.inputs()
    program.results([program.add("mul", k, program.add("sqrt", program.add("mul", a, x)))])
    program.passes().gradient([1, 2])
    count = 200
    ks, xs = np.ones(count), np.linspace(1, 2, count)
    ks[[3, 77, 150]] = 0.0
    xs[[3, 77, 150]] = 0.0
    columns = [ks, xs, np.array(1.0)]
    agree(program, [False, False, True], [1, 2], columns, count)
    plan = Plan(program, [False, False, True], [1, 2], sums=True)
    _, _, grads, totals = plan.run(columns, count)
    assert grads[3, 0] == grads[77, 0] == grads[150, 0] == 0.0
    assert np.isfinite(grads[:, 0]).all()
    assert math.isfinite(totals[1])
    ks[3] = 1.0
    _, _, grads, totals = plan.run(columns, count)
    assert grads[3, 0] == math.inf
    assert math.isnan(totals[1])
    agree(program, [False, False, True], [1, 2], columns, count)


def test_a_shared_inf_is_not_lost_in_the_sums(library: Library) -> None:
    program = Program(library, 2)
    a, x = program.inputs()
    program.results([program.add("mul", program.add("sqrt", a), x)])
    program.passes().gradient([0])
    columns = [np.array(0.0), np.array([1.0, -1.0, 2.0])]
    plan = Plan(program, [True, False], [0], sums=True)
    assert math.isnan(plan.run(columns, 3)[3][0])  # inf - inf + inf, as when summed one by one
    columns[1] = np.zeros(3)
    assert plan.run(columns, 3)[3][0] == 0.0


def test_an_index_outside_its_table_takes_the_nearest_entry(leveled: Library) -> None:
    program = Program(leveled, 3)
    i, x, y = program.inputs()
    program.results([program.add("take", i, x, y)])
    index = np.array([-math.inf, -1.0, -0.9, 0.0, 0.9, math.nan, 1.0, 1.9, 2.0, 1e300, math.inf])
    given = [index, np.arange(11.0), np.array(50.0)]
    found = Plan(program, [False, False, True]).run(given, 11)[1][:, 0]
    assert found.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, *[50.0] * 5]
    for k, one in enumerate(index):
        given[0] = np.array(one)
        found = Plan(program, [True, False, True]).run(given, 11)[1][:, 0]
        assert found.tolist() == ([50.0] * 11 if k > 5 else list(range(11)))


def test_a_run_stops_when_told(library: Library) -> None:
    program, wrt = chain(library, 3000)
    count = 200_000
    columns = [np.ones(count), np.array(0.01), *[np.ones(count)] * 3000]
    plan = Plan(program, [False, True] + [False] * 3000, wrt, sums=True)
    for threads in (1, 2):
        assert plan.run(columns, count, threads=threads, watch=Watch(1))[0] == -2
        watch = Watch(0)
        timer = threading.Timer(0.05, lambda watch=watch: setattr(watch, "stop", 1))
        timer.start()
        assert plan.run(columns, count, threads=threads, watch=watch)[0] == -2
        timer.join()


def test_the_calling_thread_listens_between_blocks_and_while_it_waits(library: Library) -> None:
    program, wrt = chain(library, 3000)
    count = 20_000
    columns = [np.ones(count), np.array(0.01), *[np.ones(count)] * 3000]
    plan = Plan(program, [False, True] + [False] * 3000, wrt, sums=True)
    for threads in (1, 2, 3):
        heard: list[int] = []
        watch = Watch(0, LISTEN(lambda _, heard=heard: heard.append(threading.get_ident())))
        assert plan.run(columns, count, threads=threads, watch=watch)[0] == 0
        assert len(heard) > 1
        assert set(heard) == {threading.get_ident()}

        def stop_at_third(address: int, heard: list[int] = heard) -> None:
            heard.append(0)
            if heard.count(0) == 3:
                Watch.from_address(address).stop = 1

        watch = Watch(0, LISTEN(stop_at_third))
        assert plan.run(columns, count, threads=threads, watch=watch)[0] == -2
