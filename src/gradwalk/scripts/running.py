"""Runs a script as `python script …` would: its arguments, its tracebacks, its exit code."""

from __future__ import annotations

import ast
import gc
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

from gradwalk import nn
from gradwalk.engine import Value
from gradwalk.errors import ScriptError
from gradwalk.scripts import replacing
from gradwalk.scripts.reading import SUPPLIED, candidates, rewritten, why_nothing
from gradwalk.scripts.replacing import Replaced, Tell

__all__ = ["read", "run"]

_folder = ""  # the script's, with a separator at its end


def run(script: str, arguments: Sequence[str], tell: Tell, *, collect: bool = True) -> int:
    """Run `script` as `python script …` would, and return its exit code.

    `tell` hears of each replacement as it happens. Without `collect` the garbage collector is off.
    """
    global _folder
    path = os.path.realpath(script)
    source = read(script)
    _folder = os.path.join(os.path.dirname(path), "")
    replacing.listen(tell)
    where = os.path.abspath(script)
    try:
        with _deep(script):
            tree = ast.parse(source, where)
            if not any(candidates(Path(path), tree)):
                raise ScriptError(why_nothing(script, tree))
            code = compile(rewritten(tree, script), where, "exec", dont_inherit=True)
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
    sys.modules["__main__"] = main
    sys.argv = [script, *arguments]
    if not sys.flags.safe_path:
        sys.path[:1] = [os.path.dirname(path)]
    elif not os.environ.get("PYTHONSAFEPATH"):  # else Python, too, keeps the script's folder out
        sys.path.insert(0, os.path.dirname(path))
    sys.meta_path.insert(0, _Finder())
    if not collect:
        gc.disable()
    return _ended(lambda: exec(code, main.__dict__))


def read(script: str) -> str:
    file = Path(script)
    if file.is_dir():
        raise ScriptError(f"{script} is a folder; name the script in it that starts the program")
    if not file.is_file():
        raise ScriptError(f"there is no file {script}")
    try:
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


def _ended(program: Callable[[], None]) -> int:
    """Run the program and say its end as Python says it: traceback on stderr, exit code."""
    try:
        program()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException as error:
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


class _Finder(MetaPathFinder, Loader):
    """Supplies micrograd, and rewrites modules in the script's own folder."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = PathFinder.find_spec(fullname, path)
        origin = (found and found.origin) or ""
        is_own = origin.startswith(_folder) and "site-packages" not in origin
        if fullname in SUPPLIED and not is_own:
            spec = spec_from_loader(fullname, self, is_package=fullname == "micrograd")
            if spec and found and found.submodule_search_locations:
                spec.submodule_search_locations = list(found.submodule_search_locations)
            return spec
        if found and is_own and type(found.loader) is SourceFileLoader:
            found.loader = _Rewriting(fullname, origin)
            return found
        return None  # whatever the others say

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ == "micrograd":
            return
        replacing.stand_in_for(None, {})
        if module.__name__ == "micrograd.engine":
            module.__dict__["Value"] = Value
            by = "gradwalk.Value"
        else:
            names = ("Module", "Neuron", "Layer", "MLP")
            module.__dict__.update({name: getattr(nn, name) for name in names}, Value=Value)
            module.__dict__["random"] = random  # which micrograd's has too, and `import *` brings
            by = "gradwalk.nn"
        replacing.told(Replaced(*_importer(), module.__name__, by, unordered=True))


class _Rewriting(SourceFileLoader):
    """A module of the script's own; no bytecode is read or written for it."""

    def get_code(self, fullname: str) -> CodeType | None:
        source = self.get_data(self.path)
        shown = _shown(self.path)
        with _deep(shown):
            tree = ast.parse(source, self.path)
            return compile(rewritten(tree, shown), self.path, "exec", dont_inherit=True)


def _importer() -> tuple[str, int]:
    """Return the file and the line of the import that led here."""
    frame = sys._getframe(1)
    while frame.f_back and (
        "importlib" in frame.f_code.co_filename or frame.f_code.co_filename == __file__
    ):
        frame = frame.f_back
    return _shown(frame.f_code.co_filename), frame.f_lineno


def _shown(file: str) -> str:
    """Return a file's path as a person would write it who wrote the script's as they did."""
    if not os.path.realpath(file).startswith(_folder):
        return file
    inside = os.path.relpath(os.path.realpath(file), _folder)
    return os.path.join(os.path.dirname(sys.argv[0]), inside)
