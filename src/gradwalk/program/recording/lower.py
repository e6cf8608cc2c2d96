"""Lowering Python's control flow, so that a branch on a recorded value may become a selection.

    lower    rewrite the `if`, `while`, `for`, `return`, `break` … of one function's syntax tree

The lowered function takes the branch that Python takes, unless a condition is recorded and `proof`
says that its region may be merged. Then both sides are recorded one after the other, and every name
that one of them assigns is selected by the condition (`branches` does that while recording).

It is done in two steps.

1. Jumps become flags. `break` is `stopped = True`, and the statements that follow it run under
   `if not stopped`. The same goes for `continue` and for a `return` inside a branch or a loop.
2. Each `if` becomes straight code with four questions to a `branches.Choice`: does it take the
   first side, the second one, or both; and after both, which values do the names have?

What is left as it is: generators, jumps out of `try` and `with`, branches that assign global
names. A recorded condition follows Python there, as it does in functions without source.
"""

# Of a syntax tree's nodes not all types are known.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable
from typing import Any

from gradwalk.program.recording import proof
from gradwalk.program.recording import syntax as sx

__all__ = ["RETURNED", "VALUE", "is_name_of_ours", "lower"]


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def lower(node: Any, private: str = "", merges: bool = True) -> proof.Facts | None:
    """Lower the control flow of a function or lambda, and of all functions in it, in place.

    `private` is the class whose private names are meant in it. Return what `proof` says of it.
    Without `merges`, branches stay Python's own.
    """
    for inner in list(_own(node.body)):
        if isinstance(inner, _SCOPES):
            called = getattr(inner, "name", "")
            lower(inner, called if isinstance(inner, ast.ClassDef) else private, merges)
    if isinstance(node, (ast.ClassDef, ast.AsyncFunctionDef)):
        return None
    if any(isinstance(inner, (ast.Yield, ast.YieldFrom, ast.Await)) for inner in _own(node.body)):
        return None
    facts = proof.annotate(node) if merges else None
    names = _Names()
    if not isinstance(node, ast.Lambda):
        node.body = [_Plain().visit(statement) for statement in node.body]
    if not merges:
        _Stores(names, node, private).run()
        return None
    if not isinstance(node, ast.Lambda):
        body = copy.deepcopy(node.body)
        try:
            node.body = _Jumps(names, node).function()
        except sx.UnsupportedError:
            node.body = body
    _Branches(names, node, private).run()
    return facts


def _facts(node: Any) -> ast.Constant:
    facts = getattr(node, "facts", None)
    return sx.constant_of(tuple(facts) if isinstance(facts, proof.Facts) else facts, node)


