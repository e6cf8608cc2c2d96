"""The mutants of `x.py mutate code`: one operator, constant, condition or call changed.

Only bodies of functions are mutated: tables at the top of a module are data, and the tests compare
those. A change that makes no difference (`<` for `<=` where equal never comes) survives rightly, so
the threshold is below 100 %. Error messages, annotations, asserts and __repr__ are left alone.
"""

# A syntax tree has fields of any type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

import ast
import copy
import gc
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from mutants import Group, Mutant, Options

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "gradwalk"

ENOUGH = 0.85
SECONDS = 60

_RECORDING = ("program/trace", "program/interpreter")
_PROGRAM = ["program_*", "optim", "remainder"]
#: Modules, the test files that have to notice, and the back end to run these on. `_RECORDING` runs
#: only where the C does not; the other modules have functions that run only where it does.
GROUPS: list[tuple[list[str], list[str], str]] = [
    (["walk"], ["walk", "render_text"], "auto"),
    (["graph"], ["graph", "walk"], "auto"),
    *[([name], [name], "auto") for name in ("paths", "expr", "optim", "nn", "plan")],
    (["program/*", "program/recording/*"], _PROGRAM, "auto"),
    ([*_RECORDING], _PROGRAM, "python"),
    (["render/*"], ["render_*", "contract", "pictures", "view"], "auto"),
    (["lab/*"], ["lab_server", "site", "watch"], "auto"),
    (["practice/*", "practice/judge/*"], ["practice", "judge", "class"], "auto"),
    (["scripts/*"], ["scripts"], "auto"),
    (["cli/*"], ["cli", "terminal", "gpt_commands"], "auto"),
]


def groups() -> Iterator[Group]:
    for patterns, tests, backend in GROUPS:
        found = [file for name in tests for file in (ROOT / "tests").glob(f"test_{name}.py")]
        files = sorted(str(file.relative_to(ROOT)) for file in found)

        def mutants(
            options: Options, patterns: list[str] = patterns, backend: str = backend
        ) -> list[Mutant]:
            own = {file for pattern in patterns for file in PACKAGE.glob(f"{pattern}.py")}
            names = sorted(file.relative_to(PACKAGE).with_suffix("").as_posix() for file in own)
            chosen = [
                name
                for name in names
                if options.only in name and (backend == "python" or name not in _RECORDING)
            ]
            return [mutant for name in chosen for mutant in sampled(name, options)]

        yield Group(patterns[0], files, backend, mutants)


def sampled(module: str, options: Options) -> list[Mutant]:
    file = PACKAGE / f"{module}.py"
    tree = ast.parse(file.read_text("utf-8"))
    found = list(places(tree))
    # A sample of its own per module: another module's change leaves this one as it is.
    random = Random(f"{module} {options.seed}")
    return [
        Mutant(
            f"{module}.py:{place.line}",
            place.way,
            lambda place=place: put(file, place.function, tree, changed(tree, place)),
            called(file, tree, place.function),
        )
        for place in random.sample(found, min(options.sample, len(found)))
    ]


def by_text(module: str, old: str, new: str, way: str) -> Mutant:
    """Return a mutant that has another text, of as many lines, somewhere in one function."""
    file = PACKAGE / f"{module}.py"
    source = file.read_text("utf-8")
    if old not in source:
        raise LookupError(f"{module}.py has no {old!r} any more: what should be broken instead?")
    trees = [ast.parse(source), ast.parse(source.replace(old, new, 1))]
    at = source[: source.index(old)].count("\n") + 1
    first = max(first for first in codes(trees[0], str(file)) if first <= at)
    return Mutant(
        f"{module}.py", way, lambda: put(file, first, *trees), called(file, trees[0], first)
    )


def called(file: Path, tree: ast.Module, first: int) -> frozenset[tuple[str, int]]:
    """Return the function at this line and those inside it, as they are seen when called."""
    return frozenset(
        (str(file), code.co_firstlineno) for code in _nested(codes(tree, str(file))[first])
    )


def put(file: Path, first: int, old_tree: ast.Module, new_tree: ast.Module) -> None:
    """Give every function made from the code at this line of the old tree that of the new one."""
    old = _nested(codes(old_tree, str(file))[first])
    new = _nested(codes(new_tree, str(file))[first])
    # The inner functions too: those that exist already were made from the old code.
    by_old = dict(zip(old, new, strict=True)) if len(old) == len(new) else {old[0]: new[0]}
    gc.unfreeze()  # tests/conftest.py freezes what there is: gc does not list that
    for function in [thing for thing in gc.get_objects() if type(thing) is FunctionType]:
        if function.__code__ in by_old:
            function.__code__ = by_old[function.__code__]


