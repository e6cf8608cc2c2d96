"""Lowering Python's control flow, so that a branch on a recorded value becomes a selection.

    lower    rewrite the `if`, `while`, `for`, `return`, `break` … of one function's syntax tree

Nothing changes where conditions are plain: the lowered function takes the branch that Python takes.
Where a condition is a recorded value, both sides are recorded one after the other, and every name
that one of them assigns is selected by the condition (`branches` does that while recording).

It is done in two steps.

1. Jumps become flags. `break` is `stopped = True`, and the statements that follow it run under
   `if not stopped`. The same goes for `continue` and for a `return` inside a branch or a loop.
2. Each `if` becomes straight code with four questions to a `branches.Choice`: does it take the
   first side, the second one, or both; and after both, which values do the names have?

What is left as it is: generators, jumps out of `try`, `with` and `match`, branches that assign
global names. A recorded condition is refused there, as it is in functions without source.
"""

# Of a syntax tree's nodes not all types are known.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable
from typing import Any

__all__ = ["RETURNED", "VALUE", "constant", "is_name_of_ours", "lower", "made_call"]


def constant(name: str) -> str:
    """Return what stands in lowered code for a name of `branches`, until that code is made."""
    return f"\0gradwalk.{name}"


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_OUTER = (ast.Global, ast.Nonlocal)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def lower(node: Any, private: str = "") -> None:
    """Lower the control flow of a function or lambda, and of all functions in it, in place.

    `private` is the class whose private names are meant in it.
    """
    for inner in list(_own(node.body)):
        if isinstance(inner, _SCOPES):
            lower(inner, inner.name if isinstance(inner, ast.ClassDef) else private)
    if isinstance(node, ast.ClassDef):
        return
    if any(isinstance(inner, (ast.Yield, ast.YieldFrom, ast.Await)) for inner in _own(node.body)):
        return
    if isinstance(node, ast.AsyncFunctionDef):
        return
    names = _Names()
    own = list(_own(node.body))
    if not isinstance(node, ast.Lambda):
        body = copy.deepcopy(node.body)
        try:
            node.body = _Jumps(names, node).function()
        except _UnsupportedError:
            node.body = body
    outer = [name for inner in own if isinstance(inner, _OUTER) for name in inner.names]
    _Branches(names, node, private).run()
    if outer and not isinstance(node, ast.Lambda):
        node.body.insert(0, _statement(_call("outer_names", [], node), node))


class _UnsupportedError(Exception):
    """There is no lowered form."""


class _Names:
    """Names that nothing of the user's is called by."""

    def __init__(self) -> None:
        self._count = 0

    def new(self, what: str) -> str:
        self._count += 1
        return f"{_OURS} {what} {self._count}"


_OURS = "gradwalk"
RETURNED, VALUE = "returned", "value"  # names that `branches` tells from others


def is_name_of_ours(name: str, what: str = "") -> bool:
    """Say whether a name is no name of the user's, and what it is for, if that is asked."""
    return name.startswith(f"{_OURS} {what}")


def _own(body: Any) -> Iterable[Any]:
    """Yield the nodes of a function's own body, nested functions but not what is in them."""
    todo: list[Any] = list(body) if isinstance(body, list) else [body]
    while todo:
        inner = todo.pop()
        yield inner
        if not isinstance(inner, _SCOPES):
            todo.extend(ast.iter_child_nodes(inner))


# ── Small pieces of syntax ───────────────────────────────────────────────────────────────────


def made_call(what: str, arguments: list[Any], like: ast.AST) -> ast.Call:
    """Return a call of one of our functions, at the place of what it stands for."""
    return _made(ast.copy_location(ast.Call(_ours(what, like), arguments, []), like))


def _made(node: Any) -> Any:
    """Mark a call or an attribute as ours, which the `Rewriter` leaves alone."""
    node.made = True
    return node