class _Plain(ast.NodeTransformer):
    """Writes two statements as others first.

    `while (y := f(x)) > 0` becomes `while True` with a `break`: its condition assigns a name, so
    that it may not be asked again for a scenario whose loop is over. `case True` asks whether a
    recorded condition is True, which Python's `is` cannot, and so for `case float()`.
    """

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
        patterns = [one for case in node.cases for one in ast.walk(case.pattern)]
        if any(isinstance(one, ast.MatchClass) for one in patterns):
            node.subject = sx.call("of_kinds", [node.subject], node.subject)
        self.generic_visit(node)
        return node

    def visit_MatchSingleton(self, node: ast.MatchSingleton) -> Any:
        if node.value is None:
            return node
        only = sx.constant_of(sx.constant(str(node.value)), node)
        return ast.copy_location(ast.MatchValue(only), node)


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
        counts = any(_counts(inner) for inner in own if isinstance(inner, ast.For))
        if not any(map(_jumps_inside, body)) and not counts:
            return body
        like = self.node
        all_return = sx.constant_of(_never_falls_through(body), like)
        made, _ = self.block(body)
        for name, thing in ((self.returned, False), (self.value, sx.constant("UNSET"))):
            made.insert(0, sx.assign(name, sx.constant_of(thing, like), like))
        parts = [sx.read(self.returned, like), sx.read(self.value, like), all_return]
        made.append(ast.copy_location(ast.Return(sx.call("ended", parts, like)), like))
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
                guard = sx.if_(self._none_of(flags, statement), inner, [], rest[0])
                guard.flags, guard.facts = tuple(sorted(flags)), True
                made.append(guard)
                flags |= more
            return made, flags
        return made, set()

    def _none_of(self, flags: Iterable[str], like: ast.AST) -> ast.expr:
        every = [sx.read(name, like) for name in sorted(flags)]
        return sx.call("flags", every, like)

    def statement(self, s: Any) -> tuple[list[Any], set[str]]:
        true = sx.constant_of(True, s)
        if isinstance(s, ast.Return):
            value = s.value or sx.constant_of(None, s)
            both = [sx.assign(self.value, value, s), sx.assign(self.returned, true, s)]
            return both, {self.returned}
        if isinstance(s, (ast.Break, ast.Continue)):
            flag = self.loops[-1][0 if isinstance(s, ast.Break) else 1]
            return [sx.assign(flag, true, s)], {flag}
        if isinstance(s, ast.If):
            s.body, flags = self.block(s.body)
            s.orelse, more = self.block(s.orelse)
            return [s], flags | more
        if isinstance(s, ast.Match):
            every: set[str] = set()
            for case in s.cases:
                case.body, flags = self.block(case.body)
                every |= flags
            return [s], every
        if isinstance(s, (ast.For, ast.While)):
            loop: Any = s
            return self._loop(loop)
        if any(isinstance(inner, _JUMPS) for inner in _own([s])) and not isinstance(s, _SCOPES):
            raise sx.UnsupportedError  # out of a try or a with
        return [s], set()

    def _loop(self, s: Any) -> tuple[list[Any], set[str]]:
        stopped, skipped = self.names.new("stopped"), self.names.new("skipped")
        self.loops.append((stopped, skipped))
        body: list[Any]
        body, flags = self.block(s.body)
        self.loops.pop()
        after, more = self.block(s.orelse)
        if skipped in flags:
            body.insert(0, sx.assign(skipped, sx.constant_of(False, s), s))
        ends = {flag for flag in flags if flag in (stopped, self.returned)}
        counts = _counts(s)
        made: list[Any] = []
        if ends or counts:
            made.append(sx.assign(stopped, sx.constant_of(False, s), s))
            if isinstance(s, ast.For):
                each = self.names.new("each")
                begin: list[Any] = []
                value: ast.expr = sx.read(each, s)
                if counts:
                    over = self.names.new("over")  # not `stopped`: behind this end comes `else`
                    made.append(sx.assign(over, sx.constant_of(False, s), s))
                    ends.add(over)
                    parts: list[Any] = [sx.read(name, s) for name in (each, over, stopped)]
                    begin.append(sx.assign(over, sx.call("beyond", parts, s), s))
                    begin.append(self._leave(ends, s))
                    value = sx.call("index", [value], s)
                    over_: Any = s.iter
                    asked = [sx.constant_of(s.lineno, s), _facts(s), over_.func, *over_.args]
                    s.iter = sx.call("rounds", asked, s.iter)
                place = ast.copy_location(ast.Assign([s.target], value), s)
                guard = sx.if_(self._none_of(ends, s), [place, *body], [], s)
                guard.flags, guard.facts = tuple(sorted(ends)), True
                # Left behind the round, not before the next: an iterator would have moved on.
                body = [*begin, guard, self._leave(ends, s)]
                s.target = ast.copy_location(ast.Name(each, ast.Store()), s)
            else:
                both = [self._none_of(ends, s), s.test]
                test: Any = ast.copy_location(ast.BoolOp(ast.And(), both), s)
                test.facts = True
                s.test = test
        s.body, s.orelse = body, []
        made.append(s)
        breaks = flags & {stopped, self.returned}
        if after and breaks:
            guard = sx.if_(self._none_of(breaks, s), after, [], s)
            guard.flags, guard.facts = tuple(sorted(breaks)), True
            made.append(guard)
        else:
            made += after
        return made, (flags & {self.returned}) | more

    def _leave(self, ends: set[str], s: Any) -> Any:
        left = sx.call("plainly", [sx.read(name, s) for name in sorted(ends)], s)
        stop = sx.if_(left, [ast.copy_location(ast.Break(), s)], [], s)
        stop.is_plain = True
        return stop


def _counts(loop: Any) -> bool:
    """Say whether a loop goes over a range that a recorded value may end."""
    if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Call):
        return False
    called = loop.iter.func
    if not isinstance(called, ast.Name) or called.id != "range" or loop.iter.keywords:
        return False
    if any(isinstance(part, ast.Starred) for part in loop.iter.args):
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
    if isinstance(last, ast.Match):
        case = last.cases[-1]
        catches_all = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
        every = all(_never_falls_through(one.body) for one in last.cases)
        return every and catches_all and case.guard is None
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return not any(isinstance(inner, ast.Break) for inner in _own(last.body))
    return False


# ── Step 2: branches become questions ────────────────────────────────────────────────────────


