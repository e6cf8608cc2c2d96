"""`tools/mutate_guards.py`: each of its mutants breaks something that is there."""

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
tool: Any = importlib.import_module("mutate_guards")


@pytest.mark.parametrize("mutant", tool.MUTANTS, ids=str)
def test_every_guard_that_is_broken_is_there(mutant) -> None:
    thing: Any = importlib.import_module(f"gradwalk.program.{mutant.module}")
    for name in mutant.name.split("."):
        thing = getattr(thing, name)
    assert callable(mutant.change(thing))


def test_the_tests_that_have_to_notice_are_there() -> None:
    assert all((tool.ROOT / test).is_file() for test in tool.TESTS)
