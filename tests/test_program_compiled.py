"""What a user holds: compile, record, arguments and results, gradients, training, explaining."""

# ruff: noqa: PLW0108  (a lambda has the signature that is recorded, and a line of its own)

import copy
import dataclasses
import enum
import math
import pickle
import random
from array import array
from collections import namedtuple

import numpy as np
import pytest

import gradwalk
from gradwalk import (
    AnomalyError,
    OperandError,
    ProgramError,
    ProgramFileError,
    RecordingError,
    TakeError,
    Value,
    compile,  # noqa: A004
    detect_anomaly,
    optim,
    where,
)
from gradwalk.engine import nary
from gradwalk.gpt import GPT, Config, FastGPT
from gradwalk.program import Compiled, Program, inspection, ir
from gradwalk.program.files import packed, unpacked
from gradwalk.program.train import Trainer

# ── Recording and replay ─────────────────────────────────────────────────────────────────────


def test_a_function_runs_once_and_is_replayed_from_then_on(backend: str, capsys) -> None:
    @compile
    def f(x, y=2.0):
        print("once")
        return x * x + y

    assert [f(1.0), f(2.0), f(3.0, y=5.0), f(x=4.0)] == [3.0, 6.0, 14.0, 18.0]
    assert capsys.readouterr().out == "once\n"
    assert len(f._store) == 1
    assert f.__name__ == "f"
    assert repr(f) == "<compiled f(x, y), 1 recording>"


def test_compile_with_options_is_a_decorator_too(backend: str) -> None:
    @compile(static=("n",))
    def power(x, n):
        result = 1.0
        for _ in range(n):
            result = result * x
        return result

    assert [power(2.0, 3), power(2.0, 5), power(3.0, 3)] == [8.0, 32.0, 27.0]
    assert len(power._store) == 2
    assert power.value_and_grad(2.0, 3) == (8.0, {"x": 12.0})
    with pytest.raises(OperandError, match="static names 'm', and power takes x, n"):
        compile(static=("m",))(power.function)
    with pytest.raises(OperandError, match="n is static, so it must be hashable; a list is not"):
        power(2.0, [3])


def test_static_values_are_told_apart_by_type(backend: str) -> None:
    program = compile(static="n")(lambda x, n: x * 2.0 if n is True else x)
    assert [program(3.0, True), program(3.0, 1), program(3.0, 1.0)] == [6.0, 3.0, 3.0]
    assert len(program._store) == 3
    nested = compile(static="n")(lambda x, n: x * 2.0 if n[0] is True else x)
    assert [nested(3.0, (1,)), nested(3.0, (True,))] == [3.0, 6.0]
    signed = compile(static="n")(lambda x, n: x * math.copysign(1.0, n))
    assert [signed(3.0, 0.0), signed(3.0, -0.0)] == [3.0, -3.0]


def test_arguments_may_have_any_name(backend: str) -> None:
    f = compile(lambda self, optimizer: self * optimizer)
    assert f(self=2.0, optimizer=3.0) == 6.0
    assert f.value_and_grad(self=2.0, optimizer=3.0) == (6.0, {"self": 3.0, "optimizer": 2.0})
    w = Value(1.0)
    moved = compile(lambda self, optimizer: self * optimizer * w)
    with moved.train(optim.SGD([w], lr=0.1)) as run:
        assert run.step(self=2.0, optimizer=3.0) == 6.0


@pytest.mark.parametrize("base", [enum.Enum, enum.IntEnum, enum.IntFlag])
def test_a_member_of_an_enum_chooses_also_where_it_is_a_number(base, backend: str) -> None:
    Side = base("Side", ["CALL", "PUT"])
    f = compile(lambda x, side: x if side is Side.CALL else -x)
    assert [f(1.0, side) for side in (Side.CALL, Side.PUT, Side.CALL)] == [1.0, -1.0, 1.0]
    assert len(f._store) == 2
    assert "side is <Side.PUT: 2>, was <Side.CALL: 1>" in f.explain()
    assert compile(lambda x: [x, Side.PUT])(1.0) == [1.0, Side.PUT]


def test_keys_that_are_equal_and_of_another_type_are_another_structure(backend: str) -> None:
    f = compile(lambda d: sum([v * (10.0 if isinstance(k, bool) else 1.0) for k, v in d.items()]))
    assert [f({1: 2.0}), f({True: 2.0}), f({1: 2.0}), f({1.0: 2.0})] == [2.0, 20.0, 2.0, 2.0]
    assert len(f._store) == 3
    again = Compiled(unpacked(packed(f._store)))
    assert [again({1: 2.0}), again({True: 2.0})] == [2.0, 20.0]
    nested = compile(lambda d: sum([v * (10.0 if k[0] is True else 1.0) for k, v in d.items()]))
    assert [nested({(1,): 2.0}), nested({(True,): 2.0})] == [2.0, 20.0]
    assert f.map({True: np.array([1.0, 2.0])}).tolist() == [10.0, 20.0]


def test_a_dataclass_that_computes_when_it_is_made_is_not_asked_again(backend: str) -> None:
    @dataclasses.dataclass
    class Market:
        vol: float
        variance: float = dataclasses.field(init=False)

        def __post_init__(self):
            if self.vol <= 0.0:
                raise ValueError("a vol is positive")
            self.vol = self.vol / 100
            self.variance = self.vol**2

    f = compile(lambda m: m.variance - 3.0 * m.vol)
    value, grads = f.value_and_grad(Market(20.0))
    assert value == f.function(Market(20.0))
    assert (grads["m"].vol, grads["m"].variance) == (-3.0, 1.0)


