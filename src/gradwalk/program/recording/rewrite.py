"""Rewriting a function so that each call in it goes through the recording.

    rewritten   the code of a function with its call sites rewritten
    Rewriter    the syntax tree's visitor: one method for each kind of node that is rewritten

`f(x)` becomes `call(f, x)` and `market.rate` becomes `attribute(market, "rate")`: `trace` has the
two, `calls` says what they do. So nothing is patched while a function is recorded, and two threads
that record do not meet. The rewritten code runs with the function's own globals, cells and
defaults, and has the file, lines and columns of the source: errors point at what the user wrote.

The source is trusted only where it compiles to the very code that the function has. A file that was
edited since, a test that pytest rewrote, a function made by `exec`: for these there is no rewritten
code, and `calls` runs a copy of the function over other globals instead.
"""

# Of a syntax tree's nodes not all types are known.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations
import __future__

import ast
import linecache
import re
import weakref
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from gradwalk.program.recording.lower import lower
from gradwalk.program.recording.proof import FACTS
from gradwalk.program.recording.syntax import call, made_call

__all__ = ["AS_IT_IS", "ATTRIBUTE", "CALL", "Rewriter", "rewritten"]

AS_IT_IS = object()  # of code that was made here

CALL, ATTRIBUTE = "\0gradwalk.call", "\0gradwalk.attribute"  # constants, as those of `lower`

# They look at the frame that calls them.
_BY_FRAME = frozenset({"super", "locals", "vars", "dir", "eval", "exec", "globals"})

_NESTED = 0x10  # a flag that says nothing about how code runs
_FUTURE = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})

_known: dict[tuple[int, bool], tuple[weakref.ref[CodeType], Any]] = {}


def rewritten(
    code: CodeType, names: dict[str, Any], functions: dict[str, Any], merges: bool = True
) -> CodeType | object | None:
    """Return the rewritten code; AS_IT_IS for what is rewritten already, None without source.

    `names` are the function's globals, by which a source that is no file can be found. `functions`
    are what the constants stand for. `merges`: branches may be merged, and are lowered for it.
    """
    known = _known.get((id(code), merges))
    if known is not None and known[0]() is code:
        return known[1]
    made = _rewritten(code, names, functions, merges)
    _remember(code, made, merges)
    return made


def _remember(code: CodeType, made: Any, merges: bool = True) -> None:
    key = id(code), merges
    known = _known  # when Python ends, code may outlive this module's names

    def forget(gone: weakref.ref[CodeType]) -> None:
        if key in known and known[key][0] is gone:
            del known[key]

    known[key] = (weakref.ref(code, forget), made)


def _remember_all(code: CodeType) -> None:
    _remember(code, AS_IT_IS)
    _remember(code, AS_IT_IS, merges=False)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _remember_all(constant)


