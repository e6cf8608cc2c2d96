"""Every refusal of a recording: its line, its words, and its remedy as one pastes it.

In each case the line that is refused ends with `# no`. The remedy stands in place of it, or in
place of the whole function. The last tests read the source: a refusal without a case fails.
"""
# ruff: noqa: E501  (a table, one case a line or two)

import ast
import math
import sys
import traceback
from pathlib import Path
from typing import NamedTuple

import pytest
from support.plain import RUNS_PLAINLY, made

import gradwalk
from gradwalk import GradwalkError, RecordingError, Value, compile  # noqa: A004
from gradwalk.program.recording import recorder

np = pytest.importorskip("numpy")
# What runs plainly may take the number of a captured Value.
pytestmark = [
    pytest.mark.filterwarnings("ignore::gradwalk.GradientDroppedWarning"),
    RUNS_PLAINLY,
]

PROGRAM = Path(gradwalk.__file__).parent / "program"


class Case(NamedTuple):
    source: str  # refused on the line that ends with "# no"
    words: str  # of the remedy
    remedy: str  # in place of that line; or a whole function
    given: tuple | str = (1.5, 0.5)  # or an expression, with the names of the source
    same: bool = True  # plain Python computes the same without the remedy
    use: str = ""  # what to do with the program, if not call it
    errors: str = "ieee"


def line(text: str, words: str, remedy: str, *given, **more) -> Case:
    """Return a case of one line: `return …`."""
    source = f"def f(x, y):\n    return {text}  # no\n"
    return Case(source, words, f"return {remedy}", *given, **more)


def in_operator(text: str, words: str, remedy: str, **more) -> Case:
    """Return a case in an operator of the user's own class, which runs as it is."""
    head = (
        "class N:\n    def __init__(self, v):\n        self.v = v\n    def __add__(self, other):\n"
    )
    source = f"{head}        return {text}  # no\ndef f(x, y):\n    return N(x) + y\n"
    return Case(source, words, f"return {remedy}", **more)


