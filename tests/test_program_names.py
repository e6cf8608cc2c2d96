"""The public names of a compiled function, and what is told of the names that it had once."""

import inspect

import pytest

import gradwalk
import gradwalk.program
from gradwalk import Compiled, OperandError, compile  # noqa: A004

PUBLIC = {
    *("value_and_grad", "map", "train", "backward", "record"),
    *("explain", "paths", "save", "to_jax"),
}
DATA = {"function", "name", "arguments", "parameters", "program"}


def square(x):
    return x * x


def test_a_compiled_function_has_these_names_and_no_other() -> None:
    f = compile(square)
    names = {name for name in {*dir(Compiled), *vars(f)} if not name.startswith("_")}
    assert names == PUBLIC | DATA


def test_compile_takes_these_options_and_no_other() -> None:
    options = [
        name
        for name, parameter in inspect.signature(compile).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    assert options == ["static", "fast", "float32", "errors", "steps"]


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("branches", r"f\.explain\(\) prints them"),
        ("check", "is always compared"),
        ("chekc", "it takes static, fast, float32, errors, steps"),
    ],
)
def test_an_option_that_is_gone_names_its_replacement(name: str, remedy: str) -> None:
    with pytest.raises(OperandError, match=rf"compile takes no {name}: .*{remedy}"):
        compile(**{name: False})


@pytest.mark.parametrize(
    ("module", "name", "remedy"),
    [
        (gradwalk, "record", r"gradwalk\.compile\(f\)\.record\(\*example\)"),
        (gradwalk.program, "record", r"gradwalk\.compile\(f\)\.record\(\*example\)"),
        (gradwalk.program, "Traced", r"isinstance\(x, \(int, float\)\)"),
        (gradwalk.program, "Trainer", r"f\.train\(optimizer\)"),
    ],
)
def test_a_name_that_is_gone_from_a_module_names_its_replacement(module, name, remedy) -> None:
    with pytest.raises(AttributeError, match=remedy):
        getattr(module, name)


def test_the_class_of_compiled_functions_is_not_for_making_them() -> None:
    with pytest.raises(OperandError, match=r"gradwalk\.compile\(function\)"):
        Compiled(square)


def test_record_returns_the_function_itself_and_is_no_call() -> None:
    f = compile(square)
    assert f.record(3.0) is f
    assert f.record(4.0)(5.0) == 25.0
    assert "1. record()" in f.explain()
    assert "replayed 1 time" in f.explain()
