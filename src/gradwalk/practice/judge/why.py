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
from gradwalk.graph import Graph, number
from gradwalk.ops import BY_SYMBOL
from gradwalk.paths import paths
from gradwalk.practice.answers import close, shown
from gradwalk.practice.judge.suspects import RULES, SUSPECTS, Grads, Suspect
from gradwalk.practice.judge.verdict import FAILED, PASSED, Verdict
from gradwalk.practice.language import say
from gradwalk.walk import walk

if TYPE_CHECKING:
    from gradwalk.practice.judge.learner import Answer

__all__ = ["START", "at_line", "explain", "explain_error", "operation"]

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
    if not any(all(s.fits(v.check.graph, _grads(v)) for v in plain) for s in suspects):
        # No one bug explains it all: the rules that fail first, what follows from them after.
        _explain_rules(failed, broken)
        suspects = _suspects([v for v in verdicts if not _written_with(v) & broken])
    for verdict in verdicts:
        check = verdict.check
        if verdict.status != FAILED or verdict.why:
            continue
        fitting = [
            s for s in suspects if _is_plain(verdict) and s.fits(check.graph, _grads(verdict))
        ]
        used = sorted(_written_with(verdict) & broken)
        if fitting and not used:
            _accuse(verdict, fitting[0])
        elif used and not check.depth:
            causes = ", ".join([operation(symbol) for symbol in used])
            verdict.blame(
                f"rule of {used[0]}", say("this follows from {}, which failed above", causes)
            )
        elif wrong := _wrong_value(verdict):
            verdict.blame(
                f"rule of {wrong}",
                say("{} computes a wrong value, before any gradient", operation(wrong)),
            )
            broken.add(wrong)
        elif suspects and "error" not in verdict.answer:
            _accuse(verdict, suspects[0])
        elif check.group in ("rules", "numbers") and "grads" in verdict.answer:
            _explain_rule(verdict)
            broken.update(check.symbols)
        elif "grads" in verdict.answer and not check.depth and not check.roots:
            verdict.why = _missing_path(check.graph, _grads(verdict))


def _written_with(verdict: Verdict) -> set[str]:
    """Return the operations of a check, with those that they may be written with."""
    symbols = verdict.check.symbols
    return symbols.union(*[_WRITTEN_WITH.get(symbol, ()) for symbol in symbols])


def _explain_rules(failed: Sequence[Verdict], broken: set[str]) -> None:
    """Say of each operation that is wrong by itself, or with something behind it, what is wrong."""
    # First what others may be written with: a / b fails with ** wherever it is a * b**-1.
    for verdict in sorted(failed, key=lambda v: not v.check.symbols.isdisjoint(_WRITTEN_WITH)):
        group, symbols = verdict.check.group, verdict.check.symbols
        if group not in ("rules", "inside", "numbers") or "grads" not in verdict.answer:
            continue
        own = symbols if group != "inside" else {verdict.check.graph.find("d").op}
        if own & broken or _written_with(verdict) & broken:
            continue
        if wrong := _wrong_value(verdict):
            verdict.blame(
                f"rule of {wrong}",
                say("{} computes a wrong value, before any gradient", operation(wrong)),
            )
        elif group == "inside":
            _explain_inside(verdict)
        else:
            _explain_rule(verdict)
        if verdict.why:
            broken.update(own)


def _explain_inside(verdict: Verdict) -> None:
    """Say what a rule that is right alone does wrong: overwrite, or forget the incoming one."""
    graph, got = verdict.check.graph, _grads(verdict)
    node, right = graph.find("d"), walk(graph).grads
    incoming = right[node.id]
    for operand, local in zip(node.operands, node.local_grads, strict=True):
        have = got[operand]
        if have is None or close(have, right[operand], 1e-7):
            continue
        by_rule = local * incoming
        others = right[operand] - by_rule
        name = operation(node.op)
        if close(have, others + local, 1e-7) or (others and close(have, local, 1e-7)):
            verdict.blame(
                f"rule of {node.op}",
                say("the rule of {} leaves out the gradient that comes from above", name),
                "The chain rule multiplies: input.grad += local * out.grad.",
            )
        elif others and (close(have, by_rule, 1e-7) or close(have, others, 1e-7)):
            verdict.blame(
                f"rule of {node.op}",
                say(
                    "the rule of {} has `=` in place of `+=`: it replaces what the input has "
                    "already received",
                    name,
                ),
                "Write input.grad += local * out.grad: the contributions of all paths add up.",
            )
        if verdict.why:
            return


