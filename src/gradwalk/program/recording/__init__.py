"""Recording: a function is run once on `Traced` values, and what it computes becomes a program.

recorder   runs the function, and says what a recording cannot hold   (start reading here)
rewrite    the function's syntax tree, with each call handed to the recorder
lower      its branches and loops, with each condition handed to `branches`; `syntax` has the pieces
proof      which branches and loops may be merged; all others follow Python
branches   what lowered code asks: both sides of an `if`, rounds of a loop, selections
calls      decides about each call: left alone, followed, or replaced by its recorded form
forms      functions of math and numpy, written in operations that can be recorded

The part that runs once per operation is `program.trace`, which has a version in C.
"""

from __future__ import annotations

from gradwalk.program.recording.recorder import (
    How,
    Tape,
    Traced,
    package_of,
    recorded,
    run_once,
    without_our_frames,
)

__all__ = ["How", "Tape", "Traced", "package_of", "recorded", "run_once", "without_our_frames"]
