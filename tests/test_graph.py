"""snapshot: the graph as immutable data, folded and unfolded."""

from dataclasses import FrozenInstanceError

import pytest

from gradwalk import GraphError, Value, snapshot, source_lines, where
from gradwalk.graph import number


def leaf(data: float, label: str) -> Value:
    return Value(data, label=label)


def shape(root, **options):
    graph = snapshot(root, **options)
    return [(graph.name(n.id), n.op, tuple(graph.name(i) for i in n.operands)) for n in graph.nodes]


def test_ids_are_topological_and_the_root_is_last():
    a, b = leaf(2, "a"), leaf(-3, "b")
    graph = snapshot((a + b) * a)
    assert [node.id for node in graph.nodes] == [0, 1, 2, 3]
    assert all(operand < node.id for node in graph.nodes for operand in node.operands)
    assert graph.root == 3
    assert graph[graph.root].data == -2.0


def test_a_node_carries_what_the_value_had():
    a, b = leaf(2, "a"), leaf(-3, "b")
    product = a * b
    product.backward()
    node = snapshot(product)[2]
    assert (node.op, node.label, node.data, node.grad) == ("*", "", -6.0, 1.0)
    assert (node.operands, node.local_grads, node.tags) == ((0, 1), (-3.0, 2.0), ())


def test_a_snapshot_does_not_follow_the_value():
    a = leaf(2, "a")
    graph = snapshot(a * a)
    a.data = 7.0
    assert graph[0].data == 2.0
    with pytest.raises(FrozenInstanceError):
        graph[0].data = 1.0


def test_a_square_has_two_edges_to_one_node():
    a = leaf(3, "a")
    graph = snapshot(a * a)
    assert len(graph) == 2
    assert graph[1].operands == (0, 0)
    assert graph.consumers() == [[1, 1], []]


def test_leaves_and_constants_are_tagged():
    graph = snapshot(leaf(2, "a") * 3)
    assert [node.tags for node in graph.nodes] == [("leaf",), ("const",), ()]
    assert [node.label for node in graph.leaves] == ["a"]


def test_minus_is_one_derived_node_and_unfolds_into_plus_and_times_minus_one():
    a, b = leaf(5, "a"), leaf(3, "b")
    assert shape(a - b) == [("a", "", ()), ("b", "", ()), ("-", "-", ("a", "b"))]
    assert shape(a - b, fold=False) == [
        *(("a", "", ()), ("b", "", ()), ("-1", "const", ()), ("*", "*", ("b", "-1"))),
        ("+", "+", ("a", "*")),
    ]
    assert snapshot(a - b)[2].tags == ("derived",)
    assert snapshot(a - b)[2].local_grads == (1.0, -1.0)


def test_divide_is_one_derived_node_with_the_exact_local_gradients():
    a, b = leaf(6, "a"), leaf(4, "b")
    node = snapshot(a / b)[2]
    assert (node.op, node.tags, node.data) == ("/", ("derived",), 1.5)
    assert node.local_grads == (0.25, -0.375)
    assert [n.op for n in snapshot(a / b, fold=False).nodes] == ["", "", "const", "**", "*"]


def test_a_number_on_either_side_of_minus_and_divide_stays_in_its_place():
    a = leaf(4, "a")
    assert shape(a - 1)[-1] == ("-", "-", ("a", "1"))
    assert shape(1 - a)[-1] == ("-", "-", ("1", "a"))
    assert shape(a / 49)[-1] == ("/", "/", ("a", "49"))
    assert shape(1 / a)[-1] == ("/", "/", ("1", "a"))


def test_negation_folds_and_unfolds():
    a = leaf(4, "a")
    assert shape(-a) == [("a", "", ()), ("neg", "neg", ("a",))]
    assert shape(-a, fold=False)[-1] == ("*", "*", ("a", "-1"))


def test_fold_and_unfold_are_each_others_inverse():
    a, b = leaf(2, "a"), leaf(3, "b")
    root = (a - b) / (a - 1) - -b
    folded = snapshot(root)
    unfolded = snapshot(root, fold=False)
    assert folded.unfold() == unfolded
    assert unfolded.fold() == folded
    assert folded.fold() == folded
    assert folded != unfolded


def test_an_inner_node_that_is_used_elsewhere_is_shown_as_it_is():
    a, b = leaf(2, "a"), leaf(3, "b")
    difference = a - b
    inner = difference._children[1]
    assert [n.op for n in snapshot(difference * inner).nodes] == ["", "", "neg", "+", "*"]


