"""What a person sees of a program: every stage in one format, blocks in words, sizes."""

import random
import sys
from array import array

import pytest

import gradwalk
from gradwalk.program import backends, compile, inspection  # noqa: A004
from gradwalk.program.interpreter import FORWARD
from gradwalk.program.ir import CODE, CODES, Stage

native = pytest.mark.skipif(
    backends.name != "native", reason="the passes are the native back end's"
)


def tower(x, y, w):
    s = x
    for factor in w:
        s = s * factor + y * 2.0
    return gradwalk.tanh(s) + y * 2.0


@native
def test_every_pass_prints_in_the_format_of_the_recording() -> None:
    program = compile(tower).record(1.0, 2.0, [0.5, 0.25])
    assert inspection.stages(program._store) == (
        "recorded", "tidy", "chains", "adjoint", "blocks", "lanes",
    )  # fmt: skip
    for stage in inspection.stages(program._store)[:4]:
        lines = program.explain(stage).split("\n")
        assert lines[0] == "%0  = input x"
        assert lines[3].endswith("= input w[1]")
        assert any(line.startswith("return %") for line in lines)
    tidy = program.explain("tidy")
    assert program.explain("recorded").count("mul %1 %") == 3  # y * 2.0, written three times …
    assert tidy.count("mul %1 %") == 1  # … and computed once
    adjoint = program.explain("adjoint").split("\n")
    assert "the gradient:" in adjoint
    assert [line.split(" %")[0] for line in adjoint[-4:]] == [
        "gradient of x", "gradient of y", "gradient of w[0]", "gradient of w[1]",
    ]  # fmt: skip
    assert "# test_program_inspection.py:" in adjoint[adjoint.index("the gradient:") - 1]


def evaluated(stage: Stage, slots: list[float]) -> list[float]:
    """The results of a stage, read from what it shows and computed by Python."""
    made = {
        "square": lambda x: x * x,
        "root": lambda x: x**0.5,
        "inverse": lambda x: 1 / x,
        "inverse_root": lambda x: x**-0.5,
        "largest": max,
        "gate": lambda g, x: g if x > 0 else 0.0,
        "pull": lambda *x: sum([x[i] * x[i + 1] for i in range(0, len(x), 2)]),
        "draw": lambda g, x: g / x,
    }
    values: list[float] = []
    for i, name in enumerate(stage.operations):
        numbers = [values[operand] for operand in stage.operands(i)]
        if name == "const":
            values.append(stage.numbers[i])
        elif name == "input":
            values.append(slots[int(stage.numbers[i])])
        elif name in CODE:
            values.append(FORWARD[CODE[name]](*numbers))
        elif name in ("partial0", "partial1"):
            from gradwalk import ops

            row = ops.BY_NAME[CODES[int(stage.numbers[i])]]
            values.append(row.partials[name == "partial1"](*numbers))
        else:
            values.append(made[name](*numbers))
    return [values[i] for i in stage.results]


@native
def test_what_is_shown_of_a_stage_computes_what_the_replay_does() -> None:
    program = compile(tower).record(1.0, 2.0, [0.5, 0.25])
    rng = random.Random(3)
    slots = [rng.uniform(-1, 1) for _ in range(4)]
    value, grads = program.value_and_grad(slots[0], slots[1], slots[2:])
    want = [value, grads["x"], grads["y"], *grads["w"]]
    for name in ("recorded", "tidy", "chains", "adjoint"):
        found = evaluated(inspection.stage(program._store, name), slots)
        assert found == pytest.approx(want[: len(found)], rel=1e-12)
    assert len(found) == 5


@native
def test_blocks_are_said_in_words() -> None:
    w = [[0.1 * (i + j) for j in range(16)] for i in range(8)]

    def f(w, x):
        return sum([gradwalk.exp(sum([a * b for a, b in zip(row, x, strict=True)])) for row in w])

    program = compile(f).record(w, [0.5] * 16)
    said = "\n".join(inspection.words(block) for block in inspection.blocks(program._store, False))
    assert said == "vector times matrix 8, sum of 16\nexp of 8\nsum of 8"
    tiny = compile(lambda a, b, c: (a + b) * c).record(1.0, 2.0, 3.0)
    assert (
        inspection.words(inspection.blocks(tiny._store, False)[0])
        == "list of 2 instructions: add, mul"
    )
    assert tiny.explain("blocks").startswith("list of 4 instructions: ")


