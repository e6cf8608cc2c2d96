"""What a class that runs as written costs: the share of the time that is spent in its methods."""

from __future__ import annotations

import sys
import threading
import time
from types import CodeType, FrameType

__all__ = ["Profile"]

_INTERVAL = 0.005
_FEWEST = 40  # samples below which there is nothing to say
_FRAMES = 60  # calls that are looked through, from the innermost outward


class Profile:
    """Looks at the main thread every few milliseconds, once it is started."""

    def __init__(self) -> None:
        self._codes: set[CodeType] = set()
        self._names: list[str] = []
        self._inside = self._samples = 0
        self._began = 0.0
        self._thread: threading.Thread | None = None
        self._main = threading.get_ident()

    def watch(self, theirs: type) -> None:
        """Count the methods of this class from now on."""
        for member in vars(theirs).values():
            code = getattr(getattr(member, "__func__", member), "__code__", None)
            if isinstance(code, CodeType):
                self._codes |= _with_inner(code)
        self._names.append(theirs.__name__)
        if self._thread is None:
            self._began = time.perf_counter()
            self._thread = threading.Thread(target=self._look, daemon=True)
            self._thread.start()

    def text(self) -> str:
        """Return what a replacement would save at most; nothing after a short run."""
        if self._samples < _FEWEST:
            return ""
        seconds = time.perf_counter() - self._began
        share = self._inside / self._samples
        names = " and ".join(dict.fromkeys(self._names))
        return (
            f"class {names} took {share:.0%} of {seconds:.1f} s; "
            f"on gradwalk's Value the run would save up to {share * seconds:.1f} s"
        )

    def _look(self) -> None:
        while True:
            time.sleep(_INTERVAL)
            frame: FrameType | None = sys._current_frames().get(self._main)
            self._samples += 1
            for _ in range(_FRAMES):
                if frame is None:
                    break
                if frame.f_code in self._codes:
                    self._inside += 1
                    break
                frame = frame.f_back


def _with_inner(code: CodeType) -> set[CodeType]:
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return {code}.union(*[_with_inner(one) for one in inner])
