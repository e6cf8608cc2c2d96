"""The browser lab and the built docs, by the tests in web/test, which run in Node.

It needs Node, `npm ci` in web/ and, for the browser tests, a Chromium. Where one is
missing the test is skipped and says which; in CI it fails, so that nobody mistakes silence
for success.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

import pytest

WEB = Path(__file__).parent.parent / "web"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def missing(folder: str) -> str:
    """What `folder` needs and this machine does not have, with the way to get it; or nothing."""
    if shutil.which("node") is None:
        return "node is missing: install Node 20 or newer"
    if not (WEB / "node_modules" / "esbuild").is_dir():
        return "web/node_modules is missing: run `npm ci` in web/"
    chromium = os.environ.get("GRADWALK_CHROMIUM") or any(map(shutil.which, BROWSERS))
    if folder == "browser" and not chromium:
        return "a Chromium is missing: `apt-get install -y chromium`, or set GRADWALK_CHROMIUM"
    return ""


def need(folder: str, more: str = "") -> None:
    if reason := missing(folder) or more:
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(f"THE LAB IS NOT TESTED: {reason}")


@pytest.mark.slow
@pytest.mark.browser
def test_the_docs_work_in_a_browser() -> None:
    built = WEB.parent / "docs" / "_build" / "html" / "index.html"
    need("browser", "" if built.exists() else "the docs are not built: run `python3 x.py docs`")
    done = node("--test", "test/docs/docs.test.mjs")
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-4_000:]


def test_the_lab_passes_its_own_tests() -> None:
    need("unit")
    done = node("test/run.mjs", "unit", "core")
    assert done.returncode == 0, "\n".join(failures(done.stdout)) or done.stdout[-12_000:]


# Shares of the browser's tests, one process and one browser each. What axe says of every page, and
# the lab that runs Python in the page, take the longest, and an ordinary change alters neither.
FILES = sorted(map(str, (WEB / "test" / "browser").glob("*.test.mjs")))
SLOW = [file for file in FILES if file.endswith(("/axe.test.mjs", "/site.test.mjs"))]
USUAL = [file for file in FILES if file not in SLOW]


@pytest.mark.browser
@pytest.mark.parametrize(
    "files",
    [
        *(USUAL[share::3] for share in range(3)),
        *(pytest.param([file], marks=pytest.mark.slow) for file in SLOW),
    ],
    ids=["a third", "another third", "the last third", "axe", "site"],
)
def test_the_lab_works_in_a_browser(files: list[str]) -> None:
    need("browser")
    done = together(files)
    said = "\n".join(failures(done.stdout)) or done.stdout[-12_000:] + done.stderr[-4_000:]
    assert done.returncode == 0, said


def together(files: list[str]) -> Any:
    """Run files of tests in one process, in which they share a browser and a lab."""
    imports = "".join(f"import {json.dumps(file)};" for file in files)
    return node("--test-reporter=tap", "--input-type=module", "--eval", imports)


def node(*words: str) -> Any:
    # Files and no pipes: a process that Node left behind would keep a pipe open, and this waiting.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        env = {**os.environ, "GRADWALK_PYTHON": sys.executable}
        own = subprocess.Popen(
            ["node", *words], cwd=WEB, env=env, stdout=out, stderr=err, start_new_session=True
        )
        code = None
        try:
            code = own.wait(timeout=450)
        except subprocess.TimeoutExpired:
            pass
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(own.pid, signal.SIGKILL)
            own.wait()
        said, wrong = whole(out), whole(err)
    if code is None:
        pytest.fail(f"Node did not end. It said last:\n{said[-4_000:]}{wrong[-2_000:]}")
    return subprocess.CompletedProcess(words, code, said, wrong)


def whole(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def failures(said: str) -> list[str]:
    """Return what Node says of each test that failed."""
    return [f"not ok{block}" for block in re.findall(r"^not ok(.*?)^  \.\.\.$", said, re.M | re.S)]


def test_failures_are_read_from_what_node_says() -> None:
    said = (
        "ok 1 - a\n  ---\n  ...\nnot ok 2 - b\n  ---\n  location: '/w/x.test.mjs:3:1'\n  ...\nok 3"
    )
    (block,) = failures(said)
    assert block.startswith("not ok 2 - b")
    assert "/w/x.test.mjs:3:1" in block


def test_a_process_that_node_leaves_behind_is_not_waited_for() -> None:
    need("unit")
    script = (
        'const { spawn } = require("node:child_process");'
        'spawn("sleep", ["1000"], { stdio: "inherit" }).unref(); console.log("said");'
    )
    done = node("--eval", script)
    assert (done.returncode, done.stdout) == (0, "said\n")
