"""`python -m gradwalk`."""

import sys

from gradwalk.cli import main

if __name__ == "__main__":
    sys.exit(main())
