"""A recorded program as a few operations on whole arrays: matrix products, sums, elementwise ones.

    Packed     a program by groups of instructions; `run` computes it
    View       the operands of a group, read from the arrays of earlier groups
    _products  dot products that share operands, as matrix products

A model that is written out in scalars repeats each operation for every row, head and position.
Instructions of one operation and one height (the steps from there to the result) do not depend on
each other, so they run as one array operation: one row per instruction, one column per scenario.
"""

# JAX has types of its own, which are not there when it is not installed.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
# pyright: reportMissingImports=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np

from gradwalk.program.ir import Stage
from gradwalk.program.on_jax.lowering import jax_modules, known_operations

__all__ = ["Packed", "planned"]

Node = tuple[str, list[int]]  # an operation and its operands
Codes = Any  # an array of places: the source in the upper half, the row in the lower one

_SLOTS, _CONSTS = 0, 1  # sources; the others are groups
_BITS = 32
_ROW = (1 << _BITS) - 1
_PAD = -1  # no operand: a row of a sum that is shorter than others
_FEW = 4  # terms up to which a sum is written as additions of whole columns
_CHAINS = {"add": "sum", "maximum": "largest", "minimum": "least"}
_ROWS = ("sum", "largest", "least")  # of any number of operands


class Packed:
    """A recorded program as `size` array operations, each for a group of like instructions."""

    def __init__(self, stage: Stage, dtype: str, plan: Plan | None = None) -> None:
        self.operations = known_operations(stage)
        self.dtype = dtype
        nodes, groups = plan or planned(stage)
        self._numbers = np.asarray(stage.numbers, np.float64)
        self._at = np.full(max([len(stage), *[i + 1 for i in nodes]]), _PAD, np.int64)
        for i, name in enumerate(stage.operations):
            if name == "input":
                self._at[i] = _SLOTS << _BITS | int(stage.numbers[i])
            elif name == "const":
                self._at[i] = _CONSTS << _BITS | i
        self._steps: list[Callable[[_Arrays], Any]] = []
        for name, ids in groups:
            self._add(name, ids, [nodes[i][1] for i in ids])
        self._results = self._at[list(stage.results[: stage.outputs])]
        self.size = len(self._steps)

    def __str__(self) -> str:
        return f"{self.size:,} array operations"

    def run(self, slots: Callable[[Sequence[int]], Any], shape: tuple[int, ...]) -> list[Any]:
        """Return the results. `slots` gives the numbers of some slots, in an array.

        `shape` is that of the scenarios: () for one.
        """
        return self._run(slots, shape, only_backward=False)

    def run_for_gradient(
        self, slots: Callable[[Sequence[int]], Any], shape: tuple[int, ...]
    ) -> list[Any]:
        """Do what `run` does in a form that `jax.grad` takes once, and no other transformation.

        The gradient of a gather is then a gather too, not a scatter, which is slow on a GPU.
        """
        return self._run(slots, shape, only_backward=True)

    def _run(self, slots: Any, shape: tuple[int, ...], only_backward: bool) -> list[Any]:
        arrays = _Arrays(slots, self._numbers, self.dtype, only_backward)
        for step in self._steps:
            arrays.groups.append(step(arrays))
        found = [arrays.read(View(self._results[k : k + 1]))[0] for k in range(len(self._results))]
        return found if shape else [x[0] for x in found]

    # ── Groups ───────────────────────────────────────────────────────────────────────────────

    def _add(self, name: str, ids: list[int], operands: list[list[int]]) -> None:
        if name in ("dot", "take"):
            left, right = self._paired(operands) if name == "dot" else self._tables(operands)
            for box in [*_products(np.asarray(ids), left, right)]:
                self._append(box.take if name == "take" else box.dot, box.ids, box.cells)
            return
        codes = self._at[_padded(operands)]
        if name in _ROWS:
            codes[_padded(operands) == _PAD] = _PAD
            order = np.lexsort((codes[:, 0],))
        else:
            order = np.lexsort(sorted(codes.T, key=_leads))
        codes, lanes = codes[order], np.asarray(ids)[order]
        if name not in _ROWS:
            step = _elementwise(self.operations[name], [View(column) for column in codes.T])
        elif codes.shape[1] <= _FEW and not (codes == _PAD).any():
            step = _elementwise(_folded(name), [View(column) for column in codes.T])
        else:
            step = _reduced(name, codes)
        self._append(step, lanes, np.arange(len(lanes)))

    def _append(self, step: Callable[[_Arrays], Any], ids: Any, rows: Any) -> None:
        self._at[ids] = (len(self._steps) + 2) << _BITS | rows
        self._steps.append(step)

    def _paired(self, operands: list[list[int]]) -> tuple[Codes, Codes]:
        """Return the factors of dot products, a row for each; shorter ones are padded."""
        rows = _padded(operands)
        codes = np.where(rows == _PAD, _PAD, self._at[rows])
        left, right = codes[:, ::2], codes[:, 1::2]
        swap = (left >> _BITS) > (right >> _BITS)  # so that one matrix is on one side
        left, right = np.where(swap, right, left), np.where(swap, left, right)
        if not (left == _PAD).any():
            return left, right
        if (longer := _extended(left)) is not None:
            return longer, right
        longer = _extended(right)
        return left, np.where(right == _PAD, right[:, :1], right) if longer is None else longer

    def _tables(self, operands: list[list[int]]) -> tuple[Codes, Codes]:
        codes = self._at[np.asarray(operands)]
        return codes[:, 1:], codes[:, :1]


