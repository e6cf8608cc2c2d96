"""Sphinx settings; `python3 x.py docs` builds, tests/test_docs.py runs the examples."""

import os
import re
import sys
import tomllib
from pathlib import Path

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS), str(DOCS.parent / "tools")]

from directives import DIRECTIVES  # noqa: E402
from pages import commands_in, failed_examples, run  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402

import lessons  # noqa: E402
from gradwalk.lab.lessons import course, notebook, slides  # noqa: E402
from gradwalk.lab.site import find_pyodide, write_site  # noqa: E402

pyproject = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))

project = pyproject["project"]["name"]
release = pyproject["project"]["version"]
author = "gradwalk contributors"
project_copyright = author

extensions = ["myst_parser"]
exclude_patterns = ["_build"]
myst_heading_anchors = 3
nitpicky = True  # every reference leads somewhere, or the build fails

PICTURES = DOCS / "_build" / "gallery"

html_theme = "furo"
html_title = f"{project} {release}"
# The lessons as slides and notebooks, beside the pages that link to them.
html_extra_path = ["_build/course"]
for language, name in lessons.PAGES.items():
    (DOCS / name).write_text(lessons.page(language), "utf-8")
    folder = DOCS / "_build" / "course" / "course" / language
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "slides.html").write_text(slides(course(language), language), "utf-8")
    for number, one in enumerate(course(language), 1):
        file = folder / f"{number:02}-{one['id']}.ipynb"
        file.write_text(notebook(one, language), "utf-8")
html_static_path = ["_static", "_build/gallery"]
html_favicon = "_static/mark.svg"
html_css_files = ["style.css"]
html_js_files = [("page.js", {"defer": "defer"})]
html_copy_source = False


def draw_gallery() -> None:
    """Run the examples of gallery.md in a folder of the build: they write the pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page = (DOCS / "gallery.md").read_text("utf-8")
    wrong = [run(command, PICTURES) for command in commands_in(page)]
    here = Path.cwd()
    os.chdir(PICTURES)
    try:
        wrong.append(failed_examples(page, "gallery.md"))
    finally:
        os.chdir(here)
    if any(wrong):
        raise RuntimeError("gallery.md: " + "\n".join(wrong))


def without_empty_ends(_app: Sphinx, _name: str, source: list[str]) -> None:
    """Doctest needs an empty line behind the last output; a reader does not."""
    source[0] = re.sub(r"\n\n```$", "\n```", source[0], flags=re.MULTILINE)


def add_lab(app: Sphinx, error: Exception | None) -> None:
    """Put the lab beside the pages, with the Python that runs their examples."""
    if error is None and app.builder.format == "html":
        write_site(Path(app.outdir) / "lab", find_pyodide(DOCS))


def setup(app: Sphinx) -> None:
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    app.connect("source-read", without_empty_ends)
    app.connect("build-finished", add_lab)
    if find_pyodide(DOCS):  # else no example has a button to run it
        app.add_js_file(None, body="globalThis.gradwalkRuns = true")
    draw_gallery()