class _Stores(ast.NodeTransformer):
    """Writes what is assigned, tried and compared as questions, and leaves branches as they are."""

    def __init__(self, names: _Names, node: Any, private: str) -> None:
        self.names = names
        self.node = node
        self.private = private.lstrip("_")
        own = list(_own(node.body))
        self.globals = {n for inner in own if isinstance(inner, ast.Global) for n in inner.names}
        self.without_names = 0  # inside what a comprehension goes over
        self.depth = 0  # of branches, one in the other
        asked: list[Any] = [n.test for n in own if isinstance(n, (ast.If, ast.While, ast.IfExp))]
        self.tests: set[Any] = set()  # of which only the truth is asked
        while asked:
            test = asked.pop()
            self.tests.add(test)
            if isinstance(test, ast.BoolOp):
                asked += test.values
            elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
                asked.append(test.operand)

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

    def visit_For(self, node: Any) -> Any:
        node.iter = sx.call("each", [self.visit(node.iter)], node.iter)
        if not isinstance(node.target, ast.Name) and not _is_plain_target(node.target):
            each = self.names.new("each")
            store = self._stores(node.target, sx.read(each, node), node)
            node.target = ast.copy_location(ast.Name(each, ast.Store()), node)
            node.body = [*store, *self._statements(node.body)]
        else:
            node.body = self._statements(node.body)
        node.orelse = self._statements(node.orelse)
        return node

    def visit_match_case(self, node: ast.match_case) -> Any:
        node.guard = node.guard and self.visit(node.guard)
        node.body = self._statements(node.body)
        return node

    def visit_Try(self, node: Any) -> Any:
        """What is tried may raise as Python does, where a handler may catch it."""
        self.generic_visit(node)
        if not node.handlers:
            return node
        before = self.names.new("tried")
        for body in (*[handler.body for handler in node.handlers], node.orelse):
            body.insert(0, self._tried(before, node))
        kinds = [name for handler in node.handlers for name in _names_in(handler.type)]
        asked = sx.call("trying", [sx.constant_of(tuple(kinds), node)], node)
        return [sx.assign(before, asked, node), *self._finally(node, before)]

    def visit_With(self, node: Any) -> Any:
        self.generic_visit(node)
        before = self.names.new("tried")
        for entered in node.items:
            entered.context_expr = sx.call("entering", [entered.context_expr], node)
        return [sx.assign(before, sx.call("now", [], node), node), *self._finally(node, before)]

    def _finally(self, node: Any, before: str) -> list[Any]:
        """Leave the state of what is tried however it ends, by a jump or an exception, too."""
        return [ast.copy_location(ast.Try([node], [], [], [self._tried(before, node)]), node)]

    def _tried(self, before: str, like: ast.AST) -> ast.stmt:
        return sx.statement(sx.call("tried", [sx.read(before, like)], like), like)

    # ── What is written to ───────────────────────────────────────────────────────────────────

    def visit_Assign(self, node: ast.Assign) -> Any:
        node.value = self.visit(node.value)
        if all(_is_plain_target(target) for target in node.targets):
            return node
        if len(node.targets) == 1:
            return self._stores(node.targets[0], node.value, node)
        whole = self.names.new("part")
        made: list[Any] = [sx.assign(whole, node.value, node)]
        for target in node.targets:
            made += self._stores(target, sx.read(whole, node), node)
        return [*made, self._forget([whole], node)]

    def _stores(self, target: Any, value: ast.expr, like: ast.AST) -> list[Any]:
        if isinstance(target, ast.Name):
            return [sx.assign(target.id, value, like)]
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
            made += self._stores(part, sx.read(name, like), like)
        return [*made, self._forget([name for _, name in parts], like)]

    def _forget(self, names: list[str], like: ast.AST) -> ast.stmt:
        gone: list[Any] = [ast.copy_location(ast.Name(name, ast.Del()), like) for name in names]
        return ast.copy_location(ast.Delete(gone), like)

    def _store(self, target: Any, value: ast.expr, like: ast.AST) -> Any:
        if isinstance(target, ast.Subscript):
            parts = [self.visit(target.value), self.visit(target.slice), value]
            return sx.statement(sx.call("set_item", parts, like), like)
        assert isinstance(target, ast.Attribute)
        name = sx.constant_of(self._mangled(target.attr), like)
        return sx.statement(
            sx.call("set_attribute", [self.visit(target.value), name, value], like), like
        )

    def _mangled(self, name: str) -> str:
        if name.startswith("__") and not name.endswith("__") and self.private:
            return f"_{self.private}{name}"
        return name

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        node.value = self.visit(node.value)
        target = node.target
        if isinstance(target, ast.Name):
            return node
        thing, part = self.names.new("part"), self.names.new("part")
        made: list[Any] = [sx.assign(thing, self.visit(target.value), node)]
        if isinstance(target, ast.Subscript):
            key = self.names.new("part")
            made.append(sx.assign(key, self.visit(target.slice), node))
            found: ast.expr = sx.call("item", [sx.read(thing, node), sx.read(key, node)], node)
            how, where = "set_item", sx.read(key, node)
        else:
            name = self._mangled(target.attr)
            found = ast.copy_location(ast.Attribute(sx.read(thing, node), name, ast.Load()), node)
            how, where = "set_attribute", sx.constant_of(name, node)
        made.append(sx.assign(part, found, node))
        node.target = ast.copy_location(ast.Name(part, ast.Store()), node)
        made.append(node)
        stored = [sx.read(thing, node), where, sx.read(part, node)]
        made.append(sx.statement(sx.call(how, stored, node), node))
        return [*made, self._forget([thing, part], node)]

    # ── Expressions ──────────────────────────────────────────────────────────────────────────

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        # Python has no := where a comprehension says what it goes over.
        node.target = self.visit(node.target)
        self.without_names += 1
        node.iter = self.visit(node.iter)
        self.without_names -= 1
        if not node.is_async:
            node.iter = sx.call("each", [node.iter], node.iter)
        node.ifs = [self.visit(test) for test in node.ifs]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        if isinstance(node.op, ast.Invert):
            return sx.call("inverted", [node.operand], node)
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        op = node.ops[0]
        if len(node.ops) == 1 and isinstance(op, (ast.Is, ast.IsNot)):
            found = sx.call("identical", [node.left, node.comparators[0]], node)
            return found if isinstance(op, ast.Is) else sx.call("negation", [found], node)
        return node if node in self.tests else sx.call("compared", [node], node)


