"""Training whose numbers stay in arrays: parameters, gradients and the optimiser's memory."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import count
from typing import Any, cast

from gradwalk.errors import OperandError, ProgramError
from gradwalk.optim import SGD, Adam, AdamW, Momentum, Optimizer
from gradwalk.program import backends
from gradwalk.program.ir import PATH
from gradwalk.program.map import Mapper, total
from gradwalk.program.recordings import (
    Places,
    Recording,
    Recordings,
    Short,
    need_optimizer,
    need_shared,
)

__all__ = ["Trainer"]


class Trainer:
    """`with program.train(optimizer) as train: loss = train.step(…)`.

    Gives the numbers of `loss.backward(); optimizer.step()` on Values: the same optimiser, its
    schedule, its count of steps, its memory. `values` and `grads` are arrays in the order of
    `optimizer.parameters`. The Values themselves follow at `sync()` and when the block is left.
    """

    def __init__(self, store: Recordings, optimizer: Optimizer) -> None:
        need_optimizer("train", optimizer)
        self._store = store
        self._map = Mapper(store)
        self.optimizer = optimizer
        self.values = array("d")
        self.grads = array("d")
        self._earlier: array[float] | None = None  # gradients from before the block
        self._offsets = array("q")  # of numbers in an array, in bytes
        self._plans: dict[Recording, tuple[Any, list[Any], array[int]]] = {}
        self._short: dict[int, Short] = {}
        self._move: Callable[[], None] | None = None

    def __enter__(self) -> Trainer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.sync()
        self._move = None
        self._short.clear()

    def start(self) -> Trainer:
        """Begin from the numbers of the Values, as `with` does; `sync()` writes them back."""
        if self._move is not None:
            raise ProgramError("this training has been entered already")
        parameters = self.optimizer.parameters
        self.values = array("d", [value.data for value in parameters])
        self.grads = array("d", bytes(8 * len(parameters)))
        earlier = array("d", [value.grad for value in parameters])
        self._earlier = earlier if any(earlier) else None
        self._forget()
        self._move = self._mover()
        return self

    def step(self, /, *args: Any, **named: Any) -> float:
        """Replay forward and back, move the parameters; return the value from before the move."""
        loss = self._differentiate(args, named)
        self._move()  # pyright: ignore[reportOptionalCall]
        return loss

    def batch(self, /, *args: Any, threads: int | None = None, **named: Any) -> float:
        """Move the parameters by the mean over scenarios; return that mean from before the move.

        Arguments are those of `map`: a numpy array has one row a scenario.
        """
        if self._move is None:
            raise ProgramError("a step needs the training to be entered: with program.train(…)")
        return self._store.until_loops_end(lambda: self._batch(args, named, threads))

    def _batch(self, args: tuple[Any, ...], named: dict[str, Any], threads: int | None) -> float:
        assert self._move is not None
        mapper = self._map
        recording, rows, _ = mapper.placed(args, named)[1:]
        import numpy as np  # the rows are numpy's, so it is there

        if not rows.count:
            raise OperandError("the mean over no scenarios has no value")
        _, others, slot_of = self._planned(recording)
        buffers = [rows.run or array("d", [0.0]), *rows.buffers[1:]]
        for numbers in (self.values, array("d", [value.data for value in others])):
            count = len(numbers)
            rows.where.extend(array("i", [len(buffers)]) * count)
            if count > len(self._offsets):
                self._offsets = array("q", range(0, 8 * count, 8))
            rows.offset.extend(self._offsets[:count])
            rows.stride.extend(array("q", bytes(8 * count)))
            buffers.append(numbers)
        losses = np.empty((rows.count, len(recording.program.ends())))

        def planned(path: Recording) -> tuple[Any, list[array[float]]]:
            replay, behind, _ = self._planned(path)
            return replay, [self.values, array("d", [value.data for value in behind])]

        if any(guard.act == PATH for guard in recording.root.program.guards):
            self.sync()  # a path that is recorded reads the Values
        places = Places(buffers, rows.where, rows.offset, rows.stride, rows.count)
        mapper.run_paths(
            recording, planned, places, losses, None, self.grads, threads, None, slot_of
        )
        share = 1.0 / rows.count
        grads = np.frombuffer(self.grads)
        grads *= share
        self._add_earlier()
        self._move()
        return total(losses[:, 0]) * share

    def value_and_grad(self, /, *args: Any, **named: Any) -> float:
        """Return the value, and leave the parameters' gradients in `grads`, as `update` finds them.

        A step in two halves: between them `grads` can be read, clipped, or added up.
        """
        return self._differentiate(args, named)

    def _differentiate(self, args: tuple[Any, ...], named: dict[str, Any]) -> float:
        short = self._short.get(_length(args))
        loss = NotImplemented if short is None else short(args, named)
        if loss is NotImplemented:
            if self._move is None:
                raise ProgramError("a step needs the training to be entered: with program.train(…)")
            loss = self._store.until_loops_end(
                lambda: self._long(args, named), forget=self._short.clear
            )
        self._add_earlier()
        return loss

    def _long(self, args: tuple[Any, ...], named: dict[str, Any]) -> float:
        store = self._store
        values = store.bind(args, named)
        specs, segments = store.read(values)
        root = store.by_specs.get(specs)
        if root is None or root.grows is not None or not store.is_current():
            self.sync()  # so that what is recorded finds the Values in step
        recording = store.find(specs, values)
        replay, others, _ = self._planned(recording)
        recording.replays += 1
        segments.append(self.values)
        if others:
            segments.append(array("d", [value.data for value in others]))
        elif hasattr(replay, "call_into") and not recording.pinned and store.count >= 0:
            short = store.short_way(recording, replay.call_into, self.values, self.grads)
            self._short[_length(values)] = short

        def in_order() -> list[Any]:
            self.sync()
            return self._as_recorded(recording, segments)

        [loss] = recording.run(replay, segments, self.grads, in_order=in_order)
        return loss

    def _forget(self) -> None:
        self._plans.clear()
        self._short.clear()

    def _add_earlier(self) -> None:
        """Gradients that were there before the block count for its first step."""
        if self._earlier is not None:
            for i, grad in enumerate(self._earlier):
                self.grads[i] += grad
            self._earlier = None

    def update(self) -> None:
        """Move the parameters by `grads`: the second half of a step."""
        if self._move is None:
            raise ProgramError("an update needs the training to be entered: with program.train(…)")
        self._move()

    def sync(self) -> None:
        """Write the numbers back to the Values."""
        if self._move is None:
            return
        for value, number in zip(self.optimizer.parameters, self.values, strict=True):
            value.data = number
            value.grad = 0.0
        if self._earlier is not None:  # no step has taken them yet
            for value, grad in zip(self.optimizer.parameters, self._earlier, strict=True):
                value.grad = grad

    def replays(self) -> list[Any]:
        """Return the replays that steps so far were made by, one for each structure."""
        return [replay for replay, *_ in self._plans.values()]

    # ── Behind these ─────────────────────────────────────────────────────────────────────────

    def _planned(self, recording: Recording) -> tuple[Any, list[Any], array[int]]:
        """Return a replay of a path whose parameter slots are all of the optimiser's, in its order.

        With it come the parameters that are not the optimiser's, and for each slot of the recording
        which one it is here.
        """
        found = self._plans.get(recording)
        if found is not None:
            return found
        store = self._store
        store.need_one_number(recording)
        need_shared(store.name, recording, self.optimizer)
        base = recording.argument_slots
        parameters = self.optimizer.parameters
        wrt = range(base, base + len(parameters))
        order = dict(zip(map(id, parameters), wrt, strict=True))
        others = [value for value in recording.parameters if id(value) not in order]
        order.update(zip(map(id, others), count(wrt.stop), strict=False))
        slot_of = array("i", range(base))
        slot_of.extend(map(order.__getitem__, map(id, recording.parameters)))
        replay = recording.replay(wrt, wrt.stop + len(others), slot_of)
        self._plans = {one: plan for one, plan in self._plans.items() if not one.dropped}
        if not recording.pinned:
            self._plans[recording] = replay, others, slot_of
        return replay, others, slot_of

    def _as_recorded(self, recording: Recording, segments: list[Any]) -> list[Any]:
        """Return the slots in the recording's own order, once the Values are in step."""
        arguments = array("d")
        for segment in segments:
            arguments.frombytes(memoryview(segment).cast("B"))
        return recording.segments([arguments[: recording.argument_slots]])

    def _mover(self) -> Callable[[], None]:
        """Return the function that makes one move, for this kind of optimiser."""
        opt: Any = self.optimizer
        backend, values, grads, memory = backends.replay, self.values, self.grads, opt.memory
        kind = cast(Any, type(opt))
        counter = opt.counter
        if kind is Adam or kind is AdamW:
            adam, mean, square = backend.adam, memory["mean"], memory["square"]
            return lambda: adam(counter, values, grads, mean, square, *opt.numbers(opt.rate))
        if kind is Momentum:
            velocity = memory["velocity"]

            def move_momentum() -> None:
                settings = opt.rate, opt.momentum, opt.nesterov, opt.weight_decay
                backend.momentum(counter, values, grads, velocity, *settings)

            return move_momentum
        if kind is SGD:
            return lambda: backend.sgd(counter, values, grads, opt.rate, opt.weight_decay)

        def move_by_values() -> None:  # an optimiser of the user's own moves Values
            for value, number, grad in zip(opt.parameters, values, grads, strict=True):
                value.data, value.grad = number, grad
            opt.step()
            opt.zero_grad()
            values[:] = array("d", [value.data for value in opt.parameters])

        return move_by_values


def _length(args: tuple[Any, ...]) -> int:
    """Return what most often tells one structure of arguments from another."""
    return len(cast("list[Any]", args[0])) if args and type(args[0]) is list else -1
