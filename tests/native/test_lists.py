"""Operations over lists in C, against their specification in nary.py, on the same engine.

Random programs mix them with each other and with scalar operations, over Values, numbers of several
types, constants, subclasses and odd numbers, and change data, names and inputs in between. Compared
are data, grad, order, local gradients, names, and what the errors say.
"""

import gc
import math
import random
import weakref
from fractions import Fraction

import pytest
from support.bits import bits
from support.threads import at_once

import gradwalk
from gradwalk import detect_anomaly, no_grad, source_lines
from gradwalk.engine import nary, topological_order
from gradwalk.errors import AnomalyError

native = pytest.importorskip("gradwalk.engine._native")
Value = native.Value
if gradwalk.backend() != "native":
    pytest.skip("nary.py runs on the chosen engine", allow_module_level=True)

NAMES = ("dot", "linear", "sum", "mean", "logsumexp", "softmax", "log_softmax", "cross_entropy",
         "rmsnorm", "layernorm")  # fmt: skip
ODD = (0.0, -0.0, math.inf, -math.inf, math.nan, 1e308, -1e308, 5e-324, 1e-200, 710.0, -745.0)
PROGRAMS = 1500


class Sub(Value):
    pass


def draw(rng: random.Random, tame: float) -> float:
    return rng.uniform(-3, 3) if rng.random() < tame else rng.choice(ODD)


def operand(rng: random.Random, nodes: list, tame: float):
    kind = rng.random()
    if kind < 0.75:
        return rng.choice(nodes)
    if kind < 0.9:
        return draw(rng, tame)
    if kind < 0.95:
        return rng.choice([3, -2, True, Fraction(1, 3), 10**20])
    return native.constant(draw(rng, tame)) if kind < 0.98 else Sub(draw(rng, tame))


def vector(rng: random.Random, nodes: list, lists: list, tame: float, size: int, mixed: bool):
    """Return a list; now and then one that was used before, or a tuple."""
    again = [x for x in lists if len(x) == size]
    if again and rng.random() < 0.4:
        return rng.choice(again)
    made = [operand(rng, nodes, tame) if mixed else rng.choice(nodes) for _ in range(size)]
    made = tuple(made) if rng.random() < 0.2 else made
    lists.append(made)
    return made


def run(forms, seed: int) -> list[object]:
    """Run a program over one set of forms and return everything one can see of it."""
    rng = random.Random(seed)
    tame = rng.choice([1.0, 1.0, 0.97, 0.7])
    mixed = rng.random() < 0.5
    nodes = [Value(draw(rng, tame)) for _ in range(rng.randint(1, 6))]
    lists: list = []
    for _ in range(rng.randint(1, 10)):
        size = rng.randint(1, 5)
        name = rng.choice(NAMES)
        form = getattr(forms, name)
        x = vector(rng, nodes, lists, tame, size, mixed)
        if name == "dot":
            out = form(vector(rng, nodes, lists, tame, size, mixed), x)
        elif name == "linear":
            rows = [vector(rng, nodes, lists, tame, size, mixed) for _ in range(rng.randint(0, 4))]
            bias = [rng.choice(nodes) for _ in rows] if rng.random() < 0.3 else None
            out = form(rows, x, bias)
        elif name == "cross_entropy":
            out = form(x, rng.randrange(size))
        elif name.endswith("norm") and rng.random() < 0.5:
            out = form(x, rng.choice([0, 1, 0.0, 1e-3, Fraction(1, 8)]))
        else:
            out = form(x)
        nodes += out if isinstance(out, list) else [out]
        if rng.random() < 0.5:
            nodes.append(nodes[-1] * rng.choice(nodes) + 0.5)
        trick = rng.random()
        chosen = rng.choice(nodes)
        if trick < 0.05:
            chosen.data = draw(rng, tame)
        elif trick < 0.10:
            chosen.label = "named"
        elif trick < 0.13:
            chosen._op = rng.choice(["const", "odd", "+"]) if chosen._children else ""
        elif trick < 0.16 and chosen._local_grads:
            chosen._local_grads = tuple(draw(rng, tame) for _ in chosen._local_grads)
        elif trick < 0.19:
            chosen._children  # noqa: B018  (numbers kept inside become nodes)
        elif trick < 0.21:
            chosen.__init__(1.5, (Value(2.0), Value(3.0)), (0.5, -0.25))
        elif trick < 0.23 and lists and isinstance(lists[-1], list):
            lists[-1][0] = rng.choice(nodes[:1])
        elif trick < 0.25:
            chosen.backward()
        elif trick < 0.27:
            chosen._children = ()
    root = nodes[-1]
    for _ in range(rng.randint(1, 3)):
        root.backward()
    seen: list[object] = [(bits(node.data), bits(node.grad)) for node in nodes]
    order = topological_order(root)
    place = {id(node): i for i, node in enumerate(order)}
    for node in order:
        parts = tuple(place[id(child)] for child in node._children)
        local = node._local_grads
        seen.append((bits(node.data), bits(node.grad), node._op, node.label, parts))
        seen.append(local and tuple(map(bits, local)))
    root.backward()
    return [*seen, [bits(node.grad) for node in order]]


