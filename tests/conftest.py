"""Settings for the whole test run; fixtures live beside the tests that use them."""

import gc
import os
import signal
import tempfile

import pytest
from hypothesis import settings
from support.replays import BACKENDS

from gradwalk.program import backends

# Output must not depend on the terminal that the tests are started from.
for variable in ("COLUMNS", "FORCE_COLOR", "NO_COLOR"):
    os.environ.pop(variable, None)

# Labs that tests start are not among those of whoever runs the tests.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="gradwalk-tests-")
os.environ["GRADWALK_CACHE"] = ""  # nor are the decisions that `gradwalk run` keeps

# A shell starts what is in the background with Ctrl-C ignored, and that passes on to all it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline: no test fails by the clock. The blob lets anyone replay a failure.
settings.register_profile("gradwalk", deadline=None, print_blob=True)
settings.load_profile("gradwalk")


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run the test once on each back end of `gradwalk.program` that is built."""
    monkeypatch.setattr(backends, "replay", BACKENDS[request.param])
    return request.param


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the longest, the lab in a browser, so that no worker waits for it at the end."""
    items.sort(key=lambda item: item.path.name != "test_lab_browser.py")


def pytest_collection_finish() -> None:
    """Take ten thousand collected tests out of what each `gc.collect()` of a test looks through."""
    gc.collect()
    gc.freeze()
