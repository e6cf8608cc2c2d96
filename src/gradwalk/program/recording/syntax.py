"""Small pieces of syntax: what lowered code is put together from.

Each takes the node whose place it gets, so that errors point at what the user wrote.
"""

from __future__ import annotations

import ast
from typing import Any

__all__ = [
    "UnsupportedError",
    "all_of",
    "assign",
    "call",
    "constant",
    "constant_of",
    "do",
    "if_",
    "is_",
    "locals_",
    "made_call",
    "ours",
    "part",
    "read",
    "statement",
    "walrus",
]


class UnsupportedError(Exception):
    """There is no lowered form."""


def constant(name: str) -> str:
    """Return what stands in lowered code for a name of `branches`, until that code is made."""
    return f"\0gradwalk.{name}"


def made_call(what: str, arguments: list[Any], like: ast.AST) -> ast.Call:
    """Return a call of one of our functions, at the place of what it stands for."""
    return mark(placed(ast.Call(ours(what, like), arguments, []), like))


def placed(node: Any, like: Any) -> Any:
    """Return a node at the place of another one; of a statement with a body, at its first line.

    Python gives a call of a method the line on which its expression ends.
    """
    ast.copy_location(node, like)
    if isinstance(like, ast.stmt) and like.end_lineno != like.lineno:
        node.end_lineno, node.end_col_offset = like.lineno, like.col_offset
    return node


def mark(node: Any) -> Any:
    """Mark a call or an attribute as ours, which the `Rewriter` leaves alone."""
    node.made = True
    return node


def ours(what: str, like: ast.AST) -> ast.expr:
    # Python warns of a call of a bare constant, and not of this `if`, which it makes constant.
    parts = [ast.copy_location(ast.Constant(part), like) for part in (True, what, None)]
    return ast.copy_location(ast.IfExp(*parts), like)


def call(what: str, arguments: list[Any], like: ast.AST) -> ast.Call:
    return made_call(constant(what), arguments, like)


def read(name: str, like: ast.AST) -> ast.Name:
    return placed(ast.Name(name, ast.Load()), like)


def constant_of(thing: Any, like: ast.AST) -> ast.Constant:
    return ast.copy_location(ast.Constant(thing), like)


def assign(name: str, value: ast.expr, like: ast.AST) -> ast.Assign:
    target = ast.copy_location(ast.Name(name, ast.Store()), like)
    return ast.copy_location(ast.Assign([target], value), like)


def walrus(name: str, value: ast.expr, like: ast.AST) -> ast.NamedExpr:
    target = ast.copy_location(ast.Name(name, ast.Store()), like)
    return ast.copy_location(ast.NamedExpr(target, value), like)


def if_(test: ast.expr, body: list[Any], orelse: list[Any], like: ast.AST) -> Any:
    return ast.copy_location(ast.If(test, body, orelse), like)


def is_(left: ast.expr, right: ast.expr, like: ast.AST) -> ast.Compare:
    return ast.copy_location(ast.Compare(left, [ast.Is()], [right]), like)


def part(thing: ast.expr, name: str, like: ast.AST) -> ast.Attribute:
    return mark(placed(ast.Attribute(thing, name, ast.Load()), like))


def do(thing: str, method: str, arguments: list[Any], like: ast.AST) -> ast.Call:
    return mark(placed(ast.Call(part(read(thing, like), method, like), arguments, []), like))


def locals_(like: ast.AST) -> ast.Call:
    return mark(placed(ast.Call(read("locals", like), [], []), like))


def statement(value: ast.expr, like: ast.AST) -> ast.Expr:
    return ast.copy_location(ast.Expr(value), like)


def all_of(tests: list[Any], like: ast.AST) -> Any:
    return tests[0] if len(tests) == 1 else ast.copy_location(ast.BoolOp(ast.And(), tests), like)