Plan = tuple[dict[int, Node], list[tuple[str, list[int]]]]  # instructions, and their groups


def planned(stage: Stage) -> Plan:
    """Return the groups of a program, which says what packing would gain before it is done."""
    nodes = _nodes(stage)
    return nodes, [*_groups(nodes, stage.results)]


def _nodes(stage: Stage) -> dict[int, Node]:
    """Return the instructions that results need, with chains of additions as one sum.

    A sum of products becomes a dot product. Where other terms are added to it, it gets an id behind
    those of the program.
    """
    uses = Counter(stage.results)
    for i in range(len(stage)):
        uses.update(stage.operands(i))
    zeros = {
        i for i, name in enumerate(stage.operations) if name == "const" and not stage.numbers[i]
    }
    nodes: dict[int, Node] = {}
    for i, name in enumerate(stage.operations):
        if name in ("const", "input"):
            continue
        operands = list(stage.operands(i))
        many = _CHAINS.get(name, "")
        if name == "add" and not zeros.isdisjoint(operands):
            nodes[i] = "sum", [x for x in operands if x not in zeros] or operands[:1]
            continue
        nodes[i] = name, operands
        for k, x in enumerate(operands if many else ()):
            if uses[x] == 1 and x in nodes and nodes[x][0] in (name, many):
                longer = nodes.pop(x)[1]
                longer.append(operands[1 - k])
                nodes[i] = many, longer
                break
    return _with_dots(nodes, uses, len(stage))


def _with_dots(nodes: dict[int, Node], uses: Counter[int], fresh: int) -> dict[int, Node]:
    found: dict[int, Node] = {}
    for i, (name, operands) in nodes.items():
        products = [
            x
            for x in (operands if name == "sum" else ())
            if uses[x] == 1 and x in found and found[x][0] == "mul"
        ]
        if not products or (len(products) == 1 and len(operands) > 1):
            found[i] = name, operands
            continue
        others = {*operands} - {*products}
        pairs = [factor for x in products for factor in found.pop(x)[1]]
        if not others:
            found[i] = "dot", pairs
            continue
        found[fresh] = "dot", pairs
        terms = [fresh, *[x for x in operands if x in others]]
        found[i] = "add" if len(terms) == 2 else "sum", terms
        fresh += 1
    return found


