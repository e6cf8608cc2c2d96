"""`gradwalk judge`: a right Value passes, a wrong one is told why, and a wild one does no harm."""

import json
import sys
from functools import partial
from pathlib import Path

import pytest
from support.corpus import CORPUS, parts, whole

from gradwalk import Value, backend, ops
from gradwalk.cli import main
from gradwalk.errors import LoadError
from gradwalk.practice.judge import inside, judge, trial
from gradwalk.practice.judge.checks import STURDY, Vocabulary, checks, job
from gradwalk.practice.judge.suspects import SUSPECTS, same
from gradwalk.practice.judge.verdict import Report, Verdict
from gradwalk.walk import BUGS, walk

# ruff: noqa: E501  (a row each)

ROOT = Path(__file__).parent.parent
RIGHT = (ROOT / "examples" / "my_value.py").read_text("utf-8")

judge_own = partial(judge, sandbox=False)


def edited(source: str, *replacements: tuple[str, str], behind: str = "") -> str:
    """A source with something in it replaced."""
    for old, new in replacements:
        assert old in source, old
        source = source.replace(old, new)
    return source + behind


changed = partial(edited, RIGHT)


def in_backward(line: str) -> str:
    return changed(("        order = self.sort()", f"        {line}\n        order = self.sort()"))


@pytest.fixture
def verdict_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Judge a source, in this process unless it may not end or may end Python itself."""

    def run(source, seconds=20.0, megabytes=1024, *, child=False) -> Report:
        file = tmp_path / "attempt.py"
        file.write_text(source, "utf-8")
        if not child:
            monkeypatch.setattr("gradwalk.practice.judge.Learner", inside.LearnerInside)
            monkeypatch.setattr(inside, "_until", lambda _, work: work())
            monkeypatch.setattr(sys, "argv", sys.argv)
        return judge_own(str(file), seconds=seconds, megabytes=megabytes)

    return run


def failed(report: Report) -> list[Verdict]:
    return [verdict for verdict in report.verdicts if verdict.status == "failed"]


def bugs(report: Report) -> list[str]:
    return sorted({verdict.bug for verdict in failed(report)})


RESET = "        for node in order:\n            node.grad *= not node.inputs\n"
SHARED = parts()


def script(name: str) -> str:
    """A script of the corpus."""
    return whole((CORPUS / f"{name}.py").read_text("utf-8"), SHARED)


def example(name: str) -> str:
    return (ROOT / "examples" / "judge" / f"{name}.py").read_text("utf-8")


SCALAR = script("names_all_other")
REFLECTED = """
    def __rsub__(self, other): return other + (-self)
    def __rtruediv__(self, other): return other * self**-1
