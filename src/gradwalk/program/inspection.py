"""A compiled program for people: what its stages are, its blocks and its lanes in words.

    recorded, tidy, chains, adjoint    programs, each the last one after a pass: see `text`
    blocks                             what is executed for one scenario: loops over numbers
    lanes                              what is executed for many scenarios

Without the native back end there is only the first.
"""

from __future__ import annotations

import linecache
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gradwalk.errors import ProgramError
from gradwalk.ops import BY_NAME
from gradwalk.program import backends, decisions
from gradwalk.program.ir import CODES, LEVELS, PATH, ROUNDS, Guard, Place, Program, Stage
from gradwalk.program.loops import Loop, find_loops
from gradwalk.program.recordings import MOST, Recordings, listed

__all__ = [
    "EXPLAINED",
    "Block",
    "blocks",
    "bytes_text",
    "count_text",
    "heading",
    "loops",
    "recordings_text",
    "sizes",
    "stage",
    "stage_text",
    "stages",
    "step_text",
    "summary",
    "words",
]

EXPLAINED: dict[str, str] = {
    "recorded": "what the function did, one line an operation",
    "tidy": "constants computed, equal ones merged, unused ones dropped",
    "chains": "chains of products and sums gathered into sums and dots",
    "adjoint": "the gradient, as instructions behind those of the value",
    "blocks": "what runs: instructions of one kind, side by side, as one loop",
    "lanes": "what runs in map, over m… of each scenario and u… that all share",
}


class Block(NamedTuple):
    """A loop over I × J results, each over K terms; or `listed` instructions, one by one."""

    operation: str
    row: str  # of a slope: whose
    more: bool  # adds to what an earlier block began
    rows: int
    columns: int
    terms: int
    listed: tuple[tuple[str, int], ...]  # operation and number of operands


_SLOPES = {"partial0": "slope", "partial1": "slope", "partial2": "slope"}
_SUMS = frozenset({"dot", "pull", "sum", "largest", "pick", "take"})
_NAMES = {"dot": "sum of products", "pull": "sum of products", "sum": "sum", "largest": "largest",
          "pick": "pick", "take": "take"}  # fmt: skip


def words(block: Block) -> str:
    """Return a block as a person would say it."""
    if block.listed:
        count = Counter([_SLOPES.get(operation, operation) for operation, _ in block.listed])
        most = [f"{n} {operation}" if n > 1 else operation for operation, n in count.most_common(4)]
        rest = ", …" if len(count) > 4 else ""
        plural = "s" if len(block.listed) > 1 else ""
        return f"list of {len(block.listed):,} instruction{plural}: {', '.join(most)}{rest}"
    size = f"{block.rows:,} × {block.columns:,}" if block.rows > 1 else f"{block.columns:,}"
    again = ", added to what is there" if block.more else ""
    if block.operation in ("dot", "pull") and block.rows * block.columns > 1:
        kind = "matrix product" if block.rows > 1 else "vector times matrix"
        return f"{kind} {size}, sum of {block.terms:,}{again}"
    if block.operation in _SUMS:
        count = f"{size} times " if block.rows * block.columns > 1 else ""
        return f"{count}{_NAMES[block.operation]} of {block.terms:,}{again}"
    name = block.operation
    if name in _SLOPES:
        name = f"slope of {block.row}"
    return f"{name} of {size}"


# ── Lanes ────────────────────────────────────────────────────────────────────────────────────
# The steps of lanes.h in arithmetic. x, y and z are operands: numbers of each scenario in memory,
# m…, or numbers that all share, u…

_STEPS: dict[str, str] = {
    "copy": "{x}", "add": "{x} + {y}", "sub": "{x} - {y}", "mul": "{x} * {y}", "div": "{x} / {y}",
    "draw": "{x} / {y}", "neg": "-{x}", "add_product": "{z} + {x} * {y}",
    "less_product": "{z} - {x} * {y}", "square": "{x} * {x}",
    "root": "{x} ** 0.5", "inverse": "1 / {x}", "inverse_root": "{x} ** -0.5",
    "lt": "{x} < {y}", "le": "{x} <= {y}", "gt": "{x} > {y}", "ge": "{x} >= {y}",
    "eq": "{x} == {y}", "ne": "{x} != {y}", "gate": "{x} where {y} > 0", "choose": "{y} where {x}",
    "refuse": "{y} where not {x}",
}  # fmt: skip
_OTHER_STEPS: dict[str, str] = {
    "OUT": "result {out} = {x}", "SUM": "total {out} += {x}", "SUM2": "total {out} += {x} * {y}",
    "PRODUCTS": "{0} sums of {1} products", "SUMS": "{0} × {1} totals += a product each",
    "POLL": "stop when asked to", "END": "end",
}  # fmt: skip


