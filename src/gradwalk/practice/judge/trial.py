"""The learner's side of the judge: a script that runs someone's `Value` in a process of its own.

    python -P -B trial.py FILE

It imports nothing of gradwalk and judges nothing. It says that it is "here", and only then gets its
plan: a judge that is killed while bubblewrap starts sends none, and the script ends. It tries from
the inside whether the sandbox holds ("start"), and loads the source ("load"). Then it carries out a
job a line, and answers each with a line of JSON under the job's `id`. The learner's code may print,
raise, loop, crash or leave: `learner`, on the other side of the pipe, counts on none of it.

A job has `nodes`, each [kind, number, operands]: a "leaf", a "number", an operator or the name of a
method; and `roots`, the nodes to call backward() on. With `depth`, the first node is then added to
the last so many times, and the two ends are read: a chain too long to be written out.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import json
import operator
import os
import signal
import symtable
import sys
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any

OPERATORS = {"+": "add", "*": "mul", "**": "pow", "neg": "neg", "-": "sub", "/": "truediv"}


class WrongKindError(Exception):
    """The learner's code gave back something of the wrong kind; the message says what."""


def main(file: str) -> None:
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)

    def reply(answer_id: str, answer: dict[str, Any]) -> None:
        print(json.dumps({**answer, "id": answer_id}, default=str), file=replies, flush=True)

    reply("here", {})
    plan = json.loads(requests.readline() or "null") or os._exit(1)
    trial = Trial(file, plan["source"].encode("latin-1"), plan["backward"], plan["refused"])
    limit(plan)
    reply("start", {"open": attest() if plan["contained"] else []})
    loaded = trial.load()
    reply("load", loaded)
    for line in requests if "error" not in loaded else ():
        job = json.loads(line)
        reply(job["id"], trial.answer(job))
    os._exit(0)  # not by way of whatever the learner's code has left to do at exit


