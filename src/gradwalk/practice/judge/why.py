"""Why a check failed: the known bug whose numbers these are, the rule that is wrong, the exception.

`explain` looks at all answers together. A suspect must fit everything that passed, and the one that
fits most failures goes first: one bug usually makes many checks fail, and on a small graph several
bugs give the same number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gradwalk.expr import parse
from gradwalk.graph import Graph, Node, number
from gradwalk.ops import BY_SYMBOL
from gradwalk.paths import paths
from gradwalk.practice.answers import close, shown
from gradwalk.practice.judge.checks import called, written
from gradwalk.practice.judge.suspects import RULES, SUSPECTS, Grads, Suspect
from gradwalk.practice.judge.verdict import FAILED, PASSED, Verdict
from gradwalk.practice.language import say
from gradwalk.walk import walk

if TYPE_CHECKING:
    from gradwalk.practice.judge.learner import Answer

START = "Set self.grad = 0.0 in __init__; backward() adds to it."

# What a learner may have written an operation with; then it shares their bugs, and the nodes that
# it makes inside are not seen here.
_WRITTEN_WITH = {"-": {"+", "*", "neg"}, "/": {"*", "**"}, "neg": {"*"}}


def explain(verdicts: Sequence[Verdict], names: Mapping[str, str]) -> None:
    """Say why each check failed. `names` has what the learner calls the class and its data."""
    for verdict in verdicts:
        if "error" in verdict.answer:
            explain_error(verdict, verdict.answer, names)
    suspects = _suspects(verdicts)
    broken: set[str] = set()  # the operations found wrong so far
    failed = [v for v in verdicts if v.status == FAILED and not v.why]
    plain = [v for v in failed if _is_plain(v)]
    if not any(all(_fits(s, v) for v in plain) for s in suspects):
        # No one bug explains it all: the rules that fail first, what follows from them after. And
        # first what others may be written with: a / b fails with ** wherever it is a * b**-1.
        for verdict in sorted(failed, key=lambda v: not v.check.symbols.isdisjoint(_WRITTEN_WITH)):
            if not _written_with(verdict) & broken:
                broken |= _explain_alone(verdict)
        suspects = _suspects([v for v in verdicts if not _written_with(v) & broken])
    for verdict in [v for v in failed if not v.why]:
        fitting = [s for s in suspects if _is_plain(verdict) and _fits(s, verdict)]
        used = sorted(_written_with(verdict) & broken)
        if fitting and not used:
            _accuse(verdict, fitting[0])
        elif used and not verdict.check.depth:
            causes = ", ".join(map(written, used))
            words = say("this follows from {}, which failed above", causes)
            verdict.blame(f"rule of {used[0]}", words)
        elif wrong := _explain_value(verdict):
            broken |= wrong
        elif suspects and "error" not in verdict.answer:
            _accuse(verdict, suspects[0])
        elif "grads" in verdict.answer and not verdict.check.depth and not verdict.check.roots:
            broken |= _explain_alone(verdict)
            verdict.why = verdict.why or _missing_path(verdict.check.graph, verdict.answer["grads"])


def _written_with(verdict: Verdict) -> set[str]:
    """Return the operations of a check, with those that they may be written with."""
    symbols = verdict.check.symbols
    return symbols.union(*[_WRITTEN_WITH.get(symbol, ()) for symbol in symbols])


def _suspects(verdicts: Sequence[Verdict]) -> list[Suspect]:
    """Return the suspects that no passed check speaks against, by how many failures they fit."""
    plain = [verdict for verdict in verdicts if _is_plain(verdict)]
    passed = len([v for v in plain if v.status == PASSED])
    scores: list[tuple[int, Suspect]] = []
    for suspect in SUSPECTS:
        fits = [v.status for v in plain if _fits(suspect, v)]
        if FAILED in fits and fits.count(PASSED) == passed:
            scores.append((fits.count(FAILED), suspect))
    return [suspect for _, suspect in sorted(scores, key=lambda pair: -pair[0])]


def _fits(suspect: Suspect, verdict: Verdict) -> bool:
    return suspect.fits(verdict.check.graph, verdict.answer["grads"])


def _is_plain(verdict: Verdict) -> bool:
    """Whether one backward() went over a graph that is all here to be seen."""
    check = verdict.check
    hidden = check.depth or check.roots or check.symbols & _WRITTEN_WITH.keys()
    return "grads" in verdict.answer and not hidden and not _wrong_value(verdict)


def _wrong_value(verdict: Verdict) -> str:
    """Return the symbol of the first operation whose value came out wrong, if any did."""
    check = verdict.check
    if check.depth or "data" not in verdict.answer:
        return ""
    pairs = zip(check.graph.nodes, verdict.answer["data"], strict=True)
    return next((n.op for n, got in pairs if got is not None and not close(got, n.data, 1e-7)), "")


def _accuse(verdict: Verdict, suspect: Suspect) -> None:
    verdict.blame(suspect.name, say("likely bug: {}", suspect.words), suspect.remedy)


def _explain_value(verdict: Verdict) -> set[str]:
    """Return the operation whose value is wrong, if there is one."""
    wrong = _wrong_value(verdict)
    if wrong:
        words = say("{} computes a wrong value, before any gradient", written(wrong))
        verdict.blame(f"rule of {wrong}", words)
    return {wrong} if wrong else set()


def _explain_alone(verdict: Verdict) -> set[str]:
    """Return the operation that is wrong alone, or with something behind it, if there is one."""
    group, graph = verdict.check.group, verdict.check.graph
    if group not in ("rules", "inside", "numbers") or "grads" not in verdict.answer:
        return set()
    if wrong := _explain_value(verdict):
        return wrong
    node = graph.find("d" if group == "inside" else graph.root)
    right = walk(graph).grads
    for index, operand in enumerate(node.operands):
        have = verdict.answer["grads"][operand]
        if have is not None and not close(have, right[operand], 1e-7):
            tell = _tell_inside if group == "inside" else _tell_rule
            verdict.blame(f"rule of {node.op}", *tell(graph, node, index, have, right))
            if verdict.why:
                return {node.op}
    return set()


def _tell_inside(
    graph: Graph, node: Node, index: int, have: float, right: Sequence[float]
) -> tuple[str, str]:
    """Say what a rule that is right alone does wrong: overwrite, or forget the incoming one."""
    local, name = node.local_grads[index], written(node.op)
    by_rule = local * right[node.id]
    others = right[node.operands[index]] - by_rule
    if close(have, others + local, 1e-7) or (others and close(have, local, 1e-7)):
        why = say("the rule of {} leaves out the gradient that comes from above", name)
        return why, "The chain rule multiplies: input.grad += local * out.grad."
    if others and (close(have, by_rule, 1e-7) or close(have, others, 1e-7)):
        why = say(
            "the rule of {} has `=` in place of `+=`: it replaces what the input has already "
            "received",
            name,
        )
        return why, "Write input.grad += local * out.grad: the contributions of all paths add up."
    return "", ""


def _tell_rule(
    graph: Graph, node: Node, index: int, have: float, right: Sequence[float]
) -> tuple[str, str]:
    """Say which local gradient is wrong, what it should be, and what was probably written."""
    op, names = BY_SYMBOL[node.op], [graph.name(operand) for operand in node.operands]
    values = dict(zip("xy", [graph[operand].data for operand in node.operands], strict=False))
    values["out"] = node.data
    why = say("the rule of {} is wrong", written(node.op))
    for symbol, place, formula, words in RULES:
        is_about = (symbol, place) == (node.op, index)
        if is_about and close(parse(formula).compute(values), have, 1e-7):
            why = say("the rule of {} is wrong: {}", written(node.op), words)
            break
    own = dict(zip(op.operands, names, strict=True))
    formula = re.sub(r"[a-z]\w*", lambda word: own.get(word[0], word[0]), op.formulas[index])
    return why, say("The local gradient for {} is {}.", names[index], formula)


def _missing_path(graph: Graph, got: Grads) -> str:
    """Say which path of the first wrong leaf is missing, where leaving one out explains it."""
    right = walk(graph).grads
    for leaf in graph.leaves:
        have = got[leaf.id]
        if have is None or close(have, right[leaf.id], 1e-7):
            continue
        found = paths(graph, leaf.id, 20)
        for path in found.largest if found.count > 1 else ():
            if close(have, right[leaf.id] - path.product, 1e-7):
                way = " → ".join([graph.name(node) for node in path.nodes])
                return say("the contribution {} along {} is missing", shown(path.product), way)
        if found.count > 1:
            return say(
                "{} paths lead to {}, and their products must add up", found.count, leaf.label
            )
    return ""


# A bug; the exceptions that show it, each with a part of its message and the group of the check;
# what such a bug is, and what to do. {class} and {data} stand for the learner's own names.
_BUGS = {
    "recursion": (
        [("RecursionError", "", ""), ("Died", "SIGSEGV", "deep")],
        "your sort recurses: it calls itself once for every node on the way down, Python allows "
        "about 1,000 calls inside each other, and with a raised limit it overruns its own stack",
        "Keep a stack of (node, index of its next input) and loop until it is empty.",
    ),
    "every-path": (
        [("Timeout", "", "order"), ("Timeout", "", "paths")],
        "the walk follows every path, and over these nodes there are more than it can ever finish",
        "Keep a visited set, sort first, and let each node push once.",
    ),
    "slow-lookup": (
        [("Timeout", "", "deep")],
        "the time grows faster than the graph: looking a node up in a list goes through all of it",
        "Keep the visited nodes in a set, and take from the end of a list, not from its front.",
    ),
    "endless": (
        [("Timeout", "", "")],
        "it does not come to an end",
        "Look for a loop in backward() that takes nothing off its list.",
    ),
    "died": (
        [("Died", "", "")],
        "Python itself has ended",
        "Look for os._exit, os.abort or os.kill.",
    ),
    "exit": ([("SystemExit", "", "")], "the code calls sys.exit", "Raise an exception instead."),
    "memory": (
        [("MemoryError", "", "")],
        "it takes more memory than the judge allows",
        "Look for a list that grows in every step of a loop.",
    ),
    "no-hash": (
        [("TypeError", "unhashable", "")],
        "a class that defines __eq__ loses its hash, so its objects cannot be in a set",
        "Add __hash__ = object.__hash__ to the class.",
    ),
    "constructor": (
        [("TypeError", "missing", "class")],
        "{class} must be made from one number",
        "Give the other parameters defaults.",
    ),
    "no-return": (
        [("WrongKindError", "None, not a {class}", "")],
        "nothing is returned",
        "Is return out missing?",
    ),
    "no-number": (
        [("WrongKindError", ".grad", "")],
        "gradients are numbers, and start at 0",
        START,
    ),
    "overflow": (
        [("OverflowError", "", "edges")],
        "the exp of a large number is beyond a float",
        "Use math.tanh(x), which is right for every x; of exp, take only exp(-abs(x)).",
    ),
    "no-attribute": (
        [("AttributeError", "'{class}' object has no attribute", "")],
        "the object has no such name",
        "Is it a typo? Compare it with the names that __init__ sets.",
    ),
    "plain-number": (
        [("AttributeError", "has no attribute '{data}'", "")],
        "a plain number has no {data}",
        "Start with: other = other if isinstance(other, {class}) else {class}(other).",
    ),
}


def explain_error(verdict: Verdict, answer: Answer, names: Mapping[str, str]) -> None:
    """Say what an exception, a time-out or an end means."""
    error, message = answer["error"], answer["message"]
    place = _place(verdict.check.graph, answer.get("doing", "backward"), names["class"])
    if error == "Timeout":
        finding = say("{} did not end within {}", place, message)
    elif error == "Died":
        finding = say("Python ended {}", message)
    else:
        said = f"{error}: {message}" if message else error
        # The message of a RecursionError is another in every Python.
        said = {"RecursionError": error, "WrongKindError": message}.get(error, said)
        finding = say("{}: {}{}", place, said, at_line(answer))
    verdict.fail([finding])
    for bug, (signs, why, remedy) in _BUGS.items():
        for name, part, group in signs:
            is_it = name == error and part.format_map(names) in message
            if is_it and group in ("", verdict.check.group):
                verdict.blame(bug, say(why, **names), say(remedy, **names))
                return


def at_line(answer: Answer) -> str:
    """Return where in the learner's file it happened, to be put behind a message."""
    if answer.get("cell"):
        return say(", cell {}, line {}", answer["cell"], answer["line"])
    return say(", line {}", answer["line"]) if answer.get("line") else ""


def _place(graph: Graph, doing: str, name: str) -> str:
    if not doing.startswith("node ") or (at := int(doing[5:])) >= len(graph):  # it may lie
        return {"read": "reading the numbers"}.get(doing, "backward()")
    if not graph[at].operands:
        return f"{name}({number(graph[at].data)})"
    return called(graph[at].op, *[graph.name(operand) for operand in graph[at].operands])
