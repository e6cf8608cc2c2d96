"""Tests whose functions do what no recording can hold: their calls warn, and run as plain Python.

Everywhere else the warning is an error: a recorder that fails would be right all the same.
"""

import pytest

RUNS_PLAINLY = pytest.mark.filterwarnings("ignore:(?s).*run as plain Python:RuntimeWarning")
