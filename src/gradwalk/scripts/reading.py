"""Facts from the text of a script: which classes differentiate, and what the rest asks of them.

Nothing here runs code of the script's. Start reading at `Project.add`, then at `Facts`.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

# Names that people give to the method that runs the reverse walk, most common first.
BACKWARD = (
    *["backward", "backprop", "back_prop", "backpropagate", "back_propagate", "backpropagation"],
    *["run_backward", "full_backward", "backward_pass", "compute_gradients", "propagate"],
    *["backwards", "back", "bwd"],
)

# Attributes that show the graph. A script that reads them has to see its own graph.
GRAPH = {
    *["_op", "op", "_prev", "prev", "_children", "children", "_parents", "parents", "_inputs"],
    *["inputs", "_local_grads", "local_grads", "operation", "previous", "operands"],
}

# Calls that a trial must not make: they reach beyond the process.
_UNSAFE = {
    *["open", "exec", "eval", "input", "os", "subprocess", "shutil", "socket", "requests"],
    *["urllib", "pickle", "sqlite3", "Path", "plt", "matplotlib", "webbrowser", "wandb"],
}

# Modules whose functions have no effect but their result.
_PURE = {
    *["math", "cmath", "np", "numpy", "collections", "itertools", "functools", "operator"],
    *["typing", "numbers", "abc", "copy", "dataclasses", "enum", "decimal", "fractions"],
}
_PURE_NAMES = {
    *["abs", "all", "any", "bool", "callable", "deque", "dict", "enumerate", "filter", "float"],
    *["frozenset", "getattr", "hasattr", "id", "int", "isinstance", "issubclass", "iter", "len"],
    *["list", "map", "max", "min", "next", "OrderedDict", "range", "repr", "reversed", "round"],
    *["set", "sorted", "str", "sum", "tuple", "type", "zip", "defaultdict", "super", "sys"],
    *["setattr", "ValueError", "TypeError", "RuntimeError", "NotImplementedError", "Exception"],
    *["AssertionError", "OverflowError", "ZeroDivisionError", "RecursionError", "hash"],
}


class Made(NamedTuple):
    """How the class is called in one place; `method` is "" outside of it."""

    method: str
    positional: int
    keywords: frozenset[str]
    unsure: frozenset[str | int]  # arguments that the text does not show to be a str
    constants: frozenset[tuple[str, object]]  # keywords with the constants that they are given


@dataclass
class Facts:
    """What the text says of one class, for the trial at run time."""

    file: str
    line: int
    name: str
    lines: dict[str, int] = field(default_factory=dict[str, int])  # method: where it begins
    unsafe: dict[str, str] = field(default_factory=dict[str, str])  # method: what it calls
    effects: dict[str, list[tuple[str, str]]] = field(
        default_factory=dict[str, list[tuple[str, str]]]
    )  # method: in words what it changes, and which attribute of the class
    uses: dict[str, set[str]] = field(default_factory=dict[str, set[str]])  # method: attributes
    stores: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    calls: dict[str, set[str]] = field(default_factory=dict[str, set[str]])  # own methods called
    outside: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    written: set[str] = field(default_factory=set[str])  # attributes stored outside the class
    made: list[Made] = field(default_factory=list["Made"])  # calls of the class
    nested: tuple[str, int] | None = None  # where an instance is made from an instance
    checks_type: int = 0  # a line that compares type(x) with the class
    reads_dict: int = 0  # a line that reads __dict__ or calls vars()
    catches: tuple[str, int, str] | None = None  # where what math raises is caught
    awaits: tuple[str, int, str] | None = None  # where any error may be caught
    refuses: dict[str, int] = field(default_factory=dict[str, int])  # method: raises on this line
    depends: dict[str, str] = field(
        default_factory=dict[str, str]
    )  # method: a switch that it reads
    nones: dict[str, int] = field(default_factory=dict[str, int])  # attribute set to None: line
    arrays: str = ""  # where arrays are used, in words
    whole: int = 0  # a line that makes an instance from a whole number
    sets_any: bool = False  # whether setattr() is called with a name that the text does not tell
    bases: frozenset[str] = frozenset()  # the script's classes that only lend it their methods
    base_used: tuple[str, str, int] | None = None  # one of them, file and line that name it

    def flags(self) -> dict[str, object]:
        """Return the constants that each call outside of the class gives, as `dag=True`."""
        calls = [one for one in self.made if not one.method]
        common = set(calls[0].constants) if calls else set[tuple[str, object]]()
        for call in calls:
            common &= call.constants
        return {name: value for name, value in common if name not in self.outside}

    def reads(self, names: Iterable[str], kept: Iterable[str]) -> tuple[str, str, int] | None:
        """Return an attribute, file and line where one of `names` is used outside the class or in
        one of the methods that are kept; None where none is.
        """
        for name in names:
            if name in self.outside:
                return (name, *self.outside[name])
            for method in kept:
                if name in self.uses.get(method, ()):
                    return name, self.file, self.lines.get(method, self.line)
        return None


class Candidate(NamedTuple):
    """A class that differentiates; `facts` reads the script for what else is to be known of it."""

    file: str
    line: int
    name: str
    later: int  # a line that defines a class of this name again
    facts: Callable[[], Facts]


class Project:
    """All modules of a script that are known by their text."""

    def __init__(self) -> None:
        self.trees: dict[str, ast.Module] = {}
        self.texts: dict[str, bytes] = {}
        self.found: list[Candidate] = []

    def add(self, shown: str, tree: ast.Module, text: bytes = b"") -> None:
        self.trees[shown] = tree
        self.texts[shown] = text

    def rewrite(self, shown: str, tree: ast.Module, text: bytes = b"") -> ast.Module:
        """Add, after each class that differentiates, a line that passes it to `replace`."""
        self.add(shown, tree, text)
        for body, position, statement in self._candidates(tree):
            facts = partial(self._facts, shown, tree, statement, body[position + 1 :])
            again = self._defined_again(shown, statement)
            key = len(self.found)
            self.found.append(Candidate(shown, statement.lineno, statement.name, again, facts))
            module = "__import__('gradwalk.scripts.replacing', fromlist=['_'])"
            call = f"{statement.name} = {module}.replace({statement.name}, {key})"
            line = ast.parse(call).body[0]
            for node in ast.walk(line):
                ast.copy_location(node, statement)
                if isinstance(node, ast.expr | ast.stmt):
                    node.end_lineno, node.end_col_offset = node.lineno, node.col_offset
            body.insert(_behind(body, position, statement), line)
        return tree

    def _candidates(self, tree: ast.Module) -> list[_Place]:
        return _candidates(tree.body, self._classes())

    def _classes(self) -> dict[str, ast.ClassDef]:
        """Return the classes of all modules by their names."""
        parts = [part for tree in self.trees.values() for part in tree.body]
        return {part.name: part for part in parts if isinstance(part, ast.ClassDef)}

    def nested(self) -> str:
        """Return a class that is not replaced because it stands inside a function, or nothing."""
        for file, tree in self.trees.items():
            for function in [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]:
                for _, _, inner in _candidates(function.body, self._classes()):
                    return f"class {inner.name}, {file}:{inner.lineno}, stands inside a function"
        return ""

    def _defined_again(self, shown: str, statement: ast.ClassDef) -> int:
        """Return the line of a later class of this name in the same file or a later cell."""
        seen = False
        for file, tree in self.trees.items():
            if file.partition(" cell ")[0] != shown.partition(" cell ")[0]:
                continue
            for _, _, other in reversed(self._candidates(tree)):
                if other is statement:
                    seen = True
                elif seen and other.name == statement.name:
                    return other.lineno
        return 0

    def _facts(
        self, shown: str, tree: ast.Module, statement: ast.ClassDef, behind: list[ast.stmt]
    ) -> Facts:
        facts = Facts(shown, statement.lineno, statement.name)
        lenders = list(_lenders(statement, self._classes()))
        facts.bases = frozenset([one.name for one in lenders])
        module = {
            name: node for one in (*self.trees.values(), tree) for name, node in _named_in(one)
        }
        methods: dict[str, list[_Function]] = {}
        for one in (*reversed(lenders), statement):
            _add_methods(methods, one.body)
        attached: set[ast.AST] = set()
        for part in behind:
            for name, value in _attached(part, statement.name):
                node = module.get(value.id) if isinstance(value, ast.Name) else value
                if isinstance(value, ast.Attribute) and value.attr in methods:
                    methods[name] = methods[value.attr]
                elif isinstance(node, _FUNCTION):
                    methods[name] = [node]
                    attached.add(part)
                elif name in methods:
                    del methods[name]  # by something else than a function of this module
        changing = {name: line for one in self.trees.values() for name, line in _changing(one)}
        pure = frozenset(_pure_names(tree))
        for name, functions in methods.items():
            self._add_method(facts, name, functions, (module, pure, changing, methods.keys()))
        arrays = [_arrays_in_class(one) for one in (statement, *lenders)]
        facts.arrays = next((found for found in arrays if found), "")
        inside: dict[ast.AST, str] = {}  # the parts of the class, with the method that each is
        for one in (statement, *lenders):
            inside |= {one: "", **{part: getattr(part, "name", "") for part in one.body}}
        for name, functions in methods.items():
            inside |= {one: name for one in functions if _only_attached(one, tree, attached)}
        for file, other in self.trees.items():
            self._look_around(facts, file, other, inside)
        return facts

    def _add_method(
        self,
        facts: Facts,
        name: str,
        functions: list[_Function],
        around: tuple[dict[str, ast.AST], frozenset[str], dict[str, int], Iterable[str]],
    ) -> None:
        """Note what a method does, and the methods of bases that it calls by super()."""
        module, pure, changing, names = around
        facts.lines[name] = functions[0].lineno
        for function in functions:
            used = {a.attr for a in _attributes(function, ast.Load)}
            facts.uses.setdefault(name, set()).update(used)
            facts.stores.setdefault(name, set()).update(
                a.attr for a in _attributes(function, ast.Store)
            )
            facts.calls.setdefault(name, set()).update(used & set(names))
            if call := next(unsafe_calls(function), ""):
                facts.unsafe[name] = call
            effects = _effects(function, facts.name, module, pure)
            facts.effects.setdefault(name, []).extend(effects)
            if switch := _switch(function, module, facts.name, changing):
                facts.depends[name] = switch
            if line := _raises(function):
                facts.refuses[name] = line

    def _look_around(
        self, facts: Facts, file: str, tree: ast.Module, inside: dict[ast.AST, str]
    ) -> None:
        """Note what the code outside of the class does with its instances, or may do."""
        if line := _nested(tree, facts.name):
            facts.nested = file, line
        others = [found for _, _, found in self._candidates(tree)]
        harmless = _other_dicts(tree, facts.name)
        left: list[ast.AST] = [tree]  # a long sum is deeper than Python calls itself
        while left:
            part = left.pop()
            match part:
                case ast.Attribute(attr=name):
                    facts.outside.setdefault(name, (file, part.lineno))
                    if not isinstance(part.ctx, ast.Load):
                        facts.written.add(name)
                    if name == "__dict__" and part not in harmless:
                        facts.reads_dict = part.lineno
                    if name in facts.bases:
                        facts.base_used = name, file, part.lineno
                case ast.Call(
                    func=ast.Name(id=("getattr" | "setattr" | "hasattr") as function),
                    args=[_, ast.Constant(value=str(name)), *_],
                ):
                    facts.outside.setdefault(name, (file, part.lineno))
                    if function == "setattr":
                        facts.written.add(name)
                case ast.Call(func=ast.Name(id="setattr")):
                    facts.sets_any = True
                case ast.Name() if part.id in facts.bases:
                    facts.base_used = part.id, file, part.lineno
            if part in inside or part in others:  # looked at by itself
                name = inside.get(part, "")
                for method in [part] if name else getattr(part, "body", []):
                    name = inside.get(method, "")
                    for node in ast.walk(method):
                        if isinstance(node, ast.Call):
                            _note_call(facts, node, name)
                            if _is_vars(node):
                                facts.reads_dict = node.lineno
                        elif isinstance(node, ast.Name) and node.id in facts.bases:
                            if name in facts.uses:
                                facts.uses[name].add(node.id)  # it matters where the method is kept
                            else:
                                facts.base_used = node.id, file, node.lineno
                continue
            if isinstance(part, ast.Call):
                _note_call(facts, part, "")
                if _is_vars(part) and part not in harmless:
                    facts.reads_dict = part.lineno
                if _is_whole(part, facts.name):
                    facts.whole = part.lineno
            for line, caught in _caught(part):
                facts.awaits = file, line, caught
                if caught in _RAISED:
                    facts.catches = file, line, caught
            if isinstance(part, ast.Assign) and _is_none(part.value):
                targets = [one for one in part.targets if isinstance(one, ast.Attribute)]
                facts.nones.update({target.attr: part.lineno for target in targets})
            if isinstance(part, ast.Compare) and _compares_type(part, facts.name):
                facts.checks_type = part.lineno
            left += reversed(list(ast.iter_child_nodes(part)))


# What math raises. A script may wait for it, and gradwalk's operations give inf and nan instead.
_RAISED = {
    *["ArithmeticError", "OverflowError", "ValueError", "ZeroDivisionError", "Exception"],
    "BaseException",
}


def _caught(part: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each error that a statement or a call waits for."""
    match part:
        case ast.Try(body=body, handlers=handlers):
            if all(isinstance(one, ast.Import | ast.ImportFrom) for one in body):
                return
            for handler in handlers:
                names = _named(handler.type) if handler.type else ["BaseException"]
                yield from [(handler.lineno, name) for name in names]
        case ast.Call(func=ast.Attribute(attr="raises" | "assertRaises"), args=[kind, *_]):
            yield from [(part.lineno, name) for name in _named(kind)]


