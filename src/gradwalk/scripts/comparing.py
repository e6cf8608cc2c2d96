"""A script as written and with gradwalk: how much faster, and whether it prints the same."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from decimal import Decimal
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from gradwalk.errors import ScriptError
from gradwalk.scripts.replacing import Replaced
from gradwalk.scripts.running import read, run

#: What a comparison comes to. Times differ in any two runs, and so do the last bits of sums over a
#: set, which is walked by address. "written" is 2.0 for 2: every number is the same.
EXIT_CODES = {"identical": 0, "differs": 1, "times": 3, "set order": 4, "written": 5}


class _Outcome(NamedTuple):
    out: bytes
    err: str
    code: int
    seconds: float


class Comparison(NamedTuple):
    """A script as written and with gradwalk; `seconds` are CPU time of the whole process."""

    script: str
    as_written: _Outcome
    with_gradwalk: _Outcome
    replaced: list[Replaced]
    collect: bool
    again: tuple[bytes, ...]  # stdout of more runs as written, where the first two differ

    @property
    def ratio(self) -> float:
        return self.as_written.seconds / max(self.with_gradwalk.seconds, 1e-9)

    @property
    def difference(self) -> tuple[int, str, str] | None:
        """The number of the first line of stdout that differs, and that line of each; a line whose
        numbers are the same and only written otherwise, 2 and 2.0, is shown when there is no other.
        """
        if self.as_written.out == self.with_gradwalk.out:
            return None
        both = [one.out.decode(errors="replace") for one in (self.as_written, self.with_gradwalk)]
        theirs, ours = [text.splitlines() for text in both]
        rows = list(enumerate(zip_longest(theirs, ours, fillvalue=""), 1))
        differing = [(number, *pair) for number, pair in rows if pair[0] != pair[1]]
        if not differing:  # but for the ends of lines
            last, pair = rows[-1] if rows else (1, ("", ""))
            return last, *pair
        return next((row for row in differing if _apart(*row[1:]) > 0), differing[0])

    @property
    def repeats(self) -> bool:
        """Whether the script as written prints the same each time."""
        return all(out == self.as_written.out for out in self.again)

    @property
    def unordered(self) -> bool:
        return any(one.unordered for one in self.replaced)

    @property
    def verdict(self) -> str:
        """One of EXIT_CODES."""
        if self.as_written.code != self.with_gradwalk.code:
            return "differs"
        rows = _rows(self.as_written.out, self.with_gradwalk.out)
        varying = {
            (row, place)
            for out in self.again
            for row, pair in enumerate(_rows(self.as_written.out, out))
            for place, *_ in _differing(*pair) or ()
        }
        found = "identical" if self.difference is None else "times"
        for row, pair in enumerate(rows):
            fields = _differing(*pair)
            if fields is None:
                return "differs"
            for place, theirs, ours, is_time in fields:
                near = abs(theirs - ours) < max(abs(theirs), abs(ours)) / 1_000_000
                varies = (row, place) in varying
                if is_time and varies:
                    continue
                if theirs == ours:
                    found = "written" if found == "times" else found
                elif self.unordered and (near or varies):
                    found = "set order"
                else:
                    return "differs"
        return found

    @property
    def numbers_equal(self) -> bool:
        """Whether stdout is the same but for how its numbers are written, and for printed times."""
        return self.verdict == "written"

    def json(self) -> dict[str, Any]:
        difference = self.difference
        return {
            "script": self.script,
            "replaced": [one._asdict() for one in self.replaced],
            "garbage_collector": self.collect,
            "verdict": self.verdict,
            "identical": difference is None,
            "numbers_equal": self.numbers_equal,
            "first_difference": difference
            and dict(zip(("line", "as_written", "with_gradwalk"), difference, strict=True)),
            "repeats_as_written": self.repeats,
            "exit_codes": {
                "as_written": self.as_written.code,
                "with_gradwalk": self.with_gradwalk.code,
            },
            "cpu_seconds": {
                "as_written": self.as_written.seconds,
                "with_gradwalk": self.with_gradwalk.seconds,
            },
            "ratio": self.ratio,
        }

    def text(self, width: int = 80) -> str:
        theirs, ours = self.as_written, self.with_gradwalk
        lines = [str(one) for one in self.replaced]
        lines += ["", "               CPU time  exit code  stdout"]
        for name, one in (("as written", theirs), ("with gradwalk", ours)):
            count = len(one.out.splitlines())
            unit = "line" if count == 1 else "lines"
            lines.append(f"{name:<13}{one.seconds:>8.2f} s  {one.code:>9}  {count:,} {unit}")
        off = "" if self.collect else ", garbage collector off"
        short = ", in a run too short to judge by" if theirs.seconds < 1.0 else ""
        lines += ["", f"{self.ratio:.1f} times as fast{off}{short}"]
        verdict = self.verdict
        if difference := self.difference:
            number, *pair = difference
            only = _ONLY.get(verdict, "")
            lines.append(f"stdout differs{only}, first in line {number}:")
            begin = max(0, _shared(*pair) - width // 2)
            for name, line in zip(("as written", "with gradwalk"), pair, strict=True):
                shown = ("…" if begin else "") + line[begin:]
                lines.append(f"  {name:<13}  {shown[: width - 17]}".rstrip())
            if verdict == "times":
                lines.append("equal except for printed times")
            elif verdict == "set order":
                lines.append(
                    "the script's own output varies by set order: its Value walks a set of"
                )
                lines.append("inputs, by address, so last bits are chance")
            elif verdict == "written":
                lines.append("gradwalk's numbers are floats: 2.0 where the script has 2")
            elif not self.repeats:
                lines.append("and so does that of two runs as written")
        else:
            lines.append("stdout is identical, byte for byte")
        if theirs.code != ours.code:
            lines.append(f"exit codes differ: {theirs.code} and {ours.code}")
        return "\n".join(lines) + "\n"


_ONLY = {
    "times": " only in printed times",
    "set order": " only by set order",
    "written": " only in how numbers are written",
}

# Each side is `python -c` one of these, with its options, then the script and its arguments.
_AS_WRITTEN = """
import gc, sys
from gradwalk.scripts.running import run_as_written
collect, module, script, *arguments = sys.argv[1:]
if not collect: gc.disable()
sys.exit(run_as_written(script, arguments, module=bool(module)))
"""
# With faster clocks: a time that is printed differs, however few its digits.
_AGAIN = f"""
import time
def faster(clock):
    start = clock()
    return lambda: start + 1000 * (clock() - start)
