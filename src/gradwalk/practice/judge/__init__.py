"""The judge: runs a learner's own `Value` through the checks and collects what became of each.

    submission, checks ─job→ learner ═pipe═ trial ─answer→ compared here ─why→ Verdict → report

`learner` starts a process and believes nothing that it says: a plain child process for your own
file, bubblewrap for a stranger's. `trial` is the script that runs in it. `inside` is for Python in
a web page, which cannot start a process. `borrowed` knows classes that someone else wrote.

Every gradient is held against the engine, and on random graphs also against differences of plain
floats, which know nothing of autodiff.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from gradwalk.errors import LoadError, NotContainedError
from gradwalk.expr import parse
from gradwalk.graph import Graph
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
_COSTLY = ("Timeout", "Died", "MemoryError", "BadReplyError")
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

    With `source`, no file is read, and `file` is only a name. All checks together may take six
    times `seconds`. The file runs in a sandbox. Where there is none, a NotContainedError is raised
    before the file is run; with `trust` it then runs as your own code would. `sandbox=False` asks
    for none.
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
        # A gap could pass for the end of a column.
        name = plain(file.path).replace("  ", r" \x20")
        try:
            yield replace(judge(file, **limits), file=name)
        except LoadError as error:
            yield Report(name, error=error.args[0])
        except NotContainedError:
            raise
        except Exception as error:  # one file must not end the class
            traceback.print_exc()
            what = plain(f"{type(error).__name__}: {error}")
            yield Report(name, error=say("gradwalk has made a mistake; please report {}", what))


def _judge(file: str, learner: Learner, seed: int) -> Report:
    loaded = learner.load()
    report = Report(file, contained=learner.contained)
    if borrowed := loaded.get("borrowed"):
        return _borrowed(report, borrowed)
    if "error" in loaded:
        raise LoadError(_load_failure(loaded))
    if not loaded["is_class"]:
        lacks = say("the file has no class Value, and no other with + and *")
        if loaded["classes"]:
            lacks = say("{}; it defines {}", lacks, ", ".join(loaded["classes"]))
        raise LoadError(lacks)
    of_class = _check_class(loaded, learner)
    report = replace(report, name=loaded["class"], verdicts=(of_class,))
    if of_class.status == FAILED:
        return report
    vocabulary = Vocabulary.of(loaded["names"], _takes_numbers(learner))
    verdicts = [Verdict(check) for check in checks(vocabulary, seed)]
    costly = 0
    for verdict in verdicts:
        if costly == _MOST_COSTLY or learner.left <= 0:
            verdict.status = NOT_TRIED
            continue
        if verdict.check.depth:
            learner.load()  # a crash there must not be laid at another check's door
        verdict.answer = learner.ask(job(verdict.check, vocabulary))
        if borrowed := verdict.answer.get("borrowed"):
            return _borrowed(report, borrowed)
        costly += verdict.answer.get("error") in _COSTLY
    learner.stop()
    for verdict in verdicts:
        if "grads" in verdict.answer:
            _compare(verdict)
    explain(verdicts, loaded)
    parts = {"data": ".{}", "grad": ".{}", "backward": "{}()"}
    report = replace(
        report,
        verdicts=(of_class, *verdicts),
        operations=tuple(vocabulary.methods),
        missing=vocabulary.missing,
        called=tuple(
            say("{} stands for your {}", form.format(part), form.format(loaded[part]))
            for part, form in parts.items()
            if loaded[part] != part
        ),
    )
    return replace(report, looks_like=resembles(learner.submission) if report.ok else "")


def _borrowed(report: Report, names: list[str]) -> Report:
    """Return the report on a file that imports a package with a backward() of its own."""
    verdict = Verdict(Check("class", "a Value of your own", _LEAF))
    verdict.fail(
        [say("the file imports {}", ", ".join(names))],
        "that package differentiates by itself, so these checks would check it and not your class",
        "Leave the import out, and write data, grad, backward(), + and * yourself.",
        "borrowed",
    )
    looks_like = "" if set(names) & {*AUTODIFF} else ", ".join(names)
    return replace(report, name="Value", verdicts=(verdict,), looks_like=looks_like)


def _load_failure(loaded: Answer) -> str:
    message, at = loaded["message"], at_line(loaded)
    said = {
        "Timeout": say(
            "loading the file did not end within {}: is there a loop outside of functions?", message
        ),
        "Died": say("Python ended {} while loading the file", message),
        "BadReplyError": say("the file was loading, and {}", message),
        "SystemExit": say("the file calls sys.exit({}) while it is loaded{}", message, at),
    }
    if loaded["error"] in said:
        return said[loaded["error"]]
    text = say("{}: {}{}", loaded["error"], message, at)
    source = loaded.get("source", "").rstrip()
    if source:
        text = say("{}\n{}", text, f"    {source.strip()}")
        if loaded["column"]:
            indent = len(source) - len(source.lstrip())
            text = say("{}\n{}", text, f"    {' ' * max(0, loaded['column'] - 1 - indent)}^")
    return text


def _check_class(loaded: Answer, learner: Learner) -> Verdict:
    name, data, grad, walk_ = [loaded[part] for part in ("class", "data", "grad", "backward")]
    made = f"{name}(2.0)"
    verdict = Verdict(
        Check("class", say("{} with {}", made, f"{data}, {grad}, {walk_}, + *"), _LEAF)
    )
    required = {walk_: "backward()", "__add__": "a + b", "__mul__": "a * b"}
    lacks = [written for method, written in required.items() if method not in loaded["names"]]
    if lacks:
        finding = say("{} does not define {}", name, ", ".join(lacks))
        verdict.fail([finding], "", say("Every {} needs it.", name))
        return verdict
    answer = learner.ask({"nodes": [("leaf", 2.0, ())], "roots": (), "depth": 0})
    if "error" in answer:
        explain_error(verdict, answer, loaded)
        return verdict
    [number], [start] = answer["data"], answer["grads"]
    if number != 2.0:
        verdict.fail([say("{}.{}: expected {}, got {}", made, data, 2, shown(number))])
    elif start != 0.0:
        finding = say("{}.{}: expected {}, got {}", made, grad, 0, shown(start))
        verdict.fail([finding], "gradients start at 0", START)
    return verdict


_LEAF = graph_of("a", {"a": 2.0})


def _takes_numbers(learner: Learner) -> list[str]:
    """Return the operators that take a plain number on their right."""
    taken: list[str] = []
    for symbol in ("+", "*", "-", "/"):
        nodes = [("leaf", 3.0, ()), ("number", 2, ()), (symbol, 0, (0, 1))]
        answer = learner.ask({"nodes": nodes, "roots": (), "depth": 0})
        # A + that returns nothing is wrong, but takes numbers.
        taken += [symbol] if answer.get("error") in (None, "WrongKindError") else []
    return taken


def _compare(verdict: Verdict) -> None:
    """Hold the numbers against the right ones."""
    check, answer = verdict.check, verdict.answer
    graph, pairs = check.graph, zip(check.graph.nodes, answer["grads"], strict=True)
    # A class that takes no plain numbers gets Values for them.
    answer["grads"] = [None if node.is_const else grad for node, grad in pairs]
    data: Grads = [node.data for node in graph.nodes]
    expected: Grads = walk(graph).grads
    if check.depth:
        data, expected = [1.0, check.depth + 2.0], [check.depth + 2.0, 1.0]
    if _is_other_form(graph, answer):
        return
    if not same(answer["data"], data):
        verdict.fail(differences(graph, "data", answer["data"], data))
    elif check.roots:
        _compare_again(verdict)
    elif not same(answer["grads"], expected):
        verdict.fail(differences(graph, "grad", answer["grads"], expected))
    elif check.group == "random" and (leaf := _disagreement(check, answer["grads"])):
        verdict.fail(
            [say("{}.grad disagrees with the difference of two values", leaf)],
            "gradwalk's own engine says the same as this class, so the engine may be wrong",
            "Please report this check.",
        )


def _is_other_form(graph: Graph, answer: Answer) -> bool:
    """Whether this is gelu alone, right in its tanh form, which differs in the fourth digit."""
    if [node.op for node in graph.nodes if node.operands] != ["gelu"]:
        return False
    root, leaves = parse(_TANH_FORM).bind({"x": graph[0].data})
    root.backward()
    right = same(answer["data"], [graph[0].data, root.data])
    return right and same(answer["grads"], [leaves["x"].grad, 1.0])


_TANH_FORM = "0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))"


def _compare_again(verdict: Verdict) -> None:
    graph, roots, got = verdict.check.graph, verdict.check.roots, verdict.answer["grads"]
    leaves = [node.id for node in graph.nodes if not node.operands]

    def fits(reset: str) -> bool:
        grads = again(graph, roots, reset)
        return same([got[leaf] for leaf in leaves], [grads[leaf] for leaf in leaves])

    # Leaves that accumulate and leaves that start anew are both a sound choice.
    if not fits("inner") and not fits("all"):
        findings = differences(graph, "grad", got, again(graph, roots, "inner"), leaves)
        _, bug, why, remedy = next((row for row in AGAIN if fits(row[0])), ("",) * 4)
        verdict.fail(findings, why, remedy, bug)


def _disagreement(check: Check, got: Grads) -> str:
    """Return a leaf whose gradient is not (f(x + h) - f(x - h)) / 2h, in floats alone."""
    height = parse(check.text).compute
    at = {leaf.label: leaf.data for leaf in check.graph.leaves}
    for leaf in check.graph.leaves:
        x, h = leaf.data, 1e-5 * max(1.0, abs(leaf.data))
        rise = height({**at, leaf.label: x + h}) - height({**at, leaf.label: x - h})
        slope = rise / (2 * h)
        if not abs((got[leaf.id] or 0.0) - slope) <= 1e-3 * max(1.0, abs(slope)):
            return leaf.label
    return ""
