"""Which branches and loops may be merged: the rule, and where it is checked.

A recording follows the path that Python takes. To record both sides of a branch, and to select
between them, is an optimisation. It is done only for a *region* for which all of this holds:

1.  Its statements assign numbers to local names, to entries of lists of numbers and to attributes
    of plain objects; or they are `if`, `while`, `for`, `break`, `continue`, `return` and `raise`
    of the same kind. A `for` goes over a list, a tuple or an array of numbers, or over `range`,
    `zip` or `enumerate` of these.
2.  Its expressions are numbers, names, arithmetic, comparisons, conditional expressions, `and`,
    `or`, `not`, entries of lists of numbers, attributes that hold numbers, and calls of pure
    functions: the table's, those of `math`, some builtins, and functions for which the same holds
    and which are not already running.
3.  No name in it is global or nonlocal, or belongs to an inner function too.
4.  When the region is entered, every name that it reads or assigns, and that is bound, holds a
    number; every table is a list, tuple or array of numbers; every callee is pure.

The region of an `if` is the `if`; with a `break` or `continue` in it, the loop that it leaves; with
a `return` in it or in that loop, the rest of the function. 1 to 3 are read off the syntax tree
(`annotate`), 4 is asked when a condition turns out to be recorded (`holds`). Whatever still cannot
be selected then, or raises, abandons the recording, and the next one follows Python there.
"""

# Of a syntax tree's nodes not all types are known.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

__all__ = ["FACTS", "Facts", "annotate", "holds", "holds_of_function", "is_plain_part"]


class Facts(NamedTuple):
    """What has to be true of names when a region is entered; plain data, a constant of code."""

    numbers: tuple[str, ...]  # they hold numbers, or nothing yet
    tables: tuple[str, ...]  # lists, tuples or arrays of numbers
    parts: tuple[tuple[str, str], ...]  # object and attribute, which holds a number
    called: tuple[str, ...]  # with dots: math.exp


FACTS: WeakKeyDictionary[CodeType, Facts | None] = (
    WeakKeyDictionary()
)  # of whole functions, by their own code


class _UnprovenError(Exception):
    """Something in the region is not of the kind that the rule allows."""


# ── From the syntax tree ─────────────────────────────────────────────────────────────────────

_LISTS = frozenset({"len", "sum", "min", "max", "range", "zip", "enumerate", "reversed"})
_CONSUMING = frozenset({"sum", "min", "max", "any", "all", "list", "tuple", "sorted", "set"})
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_COMPARED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def annotate(node: Any) -> Facts | None:
    """Note the facts of each region of a function on its node, as `facts`.

    Return those of the whole function; None where it is not of the kind.
    """
    shared = _shared(node)
    if isinstance(node, ast.Lambda):
        _expressions(node.body, shared)
        return _facts_of(lambda region: region.number(node.body), shared)
    _Annotator(node, shared).block(node.body, [], None)
    names = [argument.arg for argument in node.args.args]
    if node.args.vararg or node.args.kwarg or node.args.kwonlyargs or node.args.posonlyargs:
        return None
    if not names or not _returns(node.body):
        return None
    return _facts_of(lambda region: region.block(node.body), shared)


def _shared(node: Any) -> set[str]:
    """Return the names that another scope sees, too."""
    found: set[str] = set()
    consumed = {  # at once, by what they are given to
        id(argument)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Call) and getattr(inner.func, "id", "") in _CONSUMING
        for argument in inner.args
    }
    for inner in ast.walk(node):
        if isinstance(inner, (ast.Global, ast.Nonlocal)):
            found.update(inner.names)
        elif inner is not node and isinstance(inner, (*_SCOPES, *_COMPREHENSIONS)):
            names = [one.id for one in ast.walk(inner) if isinstance(one, ast.Name)]
            lasting = isinstance(inner, _SCOPES) or (
                isinstance(inner, ast.GeneratorExp) and id(inner) not in consumed
            )
            stored = {one.id for one in ast.walk(inner)
                      if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}  # fmt: skip
            found.update(names if lasting else stored)
    return found


def _own(body: Any) -> Iterator[Any]:
    todo: list[Any] = list(body) if isinstance(body, list) else [body]
    while todo:
        inner = todo.pop()
        yield inner
        if not isinstance(inner, _SCOPES):
            todo.extend(ast.iter_child_nodes(inner))