def test_what_a_dataclass_has_beside_its_fields_is_recorded(backend: str) -> None:
    @dataclasses.dataclass
    class Rate:
        rate: float
        times: list[float]

        def __post_init__(self):
            self.times = list(self.times)
            self.factor = math.exp(-self.rate)

    f = compile(lambda r: r.factor * r.times[0])
    assert f.value_and_grad(Rate(0.1, [2.0]))[1]["r"].rate == pytest.approx(-2.0 * math.exp(-0.1))
    assert f(Rate(0.3, [2.0])) == pytest.approx(2.0 * math.exp(-0.3))


def test_dataclasses_and_named_tuples_are_results(backend: str) -> None:
    Greeks = namedtuple("Greeks", "delta gammas")

    @dataclasses.dataclass(frozen=True, slots=True)
    class Report:
        price: float
        greeks: Greeks
        name: str = "call"

    f = compile(lambda x: Report(x * x, Greeks(2.0 * x, [2.0])))
    assert f(3.0) == Report(9.0, Greeks(6.0, [2.0]))
    assert f(4.0) == Report(16.0, Greeks(8.0, [2.0]))
    rows = f.map(np.array([1.0, 2.0]))
    assert rows["price"].tolist() == [1.0, 4.0]
    assert rows["greeks"]["delta"].tolist() == [2.0, 4.0]
    assert f.map(np.array([1.0, 2.0]), reduce="sum") == Report(5.0, Greeks(6.0, [4.0]))
    without_source = Compiled(unpacked(packed(f._store)))(3.0)  # a file holds no classes
    assert without_source == {
        "price": 9.0, "greeks": {"delta": 6.0, "gammas": [2.0]}, "name": "call"
    }  # fmt: skip


def test_methods_record_for_each_instance(backend: str) -> None:
    class Model:
        def __init__(self, w: float) -> None:
            self.w = Value(w)

        @compile
        def predict(self, x):
            return self.w * x

    one, two = Model(2.0), Model(3.0)
    assert (one.predict(5.0), two.predict(5.0)) == (10.0, 15.0)
    assert one.predict is one.predict
    assert len(one.predict._store) == len(two.predict._store) == 1
    one.w.data = 7.0
    assert one.predict(5.0) == 35.0
    assert isinstance(Model.predict, Compiled)


class Scaled:
    """At the top of the module, so that pickle finds it."""

    def __init__(self, k: float) -> None:
        self.k, self.w = k, Value(k)

    @compile
    def scale(self, x):
        return self.w * x * self.k


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_copied_instance_computes_with_its_own_numbers(backend: str, copied) -> None:
    one = Scaled(2.0)
    assert one.scale(1.0) == 4.0
    two = copied(one)
    two.k, two.w = 5.0, Value(3.0)
    assert (two.scale(1.0), one.scale(1.0)) == (15.0, 4.0)
    assert two.scale is two.scale


def test_methods_can_be_inherited_overridden_and_replaced(backend: str) -> None:
    class Tenfold(Scaled):
        @compile
        def scale(self, x):
            return super().scale(x) * 10.0

        def plainly(self, x):
            return super().scale(x)

    model = Tenfold(2.0)
    assert (model.scale(1.0), model.plainly(1.0)) == (40.0, 4.0)
    model.scale = lambda x: -x
    assert model.scale(1.0) == -1.0
    del model.scale
    assert model.scale(1.0) == 40.0
    with pytest.raises(AttributeError, match="scale"):
        del model.scale


def test_arguments_are_bound_as_python_binds_them_at_any_call(backend: str) -> None:
    def both(x, /, y, z=3.0, *, w=4.0):
        return x + 10.0 * y + 100.0 * z + 1000.0 * w

    def placed(x, y, z=3.0):
        return x + 10.0 * y + 100.0 * z

    calls = [((1.0, 2.0), {}), ((1.0,), {"y": 2.0}), ((1.0, 2.0, 5.0), {}), ((), {}),
             ((1.0, 2.0), {"w": 5.0}), ((1.0, 2.0), {"z": 5.0}), ((1.0,), {"x": 2.0, "y": 1.0}),
             ((), {"x": 2.0, "y": 1.0}), ((1.0, 2.0, 3.0, 4.0), {}), ((1.0, 2.0), {"y": 2.0}),
             ((1.0, 2.0), {"q": 2.0}), ((1.0,), {"z": 2.0}),
             ((1.0,), {"z": 2.0, "y": 7.0})]  # fmt: skip
    for function in (both, placed):
        program = compile(function)
        for _ in range(2):
            for args, named in calls:
                try:
                    wanted = function(*args, **named)
                except TypeError:
                    for call in (program, program.value_and_grad, program.map):
                        with pytest.raises(OperandError, match=function.__name__):
                            call(*args, **named)
                else:
                    assert program(*args, **named) == wanted
                    value, grads = program.value_and_grad(*args, **named, wrt=["y"])
                    assert (value, grads) == (wanted, {"y": 10.0})
        assert len(program._store) == 1


