"""Nothing leaks: every public call, thousands of times, in a process of its own.

Counted are the interpreter's memory blocks, which include Extensions and GC nodes, and live nodes,
by way of the process's size: slabs of a graph that was dropped must serve the next one.
"""
# ruff: noqa: E501  (scripts and tables, one thing a line)

import pytest
from support.alone import run

pytest.importorskip("gradwalk.engine._native")
pytestmark = pytest.mark.slow

SNIPPETS = {
    "leaf": "Value(3.0)",
    "labelled leaf": "Value(3.0, label='name')",
    "int leaf": "Value(10**400); Value(True); Value(3)",
    "micrograd node": "Value(3.0, (a, b), '+')",
    "micrograd node with its closure": "n = Value(3.0, (a, b), '+'); n._backward = lambda: n",
    "microGPT node": "Value(3.0, (a, b), (1.0, 2.0))",
    "wide node": "Value(3.0, (a, b, a, b), (1.0, 2.0, 3.0, 4.0))",
    "node of an odd operation": "Value(3.0, (a,), 'odd' + str(id(a)))",
    "constructor errors": (
        "for w in (('x',), (1, [2]), (1, (a,), (1, 2)), (1, (a,), ('x',)), (1, (a,), [1]),\n"
        "          (1, (), '', 3), (), (1, 2, 3, 4, 5)):\n"
        "    try: Value(*w)\n"
        "    except TypeError: pass"
    ),
    "keyword errors": (
        "for w in ({'data': 1, 'x': 2}, {'label': 'x'}, {'data': 'x'}):\n"
        "    try: Value(**w)\n"
        "    except TypeError: pass"
    ),
    "arithmetic": "((a + b) * a - b / a) ** 2 + 2 * a - 3 / b + (-a) + abs(b) + 2 ** b + (+a)",
    "operand errors": (
        "for f in (lambda: a + 'x', lambda: 'x' * a, lambda: a ** [], lambda: a / None, lambda: a - {}):\n"
        "    try: f()\n"
        "    except TypeError: pass"
    ),
    "rows": "a.exp().log().tanh().relu().clip(0, 1).maximum(b).leaky_relu().arctan2(3)",
    "row errors": (
        "for f in (lambda: a.exp(1), lambda: a.maximum('x'), lambda: a.clip(1, 2, 3, 4)):\n"
        "    try: f()\n"
        "    except TypeError: pass"
    ),
    "python row": "python_row(a, 2.0); python_row(a, b)",
    "attributes": (
        "n = a * 3; n._children; n._local_grads; n._prev; n._op; n._backward; n._backward()\n"
        "n.label = 'x'; n.label = 'y'; n._op = 'odd'; n._op = '+'; n._children = (a, b)\n"
        "n._local_grads = (1, 2); n._local_grads = None; n._backward = print; n._backward = None\n"
        "n._children = (); n.data = 2; n.grad = 3; n.__init__(4.0, (a, b), '*'); n.__init__(5.0)"
    ),
    "attributes of one's own": (
        "n = a * 3; n.m = 0; n.m += 1.5; n.velocity = [n]; del n.m; vars(n)['x'] = 2; n.__dict__ = {'y': a}\n"
        "copy.copy(n).y; copy.deepcopy(n).y; pickle.loads(pickle.dumps(n)); n._children = (a, b); n.__init__(1.0)\n"
        "for name in ('missing', '_prev', 'data'):\n"
        "    try: delattr(n, name)\n"
        "    except AttributeError: pass"
    ),
    "cycles closed after the fact": (
        "n = a * 3; n._children = (n, n * 2); m = Value(1.0); m.__init__(2.0, (m,), (1.0,)); m.me = m"
    ),
    "one division": "(a / 1e-310, 1e-310 / (a * 1e200), (a * 1e200) / (b * 1e200))",
    "infinite selection": (
        "n = a.maximum(b).clip(0, 1).relu() * float('inf'); n.backward(); gradwalk.where(a, a, b)"
    ),
    "attribute errors": (
        "for name, wrong in (('data', 'x'), ('grad', []), ('label', 3), ('_op', 3), ('_children', 3),\n"
        "                    ('_children', (a,)), ('_local_grads', 3), ('_local_grads', ('x', 1))):\n"
        "    try: setattr(a * b, name, wrong)\n"
        "    except TypeError: pass"
    ),
    "numbers": "repr(a); float(a); int(a); bool(a); hash(a); a < b; a == 3; a != 'x'; f'{a:.2f}'; f'{a}'",
    "backward": "n = a * b + a.exp() * 2; n.backward(); n.backward(Buffers()); n.backward(buffers)",
    "backward with a hook": "n = Value(3.0, (a,), 'h'); n._backward = noop; (n * 2).backward()",
    "backward with a failing hook": (
        "n = Value(3.0, (a,), 'h'); n._backward = fail\n"
        "try: (n * 2).backward()\n"
        "except ZeroDivisionError: pass"
    ),
    "order": "topological_order(a * 2 + b); gradwalk.zero_grad(a * b); (a * b).detach()",
    "copies": (
        "n = a * b + 2; copy.copy(n); copy.deepcopy(n); pickle.loads(pickle.dumps(n))\n"
        "copy.deepcopy(Value(1.0, label='x')); pickle.loads(pickle.dumps(Sub(2.0) * 3))"
    ),
    "restore errors": (
        "for s in (3, (1.0,), ('x', 0.0, '', '', (), ()), (1.0, 0.0, '', '', (3,), ()),\n"
        "          (1.0, 0.0, '', '', (a,), (1.0, 2.0)), (1.0, 0.0, 3, '', (), ())):\n"
        "    try: Value._restore(s)\n"
        "    except TypeError: pass"
    ),
    "modes": (
        "with gradwalk.no_grad(): a * b - 2\n"
        "with gradwalk.source_lines(): a * b - 2\n"
        "with gradwalk.detect_anomaly():\n"
        "    try: (a * 0.0).log()\n"
        "    except ArithmeticError: pass\n"
        "    try: Value(1.0, (a,), (float('inf'),)).backward()\n"
        "    except ArithmeticError: pass"
    ),
    "weak references": "n = a * b; w = weakref.ref(n); p = weakref.proxy(n); q = weakref.ref(n, noop); p + 1",
    "subclass": "s = Sub(2.0, label='x'); s.extra = s; t = s * 3; s.out = t; t.backward()",
    "subclass with slots": "s = Slotted(2.0); s.extra = (s * 2,); (s * 3).backward()",
    "list operations": "gradwalk.dot([a, b], [b, 2.0]); gradwalk.softmax([a, b, 1.0]); gradwalk.sum([a])",
    "dot and linear": (
        "x = [a * 2, b]; w = [[a, b], [b, a], [1.0, b]]; linear(w, x); y = linear(w, x, [1, a, b]); dot(x, x)\n"
        "linear(w, [1.0, 2]); dot([a], [Sub(1.0)]); y[0].backward(); linear([], x); linear((v for v in w), x)"
    ),
    "one result of many": "x = [a * 2, b]; n = softmax(x)[1]; m = linear([x, x], x).pop(); n.backward(); m.backward()",
    "every list operation": (
        "x = [a * 2, b * 3, a]\n"
        "for f in (gradwalk.sum, mean, logsumexp, softmax, log_softmax, rmsnorm, layernorm):\n"
        "    y = f(x); y = y[-1] if isinstance(y, list) else y; y.backward()\n"
        "    y._children; y.label = 'x'; f([1.0, Sub(2.0)]); f((a, a))\n"
        "cross_entropy(x, 1).backward(); cross_entropy([1.0], 0)._local_grads = (0.0, 0.0)"
    ),
    "parts of list operations": (
        "x = [a * 2, b]\n"
        "for n in (*softmax(x), *linear([x, [2.0, a]], x), gradwalk.sum(x), *rmsnorm(x)):\n"
        "    n._children; n._local_grads; n._prev; n._op = 'odd'; copy.copy(n); n._backward; n.detach()\n"
        "for n in (*softmax(x), *linear([x, [2.0, a]], x), gradwalk.sum(x)): n._children = ()\n"
        "for n in (*softmax(x), *linear([x, [2.0, a]], x)): n.__init__(1.0, (a, b), (1, 2))\n"
        "for n in (*softmax(x), *linear([x, [2.0, a]], x)): n._local_grads = tuple([1.0] * len(n._children))\n"
        "for n in (*softmax(x), *linear([x, [2.0, a]], x)): n._backward = noop; (n * 2).backward()"
    ),
    "list operations under switches": (
        "x = [a * 2, b]\n"
        "with gradwalk.no_grad(): softmax(x); linear([x, x], x); mean(x)\n"
        "with gradwalk.source_lines(): softmax(x); linear([x, x], x); mean(x)\n"
        "with gradwalk.detect_anomaly():\n"
        "    for f in (lambda: softmax([float('nan')]), lambda: linear([[1e308]], [1e308]), lambda: dot([1e308], [1e9])):\n"
        "        try: f()\n"
        "        except ArithmeticError: pass"
    ),
    "list operation errors": (
        "for f in (lambda: dot([a], [a, b]), lambda: dot(['x'], [a]), lambda: linear([[a], ['x']], [b]), lambda: sum(3),\n"
        "          lambda: linear([[a]], [b], [1, 2]), lambda: mean([]), lambda: cross_entropy([a], 1), lambda: rmsnorm([a], 'x'),\n"
        "          lambda: linear([[a]], [b], ['x']), lambda: linear([[a], [a, b]], [b]), lambda: softmax([a, 'x']),\n"
        "          lambda: dot(), lambda: dot(1, 2, 3), lambda: dot(y=3), lambda: dot([a], w=[b]), lambda: sum(iter([a, 'x']))):\n"
        "    try: f()\n"
        "    except TypeError: pass"
    ),
    "deep copies of lists": (
        "x = [a * 2, b]; n = gradwalk.sum(softmax(x)); copy.deepcopy(n); pickle.loads(pickle.dumps(n)); topological_order(n)"
    ),
    "optimisers": (
        "p = [Value(1.0), Value(2.0)]\n"
        "for o in (SGD(p, 0.1), Momentum(p, 0.1), Adam(p), AdamW(p), Adam([*p, Sub(1.0)])): p[0].grad = 1.0; o.step(); o.step()\n"
        "gradwalk.zero_grad(p); clip_grad_norm(p, 1.0)\n"
        "try: steps.momentum(p, memoryview(bytearray(8)).cast('d'), memoryview(b'12345678'), 0.1, 0.9, 0.0, False)\n"
        "except BufferError: pass\n"
        "try: steps.sgd(3)\n"
        "except TypeError: pass"
    ),
    "an operation's result with its closure": "n = a * b; n._backward = lambda: n",
    "a graph of such results": (
        "n = a\n"
        "for _ in range(5):\n"
        "    m = n; n = m * b; n._backward = (lambda n, m: lambda: (n, m))(n, m)\n"
        "n.backward()"
    ),
    "a result and its input with one closure": "n = a * b; m = n * 2; n._backward = lambda: m; m._backward = n._backward",
    "a list operation's result with its closure": (
        "x = [a * b, b]; n = gradwalk.sum(softmax(x)); x[0]._backward = lambda: n; m = dot(x, x); m._backward = lambda: m"
    ),
    "a closure by way of an instance": "h = Holder(); h.node = a * b; h.node._backward = h.push",
    "closures taken back": "n = a * b; n._backward = lambda: n; n._backward = None; m = a * b; m._backward = noop; m._children = ()",
    "constants": "constant(3); constant('x'); constant(True)",
}

