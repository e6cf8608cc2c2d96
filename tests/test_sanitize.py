"""`x.py sanitize`: a report fails it, wherever it comes from, and so does having no sanitizer."""

import os
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest
from support.alone import process

ROOT = Path(__file__).parent.parent
TOOL = ROOT / "tools" / "sanitize.py"


def sanitized(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return process(str(TOOL), "--base", "--jobs", "1", *arguments, cwd=ROOT, env=variables)


def test_a_report_in_any_process_fails_it(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.syspath_prepend(str(TOOL.parent))
    import sanitize  # from tools/

    libraries = sanitize.sanitizer_libraries()
    if not libraries and not os.environ.get("CI"):
        pytest.skip("no sanitizers here")

    def passes(kind: str, folder: Path, variables: dict[str, str], *_: object) -> bool:
        script = [sys.executable, "-c", sanitize.READS_FREED]  # tests that pass, whatever it reads
        subprocess.run(script, env={**os.environ, **variables}, capture_output=True, check=False)
        return False

    monkeypatch.setattr(sanitize, "part", passes)
    options = Namespace(tests=[], base=True, jobs=1)
    assert sanitize.sanitize(tmp_path, libraries, options) == 1
    said = capsys.readouterr().err
    assert "AddressSanitizer: heap-use-after-free" in said
    assert said.endswith("sanitize: FAILED\n")


def test_a_compiler_without_sanitizers_fails_it_loudly(tmp_path: Path) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text('#!/bin/sh\necho "${1#-print-file-name=}"\n')  # as gcc says: not found
    compiler.chmod(0o755)
    for name in (str(compiler), "/nowhere/cc"):
        answer = sanitized("tests/test_ops.py", CC=name)
        assert answer.returncode == 1
        assert "NOTHING was checked" in answer.stderr
