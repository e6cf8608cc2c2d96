"""The loops of the optimisers and of `zero_grad` in C, where the native engine runs.

Each works through a list of Values from the first on and returns how many it has done: all of them
as a rule, fewer where it met something it leaves to Python, none on the reference engine. The loop
in Python, which is the specification, goes on from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradwalk.engine import backends

__all__ = ["adam", "clear_grads", "momentum", "scale_grads", "sgd"]

if backends.name == "native" or TYPE_CHECKING:
    from gradwalk.engine._native import (  # pyright: ignore[reportMissingModuleSource]
        adam,
        clear_grads,
        momentum,
        scale_grads,
        sgd,
    )
else:

    def _none(*_: Any) -> int:
        return 0

    adam = clear_grads = momentum = scale_grads = sgd = _none
