"""gradwalk: plain scalar Python that you can watch differentiate itself.

Value              a number that remembers how it was computed; `backward()` fills `.grad`
exp, log, tanh …   the operations, on Values and on plain numbers
dot, softmax …     operations over lists of Values, one node each
snapshot, walk     the graph under a Value, and the backward pass over it, as immutable data
paths, gradcheck   the paths behind a gradient, and a check by central differences
grad, jvp, hessian derivatives of functions, of every kind, nested to any depth
draw_dot           the graph as a picture, for notebooks
parse              text such as "(a + b) * c" as an expression to evaluate
compile            a function, recorded at its first call and replayed in C with its gradient
take, fori         entries of tables and loops with a bound, in such functions
load               what a compiled function's `save` wrote, ready to replay without its source
nn, optim          layers, losses and optimisers (modules; no extra import needed)
errors             every exception gradwalk raises; `GradwalkError` is the base of all
"""

import importlib as _importlib
import typing as _typing

from gradwalk import errors as _errors

if _errors.is_command():
    import signal as _signal

    # Ctrl-C while a command is imported ends it without a traceback; `main` takes over from here.
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

try:
    _importlib.import_module("gradwalk.engine")
except ImportError as _error:
    # A command gets a line, not a traceback; and this runs before any line of gradwalk.cli.
    _errors.end_command(_error)
    raise

from gradwalk.engine import (
    Buffers,
    Value,
    backend,
    cross_entropy,
    detach,
    detect_anomaly,
    dot,
    fori,
    layernorm,
    linear,
    log_softmax,
    logsumexp,
    mean,
    no_grad,
    rmsnorm,
    scope,
    softmax,
    source_lines,
    strict,
    sum,  # noqa: A004
    take,
    zero_grad,
)
from gradwalk.errors import (
    AnomalyError,
    BackendError,
    BackwardError,
    CheckpointError,
    ExpressionError,
    GradientDroppedError,
    GradientDroppedWarning,
    GradwalkError,
    GraphError,
    LoopError,
    OperandError,
    OrderError,
    ProgramError,
    ProgramFileError,
    RecordingError,
    ScriptError,
    TakeError,
    UsageError,
)
from gradwalk.graph import Graph, Node, snapshot
from gradwalk.ops import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cbrt,
    clip,
    cos,
    cosh,
    digamma,
    erf,
    erfc,
    exp,
    exp2,
    expm1,
    floor,
    gamma,
    gelu,
    hypot,
    leaky_relu,
    lgamma,
    log,
    log1p,
    log2,
    log10,
    maximum,
    minimum,
    polygamma,
    relu,
    sigmoid,
    sign,
    silu,
    sin,
    sinh,
    softplus,
    sqrt,
    tan,
    tanh,
    where,
)
from gradwalk.paths import Path, Paths, paths
from gradwalk.walk import Walk, walk

if _typing.TYPE_CHECKING:
    from gradwalk import errors, nn, optim
    from gradwalk.expr import Expression, parse
    from gradwalk.lab.watching import watch
    from gradwalk.program import Compiled, Program, compile, load  # noqa: A004
    from gradwalk.render import draw_dot
    from gradwalk.transforms import (
        CheckedLeaf,
        GradCheck,
        Sparse,
        custom_rule,
        fixed_point,
        grad,
        gradcheck,
        gradgradcheck,
        hessian,
        hessian_diagonal,
        hvp,
        jacobian,
        jvp,
        root,
        solve,
        sparse_hessian,
        sparse_jacobian,
        stop_gradient,
        value_and_grad,
        value_and_hessian,
        value_and_jacobian,
        vjp,
    )

__version__ = "0.1.0"

__all__ = [
    "AnomalyError",
    "BackendError",
    "BackwardError",
    "Buffers",
    "CheckedLeaf",
    "CheckpointError",
    "Compiled",
    "Expression",
    "ExpressionError",
    "GradCheck",
    "GradientDroppedError",
    "GradientDroppedWarning",
    "GradwalkError",
    "Graph",
    "GraphError",
    "LoopError",
    "Node",
    "OperandError",
    "OrderError",
    "Path",
    "Paths",
    "Program",
    "ProgramError",
    "ProgramFileError",
    "RecordingError",
    "ScriptError",
    "Sparse",
    "TakeError",
    "UsageError",
    "Value",
    "Walk",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "backend",
    "cbrt",
    "clip",
    "compile",
    "cos",
    "cosh",
    "cross_entropy",
    "custom_rule",
    "detach",
    "detect_anomaly",
    "digamma",
    "dot",
    "draw_dot",
    "erf",
    "erfc",
    "errors",
    "exp",
    "exp2",
    "expm1",
    "fixed_point",
    "floor",
    "fori",
    "gamma",
    "gelu",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "hessian",
    "hessian_diagonal",
    "hvp",
    "hypot",
    "jacobian",
    "jvp",
    "layernorm",
    "leaky_relu",
    "lgamma",
    "linear",
    "load",
    "log",
    "log1p",
    "log2",
    "log10",
    "log_softmax",
    "logsumexp",
    "maximum",
    "mean",
    "minimum",
    "nn",
    "no_grad",
    "optim",
    "parse",
    "paths",
    "polygamma",
    "relu",
    "rmsnorm",
    "root",
    "scope",
    "sigmoid",
    "sign",
    "silu",
    "sin",
    "sinh",
    "snapshot",
    "softmax",
    "softplus",
    "solve",
    "source_lines",
    "sparse_hessian",
    "sparse_jacobian",
    "sqrt",
    "stop_gradient",
    "strict",
    "sum",
    "take",
    "tan",
    "tanh",
    "value_and_grad",
    "value_and_hessian",
    "value_and_jacobian",
    "vjp",
    "walk",
    "watch",
    "where",
    "zero_grad",
]

# Imported when first used: a script that only wants Value does not wait for them.
_LATER = {
    name: module
    for module, names in {
        "gradwalk.errors": "errors",
        "gradwalk.expr": "Expression parse",
        "gradwalk.lab.watching": "watch",
        "gradwalk.nn": "nn",
        "gradwalk.optim": "optim",
        "gradwalk.program": "Compiled Program compile load",
        "gradwalk.render": "draw_dot",
        "gradwalk.transforms": """
            CheckedLeaf GradCheck Sparse custom_rule fixed_point grad gradcheck gradgradcheck
            hessian hessian_diagonal hvp jacobian jvp root solve sparse_hessian sparse_jacobian
            stop_gradient value_and_grad value_and_hessian value_and_jacobian vjp
        """,
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> object:
    if name == "record":
        raise AttributeError("gradwalk.record is gradwalk.compile(f).record(*example) now")
    if name not in _LATER:
        raise AttributeError(f"module 'gradwalk' has no attribute {name!r}")
    from importlib import import_module

    found: object = import_module(_LATER[name])
    if _LATER[name] != f"gradwalk.{name}":
        found = getattr(found, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})
