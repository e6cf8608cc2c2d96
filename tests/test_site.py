"""`gradwalk site DIR`: the lab as plain files. web/test/browser/site.test.mjs runs its Python."""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path

import pytest

from gradwalk.cli import main
from gradwalk.errors import GradwalkError
from gradwalk.lab import page
from gradwalk.lab.site import write_site


def test_a_copy_has_every_file_that_the_page_asks_for(tmp_path: Path) -> None:
    written = write_site(tmp_path / "lab", None)
    names = {path.name for path in written}
    assert {"index.html", "app.js", "app.css", "embed.js", "export.html", "licences.txt"} <= names
    assert any(name.startswith("chunk-") for name in names)
    page = (tmp_path / "lab" / "index.html").read_text()
    assert "Content-Security-Policy" in page
    assert "trusted-types lit-html" in page


def test_every_name_of_a_script_or_sheet_in_a_copy_carries_one_version(tmp_path: Path) -> None:
    versions: set[str] = set()
    for path in write_site(tmp_path / "lab", None):
        if path.suffix == ".js" or path.name == "index.html":
            said = path.read_text("utf-8")
            references = re.findall(
                r"""["'`]((?:\./)?[\w-]+\.(?:js|css)(?:\?[^"'`]*)?)["'`]""", said
            )
            versions |= {one.rpartition("?")[2] for one in references}
    assert len(versions) == 1
    assert re.fullmatch(r"v=[0-9a-f]{12}", versions.pop())
    page = (tmp_path / "lab" / "index.html").read_text("utf-8")
    assert len(re.findall(r"\?v=", page)) > 5


def test_a_copy_goes_over_an_older_copy_and_over_nothing_else(tmp_path: Path) -> None:
    write_site(tmp_path / "lab", None)
    (tmp_path / "lab" / "chunk-old.js").write_text("")
    write_site(tmp_path / "lab", None)
    assert not (tmp_path / "lab" / "chunk-old.js").exists()
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("")
    with pytest.raises(GradwalkError, match="holds other files"):
        write_site(other, None)
    with pytest.raises(GradwalkError, match="is a file"):
        write_site(other / "thesis.tex", None)
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
        write_site(folder, None)
    assert victim.read_text() == "mine"


@pytest.fixture
def pyodide(tmp_path: Path) -> Path:
    """A folder with the files of npm's package that a site needs, all but empty."""
    folder = tmp_path / "project" / "node_modules" / "pyodide"
    folder.mkdir(parents=True)
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        (folder / name).write_text(name)
    lock = {"info": {"python": "3.14.2"}, "packages": {"numpy": {"file_name": "numpy.whl"}}}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock))
    return folder


def test_a_site_brings_python_and_the_package_and_says_so_in_its_page(
    tmp_path: Path, pyodide: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (pyodide.parent.parent / "deeper").mkdir()
    monkeypatch.chdir(pyodide.parent.parent / "deeper")  # Node would find the package from here
    assert main(["site", str(tmp_path / "site")]) == 0
    python = tmp_path / "site" / "python"
    assert (python / "pyodide.asm.wasm").read_text() == "pyodide.asm.wasm"
    assert json.loads((python / "pyodide-lock.json").read_text())["packages"] == {}
    names = zipfile.ZipFile(python / "gradwalk.zip").namelist()
    assert {"gradwalk/__init__.py", "gradwalk/lab/page.py", "gradwalk/data/names.txt"} <= {*names}
    assert "gradwalk/render/svg.css" in names  # examples in the page draw
    assert not [
        name for name in names if "static" in name or not name.endswith((".py", ".txt", ".css"))
    ]
    assert 'name="gradwalk-python"' in (tmp_path / "site" / "index.html").read_text()
    assert "Mozilla Public License" in (tmp_path / "site" / "licences.txt").read_text()
    first = (python / "gradwalk.zip").read_bytes()
    assert main(["site", str(tmp_path / "site"), "--pyodide", str(pyodide)]) == 0
    assert (python / "gradwalk.zip").read_bytes() == first


def test_a_folder_that_is_not_pyodide_is_refused_with_the_way_to_get_it(tmp_path, pyodide, capsys):
    (pyodide / "pyodide.asm.wasm").unlink()
    assert main(["site", str(tmp_path / "site"), "--pyodide", str(pyodide)]) == 2
    assert "pyodide.asm.wasm is missing: npm install pyodide@" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_the_page_runs_the_examples_of_a_page_as_one_session() -> None:
    source = ">>> import gradwalk\n>>> a = gradwalk.Value(3.0)\n>>> (a * a).backward()\n"
    source += ">>> for n in range(2):\n...     print(n)\n>>> a.grad\n>>> a.nothing\n>>> a.data\n"
    source += ">>> @gradwalk.compile\n... def f(x):\n...     if x > 0:\n...         return x\n"
    source += "...     return 0.0\n>>> f(2.0)\n"
    (_, (name, data)) = page.ask("examples", "", json.dumps({"text": source}))
    assert name == "result"
    *printed, error, last, _, kept = json.loads(data)
    assert printed == ["", "", "", "0\n1\n", "6.0\n"]
    assert error.startswith("AttributeError: ")
    assert last == "3.0\n"
    assert kept == "2.0\n"  # compile has read the source of the function


def test_an_example_that_needs_an_absent_package_says_so_and_so_do_those_after_it() -> None:
    source = ">>> 1 / 0\n>>> import absent as np\n>>> np.zeros(3)\n>>> 1 + 1\n"
    (_, (_, data)) = page.ask("examples", "", json.dumps({"text": source}))
    before, *needing, last = json.loads(data)
    assert before == "ZeroDivisionError: division by zero\n"
    assert all(text.startswith("This needs absent, which is not in this page") for text in needing)
    assert last == "2\n"


def test_the_page_asks_what_the_server_can_be_asked() -> None:
    fields = {"expression": "a*b", "values": {"a": 2, "b": 3}}
    events = list(page.ask("jobs", "gradcheck", json.dumps(fields)))
    assert [name for name, _ in events] == ["begun", "progress", "progress", "result"]
    assert [row["gradient"] for row in json.loads(events[-1][1])["leaves"]] == [3.0, 2.0]
    ((name, data),) = page.ask("answers", "program", '{"expression": 3}')
    assert (name, json.loads(data)["error"]) == ("error", "WrongField")
