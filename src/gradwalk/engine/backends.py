"""Chooses between C and Python, for the engine and for all else that has a version in C.

The environment variable GRADWALK_BACKEND decides: `native`, `python`, or `auto` (the default),
which takes C where it is built. The function `native` is the one place that decides. Below it, this
module holds the engine in use.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gradwalk.engine import modes, reference
from gradwalk.errors import BackendError

__all__ = [
    "Buffers",
    "Value",
    "constant",
    "keep_interior_grads",
    "name",
    "native",
    "outdated",
    "record",
    "topological_order",
]


def native(module: str, what: str) -> Any:
    """Return the extension module `module`, or None where Python is to run in its place.

    `what` names it in the error that is raised where it was asked for and is not built.
    """
    asked = os.environ.get("GRADWALK_BACKEND", "auto")
    if asked not in ("auto", "python", "native"):
        raise BackendError(f"GRADWALK_BACKEND is python, native or auto, not {asked!r}")
    if asked == "python":
        return None
    try:
        return import_module(module)
    except ModuleNotFoundError as error:  # any other ImportError is a broken build: let it show
        if error.name != module:
            raise
    if asked == "native":
        raise BackendError(
            f"GRADWALK_BACKEND=native, but this installation has no native {what}; "
            "set GRADWALK_BACKEND=python or auto"
        )
    return None


_native = native("gradwalk.engine._native", "engine")
name = "python" if _native is None else "native"
if TYPE_CHECKING:
    from gradwalk.engine.reference import (
        Buffers,
        Value,
        constant,
        keep_interior_grads,
        outdated,
        record,
        topological_order,
    )
else:
    _engine = _native or reference
    Buffers, Value, constant = _engine.Buffers, _engine.Value, _engine.constant
    keep_interior_grads, outdated = _engine.keep_interior_grads, _engine.outdated
    record, topological_order = _engine.record, _engine.topological_order
if _native is not None:
    # Methods without a C version come from the reference.
    for _method in ("show", "_repr_mimebundle_", "__array_function__", "__array_ufunc__"):
        setattr(Value, _method, getattr(reference.Value, _method))
    Value._operands, Value._partials = vars(Value)["_children"], vars(Value)["_local_grads"]

    for _flag, _number in _native._FLAGS.items():
        if getattr(modes, _flag, None) != _number:
            raise ImportError(
                f"the switch {_flag} differs between engine.h and modes.py: {_number}"
            )
