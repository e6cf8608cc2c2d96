"""`gradwalk lab --export DIR`: the lab as plain files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from gradwalk.cli import main
from gradwalk.errors import GradwalkError
from gradwalk.lab.assets import copy_to


def test_a_copy_has_every_file_that_the_page_asks_for(tmp_path: Path) -> None:
    written = copy_to(tmp_path / "lab")
    names = {path.name for path in written}
    assert {"index.html", "app.js", "app.css", "embed.js", "export.html", "licences.txt"} <= names
    assert any(name.startswith("chunk-") for name in names)
    page = (tmp_path / "lab" / "index.html").read_text()
    assert "Content-Security-Policy" in page
    assert "trusted-types lit-html" in page


def test_a_copy_goes_over_an_older_copy_and_over_nothing_else(tmp_path: Path) -> None:
    copy_to(tmp_path / "lab")
    (tmp_path / "lab" / "chunk-old-AAAAAAAA.js").write_text("")
    copy_to(tmp_path / "lab")
    assert not (tmp_path / "lab" / "chunk-old-AAAAAAAA.js").exists()
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("")
    with pytest.raises(GradwalkError, match="holds other files"):
        copy_to(other)
    with pytest.raises(GradwalkError, match="is a file"):
        copy_to(other / "thesis.tex")
    assert [entry.name for entry in other.iterdir()] == ["thesis.tex"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
@pytest.mark.parametrize("name", ["index.html", "app.js"])
def test_a_copy_does_not_follow_a_link_out_of_its_folder(tmp_path: Path, name: str) -> None:
    victim, folder = tmp_path / "victim", tmp_path / "lab"
    victim.write_text("mine")
    folder.mkdir()
    (folder / "licences.txt").write_text("as in an older copy")
    (folder / name).symlink_to(victim)
    with pytest.raises(GradwalkError, match="is a link"):
        copy_to(folder)
    assert victim.read_text() == "mine"


def test_the_command_writes_the_copy_and_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "--export", str(tmp_path / "lab"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["folder"] == str(tmp_path / "lab")
    assert str(tmp_path / "lab" / "index.html") in said["files"]
