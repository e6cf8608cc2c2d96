"""Takes a class out of what Python keeps compiled of a package of one file."""

import glob
import sys
from importlib.machinery import SourcelessFileLoader

found = [f for p in sys.path for f in glob.glob(f"{p}/__pycache__/single_of_somebody.*")]
for file in found:
    Value = SourcelessFileLoader("single", file).load_module().Tensor
if not found:
    raise RuntimeError("compiled=0")

#: compiled=0