for name in ("time", "perf_counter", "monotonic", "process_time", "thread_time"):
    for clock in (name, name + "_ns"):
        setattr(time, clock, faster(getattr(time, clock)))
{_AS_WRITTEN}"""
_MOST_RUNS = 5
_GC_OFF = """
import gc, os, runpy, sys
sys.argv = sys.argv[1:]
sys.path.insert(0, os.path.dirname(os.path.realpath(sys.argv[0])))
gc.disable()
runpy.run_path(sys.argv[0], run_name="__main__")
"""
_SUBSTITUTED = """
import sys
from gradwalk.scripts.comparing import be_compared
sys.exit(be_compared(*sys.argv[1:]))
"""


def compare(
    script: str, arguments: Sequence[str], *, collect: bool = True, module: bool = False
) -> Comparison:
    """Run the script as written, then with gradwalk, on the same arguments and the same stdin."""
    if not module:
        read(script)
    stdin = b""
    if sys.stdin is not None and not sys.stdin.isatty():
        stdin = sys.stdin.buffer.read()
    switches = ["1" if collect else "", "1" if module else ""]
    if script.endswith(".ipynb"):
        plain = ["-P", "-c", _AS_WRITTEN, *switches, script]
    elif module:
        plain = ["-m", script]
    else:
        plain = [script] if collect else ["-P", "-c", _GC_OFF, script]
    with tempfile.TemporaryDirectory(prefix="gradwalk-run-") as folder:
        report = os.path.join(folder, "report.json")
        ours = _timed(["-P", "-c", _SUBSTITUTED, report, *switches, script, *arguments], stdin)
        told = Path(report).read_text("utf-8") if os.path.exists(report) else ""
    if told.startswith("refused "):
        raise ScriptError(told.removeprefix("refused "))
    replaced = [Replaced(*row) for row in json.loads(told or "[]")]
    if replaced and not any(one.by for one in replaced):
        lines = "\n".join([str(one) for one in replaced])
        raise ScriptError(f"nothing is replaced, so there is nothing to compare.\n{lines}")
    theirs = _timed([*plain, *arguments], stdin)
    if theirs.code and "No module named 'micrograd'" in theirs.err:
        raise ScriptError(
            f"{script} imports micrograd, which is not installed: with gradwalk it runs, as "
            "written it cannot.\nTo compare the two: pip install micrograd"
        )
    for name, one in (("as written", theirs), ("with gradwalk", ours)):
        if one.code and one.err.strip():
            last = "\n".join(one.err.rstrip().splitlines()[-12:])
            print(f"{name}, exit code {one.code}:\n{last}\n", file=sys.stderr)
    found = Comparison(script, theirs, ours, replaced, collect, ())
    # A sum over a set, or a time that is printed, differs from run to run without our doing; the
    # order of a small set only in some runs.
    most = 0 if theirs.out == ours.out else _MOST_RUNS if found.unordered else 1
    while len(found.again) < most and found.verdict == "differs":
        more = _timed(["-P", "-c", _AGAIN, *switches, script, *arguments], stdin).out
        found = found._replace(again=(*found.again, more))
    return found


def _shared(a: str, b: str) -> int:
    """Return how many characters the two begin with alike."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), 0)


