"""gradgradcheck, complex_step and `gradwalk prove`: derivatives by ways that share no code."""

import json

import pytest
from mpmath import mp

import gradwalk
from gradwalk import OperandError, custom_rule, gradgradcheck, ops, parse
from gradwalk.cli import main
from gradwalk.transforms.proving import complex_step, prove


def test_second_and_third_derivatives_are_checked():
    f = lambda a, b: (a * b).tanh() + a.exp() * b**2.0  # noqa: E731
    report = gradgradcheck(f, 0.5, -1.5)
    assert report.ok
    assert [leaf.name for leaf in report.leaves] == ["d2/da da", "d2/da db", "d2/db da", "d2/db db"]
    assert gradgradcheck(f, 0.5, -1.5, order=3).ok
    with pytest.raises(OperandError, match="order"):
        gradgradcheck(f, 0.5, -1.5, order=1)


def test_a_wrong_second_derivative_is_caught_where_the_first_is_right():
    slope = custom_rule(lambda x: 3.0 * x * x, lambda out, x: 7.0 * x)  # it is 6 x
    cube = custom_rule(lambda x: x**3, lambda out, x: slope(x))
    assert gradwalk.gradcheck(cube, 2.0).ok
    report = gradgradcheck(cube, 2.0)
    assert not report.ok
    assert report.leaves[0].gradient == pytest.approx(14.0)


NOT_COMPLEX = {"erf", "erfc", "gelu", "gamma", "lgamma", "digamma", "polygamma"}
SMOOTH = [op for op in ops.TABLE if op.is_function and op.name not in NOT_COMPLEX]


@pytest.mark.parametrize("op", SMOOTH, ids=lambda op: op.name)
def test_a_step_into_the_complex_plane_agrees_with_the_rules(op):
    for probe in op.probes:
        if max(map(abs, probe)) > 1e100:
            continue
        out = op.value(*probe)
        exact = [partial(out, *probe) for partial in op.partials]
        found = complex_step(op, *probe)
        assert found == pytest.approx(exact, rel=1e-12, abs=1e-15)


def test_what_has_no_complex_form_is_named():
    with pytest.raises(OperandError, match="erf has no form for complex numbers"):
        complex_step(lambda x: ops.erf(x) * 1.0, 0.5)


def test_every_way_agrees_to_a_few_ulp():
    proof = prove(parse("tanh(a*b) + where(a > b, a**3, sqrt(b)) / log(a + 5)"), {"a": 2, "b": -1})
    names = [way.name for way in proof.ways]
    wanted = {"mpmath", "reference", "replay", "forward", "differences", "complex"}
    assert wanted <= set(names)
    assert ("native" in names) == (gradwalk.backend() == "native")
    for way in proof.ways:
        assert way.value_gap <= 4
        # JAX and PyTorch have their own forms of tanh and log.
        assert way.gradient_gap <= {"differences": 1e8, "jax": 16, "torch": 16}.get(way.name, 8)
    with mp.workdps(40):
        slope = mp.diff(lambda b: mp.tanh(2 * b) + mp.mpf(8) / mp.log(7), -1)
    assert proof.ways[0].gradient["b"] == pytest.approx(float(slope), rel=1e-15)


def test_the_command_prints_a_table_and_json(capsys):
    assert main(["prove", "exp(a) * erf(b)", "a=0.5", "b=1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "gaps from mpmath, in ulp"
    assert any(line.split() == ["complex", "-", "-"] for line in lines)
    assert max(map(len, lines)) <= 40
    assert main(["prove", "a * a", "a=3", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["exact_by"] == "mpmath"
    assert {"by": "replay", "value": 9.0, "gradient": {"a": 6.0}, "value_ulp": 0.0,
            "gradient_ulp": 0.0} in data["ways"]  # fmt: skip