@pytest.mark.parametrize("block", range(6))
def test_random_programs_over_lists_agree_to_the_last_bit(block: int) -> None:
    for seed in range(block * PROGRAMS // 6, (block + 1) * PROGRAMS // 6):
        assert run(native, seed) == run(nary, seed), f"seed {seed}"


def outcome(forms, call: str) -> object:
    try:
        out = eval(call, globals(), {"f": forms})
    except Exception as error:
        return type(error), str(error)
    listed = out if isinstance(out, list) else [out]
    return [
        (bits(v.data), v._op, [bits(c.data) for c in v._children], [*map(bits, v._local_grads)])
        for v in listed
    ]


class Lying:
    """Says one length and has another."""

    def __init__(self, said: int, has: int) -> None:
        self.said, self.has = said, has

    def __len__(self) -> int:
        return self.said

    def __iter__(self):
        return iter([1.0] * self.has)


def broken():
    yield 1.0
    raise ZeroDivisionError("half-way")


ODD_CALLS = """
f.dot() | f.dot([1.0]) | f.dot([1.0], [1.0], [1.0]) | f.dot([1.0], y=[1.0])
f.dot([1.0], w=[1.0]) | f.dot(x=[2.0], w=[3.0]) | f.dot([1.0], [1.0, 2.0]) | f.dot(3, [1.0])
f.dot([1.0], 3) | f.dot(["3"], [1.0]) | f.dot([1.0], [None])
f.dot([Value(1.0), "x" * 99], [[], 2.0]) | f.dot([], []) | f.dot((), [])
f.dot(iter([1.0]), [1.0]) | f.dot(Lying(2, 1), Lying(2, 2)) | f.dot(Lying(2, 2), Lying(2, 1))
f.dot(range(3), {1: 2, 5: 6, 7: 8}) | f.dot([10**400], [1.0])
f.linear([[1.0]], [1.0, 2.0]) | f.linear([[1.0, 2.0], [1.0]], [1.0, 2.0])
f.linear([[Value(1.0)], 3], [1.0]) | f.linear([[1.0], ["x"]], [Value(1.0)])
f.linear([[1.0]], [1.0], [1.0, 2.0]) | f.linear([[1.0]], [1.0], 3)
f.linear([[1.0]], [1.0], ["x"]) | f.linear([[1.0], [2.0]], [1.0], Lying(2, 1))
f.linear([[1.0]], [1.0], [1.0], [1.0]) | f.linear([], None) | f.linear(3, [1.0])
f.linear(([v] for v in (1.0, 2.0)), [1.0]) | f.linear([[1.0]], [1.0], b=None)
f.linear([[], []], [])
f.sum([]) | f.sum(3) | f.sum(x=[1.0]) | f.sum(["3"]) | f.sum(v for v in (1, 2)) | f.sum(broken())
f.mean([]) | f.mean(()) | f.logsumexp([]) | f.softmax([]) | f.softmax([object])
f.log_softmax(iter([]))
f.cross_entropy([], 0) | f.cross_entropy([1.0, 2.0], 2) | f.cross_entropy([1.0, 2.0], -1)
f.cross_entropy([1.0, 2.0], 10**30) | f.cross_entropy([1.0, 2.0], 0.5)
f.cross_entropy([1.0, 2.0], "x") | f.cross_entropy([1.0, 2.0], True)
f.cross_entropy([Value(1.0), Value(2.0)], target=True) | f.cross_entropy([1.0])
f.rmsnorm([1.0], "x") | f.rmsnorm(["x"], None) | f.rmsnorm([Value(1.0)], epsilon=Value(1.0))
f.rmsnorm([Value(1.0)], 1, 2) | f.layernorm([], 1.0) | f.layernorm([Value(1.0)], 0)
"""


@pytest.mark.parametrize("call", ODD_CALLS.strip().replace("\n", " | ").split(" | "))
def test_odd_calls_give_the_same_or_raise_the_same(call: str) -> None:
    assert outcome(native, call) == outcome(nary, call)


def test_the_modes_act_on_lists_as_on_the_specification() -> None:
    for forms in (native, nary):
        x = [Value(2.0), Value(-1.0)]
        with no_grad():
            for out in (forms.dot(x, x), *forms.linear([x, [1, 2]], x), *forms.softmax([*x, 3.0])):
                assert (out._op, out._children, out.grad) == ("", (), 0.0)
        with source_lines():
            assert forms.softmax(x)[1]._line[0] == __file__
        with detect_anomaly():
            with pytest.raises(AnomalyError, match=r"^dot\(inf, 2\.0, 0\.0, 2\.0\) is inf, made"):
                forms.dot([math.inf, 0.0], [x[0], x[0]])
            with pytest.raises(AnomalyError, match=r"^softmax\(nan, 0\.0\) is nan"):
                forms.softmax([Value(math.nan)])
        wild = forms.dot(x, [1e308, 1e308]) * 1e10
        with detect_anomaly(), pytest.raises(AnomalyError, match="backward through dot"):
            wild.backward()


def test_a_weight_dies_with_the_last_result_that_needs_it() -> None:
    rows = [[Value(1.0)], [Value(2.0)]]
    x = [Value(3.0)]
    gone = [weakref.ref(v) for v in (rows[0][0], rows[1][0], x[0])]
    out = native.linear(rows, x)
    del rows, x
    out.pop(0)
    assert [ref() is None for ref in gone] == [True, False, False]
    out.clear()
    assert [ref() is None for ref in gone] == [True, True, True]


def test_one_result_kept_keeps_the_graph_below_and_no_more() -> None:
    x = [Value(float(i)) * 2.0 for i in range(8)]
    gone = [weakref.ref(v) for v in x]
    shares = native.softmax(x)
    others = [weakref.ref(v) for v in shares[1:]]
    kept = shares[0]
    del x, shares
    gc.collect()
    assert all(ref() is not None for ref in gone)
    assert all(ref() is None for ref in others)
    kept.backward()
    assert kept._children[3].grad == kept._local_grads[3]


class Evil(float):
    """A number that, when it is read, changes the list it stands in."""

    lists: tuple = ()

    def __float__(self) -> float:
        for x in self.lists:
            del x[:]
            gc.collect()
        return 1.0


class Unreal:
    """No number, whose attempt to be one empties lists."""

    def __init__(self, lists) -> None:
        self.lists = lists

    def __float__(self) -> float:
        for x in self.lists:
            x.clear()
        gc.collect()
        return 2.0

    def __repr__(self) -> str:
        self.__float__()
        return "unreal"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", [Evil, Unreal])
def test_lists_that_shrink_while_they_are_read_do_no_harm(name: str, kind) -> None:
    form = getattr(native, name)
    for at in range(4):
        x = [Value(1.0) * 2.0 for _ in range(4)]
        w = [Value(1.0) * 3.0 for _ in range(4)]
        rows = [w, list(w)]
        if kind is Evil:
            bad = Evil(1.0)
            bad.lists = (x, w, rows)
        else:
            bad = Unreal((x, w, rows))
        x[at] = bad
        arguments = {"dot": (w, x), "linear": (rows, x), "cross_entropy": (x, 0)}.get(name, (x,))
        try:
            out = form(*arguments)
        except (TypeError, ValueError):
            continue
        for node in out if isinstance(out, list) else [out]:
            node.backward()


def test_a_finalizer_run_by_the_collector_inside_a_call_does_no_harm() -> None:
    class Trap:
        def __init__(self, lists) -> None:
            self.me, self.lists = self, lists

        def __del__(self) -> None:
            for x in self.lists:
                x.clear()

    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(300):
            x = [Value(1.0) * 2.0 for _ in range(3)]
            rows = [list(x) for _ in range(5)]
            Trap((x, rows, *rows))
            try:
                out = native.linear(rows, x)
            except TypeError:
                continue
            native.sum([*out, 1.0]).backward()
            del out
    finally:
        gc.set_threshold(*before)


def test_threads_may_change_the_lists_in_use() -> None:
    x = [Value(float(i)) for i in range(20)]
    rows = [[Value(1.0) for _ in range(20)] for _ in range(20)]
    computing = [True, True]

    def disturb() -> None:
        while computing:
            x[random.randrange(20)] = Value(random.random())
            rows[random.randrange(20)] = [Value(1.0) for _ in range(20)]
            x[3].data = random.random()
            rows[0].pop()
            rows[0].append(2.0)

    def compute() -> None:
        try:
            for _ in range(300):
                try:
                    out = native.linear(rows, x)
                except TypeError as error:
                    assert "one length" in str(error)  # noqa: PT017
                    continue
                native.sum(native.softmax(out)).backward()
        finally:
            computing.pop()

    at_once(lambda work: work(), (disturb, disturb, compute, compute))