class Rewriter(ast.NodeTransformer):
    """Rewrites calls and attributes that are read. Branches and loops are `lower`'s."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if hasattr(node, "made"):
            return self.generic_visit(node)
        node.args = [self.visit(argument) for argument in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        callee = node.func
        if isinstance(callee, ast.Name) and callee.id in _BY_FRAME:
            return node
        if isinstance(callee, ast.Attribute):  # a method: nothing to look at before it is called
            callee.value = self.visit(callee.value)
        else:
            callee = self.visit(callee)
        made = made_call(CALL, [callee, *node.args], node)
        made.keywords = node.keywords
        return made

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.value = self.visit(node.value)
        if node.attr == "__class__" and isinstance(node.ctx, ast.Load):
            return call("kind_of", [node.value], node)
        # A private name is another one inside its class, which a constant is not.
        if (
            hasattr(node, "made")
            or not isinstance(node.ctx, ast.Load)
            or node.attr.startswith("__")
        ):
            return node
        name = ast.copy_location(ast.Constant(node.attr), node)
        return made_call(ATTRIBUTE, [node.value, name], node)

    # What is not run, or may not be an expression of any kind.

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.target = self.visit(node.target)
        node.value = node.value and self.visit(node.value)
        return node

    def visit_FunctionDef(self, node: Any) -> ast.AST:
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815  (ast's own name)

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.guard = node.guard and self.visit(node.guard)
        node.body = [self.visit(statement) for statement in node.body]
        return node


# ── From code to its syntax tree ─────────────────────────────────────────────────────────────


def _rewritten(
    code: CodeType, names: dict[str, Any], functions: dict[str, Any], merges: bool
) -> Any:
    lines = linecache.getlines(code.co_filename, names)
    first = code.co_firstlineno
    if not 0 < first <= len(lines):
        return None
    find = _lambdas if code.co_name == "<lambda>" else _definitions
    flags = code.co_flags & _FUTURE
    try:
        for node in find(code, lines, flags):
            for imported in _imports(node, code, names, lines):
                whole = _enclosed(node, code, imported)
                found = compile(whole, code.co_filename, "exec", flags, True)
                if not _is_same(_inner(found, code, {}), code):
                    continue
                facts = lower(node, _class_around(code.co_qualname), merges)
                if merges:
                    FACTS[code] = facts
                Rewriter().generic_visit(node)
                found = compile(whole, code.co_filename, "exec", flags, True)
                made = _inner(found, code, functions)
                if made.co_freevars != code.co_freevars:
                    return None
                _remember_all(made)
                return made
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    return None


def _imports(
    node: ast.AST, code: CodeType, names: dict[str, Any], lines: list[str]
) -> Iterator[list[str]]:
    """Yield which names of the module may have been imported, by what they are and by its source.

    Python has two codes for `name.method()`: one for names that the module imports, one for others.
    """
    used = {
        inner.func.value.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Call)
        and isinstance(inner.func, ast.Attribute)
        and isinstance(inner.func.value, ast.Name)
    }
    yield sorted([name for name in used if _is_from_elsewhere(names.get(name), names)])
    if used:
        yield sorted(used & _imported(code.co_filename, lines))


def _is_from_elsewhere(thing: Any, names: dict[str, Any]) -> bool:
    if isinstance(thing, (type, FunctionType)):
        return thing.__module__ != names.get("__name__")
    return isinstance(thing, ModuleType)


def _imported(file: str, lines: list[str]) -> set[str]:
    """Return the names that a module imports at its own level, for which all of it is read."""
    known = _imported_by.get(file)
    if known is not None and known[0] == len(lines):
        return known[1]
    found: set[str] = set()
    todo: list[Any] = [_parse("".join(lines), 0)]
    while todo:
        for inner in ast.iter_child_nodes(todo.pop()):
            if isinstance(inner, (ast.Import, ast.ImportFrom)):
                found |= {(alias.asname or alias.name).partition(".")[0] for alias in inner.names}
            elif not isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                todo.append(inner)
    _imported_by[file] = (len(lines), found)
    return found


_imported_by: dict[str, tuple[int, set[str]]] = {}


def _definitions(code: CodeType, lines: list[str], flags: int) -> Iterator[Any]:
    """Yield the `def` that begins on the code's first line, with its decorators taken off."""
    first = code.co_firstlineno
    start = lines[first - 1]
    indent = len(start) - len(start.lstrip())
    end = max(_line_numbers(code), default=first)
    while end < len(lines) and _goes_on(lines[end], indent):
        end += 1
    head = "\n" * (first - 1) if not indent else "\n" * (first - 2) + "if 1:\n"
    for _ in range(20):
        try:
            tree: Any = _parse(head + "".join(lines[first - 1 : end]), flags)
        except SyntaxError:  # a text in it goes on at the margin
            end += 1
            if end > len(lines):
                return
            continue
        node = tree.body[0].body[0] if indent else tree.body[0]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            # The first decorator's line is the code's first; which one it was makes no difference.
            node.decorator_list = [
                ast.copy_location(ast.Constant(None), one) for one in node.decorator_list[:1]
            ]
            node.returns = None
            node.name = _INNER  # it may call what is called so in its module: often itself
            if getattr(node, "type_params", None):
                node.type_params = []  # type: ignore[attr-defined]  # pyright: ignore
            _without_defaults(node.args)
            yield node
        return


def _goes_on(line: str, indent: int) -> bool:
    inner = line.lstrip()
    return not inner or inner.startswith("#") or len(line) - len(inner) > indent


def _line_numbers(code: CodeType) -> Iterator[int]:
    for _, _, line in code.co_lines():
        if line is not None:
            yield line
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _line_numbers(constant)


def _lambdas(code: CodeType, lines: list[str], flags: int) -> Iterator[Any]:
    """Yield each `lambda` on the code's first line, with its columns."""
    first = code.co_firstlineno
    last_line, last_column = max(_ends(code), default=(first, 0))
    if not first <= last_line <= len(lines):
        return
    raw = [line.encode() for line in lines[first - 1 :]]
    for found in re.finditer(rb"\blambda\b", raw[0]):
        column = found.start()
        rest = b"".join(raw)[column:]
        size = sum(map(len, raw[: last_line - first])) + last_column - column
        tree: Any = None
        for _ in range(12):
            if size <= 0:
                break
            try:
                tree = _parse_at(rest[:size].decode(), first, column, flags)
                break
            except (SyntaxError, UnicodeDecodeError):  # up to the bracket or quote that closes it
                closing = re.compile(rb"[)\]}'\"]").search(rest, size)
                if closing is None:
                    break
                size = closing.end()
        if isinstance(tree, ast.Lambda):
            _without_defaults(tree.args)
            yield tree


def _ends(code: CodeType) -> Iterator[tuple[int, int]]:
    for _, line, _, column in code.co_positions():
        if line is not None and column is not None:
            yield line, column
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _ends(constant)


