"""The modules that record and replay programs: C where it is built, else Python.

    replay   the `Replay` that runs programs, and the optimisers' loops; in Python, `interpreter`
    tape     the `Tape` that programs are recorded on; in Python, `trace`
    name     "native" or "python"

`engine.backends.native` makes the choice. GRADWALK_KERNELS chooses the level of the C kernels, for
single calls and for `map`: base, avx2 or avx512. The default is the best that the processor has.
"""

from __future__ import annotations

import os
from itertools import zip_longest
from typing import Any

from gradwalk.engine.backends import native
from gradwalk.errors import BackendError
from gradwalk.program import interpreter, ir, trace

__all__ = ["name", "replay", "tape"]

_native = native("gradwalk.program._replay", "replay")
replay: Any = _native or interpreter
tape: Any = _native or trace
name: str = "native" if _native else "python"

_level = os.environ.get("GRADWALK_KERNELS")
if _level and _native:
    try:
        _native.kernels(_level)
    except ValueError as error:
        raise BackendError(f"GRADWALK_KERNELS={_level}: {error}") from None

# A program's codes are places in this list, so both languages must have the same one.
if _native and tuple(_native.CODES) != ir.CODES:
    _pairs = zip_longest(_native.CODES, ir.CODES, fillvalue="nothing")
    _place, (_in_c, _in_python) = next(
        (place, pair) for place, pair in enumerate(_pairs) if pair[0] != pair[1]
    )
    raise ImportError(
        f"operation code {_place} is {_in_c} in operations.h and {_in_python} in ops.py; "
        "build gradwalk again"
    )
