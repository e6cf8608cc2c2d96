"""Record a scalar Python function once, then replay it with its gradient, at the speed of C.

compiled     what a user holds: compile, record, value_and_grad, map, step   (start reading here)
structure    arguments and results: numbers in lists, dicts, arrays
record       running a function on values that write down what is done to them
rewrite      its syntax tree, with each call handed to the recording
calls        what such a call does: recorded forms, and functions that are followed
tape         the part of it that runs once an operation, with a twin in C
ir           the program, as plain data
interpreter  replay in Python, the specification; `_replay` is its twin in C, `chosen` picks one
training     an optimiser's loop over arrays
files        save and load
"""

from __future__ import annotations

from gradwalk.program.compiled import Compiled, compile, record  # noqa: A004
from gradwalk.program.files import load
from gradwalk.program.ir import Program
from gradwalk.program.record import Traced
from gradwalk.program.training import Trainer

__all__ = ["Compiled", "Program", "Traced", "Trainer", "compile", "load", "record"]
