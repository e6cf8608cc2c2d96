"""The recorded program as plain data: straight-line, each instruction writes one value.

    codes    one byte an instruction, an index into CODES
    starts   the operands of instruction i are args[starts[i]:starts[i + 1]]
    args     ids of earlier instructions; the id of a value is the position of its instruction
    numbers  the number of a const, the slot of an input; 0 else
    outputs  the ids of the results
    guards   conditions that are 0 wherever the results count; `verdict` is the id that says which
             guard was the first to fail, counted from 1, or 0

All inputs are one vector of doubles, the slots. Comparisons give 1.0 or 0.0 and have derivative 0.
`take` has the operands (index, t0, t1, …), `dot` a0, b0, a1, b1, …, `sum` any.

`check` is what stands between a program from outside and a back end. `Stage` is a program as
recorded or after a pass, for people: `inspection` prints one.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from gradwalk import ops
from gradwalk.errors import ProgramError

__all__ = [
    "ARITY",
    "CODE",
    "CODES",
    "COMPARISONS",
    "MANY",
    "Decision",
    "Guard",
    "Place",
    "Program",
    "Stage",
    "check",
]

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
# A side that these did not take, and what they are flat in, gets nothing, not even 0 times an inf.
SELECTING = bytes(
    CODE[name] for name in (*[op.name for op in ops.TABLE if op.selects], "take", *COMPARISONS)
)
MANY = frozenset({CODE["take"], CODE["sum"], CODE["dot"]})  # any number of operands
ARITY: list[int] = [
    0 if name in ("const", "input") else 2 if name in COMPARISONS
    else ops.BY_NAME[name].arity if name in ops.BY_NAME else -1
    for name in CODES
]  # fmt: skip

CONST, INPUT, TAKE, DOT = CODE["const"], CODE["input"], CODE["take"], CODE["dot"]

Place = tuple[str, int]  # file and line


class Guard(NamedTuple):
    """A condition under which the results do not count, and what a run does then.

    A guard never changes what is computed: it is one more result.
    """

    condition: int  # the instruction that must be 0
    act: str  # RAISE, PATH: Python goes another way, or a bound too small: ROUNDS, LEVELS of calls
    place: Place
    kind: Any = None  # the class of the exception
    said: str = ""
    about: int = -1  # the instruction whose number is said in place of {}


RAISE, ROUNDS, LEVELS, PATH = "raise", "rounds", "levels", "path"


class Decision(NamedTuple):
    """A recorded condition of a branch, and the side of which other decision it stands on."""

    parent: int  # -1: on none
    side: bool
    condition: int
    place: Place | None  # None: not of the source, such as what follows a `return`


class Program:
    """One recorded program. `places` has, for each instruction, the line that recorded it.

    A long program with loops may be kept `rolled`, by C: then its arrays are written out when first
    asked for.
    """

    __slots__ = (
        "_count",
        "_find_places",
        "_places",
        "args",
        "codes",
        "decisions",
        "exits",
        "guards",
        "numbers",
        "outputs",
        "raising",
        "rolled",
        "slots",
        "starts",
        "verdict",
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
        guards: Sequence[Guard] = (),
        verdict: int = -1,
        exits: Sequence[Sequence[int]] = (),
        decisions: Sequence[Decision] = (),
        raising: Sequence[Sequence[int]] = (),
    ) -> None:
        self.codes = codes
        self.starts = starts
        self.args = args
        self.numbers = numbers
        self.outputs = outputs
        self.slots = slots
        self.guards = tuple(guards)
        self.verdict = verdict  # -1 without guards
        # Conditions on which loops and functions go on, in their order, and which sides count.
        self.exits = tuple([tuple(each) for each in exits])
        self.decisions = tuple(decisions)
        # Instructions that may raise in Python, each with the condition on which they may.
        self.raising = tuple([(i, condition) for i, condition in raising])
        self.rolled: Any = None
        self._count = len(codes)
        self._find_places = find_places
        self._places: Sequence[Place | None] | None = None

    def __len__(self) -> int:
        return self._count

    def keep_rolled(self, rolled: Any) -> None:
        """Let go of the arrays: `rolled` has the same program."""
        self.rolled = rolled
        del self.codes, self.starts, self.args, self.numbers

    def uses(self, codes: frozenset[int]) -> bool:
        """Say whether an instruction has one of these codes; a rolled program stays rolled up."""
        return not codes.isdisjoint(self.codes if self.rolled is None else self.rolled.codes)

    def __getattr__(self, name: str) -> Any:
        if name not in ("codes", "starts", "args", "numbers"):
            raise AttributeError(f"a program has no {name}")
        codes, starts, args, numbers = self.rolled.written()
        self.codes, self.numbers = codes, array("d", numbers)
        self.starts, self.args = array("i", starts), array("i", args)
        return getattr(self, name)

    def __repr__(self) -> str:
        return (
            f"<program of {len(self):,} instructions, {self.slots:,} inputs, "
            f"{len(self.outputs):,} outputs>"
        )

    @property
    def places(self) -> Sequence[Place | None]:
        """The (file, line) behind each instruction; looked up when first asked for."""
        if self._places is None:
            self._places = self._find_places() if self._find_places else [None] * len(self)
        return self._places

    def operands(self, i: int) -> array[int]:
        return self.args[self.starts[i] : self.starts[i + 1]]

    def ends(self, outputs: array[int] | None = None) -> array[int]:
        """Return what a run computes: the outputs, or some of them, and behind them the verdict."""
        found = self.outputs if outputs is None else outputs
        return found + array("i", [self.verdict]) if self.guards else found

    def masked(self) -> Program:
        """Return the program with nan for its results where a guard fails, for back ends that
        cannot raise.
        """
        if not self.guards:
            return self
        codes, numbers = bytearray(self.codes), self.numbers[:]
        starts, args, outputs = self.starts[:], self.args[:], array("i")
        for code, number, operands in [
            (CONST, float("nan"), ()),
            *[(CODE["where"], 0.0, (self.verdict, len(self), out)) for out in self.outputs],
        ]:
            codes.append(code)
            numbers.append(number)
            args.extend(operands)
            starts.append(len(args))
            if code != CONST:
                outputs.append(len(codes) - 1)
        return Program(bytes(codes), starts, args, numbers, outputs, self.slots)


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
    conditions = [guard.condition for guard in program.guards]
    conditions += [guard.about for guard in program.guards if guard.about != -1]
    conditions += [program.verdict] if program.guards else []
    conditions += [decision.condition for decision in program.decisions]
    conditions += [id_ for pair in program.raising for id_ in pair]
    for condition in [*conditions, *[id_ for ids in program.exits for id_ in ids]]:
        if not 0 <= condition < count:
            raise ProgramError(f"condition {condition} is not one of {count} instructions")
    for k, decision in enumerate(program.decisions):
        if not -1 <= decision.parent < k:
            raise ProgramError(f"decision {k} stands on decision {decision.parent}")


class Stage:
    """A program as recorded or after a pass, to look at: what `explain` prints and the lab shows.

    `origins` are the recorded instructions that these come from; those from `forward` on compute
    the gradient, and `results` are the outputs and then the gradients. `verdict` says which guard
    fails; -1: there is none.
    """

    __slots__ = (
        "args", "forward", "numbers", "operations", "origins", "outputs", "results", "starts",
        "verdict",
    )  # fmt: skip

    def __init__(
        self,
        operations: Sequence[str],
        starts: Sequence[int],
        args: Sequence[int],
        numbers: Sequence[float],
        origins: Sequence[int],
        results: Sequence[int],
        outputs: int,
        forward: int,
        verdict: int = -1,
    ) -> None:
        self.operations = operations
        self.starts = starts
        self.args = args
        self.numbers = numbers
        self.origins = origins
        self.results = results
        self.outputs = outputs
        self.forward = forward
        self.verdict = verdict

    @classmethod
    def recorded(cls, program: Program) -> Stage:
        count = len(program)
        operations = [CODES[code] for code in program.codes]
        return cls(
            operations, program.starts, program.args, program.numbers, range(count),
            program.outputs, len(program.outputs), count, program.verdict,
        )  # fmt: skip

    @classmethod
    def read(
        cls,
        data: tuple[bytes, bytes, bytes, bytes, bytes, bytes, int, int],
        made: Sequence[str],
        guarded: bool = False,
    ) -> Stage:
        """Return what a back end's `stage` gave; `made` are the names of codes that passes add.

        With `guarded` the last of its outputs is the verdict.
        """
        codes, starts, args, numbers, origins, results, outputs, forward = data
        names = (*CODES, *made)
        integers = [array("i", part) for part in (starts, args, origins, results)]
        outputs -= guarded
        verdict = integers[3].pop(outputs) if guarded else -1
        return cls(
            [names[code] for code in codes], integers[0], integers[1], array("d", numbers),
            integers[2], integers[3], outputs, forward, verdict,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.operations)

    def operands(self, i: int) -> Sequence[int]:
        return self.args[self.starts[i] : self.starts[i + 1]]

    def instruction(
        self, i: int, names: Sequence[str] = (), operands: Sequence[str] | None = None
    ) -> str:
        """Return what stands right of the `=`: the operation, and what it is done to.

        `operands` are the operands as text; without it, they are ids.
        """
        name = self.operations[i]
        if name == "const":
            return f"const {self.numbers[i]!r}"
        if name == "input":
            slot = int(self.numbers[i])
            return f"input {names[slot] if slot < len(names) else f'slot {slot}'}"
        words = [name]
        if name in _SLOPES:
            code = int(self.numbers[i])
            side = f" by its {_SLOPES[name]} input" if ARITY[code] > 1 else ""
            words = [f"slope of {CODES[code]}{side}:"]
        elif name == "pick":
            words = [f"pick {int(self.numbers[i])}:"]
        ids = operands or [f"%{operand}" for operand in self.operands(i)]
        if name in _PAIRED:
            ids = [f"{x}·{y}" for x, y in zip(ids[::2], ids[1::2], strict=True)]
        return " ".join([*words, *ids])


_SLOPES = {"partial0": "first", "partial1": "second", "partial2": "third"}
_PAIRED = frozenset({"dot", "pull", "pick"})