def _parse_at(text: str, line: int, column: int, flags: int) -> ast.AST:
    """Return an expression's tree as if its text stood at this line and column."""
    if line > 1 and column > 1:
        head = "\n" * (line - 2) + "if 1:\n" + " " * (column - 1)
        tree: Any = _parse(f"{head}({text})", flags)
        return tree.body[0].body[0].value
    tree = _parse("\n" * (line - 1) + f"({text})", flags)
    nodes: list[Any] = list(ast.walk(tree))
    for node in nodes:
        if getattr(node, "lineno", None) == line:
            node.col_offset += column - 1
        if getattr(node, "end_lineno", None) == line:
            node.end_col_offset += column - 1
    return tree.body[0].value


def _parse(text: str, flags: int) -> ast.AST:
    return compile(text, "<source>", "exec", ast.PyCF_ONLY_AST | flags, True)


def _without_defaults(args: ast.arguments) -> None:
    """They belong to the function, as annotations do, and not to its code."""
    args.defaults = []
    args.kw_defaults = [None for _ in args.kw_defaults]
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    for one in every:
        if one is not None:
            one.annotation = None


# ── From the syntax tree to code ─────────────────────────────────────────────────────────────


def _enclosed(node: Any, code: CodeType, imported: list[str]) -> ast.Module:
    """Return a module in which the function has the cells and the private names that it has."""
    body = ast.copy_location(ast.Expr(node), node) if isinstance(node, ast.Lambda) else node
    free = [ast.copy_location(ast.arg(name), node) for name in code.co_freevars]
    outer: Any = ast.FunctionDef(
        name=_MADE,
        args=ast.arguments(posonlyargs=[], args=free, kwonlyargs=[], kw_defaults=[], defaults=[]),
        body=[body],
        decorator_list=[],
    )
    if "type_params" in ast.FunctionDef._fields:
        outer.type_params = []
    outer = ast.copy_location(outer, node)
    private = _class_around(code.co_qualname)
    if private:
        kind: Any = ast.ClassDef(
            name=private, bases=[], keywords=[], body=[outer], decorator_list=[]
        )
        if "type_params" in ast.ClassDef._fields:
            kind.type_params = []
        outer = ast.copy_location(kind, node)
    imports = [
        ast.copy_location(ast.Import([ast.copy_location(ast.alias(name), node)]), node)
        for name in imported
    ]
    return ast.Module([*imports, outer], [])


def _class_around(qualified: str) -> str:
    """Return the class whose private names are meant in a function of this qualified name."""
    parts = qualified.split(".")[:-1]
    while parts:
        if parts[-1] != "<locals>":
            return parts[-1]
        parts = parts[:-2]
    return ""


def _inner(code: CodeType, like: CodeType, functions: dict[str, Any]) -> CodeType:
    """Return the function's own code out of that of the module around it, under its own names."""
    while code.co_name != _MADE:
        code = next(part for part in code.co_consts if isinstance(part, CodeType))
    code = next(part for part in code.co_consts if isinstance(part, CodeType))
    flags = (code.co_flags & ~_NESTED) | (like.co_flags & _NESTED)
    return _named(
        code.replace(co_flags=flags, co_name=like.co_name),
        (code.co_qualname, like.co_qualname),
        functions,
    )


def _named(code: CodeType, names: tuple[str, str], functions: dict[str, Any]) -> CodeType:
    """Return code and all in it with one beginning of qualified names in the place of another."""
    before, after = names
    constants: list[Any] = []
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            constants.append(_named(constant, names, functions))
        elif isinstance(constant, str):
            is_name = constant.startswith(before)  # of a class in it
            name = after + constant[len(before) :] if is_name else constant
            constants.append(functions.get(name, name))
        else:
            constants.append(constant)
    name = after + code.co_qualname[len(before) :]
    return code.replace(co_consts=tuple(constants), co_qualname=name)


_MADE, _INNER = "gradwalk made", "gradwalk inner"  # nothing of the user's is called so
_FIELDS = (
    *("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_name", "co_firstlineno"),
    *("co_names", "co_varnames", "co_cellvars", "co_freevars"),
    *("co_code", "co_linetable", "co_exceptiontable"),
)


def _is_same(one: CodeType, other: CodeType) -> bool:
    """Say whether two pieces of code do the same on the same lines."""
    if any(getattr(one, name) != getattr(other, name) for name in _FIELDS):
        return False
    if (one.co_flags ^ other.co_flags) & ~_NESTED or len(one.co_consts) != len(other.co_consts):
        return False
    return all(map(_is_same_constant, one.co_consts, other.co_consts))


def _is_same_constant(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, CodeType):
        return _is_same(one, other)
    if isinstance(one, tuple):
        parts: tuple[Any, ...] = one
        return len(parts) == len(other) and all(map(_is_same_constant, parts, other))
    return repr(one) == repr(other)  # 0.0 and -0.0 are two, a nan is itself