def _named(part: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(part) if isinstance(node, ast.Name)]


def _is_vars(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "vars" and bool(call.args)


def _other_dicts(tree: ast.Module, name: str) -> set[ast.AST]:
    """Return where vars() or __dict__ is asked of something else than the class of this name: of
    `self` in another class, or of a name that holds arguments or an instance of another class.
    """
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    others = [one for one in classes if one.name != name and name not in _bases(one)]
    makers = {one.name for one in others} | {"parse_args", "SimpleNamespace", "Namespace"}
    known: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Call(func=maker)):
                if {getattr(maker, "id", ""), getattr(maker, "attr", "")} & makers:
                    known.add(target)
    found: set[ast.AST] = set()
    for place, names in [(one, {"self"}) for one in others] + [(tree, known)]:
        for node in ast.walk(place):
            match node:
                case (
                    ast.Attribute(value=ast.Name(id=owner), attr="__dict__")
                    | ast.Call(func=ast.Name(id="vars"), args=[ast.Name(id=owner)])
                ) if owner in names:
                    found.add(node)
    return found


def _bases(statement: ast.ClassDef) -> set[str]:
    return {base.id for base in statement.bases if isinstance(base, ast.Name)}


def _note_call(facts: Facts, call: ast.Call, method: str) -> None:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    if name == facts.name and call.args and not facts.arrays and _is_array(call.args[0]):
        facts.arrays = f"line {call.lineno} makes one from an array"
    of_self = isinstance(call.func, ast.Attribute) and name == "__class__"
    of_type = isinstance(call.func, ast.Call) and getattr(call.func.func, "id", "") == "type"
    inside = bool(method) and (name == "cls" or of_self or of_type)
    if name == facts.name or inside:
        starred = any(isinstance(argument, ast.Starred) for argument in call.args)
        keywords = frozenset([word.arg or "**" for word in call.keywords])
        unsure: set[str | int] = {
            word.arg for word in call.keywords if word.arg and not _is_text(word.value)
        }
        unsure |= {i for i, argument in enumerate(call.args) if not _is_text(argument)}
        count = 99 if starred else len(call.args)
        constants = [
            (word.arg, word.value.value)
            for word in call.keywords
            if word.arg
            and isinstance(word.value, ast.Constant)
            and isinstance(word.value.value, bool)
        ]
        facts.made.append(Made(method, count, keywords, frozenset(unsure), frozenset(constants)))


