"""Programs in files: what is saved comes back, what is damaged is refused, whatever the damage."""

import json
import math
import random
import struct
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import gradwalk
from gradwalk import Compiled, OperandError, ProgramError, ProgramFileError, Value, compile  # noqa: A004
from gradwalk.program import files, load
from gradwalk.program.files import _HEAD


def packed(program: Compiled) -> bytes:
    return files.packed(program._store)


def unpacked(data: bytes, *name: str) -> Compiled:
    return Compiled(files.unpacked(data, *name))


def example():
    w = Value(1.5, label="w")

    def f(x, z, opts, mode="a", n=3):
        total = w * x
        for i in range(n):
            total = total + gradwalk.take(z, opts["i"]) * gradwalk.exp(x * 0.1) * i
        return gradwalk.where(total > 1.0, total, gradwalk.dot(z, z))

    program = compile(static=("n",))(f)
    program(1.0, [1.0, 2.0], {"i": 1, "k": (3.0,)})
    program(1.0, [1.0, 2.0, 3.0], {"i": 1, "k": (3.0,)}, mode="b")
    return program, w


ARGUMENTS = (0.7, [1.0, 2.0], {"i": 0, "k": (3.0,)})


def test_a_text_that_no_file_can_hold_is_refused_by_its_name() -> None:
    program = compile(lambda x: {"half \ud800": x})
    program(1.0)
    with pytest.raises(ProgramError, match=r"cannot be saved: .* end of '.*half \\ud800'"):
        packed(program)


def test_a_loaded_program_replays_without_its_source(tmp_path, backend: str) -> None:
    program, w = example()
    program.save(tmp_path / "f.gwp")
    again = load(tmp_path / "f.gwp")
    assert again.function is None
    assert again.arguments == program.arguments
    assert again(*ARGUMENTS, "a", 3) == program(*ARGUMENTS)
    assert again.value_and_grad(*ARGUMENTS, "a", 3) == program.value_and_grad(*ARGUMENTS)
    assert len(again._store) == 2
    assert [(p.data, p.label) for p in again.parameters] == [(1.5, "w")]
    again.parameters[0].data = w.data = -2.0
    assert again(*ARGUMENTS, "a", 3) == program(*ARGUMENTS)
    again.backward(*ARGUMENTS, "a", 3)
    program.backward(*ARGUMENTS)
    assert again.parameters[0].grad == w.grad != 0.0
    assert again.explain("recorded").split("#")[0] == program.explain("recorded").split("#")[0]
    with pytest.raises(ProgramError, match=r"no source to record .*z is a list of 4 numbers"):
        again(1.0, [1.0] * 4, {"i": 1, "k": (3.0,)}, "a", 3)


def test_a_loaded_program_takes_its_arguments_as_before(backend: str) -> None:
    def f(a, /, b=2.0, *rest, scale=math.inf, **more):
        return gradwalk.minimum(a * b + sum(rest) + more.get("c", 0.0), scale)

    program = compile(f)
    calls = [
        ((1.0,), {}),
        ((1.0, 3.0, 4.0, 5.0), {"scale": 9.0}),
        ((1.0,), {"b": 7.0, "c": 1.0}),
    ]
    expected = [program.value_and_grad(*args, **named) for args, named in calls]
    again = unpacked(packed(program))
    assert [again.value_and_grad(*args, **named) for args, named in calls] == expected
    assert packed(again) == packed(program)
    with pytest.raises(OperandError, match="missing a required argument: 'a'"):
        again()


OLD = Path(__file__).parent / "fixtures" / "programs"


def test_files_of_version_2_are_read(backend: str) -> None:
    neuron, clamped = load(OLD / "neuron.gw"), load(OLD / "clamped.gw")
    assert neuron([1.0, 2.0]) == pytest.approx(2.0 * math.tanh(1.5), rel=1e-15)
    assert neuron.value_and_grad([1.0, 2.0, 3.0])[1]["scale"] == pytest.approx(math.tanh(3.0))
    assert (clamped(-1.0), clamped(0.5)) == (0.0, 0.5)
    with pytest.raises(gradwalk.TakeError):  # version 2 wrote an assertion as a take
        clamped(0.5, 11.0)
    assert load(OLD / "root.gw")(27.0) == 3.0
    several = load(OLD / "several.gw")
    assert several(np.array([1.5, 2.0]), 3) == {"sum": 3.5, "parts": (4.5, 4.0)}