def test_a_plus_times_minus_one_that_the_user_wrote_is_not_folded():
    a, b = leaf(2, "a"), leaf(3, "b")
    assert [n.op for n in snapshot(a + b * -1).nodes] == ["", "", "const", "*", "+"]


def test_names_are_labels_numbers_or_symbols_and_subscripts_tell_equals_apart():
    a = leaf(2, "a")
    graph = snapshot((a * 3 + a * 4).tanh() + 1)
    names = [graph.name(node.id) for node in graph.nodes]
    assert names == ["a", "3", "*₁", "4", "*₂", "+₁", "tanh", "1", "+₂"]
    assert len({n for n, node in zip(names, graph.nodes, strict=True) if not node.is_const}) == 6


@pytest.mark.parametrize("typed", ["*₂", "*2", "*_2", 4])
def test_a_node_is_found_by_its_name_however_typed_and_by_its_id(typed):
    a = leaf(2, "a")
    graph = snapshot(a * 3 + a * 4)
    assert graph.find(typed).data == 8.0
    assert graph.find(graph[4]).id == 4


def test_two_leaves_with_one_label_get_different_names():
    graph = snapshot(leaf(1, "x") + leaf(2, "x"))
    assert [graph.name(0), graph.name(1)] == ["x₁", "x₂"]


@pytest.mark.parametrize("wrong", ["z", 99, -1])
def test_a_node_that_is_not_there_is_an_error_that_says_what_is(wrong):
    with pytest.raises(GraphError, match=r"there is no node"):
        snapshot(leaf(2, "a") * 3).find(wrong)


def test_a_node_is_not_given_by_a_value():
    a = leaf(2, "a")
    with pytest.raises(GraphError, match=r"by its id, its name or its label, not by a Value"):
        snapshot(a * 3).find(a)


def test_snapshot_takes_a_value_and_says_so():
    with pytest.raises(TypeError, match=r"snapshot takes a Value, not float"):
        snapshot(2.0)


def test_nodes_made_under_source_lines_carry_their_line():
    a = leaf(2, "a")
    with source_lines():
        b = a * 3
    file, line = snapshot(b)[2].line
    assert file == __file__
    with open(file, encoding="utf-8") as source:
        assert source.readlines()[line - 1].strip() == "b = a * 3"
    assert snapshot(a * 3)[2].line is None


def test_a_node_with_its_own_backward_shows_the_local_gradients_it_pushes():
    a, b = leaf(2, "a"), leaf(3, "b")
    out = Value(a.data * b.data, (a, b), "times")

    def push():
        a.grad += b.data * out.grad
        b.grad += a.data * out.grad

    out._backward = push
    a.grad = 0.5
    node = snapshot(out)[2]
    assert node.local_grads == (3.0, 2.0)
    assert (a.grad, b.grad, out.grad) == (0.5, 0.0, 0.0)


def test_a_function_of_three_inputs_is_one_node():
    a, b = leaf(2, "a"), leaf(3, "b")
    assert shape(where(a > b, a, b))[-1] == ("where", "where", ("0", "a", "b"))


@pytest.mark.parametrize(
    ("x", "text"),
    [(10.0, "10"), (-0.0, "0"), (1 / 3, "0.333333"), (1e-9, "1e-09"), (float("nan"), "nan")],
)
def test_numbers_read_short(x, text):
    assert number(x) == text


# ── One division, where b**-2 leaves the doubles ─────────────────────────────────────────────


def test_a_division_of_extreme_numbers_is_one_primitive_node() -> None:
    quotient = Value(1e200, label="a") / Value(1e200, label="b")
    for graph in (snapshot(quotient), snapshot(quotient, fold=False), snapshot(quotient).unfold()):
        assert [(node.op, node.operands, node.tags) for node in graph.nodes] == [
            ("", (), ("leaf",)),
            ("", (), ("leaf",)),
            ("/", (0, 1), ()),
        ]
        assert graph[2].local_grads == (1e-200, -1e-200)


def test_a_power_that_is_divided_by_is_not_taken_for_the_inverse() -> None:
    b = Value(1e100, label="b")
    graph = snapshot(Value(1.0, label="a") / b**2)
    assert [(node.op, node.label) for node in graph.nodes if not node.is_const] == [
        ("", "a"),
        ("", "b"),
        ("**", ""),
        ("/", ""),
    ]
