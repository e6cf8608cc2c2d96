"""Numbers in JSON, as `contract/` has them.

JSON has no nan and no infinities. Wherever gradwalk writes it, they are the strings "NaN",
"Infinity" and "-Infinity", which JavaScript's `Number` and Python's `float` read back.
"""

from __future__ import annotations

import json
import math
from typing import Any

__all__ = ["dumps", "plain"]


def dumps(data: Any, *, ensure_ascii: bool = True) -> str:
    """Return strict JSON on one line."""
    try:
        return json.dumps(data, allow_nan=False, ensure_ascii=ensure_ascii)
    except ValueError:  # there is a nan or an inf somewhere: rare, so looked for only now
        return json.dumps(plain(data), allow_nan=False, ensure_ascii=ensure_ascii)


def plain(data: Any) -> Any:
    """Return data with nan and the infinities as strings."""
    if isinstance(data, float) and not math.isfinite(data):
        return "NaN" if math.isnan(data) else "Infinity" if data > 0 else "-Infinity"
    if isinstance(data, dict):
        return {key: plain(entry) for key, entry in data.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(data, list | tuple):
        return [plain(entry) for entry in data]  # pyright: ignore[reportUnknownVariableType]
    return data