def test_a_take_of_a_file_of_version_3_refuses_what_is_outside(backend: str) -> None:
    taken = load(OLD / "taken.gw")
    table = [1.0, 2.0, 4.0]
    assert [taken(table, i, 0.5) for i in (0, 1, 2.5)] == [1.5, 2.5, 4.5]
    for index in (3, -1, math.nan):
        with pytest.raises(gradwalk.TakeError, match="of a table of 3"):
            taken(table, index, 0.5)
    with pytest.raises(ValueError, match="low is too large"):
        taken(table, 3, 11.0)


class OwnError(Exception):
    pass


def checked(x, low):
    if low > 10.0:
        raise ValueError("low is too large")
    if low < -10.0:
        raise OwnError("low is too small")
    while x > 1.0:
        x = x * 0.5
    return x if x > low else low


def test_a_loaded_program_raises_what_the_original_raises(backend: str) -> None:
    program = compile(checked)
    program(3.0, 0.5)
    again = unpacked(packed(program))
    assert again(3.0, 0.5) == program(3.0, 0.5) == 0.75
    for call in (again, again.value_and_grad):
        with pytest.raises(ValueError, match="low is too large"):
            call(1.0, 11.0)
        with pytest.raises(RuntimeError, match="OwnError: low is too small"):
            call(1.0, -11.0)
        with pytest.raises(ProgramError, match=r"test_program_files.py:\d+: .* more rounds"):
            call(1e9, 0.5)
    with pytest.raises(ValueError, match="low is too large") as raised:
        again.map(np.array([1.0, 1.0]), np.array([0.0, 11.0]))
    assert "scenario 1" in raised.value.__notes__


def priced(a, b):
    root = math.sqrt(b) if a > 2.0 else b / a
    return root * math.exp(a)


@pytest.mark.parametrize(
    "point",
    [(3.0, -1.0), (1.0, -1.0), (0.0, 1.0), (800.0, 1.0), (3.0, 4.0), (math.inf, 1.0)],
)
def test_a_loaded_program_raises_what_python_raises(point, backend: str) -> None:
    again = unpacked(packed(compile(errors="python")(priced).record(1.0, 2.0)))
    again = unpacked(packed(again))
    calls = (again, lambda *at: again.value_and_grad(*at)[0],
             lambda *at: again.map(*[np.array([1.0, x]) for x in at])[1])  # fmt: skip
    try:
        wanted = priced(*point)
    except (ArithmeticError, ValueError) as error:
        for call in calls:
            with pytest.raises(type(error), match=str(error)) as raised:
                call(*point)
            assert "test_program_files.py:" in raised.value.__notes__[0]
    else:
        assert [call(*point) for call in calls] == pytest.approx([wanted] * 3, rel=1e-15)


RATES = {"low": 0.5}


def test_numbers_from_outside_are_saved_as_they_are_and_not_as_they_were(backend: str) -> None:
    program = compile(lambda x: x * RATES["low"])
    assert unpacked(packed(program.record(2.0)))(2.0) == 1.0
    RATES["low"] = 0.75
    with pytest.raises(ProgramError, match="has changed since it was recorded: call it before"):
        packed(program)
    assert program(2.0) == 1.5
    again = unpacked(packed(program))
    RATES["low"] = 0.5
    assert again(2.0) == 1.5


@pytest.mark.parametrize(
    "damage",
    [
        {"guards": [[0, "raise", 0, 1, "SystemExit", ""]]},
        {"guards": [[0, "jump", 0, 1, "ValueError", ""]]},
        {"guards": [[10_000, "raise", 0, 1, "ValueError", ""]]},
        {"verdict": -1},
        {"verdict": 10_000},
        {"decisions": [[5, True, 0, 0, 1]]},
        {"decisions": [[-1, True, 10_000, 0, 1]]},
        {"exits": [[10_000]]},
        {"exits": [["0"]]},
        {"raising": [[0, 10_000]]},
        {"raising": [[0]]},
        {"raising": [["0", 0]]},
    ],
)
def test_damaged_guards_are_refused(damage) -> None:
    program = compile(checked)
    program(3.0, 0.5)
    data = packed(program)
    *_, head, body, _ = _HEAD.unpack_from(data)
    header = json.loads(data[_HEAD.size : _HEAD.size + head])
    header["recordings"][0].update(damage)
    text, rest = json.dumps(header).encode(), data[_HEAD.size + head :]
    checksum = zlib.crc32(rest, zlib.crc32(text))
    with pytest.raises(ProgramFileError):
        unpacked(_HEAD.pack(b"GWALKPRG", 3, len(text), body, checksum) + text + rest)


