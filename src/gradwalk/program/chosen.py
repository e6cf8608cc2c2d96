"""The back end in use: C where it is built, else the interpreter; GRADWALK_BACKEND decides.

`backend` replays programs, `tape` is what they are recorded on. GRADWALK_KERNELS chooses the level
of the C kernels, for single calls and for `map`: base, avx2 or avx512. The default is the best that
the processor has.
"""

from __future__ import annotations

import os
from importlib import import_module
from itertools import zip_longest
from typing import Any

from gradwalk.errors import BackendError
from gradwalk.program import interpreter, ir
from gradwalk.program import tape as _tape

__all__ = ["backend", "name", "tape"]

backend: Any = interpreter
_asked = os.environ.get("GRADWALK_BACKEND", "auto")
if _asked != "python":
    try:
        backend = import_module("gradwalk.program._replay")
    except ModuleNotFoundError as error:  # any other ImportError is a broken build: let it show
        if error.name != "gradwalk.program._replay":
            raise
        if _asked == "native":
            raise BackendError(
                "GRADWALK_BACKEND=native, but this installation has no native replay; "
                "set GRADWALK_BACKEND=python or auto"
            ) from None

_level = os.environ.get("GRADWALK_KERNELS")
if _level and backend is not interpreter:
    try:
        backend.kernels(_level)
    except ValueError as error:
        raise BackendError(f"GRADWALK_KERNELS={_level}: {error}") from None

# A program's codes are places in this list, so both languages must have the same one.
if backend is not interpreter and tuple(backend.CODES) != ir.CODES:
    _pairs = zip_longest(backend.CODES, ir.CODES, fillvalue="nothing")
    _place, (_in_c, _in_python) = next(
        (place, pair) for place, pair in enumerate(_pairs) if pair[0] != pair[1]
    )
    raise ImportError(
        f"operation code {_place} is {_in_c} in native/ir.h and {_in_python} in ir.py; "
        "build gradwalk again"
    )

name: str = "python" if backend is interpreter else "native"
tape: Any = _tape if backend is interpreter else backend
