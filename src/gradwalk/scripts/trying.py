"""Tries a script's class beside gradwalk's Value and makes the plan of its replacement.

Every operation that both have runs at many points, alone and inside graphs: its result used twice,
its gradient scaled, backward() called again. Where one bit differs, the script's own stays. The
trials run in a child process, so the script's counters, random numbers and output are untouched.
Start reading at `plan_for`, then at `_Trials`.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import math
import os
import pickle
import random
import select
import signal
import struct
import sys
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, NamedTuple

from gradwalk.engine import CONST, Value, backend, topological_order
from gradwalk.scripts.reading import Facts
from gradwalk.scripts.shape import (
    EDGES,
    Shape,
    UnfitError,
    UnsettledError,
    class_members,
    instance_attributes,
    observe,
)
from gradwalk.scripts.standin import OWN_NAMES, RESERVED, Plan, StandIn, raw_symbol
from gradwalk.scripts.trials import Trial, again, once, operation, random_graph, takes

SECONDS = 20.0  # a class that needs longer than this to be tried is left alone


def plan_for(theirs: type, facts: Facts) -> Plan:
    """Return how to replace a class, or raise UnfitError."""
    for method in ("__init__", "__post_init__"):
        if method in facts.unsafe:
            raise UnfitError(f"its constructor calls {facts.unsafe[method]}")
    if not hasattr(os, "fork"):
        return _undisturbed(theirs, facts)
    answer = _in_child(lambda: _answer(theirs, facts))
    if isinstance(answer, UnfitError):
        raise answer
    return answer._replace(whole=bool(facts.whole))


def _answer(theirs: type, facts: Facts) -> Plan | UnfitError:
    try:
        return _Trials(theirs, facts).plan()
    except UnfitError as error:
        return error
    except Exception as error:
        what = f"{type(error).__name__}: {error!s:.80}"
        return UnsettledError(f"trying it out failed with {what}")


def _undisturbed(theirs: type, facts: Facts) -> Plan:
    """Try the class in this process, on systems without fork, and restore streams and `random`."""
    state, streams = random.getstate(), (sys.stdout, sys.stderr)
    members = dict(vars(theirs))
    try:
        return _Trials(theirs, facts).plan()
    finally:
        for name in ("__init__", "__hash__"):
            if name in members:
                setattr(theirs, name, members[name])
            elif name in vars(theirs):
                delattr(theirs, name)
        random.setstate(state)
        sys.stdout, sys.stderr = streams


def _in_child(work: Callable[[], Plan | UnfitError]) -> Plan | UnfitError:
    """Return what `work` returns in a forked process that has no input and no output."""
    receive, send = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # threads of NumPy's do not take part
        process = os.fork()
    if process == 0:
        _be_child(work, receive, send)
    os.close(send)
    data, deadline = b"", time.monotonic() + SECONDS
    with contextlib.closing(os.fdopen(receive, "rb", buffering=0)) as pipe:
        while True:
            ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                with contextlib.suppress(OSError):
                    os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
                raise UnsettledError(f"trying it out took more than {SECONDS:g} s")
            part = pipe.read(1 << 16)
            if not part:
                break
            data += part
    os.waitpid(process, 0)
    if not data:
        raise UnsettledError("Python ended while it was tried out")
    return pickle.loads(data)


def _be_child(work: Callable[[], Plan | UnfitError], receive: int, send: int) -> None:
    """Work, send the answer, and leave without what Python does at its end."""
    try:
        os.close(receive)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nowhere, descriptor)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 3000))
        warnings.simplefilter("ignore")
        answer = work()
        with os.fdopen(send, "wb") as pipe:
            pickle.dump(answer, pipe)
    finally:
        os._exit(0)


# ── Trials ───────────────────────────────────────────────────────────────────────────────────


class _Outcome(NamedTuple):
    numbers: list[float]  # of the roots, then the gradients
    bits: list[bytes]
    graph: tuple[Any, ...]
    symbol: str  # gradwalk's own, where it is gradwalk's
    roots: int
    reversed: list[bytes]  # the bits where sets are walked the other way round

    @property
    def is_chance(self) -> bool:
        return self.bits != self.reversed


class _Walks:
    """The order in which sets of nodes are walked: that of their making, or the reverse.

    Python's own is that of their addresses, so it is chance. Trials try both.
    """

    def __init__(self) -> None:
        self.backward = False
        self._made = 0
        self._numbers: dict[int, int] = {}

    def number(self, theirs: Any) -> None:
        """Count the instances of a class, and let sets of them be walked in this order."""
        code = getattr(theirs.__hash__, "__code__", None)
        if theirs.__hash__ is None or (code is not None and "id" not in code.co_names):
            return
        make = theirs.__init__

        @functools.wraps(make)
        def counted(node: Any, *args: Any, **named: Any) -> None:
            self._made += 1
            self._numbers[id(node)] = self._made
            make(node, *args, **named)

        def place(node: Any) -> int:
            # A small set goes by the last three bits. Nodes made eight apart differ, too.
            number = self._numbers.get(id(node))
            if number is None:  # gradwalk's: the method is kept where the script has its own
                return object.__hash__(node)
            mixed = number ^ (number >> 3) ^ (number >> 6)
            return ~mixed & 0xFFFF if self.backward else mixed

        theirs.__init__, theirs.__hash__ = counted, place

    def as_set(self, nodes: Sequence[Any]) -> set[Any]:
        return _Walked(nodes, self.backward)


class _Walked(set[Any]):
    def __init__(self, nodes: Sequence[Any], backward: bool) -> None:
        super().__init__(nodes)
        self._order = list({id(node): node for node in nodes}.values())[:: -1 if backward else 1]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._order)


_ARITHMETIC = ("add", "radd", "mul", "rmul", "neg", "sub", "rsub", "pow", "rpow", "truediv")
_DUNDERS = [f"__{name}__" for name in (*_ARITHMETIC, "rtruediv")]

# Methods that compute a result, by the names that people give them.
_NAMED = {
    *["exp", "log", "tanh", "relu", "sigmoid", "sqrt", "sin", "cos", "tan", "abs", "square", "pow"],
    *["add", "mul", "sub", "div", "neg", "negate", "softplus", "gelu", "silu", "swish", "elu"],
    *["leaky_relu", "leakyrelu", "lrelu", "relu6", "logistic", "reciprocal", "inverse", "cube"],
    *["sinh", "cosh", "atan", "arctan", "log2", "log10", "log1p", "expm1", "erf", "mish", "selu"],
    *["__abs__", "ReLU", "sigm", "ln", "step", "clip", "clamp", "minus", "plus", "times"],
}


_ORDER = "it adds gradients up in another order"


class _Trials:
    """The trials of one class. `plan` tries, and keeps more of the script's until all agree."""

    def __init__(self, theirs: type, facts: Facts) -> None:
        self.theirs, self.facts = theirs, facts
        self.printed = io.StringIO()
        sys.stdout = sys.stderr = self.printed
        if facts.base_used:
            base, file, line = facts.base_used
            raise UnfitError(f"it derives from {base}, which {file}:{line} uses")
        self._leaf = functools.partial(theirs, **facts.flags())
        self.shape = observe(theirs, facts.bases, facts.flags())
        self.members = class_members(theirs)
        self.names: dict[str, Any] = _namespace(theirs)
        self._walks = _Walks()
        if not self.shape.ordered:
            self._walks.number(theirs)
        self._instance = OWN_NAMES | instance_attributes(self._leaf(1.0)).keys()
        self._expected: dict[str, _Outcome | None] = {}
        self._raised: set[str] = set()  # trials that raise what math raises

    def plan(self) -> Plan:
        shape = self.shape
        self._check_text()
        own = self._why_own_backward()
        first = self._first_plan(own)
        if taken := sorted(RESERVED & {*first.kept, *first.defaults}):
            raise UnfitError(f"gradwalk's Value has a {taken[0]} of its own; rename the script's")
        attempts = [first]
        if not first.adapts and all(one.role for one in shape.parameters):
            attempts.append(first._replace(adapts=True))
        if shape.backward and not own:
            # With the script's own walk over gradwalk's nodes, sums keep their order.
            attempts += [one._replace(own_backward=_ORDER) for one in attempts]
        reasons: list[UnfitError] = []
        for attempt in attempts:
            try:
                plan = self._agreed(attempt)
                called = dict.fromkeys(plan.alone | plan.plain, "")
                if self._adapts({**plan.kept, **called}) > plan.adapts:
                    plan = self._agreed(plan._replace(adapts=True))
            except UnfitError as error:
                reasons.append(error)
            else:
                self._check_kept(plan)
                return self._watching_data(plan)._replace(guarded=self._guarded(plan))
        raise reasons[0]

    def _check_text(self) -> None:
        """Raise UnfitError where the text of the script is reason enough."""
        facts = self.facts
        if facts.reads_dict:
            raise UnfitError(f"line {facts.reads_dict} reads __dict__, which gradwalk's lacks")
        if facts.arrays:
            raise UnfitError(f"it is made for arrays: {facts.arrays}")
        for attribute in (self.shape.grad, self.shape.data):
            if attribute in facts.nones:
                raise UnfitError(f"line {facts.nones[attribute]} sets .{attribute} to None")
        if facts.nested and not self.shape.takes_values:
            file, line = facts.nested
            name = self.theirs.__name__
            raise UnfitError(f"{file}:{line} makes a {name} whose .{self.shape.data} is a {name}")
        for method in ("__init__", "__post_init__"):
            if method in facts.depends:
                raise UnfitError(f"its constructor depends on {facts.depends[method]}")
            for effect, name in facts.effects.get(method, ()):
                if name == "*" or self._is_read(name):
                    raise UnfitError(f"its constructor {effect}")

    def _is_read(self, name: str) -> bool:
        in_methods = [
            method
            for method, used in self.facts.uses.items()
            if name in used and method not in ("__init__", "__post_init__")
        ]
        return name in self.facts.outside or bool(in_methods)

    def _why_own_backward(self) -> str:
        """Return why the script's backward() has to stay, as far as text and one call tell."""
        name, facts = self.shape.backward, self.facts
        if not name:
            return ""
        if name in facts.unsafe:
            raise UnfitError(f"its {name}() calls {facts.unsafe[name]}")
        left, seen = [name], set[str]()
        while left:
            method = left.pop()
            if method in seen:
                continue
            seen.add(method)
            for effect, attribute in facts.effects.get(method, ()):
                if attribute == "*" or attribute in facts.outside:
                    return f"it {effect}"
            left += facts.calls.get(method, ())
        known = {self.shape.grad, self.shape.data, *OWN_NAMES}
        for method in seen:
            for attribute in facts.stores.get(method, set()) - known:
                if attribute in facts.outside:
                    file, line = facts.outside[attribute]
                    return f"it sets .{attribute}, which {file}:{line} uses"
        self.printed.truncate(0)
        self.printed.seek(0)
        a = self._leaf(2.0)
        answer = getattr(a + a if hasattr(a, "__add__") else a * a, name)()
        if self.printed.getvalue():
            return "it prints"
        return "it returns something" if answer is not None else ""

    def _first_plan(self, own_backward: str) -> Plan:
        facts, shape = self.facts, self.shape
        kept: dict[str, str] = {}
        for name, member in self.members.items():
            if _belongs_to_class(name, member) or name in self._instance or name == shape.backward:
                continue
            if name in self._operations() and self._has_ours(name):
                if depends := facts.depends.get(name) or self._set_by_hand(name):
                    kept[name] = f"it depends on {depends}"
                elif name not in facts.lines:
                    kept[name] = "the text does not tell what it is"
                elif name in facts.unsafe:
                    kept[name] = f"it calls {facts.unsafe[name]}"
                for effect, attribute in facts.effects.get(name, ()):
                    if attribute == "*" or self._is_read(attribute):
                        kept.setdefault(name, f"it {effect}")
            else:
                kept[name] = "gradwalk's Value has none" if name in self._operations() else ""
        written = set(facts.written)
        for method, stored in facts.stores.items():
            if method not in ("__init__", "__post_init__"):
                written |= stored
        defaults = tuple([name for name in shape.extras if self._is_read(name)])
        renamed: dict[str, Any] = {}
        walk = [shape.backward] if own_backward else []
        if facts.reads([shape.op], [*kept, *walk]) and (backend() == "native" or shape.op != "_op"):
            renamed = self._names_of_leaves()
        alone: set[str] = set()
        if "dict" in shape.inputs.values():  # a ** a is not tried
            alone = {"__pow__", "pow"} & set(self._operations()) - kept.keys()
        plan = Plan(
            shape,
            kept,
            {},
            renamed,
            own_backward,
            adapts=self._adapts(kept),
            written=tuple(sorted(written)),
            defaults=defaults,
            alone=frozenset(alone),
        )
        return plan

    def _set_by_hand(self, method: str) -> str:
        """Return an attribute that a method reads and the script sets, like requires_grad."""
        facts = self.facts
        flags = facts.flags()
        for name in sorted(facts.uses.get(method, set()) & self.shape.extras.keys()):
            if name not in facts.written and name in flags:
                continue
            given = [
                index
                for index, one in enumerate(self.shape.parameters)
                if one.role == f"attribute:{name}"
            ]
            names = {self.shape.parameters[index].name for index in given}
            calls = [one for one in facts.made if not one.method]
            if name in facts.written or any(
                names & one.keywords or (given and one.positional > given[0]) for one in calls
            ):
                return f".{name}, which the script sets"
        return ""

    def _adapts(self, kept: dict[str, str]) -> bool:
        """Say whether the constructor is called in a form that gradwalk's does not take: outside of
        the class, or in methods that are kept.
        """
        shape = self.shape
        made = [one for one in self.facts.made if not one.method or one.method in kept]
        keywords = {word for one in made for word in one.keywords}
        given = max([1, *[one.positional for one in made]])
        for index, one in enumerate(shape.parameters):
            used = index < given or one.name in keywords or "**" in keywords
            if not one.role and used:
                where = next(
                    (
                        f", which is kept ({kept[call.method]})" if kept.get(call.method) else ""
                        for call in made
                        if index < call.positional or one.name in call.keywords
                    ),
                    "",
                )
                raise UnfitError(
                    f"its constructor is given {one.name}, and it is not clear what that is{where}"
                )
        unknown = keywords - {one.name for one in shape.parameters} - {"**"}
        if unknown:
            raise UnfitError(f"a call names the argument {min(unknown)}=, which the class lacks")
        roles = [one.role if not one.starred else "" for one in shape.parameters]
        ours = ["data", "inputs", "op", "label"]
        alike = all(
            role in (ours[index], "locals" if index == 2 else ours[index])
            for index, role in enumerate(roles[: min(given, 4)])
        )
        default_op = next((one.default for one in shape.parameters if one.role == "op"), "")
        named = keywords <= {"data", "_children", "_op", "label"}
        by_name = {one.name: one.role for one in shape.parameters}
        meant = dict(zip(["data", "_children", "_op", "label"], ours, strict=True))
        named = named and all(by_name.get(word) == meant[word] for word in keywords)
        unsure = {argument for one in made for argument in one.unsure}
        odd = any(
            one.role == "label" and unsure & {one.name, index}
            for index, one in enumerate(shape.parameters)
        )
        plain = alike and named and given <= 4 and not shape.takes_values and not default_op
        refuses = "__init__" in self.facts.refuses and self.facts.awaits is not None
        return odd or refuses or not plain

    def _guarded(self, plan: Plan) -> dict[str, bool]:
        """Return gradwalk's operations whose wrong operands go to the script's own, because it
        raises errors of its own and the script catches some; and whether instances are wrong, too.
        """
        if self.facts.awaits is None:
            return {}
        guarded: dict[str, bool] = {}
        for name in self._operations():
            refuses = name in self.facts.refuses or "__init__" in self.facts.refuses
            if refuses and name not in plan.kept and takes(self.members[name]) == 1:
                try:
                    getattr(self._leaf(1.5), name)(self._leaf(2.0))
                    guarded[name] = False
                except Exception:
                    guarded[name] = True
        return guarded

    def _operations(self) -> list[str]:
        own = self.members
        first = [name for name in _DUNDERS if name in own]
        return first + [name for name in own if name in _NAMED]

    def _has_ours(self, name: str) -> bool:
        return callable(getattr(Value, name, None))

    # ── Agreement ────────────────────────────────────────────────────────────────────────────

    def _agreed(self, plan: Plan) -> Plan:
        """Return the plan with everything kept that differs; raise where even that differs."""
        plan = self._second_backward(plan)
        both = [name for name in ("__add__", "__mul__") if name in self.members]
        for _ in range(60):
            if all(name in plan.kept for name in both):
                raise UnfitError(f"its + and * are not gradwalk's: {plan.kept[both[-1]]}")
            change = self._first_difference(plan)
            if change is None:
                break
            plan = change
        return plan

    @contextlib.contextmanager
    def _standing_in(self, plan: Plan) -> Generator[Any]:
        """Let gradwalk's Value stand in for the class by a plan; yield what makes instances."""
        standin = StandIn(self.theirs, plan, set if self.shape.ordered else self._walks.as_set)
        self.names[self.theirs.__name__] = make = standin.install()
        try:
            yield make
        finally:
            self.names[self.theirs.__name__] = self.theirs
            standin.remove()

    def _first_difference(self, plan: Plan) -> Plan | None:
        """Return a plan that keeps one thing more than this one, or None when all agree."""
        graph_read = self._graph_read(plan)
        with self._standing_in(plan) as make:
            for name in self._operations():
                if name in self.facts.unsafe:
                    continue
                change = self._compare(plan, make, name, graph_read)
                if change is not None:
                    return change
            self._compare_graphs(plan, make)
        return None

    def _compare(
        self, plan: Plan, make: Any, name: str, graph_read: tuple[str, str, int] | None
    ) -> Plan | None:
        tried = 0
        multiplies = hasattr(self.theirs, "__mul__") and name not in ("__add__", "__radd__")
        trials = list(operation(name, self.members[name], multiplies))
        chance = any((one := self._wanted(trial)) and one.is_chance for trial in trials)
        for trial in trials:
            expected = self._wanted(trial)
            tried += expected is not None
            if expected is None:
                if self._must_raise(trial, name, plan) and self._outcome(make, trial):
                    file, line, caught = self.facts.catches or ("", 0, "")
                    why = f"{file}:{line} catches {caught}, and gradwalk's gives inf or nan"
                    return plan._replace(kept={**plan.kept, name: why})
                continue
            got = self._outcome(make, trial)
            same = got is not None and self._same(expected, got, chance or trial.sums)
            if same and (not graph_read or name in plan.kept or got is None):
                continue
            if same and got is not None and expected.graph == got.graph:
                continue
            if name in plan.kept:
                stays = f" has to stay ({plan.kept[name]}) and" if plan.kept[name] else ""
                raise UnfitError(
                    f"its {name}{stays} does not work on gradwalk's nodes: {trial.text}"
                )
            if not same:
                if "dict" in self.shape.inputs.values() and name not in plan.alone:
                    return plan._replace(alone=plan.alone | {name})
                if name in ("__truediv__", "__rtruediv__") and name not in plan.plain:
                    return plan._replace(plain=plan.plain | {name})
                why = _difference(trial, expected, got)
                dressed = {k: v for k, v in plan.dressed.items() if k != name}
                alone, plain = plan.alone - {name}, plan.plain - {name}
                kept = {**plan.kept, name: why}
                return plan._replace(kept=kept, dressed=dressed, alone=alone, plain=plain)
            assert graph_read is not None
            assert got is not None
            if (alike := self._named(plan, name, expected, got)) is not None:
                return alike
            attribute, file, line = graph_read
            why = f"{file}:{line} reads .{attribute}, and gradwalk's graph is another"
            dressed = {k: v for k, v in plan.dressed.items() if k != name}
            return plan._replace(kept={**plan.kept, name: why}, dressed=dressed)
        if not tried and name not in plan.kept:
            return plan._replace(kept={**plan.kept, name: "it is no operation of one number"})
        return None

    def _named(self, plan: Plan, name: str, expected: _Outcome, got: _Outcome) -> Plan | None:
        """Return a plan by which the node that an operation makes has the script's name; None where
        more than names differs.
        """
        theirs, symbol = expected.graph[0], got.symbol
        if not _only_names_differ(expected.graph, got.graph):
            # gradwalk's local gradient to a plain number is 0, unless the number is made a leaf.
            if name in plan.dressed:
                return None
            return plan._replace(dressed={**plan.dressed, name: theirs})
        if backend() == "python" and self.shape.op == "_op":  # the engine itself reads it
            if not isinstance(theirs, str):
                return None
            if name in plan.dressed:
                return None
            return plan._replace(dressed={**plan.dressed, name: theirs})
        renamed = {**self._names_of_leaves(), **plan.renamed}
        if renamed.setdefault(symbol, theirs) != theirs or renamed == plan.renamed:
            return None
        return plan._replace(renamed=renamed)

    def _names_of_leaves(self) -> dict[str, Any]:
        return dict.fromkeys((CONST, ""), getattr(self._leaf(1.0), self.shape.op))

    def _must_raise(self, trial: Trial, name: str, plan: Plan) -> bool:
        """Say whether a script waits for what this trial raises."""
        waits = self.facts.catches is not None and trial.text in self._raised
        return waits and name not in plan.kept

    def _graph_read(self, plan: Plan) -> tuple[str, str, int] | None:
        shape = self.shape
        names = {name for name in (shape.op, shape.local_grads, *shape.inputs) if name}
        kept = [name for name in plan.kept if name not in self._operations()]
        kept = [name for name in kept if not self._only_for_backward(name)]
        own_walk = [shape.backward] if plan.own_backward else []
        shown = [shape.op] if shape.op else []  # by a walk that prints, say
        shown += [] if plan.own_backward == _ORDER else [*shape.inputs]
        return self.facts.reads(sorted(names), kept) or self.facts.reads(shown, own_walk)

    def _only_for_backward(self, name: str) -> bool:
        """Say whether a method is called by backward() and by nothing else."""
        callers = {caller for caller, called in self.facts.calls.items() if name in called}
        return name not in self.facts.outside and callers - {name} == {self.shape.backward}

    def _second_backward(self, plan: Plan) -> Plan:
        """Find out what a second backward() does to inner nodes, and do the same."""
        if not self.shape.backward or plan.own_backward:
            return plan
        trials = list(again(hasattr(self.theirs, "__mul__")))
        for keeps in (True, False):
            with self._standing_in(plan._replace(keeps_interior=keeps)) as make:
                if all(
                    (want := self._wanted(trial)) is None
                    or ((got := self._outcome(make, trial)) and got.bits == want.bits)
                    for trial in trials
                ):
                    return plan._replace(keeps_interior=keeps)
        differs = "its second backward() is another than gradwalk's"
        return plan._replace(own_backward=differs)

    def _compare_graphs(self, plan: Plan, make: Any) -> None:
        """Raise UnfitError when a graph of many operations comes out otherwise."""
        for trial in self._graphs():
            expected = self._wanted(trial)
            if expected is None:
                continue
            got = self._outcome(make, trial)
            if got is None or not self._same(expected, got, trial.sums):
                raise UnfitError(f"on a larger graph, {_difference(trial, expected, got)}")

    def _graphs(self) -> Iterator[Trial]:
        own = self.members
        joins = [name for name in ("__add__", "__mul__") if name in own]
        unary = [
            name
            for name in self._operations()
            if name in _NAMED
            and name not in self.facts.unsafe
            and takes(own[name]) == 0
            and self._wanted(once(name, 0.6)) is not None
        ]
        for seed in range(8):
            yield Trial(f"random graph {seed} of + and *", random_graph(seed, joins, []))
            yield Trial(
                f"random graph {seed} of + and *, with fractions",
                random_graph(seed, joins, [], (0.6, 1.1, 0.8)),
                True,
            )
        for seed in range(8, 14):
            yield Trial(
                f"random graph {seed} of all operations",
                random_graph(seed, joins, unary, (0.6, 1.1, 0.8)),
                True,
            )

    # ── Data that is set between an operation and backward() ─────────────────────────────────

    def _watching_data(self, plan: Plan) -> Plan:
        """Return the plan, completed for scripts that set data between an operation and backward().

        `late` are operations whose rules read the newer data, `unsure` those that gradwalk cannot
        follow.
        """
        data, facts = self.shape.data, self.facts
        methods = {name for name, stored in facts.stores.items() if data in stored}
        if not (data in facts.written or facts.sets_any or methods - {"__init__", "__post_init__"}):
            return plan
        names = [
            name
            for name in self._operations()
            if name not in plan.kept
            and name not in self.facts.unsafe
            and takes(self.members[name]) in (0, 1)
        ]
        late, unsure = set[str](), set[str]()
        theirs = {key: self._set_later(self.theirs, *key) for key in _changes(names)}
        with self._standing_in(plan) as make:
            for (name, operand, number), (grads, _) in theirs.items():
                if operand >= 0 and grads != theirs[name, operand, None][0]:
                    late |= self._set_later(make, name, operand, number)[1]
        with self._standing_in(plan._replace(late=frozenset(late))) as make:
            for key, (grads, _) in theirs.items():
                ours = self._set_later(make, *key)
                if ours[0] != grads:
                    unsure |= ours[1]
        if not late and not unsure:
            return plan
        return plan._replace(late=frozenset(late), unsure=frozenset(unsure))

    def _set_later(
        self, make: Any, name: str, operand: int, number: float | None
    ) -> tuple[list[float], set[str]]:
        """Return the gradients where an operand (or the result, -1) is set after an operation, and
        the symbols of the nodes that gradwalk has made.
        """
        shape, symbols = self.shape, set[str]()
        try:
            leaf = self._leaf if make is self.theirs else make
            operands = [leaf(0.7), leaf(1.9)][: takes(self.members[name]) + 1]
            if name in ("__pow__", "pow"):
                operands[1] = 3
            out = getattr(operands[0], name)(*operands[1:])
            nodes = [one for one in operands if isinstance(one, make)]
            if isinstance(out, Value):
                symbols = {raw_symbol(node) for node in topological_order(out)} - {"", CONST}
            if number is not None and operand < len(nodes):
                setattr(out if operand < 0 else nodes[operand], shape.data, number)
            if shape.backward:
                getattr(out, shape.backward)()
            else:
                _walk(shape, out)
            return [float(getattr(node, shape.grad)) for node in nodes], symbols
        except Exception:
            return [], symbols

    # ── One trial ────────────────────────────────────────────────────────────────────────────

    def _wanted(self, trial: Trial) -> _Outcome | None:
        if trial.text not in self._expected:
            bound = self.names.get(self.theirs.__name__)
            self.names[self.theirs.__name__] = self.theirs
            try:
                self._expected[trial.text] = self._outcome(self.theirs, trial)
            finally:
                self.names[self.theirs.__name__] = bound
        return self._expected[trial.text]

    def _outcome(self, make: Any, trial: Trial) -> _Outcome | None:
        """Return the numbers that a trial leaves; None where it raises, or gives something else."""
        forward = self._one_outcome(make, trial)
        if self.shape.ordered or forward is None:
            return forward
        self._walks.backward = True
        try:
            other = self._one_outcome(make, trial)
        finally:
            self._walks.backward = False
        return other and forward._replace(reversed=other.bits)

    def _one_outcome(self, make: Any, trial: Trial) -> _Outcome | None:
        shape = self.shape
        try:
            roots, leaves = trial.run(self._leaf if make is self.theirs else make)
            if not all(isinstance(root, make) for root in roots):
                return None
            graph = _graph(shape, roots[-1], leaves)
            numbers = [getattr(root, shape.data) for root in roots]
            if shape.backward:
                for root in roots:
                    getattr(root, shape.backward)()
            elif shape.push and shape.grad:
                for root in roots:
                    _walk(shape, root)
            if shape.grad and (shape.backward or shape.push):
                numbers += [getattr(leaf, shape.grad) for leaf in leaves]
            elif shape.local_grads or EDGES & {*shape.inputs.values()}:
                numbers += _by_local_grads(shape, roots, leaves)
            graph = (*graph, *_gradients_of_numbers(shape, roots[-1], leaves))
            floats = [float(number) for number in numbers]
            symbol = raw_symbol(roots[-1]) if isinstance(roots[-1], Value) else ""
            bits = [_bits(number) for number in floats]
            return _Outcome(floats, bits, graph, symbol, len(roots), bits)
        except (ArithmeticError, ValueError):
            self._raised.add(trial.text)
            return None
        except Exception:
            return None

    def _same(self, expected: _Outcome, got: _Outcome, sums: bool) -> bool:
        """Say whether two outcomes agree; where a set decides on the order of sums, but for the
        last bits of gradients.
        """
        if not sums or self.shape.ordered:
            return expected.bits == got.bits and expected.reversed == got.reversed
        pairs = list(zip(expected.numbers, got.numbers, strict=True))[expected.roots :]
        results = expected.bits[: expected.roots] == got.bits[: expected.roots]
        return results and all(
            math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-12) or (x != x and y != y) for x, y in pairs
        )

    # ── What stays ───────────────────────────────────────────────────────────────────────────

    def _check_kept(self, plan: Plan) -> None:
        """Raise UnfitError where a kept method, or the script, uses what gradwalk's Value lacks."""
        shape, facts = self.shape, self.facts
        kept = [name for name in plan.kept if callable(self.members[name])]
        if plan.own_backward:
            kept.append(shape.backward)
        if used := facts.reads(facts.bases, kept):
            raise UnfitError("it derives from {}, which {}:{} uses".format(*used))
        if not plan.own_backward:
            kept = [name for name in kept if not self._only_for_backward(name)]
        if used := facts.reads(shape.varying, kept):
            attribute, file, line = used
            raise UnfitError(
                f"each instance has a .{attribute} of its own, which {file}:{line} uses"
            )
        other = [name for name, kind in shape.inputs.items() if kind == "other"]
        if used := facts.reads(other, kept):
            attribute, file, line = used
            raise UnfitError(f".{attribute} keeps inputs in its own form, which {file}:{line} uses")
        if plan.adapts and facts.checks_type:
            raise UnfitError(f"line {facts.checks_type} compares type(x) with the class")
        for name in kept:
            code = getattr(self.members[name], "__code__", None)
            if code is not None and "__class__" in code.co_freevars:
                raise UnfitError(f"its {name} calls super(), whose class gradwalk's is not")


