"""Every allocation made to fail in turn: MemoryError, a graph as it was, and never a crash.

Runs in processes of their own. The interpreter's allocators fail by `_testcapi`; slabs, which come
from the system, by a build with hooks that these tests make when there is a compiler.
"""
# ruff: noqa: E501  (scripts and tables, one thing a line)

import pytest
from support import builds
from support.alone import run

native = pytest.importorskip("gradwalk.engine._native")
pytest.importorskip("_testcapi")
pytestmark = pytest.mark.slow

# Each works on the leaves a and b; what it returns is dropped.
ACTIONS = {
    "operators": "return ((a + b) * a - b / a) ** 2 + 2 * a - 3 / b + abs(b) + 2 ** b",
    "rows": "return a.exp().tanh().clip(0, 1).maximum(b).maximum(2)",
    "python row": "return python_row(a, 2.0)",
    "leaf": "return Value(3.0, label='name'), Value(4), Value(5.0, (), 'odd')",
    "nodes": "return Value(3.0, (a, b), '+'), Value(3.0, (a, b, a), (1, 2, 3)), Sub(1.0, (a,), 'x')",
    "attributes": (
        "n = a * 3; n.label = 'x'; n._op = 'odd'; n._children; n._local_grads; n._prev; n._backward\n"
        "n._children = (a, b); n._local_grads = (1, 2); n._backward = print; repr(n); f'{n:.2f}'\n"
        "n._children = (b, a); n.__init__(2.0, (a, b, a), (1, 2, 3))\n"
        "return n"
    ),
    "attributes of one's own": (
        "n = a * 3; n.m = 0; n.velocity = 1.5; vars(n)['x'] = 2; n._children = (b, a); n.__init__(2.0, (a, b), (1, 2))\n"
        "n.__dict__ = {'y': 1}; k = gradwalk.dot([a, 2.0], [b, a]); k.m = 1\n"
        "return n, k, copy.copy(n), Sub(2.0)"
    ),
    "one division": "return a / 1e-310, 1e-310 / (a * 1e200), (a * 1e200) / (b * 1e200)",
    "order": "return topological_order(deep)",
    "copies": "return copy.copy(deep), copy.deepcopy(small), pickle.loads(pickle.dumps(small))",
    "modes": (
        "with gradwalk.source_lines(): a * b - 2\n"
        "try:\n"
        "    with gradwalk.detect_anomaly(): (a * 0.0).log()\n"
        "except ArithmeticError: pass"
    ),
    "backward": "deep.backward()",
    "backward, own buffers": "deep.backward(Buffers())",
    "backward, hooks": "hooked.backward()",
    "backward, watching": (
        "try:\n    with gradwalk.detect_anomaly(): wild.backward()\nexcept ArithmeticError: pass"
    ),
    "list operations": "return gradwalk.dot([a, b], [b, 2.0]), gradwalk.softmax([a, b, 1.0])",
    "dot": "return gradwalk.dot([a, b], [b, inner]), gradwalk.dot([a, 2.0], [3, b]), gradwalk.dot([a], (sub,))",
    "linear": (
        "w = [[a, b], [b, a], [1.0, b]]\n"
        "return gradwalk.linear(w, [a, b]), gradwalk.linear(w, [a, b], [1, a, b]), gradwalk.linear(iter(w), [1, sub])"
    ),
    "reductions": (
        "x = [a, b, inner]\n"
        "return [f(y) for f in (gradwalk.sum, gradwalk.mean, gradwalk.logsumexp) for y in (x, (a, 1.0), [sub, 2])]"
    ),
    "softmaxes and norms": (
        "x = [a, b, inner]\n"
        "return [f(y) for f in (gradwalk.softmax, gradwalk.log_softmax, gradwalk.rmsnorm, gradwalk.layernorm)\n"
        "        for y in (x, (a, 1.0), [sub, 2])]"
    ),
    "cross entropy": "return gradwalk.cross_entropy([a, b, inner], 1), gradwalk.cross_entropy([a, sub], 0)",
    "parts of list operations": (
        "x = [a * 2, b]\n"
        "for n in (*gradwalk.softmax(x), *gradwalk.linear([x, [2.0, a]], x), gradwalk.sum(x)):\n"
        "    n._children; n._local_grads; n.label = 'x'; n._op = 'odd'; n._backward = print; n._children = (a, b, a)\n"
        "for n in (*gradwalk.softmax(x), *gradwalk.linear([x, [2.0, a]], x)): n.__init__(1.0, (a, b, a), (1, 2, 3))\n"
        "for n in (*gradwalk.softmax(x), *gradwalk.linear([x, [2.0, a]], x)): n._local_grads = tuple([0.5] * len(n._children))\n"
        "return x"
    ),
    "list operations under switches": (
        "x = [a, inner]\n"
        "with gradwalk.source_lines(): gradwalk.softmax(x), gradwalk.linear([x, x], x)\n"
        "with gradwalk.no_grad(): gradwalk.softmax(x), gradwalk.linear([x, x], x)\n"
        "try:\n"
        "    with gradwalk.detect_anomaly(): gradwalk.softmax([float('nan'), a])\n"
        "except ArithmeticError: pass"
    ),
    "order of lists": "return topological_order(wide)",
    "backward of lists": "wide.backward(Buffers())",
    "closure on a result": "n = a * b; n._backward = lambda: n; m = gradwalk.sum([n, a]); m._backward = lambda: (n, m)\nreturn gc.collect()",
    "optimisers": ("for o in optimisers: o.step()\nreturn gradwalk.zero_grad(moved)"),
    "weak reference": "n = a * b; m = a + b; return weakref.ref(n), weakref.ref(m, len)",
}