def step_text(line: str, names: Sequence[str] = ()) -> str:
    """Return a line of a back end's `lanes` as arithmetic; a step without a row here as it is."""
    _, name, out, *rest = line.split()
    x, y, z = [f"u{-1 - int(operand)}" if operand[0] == "-" else f"m{operand}" for operand in rest]
    if name == "IN":
        return f"m{out} = input {names[int(rest[1])] if int(rest[1]) < len(names) else rest[1]}"
    form = _OTHER_STEPS.get(name, f"m{out} = {_STEPS.get(name, '')}")
    if name not in _OTHER_STEPS and name not in _STEPS:
        if name.isupper():
            return f"{name.lower()} {out} {' '.join(rest)}"
        arity = BY_NAME[re.sub("^by_[xyz]_", "", name)].arity
        form += f"{_row_text(name)}({', '.join([x, y, z][:arity])})"
    return form.format(rest[0], rest[2], out=out, x=x, y=y, z=z)


def _row_text(function: str) -> str:
    """Return the name of a row, or of its derivative, as one says it: "slope of atan2 by y"."""
    if not function.startswith("by_"):
        return function
    side, _, row = function.removeprefix("by_").partition("_")
    return f"slope of {row}" if BY_NAME[row].arity == 1 else f"slope of {row} by {side}"