def _groups(nodes: dict[int, Node], results: Sequence[int]) -> Iterator[tuple[str, list[int]]]:
    """Yield instructions that run together, those with the longest way to a result first.

    One that could wait longer than others with operands from the same groups goes with those.
    """
    height = dict.fromkeys(results, 0)
    for i in reversed(nodes):
        for x in nodes[i][1] if i in height else ():
            height[x] = max(height.get(x, 0), height[i] + 1)
    named = {i: name for i, (name, _) in nodes.items() if i in height}
    chained = {(height[i], name) for i, name in named.items() if name in _ROWS}
    for i, name in named.items():
        if name != "add" and (height[i], _CHAINS.get(name)) in chained:
            named[i] = _CHAINS[name]  # beside longer ones
    earliest: dict[Any, int] = {}
    found: dict[tuple[int, str, int], list[int]] = {}
    for i in sorted(named, key=lambda i: -height[i]):
        name, operands = named[i], nodes[i][1]
        arity = 0 if name in _ROWS or name == "dot" else len(operands)
        read = frozenset([(height[x], named[x]) for x in operands if x in named])
        height[i] = earliest.setdefault((name, arity, read), height[i])
        found.setdefault((-height[i], name, arity), []).append(i)
    for (_, name, arity), ids in sorted(found.items()):
        counts = [len(nodes[i][1]) for i in ids]
        if arity or max(counts) * len(ids) < 2.5 * sum(counts):
            yield name, ids
        else:  # padding would be most of it
            for count in sorted({*counts}):
                yield name, [i for i in ids if len(nodes[i][1]) == count]


def _leads(column: Codes) -> tuple[int, bool]:
    """Return a key: the larger, the better this operand decides the order of the group."""
    return len(np.unique(column)), bool(column[0] >> _BITS > _CONSTS)


def _padded(rows: list[list[int]]) -> Any:
    width = max(map(len, rows))
    return np.asarray([row + [_PAD] * (width - len(row)) for row in rows], np.int64)


def _extended(codes: Codes) -> Codes | None:
    """Return shorter rows made longer like full rows that begin as they do, or None."""
    lengths = (codes != _PAD).sum(axis=1)
    whole = {
        row[:length].tobytes(): row
        for row in np.unique(codes[lengths == codes.shape[1]], axis=0)
        for length in {*lengths.tolist()}
    }
    found = [whole.get(row[:length].tobytes()) for row, length in zip(codes, lengths, strict=True)]
    return None if any(row is None for row in found) else np.asarray(found)


# ── What runs ────────────────────────────────────────────────────────────────────────────────


class _Arrays:
    """The arrays of one run: (rows, scenarios), or (rows, 1) for what scenarios share."""

    def __init__(self, slots: Any, numbers: Any, dtype: str, only_backward: bool) -> None:
        self.slots, self.numbers, self.dtype, self.only_backward = (
            slots,
            numbers,
            dtype,
            only_backward,
        )
        self.groups: list[Any] = []

    def read(self, view: View) -> Any:
        """Return the operands as an array of the view's shape, with one axis more."""
        _, jnp = jax_modules()
        parts = [self._part(source, rows) for source, rows in view.parts]
        if len(parts) == 1:
            whole = parts[0]
        else:
            width = max([part.shape[-1] for part in parts])
            wide = [jnp.broadcast_to(part, (part.shape[0], width)) for part in parts]
            whole = jnp.concatenate(wide)
        if view.rows is not None:
            whole = view.rows.of(whole, self.only_backward)
        return jnp.reshape(whole, (*view.shape, whole.shape[-1]))

    def _part(self, source: int, rows: _Rows) -> Any:
        _, jnp = jax_modules()
        if source == _CONSTS:
            return jnp.asarray(self.numbers[rows.index][:, None], self.dtype)
        if source != _SLOTS:
            return rows.of(self.groups[source - 2], self.only_backward)
        low, high = int(rows.index.min()), int(rows.index.max()) + 1
        if rows.strides is None:
            asked = np.unique(rows.index)
            rows = _Rows(np.searchsorted(asked, rows.index), rows.there)
        else:
            asked, rows = np.arange(low, high), _Rows(rows.index - low)
        found = self.slots(asked.tolist())
        return rows.of(found if found.ndim == 2 else found[:, None], self.only_backward)


