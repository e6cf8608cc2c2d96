"""The engine in C. Its types are those of `gradwalk.engine`, which is where to import them from."""

from collections.abc import Sequence

from gradwalk.engine import Buffers as Buffers
from gradwalk.engine import Value as Value
from gradwalk.engine import constant as constant
from gradwalk.engine import topological_order as topological_order

def record(
    data: float, op: str, inputs: Sequence[Value], local_grads: Sequence[float], /
) -> Value: ...
def _set_active(active: int, /) -> None: ...
def _forget_warning() -> None: ...