def bytes_text(count: int) -> str:
    for unit, size in (("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{_two(count / size)} {unit}"
    return f"{count} bytes"


def _two(number: float) -> str:
    """Return two significant digits, without an exponent."""
    if number < 10:
        return f"{number:.1f}"
    digits = len(str(int(number)))
    return f"{round(number, 2 - digits):.0f}"


def stages(store: Recordings) -> tuple[str, ...]:
    """Return the names that `explain` takes: as recorded, after each pass, and what is run."""
    own = tuple([name for name in _widest_plan(store).stages if name != "recorded"])
    if not own:
        return ("recorded",)
    single = store.options.float32
    return ("recorded", *own, *([] if single else ["blocks"]), "lanes")


def sizes(store: Recordings) -> dict[str, int]:
    """Return the size of the program used last after each pass, and the bytes that a replay keeps.

    After a `map` also its steps, the scenarios that it computes at once and its machine code.
    """
    plan = _widest_plan(store)
    if "tidy" in plan.stages and not store.options.float32:
        for gradient in {False, "adjoint" in plan.stages}:
            plan.blocks(gradient)  # which are made when first asked for
    found = dict(plan.sizes)
    for replay in store.used_last().made_replays():
        found.update({name: n for name, n in replay.sizes.items() if name.startswith("lane")})
    return found


def stage(store: Recordings, name: str) -> Stage:
    """Return a program among the stages as data, to look at."""
    program = store.used_last().program
    if name == "recorded":
        return Stage.recorded(program)
    data = _widest_plan(store).stage(name)
    return Stage.read(data, backends.replay.MADE, bool(program.guards))


def loops(store: Recordings, name: str) -> list[Loop]:
    """Return the loops found in a program among the stages: see `gradwalk.program.loops`."""
    return find_loops(stage(store, name))


def blocks(store: Recordings, gradient: bool) -> list[Block]:
    """Return the blocks that one replay is, with the gradient or without."""
    names = (*CODES, *backends.replay.MADE)
    return [
        Block(
            names[code], CODES[row] if row < len(CODES) else "", bool(more), i, j, k,
            tuple([(names[c], count) for c, count in listed or ()]),
        )
        for code, row, more, i, j, k, listed in _widest_plan(store).blocks(gradient)
    ]  # fmt: skip


def _widest_plan(store: Recordings) -> Any:
    """Return a replay with the gradient by everything, where there is one output."""
    recording = store.used_last()
    if len(recording.program.outputs) != 1:
        return recording.forward()
    return recording.plan("all", lambda: range(recording.program.slots))[0]


def recordings_text(store: Recordings) -> str:
    """Return the recordings: why each was made, its size, its use and its branches."""
    count = count_text(len(store), "recording")
    lines = [f"{store.name}({', '.join(store.arguments)}): {count}"]
    for number, recording in enumerate(store.every(), 1):
        program = recording.program
        lines.append(f"{number}. {recording.why}")
        lines.append(
            f"   {count_text(len(program), 'instruction')}, "
            f"{count_text(recording.argument_slots, 'input')}, "
            f"{count_text(len(recording.parameters), 'parameter')}, "
            f"{count_text(len(program.outputs), 'output')}; "
            f"recorded in {recording.seconds * 1e3:.1f} ms, "
            f"replayed {count_text(recording.replays, 'time')}"
        )
        if program.rolled is not None:
            kept = sum([length for _, length, _ in program.rolled.pieces])
            lines.append(f"   kept with its loops rolled up, as {count_text(kept, 'instruction')}")
        lines += [f"   {line}" for line in decisions.report(recording)]
    if store.dropped:
        dropped = count_text(store.dropped, "recording")
        lines.append(f"{dropped} dropped: {MOST} are kept, those used last")
    return "\n".join(lines)


def stage_text(store: Recordings, name: str, most: int | None) -> str:
    """Return the program used last at one stage, or at all."""
    recording, known = store.used_last(), stages(store)
    if name == "all":
        parts = [
            f"{each}: {heading(store, each)}\n{stage_text(store, each, most)}\n" for each in known
        ]
        return "\n".join([*parts, summary(store)])
    if name not in known:
        raise ProgramError(f"there is no stage {name!r}; there is all, {listed(known)}")
    if name == "blocks":
        shown = list(map(words, blocks(store, "adjoint" in known)))
        return "\n".join(_middle(shown, most))
    names = recording.slot_names
    if name == "lanes":
        steps = _widest_plan(store).lanes().splitlines()
        return "\n".join(_middle([step_text(step, names) for step in steps], most))
    return text(stage(store, name), recording.program, names, most)


def _middle(lines: list[str], most: int | None) -> list[str]:
    """Leave out the middle of a long text."""
    if most is None or len(lines) <= most + 1:
        return lines
    left_out = len(lines) - most
    return [*lines[: most // 2], f"… {left_out:,} more …", *lines[-(most - most // 2) :]]


def heading(store: Recordings, name: str) -> str:
    """Return the number of lines that a stage has, and a line about it."""
    gradient = "gradient " if "adjoint" in stages(store) and name == "blocks" else ""
    count = sizes(store).get(gradient + name)
    unit = "block" if name == "blocks" else "instruction"
    return ("" if count is None else f"{count_text(count, unit)}: ") + EXPLAINED[name]


def summary(store: Recordings) -> str:
    """Return the sizes after each pass, and how many blocks and bytes a replay takes."""
    found = sizes(store)
    passes = [name for name in stages(store) if name not in ("blocks", "lanes")]
    lines = ["instructions: " + ", ".join([f"{name} {found[name]:,}" for name in passes])]
    for kind, said in (("", "a replay"), ("gradient ", "with the gradient")):
        facts: list[str] = []
        if f"{kind}blocks" in found:
            facts.append(count_text(found[f"{kind}blocks"], "block"))
        if f"{kind}bytes" in found:
            facts.append(bytes_text(found[f"{kind}bytes"]))
        if facts:
            lines.append(f"{said}: {', '.join(facts)}")
    if "lanes" in found:
        facts = [count_text(found["lane steps"], "step"), f"{found['lanes']} scenarios abreast"]
        if found["lane code"]:
            facts.append(f"{bytes_text(found['lane code'])} of machine code")
        lines.append(f"map: {', '.join(facts)}")
    return "\n".join(lines)


def count_text(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


# ── Instructions ─────────────────────────────────────────────────────────────────────────────


def text(stage: Stage, program: Program, names: Sequence[str], most: int | None) -> str:
    """Return a stage of a program as lines: id, operation, operands, and where it was recorded.

    `names` are the names of the slots. The body of each loop is written once, and a guard as the
    `if` that it is. With `most`, the middle of a longer program is left out.
    """
    width = len(str(max(0, len(stage) - 1)))
    asks, plumbing = _guards(stage, program)

    def written(ids: Iterable[int]) -> list[tuple[str, int]]:
        return [(f"%{i:<{width}} = {stage.instruction(i, names)}", i)
                for i in ids if i not in plumbing]  # fmt: skip

    rows: list[tuple[str, int]] = []  # what it says, and the instruction
    begin = 0
    for loop in find_loops(stage):
        inside = set(loop.ids)
        rows += written([i for i in range(begin, loop.end) if i not in inside])
        first: Sequence[int] = loop.ids[: loop.length]
        places = [program.places[stage.origins[i]] for i in first]
        head = f"{loop.count:,} times, %{loop.start} … %{loop.end - 1}:"
        rows.append((f"{head}{_head_of(places)}", -1))
        rows += loop.lines(stage)
        begin = loop.end
    rows += written(range(begin, len(stage)))
    shown = [rows[k] for k in _ends(len(rows), most)]
    wide = min(48, max([len(row) for row, i in shown if i >= 0], default=0))
    lines: list[str] = []
    for k, (row, i) in enumerate(shown):
        if k == len(shown) // 2 and len(shown) < len(rows):
            lines.append(f"… {len(rows) - len(shown):,} more …")
        if k > 0 and i == stage.forward:
            lines.append("the gradient:")
        origin, places = stage.origins[i] if i >= 0 else -1, program.places
        place = places[origin] if 0 <= origin < len(places) else None
        lines.append(f"{row:<{wide}}  # {_short(place)}" if place else row)
    lines += [asks[k] for k in _ends(len(asks), most)]
    lines.append("return " + " ".join([f"%{output}" for output in stage.results[: stage.outputs]]))
    grads = stage.results[stage.outputs :]
    chosen = _ends(len(grads), most)
    last = [f"gradient of {names[k]} %{grads[k]}" for k in chosen]
    if len(chosen) < len(grads):
        last.insert(len(chosen) // 2, f"… {len(grads) - len(chosen):,} more …")
    return "\n".join([*lines, *last])


def _head_of(places: Sequence[Place | None]) -> str:
    """Return the line of source that begins the loop around all these lines, if it is one."""
    files = {place[0] for place in places if place}
    if len(files) != 1 or None in places:
        return ""
    [file] = files
    numbers = {place[1] for place in places if place}
    least = min([_indentation(file, number) for number in numbers])
    for number in range(min(numbers), 0, -1):
        line = linecache.getline(file, number)
        outside = number not in numbers and _indentation(file, number) < least
        if line.lstrip().startswith(("for ", "while ")) and (outside or number in numbers):
            block = range(number + 1, max(numbers) + 1)
            inner = [_indentation(file, k) > _indentation(file, number) for k in block]
            return f"  # {_short((file, number))}: {line.strip()}" if all(inner) else ""
        if line.strip() and outside:
            return ""
    return ""


def _indentation(file: str, number: int) -> float:
    line = linecache.getline(file, number)
    return len(line) - len(line.lstrip()) if line.strip() else math.inf


def _guards(stage: Stage, program: Program) -> tuple[list[str], set[int]]:
    """Return a line for each guard, and the instructions that only number the one that fails."""
    guards = program.guards
    if stage.verdict < 0 or stage.origins != range(len(program)):  # a pass has moved conditions
        which = enumerate(guards, 1) if stage.verdict >= 0 else ()
        return [f"if %{stage.verdict} is {k}: {_consequence(one)}" for k, one in which], set()
    read = {*stage.results, *[guard.condition for guard in guards]}
    for i in range(len(stage) - 1, -1, -1):
        if i in read:
            read.update(stage.operands(i))
    return (
        [f"if %{guard.condition}: {_consequence(guard)}" for guard in guards],
        {i for i in range(len(stage)) if i not in read and i >= guards[0].condition},
    )


_ACTS = {
    ROUNDS: "record more rounds of this loop",
    LEVELS: "record more calls inside each other",
    PATH: "go on as Python does, on another path",
}


def _consequence(guard: Guard) -> str:
    said = f"({guard.said!r})" if guard.said else ""
    act = _ACTS.get(guard.act) or f"raise {guard.kind.__name__}{said}"
    source = linecache.getline(*guard.place).strip()
    return f"{act}  # {_short(guard.place)}" + (f": {source}" if source else "")


def _ends(count: int, most: int | None) -> Sequence[int]:
    """Return the first and the last of so many, `most` of them."""
    if most is None or count <= most:
        return range(count)
    return [*range(most // 2), *range(count - most // 2, count)]


def _short(place: Place) -> str:
    return f"{place[0].replace(chr(92), '/').rpartition('/')[2]}:{place[1]}"
