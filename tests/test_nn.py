"""Modules, initial weights and losses."""

import random

import pytest

import gradwalk
from gradwalk import OperandError, Value, gradcheck
from gradwalk.nn import (
    MLP,
    Attention,
    Block,
    Embedding,
    Layer,
    LayerNorm,
    Linear,
    Module,
    Neuron,
    RMSNorm,
    accuracy,
    constant,
    cross_entropy,
    gauss,
    hinge,
    kaiming,
    matrix,
    mse,
    penalty,
    uniform,
)


def test_a_neuron_computes_what_micrograd_s_loop_does_bit_for_bit():
    rng = random.Random(3)
    neuron = Neuron(7, nonlin=False, init=uniform(rng=rng))
    neuron.b.data = rng.uniform(-1, 1)
    x = [rng.uniform(-1, 1) for _ in range(7)]
    written = sum((wi * xi for wi, xi in zip(neuron.w, x, strict=True)), neuron.b)
    assert neuron(x).data == written.data


def test_the_moons_demo_of_micrograd_prints_its_numbers_and_learns():
    # The notebook's own data and seeds: numpy's legacy generator, and sklearn's make_moons.
    np = pytest.importorskip("numpy")
    numbers = np.random.RandomState(1337)
    random.seed(1337)
    angle = np.linspace(0, np.pi, 50)
    points = np.vstack(
        [
            np.append(np.cos(angle), 1 - np.cos(angle)),
            np.append(np.sin(angle), 1 - np.sin(angle) - 0.5),
        ]
    ).T
    order = np.arange(100)
    numbers.shuffle(order)
    points = points[order] + numbers.normal(scale=0.1, size=points.shape)
    signs = [1 if i >= 50 else -1 for i in order]
    model = MLP(2, [16, 16, 1])
    losses, shares = [], []
    for k in range(45):
        scores = [model([float(x) for x in point]) for point in points]
        loss = hinge(scores, signs) + penalty(model.parameters(), 1e-4)
        losses.append(loss.data)
        shares.append(accuracy(scores, signs))
        model.zero_grad()
        loss.backward()
        for p in model.parameters():
            p.data -= (1.0 - 0.9 * k / 100) * p.grad
    assert losses[0] == pytest.approx(0.8958441028683222, rel=1e-12)
    assert losses[1] == pytest.approx(1.7235905336972022, rel=1e-12)
    assert shares[:2] == [0.5, 0.81]
    assert max(shares) == 1.0


# ── Module ───────────────────────────────────────────────────────────────────────────────────


class Toy(Module):
    def __init__(self):
        self.scale = Value(2.0)
        self.parts = [Linear(2, 1), Linear(1, 1, bias=False)]
        self.table = [[Value(1.0)], [Value(3.0)]]
        self.note = "not a parameter"
        self.again = self.scale


def test_parameters_have_names_by_where_they_are():
    assert [name for name, _ in Toy().named_parameters()] == [
        "scale", "parts.0.w[0][0]", "parts.0.w[0][1]", "parts.0.b[0]", "parts.1.w[0][0]",
        "table[0][0]", "table[1][0]",
    ]  # fmt: skip


def test_a_parameter_in_two_places_counts_once():
    toy = Toy()
    assert len(toy.parameters()) == len(set(toy.parameters())) == 7


class Holding(Module):
    def __init__(self, **parts):
        vars(self).update(parts)


def test_parameters_are_found_in_dicts_and_beside_other_things():
    parts = {"heads": {"up": Linear(1, 1, bias=False), "down": Value(1.0)}, 3: (Value(2.0), None)}
    model = Holding(parts=parts, mixed=[Value(3.0), Neuron(1)])
    assert [name for name, _ in model.named_parameters()] == [
        *["parts.heads.up.w[0][0]", "parts.heads.down", "parts.3.0"],
        *["mixed.0", "mixed.1.w[0]", "mixed.1.b"],
    ]
    assert [name for name, _ in model.modules()] == ["", "parts.heads.up", "mixed.1"]
    state = model.state_dict()
    parts["heads"]["down"].data = 7.0
    model.load_state_dict(state)
    assert parts["heads"]["down"].data == 1.0


def test_arrays_of_values_hold_parameters_and_arrays_of_numbers_are_a_state():
    numpy = pytest.importorskip("numpy")
    values = [[Value(1.0), Value(2.0)]]
    model = Holding(w=numpy.array(values))
    assert model.parameters() == values[0]
    model.load_state_dict({"w": numpy.array([[5.0, 6.0]])})
    assert [value.data for value in values[0]] == [5.0, 6.0]


def test_a_module_that_knows_the_one_around_it_is_no_endless_loop():
    inner = Holding(w=Value(1.0))
    outer = inner.outer = Holding(inner=inner)
    assert [name for name, _ in outer.named_parameters()] == ["inner.w"]
    assert [name for name, _ in outer.modules()] == ["", "inner"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda s: s.pop("b"), "the state has no 'b'"),
        (lambda s: s.update(c=[1.0]), "the model has no 'c'"),
        (lambda s: s.update(b=[1.0, 2.0]), "b is a list of 1"),
        (lambda s: s.update(b=["x"]), r"b\[0\] is one number"),
        (lambda s: s.update(w=3.0), "w is a list of 1"),
    ],
)
def test_a_state_that_does_not_fit_is_refused_and_changes_nothing(change, words):
    layer = Linear(2, 1, init=constant(0.5))
    state = Linear(2, 1).state_dict()
    change(state)
    with pytest.raises(OperandError, match=words):
        layer.load_state_dict(state)
    assert layer.state_dict() == {"w": [[0.5, 0.5]], "b": [0.0]}


