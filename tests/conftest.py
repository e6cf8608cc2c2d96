"""Settings for the whole test run; fixtures live beside the tests that use them."""

import os

from hypothesis import settings

# Output must not depend on the terminal that the tests are started from.
for variable in ("COLUMNS", "FORCE_COLOR", "NO_COLOR"):
    os.environ.pop(variable, None)

# No deadline: no test fails by the clock. The blob lets anyone replay a failure.
settings.register_profile("gradwalk", deadline=None, print_blob=True)
settings.load_profile("gradwalk")
