"""A learner's `Value` in this process, where there is no other: Python in a web page.

The page is the sandbox: a worker that it can end at any moment, without network and storage. The
answers of `Trial` are read with the same distrust as those of a process. Time is kept by
`sys.monitoring`: a call or a jump back after the deadline raises. Code that never comes back to
Python, such as `10 ** 10 ** 10`, is up to the page.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Generator, Mapping
from functools import partial
from importlib import import_module
from time import monotonic
from typing import Any

from gradwalk.practice.judge.borrowed import AUTODIFF
from gradwalk.practice.judge.learner import Answer, Learner, believed, read_answers, read_loaded
from gradwalk.practice.judge.trial import Trial
from gradwalk.scripts.reading import BACKWARD


class _LateError(BaseException):
    """The time is up."""


class LearnerInside(Learner):
    """A `Learner` without a process of its own."""

    _trial: Trial | None = None

    def load(self) -> Answer:
        self.stop()
        submission = self.submission
        self._trial = Trial(submission.path, submission.source, BACKWARD, AUTODIFF)
        return self._answer(self._trial.load, read_loaded)

    def ask(self, job: Mapping[str, Any]) -> Answer:
        assert self._trial is not None
        return self._answer(partial(self._trial.answer, dict(job)), read_answers(job))

    def stop(self) -> None:
        trial, self._trial = self._trial, None
        sys.modules.pop("learner", None)
        if trial in sys.meta_path:
            sys.meta_path.remove(trial)  # pyright: ignore[reportArgumentType]

    def _answer(self, work: Callable[[], Answer], read: Callable[[Answer], Answer]) -> Answer:
        begin = monotonic()
        end = begin + min(self.seconds, max(self.left, 0.0))
        with _hidden(AUTODIFF):
            found = _until(end, work)
        self.left -= monotonic() - begin
        if found is None or monotonic() > end:
            return self._late()
        line = json.dumps({**found, "id": "this"}, default=str)
        return believed(line, "this", read) or self._late()


@contextlib.contextmanager
def _hidden(names: tuple[str, ...]) -> Generator[None]:
    """Take packages of these names out of `sys.modules`, so that importing one looks for it."""
    found = [name for name in sys.modules if name.partition(".")[0] in names]
    hidden = {name: sys.modules.pop(name) for name in found}
    limit, path = sys.getrecursionlimit(), list(sys.path)
    try:
        yield
    finally:
        sys.modules.update(hidden)
        sys.setrecursionlimit(limit)
        sys.path[:] = path


def _until(end: float, work: Callable[[], Answer]) -> Answer | None:
    """Return what `work` does, or None if the time was up before it was done."""
    watch: Any = import_module("sys").monitoring  # since Python 3.12
    tool, calls, jumps = watch.DEBUGGER_ID, watch.events.PY_START, watch.events.JUMP

    def look(*_: object) -> None:
        if monotonic() > end:
            raise _LateError

    watch.use_tool_id(tool, "gradwalk judge")
    watch.register_callback(tool, calls, look)
    watch.register_callback(tool, jumps, look)
    try:
        watch.set_events(tool, calls | jumps)
        return work()
    except _LateError:
        return None
    finally:  # nothing written in Python is called before the events are off
        watch.set_events(tool, 0)
        watch.free_tool_id(tool)
