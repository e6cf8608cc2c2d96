import sys

sys.exit("bye")