def _rows(a: bytes, b: bytes) -> list[tuple[str, str]]:
    """Return the lines of two outputs side by side; their ends, where nothing else differs."""
    texts = [one.decode(errors="replace").splitlines() for one in (a, b)]
    rows = list(zip_longest(texts[0], texts[1], fillvalue=""))
    return rows if a == b or any(x != y for x, y in rows) else [("an end of line", "")]


_Field = tuple[int, Decimal, Decimal, bool]


def _differing(a: str, b: str) -> list[_Field] | None:
    """Return the numbers that differ in two lines: place, both, and whether each is a time; None
    where more than numbers differs.
    """
    if a == b:
        return []
    theirs, ours = _NUMBER.split(a), _NUMBER.split(b)
    words = [" ".join(word.split()) for word in theirs[::2]]
    if words != [" ".join(word.split()) for word in ours[::2]]:
        return None
    fields: list[_Field] = []
    for place, (x, y) in enumerate(zip(theirs[1::2], ours[1::2], strict=True)):
        if x != y:
            before, after = theirs[2 * place], theirs[2 * place + 2]
            is_time = bool(_TIME_BEFORE.search(before) or _TIME_BEHIND.match(after))
            clock = ":" in (before, after)
            fields.append((place, Decimal(x), Decimal(y), is_time or clock))
    return fields or None  # but for spaces, nothing differs


_TIME_BEFORE = re.compile(
    r"\b(time|elapsed|took|duration|runtime|seconds|secs|speed|throughput)\b[^\w]*(in|is|of)?[^\w]*$",
    re.IGNORECASE,
)
_TIME_BEHIND = re.compile(
    r" ?(s|secs?|seconds?|ms|msecs?|milliseconds?|µs|us|ns|mins?|minutes?"
    r"|(it|its|steps?|epochs?|tok|tokens?|samples?)/s(ec)?)\b",
    re.IGNORECASE,
)


def _apart(a: str, b: str) -> float:
    """Return how far the numbers in two lines are apart, relatively; inf where the words differ."""
    theirs, ours = _NUMBER.split(a), _NUMBER.split(b)
    if len(theirs) != len(ours) or theirs[::2] != ours[::2]:
        return math.inf
    pairs = [(float(x), float(y)) for x, y in zip(theirs[1::2], ours[1::2], strict=True)]
    return max([abs(x - y) / max(abs(x), abs(y)) for x, y in pairs if x != y], default=0.0)


_NUMBER = re.compile(
    r"((?<![\w.])-?\d+(?:\.\d*)?(?:e[+-]?\d+)?(?:(?![\w.])|(?=(?:s|secs?|ms|us|µs|ns|mins?)\b)))"
)


def _timed(words: list[str], stdin: bytes) -> _Outcome:
    began = _spent()
    answer = subprocess.run([sys.executable, *words], input=stdin, capture_output=True, check=False)
    seconds = _spent() - began
    err = answer.stderr.decode(errors="replace")
    code = answer.returncode if answer.returncode >= 0 else 128 - answer.returncode
    return _Outcome(answer.stdout, err, code, seconds)


def _spent() -> float:
    """Return the CPU time of the processes that have ended; the clock's, where there is none."""
    if sys.platform == "win32":
        return time.perf_counter()
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def be_compared(report: str, collect: str, module: str, script: str, *arguments: str) -> int:
    """Run as one side of a comparison; what was replaced goes into the file `report`."""
    told: list[Replaced] = []
    try:
        return run(script, arguments, told.append, collect=bool(collect), module=bool(module))
    except ScriptError as error:
        Path(report).write_text(f"refused {error}", "utf-8")
        return 2
    finally:
        if not os.path.exists(report):
            Path(report).write_text(json.dumps(told), "utf-8")