def _namespace(theirs: type) -> dict[str, Any]:
    """Return where the methods of a class look its name up."""
    for member in class_members(theirs).values():
        if inspect.isfunction(member) and theirs.__name__ in member.__globals__:
            return member.__globals__
    for member in class_members(theirs).values():
        if inspect.isfunction(member) and member.__module__ == theirs.__module__:
            return member.__globals__
    return {}


_OF_THE_CLASS = {
    *["__module__", "__dict__", "__weakref__", "__doc__", "__slots__", "__qualname__", "__init__"],
    *["__annotations__", "__firstlineno__", "__static_attributes__", "__post_init__"],
    *["__dataclass_fields__", "__dataclass_params__", "__match_args__", "__replace__"],
    *["__annotate__", "__annotate_func__", "__annotations_cache__", "__abstractmethods__"],
    *["_abc_impl", "__orig_bases__", "__parameters__", "__class_getitem__"],
}


def _belongs_to_class(name: str, member: Any) -> bool:
    is_slot = type(member).__name__ == "member_descriptor"
    return name in _OF_THE_CLASS or is_slot or (name == "__hash__" and member is None)


def _bits(number: float) -> bytes:
    """Return a number's bits; all nan are one, and so are the two zeros, which int 0 stands for."""
    return b"nan" if math.isnan(number) else struct.pack("<d", number or 0.0)


