#!/usr/bin/env python3
"""Random cases against what must be: `python3 x.py fuzz [KIND]`, with one of KINDS below.

A kind is a module fuzz_KIND.py, which starts with what it compares:

    make(draws, options)        a case from random numbers
    examine(case, counts, ...)  raises MismatchError where something is not as it should be
    script(case, mismatch, ...) what shows it, standing alone
    arguments(parser)           its own options
    PROGRAMS                    how many cases a run has

The same seed makes the same case each time. A case that fails is made smaller here, for all kinds
alike: with fewer random numbers, and more of them 0, as long as it fails at the same place.
"""

from __future__ import annotations

import argparse
import importlib
import linecache
import math
import multiprocessing
import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

sys.path[:0] = [str(Path(__file__).parent)]
sys.modules.setdefault("fuzz", sys.modules[__name__])  # the kinds import it: one MismatchError

KINDS = ("arithmetic", "flow", "loops", "code", "inputs")
BATCH = 100
TRIES = 1000  # to make one failure smaller

Kept = list[list[float]]


class MismatchError(Exception):
    """Something is not as it should be: where, of what sort, and in which row of the points."""

    def __init__(self, where: str, words: str, sort: str = "value", row: int = 0) -> None:
        super().__init__(f"{where}, {sort}: {words}")
        self.where, self.words, self.sort, self.row = where, words, sort, row


class MoreDrawsError(Exception):
    """A case that is to be smaller needs more random numbers than the one before."""


class Draws(Random):
    """The random numbers of a seed, written down; or numbers given before, and then zeros."""

    given: Kept | None = None
    left = math.inf

    def __init__(self, start: int | str) -> None:
        self.start, self.kept = start, [[]]
        super().__init__(start)

    @classmethod
    def again(cls, start: int | str, given: Kept, most: int) -> Draws:
        """Draw the given numbers, then zeros, `most` in all: on zeros alone a case may not end."""
        draws = cls(start)
        draws.given, draws.left = given, most
        return draws

    def part(self) -> None:
        """Begin a part of the case, which is made smaller on its own."""
        self.kept.append([])

    def random(self) -> float:
        return self._next(super().random) % 1.0

    def getrandbits(self, k: int) -> int:
        number = self._next(lambda: super(Draws, self).getrandbits(k))
        whole = number if isinstance(number, int) else int(number * 2**k)
        return whole & ((1 << k) - 1)

    def _next(self, new: Callable[[], float]) -> float:
        part, place = self.kept[-1], len(self.kept) - 1
        if self.left <= 0:
            raise MoreDrawsError
        self.left -= 1
        if self.given is None:
            number = new()
        else:
            given = self.given[place] if place < len(self.given) else []
            number = given[len(part)] if len(part) < len(given) else 0
        part.append(number)
        return number


@dataclass
class Failure:
    case: Any
    mismatch: MismatchError
    start: int | str
    kept: Kept

    @property
    def place(self) -> tuple[str, str]:
        return self.mismatch.sort, self.mismatch.where

    @property
    def size(self) -> tuple[int, int]:
        numbers = [number for part in self.kept for number in part]
        return len(numbers), sum(map(bool, numbers))


@dataclass
class Found:
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)


def kind_of(name: str) -> Any:
    return importlib.import_module(f"fuzz_{name}")


def made(source: str, names: dict[str, Any]) -> Any:
    """Return the function f of a source, which `inspect` finds."""
    file = f"<fuzz {next(_files)}>"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    scope = {"__name__": "fuzzed", **names}
    exec(compile(source, file, "exec"), scope)
    return scope["f"]


_files = count()