def test_a_default_that_a_file_cannot_hold_has_to_be_given(backend: str) -> None:
    program = compile(lambda x, z=[1.0, 2.0], k=3.0: x * z[0] * k).record(2.0)
    again = unpacked(packed(program))
    assert again(2.0, [1.0, 2.0]) == 6.0
    with pytest.raises(OperandError, match="missing a required argument: 'z'"):
        again(2.0)
    before = compile(lambda x=1.0, z=[1.0, 2.0]: x * z[0]).record()
    with pytest.raises(OperandError, match="missing a required argument: 'x'"):
        unpacked(packed(before))()


def test_what_cannot_be_saved_says_so(tmp_path) -> None:
    with pytest.raises(ProgramError, match="has no recording to save"):
        compile(lambda x: x).save(tmp_path / "x")
    odd = compile(static="kind")(lambda x, kind: x).record(1.0, object)
    with pytest.raises(ProgramFileError, match=r"a static argument .* is a type"):
        odd.save(tmp_path / "x")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "x")


def test_statics_of_every_plain_type_come_back() -> None:
    f = compile(static="s")(lambda x, s: x * 2.0)
    statics = [None, True, 1, 1.0, "text", (1, (2.5, "a")), -0.0, 10**30]
    for s in statics:
        f(1.0, s)
    again = unpacked(packed(f))
    assert list(again._store.by_specs) == list(f._store.by_specs)
    assert [again(1.0, s) for s in statics] == [2.0] * len(statics)


# ── Damage ───────────────────────────────────────────────────────────────────────────────────


def only_a_file_error(data: bytes) -> bool:
    """Whether the file is refused; anything but ProgramFileError fails the test."""
    try:
        unpacked(data)
    except ProgramFileError:
        return True
    return False


def test_every_changed_byte_is_noticed() -> None:
    data = packed(example()[0])
    rng = random.Random(1)
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1 << rng.randrange(8)
        assert only_a_file_error(bytes(changed)), place


def test_every_length_but_the_right_one_is_noticed() -> None:
    data = packed(example()[0])
    for length in range(len(data)):
        assert only_a_file_error(data[:length]), length
    assert only_a_file_error(data + b"\0")


def sealed(head: bytes, body: bytes) -> bytes:
    """A file whose lengths and check sum are right, whatever is in it."""
    checksum = zlib.crc32(body, zlib.crc32(head))
    return _HEAD.pack(b"GWALKPRG", 2, len(head), len(body), checksum) + head + body


def parts() -> tuple[bytes, bytes]:
    data = packed(example()[0])
    _, _, head, _, _ = _HEAD.unpack_from(data)
    return data[_HEAD.size : _HEAD.size + head], data[_HEAD.size + head :]


@pytest.mark.parametrize("seed", range(8))
def test_damage_under_a_right_check_sum_is_refused_or_harmless(seed: int, backend: str) -> None:
    head, body = parts()
    rng = random.Random(seed)
    refused = 0
    for _ in range(500):
        changed = [bytearray(head), bytearray(body)]
        for _ in range(rng.choice([1, 1, 1, 2, 5])):
            part = changed[rng.randrange(2)]
            place = rng.randrange(len(part))
            part[place] = rng.randrange(256) if rng.random() < 0.5 else part[place] ^ 1
        data = sealed(*map(bytes, changed))
        if only_a_file_error(data):
            refused += 1
            continue
        again = unpacked(data)  # what passes every check is a program, and replays
        with suppress(ProgramError, gradwalk.TakeError, gradwalk.OperandError):
            again(*ARGUMENTS, "a", 3)
    assert refused > 100


