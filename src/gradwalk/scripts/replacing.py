"""Puts gradwalk's Value in place of a script's class, and tells what was done and why.

The line that `reading` puts behind a class calls `replace`. `trying` makes the plan, `standin`
carries it out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gradwalk.engine import Value, backend
from gradwalk.engine.backends import keep_interior_grads
from gradwalk.scripts.reading import Candidate, Project

if TYPE_CHECKING:
    from gradwalk.scripts.standin import Plan


class Replaced(NamedTuple):
    """One class replaced, or left as it is: then `why` says for what reason."""

    file: str
    line: int
    what: str
    by: str = ""
    kept: Sequence[str] = ()
    why: str = ""
    unordered: bool = False  # a set of inputs is walked by address: last bits are chance
    details: Sequence[str] = ()  # for --explain
    note: str = ""  # what will look different

    def __str__(self) -> str:
        if not self.line:
            return f"{self.file} runs as written: {self.why}"
        place = f"{self.file}:{self.line}: {self.what}"
        if self.why:
            return f"{place} runs as written: {self.why}"
        kept = f"; kept from the script: {', '.join(self.kept)}" if self.kept else ""
        note = f"; {self.note}" if self.note else ""
        return f"{place} is now {self.by}, {backend()} engine{kept}{note}"


Tell = Callable[[Replaced], None]


def _ignore(_: Replaced) -> None:
    return


_listener: Tell = _ignore
_project = Project()
_stands_for: Candidate | None = None  # the class that gradwalk's Value stands for


def begin(tell: Tell, project: Project) -> None:
    """Let `tell` hear of each replacement as it happens, in this script."""
    global _listener, _project, _stands_for
    _listener, _project, _stands_for = tell, project, None


def rewritten(tree: ast.Module, file: str) -> ast.Module:
    """Return the tree of a script that stands alone, with its class replaced when it is run."""
    project = Project()
    begin(_ignore, project)
    return project.rewrite(file, tree)


def told(one: Replaced) -> None:
    _listener(one)


def replace(theirs: Any, key: int) -> Any:
    """Return gradwalk's Value for a script's class, or the class itself where it has to stay."""
    global _stands_for
    found = _project.found[key]
    what = f"class {found.name}"
    if Value in getattr(theirs, "__mro__", ()):
        return theirs  # derived from one that is replaced
    plan: Plan | str
    if found.later:
        plan = f"line {found.later} defines it again, and that one is replaced"
    elif _stands_for is not None:
        plan = f"class {_stands_for.name} is replaced, and only one class can be"
    else:
        plan = _decided(theirs, found)
    if isinstance(plan, str):
        told(Replaced(found.file, found.line, what, why=plan))
        return theirs
    from gradwalk.scripts.standin import StandIn

    _stands_for = found
    made = StandIn(theirs, plan).install()
    kept = [name for name in plan.kept if not name.startswith("__") or name[2:-2] in _DIFFER]
    if plan.own_backward:
        kept.append(plan.shape.backward)
    unordered = not plan.shape.ordered
    told(
        Replaced(
            found.file,
            found.line,
            what,
            "gradwalk.Value",
            tuple(kept),
            unordered=unordered,
            details=tuple(_explained(plan)),
            note="whole numbers print as floats, 2.0 for 2" if plan.whole else "",
        )
    )
    return made


def _decided(theirs: type, found: Candidate) -> Plan | str:
    """Return how to replace a class, or why it stays: as it was decided before, or by trying it."""
    from gradwalk.scripts import verdicts

    key = verdicts.key_of(theirs, [one for item in _project.texts.items() for one in _bytes(item)])
    decision = verdicts.read(key)
    if decision is None:
        from gradwalk.scripts.shape import UnfitError, UnsettledError
        from gradwalk.scripts.trying import plan_for

        try:
            decision = plan_for(theirs, found.facts())
        except UnsettledError as error:
            return str(error)
        except UnfitError as error:
            decision = str(error)
        verdicts.write(key, decision)
    return decision


def _bytes(item: tuple[str, bytes]) -> tuple[bytes, bytes]:
    return item[0].encode("utf-8", "surrogateescape"), item[1]


_DIFFER = {"add", "radd", "mul", "rmul", "sub", "rsub", "truediv", "rtruediv", "pow", "rpow", "neg"}


def _explained(plan: Plan) -> list[str]:
    """Return what --explain says: the names that were found, and why each thing is kept."""
    shape = plan.shape
    parts = {
        "number": shape.data,
        "gradient": shape.grad or "none",
        "inputs": ", ".join(shape.inputs) or "none",
    }
    lines = [", ".join([f"{part}: {name}" for part, name in parts.items()])]
    if plan.adapts:
        taken = ", ".join([one.name for one in shape.parameters])
        lines.append(f"its constructor takes {taken}; calls are translated")
    for name, why in plan.kept.items():
        if why:
            lines.append(f"{name} is the script's own: {why}")
    lines += [
        f"{name} is the script's own where a divisor is beyond 1e±154"
        for name in sorted(plan.plain)
    ]
    names = {name: symbol for name, symbol in plan.renamed.items() if symbol != name and symbol}
    if names:
        shown = ", ".join([f"{name} as {symbol}" for name, symbol in names.items()])
        lines.append(f"the script reads the names of operations, and sees {shown}")
    for name, symbol in plan.dressed.items():
        shown = (
            f" and shows {symbol!r} in the graph" if symbol else ", with nodes for plain numbers"
        )
        lines.append(f"{name} is gradwalk's{shown}, as the script's does")
    if plan.own_backward:
        lines.append(f"{shape.backward}() is the script's own: {plan.own_backward}")
    elif plan.keeps_interior:
        lines.append("a second backward() over one graph counts the first one again, as written")
    if not shape.ordered:
        lines.append("inputs are a set, walked by address: last bits differ from run to run")
    if shape.whole:
        lines.append("gradients begin as the int 0 in the script and as 0.0 in gradwalk")
    return lines


def supplied(module: str, by: str, importer: tuple[str, int]) -> None:
    """Report a module that gradwalk supplies because none is installed."""
    Value.__eq__ = object.__eq__  # pyright: ignore[reportAttributeAccessIssue]
    Value.__ne__ = object.__ne__  # pyright: ignore[reportAttributeAccessIssue]
    Value.__bool__ = lambda _: True  # pyright: ignore[reportAttributeAccessIssue]
    keep_interior_grads(True)
    told(Replaced(*importer, module, by, unordered=True))
