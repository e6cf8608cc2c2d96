"""The learner's side of the judge: a script that runs someone's `Value` in a process of its own.

    python -P -B trial.py FILE

It imports nothing of gradwalk and judges nothing. It says that it is "here", and only then gets a
JSON object: the source, the limits, the names of packages that it may not import, and whether there
is a sandbox. A judge that is killed while bubblewrap starts sends none, and the script ends. It
tries from the inside whether the sandbox holds, and answers under the id "start". It loads the
source and says under the id "load" what it found. Then it reads one job a line, carries it out with
the learner's class, and answers with one line of JSON on stdout, under the job's `id`. Everything
the learner's code prints goes nowhere, and it may raise, loop, crash or leave: `learner`, on the
other side of the pipe, counts on none of it.

A job has `nodes`, each [kind, number, operands]: "leaf" and "number" carry a number, any other
kind is an operator or the name of a method; and `roots`, the nodes to call backward() on. A job
with `depth` is a chain instead, too long to be written out.
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
from collections.abc import Callable, Iterable
from types import FrameType, ModuleType
from typing import Any

OPERATORS = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "**": "pow", "neg": "neg"}


class WrongKindError(Exception):
    """The learner's code gave back something of the wrong kind; the message says what."""


class BorrowedError(ImportError):
    """The learner's file imports a package that differentiates."""


class TooSlow(BaseException):
    """The time is nearly up. The message says "recursion" where a function is inside itself."""


FILE_BYTES, OPEN_FILES = 32 << 20, 128


def main(file: str) -> None:
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    silence()
    replies.write('{"id": "here"}\n')
    replies.flush()
    plan = json.loads(requests.readline() or "null") or os._exit(1)
    trial = Trial(file, plan["source"].encode("latin-1"), plan["refused"])

    def reply(answer: dict[str, Any]) -> None:
        replies.write(json.dumps({**answer, "borrowed": trial.borrowed}) + "\n")
        replies.flush()

    limit(plan)
    reply({"id": "start", "open": attest() if plan["contained"] else []})
    loaded = trial.load()
    reply({"id": "load", **loaded})
    if "error" not in loaded:
        for line in requests:
            job = json.loads(line)
            try:
                with timer(file, plan["seconds"]):
                    answer = trial.answer(job)
            except TooSlow as error:
                answer = failure(error, file, "backward")
            reply({"id": job["id"], **answer})
    os._exit(0)  # not by way of whatever the learner's code has left to do at exit


class Trial:
    """One file on trial. `load` comes first; `borrowed` names packages that it asked for in vain.

    It refuses to import packages that differentiate. A learner's own package beside the file may
    have such a name: that one is theirs.
    """

    def __init__(self, file: str, source: bytes, refused: Iterable[str]) -> None:
        self.file = file
        self.source = source
        self.refused = frozenset(refused)
        self.borrowed: list[str] = []

    def load(self) -> dict[str, Any]:
        sys.meta_path.insert(0, self)  # pyright: ignore[reportArgumentType]
        try:
            self._value, self._roles, found = load(self.file, self.source)
        except BaseException as error:
            return failure(error, self.file, "load")
        return found

    def find_spec(self, name: str, *_: object) -> None:
        first = name.partition(".")[0]
        own = os.path.join(os.path.dirname(self.file), first)
        if first in self.refused and not os.path.isfile(f"{own}.py") and not os.path.isdir(own):
            self.borrowed += [first] * (first not in self.borrowed)
            raise BorrowedError(f"{first} differentiates by itself, and is not here")

    def answer(self, job: dict[str, Any]) -> dict[str, Any]:
        doing = ["load"]
        try:
            if "depth" in job:
                return chain(self._value, self._roles, job)
            return graph(self._value, self._roles, job, doing)
        except BaseException as error:
            return failure(error, self.file, doing[0])


def silence() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)


def limit(plan: dict[str, Any]) -> None:
    """Set the limits that hold for each process; the judge counts over all of them."""
    try:
        import resource
    except ImportError:  # Windows
        return
    if sys.platform.startswith("linux") and not plan["contained"]:
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # when the judge ends; bubblewrap does the same
    # Outside of a namespace the last two count everything that the user runs.
    own = {"NPROC": plan["threads"], "MSGQUEUE": 0} if plan["contained"] else {}
    limits = {"CORE": 0, "CPU": plan["cpu"], "AS": plan["memory"], "FSIZE": FILE_BYTES}
    for name, number in {**limits, "NOFILE": OPEN_FILES, **own}.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            _, hard = resource.getrlimit(kind)
            most = number if hard == resource.RLIM_INFINITY else min(number, hard)
            with contextlib.suppress(*(() if plan["contained"] else (OSError, ValueError))):
                resource.setrlimit(kind, (most, most))


