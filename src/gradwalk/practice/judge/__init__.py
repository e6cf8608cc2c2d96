"""The judge: runs a learner's own `Value` through the checks and collects what became of each.

    submission, checks ─job→ learner ═pipe═ trial ─answer→ compared here ─why→ Verdict → report

`learner` starts a process and believes nothing that it says: a plain child process for your own
file, bubblewrap for a stranger's. `trial` is the script that runs in it. `inside` is for Python in
a web page, which cannot start a process. `borrowed` knows classes that someone else wrote.

Every gradient is held against the engine, and on random graphs also against differences of plain
floats, which know nothing of autodiff. Why a check failed is worked out in `why`, from all of the
answers together.
"""

from __future__ import annotations

import math
import sys
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from gradwalk.errors import LoadError, NotContainedError
from gradwalk.graph import Graph
from gradwalk.ops import BY_SYMBOL
from gradwalk.practice.answers import shown
from gradwalk.practice.judge.borrowed import AUTODIFF, resembles
from gradwalk.practice.judge.checks import Check, Vocabulary, checks, job
from gradwalk.practice.judge.learner import Answer, Learner
from gradwalk.practice.judge.submission import Found, Submission, plain, read
from gradwalk.practice.judge.suspects import AGAIN, Grads, again, same
from gradwalk.practice.judge.verdict import FAILED, NOT_TRIED, Report, Verdict, differences
from gradwalk.practice.judge.why import START, at_line, explain, explain_error
from gradwalk.practice.language import say
from gradwalk.practice.worked import graph_of
from gradwalk.walk import walk

__all__ = ["judge", "judge_all"]

# Answers that cost time. After so many of them the class is asked nothing more.
_COSTLY = ("Timeout", "Recursion", "Died", "MemoryError", "BadReplyError")
_MOST_COSTLY = 3


def judge(
    file: str | Found,
    source: bytes | None = None,
    *,
    seconds: float = 10.0,
    megabytes: int = 2048,
    seed: int = 0,
    sandbox: bool = True,
    trust: bool = False,
) -> Report:
    """Run the class `Value` in `file`, each check within `seconds`, all within `megabytes`.

    With `source`, no file is read, and `file` is only a name.

    In a file without a `Value`, it is the class with + and *, whatever it calls its number, its
    gradient and backward(). All checks together may take six times `seconds`.

    The file runs in a sandbox. Where there is none, a NotContainedError is raised before the file
    is run; with `trust` it then runs as your own code would. `sandbox=False` asks for none.
    """
    kind = Learner
    if sys.platform == "emscripten":  # a web page has one process
        from gradwalk.practice.judge.inside import LearnerInside

        kind = LearnerInside
    found = file if isinstance(file, Found) else Found(file)
    submission = Submission(found.path, source or b"")
    if source is None:
        submission = read(found, beside=sandbox)
    with kind(submission, seconds, megabytes, contained=sandbox, trust=trust) as learner:
        return _judge(found.path, learner, seed)


def judge_all(files: Iterable[Found], **limits: Any) -> Iterator[Report]:
    """Judge each file by itself; `limits` are those of `judge`."""
    for file in files:
        try:
            report = judge(file, **limits)
        except LoadError as error:
            report = Report(file.path, error=error.args[0])
        except NotContainedError:
            raise
        except Exception as error:  # one file must not end the class
            traceback.print_exc()
            what = plain(f"{type(error).__name__}: {error}")
            said = say("gradwalk has made a mistake; please report {}", what)
            report = Report(file.path, error=said)
        # A gap could pass for the end of a column.
        yield replace(report, file=plain(file.path).replace("  ", r" \x20"))