SCRIPT = """
import copy, gc, pickle, sys, weakref
import _testcapi
import gradwalk
from gradwalk import Buffers, Value, ops
from gradwalk.engine import topological_order
assert gradwalk.backend() == "native"
class Sub(Value): pass
python_row = ops.Op("twice", "x y", lambda x, y: 2 * x + y, (lambda o, x, y: 2.0, lambda o, x, y: 1.0),
                    ("2", "1"), "doubles", probes=((1.0, 2.0),))
a, b = Value(2.0), Value(3.0)
small = a * b + a.exp() * 2
deep = a
for i in range(3000): deep = deep * b + 1.0 if i % 7 else deep.tanh()
inner = a * b
hooked = Value(3.0, (inner,), "h")
def push(): inner.grad += hooked.grad * 2.0
hooked._backward = push
wild = Value(1.0, (a * 2,), (float("inf"),))
sub = Sub(1.5)
from gradwalk.optim import SGD, Adam, AdamW, Momentum
moved = [Value(1.0) for _ in range(100)]
optimisers = [SGD(moved, 0.1), Momentum(moved, 0.1), Adam(moved), AdamW([*moved, Sub(1.0)])]
row = [a, inner, b]
wide = gradwalk.sum([*gradwalk.softmax(gradwalk.linear([row, row, [1.0, a, b]], row)), *gradwalk.rmsnorm(row)])
def action():
{body}
action()  # once in peace, so that caches and buffers are filled where they are kept
def grads(): return [node.grad for node in everything]
everything = [*topological_order(deep), *topological_order(hooked), *topological_order(wild), *row, wide]
missed, failures = 0, 0
for start in range(1, 3000):
    for node in everything: node.grad = 0.25
    fresh = Buffers()
    gc.disable()
    _testcapi.set_nomemory(start, start + 1)
    try:
        action()
        done = True
    except (MemoryError, pickle.PicklingError):  # pickle hides one behind the other
        done = False
    finally:
        _testcapi.remove_mem_hooks()
    gc.enable()
    if not done:
        failures += 1
        left = grads()
        assert left == [0.25] * len(left), "a gradient changed"
        missed = 0
    else:
        missed += 1
        if missed > 60: break
gc.collect()
deep.backward()
assert deep.grad == 1.0
print("survived", failures)
"""

SLABS = """
import gc
import gradwalk
from gradwalk import Value
from gradwalk.engine import _native, topological_order
a, b = Value(2.0), Value(3.0)
kept = []
for allowed in range(4):
    _native._fail_slabs_after(allowed)
    node = a
    try:
        while True:
            kept.append(node)
            node = node * b - 2.0
            Value(1.0)
            node.detach()
    except MemoryError:
        pass
    _native._fail_slabs_after(0)
    for attempt in (lambda: a * b, lambda: a - 2.0, lambda: 2.0 / a, lambda: Value(1.0), lambda: a.clip(0, 1),
                    lambda: a.exp(), lambda: gradwalk.dot([a], [b]), lambda: gradwalk.linear([[a, 1.0], [b, a]], [a, b]),
                    lambda: gradwalk.softmax([a, b]), lambda: gradwalk.softmax([a, 2.0]), lambda: gradwalk.sum([a, b])._children,
                    lambda: gradwalk.rmsnorm([a])[0]._children, lambda: gradwalk.dot([1.0], [a])._children,
                    lambda: Value(1.0, (a,), (2.0,)), lambda: a.detach(), lambda: 2 ** a):
        spare = []
        for _ in range(4000):
            try:
                spare.append(attempt())
            except MemoryError:
                break
        else:
            raise AssertionError("nothing failed")
        try:
            topological_order(kept[-1])  # each number inside a node becomes one, while they last
        except MemoryError:
            pass
        del spare
    kept[-1].backward()
    _native._fail_slabs_after(-1)
    assert topological_order(kept[-1])
    kept[-1].backward()
    kept.clear()
    del node
    gc.collect()
print("survived")
"""

HOOKED = """
import importlib.machinery, importlib.util, sys
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "gradwalk.engine._native":
            return importlib.util.spec_from_file_location(
                name, {path!r}, loader=importlib.machinery.ExtensionFileLoader(name, {path!r}))
sys.meta_path.insert(0, Finder)
"""


@pytest.mark.parametrize("name", ACTIONS)
def test_every_failing_allocation_is_an_exception(name: str) -> None:
    body = "\n".join("    " + line for line in ACTIONS[name].splitlines())
    assert run(SCRIPT.replace("{body}", body)).startswith("survived")


LISTS = [name for name in ACTIONS if "list" in name or name in {"dot", "linear", "reductions",
         "softmaxes and norms", "cross entropy", "closure on a result"}]  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_the_same_where_no_memory_is_kept_for_later(name: str, hooked_build: str) -> None:
    """The build with hooks keeps no spare Blocks, so every one of them can fail."""
    body = "\n".join("    " + line for line in ACTIONS[name].splitlines())
    script = HOOKED.replace("{path!r}", repr(hooked_build)) + SCRIPT.replace("{body}", body)
    assert int(run(script).split()[1]) > 0


@pytest.fixture(scope="session")
def hooked_build(tmp_path_factory: pytest.TempPathFactory) -> str:
    return builds.hooked(tmp_path_factory, native, "engine")


def test_every_failing_slab_is_an_exception(hooked_build: str) -> None:
    assert run(HOOKED.replace("{path!r}", repr(hooked_build)) + SLABS) == "survived\n"