class View:
    """Where the operands of a group are: runs of rows of earlier arrays, put together.

    A place without an operand is 0.
    """

    def __init__(self, codes: Codes) -> None:
        self.shape = codes.shape
        flat = codes.ravel()
        there = flat != _PAD
        self._there = None if there.all() else there
        flat = np.where(there, flat, flat[there][0])
        sources, index = flat >> _BITS, flat & _ROW
        cuts = np.flatnonzero(np.diff(sources)) + 1
        self.rows: _Rows | None = None
        if len(cuts) < _FEW and self._there is None:
            runs = zip(np.split(sources, cuts), np.split(index, cuts), strict=True)
            self.parts = [(int(source[0]), _Rows(part)) for source, part in runs]
        elif not len(cuts):
            self.parts = [(int(sources[0]), _Rows(index, self._there))]
        else:
            needed, where = np.unique(flat, return_inverse=True)
            self.parts = [
                (source, _Rows(needed[needed >> _BITS == source] & _ROW))
                for source in np.unique(sources).tolist()
            ]
            self.rows = _Rows(where.ravel(), self._there)

    def constant(self, arrays: _Arrays) -> float | None:
        """Return the number that all operands are, if they are one constant."""
        if len(self.parts) == 1 and self.parts[0][0] == _CONSTS:
            numbers = arrays.numbers[self.parts[0][1].index]
            if (numbers == numbers[0]).all():
                return float(numbers[0])
        return None


class _Rows:
    """Rows of an array: by strides where they are in step, which costs nothing, else by a table.

    Rows that are not `there` are 0.
    """

    def __init__(self, index: Any, there: Any = None) -> None:
        self.index = index
        self.there = there
        self.strides = _strides(index) if there is None else None

    def of(self, array: Any, only_backward: bool) -> Any:
        if self.strides is not None:
            return _strided(array, int(self.index[0]), self.strides)
        there = np.full(len(self.index), True) if self.there is None else self.there
        if only_backward:
            return _gathered(array, self.index, there)
        _, jnp = jax_modules()
        return array[self.index] if there.all() else jnp.where(there[:, None], array[self.index], 0)


def _strides(index: Any) -> list[tuple[int, int]] | None:
    """Return (length, stride) of nested loops that count through the index, or None."""
    found: list[tuple[int, int]] = []
    while len(index) > 1:
        stride = int(index[1] - index[0])
        breaks = np.flatnonzero(np.diff(index) != stride)
        length = int(breaks[0]) + 1 if len(breaks) else len(index)
        if stride < 0 or len(index) % length or len(found) == _FEW:
            return None
        blocks = index.reshape(-1, length)
        if (blocks - blocks[:, :1] != stride * np.arange(length)).any():
            return None
        found.insert(0, (length, stride))
        index = blocks[:, 0]
    moving = sorted([row for row in found if row[1]], key=lambda row: -row[1])
    nested = all(outer >= n * stride for (_, outer), (n, stride) in pairwise(moving))
    return found if nested else None