def _is_text(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.Call(func=ast.Name(id="str" | "repr")):
            return True
        case ast.BinOp(left=left, right=right):
            return _is_text(left) or _is_text(right)
        case _:
            return False


def _nested(tree: ast.Module, name: str) -> int:
    """Return a line that makes an instance from an instance, as far as names tell, or 0."""
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    takers = _takers([one for one in tree.body if isinstance(one, ast.FunctionDef)], name)
    scopes = [(tree.body, set[str]())]
    scopes += [
        (n.body, {a.arg for a in ast.walk(n.args) if isinstance(a, ast.arg)}) for n in functions
    ]
    for body, parameters in scopes:
        parts = [part for one in body if not _is_scope(one) for part in _below(one)]
        given: dict[str, list[ast.expr | None]] = {}
        loops: list[tuple[str, str]] = []  # a name that stands for each entry of a list, and that
        for part in parts:
            match part:
                case ast.Assign(targets=[ast.Name(id=target)], value=value):
                    given.setdefault(target, []).append(value)
                case ast.comprehension(target=ast.Name(id=target), iter=ast.Name(id=entries)):
                    loops.append((target, entries))
                case (
                    ast.For(target=ast.Name(id=target)) | ast.AugAssign(target=ast.Name(id=target))
                ):
                    given.setdefault(target, []).append(None)
        known: set[str] = set()
        lists: set[str] = set()
        for target, values in given.items():
            if target in parameters or None in values:
                continue
            if all(value and _is_instance(value, name, known) for value in values):
                known.add(target)
            elif all(value and _is_list_of(value, name, known) for value in values):
                lists.add(target)
        known |= {target for target, entries in loops if entries in lists and target not in given}
        for part in parts:
            match part:
                case ast.Call(func=ast.Name(id=made), args=[first, *_]) if made == name:
                    if _is_instance(first, name, known):
                        return part.lineno
                case ast.Call(func=ast.Name(id=called), args=arguments) if called in takers:
                    places = [place for place in takers[called] if place < len(arguments)]
                    if any(_is_instance(arguments[place], name, known) for place in places):
                        return part.lineno
    return 0


def _takers(functions: Iterable[ast.FunctionDef], name: str) -> dict[str, list[int]]:
    """Return the functions that make an instance from a parameter without asking what it is, with
    the places of these parameters.
    """
    found: dict[str, list[int]] = {}
    for function in functions:
        calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
        asked = {ast.unparse(c.args[0]) for c in calls if _root(c.func) == "isinstance" and c.args}
        made = {ast.unparse(c.args[0]) for c in calls if _root(c.func) == name and c.args}
        places = [k for k, one in enumerate(function.args.args) if one.arg in made - asked]
        if places:
            found[function.name] = places
    return found


def _is_list_of(node: ast.expr, name: str, known: set[str]) -> bool:
    match node:
        case ast.List(elts=[first, *_]) | ast.ListComp(elt=first):
            return _is_instance(first, name, known)
        case _:
            return False


def _is_scope(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef | ast.ClassDef)


def _is_instance(node: ast.expr, name: str, known: set[str]) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=made)):
            return made == name
        case ast.BinOp(left=left, right=right):
            return _is_instance(left, name, known) or _is_instance(right, name, known)
        case ast.UnaryOp(operand=inner):
            return _is_instance(inner, name, known)
        case ast.Name(id=known_as):
            return known_as in known
        case _:
            return False