def _difference(trial: Trial, expected: _Outcome, got: _Outcome | None) -> str:
    if got is None:
        return f"{trial.text} raises on gradwalk's nodes"
    pairs = zip(expected.bits, got.bits, expected.numbers, got.numbers, strict=True)
    differing = [(i, x, y) for i, (a, b, x, y) in enumerate(pairs) if a != b]
    if not differing:
        return f"{trial.text}: another order of inputs gives other last bits"
    index, x, y = differing[0]
    what = "the result" if index == 0 else "a gradient"
    shown = (f"{x:.6g}", f"{y:.6g}") if f"{x:.6g}" != f"{y:.6g}" else (repr(x), repr(y))
    return f"{trial.text}: {what} is {shown[0]}, gradwalk's {shown[1]}"


def _graph(shape: Shape, root: Any, leaves: Sequence[Any]) -> tuple[Any, ...]:
    """Return what a script can see of the node that an operation made."""
    symbol = getattr(root, shape.op, "") if shape.op else ""
    described: list[Any] = []
    for attribute, kind in shape.inputs.items():
        if kind == "other":
            continue
        inputs = getattr(root, attribute)
        if kind in EDGES:
            pairs = list(inputs.items() if kind == "dict" else inputs)
            inputs = [node for node, _ in pairs]
            described += [("local gradient", _bits(float(part))) for _, part in pairs]
        for node in inputs:
            place = next((i for i, leaf in enumerate(leaves) if leaf is node), None)
            known = getattr(node, shape.op, "") if shape.op else ""
            described.append((place, known, float(getattr(node, shape.data))))
        if kind == "set":
            described.sort(key=repr)
    for local in (getattr(root, shape.local_grads) or ()) if shape.local_grads else ():
        described.append(("local gradient", _bits(float(local))))
    return (symbol, *described)