HELD = "@dataclasses.dataclass\nclass Held:\n    v: float\n"
CASES = {
    # ── A number that there is not yet ───────────────────────────────────────────────────────
    "data": line("x.data * y", "compute with the value itself", "x * y", same=False),
    "captured data": line("x * W.data", "compute with the value itself", "x * W", same=False),
    "grad": line("x.grad + y", "use value_and_grad on the program", "x * x * y", same=False,
                 use="program.value_and_grad(1.5, 0.5)[1]['x'] == 1.5"),
    "backward": line("x.backward() or y", "use value_and_grad", "x * x * y", same=False,
                     use="program.value_and_grad(1.5, 0.5)[1]['x'] == 1.5"),
    "detach": line("x * y.detach()", "leave its input out of wrt", "x * y", same=False,
                   use="list(program.value_and_grad(1.5, 0.5, wrt='x')[1]) == ['x']"),
    "step": Case("def f(x, y):\n    SGD.step()  # no\n    return x * W + y\n", "program.train(optimizer)",
                 "pass", same=False, use="program.train(SGD).start().step(1.0, 2.0) == 5.0"),
    "no_grad": Case("def f(x, y):\n    with gradwalk.no_grad():  # no\n        return x * y\n", "leave it out",
                    "if True:"),
    "large int": line("x * x % 7 + y", "give it as a float", "x * x % 7 + y", (10**9 + 7, 0.5),
                      use="program(1e7 + 7.0, 0.5) == (1e7 + 7.0) ** 2 % 7 + 0.5"),
    "large range": line("len(range(x * x)) + y", "give it as a float", "x * x + y", (10**9 + 7, 0.5)),
    "float": line("array('d', [x])[0] * y", "compute with the value", "[x][0] * y"),
    "float of an array": Case(
        "def f(x, y):\n    v = np.zeros(2)\n    v[0] = x  # no\n    return v[0] * y\n", "needs dtype=object",
        "v = np.zeros(2, dtype=object); v[0] = x"),
    "float in an operator": in_operator("math.exp(self.v) + other", "use gradwalk.exp", "gradwalk.exp(self.v) + other"),
    "float by math": line("math.ldexp(x, 1) * y", "write it with functions of gradwalk", "x * 2.0 * y"),
    "complex": line("complex(x).real * y", "compute with real numbers", "x * y"),
    "format": line("float(f'{x:.1f}') * y", "format the result of the program", "x * y", same=False),
    "text of a comparison": line("len(str(operator.gt(x, y) + 1)) * y", "format the result of the program", "len(str((x > y) + 1)) * y"),
    "text": line("len(str(x)) * y", "format the result of the program", "3 * y", (1.5, 2.0)),
    "isinstance": line("x if isinstance(x, int) else y", "use isinstance(x, (int, float))", "x if isinstance(x, (int, float)) else y", (3, 0.5)),
    "type": line("x if type(x) is int else y", "use isinstance(x, (int, float))", "x if isinstance(x, (int, float)) else y", (3, 0.5)),
    "type, static": Case("def f(x, y):\n    return x * 2 if type(x) is int else y  # no\n", "compile(static=…)",
                         "return x * 2 if type(x) is int else y", (3, 0.5), use="gradwalk.compile(static='x')(f)(3, 0.5) == 6"),
    "draw": line("x * random.random() * y", "draw them outside and pass them in", "x * y", same=False),
    "draw unseen": Case(
        "def f(x, y):  # no\n    return x * statistics.NormalDist(0.0, 1.0).samples(1)[0] * y\n",
        "draw them outside and pass them in", "def f(x, y):\n    return x * y\n", same=False),
    "cached method": Case(
        "class A:\n    @functools.cache\n    def g(self, v):\n        return v * 2.0\nA = A()\n"
        "def f(x, y):\n    return A.g(x) * y  # no\n", "cache functions of numbers", "return x * 2.0 * y"),
    "cached list": Case("@functools.cache\ndef g(v):\n    return [v]\ndef f(x, y):\n    return g(x)[0] * y  # no\n",
                        "cache functions of numbers", "return x * y"),
    "cache beside a change": Case(
        "SEEN = []\n@functools.cache\ndef g(v):\n    return v * 2.0\ndef f(x, y):  # no\n    SEEN.append(1)\n    return g(x) * y\n",
        "cache functions of numbers", "def f(x, y):\n    return x * 2.0 * y\n"),
    "bool": line("x if operator.truth(W) else y", "use gradwalk.where(condition, x, y)", "gradwalk.where(W, x, y)", same=False),
    "int": line("x * operator.methodcaller('__int__')(W)", "use gradwalk.floor", "x * gradwalk.floor(W)", same=False),
    # ── Values from elsewhere ────────────────────────────────────────────────────────────────
    "an argument": line("INNER.value_and_grad(x)[0] * y", "call the function itself inside the other", "INNER(x) * y", same=False),
    "another recording": Case("def f(x, y):\n    return gradwalk.compile(lambda v: v + x).record(1.0)(y)  # no\n", "pass it as an argument",
                              "return (lambda v, x: v + x)(y, x)", same=False),
    "ended": Case("import queue\nKEPT = queue.SimpleQueue()\ndef f(x, y):\n    if not KEPT.empty():\n        return KEPT.get() * y  # no\n    KEPT.put(x)\n    return x * y\n",
                  "return it from the recorded function", "def f(x, y):\n    return x * y\n", same=False),
    "own gradients": line("x * OWN * y", "compute it from operations of gradwalk", "x * (W * 5.0) * y", same=False),
    # ── What numpy and Python complain of ────────────────────────────────────────────────────
    "numpy function": line("np.exp(x, dtype=float) * y", "use gradwalk.exp", "gradwalk.exp(x) * y", same=False),
    "numpy function without a row": line("np.spacing(x) + y", "functions of gradwalk", "2.0**-52 * x + y", same=False),
    "numpy interp": line("np.interp(x, [y, 2.0], [1.0, 2.0])", "write it with functions of gradwalk",
                         "1.0 + (gradwalk.clip(x, y, 2.0) - y) / (2.0 - y)"),
    "not iterable": line("sum([v for v in x]) * y", "it is one number here", "sum([v for v in [x]]) * y", same=False),
    "Value of it": line("Value(x) * y", "it is a value already", "x * y", same=False),
    "math of an array": line("math.exp(np.array([x, y]))", "np.exp(x)", "np.exp(np.array([x, y]))[0]", same=False),
    "no attribute": line("x.bogus() or y", "it takes operators, the functions of math", "x * y", same=False),
    "a method of floats": line("float.fromhex(x.hex()) * y", "compute with the value", "x * y"),
    "array as index": line("np.arange(3.0)[np.array([x])][0] * y", "gradwalk.take(table, i) for i in indices",
                           "[gradwalk.take([0.0, 1.0, 2.0], i) for i in [x]][0] * y", (1, 0.5), same=False),
    "linear algebra": line("np.linalg.det(np.array([[x, y], [y, 2.0]]))", "write it out", "x * 2.0 - y * y"),
    "numpy loop": line("np.rint(np.array([x, y]))[1]", "the function of gradwalk on each entry",
                       "[gradwalk.floor(v + 0.5) for v in (x, y)][1]", (1.5, 0.4)),
    "numpy types": line("np.spacing(np.array([x, y]))[0]", "the function of gradwalk on each entry", "[2.0**-52 * v for v in (x, y)][0]", same=False),
    "a fraction as an index": line("[1.0, 2.0, 4.0][x] * y", "give it by int(x)", "[1.0, 2.0, 4.0][int(x)] * y", same=False),
    "a fraction in a slice": line("sum([1.0, 2.0, 4.0][:x]) * y", "give it by int(x)", "sum([1.0, 2.0, 4.0][:int(x)]) * y", same=False),
    "a fraction in a range": Case("def f(x, y):\n    for k in range(x):  # no\n        y += k\n    return y\n", "give it by int(x)",
                                  "for k in range(int(x)):", same=False),
    # ── Arguments and results ────────────────────────────────────────────────────────────────
    "a dataclass with InitVar": Case(
        f"{HELD}    w: dataclasses.InitVar[float] = 2.0\n    def __post_init__(self, w):\n        self.u = w * self.v\n"
        "def f(x, y):\n    return x.u * y\n", "make it a field",
        f"{HELD}    w: float = 2.0\n    def __post_init__(self):\n        self.u = self.w * self.v\n"
        "def f(x, y):\n    return x.u * y\n", "(Held(1.5), 0.5)"),
    "a dataclass that changes its field": Case(
        f"{HELD}    def __post_init__(self):\n        self.v *= 2.0\n        self.u = self.v\ndef f(x, y):\n    return x.u * y\n",
        "make that a field or a property",
        f"{HELD}    def __post_init__(self):\n        self.v *= 2.0\n    @property\n    def u(self):\n        return self.v\n"
        "def f(x, y):\n    return x.u * y\n", "(Held(1.5), 0.5)"),
    "an array of other things": Case("def f(x, y):\n    return np.array([x, 'y'], dtype=object)\n", "holds numbers only",
                                     "def f(x, y):\n    return np.array([x, y], dtype=object)[0]\n", same=False),
    "a result of another kind": Case("def f(x, y):\n    return slice(x, y)\n", "returns a number, or lists", "def f(x, y):\n    return [x * y][0]\n",
                                     same=False),
    # ── Operands ─────────────────────────────────────────────────────────────────────────────
    "dict for a table": line("gradwalk.take({0: y, 1: x}, x)", "give list(table.values())", "gradwalk.take(list({0: y, 1: x}.values()), x)",
                             (1, 0.5), same=False),
    "conditions": line("gradwalk.where((x > 1) & y, x, y)", "with x != 0 for a number that is a flag", "gradwalk.where((x > 1) & (y != 0), x, y)", (1.5, 1)),
    "a path by type": Case("@dataclasses.dataclass\nclass K:\n    def __add__(self, other):\n        return 2.0 if type(other) is float else 3.0\n"
                           "def f(x, y):  # no\n    return (K() + x) * y\n", "code that gradwalk cannot see",
                           "def f(x, y):\n    return 2.0 * y\n"),
}  # fmt: skip


