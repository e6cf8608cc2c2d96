"""Pythons in processes of their own: for what may crash, and for what is read at the start."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import gradwalk

SOURCE = str(Path(gradwalk.__file__).parents[1])


def process(
    *words: Any, env: dict[str, str] | None = None, **settings: Any
) -> subprocess.CompletedProcess[str]:
    """Run Python with these words; `env` is beside the environment of the tests."""
    return subprocess.run(
        [sys.executable, *map(str, words)],
        check=settings.pop("check", False),
        env={**os.environ, **(env or {})},
        **{"capture_output": True, "encoding": "utf-8", **settings},
    )


def run(script: str, backend: str = "native", **settings: Any) -> str:
    """Return what a script prints on an engine; where it fails, so does the test."""
    env = {"GRADWALK_BACKEND": backend, "PYTHONPATH": SOURCE}
    answer = process("-X", "faulthandler", "-c", script, env=env, **settings)
    assert answer.returncode == 0, f"exit code {answer.returncode}\n{answer.stderr[-3000:]}"
    return answer.stdout
