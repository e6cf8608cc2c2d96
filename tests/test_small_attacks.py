"""Small inputs that once crashed, hung or ended in a traceback: each is refused in a line."""

import json
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from gradwalk import GraphError, Value, compile, walk  # noqa: A004
from gradwalk.cli import main
from gradwalk.cli.commands import PAGES
from gradwalk.errors import ProgramFileError
from gradwalk.program import files, load

STREAMS = {
    "infinity": '{"step": Infinity, "loss": 1}',
    "400 digits": '{"step": 1, "loss": ' + "9" * 400 + "}",
    "5,000 digits": '{"step": 1, "loss": ' + "9" * 5000 + "}",
    "a long step": '{"step": ' + "9" * 400 + ', "loss": 1}',
    "deep": "[" * 100_000,
    "a list": "[]",
    "a text": '{"step": "1", "loss": 1}',
}
SIZES = {
    "infinity": '{"n_embd": Infinity}',
    "400 digits": '{"n_embd": ' + "9" * 400 + "}",
    "5,000 digits": '{"n_embd": ' + "9" * 5000 + "}",
    "deep": '{"n_embd": ' + "[" * 100_000,
    "a list": '{"n_embd": [[[]]]}',
}


def complaint(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_with_impossible_numbers_is_refused(name, tmp_path, capsys):
    file = tmp_path / "s.jsonl"
    file.write_text(STREAMS[name] + "\n")
    assert "not a line of `gpt train --stream`" in complaint(["gpt", "compare", str(file)], capsys)


@pytest.mark.parametrize("name", SIZES)
def test_a_file_of_impossible_sizes_is_refused(name, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "sizes.json"
    file.write_text(SIZES[name])
    assert "sizes.json" in complaint(["gpt", "train", "--config", str(file)], capsys)


@pytest.mark.parametrize("size", ["9" * 400, "9" * 5000, "٤", "1e3", "-1", "inf"])
def test_an_impossible_size_is_refused(size, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "n_embd" in complaint(["gpt", "train", "--config", f"n_embd={size}"], capsys)


@pytest.mark.parametrize("length", [252, 256, 300, 4000])
def test_program_takes_an_expression_of_any_length(length, capsys):
    text = "a" + " + a" * (length // 4)
    assert main(["program", text, "a=1"]) == 0
    assert "value" in capsys.readouterr().out


def test_a_count_of_more_digits_than_python_writes_is_said_in_short():
    value = Value(1.0)
    for _ in range(20_000):
        value = value + value
    with pytest.raises(GraphError, match=r"more than 10\^6020 visits"):
        walk(value, bug="no-visited")


@pytest.mark.parametrize("kind", ["numbers", "tuples"])
def test_a_program_file_cannot_fill_one_slot_of_a_hash_table(kind, tmp_path):
    """Ten thousand recordings for keys of one hash would take minutes to tell apart."""

    def square(x, n):
        return x * x

    compiled = compile(square, static=["n"])
    compiled(2.0, 1)
    data = files.packed(compiled._store)
    head = files._HEAD.unpack_from(data)
    header = json.loads(data[files._HEAD.size : files._HEAD.size + head[2]])
    body = data[files._HEAD.size + head[2] :]
    (row,) = header["recordings"]
    rows = []
    for i in range(10_000):
        number = i * (2**61 - 1)
        constant = number if kind == "numbers" else {"tuple": [number]}
        specs = [["is", "int", constant] if spec[0] == "is" else spec for spec in row["specs"]]
        rows.append({**row, "specs": specs})
    header["recordings"] = rows
    text = json.dumps(header).encode()
    rest = text + body
    made = files._HEAD.pack(head[0], head[1], len(text), len(body), zlib.crc32(rest)) + rest
    file = tmp_path / "evil"
    file.write_bytes(made)
    with pytest.raises(ProgramFileError, match="more than 2000 large numbers and tuples"):
        load(file)


INTERRUPTED = """
import os, signal, sys
module = sys.argv[1]
sys.argv[0] = "gradwalk"
class Interrupt:
    def find_spec(self, name, *_):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
from gradwalk.cli import main
from gradwalk.cli.commands import PAGES
sys.argv = ["gradwalk", "walk"]
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send there")
@pytest.mark.parametrize(
    "module", ["gradwalk.engine", "gradwalk.cli.commands", "gradwalk.cli.walk"]
)
def test_ctrl_c_while_a_command_is_imported_leaves_no_traceback(module):
    done = subprocess.run(
        [sys.executable, "-P", "-c", INTERRUPTED, module],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in (-signal.SIGINT, 130)


COMMANDS = [
    *[["walk"], ["check", "a*b", "a=1", "b=2"], ["explain", "a*b + a", "a=1", "b=2", "--wrt", "a"]],
    *[["exercise"], ["doctor"], ["bench"], ["help"], [], ["gpt"]],
    *[["program", "tanh(a*b) + a", "a=1", "b=2", "--stage", "all"]],
    *[["judge", "examples/judge/overwrite.py", "--trust"]],
    *[["gpt", "train", "--steps", "3", "--config", "tiny", "-o", "CHECKPOINT"]],
    *[["gpt", "eval", "CHECKPOINT", "--n", "3"], ["gpt", "inspect", "CHECKPOINT"]],
    *[["gpt", "compare", "--break", "no-zero-grad", "--steps", "3", "--config", "tiny"]],
    *[["train", "moons", "--steps", "2"]],
    *[[command, "--help"] for command in PAGES],
]


def test_every_command_keeps_to_40_columns(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.chdir(Path(__file__).parents[1])
    for words in COMMANDS:
        checkpoint = str(tmp_path / "c.safetensors")
        assert main([checkpoint if word == "CHECKPOINT" else word for word in words]) in (0, 1)
        lines = capsys.readouterr().out.splitlines()
        assert [line for line in lines if len(line) > 40] == [], words
