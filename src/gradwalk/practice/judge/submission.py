"""Files that were handed in: which there are, and their bytes, each read once.

A link is not followed below the folder that was named, since it could lead to a neighbour's file or
to one of the teacher's. A notebook's code cells become one source. What a file imports from beside
it comes along, so that a sandbox need not show the folder.
"""

from __future__ import annotations

import ast
import os
import re
import stat
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from gradwalk.errors import LoadError, ScriptError
from gradwalk.practice.language import say
from gradwalk.scripts.notebook import sources

_SUFFIXES = (".py", ".ipynb")
_MOST_BYTES, _MOST_CODE, _MOST_BESIDE, _DEEPEST = 1 << 20, 256 << 10, 64, 6
_MOST_FILES = 50  # of one learner
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # letters and a sign that look like spaces
_NOT_OURS = ("__pycache__", "node_modules", "site-packages")


@dataclass(frozen=True, slots=True)
class Submission:
    path: str
    source: bytes
    cells: Sequence[int] = ()  # the first line of each cell of a notebook
    beside: Mapping[str, bytes] = field(default_factory=dict[str, bytes])

    def place(self, line: int) -> tuple[int, int]:
        """Return the cell of a notebook and the line in it, by the line in the source."""
        number = bisect_right(self.cells, line)
        return number, line - self.cells[number - 1] + 1


def plain(text: str) -> str:
    """Return text on one line that steers nothing, with what cannot be seen written out."""
    line = " ".join(text.splitlines())
    unseen = [c for c in line if not c.isprintable() or c in _BLANK]
    return line.translate({ord(c): c.encode("unicode_escape").decode() for c in unseen})


class Found(NamedTuple):
    """A file to judge. Below the folder `base` no link is followed; "" is for your own file.

    Of a class, a file that stands right in `base` is a learner's, and so are those beside it.
    """

    path: str
    base: str = ""
    of_class: bool = False


def collect(words: Sequence[str], *, strangers: bool) -> list[Found]:
    files = [word for word in words if not os.path.isdir(word)]
    base, of_class = "", len(words) > 1
    if files and (strangers or of_class):
        base = os.path.commonpath([os.path.dirname(os.path.abspath(file)) for file in files])
    found: list[Found] = []
    for word in words:
        inside = [] if word in files else [Found(file, word, True) for file in _inside(word, 0)]
        found += [Found(word, base, of_class)] if word in files else inside
    return list(dict.fromkeys(found))


def _inside(folder: str, depth: int) -> Iterator[str]:
    """Yield the files of a folder, and of the folders in it: there, those with a class first.

    A folder that cannot be read, or has too many files, stands for itself.
    """
    entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    files = [one.path for one in entries if _is_file(one)]
    if depth:
        files = files[: _MOST_FILES + 1]
        files = [file for file in files if _has_class(file)] or files
    yield from files
    for entry in entries:
        skipped = entry.name.startswith(".") or entry.name in _NOT_OURS
        if skipped or not entry.is_dir(follow_symlinks=False) or depth == _DEEPEST:
            continue
        if not os.access(entry.path, os.R_OK | os.X_OK):
            yield entry.path
        elif not os.path.exists(os.path.join(entry.path, "pyvenv.cfg")):
            found = list(islice(_inside(entry.path, depth + 1), _MOST_FILES + 1))
            yield from found if depth else found[:_MOST_FILES]
            if not depth and len(found) > _MOST_FILES:
                yield entry.path


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Whether an entry has a row: a file of Python, or a link that poses as one or as a folder."""
    is_named = entry.name.endswith(_SUFFIXES) and not entry.is_dir(follow_symlinks=False)
    poses = entry.is_symlink() and entry.is_dir()
    return (is_named or poses) and not entry.name.startswith(".")


def _has_class(path: str) -> bool:
    with suppress(LoadError, OSError):
        return b"__mul__" in _bytes(path, os.path.dirname(path))
    return True


def read(found: Found, *, beside: bool = True) -> Submission:
    """Read a file once; a LoadError says why it cannot be judged."""
    path = found.path
    if os.path.isdir(path) and not os.path.islink(path):
        raise LoadError(say("a folder with more than {} files, or closed to you", _MOST_FILES))
    try:
        data = _bytes(path, found.base)
        source, cells = _code(path, data) if path.endswith(".ipynb") else (data, ())
        _check_length(source)  # to parse it takes 700 times as much memory
        others = dict(islice(_beside(found, source), _MOST_BESIDE)) if beside else {}
    except FileNotFoundError:
        raise LoadError(say("there is no such file")) from None
    except OSError as error:
        raise LoadError(say("the file cannot be read: {}", str(error).split(":")[0])) from None
    return Submission(path, source, cells, others)


def _check_length(code: bytes | str, most: int = _MOST_CODE) -> None:
    if len(code) > most:
        raise LoadError(say("the file is longer than {} KB, not judged", most >> 10))


def parsed(source: str | bytes) -> ast.Module:
    """Return the syntax tree, empty where there is none. A warning would quote the file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.Module([], [])


