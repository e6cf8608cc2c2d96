"""The browser lab, by its own test suite: `npm test` in web/, one pytest test for each folder.

It needs Node, `npm install --no-save` in web/ and, for the browser tests, a Chromium. Where one is
missing the test is skipped and says which; with CI=true it fails, so that nobody mistakes silence
for success.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

WEB = Path(__file__).parent.parent / "web"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def missing(folder: str) -> str:
    """What `folder` needs and this machine does not have, with the way to get it; or nothing."""
    if shutil.which("node") is None:
        return "node is missing: install Node 20 or newer"
    if not (WEB / "node_modules" / "esbuild").is_dir():
        return "web/node_modules is missing: run `npm install --no-save` in web/"
    chromium = os.environ.get("GRADWALK_CHROMIUM") or any(map(shutil.which, BROWSERS))
    if folder == "browser" and not chromium:
        return "a Chromium is missing: `apt-get install -y chromium`, or set GRADWALK_CHROMIUM"
    return ""


@pytest.mark.parametrize("folder", ["unit", "browser"])
def test_the_lab_passes_its_own_tests(folder: str) -> None:
    if reason := missing(folder):
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(f"THE LAB IS NOT TESTED: {reason}")
    done = subprocess.run(
        ["node", "test/run.mjs", folder],
        cwd=WEB,
        env={**os.environ, "GRADWALK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-4_000:]
