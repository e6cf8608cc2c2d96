"""Scripts that may crash Python, each in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import gradwalk


def run(script: str) -> str:
    """Return what a script prints on the native engine; where it fails, so does the test."""
    source = str(Path(gradwalk.__file__).parents[1])
    answer = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", script],
        env={**os.environ, "GRADWALK_BACKEND": "native", "PYTHONPATH": source},
        capture_output=True,
        check=False,
        text=True,
    )
    assert answer.returncode == 0, f"exit code {answer.returncode}\n{answer.stderr[-3000:]}"
    return answer.stdout
