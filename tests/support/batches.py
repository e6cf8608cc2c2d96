"""Seeds of random cases, in batches: the first in every run of the tests, all in the slow tier."""

from typing import Any

import pytest


def batches(count: int, size: int, usual: int) -> list[Any]:
    """Return ranges of `size` seeds up to `count`; those from `usual` on are marked as slow."""
    return [
        pytest.param(
            range(start, min(count, start + size)),
            id=str(start),
            marks=[pytest.mark.slow] if start >= usual else [],
        )
        for start in range(0, count, size)
    ]
