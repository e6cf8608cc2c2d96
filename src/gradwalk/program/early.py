"""Early exits in a map: scenarios whose loop or function is over run a shorter program.

    run    run a map in groups where that is faster; start reading here

Both sides of a branch are computed, so a scenario that returns early would cost what all others do.
A recording knows the conditions under which a loop or a function goes on (`Program.exits`). Where
one of them is false, it and those behind it are 0 in the program, and most of what follows is gone
from it. A sample of the scenarios says at which of these conditions it pays to ask: those that are
over run the short program, the others go on to the next question and in the end to the whole one.

The sample and the groups depend on the scenarios alone, so no number depends on the threads.
"""

# numpy's arrays have no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from gradwalk.program import backends
from gradwalk.program.ir import CONST, Program, Stage
from gradwalk.program.recordings import Places, Recording

__all__ = ["LEAST_WORK", "Places", "gathered", "run"]

LEAST_WORK = 2_000_000  # instructions × scenarios, below which nothing is asked
_SAMPLE = 256
_QUESTIONS = 8  # conditions that the sample is asked about
_STAGES = 3
_WORTH = 0.75  # of the time without groups
_COPY = 0.1  # of a scenario's time: to copy its numbers


class _Question(NamedTuple):
    """A condition: its instruction, and the instructions that are 0 where it does not hold."""

    condition: int
    zeros: tuple[int, ...]


def run(
    recording: Recording,
    wrt: Sequence[int],
    replay: Any,
    places: Places,
    out: Any,
    rows: Any,
    sums: Any,
    threads: int,
) -> bool:
    """Run a map in groups, and say so; False: nothing was done, and it is to run as a whole."""
    length = len(recording.program)
    if not recording.program.exits or length * places.scenarios < LEAST_WORK:
        return False
    if not hasattr(replay, "sizes") or recording.options.float32:
        return False
    stages = _chosen(recording, places, bool(wrt))
    if stages:
        _run_groups(recording, stages, wrt, replay, places, out, rows, sums, threads)
    return bool(stages)


# ── Which questions to ask ───────────────────────────────────────────────────────────────────


