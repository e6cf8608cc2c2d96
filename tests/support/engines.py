"""Every engine test runs on every engine: `x.py test` runs them once for each.

A test file says `pytest_generate_tests = engines.on_every_engine`, and its tests ask by argument
for what they need of an engine: `def test_…(Value, Buffers)`. `engine_name` is its name.
"""

from types import ModuleType

import pytest

import gradwalk.engine

ENGINES: dict[str, ModuleType] = {gradwalk.backend(): gradwalk.engine}

_NAMES = ("Buffers", "Value", "detach", "topological_order", "zero_grad")


def on_every_engine(metafunc: pytest.Metafunc) -> None:
    names = [name for name in (*_NAMES, "engine_name") if name in metafunc.fixturenames]
    if names:
        rows = [
            [name if wanted == "engine_name" else getattr(engine, wanted) for wanted in names]
            for name, engine in ENGINES.items()
        ]
        metafunc.parametrize(names, rows, ids=ENGINES)
