"""The engine in use: the C one when it is built, else the reference; GRADWALK_BACKEND decides."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gradwalk.errors import BackendError

if TYPE_CHECKING:
    from gradwalk.engine.reference import Buffers, Value, constant, record, topological_order

__all__ = ["Buffers", "Value", "constant", "name", "record", "topological_order"]

_asked = os.environ.get("GRADWALK_BACKEND", "auto")
if _asked not in ("auto", "python", "native"):
    raise BackendError(f"GRADWALK_BACKEND is python, native or auto, not {_asked!r}")

name = "python"
if _asked != "python":
    try:
        from gradwalk.engine._native import (  # pyright: ignore[reportMissingModuleSource]
            Buffers,
            Value,
            constant,
            record,
            topological_order,
        )

        name = "native"
    except ModuleNotFoundError as error:  # any other ImportError is a broken build: let it show
        if error.name != "gradwalk.engine._native":
            raise
        if _asked == "native":
            raise BackendError(
                "GRADWALK_BACKEND=native, but this installation has no native engine; "
                "set GRADWALK_BACKEND=python or auto"
            ) from None
if name == "python":
    from gradwalk.engine.reference import Buffers, Value, constant, record, topological_order
else:
    from gradwalk.engine.reference import Value as _Reference

    # Methods without a C version come from the reference.
    Value.show = _Reference.show  # pyright: ignore[reportAttributeAccessIssue]

    from gradwalk.engine import _native, modes  # pyright: ignore[reportMissingModuleSource]

    for _flag, _number in _native._FLAGS.items():
        if getattr(modes, _flag, None) != _number:
            raise ImportError(
                f"the switch {_flag} differs between engine.h and modes.py: {_number}"
            )
