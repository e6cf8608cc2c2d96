"""Reads a Markdown page and runs its examples: for the tests, and for the pictures of the docs.

Lines behind `>>>` are doctests; a page is one session from top to bottom. In a `console` block
`$ gradwalk ...` and `$ python3 x.py run ...` are run, and the lines below are their exact output;
other commands are only shown. With `2>&1` a command may fail, and its complaint is compared too.
"""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class Command(NamedTuple):
    line: int
    text: str
    output: str  # empty: the page does not say


def fenced_lines(page: str, *languages: str) -> dict[int, str]:
    """Line number and text of all that stands in code blocks of these languages."""
    inside: dict[int, str] = {}
    fence = language = ""
    for number, line in enumerate(page.splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+)\s*(\S*)", line)
        if not fence and mark:
            fence, language = mark.groups()
        elif mark and mark[1].startswith(fence) and not mark[2]:
            fence = ""
        elif fence and language in languages:
            inside[number] = line
    return inside


def failed_examples(page: str, name: str) -> str:
    """What doctest says about the `>>>` lines of `page`; empty when all are right."""
    inside = fenced_lines(page, "python", "pycon", "py")
    lines = [inside.get(number, "") for number in range(1, page.count("\n") + 2)]
    session = doctest.DocTestParser().get_doctest("\n".join(lines), {}, name, name, 0)
    complaints: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, out=complaints.append)
    return "".join(complaints)


def commands_in(page: str) -> list[Command]:
    commands: list[Command] = []
    previous = 0
    for number, line in fenced_lines(page, "console").items():
        if line.startswith("$ "):
            commands.append(Command(number, line[2:], ""))
        elif commands and previous == number - 1:
            last = commands[-1]
            if not last.output and last.text.endswith("\\"):
                commands[-1] = last._replace(text=last.text[:-1] + line)
            else:
                commands[-1] = last._replace(output=last.output + line + "\n")
        previous = number
    return [command for command in commands if as_gradwalk(command.text)]


def as_gradwalk(text: str) -> str | None:
    """The command to run for what a page shows, or None for what is only shown."""
    by_x = re.fullmatch(r"python3 x\.py run(?!\S) *(.*)", text)
    if by_x:  # x.py would first make the environment that this test is running in
        return f"gradwalk {by_x[1] or 'walk'}"
    return text if text.split(maxsplit=1)[0] == "gradwalk" else None


def run(command: Command, folder: Path) -> str:
    """Run it as a person would and return what is wrong; empty when it is as the page says."""
    text = as_gradwalk(command.text)
    assert text is not None
    answer = subprocess.run(
        ["sh", "-c", text],
        check=False,
        cwd=folder,
        env={
            **os.environ,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "NO_COLOR": "1",
            "COLUMNS": "80",
            "PYTHONIOENCODING": "utf-8",
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    if answer.returncode and "2>&1" not in text:
        return f"line {command.line}: exit code {answer.returncode}\n{answer.stderr}"
    if command.output and command.output != answer.stdout:
        return (
            f"line {command.line}: $ {command.text}\n"
            f"--- the page says\n{command.output}--- it prints\n{answer.stdout}{answer.stderr}"
        )
    return ""
