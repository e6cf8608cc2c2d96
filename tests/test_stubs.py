"""The generated stub is what tools/stubs.py makes of today's operation table."""

import importlib.util
from pathlib import Path

from gradwalk import Value, ops

ROOT = Path(__file__).parent.parent


def load_tool():
    spec = importlib.util.spec_from_file_location("stubs", ROOT / "tools" / "stubs.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


def test_the_stub_is_current():
    tool = load_tool()
    assert tool.STUB.read_text("utf-8") == tool.stub(), "run: python3 x.py fix"


def test_every_method_in_the_stub_is_there_at_run_time():
    for op in ops.TABLE:
        for name in (op.name, *op.aliases):
            assert callable(getattr(Value, name, None)) == op.is_method, name