def test_words_for_each_kind_of_block() -> None:
    def said(operation, rows=1, columns=1, terms=1, **more):
        block = inspection.Block(
            operation, more.get("row", ""), more.get("more", False), rows, columns, terms,
            more.get("listed", ()),
        )  # fmt: skip
        return inspection.words(block)

    assert said("dot", 8, 64, 16) == "matrix product 8 × 64, sum of 16"
    assert said("pull", 8, 64, 16, more=True).endswith("sum of 16, added to what is there")
    assert said("dot", terms=300) == "sum of products of 300"
    assert said("sum", 1, 4, 9) == "4 times sum of 9"
    assert said("exp", 1, 216) == "exp of 216"
    assert said("partial0", 2, 108, row="tanh") == "slope of tanh of 2 × 108"
    five = (("mul", 2),) * 3 + (("add", 2), ("exp", 1))
    assert said("", listed=five) == "list of 5 instructions: 3 mul, add, exp"


@native
def test_single_precision_runs_as_lanes_and_has_no_blocks() -> None:
    program = compile(float32=True)(lambda x: x * x).record(3.0)
    assert "blocks" not in inspection.stages(program._store)
    assert "lanes" in inspection.stages(program._store)
    assert program.explain("lanes").endswith("\nend")
    assert inspection.summary(program._store).startswith("instructions: recorded 2")


@native
def test_the_steps_over_lanes_compute_what_map_does() -> None:
    program = compile(lambda x, y: [x * y + 2.0, x - y * 3.0]).record(1.0, 1.0)
    lines = program.explain("lanes").split("\n")
    assert {"m0 = input x", "m1 = input y"} <= set(lines)
    assert any(line.startswith("result 1 = m") for line in lines)
    assert lines[-1] == "end"


@native
def test_a_long_map_says_how_much_machine_code_it_has() -> None:
    def path(x, y):
        s = x
        for _ in range(60):
            s = s * y + x / (s * s + 1.0)
        return s

    np = pytest.importorskip("numpy")
    program = compile(path).record(1.0, 1.0)
    program.map.value_and_grad(np.ones(2), np.ones(2))
    assert inspection.sizes(program._store)["lane code"] == 0
    assert "map: " in inspection.summary(program._store)
    assert "machine code" not in inspection.summary(program._store)
    many = np.linspace(0.0, 1.0, 5000)
    assert program.map.value_and_grad(many, many)[0].shape == (5000,)
    has_code = backends.replay.kernels() != "base" and sys.platform.startswith("linux")
    assert (inspection.sizes(program._store)["lane code"] > 0) == has_code
    assert ("machine code" in inspection.summary(program._store)) == has_code


@native
def test_many_outputs_have_no_gradient_to_show() -> None:
    program = compile(lambda x, y: [x * y, x + y]).record(3.0, 4.0)
    assert "adjoint" not in inspection.stages(program._store)
    for stage in ("all", *inspection.stages(program._store)):
        assert program.explain(stage)
    assert "with the gradient" not in inspection.summary(program._store)


@native
def test_a_back_end_refuses_stages_that_are_not_there() -> None:
    program = compile(lambda x, y: [x * y, x + y]).record(3.0, 4.0)
    replay = program._store.used_last().forward()
    with pytest.raises(ValueError, match="there is no stage 'adjoint'"):
        replay.stage("adjoint")
    with pytest.raises(TypeError):
        replay.stage(3)
    with pytest.raises(ValueError, match="nothing to differentiate by"):
        replay.blocks(True)
    assert [len(part) for part in replay.stage("tidy")[:2]] == [4, 20]
    assert array("i", replay.stage("tidy")[5]).tolist() == [2, 3]


def rooted(c):
    if c < 0:
        raise ValueError("no root")
    x = c
    while x * x > c + 1e-9:
        x = (x + c / x) / 2
    values = [x, 2.0].copy()
    if gradwalk.floor(c) == 9.0:
        values.append(c)
    return values[-1]


def test_loops_and_guards_are_printed_with_their_lines_of_source() -> None:
    program = compile(rooted).record(7.0)
    lines = program.explain("recorded").split("\n")
    first = rooted.__code__.co_firstlineno

    def at(line: int, source: str) -> str:
        return f"  # test_program_inspection.py:{first + line}: {source}"

    assert "8 times, %5 … %62:" + at(4, "while x * x > c + 1e-9:") in lines
    guards = [line.partition(": ") for line in lines if line.startswith("if %")]
    assert [said for _, _, said in guards] == [
        "raise ValueError('no root')" + at(2, 'raise ValueError("no root")'),
        "record more rounds of this loop" + at(4, "while x * x > c + 1e-9:"),
        "go on as Python does, on another path" + at(7, "if gradwalk.floor(c) == 9.0:"),
    ]
    for (asked, _, _), condition in zip(guards, ("lt", "gt", "eq"), strict=True):
        assert any(line.split()[:3] == [asked[3:], "=", condition] for line in lines)
    assert "%3 " not in "\n".join(lines)  # what numbers the guard that fails is left out
    after = program.explain("tidy").split("\n")
    assert any(" is 1: raise ValueError('no root')" in line for line in after)
