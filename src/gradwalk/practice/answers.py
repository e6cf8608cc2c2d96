"""How an answer is read and graded, and what a wrong number says about how it was found.

If an answer matches a known mistake, `mistake` names it: one path without the others, the last
contribution instead of the sum, the value instead of the gradient. `lesson` explains the right
answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from math import fsum, inf, isinf, prod
from textwrap import fill

from gradwalk.errors import OperandError
from gradwalk.graph import Graph
from gradwalk.graph import number as number_text
from gradwalk.paths import paths
from gradwalk.practice.language import say, told
from gradwalk.statements import statement
from gradwalk.walk import Push, Walk, walk


def read_number(text: str) -> float:
    """Return the number that a person typed: 3, -.5, 1e-3, 1/3, inf; raise OperandError if none."""
    typed = text.strip().replace("−", "-")  # as it comes out of a typeset page
    try:
        if "/" in typed:
            above, _, below = typed.partition("/")
            number = float(above) / float(below)
        else:
            number = float(typed)
    except ValueError:
        raise OperandError(f"{text!r:.40} is not a number, such as 3, -0.5, 1e-3 or 1/3") from None
    except ZeroDivisionError:
        raise OperandError(f"{text!r:.40} divides by 0") from None
    if isinf(number) and "inf" not in typed.casefold():
        raise OperandError(f"{text!r:.40} is beyond the largest double, 1.8e308")
    return number


def read_answer(
    read: Callable[[], str | None], write: Callable[[str], None], prompt: str
) -> str | None:
    """Return a number as a person typed it, "?" for the solution, or None to stop.

    Anything else is explained, and asked for again.
    """
    while True:
        write(prompt)
        typed = read()
        if typed is None or typed.strip().casefold() in ("q", "quit", "exit"):
            return None
        if typed.strip() == "?":
            return "?"
        try:
            if typed.strip():
                read_number(typed.strip())
                return typed
            problem = "an empty line is no answer"
        except OperandError as error:
            problem = str(error)
        write(f"    {problem}; ? shows the solution, q stops\n")


def shown(number: float | str) -> str:
    """Return a number to ten digits; text stays as it is."""
    return number if isinstance(number, str) else number_text(number, 10)


def product(push: Push) -> str:
    """Return what a push brings: `incoming × local = contribution`."""
    return statement("*", [shown(push.incoming), shown(push.local)], shown(push.contribution))


def close(x: float, y: float, tolerance: float = 1e-9) -> bool:
    """Whether two numbers are the same but for rounding."""
    return x == y or abs(x - y) <= tolerance * max(1.0, abs(y)) < inf or (x != x and y != y)


def accepts(right: float, typed: str) -> bool:
    """Whether `typed` is `right`, or is `right` rounded to the digits that were typed.

    Two decimals and two significant digits are the least that a rounded answer must have.
    """
    number = read_number(typed)
    if close(number, right):
        return True
    digits = re.fullmatch(r"[-+−]?\d*\.(\d+)", typed.strip())
    if digits is None or len(digits[1]) < 2 or len(re.sub(r"\D", "", typed).lstrip("0")) < 2:
        return False
    return abs(number - right) <= 0.5000001 * 10.0 ** -len(digits[1])


def mistake(graph: Graph, node: int, answer: float) -> str:
    """Return how someone comes to `answer` for the gradient of `node`, or nothing."""
    for number, words in _mistakes(graph, node):
        if close(answer, number):
            return words
    return ""


def _mistakes(graph: Graph, node: int) -> Iterator[tuple[float, str]]:
    """Yield wrong gradients of `node` with their reasons, the likeliest first."""
    name = graph.name(node)
    found = paths(graph, node, 8)
    if found.count > 1:
        kept = walk(graph, bug="overwrite").grads[node]
        for path in found.largest:
            way = " → ".join([graph.name(step) for step in path.nodes])
            words = f"that is the path {way} alone; the paths add up"
            yield path.product, words + (_KEPT if close(path.product, kept) else "")
        products = [path.product for path in found.largest]
        for size in range(2, len(products)):
            for some in combinations(products, size):
                yield fsum(some), f"that is the sum of {size} of the {found.count} paths"
        yield prod(products), "that is the product of the paths; paths add up"
    yield -found.total, "the sign is the other way round"
    yield graph[node].data, f"that is the value of {name}, not its gradient"
    yield graph[graph.root].data, f"that is the value of {graph.name(graph.root)}"
    yield 0.0, f"the gradient would be 0 only if {name} did not matter to the result"


_KEPT = " (= in place of += keeps just this one)"


# ── How the right answer comes about ─────────────────────────────────────────────────────────


def lesson(
    done: Walk,
    node: int,
    what: str,
    *,
    width: int = 80,
    color: bool = False,
    language: str = "en",
) -> str:
    """Return how this walk comes to the `what`, "data" or "grad", of `node`.

    A value is its equations; a gradient is the sum of its paths, less what was lost; with the
    overwrite bug it is whatever was pushed last.
    """
    if what == "data":
        lines = [f"{done.graph.name(step.node)}: {step.equation}" for step in done.forward]
    elif done.bug == "overwrite":
        lines = list(_pushes(done, node))
    elif done.lost:
        lines = list(_losses(done, node))
    else:
        from gradwalk.render.text import paths_text

        def words(template: str, *parts: object) -> str:
            return told(say(template, *parts), language)

        return paths_text(paths(done.graph, node, 8), color=color, width=width, words=words)
    told_lines = [told(line, language) for line in lines]
    return "".join([fill(line, width, subsequent_indent="  ") + "\n" for line in told_lines])


def _losses(done: Walk, node: int) -> Iterator[str]:
    name = done.graph.name
    for lost in done.lost:
        source, to = name(lost.source), name(lost.to)
        yield say(
            "{0} from {1} to {2} is lost: {2} was visited before {1}, and a visited node accepts "
            "nothing more",
            shown(lost.contribution),
            source,
            to,
        )
    yield say("{} gets {} of {}", name(node), shown(done.grads[node]), shown(done.expected[node]))


def _pushes(done: Walk, node: int) -> Iterator[str]:
    name = done.graph.name
    above = {node}  # the node and those that read it: a gradient may be overwritten there, too
    for one in done.graph.nodes:
        if not above.isdisjoint(one.operands):
            above.add(one.id)
    for step in done.backward:
        for push in [push for push in step.pushes if push.to in above]:
            yield say("{} pushes: {}.grad = {}", name(step.node), name(push.to), product(push))
    right = shown(done.expected[node])
    yield say("each replaces the one before; with += {}.grad would be {}", name(node), right)
