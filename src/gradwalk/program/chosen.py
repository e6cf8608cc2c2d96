"""The back end in use: C where it is built, else the interpreter; GRADWALK_BACKEND decides.

`backend` replays programs, `tape` is what they are recorded on. GRADWALK_KERNELS chooses the level
of the C kernels, for single calls and for `map`: base, avx2 or avx512. The default is the best that
the processor has.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from gradwalk.errors import BackendError
from gradwalk.program import interpreter
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

name: str = "python" if backend is interpreter else "native"
tape: Any = _tape if backend is interpreter else backend
