"""The generated files are what tools/stubs.py makes of today's table."""

import importlib.util
from pathlib import Path

import pytest

from gradwalk import Value, ops

ROOT = Path(__file__).parent.parent


def load_tool(name="stubs"):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


def test_the_stub_is_current():
    tool = load_tool()
    assert tool.STUB.read_text("utf-8") == tool.stub(), "run: python3 x.py fix"


def test_the_package_exports_the_functions_of_the_table():
    tool = load_tool()
    assert tool.PACKAGE.read_text("utf-8") == tool.package(), "run: python3 x.py fix"


def test_a_rule_that_the_browser_cannot_have_is_named_with_its_line():
    tool = load_tool("web_rows")
    translator = tool.Translator("odd = Op('odd', 'x', lambda x: [x], (lambda out, x: x.real,))")
    with pytest.raises(SystemExit, match=r"ops.py:1: '\[x\]' has no translation"):
        translator.rule(translator.rows["odd"].args[2])


def test_every_method_in_the_stub_is_there_at_run_time():
    for op in ops.TABLE:
        for name in (op.name, *op.aliases):
            assert callable(getattr(Value, name, None)) == op.is_method, name
