"""paths: every way a gradient comes, without going every way."""

from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwalk import GraphError, Value, parse, paths, snapshot


def leaf(data: float, label: str) -> Value:
    return Value(data, label=label)


def ladder(steps: int, *weights: float) -> tuple[Value, Value]:
    """A chain of steps, each with one edge for each weight: len(weights)**steps paths."""
    v = a = leaf(1.0, "a")
    for _ in range(steps):
        v = sum([v * weight for weight in weights[1:]], v * weights[0])
    return v, a


def test_the_target_may_be_a_value_a_name_an_id_or_a_node():
    a = leaf(2, "a")
    root = (a + 1) * a
    graph = snapshot(root)
    totals = [paths(root, to).total for to in (a, "a", 0)] + [paths(graph, graph[0]).total]
    assert totals == [5.0] * 4
    assert a.label == "a"


def test_exponentially_many_paths_are_counted_exactly_and_the_largest_found():
    root, a = ladder(200, 1.0, 1.0)
    found = paths(root, a, most=5)
    assert found.count == 2**200
    assert found.total == 2.0**200
    assert [p.product for p in found.largest] == [1.0] * 5
    assert not found.complete


@pytest.mark.parametrize("weights", [(0.5, -0.9), (0.3, 0.7, 1.1), (1 / 3, 1 / 3 + 1e-16)])
def test_the_largest_come_first_as_full_enumeration_finds_them(weights):
    steps = 6
    root, a = ladder(steps, *weights)
    found = paths(root, a, most=20)
    every = sorted((prod(w) for w in product(weights, repeat=steps)), key=abs, reverse=True)
    assert [abs(p.product) for p in found.largest] == pytest.approx(
        [abs(p) for p in every[:20]], rel=1e-12
    )
    assert found.count == len(weights) ** steps


def test_rounding_does_not_send_the_search_through_all_paths():
    root, a = ladder(300, 1 / 3, 1 / 3 + 1e-9, 0.1)
    assert len(paths(root, a, most=50).largest) == 50


def test_a_value_outside_the_graph_is_an_error():
    with pytest.raises(GraphError, match=r"is not in the graph"):
        paths(leaf(1, "a") * 2, leaf(3, "b"))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(["a + b", "a * b", "a * a", "a - b", "b * 0.5"]), max_size=5),
    st.floats(-2, 2),
)
def test_the_paths_of_any_graph_sum_to_the_gradient_the_engine_finds(steps, x):
    text = "; ".join(["a = c + b", *[f"a = {step}" for step in steps], "a * b + b"])
    root = parse(text).evaluate({"b": 1.5, "c": x})
    found = paths(root, "b", most=10**6)
    graph = found.graph
    assert found.complete
    assert sum(p.product for p in found.largest) == pytest.approx(found.total, rel=1e-9, abs=1e-12)
    root.backward()
    assert snapshot(root)[found.to].grad == pytest.approx(found.total, rel=1e-9, abs=1e-12)
    assert all(p.product == pytest.approx(prod(p.locals)) for p in found.largest)
    assert graph[found.to].label == "b"


def test_what_is_not_listed_is_in_the_rest():
    root, a = ladder(4, 0.5, 0.25)
    found = paths(root, a, most=3)
    assert found.rest + sum(p.product for p in found.largest) == pytest.approx(0.75**4)
