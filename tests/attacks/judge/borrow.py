"""A Value that someone else wrote."""

from gradwalk import Value

__all__ = ["Value"]

#: "gradients": "no"
#: the file imports
