"""Settings for the whole test run; fixtures live beside the tests that use them."""

import gc
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from gradwalk.program import backends, interpreter

# Output must not depend on the terminal that the tests are started from.
for variable in ("COLUMNS", "FORCE_COLOR", "NO_COLOR"):
    os.environ.pop(variable, None)

# Labs that tests start are not among those of whoever runs the tests.
STATE = tempfile.TemporaryDirectory(prefix="gradwalk-tests-")
os.environ["XDG_STATE_HOME"] = STATE.name
os.environ["GRADWALK_CACHE"] = ""  # nor are the decisions that `gradwalk run` keeps

# A shell starts what is in the background with Ctrl-C ignored, and that passes on to all it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline: no test fails by the clock. The blob lets anyone replay a failure.
settings.register_profile("gradwalk", deadline=None, print_blob=True)
settings.load_profile("gradwalk")


# What an engine decides, which `x.py test` runs on each, and what reaches the C, which sanitizers
# watch: not those whose time goes into digits of mpmath's, for other tests reach the same C.
BOTH = (
    "engine engine_operators modes copying depth nary microgpt_bits graph walk paths gradcheck "
    "program_guards program_compiled program_trace edges attributes transforms_implicit "
    "transforms_sparse"
)
ONLY = {
    "engine": f"{BOTH} oracles ops transforms",
    "c": f"{BOTH} program_native program_map program_files program_random",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--only", choices=ONLY, help="tests of what an engine decides, or of the C")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files that `--only` does not name, unless the command line names them."""
    only, name = config.getoption("--only"), collection_path.stem.removeprefix("test_")
    if only is None or not collection_path.stem.startswith("test_"):
        return None
    of_the_c = only == "c" and collection_path.parent.name == "native"
    return None if name in ONLY[only].split() or of_the_c else True


BACKENDS = {"python": interpreter, backends.name: backends.replay}


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run the test once on each back end of `gradwalk.program` that is built."""
    monkeypatch.setattr(backends, "replay", BACKENDS[request.param])
    return request.param


@pytest.fixture(params=["base", "avx2", "avx512"])
def level(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test on each level of kernels that this processor has."""
    if backends.name != "native":
        pytest.skip("the interpreter has no kernels")
    try:
        yield backends.replay.kernels(request.param)
    except ValueError:
        pytest.skip(f"this processor has no {request.param}")
    finally:
        backends.replay.kernels(None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give each worker some of the longest tests to begin with, those in a browser.

    xdist deals out a run of consecutive tests to each worker, and takes from the end of a run when
    another worker has none left.
    """
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    long = [item for item in items if item.get_closest_marker("browser")]
    rest = [item for item in items if not item.get_closest_marker("browser")]
    left = len(items)
    items.clear()
    for worker in range(workers):
        first = long[worker::workers]
        more = max(0, left // (workers - worker) - len(first))
        items += [*first, *rest[:more]]
        del rest[:more]
        left -= len(first) + more


def pytest_collection_finish() -> None:
    """Take ten thousand collected tests out of what each `gc.collect()` of a test looks through."""
    gc.collect()
    gc.freeze()
