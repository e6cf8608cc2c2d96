"""Nothing from a file reaches the terminal raw, whichever command shows it."""

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gradwalk import compile  # noqa: A004
from gradwalk.cli import main
from gradwalk.cli.commands import PAGES
from gradwalk.cli.terminal import harmless

ATTACKS = Path(__file__).parent / "attacks" / "terminal"
EVIL = "\x1b[8m\x1b[2J\x1b]52;c;ZXZpbA==\x07\x9b31m\u202egnp\u2066\x7f"
RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def evil_file(folder: Path, suffix: str) -> Path:
    return folder / f"a{EVIL}{suffix}"


def _named_badly(x):
    return x * x


_named_badly.__name__ = EVIL


def in_folder(folder: Path) -> dict[str, list[str]]:
    """Return a command for each way in which a file's text could reach the terminal."""
    for file in ATTACKS.glob("*.py"):
        shutil.copy(file, folder)
    shutil.copy(ATTACKS / "raises.py", evil_file(folder, ".py"))
    quiet = folder / f"quiet{EVIL}.py"
    quiet.write_text("x = 1\n", "utf-8")  # what a script itself prints, errors too, is its own
    compiled = compile(_named_badly)
    compiled(1.0)
    compiled.save(folder / "saved.gradwalk")
    stream = evil_file(folder, ".jsonl")
    stream.write_text('{"event": "step", "step": 1, "loss": 2.0}\n')
    notebook = evil_file(folder, ".ipynb")
    notebook.write_text(json.dumps({"cells": EVIL}))
    broken = evil_file(folder, ".broken")
    broken.write_text("not a stream\n")
    with (folder / "points.csv").open("w", newline="") as out:
        rows = [(0.1 * i, 0.2 * i, EVIL if i % 2 else "b") for i in range(8)]
        csv.writer(out).writerows(rows)
    documents = folder / "documents.txt"
    documents.write_text("".join([f"{EVIL}{i}\n" for i in range(4)]), "utf-8")
    sizes = ["--config", "n_embd=4,n_head=1,n_layer=1,block_size=4"]
    checkpoint = str(folder / "c.safetensors")
    return {
        "an exception": ["judge", str(folder / "raises.py"), "--trust"],
        "a class name": ["judge", str(folder / "class_name.py"), "--trust"],
        "a file name": ["judge", str(evil_file(folder, ".py")), "--trust"],
        "a file that is not there": ["judge", str(folder / EVIL)],
        "json": ["judge", str(folder / "class_name.py"), "--json", "--trust"],
        "a function": ["program", f"{folder / 'function.py'}:f", "x=1"],
        "a function's name": ["program", f"{folder / 'function.py'}:g", "x=1"],
        "a missing function": ["program", f"{folder / 'function.py'}:{EVIL}"],
        "a saved program": ["program", str(folder / "saved.gradwalk")],
        "a saved program as JSON": ["program", str(folder / "saved.gradwalk"), "--json"],
        "a stream": ["gpt", "compare", str(stream)],
        "a broken stream": ["gpt", "compare", str(broken)],
        "classes of points": ["train", str(folder / "points.csv"), "--steps", "1"],
        "documents": [
            *["gpt", "train", "--data", str(documents), "--steps", "2", "-o", checkpoint],
            *sizes,
        ],
        "a sample": ["gpt", "sample", checkpoint, "--n", "20", "--temperature", "5"],
        "an inspection": ["gpt", "inspect", checkpoint],
        "no command": [EVIL],
        "no option": ["walk", f"--{EVIL}"],
        "an expression": ["walk", f"a {EVIL}"],
        "a script": ["run", str(quiet)],
        "a script explained": ["run", "--explain", str(quiet)],
        "a script compared": ["run", "--compare", str(quiet)],
        "a script that is not there": ["run", str(folder / f"{EVIL}.py")],
        "a script to watch": ["watch", "--no-browser", str(folder / f"{EVIL}.py")],
        "no notebook": ["run", str(notebook)],
        "a module that is not there": ["run", "-m", EVIL],
        "a path": ["explain", "a*b", "a=1", "b=2", "--wrt", EVIL],
        "a value": ["check", "a*b", f"a={EVIL}", "b=2"],
        "a lab": ["lab", f"a {EVIL}"],
        "an exercise": ["exercise", EVIL],
        "an answer": ["exercise", "diamond-a", "--answer", EVIL],
        "a lesson": ["lessons", EVIL],
        "a drill": ["drill", "--seed", EVIL],
        "a benchmark": ["bench", EVIL],
        "a diagnosis": ["doctor"],
        "a diagnosis of": ["doctor", EVIL],
        "help": ["help", EVIL],
        "a shell": ["completion", EVIL],
        "a copy": ["site", str(quiet), "--no-python"],
        "a configuration": ["gpt", "train", "--config", EVIL],
        "a checkpoint": ["gpt", "eval", str(broken)],
    }