def _accuse(verdict: Verdict, suspect: Suspect) -> None:
    verdict.blame(suspect.name, say("likely bug: {}", suspect.words), suspect.remedy)


def _wrong_value(verdict: Verdict) -> str:
    """Return the symbol of the first operation whose value came out wrong, if any did."""
    check = verdict.check
    if check.depth or "data" not in verdict.answer:
        return ""
    pairs = zip(check.graph.nodes, verdict.answer["data"], strict=True)
    return next((n.op for n, got in pairs if got is not None and not close(got, n.data, 1e-7)), "")


def _suspects(verdicts: Sequence[Verdict]) -> list[Suspect]:
    """Return the suspects that no passed check speaks against, by how many failures they fit."""
    plain = [verdict for verdict in verdicts if _is_plain(verdict)]
    scores: list[tuple[int, Suspect]] = []
    for suspect in SUSPECTS:
        fits = [v for v in plain if suspect.fits(v.check.graph, _grads(v))]
        failed = len([v for v in fits if v.status == FAILED])
        if failed and len([v for v in plain if v.status == PASSED]) == len(fits) - failed:
            scores.append((failed, suspect))
    return [suspect for _, suspect in sorted(scores, key=lambda pair: -pair[0])]


def _is_plain(verdict: Verdict) -> bool:
    """Whether one backward() went over a graph that is all here to be seen."""
    check = verdict.check
    hidden = check.depth or check.roots or check.symbols & _WRITTEN_WITH.keys()
    return "grads" in verdict.answer and not hidden and not _wrong_value(verdict)


def _grads(verdict: Verdict) -> Grads:
    return verdict.answer["grads"]


def _explain_rule(verdict: Verdict) -> None:
    """Say which local gradient is wrong, what it should be, and what was probably written."""
    graph, got = verdict.check.graph, _grads(verdict)
    node = graph[graph.root]
    op = BY_SYMBOL[node.op]
    numbers = [graph[operand].data for operand in node.operands]
    names = dict(zip(op.operands, [graph.name(operand) for operand in node.operands], strict=True))
    for index, operand in enumerate(node.operands):
        have = got[operand]
        if have is None or close(have, node.local_grads[index], 1e-7):
            continue
        hint = _rule_hint(node.op, index, node.data, numbers, have)
        formula = re.sub(r"[a-z]\w*", lambda word: names.get(word[0], word[0]), op.formulas[index])
        verdict.blame(
            f"rule of {node.op}",
            say("the rule of {} is wrong: {}", operation(node.op), hint)
            if hint
            else say("the rule of {} is wrong", operation(node.op)),
            say("The local gradient for {} is {}.", graph.name(operand), formula),
        )
        return


def _rule_hint(symbol: str, index: int, out: float, numbers: list[float], got: float) -> str:
    """Return what the formula is that was written for the rule, where it is one people write."""
    values = {"out": out, **dict(zip("xy", numbers, strict=False))}
    for op, place, formula, words in RULES:
        if (op, place) == (symbol, index):
            wrong = parse(formula)
            if close(wrong.evaluate({name: values[name] for name in wrong.names}).data, got, 1e-7):
                return words
    return ""


def _missing_path(graph: Graph, got: Grads) -> str:
    """Say which path of the first wrong leaf is missing, where leaving one out explains it."""
    right = walk(graph).grads
    for leaf in graph.leaves:
        have = got[leaf.id]
        if have is None or close(have, right[leaf.id], 1e-7):
            continue
        found = paths(graph, leaf.id, 20)
        for path in found.largest:
            if found.count > 1 and close(have, right[leaf.id] - path.product, 1e-7):
                way = " → ".join([graph.name(node) for node in path.nodes])
                return say("the contribution {} along {} is missing", shown(path.product), way)
        if found.count > 1:
            return say(
                "{} paths lead to {}, and their products must add up", found.count, leaf.label
            )
    return ""


def operation(symbol: str) -> str:
    """Return how an operation is written, to name it."""
    return "-a" if symbol == "neg" else symbol


# ── Exceptions and ends ──────────────────────────────────────────────────────────────────────

_STACK = "Keep a stack of (node, index of its next input) and loop until it is empty."

