"""Tables for a terminal: table 3 to the letter, never too wide, honest about what is left out."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.pictures import HOSTILE, example, few, random_walk, seeds, sizes

from gradwalk import Value, gradcheck, paths, walk
from gradwalk.render import gradcheck_text, paths_text, walk_text
from gradwalk.render.text import HEAD, TAIL, text_width
from gradwalk.transforms import CheckedLeaf, GradCheck
from gradwalk.walk import SortStep

ESCAPES = re.compile(r"\x1b\[\d+m")


def section(text: str, title: str) -> list[str]:
    """The lines from a heading to the next one, without empty ones."""
    lines = text.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith(title))
    found = [lines[begin]]
    for line in lines[begin + 1 :]:
        if line and not line.startswith(" "):
            break
        found.append(line)
    return [line for line in found if line]


def chain(length: int) -> Value:
    value = Value(0.5, label="x")
    for _ in range(length):
        value = value * 1.0
    return value


# ── Tables ───────────────────────────────────────────────────────────────────────────────────


def test_the_sort_of_x7_is_table_3_to_the_letter():
    assert section(walk_text(walk(example("X7"))), "Sort")[1:] == [
        "  #  pop                      stack after        sorted",
        "  1  (L,0)                    (L,1) (c,0)",
        "  2  (c,0)                    (L,1) (c,1) (a,0)",
        "  3  (a,0) leaf               (L,1) (c,1)        a",
        "  4  (c,1)                    (L,1) (c,2) (b,0)  a",
        "  5  (b,0) leaf               (L,1) (c,2)        a b",
        "  6  (c,2) done               (L,1)              a b c",
        "  7  (L,1) a already visited  (L,2)              a b c",
        "  8  (L,2) done               empty              a b c L",
    ]


def test_the_backward_walk_of_x7_shows_each_push_and_the_sum():
    assert section(walk_text(walk(example("X7"))), "Backward") == [
        "Backward: L starts at 1; each node pushes incoming × local to its inputs",
        "  node  grad  input += grad × local  local is  so far",
        "  L     1     c += 1 × 1 = 1         1",
        "              a += 1 × 1 = 1         1",
        "              add copies: each input receives the gradient unchanged",
        "  c     1     a += 1 × 3 = 3         b         a: 1 + 3 = 4",
        "              b += 1 × 2 = 2         a",
        "              multiply swaps and scales: each input receives the gradient times",
        "              the other input",
        "  b     2     leaf: skipped",
        "  a     4     leaf: skipped",
    ]


# ── Walks that go wrong ──────────────────────────────────────────────────────────────────────


SAID = [  # a walk, and lines or parts of lines of it
    ("X1", {}, ["  a  10\n  b  10\n  +  10\n  c  -1\n  *  1\n"]),
    ("X8", {}, ["  *     0     gradient 0: skipped\n"]),
    (
        *("X3", {"bug": "overwrite"}),
        [
            "Bug overwrite: `=` in place of `+=`: a second contribution replaces",
            *(
                "  *     1     a = 1 × 3 = 3",
                "a: 3 replaced by 3 ✗",
                "  a  got 3, should be 6  ✗\n",
            ),
            "\n1 of 2 wrong\n",
        ],
    ),
    (
        *("X6", {"order": ["d", "b", "a", "c"]}),
        [
            "  order: d b a c\n  rule:  a visited node accepts nothing more\n",
            "  c     3     a += 3 × 3 = 9  ✗ lost",
            "  ✗ 9 by way of d → c → a: a was visited before c, and a visited node accepts\n"
            "    nothing more\n",
            "  a  got 6, should be 15  ✗\n",
        ],
    ),
    ("X6", {"order": ["d", "b", "c", "a"]}, ["all 4 right: this order loses nothing\n"]),
    *[
        ("X7", {"bug": "no-reset"}, [said])
        for said in ("backward() again, on the gradients left behind:", "a: 4 + 1 = 5")
    ],
]


@pytest.mark.parametrize(("name", "how", "said"), SAID)
def test_a_walk_says_its_gradients_and_what_went_wrong_and_why(name, how, said):
    text = walk_text(walk(example(name), **how))
    assert {part: text.count(part) for part in said} == dict.fromkeys(said, 1)


# ── Width, colour, safety ────────────────────────────────────────────────────────────────────


@few
@given(seeds, sizes, st.integers(40, 130), st.booleans())
def test_no_line_is_wider_than_asked(seed, size, width, color):
    found = random_walk(seed, size)
    for line in walk_text(found, color=color, width=width).splitlines():
        assert text_width(line) <= width


@few
@given(seeds, sizes)
def test_colour_adds_nothing_but_colour(seed, size):
    found = random_walk(seed, size)
    plain, coloured = walk_text(found), walk_text(found, color=True)
    assert "\x1b" not in plain
    assert ESCAPES.sub("", coloured) == plain


def test_colour_marks_signs_and_directions():
    coloured = walk_text(walk(example("X1")), color=True)
    assert "\x1b[31m-1\x1b[0m" in coloured
    assert "\x1b[32m10\x1b[0m" in coloured
    assert "\x1b[36m+\x1b[0m" in coloured
    assert "\x1b[35m+\x1b[0m" in coloured


@pytest.mark.parametrize("label", HOSTILE)
def test_a_label_cannot_steer_the_terminal(label):
    a = Value(1.0, label=label)
    for text in (walk_text(walk(a * a)), paths_text(paths(a * a, 0))):
        assert all(line.isprintable() for line in text.splitlines())
        assert max(text_width(line) for line in text.splitlines()) <= 80


# ── Large graphs ─────────────────────────────────────────────────────────────────────────────


def test_a_larger_graph_says_how_many_rows_are_left_out_and_where_they_are():
    found = walk(chain(100))
    text = walk_text(found)
    left_out = len(found.sort) - HEAD - TAIL
    assert f"… {left_out} rows left out; --json has them all" in text
    sort = section(text, "Sort")
    numbers = [int(line.split()[0]) for line in sort if re.match(r" {2,4}\d", line)]
    total = len(found.sort)
    assert numbers == [*range(1, HEAD + 1), *range(total - TAIL + 1, total + 1)]


def test_of_a_deep_graph_only_the_stacks_on_show_are_built(monkeypatch):
    found = walk(chain(5000))
    built: list[int] = []
    stack = SortStep.stack.fget
    assert stack is not None
    monkeypatch.setattr(
        SortStep, "stack", property(lambda step: built.append(step.pop[0]) or stack(step))
    )
    text = walk_text(found)
    assert len(built) == HEAD + TAIL
    assert max(text_width(line) for line in text.splitlines()) <= 80


# ── Paths and checks ─────────────────────────────────────────────────────────────────────────


def test_paths_show_their_products_and_their_sum():
    assert paths_text(paths(example("X6"), "a")).splitlines() == [
        "∂d/∂a = 15: the sum over 2 paths",
        "",
        "  path       local derivatives  product",
        "  d → c → a  3 × 3              9",
        "  d → b → a  6 × 1              6",
        "             sum                15",
    ]


@pytest.mark.parametrize("doublings", [40, 5000])
def test_paths_without_number_are_counted_and_not_listed(doublings):
    value = Value(1.0, label="x")
    for _ in range(doublings):
        value = value + value
    lines = paths_text(paths(value, "x", most=3)).splitlines()
    assert max(text_width(line) for line in lines) <= 80
    assert len(lines) == 8
    shown = "1,099,511,627,773" if doublings == 40 else "about 10^1505"
    assert f"{shown} smaller paths" in lines[-2]


def test_a_check_that_passes_says_so():
    text = gradcheck_text(gradcheck(lambda a, b: a * b, 2.0, 3.0))
    assert "  a      2      3         3 " in text
    assert text.endswith("\nall 2 agree\n")


def test_a_check_that_fails_marks_the_input():
    row = CheckedLeaf("a", 2.0, 5.0, 3.0, 3.0, 3.0, 2.0, ok=False, kink=False)
    text = gradcheck_text(GradCheck((row,), 1e-6, 1e-6))
    assert "  a      2      5         3           2.0e+00  ✗" in text
    assert text.endswith("\n1 of 1 wrong\n")


def test_a_kink_is_explained_by_the_slopes_on_its_sides():
    text = gradcheck_text(gradcheck(abs, 0.0))
    assert "kink: the slope is -1 on the left, 1 on the right; any between will do" in text
