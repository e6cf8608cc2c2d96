"""Loops found again in a straight-line program: a recording writes them out.

`find_loops` returns the loops of a `Stage`, in order. `Loop` describes one as data: a body, and
where each operand of the body comes from; also a loop inside a body. `check_loop` compares a loop,
written out, with the program.

An iteration consists of `length` instructions that follow each other; constants and inputs do not
count, wherever they are. Iterations have equal operations, and each operand is one of four kinds:

    inside    a value of the same iteration
    carried   a value of an earlier iteration; before the first iterations, other values
    fixed     the same value in every iteration
    each      a value of its own for every iteration: inputs, constants, results of another loop
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gradwalk.errors import ProgramError
from gradwalk.program.ir import Stage

__all__ = ["Instruction", "Loop", "Operand", "check_loop", "find_loops"]

FEWEST = 3  # iterations of a loop
SMALLEST = 16  # instructions of all its iterations
_FAR = 64  # the search treats longer distances as equal
_INPUTS, _CONSTS = 1 << 40, 1 << 41  # where the slots and the constants lie, among places

Name = Any  # of a value outside of a loop: an instruction; in a body, an operand
_Code = tuple[str, float, Sequence[Name]]  # an operation, its number, what it reads


class Operand(NamedTuple):
    """Where an operand of the body comes from.

    inside: value `at` of the body. carried: value `at` of `back` iterations ago, and in the first
    `back` iterations the values `ids`. fixed: the value `ids[0]`. each: the values `ids`, one per
    iteration. In an inner loop, `ids` are operands of the body around it.
    """

    kind: str
    at: int = -1
    back: int = 0
    ids: tuple[Name, ...] = ()


class Instruction(NamedTuple):
    """One instruction of the body; `number` as in a `Stage`."""

    operation: str
    number: float
    operands: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """`count` iterations of `body`. Iteration k writes the values ids[k · length:][:length].

    The body is written out; `inner` are the loops that it has inside, whose ids are operands.
    """

    body: tuple[Instruction, ...]
    count: int
    ids: Sequence[Name]
    inner: tuple[Loop, ...] = ()

    @property
    def start(self) -> int:
        """The first instruction of the first iteration."""
        return _number(self.ids[0])

    @property
    def end(self) -> int:
        """The instruction after the last iteration."""
        return _number(self.ids[-1]) + 1

    @property
    def length(self) -> int:
        return len(self.body)

    def distinct(self, kind: str) -> list[Operand]:
        """Return the operands of a kind, each once."""
        every = [operand for instruction in self.body for operand in instruction.operands]
        return list(dict.fromkeys([operand for operand in every if operand.kind == kind]))

    def read_after(self, stage: Stage) -> dict[int, list[int]]:
        """Return the body's values that are read outside the loop, each with its iterations."""
        place = {i: k for k, i in enumerate(self.ids)}
        wanted = set(stage.results)
        for i in range(len(stage)):
            if i not in place:
                wanted.update(stage.operands(i))
        found: dict[int, list[int]] = {}
        for k in sorted([place[i] for i in wanted if i in place]):
            found.setdefault(k % self.length, []).append(k // self.length)
        return found

    def operands(self, iteration: int, position: int) -> list[Name]:
        """Return what an instruction reads in an iteration: the loop written out again."""
        found: list[Name] = []
        for kind, at, back, ids in self.body[position].operands:
            if kind == "inside":
                found.append(self.ids[iteration * self.length + at])
            elif kind == "fixed":
                found.append(ids[0])
            elif kind == "each" or iteration < back:
                found.append(ids[iteration])
            else:
                found.append(self.ids[(iteration - back) * self.length + at])
        return found

    def lines(self, stage: Stage) -> list[tuple[str, int]]:
        """Return the body as text: the lines, each with its instruction in the first iteration.

        `.3` is value 3 of the iteration, `.3←%1` that of the iteration before (and %1 at first),
        `%1…%9` a value of its own for every iteration. In an inner loop, `..3` is value 3 of its
        iteration; the line in front of it has no instruction, but -1.
        """
        return [*_lines(stage, self.ids, self, 1)]


def _number(name: Name) -> int:
    return name.at if isinstance(name, Operand) else name


def _lines(stage: Stage, ids: Sequence[int], loop: Loop, depth: int) -> Iterator[tuple[str, int]]:
    """Yield the lines of a loop whose first instructions are `ids`, `depth` loops deep."""
    dots, width, at = "." * depth, len(str(loop.length - 1)), 0
    for inner in (*loop.inner, None):
        for k in range(at, inner.start if inner else loop.length):
            operands = [_text(operand, depth) for operand in loop.body[k].operands]
            words = stage.instruction(ids[k], operands=operands)
            yield f"{'  ' * depth}{dots}{k:<{width}} = {words}", ids[k]
        if inner:
            span = f"{dots}{inner.start} … {dots}{inner.end - 1}"
            yield f"{'  ' * depth}{inner.count:,} times, {span}:", -1
            yield from _lines(stage, ids[inner.start :], inner, depth + 1)
            at = inner.end


def _text(name: Name, depth: int) -> str:
    if not isinstance(name, Operand):
        return f"%{name}"
    kind, at, back, ids = name
    others = [_text(other, depth - 1) for other in ids]
    if kind == "inside":
        return f"{'.' * depth}{at}"
    if kind == "carried":
        far = f"({back} back)" if back > 1 else ""
        return f"{'.' * depth}{at}{far}←{','.join(others)}"
    if kind == "each":
        return f"{others[0].partition('…')[0]}…{others[-1].rpartition('…')[2]}"
    return others[0]


def check_loop(loop: Loop, stage: Stage) -> None:
    """Raise ProgramError unless the loop, written out, is what the program has there."""
    if list(loop.ids) != sorted(set(loop.ids)) or not _between_are_leaves(loop, stage):
        raise ProgramError("the values of a loop are not those of its iterations, in order")

    def code(i: int) -> _Code:
        return stage.operations[i], stage.numbers[i], stage.operands(i)

    _check(loop, code, "the program")


def _check(loop: Loop, code: Callable[[Name], _Code], around: str) -> None:
    """Raise ProgramError unless the loop, written out, is `code`, and so are those inside it."""
    if len(loop.ids) != loop.length * loop.count:
        raise ProgramError("the values of a loop are not those of its iterations")
    for k, name in enumerate(loop.ids):
        iteration, at = divmod(k, loop.length)
        operation, number, operands = code(name)
        body = loop.body[at]
        mine = operation == body.operation and number == body.number
        if not mine or list(operands) != loop.operands(iteration, at):
            place = _number(name)
            raise ProgramError(f"{around} is not its loop: instruction {place}, {body.operation}")

    def inside(name: Operand) -> _Code:
        return loop.body[name.at]

    for one in loop.inner:
        _check(one, inside, "the body of a loop")


def _between_are_leaves(loop: Loop, stage: Stage) -> bool:
    inside = set(loop.ids)
    return all(
        i in inside or stage.operations[i] in ("const", "input")
        for i in range(loop.start, loop.end)
    )


def find_loops(stage: Stage) -> list[Loop]:
    """Return the loops of a program, in time linear in its operands for each depth of nesting.

    Of nested loops the outer one is returned; `Loop.inner` has those inside.
    """
    search = _Search(stage)
    found = [search.loop(span, search.instruction, search.ids.__getitem__)
             for span in _spans(search, 0, search.count)]  # fmt: skip
    for loop in found:
        check_loop(loop, stage)
    return found


def _spans(search: _Search, begin: int, end: int) -> list[_Span]:
    """Return where the loops between two places are, none inside another."""
    search.begin, search.end = begin, end
    spans = _repeated(search)
    while (wider := _outer(search, spans)) != spans:
        spans = wider
    return spans


class _Span(NamedTuple):
    """Where a loop is: the place of its first instruction, the length of its body, its rounds."""

    start: int
    length: int
    rounds: int

    @property
    def end(self) -> int:
        return self.start + self.length * self.rounds


def _repeated(search: _Search) -> list[_Span]:
    """Return the innermost loops.

    A window of three instructions that appears three times at one distance suggests a loop of that
    length.
    """
    found: list[_Span] = []
    last: dict[tuple[object, object, object], tuple[int, int]] = {}  # place, distance before
    begin, tried, tried_until = search.begin, 0, 0
    i = begin + 2
    while i < search.end:
        window = (search.shape(i - 2), search.shape(i - 1), search.shape(i))
        before, apart = last.get(window, (i, 0))
        length = i - before
        last[window] = (i, length)
        if length > 0 and length == apart and not (length == tried and i < tried_until):
            span, tried_until = search.span(i, length, begin)
            tried = length
            if span is not None:
                found.append(span)
                begin = span.end
                i = max(i, begin + 1)
        i += 1
    return found


_APART = 16  # loops from one iteration of an outer loop to the next but one, at most


def _outer(search: _Search, spans: list[_Span]) -> list[_Span]:
    """Return the loops, each outer loop in place of the inner ones that it runs through."""
    found: list[_Span] = []
    fixed = search.begin  # where the last outer loop ends
    tried, tried_until = 0, 0
    for k, one in enumerate(spans):
        if found and one.start < found[-1].end:
            continue
        same = [other.start for other in spans[k : k + _APART] if other[1:] == one[1:]][:3]
        equal = len(same) == 3 and same[2] - same[1] == same[1] - same[0]
        length = same[1] - same[0] if equal else 0
        span = None
        if length > 0 and not (length == tried and same[2] < tried_until):
            span, tried_until = search.span(same[2], length, fixed)
            tried = length
        if span is None or span.start > one.start:
            found.append(one)
            continue
        while found and found[-1].start >= span.start:
            found.pop()  # an inner loop of the first iteration
        if found and found[-1].end > span.start:  # a loop before it that ends alike
            span = search.span(same[2], length, found[-1].end)[0] or one
        found.append(span)
        fixed = span.end
    return found


class _Search:
    """A program without its constants and inputs, by the place of each other instruction."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.ids = [i for i, name in enumerate(stage.operations) if name not in ("const", "input")]
        self.count = len(self.ids)
        self.begin, self.end = 0, self.count  # loops are looked for between these places
        self.where = [_CONSTS] * len(stage)  # by value: its place or its slot; constants share one
        for place, i in enumerate(self.ids):
            self.where[i] = place
        for i, name in enumerate(stage.operations):
            if name == "input":
                self.where[i] = _INPUTS + int(stage.numbers[i])
        self.reads = [[self.where[x] for x in stage.operands(i)] for i in self.ids]
        self.keys = [
            (stage.operations[i], stage.numbers[i], len(reads))
            for i, reads in zip(self.ids, self.reads, strict=True)
        ]
        self.forward = bisect_left(self.ids, stage.forward)  # the gradient begins here
        self._shapes: list[object] = [None] * self.count

    def shape(self, i: int) -> object:
        """Return what instructions of different iterations have in common, most of the time."""
        if self._shapes[i] is None:
            reads = [
                min(i - x, _FAR) if x < _INPUTS else x & (_INPUTS | _CONSTS) for x in self.reads[i]
            ]
            self._shapes[i] = hash((self.keys[i], tuple(reads)))
        return self._shapes[i]

    def keeps_stride(self, i: int, length: int) -> bool:
        """Say whether operands moved since the last iteration as they did in that one."""
        keys = self.keys
        if keys[i] != keys[i - length] or keys[i] != keys[i - 2 * length]:
            return False
        reads = zip(self.reads[i], self.reads[i - length], self.reads[i - 2 * length], strict=True)
        return all(
            x - y == y - z and (y < _INPUTS) == (z < _INPUTS) and (x < _INPUTS) == (y < _INPUTS)
            for x, y, z in reads
        )

    def span(self, i: int, length: int, begin: int) -> tuple[_Span | None, int]:
        """Return the loop of that length around place i, or None, and where it breaks off."""
        low, high = self.stretch(i, length, begin)
        if high <= low:
            return None, high
        start = self.earliest(low - 2 * length, length, begin)
        count = (self.closed(start, length, high) - start) // length
        whole = count >= FEWEST and count * length >= SMALLEST
        return (_Span(start, length, count) if whole else None), high

    def stretch(self, i: int, length: int, begin: int) -> tuple[int, int]:
        """Return from where to where instructions keep their strides around i.

        A loop is either of the value or of the gradient.
        """
        begin, end = (
            (begin, min(self.forward, self.end))
            if i < self.forward
            else (max(begin, self.forward), self.end)
        )
        low = high = i
        while low - 1 - 2 * length >= begin and self.keeps_stride(low - 1, length):
            low -= 1
        if low - 2 * length < begin:
            return i, i
        while high < end and self.keeps_stride(high, length):
            high += 1
        return low, high

    def earliest(self, start: int, length: int, begin: int) -> int:
        """Return where the first iteration begins: there, carried operands come from elsewhere."""
        begin = max(begin, self.forward) if start >= self.forward else begin
        while start - 1 >= begin:
            i = start - 1
            if not self.keys[i] == self.keys[i + length] == self.keys[i + 2 * length]:
                return start
            for x, y, z in zip(
                self.reads[i], self.reads[i + length], self.reads[i + 2 * length], strict=True
            ):
                carried = z - y == length and z < _INPUTS
                if y - x != z - y or (x < _INPUTS) != (y < _INPUTS):
                    if not carried:
                        return start
                    begin = max(begin, y - length + 1)  # what should be there must stay outside
            if i < begin:
                return start
            start = i
        return start

    def closed(self, start: int, length: int, high: int) -> int:
        """Return the first place before `high` that reads the loop itself with another stride.

        If the stretch of equal strides is shorter than the body, even operations may differ.
        """
        for i in range(start, high):
            near = i + length if i + length < high else i - length
            if self.keys[i] != self.keys[near]:
                return i
            for x, y in zip(self.reads[i], self.reads[near], strict=True):
                if start <= x < _INPUTS and x - y != i - near:
                    return i
        return high

    def instruction(self, place: int) -> _Code:
        return (*self.keys[place][:2], self.stage.operands(self.ids[place]))

    def loop(
        self,
        span: _Span,
        code: Callable[[int], _Code],
        name: Callable[[int], Name],
    ) -> Loop:
        """Return the loop of a span; `code` and `name` tell what is at a place."""
        start, length, count = span
        ids = [name(place) for place in range(start, span.end)]
        place_of = {each: k for k, each in enumerate(ids)}
        body: list[Instruction] = []
        for at in range(start, start + length):
            rounds = [code(place)[2] for place in range(at, span.end, length)]
            operands = [_operand(names, place_of, length) for names in zip(*rounds, strict=True)]
            body.append(Instruction(*code(at)[:2], tuple(operands)))
        inner = [
            self.loop(
                one,
                lambda place: body[place - start],
                lambda place: Operand("inside", place - start),
            )
            for one in _spans(self, start, start + length)
        ]
        return Loop(tuple(body), count, ids, tuple(inner))


def _operand(names: tuple[Name, ...], place_of: dict[Name, int], length: int) -> Operand:
    """Return an operand from what it is called in each iteration; `place_of` has the loop's own."""
    last = place_of.get(names[-1])
    if last is not None:
        place = last - (len(names) - 1) * length  # negative: of an earlier iteration
        back = -(place // length) if place < 0 else 0
        moves = (place_of.get(name) == place + k * length for k, name in enumerate(names))
        if back < len(names) and all(it for k, it in enumerate(moves) if k >= back):
            kind = "carried" if back else "inside"
            return Operand(kind, place % length, back, names[:back])
    return Operand("fixed", ids=names[:1]) if len(set(names)) == 1 else Operand("each", ids=names)
