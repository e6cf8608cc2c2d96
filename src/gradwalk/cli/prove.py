"""`gradwalk prove`: the gradient of an expression by every way there is."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gradwalk.cli.arguments import Parser, point
from gradwalk.cli.terminal import emit_either
from gradwalk.transforms.proving import Proof, Way, prove

__all__ = ["command"]

OK = 0


def command(words: Sequence[str]) -> int:
    parser = Parser("prove", takes_expression=True)
    parser.option("--strict", action="store_true", help="only numbers as exponents")
    options = parser.read(words)
    if options is None:
        return OK
    expression, values = point(options.words, "prove", strict=options.strict)
    expression.bind(values)  # says what is wrong with the names
    proof = prove(expression, {name: float(values[name]) for name in expression.names})
    emit_either(options, lambda: _json(proof), lambda: _text(proof))
    return OK


def _text(proof: Proof) -> str:
    lines = [f"gaps from {proof.exact_by}, in ulp", f"{'by':<12}{'value':>10}{'gradient':>12}"]
    for way in proof.ways:
        if way.missing:
            lines.append(f"{way.name:<12}{'-':>10}{'-':>12}")
        else:
            lines.append(f"{way.name:<12}{_gap(way.value_gap):>10}{_gap(way.gradient_gap):>12}")
    exact = next(way for way in proof.ways if way.name == proof.exact_by)
    lines += ["", f"value {exact.value!r}"]
    lines += [f"d/d{name} {slope!r}" for name, slope in exact.gradient.items()]
    return "\n".join(lines)


def _gap(ulps: float) -> str:
    return f"{ulps:.1f}" if ulps < 1e5 else f"{ulps:.0e}"


def _json(proof: Proof) -> dict[str, object]:
    return {"exact_by": proof.exact_by, "ways": [_way(way) for way in proof.ways]}


def _way(way: Way) -> dict[str, object]:
    if way.missing:
        return {"by": way.name, "missing": way.missing}
    finite = math.isfinite(way.value_gap) and math.isfinite(way.gradient_gap)
    return {
        "by": way.name,
        "value": way.value,
        "gradient": way.gradient,
        "value_ulp": way.value_gap if finite else None,
        "gradient_ulp": way.gradient_gap if finite else None,
    }
