"""Runs a script as `python script …` would: its arguments, its tracebacks, its exit code.

Also a package, as `python -m package` would, and the code cells of a notebook.
"""

from __future__ import annotations

import ast
import gc
import importlib.util
import os
import random
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import decode_source, spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any

from gradwalk import nn
from gradwalk.engine import Value, modes
from gradwalk.errors import GradwalkError, ScriptError
from gradwalk.scripts import replacing
from gradwalk.scripts.notebook import read_cells
from gradwalk.scripts.reading import Project, imports, parse_file
from gradwalk.scripts.replacing import Replaced, Tell

_SUPPLIED = ("micrograd", "micrograd.engine", "micrograd.nn")

_folder = ""  # the script's, with a separator at its end
_given = ""  # the script as it was named
_project = Project()


def run(
    script: str,
    arguments: Sequence[str],
    tell: Tell,
    *,
    collect: bool = True,
    module: bool = False,
    after: Callable[[str], None] | None = None,
) -> int:
    """Run `script` as `python script …` would, and return its exit code.

    `tell` hears of each replacement as it happens. With `module`, `script` is the name of a package
    or module. Without `collect` the garbage collector is off. `after` hears, when the script has
    ended, whether the error that ended it is gradwalk's.
    """
    heard: list[Replaced] = []

    def hear(one: Replaced) -> None:
        heard.append(one)
        tell(one)

    global _project
    _project = Project()
    replacing.begin(hear, _project)
    finder = _Finder()
    code = _run(script, arguments, collect=collect, module=module, finder=finder)
    if not heard:
        tell(Replaced(script, 0, "", why=_project.nested() or _NOTHING))
    if after and isinstance(_last_error, GradwalkError):
        after(f"that error is gradwalk's, not the script's; as written it runs by: python {script}")
    return code


_NOTHING = "no class in it, or in the modules that it imports, has + or * and gradients"


def run_as_written(script: str, arguments: Sequence[str], *, module: bool = False) -> int:
    """Run it without replacing anything: one side of a comparison."""
    return _run(script, arguments, collect=True, module=module, finder=None)


def _run(
    script: str, arguments: Sequence[str], *, collect: bool, module: bool, finder: _Finder | None
) -> int:
    global _folder, _given
    _given = script
    if finder is not None:
        sys.meta_path.insert(0, finder)
    if module:
        _put_first(os.getcwd())
        _folder = os.path.join(os.path.realpath(os.getcwd()), "")
        spec = _found_module(script)
        path = where = spec.origin or ""
    else:
        path, where = os.path.realpath(script), os.path.abspath(script)
        _folder = os.path.join(os.path.dirname(path), "")
        spec = None
    shown = _shown(where) if module else script
    source = read(where if module else script)
    try:
        with _deep(shown):
            parts = _parts(shown, where, source, rewrite=finder is not None, path=Path(path))
    except SyntaxError as error:
        sys.excepthook(type(error), error.with_traceback(None), None)
        return 1
    main = ModuleType("__main__")
    main.__dict__.update(
        __file__=where,
        __cached__=None,
        __builtins__=sys.modules["builtins"],
        __loader__=SourceFileLoader("__main__", where),
    )
    if spec is not None:
        main.__dict__.update(__spec__=spec, __package__=spec.parent)
    if script.endswith(".ipynb"):
        main.__dict__.update(__shown__=_show, display=print)
    sys.modules["__main__"] = main
    sys.argv = [where if module else script, *arguments]
    if not module:
        _put_first(os.path.dirname(path))
    if not collect:
        gc.disable()

    def program() -> None:
        for part in parts:
            exec(part, main.__dict__)

    return _ended(program)


def _put_first(folder: str) -> None:
    """Let modules be found first in a folder, as Python does for a script's."""
    if not sys.flags.safe_path:
        sys.path[:1] = [folder]
    elif not os.environ.get("PYTHONSAFEPATH"):  # else Python, too, keeps the script's folder out
        sys.path.insert(0, folder)


def _parts(shown: str, where: str, source: str, *, rewrite: bool, path: Path) -> list[CodeType]:
    """Return the code to run, part by part: a script is one, a notebook has its cells."""
    if where.endswith(".ipynb"):
        cells = read_cells(shown, source)
        trees = {cell.name: cell.tree for cell in cells}
        names = dict(zip(trees, trees, strict=True))
    else:
        trees = {shown: ast.parse(source, where)}
        names = {shown: where}
    if rewrite:
        for name, tree in trees.items():
            _project.add(name, tree, source.encode("utf-8", "surrogatepass"))
        for tree in trees.values():
            _look_at_imports(path, tree, path.parent, {path})
        for name, tree in trees.items():
            _project.rewrite(name, tree, _project.texts[name])
    return [
        compile(ast.fix_missing_locations(tree), names[name], "exec", dont_inherit=True)
        for name, tree in trees.items()
    ]


def _look_at_imports(file: Path, tree: ast.Module, root: Path, seen: set[Path]) -> None:
    """Add to the project the modules that a module imports from near the script, and theirs."""
    folders = [root, root / "src", root.parent, root.parent / "src", root.parent.parent]
    for level, name in imports(tree):
        near = [file.parent, *folders]
        if level:
            near = [file.parents[min(level - 1, len(file.parents) - 1)]]
        for place in [folder / name.replace(".", "/") for folder in near]:
            for path in (place.with_suffix(".py"), place / "__init__.py"):
                if path in seen or not path.is_file():
                    continue
                seen.add(path)
                inner = parse_file(path)
                if inner is not None and len(seen) < 200:
                    _project.add(_shown(str(path)), *inner)
                    _look_at_imports(path, inner[0], root, seen)


