"""What `x.py mutate code` found that no other test of compiled functions notices."""

import math
from array import array

import pytest

import gradwalk
from gradwalk import Value, compile, detect_anomaly, no_grad, ops  # noqa: A004
from gradwalk.errors import AnomalyError, ProgramError, ProgramFileError
from gradwalk.optim import SGD
from gradwalk.program import backends, files, inspection, ir, structure
from gradwalk.program.inspection import Block, bytes_text, heading, words
from gradwalk.program.recording import rewrite

native = pytest.mark.skipif(
    backends.name != "native", reason="the passes are the native back end's"
)


@pytest.mark.parametrize(
    ("count", "text"),
    [(999, "999 bytes"), (1000, "1.0 kB"), (25_400, "25 kB"), (10**6, "1.0 MB"), (0, "0 bytes")],
)
def test_bytes_are_told_in_the_largest_unit_that_they_reach(count: int, text: str) -> None:
    assert bytes_text(count) == text


@native
def test_of_a_long_text_both_ends_are_shown_and_the_middle_is_counted() -> None:
    program = compile(lambda a, b, c, d, e, f: a * b + c * d + ops.sin(e * f) * ops.exp(a))
    program.value_and_grad(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    for stage in ("recorded", "lanes"):
        whole = program.explain(stage).splitlines()
        assert program.explain(stage, most=len(whole)) == "\n".join(whole)
    lanes = program.explain("lanes").splitlines()
    short = program.explain("lanes", most=4).splitlines()
    assert short == [*lanes[:2], f"… {len(lanes) - 4} more …", *lanes[-2:]]
    assert program.explain("lanes", most=len(lanes) - 1).splitlines() == lanes


@native
def test_of_many_gradients_the_first_and_the_last_are_shown() -> None:
    program = compile(lambda numbers: ops.sin(numbers[0]) * sum(numbers))
    program.value_and_grad([1.0] * 10)
    text = program.explain("adjoint", most=4).splitlines()
    grads = text[text.index(next(line for line in text if line.startswith("return"))) + 1 :]
    assert [line.split(" %")[0] for line in grads] == [
        "gradient of numbers[0]",
        "gradient of numbers[1]",
        "… 6 more …",
        "gradient of numbers[8]",
        "gradient of numbers[9]",
    ]


def test_only_anomaly_detection_raises_at_a_nan(backend: str) -> None:
    program = compile(lambda x: ops.log(x))  # noqa: PLW0108
    with no_grad():
        value, _ = program.value_and_grad(-1.0)
    assert value != value
    with detect_anomaly(), pytest.raises(AnomalyError):
        program.value_and_grad(-1.0)


def test_a_training_that_meets_a_nan_leaves_the_values_in_step(backend: str) -> None:
    weight = Value(1.0)
    program = compile(lambda x: ops.log(weight) * x)
    run = program.train(SGD([weight], 3.0)).start()
    assert run.step(1.0) == 0.0
    with detect_anomaly(), pytest.raises(AnomalyError):
        run.step(1.0)
    assert weight.data == -2.0  # after the first step


def test_a_training_under_another_mode_goes_on_at_a_nan(backend: str) -> None:
    weight = Value(-1.0)
    program = compile(lambda x: ops.log(weight) * x)
    with no_grad(), program.train(SGD([weight], 0.0)) as run:
        assert run.step(1.0) != run.step(1.0)


def test_a_program_whose_operands_do_not_begin_at_0_is_refused() -> None:
    program = compile(lambda x: x * x)
    program(2.0)
    found = program.program
    starts = array("i", [1, *found.starts[1:]])
    wrong = ir.Program(found.codes, starts, found.args, found.numbers, found.outputs, found.slots)
    with pytest.raises(ProgramError, match="starts run from 1"):
        ir.check(wrong)


@native
def test_a_stage_is_headed_by_its_size_in_its_own_unit() -> None:
    program = compile(lambda x: ops.sin(x) * x)
    program.value_and_grad(1.0)
    heads = {stage: heading(program._store, stage) for stage in inspection.stages(program._store)}
    assert heads["recorded"].startswith("3 instructions: ")
    assert "instruction" not in heads["blocks"].partition(":")[0]
    assert "block" in heads["blocks"].partition(":")[0]


def test_a_row_of_two_sums_of_products_is_a_vector_times_a_matrix() -> None:
    assert words(Block("dot", "", False, 1, 2, 3, ())) == "vector times matrix 2, sum of 3"
    assert words(Block("dot", "", False, 1, 1, 3, ())) == "sum of products of 3"


@pytest.mark.parametrize("count", [3, 49, 50, 75])
def test_a_list_that_scenarios_share_may_be_short_or_long(backend: str, count: int) -> None:
    np = pytest.importorskip("numpy")
    numbers = [0.25 * k for k in range(count)]
    program = compile(lambda more, x, weights, last: x * weights[-1] + weights[0] + last + more[1])
    rows = program.map([7.0, 0.5], np.array([1.0, -2.0]), numbers, 0.125)
    assert rows.tolist() == [x * numbers[-1] + 0.625 for x in (1.0, -2.0)]


def test_a_training_notices_a_gradient_that_is_infinite_where_the_loss_is_not(backend: str) -> None:
    weight = Value(0.0)
    program = compile(lambda x: ops.sqrt(weight) * x)
    with program.train(SGD([weight], 0.0)) as run:
        assert run.step(2.0) == 0.0
        with detect_anomaly(), pytest.raises(AnomalyError):
            run.step(2.0)


def test_a_training_goes_on_where_a_loop_takes_more_rounds_than_were_recorded(backend: str) -> None:
    weight = Value(2.0)

    def loss(x):
        total = weight * 0.0
        while x > 0.0:
            total = total + weight * weight
            x = x - 1.0
        return total

    with compile(loss).train(SGD([weight], 0.0)) as run:
        rounds = [1.0, 3.0, 40.0, 700.0, 2.0]
        assert [run.step(x) for x in rounds] == [4.0 * x for x in rounds]
        assert run.grads[0] == 8.0


@pytest.mark.parametrize(
    ("a", "b"),
    [(10.0, 11.05), (11.05, 10.0), (10.0, 11.2), (1e-9, 0.0), (-1.0, 1.0), (math.inf, 1e300)],
)
def test_isclose_holds_by_either_number_or_by_the_distance(backend, a, b) -> None:
    def told(relative: float, absolute: float) -> float:
        near = compile(lambda a, b: where(math.isclose(a, b, rel_tol=relative, abs_tol=absolute)))
        return near(a, b)

    def where(condition):
        return 1.0 if condition else 0.0

    for relative, absolute in ((0.1, 0.0), (0.0, 1e-8)):
        assert told(relative, absolute) == math.isclose(a, b, rel_tol=relative, abs_tol=absolute)


def test_texts_are_sorted_while_numbers_are_recorded(backend: str) -> None:
    program = compile(lambda x: x * len(sorted(["b", "a"] * 40)) + (sorted("cab")[0] == "a"))
    assert program(2.0) == 161.0


def test_an_index_has_no_gradient(backend: str) -> None:
    program = compile(lambda index, x: ops.sin(x) * gradwalk.take([x, 2.0 * x], index))
    value, grads = program.value_and_grad(1.0, 0.5)
    assert value == math.sin(0.5)
    assert grads["index"] == 0.0


def test_an_input_with_an_operand_is_refused() -> None:
    program = compile(lambda x: x * x)
    program(2.0)
    found = program.program
    assert list(found.starts) == [0, 0, 2]
    starts, args = array("i", [0, 1, 3]), array("i", [0, *found.args])
    wrong = ir.Program(found.codes, starts, args, found.numbers, found.outputs, found.slots)
    with pytest.raises(ProgramError, match="input has 1 operands"):
        ir.check(wrong)


def test_an_array_in_a_file_has_at_most_32_axes() -> None:
    assert files._decoded(["array", [1] * 32]) == ("array", (1,) * 32)
    with pytest.raises(ProgramFileError, match="not a structure"):
        files._decoded(["array", [1] * 33])


def test_two_classes_of_one_name_are_told_apart_by_both_comparisons() -> None:
    one, other = [type("Market", (), {}) for _ in range(2)]
    names = [structure.ClassName(kind) for kind in (one, one, other)]
    assert names[0] == names[1]
    assert names[0] != names[2]
    assert not names[0] != names[1]  # noqa: SIM202  (!= is what is tried)


@pytest.mark.parametrize(
    ("line", "goes_on"), [("", True), ("  # aside", True), ("        x", True), ("    x", False)]
)
def test_a_body_goes_on_over_blank_lines_comments_and_what_is_further_in(line, goes_on) -> None:
    assert rewrite._goes_on(line, 4) is goes_on
