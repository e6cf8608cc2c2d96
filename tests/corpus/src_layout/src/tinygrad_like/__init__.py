from .core import Scalar
