"""What `compile` was told beside the function, as one value."""

from __future__ import annotations

from dataclasses import dataclass

from gradwalk.errors import OperandError

__all__ = ["ERRORS", "Options"]

ERRORS = ("ieee", "python")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a compiled function: see `compile`."""

    static: tuple[str, ...] = ()
    fast: bool = False
    float32: bool = False
    errors: str = "ieee"
    steps: int = 10_000

    def __post_init__(self) -> None:
        if self.errors not in ERRORS:
            raise OperandError(f'errors is "ieee" or "python", not {self.errors!r}')
