"""The file that a training keeps its checkpoint in, whatever happens while the run goes on."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from gradwalk.cli.terminal import note
from gradwalk.gpt import Training

__all__ = ["Keeper"]


class Keeper:
    """Writes the checkpoints of one run into `file`, and never over those of another.

    Two runs may have been given one file. The second to write finds that it is not the file it
    knows, and from then on keeps its own beside it.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self._known = _mark(file)

    def save(self, training: Training) -> None:
        found = _mark(self.file)
        if found is not None and found != self._known:
            file = Path(self.file)
            beside = file.with_name(f"{file.stem}-{os.getpid()}{file.suffix}")
            note(f"{file} was written by another run meanwhile; this one goes to {beside}")
            self.file = str(beside)
        training.save(self.file)
        self._known = _mark(self.file)

    def save_last(self, training: Training) -> None:
        """Write what the run ends with; where that fails, elsewhere, and say where."""
        try:
            self.save(training)
        except OSError:
            with suppress(OSError):
                # A folder of our own: a stranger could make a file in the shared one before us.
                rescued = Path(tempfile.mkdtemp(prefix="gradwalk-")) / Path(self.file).name
                training.save(rescued)
                note(f"step {training.steps_done} is saved in {rescued} instead")
            raise


def _mark(file: str) -> tuple[int, int] | None:
    """Return what tells a file from the one that replaces it; None where there is none."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return (found.st_ino, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None