def _show(thing: Any) -> None:
    if thing is not None:
        print(repr(thing))


def _found_module(name: str) -> ModuleSpec:
    """Return where `python -m name` would find what it runs; raise ScriptError otherwise."""
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
            if spec is None:
                raise ScriptError(f"{name} is a package without a __main__; name a module in it")
    except ModuleNotFoundError as error:
        raise ScriptError(f"there is no module {error.name}") from None
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        raise ScriptError(f"there is no module {name} here")
    return spec


def read(script: str) -> str:
    file = Path(script)
    if file.is_dir():
        raise ScriptError(
            f"{script} is a folder; name the script in it that starts the program, or run it as a "
            f"package: gradwalk run -m {file.name or script}"
        )
    if not file.is_file():
        raise ScriptError(f"there is no file {script}")
    try:
        if file.suffix == ".ipynb":
            return file.read_text("utf-8")
        return decode_source(file.read_bytes())
    except (SyntaxError, UnicodeDecodeError) as error:
        raise ScriptError(f"{script} is no Python text: {error}") from None


@contextmanager
def _deep(script: str) -> Generator[None]:
    """Let a tree be as deep as Python's own reader would, which does not count its calls."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 30_000))
    try:
        yield
    except RecursionError:
        raise ScriptError(
            f"{script} has an expression that nests too deep to be rewritten; part it in two, or "
            f"run it as it is: python {script}"
        ) from None
    finally:
        sys.setrecursionlimit(limit)


_last_error: BaseException | None = None  # what ended the script


def _ended(program: Callable[[], None]) -> int:
    """Run the program and say its end as Python says it: traceback on stderr, exit code."""
    global _last_error
    try:
        program()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException as error:
        _last_error = error
        for one in _chain(error):
            one.__traceback__ = _beyond_this_file(one.__traceback__)
        sys.excepthook(type(error), error, error.__traceback__)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _beyond_this_file(traceback: TracebackType | None) -> TracebackType | None:
    while traceback and traceback.tb_frame.f_code.co_filename == __file__:
        traceback = traceback.tb_next
    return traceback


# ── Modules ──────────────────────────────────────────────────────────────────────────────────

_OURS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")


class _Finder(MetaPathFinder, Loader):
    """Rewrites modules that belong to the script, and supplies micrograd where there is none."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = PathFinder.find_spec(fullname, path)
        if found is None:
            return self._supplied(fullname)
        origin = os.path.realpath(found.origin) if found.origin else ""
        is_other = modes.is_library(origin) or origin.startswith(_OURS)
        is_micrograd = fullname.partition(".")[0] == "micrograd"
        if type(found.loader) is SourceFileLoader and (is_micrograd or not is_other):
            found.loader = _Rewriting(fullname, found.origin or "")
            return found
        return None  # whatever the others say

    def _supplied(self, fullname: str) -> ModuleSpec | None:
        if fullname not in _SUPPLIED:
            return None
        parent = sys.modules.get("micrograd")
        if parent is not None and getattr(parent.__spec__, "loader", None) is not self:
            return None  # a micrograd of the script's own, without this part
        return spec_from_loader(fullname, self, is_package=fullname == "micrograd")

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ == "micrograd":
            return
        if module.__name__ == "micrograd.engine":
            module.__dict__["Value"] = Value
            by = "gradwalk.Value"
        else:
            names = ("Module", "Neuron", "Layer", "MLP")
            module.__dict__.update({name: getattr(nn, name) for name in names}, Value=Value)
            module.__dict__["random"] = random  # micrograd.nn imports it, so `import *` brings it
            by = "gradwalk.nn"
        replacing.supplied(module.__name__, by, _importer())


class _Rewriting(SourceFileLoader):
    """A module of the script's own; where it has a class to replace, no bytecode is used."""

    def get_code(self, fullname: str) -> CodeType | None:
        source = self.get_data(self.path)
        if b"__add__" not in source and b"__mul__" not in source:
            return super().get_code(fullname)
        shown = _shown(self.path)
        with _deep(shown):
            tree = ast.parse(source, self.path)
            tree = _project.rewrite(shown, tree, source)
            return compile(tree, self.path, "exec", dont_inherit=True)


def _importer() -> tuple[str, int]:
    """Return the file and the line of the import that led here."""
    frame = sys._getframe(1)
    while frame.f_back and (
        "importlib" in frame.f_code.co_filename or frame.f_code.co_filename == __file__
    ):
        frame = frame.f_back
    return _shown(frame.f_code.co_filename), frame.f_lineno


def _shown(file: str) -> str:
    """Return a file's path in the form in which the script's own path was given."""
    real = os.path.realpath(file)
    if real.startswith(_folder):
        inside = os.path.relpath(real, _folder)
        return os.path.join(os.path.dirname(_given), inside) if os.sep in _given else inside
    if os.path.isabs(_given) or "site-packages" in real or not os.path.exists(real):
        return file
    return os.path.relpath(real)
