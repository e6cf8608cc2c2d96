"""Plain Python for tests to compile: sources as text, and calls that run as plain Python."""

import builtins
import linecache
from collections.abc import Mapping
from itertools import count
from types import MappingProxyType
from typing import Any

import pytest

# For tests whose functions do what no recording can hold: their calls warn, and run as plain
# Python. Elsewhere the warning is an error: a recorder that fails would be right all the same.
RUNS_PLAINLY = pytest.mark.filterwarnings("ignore:(?s).*run as plain Python:RuntimeWarning")
_files = count()


def made(text: str, given: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """Return the names of a source that `linecache` knows, in a file of its own."""
    file = f"<source {next(_files)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names: dict[str, Any] = {**given, "__name__": "source"}
    exec(builtins.compile(text, file, "exec"), names)
    return names
