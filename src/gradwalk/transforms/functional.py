"""Functions of functions: gradients, products with Jacobians, Jacobians and Hessians.

    grad, value_and_grad                          of a function that returns one number
    vjp, jvp                                      reverse and forward mode
    jacobian, value_and_jacobian                  by rows or by columns, whichever are fewer
    hessian, value_and_hessian, hvp               forward mode over reverse mode
    hessian_diagonal

Each works on floats, on Values and, inside a function that is being recorded, on recorded values.
They nest to any depth. Start reading at `Point`: a function at a point, with the sweeps over it.
"""

# A number is a float, a Value or a recorded value, so it has no one type to write down.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

from gradwalk import sweeps
from gradwalk.engine import CONST, Value, constant, modes, topological_order
from gradwalk.errors import OperandError, ProgramError
from gradwalk.program import Compiled, backends
from gradwalk.program.tree import NUMBER, Spec, flatten, rebuild

Function = Callable[..., Any]
Argument = int | str
Arguments = Argument | tuple[Argument, ...] | list[Argument]


class _Levels(threading.local):
    """How many transforms are running here, one inside the other.

    `seen` has the nodes that a finished inner sweep went over, with the time. A sweep whose inputs
    are younger than that need not look below them, so that a gradient in a loop does not walk over
    all rounds before it. `variables` has the ids of the inputs of the transforms that are running.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.variables: set[int] = set()
        self.clock = 0
        self.seen: dict[Value, int] = {}


_levels = _Levels()


class Point:
    """A function at a point: its result, and sweeps between the chosen arguments and the result."""

    def __init__(
        self, f: Function, args: Sequence[Any], named: dict[str, Any], argnums: Arguments
    ) -> None:
        self.name = name_of(f)
        self.is_single = not isinstance(argnums, (tuple, list))
        keys: Sequence[Argument] = [argnums] if self.is_single else argnums  # type: ignore
        args, named = list(args), dict(named)
        self.places = [_placed(self.name, f, key, args, named) for key in keys]
        self.recorder: Any = modes.recorder() if modes.active else None
        self.shapes: list[Spec] = []
        self.sizes: list[int] = []
        self.inputs: list[Any] = []
        for group, key in self.places:
            leaves, shape = flatten(group(args, named)[key])
            made = [self._input(leaf) for leaf in leaves]
            self.shapes.append(shape)
            self.sizes.append(len(leaves))
            self.inputs += made
            group(args, named)[key] = rebuild(shape, made)
        if self.recorder is not None:
            self.begin = self.recorder.count
            result = backends.tape.call(f, *args, **named)
        else:
            result = self._evaluated(f, args, named)
        self.outputs, self.shape = flatten(result)
        if self.recorder is not None:
            self.outputs = [self.recorder.lift(out) for out in self.outputs]
        self._trace: sweeps.Trace | None = None

    def _input(self, leaf: Any) -> Any:
        """Return a variable of this level: equal to the leaf, but not the same node."""
        if self.recorder is not None:
            return self.recorder.lift(leaf) * 1.0
        # Over a constant it is no leaf: to sweeps that come later, it does not vary.
        return (leaf if isinstance(leaf, Value) else constant(leaf)) * 1.0  # type: ignore

    def _evaluated(self, f: Function, args: list[Any], named: dict[str, Any]) -> Any:
        depth = self.depth = _levels.depth
        self.began = _levels.clock
        mine = set(map(id, self.inputs))

        def begin() -> None:
            _levels.depth = depth + 1
            _levels.variables |= mine

        def evaluated() -> Any:
            if modes.active and modes.current() & modes.NO_GRAD:
                return modes.recording(None, lambda: f(*args, **named))
            return f(*args, **named)

        def end() -> None:
            _levels.depth = depth
            _levels.variables -= mine
            if not depth:
                _levels.seen.clear()

        return modes.enclosed(begin, evaluated, end)

    @property
    def trace(self) -> sweeps.Trace:
        if self._trace is None:
            if self.recorder is not None:
                self._trace = sweeps.of_tape(self.recorder, self.inputs, self.outputs, self.begin)
            else:
                order = self._recent if self.depth else topological_order
                self._trace = sweeps.of_values(self.inputs, self.outputs, order, _levels.variables)
        return self._trace

    def _recent(self, root: Value) -> list[Value]:
        """Return the nodes below a root, less those that are older than this point's inputs."""
        seen, began = _levels.seen, self.began
        _levels.clock += 1
        order: list[Value] = []
        found = {id(root), *map(id, self.inputs)}
        order += self.inputs
        stack = [(root, iter(root._children))]
        if any(root is value for value in self.inputs):
            return order
        while stack:
            node, children = stack[-1]
            for child in children:
                if id(child) not in found and seen.get(child, began + 1) > began:
                    found.add(id(child))
                    stack.append((child, iter(child._children)))
                    break
            else:
                order.append(node)
                stack.pop()
        for node in order:
            seen.setdefault(node, _levels.clock)
        return order

    # ── Sweeps ───────────────────────────────────────────────────────────────────────────────

    def gradient(self) -> list[Any]:
        """Return the gradient of the only output, one number per input."""
        if self.recorder is None and not self.depth and self._trace is None:
            found = self._engine_gradient()
            if found is not None:
                return found
        return self.pulled([1.0])

    def _engine_gradient(self) -> list[float] | None:
        """Return the gradient by the engine's own walk, where nothing but the inputs varies."""
        root = self.outputs[0]
        if not isinstance(root, Value):
            return None
        order = topological_order(root)
        ours = set(map(id, self.inputs))
        for node in order:
            if not node._children and node._op != CONST and id(node) not in ours:
                return None
        before = [node.grad for node in order]
        try:
            root.backward()
            return [value.grad for value in self.inputs]
        finally:
            for node, number in zip(order, before, strict=True):
                node.grad = number

    def pulled(self, seeds: Sequence[Any]) -> list[Any]:
        """Return the gradient by each input of the outputs weighted by `seeds` (reverse mode)."""
        return self.pulled_each([seeds])[0]

    def pulled_each(self, rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """Return `pulled` for each row of seeds."""
        return [list(map(self.number, found)) for found in sweeps.reverse_each(self.trace, rows)]

    def pushed(self, tangents: Sequence[Any]) -> list[Any]:
        """Return how each output moves as the inputs move along `tangents` (forward mode)."""
        return [self.number(x) for x in sweeps.forward(self.trace, tangents)]

    def number(self, found: Any) -> Any:
        """Return a result of a sweep as a number of this point's kind."""
        if found is None:
            found = 0.0
        if self.recorder is not None:
            return self.recorder.lift(found)
        if type(found) is float and self.trace.is_open:
            return constant(found)
        return found

    # ── Structures ───────────────────────────────────────────────────────────────────────────

    def result(self) -> Any:
        """Return the function's result, with floats in it where nothing else varies."""
        if self.recorder is not None or self._is_open():
            return rebuild(self.shape, self.outputs)
        numbers = [out.data if isinstance(out, Value) else out for out in self.outputs]
        return rebuild(self.shape, numbers)

    def _is_open(self) -> bool:
        if self._trace is None and not self.depth:  # found closed by the engine's walk
            return sweeps.are_open(self.inputs)
        return self.trace.is_open

    def like_inputs(self, numbers: Sequence[Any]) -> Any:
        """Return one number per input in the structure of the chosen arguments."""
        parts: list[Any] = []
        at = 0
        for shape, size in zip(self.shapes, self.sizes, strict=True):
            parts.append(rebuild(shape, numbers[at : at + size]))
            at += size
        return parts[0] if self.is_single else tuple(parts)

    def like_outputs(self, entries: Sequence[Any]) -> Any:
        """Return one entry per output in the structure of the result."""
        return rebuild(self.shape, entries)

    def need_one_number(self, transform: str) -> None:
        if self.shape != NUMBER:
            raise OperandError(
                f"{transform} needs a function that returns one number; {self.name} returns "
                f"{len(self.outputs)} numbers in a structure: use jacobian"
            )


def grad(f: Function, argnums: Arguments = 0) -> Function:
    """Return the function that computes the gradient of `f` by the arguments in `argnums`.

    `argnums` is a position, a name, or a tuple of these. The gradient has the structure of the
    argument, and is a tuple for a tuple of arguments.

    >>> from gradwalk import grad
    >>> grad(lambda x: x**3)(2.0), grad(grad(lambda x: x**3))(2.0)
    (12.0, 12.0)
    """

    def derived(*args: Any, **named: Any) -> Any:
        if _replays(f):
            if _levels.depth:
                gradient = f._derived(("grad", _key(argnums)), lambda f: grad(f, argnums))
                return gradient(*args, **named)
            if (found := _replayed(f, args, named, argnums)) is not None:
                return found[1]
        point = Point(f, args, named, argnums)
        point.need_one_number("grad")
        return point.like_inputs(point.gradient())

    return like(f, derived, "grad")


def value_and_grad(f: Function, argnums: Arguments = 0) -> Function:
    """Return the function that computes `f` and its gradient in one pass: see `grad`."""

    def derived(*args: Any, **named: Any) -> tuple[Any, Any]:
        if _replays(f):
            if _levels.depth:
                both = f._derived(("both", _key(argnums)), lambda f: value_and_grad(f, argnums))
                return both(*args, **named)
            if (found := _replayed(f, args, named, argnums)) is not None:
                return found
        point = Point(f, args, named, argnums)
        point.need_one_number("value_and_grad")
        gradient = point.like_inputs(point.gradient())
        return point.result(), gradient

    return like(f, derived, "value_and_grad")


def _replays(f: Function) -> TypeGuard[Compiled]:
    """Say whether a function has derivatives of its own, by its programs."""
    if not isinstance(f, Compiled) or modes.active:
        return False
    return f.function is not None and f._store.options.errors == "ieee"


def _key(argnums: Arguments) -> Any:
    return tuple(argnums) if isinstance(argnums, list) else argnums


def _replayed(
    f: Compiled, args: Sequence[Any], named: dict[str, Any], argnums: Arguments
) -> tuple[float, Any] | None:
    """Return the value and the gradient of a compiled function by its own adjoint.

    None where more than numbers is at work: Values among the arguments or captured ones, results
    or arguments that its `value_and_grad` does not have.
    """
    is_single = not isinstance(argnums, (tuple, list))
    keys: Any = [argnums] if is_single else argnums
    chosen: dict[str, Any] = {}
    for key in keys:
        group, at = _placed(f.name, f, key, list(args), named)
        name = at if isinstance(at, str) else f.arguments[at] if at < len(f.arguments) else ""
        chosen[name] = group(list(args), named)[at]
    given = [*args, *named.values()]
    if len(chosen) < len(keys) or "" in chosen or not all(map(_is_of_numbers, given)):
        return None
    if any(recording.parameters for recording in f._store.by_specs.values()):
        return None
    try:
        value, grads = f._long_value_and_grad(tuple(args), named, tuple(chosen))
    except ProgramError:
        return None  # the general way says what is wrong, or can do it
    if f._store.used_last().parameters:
        return None
    parts: list[Any] = []
    for name, argument in chosen.items():
        found = grads[name]
        if not _is_flat(argument):
            leaves, shape = flatten(argument)
            numbers = flatten(found)[0]
            if len(numbers) != len(leaves):
                return None
            found = rebuild(shape, numbers)
        parts.append(found)
    return value, parts[0] if is_single else tuple(parts)


def _is_flat(thing: Any) -> bool:
    """Say whether a thing is a number, a list of numbers or an array of doubles."""
    if type(thing) is list:
        return _PLAIN.issuperset(map(type, thing))
    return type(thing) in _PLAIN or getattr(getattr(thing, "dtype", None), "char", "") == "d"


_PLAIN = frozenset({float, int})


def _is_of_numbers(thing: Any) -> bool:
    """Say whether no Value is in a thing."""
    return _is_flat(thing) or all(type(leaf) is float for leaf in flatten(thing)[0])


def vjp(f: Function, /, *primals: Any) -> tuple[Any, Function]:
    """Return f(*primals), and the function from a cotangent to the gradients by all primals.

    >>> from gradwalk import vjp
    >>> out, pull = vjp(lambda x, y: [x * y, x + y], 2.0, 3.0)
    >>> out, pull([1.0, 10.0])
    ([6.0, 5.0], (13.0, 12.0))
    """
    point = Point(f, primals, {}, tuple(range(len(primals))))
    result = point.trace and point.result()

    def pull(cotangent: Any) -> Any:
        seeds, shape = flatten(cotangent)
        if not _is_alike(shape, point.shape):
            raise OperandError(
                f"the cotangent of {point.name} has the structure of its result, "
                f"{len(point.outputs)} numbers, not {cotangent!r:.40}"
            )
        return point.like_inputs(point.pulled(seeds))

    return result, pull


def jvp(f: Function, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """Return f(*primals), and how it moves as the primals move along the tangents.

    This is forward mode: one sweep in the direction of the computation, whatever the number of
    results.

    >>> from gradwalk import jvp
    >>> jvp(lambda x: [x * x, x + 1.0], (3.0,), (1.0,))
    ([9.0, 4.0], [6.0, 1.0])
    """
    point = Point(f, primals, {}, tuple(range(len(primals))))
    moved = point.pushed(_tangents(point, tangents))
    return point.result(), point.like_outputs(moved)


def jacobian(f: Function, argnums: Arguments = 0, mode: str | None = None) -> Function:
    """Return the function that computes all first derivatives of the results of `f`.

    It has the structure of the result, with the structure of the argument in place of each number:
    of a list to a list, a list of rows. `mode` is "forward" or "reverse"; without one it is forward
    mode where there are no more inputs than outputs.

    >>> from gradwalk import jacobian
    >>> jacobian(lambda x: [x[0] * x[1], x[0] + x[1]])([2.0, 3.0])
    [[3.0, 2.0], [1.0, 1.0]]
    """
    both = value_and_jacobian(f, argnums, mode)
    return like(f, lambda *args, **named: both(*args, **named)[1], "jacobian")


def value_and_jacobian(f: Function, argnums: Arguments = 0, mode: str | None = None) -> Function:
    """Return the function that computes `f` and its Jacobian in one pass: see `jacobian`."""
    _need_mode(mode)

    def derived(*args: Any, **named: Any) -> tuple[Any, Any]:
        point = Point(f, args, named, argnums)
        rows = [point.like_inputs(row) for row in rows_of(point, mode)]
        return point.result(), point.like_outputs(rows)

    return like(f, derived, "value_and_jacobian")


def hessian(f: Function, argnums: Arguments = 0) -> Function:
    """Return the function that computes all second derivatives of `f`, by forward over reverse.

    >>> from gradwalk import hessian
    >>> hessian(lambda x: x[0] ** 2 * x[1])([2.0, 3.0])
    [[6.0, 4.0], [4.0, 0.0]]
    """
    return like(f, jacobian(grad(f, argnums), argnums, "forward"), "hessian")


def value_and_hessian(f: Function, argnums: Arguments = 0) -> Function:
    """Return the function that computes `f`, its gradient and its Hessian in one pass."""
    both = value_and_grad(f, argnums)

    def derived(*args: Any, **named: Any) -> tuple[Any, Any, Any]:
        point = Point(both, args, named, argnums)
        _, *rows = [point.like_inputs(row) for row in rows_of(point, "forward")]
        value, gradient = point.result()
        return value, gradient, rebuild(point.shape[1][1], rows)

    return like(f, derived, "value_and_hessian")


def hvp(f: Function, primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """Return the Hessian of `f` times the tangents, without the Hessian: forward over reverse.

    >>> from gradwalk import hvp
    >>> hvp(lambda x: x[0] ** 2 * x[1], ([2.0, 3.0],), ([1.0, 0.0],))
    ([6.0, 4.0],)
    """
    return jvp(grad(f, tuple(range(len(primals)))), primals, tangents)[1]


def hessian_diagonal(f: Function, argnums: Arguments = 0) -> Function:
    """Return the function that computes the second derivative of `f` by each input alone."""
    gradient = grad(f, argnums)

    def derived(*args: Any, **named: Any) -> Any:
        point = Point(gradient, args, named, argnums)
        count = len(point.inputs)
        return point.like_inputs([point.pushed(_unit(count, i))[i] for i in range(count)])

    return like(f, derived, "hessian_diagonal")


def rows_of(point: Point, mode: str | None) -> list[list[Any]]:
    """Return the Jacobian at a point, one row per output."""
    inputs, outputs = len(point.inputs), len(point.outputs)
    if mode == "reverse" or (mode is None and outputs < inputs):
        return point.pulled_each([_unit(outputs, i) for i in range(outputs)])
    columns = [point.pushed(_unit(inputs, i)) for i in range(inputs)]
    return [[column[k] for column in columns] for k in range(outputs)]


def like(f: Function, derived: Function, transform: str) -> Function:
    """Give a derived function the signature of its original, and a name that tells both."""
    derived.__name__ = derived.__qualname__ = f"{transform}({name_of(f)})"
    derived.__wrapped__ = f  # type: ignore[attr-defined]  # pyright: ignore
    return derived


def name_of(f: Any) -> str:
    return getattr(f, "__name__", None) or type(f).__name__


def _unit(count: int, i: int) -> list[Any]:
    return [1.0 if k == i else None for k in range(count)]


def _need_mode(mode: str | None) -> None:
    if mode not in (None, "forward", "reverse"):
        raise OperandError(
            f"mode is 'forward', 'reverse' or None, not {mode!r}; the point comes after: "
            "jacobian(f)([2.0, 3.0])"
        )


def _tangents(point: Point, tangents: Sequence[Any]) -> list[Any]:
    shapes: list[Spec] = []
    found: list[Any] = []
    for tangent in tangents:
        leaves, shape = flatten(tangent)
        found += leaves
        shapes.append(shape)
    if len(shapes) != len(point.shapes) or not all(map(_is_alike, shapes, point.shapes)):
        raise OperandError(
            f"the tangents of {point.name} have the structure of its primals, "
            f"{len(point.inputs)} numbers, not {tangents!r:.40}"
        )
    return found


def _is_alike(one: Spec, other: Spec) -> bool:
    """Say whether two structures hold numbers in the same places, lists and tuples alike."""
    kinds = {one[0], other[0]}
    if len(kinds) > 1 and not kinds <= {"list", "tuple"}:
        return False
    if one[0] in ("list", "tuple", "dict", "fields"):
        return len(one[-1]) == len(other[-1]) and all(map(_is_alike, one[-1], other[-1]))
    return one[0] == "is" or one == other


def _placed(
    name: str, f: Function, key: Any, args: list[Any], named: dict[str, Any]
) -> tuple[Callable[[list[Any], dict[str, Any]], Any], Any]:
    """Return which of the two holds an argument, and its key there."""
    if isinstance(key, str):
        if key in named:
            return _by_name, key
        import inspect

        order = list(inspect.signature(f).parameters)
        if key in order and order.index(key) < len(args):
            return _by_place, order.index(key)
        raise OperandError(f"{name} was called without the argument {key!r} to differentiate by")
    if not isinstance(key, int) or isinstance(key, bool):
        raise OperandError(
            f"argnums are positions or names of arguments, not {key!r}; the point comes after: "
            "grad(f)(2.0)"
        )
    place = key + len(args) if key < 0 else key
    if not 0 <= place < len(args):
        raise OperandError(
            f"{name} was called with {len(args)} positional arguments: there is no argument "
            f"{key} to differentiate by; name it, as in argnums='x', where it is given by name"
        )
    return _by_place, place


def _by_place(args: list[Any], named: dict[str, Any]) -> Any:
    return args


def _by_name(args: list[Any], named: dict[str, Any]) -> Any:
    return named
