"""The engine by its worked examples (X1 to X9) and its features (E1 to E14, one section each)."""

import math

import pytest
from support import engines
from support.alone import run
from support.bits import same
from support.examples import EXAMPLES

import gradwalk
from gradwalk import ops
from gradwalk.errors import BackendError, BackwardError, OperandError

pytest_generate_tests = engines.on_every_engine


@pytest.mark.parametrize("example", EXAMPLES)
def test_worked_example_gives_exactly_its_numbers(Value, example: str) -> None:
    text, leaves, data, grads = EXAMPLES[example]
    names = {op.name: op for op in ops.TABLE} | {k: Value(x) for k, x in leaves.items()}
    *named, last = text.split("; ")
    exec("; ".join(named), names)
    made, _, last = last.rpartition(" = ")
    root = names[made] = eval(last, names)
    root.backward()
    exact = example != "X2"  # whose bias is a number rounded
    for field, numbers in (("data", data), ("grad", grads)):
        found = {name: getattr(names[name], field) for name in numbers}
        assert found == (numbers if exact else pytest.approx(numbers, abs=1e-9))


# ── E1 E2: the fields, in micrograd's names and in microGPT's ────────────────────────────────


def test_E1_a_node_holds_data_grad_its_inputs_in_order_and_a_local_gradient_for_each(Value) -> None:
    a, b = Value(2), Value(-3.0)
    out = a * b
    assert (out.data, out.grad) == (-6.0, 0.0)
    assert isinstance(a.data, float)
    left, right = out._children
    assert left is a
    assert right is b
    assert out._local_grads == (-3.0, 2.0)


def test_E2_micrograds_constructor_takes_children_op_and_label(Value) -> None:
    a, b = Value(2.0, label="a"), Value(3.0, label="b")
    out = Value(5.0, (a, b), "+", "sum")
    assert (out.data, out._op, out.label, out._prev) == (5.0, "+", "sum", {a, b})


def test_E2_repr_starts_as_micrograds_does_and_adds_grad_and_label(Value) -> None:
    assert repr(Value(2.5)) == "Value(data=2.5, grad=0.0)"
    assert repr(Value(2.5, label="a")) == "Value(data=2.5, grad=0.0, label='a')"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("3",), "Value takes a real number, not str: '3'"),
        ((None,), "Value takes a real number, not NoneType: None"),
        ((1j,), "Value takes a real number, not complex: 1j"),
        ((1.0, (2.0,)), "an input is a Value, not float: 2.0"),
        ((1.0, ("LEAF",), (1.0, 2.0)), "1 inputs need as many local gradients, not (1.0, 2.0)"),
        ((1.0, ("LEAF",), ("x",)), "a local gradient is a real number, not str: 'x'"),
        ((1.0, ("LEAF",), ("LEAF",)), "a local gradient is a real number, not Value: Value(data="),
        ((1.0, ("LEAF",), [2.0]), "or a tuple of local gradients, not list: [2.0]"),
        ((1.0, (), None), "or a tuple of local gradients, not NoneType: None"),
    ],
)
def test_E2_a_bad_argument_is_named(Value, arguments: tuple, complaint: str) -> None:
    leaf = Value(1.0)
    given = [
        tuple(leaf if thing == "LEAF" else thing for thing in argument)
        if isinstance(argument, tuple)
        else argument
        for argument in arguments
    ]
    with pytest.raises(OperandError) as caught:
        Value(*given)
    assert complaint in str(caught.value)


def test_E2_a_node_made_without_a_rule_pushes_nothing_as_in_micrograd(Value) -> None:
    a = Value(2.0)
    Value(4.0, (a,), "double").backward()
    assert a.grad == 0.0


# ── E3: the primitives ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("x", [400.0, -400.0, math.inf])
def test_E3_tanh_is_right_where_exp_overflows(Value, x: float) -> None:
    a = Value(x)
    out = a.tanh()
    out.backward()
    assert (out.data, a.grad) == (math.copysign(1.0, x), 0.0)


def test_E3_local_gradients_are_those_of_the_recorded_point(Value) -> None:
    a, b = Value(2.0), Value(3.0)
    out = a * b
    a.data = b.data = 100.0
    out.backward()
    assert (out.data, a.grad, b.grad) == (6.0, 3.0, 2.0)


# ── E4 E5: derived operations, constants ─────────────────────────────────────────────────────


def test_E4_minus_is_recorded_as_plus_times_minus_one(Value) -> None:
    a, b = Value(0.1), Value(0.7)
    out = a - b
    assert out._op == "-"
    assert out._children[0] is a
    inner = out._children[1]
    assert (inner._op, inner._children[0] is b, inner._children[1].data) == ("neg", True, -1.0)
    assert out.data == 0.1 + (0.7 * -1)


