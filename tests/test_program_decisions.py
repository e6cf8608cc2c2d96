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


def counted(text: str, kind: str = "") -> Counter[str]:
    """Read the counts of a tree; `kind` is "map " for the second ones of `explain`."""
    found: Counter[str] = Counter()
    for line in text.splitlines():
        read = re.fullmatch(rf" *(.*)  # \S+:\d+:(?:.*;)? {kind}(\S+) yes, (\S+) no(?:;.*)?", line)
        assert read is not None, line
        name = LINES[read[1]]
        found[f"{name} yes"] += int(read[2].replace(",", ""))
        found[f"{name} no"] += int(read[3].replace(",", ""))
    return found


def branches_of(program) -> tuple[str, str]:
    """Return the heading and the tree that `explain` shows of one recording."""
    heading, _, rest = program.explain().partition("branches")[2].partition("\n")
    return heading, rest


def drawn(seed: int, count: int) -> list[tuple[float, float]]:
    rng = random.Random(seed)
    return [(rng.uniform(0, 9) ** 3, rng.uniform(-1, 2)) for _ in range(count)]


def test_the_counts_are_those_of_plain_python(backend) -> None:
    points = drawn(3, 200)
    seen.clear()
    assert [plain(*point) for point in points] == [recorded(*point) for point in points]
    program = compile(recorded)
    text = program.map.paths(*np.array(points).T)
    assert +counted(text) == +seen
    assert program._store.used_last().replays == 0


def test_explain_counts_the_ways_of_calls_and_of_a_map(backend) -> None:
    program = compile(recorded)
    assert "branches" not in program.explain()
    # The first ones need few rounds. The loop is recorded again, and they still count.
    called = [(1.5, 0.5), (0.5, 1.5), *drawn(4, 60)]
    mapped = drawn(5, 90)
    seen.clear()
    for k, point in enumerate(called):
        assert plain(*point) == (program(*point) if k % 3 else program.value_and_grad(*point)[0])
    wanted = Counter(seen)
    heading, tree = branches_of(program)
    assert heading == " in 62 calls:"
    assert +counted(tree) == +wanted
    seen.clear()
    for point in mapped:
        plain(*point)
    program.map(*np.array(mapped).T)
    heading, tree = branches_of(program)
    assert heading == " in 62 calls and 90 scenarios of a map:"
    assert +counted(tree) == +wanted
    assert +counted(tree, "map ") == +seen


def test_a_function_without_branches_says_so() -> None:
    program = compile(lambda x: x * 2)
    assert program.paths(1.0) == "no branch depends on the arguments"
    assert "branches" not in program.explain()
