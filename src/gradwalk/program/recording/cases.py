"""Lowering statements that are written as other statements first.

They are `match`, and `:=` in a `while`.

    plain_statements   rewrite them in one function's body

`match` becomes an `if` for each case, with the names of its pattern assigned before the guard is
asked, as Python does. `while (y := f(x)) > 0` becomes `while True` with a `break`: its condition
assigns a name, so that it may not be asked again for a scenario whose loop is over.
"""

# Of a syntax tree's nodes not all types are known.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any

from gradwalk.program.recording import syntax as sx

__all__ = ["plain_statements"]


def plain_statements(body: list[Any], new: Callable[[str], str]) -> list[Any]:
    """Return the statements of a function with `match` written as `if`; `new` makes names."""
    plain = _Plain(new)
    return [made for statement in body for made in _listed(plain.visit(statement))]


def _listed(made: Any) -> list[Any]:
    return made if isinstance(made, list) else [made]


class _Plain(ast.NodeTransformer):
    def __init__(self, new: Callable[[str], str]) -> None:
        self.new = new

    def visit_FunctionDef(self, node: Any) -> Any:
        return node  # lowered by itself

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815
    visit_ClassDef = visit_FunctionDef  # noqa: N815
    visit_Lambda = visit_FunctionDef  # noqa: N815

    def visit_While(self, node: ast.While) -> Any:
        self.generic_visit(node)
        if not node.orelse and any(isinstance(n, ast.NamedExpr) for n in ast.walk(node.test)):
            over = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node)
            leave = ast.copy_location(ast.Break(), node)
            node.body.insert(0, sx.if_(over, [leave], [], node))
            node.test = sx.constant_of(True, node)
        return node

    def visit_Match(self, node: ast.Match) -> Any:
        self.generic_visit(node)
        subject = self.new("subject")
        return [sx.assign(subject, node.subject, node), *self._chain(node.cases, subject)]

    def _chain(self, cases: list[ast.match_case], subject: str) -> list[Any]:
        """Return the statements that try one case after the other."""
        if not cases:
            return []
        case, *others = cases
        like = case.pattern
        found = _Pattern()
        found.read(like, sx.read(subject, like))
        names = [sx.assign(name, part, like) for name, part in found.names]
        after = self._chain(others, subject)
        if case.guard is None or not names:
            tests = [*found.tests, *([case.guard] if case.guard is not None else [])]
            body = [*names, *case.body]
            return [sx.if_(sx.all_of(tests, like), body, after, like)] if tests else body
        if not found.tests:
            return [*names, sx.if_(case.guard, case.body, after, like)]
        matched = self.new("matched")
        true, false = sx.constant_of(True, like), sx.constant_of(False, like)
        inner = sx.if_(case.guard, [sx.assign(matched, true, like), *case.body], [], like)
        missed = ast.copy_location(ast.UnaryOp(ast.Not(), sx.read(matched, like)), like)
        rest = sx.if_(missed, after or [ast.copy_location(ast.Pass(), like)], [], like)
        rest.other = case.body  # what runs instead
        return [
            sx.assign(matched, false, like),
            sx.if_(sx.all_of(found.tests, like), [*names, inner], [], like),
            rest,
        ]


class _Pattern:
    """The tests of a pattern, in Python's order, and the names that it assigns."""

    def __init__(self) -> None:
        self.tests: list[Any] = []
        self.names: list[tuple[str, Any]] = []

    def read(self, pattern: Any, thing: Any) -> None:
        kind = type(pattern).__name__.removeprefix("Match").lower()
        getattr(self, f"_of_{kind}")(pattern, thing)

    def _test(self, what: str, thing: Any, *more: Any) -> None:
        self.tests.append(sx.call(what, [copy.deepcopy(thing), *more], thing))

    def _of_value(self, pattern: Any, thing: Any) -> None:
        one = ast.Compare(copy.deepcopy(thing), [ast.Eq()], [pattern.value])
        self.tests.append(ast.copy_location(one, pattern))

    def _of_singleton(self, pattern: Any, thing: Any) -> None:
        only = sx.constant_of(pattern.value, pattern)
        self.tests.append(sx.is_(copy.deepcopy(thing), only, pattern))

    def _of_as(self, pattern: Any, thing: Any) -> None:
        if pattern.pattern is not None:
            self.read(pattern.pattern, thing)
        if pattern.name is not None:
            self.names.append((pattern.name, copy.deepcopy(thing)))

    def _of_or(self, pattern: Any, thing: Any) -> None:
        ways: list[tuple[Any, dict[str, Any]]] = []
        for one in pattern.patterns:
            inner = _Pattern()
            inner.read(one, thing)
            tests = inner.tests or [sx.constant_of(True, one)]
            ways.append((sx.all_of(tests, one), dict(inner.names)))
        self.tests.append(
            ast.copy_location(ast.BoolOp(ast.Or(), [way for way, _ in ways]), pattern)
        )
        for name, last in ways[-1][1].items():  # each of the ways has the same names
            part = last
            for test, parts in reversed(ways[:-1]):
                chosen = ast.IfExp(copy.deepcopy(test), parts[name], part)
                part = ast.copy_location(chosen, pattern)
            self.names.append((name, part))

    def _of_sequence(self, pattern: Any, thing: Any) -> None:
        parts = pattern.patterns
        stars = [k for k, part in enumerate(parts) if isinstance(part, ast.MatchStar)]
        least = len(parts) - len(stars)
        numbers = [sx.constant_of(number, pattern) for number in (least, bool(stars))]
        self._test("is_sequence", thing, *numbers)
        for k, part in enumerate(parts):
            if isinstance(part, ast.MatchStar):
                if part.name is not None:
                    ends = [sx.constant_of(end, part) for end in (k, len(parts) - 1 - k)]
                    rest = sx.call("middle", [copy.deepcopy(thing), *ends], part)
                    self.names.append((part.name, rest))
                continue
            place = k - len(parts) if stars and k > stars[0] else k
            self.read(part, _part(thing, sx.constant_of(place, part), part))

    def _of_mapping(self, pattern: Any, thing: Any) -> None:
        keys = ast.copy_location(ast.Tuple(pattern.keys, ast.Load()), pattern)
        self._test("has_keys", thing, keys)
        for key, part in zip(pattern.keys, pattern.patterns, strict=True):
            self.read(part, _part(thing, copy.deepcopy(key), part))
        if pattern.rest is not None:
            parts = [copy.deepcopy(thing), copy.deepcopy(keys)]
            self.names.append((pattern.rest, sx.call("without_keys", parts, pattern)))

    def _of_class(self, pattern: Any, thing: Any) -> None:
        self._test("is_of_class", thing, copy.deepcopy(pattern.cls))
        for k, part in enumerate(pattern.patterns):
            place = sx.constant_of(k, part)
            parts = [copy.deepcopy(thing), copy.deepcopy(pattern.cls), place]
            self.read(part, sx.call("part_of_class", parts, part))
        for name, part in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
            self._test("has_attribute", thing, sx.constant_of(name, part))
            one = ast.Attribute(copy.deepcopy(thing), name, ast.Load())
            self.read(part, ast.copy_location(one, part))


def _part(thing: Any, key: Any, like: ast.AST) -> Any:
    return ast.copy_location(ast.Subscript(copy.deepcopy(thing), key, ast.Load()), like)
