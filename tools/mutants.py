"""The shapes that the modules mutants_*.py and tools/mutate.py share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

Function = tuple[str, int]  # a file and the first line of a function in it


class Options(NamedTuple):
    only: str
    sample: int
    seed: int


@dataclass(frozen=True, eq=False)
class Mutant:
    """One thing to break in a process of its own."""

    name: str
    way: str
    apply: Callable[[], None]
    #: Only tests that call one of these can notice; empty: any test can.
    functions: frozenset[Function] = frozenset()
    #: Sorts the tests, nearest first; None for one that cannot notice.
    distance: Callable[[pytest.Item], Any] | None = None

    def __str__(self) -> str:
        return f"{self.name} {self.way}"


class Group(NamedTuple):
    """Mutants, the tests that have to notice them, and the back end these run on."""

    name: str
    tests: list[str]
    backend: str
    mutants: Callable[[Options], list[Mutant]]
