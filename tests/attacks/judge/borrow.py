"""A Value that someone else wrote."""

from gradwalk import Value

__all__ = ["Value"]
