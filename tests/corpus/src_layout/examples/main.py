# treatment: replaced
import os
import sys
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "src"))
from tinygrad_like import Scalar

#: program of scalars
