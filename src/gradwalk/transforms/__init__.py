"""Functions of functions: derivatives of every kind, and checks of derivatives.

functional   grad, vjp, jvp, jacobian, hessian and their kin (start reading here)
custom       stop_gradient, and operations with your own derivative
implicit     root, fixed_point and solve, differentiated at their solution
sparse       Jacobians and Hessians with few entries, by colouring and by edge pushing
checking     gradcheck and gradgradcheck: derivatives compared with central differences
"""

from __future__ import annotations

from gradwalk.transforms.checking import CheckedLeaf, GradCheck, gradcheck, gradgradcheck
from gradwalk.transforms.custom import custom_rule, stop_gradient
from gradwalk.transforms.functional import (
    grad,
    hessian,
    hessian_diagonal,
    hvp,
    jacobian,
    jvp,
    value_and_grad,
    value_and_hessian,
    value_and_jacobian,
    vjp,
)
from gradwalk.transforms.implicit import fixed_point, root, solve
from gradwalk.transforms.sparse import Sparse, sparse_hessian, sparse_jacobian

__all__ = [
    "CheckedLeaf",
    "GradCheck",
    "Sparse",
    "custom_rule",
    "fixed_point",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "hessian",
    "hessian_diagonal",
    "hvp",
    "jacobian",
    "jvp",
    "root",
    "solve",
    "sparse_hessian",
    "sparse_jacobian",
    "stop_gradient",
    "value_and_grad",
    "value_and_hessian",
    "value_and_jacobian",
    "vjp",
]
