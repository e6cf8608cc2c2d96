"""The tree of branches counts the ways that plain Python takes."""

import random
import re
from collections import Counter

import pytest

from gradwalk import compile  # noqa: A004

np = pytest.importorskip("numpy")

seen: Counter[str] = Counter()


def at(name, condition):
    """Count which way a condition goes."""
    seen[f"{name} {'yes' if condition else 'no'}"] += 1
    return condition


def plain(x, y):
    n = 0
    while at("while", x > 1):
        x = x / 2
        n += 1 if at("inline", x > 3) else 2
        if at("break", n > 6):
            at("while", False)  # which ends it, too
            break
    if at("if", n > 3):
        if at("inner", y > 0):
            return x
    elif at("elif", y > 1):
        n += 1
    return n + x


def recorded(x, y):
    n = 0
    while x > 1:
        x = x / 2
        n += 1 if x > 3 else 2
        if n > 6:
            break
    if n > 3:
        if y > 0:
            return x
    elif y > 1:
        n += 1
    return n + x


LINES = {
    "while x > 1:": "while",
    "yes → n += 1 if x > 3 else 2": "inline",
    "yes → if n > 6:": "break",
    "if n > 3:": "if",
    "yes → if y > 0:": "inner",
    "no → elif y > 1:": "elif",
}


def counted(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for line in text.splitlines():
        read = re.fullmatch(r" *(.*)  # \S+:\d+: ([\d,]+) yes, ([\d,]+) no", line)
        assert read is not None, line
        name = LINES[read[1]]
        found[f"{name} yes"] += int(read[2].replace(",", ""))
        found[f"{name} no"] += int(read[3].replace(",", ""))
    return found


def test_the_counts_are_those_of_plain_python(backend) -> None:
    rng = random.Random(3)
    points = [(rng.uniform(0, 9) ** 3, rng.uniform(-1, 2)) for _ in range(200)]
    seen.clear()
    assert [plain(*point) for point in points] == [recorded(*point) for point in points]
    program = compile(recorded)
    text = program.map.paths(*np.array(points).T)
    assert +counted(text) == +seen
    assert program.recording().replays == 0


def test_one_call_has_one_way(backend) -> None:
    program = compile(recorded)
    for point in ((20.0, 0.5), (1.5, 1.5), (0.5, 0.0)):
        seen.clear()
        plain(*point)
        assert +counted(program.paths(*point)) == +seen
    assert "branches at 6 lines" in program.explain()


def test_a_function_without_branches_says_so() -> None:
    program = compile(lambda x: x * 2)
    assert program.paths(1.0) == "no branch depends on the arguments"
    assert "branches" not in program.explain()
