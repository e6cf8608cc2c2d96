"""A chain of 200,000 nodes or a million, on a thread stack of 256 KB: nothing may recurse.

Each runs in a subprocess of its own, so that an overflown stack is a failed test and not the end of
the whole run. The cyclic collector is off while they work, since it triples the time and proves
nothing here; that it copes with such a chain is a test of its own.
"""

import pytest
from support import engines
from support.alone import run

pytest_generate_tests = engines.on_every_engine

ON_A_SMALL_STACK = """
import copy, gc, os, pickle, sys, threading
from gradwalk import Value
from gradwalk.engine import backend, topological_order, zero_grad

# A million where the engine's C does all the work and no sanitizer watches it.
IN_C = backend() == "native" and {in_c} and "GRADWALK_SANITIZE" not in os.environ
DEPTH = 1_000_000 if IN_C else 200_000

def chain():
    leaf = node = Value(1.0)
    for _ in range(DEPTH):
        node = node + leaf
    return leaf, node

def check(root):
    order = topological_order(root)
    assert len(order) == DEPTH + 1 and order[-1] is root
    assert root.data == DEPTH + 1
    order[0].grad = 0.0
    root.backward()
    assert order[0].grad == DEPTH + 1, order[0].grad

def work():
    {work}
    done.append(True)

done = []
gc.disable()
threading.stack_size(256 * 1024)
thread = threading.Thread(target=work)
thread.start()
thread.join()
sys.exit(not done)
"""

WORK = {
    "built, walked backward, zeroed and freed": """
    leaf, root = chain()
    check(root)
    zero_grad(root)
    assert leaf.grad == 0.0
    del root""",
    "pickled and loaded": """
    check(pickle.loads(pickle.dumps(chain()[1])))""",
    "deep-copied": """
    check(copy.deepcopy(chain()[1]))""",
    "made a snapshot of, folded and unfolded": """
    from gradwalk import snapshot
    leaf, root = chain()
    graph = snapshot(root - leaf)
    assert len(graph) == DEPTH + 2 and graph[graph.root].op == "-"
    assert graph.unfold().nodes[-1].op == "+"
    assert len(repr(graph)) < 100""",
    "garbage-collected": """
    class Tied(Value):
        pass

    leaf = root = Tied(1.0)
    for _ in range(DEPTH):
        root = root + leaf
    leaf.root = root  # a cycle around the whole chain
    del leaf, root
    assert gc.collect() > DEPTH""",
    "printed": """
    leaf, root = chain()
    assert len(repr(root)) + len(str(root)) < 100""",
}


@pytest.mark.parametrize("what", WORK)
def test_a_chain_far_deeper_than_the_stack_is(engine_name: str, what: str) -> None:
    in_c = what not in (
        "pickled and loaded",
        "deep-copied",
        "made a snapshot of, folded and unfolded",
    )
    script = ON_A_SMALL_STACK.replace("{work}", WORK[what]).replace("{in_c}", str(in_c))
    run(script, engine_name)