NAMES = {
    "W": Value(3.0, label="w"),
    "INNER": compile(lambda x: x * x),
    **{
        name: __import__(name)
        for name in (
            "dataclasses",
            "functools",
            "math",
            "random",
            "gradwalk",
            "itertools",
            "statistics",
        )
    },
    "np": np,
    "array": __import__("array").array,
    "Value": Value,
    "copy": __import__("copy"),
    "operator": __import__("operator"),
}
NAMES["SGD"] = gradwalk.optim.SGD([NAMES["W"]], lr=0.0)
NAMES["OWN"] = Value(15.0, (NAMES["W"],), (5.0,))


def remedied(case: Case) -> str:
    if case.remedy.startswith(("def ", "class ", "@")):
        return case.remedy
    lines = case.source.splitlines(True)
    return "".join(
        one[: len(one) - len(one.lstrip())] + case.remedy + "\n" if one.endswith("# no\n") else one
        for one in lines
    )


def arguments(case: Case, scope) -> tuple:
    return eval(case.given, scope) if isinstance(case.given, str) else case.given


def raised_by(case: Case) -> tuple[Exception, str]:
    """Return what a case is refused with, and the name of its file.

    That is Python's own error, with the remedy as a note, where plain numbers raise it too.
    """
    scope = made(case.source, NAMES)
    program = compile(errors=case.errors)(scope["f"])
    given = arguments(case, scope)
    if "KEPT" in case.source:
        program(*given)  # the second recording uses a value of the first
        given = ([1.0], given[1])
    errors = (GradwalkError, TypeError, AttributeError)
    with pytest.raises(errors) as caught:
        program.value_and_grad(*given)
    return caught.value, scope["f"].__code__.co_filename