def test_no_command_lets_a_file_steer_the_terminal(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = in_folder(tmp_path)
    assert {words[0] for words in commands.values()} == {*PAGES, "help", EVIL}
    shown = ""
    for what, words in commands.items():
        code = main(words)
        captured = capfd.readouterr()
        for text in (captured.out, captured.err):
            assert RAW.search(text) is None, (what, code, text)
        shown += captured.out + captured.err
    assert r"\u001b]52;c;" in shown
    assert r"\u202e" in shown


def test_what_steers_is_written_out_as_in_json():
    for text in (EVIL, "\u2028 \U000e0041 \ud800", "\r\n"):
        assert json.loads(f'"{harmless(text)}"'.replace("\n", "\\n")) == text
    kept = "a\tb\nü 中 🙂 n\u200cm →"
    assert harmless(kept) == kept


def test_a_fault_of_gradwalk_does_not_read_as_no(capsys, monkeypatch):
    def broken(words):
        raise ZeroDivisionError(EVIL)

    monkeypatch.setattr("gradwalk.cli.walk.walk", broken)
    assert main(["walk"]) == 70
    err = capsys.readouterr().err
    assert "ZeroDivisionError" in err
    assert RAW.search(err) is None


# ── The current folder ───────────────────────────────────────────────────────────────────────

SHADOWED = ("re", "random", "json", "math", "traceback", "ast", "gradwalk", "struct", "platform")


@pytest.mark.parametrize(
    "words",
    [
        ["walk"],
        ["judge", "own/my_value.py"],
        ["run", "--backend", "python", "own/script.py"],
        ["run", "--compare", "own/script.py"],
        ["run", "--compare", "--gc", "off", "own/script.py"],
        ["gpt", "train", "--backend", "python", "--steps", "1", "-o", "own/c.safetensors"],
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_no_code_is_imported_from_the_current_folder(tmp_path, words):
    (tmp_path / "own").mkdir()
    source = (Path(__file__).parents[1] / "examples" / "my_value.py").read_text("utf-8")
    (tmp_path / "own" / "my_value.py").write_text(source, "utf-8")
    (tmp_path / "own" / "helper.py").write_text("number = 3")
    script = f"import random, re, helper\n{source}\nprint((Value(2.0) * helper.number).data)\n"
    (tmp_path / "own" / "script.py").write_text(script, "utf-8")
    for name in SHADOWED:
        (tmp_path / f"{name}.py").write_text("open('ran', 'a').write(__name__ + ' ')\n")
    command = Path(sys.executable).with_name("gradwalk")
    done = subprocess.run(
        [command, *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    ran = (tmp_path / "ran").read_text() if (tmp_path / "ran").exists() else ""
    assert ran == ""
    assert done.returncode == 0, done.stderr


def test_every_python_that_we_start_keeps_the_current_folder_out():
    source = Path(__file__).parents[1] / "src"
    for file in source.rglob("*.py"):
        text = file.read_text("utf-8")
        interpreters = r"(?:sys\.executable|python|apart|_interpreter\(\w+\))"
        for first in re.findall(rf"(?:\[|_exec\()\s*{interpreters},\s*([^],]+)", text):
            # The words of `run --compare` are "-P" and more, or the user's script itself.
            assert first in ('"-P"', '"-I"', "*words"), (file.name, first)