def _strided(array: Any, begin: int, strides: list[tuple[int, int]]) -> Any:
    """Return rows of an array, counted by nested loops, from slices, reshapes and transposes."""
    _, jnp = jax_modules()
    moving = sorted([k for k, row in enumerate(strides) if row[1]], key=lambda k: -strides[k][1])
    width = array.shape[-1]
    if not moving:
        one = array[begin : begin + 1]
    else:
        length, stride = strides[moving[0]]
        one = array[begin : begin + length * stride]
        short = length * stride - one.shape[0]
        one = jnp.pad(one, ((0, short), (0, 0))) if short else one
        one = jnp.reshape(one, (length, stride, width))
        for k in moving[1:]:
            length, stride = strides[k]
            one = one[..., : length * stride, :]
            one = jnp.reshape(one, (*one.shape[:-2], length, stride, width))
        one = one[..., 0, :]
        one = jnp.transpose(one, (*np.argsort(moving), len(moving)))
    still = [k for k, row in enumerate(strides) if not row[1]]
    if not moving:
        one = one[0]
    one = jnp.expand_dims(one, still)
    shape = [length for length, _ in strides]
    return jnp.reshape(jnp.broadcast_to(one, (*shape, width)), (-1, width))


def _gathered(array: Any, index: Any, there: Any) -> Any:
    """Return rows by a table, with a gradient that gathers too: JAX's own scatters."""
    jax, jnp = jax_modules()
    count = array.shape[0]
    times = np.bincount(index[there], minlength=count)
    most = int(times.max())

    def gather(x: Any) -> Any:
        return x[index] if there.all() else jnp.where(there[:, None], x[index], 0)

    if count * most > 4 * len(index):
        return gather(array)
    readers = np.flatnonzero(there)[np.argsort(index[there], kind="stable")]
    begin = np.cumsum(times) - times
    is_read = np.arange(most) < times[:, None]
    table = readers[np.where(is_read, begin[:, None] + np.arange(most), 0)]

    def pull(_: Any, slopes: Any) -> Any:
        found = jnp.where(is_read[:, :, None], slopes[table], 0)
        return (found.sum(axis=1),)

    smooth = jax.custom_vjp(gather)
    smooth.defvjp(lambda x: (gather(x), None), pull)
    return smooth(array)


def _elementwise(operation: Callable[..., Any], views: list[View]) -> Callable[[_Arrays], Any]:
    def run(arrays: _Arrays) -> Any:
        given: list[Any] = []
        for view in views:
            constant = view.constant(arrays)
            given.append(arrays.read(view) if constant is None else constant)
        _, jnp = jax_modules()
        found = jnp.asarray(operation(*given), arrays.dtype)
        return found if found.ndim == 2 else jnp.broadcast_to(found, (*views[0].shape, 1))

    return run


def _folded(name: str) -> Callable[..., Any]:
    _, jnp = jax_modules()
    by = {"sum": jnp.add, "largest": jnp.maximum, "least": jnp.minimum}[name]
    return lambda *terms: reduce(by, terms)


def _reduced(name: str, codes: Codes) -> Callable[[_Arrays], Any]:
    _, jnp = jax_modules()
    view = View(codes if name == "sum" else np.where(codes == _PAD, codes[:, :1], codes))
    by = {"sum": jnp.sum, "largest": jnp.max, "least": jnp.min}[name]

    return lambda arrays: by(arrays.read(view), axis=1)


# ── Products ─────────────────────────────────────────────────────────────────────────────────


class _Box:
    """Dot products of each left row with each right row, for some independent parts.

    `left` has the axes (part, left row, term), `right` (part, right row, term); an instruction of
    `ids` is the cell of that number among (part, left row, right row).
    """

    def __init__(self, left: Codes, right: Codes, ids: Any, cells: Any) -> None:
        self.ids, self.cells = ids, cells
        # Terms before rows: a matrix product then reads the array as it is.
        self._left, self._right = View(left), View(right.swapaxes(1, 2))

    def dot(self, arrays: _Arrays) -> Any:
        return _multiplied(arrays.read(self._left), arrays.read(self._right))

    def take(self, arrays: _Arrays) -> Any:
        """Read tables at an index, as a product with ones and zeros."""
        jax, jnp = jax_modules()
        table, index = arrays.read(self._left), arrays.read(self._right)
        count = table.shape[2]
        index = jnp.floor(jnp.where(index > 0.0, jnp.minimum(index, count - 1.0), 0.0))
        chosen = index == jnp.arange(count, dtype=arrays.dtype)[None, :, None, None]
        if table.shape[-1] == 1:
            exact = jax.lax.Precision.HIGHEST
            found = _multiplied(table, chosen.astype(arrays.dtype), exact)
        else:
            rows = table.swapaxes(1, 2)[:, :, :, None]
            found = jnp.where(chosen[:, :, None], rows, 0.0).sum(axis=1)
            found = jnp.reshape(found, (-1, found.shape[-1]))
        return found