def _judge(file: str, learner: Learner, seed: int) -> Report:
    loaded = learner.load()
    contained = learner.contained
    if borrowed := loaded.get("borrowed"):
        return _borrowed(file, borrowed, contained=contained)
    if "error" in loaded:
        raise LoadError(_load_failure(loaded))
    if not loaded["is_class"]:
        lacks = say("the file has no class Value, and no other with + and *")
        if loaded["classes"]:
            lacks = say("{}; it defines {}", lacks, ", ".join(loaded["classes"]))
        raise LoadError(lacks)
    name = loaded["class"]
    of_class = _check_class(loaded, learner)
    if of_class.status == FAILED:
        return Report(file, (of_class,), contained=contained, name=name)
    vocabulary = Vocabulary.of(loaded["names"], _takes_numbers(learner))
    verdicts = [Verdict(check) for check in checks(vocabulary, seed)]
    costly = 0
    for verdict in verdicts:
        if costly == _MOST_COSTLY or learner.spent:
            verdict.status = NOT_TRIED
            continue
        if verdict.check.depth:
            learner.load()  # a crash there must not be laid at another check's door
        verdict.answer = learner.ask(job(verdict.check, vocabulary))
        if borrowed := verdict.answer.get("borrowed"):
            return _borrowed(file, borrowed, contained=contained)
        costly += verdict.answer.get("error") in _COSTLY
    learner.stop()
    for verdict in verdicts:
        if "grads" in verdict.answer:
            _compare(verdict)
    explain(verdicts, loaded)
    parts = {"data": ".{}", "grad": ".{}", "backward": "{}()"}
    called = [
        say("{} stands for your {}", form.format(part), form.format(loaded[part]))
        for part, form in parts.items()
        if loaded[part] != part
    ]
    report = Report(
        file,
        (of_class, *verdicts),
        operations=tuple(vocabulary.methods),
        missing=vocabulary.missing,
        contained=contained,
        name=name,
        called=tuple(called),
    )
    looks_like = resembles(learner.submission) if report.ok else ""
    return replace(report, looks_like=looks_like)


def _borrowed(file: str, names: list[str], *, contained: bool) -> Report:
    """Return the report on a file that imports a package with a backward() of its own."""
    verdict = Verdict(Check("class", "a Value of your own", _LEAF))
    verdict.fail(
        [say("the file imports {}", ", ".join(names))],
        "that package differentiates by itself, so these checks would check it and not your class",
        "Leave the import out, and write data, grad, backward(), + and * yourself.",
        "borrowed",
    )
    looks_like = "" if set(names) & {*AUTODIFF} else ", ".join(names)
    return Report(file, (verdict,), contained=contained, looks_like=looks_like)


# ── The file and the class ───────────────────────────────────────────────────────────────────


def _load_failure(loaded: Answer) -> str:
    error, message = loaded["error"], loaded["message"]
    if error == "Timeout":
        return say(
            "loading the file did not end within {}: is there a loop outside of functions?", message
        )
    if error == "Died":
        return say("Python ended {} while loading the file", message)
    if error == "BadReplyError":
        return say("the file was loading, and {}", message)
    if error == "SystemExit":
        return say("the file calls sys.exit({}) while it is loaded{}", message, at_line(loaded))
    text = say("{}: {}{}", error, message, at_line(loaded))
    source = loaded.get("source", "").rstrip("\n")
    if source.strip():
        text = say("{}\n{}", text, f"    {source.strip()}")
        if loaded["column"]:
            indent = len(source) - len(source.lstrip())
            text = say("{}\n{}", text, f"    {' ' * max(0, loaded['column'] - 1 - indent)}^")
    return text


def _check_class(loaded: Answer, learner: Learner) -> Verdict:
    name, data, grad, walk_ = [loaded[part] for part in ("class", "data", "grad", "backward")]
    verdict = Verdict(
        Check("class", say("{} with {}", f"{name}(2.0)", f"{data}, {grad}, {walk_}, + *"), _LEAF)
    )
    required = {walk_: "backward()", "__add__": "a + b", "__mul__": "a * b"}
    lacks = [written for method, written in required.items() if method not in loaded["names"]]
    if lacks:
        verdict.fail(
            [say("{} does not define {}", name, ", ".join(lacks))],
            "",
            say("Every {} needs it.", name),
        )
        return verdict
    answer = learner.ask({"nodes": [("leaf", 2.0, ())], "roots": ()})
    if "error" in answer:
        explain_error(verdict, answer, loaded)
    elif answer["data"] != [2.0]:
        verdict.fail(
            [say("{}.{}: expected {}, got {}", f"{name}(2.0)", data, 2, shown(answer["data"][0]))]
        )
    elif answer["before"] != [0.0]:
        got = shown(answer["before"][0])
        finding = say("{}.{}: expected {}, got {}", f"{name}(2.0)", grad, 0, got)
        verdict.fail([finding], "gradients start at 0", START)
    return verdict