def test_E4_divide_is_recorded_as_times_power_minus_one_to_the_last_bit(Value) -> None:
    a, b = Value(5.0), Value(49.0)
    out = a / b
    out.backward()
    assert out.data == 5.0 * 49.0**-1 != 5.0 / 49.0
    inner = out._children[1]
    assert (out._op, inner._op, inner._children[0] is b) == ("/", "**", True)
    assert (a.grad, b.grad) == (49.0**-1, -1 * 49.0**-2 * 5.0)


@pytest.mark.parametrize(
    "program",
    ["a + 3", "3 + a", "a * 3", "3 * a", "a - 3", "3 - a", "a / 3", "3 / a", "a ** 3", "3 ** a"],
)
def test_E5_a_plain_number_is_tagged_const_and_receives_no_gradient(
    Value, topological_order, program: str
) -> None:
    a = Value(2.0)
    out = eval(program, {"a": a})
    out.backward()
    constants = [node for node in topological_order(out) if node._op == "const"]
    assert 3.0 in [node.data for node in constants]
    assert {node.grad for node in constants} == {0.0}
    assert a.grad != 0.0


# ── E6 E7 E8 E9: backward ────────────────────────────────────────────────────────────────────


def test_E7_the_order_of_table_3_is_kept(Value, topological_order) -> None:
    a, b = Value(2.0, label="a"), Value(3.0, label="b")
    c = a * b
    L = c + a
    c.label, L.label = "c", "L"
    order = topological_order(L)
    assert [node.label for node in order] == ["a", "b", "c", "L"]