def _multiplied(left: Any, right: Any, precision: Any = None) -> Any:
    """Return (part, u, term, ·) times (part, term, v, ·) as rows of (part, u, v)."""
    _, jnp = jax_modules()
    if left.shape[0] == left.shape[-1] == 1 and right.shape[1] > _FEW:
        flat = jnp.reshape(right, (right.shape[1], -1))  # one product of two matrices
        found = jnp.matmul(left[0, :, :, 0], flat, precision=precision)
        return jnp.reshape(found, (-1, right.shape[-1]))
    if left.shape[-1] == 1 and right.shape[1] > _FEW:
        found = jnp.einsum("cun,cnvm->cuvm", left[..., 0], right, precision=precision)
    elif right.shape[-1] == 1 and right.shape[1] > _FEW:
        found = jnp.einsum("cunm,cnv->cuvm", left, right[..., 0], precision=precision)
    else:
        found = (left.swapaxes(1, 2)[:, :, :, None] * right[:, :, None]).sum(axis=1)
    return jnp.reshape(found, (-1, found.shape[-1]))


def _products(ids: Any, left: Codes, right: Codes) -> Iterator[_Box]:
    """Yield products of whole matrices that these dot products are cells of.

    Rows that are multiplied with each other, if only through others, are in one part. Parts of one
    shape go together.
    """
    rows, u = np.unique(left, axis=0, return_inverse=True)
    columns, v = np.unique(right, axis=0, return_inverse=True)
    u, v = u.ravel(), v.ravel()
    part_of = _parts(u, v, len(rows))
    members: dict[int, list[int]] = {}
    for k, row in enumerate(u.tolist()):
        members.setdefault(part_of[row], []).append(k)
    shapes: dict[tuple[int, int], list[tuple[Any, Any, list[int]]]] = {}
    for lanes in members.values():
        mine, theirs = np.unique(u[lanes]), np.unique(v[lanes])
        shapes.setdefault((len(mine), len(theirs)), []).append((mine, theirs, lanes))
    for (height, width), parts in shapes.items():
        count = sum([len(lanes) for _, _, lanes in parts])
        if count * 4 < len(parts) * height * width or len(shapes) > 8:
            lanes = np.concatenate([part[2] for part in parts])
            a, b = rows[u[lanes]][:, None], columns[v[lanes]][:, None]
            yield _Box(a, b, ids[lanes], np.arange(len(lanes)))
            continue
        cells = [
            (k * height + np.searchsorted(mine, u[lanes])) * width
            + np.searchsorted(theirs, v[lanes])
            for k, (mine, theirs, lanes) in enumerate(parts)
        ]
        a = np.stack([rows[mine] for mine, _, _ in parts])
        b = np.stack([columns[theirs] for _, theirs, _ in parts])
        lanes = np.concatenate([lanes for _, _, lanes in parts])
        yield _Box(a, b, ids[lanes], np.concatenate(cells))


def _parts(u: Any, v: Any, count: int) -> list[int]:
    """Return for each left row the part that it is in: the first left row of that part."""
    above = list(range(count))

    def top(row: int) -> int:
        while above[row] != row:
            above[row] = above[above[row]]
            row = above[row]
        return row

    first: dict[int, int] = {}
    for row, column in zip(u.tolist(), v.tolist(), strict=True):
        one, other = sorted((top(row), top(first.setdefault(column, row))))
        above[other] = one
    return [top(row) for row in range(count)]
