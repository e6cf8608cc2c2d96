"""The README and the docs print what they claim.

tools/pages.py says which parts of a page are run, and how.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from pages import (  # noqa: E402
    Command,
    commands_in,
    failed_examples,
    run,
)

PAGES = [ROOT / "README.md"]
PAGES += sorted(
    page
    for page in ROOT.glob("docs/**/*.md")
    if "_build" not in page.parts and not page.name.startswith("lessons")  # made by the build
)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with the checkout's examples in it."""
    for name in ("examples", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_examples_are_right(page: Path) -> None:
    complaints = failed_examples(page.read_text("utf-8"), name_of(page))
    assert not complaints, complaints


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_print_what_the_page_shows(page: Path, folder: Path) -> None:
    wrong = [run(command, folder) for command in commands_in(page.read_text("utf-8"))]
    assert not any(wrong), "\n".join(wrong)


def test_every_promise_of_security_names_a_test_that_there_is() -> None:
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    rows = re.findall(r"^\| [^|]+ \| `(tests/\w+\.py)::(\w+)` \|$", page, re.M)
    assert len(rows) == page.count("\n| ") - 1  # the head
    missing = [
        name for file, name in rows if f"def {name}(" not in (ROOT / file).read_text("utf-8")
    ]
    assert missing == []


# The tests of these tests: a page that lies must be caught.


def test_a_wrong_python_example_is_caught_with_its_line() -> None:
    page = "# Page\n\n```python\n>>> a = 2\n>>> a + 1\n{}\n```\n"
    assert failed_examples(page.format(3), "page") == ""
    complaint = failed_examples(page.format(4), "page")
    assert "line 5" in complaint
    assert "Expected:\n    4\nGot:\n    3" in complaint


def test_wrong_output_and_a_failing_command_are_caught(tmp_path, monkeypatch) -> None:
    program = tmp_path / "gradwalk"
    program.write_text('#!/bin/sh\necho "$1, $COLUMNS wide"\n[ "$1" = good ]\n')
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert run(Command(1, "gradwalk good", "good, 80 wide\n"), tmp_path) == ""
    assert run(Command(1, "gradwalk good", ""), tmp_path) == ""
    assert "it prints\ngood, 80 wide" in run(Command(1, "gradwalk good", "good\n"), tmp_path)
    assert "exit code 1" in run(Command(7, "gradwalk bad", "bad, 80 wide\n"), tmp_path)
    assert run(Command(7, "gradwalk bad 2>&1", "bad, 80 wide\n"), tmp_path) == ""


def test_the_picture_in_the_readme_is_what_the_product_draws(tmp_path: Path) -> None:
    drawn = tmp_path / "walk.svg"
    command = [sys.executable, "-m", "gradwalk", "walk", "-o", str(drawn)]
    subprocess.run(command, check=True, capture_output=True)
    shown = ROOT / "docs" / "images" / "walk.svg"
    assert shown.read_text("utf-8") == drawn.read_text("utf-8"), (
        "run: .venv/bin/gradwalk walk -o docs/images/walk.svg"
    )


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=name_of)
def test_links_to_files_of_the_checkout_lead_somewhere(page: Path) -> None:
    """Sphinx checks those between the docs; these pages are outside of them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = re.findall(r"\]\(([^):#]+)[)#]", re.sub(r"\s+", " ", text))
    assert [link for link in links if not (ROOT / link).exists()] == []