def said(error: Exception) -> str:
    return "\n".join([str(error), *getattr(error, "__notes__", ())])


@pytest.mark.parametrize("name", CASES)
def test_a_refusal_names_the_line_and_its_remedy_works(name: str) -> None:
    case = CASES[name]
    error, file = raised_by(case)
    assert case.words in said(error)
    if isinstance(error, RecordingError):
        marked = [k for k, text in enumerate(case.source.splitlines(), 1) if text.endswith("# no")]
        if marked:
            assert error.line == (file, marked[0])
    frames = traceback.extract_tb(error.__traceback__)
    assert sum(frame.filename.startswith(str(PROGRAM)) for frame in frames) <= 2
    scope = made(remedied(case), NAMES)
    program = compile(errors=case.errors)(scope["f"])
    if case.use:
        assert eval(case.use, {**scope, "program": program}), case.use
        return
    found = program(*arguments(case, scope))
    if case.same:
        plain = made(case.source, NAMES)
        assert found == pytest.approx(plain["f"](*arguments(case, plain)), rel=1e-12)
    else:
        assert math.isfinite(found)


def refused(x):
    return x.data  # refused


DOORS = {
    "call": lambda f, rows: f(1.0),
    "value_and_grad": lambda f, rows: f.value_and_grad(1.0),
    "backward": lambda f, rows: f.backward(1.0),
    "paths": lambda f, rows: f.paths(1.0),
    "map": lambda f, rows: f.map(rows),
    "map.value_and_grad": lambda f, rows: f.map.value_and_grad(rows),
    "record": lambda f, rows: f.record(1.0),
}


@pytest.mark.parametrize("door", DOORS)
def test_the_traceback_of_a_refusal_ends_at_the_users_line(door: str) -> None:
    with pytest.raises(RecordingError) as caught:
        DOORS[door](compile(refused), np.ones(3))
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert frames[-1].line == "return x.data  # refused"
    assert sum(frame.filename.startswith(str(PROGRAM)) for frame in frames) <= 2


def endless(x):
    while x > 0.0:  # never
        x = x + 1.0
    return x


def raising(x):
    table = [1.0, 2.0]
    return table[int(x)] if x > 0.5 else 1.0 / x  # raises


@pytest.mark.parametrize("door", ["call", "value_and_grad", "map"])
def test_the_traceback_of_a_loop_without_end_has_no_frame_of_ours_behind_the_call(door) -> None:
    with pytest.raises(gradwalk.LoopError) as caught:
        DOORS[door](compile(endless, steps=100), np.ones(3))
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert sum(frame.filename.startswith(str(PROGRAM)) for frame in frames) <= 2
    assert caught.value.__context__ is None


