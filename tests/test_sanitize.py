"""`x.py sanitize`: a report fails it, wherever it comes from, and so does having no sanitizer."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOL = ROOT / "tools" / "sanitize.py"

# A test that passes, whatever the process that it starts reads after it was freed.
READS_FREED_MEMORY = '''
import subprocess, sys
import gradwalk

SCRIPT = """
import ctypes
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
block = libc.malloc(16)
libc.free(block)
ctypes.string_at(block, 8)
"""

def test_it():
    assert gradwalk.backend() == "native"
    assert "gradwalk-sanitize-" in gradwalk.__file__
    subprocess.run([sys.executable, "-c", SCRIPT])
'''


def sanitized(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TOOL), "--base", "--jobs", "1", *arguments],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        check=False,
        text=True,
    )


def test_a_report_in_any_process_fails_it(tmp_path: Path) -> None:
    if not shutil.which(os.environ.get("CC", "gcc")) and not os.environ.get("CI"):
        pytest.skip("no compiler here")
    test = tmp_path / "test_it.py"
    test.write_text(READS_FREED_MEMORY)
    answer = sanitized(str(test))
    assert "1 passed" in answer.stdout, answer.stdout + answer.stderr
    assert answer.returncode == 1
    assert "AddressSanitizer: heap-use-after-free" in answer.stderr
    assert answer.stderr.endswith("sanitize: FAILED\n")


def test_a_compiler_without_sanitizers_fails_it_loudly(tmp_path: Path) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text('#!/bin/sh\necho "${1#-print-file-name=}"\n')  # as gcc says: not found
    compiler.chmod(0o755)
    for name in (str(compiler), "/nowhere/cc"):
        answer = sanitized("tests/test_ops.py", CC=name)
        assert answer.returncode == 1
        assert "NOTHING was checked" in answer.stderr