def _compares_type(part: ast.Compare, name: str) -> bool:
    sides = [part.left, *part.comparators]
    is_type = any(
        isinstance(side, ast.Call) and isinstance(side.func, ast.Name) and side.func.id == "type"
        for side in sides
    )
    return is_type and any(isinstance(side, ast.Name) and side.id == name for side in sides)


def _below(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the parts of a statement without those of functions and classes in it."""
    left: list[ast.AST] = [statement]
    while left:
        part = left.pop()
        yield part
        children = ast.iter_child_nodes(part)
        left += [one for one in children if not isinstance(one, ast.FunctionDef | ast.ClassDef)]


# ── Classes ──────────────────────────────────────────────────────────────────────────────────


_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Place = tuple[list[ast.stmt], int, ast.ClassDef]
_Classes = dict[str, ast.ClassDef]


def _candidates(body: list[ast.stmt], classes: _Classes) -> list[_Place]:
    """Return each class of the module that looks as if it differentiated numbers, last first, and
    where it stands.
    """
    found: list[_Place] = []
    for position in reversed(range(len(body))):
        statement = body[position]
        if isinstance(statement, ast.ClassDef):
            if not _lends(statement) and _differentiates(statement, body[position + 1 :], classes):
                found.append((body, position, statement))
        elif isinstance(statement, ast.If | ast.Try | ast.With):
            parts = [statement.body, getattr(statement, "orelse", [])]
            parts += [handler.body for handler in getattr(statement, "handlers", [])]
            for part in parts:
                found += _candidates(part, classes)
    return found


def _lends(statement: ast.ClassDef) -> bool:
    """Say whether a class only lends methods: it is abstract, or has no constructor."""
    methods = {getattr(part, "name", "") for part in statement.body}
    fields = any(isinstance(part, ast.AnnAssign) for part in statement.body)
    makes = methods & {"__init__", "__new__"} or fields or statement.decorator_list
    nodes = [n for n in ast.walk(statement) if isinstance(n, ast.Name | ast.Attribute)]
    return not makes or "abstractmethod" in {
        getattr(n, "id", getattr(n, "attr", "")) for n in nodes
    }


def _lenders(statement: ast.ClassDef, classes: _Classes) -> Iterator[ast.ClassDef]:
    """Yield the classes of the script that lend a class their methods, nearest first."""
    for base in statement.bases:
        lender = classes.get(_root(base))
        if isinstance(base, ast.Name) and lender not in (None, statement) and _lends(lender):
            yield lender
            yield from _lenders(lender, classes)


def _add_methods(methods: dict[str, list[_Function]], body: list[ast.stmt]) -> None:
    """Add the functions that the body of a class names, before those of bases that they call."""
    for part in body:
        named: dict[str, list[_Function]] = {}
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            named[part.name] = [part]
        for name, value in _assigned(part):
            if isinstance(value, ast.Lambda):
                named[name] = [value]
            elif isinstance(value, ast.Name) and value.id in methods:
                named[name] = methods[value.id]
        for name, functions in named.items():
            calls_base = any(_root(n.func) == "super" for n in _calls(functions[0]))
            methods[name] = functions + (methods.get(name, []) if calls_base else [])


def _calls(part: ast.AST) -> list[ast.Call]:
    return [node for node in ast.walk(part) if isinstance(node, ast.Call)]


def _named_in(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Yield the functions, classes and lambdas that a module names."""
    for part in tree.body:
        match part:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, part
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as value):
                yield name, value


