"""copy, deepcopy, pickle and weak references: what is shared, made again, refused."""

import copy
import gc
import pickle
import weakref

import pytest
from support import engines

from gradwalk import Value as TheValue
from gradwalk import ops
from gradwalk.errors import GraphError, OperandError

pytest_generate_tests = engines.on_every_engine

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


class Tagged(TheValue):
    """A subclass with a __dict__."""


class Slotted(TheValue):
    """A subclass with slots only, one of them private."""

    __slots__ = ("__secret", "note")

    def hide(self, secret: object) -> None:
        self.__secret = secret

    def reveal(self) -> object:
        return self.__secret


def fields(value) -> tuple:
    return (value.data, value.grad, value.label, value._op, value._local_grads)


def assert_same_graph(topological_order, left, right) -> None:
    """The two graphs have equal nodes, joined in the same way, and none in common."""
    lefts, rights = topological_order(left), topological_order(right)
    assert [*map(fields, lefts)] == [*map(fields, rights)]
    place = {node: i for i, node in enumerate(lefts)}
    twin_place = {node: i for i, node in enumerate(rights)}
    assert [[place[child] for child in node._children] for node in lefts] == [
        [twin_place[child] for child in node._children] for node in rights
    ]
    assert not place.keys() & twin_place.keys()


def sample(Value):
    a, b = Value(2.0, label="a"), Value(-3.0, label="b")
    shared = a * b
    root = (shared - a).tanh() / shared + a**2 + shared * shared
    root.label = "root"
    root.backward()
    return root


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_pickled_graph_comes_back_whole(Value, topological_order, protocol: int) -> None:
    root = sample(Value)
    assert_same_graph(topological_order, root, pickle.loads(pickle.dumps(root, protocol)))


def test_a_deep_copied_graph_is_whole_and_apart(Value, topological_order) -> None:
    root = sample(Value)
    assert_same_graph(topological_order, root, copy.deepcopy(root))


@pytest.mark.parametrize("again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_values_copied_together_keep_sharing_their_graph(Value, again) -> None:
    a = Value(2.0)
    middle = a * 3
    first, second = middle + a, middle * a
    [a2, first2, middle2, second2] = again([a, first, middle, second])
    assert first2._children[0] is middle2 is second2._children[0]
    assert middle2._children[0] is a2 is first2._children[1] is second2._children[1]


def test_a_shallow_copy_is_a_new_node_over_the_same_inputs(Value) -> None:
    a, b = Value(2.0), Value(3.0)
    out = a * b
    out.label, out.grad = "out", 5.0
    twin = copy.copy(out)
    assert twin is not out
    assert fields(twin) == fields(out)
    assert all(x is y for x, y in zip(twin._children, out._children, strict=True))


def subclass_instance(kind):
    node = kind(5.0, (kind(2.0),), (2.5,), "sub")
    node.note = ["kept"]
    return node


@pytest.mark.parametrize("kind", [Tagged, Slotted])
@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_subclass_keeps_its_type_and_what_it_added(again, kind) -> None:
    twin = again(subclass_instance(kind))
    assert (type(twin), type(twin._children[0])) == (kind, kind)
    assert (twin.data, twin.note) == (5.0, ["kept"])


def test_private_and_unset_slots_of_a_subclass_survive() -> None:
    node = Slotted(1.0)
    node.hide("treasure")
    twin = pickle.loads(pickle.dumps(node))
    assert twin.reveal() == "treasure"
    assert not hasattr(twin, "note")


@pytest.mark.parametrize("again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_what_a_subclass_added_may_lead_back_to_the_node(again) -> None:
    node = Tagged(1.0)
    consumer = node * 2
    node.me, node.consumer = node, consumer
    twin = again(node)
    assert twin.me is twin
    assert twin.consumer._children[0] is twin


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_node_with_a_backward_of_its_own_is_refused_with_the_remedy(Value, again) -> None:
    a = Value(2.0)
    out = Value(4.0, (a,), "double")
    out._backward = lambda: None
    with pytest.raises(GraphError, match=r"give it local gradients instead"):
        again(out)


def test_a_dump_that_failed_half_way_does_not_spoil_the_next(Value, topological_order) -> None:
    a = Value(2.0)
    bad = Value(4.0, (a,), "double")
    bad._backward = lambda: None
    with pytest.raises(GraphError):
        pickle.dumps(bad * 3 + a)
    root = sample(Value)
    assert_same_graph(topological_order, root, pickle.loads(pickle.dumps(root)))


def test_pickling_inside_pickling_keeps_both_whole() -> None:
    class Nested(TheValue):
        def __getattribute__(self, name: str):
            if name == "label":
                pickle.dumps(super().__getattribute__("data") * TheValue(2.0) * 3)
            return super().__getattribute__(name)

    globals()["Nested"] = Nested
    Nested.__qualname__ = "Nested"
    node = Nested(2.0)
    chain = node * 2 * 3 * 4
    twin = pickle.loads(pickle.dumps(chain))
    assert (twin.data, type(twin._children[0]._children[0]._children[0])) == (48.0, Nested)


def test_rows_of_the_table_pickle_by_name() -> None:
    assert all(pickle.loads(pickle.dumps(op)) is op for op in ops.TABLE)


def test_a_node_is_freed_with_its_last_reference(Value) -> None:
    gc.disable()  # so that only reference counting can free it
    try:
        a = Value(2.0)
        root = a * 3 + a
        inner = weakref.ref(root._children[0])
        root.backward()
        del root
        assert inner() is None
    finally:
        gc.enable()


def test_a_label_cannot_close_a_cycle(Value) -> None:
    a = Value(2.0)
    with pytest.raises(OperandError, match="a label is a str, not list"):
        a.label = [a]


def test_a_label_that_no_file_can_hold_is_refused_at_once(Value) -> None:
    a = Value(2.0, label="a")
    for refused in (lambda: setattr(a, "label", "\ud800"), lambda: Value(2.0, label="\ud800")):
        with pytest.raises(OperandError, match=r"surrogate pair, as in the label '\\ud800'"):
            refused()
    assert a.label == "a"