def _bytes(path: str, base: str, most: int = _MOST_BYTES) -> bytes:
    handle = _opened(path, base)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise LoadError(say("not a plain file, not judged"))
        data = file.read(most + 1)
    _check_length(data, most)
    return data


def _opened(path: str, base: str) -> int:
    """Open a file; no step below the base may be a link."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if not base:
        return os.open(path, flags)
    steps = Path(os.path.relpath(os.path.abspath(path), os.path.abspath(base))).parts
    if os.open not in os.supports_dir_fd:
        if os.path.realpath(path) != os.path.join(os.path.realpath(base), *steps):
            raise LoadError(say("a link, not judged"))
        return os.open(path, flags)
    handle = os.open(base, os.O_RDONLY | os.O_DIRECTORY)
    for number, step in enumerate(steps, 1):
        above = handle
        try:
            if stat.S_ISLNK(os.lstat(step, dir_fd=above).st_mode):
                raise LoadError(say("a link, not judged"))
            kind = os.O_DIRECTORY if number < len(steps) else 0
            handle = os.open(step, flags | os.O_NOFOLLOW | kind, dir_fd=above)
        finally:
            os.close(above)
    return handle


def _beside(found: Found, source: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the files beside this one that its source names, and those that they name.

    Where these are other learners', only what has no class in it: a helper that is handed out. All
    together are no longer than one file may be.
    """
    folder = os.path.dirname(os.path.abspath(found.path))
    is_shared = found.of_class and os.path.samefile(folder, found.base)
    names = sorted(os.listdir(folder))
    texts, seen, left = [source], {os.path.basename(found.path)}, _MOST_CODE
    while texts and len(seen) <= _MOST_BESIDE:
        words = set(re.findall(rb"\w+", texts.pop()))
        for name in names:
            if name in seen or os.fsencode(name.removesuffix(".py")) not in words:
                continue
            seen.add(name)
            parts: dict[str, bytes] = {}
            for file in islice(_modules(folder, name), _MOST_BESIDE):
                with suppress(LoadError, OSError):
                    parts[file] = _bytes(os.path.join(folder, file), found.base or folder, left)
            code = b"".join(parts.values())
            if len(code) <= left and not (is_shared and b"__mul__" in code):
                left -= len(code)
                texts += parts.values()
                yield from parts.items()


def _modules(folder: str, name: str) -> Iterator[str]:
    """Yield a module, or the modules of a package, by their paths in the folder."""
    path = os.path.join(folder, name)
    if name.endswith(".py"):
        yield name
    for root, folders, names in () if os.path.islink(path) else os.walk(path):
        folders.sort()
        files = [os.path.join(root, one) for one in sorted(names) if one.endswith(".py")]
        yield from [os.path.relpath(file, folder) for file in files]


def _code(path: str, data: bytes) -> tuple[bytes, list[int]]:
    """Return the code cells of a notebook as one source, and the line that each begins at."""
    try:
        cells = sources(path, data)
    except ScriptError:
        raise LoadError(say("not a notebook: it has no cells of code to read")) from None
    _check_length("".join(cells))
    lines: list[str] = []
    starts: list[int] = []
    for code in cells:
        starts.append(len(lines) + 1)
        rows = code.split("\n")
        lines += rows if parsed(code).body or "class " in code else ["#"] * len(rows)
    return "\n".join(lines).encode("utf-8", "replace"), starts