def _only_attached(function: ast.AST, tree: ast.Module, attached: set[ast.AST]) -> bool:
    """Say whether a function is used as a method and as nothing else."""
    if not isinstance(function, ast.FunctionDef) or function not in tree.body:
        return False
    elsewhere = [part for part in tree.body if part not in attached]
    return not _mentions(elsewhere, {function.name})


def _differentiates(statement: ast.ClassDef, behind: list[ast.stmt], classes: _Classes) -> bool:
    """Say whether a class has + or *, and something that looks like gradients or a graph."""
    parts = [statement, *_lenders(statement, classes)]
    names: set[str] = set()
    for part in [part for one in parts for part in one.body]:
        names.add(getattr(part, "name", ""))
        if isinstance(part, ast.Assign):
            names |= {target.id for target in part.targets if isinstance(target, ast.Name)}
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            names.add(part.target.id)
    attached = {name for part in behind for name, _ in _attached(part, statement.name)}
    if not {"__add__", "__mul__"} & (names | attached):
        return False
    found = [a for one in parts for a in ast.walk(one) if isinstance(a, ast.Attribute)]
    attributes = {attribute.attr for attribute in found} | names
    known = any("grad" in name.lower() for name in attributes)
    return known or bool(attributes & (GRAPH | set(BACKWARD))) or _keeps_inputs(statement)


