"""What the text of a script says: where its Value comes from, and whether it can be replaced."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from gradwalk.scripts.replacing import Replaced, told

__all__ = ["SUPPLIED", "candidates", "rewritten", "why_nothing"]

SUPPLIED = ("micrograd", "micrograd.engine", "micrograd.nn")

# By which keywords our constructor takes what theirs takes.
_KEYWORDS = {"data", "_children", "_op", "label"}

_NEEDED = ("__init__", "__add__", "__mul__", "backward")


def rewritten(tree: ast.Module, file: str) -> ast.Module:
    """Put behind each `class Value` a line that hands it to `replace`; tell what is left alone."""
    uses_value = _uses_value(tree)
    for body, position, statement in _classes(tree.body):
        if why := _unlike(statement, tree):
            told(Replaced(file, statement.lineno, "class Value", why=why))
            continue
        call = f"__import__('gradwalk.scripts.replacing', fromlist=['_']).replace(Value, {file!r})"
        line = ast.parse(f"Value = {call}").body[0]
        for node in ast.walk(line):
            ast.copy_location(node, statement)
            if isinstance(node, ast.expr | ast.stmt):
                node.end_lineno, node.end_col_offset = node.lineno, node.col_offset
        body.insert(position + 1, line)
    for caught in _caught(tree) if uses_value else ():
        what = ast.unparse(caught).partition(":")[0]
        told(Replaced(file, caught.lineno, what, why=_NO_RAISE))
    for read in _walked(tree):
        told(Replaced(file, read.lineno, f".{read.attr}", why=_OWN_GRAPH))
        break  # once is enough to know
    return tree


def _uses_value(tree: ast.Module) -> bool:
    """Say whether a module has to do with a Value that is replaced, here or where it comes from."""
    if any(not _unlike(statement, tree) for _, _, statement in _classes(tree.body)):
        return True
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in imports for alias in node.names}
    return "Value" in names or not {*_imports(tree)}.isdisjoint(SUPPLIED)


# What math raises, a script may wait for; gradwalk's operations give inf and nan instead.
_RAISED = {"ArithmeticError", "OverflowError", "ValueError", "ZeroDivisionError"}
_NO_RAISE = "but an operation of gradwalk's gives inf or nan where math raises"


def _caught(tree: ast.Module) -> Iterator[ast.ExceptHandler]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            names = {part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)}
            if names & _RAISED:
                yield node


# A script that looks at the graph by itself sees gradwalk's.
_GRAPH = {"_op", "_prev", "_children"}
_OWN_GRAPH = "but the graph of gradwalk's Value has names and inputs of its own"


def _walked(tree: ast.Module) -> Iterator[ast.Attribute]:
    """Yield where the graph is read, outside of what becomes gradwalk's own anyway."""
    left: list[ast.AST] = [tree]  # a long sum is deeper than Python calls itself
    while left:
        part = left.pop()
        match part:
            case ast.Attribute(attr=name, ctx=ast.Load()) if name in _GRAPH:
                yield part
            case _:
                pass
        children = list(ast.iter_child_nodes(part))
        if isinstance(part, ast.ClassDef) and part.name == "Value":
            names = [(getattr(child, "name", ""), child) for child in children]
            children = [
                child
                for name, child in names
                if name != "backward" and (not name.startswith("__") or name in _SHOWN)
            ]
        left += reversed(children)


_SHOWN = {"__repr__", "__str__", "__format__"}


def _classes(body: list[ast.stmt]) -> list[tuple[list[ast.stmt], int, ast.ClassDef]]:
    """Return each `class Value` that is a name of the module, last first, and where it stands."""
    found: list[tuple[list[ast.stmt], int, ast.ClassDef]] = []
    for position in reversed(range(len(body))):
        statement = body[position]
        if isinstance(statement, ast.ClassDef) and statement.name == "Value":
            found.append((body, position, statement))
        elif isinstance(statement, ast.If | ast.Try | ast.With):
            parts = [statement.body, getattr(statement, "orelse", [])]
            parts += [handler.body for handler in getattr(statement, "handlers", [])]
            for part in parts:
                found += _classes(part)
    return found


def _unlike(statement: ast.ClassDef, tree: ast.Module) -> str:
    """Return what keeps this class from being replaced, as far as its text tells; or nothing."""
    methods = {part.name for part in statement.body if isinstance(part, ast.FunctionDef)}
    missing = [name for name in _NEEDED if name not in methods]
    if missing:
        return f"it has no {' and no '.join(missing)}, so it is no Value that differentiates"
    for part in _constructor(statement):
        says_no_more = isinstance(part, ast.Assign | ast.AnnAssign | ast.Assert | ast.Pass)
        if not says_no_more and not (isinstance(part, ast.Expr) and _is_text(part.value)):
            return f"its constructor does more than keep its arguments, in line {part.lineno}"
    for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
        named = {word.arg for word in call.keywords if word.arg is not None}
        if isinstance(call.func, ast.Name) and call.func.id == "Value" and named - _KEYWORDS:
            word = min(named - _KEYWORDS)
            return f"line {call.lineno} names the argument {word}=; pass it by position"
        given = call.args or call.keywords
        if isinstance(call.func, ast.Attribute) and call.func.attr == "backward" and given:
            return f"line {call.lineno} gives backward() an argument, which gradwalk's has not"
    return ""


def _constructor(statement: ast.ClassDef) -> list[ast.stmt]:
    for part in statement.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            return part.body
    return []


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def candidates(
    file: Path, tree: ast.Module, root: Path | None = None, seen: set[Path] | None = None
) -> Iterator[str]:
    """Yield what there is to replace, in the script and in the modules of its own folder."""
    root = root or file.parent
    seen = set() if seen is None else seen
    for _, _, statement in _classes(tree.body):
        if not _unlike(statement, tree):
            yield "class Value"
    for name in _imports(tree):
        places = {folder / name.replace(".", "/") for folder in (file.parent, root)}
        files = [path for p in places for path in (p.with_suffix(".py"), p / "__init__.py")]
        local = [path for path in files if path.is_file()]
        if not local and name in SUPPLIED:
            yield name
        for path in local:
            if path not in seen:
                seen.add(path)
                try:
                    inner = ast.parse(path.read_bytes())
                except (OSError, SyntaxError, ValueError):
                    continue
                yield from candidates(path, inner, root, seen)


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            yield from [alias.name for alias in node.names]


def why_nothing(script: str, tree: ast.Module) -> str:
    """Say why there is nothing to do, and what to do instead."""
    for _, _, statement in _classes(tree.body):
        reason = f"class Value, line {statement.lineno}: {_unlike(statement, tree)}"
        break
    else:
        inner = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name == "Value"]
        if inner:
            reason = f"class Value, line {inner[0].lineno}, is not at the top of the module"
        else:
            reason = "it neither defines class Value nor imports it from micrograd"
    return (
        f"{script} has nothing to replace. {reason[0].upper()}{reason[1:]}\n"
        f"As it is, it runs by: python {script}"
    )