def options_of(kind: Any, words: Sequence[str] = ()) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="x.py fuzz", formatter_class=argparse.RawDescriptionHelpFormatter,
        description=f"{__doc__}\n{kind.__name__.removeprefix('fuzz_')}: {kind.__doc__}",
    )  # fmt: skip
    parser.add_argument("--programs", type=int, default=kind.PROGRAMS, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the first seed (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--most", type=int, default=4, metavar="N", help="failures to show (4)")
    kind.arguments(parser)
    return parser.parse_args(words)


def attempt(
    kind: Any, draws: Draws, counts: Counter[str], options: Any, only: str = ""
) -> Failure | None:
    """Examine one case. `only` is where an earlier one failed: nothing else has to be looked at."""
    case = kind.make(draws, options)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kind.examine(case, counts, options, only)
    except MismatchError as mismatch:
        return Failure(case, mismatch, draws.start, draws.kept)
    return None


def fuzz(kind: Any, seeds: Sequence[int], stop_after: int = 20, options: Any = None) -> Found:
    """Examine the case of each seed, until so many have failed."""
    options = options or options_of(kind)
    found = Found()
    for seed in seeds:
        found.counts["programs"] += 1
        failure = attempt(kind, Draws(seed), found.counts, options)
        if failure is not None:
            found.failures.append(failure)
            if len(found.failures) >= stop_after:
                break
    return found


def shrink(kind: Any, failure: Failure, options: Any, tries: int = TRIES) -> Failure:
    """Return a failure at the same place, of as few random numbers as so many tries find."""
    before: tuple[int, int] | None = None
    while failure.size != before and tries > 0:
        before = failure.size
        for part in range(len(failure.kept)):
            step = 1 << len(failure.kept[part]).bit_length()
            while step := step // 2:
                at = len(failure.kept[part])
                while (at := at - step) > -step and tries > 0:
                    for new in ([], [0.0] * step):
                        tries -= 1
                        smaller = shortened(kind, failure, options, part, max(at, 0), step, new)
                        if smaller is not None:
                            failure = smaller
                            break
    return failure


def shortened(
    kind: Any, failure: Failure, options: Any, part: int, at: int, step: int, new: list[float]
) -> Failure | None:
    kept = failure.kept[part]
    given = [*failure.kept]
    given[part] = [*kept[:at], *new, *kept[at + step :]]
    draws = Draws.again(failure.start, given, failure.size[0])
    try:
        found = attempt(kind, draws, Counter(), options, failure.mismatch.where)
    except Exception:  # no case any more
        return None
    same = found is not None and found.place == failure.place and found.size < failure.size
    return found if same else None


def told(kind: Any, failures: Sequence[Failure], options: Any, most: int = 1) -> str:
    """Return what shows one failure of each place."""
    by_place = {failure.place: failure for failure in reversed(failures)}
    small = [shrink(kind, failure, options) for failure in [*by_place.values()][:most]]
    line = "\n" + "-" * 80 + "\n"
    return line.join(
        f"# seed {one.start}, {one.mismatch}\n{kind.script(one.case, one.mismatch, options)}"
        for one in small
    )


def run_part(part: tuple[str, range, Any]) -> Found:
    name, seeds, options = part
    return fuzz(kind_of(name), seeds, options=options)


def run_parts(parts: Sequence[Any], jobs: int) -> Iterator[Found]:
    if jobs <= 1:
        yield from map(run_part, parts)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:  # fork and threads do not mix
        yield from pool.imap_unordered(run_part, parts)


def main(words: Sequence[str] | None = None) -> int:
    rest = list(sys.argv[1:] if words is None else words)
    name = rest.pop(0) if rest[:1] and rest[0] in KINDS else KINDS[0]
    kind = kind_of(name)
    options = options_of(kind, rest)
    seeds = range(options.seed, options.seed + options.programs)
    parts = [(name, seeds[k : k + BATCH], options) for k in range(0, len(seeds), BATCH)]
    whole = Found()
    for done in run_parts(parts, min(options.jobs, len(parts))):
        whole.counts += done.counts
        whole.failures += done.failures
    if whole.failures:
        print(told(kind, whole.failures, options, options.most))
        for place in sorted({failure.place for failure in whole.failures}):
            starts = [str(one.start) for one in whole.failures if one.place == place]
            print(f"{', '.join(place)}: {len(starts):,} wrong, seeds {', '.join(starts[:20])}")
    counts = ", ".join([f"{number:,} {what}" for what, number in whole.counts.most_common()])
    print(f"from seed {options.seed}: {counts}; {len(whole.failures):,} wrong")
    return 1 if whole.failures else 0


if __name__ == "__main__":
    sys.exit(main())
