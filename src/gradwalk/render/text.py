"""Walks, paths and gradient checks as text for a terminal, never wider than asked.

The tables are those one would draw by hand: forward, the sort with its stack, backward with
every push, and the gradients; a walk that went wrong has the wrong numbers beside the right ones.
Colour is only ever added to what a sign, a word or a mark already says.

Start reading at `walk_text`. A graph of more than MOST_NODES nodes is shown in part, and only the
rows on show are looked at, so that the stack of every other step is never built.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import TypeVar
from unicodedata import category, east_asian_width

from gradwalk.errors import printable
from gradwalk.graph import Graph, named, number
from gradwalk.paths import Path, Paths
from gradwalk.statements import relation
from gradwalk.transforms import CheckedLeaf, GradCheck
from gradwalk.walk import BUGS, BackwardStep, Lost, Push, SortStep, Walk

SECTIONS = ("forward", "sort", "backward", "gradients")

MOST_NODES = 60
HEAD, TAIL = 24, 6  # the rows that a table keeps of a larger graph
MOST_NAME, MOST_FORMULA, MOST_POP = 16, 20, 24
LEAST_WIDTH = 40
LEAST_SORT = 30  # columns for the stack and what is sorted, side by side
INDENT = GAP = "  "

#: What each kind of text looks like in colour, by the codes of ECMA-48.
PAINT = {
    "bold": "1",
    "muted": "2",
    "forward": "36",
    "backward": "35",
    "positive": "32",
    "negative": "31",
}

_SUMMARY = "Gradients: "
_ELSEWHERE = ("--json has them all", "see --json")

T = TypeVar("T")
Row = list[str] | int
"""The cells of a line, or the number of rows left out at this place."""


def walk_text(
    walk: Walk,
    *,
    color: bool = False,
    width: int = 80,
    only: Sequence[str] = (),
    short: bool = False,
) -> str:
    """Return a walk as text: a summary, then the tables forward, sort, backward, gradients.

    `only` names the tables to keep. `short` keeps the summary and the contributions of the backward
    pass, without their reasons.

    >>> from gradwalk import Value, walk
    >>> a = Value(3.0, label="a")
    >>> print(walk_text(walk(a * a, bug="overwrite")).splitlines()[-4])
      a  got 3, should be 6  ✗
    """
    return "\n".join(_Page(walk.graph, color, width, short).walk(walk, only)) + "\n"


def paths_text(
    paths: Paths, *, color: bool = False, width: int = 80, words: Callable[..., str] = str.format
) -> str:
    """Return the paths behind a gradient, each with its product, and their sum.

    `words` puts an English template and its parts into the reader's language.
    """
    return "\n".join(_Page(paths.graph, color, width).paths(paths, words)) + "\n"


def gradcheck_text(check: GradCheck, *, color: bool = False, width: int = 80) -> str:
    """Return a gradient check, one row for each input."""
    return "\n".join(_Page(Graph(()), color, width).check(check)) + "\n"


class _Page:
    """The tables, and what they share: the graph's names, the paint, the width."""

    def __init__(self, graph: Graph, color: bool, width: int, short: bool = False) -> None:
        self.graph = graph
        self.color = color
        self.short = short
        self.width = max(width, LEAST_WIDTH)
        self.is_cut = len(graph) > MOST_NODES

    # ── A walk ───────────────────────────────────────────────────────────────────────────────

    def walk(self, walk: Walk, only: Sequence[str] = ()) -> Iterator[str]:
        """Yield the lines of the sections in `only`, all of them without it."""
        wanted = only or (("backward",) if self.short else SECTIONS)
        if walk.bug:
            yield from self.heading(f"Bug {walk.bug}", BUGS[walk.bug])
        if not only:
            yield from self.summary(walk)
        between = not only
        for section in [section for section in SECTIONS if section in wanted]:
            if between:
                yield ""
            between = True
            yield from getattr(self, f"{section}_section")(walk)

    def summary(self, walk: Walk) -> Iterator[str]:
        """Yield the result and the gradients of the leaves, in two lines where they fit."""
        root = self.graph[self.graph.root]
        leaves = [node.id for node in self.graph.leaves if self.counts(node.id)]
        wrong = set(walk.wrong)
        shown = [
            f"{self.name(node)} {number(walk.grads[node])}{' ✗' if node in wrong else ''}"
            for node in leaves[:HEAD]
        ]
        more = [f"and {len(leaves) - HEAD} more"] if len(leaves) > HEAD else []
        yield f"{self.paint('bold', 'Result:')} {named(self.name(root.id), root.data)}"
        leaves_lines = _wrapped(", ".join([*shown, *more]).split(), self.width - len(_SUMMARY), 9)
        for line, lead in zip_longest(leaves_lines, [_SUMMARY], fillvalue=" " * len(_SUMMARY)):
            yield self.paint("bold", lead) + line

    def forward_section(self, walk: Walk) -> Iterator[str]:
        yield from self.heading("Forward", "every node computes its value, inputs first")
        yield from self.forward(walk)

    def sort_section(self, walk: Walk) -> Iterator[str]:
        how = "as it should be, " if walk.bug == "no-visited" else ""
        yield from self.heading("Sort", f"{how}with a stack of (node, index of its next input)")
        yield from self.sort(walk.sort)

    def backward_section(self, walk: Walk) -> Iterator[str]:
        root = self.name(self.graph.root)
        rule = f"{root} starts at 1; each node pushes incoming × local to its inputs"
        yield from self.heading("Backward", rule)
        if given := walk.own_order:
            yield from self.paragraph(["order:", *[self.name(node) for node in _trimmed(given)]])
            if walk.bug in (None, "overwrite"):
                words = ["a", "visited", "node", "accepts", "nothing", "more"]
                yield from self.paragraph(words, mark="rule: ")
            yield ""
        yield from self.backward(walk)
        if walk.lost:
            yield ""
            yield from self.heading("Lost", "these contributions came after the visit")
            yield from self.lost(walk.lost)

    def gradients_section(self, walk: Walk) -> Iterator[str]:
        yield from self.gradients(walk, compare=bool(walk.bug or walk.own_order))

    def counts(self, node: int) -> bool:
        return not self.graph[node].is_const

    def forward(self, walk: Walk) -> Iterator[str]:
        equations = {step.node: step.equation for step in walk.forward}
        nodes = [node for node in self.graph.nodes if not node.is_const]
        rows: list[Row] = []
        for entry in self.picked(nodes):
            if isinstance(entry, int):
                rows.append(entry)
            else:
                node = entry[1]
                value = equations.get(node.id) or number(node.data)
                rows.append([self.paint("forward", self.name(node.id)), printable(value)])
        yield from self.table(["node", "value"], rows)

    def sort(self, steps: Sequence[SortStep]) -> Iterator[str]:
        entries = self.picked(steps)
        shown = [self.turn(*entry) for entry in entries if not isinstance(entry, int)]
        number_, pop, stack, placed = [
            max([text_width(" ".join(turn[column])) for turn in shown]) for column in range(4)
        ]
        pop = min(pop, MOST_POP)
        room = self.width - len(INDENT) - number_ - pop - 3 * len(GAP)
        if room < min(stack + placed, LEAST_SORT):
            yield from self.narrow_sort(entries, number_, min(pop, self.width // 3))
            return
        stack = min(max(stack, len("stack after")), max(room // 2, room - placed))
        rows: list[Row] = []
        turns = iter(shown)
        for entry in entries:
            if isinstance(entry, int):
                rows.append(entry)
                continue
            turn = next(turns)
            columns = [
                [self.paint("muted", turn[0][0].rjust(number_))],
                _wrapped(turn[1], pop, 3),
                _wrapped(turn[2], stack, 2),
                _wrapped(turn[3], room - stack, 2),
            ]
            rows += [list(line) for line in zip_longest(*columns, fillvalue="")]
        yield from self.table(["#".rjust(number_), "pop", "stack after", "sorted"], rows)

    def narrow_sort(
        self, entries: list[int | tuple[int, SortStep]], number_: int, pop: int
    ) -> Iterator[str]:
        """Yield the sort for a narrow page: what is sorted stands below a turn that adds to it."""
        room = self.width - len(INDENT) - number_ - pop - 2 * len(GAP)
        rows: list[Row] = []
        before: list[str] = []
        for entry in entries:
            if isinstance(entry, int):
                rows.append(entry)
                continue
            index, popped, stack, placed = self.turn(*entry)
            columns = [
                [self.paint("muted", index[0].rjust(number_))],
                _wrapped(popped, pop, 3),
                _wrapped(stack, room, 3),
            ]
            rows += [list(line) for line in zip_longest(*columns, fillvalue="")]
            if placed != before:
                rows += [["", "", line] for line in _wrapped(["sorted:", *placed], room, 3)]
            before = placed
        yield from self.table(["#".rjust(number_), "pop", "stack after"], rows)

    def turn(self, index: int, step: SortStep) -> tuple[list[str], ...]:
        """Return the words of the four columns of table 3."""
        pop = [self.pair(step.pop), *printable(step.note).split()]
        stack = [self.pair(pair) if pair else "…" for pair in _trimmed(step.stack)] or ["empty"]
        placed = [self.name(node) for node in _trimmed(step.sorted)]
        return [str(index)], pop, stack, placed

    def pair(self, pair: tuple[int, int]) -> str:
        return f"({self.name(pair[0])},{pair[1]})"

    def backward(self, walk: Walk) -> Iterator[str]:
        self.told = set[str]()
        lost = {(loss.source, loss.to) for loss in walk.lost}
        rows: list[Row] = []
        for entry in self.picked(walk.backward):
            if isinstance(entry, int):
                rows.append(entry)
                continue
            index, step = entry
            if index > 1 and step.node == self.graph.root and walk.bug == "no-reset":
                rows.append(["", "", "backward() again, on the gradients left behind:"])
            lead = [self.paint("backward", self.name(step.node)), self.signed(step.grad)]
            if step.note and self.short:
                continue
            for cells in self.pushes(step, lost, walk.bug == "overwrite"):
                rows.append([*lead, *cells])
                lead = ["", ""]
        assign = "=" if walk.bug == "overwrite" else "+="
        head = ["node", "grad", f"input {assign} grad × local", "local is", "so far"]
        if not any(row[4] for row in rows if not isinstance(row, int) and len(row) == 5):
            rows = [row if isinstance(row, int) else row[:4] for row in rows]
            del head[4]
        if sum(_widths(head, rows)) + len(GAP) * len(head) > self.width:
            rows, head = _narrowed(rows), head[:3]
        yield from self.table(head, rows)

    def pushes(
        self, step: BackwardStep, lost: set[tuple[int, int]], overwrite: bool
    ) -> Iterator[list[str]]:
        """Yield what a visit pushes: equation, local derivative, sum so far; and then why."""
        if step.note:
            yield [f"{step.note}: skipped"]
            return
        node = self.graph[step.node]
        made = {push.operand: push for push in step.pushes}
        for index, (to, local) in enumerate(zip(node.operands, node.local_grads, strict=True)):
            push = made.get(index)
            if push:
                equation = self.equation(push, "=" if overwrite else "+=")
                formula = _elided(printable(push.formula), MOST_FORMULA)
                yield [equation, formula, self.so_far(push, overwrite)]
            elif (node.id, to) in lost and local * step.grad:
                late = Push(to, index, step.grad, local, local * step.grad, 0.0, 0.0, "", "")
                yield [f"{self.equation(late, '+=')}  {self.paint('negative', '✗ lost')}"]
        if step.pushes and not self.short:
            # The whole sentence the first time, from then on what it begins with.
            reason = printable(step.pushes[0].reason)
            yield [reason.partition(":")[0] if reason in self.told else reason]
            self.told.add(reason)

    def equation(self, push: Push, assign: str) -> str:
        factors = [number(push.incoming), number(push.local)]
        sign = relation("*", factors, number(push.contribution))
        product = f"{' × '.join(factors)} {sign} {self.signed(push.contribution)}"
        return f"{self.name(push.to)} {assign} {product}"

    def so_far(self, push: Push, overwrite: bool) -> str:
        """Return how a contribution meets those before it: `a: 1 + 3 = 4`."""
        if push.before == 0.0:
            return ""
        name, before, after = self.name(push.to), number(push.before), self.signed(push.after)
        if overwrite:
            return f"{name}: {before} replaced by {after} {self.paint('negative', '✗')}"
        added = number(push.contribution)
        sign = relation("+", [before, added], number(push.after))
        return f"{name}: {before} + {added} {sign} {after}"

    def lost(self, losses: Sequence[Lost]) -> Iterator[str]:
        for entry in self.picked(losses):
            if isinstance(entry, int):
                yield self.cut(entry)
                continue
            lost = entry[1]
            path = " → ".join([self.name(node) for node in _trimmed(lost.path)])
            sentence = f"{number(lost.contribution)} by way of {path}: {printable(lost.why)}"
            yield from self.paragraph(sentence.split(), mark=self.paint("negative", "✗"))

    def gradients(self, walk: Walk, compare: bool) -> Iterator[str]:
        root = self.name(self.graph.root)
        yield from self.heading("Gradients", f"how fast {root} changes with each node")
        nodes = [node.id for node in self.graph.nodes if not node.is_const]
        wrong = set(walk.wrong)
        if self.is_cut:  # what went wrong first, then what a person varies
            nodes = [*walk.wrong] if wrong else [node.id for node in self.graph.leaves]
        rows: list[Row] = []
        for entry in self.picked(nodes):
            if isinstance(entry, int):
                rows.append(entry)
                continue
            node = entry[1]
            cells = [self.paint("backward", self.name(node)), self.signed(walk.grads[node])]
            if node in wrong:
                should = number(walk.expected[node])
                mark = self.paint("negative", "✗")
                cells[1] = f"got {number(walk.grads[node])}, should be {should}  {mark}"
            elif compare:
                cells[1] += "  " + self.paint("positive", "✓")
            rows.append(cells)
        yield from self.lines(rows, _widths(["", ""], rows))
        if compare:
            count = len([node for node in self.graph.nodes if not node.is_const])
            why = "this graph does not show the bug" if walk.bug else "this order loses nothing"
            yield ""
            said = f"{len(wrong)} of {count} wrong" if wrong else f"all {count} right: {why}"
            yield from _wrapped(said.split(), self.width, 3)

    # ── Paths ────────────────────────────────────────────────────────────────────────────────

    def paths(self, paths: Paths, words: Callable[..., str]) -> Iterator[str]:
        root, to = self.name(self.graph.root), self.name(paths.to)
        count = _count(paths.count)
        which = words("the one path") if paths.count == 1 else words("the sum over {} paths", count)
        yield from self.heading(named(f"∂{root}/∂{to}", paths.total), which)
        rows: list[Row] = [self.path(path) for path in paths.largest]
        if not paths.complete:
            rest = words("{} smaller paths", _count(paths.count - len(paths.largest)))
            rows.append([rest, "", self.signed(paths.rest)])
        if paths.count > 1:
            rows.append(["", words("sum"), self.signed(paths.total)])
        yield from self.table([words("path"), words("local derivatives"), words("product")], rows)

    def path(self, path: Path) -> list[str]:
        half = (self.width - 22) // 2
        names = " → ".join([self.name(node) for node in _trimmed(path.nodes)])
        locals_ = [number(local) if local is not None else "…" for local in _trimmed(path.locals)]
        factors = " × ".join(locals_) or "1"
        cells = [_wrapped(cell.split(), half, 1)[0] for cell in (names, factors)]
        return [*cells, self.signed(path.product)]

    # ── Gradient check ───────────────────────────────────────────────────────────────────────

    def check(self, check: GradCheck) -> Iterator[str]:
        about = f"central differences, step {number(check.step)}"
        yield from self.heading("Check", f"{about}, tolerance {number(check.tolerance)}")
        rows: list[Row] = []
        for leaf in check.leaves:
            rows.append(self.checked(leaf))
            if leaf.kink:
                slopes = f"{number(leaf.left)} on the left, {number(leaf.right)} on the right"
                rows.append(["", f"kink: the slope is {slopes}; any between will do"])
        yield from self.table(["input", "value", "gradient", "difference", "error", ""], rows)
        bad = [leaf for leaf in check.leaves if not leaf.ok]
        count = len(check.leaves)
        yield ""
        yield f"{len(bad)} of {count} wrong" if bad else f"all {count} agree"

    def checked(self, leaf: CheckedLeaf) -> list[str]:
        mark = self.paint("positive", "✓") if leaf.ok else self.paint("negative", "✗")
        numbers = [leaf.value, leaf.gradient, leaf.difference]
        error = f"{leaf.error:.1e}" if leaf.error else "0"
        name = _elided(printable(leaf.name), 12)
        return [name, *[self.signed(x) for x in numbers], error, mark]

    # ── What tables are made of ──────────────────────────────────────────────────────────────

    def name(self, node: int | None) -> str:
        return "…" if node is None else _elided(printable(self.graph.name(node)), MOST_NAME)

    def paint(self, kind: str, text: str) -> str:
        return f"\x1b[{PAINT[kind]}m{text}\x1b[0m" if self.color and text else text

    def signed(self, x: float) -> str:
        kind = "positive" if x > 0 else "negative" if x < 0 else "muted"
        return self.paint(kind, number(x))

    def picked(self, items: Sequence[T]) -> list[tuple[int, T] | int]:
        """Return the items with their numbers from 1; of a large graph, not those in the middle."""
        left_out = len(items) - HEAD - TAIL
        if not self.is_cut or left_out < 2:
            return list(enumerate(items, 1))
        tail = enumerate(items[-TAIL:], len(items) - TAIL + 1)
        return [*enumerate(items[:HEAD], 1), left_out, *tail]

    def heading(self, title: str, rest: str) -> Iterator[str]:
        first, *more = _wrapped([f"{title}:", *rest.split()], self.width, 9)
        yield first.replace(f"{title}:", self.paint("bold", title) + ":", 1)
        yield from more
        yield ""

    def paragraph(self, words: list[str], mark: str = "") -> Iterator[str]:
        lead = INDENT + (mark + " " if mark else "")
        for line in _wrapped(words, self.width - text_width(lead), 9):
            yield lead + line
            lead = " " * text_width(lead)

    def cut(self, count: int) -> str:
        long, short = [f"… {count:,} rows left out; {where}" for where in _ELSEWHERE]
        fits = len(INDENT) + text_width(long) <= self.width
        return INDENT + self.paint("muted", long if fits else short)

    def table(self, head: list[str], rows: list[Row]) -> Iterator[str]:
        widths = _widths(head, rows)
        yield from self.lines([[self.paint("muted", word) for word in head], *rows], widths)

    def lines(self, rows: list[Row], widths: list[int]) -> Iterator[str]:
        """Yield rows in columns; the last cell of a row may go on to the edge, and over lines."""
        for row in rows:
            if isinstance(row, int):
                yield self.cut(row)
                continue
            lead = INDENT
            for cell, wide in zip(row[:-1], widths, strict=False):
                lead += padded(cell, wide) + GAP
            if text_width(lead) >= self.width:  # too narrow for these columns: cell after cell
                cells = [cell for cell in row if cell.strip()]
                yield from [INDENT + line for line in _filled(cells, self.width - len(INDENT))]
                continue
            for line in _broken(row[-1], self.width - text_width(lead)):
                yield (lead + line).rstrip()
                lead = " " * text_width(lead)


# ── Measuring and fitting ────────────────────────────────────────────────────────────────────

_ESCAPE = re.compile(r"\x1b\[\d*m")


@lru_cache(4096)  # the same names come again in every row
def text_width(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for a wide character such as 漢."""
    plain = _ESCAPE.sub("", text)
    if plain.isascii():
        return len(plain)
    wide, nothing = ("W", "F"), ("Mn", "Cf")
    return sum([0 if category(c) in nothing else 1 + (east_asian_width(c) in wide) for c in plain])


def padded(text: str, width: int) -> str:
    return text + " " * (width - text_width(text))


def _elided(text: str, width: int) -> str:
    """Return an unpainted text with its middle left out where it is too wide."""
    if text_width(text) <= width:
        return text
    if width < 1:
        return ""
    head, tail = text[: (width - 1) // 2], text[-(width // 2) :]
    while text_width(head + tail) >= width:
        head, tail = (head[:-1], tail) if len(head) >= len(tail) else (head, tail[1:])
    return f"{head}…{tail}"


def _trimmed(items: Sequence[T]) -> list[T | None]:
    """Return the items, or of very many the first, None for what is left out, and the last."""
    return list(items) if len(items) <= 50 else [items[0], None, *items[-40:]]


def _wrapped(words: list[str], width: int, lines: int) -> list[str]:
    """Return words wrapped to at most so many lines, and cut off if they do not fit."""
    words = [_elided(word, width) for word in words]
    filled = _filled(words, width)
    kept = len(words) - 2
    while len(filled) > lines and kept > 0:
        filled = _filled([words[0], "…", *words[len(words) - kept :]], width)
        kept -= 1
    return filled


def _filled(words: list[str], width: int) -> list[str]:
    lines: list[str] = []
    room = -1
    for word in words:
        wide = text_width(word)
        if wide < room:
            lines[-1] += " " + word
            room -= wide + 1
        else:
            lines.append(word)
            room = width - wide
    return lines


def _broken(text: str, width: int) -> list[str]:
    """Return a cell as lines; only a cell that has to be broken loses its paint."""
    if text_width(text) <= width:
        return [text]
    return _wrapped(_ESCAPE.sub("", text).split(), width, 4)


def _widths(head: list[str], rows: list[Row]) -> list[int]:
    """Return the widths of the columns; a cell that ends a shorter row does not count."""
    widths = [text_width(word) for word in head]
    for row in rows:
        if not isinstance(row, int):
            for index, cell in enumerate(row if len(row) == len(head) else row[:-1]):
                widths[index] = max(widths[index], text_width(cell))
    return widths


def _narrowed(rows: list[Row]) -> list[Row]:
    """Return the rows of a backward table with the last columns on lines of their own.

    A local derivative that is only a number stands in the equation already.
    """
    narrow: list[Row] = []
    for row in rows:
        if isinstance(row, int) or len(row) < 4:
            narrow.append(row)
        else:
            narrow.append(row[:3])
            local = f"local {row[3]}" if re.search("[a-z]", row[3]) else ""
            rest = "   ".join([cell for cell in (local, *row[4:]) if cell])
            if rest:
                narrow.append(["", "", INDENT + rest])
    return narrow


def _count(n: int) -> str:
    """Return a count in digits; one that no one would read, by its size."""
    if n.bit_length() <= 80:
        return f"{n:,}"
    return f"about 10^{int(n.bit_length() * 0.30103)}"
