"""The loops of the optimisers and of `zero_grad` in C, where the native engine runs.

`adam`, `momentum` and `sgd` move all Values of a list and count the step in one call, which Ctrl-C
cannot part. Where they meet something that they leave to Python, and on the reference engine, they
touch nothing and return False. `clear_grads` and `scale_grads` work from the first Value on and
return how many they have done; the loop in Python, which is the specification, goes on from there.
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

    def _refused(*_: Any) -> bool:
        return False

    clear_grads = scale_grads = _none
    adam = momentum = sgd = _refused