def test_the_gradient_by_a_list_without_numbers_is_such_a_list(backend: str) -> None:
    f = compile(lambda x, z, how: x + sum(z))
    assert f.value_and_grad(1.0, [], "so") == (1.0, {"x": 1.0, "z": []})
    assert f.value_and_grad(1.0, (), "so", wrt="z") == (1.0, {"z": ()})
    total = compile(lambda z: sum(z, 0.0))
    assert total.value_and_grad([]) == (0.0, {"z": []})
    with pytest.raises(OperandError, match="'how', which is 'so': it holds no number"):
        f.value_and_grad(1.0, [], "so", wrt="how")


def test_a_function_whose_arguments_cannot_be_told_is_refused() -> None:
    with pytest.raises(OperandError, match=r"which arguments max takes.*lambda x, y: max\(x, y\)"):
        compile(max)


def test_a_class_defined_anew_is_another_structure(backend: str) -> None:
    def market(factor: float):
        @dataclasses.dataclass
        class Market:
            rate: float

            def growth(self):
                return self.rate * factor

        return Market

    f = compile(lambda m: m.growth())
    old, new = market(2.0), market(3.0)
    assert [f(old(1.0)), f(new(1.0)), f(old(2.0))] == [2.0, 3.0, 4.0]
    assert len(f._store) == 2
    assert "m is a " in f.explain()
    with pytest.raises(ProgramFileError, match="classes of one name"):
        f.save("never")


def test_wrong_arguments_are_named(backend: str) -> None:
    f = compile(lambda x, y: x * y)
    with pytest.raises(OperandError, match="missing a required argument: 'y'"):
        f(1.0)
    with pytest.raises(OperandError, match="unexpected keyword argument 'z'"):
        f(1.0, 3.0, z=2.0)
    with pytest.raises(
        OperandError, match=r"x\[1\]\['k'\] is a object: an argument .*static=\('x',"
    ):
        f([1.0, {"k": object()}], 2.0)
    with pytest.raises(OperandError, match="compile takes a function, not int"):
        compile(3)


# ── The structure of arguments and results ───────────────────────────────────────────────────

Pair = namedtuple("Pair", "left right")


@dataclasses.dataclass
class Market:
    spot: float
    curve: list
    name: str = "x"


def test_arguments_of_every_structure_and_gradients_in_their_shape(backend: str) -> None:
    @compile
    def f(a, b, c, d, e, g, h):
        return (
            a + b[0] * b[1] + c[0][1] * c[1][0] + d["p"] * d["q"][1]
            + e.spot * e.curve[1] + g.left * g.right + (h[0] * 2.0 if h[1] is None else 0.0)
        )  # fmt: skip

    arguments = (
        1, [2.0, 3.0], ([4.0, 5.0], [6.0]), {"p": 7.0, "q": (8.0, 9.0)},
        Market(10.0, [11.0, 12.0]), Pair(13.0, 14.0), (15.0, None),
    )  # fmt: skip
    value, grads = f.value_and_grad(*arguments)
    assert value == 1 + 6 + 30 + 63 + 120 + 182 + 30
    assert grads == {
        "a": 1.0,
        "b": [3.0, 2.0],
        "c": ([0.0, 6.0], [5.0]),
        "d": {"p": 9.0, "q": (0.0, 7.0)},
        "e": Market(12.0, [0.0, 10.0], "x"),
        "g": Pair(14.0, 13.0),
        "h": (2.0, None),
    }
    assert f(*arguments) == value
    assert len(f._store) == 1


def test_results_keep_their_structure(backend: str) -> None:
    w = Value(5.0)
    f = compile(
        lambda x: {"a": [x, (x * x, 3)], "b": None, "c": w, "d": w * x, "e": "text", "f": True}
    )
    assert f(2.0) == {
        "a": [2.0, (4.0, 3.0)],
        "b": None,
        "c": 5.0,
        "d": 10.0,
        "e": "text",
        "f": True,
    }
    w.data = 6.0
    assert f(3.0)["d"] == 18.0
    assert compile(lambda x: [x, x + 1.0])(1.0) == [1.0, 2.0]
    assert compile(lambda x: 7)(1.0) == 7.0
    with pytest.raises(RecordingError, match=r"returns a number, or lists, .* not object"):
        compile(lambda x: object())(1.0)
    for nothing in (lambda x: None, lambda x: []):
        with pytest.raises(ProgramError, match=r"returns no number: .*; return what it computes"):
            compile(nothing)(1.0)


def test_a_change_of_structure_records_again_and_is_explained(backend: str) -> None:
    @compile
    def f(z, mode="sum"):
        return sum(z) if mode == "sum" else z[0]

    assert [f([1.0, 2.0]), f([1.0, 2.0, 3.0]), f((1.0, 2.0)), f([1.0, 2.0], "first")] == [
        3,
        6,
        3,
        1,
    ]
    assert f([5.0, 6.0]) == 11.0
    assert len(f._store) == 4
    text = f.explain()
    assert "f(z, mode): 4 recordings" in text
    assert "1. the first call" in text
    assert "z is a list of 3 numbers, was a list of 2 numbers" in text
    assert "z is a tuple of 2 numbers, was a list of 3 numbers" in text
    assert "mode is 'first', was 'sum'" in text
    assert "replayed 2 times" in text


# ── Gradients ────────────────────────────────────────────────────────────────────────────────