class Trial:
    """One file on trial. `load` comes first.

    `backward` are names of the reverse walk, most common first. `refused` packages differentiate; a
    learner's own package beside the file may have such a name. `borrowed` were asked for in vain.
    """

    def __init__(
        self, file: str, source: bytes, backward: Sequence[str], refused: Iterable[str]
    ) -> None:
        self.file, self.source, self.backward = file, source, backward
        self.value: Any = None
        self.refused = frozenset(refused)
        self.borrowed: list[str] = []
        self.doing = "load"

    def find_spec(self, name: str, *_: object) -> None:
        first = name.partition(".")[0]
        own = os.path.join(os.path.dirname(self.file), first)
        if first in self.refused and not os.path.isfile(f"{own}.py") and not os.path.isdir(own):
            self.borrowed += [first] * (first not in self.borrowed)
            raise ImportError(f"{first} differentiates by itself, and is not here")

    def load(self) -> dict[str, Any]:
        return self._answered(self._load)

    def answer(self, job: dict[str, Any]) -> dict[str, Any]:
        made: list[Any] = []
        try:
            return self._answered(self._graph, job, made)
        finally:
            # One by one, from the last: to free a long chain at once may take a deep stack. A sort
            # that failed may be a cycle that still has them, so each is emptied, too.
            while made and job["depth"]:
                getattr(made.pop(), "__dict__", {}).clear()

    def _answered(self, act: Callable[..., dict[str, Any]], *given: Any) -> dict[str, Any]:
        self.doing = "load"
        try:
            return {**act(*given), "borrowed": self.borrowed}
        except BaseException as error:
            return self._failure(error)

    def _failure(self, error: BaseException) -> dict[str, Any]:
        """Return what was raised, and the last line of the file that took part in it."""
        line, source, column = None, "", None
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.file:
                line = trace.tb_lineno
            trace = trace.tb_next
        message = str(error)
        if isinstance(error, SyntaxError) and error.filename == self.file:
            line, source, column = error.lineno, error.text or "", error.offset
            message = error.msg
        elif isinstance(error, AttributeError) and error.name:
            from difflib import get_close_matches

            close = get_close_matches(error.name, dir(error.obj), 1)
            message += f"; did you mean '{close[0]}'?" if close else ""
        what = {"error": type(error).__name__, "message": message[:300]}
        place = {"doing": self.doing, "line": line, "source": source[:200], "column": column}
        return {**what, **place, "borrowed": self.borrowed}

    def _load(self) -> dict[str, Any]:
        sys.meta_path.insert(0, self)  # pyright: ignore[reportArgumentType]
        sys.path.insert(0, os.path.dirname(os.path.abspath(self.file)))
        sys.argv = [self.file]
        module = sys.modules["learner"] = ModuleType("learner")
        module.__file__ = self.file
        # What is no Python ends here.
        code = compile(self.source, self.file, "exec", dont_inherit=True)
        tree = ast.parse(self.source, self.file)
        name = self._name_of_class(tree)
        if not run_class_alone(module, tree, name, self.file):
            exec(code, module.__dict__)
        self.value = value = getattr(module, name, None)
        kinds = [(name, one) for name, one in vars(module).items() if isinstance(one, type)]
        classes = [name for name, kind in kinds if kind.__module__ == "learner"]
        names = sorted(name for name in dir(value) if callable(getattr(value, name, None)))
        # An operator that comes from object is not one the learner has written.
        names = [name for name in names if getattr(value, name) is not getattr(object, name, None)]
        names = [name for name in names if name[:2] == "__" or not needs_arguments(value, name)]
        self.roles = {"data": "data", "grad": "grad"}
        self.roles["backward"] = next((one for one in self.backward if one in names), "backward")
        with contextlib.suppress(Exception):
            self._find_numbers()
        found = {"classes": classes, "is_class": isinstance(value, type), "names": names}
        return {**found, **self.roles, "class": name}

    def _name_of_class(self, tree: ast.Module) -> str:
        """Return "Value" where the file has one, else the class that has + and * and a walk."""
        found: list[tuple[bool, str]] = []
        for part in tree.body:
            if isinstance(part, DEFINITIONS) and "Value" in names_in(part)[0]:
                return "Value"
            if isinstance(part, ast.ClassDef):
                inside = names_in(ast.Module(part.body, []))[0]
                if {"__add__", "__mul__"} <= inside:
                    found.append((inside.isdisjoint(self.backward), part.name))
        return min(found)[1] if found else "Value"

    def _find_numbers(self) -> None:
        """Note how the class calls its number and its gradient, by what its instances do."""
        a, b = self.value(3.0), self.value(7.0)
        kept = [name for name in dir(a) if not name.startswith("__")]
        kept = [name for name in kept if not callable(getattr(a, name, None))]
        kept.sort(key=lambda name: ("grad" not in name, name.startswith("_")))

        def holding(*numbers: float) -> list[str]:
            """Return the attributes that are these numbers on a and on b."""
            pairs = {name: [getattr(one, name) for one in (a, b)] for name in kept}
            plain = [x for x in kept if all(isinstance(y, int | float) for y in pairs[x])]
            return [x for x in plain if pairs[x] == [*numbers] and pairs[x][0] is not False]

        if "data" not in kept:
            self.roles["data"] = [*holding(3.0, 7.0), "data"][0]
        if "grad" not in kept and (zeros := holding(0.0, 0.0)):
            self.roles["grad"] = zeros[0]
            getattr(a * b, self.roles["backward"])()
            self.roles["grad"] = [*[one for one in holding(7.0, 3.0) if one in zeros], *zeros][0]

    def _graph(self, job: dict[str, Any], made: list[Any]) -> dict[str, Any]:
        for index, (kind, number, operands) in enumerate(job["nodes"]):
            self.doing = f"node {index}"
            inputs = [made[operand] for operand in operands]
            if kind == "number":
                made.append(number)
                continue
            if kind == "leaf":
                out = self.value(number)
            elif kind in OPERATORS:
                out = getattr(operator, OPERATORS[kind])(*inputs)
            else:
                out = getattr(inputs[0], kind)(*inputs[1:])
            if not isinstance(out, self.value):
                raise WrongKindError(f"it gives {kind_of(out)}, not a {self.value.__name__}")
            made.append(out)
        for _ in range(job["depth"]):
            made.append(made[-1] + made[0])
        asked = [made[0], made[-1]] if job["depth"] else made
        self.doing = "read"
        data = self._read(asked, job, self.roles["data"])
        for root in job["roots"]:
            self.doing = "backward"
            getattr(asked[root], self.roles["backward"])()
        self.doing = "read"
        return {"data": data, "grads": self._read(asked, job, self.roles["grad"])}

    def _read(self, made: list[Any], job: dict[str, Any], attribute: str) -> list[float | None]:
        numbers: list[float | None] = []
        for thing, (kind, _, _) in zip(made, job["nodes"], strict=True):
            if kind == "number":
                numbers.append(None)
                continue
            number = getattr(thing, attribute)
            try:
                # A grad that is itself a Value would pass for a number by its __float__.
                numbers.append(float("" if isinstance(number, self.value) else number))
            except (TypeError, ValueError):
                said = f".{attribute} is {kind_of(number)}, not a number"
                raise WrongKindError(said) from None
        return numbers


def kind_of(thing: object) -> str:
    return "None" if thing is None else f"a {type(thing).__name__}"


