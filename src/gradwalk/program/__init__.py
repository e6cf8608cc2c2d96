"""Record a scalar Python function once, then replay it with its gradient, at the speed of C.

compiled     what a user holds: compile, and its methods   (start reading here)
options      what compile was told
recordings   its programs, one for each structure of arguments
structure    arguments and results: numbers in lists, dicts, arrays
tree         what holds others, taken apart and put together
recording    running a function on values that write down what is done to them
trace        the part of it that runs once per operation, with a version in C
ir           the program, as plain data
loops        the loops found again in one
interpreter  replay in Python, the specification; `_replay` is the same in C
backends     which of the two runs
map          many scenarios
train        an optimiser's loop over arrays
inspection   a compiled program as text
files        save and load
"""

from __future__ import annotations

from gradwalk.program.compiled import Compiled, compile, load  # noqa: A004
from gradwalk.program.ir import Program

__all__ = ["Compiled", "Program", "compile", "load"]

_GONE = {
    "record": "write gradwalk.compile(f).record(*example)",
    "Traced": "it is the type of the numbers in a function that is being recorded; ask with "
    "isinstance(x, (int, float)), which holds for them, too",
    "Trainer": "it is the type of f.train(optimizer)",
}


def __getattr__(name: str) -> object:
    remedy = f": {_GONE[name]}" if name in _GONE else ""
    raise AttributeError(f"module 'gradwalk.program' has no attribute {name!r}{remedy}")
