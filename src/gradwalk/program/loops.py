"""Loops found again in a straight-line program: a recording writes them out.

`find_loops` returns the loops of a `Stage`, in order. `Loop` describes one as data: a body, and
where each operand of the body comes from. `Inner` describes a loop inside a body. `check_loop`
compares a loop, written out, with the program.

An iteration consists of `length` instructions that follow each other; constants and inputs do not
count, wherever they are. Iterations have equal operations, and each operand is one of four kinds:

    inside    a value of the same iteration
    carried   a value of an earlier iteration; before the first iterations, other values
    fixed     the same value in every iteration
    each      a value of its own for every iteration: inputs, constants, results of another loop
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gradwalk.errors import ProgramError
from gradwalk.program.ir import Stage

__all__ = ["Inner", "Instruction", "Loop", "Operand", "check_loop", "find_loops"]

FEWEST = 3  # iterations of a loop
SMALLEST = 16  # instructions of all its iterations
_FAR = 64  # the search treats longer distances as equal
_INPUTS, _CONSTS = 1 << 40, 1 << 41  # where the slots and the constants lie, among places


class Operand(NamedTuple):
    """Where an operand of the body comes from.

    inside: value `at` of the body. carried: value `at` of `back` iterations ago, and in the first
    `back` iterations the values `ids`. fixed: the value `ids[0]`. each: the values `ids`, one per
    iteration. In an inner loop, `around` are operands of the body around it, in place of `ids`.
    """

    kind: str
    at: int = -1
    back: int = 0
    ids: Sequence[int] = ()
    around: Sequence[Operand] = ()


class Instruction(NamedTuple):
    """One instruction of the body; `number` as in a `Stage`."""

    operation: str
    number: float
    operands: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Inner:
    """A loop inside a body, from its instruction `at` on: `count` iterations of `body`."""

    at: int
    count: int
    body: tuple[Instruction, ...]
    inner: tuple[Inner, ...] = ()

    @property
    def end(self) -> int:
        """The instruction of the body around it that comes after the last iteration."""
        return self.at + self.count * len(self.body)

    def written_out(self, operand: Operand, iteration: int) -> Operand:
        """Return the operand of the body around that one of this body is, in an iteration."""
        if operand.kind == "fixed":
            return operand.around[0]
        if operand.kind == "each" or iteration < operand.back:
            return operand.around[iteration]
        begin = self.at + (iteration - operand.back) * len(self.body)
        return Operand("inside", begin + operand.at)


@dataclass(frozen=True, slots=True)
class Loop:
    """`count` iterations of `body`. Iteration k writes the values ids[k · length:][:length].

    The body is written out; `inner` are the loops that it has inside.
    """

    body: tuple[Instruction, ...]
    count: int
    ids: Sequence[int]
    inner: tuple[Inner, ...] = ()

    @property
    def start(self) -> int:
        """The first instruction of the first iteration."""
        return self.ids[0]

    @property
    def end(self) -> int:
        """The instruction after the last iteration."""
        return self.ids[-1] + 1

    @property
    def length(self) -> int:
        return len(self.body)

    @property
    def carried(self) -> dict[tuple[int, int], Sequence[int]]:
        """What iterations hand on: (value of the body, iterations back) to the first values.

        A value that is read with several first values is there once, with those of its first
        reader; `body` has them all.
        """
        found: dict[tuple[int, int], Sequence[int]] = {}
        for operand in self._operands("carried"):
            found.setdefault((operand.at, operand.back), operand.ids)
        return found

    @property
    def each(self) -> list[Sequence[int]]:
        """The operands that change from iteration to iteration, each as one value per iteration."""
        return [list(ids) for ids in dict.fromkeys([tuple(o.ids) for o in self._operands("each")])]

    @property
    def fixed(self) -> list[int]:
        """The values from outside that every iteration reads."""
        return sorted({operand.ids[0] for operand in self._operands("fixed")})

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

    def operands(self, iteration: int, position: int) -> list[int]:
        """Return the ids that an instruction reads in an iteration: the loop written out again."""
        found: list[int] = []
        for kind, at, back, ids, _ in self.body[position].operands:
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
        return [*_lines(stage, self.ids, self.body, self.inner, 1)]

    def _operands(self, kind: str) -> Iterator[Operand]:
        return (o for instruction in self.body for o in instruction.operands if o.kind == kind)


def _lines(
    stage: Stage,
    ids: Sequence[int],
    body: tuple[Instruction, ...],
    inner: tuple[Inner, ...],
    depth: int,
) -> Iterator[tuple[str, int]]:
    """Yield the lines of a body whose instructions are `ids`, `depth` loops deep."""
    dots, width, at = "." * depth, len(str(len(body) - 1)), 0
    for loop in (*inner, None):
        for k in range(at, loop.at if loop else len(body)):
            operands = [_text(operand, depth) for operand in body[k].operands]
            words = stage.instruction(ids[k], operands=operands)
            yield f"{'  ' * depth}{dots}{k:<{width}} = {words}", ids[k]
        if loop:
            span = f"{dots}{loop.at} … {dots}{loop.end - 1}"
            yield f"{'  ' * depth}{loop.count:,} times, {span}:", -1
            yield from _lines(stage, ids[loop.at :], loop.body, loop.inner, depth + 1)
            at = loop.end


def _text(operand: Operand, depth: int) -> str:
    kind, at, back, ids, around = operand
    others = [_text(other, depth - 1) for other in around] or [f"%{i}" for i in ids]
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
    if len(loop.ids) != loop.length * loop.count or list(loop.ids) != sorted(set(loop.ids)):
        raise ProgramError("the values of a loop are not those of its iterations, in order")
    if not _between_are_leaves(loop, stage):
        raise ProgramError("there are other instructions between those of a loop")
    for k, i in enumerate(loop.ids):
        operation, number, _ = loop.body[k % loop.length]
        if stage.operations[i] != operation or stage.numbers[i] != number:
            raise ProgramError(f"instruction {i} is not the loop's {operation}")
        if list(stage.operands(i)) != loop.operands(k // loop.length, k % loop.length):
            raise ProgramError(f"instruction {i} has operands that are not those of the loop")
    _check_inner(loop.inner, loop.body)


def _check_inner(inner: tuple[Inner, ...], body: tuple[Instruction, ...]) -> None:
    """Raise ProgramError unless inner loops, written out, are what the body has there."""
    for loop in inner:
        written = [
            Instruction(
                one.operation, one.number, tuple([loop.written_out(o, r) for o in one.operands])
            )
            for r in range(loop.count)
            for one in loop.body
        ]
        if tuple(written) != body[loop.at : loop.end]:
            raise ProgramError(f"the body of a loop is not its inner loop, from {loop.at} on")
        _check_inner(loop.inner, loop.body)


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
    found = [search.loop(*span) for span in _spans(search, 0, search.count)]
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

    def loop(self, start: int, length: int, count: int) -> Loop:
        ids = self.ids[start : start + length * count]
        body: list[Instruction] = []
        for at in range(length):
            operation, number, arity = self.keys[start + at]
            operands = [self._operand(start, length, count, at, k) for k in range(arity)]
            body.append(Instruction(operation, number, tuple(operands)))
        return Loop(tuple(body), count, ids, self._inner(tuple(body), start))

    def _inner(self, body: tuple[Instruction, ...], start: int) -> tuple[Inner, ...]:
        """Return the loops in a body that begins at place `start`."""
        found: list[Inner] = []
        for begin, length, count in _spans(self, start, start + len(body)):
            at = begin - start
            inside: list[Instruction] = []
            for k in range(at, at + length):
                rounds = body[k : k + count * length : length]
                operands = zip(*[one.operands for one in rounds], strict=True)
                moved = [_moved(list(same), at, length) for same in operands]
                inside.append(Instruction(body[k].operation, body[k].number, tuple(moved)))
            found.append(Inner(at, count, tuple(inside), self._inner(tuple(inside), begin)))
        return tuple(found)

    def _operand(self, start: int, length: int, count: int, at: int, k: int) -> Operand:
        last = start + (count - 1) * length + at
        read, before = self.reads[last][k], self.reads[last - length][k]
        if start <= read < _INPUTS and read - before == length:
            place = read - (count - 1) * length - start  # negative: of an earlier iteration
            back = -(place // length) if place < 0 else 0
            if back == 0:
                return Operand("inside", place)
            return Operand("carried", place % length, back, self._ids(start, length, at, k, back))
        ids = self._ids(start, length, at, k, count)
        return Operand("fixed", ids=ids[:1]) if len(set(ids)) == 1 else Operand("each", ids=ids)

    def _ids(self, start: int, length: int, at: int, k: int, count: int) -> list[int]:
        places = range(start + at, start + at + count * length, length)
        return [self.stage.operands(self.ids[place])[k] for place in places]


def _moved(operands: list[Operand], at: int, length: int) -> Operand:
    """Return an operand of an inner loop, from those that its iterations have, written out."""
    place = operands[-1].at - at - (len(operands) - 1) * length  # negative: of an earlier iteration
    back = -(place // length) if place < 0 else 0
    inside = [Operand("inside", at + place + r * length) for r in range(back, len(operands))]
    if inside and operands[back:] == inside:
        if back == 0:
            return Operand("inside", place)
        return Operand("carried", place % length, back, around=operands[:back])
    if all(operand == operands[0] for operand in operands):
        return Operand("fixed", around=operands[:1])
    return Operand("each", around=operands)