def _ours(what: str, like: ast.AST) -> ast.expr:
    # A bare constant that is called gets a warning from the compiler, which folds this into one.
    parts = [ast.copy_location(ast.Constant(part), like) for part in (True, what, None)]
    return ast.copy_location(ast.IfExp(*parts), like)


def _call(what: str, arguments: list[Any], like: ast.AST) -> ast.Call:
    return made_call(constant(what), arguments, like)


def _read(name: str, like: ast.AST) -> ast.Name:
    return ast.copy_location(ast.Name(name, ast.Load()), like)


def _constant(thing: Any, like: ast.AST) -> ast.Constant:
    return ast.copy_location(ast.Constant(thing), like)


def _assign(name: str, value: ast.expr, like: ast.AST) -> ast.Assign:
    target = ast.copy_location(ast.Name(name, ast.Store()), like)
    return ast.copy_location(ast.Assign([target], value), like)


def _walrus(name: str, value: ast.expr, like: ast.AST) -> ast.NamedExpr:
    target = ast.copy_location(ast.Name(name, ast.Store()), like)
    return ast.copy_location(ast.NamedExpr(target, value), like)


def _if(test: ast.expr, body: list[Any], orelse: list[Any], like: ast.AST) -> Any:
    return ast.copy_location(ast.If(test, body, orelse), like)


def _is(left: ast.expr, right: ast.expr, like: ast.AST) -> ast.Compare:
    return ast.copy_location(ast.Compare(left, [ast.Is()], [right]), like)


def _part(thing: ast.expr, name: str, like: ast.AST) -> ast.Attribute:
    return _made(ast.copy_location(ast.Attribute(thing, name, ast.Load()), like))


def _do(thing: str, method: str, arguments: list[Any], like: ast.AST) -> ast.Call:
    return _made(
        ast.copy_location(ast.Call(_part(_read(thing, like), method, like), arguments, []), like)
    )


def _locals(like: ast.AST) -> ast.Call:
    return _made(ast.copy_location(ast.Call(_read("locals", like), [], []), like))


def _statement(value: ast.expr, like: ast.AST) -> ast.Expr:
    return ast.copy_location(ast.Expr(value), like)


# ── Step 1: jumps become flags ───────────────────────────────────────────────────────────────

_JUMPS = (ast.Return, ast.Break, ast.Continue)