# ── The parts, held against their definitions ────────────────────────────────────────────────


def test_attention_never_looks_ahead():
    module = Attention(4, 2, init=gauss(0.5, random.Random(2)))
    rng = random.Random(3)
    xs = [[Value(rng.uniform(-1, 1)) for _ in range(4)] for _ in range(3)]
    out = module(xs)
    sum(out[1]).backward()
    assert all(x.grad != 0 for x in xs[0] + xs[1])
    assert all(x.grad == 0 for x in xs[2])


@pytest.mark.parametrize(
    "module",
    [
        Linear(2, 3, init=gauss(1, random.Random(1))),
        RMSNorm(2),
        LayerNorm(2),
        MLP(2, [3, 2], init=kaiming(random.Random(4))),
    ],
    ids=repr,
)
def test_gradients_of_a_module_agree_with_finite_differences(module):
    assert gradcheck(lambda a, b: sum(y * y * y for y in module([a, b])), 0.7, -0.4)


def test_gradients_of_a_block_agree_with_finite_differences():
    block = Block(4, 2, init=gauss(0.4, random.Random(2)))

    def f(*x):
        out = block([list(x[:4]), list(x[4:])])
        return sum((i + 1) * v for i, v in enumerate(out[0] + out[1]))

    assert gradcheck(f, *[0.3, -0.2, 0.9, 0.1, -0.5, 0.4, 0.2, -0.7])


# ── Initial weights, losses ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: Linear(0, 3), "nin is a whole number from 1 on, not 0"),
        (lambda: Neuron("2"), "nin is a whole number from 1 on, not '2'"),
        (lambda: Layer(2, 0), "nout is a whole number from 1 on, not 0"),
        (lambda: Layer(2, 1.5), "nout is a whole number from 1 on, not 1.5"),
        (lambda: MLP(2, 3), r"nouts is a list of sizes, such as \[16, 16, 1\], not 3"),
        (lambda: MLP(2, []), "nouts is a list of sizes"),
        (lambda: RMSNorm(0), "width is a whole number"),
        (lambda: Attention(4, 0), "heads is a whole number"),
        (lambda: matrix(1, 0, constant(1.0)), "columns is a whole number"),
        (lambda: Linear(1, 1, init=kaiming), r"kaiming makes an initialiser: write init=kaiming\("),
        (lambda: Linear(1, 1, init=0.5), r"init is an initialiser such as uniform\(\), not 0.5"),
        (lambda: Attention(4, 3), "4 entries do not divide into 3 heads"),
        (lambda: Embedding(3, 2)(-1), "from 0 to 2, not -1"),
        (lambda: Embedding(3, 2)(3), "from 0 to 2, not 3"),
        (lambda: MLP(2, [3, 1])([1.0]), "a neuron of 2 inputs got 1"),
        (lambda: RMSNorm(3)([1.0, 2.0]), r"RMSNorm\(3\) takes a vector of 3, not of 2"),
        (lambda: LayerNorm(2)([1.0] * 3), r"LayerNorm\(2\) takes a vector of 2, not of 3"),
        (lambda: mse([Value(1.0)], [1, -1]), "mse takes a target for each output, not 2 for 1"),
        (lambda: hinge([Value(1.0)], [1, -1]), "hinge takes a target for each output, not 2 for 1"),
        (lambda: hinge([Value(1.0)], [0]), "signs -1 and 1, not 0"),
        (lambda: mse(Value(1.0), 1), "mse takes a list of outputs, not Value"),
        (lambda: hinge(Value(1.0), 1), "hinge takes a list of outputs, not Value"),
        (lambda: accuracy(Value(1.0), 1), "accuracy takes a list of outputs, not Value"),
    ],
)
def test_what_no_module_can_be_made_of_or_take_is_refused(make, complaint):
    with pytest.raises(OperandError, match=complaint):
        make()


def test_losses_are_what_they_say():
    out = [Value(1.0), Value(-2.0)]
    assert mse(out, [0.0, -1.0]).data == 1.0
    assert hinge(out, [1, 1]).data == 1.5
    assert accuracy(out, [1, 1]) == 0.5
    assert penalty(out, 0.1).data == pytest.approx(0.5)
    assert cross_entropy([Value(0.0), Value(0.0)], 0).data == pytest.approx(0.6931471805599453)


# ── In a recorded function ───────────────────────────────────────────────────────────────────

RECORDED = {
    "a layer of one": (lambda: MLP(2, [1, 1]), lambda m: lambda x, i: m([x, 2.0])),
    "an index": (lambda: Embedding(3, 2), lambda m: lambda x, i: m(i)[1] * x),
    "a sign": (lambda: Linear(1, 1), lambda m: lambda x, i: hinge(m([x]), [i])),
    "a target": (lambda: Linear(1, 3), lambda m: lambda x, i: cross_entropy(m([x]), i)),
}


@pytest.mark.parametrize("name", RECORDED)
def test_a_module_can_be_recorded(name):
    make, function_of = RECORDED[name]
    random.seed(4)
    model = make()
    function = function_of(model)
    program = gradwalk.compile(function).record(0.5, 0)
    eager = function(0.5, 1)
    assert program(0.5, 1) == pytest.approx(eager.data, rel=1e-12)
    eager.backward()
    expected = [value.grad for value in model.parameters()]
    for value in model.parameters():
        value.grad = 0.0
    program.backward(0.5, 1)
    assert [value.grad for value in model.parameters()] == pytest.approx(expected, rel=1e-12)