def test_wrt_chooses(backend: str) -> None:
    f = compile(lambda a, b, mode: a * a * b)
    assert f.value_and_grad(3.0, 2.0, "m") == (18.0, {"a": 12.0, "b": 9.0})
    assert f.value_and_grad(3.0, 2.0, "m", wrt=("b",)) == (18.0, {"b": 9.0})
    assert f.value_and_grad(3.0, 2.0, "m", wrt="a") == (18.0, {"a": 12.0})
    assert f.value_and_grad(3.0, 2.0, "m", wrt=["b", "a"]) == (18.0, {"b": 9.0, "a": 12.0})
    assert f.value_and_grad(3.0, 2.0, "m", wrt=()) == (18.0, {})
    with pytest.raises(OperandError, match="wrt names 'c', and <lambda> takes a, b, mode"):
        f.value_and_grad(3.0, 2.0, "m", wrt="c")
    with pytest.raises(OperandError, match="wrt names 'mode', which is 'm'"):
        f.value_and_grad(3.0, 2.0, "m", wrt=("mode",))
    sigma = compile(lambda sigma: sigma)
    with pytest.raises(OperandError, match="did you mean 'sigma'"):
        sigma.value_and_grad(1.0, wrt="sigmaa")


def test_captured_values_are_parameters_read_at_every_replay(backend: str) -> None:
    w, b = Value(2.0, label="w"), Value(1.0)
    program = compile(lambda x: w * x + b).record(3.0)
    assert program.parameters == [w, b]
    assert program(3.0) == 7.0
    w.data = 10.0
    assert program(3.0) == 31.0
    assert program.backward(3.0) == 31.0
    assert (w.grad, b.grad) == (3.0, 1.0)
    program.backward(4.0)  # leaves accumulate, as in eager code
    assert (w.grad, b.grad) == (7.0, 2.0)
    assert program.value_and_grad(3.0) == (31.0, {"x": 10.0})
    assert (w.grad, b.grad) == (7.0, 2.0)
    assert "input w" in program.explain("recorded")


def test_the_graph_behind_an_interior_value_is_recorded(backend: str) -> None:
    w, v = Value(2.0), Value(-0.5)
    before = (w * w - v) / 3.0  # made before the recording

    def f(x):
        inside = gradwalk.tanh(w) * v - 2.0**v  # made of Values only
        return x * before + inside * x

    program = compile(f).record(1.5)
    for numbers in ((2.0, -0.5), (0.3, 0.7)):
        w.data, v.data = numbers
        w.grad = v.grad = 0.0
        found = program.backward(1.5)
        grads = w.grad, v.grad
        w.grad = v.grad = 0.0
        before = (w * w - v) / 3.0
        wanted = f(Value(1.5))
        wanted.backward()
        assert found == pytest.approx(wanted.data, rel=1e-14)
        assert grads == pytest.approx((w.grad, v.grad), rel=1e-14)


LISTS = {
    "dot": lambda x: gradwalk.dot(x, [2.0, x[0], 3.0]),
    "sum": lambda x: gradwalk.sum(x) * x[0],
    "mean": lambda x: gradwalk.mean(x) * x[0],
    "linear": lambda x: gradwalk.sum(gradwalk.linear([x, [1.0, 2.0, 3.0]], x, [0.5, x[1]])),
    "logsumexp": lambda x: gradwalk.logsumexp(x),
    "softmax": lambda x: gradwalk.dot(gradwalk.softmax(x), x),
    "log_softmax": lambda x: gradwalk.log_softmax(x)[1],
    "cross_entropy": lambda x: gradwalk.cross_entropy(x, 2),
    "rmsnorm": lambda x: gradwalk.dot(gradwalk.rmsnorm(x), [1.0, 2.0, 3.0]),
    "layernorm": lambda x: gradwalk.dot(gradwalk.layernorm(x, epsilon=1e-3), [1.0, 2.0, 3.0]),
}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("captured", [False, True], ids=["arguments", "captured"])
def test_operations_over_lists_record(name: str, captured: bool, backend: str) -> None:
    function, point = LISTS[name], [0.3, -1.2, 2.0]
    leaves = [Value(x) for x in point]
    root = function(leaves)
    root.backward()
    wanted = [leaf.grad for leaf in leaves]
    if captured:
        parameters = [Value(x) for x in point]
        before = function(parameters)  # an eager node over a list, made before the recording
        program = compile(lambda: function(parameters) + before).record()
        value = program.backward() / 2
        grads = [p.grad / 2 for p in parameters]
    else:
        value, by_name = compile(function).value_and_grad(point)
        grads = by_name["x"]
    assert value == pytest.approx(root.data, rel=1e-13)
    assert grads == pytest.approx(wanted, rel=1e-12, abs=1e-14)


# ── Anomalies ────────────────────────────────────────────────────────────────────────────────


def test_detect_anomaly_names_the_instruction_and_the_line_that_recorded_it(backend: str) -> None:
    def f(x, y):
        z = x * y
        return gradwalk.log(z) + 1.0

    program = compile(f)
    assert math.isnan(program(1.0, -2.0))
    line = f.__code__.co_firstlineno + 2
    with detect_anomaly():
        assert program(1.0, 2.0) == pytest.approx(1.0 + math.log(2.0))
        for use in (program, program.value_and_grad):
            with pytest.raises(AnomalyError, match=rf"log\(-2.0\) is nan, recorded at .*:{line}"):
                use(1.0, -2.0)
        with pytest.raises(AnomalyError, match="y is inf"):
            program(1.0, math.inf)
    root = compile(lambda x: gradwalk.sqrt(x))
    with detect_anomaly():
        assert root(0.0) == 0.0
        with pytest.raises(AnomalyError, match=r"backward through sqrt gives .* inf, recorded at"):
            root.value_and_grad(0.0)