def _chosen(recording: Recording, places: Places, gradient: bool) -> list[_Question]:
    """Return the questions that make the map fastest, by a sample of the scenarios."""
    import numpy as np

    every = [
        _Question(ids[k], tuple(ids[k:]))
        for ids in recording.program.exits
        for k in range(len(ids))
    ]
    every.sort(key=lambda question: question.condition)
    picked = [every[k] for k in range(0, len(every), -(-len(every) // _QUESTIONS))]
    sample = np.arange(_SAMPLE) * (places.scenarios // _SAMPLE)
    part = gathered(places, range(len(places.where)), sample)
    going = np.empty((_SAMPLE, len(picked)))
    asked = _conditions(recording, tuple([question.condition for question in picked]))
    asked.map(*part, going, None, None, 1)
    left = (going != 0.0).mean(axis=0).tolist()
    length = len(recording.program)
    shares = [question.condition / length for question in picked]
    asking = 0.7 if gradient else 1.0  # the time of a value, in that of a value with its gradient
    best, found = _WORTH, ()
    for count in range(1, _STAGES + 1):
        for chosen in combinations(range(len(picked)), count):
            time, here = 0.0, 1.0
            for k in chosen:
                time += here * (asking * shares[k] + (_COPY if here < 1.0 else 0.0))
                over = max(0.0, here - left[k])
                time += over * (shares[k] + _COPY * shares[k])
                here -= over
            time += here * (1.0 + _COPY)
            if time < best:
                best, found = time, chosen
    return [picked[k] for k in found]


def _conditions(recording: Recording, conditions: tuple[int, ...]) -> Any:
    """Return a replay of some conditions alone."""
    outputs = array("i", conditions)
    key = ("exits", *conditions)
    return recording.plan(key, tuple, program=lambda: recording.beginning(outputs))[0]


# ── Groups ───────────────────────────────────────────────────────────────────────────────────


def _run_groups(
    recording: Recording,
    stages: list[_Question],
    wrt: Sequence[int],
    replay: Any,
    places: Places,
    out: Any,
    rows: Any,
    sums: Any,
    threads: int,
) -> None:
    import numpy as np

    total = None if sums is None else np.zeros_like(sums)

    def run_some(by: Any, used: Sequence[int], which: Any) -> None:
        if not len(which):
            return
        mine = np.empty((len(which), out.shape[1]))
        my_rows = None if rows is None else np.zeros((len(which), rows.shape[1]))
        my_sums = None if sums is None else np.zeros_like(sums)
        by.map(*gathered(places, used, which), mine, my_rows, my_sums, threads)
        out[which] = mine
        if rows is not None:
            rows[which] = my_rows
        if total is not None and my_sums is not None:
            np.add(total, my_sums, out=total)

    slots = range(len(places.where))
    left = np.arange(places.scenarios)
    for question in stages:
        asked = _conditions(recording, (question.condition,))
        going = np.empty((len(left), 1))
        some = tuple(places) if len(left) == places.scenarios else gathered(places, slots, left)
        asked.map(*some, going, None, None, threads)
        over = going[:, 0] == 0.0
        run_some(*_short(recording, question, wrt), left[over])
        left = left[~over]
    run_some(replay, slots, left)
    if sums is not None:
        sums[:] = total


def _short(recording: Recording, question: _Question, wrt: Sequence[int]) -> tuple[Any, Any]:
    """Return the replay for scenarios where a condition does not hold, and the slots it reads."""
    key = ("exit", question.condition, *wrt)
    zeros, program = question.zeros, recording.program
    short = recording.plan(key, lambda: wrt, program=lambda: _with_zeros(program, zeros))[0]
    if key not in recording.slots_read:
        recording.slots_read[key] = _used(short)
    return short, recording.slots_read[key]


def _with_zeros(program: Program, zeros: Sequence[int]) -> Program:
    """Return a program in which some instructions are the number 0."""
    codes, numbers = bytearray(program.codes), array("d", program.numbers)
    starts, args = array("i", [0]), array("i")
    gone = set(zeros)
    for i in range(len(program)):
        if i in gone:
            codes[i], numbers[i] = CONST, 0.0
        else:
            args.extend(program.operands(i))
        starts.append(len(args))
    return Program(
        bytes(codes), starts, args, numbers, program.outputs, program.slots, None,
        program.guards, program.verdict,
    )  # fmt: skip


def _used(replay: Any) -> list[int]:
    """Return the slots that a replay reads."""
    tidy = Stage.read(replay.stage("tidy"), backends.replay.MADE)
    return sorted(
        {int(tidy.numbers[i]) for i, name in enumerate(tidy.operations) if name == "input"}
    )


def gathered(places: Places, used: Sequence[int], which: Any) -> tuple[Any, ...]:
    """Return the numbers of some scenarios in some slots, packed: what a replay's map takes."""
    import numpy as np

    buffers, count = [places.buffers[0]], len(which)
    where, offset, stride = (np.array(part) for part in places[1:4])
    reads = np.zeros(len(where), bool)
    reads[list(used)] = True
    shared = where == 0
    for place in range(1, len(places.buffers)):
        mine = reads & (where == place)
        if not mine.any():
            continue
        flat = np.asarray(places.buffers[place]).reshape(-1)
        step, columns = int(stride[mine][0]) // 8, offset[mine] // 8
        if step == 1:  # the numbers of one slot are neighbours
            part = flat.reshape(-1, places.scenarios)[columns // places.scenarios][:, which]
            offset[mine] = np.arange(len(columns)) * (8 * count)
        else:
            low, high = int(columns.min()), int(columns.max()) + 1
            part = flat.reshape(places.scenarios, step)[which, low:high]
            offset[mine], stride[mine] = 8 * (columns - low), 8 * (high - low)
        where[mine] = len(buffers)
        buffers.append(np.ascontiguousarray(part))
    dead = ~reads & ~shared
    where[dead], offset[dead], stride[dead] = 0, 0, 0
    return buffers, where.astype(np.int32), offset.astype(np.int64), stride.astype(np.int64), count