_LEAF = graph_of("a", {"a": 2.0})


def _takes_numbers(learner: Learner) -> list[str]:
    """Return the operators that take a plain number on their right."""
    taken: list[str] = []
    for symbol in ("+", "*", "-", "/"):
        nodes = [("leaf", 3.0, ()), ("number", 2, ()), (symbol, 0, (0, 1))]
        # A + that returns nothing is wrong, but takes numbers.
        error = learner.ask({"nodes": nodes, "roots": ()}).get("error")
        if error in (None, "WrongKindError"):
            taken.append(symbol)
    return taken


# ── The numbers ──────────────────────────────────────────────────────────────────────────────


def _compare(verdict: Verdict) -> None:
    """Hold the numbers against the right ones."""
    check, answer = verdict.check, verdict.answer
    if check.depth:
        right = check.depth + 1.0
        for what, got in (("the sum", answer["data"][0]), ("a.grad", answer["grads"][0])):
            if got != right:
                verdict.fail([say("{}: expected {}, got {}", what, shown(right), shown(got))])
        return
    graph, pairs = check.graph, zip(check.graph.nodes, answer["grads"], strict=True)
    # A class that takes no plain numbers gets Values for them.
    answer["grads"] = [None if node.is_const else grad for node, grad in pairs]
    data: Grads = [node.data for node in graph.nodes]
    if _is_other_form(graph, answer):
        return
    if not same(answer["data"], data):
        verdict.fail(differences(graph, "data", answer["data"], data))
    elif check.roots:
        _compare_again(verdict)
    else:
        expected = walk(graph).grads
        if not same(answer["grads"], expected):
            verdict.fail(differences(graph, "grad", answer["grads"], expected))
        elif check.group == "random" and (leaf := _disagreement(graph, answer["grads"])):
            verdict.fail(
                [say("{}.grad disagrees with the difference of two values", leaf)],
                "gradwalk's own engine says the same as this class, so the engine may be wrong",
                "Please report this check.",
            )


def _is_other_form(graph: Graph, answer: Answer) -> bool:
    """Whether this is gelu alone, right in its tanh form, which differs in the fourth digit."""
    if [node.op for node in graph.nodes if node.operands] != ["gelu"]:
        return False
    x = graph[0].data
    scale = math.sqrt(2 / math.pi)
    t = math.tanh(scale * (x + 0.044715 * x**3))
    slope = 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * scale * (1 + 3 * 0.044715 * x * x)
    return same(answer["data"], [x, 0.5 * x * (1 + t)]) and same(answer["grads"], [slope, 1.0])


def _compare_again(verdict: Verdict) -> None:
    check, got = verdict.check, verdict.answer["grads"]
    leaves = [node.id for node in check.graph.nodes if not node.operands]

    def at_leaves(reset: str) -> list[float]:
        grads = again(check.graph, check.roots, reset)
        return [grads[leaf] for leaf in leaves]

    here: Grads = [got[leaf] for leaf in leaves]
    # Leaves that accumulate and leaves that start anew are both a sound choice.
    if same(here, at_leaves("inner")) or same(here, at_leaves("all")):
        return
    expected = again(check.graph, check.roots, "inner")
    findings = differences(check.graph, "grad", got, expected, leaves)
    _, bug, why, remedy = next((row for row in AGAIN if same(here, at_leaves(row[0]))), ("",) * 4)
    verdict.fail(findings, why, remedy, bug)


def _disagreement(graph: Graph, got: Grads) -> str:
    """Return a leaf whose gradient is not (f(x + h) - f(x - h)) / 2h, in floats alone."""
    for leaf in graph.leaves:
        h = 1e-5 * max(1.0, abs(leaf.data))
        slope = (_height(graph, leaf.id, h) - _height(graph, leaf.id, -h)) / (2 * h)
        if not abs((got[leaf.id] or 0.0) - slope) <= 1e-3 * max(1.0, abs(slope)):
            return graph.name(leaf.id)
    return ""


def _height(graph: Graph, leaf: int, h: float) -> float:
    numbers: list[float] = []
    for node in graph.nodes:
        if node.operands:
            numbers.append(BY_SYMBOL[node.op].value(*[numbers[i] for i in node.operands]))
        else:
            numbers.append(node.data + h if node.id == leaf else node.data)
    return numbers[-1]
