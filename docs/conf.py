"""Sphinx settings; `python3 x.py docs` builds, tests/test_docs.py runs the examples."""

import tomllib
from pathlib import Path

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