def _keeps_inputs(statement: ast.ClassDef) -> bool:
    """Say whether + or * makes another instance and hands it both operands: V(…, (self, other))."""
    methods: dict[str, list[_Function]] = {}
    _add_methods(methods, statement.body)
    for name in methods.keys() & {"__add__", "__mul__"}:
        operands = {one.arg for one in methods[name][0].args.args}
        for call in _calls(methods[name][0]):
            lists = [a for a in call.args if isinstance(a, ast.Tuple | ast.List | ast.Set)]
            kept = any(operands <= set(_named(one)) for one in lists)
            if kept and getattr(call.func, "id", "") == statement.name:
                return True
    return False


def _attached(part: ast.stmt, owner: str) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the attributes that a statement behind a class gives to it, and what each is; None
    where the text does not tell.
    """
    match part:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                pairs: list[tuple[ast.expr, ast.expr | None]] = [(target, value)]
                if isinstance(target, ast.Tuple):
                    values = value.elts if isinstance(value, ast.Tuple) else []
                    known = len(values) == len(target.elts)
                    pairs = [
                        (one, values[i] if known else None) for i, one in enumerate(target.elts)
                    ]
                for one, given in pairs:
                    if isinstance(one, ast.Attribute) and getattr(one.value, "id", "") == owner:
                        yield one.attr, given
        case ast.Expr(
            value=ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=to), name, value])
        ):
            if to == owner and isinstance(name, ast.Constant):
                yield str(name.value), value
        case ast.For(target=ast.Tuple(elts=[_, _]), iter=rows):
            inner = [name for one in part.body for name, _ in _attached_by_loop(one, owner)]
            if inner and isinstance(rows, ast.Tuple | ast.List):
                for row in rows.elts:
                    match row:
                        case ast.Tuple(elts=[ast.Constant(value=str(name)), value]):
                            yield name, value
            if inner and isinstance(rows, ast.Call) and isinstance(rows.func, ast.Attribute):
                table = rows.func.value
                if isinstance(table, ast.Dict) and rows.func.attr == "items":
                    for key, value in zip(table.keys, table.values, strict=True):
                        if isinstance(key, ast.Constant):
                            yield str(key.value), value


def _attached_by_loop(part: ast.stmt, owner: str) -> Iterator[tuple[str, str]]:
    """Yield the two names that stand in a loop for the attribute and what it is given."""
    match part:
        case ast.Expr(
            value=ast.Call(
                func=ast.Name(id="setattr"),
                args=[ast.Name(id=to), ast.Name(id=name), ast.Name(id=value)],
            )
        ) if to == owner:
            yield name, value


def _behind(body: list[ast.stmt], position: int, statement: ast.ClassDef) -> int:
    """Return where to replace a class: behind all that is attached to it and all that its methods
    look up, as far as no statement before that place can make an instance.
    """
    tainted = {statement.name}  # names by which an instance can be made
    passed: list[tuple[int, set[str], set[str], bool]] = []
    for place, part in enumerate(body[position + 1 :], position + 2):
        attaches = any(True for _ in _attached(part, statement.name))
        if not attaches and _may_make(part, tainted):
            break
        passed.append((place, _bound(part), _loaded(part), attaches))
        for _ in passed:  # a function may call one that is defined later
            tainted |= {name for _, bound, used, _ in passed if used & tainted for name in bound}
    needed, last = _loaded(statement), position + 1
    for _ in passed:
        before = last, len(needed)
        for place, bound, looked_up, attaches in passed:
            if attaches or bound & needed:
                needed |= looked_up
                last = max(last, place)
        if before == (last, len(needed)):
            break
    return last


def _bound(part: ast.stmt) -> set[str]:
    """Return the names that a statement of a module gives something to."""
    stores = [n for n in _below(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return {getattr(part, "name", ""), *[one.id for one in stores]}


def _loaded(part: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


_REACHES = {"exec", "eval", "globals", "locals", "vars", "__import__", "importlib"}


def _may_make(part: ast.stmt, tainted: set[str]) -> bool:
    """Say whether a statement may make an instance of a class, or another name for it. What it does
    not run does not count: the bodies of functions.
    """
    match part:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            run = [*part.args.defaults, *part.args.kw_defaults, *part.decorator_list]
            return _mentions(run, tainted)
        case ast.ClassDef():
            words = [word.value for word in part.keywords]
            if _mentions([*part.bases, *words, *part.decorator_list], tainted):
                return True
            return any(_may_make(inner, tainted) for inner in part.body)
        case ast.Import(names=names):
            return any(one.name.partition(".")[0] not in sys.stdlib_module_names for one in names)
        case ast.ImportFrom(module=module, level=level):
            top = (module or "").partition(".")[0]
            return level > 0 or top not in sys.stdlib_module_names
        case ast.Assign(value=value) if not any(isinstance(n, ast.Call) for n in _evaluated(value)):
            return _mentions(_evaluated(value), tainted, deep=False)
        case ast.AnnAssign(value=None):
            return False
        case _:
            return _mentions([part], tainted | _REACHES)


def _evaluated(part: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of an expression, without the bodies of lambdas."""
    yield part
    if not isinstance(part, ast.Lambda):
        for child in ast.iter_child_nodes(part):
            yield from _evaluated(child)


