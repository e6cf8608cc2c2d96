"""Record a scalar Python function once, then replay it with its gradient, at the speed of C.

compiled     what a user holds: compile, record, value_and_grad   (start reading here)
recordings   its programs, one for each structure of arguments
structure    arguments and results: numbers in lists, dicts, arrays
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

from gradwalk.program.compiled import Compiled, compile, record  # noqa: A004
from gradwalk.program.files import load
from gradwalk.program.ir import Program
from gradwalk.program.recording import Traced
from gradwalk.program.train import Trainer

__all__ = ["Compiled", "Program", "Traced", "Trainer", "compile", "load", "record"]
