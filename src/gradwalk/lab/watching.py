"""Someone's own training loop in the lab: `with watch():`, or `gradwalk watch script.py`.

`watch` with a Value is the other thing that can be watched: one graph, in a notebook. See
`gradwalk.render.view`.

Every `backward()` on a Value is a step, and the Value it is called on is the loss. A server in a
thread shows them; nothing of the loop changes. Of the loop's time, looking at the leaves takes
SHARE at most. The first nan or infinity is told with its operands and its way to the loss.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, overload

from gradwalk import contract
from gradwalk.anomaly import Anomaly, first_anomaly
from gradwalk.engine import CONST, Value, topological_order
from gradwalk.errors import AnomalyError, GraphError
from gradwalk.gpt.stream import Points
from gradwalk.gpt.views import histogram, log_histogram
from gradwalk.graph import snapshot
from gradwalk.lab import require_extra
from gradwalk.plan import Plan
from gradwalk.render.plot import Curve
from gradwalk.render.tape import tape_bytes
from gradwalk.render.view import view

if TYPE_CHECKING:
    from gradwalk.nn import Module
    from gradwalk.program import Compiled

SHARE = 0.01
_EVERY = 0.2  # seconds between two events of steps: an eye follows, and the loop hardly waits
_LOOK = 1.0  # seconds between two looks at the leaves, at least
_ANSWER = 20.0  # seconds that a page waits for the graph of the next step


class Watched:
    """The steps of one loop, on their way to the pages that follow it."""

    def __init__(self) -> None:
        self._tell: Callable[[str, bytes], None] | None = None
        self._early: list[tuple[str, bytes]] = []
        self._lock = threading.Lock()
        self._begin = self._sent = self._looked = time.perf_counter()
        self._spent = 0.0
        self.steps = self._count = 0
        self._loss = 0.0
        self._points = Points()
        self._last = 0.0
        self._wanted: list[Callable[[bytes], None]] = []
        self._kept: bytes | None = None  # the graph with the first nan in it
        self.over = False

    # ── Towards the pages ────────────────────────────────────────────────────────────────────

    def attach(self, tell: Callable[[str, bytes], None]) -> None:
        """Send events to `tell`, which any thread may call; those so far come first."""
        with self._lock:
            self._tell = tell
            for name, data in self._early:
                tell(name, data)
            self._early = []

    def say(self, name: str, **fields: Any) -> None:
        data = contract.dumps({"event": name, **fields}).encode()
        with self._lock:
            if self._tell is None:
                self._early.append((name, data))
            else:
                self._tell(name, data)

    async def graph(self) -> bytes:
        """Return the graph of the first nan, if there was one, else of the next step."""
        if self._kept is not None:
            return self._kept
        if self.over:
            raise GraphError("the script has ended: there is no next step to open")
        loop = asyncio.get_running_loop()
        found: asyncio.Future[bytes] = loop.create_future()

        def give(content: bytes) -> None:
            loop.call_soon_threadsafe(lambda: found.done() or found.set_result(content))

        self._wanted.append(give)
        try:
            return await asyncio.wait_for(found, _ANSWER)
        except TimeoutError:
            raise GraphError("no step came in time: the script is busy or waiting") from None

    # ── From the loop ────────────────────────────────────────────────────────────────────────

    def start(self, title: str) -> None:
        self.say("start", title=title, step=0, parameters=0, documents=0)

    def step(self, root: Value) -> None:
        """Note a step: `root` is its loss, walked backward."""
        now = time.perf_counter()
        self.steps += 1
        self._count += 1
        self._loss += root.data
        self._last = root.data
        self._points.add(self.steps, root.data)
        strange = root.data - root.data != 0.0 and self._kept is None
        if strange or self._wanted:
            self._show(root, strange)
        if now - self._sent > _EVERY or strange:
            self._flush(now)
        elapsed = now - self._begin
        if now - self._looked > _LOOK and self._spent <= SHARE * elapsed:
            self._look(root)

    def _flush(self, now: float) -> None:
        if self._count:
            seconds = round(now - self._begin, 6)
            loss = self._loss / self._count
            points = self._points.take(self.steps, self._last)
            self.say("step", step=self.steps, steps=self._count, loss=loss, points=points,
                     document="", seconds=seconds)  # fmt: skip
        self._sent, self._count, self._loss = now, 0, 0.0

    def _look(self, root: Value) -> None:
        began = time.perf_counter()
        leaves = [v for v in topological_order(root) if not v._children and v._op != CONST]
        data, grads = [v.data for v in leaves], [v.grad for v in leaves]
        self.say("histograms", step=self.steps, parameters=histogram(data),
                 gradients=log_histogram(grads))  # fmt: skip
        self._looked = time.perf_counter()
        self._spent += self._looked - began

    def _show(self, root: Value, strange: bool) -> None:
        graph = snapshot(root)
        content = tape_bytes(graph)
        wanted, self._wanted = self._wanted, []
        for give in wanted:
            give(content)
        anomaly = first_anomaly(graph) if strange else None
        if anomaly is not None:
            self._kept = content
            self.say("anomaly", step=self.steps, **_told(anomaly))

    def end(self, why: str, error: BaseException | None = None) -> None:
        if self.over:
            return
        self._flush(time.perf_counter())
        if isinstance(error, AnomalyError) and self._kept is None:
            line = list(error.line) if error.line else None
            self.say("anomaly", step=self.steps + 1, message=str(error), op=error.op, node=-1,
                     line=line, source=_source(error.line), operands=[], path=[])  # fmt: skip
        self.over = True
        self.say("end", step=self.steps, why=why)
        self.say("result", step=self.steps)


def _told(anomaly: Anomaly) -> dict[str, Any]:
    graph = anomaly.graph
    node = graph[anomaly.node]
    what = "gradient" if anomaly.backward else "value"
    number = node.grad if anomaly.backward else node.data
    return {
        "node": node.id,
        "op": node.op,
        "message": f"the {what} of {graph.name(node.id)} is {number}",
        "line": list(node.line) if node.line else None,
        "source": _source(node.line),
        "operands": [[graph.name(i), graph[i].data] for i in node.operands],
        "path": [graph.name(i) for i in anomaly.path[:200]],
    }


def _source(line: tuple[str, int] | None) -> str:
    import linecache

    return linecache.getline(*line).strip()[:200] if line else ""


# ── The context ──────────────────────────────────────────────────────────────────────────────


@overload
def watch(subject: Value | Plan | Curve, *, height: int = ...) -> Any: ...
@overload
def watch(subject: Module | Compiled, *args: Any, height: int = ..., **named: Any) -> Any: ...
@overload
def watch(
    subject: str = "", *, port: int = 0, open_browser: bool = False, as_json: bool = False
) -> Watching: ...
def watch(
    subject: Value | Plan | Curve | Module | Compiled | str = "", *args: Any, **options: Any
) -> Any:
    """Show a Value in a notebook, live; or, without one, every `backward()` of a block in the lab.

        view = gradwalk.watch(loss)         # in a notebook; a slider writes `.data` of its leaf
        view.selected                       # the Value that is picked in the view
        view.update(loss)                   # the next step's

        with gradwalk.watch():              # anywhere
            for step in range(1000):
                loss = model_loss()
                loss.backward()
                optimizer.step()

    A model or a compiled function is shown at arguments: `watch(model, [1.0, 2.0])`. A `Curve` is
    drawn; its points can be read off, and `view.selected` is the point that was picked.

    The `with` form prints an address, or opens it with `open_browser`; a text gives it a title.
    When the block ends, the pages keep what they have seen. Inside `source_lines()`, a nan is told
    with the line that made it.
    """
    if isinstance(subject, str):
        return Watching(subject, **options)
    return view(subject, *args, **options)


class Watching:
    """The block of `with watch():`."""

    def __init__(
        self, title: str = "", *, port: int = 0, open_browser: bool = False, as_json: bool = False
    ) -> None:
        self._title = title
        self._options = (port, open_browser, as_json)
        self.watched = Watched()
        self._stop: Callable[[], None] = lambda: None
        self._original: Any = None

    def __enter__(self) -> Watched:
        require_extra()
        from gradwalk.lab.server import serve_watched

        self._stop = serve_watched(self.watched, secrets.token_urlsafe(32), *self._options)
        self.watched.start(self._title or (sys.argv[0] if sys.argv else ""))
        original, watched = Value.backward, self.watched
        self._original = original

        def backward(self: Value, *args: Any, **named: Any) -> Any:
            result = original(self, *args, **named)
            watched.step(self)
            return result

        Value.backward = backward  # pyright: ignore[reportAttributeAccessIssue]
        return self.watched

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        Value.backward = self._original
        self.watched.end("failed" if error else "finished", error)
        self._stop()