def _mentions(parts: Iterable[ast.AST | None], names: set[str], deep: bool = True) -> bool:
    nodes = [node for part in parts if part for node in (ast.walk(part) if deep else [part])]
    return any(isinstance(node, ast.Name) and node.id in names for node in nodes)


# ── Effects ──────────────────────────────────────────────────────────────────────────────────


def _attributes(part: ast.AST, context: type[ast.expr_context]) -> Iterator[ast.Attribute]:
    for node in ast.walk(part):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, context):
            yield node
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
            yield node.target  # x.n += 1 reads and stores


def _root(node: ast.expr) -> str:
    """Return the name that an expression like a.b[c].d begins with, or nothing."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def unsafe_calls(part: ast.AST) -> Iterator[str]:
    """Yield calls that reach beyond the process."""
    for node in ast.walk(part):
        if isinstance(node, ast.Call) and (root := _root(node.func)) in _UNSAFE:
            yield f"{root}() in line {node.lineno}"


def _effects(
    function: ast.AST, owner: str, module: dict[str, ast.AST], seen: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """Yield the side effects of a method: a description, and the class attribute that it changes,
    or "*" if that is unknown. Names in `seen` are known to have no effects.

    Code under `if parameter:` does not count: it needs an argument, and a call with arguments goes
    to the script's own method.
    """
    assert isinstance(function, _FUNCTION)
    parameters = {a.arg for a in (*function.args.args, *function.args.kwonlyargs)}
    starred = [a.arg for a in (function.args.vararg, function.args.kwarg) if a is not None]
    local = parameters | {"self", *starred}
    nodes = list(_walk_unguarded(function, parameters - {"self"}))
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            local.add(node.id)
        elif isinstance(node, ast.FunctionDef):
            local |= {node.name} | {a.arg for a in node.args.args}
        elif isinstance(node, ast.Lambda):
            local |= {a.arg for a in node.args.args}
        elif isinstance(node, ast.MatchAs | ast.MatchStar | ast.ExceptHandler):
            local.add(node.name or "")
        elif isinstance(node, ast.Global):
            yield f"changes the global {node.names[0]}, line {node.lineno}", "*"
    known = local | _PURE | _PURE_NAMES | seen | {owner, "cls", ""}
    for node in nodes:
        if isinstance(node, ast.Call) and (root := _root(node.func)) not in known:
            helper = module.get(root)
            if helper is None:
                yield f"calls {ast.unparse(node.func)}(), line {node.lineno}", "*"
            elif isinstance(helper, _FUNCTION) and root not in seen:
                yield from _effects(helper, owner, module, seen | {root})
        if isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name) or _root(target) in local | {""}:
                    continue
                on_class = isinstance(target, ast.Attribute) and _root(target) == owner
                attribute = getattr(target, "attr", "*") if on_class else "*"
                yield f"changes {ast.unparse(target)}, line {node.lineno}", attribute


def _pure_names(tree: ast.Module) -> Iterator[str]:
    """Yield names that a module gives to functions without effects: imported ones, tables of
    lambdas, and other names of builtins and of functions of math, given once.
    """
    stored = Counter([name for part in tree.body for name in _stored(part)])
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from [
                    alias.asname or alias.name
                    for alias in names
                    if alias.name.partition(".")[0] in _PURE
                ]
            case ast.ImportFrom(module=str(module), names=names):
                if module.partition(".")[0] in _PURE:
                    yield from [alias.asname or alias.name for alias in names]
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(values=[_, *_] as rows)):
                if all(_is_pure(row) for row in rows):
                    yield name
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=maker))):
                if maker in ("namedtuple", "NamedTuple", "TypeVar"):
                    yield name
    for part in tree.body:
        for name, value in _assigned(part):
            alias = isinstance(value, ast.Name | ast.Attribute) and _is_pure(value)
            if alias and stored[name] == 1:
                yield name


def _assigned(part: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that an assignment gives, each with its value: those of a, b = c, d too."""
    match part:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            pairs = list(zip(names, values, strict=False)) if len(names) == len(values) else []
        case ast.Assign(targets=names, value=value):
            pairs = [(name, value) for name in names]
        case _:
            pairs = []
    for name, value in pairs:
        if isinstance(name, ast.Name):
            yield name.id, value