def limit(plan: dict[str, Any]) -> None:
    """Set the limits that hold for each process; the judge counts over all of them."""
    if os.name != "posix":
        return
    import resource

    if sys.platform.startswith("linux") and not plan["contained"]:
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # when the judge ends; bubblewrap does the same
    # Outside of a namespace the last two count everything that the user runs.
    own = {"NPROC": plan["threads"], "MSGQUEUE": 0} if plan["contained"] else {}
    limits = {"CORE": 0, "CPU": plan["cpu"], "AS": plan["memory"], "FSIZE": 32 << 20}
    for name, number in {**limits, "NOFILE": 128, **own}.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, hard = resource.getrlimit(kind)
        most = number if hard == resource.RLIM_INFINITY else min(number, hard)
        with contextlib.suppress(*(() if plan["contained"] else (OSError, ValueError))):
            resource.setrlimit(kind, (most, most))


def attest() -> list[str]:
    """Return what is not contained, by trying it."""
    import _socket
    import mmap

    def write(folder: str) -> None:
        os.close(os.open(os.path.join(folder, ".gradwalk"), os.O_CREAT | os.O_WRONLY))

    acts: dict[str, Callable[[], Any]] = {
        "processes can be started": lambda: os.fork() or os._exit(0),
        "sockets can be opened": lambda: _socket.socket().close(),
        "memory files can be made": lambda: os.close(os.memfd_create("probe")),
        "memory can be shared": lambda: mmap.mmap(-1, mmap.PAGESIZE).close(),
        "other processes can be reached": lambda: os.pidfd_open(1),
    }
    for folder in ("/", os.getcwd(), os.path.dirname(os.__file__), "/dev", "/tmp", "/usr"):
        acts[f"{folder} can be written to"] = lambda folder=folder: write(folder)
    found: list[str] = []
    for what, act in acts.items():
        with contextlib.suppress(OSError):
            act()
            found.append(what)
    if os.getppid() != 1 or os.getuid() == 0:
        found.append("other processes are in sight")
    return found


def needs_arguments(value: Any, name: str) -> bool:
    """Whether a method is no operation of the value alone, like sigmoid(self, x)."""
    if isinstance(inspect.getattr_static(value, name), staticmethod | classmethod | type):
        return True
    try:
        parameters = list(inspect.signature(getattr(value, name)).parameters.values())[1:]
    except (TypeError, ValueError):
        return False
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return any(one.default is one.empty and one.kind in plain for one in parameters)


def run_class_alone(module: Any, tree: ast.Module, name: str, file: str) -> bool:
    """Run the class, its imports and helpers, and no training loop; False where that failed."""
    definitions = {part: names_in(part) for part in tree.body if isinstance(part, DEFINITIONS)}
    chosen = [part for part, (bound, _) in definitions.items() if name in bound]
    if not chosen:
        return False
    chosen += [part for part in tree.body if is_for_the_class(part, name)]
    for part in chosen:
        wanted = names_in(part)[1]
        for other, (bound, _) in definitions.items():
            if other not in chosen and not wanted.isdisjoint(bound):
                chosen.append(other)
    tree.body = [part for part in tree.body if part in chosen]
    names: dict[str, Any] = module.__dict__
    before = dict(names)
    try:
        exec(compile(tree, file, "exec", dont_inherit=True), names)
    except NameError:
        names.clear()
        names.update(before)
        return False
    return True


DEFINITIONS = (
    *(ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign),
    *(ast.If, ast.Try, ast.With),
)


def names_in(part: ast.AST) -> tuple[set[str], set[str]]:
    """Return the names that a statement gives to the module, and those that it looks up there."""
    bound: set[str] = set()
    wanted: set[str] = set()
    tables: list[symtable.SymbolTable] = []
    with contextlib.suppress(RecursionError):  # a sum of hundreds of terms
        tables.append(symtable.symtable(ast.unparse(part), "", "exec"))
    for table in tables:
        tables += table.get_children()
        at_top = table.get_type() == "module"
        for symbol in table.get_symbols():
            if at_top and (symbol.is_assigned() or symbol.is_imported()):
                bound.add(symbol.get_name())
            if symbol.is_referenced() if at_top else symbol.is_global():
                wanted.add(symbol.get_name())
    return bound, wanted


def is_for_the_class(part: ast.stmt, name: str) -> bool:
    """Whether a statement changes the class, like Value.exp = exp, or how deep calls may go."""
    if isinstance(part, ast.ImportFrom):
        return part.module == "__future__" or part.names[0].name == "*"
    if isinstance(part, ast.Assign):
        return any(ast.unparse(target).startswith(f"{name}.") for target in part.targets)
    calls = [ast.unparse(node) for node in ast.walk(part) if isinstance(node, ast.Call)]
    changes = (f"setattr({name},", *["sys.setrecursionlimit("] * isinstance(part, ast.Expr))
    return any(call.startswith(changes) for call in calls)


if __name__ == "__main__":
    main(sys.argv[1])
