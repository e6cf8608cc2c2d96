"""walk: sort and backward step by step, visit orders, and bugs made on purpose."""

import sys
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pictures import example

from gradwalk import GraphError, OrderError, Value, parse, snapshot, walk
from gradwalk.engine import topological_order


def leaf(data: float, label: str) -> Value:
    return Value(data, label=label)


def grads(w) -> dict[str, float]:
    return {w.graph.name(n.id): w.grads[n.id] for n in w.graph.nodes if not n.is_const}


W7 = {
    "dbca": 15, "dcba": 15, "dbac": 6, "dcab": 9, "dabc": 0, "dacb": 0, "bdca": 9, "cdba": 6,
}  # fmt: skip


@pytest.mark.parametrize("order", ["".join(order) for order in permutations("abcd")])
def test_each_order_of_x6_gives_what_the_puzzle_says(order):
    w = walk(example("X6"), order=list(order))
    assert grads(w)["a"] == W7.get(order, 0)
    assert bool(w.lost) == (grads(w)["a"] != 15)


def test_a_lost_contribution_names_its_path_and_its_reason():
    w = walk(example("X6"), order=["d", "b", "a", "c"])
    (lost,) = w.lost
    names = [w.graph.name(i) for i in (lost.source, lost.to, *lost.path)]
    assert (names, lost.contribution) == (["c", "a", "d", "c", "a"], 9.0)
    assert lost.why == "a was visited before c, and a visited node accepts nothing more"


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("d b c", "the order has a not at all"),
        ("d b c a a", "the order has a twice"),
        ("d b c a z", "there is no node 'z'"),
    ],
)
def test_an_order_that_is_none_is_an_error_that_says_what_is_wrong(order, message):
    with pytest.raises(GraphError, match=message):
        walk(example("X6"), order=order.split())


def test_overwrite_gives_the_numbers_of_the_worked_examples():
    wrong = {}
    for name in ("X3", "X4", "X5", "X7"):
        w = walk(example(name), bug="overwrite")
        wrong[name] = {w.graph.name(i): w.grads[i] for i in w.wrong}
    assert wrong == {"X3": {"a": 3}, "X4": {"a": 1}, "X5": {"a": 3, "b": -2}, "X7": {"a": 3}}


def test_no_visited_pushes_again_from_a_shared_interior_node():
    root = parse("s = a + b; s * s").evaluate({"a": 2, "b": 1})
    w = walk(root, bug="no-visited")
    assert grads(w)["a"] == 12
    assert w.expected[w.graph.find("a").id] == 6


def test_no_visited_on_a_graph_with_too_many_visits_says_how_many():
    v = leaf(1, "a")
    for _ in range(60):
        v = v + v
    with pytest.raises(GraphError, match=rf"makes {2**61 - 1} visits to 61 nodes"):
        walk(v, bug="no-visited")


def test_an_unknown_bug_and_an_order_with_another_bug_are_errors():
    with pytest.raises(GraphError, match=r"no bug 'typo'; the bugs are overwrite, no-reset"):
        walk(example("X6"), bug="typo")
    with pytest.raises(OrderError, match=r"no bug but overwrite"):
        walk(example("X6"), order=["d", "b", "c", "a"], bug="no-reset")


def test_a_walk_of_a_deep_chain_has_a_short_repr_and_compares_without_recursion():
    v = leaf(1, "a")
    for _ in range(1_500):
        v = v + 1
    first, second = walk(v), walk(v)
    assert repr(first) == "<Walk of 3001 nodes, 0 gradients wrong>"
    assert "stack" not in repr(first.sort[-1])
    assert first.sort == second.sort


@st.composite
def programs(draw):
    values = [leaf(draw(st.floats(-2, 2)), f"x{i}") for i in range(draw(st.integers(1, 4)))]
    for _ in range(draw(st.integers(1, 15))):
        x, y = draw(st.sampled_from(values)), draw(st.sampled_from(values))
        kind = draw(st.sampled_from("+*-t1"))
        made = {"+": x + y, "*": x * y, "-": x - y, "t": x.tanh(), "1": x * 0.5}[kind]
        values.append(made)
    return values[-1]


@settings(max_examples=300, deadline=None)
@given(programs())
def test_the_walk_of_any_graph_agrees_with_the_engine_bit_for_bit_when_unfolded(root):
    w = walk(snapshot(root, fold=False))
    order = topological_order(root)
    assert [step.sorted for step in w.sort][-1] == tuple(range(len(order)))
    root.backward()
    for value, grad, node in zip(order, w.grads, w.graph.nodes, strict=True):
        assert node.is_const or value.grad == grad


def test_an_order_of_many_nodes_takes_work_in_proportion_to_them() -> None:
    def count_lines(length: int) -> int:
        node = leaf = Value(1.0)
        for _ in range(length):
            node = node + leaf
        graph = snapshot(node)
        leaf_id = graph.leaves[0].id
        others = [i for i in reversed(range(graph.root)) if i != leaf_id]
        order = [graph.root, leaf_id, *others]  # all but the first push to the leaf come too late
        lines = 0

        def trace(frame, event, _argument):
            nonlocal lines
            lines += event == "line"
            return trace

        sys.settrace(trace)
        try:
            steps = walk(graph, order=order)
        finally:
            sys.settrace(None)
        assert len(steps.lost) == length  # the last adds the leaf to itself
        assert steps.lost[-1].path[:2] == (graph.root, graph.root - 1)
        return lines

    count_lines(10)
    assert count_lines(2000) < 12 * count_lines(200)


def test_a_lost_contribution_names_a_shortest_way() -> None:
    a, b = Value(2.0, label="a"), Value(3.0, label="b")
    c = a * b
    c.label = "c"
    d = c + a
    d.label = "d"
    root = d * c
    root.label = "root"
    steps = walk(root, order=["root", "c", "a", "b", "d"])
    ways = [[steps.graph.name(node) for node in lost.path] for lost in steps.lost]
    assert ways == [["root", "d", "c"], ["root", "d", "a"]]