class _Jumps:
    """Takes `return`, `break` and `continue` out of the branches and loops of one function."""

    def __init__(self, names: _Names, node: Any) -> None:
        self.names = names
        self.node = node
        self.returned = names.new(RETURNED)
        self.value = names.new(VALUE)
        self.loops: list[tuple[str, str]] = []  # stopped, skipped: those of the loops around

    def function(self) -> list[Any]:
        body = self.node.body
        own = _own(self.node.body)
        if not any(map(_jumps_inside, body)) and not any(map(_counts, own)):
            return body
        like = self.node
        all_return = _constant(_never_falls_through(body), like)
        made, _ = self.block(body)
        for name in (self.returned, self.value):
            made.insert(0, _assign(name, _constant(False, like), like))
        parts = [_read(self.returned, like), _read(self.value, like), all_return]
        made.append(ast.copy_location(ast.Return(_call("ended", parts, like)), like))
        return made

    def block(self, statements: list[Any]) -> tuple[list[Any], set[str]]:
        """Return statements without jumps, and the flags that they may set."""
        made: list[Any] = []
        for k, statement in enumerate(statements):
            new, flags = self.statement(statement)
            made += new
            if not flags:
                continue
            rest = statements[k + 1 :]
            if rest and not isinstance(statement, _JUMPS):
                inner, more = self.block(rest)
                guard = _if(self._none_of(flags, statement), inner, [], rest[0])
                guard.flags = tuple(sorted(flags))
                made.append(guard)
                flags |= more
            return made, flags
        return made, set()

    def _none_of(self, flags: Iterable[str], like: ast.AST) -> ast.expr:
        every = [_read(name, like) for name in sorted(flags)]
        return _call("flags", every, like)

    def statement(self, s: Any) -> tuple[list[Any], set[str]]:
        true = _constant(True, s)
        if isinstance(s, ast.Return):
            value = s.value or _constant(None, s)
            both = [_assign(self.value, value, s), _assign(self.returned, true, s)]
            return both, {self.returned}
        if isinstance(s, (ast.Break, ast.Continue)):
            flag = self.loops[-1][0 if isinstance(s, ast.Break) else 1]
            return [_assign(flag, true, s)], {flag}
        if isinstance(s, ast.If):
            s.body, flags = self.block(s.body)
            s.orelse, more = self.block(s.orelse)
            return [s], flags | more
        if isinstance(s, (ast.For, ast.While)):
            loop: Any = s
            return self._loop(loop)
        if any(isinstance(inner, _JUMPS) for inner in _own([s])) and not isinstance(s, _SCOPES):
            raise _UnsupportedError  # out of a try, a with or a match
        return [s], set()

    def _loop(self, s: Any) -> tuple[list[Any], set[str]]:
        stopped, skipped = self.names.new("stopped"), self.names.new("skipped")
        self.loops.append((stopped, skipped))
        body: list[Any]
        body, flags = self.block(s.body)
        self.loops.pop()
        after, more = self.block(s.orelse)
        if skipped in flags:
            body.insert(0, _assign(skipped, _constant(False, s), s))
        ends = {flag for flag in flags if flag in (stopped, self.returned)}
        counts = _counts(s)
        made: list[Any] = []
        if ends or counts:
            made.append(_assign(stopped, _constant(False, s), s))
            if isinstance(s, ast.For):
                each = self.names.new("each")
                begin: list[Any] = []
                value: ast.expr = _read(each, s)
                if counts:
                    over = self.names.new("over")  # not `stopped`: behind this end comes `else`
                    made.append(_assign(over, _constant(False, s), s))
                    ends.add(over)
                    parts: list[Any] = [_read(name, s) for name in (each, over, stopped)]
                    begin.append(_assign(over, _call("beyond", parts, s), s))
                    value = _call("index", [value], s)
                    line = _constant(s.lineno, s)
                    s.iter = _call("rounds", [s.iter, line], s.iter)
                place = ast.copy_location(ast.Assign([s.target], value), s)
                guard = _if(self._none_of(ends, s), [place, *body], [], s)
                guard.flags = tuple(sorted(ends))
                leave = _call("plainly", [_read(name, s) for name in sorted(ends)], s)
                stop = _if(leave, [ast.copy_location(ast.Break(), s)], [], s)
                stop.is_plain = True
                body = [*begin, stop, guard]
                s.target = ast.copy_location(ast.Name(each, ast.Store()), s)
            else:
                both = [self._none_of(ends, s), s.test]
                s.test = ast.copy_location(ast.BoolOp(ast.And(), both), s)
        s.body, s.orelse = body, []
        made.append(s)
        breaks = flags & {stopped, self.returned}
        if after and breaks:
            guard = _if(self._none_of(breaks, s), after, [], s)
            guard.flags = tuple(sorted(breaks))
            made.append(guard)
        else:
            made += after
        return made, (flags & {self.returned}) | more


def _counts(loop: Any) -> bool:
    """Say whether a loop goes over a range that a recorded value may end."""
    if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Call):
        return False
    called = loop.iter.func
    if not isinstance(called, ast.Name) or called.id != "range" or loop.iter.keywords:
        return False
    return not all(isinstance(part, ast.Constant) or _is_len(part) for part in loop.iter.args)


def _is_len(node: Any) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"


def _jumps_inside(statement: Any) -> bool:
    """Say whether a jump is in a branch or a loop, and not merely the statement itself."""
    if isinstance(statement, (*_JUMPS, *_SCOPES)):
        return False
    return any(isinstance(inner, _JUMPS) for inner in _own([statement]))


