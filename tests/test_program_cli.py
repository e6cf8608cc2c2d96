"""gradwalk program: expressions, functions and saved programs, as text and as JSON."""

import json
from pathlib import Path

import pytest

from gradwalk.cli import main
from gradwalk.program import load

EXAMPLE = Path(__file__).parent.parent / "examples" / "asian_option.py"


@pytest.fixture
def run(capsys: pytest.CaptureFixture):
    def run(*words: str) -> tuple[int, str, str]:
        code = main(["program", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_an_expression_is_shown_and_evaluated(run, backend: str) -> None:
    code, out, err = run("where(a > b, a*a, b) + 1", "a=3", "b=2")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "expression(a, b), recorded:"
    assert lines[1:4] == ["  %0 = input a", "  %1 = input b", "  %2 = gt %0 %1"]
    assert "value  10" in lines
    assert lines[-2:] == ["d / d a  6", "d / d b  0"]
    assert run()[1].splitlines()[0] == "expression(a, b, c), recorded:"
    assert all(len(line) <= 80 for line in lines)
    assert any(line.startswith("a replay: ") and " bytes" in line for line in lines)


def test_a_function_of_a_file_is_recorded_with_its_lines(run, backend: str) -> None:
    code, out, _ = run(f"{EXAMPLE}:price", "z=[.1, -.2]", "s0=90")
    assert code == 0
    assert out.startswith("price(z, s0, k, r, sigma, t), recorded:\n")
    assert "# asian_option.py:" in out
    assert "d / d sigma  " in out
    data = json.loads(run(f"{EXAMPLE}:price", "z=[.1, -.2]", "--json")[1])
    assert data["arguments"] == ["z", "s0", "k", "r", "sigma", "t"]
    assert len(data["gradients"]["z"]) == 2
    assert any(row.get("line", [""])[0].endswith("asian_option.py") for row in data["instructions"])


def test_a_long_program_is_cut_in_the_middle(run, backend: str) -> None:
    zs = str([0.1] * 60)
    _, out, _ = run(f"{EXAMPLE}:price", f"z={zs}", "--most", "10")
    assert len(out.splitlines()) < 30
    assert " more …" in out


def test_every_stage_can_be_shown(run, backend: str) -> None:
    code, out, _ = run("a*a", "a=3", "--stage", "all")
    assert code == 0
    for stage in json.loads(run("a*a", "a=3", "--json")[1])["stages"]:
        assert f"expression(a), {stage}:\n  # " in out
        assert run("a*a", "a=3", "--stage", stage)[0] == 0


def test_a_program_is_saved_and_replayed_without_its_source(run, tmp_path, backend: str) -> None:
    file = tmp_path / "square.gwp"
    code, out, err = run("a*a + 1", "a=3", "-o", str(file))
    assert (code, out) == (0, "")
    assert err.startswith(f"wrote {file} (")
    assert load(file)(5.0) == 26.0
    _, out, _ = run(str(file), "a=4")
    assert "value  17" in out
    _, out, _ = run(str(file))
    assert "value" not in out
    assert "%1 = mul %0 %0" in out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nowhere.py:f"], "there is no file nowhere.py"),
        ([f"{EXAMPLE}:prise"], "has no function 'prise': did you mean price?"),
        ([f"{EXAMPLE}:qqqq"], "there is price, main"),
        ([str(EXAMPLE)], f"name the function too: gradwalk program {EXAMPLE}:NAME"),
        ([f"{EXAMPLE}:price"], "price(): missing a required argument: 'z'"),
        ([f"{EXAMPLE}:price", "z=[1"], "z takes a number or a list such as [1, 2.5], not '[1'"),
        ([f"{EXAMPLE}:price", "z"], "arguments are NAME=VALUE, not 'z'"),
        (["a*a", "a=1", "--stage", "x"], "there is no stage 'x'; there is all, recorded"),
        (["a*b", "a=1"], "b has no value"),
    ],
)
def test_what_is_wrong_is_said(run, words: list[str], complaint: str) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert complaint in err
    assert "Traceback" not in err


def test_a_function_that_cannot_be_recorded_says_where(run, tmp_path) -> None:
    file = tmp_path / "f.py"
    file.write_text("def f(x):\n    return x.data * x\n")
    code, _, err = run(f"{file}:f", "x=1")
    assert code == 2
    assert f"gradwalk program: {file}:2: return x.data * x\n" in err


def test_an_error_of_the_users_function_is_told_by_its_line(run, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def f(r):\n    return -r\n")
    code, out, err = run(f"{file}:f", "r=[1, 2]")
    assert (code, out) == (2, "")
    assert "f raised TypeError: bad operand type for unary -: 'list'" in err
    assert "mine.py:2: return -r" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("x = 1\nf = (x", "is not Python: '(' was never closed\n  {file}:2: f = (x"),
        ("x = 0\n1 / x", "raised ZeroDivisionError: division by zero\n  {file}:2: 1 / x"),
    ],
)
def test_a_file_that_does_not_run_is_told_by_its_line(run, tmp_path, source, complaint) -> None:
    file = tmp_path / "f.py"
    file.write_text(source)
    code, _, err = run(f"{file}:f", "x=1")
    assert code == 2
    assert err == f"gradwalk program: {file} {complaint.format(file=file)}\n"


def test_numbers_that_json_lacks_are_the_strings_of_the_contract(run, tmp_path, backend) -> None:
    code, out, err = run("a/0", "a=1", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["value"] == "Infinity"
    assert json.loads(out)["gradients"] == {"a": "Infinity"}
    file = tmp_path / "f.py"
    file.write_text("def f(z):\n    return [z[0] + z[1], z[1] * float('-inf')]\n")
    data = json.loads(run(f"{file}:f", "z=[nan, 1]", "--json")[1])
    assert data["value"] == ["NaN", "-Infinity"]
    numbers = [row["number"] for row in data["instructions"] if row["op"] == "const"]
    assert numbers == ["-Infinity"]
