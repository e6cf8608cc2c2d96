"""Somebody's own autodiff package, which is on no list."""

from mygrad_of_somebody import Tensor as Value

__all__ = ["Value"]

#: "gradients": "looks like mygrad_of_somebody"