"""
METHODS = "#: micrograd & pow & exp & neg & sub & truediv & tanh & relu\n"
MICRO = "import math\n\n\n" + whole(METHODS.replace(" & ", "\n    #: "), SHARED) + REFLECTED

SLOW = "\n\nif True:\n    import no_such_module_of_anybody\n"
SLOW += "while True:\n    (Value(3.0) * Value(3.0)).backward()\n"

micro = partial(edited, MICRO)
scalar = partial(edited, SCALAR)

# The bug that is found, and is all that is blamed.
KNOWN = {
    "overwrite": (changed(("grad +=", "grad =")), "✗ d = a + b; d * a with a=2.5, b=-1.5 a.grad: expected 3.5, got 2.5", "`=` in place of `+=`", "more, for a reason given above"),
    "nothing-pushed": (changed(("            node.push()", "            pass")),),
    "no-local": (changed(("other.data * out.grad", "out.grad"), ("self.data * out.grad", "out.grad"), ("local * out.grad", "out.grad")),),
    "no-chain": (changed(("other.data * out.grad", "other.data"), ("self.data * out.grad", "self.data"), ("local * out.grad", "local"), ("+= out.grad", "+= 1.0")),),
    "no-reset": (changed(("if node.inputs:", "if False:")),),
    "kept-visited": (changed(("def sort(self)", "def sort(self, visited=set())"), ("order, visited, stack = [], {self}, [(self, 0)]", "order, stack = [], [(self, 0)]")),),
    "no-hash": (changed(("    def __neg__", "    def __eq__(self, x):\n        return 0\n\n    def __neg__")),),
    "recursion": (edited(example("recursive"), ("        self.grad = 1.0\n", RESET + "        self.grad = 1.0\n")), "deep chains 0 of 2", "Your sort recurses", "RecursionError, line "),
    "overflow": (changed(("t = math.tanh(self.data)", "e = math.exp(2 * self.data)\n        t = (e - 1) / (e + 1)")),),
    "no-return": (RIGHT.replace("        out.push = push\n        return out\n", "        out.push = push\n", 1),),
    "exit": (in_backward("raise SystemExit(3)"),),
    "rule of *": (changed(("self.grad += other.data * out.grad", "self.grad += self.data * out.grad"), ("other.grad += self.data * out.grad", "other.grad += other.data * out.grad")), "The rule of * is wrong: each input is given its own value", "The local gradient for a is b."),
    "rule of tanh": (changed(("1 - t * t", "1 - self.data * self.data")), "The rule of tanh is wrong", "is 1 - tanh(a)**2."),
    "rule of **": (changed(("n * self.data ** (n - 1)", "self.data ** (n - 1)")),),
    "rule of **, its value": (changed(("self.unary(self.data**n,", "self.unary(self.data * n,")), "** computes a wrong value, before any gradient"),
    "rule of -": (changed(("self + as_value(other) * -1", "self + as_value(other)")),),
    "rule of log": (changed(("math.log(self.data), 1 / self.data", "math.log(self.data), self.data")),),
}  # fmt: skip
NOT_STURDY = {"no-reset", "kept-visited", "recursion", "overflow"}


def says(report: Report, *words: str) -> None:
    """Fail unless the report to read has these words, wherever its lines end."""
    text = " ".join(report.text().split())
    assert [word for word in words if word not in text] == [], report.text()
    assert max(map(len, report.text().splitlines())) <= 80 + len(report.file)


SOUND = {
    "micrograd's": micro(),
    "leaves accumulate": RIGHT,
    "leaves start anew": RIGHT.replace("if node.inputs:", "if True:"),
    "only plus, times and backward": RIGHT[: RIGHT.index("    def __pow__")] + RIGHT[RIGHT.index("    def backward") :],
    "takes no plain numbers": changed(("return x if isinstance(x, Value) else Value(x)", "return x"), ("self * -1", "self * Value(-1)"), ("as_value(other) * -1", "other * Value(-1)")),
    "of another name": SCALAR,
    "trains at import": micro(behind=SLOW),
    "trains before the class": "import random\nfor _ in iter(int, 1):\n    pass\n" + micro(),
    "needs a helper": "LIMIT = int('1')\n\ndef lift(x):\n    return x if isinstance(x, Value) else Value(x * LIMIT)\n"
    + micro(("other if isinstance(other, Value) else Value(other)", "lift(other)")),
    "patched": micro(behind="\n\ndef log(self):\n    out = Value(math.log(self.data), (self,))\n    def push():\n        self.grad += out.grad / self.data\n    out._backward = push\n    return out\n\n\nValue.log = log\n"),
    "gelu in its tanh form": script("gelu_tanh_form"),
    "sigmoid of a number": micro(behind="\n    def sigmoid(self, x):\n        return 1 / (1 + math.exp(-x))\n"),
    "static sigmoid": micro(behind="\n    @staticmethod\n    def sigmoid(x):\n        return 1 / (1 + math.exp(-x))\n"),
    "labels that double": micro(("= label\n", '= _op.join(c.label for c in _children) or "x"\n'), ("set(_children)", "tuple(_children)")),
    "path by path": script("path_by_path"),
    "minus takes no number": micro(("return self + (-other)", "return self + Value(-1.0) * other.same()"), ("return other + (-self)", "return Value(other) - self"), ("    def backward", "    def same(self):\n        return self\n\n    def backward")),
    "prints": micro(("        visit(self)\n", "        visit(self)\n        print(len(order))\n")),
    "whole numbers": micro(("self.data = data", "self.data = int(data) if data == int(data) else data")),
    "beside a long sum": f"X = {'1 + ' * 600}1\n" + micro(),
    "imports all": micro(("import math\n", "from math import *\n"), ("math.", "")),
    "counts its nodes": "COUNT = 0\n" + micro(("        self.data = data\n", "        global COUNT\n        COUNT += 1\n        self.data = data\n")),
    "raised limit": "import sys\nsys.setrecursionlimit(10**6)\n" + example("recursive"),
    "zeroes first": micro(("        visit(self)\n", "        visit(self)\n        for node in order:\n            node.grad = 0.0\n")),
}  # fmt: skip


# What is said of some besides.
SAID = {
    "micrograd's": ("Sturdier than micrograd: no.", "are pushed a second time", "Your sort recurses"),
    "leaves accumulate": ("Sturdier than micrograd: yes.",),
    "leaves start anew": ("Sturdier than micrograd: yes.",),
    "only plus, times and backward": ("Value (+ *)", "Not tried, because Value does not define it: -, /, **, -a, exp, log, relu, tanh, 2 + a, 2 * a."),
    "takes no plain numbers": ("does not define it: a + 2,",),
    "path by path": ("backward() did not end within 5 s", "The walk follows every path"),
    "of another name": ("Scalar (+ *)", "Below, .data stands for your .item, .grad stands for your .adjoint, backward() stands for your backprop()."),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_gradients_of_a_sound_class_are_right_whatever_else_it_lacks(verdict_on, name: str) -> None:
    child = name in ENDLESS
    report = verdict_on(SOUND[name], 5.0 if child else 60.0, child=child)
    assert report.ok, report.text()
    says(report, "Gradients right: yes.", *SAID.get(name, ()))


# They follow every path, double a text at every node, or may end Python itself.
ENDLESS = (
    *("path by path", "labels that double", "no visited set", "no sort", "raised limit"),
    *("example endless", "example revisits"),
)

WRONG = {
    "exp overwrites": ("rule of exp", micro(("self.grad += out.data * out.grad", "self.grad = out.data * out.grad")), "The rule of exp has `=` in place of `+=`"),
    "pow overwrites": ("rule of **", micro(("self.grad += (n * self", "self.grad = (n * self"))),
    "tanh overwrites": ("rule of tanh", micro(("self.grad += (1 - t**2)", "self.grad = (1 - t**2)"))),
    "relu overwrites": ("rule of relu", micro(("self.grad += (out.data > 0)", "self.grad = (out.data > 0)"))),
    "exp forgets the incoming": ("rule of exp", micro(("out.data * out.grad", "out.data"))),
    "tanh forgets the incoming": ("rule of tanh", micro(("(1 - t**2) * out.grad", "(1 - t**2)")), "The rule of tanh leaves out the gradient that comes from above"),
    "pow forgets the incoming": ("rule of **", micro(("(n - 1)) * out.grad", "(n - 1))"))),
    "relu forgets the incoming": ("rule of relu", micro(("(out.data > 0) * out.grad", "(out.data > 0)"))),
    "plus forgets the incoming": ("rule of +", micro(("self.grad += out.grad\n            other.grad += out.grad", "self.grad += 1.0\n            other.grad += 1.0"))),
    "plus serves one": ("rule of +", micro(("            other.grad += out.grad\n", ""))),
    "plus overwrites": ("rule of +", micro(("grad += out.grad", "grad = out.grad"))),
    "times overwrites": ("rule of *", micro(("self.grad += other.data", "self.grad = other.data"), ("other.grad += self.data", "other.grad = self.data"))),
    "times swaps nothing": ("rule of *", micro(("self.grad += other.data", "self.grad += self.data"), ("other.grad += self.data", "other.grad += other.data"))),
    "tanh of the input": ("rule of tanh", micro(("1 - t**2", "1 - self.data**2"))),
    "tanh without a square": ("rule of tanh", micro(("1 - t**2", "1 - t"))),
    "tanh never pushes": ("rule of tanh", micro(("(1 - t**2) * out.grad\n\n        out._backward = push\n", "(1 - t**2) * out.grad\n\n"))),
    "exp scales by the input": ("rule of exp", micro(("out.data * out.grad", "self.data * out.grad"))),
    "relu lets all through": ("rule of relu", micro(("(out.data > 0) * out.grad", "out.grad"))),
    "pow without n": ("rule of **", micro(("n * self.data **", "self.data **"))),
    "pow keeps n": ("rule of **", micro(("** (n - 1)", "** n"))),
    "minus is plus": ("rule of -", micro(("return self + (-other)", "return self + other"))),
    "minus the wrong way round": ("rule of -", micro(("return other + (-self)", "return self + (-other)"))),
    "over the wrong way round": ("rule of /", micro(("return other * self**-1", "return self * other**-1"))),
    "negation without a sign": ("rule of neg", micro(("return self * -1", "return self * 1"))),
    "all overwrite": ("overwrite", micro(("grad +=", "grad ="), ("set(_children)", "tuple(_children)"))),
    "only the root pushes": ("", micro(("        for node in reversed(order):\n            node._backward()", "        self._backward()"))),
    "placed when met": ("as-met", micro(("set(_children)", "tuple(_children)"), ("reversed(order)", "order"), ("                order.append(node)\n", ""), ("seen.add(node)\n", "seen.add(node)\n                order.append(node)\n"))),
    "no sort": ("on-arrival", micro(("set(_children)", "tuple(_children)"), ("        for node in reversed(order):\n            node._backward()", "        def go(node):\n            node._backward()\n            for child in node._prev:\n                go(child)\n\n        go(self)"))),
    "inputs as a set": ("set-of-inputs", script("local_grads_by_node")),
    "typo in an operation": ("no-attribute", changed(("self.data * other.data", "self.dta * other.data")), "AttributeError: 'Value' object has no attribute 'dta'; did you mean 'data'?, line"),
    "typo in a rule": ("no-attribute", changed(("other.data * out.grad", "other.dta * out.grad")), "AttributeError: 'Value' object has no attribute"),
    "typo in the constructor": ("no-attribute", changed(("self.data = float", "self.dta = float")), "AttributeError: 'Value' object has no attribute"),
    "starts at one": ("", changed(("        self.grad = 0.0\n", "        self.grad = 1.0\n")), "Value(2.0).grad: expected 0, got 1"),
    "starts at None": ("no-number", changed(("        self.grad = 0.0\n", "        self.grad = None\n")), ".grad is None, not a number"),
    "without times": ("", RIGHT.replace("__mul__", "times"), "Value does not define a * b", "1 of 1 checks failed"),
    "of no known kind": ("", changed(("            node.push()", "            node.push() if node.data != 6 else None")), "expected", "got"),
    "times swaps nothing, of another name": ("rule of *", scalar(("+= other.item", "+= self.item")), "a.grad: expected"),
    "a Value goes first": ("rule of +", SCALAR + scalar(("Scalar", "Value"), ("            other.adjoint += out.adjoint\n", ""))),
    "constructor of two": ("constructor", scalar(("item, parents=()", "item, parents")), "Scalar must be made from one number"),
    "no return": ("no-return", scalar(("        out.pull = push\n        return out\n", "")), "Is return out missing?"),
    "reflected alone": ("plain-number", scalar(("return self + other", "return Scalar(self.item + other.item)")), "isinstance(other, Scalar) else Scalar(other)"),
    "no visited set": ("no-visited", micro(("if node not in seen:", "if True:"), ("set(_children)", "tuple(_children)"))),
}  # fmt: skip


EXAMPLES = {
    "overwrite": "overwrite", "unreversed": "wrong-order", "revisits": "no-visited",
    "levels": "level-by-level", "unseeded": "no-seed", "recursive": "no-reset",
    "wrong_rule": "rule of *", "endless": "endless",
}  # fmt: skip
WRONG |= {f"example {name}": (bug, example(name)) for name, bug in EXAMPLES.items()}
assert {file.stem for file in (ROOT / "examples" / "judge").glob("*.py")} == set(EXAMPLES)


@pytest.mark.parametrize("name", [*KNOWN, *WRONG])
def test_a_wrong_class_is_caught_and_its_cause_is_named_first(verdict_on, name: str) -> None:
    bug, source, *words = WRONG.get(name) or (name.partition(",")[0], *KNOWN[name])
    child = name in ENDLESS
    report = verdict_on(source, 2.0 if child else 60.0, child=child)
    assert (report.ok, report.sturdy) == (bug in NOT_STURDY, False)
    assert all(verdict.findings for verdict in failed(report))
    first = next(v for v in failed(report) if report.ok or v.check.group not in STURDY)
    assert first.bug == bug or not bug, report.text()
    assert first.why or not bug
    says(report, *words)
    if "Value" not in source:  # a remedy has the learner's own names
        assert "Value" not in report.text().partition("Scalar")[2]
    if name in KNOWN:  # it is all that is blamed, and told once, however much fails
        assert bugs(report) == [bug], report.text()
        assert not first.remedy or " ".join(report.text().split()).count(first.remedy) == 1


def test_the_example_of_a_right_value_passes_every_check() -> None:
    report = judge_own(str(ROOT / "examples" / "my_value.py"))
    assert report.sturdy, report.text()
    assert report.missing == ()
    assert {verdict.check.group for verdict in report.verdicts} >= {"worked", "random", "deep"}
    assert len(report.verdicts) > 80


def test_the_engine_itself_passes_every_check() -> None:
    vocabulary = Vocabulary.of(dir(Value), "+-*/")
    assert {"gelu", "erf", "sigmoid"} <= set(vocabulary.methods)
    engine = trial.Trial("", b"", (), ())
    engine.value, engine.roles = Value, {role: role for role in ("data", "grad", "backward")}
    for check in checks(vocabulary, seed=0):
        answer = engine.answer(job(check, vocabulary))
        if check.depth:
            right = check.depth + 2.0
            assert (answer["data"], answer["grads"]) == ([1.0, right], [right, 1.0])
        else:
            assert same(answer["data"], [node.data for node in check.graph.nodes]), check.name
            if not check.roots:
                assert same(answer["grads"], walk(check.graph).grads), check.name


@pytest.mark.skipif(backend() != "python", reason="breaks a rule of the Python engine")
def test_differences_of_floats_catch_a_rule_that_engine_and_learner_both_get_wrong(
    verdict_on, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ops.tanh, "partials", (lambda out, x: 1.0,))
    report = verdict_on(changed(("self.unary(t, 1 - t * t)", "self.unary(t, 1.0)")))
    wrong = failed(report)
    assert {verdict.check.group for verdict in wrong} == {"random"}
    assert "disagrees with the difference of two values" in wrong[0].findings[0]
    assert "the engine may be wrong" in wrong[0].why


@pytest.mark.parametrize("bug", BUGS)
def test_a_suspect_agrees_with_the_walk_that_makes_the_same_bug(bug: str) -> None:
    suspects = {suspect.name: suspect for suspect in SUSPECTS}
    if bug not in suspects:
        assert bug == "no-reset"  # it is about more than one backward
        return
    for check in checks(Vocabulary.of(["__add__", "__mul__", "exp", "tanh"], "+*"), seed=1):
        if not check.roots and not check.depth and len(check.graph) < 20:
            pairs = zip(check.graph.nodes, walk(check.graph, bug=bug).grads, strict=True)
            grads = [None if node.is_const else grad for node, grad in pairs]
            assert suspects[bug].fits(check.graph, grads), check.name


def test_the_same_seed_asks_the_same_and_another_asks_something_else() -> None:
    vocabulary = Vocabulary.of(["__add__", "__mul__", "tanh"], "+*")
    names = [[check.name for check in checks(vocabulary, seed)] for seed in (1, 1, 2)]
    assert names[0] == names[1] != names[2]


def test_numbers_go_out_as_plain_numbers_only_where_the_class_takes_them() -> None:
    for takes, kind in (("+*", "number"), ("", "leaf")):
        vocabulary = Vocabulary.of(["__add__", "__mul__", "__radd__", "__pow__"], takes)
        asked = {check.name: check for check in checks(vocabulary, 0)}
        diamond = asked["b = a + 1; c = a * 3; d = b * c with a=2"]
        kinds = [row[0] for row in job(diamond, vocabulary)["nodes"]]
        assert kinds == ["leaf", kind, "+", kind, "*", "*"]


UNLOADED = (
    ("class Value:\n    def f(self)\n        pass\n", "expected ':', line 2\n    def f(self)\n"),
    ("class Value:\npass", "IndentationError: expected an indented block"),
    ("class Value:\n    x = (1 +\n", "line 2\n    x = (1 +\n        ^"),
    ("class Value:\n    def f(self, a, a): pass\n", "duplicate argument 'a' in function definition, line 2"),
    ("import nothing_of_this_name", "No module named 'nothing_of_this_name', line 1"),
    ("1 / 0", "ZeroDivisionError: division by zero, line 1"),
    ("class Vlaue: pass", "the file has no class Value, and no other with + and *; it defines Vlaue"),
    ("", "the file has no class Value"),
    ("x = input()", "EOFError"),
    ("import sys\nsys.exit('bye')", "calls sys.exit(bye) while it is loaded, line 2"),
    ("import os\nos._exit(7)", "Python ended with exit code 7 while loading"),
    ("import os\nos.abort()", "Python ended by the signal SIGABRT while loading"),
    ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ("\0", "null bytes"),
)  # fmt: skip


@pytest.mark.parametrize(("source", "words"), UNLOADED)
def test_what_keeps_a_file_from_loading_is_said(verdict_on, source: str, words: str) -> None:
    with pytest.raises(LoadError) as caught:
        verdict_on(source, child="os." in source or "input" in source)
    assert words in str(caught.value)


WILD = {
    "has no end": ("while True: pass", "endless"),
    "takes memory": ("x = bytearray(3 << 30)", "memory"),
    "exits": ("import os; os._exit(5)", "died"),
    "is killed": ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "died"),
    "closes the pipe": ("import os; os.closerange(3, 100)", "died"),
}


@pytest.mark.parametrize("what", WILD)
def test_a_process_that_ends_is_replaced_three_times_and_not_more(verdict_on, what: str) -> None:
    line, bug = WILD[what]
    report = verdict_on(in_backward(line), 1.0 if bug == "endless" else 20.0, 512, child=True)
    assert (bugs(report), len(failed(report)), report.count("passed")) == ([bug], 3, 1)
    assert report.count("not tried") > 50


def test_what_a_class_writes_forks_or_starts_changes_nothing(verdict_on) -> None:
    """It prints, replaces its streams, forks once and leaves a thread that never ends."""
    before = "import os, sys, threading\nos.fork() if hasattr(os, 'fork') else 0\n"
    before += "threading.Thread(target=threading.Event().wait).start()\n"
    line = "print('x' * 100_000); sys.stderr.write('y' * 100_000); os.dup2(2, 1)"
    report = verdict_on(before + in_backward(f"import os, sys; {line}"), child=True)
    assert report.ok, report.text()
    assert len(report.verdicts) == len(verdict_on(RIGHT).verdicts)


def test_a_file_without_end_is_given_up_and_its_neighbours_leave_no_cache(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(RIGHT, "utf-8")
    (tmp_path / "attempt.py").write_text("from helper import Value", "utf-8")
    assert judge_own(str(tmp_path / "attempt.py")).ok
    assert sorted(path.name for path in tmp_path.iterdir()) == ["attempt.py", "helper.py"]
    (tmp_path / "attempt.py").write_text("while True: pass", "utf-8")
    with pytest.raises(LoadError, match=r"did not end within 0\.5 s"):
        judge_own(str(tmp_path / "attempt.py"), seconds=0.5)


def notebook(*cells: str) -> str:
    made = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps({"cells": [{"cell_type": "markdown", "source": ["# Mine"]}, *made]})


def test_a_notebook_is_judged_by_its_cells(tmp_path: Path) -> None:
    file = tmp_path / "value.ipynb"
    file.write_text(notebook("%matplotlib inline\n!pip list\nmath?", "x = (", RIGHT, "1 / 0"))
    assert judge_own(str(file)).ok
    file.write_text(notebook("import math", "class Value(\n"))
    with pytest.raises(LoadError, match=r"SyntaxError: .*cell 2, line 1"):
        judge_own(str(file))
    file.write_text(notebook("x = 1", RIGHT.replace("self.data * other", "self.dta * other")))
    report = judge_own(str(file))
    assert "did you mean 'data'?, cell 2, line" in failed(report)[0].findings[0]
    file.write_text('{"cells": 3}')
    with pytest.raises(LoadError, match="not a notebook"):
        judge_own(str(file))


def test_a_folder_of_folders_has_a_row_for_each_learner(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "anna/value.py": "from helper import Value\n__mul__ = 1",
        "anna/helper.py": RIGHT,
        "ben/code/mine.ipynb": notebook(RIGHT),
        "ben/code/notes.py": "print(1)\n",
        "carl/empty.py": "",
        "dora/.venv/value.py": RIGHT,
        "emil.py": RIGHT,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    assert main(["judge", str(tmp_path), "--json", "--sandbox", "off"]) == 1
    rows = json.loads(capsys.readouterr().out)["files"]
    found = {Path(row["file"]).relative_to(tmp_path).as_posix(): row["gradients"] for row in rows}
    judged = ("anna/helper.py", "anna/value.py", "ben/code/mine.ipynb", "emil.py")
    assert found == {**dict.fromkeys(judged, "yes"), "carl/empty.py": ""}


def test_the_command_exits_0_1_or_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", str(ROOT / "examples" / "my_value.py")]) == 0
    assert "Gradients right: yes." in capsys.readouterr().out
    assert main(["judge", str(ROOT / "examples" / "judge" / "overwrite.py")]) == 1
    assert "checks failed" in capsys.readouterr().out
    (tmp_path / "bad.py").write_text("class Value(")
    assert main(["judge", str(tmp_path / "bad.py")]) == 2
    out, err = capsys.readouterr()
    assert (out, "SyntaxError" in err, "Traceback" in err) == ("", True, False)


USAGE = {
    "name a file": [],
    "there is no file no_such.py": ["no_such.py"],
    "there is no .py or .ipynb file in lessons": ["lessons"],
    "there is no file b.py": [__file__, "b.py"],
    "a number above 0": ["a.py", "--timeout", "0"],
    "not 'nan'": [__file__, "--timeout", "nan"],
    "--no-such-option": [__file__, "--no-such-option"],
    "9999": [__file__, "--memory", "9" * 30],
}


@pytest.mark.parametrize("complaint", USAGE)
def test_wrong_usage_is_said(complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    for more in ([], ["--json"]):
        assert main(["judge", *USAGE[complaint], *more]) == 2
        found = capsys.readouterr()
        assert complaint in found.err
    data = json.loads(found.out)
    assert (data["ok"], complaint in data["error"]) == (False, True)


def test_json_has_every_check(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(ROOT / "examples" / "judge" / "wrong_rule.py")
    assert main(["judge", file, "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["version"], data["file"], data["ok"]) == (1, file, False)
    assert data["passed"] + data["failed"] + data["not_tried"] == len(data["checks"])
    assert (data["class"], data["operations"]) == ("Value", ["+", "*"])
    wrong = next(check for check in data["checks"] if check["status"] == "failed")
    assert wrong["bug"] == "rule of *"
    assert wrong["findings"] == ["a.grad: expected -2, got 3", "b.grad: expected 3, got -2"]
    assert {*wrong} == {"group", "name", "status", "findings", "bug", "why", "remedy"}
