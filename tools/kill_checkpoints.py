"""Kills a process that writes checkpoints, over and over, and looks at what is left each time.

Whenever SIGKILL comes, the checkpoint must be whole, no older than the last one that the writer
has reported, and no temporary file may outlive the next write. Exit code 1 says that one was not.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from array import array
from pathlib import Path

from gradwalk.errors import CheckpointError
from gradwalk.gpt.checkpoint import load, save

NUMBERS = 40_000  # 320 KB: a write takes long enough to be met in its middle

WRITER = """
import sys
from array import array
from gradwalk.gpt.checkpoint import save
path, first, numbers = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for turn in range(first, first + 1_000_000):
    save(path, {"x": ((numbers,), array("d", [turn]) * numbers)}, {"turn": str(turn)})
    print(turn, flush=True)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where to write (a temporary folder)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        return torture(given.folder or Path(temporary), given.kills, random.Random(given.seed))


def torture(folder: Path, kills: int, rng: random.Random) -> int:
    path = folder / "run.safetensors"
    save(path, {"x": ((NUMBERS,), array("d", [0]) * NUMBERS)}, {"turn": "0"})
    turn = written = in_the_middle = 0
    faults: list[str] = []
    for kill in range(kills):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(turn + 1), str(NUMBERS)],
            stdout=subprocess.PIPE,
        )
        assert writer.stdout is not None
        reported = [int(writer.stdout.readline())]  # it is past its imports: the clock starts here
        time.sleep(rng.uniform(0, 0.02))
        writer.kill()
        reported += [int(line) for line in writer.stdout if line.endswith(b"\n")]
        writer.wait()
        writer.stdout.close()
        in_the_middle += len(list(folder.glob(".*.tmp")))
        try:
            tensors, metadata = load(path)
        except (CheckpointError, OSError) as error:
            faults.append(f"kill {kill}: {error}")
            break
        turn = int(metadata["turn"])
        if turn < reported[-1]:
            faults.append(f"kill {kill}: turn {reported[-1]} was reported, {turn} is there")
        if set(tensors["x"][1]) != {float(turn)}:
            faults.append(f"kill {kill}: the numbers are not those of turn {turn}")
        written += len(reported)
    save(path, {"x": ((1,), array("d", [0]))}, {})
    if left := list(folder.glob(".*.tmp")):
        faults.append(f"{len(left)} temporary files were not cleaned up")
    print(f"{kills} kills, {in_the_middle} of them in the middle of a write, {written} writes")
    print("\n".join(faults) or "no checkpoint was corrupt or lost, no temporary file is left")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