def _stored(part: ast.stmt) -> Iterator[str]:
    """Yield a name each time that a statement of a module, or a function by `global`, gives it."""
    yield getattr(part, "name", "")
    scoped = {
        id(name)
        for node in ast.walk(part)
        if isinstance(node, ast.comprehension)
        for name in ast.walk(node.target)
    }
    for node in _below(part):
        if (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store)
            and id(node) not in scoped
        ):
            yield node.id
    for node in ast.walk(part):
        if isinstance(node, ast.Global):
            yield from (name for name in node.names for _ in range(2))


def _is_pure(node: ast.expr) -> bool:
    """Say whether an expression is a function without effects, or a tuple of such functions."""
    if isinstance(node, ast.Tuple | ast.List):
        return all(map(_is_pure, node.elts))
    return isinstance(node, ast.Lambda) or _root(node) in _PURE | _PURE_NAMES


def _raises(function: ast.AST) -> int:
    """Return a line of a method that may refuse what it is given, or 0."""
    for node in ast.walk(function):
        if isinstance(node, ast.Raise | ast.Assert):
            return node.lineno
    return 0


def _changing(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the names of a module that change while it runs: those that a function declares global,
    that are given a value twice, or whose entries and attributes are set.
    """
    given: set[str] = set()
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        for target in targets:
            if isinstance(target, ast.Name):
                if target.id in given:
                    yield target.id, statement.lineno
                given.add(target.id)
    for node in ast.walk(tree):
        match node:
            case ast.Global(names=names):
                yield from [(name, node.lineno) for name in names]
            case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                yield _root(node), node.lineno


def _switch(
    function: ast.AST, module: dict[str, ast.AST], itself: str, changing: dict[str, int]
) -> str:
    """Return what a method reads that changes from outside: a switch, as no_grad has one. It is an
    attribute of another class, or a name of the module.
    """
    called = {node.func for node in ast.walk(function) if isinstance(node, ast.Call)}
    for node in ast.walk(function):
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=attribute, ctx=ast.Load()) if (
                owner != itself
                and node not in called
                and isinstance(module.get(owner), ast.ClassDef)
                and not attribute[0].isupper()
            ):
                if any(isinstance(n, ast.AugAssign | ast.Assign) for n in ast.walk(module[owner])):
                    return f"{owner}.{attribute}, line {node.lineno}"
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    local = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    local |= {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    local |= {node.name for node in ast.walk(function) if isinstance(node, ast.FunctionDef)}
    for node in names:
        if node.id in changing and node.id not in {*local, *module, itself}:
            return f"{node.id}, line {node.lineno}, which line {changing[node.id]} changes"
    return ""


# What only arrays have, and functions that make or take them.
_OF_ARRAYS = {"shape", "T", "ndim", "reshape", "transpose", "astype"}
_ARRAY_FUNCTIONS = {
    *["array", "asarray", "zeros", "ones", "zeros_like", "ones_like", "full", "eye", "arange"],
    *["linspace", "matmul", "dot", "sum", "mean", "outer", "broadcast_to", "expand_dims"],
}


def _arrays_in_class(statement: ast.ClassDef) -> str:
    """Return in words where a class handles arrays, or nothing."""
    for node in ast.walk(statement):
        match node:
            case ast.FunctionDef(name="__matmul__"):
                return f"line {node.lineno} defines @"
            case ast.Attribute(attr=name, ctx=ast.Load()) if name in _OF_ARRAYS:
                return f"line {node.lineno} reads .{name}"
            case ast.Call() if _is_array(node):
                return f"line {node.lineno} calls {ast.unparse(node.func)}()"
    return ""


def _is_array(node: ast.expr) -> bool:
    match node:
        case ast.List() | ast.ListComp() | ast.Tuple():
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np" | "numpy"), attr=name)):
            return name in _ARRAY_FUNCTIONS
        case ast.Call(func=ast.Attribute(attr="randn" | "rand"), args=[_, *_]):
            return True
        case ast.Call(keywords=words) if any(word.arg == "size" for word in words):
            return True
        case _:
            return False


def _is_whole(call: ast.Call, name: str) -> bool:
    match call:
        case ast.Call(func=ast.Name(id=made), args=[ast.Constant(value=int()), *_]):
            return made == name
        case _:
            return False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _walk_unguarded(part: ast.AST, parameters: set[str]) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(part):
        match child:
            case ast.If(test=ast.Name(id=name), orelse=others) if name in parameters:
                for other in others:
                    yield other
                    yield from _walk_unguarded(other, parameters)
            case _:
                yield child
                yield from _walk_unguarded(child, parameters)


# ── Modules that a script imports ────────────────────────────────────────────────────────────


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the module names that a module imports, with how many dots they begin."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from [(0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if module:
                yield node.level, module
            for alias in node.names:
                yield node.level, f"{module}.{alias.name}" if module else alias.name


def parse_file(path: Path) -> tuple[ast.Module, bytes] | None:
    try:
        text = path.read_bytes()
        return ast.parse(text), text
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
