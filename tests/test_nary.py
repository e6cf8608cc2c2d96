"""Operations over lists: dot, sum, softmax and their kin."""

import math

import pytest
from support.bits import same

import gradwalk
from gradwalk import (
    OperandError,
    Value,
    cross_entropy,
    dot,
    gradcheck,
    layernorm,
    linear,
    log_softmax,
    logsumexp,
    mean,
    rmsnorm,
    snapshot,
    softmax,
    walk,
)
from gradwalk.engine import nary

LISTS = {
    "dot": lambda x: dot(x[:2], x[2:]),
    "sum": gradwalk.sum,
    "mean": mean,
    "logsumexp": logsumexp,
    "softmax": lambda x: softmax(x)[1],
    "log_softmax": lambda x: log_softmax(x)[1],
    "cross_entropy": lambda x: cross_entropy(x, 2),
    "rmsnorm": lambda x: rmsnorm(x)[1],
    "layernorm": lambda x: layernorm(x)[1],
}
POINT = (0.3, -1.2, 0.8, 2.1)


def test_the_table_has_every_operation_over_lists():
    assert set(nary.TABLE) == set(LISTS)


@pytest.mark.parametrize("name", LISTS)
def test_its_gradient_agrees_with_finite_differences(name):
    assert gradcheck(lambda *x: LISTS[name](list(x)) * 1.5, *POINT)


@pytest.mark.parametrize("name", LISTS)
def test_it_is_one_node_that_unfolds_into_what_it_stands_for(name):
    x = [Value(n, label=f"x{i}") for i, n in enumerate(POINT)]
    root = LISTS[name](x)
    folded = snapshot(root)
    (node,) = [node for node in folded.nodes if node.operands]
    assert (node.op, node.tags) == (name, ("derived",))
    unfolded = folded.unfold()
    assert name not in {n.op for n in unfolded.nodes}
    assert unfolded[unfolded.root].data == pytest.approx(root.data, rel=1e-14)
    assert unfolded.fold() == folded
    whole, written = walk(folded), walk(unfolded)
    for leaf in folded.leaves:
        there = unfolded.find(leaf.label).id
        assert whole.grads[leaf.id] == pytest.approx(written.grads[there], rel=1e-12, abs=1e-14)


@pytest.mark.parametrize(
    ("x", "shares", "total", "slopes"),
    [
        ([math.inf, 0.0], [math.nan, math.nan], math.inf, [math.nan, 0.0]),
        ([-math.inf, 0.0], [0.0, 1.0], 0.0, [0.0, 1.0]),
        ([-math.inf, -math.inf], [math.nan, math.nan], -math.inf, [math.nan, math.nan]),
        ([math.inf, math.inf], [math.nan, math.nan], math.inf, [math.nan, math.nan]),
    ],
)
def test_softmax_and_logsumexp_at_infinity_are_as_in_pytorch(x, shares, total, slopes):
    leaves = [Value(number) for number in x]
    assert same([v.data for v in softmax(leaves)], shares)
    out = logsumexp(leaves)
    assert same([out.data, *out._local_grads], [total, *slopes])
    out.backward()
    assert same([v.grad for v in leaves], slopes)


@pytest.mark.parametrize("size", [-math.inf, math.inf])
def test_log_softmax_and_cross_entropy_have_no_value_where_the_largest_is_infinite(size):
    assert all(math.isnan(v.data) for v in gradwalk.log_softmax([Value(size), Value(size)]))
    assert math.isnan(cross_entropy([Value(size), Value(size)], 0).data)


def test_an_unreachable_state_leaves_the_gradients_of_the_others_alone():
    start, step = Value(-1.0), Value(-2.0)
    unreachable = logsumexp([Value(-math.inf), Value(-math.inf)])
    total = logsumexp([start + step, unreachable + step])
    total.backward()
    assert (total.data, start.grad, step.grad) == (-3.0, 1.0, 1.0)


@pytest.mark.parametrize("norm", [gradwalk.rmsnorm, gradwalk.layernorm])
@pytest.mark.parametrize("size", [1e-120, 1e120])
def test_norms_of_extreme_numbers_have_the_slopes_of_ordinary_ones_scaled(norm, size):
    numbers = [1.0, -2.0, 4.0]
    plain = norm([Value(n) for n in numbers], 0.0)
    extreme = norm([Value(n * size) for n in numbers], 0.0)
    for one, other in zip(plain, extreme, strict=True):
        assert other.data == pytest.approx(one.data, rel=1e-14)
        assert other._local_grads == pytest.approx([g / size for g in one._local_grads], rel=1e-12)


def test_the_empty_sum_is_zero_and_the_empty_mean_an_error():
    assert gradwalk.sum([]).data == 0.0
    assert dot([], []).data == 0.0
    with pytest.raises(OperandError, match=r"mean takes at least one input"):
        mean([])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dot([1.0], [1.0, 2.0]), r"dot takes two lists of one length, not 1 and 2"),
        (lambda: gradwalk.sum(["3"]), r"sum takes Values or real numbers, not str: '3'"),
        (lambda: cross_entropy([1.0, 2.0], 2), r"an index from 0 to 1, not 2"),
        (lambda: cross_entropy([1.0, 2.0], 0.5), r"an index from 0 to 1, not 0\.5"),
        (lambda: linear([[1.0]], [1.0], [1.0, 2.0]), r"a bias for each row: 1, not 2"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(OperandError, match=message):
        call()


def test_a_list_that_an_operand_empties_is_read_as_it_was() -> None:
    class Odd:
        shape = ()

        def item(self) -> float:
            listed.clear()
            return 2.0

    listed: list[object] = [Odd(), 1.0, 1.0]
    assert gradwalk.sum(listed).data == 4.0