class _Branches(_Stores):
    """Writes each branch so that it can take one side, or both of them, too."""

    # ── Statements ───────────────────────────────────────────────────────────────────────────

    def visit_If(self, node: Any) -> Any:
        if getattr(node, "is_plain", False):
            return node
        node.test = self.visit(node.test)
        names = self._assigned([*node.body, *node.orelse])
        leaves = any(_leaves(statement) for statement in [*node.body, *node.orelse])
        self.depth += 1
        node.body, node.orelse = self._statements(node.body), self._statements(node.orelse)
        self.depth -= 1
        if names is None or leaves:
            return node
        choice = f"{_OURS} choice {self.depth}"  # one after the other: locals() has them all
        flags = sx.constant_of(getattr(node, "flags", ()), node)
        both = sx.part(sx.read(choice, node), "both", node)
        before = [sx.statement(sx.do(choice, "enter", [sx.locals_(node)], node), node)]
        test = [node.test, sx.constant_of(tuple(names), node), flags, _facts(node)]
        made: list[Any] = [
            sx.assign(choice, sx.call("choice", test, node), node),
            sx.if_(both, before, [], node),
            sx.if_(sx.part(sx.read(choice, node), "first", node), node.body, [], node),
            sx.if_(both, self._set(names, choice, "turn", node), [], node),
        ]
        if node.orelse:
            made.append(
                sx.if_(sx.part(sx.read(choice, node), "second", node), node.orelse, [], node)
            )
        made.append(sx.if_(both, self._set(names, choice, "merge", node), [], node))
        return made

    def _set(self, names: list[str], thing: str, method: str, like: ast.AST) -> list[Any]:
        """Return statements that assign a method's results to names, and delete the other names."""
        value = sx.do(thing, method, [sx.locals_(like)], like)
        if not names:
            return [sx.statement(value, like)]
        targets: list[Any] = [ast.copy_location(ast.Name(n, ast.Store()), like) for n in names]
        target = ast.copy_location(ast.Tuple(targets, ast.Store()), like)
        made: list[Any] = [ast.copy_location(ast.Assign([target], value), like)]
        for name in names:
            gone = ast.copy_location(ast.Name(name, ast.Del()), like)
            unset = sx.is_(sx.read(name, like), sx.ours(sx.constant("UNSET"), like), like)
            made.append(sx.if_(unset, [ast.copy_location(ast.Delete([gone]), like)], [], like))
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
        place = sx.constant_of(node.lineno, node)
        masked = sx.part(sx.read(loop, node), "masked", node)
        before = [sx.statement(sx.do(loop, "enter", [sx.locals_(node)], node), node)]
        after = self._set(names, loop, "merge", node)
        node.body = [sx.if_(masked, before, [], node), *body, sx.if_(masked, after, [], node)]
        node.test = sx.do(loop, "goes_on", [node.test], node)
        parts: list[Any] = [sx.constant_of(tuple(names), node), place, _facts(node)]
        made: list[Any] = [sx.assign(loop, sx.call("Loop", parts, node), node), node]
        after_all = self._statements(node.orelse)
        node.orelse = []
        return [*made, *after_all]

    def visit_Raise(self, node: ast.Raise) -> Any:
        self.generic_visit(node)
        if node.exc is None:
            return node
        called = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        kind: ast.expr = sx.constant_of(None, node)
        if isinstance(called, ast.Name):
            kind = sx.read(called.id, node)
        said = ""
        if isinstance(node.exc, ast.Call) and len(node.exc.args) == 1:
            only = node.exc.args[0]
            if isinstance(only, ast.Constant) and isinstance(only.value, str):
                said = only.value
        test = sx.call("must_raise", [kind, sx.constant_of(said, node)], node)
        return sx.if_(test, [node], [], node)

    def visit_Assert(self, node: ast.Assert) -> Any:
        arguments = [node.msg] if node.msg is not None else []
        error = ast.copy_location(ast.Call(sx.read("AssertionError", node), arguments, []), node)
        raising = ast.copy_location(ast.Raise(error, None), node)
        test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node)
        return self.visit_If(sx.if_(test, [raising], [], node))

    # ── Expressions ──────────────────────────────────────────────────────────────────────────

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self.generic_visit(node)
        if self.without_names:
            return node
        truth = self.names.new("truth")
        test = sx.walrus(truth, sx.call("truth", [node.test, _facts(node)], node), node)
        first = self._on_side("side", truth, True, node.body, node)
        second = self._on_side("side", truth, False, node.orelse, node)
        return sx.call("pick", [test, first, second], node)

    def _on_side(
        self, how: str, truth: str, first: bool, value: ast.expr, like: ast.AST
    ) -> ast.expr:
        asked = sx.call(how, [sx.read(truth, like), sx.constant_of(first, like)], like)
        return ast.copy_location(ast.IfExp(asked, value, sx.constant_of(None, like)), like)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        if self.without_names:
            return node
        is_and, facts = isinstance(node.op, ast.And), _facts(node)
        *values, made = node.values
        for value in reversed(values):
            operand, truth = self.names.new("operand"), self.names.new("truth")
            asked = sx.walrus(
                truth, sx.call("truth", [sx.walrus(operand, value, node), facts], node), node
            )
            settles = sx.is_(asked, sx.constant_of(not is_and, node), node)
            parts = [
                sx.read(truth, node),
                sx.read(operand, node),
                self._on_side("operand", truth, is_and, made, node),
            ]
            joined = sx.call("joined", parts, node)
            made = ast.copy_location(ast.IfExp(settles, sx.read(operand, node), joined), node)
        return made

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        if not isinstance(node.op, ast.Not):
            return super().visit_UnaryOp(node)
        self.generic_visit(node)
        return sx.call("negation", [node.operand], node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) > 1 and not self.without_names:
            left, pairs = node.left, []
            for op, right in zip(node.ops, node.comparators, strict=True):
                name = self.names.new("operand")
                is_last = right is node.comparators[-1]
                kept = right if is_last else sx.walrus(name, right, node)
                pairs.append(ast.copy_location(ast.Compare(left, [op], [kept]), node))
                left = sx.read(name, node)
            both = ast.copy_location(ast.BoolOp(ast.And(), pairs), node)
            both.facts = getattr(node, "facts", None)  # type: ignore[attr-defined]
            return self.visit_BoolOp(both)
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            self.generic_visit(node)
            found = sx.call("contains", [node.left, node.comparators[0]], node)
            return found if isinstance(node.ops[0], ast.In) else sx.call("negation", [found], node)
        return super().visit_Compare(node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Constant):
            return node
        if any(isinstance(inner, ast.Slice) for inner in ast.walk(node.slice)):
            return node
        return sx.call("item", [node.value, node.slice], node)

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
            elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
                names[node.name] = None
            elif isinstance(node, ast.MatchMapping) and node.rest:
                names[node.rest] = None
            elif isinstance(node, _COMPREHENSIONS):
                inner = [n for n in ast.walk(node) if isinstance(n, ast.NamedExpr)]
                todo.extend([named.target for named in inner])
                continue
            todo.extend(reversed(list(ast.iter_child_nodes(node))))
        if self.globals & names.keys():
            return None
        return list(names)


def _names_in(kinds: Any) -> list[str]:
    """Return the last names of the exceptions that an `except` catches."""
    if kinds is None:
        return ["BaseException"]
    parts = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    return [part.id if isinstance(part, ast.Name) else getattr(part, "attr", "") for part in parts]


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