# ── Training ─────────────────────────────────────────────────────────────────────────────────

OPTIMISERS = {
    "sgd": lambda p: optim.SGD(p, 0.05, weight_decay=0.01),
    "momentum": lambda p: optim.Momentum(p, optim.linear_decay(0.02, 40), 0.8),
    "nesterov": lambda p: optim.Momentum(p, 0.02, nesterov=True, weight_decay=0.02),
    "adam": lambda p: optim.Adam(p, optim.cosine_decay(0.05, 30), betas=(0.85, 0.99)),
    "adamw": lambda p: optim.AdamW(p, 0.03, weight_decay=0.1),
    "own": lambda p: Own(p, 0.01),
}


class Own(optim.Optimizer):
    def _move(self, rate: float) -> None:
        for value in self.parameters:
            value.data -= rate * value.grad**3


def model(seed: int):
    rng = random.Random(seed)
    weights = [Value(rng.gauss(0, 1)) for _ in range(6)]
    other = Value(0.7)  # captured, and not the optimiser's

    def loss(xs, y):
        hidden = [gradwalk.tanh(w * x + other) for w, x in zip(weights[:3], xs)]  # noqa: B905
        out = sum(h * w for h, w in zip(hidden, weights[3:]))  # noqa: B905
        return (out - y) * (out - y)

    data = [([rng.gauss(0, 1) for _ in range(2 + i % 2)], rng.gauss(0, 1)) for i in range(8)]
    return weights, loss, data


@pytest.mark.parametrize("name", OPTIMISERS)
@pytest.mark.parametrize("how", ["backward", "train"])
def test_training_gives_the_numbers_of_eager_code(name: str, how: str, backend: str) -> None:
    weights, loss, data = model(1)
    optimizer = OPTIMISERS[name](weights)
    wanted = []
    for step in range(30):
        root = loss(*data[step % 8])
        root.backward()
        wanted.append(root.data)
        optimizer.step()
        optimizer.zero_grad()
    twins, twin_loss, _ = model(1)
    twin = OPTIMISERS[name](twins)
    program = compile(twin_loss)
    found = []
    if how == "backward":
        for step in range(30):
            found.append(program.backward(*data[step % 8]))
            twin.step()
            twin.zero_grad()
    else:
        with program.train(twin) as train:
            found = [train.step(*data[step % 8]) for step in range(30)]
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    assert [w.data for w in twins] == pytest.approx([w.data for w in weights], rel=1e-9)
    assert all(w.grad == 0.0 for w in twins)
    assert twin.steps == optimizer.steps == 30
    for key, numbers in optimizer.memory.items():
        assert list(twin.memory[key]) == pytest.approx(list(numbers), rel=1e-9, abs=1e-300)
    assert len(program._store) == 2


SCALES = {"one": 2.0}


@pytest.mark.parametrize("how", ["step", "batch", "value_and_grad"])
def test_training_sees_numbers_from_outside_as_they_are(how: str, backend: str) -> None:
    w = Value(1.0)
    SCALES["one"] = 2.0
    with compile(lambda x: w * x * SCALES["one"]).train(optim.SGD([w], lr=0.0)) as train:
        x = np.array([1.0, 3.0]) if how == "batch" else 2.0
        assert [getattr(train, how)(x) for _ in range(3)] == [4.0] * 3
        SCALES["one"] = 5.0
        assert [getattr(train, how)(x) for _ in range(3)] == [10.0] * 3


def test_training_writes_back_at_sync_and_when_left_by_an_exception(backend: str) -> None:
    weights, loss, data = model(2)
    optimizer = optim.SGD(weights, 0.1)
    program = compile(loss)
    before = [w.data for w in weights]
    with pytest.raises(ZeroDivisionError), program.train(optimizer) as train:  # noqa: PT012
        assert isinstance(train, Trainer)
        train.step(*data[0])
        assert [w.data for w in weights] == before
        train.sync()
        assert [w.data for w in weights] == list(train.values) != before
        middle = list(train.values)
        train.step(*data[1])
        raise ZeroDivisionError
    assert [w.data for w in weights] == list(train.values) != middle
    with pytest.raises(ProgramError, match="needs the training to be entered"):
        train.step(*data[0])


def test_training_takes_up_gradients_from_before_once(backend: str) -> None:
    w = Value(1.0)
    program = compile(lambda x: w * x)
    w.grad = 10.0
    with program.train(optim.SGD([w], 1.0)) as train:
        train.step(1.0)
        train.step(1.0)
    assert w.data == 1.0 - 11.0 - 1.0
    w.grad = 5.0
    with program.train(optim.SGD([w], 1.0)):
        pass
    assert w.grad == 5.0


def test_a_step_in_two_halves_lets_gradients_be_clipped(backend: str) -> None:
    w = Value(1.0)
    program = compile(lambda x: w * x)
    with program.train(optim.SGD([w], 1.0)) as train:
        assert train.value_and_grad(100.0) == 100.0
        assert list(train.grads) == [100.0]
        train.grads[0] = 0.25
        train.update()
    assert w.data == 0.75