def test_E7_inputs_come_before_consumers_and_each_node_once(Value, topological_order) -> None:
    a = Value(1.5)
    nodes = [a]
    for i in range(40):
        nodes.append(nodes[i // 2] * nodes[i] + nodes[-1])
    order = topological_order(nodes[-1])
    place = {node: i for i, node in enumerate(order)}
    assert len(place) == len(order)
    assert order[-1] is nodes[-1]
    assert all(place[child] < place[node] for node in order for child in node._children)


def test_a_leaf_is_a_root_too_and_accumulates_as_leaves_do(Value) -> None:
    a = Value(2.0)
    a.backward()
    assert a.grad == 1.0
    a.backward()
    assert a.grad == 2.0


# ── E10: buffers ─────────────────────────────────────────────────────────────────────────────


def test_E10_backward_with_reused_buffers_equals_backward_without(Value, Buffers) -> None:
    buffers = Buffers()
    for step in range(1000):
        a, b = Value(step / 7), Value(3.0)
        ((a * b).tanh() + a).backward(buffers)
        c, d = Value(step / 7), Value(3.0)
        ((c * d).tanh() + c).backward()
        assert same((a.grad, b.grad), (c.grad, d.grad))


def test_E10_buffers_hold_no_node_afterwards(Value, Buffers) -> None:
    buffers = Buffers()
    (Value(2.0) * Value(3.0)).backward(buffers)
    assert [len(part) for part in (buffers.order, buffers.visited, buffers.stack)] == [0, 0, 0]


def test_E10_buffers_in_use_are_refused_and_usable_again_after(Value, Buffers) -> None:
    buffers = Buffers()
    a, other = Value(2.0), Value(5.0) * 2
    root = Value(4.0, (a,), "nested")
    root._backward = lambda: other.backward(buffers)
    with pytest.raises(BackwardError, match="in use by a backward"):
        root.backward(buffers)
    (a * 3).backward(buffers)
    assert (a.grad, root.grad) == (3.0, 0.0)


def test_E10_anything_but_buffers_is_refused(Value) -> None:
    with pytest.raises(OperandError, match="backward takes Buffers or nothing, not list"):
        Value(1.0).backward([])


# ── E11: what is skipped ─────────────────────────────────────────────────────────────────────


def test_E11_a_node_with_gradient_zero_pushes_nothing_not_even_nan(Value) -> None:
    a, dead = Value(0.0), Value(-1.0)
    (a.log() * dead.relu()).backward()  # 0 · inf would be nan
    assert same([a.grad], [0.0])


# ── E12: again and again ─────────────────────────────────────────────────────────────────────


def test_E12_a_second_backward_adds_exactly_the_same_to_the_leaves(Value) -> None:
    a, b = Value(2.0), Value(-3.0)
    s = a * b
    root = s * s + a
    root.backward()
    first = (a.grad, b.grad)
    root.backward()
    assert (a.grad, b.grad) == (2 * first[0], 2 * first[1])
    assert (root.grad, s.grad) == (1.0, -12.0)


def test_E12_zero_grad_of_a_root_resets_all_below_it(Value, zero_grad) -> None:
    a, b = Value(2.0), Value(3.0)
    product = a * b
    root = product + a
    root.backward()
    zero_grad(root)
    assert [node.grad for node in (a, b, product, root)] == [0.0] * 4
    root.backward()
    assert (a.grad, b.grad) == (4.0, 2.0)


@pytest.mark.parametrize("wrong", [[1.0], "ab"])
def test_E12_zero_grad_names_what_is_not_a_value(zero_grad, wrong: object) -> None:
    with pytest.raises(OperandError, match=r"zero_grad takes Values, not (float|str)"):
        zero_grad(wrong)


# ── E14: rules of one's own, right and wrong ─────────────────────────────────────────────────


def micrograd_product(Value, a, b, *, overwrite: bool):
    """A product as micrograd writes one; its 6th version has = where the 7th has +=."""
    out = Value(a.data * b.data, (a, b), "*")

    def push() -> None:
        a.grad = b.data * out.grad + (0.0 if overwrite else a.grad)
        b.grad = a.data * out.grad + (0.0 if overwrite else b.grad)

    out._backward = push
    return out


@pytest.mark.parametrize(("overwrite", "grad"), [(False, 6.0), (True, 3.0)])
def test_E14_the_overwrite_bug_and_its_fix_run_on_the_same_graph(Value, overwrite, grad) -> None:
    a = Value(3.0)
    micrograd_product(Value, a, a, overwrite=overwrite).backward()
    assert a.grad == grad


def test_a_custom_backward_replaces_the_local_gradients_of_an_ordinary_node(Value) -> None:
    a = Value(2.0)
    out = a * 3
    pushed = []
    out._backward = lambda: pushed.append(out.grad)
    out.backward()
    assert (pushed, a.grad, out._local_grads) == ([1.0], 0.0, None)


def test_calling_backward_of_each_node_by_hand_pushes_one_step(Value) -> None:
    a, b = Value(2.0), Value(3.0)
    c = a * b
    L = c + a
    L.grad = 1.0
    for node in (L, c, b, a):
        node._backward()
    assert (L.grad, c.grad, b.grad, a.grad) == (1.0, 1.0, 2.0, 4.0)


def test_a_leaf_that_is_given_inputs_later_passes_its_gradient_on_to_them(Value) -> None:
    a, x = Value(2.0), Value(3.0)
    first, second = x * a, a * x
    a.__init__(5.0, (x,), (7.0,))
    first.backward()
    assert (a.grad, x.grad) == (3.0, 2.0 + 3.0 * 7.0)
    second.backward()
    assert (a.grad, x.grad) == (3.0, 2 * (2.0 + 3.0 * 7.0))


# ── All or nothing ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("exception", [KeyboardInterrupt, ZeroDivisionError])
def test_an_exception_inside_backward_leaves_every_gradient_as_it_was(Value, exception) -> None:
    a = Value(2.0)
    middle = Value(a.data, (a,), "breaks")

    def push() -> None:
        a.grad += 1.0
        raise exception

    inner = middle * 3
    root = inner.exp() + a
    root.backward()
    middle._backward = push
    inner.grad = -0.0
    before = [node.grad for node in (a, middle, inner, root)]
    with pytest.raises(exception):
        root.backward()
    after = [node.grad for node in (a, middle, inner, root)]
    assert same(after, before)


def test_ctrl_c_in_the_middle_of_a_long_backward_leaves_every_gradient_as_it_was(engine_name):
    # The signal comes while the walk runs: a node half-way arms the timer, and what is left takes
    # far longer than it. The chain is doubled until the interrupt falls inside.
    script = """
import signal, time
from gradwalk import Value
from gradwalk.engine import topological_order

def interrupt(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGALRM, interrupt)
length = 20_000
while True:
    leaf = Value(1.5)
    leaf.grad = 0.25
    node = leaf
    for i in range(length):
        node = node + leaf
        if i == length // 2:
            armed = node = Value(node.data, (node,), "arms")
    def push():
        armed._children[0].grad += armed.grad
        signal.setitimer(signal.ITIMER_REAL, 0.001)
    armed._backward = push
    order = topological_order(node)
    for i, each in enumerate(order):
        each.grad = float(i)
    try:
        node.backward()
        time.sleep(0.1)  # and not signal.pause: a signal that came just before would never end it
    except KeyboardInterrupt:
        pass
    if [each.grad for each in order] == [float(i) for i in range(len(order))]:
        print("as before")
        break
    assert node.grad == 1.0 and armed.grad == 1.0  # the walk was over before the signal came
    length *= 2
"""
    assert run(script, engine_name) == "as before\n"


# ── The door ─────────────────────────────────────────────────────────────────────────────────


def test_backend_names_the_engine_that_was_asked_for(engine_name: str) -> None:
    script = "import gradwalk; print(gradwalk.backend())"
    assert run(script, engine_name) == f"{engine_name}\n"


def test_an_unknown_backend_is_an_error_that_lists_the_known() -> None:
    script = (
        "try:\n    import gradwalk\nexcept ImportError as error:\n"
        "    print(type(error).__name__, error)"
    )
    assert run(script, "cuda") == (
        f"{BackendError.__name__} GRADWALK_BACKEND is python, native or auto, not 'cuda'\n"
    )


def test_value_says_where_users_find_it(Value) -> None:
    assert f"{Value.__module__}.{Value.__qualname__}" == "gradwalk.Value"
    assert gradwalk.Value.__module__ == "gradwalk"
