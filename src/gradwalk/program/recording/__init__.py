"""Recording: a function is run once on `Traced` values, and what it computes becomes a program.

recorder   runs the function, and says what a recording cannot hold   (start reading here)
rewrite    the function's syntax tree, with each call handed to the recorder
lower      its branches and loops, with each condition handed to `branches`; before that, `cases`
           writes `match` as `if`, and `syntax` has the pieces that both are made of
branches   what lowered code asks: both sides of an `if`, rounds of a loop, selections
filtered   comprehensions whose `if` is recorded; `matching`: what a `match` asks
calls      decides about each call: left alone, followed, or replaced by its recorded form
forms      functions of math and numpy, written in operations that can be recorded
texts      the text of a recorded value, which can only be printed

The part that runs once per operation is `program.trace`, which has a version in C.
"""

from __future__ import annotations

from gradwalk.program.recording.recorder import Tape, Traced, recorded

__all__ = ["Tape", "Traced", "recorded"]
