"""Attributes that the user adds to a Value: `p.m = 0`, as an optimiser of your own may do."""

import copy
import pickle

import pytest
from support import engines

pytest_generate_tests = engines.on_every_engine


def test_a_value_takes_attributes(Value) -> None:
    p = Value(2.0)
    p.m, p.velocity, p._vis_color = 0.0, [1.0], "red"
    p.m += 0.5
    assert (p.m, p.velocity, p._vis_color) == (0.5, [1.0], "red")
    assert vars(p) == {"m": 0.5, "velocity": [1.0], "_vis_color": "red"}


def test_so_does_the_result_of_any_operation(Value) -> None:
    a = Value(2.0)
    for node in (a * 3.0, a * a, a.tanh(), a.clip(0, 1), a / 3, Value(1.0, (a, a, a), (1, 2, 3))):
        before = node._children, node._local_grads
        node.index = 7
        assert (node.index, node._children, node._local_grads) == (7, *before)
        node.backward()


def test_a_missing_attribute_is_an_attribute_error(Value) -> None:
    p = Value(2.0)
    for _ in range(2):
        with pytest.raises(AttributeError, match="missing"):
            p.missing  # noqa: B018
        with pytest.raises(AttributeError):
            del p.missing
        p.other = 1


def test_an_attribute_hides_a_method_of_its_node_alone(Value) -> None:
    p, q = Value(2.0), Value(2.0)
    p.tanh = "mine"
    assert p.tanh == "mine"
    assert q.tanh().data == q.tanh().data
    del p.tanh
    assert p.tanh().data == q.tanh().data


def test_what_a_value_has_itself_stays_what_it_is(Value) -> None:
    p = Value(2.0)
    p.m = 1
    vars(p)["data"] = 5.0
    p.data, p.grad, p.label = 3.0, 1.0, "p"
    assert (p.data, p.grad, p.label, p.m) == (3.0, 1.0, "p", 1)
    with pytest.raises(AttributeError):
        p._prev = ()


def test_the_dict_can_be_replaced_by_another_dict_only(Value) -> None:
    p = Value(2.0)
    p.__dict__ = {"m": 3}
    assert p.m == 3
    with pytest.raises(TypeError, match="dict"):
        p.__dict__ = 3


def test_attributes_stay_when_the_inputs_change(Value) -> None:
    a = Value(2.0)
    p = a * 3.0
    p.m = 1
    p._children = (a, a)
    p.label = "p"
    assert (p.m, p.label, p._children) == (1, "p", (a, a))
    p.__init__(4.0)
    assert (p.m, p.data, p._children) == (1, 4.0, ())


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_copies_have_them(Value, copied) -> None:
    a = Value(2.0)
    node = a * 3.0
    a.m, node.m = [1], [2]
    twin = copied(node)
    assert (twin.m, twin._children[0].m) == ([2], [1])
    assert (twin.m is node.m) == (copied is copy.copy)


@pytest.mark.parametrize("copied", [copy.deepcopy, COPIES["pickle"]], ids=["deepcopy", "pickle"])
def test_copies_of_a_node_that_leads_to_itself_do_so_too(Value, copied) -> None:
    node = Value(2.0) * 3.0
    node.me = node
    twin = copied(node)
    assert twin.me is twin