def _never_falls_through(body: list[Any]) -> bool:
    """Say whether every way through the statements ends in a return or a raise."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, (ast.Return, ast.Raise)):
        return True
    if isinstance(last, ast.If):
        return _never_falls_through(last.body) and _never_falls_through(last.orelse)
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return not any(isinstance(inner, ast.Break) for inner in _own(last.body))
    return False


# ── Step 2: branches become questions ────────────────────────────────────────────────────────


class _Branches(ast.NodeTransformer):
    """Writes each branch so that it can take one side, or both of them."""

    def __init__(self, names: _Names, node: Any, private: str) -> None:
        self.names = names
        self.node = node
        self.private = private.lstrip("_")
        own = list(_own(node.body))
        self.globals = {n for inner in own if isinstance(inner, ast.Global) for n in inner.names}
        self.without_names = 0  # inside what a comprehension goes over

    def run(self) -> None:
        if isinstance(self.node, ast.Lambda):
            self.node.body = self.visit(self.node.body)
        else:
            self.node.body = self._statements(self.node.body)

    def _statements(self, statements: list[Any]) -> list[Any]:
        made: list[Any] = []
        for statement in statements:
            new = self.visit(statement)
            made += new if isinstance(new, list) else [new]
        return made

    # Functions and classes inside were lowered by themselves.

    def visit_FunctionDef(self, node: Any) -> Any:
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815
    visit_ClassDef = visit_FunctionDef  # noqa: N815
    visit_Lambda = visit_FunctionDef  # noqa: N815

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return node
        value = node.value = self.visit(node.value)
        return node if isinstance(node.target, ast.Name) else self._store(node.target, value, node)

    # ── Statements ───────────────────────────────────────────────────────────────────────────

    def visit_If(self, node: Any) -> Any:
        if getattr(node, "is_plain", False):
            return node
        node.test = self.visit(node.test)
        names = self._assigned([*node.body, *node.orelse])
        leaves = any(_leaves(statement) for statement in [*node.body, *node.orelse])
        node.body, node.orelse = self._statements(node.body), self._statements(node.orelse)
        if names is None or leaves:
            return node
        choice = self.names.new("choice")
        flags = _constant(getattr(node, "flags", ()), node)
        both = _part(_read(choice, node), "both", node)
        before = [_statement(_do(choice, "enter", [_locals(node)], node), node)]
        test = [node.test, _constant(tuple(names), node), flags]
        made: list[Any] = [
            _assign(choice, _call("choice", test, node), node),
            _if(both, before, [], node),
            _if(_part(_read(choice, node), "first", node), node.body, [], node),
            _if(both, self._set(names, choice, "turn", node), [], node),
        ]
        if node.orelse:
            made.append(_if(_part(_read(choice, node), "second", node), node.orelse, [], node))
        after = self._set(names, choice, "merge", node)
        after.append(_statement(_do(choice, "finish", [_locals(node)], node), node))
        made.append(_if(both, after, [], node))
        return made

    def _set(self, names: list[str], thing: str, method: str, like: ast.AST) -> list[Any]:
        """Return statements that give the names what a method returns, and forget the others."""
        value = _do(thing, method, [_locals(like)], like)
        if not names:
            return [_statement(value, like)]
        targets: list[Any] = [ast.copy_location(ast.Name(n, ast.Store()), like) for n in names]
        target = ast.copy_location(ast.Tuple(targets, ast.Store()), like)
        made: list[Any] = [ast.copy_location(ast.Assign([target], value), like)]
        for name in names:
            gone = ast.copy_location(ast.Name(name, ast.Del()), like)
            unset = _is(_read(name, like), _ours(constant("UNSET"), like), like)
            made.append(_if(unset, [ast.copy_location(ast.Delete([gone]), like)], [], like))
        return made

    def visit_While(self, node: Any) -> Any:
        node.test = self.visit(node.test)
        names = self._assigned(node.body)
        leaves = any(_leaves(statement, loops=False) for statement in node.body)
        body = self._statements(node.body)
        if names is None or leaves:
            node.body, node.orelse = body, self._statements(node.orelse)
            return node
        loop = self.names.new("loop")
        place = _constant(node.lineno, node)
        masked = _part(_read(loop, node), "masked", node)
        before = [_statement(_do(loop, "enter", [_locals(node)], node), node)]
        after = self._set(names, loop, "merge", node)
        after.append(_statement(_do(loop, "finish", [_locals(node)], node), node))
        node.body = [_if(masked, before, [], node), *body, _if(masked, after, [], node)]
        node.test = _do(loop, "goes_on", [node.test], node)
        made: list[Any] = [
            _assign(loop, _call("Loop", [_constant(tuple(names), node), place], node), node),
            node,
        ]
        after_all = self._statements(node.orelse)
        node.orelse = []
        return [*made, *after_all]

    def visit_For(self, node: Any) -> Any:
        node.iter = self.visit(node.iter)
        if not isinstance(node.target, ast.Name) and not _is_plain_target(node.target):
            each = self.names.new("each")
            store = self._stores(node.target, _read(each, node), node)
            node.target = ast.copy_location(ast.Name(each, ast.Store()), node)
            node.body = [*store, *self._statements(node.body)]
        else:
            node.body = self._statements(node.body)
        node.orelse = self._statements(node.orelse)
        return node

    def visit_Raise(self, node: ast.Raise) -> Any:
        self.generic_visit(node)
        if node.exc is None:
            return node
        called = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        kind: ast.expr = _constant(None, node)
        if isinstance(called, ast.Name):
            kind = _read(called.id, node)
        said = ""
        if isinstance(node.exc, ast.Call) and len(node.exc.args) == 1:
            only = node.exc.args[0]
            if isinstance(only, ast.Constant) and isinstance(only.value, str):
                said = only.value
        test = _call("must_raise", [kind, _constant(said, node)], node)
        return _if(test, [node], [], node)

    def visit_Assert(self, node: ast.Assert) -> Any:
        arguments = [node.msg] if node.msg is not None else []
        error = ast.copy_location(ast.Call(_read("AssertionError", node), arguments, []), node)
        raising = ast.copy_location(ast.Raise(error, None), node)
        test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node)
        return self.visit_If(_if(test, [raising], [], node))

    def visit_Try(self, node: Any) -> Any:
        """A `raise` on a side of a branch inside is no fault of the program: it may be caught."""
        self.generic_visit(node)
        if not node.handlers:
            return node
        before = self.names.new("tried")
        for body in (*[handler.body for handler in node.handlers], node.orelse):
            body.insert(0, self._tried(before, node))
        return [_assign(before, _call("trying", [], node), node), node]

    def visit_With(self, node: Any) -> Any:
        self.generic_visit(node)
        before = self.names.new("tried")
        return [
            _assign(before, _call("trying", [], node), node), node, self._tried(before, node)
        ]  # fmt: skip

    def _tried(self, before: str, like: ast.AST) -> ast.stmt:
        return _statement(_call("tried", [_read(before, like)], like), like)

    # ── What is written to ───────────────────────────────────────────────────────────────────

    def visit_Assign(self, node: ast.Assign) -> Any:
        node.value = self.visit(node.value)
        if all(_is_plain_target(target) for target in node.targets):
            return node
        if len(node.targets) == 1:
            return self._stores(node.targets[0], node.value, node)
        whole = self.names.new("part")
        made: list[Any] = [_assign(whole, node.value, node)]
        for target in node.targets:
            made += self._stores(target, _read(whole, node), node)
        return [*made, self._forget([whole], node)]

    def _stores(self, target: Any, value: ast.expr, like: ast.AST) -> list[Any]:
        if isinstance(target, ast.Name):
            return [_assign(target.id, value, like)]
        if isinstance(target, ast.Starred):
            return self._stores(target.value, value, like)
        if not isinstance(target, (ast.Tuple, ast.List)):
            return [self._store(target, value, like)]
        parts: list[tuple[Any, str]] = []
        names: list[Any] = []
        for part in target.elts:
            name = self.names.new("part")
            one: Any = ast.copy_location(ast.Name(name, ast.Store()), like)
            if isinstance(part, ast.Starred):
                one = ast.copy_location(ast.Starred(one, ast.Store()), like)
            names.append(one)
            parts.append((part, name))
        every = ast.copy_location(ast.Tuple(names, ast.Store()), like)
        made: list[Any] = [ast.copy_location(ast.Assign([every], value), like)]
        for part, name in parts:
            made += self._stores(part, _read(name, like), like)
        return [*made, self._forget([name for _, name in parts], like)]

    def _forget(self, names: list[str], like: ast.AST) -> ast.stmt:
        gone: list[Any] = [ast.copy_location(ast.Name(name, ast.Del()), like) for name in names]
        return ast.copy_location(ast.Delete(gone), like)

    def _store(self, target: Any, value: ast.expr, like: ast.AST) -> Any:
        if isinstance(target, ast.Subscript):
            parts = [self.visit(target.value), self.visit(target.slice), value]
            return _statement(_call("set_item", parts, like), like)
        assert isinstance(target, ast.Attribute)
        name = _constant(self._mangled(target.attr), like)
        return _statement(
            _call("set_attribute", [self.visit(target.value), name, value], like), like
        )

    def _mangled(self, name: str) -> str:
        if name.startswith("__") and not name.endswith("__") and self.private:
            return f"_{self.private}{name}"
        return name

    def visit_Delete(self, node: ast.Delete) -> Any:
        made: list[Any] = []
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                parts = [self.visit(target.value), self.visit(target.slice)]
                made.append(_statement(_call("delete_item", parts, node), node))
            elif isinstance(target, ast.Attribute):
                name = _constant(self._mangled(target.attr), node)
                parts = [self.visit(target.value), name]
                made.append(_statement(_call("delete_attribute", parts, node), node))
            else:
                made.append(ast.copy_location(ast.Delete([target]), node))
        return made

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        node.value = self.visit(node.value)
        target = node.target
        if isinstance(target, ast.Name):
            return self._augmented(node, target.id)
        thing, part = self.names.new("part"), self.names.new("part")
        made: list[Any] = [_assign(thing, self.visit(target.value), node)]
        if isinstance(target, ast.Subscript):
            key = self.names.new("part")
            made.append(_assign(key, self.visit(target.slice), node))
            found: ast.expr = _call("item", [_read(thing, node), _read(key, node)], node)
            how, where = "set_item", _read(key, node)
        else:
            name = self._mangled(target.attr)
            found = ast.copy_location(ast.Attribute(_read(thing, node), name, ast.Load()), node)
            how, where = "set_attribute", _constant(name, node)
        made.append(_assign(part, found, node))
        node.target = ast.copy_location(ast.Name(part, ast.Store()), node)
        made += self._augmented(node, part)
        stored = [_read(thing, node), where, _read(part, node)]
        made.append(_statement(_call(how, stored, node), node))
        return [*made, self._forget([thing, part], node)]

    def _augmented(self, node: ast.AugAssign, name: str) -> list[Any]:
        """A list that is added to is changed in place, which is noted before."""
        kind = _part(_read(name, node), "__class__", node)
        many = _ours(constant("PLAIN"), node)
        holds = ast.copy_location(ast.Compare(kind, [ast.NotIn()], [many]), node)
        touch = _statement(_call("touch", [_read(name, node)], node), node)
        return [_if(holds, [touch], [], node), node]

    # ── Expressions ──────────────────────────────────────────────────────────────────────────

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        # Python has no := where a comprehension says what it goes over.
        node.target = self.visit(node.target)
        self.without_names += 1
        node.iter = self.visit(node.iter)
        self.without_names -= 1
        node.ifs = [self.visit(test) for test in node.ifs]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self.generic_visit(node)
        if self.without_names:
            return node
        truth = self.names.new("truth")
        test = _walrus(truth, _call("truth", [node.test], node), node)
        first = self._on_side("side", truth, True, node.body, node)
        second = self._on_side("side", truth, False, node.orelse, node)
        return _call("pick", [test, first, second], node)

    def _on_side(
        self, how: str, truth: str, first: bool, value: ast.expr, like: ast.AST
    ) -> ast.expr:
        asked = _call(how, [_read(truth, like), _constant(first, like)], like)
        return ast.copy_location(ast.IfExp(asked, value, _constant(None, like)), like)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        if self.without_names:
            return node
        is_and = isinstance(node.op, ast.And)
        *values, made = node.values
        for value in reversed(values):
            operand, truth = self.names.new("operand"), self.names.new("truth")
            asked = _walrus(truth, _call("truth", [_walrus(operand, value, node)], node), node)
            settles = _is(asked, _constant(not is_and, node), node)
            parts = [
                _read(truth, node),
                _read(operand, node),
                self._on_side("operand", truth, is_and, made, node),
            ]
            joined = _call("joined", parts, node)
            made = ast.copy_location(ast.IfExp(settles, _read(operand, node), joined), node)
        return made

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        return _call("negation", [node.operand], node) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) > 1 and not self.without_names:
            left, pairs = node.left, []
            for op, right in zip(node.ops, node.comparators, strict=True):
                name = self.names.new("operand")
                is_last = right is node.comparators[-1]
                kept = right if is_last else _walrus(name, right, node)
                pairs.append(ast.copy_location(ast.Compare(left, [op], [kept]), node))
                left = _read(name, node)
            return self.visit_BoolOp(ast.copy_location(ast.BoolOp(ast.And(), pairs), node))
        self.generic_visit(node)
        op = node.ops[0]
        if len(node.ops) == 1 and isinstance(op, (ast.Is, ast.IsNot)):
            found = _call("identical", [node.left, node.comparators[0]], node)
            return found if isinstance(op, ast.Is) else _call("negation", [found], node)
        if len(node.ops) == 1 and isinstance(op, (ast.In, ast.NotIn)):
            found = _call("contains", [node.left, node.comparators[0]], node)
            return found if isinstance(op, ast.In) else _call("negation", [found], node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, (ast.Slice, ast.Constant)):
            return node
        if any(isinstance(inner, ast.Slice) for inner in ast.walk(node.slice)):
            return node
        return _call("item", [node.value, node.slice], node)

    def _assigned(self, statements: list[Any]) -> list[str] | None:
        """Return the names that statements assign; None where one of them cannot be selected."""
        names: dict[str, None] = {}
        todo: list[Any] = list(reversed(statements))
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names[node.id] = None
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
                return None
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names[node.name] = None
                continue
            elif isinstance(node, ast.Lambda):
                continue
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    names[(alias.asname or alias.name).partition(".")[0]] = None
            elif isinstance(node, ast.ExceptHandler) and node.name:
                names[node.name] = None
            elif isinstance(node, _COMPREHENSIONS):
                inner = [n for n in ast.walk(node) if isinstance(n, ast.NamedExpr)]
                todo.extend([named.target for named in inner])
                continue
            todo.extend(reversed(list(ast.iter_child_nodes(node))))
        if self.globals & names.keys():
            return None
        return list(names)


def _leaves(statement: Any, loops: bool = True) -> bool:
    """Say whether a jump that is still one is in a statement, and leads out of it."""
    todo: list[tuple[Any, bool]] = [(statement, False)]
    while todo:
        node, inside = todo.pop()
        if isinstance(node, ast.Return):
            return True
        if isinstance(node, (ast.Break, ast.Continue)) and not inside:
            return True
        if isinstance(node, _SCOPES):
            continue
        inside = inside or isinstance(node, (ast.For, ast.While))
        todo.extend([(inner, inside) for inner in ast.iter_child_nodes(node)])
    return False


def _is_plain_target(target: Any) -> bool:
    """Say whether only names are assigned."""
    if isinstance(target, ast.Name):
        return True
    if isinstance(target, ast.Starred):
        return _is_plain_target(target.value)
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(map(_is_plain_target, target.elts))
    return False