def _gradients_of_numbers(
    shape: Shape, root: Any, leaves: Sequence[Any]
) -> Iterator[tuple[str, bytes]]:
    """Yield the gradients of nodes that stand for plain numbers, which a script's walk can see."""
    if not shape.grad or not shape.inputs or "other" in shape.inputs.values():
        return
    known = {id(leaf) for leaf in leaves}
    for node in _inputs_of(shape, root):
        if id(node) not in known and not _inputs_of(shape, node):
            yield "gradient", _bits(float(getattr(node, shape.grad)))


def _only_names_differ(theirs: tuple[Any, ...], ours: tuple[Any, ...]) -> bool:
    """Say whether two nodes have the same inputs. Names and constants may differ."""
    if len(theirs) != len(ours):
        return False
    pairs = zip(theirs[1:], ours[1:], strict=True)
    return all(x[0] == y[0] and x[-1] == y[-1] for x, y in pairs)


def _changes(names: list[str]) -> list[tuple[str, int, float | None]]:
    """Return which operand, or the result, of which operation is set to what."""
    return [
        (name, operand, number)
        for name in names
        for operand in (0, 1, -1)
        for number in (None, 2.3, -1.7)
    ]


def _walk(shape: Shape, root: Any) -> None:
    """Walk a graph as a script does whose class has no backward() of its own."""
    setattr(root, shape.grad, 1.0)
    for node in reversed(_sorted(shape, root)):
        push = getattr(node, shape.push)
        if push is not None:
            given = {"": (), "node": (node,)}.get(shape.push_style, (getattr(node, shape.grad),))
            parts = push(*given)
            if shape.push_style == "returns":
                for child, part in zip(_inputs_of(shape, node), parts, strict=True):
                    setattr(child, shape.grad, getattr(child, shape.grad) + part)


