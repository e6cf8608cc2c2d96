"""The engine in C. Its types are those of `gradwalk.engine`, which is where to import them from."""

from array import array
from collections.abc import Sequence

from gradwalk.engine import Buffers as Buffers
from gradwalk.engine import Value as Value
from gradwalk.engine import constant as constant
from gradwalk.engine import cross_entropy as cross_entropy
from gradwalk.engine import dot as dot
from gradwalk.engine import layernorm as layernorm
from gradwalk.engine import linear as linear
from gradwalk.engine import log_softmax as log_softmax
from gradwalk.engine import logsumexp as logsumexp
from gradwalk.engine import mean as mean
from gradwalk.engine import rmsnorm as rmsnorm
from gradwalk.engine import softmax as softmax
from gradwalk.engine import sum as sum  # noqa: A004
from gradwalk.engine import topological_order as topological_order

_CODES: dict[str, int]
_FLAGS: dict[str, int]

def record(
    data: float, op: str, inputs: Sequence[Value], local_grads: Sequence[float], /
) -> Value: ...
def keep_interior_grads(on: bool, /) -> None: ...
def outdated(root: Value, /) -> Value | None: ...
def _set_active(active: set[object], /) -> None: ...
def sgd(parameters: list[Value], counter: array[float], rate: float, decay: float, /) -> bool: ...
def momentum(
    parameters: list[Value],
    counter: array[float],
    velocity: array[float],
    rate: float,
    momentum: float,
    decay: float,
    nesterov: bool,
    /,
) -> bool: ...
def adam(
    parameters: list[Value],
    counter: array[float],
    means: array[float],
    squares: array[float],
    rate: float,
    beta1: float,
    beta2: float,
    epsilon: float,
    bias_correction1: float,
    bias_correction2: float,
    kept: float,
    /,
) -> bool: ...
def scale_grads(values: list[Value], share: float, /) -> int: ...
def clear_grads(values: list[Value], /) -> int: ...
