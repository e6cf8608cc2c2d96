"""snapshot: the graph as immutable data, folded and unfolded."""

import pytest

from gradwalk import GraphError, Value, snapshot, source_lines, where


def leaf(data: float, label: str) -> Value:
    return Value(data, label=label)


def shape(root, **options):
    """The nodes by their names, each with the names of its operands."""
    graph = snapshot(root, **options)
    operands = [",".join(map(graph.name, node.operands)) for node in graph.nodes]
    words = [f"({names})" if names else "" for names in operands]
    return " ".join([graph.name(i) + word for i, word in enumerate(words)])


FOLDED = [  # an expression of a and b, its nodes, and those of it unfolded
    ("a - b", "a b -(a,b)", "a b -1 *(b,-1) +(a,*)"),
    ("a / b", "a b /(a,b)", "a b -1 **(b,-1) *(a,**)"),
    ("a - 1", "a 1 -(a,1)", "a 1 -1 *(1,-1) +(a,*)"),
    ("1 - a", "1 a -(1,a)", "1 a -1 *(a,-1) +(1,*)"),
    ("a / 49", "a 49 /(a,49)", "a 49 -1 **(49,-1) *(a,**)"),
    ("1 / a", "1 a /(1,a)", "1 a -1 **(a,-1) *(1,**)"),
    ("-a", "a neg(a)", "a -1 *(a,-1)"),
    # What the user wrote so, and a node inside that is used elsewhere, are shown as they are.
    ("a + b * -1", "a b -1 *(b,-1) +(a,*)", "a b -1 *(b,-1) +(a,*)"),
    (
        "(d := a - b) * d._children[1]",
        "a b neg(b) +(a,neg) *(+,neg)",
        "a b -1 *₁(b,-1) +(a,*₁) *₂(+,*₁)",
    ),
    ("where(a > b, a, b)", "1 a b where(1,a,b)", "1 a b where(1,a,b)"),
]


@pytest.mark.parametrize(("text", "folded", "unfolded"), FOLDED, ids=[row[0] for row in FOLDED])
def test_a_derived_operation_is_one_node_and_unfolds_into_what_was_recorded(text, folded, unfolded):
    root = eval(text, {"a": leaf(6, "a"), "b": leaf(4, "b"), "where": where})
    assert (shape(root), shape(root, fold=False)) == (folded, unfolded)
    assert (snapshot(root)[-1].tags == ("derived",)) is (folded != unfolded and "₁" not in unfolded)


def test_fold_and_unfold_are_each_others_inverse():
    a, b = leaf(2, "a"), leaf(3, "b")
    root = (a - b) / (a - 1) - -b
    folded = snapshot(root)
    unfolded = snapshot(root, fold=False)
    assert folded.unfold() == unfolded
    assert unfolded.fold() == folded
    assert folded.fold() == folded
    assert folded != unfolded


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


@pytest.mark.parametrize("wrong", ["z", 99, -1])
def test_a_node_that_is_not_there_is_an_error_that_says_what_is(wrong):
    with pytest.raises(GraphError, match=r"there is no node"):
        snapshot(leaf(2, "a") * 3).find(wrong)


def test_a_node_is_not_given_by_a_value():
    a = leaf(2, "a")
    with pytest.raises(GraphError, match=r"by its id, its name or its label, not by a Value"):
        snapshot(a * 3).find(a)


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