# ── What to change ───────────────────────────────────────────────────────────────────────────

_COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
_QUIET = {"__repr__", "__doc__"}  # what they say is for people


class Place(NamedTuple):
    """A node that can be changed: which of the tree's nodes, in which function, and how."""

    node: int  # its position in ast.walk order
    function: int  # the first line of the outermost function around it
    line: int
    way: str


def places(tree: ast.Module) -> Iterator[Place]:
    """Yield every change that can be made inside the functions of a module."""
    order = {id(node): place for place, node in enumerate(ast.walk(tree))}
    for function in _outermost(tree.body):
        first = min([function.lineno, *[d.lineno for d in function.decorator_list]])
        for node in _inside(function):
            for way in _ways(node):
                yield Place(order[id(node)], first, node.lineno, way)


def _outermost(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef):
            if statement.name not in _QUIET and not _is_overload(statement):
                yield statement
        elif isinstance(statement, ast.ClassDef):
            yield from _outermost(statement.body)


def _is_overload(function: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "overload" for d in function.decorator_list)


def _inside(node: ast.AST) -> Iterator[Any]:
    """Yield the nodes below that are neither messages nor annotations."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        if isinstance(node, ast.AnnAssign) and name == "annotation":
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(
                child, (ast.Raise, ast.Assert, ast.JoinedStr, ast.arguments)
            ):
                continue
            if isinstance(child, ast.keyword) and child.arg == "strict":
                continue  # of zip: the lengths are equal, so nothing changes
            yield child
            yield from _inside(child)


def _ways(node: Any) -> Iterator[str]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARE:
        yield f"{type(node.ops[0]).__name__} → {_COMPARE[type(node.ops[0])].__name__}"
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _ARITHMETIC:
        sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.value]
        if not any(isinstance(s, (ast.JoinedStr, ast.List)) or _is_text(s) for s in sides):
            yield f"{type(node.op).__name__} → {_ARITHMETIC[type(node.op)].__name__}"
    elif isinstance(node, ast.BoolOp):
        yield "and ↔ or"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield f"{type(node.op).__name__} dropped"
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield "condition negated"
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        number: Any = node.value
        yield f"{number} → {number + 1}"
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield f"{node.value} → {not node.value}"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "call dropped"
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield "returns None"
    elif isinstance(node, (ast.Continue, ast.Break)):
        yield f"{type(node).__name__.lower()} dropped"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def changed(tree: ast.Module, place: Place) -> ast.Module:
    """Return a copy of the tree with this one change."""
    tree = copy.deepcopy(tree)
    target: Any = list(ast.walk(tree))[place.node]
    if isinstance(target, ast.Compare):
        target.ops[0] = _COMPARE[type(target.ops[0])]()
    elif isinstance(target, (ast.BinOp, ast.AugAssign)):
        target.op = _ARITHMETIC[type(target.op)]()
    elif isinstance(target, ast.BoolOp):
        target.op = ast.And() if isinstance(target.op, ast.Or) else ast.Or()
    elif isinstance(target, (ast.If, ast.IfExp, ast.While)):
        target.test = ast.copy_location(ast.UnaryOp(ast.Not(), target.test), target.test)
    elif isinstance(target, ast.Constant):
        number: Any = target.value
        target.value = not number if type(number) is bool else number + 1
    elif isinstance(target, ast.Return):
        target.value = ast.copy_location(ast.Constant(None), target)
    else:
        _replace(tree, target)
    return ast.fix_missing_locations(tree)


def _replace(tree: ast.Module, target: Any) -> None:
    """Put an operand in the place of its sign, and `pass` in the place of a statement."""
    new: Any = target.operand if isinstance(target, ast.UnaryOp) else ast.Pass()
    for parent in ast.walk(tree):
        fields: list[tuple[str, Any]] = list(ast.iter_fields(parent))
        for name, value in fields:
            if value is target:
                setattr(parent, name, ast.copy_location(new, target))
            elif isinstance(value, list):
                items: list[Any] = value
                if any(item is target for item in items):
                    items[:] = [ast.copy_location(new, v) if v is target else v for v in items]


def codes(tree: ast.Module, file: str) -> dict[int, CodeType]:
    """Return the code of each outermost function, by its first line."""
    found: dict[int, CodeType] = {}

    def collect(code: CodeType) -> None:
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                if constant.co_flags & 2:  # a function's, not the body of a class
                    found[constant.co_firstlineno] = constant
                else:
                    collect(constant)

    collect(compile(tree, file, "exec"))
    return found


def _nested(code: CodeType) -> list[CodeType]:
    """Return the code of a function and of all functions inside it, in the order of the text."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return [code, *[found for one in inner for found in _nested(one)]]
