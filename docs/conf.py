"""Sphinx settings; `python3 x.py docs` builds, tests/test_docs.py runs the examples."""

import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import lesson_forms

pyproject = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))

project = pyproject["project"]["name"]
release = pyproject["project"]["version"]
author = "gradwalk contributors"
project_copyright = author

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"

html_theme = "furo"
html_title = f"{project} {release}"

# The lessons as slides and notebooks, beside the pages that link to them.
html_extra_path = ["_build/course"]
lesson_forms.write(Path(__file__).parent / "_build" / "course" / "course")
