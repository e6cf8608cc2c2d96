"""Nothing leaks: every public call, thousands of times, in a process of its own.

Counted are the interpreter's memory blocks, which include Extensions and GC nodes, and live nodes,
by way of the process's size: slabs of a graph that was dropped must serve the next one.
"""
# ruff: noqa: E501  (scripts and tables, one thing a line)

import os
import subprocess
import sys

import pytest

import gradwalk

pytest.importorskip("gradwalk.engine._native")

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
    "constants": "constant(3); constant('x'); constant(True)",
}

SCRIPT = """
import copy, gc, pickle, sys, warnings, weakref
warnings.simplefilter("ignore")
import gradwalk
from gradwalk import Buffers, Value, ops
from gradwalk.engine import constant, topological_order
assert gradwalk.backend() == "native"
class Sub(Value): pass
class Slotted(Value): __slots__ = ("extra",)
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
    source = os.path.dirname(os.path.dirname(gradwalk.__file__))
    answer = subprocess.run(
        [sys.executable, "-c", SCRIPT.replace("{body}", body)],
        env={**os.environ, "GRADWALK_BACKEND": "native", "PYTHONPATH": source},
        capture_output=True,
        check=False,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr[-3000:]
    blocks, resident, type_references, references = map(int, answer.stdout.split())
    assert blocks < 300, "memory blocks"  # 3,000 rounds: one lost in ten would show
    assert resident < 4 << 20, "resident bytes"
    assert type_references < 30, "references to the type"
    assert references == 0, "references to a leaf"