WRONG = {
    "no JSON": lambda h: b"{",
    "not UTF-8": lambda h: b"\xff\xfe",
    "deep": lambda h: b"[" * 100_000,
    "a list": lambda h: b"[]",
    "null": lambda h: b"null",
    "an argument twice": lambda h: h.replace(b'"arguments": ["x", "z"', b'"arguments": ["x", "x"'),
    "a keyword": lambda h: h.replace(b'"arguments": ["x", "z"', b'"arguments": ["x", "if"'),
    "no name": lambda h: h.replace(b'"arguments": ["x", "z"', b'"arguments": ["x", "1"'),
    "a kind that is none": lambda h: h.replace(b"POSITIONAL_OR_KEYWORD", b"POSITIONAL", 1),
    "kinds out of order": lambda h: h.replace(b"POSITIONAL_OR_KEYWORD", b"VAR_KEYWORD", 1),
    "a kind too few": lambda h: h.replace(b'["POSITIONAL_OR_KEYWORD", ', b"[", 1),
    "a default of another": lambda h: h.replace(b'"defaults": {"n"', b'"defaults": {"m"'),
    "a default too early": lambda h: h.replace(b'"defaults": {"n"', b'"defaults": {"x"'),
    "a static of another": lambda h: h.replace(b'"static": ["n"]', b'"static": ["m"]'),
    "huge": lambda h: h.replace(b'"slots": 6', b'"slots": 600000000000'),
    "negative": lambda h: h.replace(b'"slots": 6', b'"slots": -6'),
    "a bool": lambda h: h.replace(b'"slots": 6', b'"slots": true'),
    "a float": lambda h: h.replace(b'"slots": 6', b'"slots": 6.0'),
    "a long list": lambda h: h.replace(b'["list", 2]', b'["list", 20]'),
    "a huge list": lambda h: h.replace(b'["list", 2]', b'["list", 100000000000000000000]'),
    "a negative list": lambda h: h.replace(b'["list", 2]', b'["list", -2]'),
    "a huge array": lambda h: h.replace(b'["list", 2]', b'["array", [2000000000, 2000000000]]'),
    "deep structure": lambda h: h.replace(b'["list", 2]', b'["list", [' * 60 + b'"n"' + b"]]" * 60),
    "an unknown structure": lambda h: h.replace(b'["list", 2]', b'["set", 2]'),
    "an odd constant": lambda h: h.replace(b'"str", "a"', b'"str", {"float": "x"}'),
    "a dict as constant": lambda h: h.replace(b'"str", "a"', b'"str", {}'),
    "a parameter twice": lambda h: h.replace(b'"parameters": [0]', b'"parameters": [0, 0]'),
    "a parameter too far": lambda h: h.replace(b'"parameters": [0]', b'"parameters": [1]'),
    "no recording": lambda h: json.dumps({**json.loads(h), "recordings": []}).encode(),
    "a recording twice": lambda h: json.dumps(
        {**json.loads(h), "recordings": json.loads(h)["recordings"] * 2}
    ).encode(),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_header_that_lies_is_refused(name: str) -> None:
    head, body = parts()
    changed = WRONG[name](head)
    assert changed != head
    assert only_a_file_error(sealed(changed, body))


def with_operations(change) -> bytes:
    """A saved `example` whose list of operations, and with it the codes, are another gradwalk's."""
    head, body = parts()
    header = json.loads(head)
    header["operations"] = change(header["operations"])
    return sealed(json.dumps(header).encode(), body)


def test_codes_are_read_by_the_names_of_their_operations() -> None:
    def swapped(names: list[str]) -> list[str]:
        other = {"add": "mul", "mul": "add"}
        return [other.get(name, name) for name in names]

    program, _ = example()
    found = unpacked(with_operations(swapped))
    codes = [program.program.codes.count(gradwalk.program.ir.CODE[name]) for name in ("add", "mul")]
    again = [found.program.codes.count(gradwalk.program.ir.CODE[name]) for name in ("mul", "add")]
    assert codes == again
    assert codes[0] != codes[1]


def test_an_operation_that_this_gradwalk_lacks_is_named() -> None:
    data = with_operations(lambda names: ["sinc" if name == "exp" else name for name in names])
    with pytest.raises(ProgramFileError, match="does not have its operation 'sinc'"):
        unpacked(data)
    with pytest.raises(ProgramFileError, match="there is no operation"):
        unpacked(with_operations(lambda names: names[:5]))


def test_a_file_of_another_version_or_kind_says_so() -> None:
    data = packed(example()[0])
    later = data[:8] + struct.pack("<I", 5) + data[12:]
    with pytest.raises(ProgramFileError, match="version 5 of the format; this gradwalk reads 4"):
        unpacked(later)
    with pytest.raises(ProgramFileError, match=r"x\.gwp: not a saved program of gradwalk"):
        unpacked(b"PK\x03\x04" * 20, "x.gwp")