SCRIPT = """
import copy, gc, pickle, sys, warnings, weakref
warnings.simplefilter("ignore")
import gradwalk
from gradwalk import Buffers, Value, ops
from gradwalk.engine import constant, steps, topological_order
from gradwalk import (cross_entropy, dot, layernorm, linear, log_softmax, logsumexp, mean, rmsnorm, softmax)
from gradwalk.optim import SGD, Adam, AdamW, Momentum, clip_grad_norm
assert gradwalk.backend() == "native"
class Sub(Value): pass
class Slotted(Value): __slots__ = ("extra",)
class Holder:
    def push(self): pass
a, b, buffers = Value(2.0), Value(3.0), Buffers()
noop = lambda *_: None
def fail(): 1 / 0
python_row = ops.Op("twice", "x y", lambda x, y: 2 * x + y, (lambda o, x, y: 2.0, lambda o, x, y: 1.0),
                    ("2", "1"), "doubles", probes=((1.0, 2.0),))
def resident():
    with open("/proc/self/statm") as f: return int(f.read().split()[1]) * 4096
def work():
{body}
def rounds(count):
    for _ in range(count): work()
    gc.collect()
    return sys.getallocatedblocks(), resident(), sys.getrefcount(Value), sys.getrefcount(a)
rounds(300)
first = rounds(300)
second = rounds(3000)
third = rounds(3000)  # what grows but once is a cache
print(*[min(b - a, c - b) for a, b, c in zip(first, second, third)])
"""


@pytest.mark.parametrize("name", SNIPPETS)
def test_no_call_leaks(name: str) -> None:
    body = "\n".join("    " + line for line in SNIPPETS[name].splitlines())
    answer = run(SCRIPT.replace("{body}", body))
    blocks, resident, type_references, references = map(int, answer.split())
    assert blocks < 300, "memory blocks"  # 3,000 rounds: one lost in ten would show
    assert resident < 4 << 20, "resident bytes"
    assert type_references < 30, "references to the type"
    assert references == 0, "references to a leaf"
