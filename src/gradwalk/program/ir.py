"""The recorded program as plain data: straight-line, each instruction writes one value.

    codes    one byte an instruction, an index into CODES
    starts   the operands of instruction i are args[starts[i]:starts[i + 1]]
    args     ids of earlier instructions; the id of a value is the position of its instruction
    numbers  the number of a const, the slot of an input; 0 else
    outputs  the ids of the results

All inputs are one vector of doubles, the slots. Comparisons give 1.0 or 0.0 and have derivative 0.
`take` has the operands (index, t0, t1, …), `dot` a0, b0, a1, b1, …, `sum` any.

`check` is what stands between a program from outside and a back end; `text` is for people.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import accumulate

from gradwalk import ops
from gradwalk.errors import ProgramError

__all__ = ["ARITY", "CODE", "CODES", "COMPARISONS", "MANY", "Place", "Program", "check", "text"]

COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
CODES: tuple[str, ...] = (
    "const",
    "input",
    *[op.name for op in ops.TABLE],
    *COMPARISONS,
    "take",
    "sum",
    "dot",
)
CODE: dict[str, int] = {name: code for code, name in enumerate(CODES)}
MANY = frozenset({CODE["take"], CODE["sum"], CODE["dot"]})  # any number of operands
ARITY: list[int] = [
    0 if name in ("const", "input") else 2 if name in COMPARISONS
    else ops.BY_NAME[name].arity if name in ops.BY_NAME else -1
    for name in CODES
]  # fmt: skip

CONST, INPUT, TAKE, DOT = CODE["const"], CODE["input"], CODE["take"], CODE["dot"]

Place = tuple[str, int]  # file and line


class Program:
    """One recorded program. `places` has, for each instruction, the line that recorded it."""

    __slots__ = (
        "_find_places",
        "_places",
        "args",
        "codes",
        "numbers",
        "outputs",
        "slots",
        "starts",
    )

    def __init__(
        self,
        codes: bytes,
        starts: array[int],
        args: array[int],
        numbers: array[float],
        outputs: array[int],
        slots: int,
        find_places: Callable[[], Sequence[Place | None]] | None = None,
    ) -> None:
        self.codes = codes
        self.starts = starts
        self.args = args
        self.numbers = numbers
        self.outputs = outputs
        self.slots = slots
        self._find_places = find_places
        self._places: Sequence[Place | None] | None = None

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def places(self) -> Sequence[Place | None]:
        """The (file, line) behind each instruction; looked up when first asked for."""
        if self._places is None:
            self._places = self._find_places() if self._find_places else [None] * len(self)
        return self._places

    def operands(self, i: int) -> array[int]:
        return self.args[self.starts[i] : self.starts[i + 1]]

    def with_slots(self, slot_of: Sequence[int], slots: int) -> Program:
        """Return the program with its inputs at other slots."""
        numbers = array("d", self.numbers)
        code = self.codes.find(INPUT)
        while code >= 0:
            numbers[code] = slot_of[int(numbers[code])]
            code = self.codes.find(INPUT, code + 1)
        return Program(
            self.codes, self.starts, self.args, numbers, self.outputs, slots, lambda: self.places
        )


def starts_of(codes: bytes | bytearray, counts: dict[int, int]) -> array[int]:
    """Return `starts`, from the operations' arities and the counts of those that have none."""
    sizes = array("i", map(ARITY.__getitem__, codes))
    for i, count in counts.items():
        sizes[i] = count
    return array("i", accumulate(sizes, initial=0))


def check(program: Program) -> None:
    """Raise ProgramError where `program` is not one: every number is looked at."""
    codes, starts, args = program.codes, program.starts, program.args
    count = len(codes)
    if not isinstance(program.slots, int) or program.slots < 0:
        raise ProgramError(f"slots is a count, not {program.slots!r}")
    if len(starts) != count + 1 or len(program.numbers) != count:
        raise ProgramError(
            f"{count} instructions need {count + 1} starts and {count} numbers, "
            f"not {len(starts)} and {len(program.numbers)}"
        )
    if starts[0] != 0 or starts[count] != len(args):
        raise ProgramError(f"starts run from {starts[0]} to {starts[count]}, not 0 to {len(args)}")
    for i, code in enumerate(codes):
        if code >= len(CODES):
            raise ProgramError(f"instruction {i}: there is no operation {code}")
        begin, end = starts[i], starts[i + 1]
        have, want = end - begin, ARITY[code]
        if have < 0 or begin > len(args) or end > len(args):
            raise ProgramError(f"instruction {i}: its operands run from {begin} to {end}")
        if have != want and (
            want >= 0 or (code == TAKE and have < 2) or (code == DOT and have % 2)
        ):
            raise ProgramError(f"instruction {i}: {CODES[code]} has {have} operands")
        for operand in args[begin:end]:
            if not 0 <= operand < i:
                raise ProgramError(f"instruction {i}: operand {operand} is not an earlier one")
        if code == INPUT:
            slot = program.numbers[i]
            if not 0 <= slot < program.slots or slot != int(slot):
                raise ProgramError(f"instruction {i}: there is no slot {slot}")
    if not program.outputs:
        raise ProgramError("a program has at least one output")
    for output in program.outputs:
        if not 0 <= output < count:
            raise ProgramError(f"output {output} is not one of {count} instructions")


def text(program: Program, names: Sequence[str] = (), most: int | None = None) -> str:
    """Return the program as lines: id, operation, operands, and where it was recorded.

    `names` are the names of the slots. With `most`, the middle of a longer program is left out.
    """
    count = len(program)
    width = len(str(max(0, count - 1)))
    rows: list[tuple[str, Place | None]] = []
    shown: Sequence[int] = range(count)
    if most is not None and count > most:
        shown = [*range(most // 2), *range(count - most // 2, count)]
    places = program.places
    for i in shown:
        name = CODES[program.codes[i]]
        if name == "const":
            rest = repr(program.numbers[i])
        elif name == "input":
            slot = int(program.numbers[i])
            rest = names[slot] if slot < len(names) else f"slot {slot}"
        else:
            rest = " ".join([f"%{operand}" for operand in program.operands(i)])
        rows.append((f"%{i:<{width}} = {name} {rest}", places[i]))
    wide = min(48, max([len(row) for row, _ in rows], default=0))
    lines = [f"{row:<{wide}}  # {_short(place)}" if place else row for row, place in rows]
    if len(shown) < count:
        lines.insert(most // 2 if most else 0, f"… {count - len(shown):,} more …")
    outputs = " ".join([f"%{output}" for output in program.outputs])
    return "\n".join([*lines, f"return {outputs}"])


def _short(place: Place) -> str:
    return f"{place[0].replace(chr(92), '/').rpartition('/')[2]}:{place[1]}"