def _returns(body: list[Any]) -> bool:
    """Say whether statements never come to their end without a return."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, (ast.Return, ast.Raise)):
        return True
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return not any(isinstance(inner, ast.Break) for inner in _own(last.body))
    return False


class _Annotator:
    """Finds the region of each statement that a recorded condition may decide."""

    def __init__(self, node: Any, shared: set[str]) -> None:
        self.shared = shared
        self.body = node.body
        self.returns = _returns(node.body)

    def block(self, body: list[Any], loops: list[Any], rest: list[Any] | None) -> None:
        for k, statement in enumerate(body):
            self.statement(statement, loops, body[k:] if rest is None else rest)

    def statement(self, s: Any, loops: list[Any], rest: list[Any]) -> None:
        if isinstance(s, _SCOPES):
            return
        for name, value in ast.iter_fields(s):
            if name in ("body", "orelse", "finalbody", "handlers", "cases"):
                continue
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    _expressions(part, self.shared)
        if isinstance(s, ast.If):
            self.note(s, loops, rest)
            self.block(s.body, loops, rest)
            self.block(s.orelse, loops, rest)
        elif isinstance(s, (ast.While, ast.For)):
            self.note(s, loops, rest)
            self.block(s.body, [*loops, s], rest)
            self.block(s.orelse, loops, rest)
        else:
            for name in ("body", "orelse", "finalbody", "handlers", "cases"):
                for inner in getattr(s, name, []):
                    if isinstance(inner, ast.stmt):
                        self.statement(inner, loops, rest)
                    else:
                        self.block(inner.body, loops, rest)

    def note(self, s: Any, loops: list[Any], rest: list[Any]) -> None:
        jumps = list(_jumps(s))
        region: list[Any] = [s]
        if loops and any(isinstance(jump, (ast.Break, ast.Continue)) for jump in jumps):
            region = [loops[-1]]  # whether a `return` in it is met depends on this jump
            jumps += _jumps(loops[-1])
        if any(isinstance(jump, ast.Return) for jump in jumps):
            if not self.returns:
                s.facts = None
                return
            region = rest
        s.facts = _facts_of(lambda found: found.block(region), self.shared)


def _jumps(statement: Any, inside: bool = False) -> Iterator[Any]:
    """Yield the jumps that lead out of a statement."""
    for inner in ast.iter_child_nodes(statement):
        if isinstance(inner, _SCOPES):
            continue
        if isinstance(inner, ast.Return) or (
            not inside
            and isinstance(inner, (ast.Break, ast.Continue))
            and not isinstance(statement, (ast.For, ast.While))
        ):
            yield inner
        yield from _jumps(inner, inside or isinstance(statement, (ast.For, ast.While)))


def _expressions(node: Any, shared: set[str]) -> None:
    """Note the facts of the expressions that a recorded condition may decide."""
    for inner in _own(node):
        if isinstance(inner, (ast.IfExp, ast.BoolOp)) or (
            isinstance(inner, ast.Compare) and len(inner.ops) > 1
        ):
            one: Any = inner
            one.facts = _facts_of(lambda region, one=one: region.number(one), shared)


def _facts_of(read: Callable[[_Region], None], shared: set[str]) -> Facts | None:
    region = _Region(shared)
    try:
        read(region)
    except _UnprovenError:
        return None
    return region.facts()


class _Region:
    """Reads statements and expressions, and refuses those that are not of the kind."""

    def __init__(self, shared: set[str]) -> None:
        self.shared = shared
        self.numbers: dict[str, None] = {}
        self.tables: dict[str, None] = {}
        self.parts: dict[tuple[str, str], None] = {}
        self.called: dict[str, None] = {}

    def facts(self) -> Facts:
        return Facts(tuple(self.numbers), tuple(self.tables), tuple(self.parts), tuple(self.called))

    def name(self, name: str) -> str:
        if name in self.shared:
            raise _UnprovenError
        return name

    def block(self, body: list[Any]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, s: Any) -> None:
        if isinstance(s, ast.Assign):
            self.result(s.value)
            for target in s.targets:
                self.target(target)
        elif isinstance(s, (ast.AugAssign, ast.AnnAssign)):
            if isinstance(s, ast.AugAssign) and not isinstance(s.op, _ARITHMETIC):
                raise _UnprovenError
            if s.value is not None:
                self.number(s.value)
                self.target(s.target)
        elif isinstance(s, (ast.If, ast.While)):
            self.number(s.test)
            self.block(s.body)
            self.block(s.orelse)
        elif isinstance(s, ast.For):
            self.table(s.iter)
            self.target(s.target)
            self.block(s.body)
            self.block(s.orelse)
        elif isinstance(s, ast.Return):
            if s.value is None:
                raise _UnprovenError
            self.result(s.value)
        elif isinstance(s, ast.Raise):
            self.error(s)
        elif isinstance(s, ast.Assert):
            self.number(s.test)
            if s.msg is not None and not isinstance(s.msg, ast.Constant):
                raise _UnprovenError
        elif not (
            isinstance(s, (ast.Pass, ast.Break, ast.Continue))
            or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        ):
            raise _UnprovenError

    def error(self, s: ast.Raise) -> None:
        called = s.exc.func if isinstance(s.exc, ast.Call) else s.exc
        arguments = s.exc.args if isinstance(s.exc, ast.Call) else []
        if s.cause is not None or not isinstance(called, ast.Name):
            raise _UnprovenError
        if isinstance(s.exc, ast.Call) and s.exc.keywords:
            raise _UnprovenError
        if len(arguments) > 1 or not all(isinstance(one, ast.Constant) for one in arguments):
            raise _UnprovenError
        self.called[f"!{self.name(called.id)}"] = None

    def target(self, target: Any) -> None:
        if isinstance(target, ast.Name):
            self.numbers[self.name(target.id)] = None
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self.target(part)
        elif isinstance(target, (ast.Subscript, ast.Attribute)):
            self.number(target)
        else:
            raise _UnprovenError

    def result(self, value: Any) -> None:
        """A number, or a tuple of numbers."""
        for part in value.elts if isinstance(value, ast.Tuple) else [value]:
            self.number(part)

    def number(self, x: Any) -> None:
        if isinstance(x, ast.Constant) and type(x.value) in (int, float, bool):
            return
        if isinstance(x, ast.Name):
            self.numbers[self.name(x.id)] = None
        elif isinstance(x, ast.BinOp) and isinstance(x.op, _ARITHMETIC):
            self.number(x.left)
            self.number(x.right)
        elif isinstance(x, ast.UnaryOp) and not isinstance(x.op, ast.Invert):
            self.number(x.operand)
        elif isinstance(x, ast.BoolOp):
            for value in x.values:
                self.number(value)
        elif isinstance(x, ast.IfExp):
            for part in (x.test, x.body, x.orelse):
                self.number(part)
        elif isinstance(x, ast.Compare) and all(isinstance(op, _COMPARED) for op in x.ops):
            for part in (x.left, *x.comparators):
                self.number(part)
        elif isinstance(x, ast.Call):
            self.call(x)
        elif isinstance(x, ast.Subscript):
            if isinstance(x.slice, (ast.Slice, ast.Tuple)):
                raise _UnprovenError
            self.number(x.slice)
            self.entry(x.value)
        elif isinstance(x, ast.Attribute) and isinstance(x.value, ast.Name):
            self.parts[self.name(x.value.id), x.attr] = None
        else:
            raise _UnprovenError

    def entry(self, thing: Any) -> None:
        """What is subscripted: a list of numbers, or an entry of a list of lists."""
        if isinstance(thing, ast.Subscript) and isinstance(thing.slice, (ast.Constant, ast.Name)):
            self.number(thing.slice)
            self.entry(thing.value)
        elif isinstance(thing, ast.Name):
            self.tables[self.name(thing.id)] = None
        else:
            raise _UnprovenError

    def call(self, x: ast.Call) -> None:
        if x.keywords or any(isinstance(argument, ast.Starred) for argument in x.args):
            raise _UnprovenError
        name = _dotted(x.func)
        self.called[self.name(name.partition(".")[0]) + name[len(name.partition(".")[0]) :]] = None
        if name in ("len", "sum", "min", "max") and len(x.args) == 1:
            self.table(x.args[0])
            return
        for argument in x.args:
            self.number(argument)

    def table(self, x: Any) -> None:
        """What a loop goes over, or a builtin takes."""
        if isinstance(x, ast.Name):
            self.tables[self.name(x.id)] = None
        elif isinstance(x, (ast.List, ast.Tuple)):
            for part in x.elts:
                self.result(part)
        elif isinstance(x, ast.Call) and not x.keywords:
            name = _dotted(x.func)
            if name not in _LISTS:
                raise _UnprovenError
            self.called[self.name(name)] = None
            for argument in x.args:
                if name == "range":
                    self.number(argument)
                else:
                    self.table(argument)
        else:
            raise _UnprovenError


def _dotted(callee: Any) -> str:
    if isinstance(callee, ast.Name):
        return callee.id
    if isinstance(callee, ast.Attribute):
        return f"{_dotted(callee.value)}.{callee.attr}"
    raise _UnprovenError


# ── When a region is entered ─────────────────────────────────────────────────────────────────

_MISSING = object()


class Asked(NamedTuple):
    """What a recording knows of things: it is asked once for each region that is entered."""

    is_number: Callable[[Any], bool]
    is_table: Callable[[Any], bool]
    is_pure: Callable[[Any], bool]


def holds(facts: Facts, frame: FrameType, asked: Asked) -> bool:
    """Say whether the names of a region hold in this frame what its facts ask for."""
    facts, scope, outer = Facts(*facts), frame.f_locals, frame.f_globals

    def find(name: str) -> Any:
        found = scope.get(name, _MISSING)
        return found if found is not _MISSING else _global(name, outer)

    return _holds(facts, find, asked)


def holds_of_function(function: FunctionType, facts: Facts, asked: Asked) -> bool:
    """Say whether a function is pure: its own names are numbers, as its arguments are."""
    code = function.__code__
    own = set(code.co_varnames)
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    takes = set(code.co_varnames[: code.co_argcount])
    if takes & set(facts.tables) or takes & {name for name, _ in facts.parts}:
        return False
    if own & {name.lstrip("!").partition(".")[0] for name in facts.called}:
        return False

    def find(name: str) -> Any:
        if name in own:
            return _MISSING
        if name in cells:
            try:
                return cells[name].cell_contents
            except ValueError:
                return None
        return _global(name, function.__globals__)

    if any(name in own for name in facts.tables):  # made in it: of what, nobody has seen
        return False
    return _holds(facts, find, asked)


def _global(name: str, names: dict[str, Any]) -> Any:
    return names[name] if name in names else getattr(builtins, name, _MISSING)


def _holds(facts: Facts, find: Callable[[str], Any], asked: Asked) -> bool:
    for name in facts.numbers:
        found = find(name)
        if found is not _MISSING and not asked.is_number(found):
            return False
    for name in facts.tables:
        found = find(name)
        if found is _MISSING or not asked.is_table(found):
            return False
    for name, part in facts.parts:
        found = find(name)
        if found is _MISSING or not is_plain_part(found, part, asked):
            return False
    for name in facts.called:
        if name.startswith("!"):  # an exception's class
            kind = find(name[1:])
            if not (isinstance(kind, type) and issubclass(kind, Exception)):
                return False
            continue
        first, *parts = name.split(".")
        found = find(first)
        for part in parts:
            found = getattr(found, part, _MISSING) if _is_module(found) else _MISSING
        if found is _MISSING or not asked.is_pure(found):
            return False
    return True


def _is_module(thing: Any) -> bool:
    return type(thing).__name__ == "module"


def is_plain_part(thing: Any, name: str, asked: Asked) -> bool:
    """Say whether an attribute is one of the object's own, with a number in it."""
    kind: Any = type(thing)
    if _is_module(thing):
        return asked.is_number(vars(thing).get(name))
    if kind.__getattribute__ is not object.__getattribute__ or hasattr(kind, "__getattr__"):
        return False
    if kind.__setattr__ is not object.__setattr__:
        return False
    own: Any = getattr(thing, "__dict__", {})
    if name not in own:
        return False
    inherited = getattr(kind, name, None)
    is_data = hasattr(type(inherited), "__set__") or hasattr(type(inherited), "__delete__")
    return not is_data and asked.is_number(own[name])