@pytest.mark.parametrize(("x", "kind"), [(9.0, IndexError), (0.0, ZeroDivisionError)])
def test_the_traceback_of_what_the_function_raises_has_its_line(x: float, kind: type) -> None:
    function = compile(raising, errors="python")
    function(1.0)
    function(0.25)
    with pytest.raises(kind) as caught:
        function(x)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert any("# raises" in (frame.line or "") for frame in frames)
    assert sum(frame.filename.startswith(str(PROGRAM)) for frame in frames) <= 2
    assert caught.value.__context__ is None


# ── No refusal without a case ────────────────────────────────────────────────────────────────

HANDED_ON = {"refused", "_refused", "Tape.refuse"}  # functions that hand on what they are told


def sites() -> set[tuple[str, str, str]]:
    """Return each place that refuses: its file, its function, and what it refuses, if written."""
    found: set[tuple[str, str, str]] = set()

    def look(node: ast.AST, file: str, inside: tuple[str, ...]) -> None:
        name = (
            getattr(node, "name", "") if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else ""
        )
        if isinstance(node, ast.Call) and ".".join(inside) not in HANDED_ON:
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called in ("refuse", "refused", "_refused") and node.args:
                what = node.args[0]
                parts = what.values if isinstance(what, ast.JoinedStr) else [what]
                word = parts[0].value if isinstance(parts[0], ast.Constant) else ""
                if word or not isinstance(what, ast.Constant):  # "": its recording has ended
                    found.add((file, ".".join(inside), word))
            elif called == "RecordingError":
                parts = getattr(node.args[0], "values", node.args[:1])
                texts = [part.value for part in parts if isinstance(part, ast.Constant)]
                found.add((file, ".".join(inside), max(texts, key=len, default="")))
        for inner in ast.iter_child_nodes(node):
            below = (*inside, name) if name else inside
            if name and isinstance(node, ast.FunctionDef) and isinstance(inner, ast.FunctionDef):
                below = (*below, "<locals>")
            look(inner, file, below)

    others = [PROGRAM / "checking.py", PROGRAM / "structure.py"]
    for file in (*sorted((PROGRAM / "recording").glob("*.py")), *others):
        look(ast.parse(file.read_text("utf-8")), file.name, ())
    return found


def test_every_place_that_refuses_has_a_case(monkeypatch) -> None:
    seen: set[tuple[str, str, str]] = set()
    refuse = recorder.Tape.refuse

    def note(what: str, depth: int) -> None:
        frame = sys._getframe(depth)
        while frame.f_back is not None and frame.f_code.co_qualname in HANDED_ON:
            frame = frame.f_back
        seen.add((Path(frame.f_code.co_filename).name, frame.f_code.co_qualname, what))

    def noted(self, what, place=None):
        note(what, 2)
        return refuse(self, what, place)

    class NotedError(RecordingError):
        def __init__(self, *given):
            super().__init__(*given)
            note(given[0], 2)

    monkeypatch.setattr(recorder.Tape, "refuse", noted)
    for module in ("recording.recorder", "checking", "structure"):
        monkeypatch.setattr(f"gradwalk.program.{module}.RecordingError", NotedError)
    for case in CASES.values():
        raised_by(case)
    wanted = sites()
    assert len(wanted) > 20
    missing = [
        (file, function, what)
        for file, function, what in sorted(wanted)
        if not any(f == file and q == function and what in w for f, q, w in seen)
    ]
    assert not missing


def test_every_remedy_has_a_case() -> None:
    shown = "\n".join([said(raised_by(case)[0]) for case in CASES.values()])
    wanted = [remedy for _, remedy in recorder._BY_COMPLAINT]
    wanted += [problem for problem, _ in recorder._REMEDIES.values()]
    # What _refusal writes itself, up to where it fills something in.
    tree = ast.parse(Path(recorder.__file__).read_text("utf-8"))
    own = next(node for node in tree.body if getattr(node, "name", "") == "_refusal")
    for node in ast.walk(own):
        if isinstance(node, (ast.Assign, ast.Return)) and node.value is not None:
            for part in ast.walk(node.value):
                text = part.value if isinstance(part, ast.Constant) else None
                if isinstance(text, str) and text.count(" ") > 1:
                    wanted.append(text.strip())
    assert len(wanted) > 25
    assert not [remedy for remedy in wanted if remedy not in shown]
