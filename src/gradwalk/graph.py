"""An immutable picture of a computation: what everything that explains, draws or serves works on.

`snapshot(value)` turns the live, mutable graph under a Value into a `Graph` of `Node`s with small
ids in topological order, inputs first, the root last. Nothing above this module touches a Value.

The engine records `a - b` as `a + (b * -1)` and `a / b` as `a * b**-1`, as micrograd does. A
graph shows such a pair folded into one node tagged *derived*; `unfold()` shows the primitives.
Where `b**-2` leaves the doubles, the engine records one division, which is a primitive then. An
operation over a list, a dot or a softmax, is one node too, and unfolds into what it stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gradwalk import ops
from gradwalk.engine import CONST, Value, nary, topological_order
from gradwalk.errors import GraphError, OperandError
from gradwalk.statements import stated

__all__ = ["Graph", "Node", "local_grads", "named", "number", "snapshot"]

LEAF, DERIVED = "leaf", "derived"


@dataclass(frozen=True, slots=True)
class Node:
    """One value of the computation, as it was when the snapshot was taken.

    `operands` are ids of its inputs in order; `local_grads` has d node / d input for each;
    `scope` names the box it was made in, as `layers.0.attention`.
    """

    id: int
    op: str
    label: str
    data: float
    grad: float
    operands: tuple[int, ...]
    local_grads: tuple[float, ...]
    tags: tuple[str, ...] = ()
    line: tuple[str, int] | None = None
    scope: str = ""

    @property
    def is_const(self) -> bool:
        return CONST in self.tags


class Graph:
    """Nodes in topological order: `graph.nodes[i].id == i`, the root is the last."""

    __slots__ = ("_by_name", "_names", "_recorded", "nodes")

    def __init__(self, nodes: Iterable[Node], _recorded: tuple[Node, ...] | None = None) -> None:
        self.nodes: tuple[Node, ...] = tuple(nodes)
        self._recorded = _recorded
        self._names: tuple[str, ...] | None = None
        self._by_name: dict[tuple[bool, str], int] | None = None

    def __len__(self) -> int:
        return len(self.nodes)

    def __getitem__(self, node_id: int) -> Node:
        return self.nodes[node_id]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Graph) and self.nodes == other.nodes

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        root = self.nodes[-1]
        return f"<Graph of {len(self)} nodes, root {self.name(root.id)} = {number(root.data)}>"

    @property
    def root(self) -> int:
        """The id of the root."""
        return len(self.nodes) - 1

    @property
    def leaves(self) -> tuple[Node, ...]:
        """The nodes without inputs that are not constants."""
        return tuple([node for node in self.nodes if LEAF in node.tags])

    def name(self, node_id: int) -> str:
        """Return the name a person knows the node by: its label, its number, or its symbol.

        Where several nodes would share a name, a subscript tells them apart.
        """
        if self._names is None:
            self._names = _names(self.nodes)
        return self._names[node_id]

    def find(self, node: int | str | Node) -> Node:
        """Return the node with this id, name, or label; `*_2` and `*2` also find `*₂`."""
        if isinstance(node, Node):
            node = node.id
        if isinstance(node, int):
            if 0 <= node < len(self.nodes):
                return self.nodes[node]
            raise GraphError(f"there is no node {node}: ids go from 0 to {self.root}")
        if not isinstance(node, str):
            kind = type(node).__name__
            raise GraphError(f"a node is given by its id, its name or its label, not by a {kind}")
        if self._by_name is None:
            self._by_name = self._index()
        found = [self._by_name.get(key) for key in ((False, node), (True, _plain(node)))]
        ids = [node_id for node_id in found if node_id is not None]
        if ids:
            return self.nodes[min(ids)]
        known = ", ".join([self.name(n.id) for n in self.nodes[:12] if not n.is_const])
        raise GraphError(f"there is no node {node!r}; this graph has {known}")

    def _index(self) -> dict[tuple[bool, str], int]:
        """Return the first id under each name, as it is and, but for constants, as it is typed."""
        index: dict[tuple[bool, str], int] = {}
        for node in self.nodes:
            name = self.name(node.id)
            index.setdefault((False, name), node.id)
            if not node.is_const:
                index.setdefault((True, _plain(name)), node.id)
        return index

    def consumers(self) -> list[list[int]]:
        """Return, for each node, the ids of the nodes that read it, once for each edge."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for node in self.nodes:
            for operand in node.operands:
                found[operand].append(node.id)
        return found

    def with_grads(self, grads: Iterable[float]) -> Graph:
        """Return the same graph with these gradients, one for each node."""
        nodes = [replace(node, grad=grad) for node, grad in zip(self.nodes, grads, strict=True)]
        return Graph(nodes, self._recorded)

    def relabelled(self, before: str, after: str) -> Graph:
        """Return the same graph with one label replaced."""

        def relabel(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
            return tuple(
                [replace(node, label=after) if node.label == before else node for node in nodes]
            )

        return Graph(relabel(self.nodes), self._recorded and relabel(self._recorded))

    def fold(self) -> Graph:
        """Return the graph with `a - b`, `a / b` and `-a` as one derived node each."""
        return _folded(self._recorded or self.nodes)

    def unfold(self) -> Graph:
        """Return the graph in primitives: `a + (b * -1)`, `a * b**-1`, `a * -1`."""
        return _unfolded(self._recorded or self.nodes)


def snapshot(root: Value, *, fold: bool = True) -> Graph:
    """Return the graph under `root` as immutable data, derived operations folded unless told.

    >>> from gradwalk import Value, snapshot
    >>> graph = snapshot(Value(5.0, label="a") - 3)
    >>> [(node.op, graph.name(node.id), node.data, node.tags) for node in graph.nodes]
    [('', 'a', 5.0, ('leaf',)), ('const', '3', 3.0, ('const',)), ('-', '-', 2.0, ('derived',))]
    """
    if not isinstance(root, Value):
        raise OperandError(f"snapshot takes a Value, not {type(root).__name__}")
    ids: dict[Value, int] = {}
    recorded: list[Node] = []
    for value in topological_order(root):
        node_id = ids[value] = len(recorded)
        recorded.append(
            Node(
                node_id,
                value._op,
                value.label,
                value.data,
                value.grad,
                tuple([ids[child] for child in value._children]),
                local_grads(value),
                _tags(value),
                getattr(value, "_line", None),
                getattr(value, "_scope", ""),
            )
        )
    return _folded(tuple(recorded)) if fold else _unfolded(tuple(recorded))


def number(x: float, digits: int = 6) -> str:
    """Return a number as words and pictures show it: so many significant digits, no signed zero."""
    text = f"{x:.{digits}g}"
    return "0" if text == "-0" else text


def named(name: str, x: float) -> str:
    """Return `name = 0.5`, or `name ≈ 0.333333` where the number has more digits."""
    text = number(x)
    return f"{name} {stated(x, text)} {text}"


def _tags(value: Value) -> tuple[str, ...]:
    if value._op == CONST:
        return (CONST,)
    if value._op in nary.TABLE:
        return (DERIVED,)
    return () if value._children else (LEAF,)


def local_grads(value: Value) -> tuple[float, ...]:
    """Return the local gradients, with 0 towards constants, which do not vary.

    A node with a `_backward` of its own is asked: pushing is linear, so what it pushes of a
    gradient of 1 into zeroed inputs is the local gradient.
    """
    if value._local_grads is not None:
        return tuple(
            [
                0.0 if child._op == CONST else local
                for child, local in zip(value._children, value._local_grads, strict=True)
            ]
        )
    before = [(node, node.grad) for node in (value, *value._children)]
    try:
        for child in value._children:
            child.grad = 0.0
        value.grad = 1.0
        value._backward()
        seen: set[Value] = set()
        found: list[float] = []
        for child in value._children:
            found.append(0.0 if child in seen else child.grad)  # a*a: the sum, on the first edge
            seen.add(child)
        return tuple(found)
    finally:
        for node, grad in before:
            node.grad = grad


# The derived symbols: the primitive each is recorded as, and the inner node it swallows.
_PRIMITIVE = {"-": "+", "/": "*", "neg": "*"}
_INNER = {"-": "neg", "/": "**"}


def _is_one_division(op: str, divisor: float) -> bool:
    """Return whether a `/` is a node of its own; else its second operand is the inverse."""
    return op == "/" and not ops.divides_plainly(divisor)


def _is_derived(node: Node, nodes: Sequence[Node]) -> bool:
    return (
        node.op in _PRIMITIVE
        and len(node.operands) == 2
        and not _is_one_division(node.op, nodes[node.operands[1]].data)
    )


def _unfolded(recorded: tuple[Node, ...]) -> Graph:
    nodes: list[Node] = []
    ids: list[int] = []
    for node in recorded:
        operands = tuple([ids[operand] for operand in node.operands])
        if node.op in nary.TABLE:
            nodes += _written_out(node, operands, nodes)
        elif node.id == len(nodes) and node.op not in _PRIMITIVE:
            nodes.append(node)
        else:
            op = _PRIMITIVE[node.op] if _is_derived(node, recorded) else node.op
            nodes.append(replace(node, id=len(nodes), op=op, operands=operands))
        ids.append(len(nodes) - 1)
    return Graph(_pruned(nodes), recorded)


def _written_out(node: Node, operands: tuple[int, ...], nodes: list[Node]) -> Iterator[Node]:
    """Yield the scalar nodes that an operation over a list stands for, the last in its place."""
    row = nary.TABLE[node.op]
    inputs = [Value(nodes[operand].data) for operand in operands]
    root = row.written(*inputs)
    root.backward()
    ids: dict[Value, int] = dict(zip(inputs, operands, strict=True))
    begin = len(nodes)
    for value in topological_order(root):
        if value not in ids:
            ids[value] = begin
            yield Node(
                begin,
                _primitive(value),
                node.label if value is root else "",
                value.data,
                value.grad * node.grad,
                tuple([ids[child] for child in value._children]),
                local_grads(value),
                _tags(value),
                node.line,
                node.scope,
            )
            begin += 1


def _primitive(value: Value) -> str:
    op, inputs = value._op, value._children
    is_division = len(inputs) == 2 and _is_one_division(op, inputs[1].data)
    return op if is_division else _PRIMITIVE.get(op, op)


def _pruned(nodes: list[Node]) -> list[Node]:
    """Return the nodes that the root still uses: unfolding leaves its parameters behind."""
    used = {len(nodes) - 1}
    for node in reversed(nodes):
        if node.id in used:
            used.update(node.operands)
    if len(used) == len(nodes):
        return nodes
    ids = {old: new for new, old in enumerate(sorted(used))}
    return [
        replace(
            nodes[old], id=new, operands=tuple([ids[operand] for operand in nodes[old].operands])
        )
        for old, new in ids.items()
    ]


def _folded(recorded: tuple[Node, ...]) -> Graph:
    derived = {node.id for node in recorded if _is_derived(node, recorded)}
    if not derived:
        return Graph(recorded, recorded)
    uses = [0] * len(recorded)
    for node in recorded:
        for operand in node.operands:
            uses[operand] += 1
    swallowed: set[int] = set()
    inner_of: dict[int, Node] = {}
    for node_id in derived:
        node = recorded[node_id]
        inner = recorded[node.operands[1]]
        if node.op == "neg":
            swallowed.add(inner.id)
        elif inner.op == _INNER[node.op] and uses[inner.id] == 1 and not inner.label:
            inner_of[node_id] = inner
            swallowed.update((inner.id, inner.operands[1]))
    ids: dict[int, int] = {}
    nodes: list[Node] = []
    for node in recorded:
        if node.id in swallowed:
            continue
        ids[node.id] = len(nodes)
        if node.id == len(nodes) and node.id not in derived:  # nothing has moved so far
            nodes.append(node)
            continue
        operands, locals_, tags, op = node.operands, node.local_grads, node.tags, node.op
        if node.id in derived:
            if op == "neg":
                operands, locals_, tags = operands[:1], locals_[:1], (DERIVED,)
            elif inner := inner_of.get(node.id):
                operands = (operands[0], inner.operands[0])
                locals_ = (locals_[0], locals_[1] * inner.local_grads[0])
                tags = (DERIVED,)
            else:  # its inner node is in use elsewhere: show what is there
                op = _PRIMITIVE[op]
        operands = tuple([ids[operand] for operand in operands])
        nodes.append(
            Node(  # not `replace`, which takes four times as long: this runs once per node
                ids[node.id],
                op,
                node.label,
                node.data,
                node.grad,
                operands,
                locals_,
                tags,
                node.line,
                node.scope,
            )
        )
    return Graph(nodes, recorded)


_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


def _names(nodes: tuple[Node, ...]) -> tuple[str, ...]:
    bare = [n.label or (number(n.data) if n.is_const else n.op or "v") for n in nodes]
    count: dict[str, int] = {}
    for node, name in zip(nodes, bare, strict=True):
        if not node.is_const:
            count[name] = count.get(name, 0) + 1
    seen: dict[str, int] = {}
    names: list[str] = []
    for node, name in zip(nodes, bare, strict=True):
        if not node.is_const and count[name] > 1:
            seen[name] = seen.get(name, 0) + 1
            name += str(seen[name]).translate(_SUBSCRIPTS)  # noqa: PLW2901
        names.append(name)
    return tuple(names)


def _plain(name: str) -> str:
    """Return a name as it can be typed: `*₂` is `*2`, and so is `*_2`."""
    plain = name.translate(_DIGITS)
    head, _, tail = plain.rpartition("_")
    return head + tail if head and tail.isdigit() else plain
