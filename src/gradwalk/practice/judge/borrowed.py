"""Classes that someone else wrote: packages that differentiate by themselves, and copies of them.

Known packages are listed. Others are recognised by their structure: a class with +, * and
backward(). A submission may import neither kind, and the sandbox does not show them. A class whose
source is one of theirs is said to look like it.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from glob import escape, glob
from itertools import chain, islice, product

from gradwalk.practice.judge.submission import Submission, parsed
from gradwalk.scripts.reading import BACKWARD

#: Packages that differentiate. A file that imports one has not written its own `Value`.
AUTODIFF = (
    *("gradwalk", "micrograd", "torch", "jax", "jaxlib", "tensorflow", "autograd", "tinygrad"),
    *("casadi", "xad", "theano", "pytensor", "aesara", "mxnet", "paddle", "chainer", "drjit"),
    *("mlx", "pyadolc", "adolc", "pycppad", "algopy", "ad", "uncertainties", "sympy", "symengine"),
    *("keras", "functorch", "mindspore", "oneflow", "jittor", "minitorch"),
)

# Where other Pythons keep packages in sight of a sandbox, and where a conda may lie.
_PREFIXES = ("/usr", "/usr/local", "/nix/store/*")
_CONDA = ("/usr/*/conda-meta", "/usr/*/*/conda-meta")

_BACKWARD = re.compile(rb"def (?:%s)\(" % b"|".join([name.encode() for name in BACKWARD]))
_MOST_FILES, _MOST_BYTES = 300, 1 << 20  # of one package
_ALIKE = 0.9  # of the package's class


def borrowable() -> Mapping[str, tuple[str, ...]]:
    """Return the importable packages that differentiate, by name, with their paths.

    Another Python's packages lie in sight too, and a file can import from wherever it likes.
    """
    places = {path for path in sys.path if os.path.isabs(path) and path.endswith("-packages")}
    for prefix in (escape(sys.prefix), escape(sys.base_prefix), *_PREFIXES):
        places |= set(glob(f"{prefix}/lib*/python3*/*-packages"))
    return _found(tuple(sorted(places)))


def places_of(names: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the paths of these packages and of what conda keeps elsewhere, to be covered."""
    paths = {path for found in names.values() for path in found}
    for conda in [os.path.dirname(meta) for pattern in _CONDA for meta in glob(pattern)]:
        ours = conda in (sys.prefix, sys.base_prefix)
        paths |= set(glob(f"{escape(conda)}/[ep][nk][vg]s") if ours else [conda])  # envs, pkgs
    return sorted(paths | {os.path.realpath(path) for path in paths})


@cache
def _found(places: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = dict.fromkeys(AUTODIFF, ())
    for place in filter(os.path.isdir, places):
        for entry in os.scandir(place):
            name = re.split(r"[-.]", entry.name)[0]
            zipped = entry.name.endswith((".egg", ".zip")) and entry.is_file()
            if name in AUTODIFF or zipped or (name.isidentifier() and any(_classes(entry.path))):
                compiled = glob(f"{escape(place)}/__pycache__/{name}.*")
                found[name] = (*found.get(name, ()), entry.path, *compiled)
    return found


def _classes(path: str) -> Iterator[ast.ClassDef]:
    """Yield the classes of a package, or of a single file, that have +, * and backward()."""
    inside = (os.path.join(root, name) for root, _, names in os.walk(path) for name in names)
    for file in islice(chain([path], (one for one in inside if one.endswith(".py"))), _MOST_FILES):
        with suppress(OSError), open(file, "rb") as source:
            yield from _with_backward(source.read(_MOST_BYTES))


def _with_backward(text: bytes) -> Iterator[ast.ClassDef]:
    """Yield the classes that have +, * and backward(), and none that stands inside of one."""
    named = b"def __mul__" in text and _BACKWARD.search(text)
    left: list[ast.AST] = [parsed(text)] if named else []
    while left:
        part = left.pop()
        own = part.body if isinstance(part, ast.ClassDef) else []
        methods = {getattr(one, "name", "") for one in own}
        if not isinstance(part, ast.ClassDef) or not {"__add__", "__mul__"} <= methods:
            left += ast.iter_child_nodes(part)
        elif not methods.isdisjoint(BACKWARD):
            yield part


def resembles(submission: Submission) -> str:
    """Return the package whose class stands in this submission, "" for none.

    Comments, docstrings, annotations, the order of methods and methods that were added do not
    count. Names do: a class that someone has written after a lecture has names of its own.
    """
    texts = (submission.source, *submission.beside.values())
    own = [_code_of(part) for text in texts for part in _with_backward(text)]
    for name, paths in borrowable().items() if own else ():
        others = [code for path in paths for code in _codes(path)]
        for ours, theirs in product(own, others):
            if sum(map(len, ours & theirs)) >= _ALIKE * sum(map(len, theirs)) > 0:
                return name
    return ""


@cache
def _codes(path: str) -> list[frozenset[str]]:
    return [_code_of(part) for part in _classes(path)]


def _code_of(part: ast.ClassDef) -> frozenset[str]:
    """Return the class as a set of methods, each by its code alone."""
    for node in ast.walk(part):
        if isinstance(node, ast.FunctionDef):
            first, *rest = node.body
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and rest:
                node.body = rest
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
    found: set[str] = set()
    for one in part.body:
        with suppress(RecursionError):  # too deep to be a copy of anything
            found |= {ast.dump(one)} if isinstance(one, ast.FunctionDef) else set()
    return frozenset(found)
