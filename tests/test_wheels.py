"""What is published: settings that must agree with each other, without building anything.

`python3 x.py wheels` builds and tests; this holds its settings together.
"""

import re
import tomllib
from pathlib import Path

import gradwalk

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
VERSIONS = [
    word.rpartition(" ")[2] for word in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", word)
]
WORKFLOWS = {file.name: file.read_text("utf-8") for file in ROOT.glob(".github/workflows/*.yml")}


def test_the_python_versions_agree_in_the_classifiers_the_wheels_and_the_docs() -> None:
    minors = range(11, 11 + len(VERSIONS))
    assert [f"3.{minor}" for minor in minors] == VERSIONS
    assert PROJECT["requires-python"] == f">={VERSIONS[0]}"
    tags = [f"cp{version.replace('.', '')}" for version in VERSIONS]
    built = PYPROJECT["tool"]["cibuildwheel"]["build"]
    assert built == [*(f"{tag}-*" for tag in tags), f"{tags[-1]}t-*"]
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    assert f"CPython {VERSIONS[0]} to {VERSIONS[-1]}" in page


def test_a_wheel_without_c_is_never_built_by_accident() -> None:
    settings = PYPROJECT["tool"]["cibuildwheel"]
    for part in (settings, settings["windows"]):  # a platform's environment replaces the common one
        assert part["environment"]["GRADWALK_REQUIRE_NATIVE"] == "1"
    assert not any("environment" in settings[name] for name in ("linux", "macos"))
    assert "GRADWALK_REQUIRE_NATIVE" in (ROOT / "src" / "CMakeLists.txt").read_text("utf-8")


def test_each_machine_of_the_settings_has_a_job() -> None:
    settings = PYPROJECT["tool"]["cibuildwheel"]
    wanted = [arch for name in ("linux", "macos", "windows") for arch in settings[name]["archs"]]
    assert re.findall(r"archs: (\w+) }", WORKFLOWS["wheels.yml"]) == wanted


def test_the_workflows_run_commands_of_this_checkout_and_store_no_secret() -> None:
    rows = re.findall(r"x\.py wheels (.+)", WORKFLOWS["wheels.yml"])
    assert rows == ["sdist pure sbom"]
    assert "run: .ci/run" in WORKFLOWS["ci.yml"]
    for text in WORKFLOWS.values():
        assert "secrets." not in text
        assert re.search(r"^permissions:\n  contents: read$", text, re.MULTILINE)


def test_one_version_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(r"^version: (.+)", citation, re.MULTILINE) == [PROJECT["version"]]
    assert gradwalk.__version__ == PROJECT["version"]


def test_the_notices_of_what_the_lab_is_built_from_ship_with_the_licence() -> None:
    assert "LICENSE" in PROJECT["license-files"]
    (notices,) = set(PROJECT["license-files"]) - {"LICENSE"}
    text = (ROOT / notices).read_text("utf-8")
    assert {"lit", "@codemirror/view"} <= set(re.findall(r"^(\S+)\n=+$", text, re.MULTILINE))
    exported = (ROOT / notices).with_name("export.html").read_text("utf-8")
    assert "BSD 3-Clause License" in exported.partition("<html")[0]