@contextlib.contextmanager
def timer(file: str, seconds: float) -> Any:
    """Raise TooSlow shortly before the judge ends the process, to say what is going on."""

    def late(_number: int, frame: FrameType | None) -> None:
        calls: dict[Any, int] = {}
        while frame is not None:
            if frame.f_code.co_filename == file:
                calls[frame.f_code] = calls.get(frame.f_code, 0) + 1
            frame = frame.f_back
        raise TooSlow("recursion" if max(calls.values(), default=0) > 2 else "")

    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 0.9 * seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def attest() -> list[str]:
    """Return what is not contained, by trying it."""
    import _socket
    import mmap
    import resource

    def fork() -> None:
        if os.fork() == 0:
            os._exit(0)

    def write(folder: str) -> None:
        os.close(os.open(os.path.join(folder, ".gradwalk"), os.O_CREAT | os.O_WRONLY))

    acts: dict[str, Callable[[], Any]] = {
        "processes can be started": fork,
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
    names = [f"RLIMIT_{name}" for name in ("AS", "CPU", "FSIZE", "NOFILE", "NPROC")]
    limits = {name: resource.getrlimit(getattr(resource, name))[1] for name in names}
    return found + [f"there is no {name}" for name in names if limits[name] < 0]


def load(file: str, source: bytes) -> tuple[Any, dict[str, str], dict[str, Any]]:
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    sys.argv = [file]
    module = ModuleType("learner")
    module.__file__ = file
    sys.modules["learner"] = module
    code = compile(source, file, "exec", dont_inherit=True)  # what is no Python ends here
    tree = ast.parse(source, file)
    name = name_of_class(tree)
    if not run_class_alone(module, tree, name, file):
        exec(code, module.__dict__)
    value = getattr(module, name, None)
    kinds = [(name, thing) for name, thing in vars(module).items() if isinstance(thing, type)]
    classes = [name for name, kind in kinds if kind.__module__ == "learner"]
    names = sorted(name for name in dir(value) if callable(getattr(value, name, None)))
    # An operator that comes from object is not one the learner has written.
    names = [name for name in names if getattr(value, name) is not getattr(object, name, None)]
    names = [name for name in names if name[:2] == "__" or not needs_arguments(value, name)]
    roles = roles_in(value, names)
    found = {"classes": classes, "is_class": isinstance(value, type), "names": names}
    return value, roles, {**found, **roles, "class": name}


# ── Which class, and what is what in it ──────────────────────────────────────────────────────

#: Names that people give to the method that runs the reverse walk, most common first.
BACKWARD = (
    *("backward", "backprop", "back_prop", "backpropagate", "back_propagate", "backpropagation"),
    *("run_backward", "full_backward", "backward_pass", "compute_gradients", "propagate"),
    *("backwards", "back", "bwd"),
)


def name_of_class(tree: ast.Module) -> str:
    """Return "Value" where the file has one, else the class that has + and * and a walk back."""
    found: list[tuple[bool, str]] = []
    for part in tree.body:
        if isinstance(part, DEFINITIONS) and "Value" in names_in(part)[0]:
            return "Value"
        if isinstance(part, ast.ClassDef):
            inside = names_in(ast.Module(part.body, []))[0]
            if {"__add__", "__mul__"} <= inside:
                found.append((inside.isdisjoint(BACKWARD), part.name))
    return min(found)[1] if found else "Value"


def roles_in(value: Any, names: list[str]) -> dict[str, str]:
    """Return how a class calls its number, its gradient and the walk, by what its instances do."""
    roles = {"data": "data", "grad": "grad"}
    roles["backward"] = next((name for name in BACKWARD if name in names), "backward")
    with contextlib.suppress(Exception):
        a, b = value(3.0), value(7.0)
        kept = [name for name in dir(a) if not name.startswith("__")]
        kept = [name for name in kept if not callable(getattr(a, name, None))]
        kept.sort(key=lambda name: ("grad" not in name, name.startswith("_")))
        threes = [name for name in kept if is_number(a, name, 3.0) and is_number(b, name, 7.0)]
        if threes and "data" not in kept:
            roles["data"] = threes[0]
        zeros = [name for name in kept if is_number(a, name, 0.0)]
        if zeros and "grad" not in kept:
            roles["grad"] = zeros[0]
            getattr(a * b, roles["backward"])()
            roles["grad"] = [*[x for x in zeros if is_number(a, x, 7.0)], zeros[0]][0]
    return roles


def is_number(thing: object, name: str, number: float) -> bool:
    found = getattr(thing, name)
    return isinstance(found, int | float) and not isinstance(found, bool) and found == number


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


# ── The class without the program around it ──────────────────────────────────────────────────


def run_class_alone(module: Any, tree: ast.Module, name: str, file: str) -> bool:
    """Run what the class needs of a file: its imports and helpers, and no training loop.

    False when that cannot be told from the text, or is not enough; then the whole file is run.
    """
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


# ── One job ──────────────────────────────────────────────────────────────────────────────────


def graph(
    value: Any, roles: dict[str, str], job: dict[str, Any], doing: list[str]
) -> dict[str, Any]:
    made: list[Any] = []
    for index, (kind, number, operands) in enumerate(job["nodes"]):
        doing[0] = f"node {index}"
        if kind == "number":
            made.append(number)
            continue
        inputs = [made[operand] for operand in operands]
        if kind == "leaf":
            out = value(number)
        elif kind in OPERATORS:
            out = getattr(operator, OPERATORS[kind])(*inputs)
        else:
            out = getattr(inputs[0], kind)(*inputs[1:])
        made.append(checked(out, value))
    doing[0] = "read"
    data = read(made, job["nodes"], roles["data"])
    before = read(made, job["nodes"], roles["grad"])
    for root in job["roots"]:
        doing[0] = "backward"
        getattr(made[root], roles["backward"])()
    doing[0] = "read"
    return {"data": data, "before": before, "grads": read(made, job["nodes"], roles["grad"])}


def chain(value: Any, roles: dict[str, str], job: dict[str, Any]) -> dict[str, Any]:
    made: list[Any] = [value(1.0)]
    try:
        made.append(checked(made[0] + made[0], value))
        for _ in range(job["depth"] - 1):
            made.append(made[-1] + made[0])
        getattr(made[-1], roles["backward"])()
        data, grad = getattr(made[-1], roles["data"]), getattr(made[0], roles["grad"])
        return {"data": [float(data)], "grads": [float(grad)]}
    finally:
        # One by one, from the last: to free a long chain at once may take a deep stack. A sort that
        # failed may be a cycle that still has them, so each is emptied, too.
        while made:
            getattr(made.pop(), "__dict__", {}).clear()


def checked(out: Any, value: Any) -> Any:
    if not isinstance(out, value):
        name = "None" if out is None else f"a {type(out).__name__}"
        raise WrongKindError(f"it gives {name}, not a {value.__name__}")
    return out


def read(made: list[Any], nodes: list[Any], attribute: str) -> list[float | None]:
    numbers: list[float | None] = []
    for thing, (kind, _, _) in zip(made, nodes, strict=True):
        if kind == "number":
            numbers.append(None)
            continue
        number = getattr(thing, attribute)
        try:
            # A grad that is itself a Value would pass for a number by its __float__.
            if isinstance(number, type(thing)):
                raise TypeError
            numbers.append(float(number))
        except (TypeError, ValueError):
            what = "None" if number is None else f"a {type(number).__name__}"
            raise WrongKindError(f".{attribute} is {what}, not a number") from None
    return numbers


def failure(error: BaseException, file: str, doing: str) -> dict[str, Any]:
    """What was raised, and the last line of the learner's file that took part in it."""
    line, source, column = None, "", None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    message = str(error)
    if isinstance(error, SyntaxError) and error.filename == file:
        line, source, column = error.lineno, error.text or "", error.offset
        message = error.msg
    elif isinstance(error, AttributeError) and error.name:
        from difflib import get_close_matches

        close = get_close_matches(error.name, dir(error.obj), 1)
        message += f"; did you mean '{close[0]}'?" if close else ""
    return {
        "error": type(error).__name__,
        "message": message[:300],
        "line": line,
        "source": source[:200],
        "column": column,
        "doing": doing,
    }


if __name__ == "__main__":
    main(sys.argv[1])
