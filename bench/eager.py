"""The eager engine's figures, each answer checked before it is timed.

    python bench/eager.py                 everything that takes minutes (1,000 training steps)
    python bench/eager.py --quick         30 steps, for a look
    python bench/eager.py --long          also step 20,000 against step 100
    python bench/eager.py --json          the same as JSON

Ratios are what counts. Contenders take turns in one run, each in a process of its own. Pure Python
stands there twice, garbage collector on and off. Of repeated timings the smallest is taken, of
turns the median ratio, and all is CPU time: the machine is rarely alone.
Start reading at ROWS.
"""
# ruff: noqa: B905  (zip as such scripts have it, on both sides alike)

import argparse
import ast
import gc
import hashlib
import json
import math
import os
import random
import statistics
import struct
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPT = HERE / "microgpt.py"
NAMES = HERE.parent.parent / "shared" / "data" / "names.txt"
MILLION = 1_000_000


# ── The unmodified script, with one Value or another ─────────────────────────────────────────


class Contender:
    """The script in a process of its own, told how many steps to go, so that several take turns.

    Apart, because the garbage collector of one must not walk the graphs of the others.
    """

    def __init__(self, name: str, steps: int) -> None:
        command = [sys.executable, str(Path(__file__).resolve()), "--contender", name]
        self._process = subprocess.Popen(
            [*command, "--steps", str(steps)],
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.seconds: list[float] = []

    def advance(self, steps: int) -> None:
        print(steps, file=self._process.stdin, flush=True)
        self.seconds += json.loads(self._process.stdout.readline())

    def outcome(self) -> str:
        """Return a digest of the bits of all losses and parameters."""
        digest = json.loads(self._process.stdout.readline())
        self._process.communicate()
        return digest


def contend(name: str, steps: int) -> None:
    """Be a contender: read from stdin how many steps to go, answer with their times."""
    os.environ["MICROGPT_STEPS"] = str(steps)
    os.environ["MICROGPT_NAMES"] = str(NAMES)
    sys.setrecursionlimit(100_000)  # the script's own sort recurses
    tree = ast.parse(SCRIPT.read_text("utf-8"))
    names = {"__name__": "__main__", "print": lambda *_: None}
    if name.startswith("gradwalk"):
        import gradwalk

        names["Value"] = gradwalk.Value
        tree.body = [s for s in tree.body if getattr(s, "name", "") != "Value"]
    for statement in tree.body:
        if isinstance(statement, ast.For) and getattr(statement.target, "id", "") == "step":
            statement.body.insert(0, ast.parse("__tick__()").body[0])
            if name.endswith("walks only"):
                texts = [ast.unparse(part) for part in statement.body]
                after = texts.index("loss.backward()") + 1
                statement.body.insert(after, ast.parse("__tock__()").body[0])
    if name.endswith("gc off"):
        gc.disable()
    seconds: list[float] = []
    left, began, walked = 0, 0.0, 0.0

    def tick() -> None:
        nonlocal left, began, walked
        now = time.process_time()
        if began:
            seconds.append((walked or now) - began)
        if left == 0:
            if began:
                print(json.dumps(seconds), flush=True)
                seconds.clear()
            left = int(sys.stdin.readline())
        left -= 1
        began = time.process_time()

    def tock() -> None:
        nonlocal walked
        walked = time.process_time()

    names |= {"__tick__": tick, "__tock__": tock}
    exec(compile(ast.fix_missing_locations(tree), str(SCRIPT), "exec"), names)
    seconds.append((walked or time.process_time()) - began)
    print(json.dumps(seconds), flush=True)
    numbers = [*names["losses"], *[p.data for p in names["params"]]]
    bits = b"".join([struct.pack("<d", number) for number in numbers])
    print(json.dumps(hashlib.sha256(bits).hexdigest()), flush=True)


def training(steps: int) -> dict:
    """Train with the script's own Value, garbage collector on and off, and with gradwalk's."""
    contenders = [Contender(name, steps) for name in ("own", "own, gc off", "gradwalk")]
    for first in range(0, steps, 10):
        for contender in contenders:
            contender.advance(min(10, steps - first))
    digests = {contender.outcome() for contender in contenders}
    on, off, ours = [contender.seconds for contender in contenders]

    def ratio(theirs: list[float]) -> float:
        turns = range(0, steps, 10)
        return statistics.median([sum(theirs[i : i + 10]) / sum(ours[i : i + 10]) for i in turns])

    return {
        "steps": steps,
        "losses and parameters bit-identical": len(digests) == 1,
        "ms a step, pure Python, gc on": sum(on) / steps * 1e3,
        "ms a step, pure Python, gc off": sum(off) / steps * 1e3,
        "ms a step, gradwalk, gc on": sum(ours) / steps * 1e3,
        "ratio, gc on": ratio(on),
        "ratio, gc off": ratio(off),
    }


def endurance(steps: int) -> dict:
    """Compare the last steps of a long run with steps 100 on of a fresh one, taking turns.

    Timed from the head of a step to the end of backward(): the script's own Adam, behind it, slows
    down by itself, on moments that have decayed to denormals.
    """
    old = Contender("gradwalk, walks only", steps)
    for _ in range(0, steps - 1000, 1000):
        old.advance(1000)
    young = Contender("gradwalk, walks only", 1100)
    young.advance(100)
    for _ in range(100):
        old.advance(10)
        young.advance(10)
    late, early = statistics.fmean(old.seconds[-1000:]), statistics.fmean(young.seconds[100:])
    old.outcome()
    young.outcome()
    return {"steps": steps, "late over early": late / early}


# ── The same forward pass on floats and on Values ────────────────────────────────────────────


def forward(weights, tokens, number, exp, relu, log):
    """The script's model once more, with its functions given, so that floats run it too."""
    n_head, head_dim = 4, 4
    keys, values, losses = [], [], []

    def linear(x, w):
        return [sum(wi * xi for wi, xi in zip(wo, x)) for wo in w]

    def softmax(logits):
        largest = max(number(v) for v in logits)
        exps = [exp(v - largest) for v in logits]
        total = sum(exps)
        return [e / total for e in exps]

    def rmsnorm(x):
        scale = (sum(xi * xi for xi in x) / len(x) + 1e-5) ** -0.5
        return [xi * scale for xi in x]

    for position in range(len(tokens) - 1):
        x = [t + p for t, p in zip(weights["wte"][tokens[position]], weights["wpe"][position])]
        residual = x = rmsnorm(x)
        x = rmsnorm(x)
        q = linear(x, weights["wq"])
        keys.append(linear(x, weights["wk"]))
        values.append(linear(x, weights["wv"]))
        attended = []
        for h in range(0, n_head * head_dim, head_dim):
            q_h = q[h : h + head_dim]
            k_h = [k[h : h + head_dim] for k in keys]
            v_h = [v[h : h + head_dim] for v in values]
            weighing = softmax(
                [sum(q_h[j] * k[j] for j in range(head_dim)) / head_dim**0.5 for k in k_h]
            )
            attended += [
                sum(weighing[t] * v_h[t][j] for t in range(len(v_h))) for j in range(head_dim)
            ]
        x = [a + b for a, b in zip(linear(attended, weights["wo"]), residual)]
        residual = x
        x = [relu(xi) for xi in linear(rmsnorm(x), weights["fc1"])]
        x = [a + b for a, b in zip(linear(x, weights["fc2"]), residual)]
        probabilities = softmax(linear(x, weights["lm_head"]))
        losses.append(-log(probabilities[tokens[position + 1]]))
    return (1 / len(losses)) * sum(losses)


SHAPES = {"wte": (27, 16), "wpe": (16, 16), "lm_head": (27, 16), "wq": (16, 16), "wk": (16, 16),
          "wv": (16, 16), "wo": (16, 16), "fc1": (64, 16), "fc2": (16, 64)}  # fmt: skip


def model(make) -> tuple[dict, list[int]]:
    rng = random.Random(7)
    weights = {
        name: [[make(rng.gauss(0, 0.08)) for _ in range(columns)] for _ in range(rows)]
        for name, (rows, columns) in SHAPES.items()
    }
    return weights, [26, *[rng.randrange(26) for _ in range(6)], 26]  # seven positions


def eager(value, turns: int) -> dict:
    """Time the forward pass on floats and on Values, and backward on the Values."""
    from gradwalk.engine import topological_order

    plain, tokens = model(float)
    ours, _ = model(value)
    float_functions = (float, math.exp, lambda x: x if x > 0.0 else 0.0, math.log)
    our_functions = (lambda v: v.data, value.exp, value.relu, value.log)
    root = forward(ours, tokens, *our_functions)
    agree = abs(root.data - forward(plain, tokens, *float_functions)) < 1e-12  # sum() compensates
    nodes = len(topological_order(root))
    del root
    floats, values, backwards, frees = [], [], [], []
    clock = time.process_time
    for _ in range(turns):
        began = clock()
        forward(plain, tokens, *float_functions)
        floats.append(clock() - began)
        began = clock()
        root = forward(ours, tokens, *our_functions)
        values.append(clock() - began)
        began = clock()
        root.backward()
        backwards.append(clock() - began)
        began = clock()
        del root
        frees.append(clock() - began)
    return {
        "value equals the floats'": agree,
        "nodes": nodes,
        "forward over floats": min(values) / min(floats),
        "forward over floats, medians": statistics.median(values) / statistics.median(floats),
        "forward, ns a node": min(values) / nodes * 1e9,
        "backward, ns a node": min(backwards) / nodes * 1e9,
        "backward, ns a node, median": statistics.median(backwards) / nodes * 1e9,
        "free, ns a node": min(frees) / nodes * 1e9,
    }


# ── In processes of their own ────────────────────────────────────────────────────────────────

MEMORY = """
from gradwalk import Value
def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096
x, y = Value(2.0), Value(3.0)
kept = x
for _ in range(1000): kept = kept * y + x
before = resident()
for _ in range(500_000): kept = kept * y + x
print((resident() - before) / 1_000_000)
y.data = 100.0
one = Value(2.0); two = Value(5.0); product = one * two; two.data = 7.0; product.backward()
assert one.grad == 5.0, "the recorded point"
"""

CHAIN = """
import threading, time
from gradwalk import Value
def work():
    began = time.process_time()
    leaf = Value(1.0); node = leaf
    for _ in range(10_000_000): node = node + leaf
    built = time.process_time()
    node.backward()
    walked = time.process_time()
    assert leaf.grad == 10_000_001.0
    del node
    print(built - began, walked - built, time.process_time() - walked)
threading.stack_size(256 * 1024)
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""


def _environment() -> dict[str, str]:
    path = [os.environ.get("PYTHONPATH", ""), str(HERE.parent / "src")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}


def _apart(script: str) -> list[float]:
    answer = subprocess.run(
        [sys.executable, "-c", script],
        env=_environment(),
        capture_output=True,
        check=False,
        text=True,
    )
    if answer.returncode:
        raise SystemExit(answer.stderr)
    return [float(word) for word in answer.stdout.split()]


def memory() -> dict:
    return {"bytes a node": _apart(MEMORY)[0]}


def chain() -> dict:
    built, walked, freed = _apart(CHAIN)
    return {"build, s": built, "backward, s": walked, "free, s": freed}


# ── The table ────────────────────────────────────────────────────────────────────────────────

# measure, part, figure, must, moonshot; "<" for at most, ">" for at least, "=" for true
ROWS = [
    ("microGPT script, bit-identical", "training", "losses and parameters bit-identical",
     "=", True, True),
    ("microGPT script, times as fast, gc on", "training", "ratio, gc on", ">", 22, 28),
    ("microGPT script, times as fast, gc off", "training", "ratio, gc off", ">", 7, 9),
    ("eager forward over plain floats", "eager", "forward over floats", "<", 1.25, 1.1),
    ("backward, ns a node", "eager", "backward, ns a node", "<", 15, 8),
    ("memory, bytes a node", "memory", "bytes a node", "<", 80, 48),
    ("chain of 10,000,000 on a 256 KB stack, s", "chain", "build, s", "<", math.inf, math.inf),
    ("late steps over early ones", "endurance", "late over early", "<", 1.10, 1.10),
]  # fmt: skip


def verdict(figure, how: str, must, moonshot) -> str:
    def meets(bound) -> bool:
        return figure == bound if how == "=" else figure <= bound if how == "<" else figure >= bound

    return "moonshot" if meets(moonshot) else "met" if meets(must) else "MISSED"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--contender", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.contender:
        contend(options.contender, options.steps)
        return

    import gradwalk

    steps = options.steps or (30 if options.quick else 1000)
    parts = {
        "engine": {"backend": gradwalk.backend(), "python": sys.version.split()[0]},
        "eager": eager(gradwalk.Value, 30 if options.quick else 200),
        "memory": memory(),
        "chain": chain(),
        "training": training(steps),
    }
    if options.long:
        parts["endurance"] = endurance(20_000)
    rows = [
        {"measure": measure, "figure": parts[part][name], "must": must, "moonshot": moonshot,
         "verdict": verdict(parts[part][name], how, must, moonshot)}
        for measure, part, name, how, must, moonshot in ROWS
        if part in parts
    ]  # fmt: skip
    if options.json:
        print(json.dumps({"rows": rows, "parts": parts}, indent=2, default=str))
        return
    print(f"gradwalk {gradwalk.backend()} engine, Python {parts['engine']['python']}\n")
    for row in rows:
        figure = row["figure"]
        shown = f"{figure:.3g}" if isinstance(figure, float) else str(figure)
        print(f"{row['measure']:45} {shown:>8}   must {row['must']!s:>5}   {row['verdict']}")
    for part, figures in parts.items():
        print(f"\n{part}")
        for name, figure in figures.items():
            print(f"    {name:40} {f'{figure:.4g}' if isinstance(figure, float) else figure}")


if __name__ == "__main__":
    main()