def test_steps_tell_structures_of_one_length_apart(backend: str) -> None:
    w = Value(1.0)
    program = compile(lambda xs, scale=1.0: w * xs[0] * scale + gradwalk.sum(xs[1:]))
    given = [[1.0, 2.0], [2, 3], (1.0, 2.0), [True, 1.0], [Value(4.0), 1.0], [1.0, 2.0]]
    numbers = [(1.0, 2.0), (2.0, 3.0), (1.0, 2.0), (1.0, 1.0), (4.0, 1.0), (1.0, 2.0)]
    with program.train(optim.SGD([w], 0.0)) as train:
        for xs, (x, y) in zip(given * 2, numbers * 2, strict=True):
            assert train.step(xs) == x + y
            assert list(train.grads) == [x]
            assert train.step(xs, 3.0) == 3 * x + y
            assert train.step(xs=xs, scale=2) == 2 * x + y
        with pytest.raises(TypeError):
            train.step()
        with pytest.raises(TypeError):
            train.step([1.0, 2.0], 1.0, 1.0)


# ── The GPT ──────────────────────────────────────────────────────────────────────────────────

TINY = Config(n_embd=8, n_head=2, block_size=6)


@pytest.mark.parametrize("kind", [GPT, FastGPT])
def test_the_gpt_records_once_for_each_length_of_document(kind, backend: str) -> None:
    gpt = kind(TINY, random.Random(3))
    program = compile(gpt.loss).record([26, 1, 2, 26])
    for tokens in ([26, 1, 2, 26], [26, 5, 7, 26], [26, 0, 26], [26, 3, 26]):
        wanted = gpt.loss(tokens)
        assert abs(program(tokens) - wanted.data) <= 1e-12
        wanted.backward()
        grads = [p.grad for p in gpt.parameters()]
        for p in gpt.parameters():
            p.grad = 0.0
        program.backward(tokens)
        assert [p.grad for p in gpt.parameters()] == pytest.approx(grads, rel=1e-10, abs=1e-15)
        for p in gpt.parameters():
            p.grad = 0.0
    assert len(program._store) == 2
    with pytest.raises(gradwalk.TakeError, match="recorded at"):
        program([26, 27, 26])


# ── The program as data and as text ──────────────────────────────────────────────────────────


def test_the_text_of_a_program(backend: str) -> None:
    def f(x, y):
        return where(x > y, x * 0.5, gradwalk.sum([x, y, x]))

    program = compile(f).record(1.0, 2.0)
    line = f"test_program_compiled.py:{f.__code__.co_firstlineno + 1}"
    assert program.explain("recorded") == "\n".join([
        "%0 = input x",
        "%1 = input y",
        f"%2 = gt %0 %1        # {line}",
        "%3 = const 0.5",
        f"%4 = mul %0 %3       # {line}",
        f"%5 = sum %0 %1 %0    # {line}",
        f"%6 = where %2 %4 %5  # {line}",
        "return %6",
    ])  # fmt: skip
    shown = program.explain("all")
    assert shown.endswith(inspection.summary(program._store))
    stages = inspection.stages(program._store)
    assert stages[0] == "recorded"
    for stage in stages:
        assert f"\n{stage}: " in f"\n{shown}"
        assert program.explain(stage)
    with pytest.raises(ProgramError, match="there is no stage 'x'; there is all, recorded"):
        program.explain("x")
    assert inspection.sizes(program._store)
    assert all(isinstance(size, int) for size in inspection.sizes(program._store).values())
    long = compile(lambda x: sum(x)).record([1.0] * 100)
    assert "more …" in long.explain("recorded", most=20)
    assert len(long.explain("recorded", most=20).split("\n")) == 22
    with pytest.raises(ProgramError, match="has no recording yet"):
        compile(f).explain("recorded")


def program_of(codes, args, numbers, outputs, slots=1, starts=None):
    codes = bytes([ir.CODE[code] for code in codes])
    counts = {}
    starts = array("i", starts) if starts else ir.starts_of(codes, counts)
    return Program(codes, starts, array("i", args), array("d", numbers), array("i", outputs), slots)


MALFORMED = {
    "an unknown slot": program_of(["input"], [], [1.0], [0]),
    "half a slot": program_of(["input"], [], [0.5], [0]),
    "a slot that is nan": program_of(["input"], [], [math.nan], [0]),
    "an operand to come": program_of(["input", "exp"], [1], [0.0, 0.0], [1]),
    "a negative operand": program_of(["input", "exp"], [-1], [0.0, 0.0], [1]),
    "no output": program_of(["input"], [], [0.0], []),
    "an output that is not there": program_of(["input"], [], [0.0], [1]),
    "an operand too few": program_of(["input", "add"], [0], [0.0, 0.0], [1], starts=[0, 0, 1]),
    "starts that run back": program_of(["input", "exp"], [0], [0.0, 0.0], [1], starts=[0, 2, 1]),
    "half a pair": program_of(["input", "dot"], [0], [0.0, 0.0], [1], starts=[0, 0, 1]),
    "no table": program_of(["input", "take"], [0], [0.0, 0.0], [1], starts=[0, 0, 1]),
    "numbers too few": program_of(["input", "exp"], [0], [0.0], [1]),
    "starts too few": program_of(["input", "exp"], [0], [0.0, 0.0], [1], starts=[0, 1]),
    "negative slots": program_of(["const"], [], [0.0], [0], slots=-1),
}