def _by_local_grads(shape: Shape, roots: Sequence[Any], leaves: Sequence[Any]) -> list[float]:
    """Return the gradients of leaves, by the local gradients that nodes keep."""
    grads: dict[int, float] = {}
    for root in roots:
        order = _sorted(shape, root)
        grads[id(root)] = grads.get(id(root), 0.0) + 1.0
        for node in reversed(order):
            for child, local in zip(_inputs_of(shape, node), _locals_of(shape, node), strict=True):
                grads[id(child)] = grads.get(id(child), 0.0) + local * grads[id(node)]
    return [grads.get(id(leaf), 0.0) for leaf in leaves]


def _sorted(shape: Shape, root: Any) -> list[Any]:
    order: list[Any] = []
    seen: set[int] = set()

    def visit(node: Any) -> None:
        if id(node) not in seen:
            seen.add(id(node))
            for child in _inputs_of(shape, node):
                visit(child)
            order.append(node)

    visit(root)
    return order


def _inputs_of(shape: Shape, node: Any) -> list[Any]:
    [(attribute, kind), *_] = sorted(shape.inputs.items(), key=lambda one: one[1] in EDGES)
    inputs = getattr(node, attribute) or ()
    return [child for child, _ in inputs] if kind.endswith("pairs") else list(inputs)


def _locals_of(shape: Shape, node: Any) -> list[float]:
    if shape.local_grads:
        return list(getattr(node, shape.local_grads) or ())
    [(attribute, kind)] = [one for one in shape.inputs.items() if one[1] in EDGES]
    edges: Any = getattr(node, attribute) or {}
    if kind != "dict":
        return [local for _, local in edges]
    return [edges[child] for child in _inputs_of(shape, node)]