# The exception, a part of its message, the group; then the bug, what it is, and what to do.
# {class} and {data} stand for the learner's own names.
_ERRORS: tuple[tuple[str, str, str, str, str, str], ...] = (
    (
        "RecursionError",
        "",
        "",
        "recursion",
        "your sort recurses: it calls itself once for every node on the way down, and Python "
        "allows about 1,000 calls inside each other",
        _STACK,
    ),
    (
        "Died",
        "SIGSEGV",
        "deep",
        "recursion",
        "your sort recurses, and with a raised recursion limit Python overruns its own stack",
        _STACK,
    ),
    (
        "Recursion",
        "",
        "",
        "every-path",
        "it calls itself along every path, and over these nodes there are more paths than it can "
        "ever finish",
        "Keep a visited set, sort first, and let each node push once.",
    ),
    (
        "Timeout",
        "",
        "deep",
        "slow-lookup",
        "the time grows faster than the graph: looking a node up in a list goes through all of it",
        "Keep the visited nodes in a set, and take from the end of a list, not from its front.",
    ),
    (
        "Timeout",
        "",
        "order",
        "every-path",
        "the walk follows every path, and over these nodes there are more than it can ever finish",
        "Keep a visited set, sort first, and let each node push once.",
    ),
    (
        "Timeout",
        "",
        "",
        "endless",
        "it does not come to an end",
        "Look for a loop in backward() that takes nothing off its list.",
    ),
    ("Died", "", "", "died", "Python itself has ended", "Look for os._exit, os.abort or os.kill."),
    ("SystemExit", "", "", "exit", "the code calls sys.exit", "Raise an exception instead."),
    (
        "MemoryError",
        "",
        "",
        "memory",
        "it takes more memory than the judge allows",
        "Look for a list that grows in every step of a loop.",
    ),
    (
        "TypeError",
        "unhashable",
        "",
        "no-hash",
        "a class that defines __eq__ loses its hash, so its objects cannot be in a set",
        "Add __hash__ = object.__hash__ to the class.",
    ),
    (
        "TypeError",
        "missing",
        "class",
        "constructor",
        "{class} must be made from one number",
        "Give the other parameters defaults.",
    ),
    (
        "WrongKindError",
        "None, not a {class}",
        "",
        "no-return",
        "nothing is returned",
        "Is return out missing?",
    ),
    ("WrongKindError", ".grad", "", "no-number", "gradients are numbers, and start at 0", START),
    (
        "OverflowError",
        "",
        "edges",
        "overflow",
        "the exp of a large number is beyond a float",
        "Use math.tanh(x), which is right for every x; of exp, take only exp(-abs(x)).",
    ),
    (
        "AttributeError",
        "'{class}' object has no attribute",
        "",
        "no-attribute",
        "the object has no such name",
        "Is it a typo? Compare it with the names that __init__ sets.",
    ),
    (
        "AttributeError",
        "has no attribute '{data}'",
        "",
        "plain-number",
        "a plain number has no {data}",
        "Start with: other = other if isinstance(other, {class}) else {class}(other).",
    ),
)


def explain_error(verdict: Verdict, answer: Answer, names: Mapping[str, str]) -> None:
    """Say what an exception, a time-out or an end means."""
    error, message = answer["error"], answer["message"]
    place = _place(verdict.check.graph, answer.get("doing", "backward"), names["class"])
    if error == "Recursion":
        finding = say("{} calls itself, and did not end within {}", place, message)
        finding = say("{}{}", finding, at_line(answer))
    elif error == "Timeout":
        finding = say("{} did not end within {}", place, message)
    elif error == "Died":
        finding = say("Python ended {}", message)
    else:
        said = f"{error}: {message}" if message else error
        if error == "RecursionError":  # its message is another in every Python
            said = error
        elif error == "WrongKindError":
            said = message
        finding = say("{}: {}{}", place, said, at_line(answer))
    verdict.fail([finding])
    for name, *words in _ERRORS:
        part, group, bug, why, remedy = words
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
    at = int(doing.removeprefix("node ")) if doing.startswith("node ") else len(graph)
    if at < len(graph):  # it may lie
        node = graph[at]
        if not node.operands:
            return f"{name}({number(node.data)})"
        names = [graph.name(operand) for operand in node.operands]
        if BY_SYMBOL[node.op].infix:
            return f" {node.op} ".join(names)
        return f"-{names[0]}" if node.op == "neg" else f"{node.op}({names[0]})"
    return {"read": "reading the numbers"}.get(doing, "backward()")