def test_a_replay_can_have_its_slots_elsewhere(backend: str) -> None:
    recording = compile(lambda a, b: a - 2.0 * b).record(1.0, 1.0)._store.used_last()
    replay = recording.replay([0, 2, 3], 4, array("i", [2, 0]))
    out, grads = array("d", [0.0]), array("d", bytes(24))
    replay.value_and_grad([array("d", [5.0, math.nan, 7.0, math.nan])], out, grads)
    assert (out[0], grads.tolist()) == (-3.0, [-2.0, 1.0, 0.0])
    for wrong in ([0, 4], [-1, 0], [0]):
        with pytest.raises(ProgramError):
            recording.replay([], 4, array("i", wrong))


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_program_is_refused_by_the_checker_and_by_every_back_end(name, backend) -> None:
    p = MALFORMED[name]
    with pytest.raises(ProgramError):
        ir.check(p)
    if name == "no output":  # which is of no use, and does no harm
        return
    with pytest.raises(ProgramError):
        gradwalk.program.backends.replay.Replay(
            p.codes, p.starts, p.args, p.numbers, p.outputs, p.slots,
            array("i"), array("d", [1.0] * len(p.outputs)),
        )  # fmt: skip


def test_a_batch_moves_the_parameters_by_the_mean_over_its_rows(backend: str) -> None:
    rows = np.random.default_rng(3).standard_normal((13, 3))
    answers = []
    for way in ("batch", "values"):
        weights = [gradwalk.Value(0.1 * k) for k in range(1, 4)]
        bias = gradwalk.Value(0.5)  # captured, and not one of the optimiser's
        opt = optim.Adam(weights, lr=0.05)

        def loss(x, shift):
            return (sum(w * a for w, a in zip(weights, x, strict=True)) + bias - shift).tanh() ** 2  # noqa: B023

        losses = []
        if way == "batch":
            with compile(loss).train(opt) as train:
                losses += [train.batch(rows, 0.25) for _ in range(4)]
        else:
            for _ in range(4):
                mean = sum([loss(row, 0.25) for row in rows.tolist()]) / len(rows)
                mean.backward()
                opt.step()
                opt.zero_grad()
                losses.append(mean.data)
        answers.append([*losses, *[w.data for w in weights]])
    assert answers[0] == pytest.approx(answers[1], rel=1e-12)
    with compile(loss).train(opt) as train, pytest.raises(OperandError, match="no scenarios"):
        train.batch(rows[:0], 0.25)


def test_a_batch_says_which_scenario_is_at_fault_whatever_the_optimiser_holds(backend: str) -> None:
    a, b, other = Value(1.0), Value(-2.0), Value(7.0)
    loss = compile(lambda x, i: gradwalk.log(a * x) + b + gradwalk.take([1.0, 2.0], i))
    with loss.train(optim.SGD([other, b, a], lr=0.1)) as train:
        with pytest.raises(TakeError, match=r"take: index 5\.0 of a table of 2(?s:.)*scenario 1"):
            train.batch(np.array([1.0, 2.0]), np.array([0, 5]))
        with (
            detect_anomaly(),
            pytest.raises(AnomalyError, match=r"scenario 1: log\(-3\.0\) is nan"),
        ):
            train.batch(np.array([1.0, -3.0]), np.array([0, 1]))


def test_an_optimiser_that_has_nothing_to_move_is_refused(backend: str) -> None:
    w, other = Value(2.0), Value(3.0)
    loss = compile(lambda x: w * x)
    optimizer = optim.SGD([other], lr=0.1)
    with loss.train(optimizer) as train, pytest.raises(ProgramError, match="uses none of the"):
        train.step(1.0)
    with pytest.raises(OperandError, match="train takes an optimiser, not NoneType"):
        loss.train(None)
    assert w.grad == 0.0
    with loss.train(optim.SGD([other, w], lr=0.1)) as train:
        assert train.step(1.0) == 2.0
    assert w.data == 2.0 - 0.1


NAMED = {
    "dot": (lambda v: gradwalk.dot(x=v, w=[1.0, 2.0]), lambda v: gradwalk.dot([1.0, 2.0], v)),
    "linear": (
        lambda v: gradwalk.linear([[1.0, 2.0], [3.0, 4.0]], b=[5.0, 6.0], x=v),
        lambda v: gradwalk.linear([[1.0, 2.0], [3.0, 4.0]], v, [5.0, 6.0]),
    ),
    "sum": (lambda v: gradwalk.sum(x=v), lambda v: gradwalk.sum(v)),
    "mean": (lambda v: gradwalk.mean(x=v), lambda v: gradwalk.mean(v)),
    "softmax": (lambda v: gradwalk.softmax(x=v), lambda v: gradwalk.softmax(v)),
    "logsumexp": (lambda v: gradwalk.logsumexp(x=v), lambda v: gradwalk.logsumexp(v)),
    "log_softmax": (lambda v: gradwalk.log_softmax(x=v), lambda v: gradwalk.log_softmax(v)),
    "cross_entropy": (
        lambda v: gradwalk.cross_entropy(target=1, logits=v),
        lambda v: gradwalk.cross_entropy(v, 1),
    ),
    "rmsnorm": (lambda v: gradwalk.rmsnorm(epsilon=0.5, x=v), lambda v: gradwalk.rmsnorm(v, 0.5)),
    "layernorm": (
        lambda v: gradwalk.layernorm(epsilon=0.5, x=v),
        lambda v: gradwalk.layernorm(v, 0.5),
    ),
}


def test_each_operation_over_lists_is_tried_by_name() -> None:
    assert set(NAMED) == {*nary.TABLE, "linear"}


@pytest.mark.parametrize("name", NAMED)
def test_operations_over_lists_take_their_operands_by_name_while_recording(name, backend) -> None:
    by_name, by_place = NAMED[name]
    point = [0.5, -1.5]
    assert compile(by_name)(point) == compile(by_place)(point)
    assert (
        compile(by_name).record(point).program.codes
        == compile(by_place).record(point).program.codes
    )
    with pytest.raises(OperandError, match=f"{name}: (got an unexpected|missing a required)"):
        compile(lambda v: getattr(gradwalk, name)(v, nothing=1.0)).record(point)


# ── Values as arguments ──────────────────────────────────────────────────────────────────────


def test_a_value_given_to_a_compiled_function_joins_the_graph(backend: str) -> None:
    cube = compile(lambda x: x * x * x)
    for _ in range(2):
        x = Value(1.0)
        loss = cube(2 * x) + 1
        loss.backward()
        assert (loss.data, x.grad) == (9.0, 24.0)
    assert cube(2.0) == 8.0  # numbers give a number, as ever


def test_values_in_structures_and_captured_ones_join_the_graph_together(backend: str) -> None:
    w = Value(0.5)
    f = compile(lambda p, k: {"a": [p["x"][0] * w + k, p["x"][1] * p["y"]], "b": (w * w, 3.0)})
    x, y = Value(2.0), Value(3.0)
    made = f({"x": [x, 4.0], "y": y * 1.0}, 5.0)
    assert made["a"][0].data == 6.0
    assert made["b"][0].data == 0.25
    total = made["a"][0] * 10.0 + made["a"][1] + made["b"][0]
    total.backward()
    assert (x.grad, y.grad, w.grad) == (5.0, 4.0, 21.0)
    squares = compile(lambda v: np.array([v[0] * v[0], v[1]]))([x, 4.0])
    assert [square.data for square in squares] == [4.0, 4.0]


def test_a_map_of_values_is_refused_as_its_arrays_are_no_part_of_a_graph(backend: str) -> None:
    f = compile(lambda x, k: x * k)
    rows, v = np.array([1.0, 2.0]), Value(3.0)
    with pytest.raises(OperandError, match=r"k is a Value.*map\.value_and_grad"):
        f.map(rows, v)
    with pytest.raises(OperandError, match=r"x is a Value"):
        f.map(np.array([v, 2.0], dtype=object), 2.0)
    assert f.map.value_and_grad(rows, v, reduce="sum") == (9.0, {"k": 3.0})


# ── Many recordings, whole numbers ───────────────────────────────────────────────────────────


def test_recordings_have_a_bound_and_one_warning_names_the_function_and_a_remedy(backend) -> None:
    @compile
    def total(z):
        return gradwalk.sum(z)

    def call_with_many_lengths() -> None:
        for length in range(1, 200):
            assert total([1.0] * length) == length
            assert total([2.0]) == 2.0  # in use all the time, so it stays

    with pytest.warns(RuntimeWarning, match="total has been recorded .*64.*pad them") as told:
        call_with_many_lengths()
    assert len(told) == 1
    assert told[0].filename == __file__
    assert len(total._store) == 64
    assert "135 recordings dropped" in total.explain()
    first = next(iter(total._store.by_specs.values()))
    assert first.specs == (("list", 1),)
    assert total([3.0] * 2) == 6.0  # made again


def test_a_whole_number_that_does_not_vary_stays_one(backend: str) -> None:
    def f(z):
        return {"count": len(z), "mean": sum(z) / len(z), "parts": [1, z[0], 2.0]}

    program = compile(f)
    for _ in range(2):
        made = program([1.0, 3.0])
        assert made == f([1.0, 3.0]) == {"count": 2, "mean": 2.0, "parts": [1, 1.0, 2.0]}
        assert [type(made["count"]), *map(type, made["parts"])] == [int, int, float, float]
    rows = np.array([[1.0, 3.0], [2.0, 4.0], [3.0, 5.0]])
    assert program.map(rows)["count"].tolist() == [2, 2, 2]
    assert program.map(rows, reduce="sum")["count"] == 6
    assert program.map(rows, reduce="mean")["count"] == 2
    assert Compiled(unpacked(packed(program._store)))([1.0, 3.0]) == made


# ── Anomalies of the replay itself ───────────────────────────────────────────────────────────


def test_an_overflow_of_single_precision_is_an_anomaly_with_its_line(backend: str) -> None:
    f = compile(float32=True)(lambda x: 1.0 / (x * x))
    assert f(1e25) == 0.0
    for call in (f, f.value_and_grad, lambda x: f(Value(x))):
        with (
            detect_anomaly(),
            pytest.raises(AnomalyError, match=r"mul\(.*\) is inf, .*test_program"),
        ):
            call(1e25)
    grown = compile(float32=True)(lambda x: x * 1e30)
    with detect_anomaly(), pytest.raises(AnomalyError, match="scenario 1: mul"):
        grown.map(np.array([1.0, 1e20]))
    with detect_anomaly():
        assert grown(1e-20) == pytest.approx(1e10, rel=1e-6)
