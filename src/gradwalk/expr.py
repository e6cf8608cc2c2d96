"""The expression language: `d = a*b; e = a + b; d*e` as text, as plain data, as a graph of Values.

    text ─_tokenize→ tokens ─_Parser→ Expression(nodes) ─bind→ Value
                                          └─str→ text, normalised

Start reading at `parse`, then `Node` and `Expression`, then `_Parser.expression`, where precedence
is decided. Operators, precedence and names are Python's; the functions are rows of `gradwalk.ops`.
Drawing and walking the graph are not here.

The nodes of an expression lie flat, operands before consumers, as in a `Graph`. So nothing that
works on them recurses, and a sum of 2,000 terms is as harmless as one of two. Only the parser
recurses, and `MAX_DEPTH` bounds it.
"""

from __future__ import annotations

import inspect
import keyword
import math
import operator
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, SupportsFloat, cast

from gradwalk.engine import CONST, Value, constant
from gradwalk.errors import ExpressionError, OperandError
from gradwalk.ops import BY_SYMBOL, TABLE, Op, real

__all__ = [
    "CONSTANTS",
    "FUNCTIONS",
    "MAX_BYTES",
    "MAX_DEPTH",
    "Bound",
    "Expression",
    "Node",
    "parse",
]

# A node takes at least one byte of text, so this is also the most nodes an expression can have.
MAX_BYTES = 4096
MAX_DEPTH = 64

#: What can be called, by every name it has: the rows that are not written with an operator.
FUNCTIONS: dict[str, Op] = {
    name: op for op in TABLE if not op.infix and not op.derived for name in (op.name, *op.aliases)
}

#: Names that are numbers unless the expression assigns them or is given a value for them.
CONSTANTS: dict[str, float] = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf}


def parse(text: str, *, strict: bool = False) -> Expression:
    """Return the expression that `text` writes, or raise an ExpressionError that points into it.

    With `strict` the exponent of ** must be a number, as in micrograd.
    """
    # The type is checked because text also comes from command lines and requests.
    if not isinstance(text, str):
        raise OperandError(f"parse takes a str, not {type(text).__name__}: {text!r:.40}")
    # Characters first: they are counted already, where bytes would cost a copy of any size.
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        shown = text[:MAX_BYTES]
        raise ExpressionError(
            f"the text is longer than {MAX_BYTES} bytes: split the work into several expressions",
            shown,
            len(shown),
        )
    return _Parser(text, strict).program()


class Node(NamedTuple):
    """One number, read of a name, operation or assignment, and the columns it was written at.

    `op` is "const", "name", "=", a comparison, or the symbol of a row of the table; `operands` are
    indices of earlier nodes.
    """

    op: str
    operands: tuple[int, ...]
    number: float
    name: str
    start: int
    end: int


class Bound(NamedTuple):
    """A graph made from an expression: its root, and the leaf of each free variable."""

    root: Value
    leaves: dict[str, Value]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Expression:
    """A parsed text. Two are equal if they compute the same, whatever their spacing.

    >>> expression = parse("d = a*b; d + a")
    >>> expression.names
    ('a', 'b')
    >>> expression.evaluate({"a": 2, "b": 3}).data
    8.0
    """

    text: str
    nodes: tuple[Node, ...]
    names: tuple[str, ...]
    """The free variables, in the order of first use."""
    constants: tuple[str, ...] = ()
    """The constants it reads, such as pi. One that is given a value is a variable."""

    def evaluate(self, values: Mapping[str, SupportsFloat]) -> Value:
        """Return the root of a fresh graph, with `values` for the free variables."""
        return self.bind(values).root

    def bind(self, values: Mapping[str, SupportsFloat]) -> Bound:
        """Return the root of a fresh graph together with its leaves, to read gradients from."""
        leaves = self._leaves(values)
        constants = {name: _const(CONSTANTS[name], name) for name in self.constants}
        return Bound(self.compute(constants | leaves, _const), leaves)

    def compute(
        self, values: Mapping[str, Any], number: Callable[[float], Any] = lambda number: number
    ) -> Any:
        """Return the result on values of any kind: Values, recorded values, numbers.

        `values` has one for each free variable, and may have one for a constant. `number` makes
        one of a plain number.
        """
        known = {name: number(CONSTANTS[name]) for name in self.constants} | dict(values)
        results: list[Any] = []
        for node in self.nodes:
            operands = [results[index] for index in node.operands]
            if node.op == "name":
                result = known[node.name]
            elif node.op == CONST:
                result = number(node.number)
            elif node.op == "=":
                result = known[node.name] = operands[0]
                if isinstance(result, Value):
                    result.label = result.label or node.name
            elif compare := _COMPARISONS.get(node.op):
                result = compare(*operands)
                result = number(result) if isinstance(result, bool) else result
            else:
                # The row, not Python's operator: it keeps `2*a` in that order, and it knows that
                # no gradient goes into a const.
                result = BY_SYMBOL[node.op](*operands)
            results.append(result)
        return results[-1]

    def function(self) -> Callable[..., Any]:
        """Return it as a function of its free variables, in the order of `names`, to compile."""

        def expression(*values: Any) -> Any:
            return self.compute(dict(zip(self.names, values, strict=True)))

        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [inspect.Parameter(name, kind) for name in self.names]
        expression.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]
        return expression

    def _leaves(self, values: Mapping[str, SupportsFloat]) -> dict[str, Value]:
        given: dict[str, SupportsFloat] = {}
        for name, number in values.items():
            if not isinstance(name, str):
                raise OperandError(f"a variable is a str, not {type(name).__name__}: {name!r:.40}")
            given[_normal(name)] = number
        if unknown := given.keys() - {*self.names, *self.constants}:
            raise self._unknown(next(name for name in given if name in unknown))
        leaves: dict[str, Value] = {}
        for name in (*self.names, *[name for name in self.constants if name in given]):
            if name not in given:
                short = _short(name)
                raise self._error(f"{short} has no value: give it one, as in {short}=1", name)
            data = real(given[name])
            if data is None:
                found = f"{type(given[name]).__name__}: {given[name]!r:.40}"
                raise OperandError(f"{_short(name)} takes a real number, not {found}")
            leaves[name] = Value(data, label=name)
        return leaves

    def _unknown(self, name: str) -> ExpressionError:
        if any(node.op == "=" and node.name == name for node in self.nodes):
            return self._error(f"{_short(name)} is computed here: give it no value", name)
        near = _nearest(name, self.names)
        remedy = f"did you mean {near}?" if near else _listed(self.names)
        return self._error(f"there is no variable {_short(name)!r}: {remedy}", near)

    def _error(self, message: str, name: str) -> ExpressionError:
        """Return an error that points to where `name` comes first."""
        column = next((node.start for node in self.nodes if name and node.name == name), 0)
        return ExpressionError(message, self.text, column)

    def __str__(self) -> str:
        """Return the text with normal spacing and no spare parentheses.

        It parses to an equal, unless the added spaces make it longer than MAX_BYTES.
        """
        texts: list[str] = []
        powers: list[int] = []
        consumed: set[int] = set()

        def operand(index: int, least: int) -> str:
            return texts[index] if powers[index] >= least else f"({texts[index]})"

        for node in self.nodes:
            op, operands, power = node.op, node.operands, _ATOM
            consumed.update(operands)
            if op == "name":
                text = node.name
            elif op == CONST:
                text = repr(node.number).removesuffix(".0")
                power = _UNARY if text.startswith("-") else _ATOM
            elif op == "=":
                text = f"{node.name} = {texts[operands[0]]}"
            elif op == "neg":
                power = _UNARY
                text = "-" + operand(operands[0], _UNARY)
            elif op in _POWERS:
                power, least_left, least_right = _POWERS[op]
                space = "" if op == "**" else " "
                left, right = operand(operands[0], least_left), operand(operands[1], least_right)
                text = f"{left}{space}{op}{space}{right}"
            else:
                text = f"{BY_SYMBOL[op].name}({', '.join([texts[index] for index in operands])})"
            texts.append(text)
            powers.append(power)
        # What no node consumes is a statement.
        return "; ".join([text for index, text in enumerate(texts) if index not in consumed])

    def __repr__(self) -> str:
        return f"parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Expression):
            return NotImplemented
        return self._meaning() == other._meaning()

    def __hash__(self) -> int:
        return hash(self._meaning())

    def _meaning(self) -> tuple[tuple[object, ...], ...]:
        return tuple([node[:4] for node in self.nodes])  # all but the columns


# ── Tables ───────────────────────────────────────────────────────────────────────────────────

_COMPARISONS: dict[str, Callable[[Value, Value], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}

# Python's precedence. For each operator: how tightly it binds, and the least that its left and its
# right operand must bind to stand without parentheses. Right above left groups to the left; both
# above the operator's own does not chain; ** takes a sign on its right, but not on its left.
_UNARY, _ATOM = 4, 6
_POWERS: dict[str, tuple[int, int, int]] = {
    **dict.fromkeys(_COMPARISONS, (1, 2, 2)),
    **dict.fromkeys("+-", (2, 2, 3)),
    **dict.fromkeys(("*", "/", "//", "%"), (3, 3, 4)),
    "**": (5, 6, _UNARY),
}

_DIGITS = "[0-9](?:_?[0-9])*"
_BEYOND = r"[^\x00-\x7f]"  # any of these may be in a name; `_leading_name` then asks Python
_TOKEN = re.compile(
    rf"""
      (?P<name>    (?: [A-Za-z_] | {_BEYOND} ) (?: [0-9A-Za-z_] | {_BEYOND} )* )
    | (?P<number>  (?: {_DIGITS} (?: \.(?:{_DIGITS})? )? | \.{_DIGITS} ) (?: [eE][+-]?{_DIGITS} )? )
    | (?P<blank>   [ \t]+ )
    | (?P<symbol>  \*\*= | //= | [-+*/%:]= | // | \*\* | [<>=!]= | . )
    """,
    re.VERBOSE | re.DOTALL,
)
_SYMBOLS = {*_POWERS, *"()=,;"}

# Common mistakes, and what to write instead.
_REMEDIES: dict[str, str] = {
    "^": "power is written **, as in a**2",
    **dict.fromkeys(("+=", "-=", "*=", "/=", "**=", "//=", "%="), "write it out, as in a = a + 1"),
    ":=": "a value is named with =, as in d = a*b",
    **dict.fromkeys("×··⋅∙∗", "multiply is written *"),
    **dict.fromkeys("÷∕⁄", "divide is written /"),
    **dict.fromkeys("−–—", "minus is written -"),
    "√": "a square root is written sqrt(x)",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
    **dict.fromkeys("'\"`‘’“”«»", "an expression has no quotes: leave them out"),
    **dict.fromkeys("[]{}", "only ( and ) group"),
    ".": "a dot belongs inside a number, as in 0.5",
    "!": "not equal is written !=",
    "#": "an expression has no comments: leave it out",
    "True": "write 1",
    "False": "write 0",
    **dict.fromkeys(("if", "else"), "a choice is written where(condition, x, y)"),
}

# Names of functions in other languages, and how they are written here.
_SPELLINGS: dict[str, str] = {
    **{op.name: f" {op.symbol} ".join(op.operands) for op in TABLE if op.infix},
    "neg": "-x",
    "ln": "log(x)",
    "max": "maximum(x, y)",
    "min": "minimum(x, y)",
}


# ── Tokens ───────────────────────────────────────────────────────────────────────────────────


class _Token(NamedTuple):
    """`kind` is "number", "name", "end", "misfit" or, for a symbol, the symbol itself."""

    kind: str
    text: str
    start: int
    end: int


_START = _Token(";", ";", 0, 0)  # what stands before the first token


def _tokenize(text: str) -> Iterator[_Token]:
    """Yield the tokens up to the end, or up to a misfit, whose text says what is wrong with it.

    A misfit is not raised here: what the parser finds to the left of it comes first.
    """
    depth = 0
    before = _START
    # A no-break space comes along with text from web pages and looks like any other.
    for match in _TOKEN.finditer(text.replace("\u00a0", " ").replace("\r", "\n")):
        kind, found = match.lastgroup or "", match[0]
        if kind == "blank" or (depth and found == "\n"):  # in parentheses a line goes on
            continue
        start, end = match.span()
        if kind == "symbol":
            kind = ";" if found == "\n" else found
            depth += (kind == "(") - (kind == ")")
        elif not found.isascii():
            name = _leading_name(found)
            if name == found:
                found = _normal(found)
            else:
                if name:
                    yield _Token("name", _normal(name), start, start + len(name))
                start += len(name)
                kind = found = text[start]
        if kind not in _SYMBOLS and (message := _misfit(kind, found)):
            if found == "." and before.kind == "name" and before.end == start:
                message = _dotted(before.text, text[end:]) or message
            yield _Token("misfit", message, start, end)
            return
        before = _Token(kind, found, start, end)
        yield before


def _leading_name(text: str) -> str:
    """Return the identifier that `text` starts with, or nothing."""
    for end, character in enumerate(text):
        # Python would take the middle dot of a·b into the name; here it is a mistaken *.
        if not ("_"[:end] + character).isidentifier() or "·" in _normal(character):
            return text[:end]
    return text


def _misfit(kind: str, found: str) -> str:
    """Return an error message for a token outside the language, or an empty string."""
    if kind == "number":
        beyond = math.isinf(float(found))
        return f"{_short(found)} is beyond the largest double, 1.8e308" if beyond else ""
    if kind == "name":
        if not keyword.iskeyword(found):
            return ""
        remedy = _REMEDIES.get(found, f"call the variable {found}_")
        return f"{found} is a keyword of Python: {remedy}"
    remedy = "an expression has numbers, names, ( ) and + - * / // % **"
    if found.isdigit():
        remedy = "digits are 0 to 9, and power is written **, as in a**2"
    return f"unexpected {found!r}: {_REMEDIES.get(found, remedy)}"


def _dotted(before: str, after: str) -> str:
    """Return an error message for dotted names such as `math.exp`, or an empty string."""
    name = _normal(_leading_name(after))
    if not name:
        return ""
    dotted = f"{_short(before)}.{_short(name)}"
    if name in FUNCTIONS:
        return f"functions stand alone: write {_signature(name)} for {dotted}"
    return f"a name has no dot in it: write {dotted.replace('.', '_')} for {dotted}"


# ── The parser ───────────────────────────────────────────────────────────────────────────────


class _Parser:
    """A Pratt parser: `expression` asks for operators that bind at least so tightly."""

    def __init__(self, text: str, strict: bool) -> None:
        self.text = text
        self.strict = strict
        self.rest = _tokenize(text)
        self.last = _Token("end", "the end", len(text), len(text))
        self.before = self.token = self.after = _START
        self.advance()
        self.advance()
        self.depth = 0
        self.nodes: list[Node] = []
        self.names: dict[str, None] = {}  # a set that keeps the order
        self.constants: dict[str, None] = {}
        self.assigned: set[str] = set()

    def advance(self) -> _Token:
        """Step to the next token and return the one left behind."""
        self.before, self.token, self.after = self.token, self.after, next(self.rest, self.last)
        return self.before

    def program(self) -> Expression:
        while self.token.kind != "end":
            if self.token.kind == ";":
                self.advance()
            else:
                self.statement()
        if not self.nodes:
            raise self.error("there is no expression: write one, such as (a + b) * c", self.token)
        return Expression(self.text, tuple(self.nodes), tuple(self.names), tuple(self.constants))

    def statement(self) -> None:
        first = self.token
        if first.kind == "name" and self.after.kind == "=":
            if first.text in FUNCTIONS:
                message = f"{first.text} is a function: name the value otherwise, as in d = a*b"
                raise self.error(message, first)
            self.advance()
            self.advance()
            self.add("=", (self.expression(),), first.start, name=first.text)
            self.assigned.add(first.text)
        else:
            whole = self.nodes[self.expression()]
            if whole.op == "==":  # it would be computed and dropped: most often a mistaken =
                column = self.text.index("==", self.nodes[whole.operands[0]].end)
                message = "== compares: to name a value write =, as in d = a*b"
                raise ExpressionError(message, self.text, column)
        if self.token.kind not in (";", "end"):
            raise self.unexpected()

    def expression(self, least: int = 0) -> int:
        """Parse operands joined by operators that bind at least as tightly as `least`."""
        start = self.token.start
        left = self.operand()
        bound = _ATOM
        while row := _POWERS.get(self.token.kind):
            power, least_left, least_right = row
            if power < least or bound < least_left:
                break
            sign, exponent = self.advance(), self.token
            if sign.kind == "**":
                right = self.nested(sign, least_right)
                if self.strict and self.nodes[right].op != CONST:
                    raise self.error(_STRICT, exponent)
            else:
                right = self.expression(least_right)
            left = self.add(sign.kind, (left, right), start)
            bound = power
        return left

    def nested(self, opener: _Token, least: int = 0) -> int:
        """Parse an expression inside another. Every unbounded recursion passes through here."""
        if self.depth == MAX_DEPTH:
            message = f"nested more than {MAX_DEPTH} deep: name a part first, as in d = a*b; d + 1"
            raise self.error(message, opener)
        self.depth += 1
        inner = self.expression(least)
        self.depth -= 1
        return inner

    def operand(self) -> int:
        token = self.token
        if token.kind == "number":
            self.advance()
            return self.add(CONST, (), token.start, number=float(token.text))
        if token.kind == "name":
            if self.after.kind == "(":
                return self.call()
            if token.text in FUNCTIONS:
                message = f"{token.text} is a function: write {_signature(token.text)}"
                raise self.error(message, token)
            self.advance()
            if token.text not in self.assigned:
                (self.constants if token.text in CONSTANTS else self.names)[token.text] = None
            return self.add("name", (), token.start, name=token.text)
        if token.kind == "(":
            self.advance()
            inner = self.nested(token)
            self.close(token)
            return inner
        if token.kind == "+":
            self.advance()
            return self.nested(token, _UNARY)
        if token.kind == "-":
            self.advance()
            inner = self.nested(token, _UNARY)
            if self.nodes[inner].op == CONST:  # -3 is a number, and in a graph one node
                return self.add(CONST, (), token.start, number=-self.nodes.pop().number)
            return self.add("neg", (inner,), token.start)
        raise self.missing()

    def call(self) -> int:
        name = self.advance()
        if name.text not in FUNCTIONS:
            raise self.error(_no_function(name.text), name)
        opener = self.advance()
        operands: list[int] = []
        while self.token.kind != ")" or operands:
            operands.append(self.nested(opener))
            if self.token.kind != ",":
                break
            self.advance()
        self.close(opener)
        op = FUNCTIONS[name.text]
        try:
            op.complete(tuple(operands))
        except OperandError as error:
            raise self.error(f"{error}: write {_signature(name.text)}", name) from None
        return self.add(op.symbol, tuple(operands), name.start)

    def close(self, opener: _Token) -> None:
        if self.token.kind in (";", "end"):
            raise self.error(_UNCLOSED, opener)
        if self.token.kind != ")":
            raise self.unexpected()
        self.advance()

    def add(
        self, op: str, operands: tuple[int, ...], start: int, *, number: float = 0.0, name: str = ""
    ) -> int:
        self.nodes.append(Node(op, operands, number, name, start, self.before.end))
        return len(self.nodes) - 1

    # ── Errors ───────────────────────────────────────────────────────────────────────────────

    def error(self, message: str, token: _Token) -> ExpressionError:
        return ExpressionError(message, self.text, token.start)

    def missing(self) -> ExpressionError:
        """Return the error for an operand that is missing at the current token."""
        token, kind, before = self.token, self.token.kind, self.before
        if before.kind == "(" and kind in (";", "end"):
            return self.error(_UNCLOSED, before)
        if before.kind == "(" and kind == ")":
            return self.error("expected an expression between ( and )", token)
        if kind in _POWERS or (before.kind == "(" and kind == ","):
            return self.error(f"expected an operand before {kind}", token)
        if before.kind in {*_POWERS, "=", ","} and kind != "misfit":
            return self.error(f"expected an operand after {before.kind}", before)
        return self.unexpected()

    def unexpected(self) -> ExpressionError:
        """Return the error for a token that cannot stand here."""
        token, before = self.token, self.before
        if token.kind == "misfit":
            return self.error(token.text, token)
        if token.kind in _MISPLACED:
            return self.error(_MISPLACED[token.kind], token)
        left = "(…)" if before.kind == ")" else _short(before.text)
        right = "(…)" if token.kind == "(" else _short(token.text)
        message = f"expected an operator before {right}: did you mean {left}*{right}?"
        return self.error(message, token)


_UNCLOSED = "this ( is never closed: expected )"
_MISPLACED: dict[str, str] = {
    ")": "this ) closes nothing: expected an operator or the end",
    ",": "a comma only separates the operands of a function; decimals have a point, as in 1.5",
    "=": "= names a value at the start of a statement, as in d = a*b; to compare write ==",
    **dict.fromkeys(_COMPARISONS, "comparisons do not chain: write one, as in where(a < b, a, b)"),
}
_STRICT = (
    "strict: the exponent must be a number, because the rule for x**n, n * x**(n-1), "
    "needs a fixed n; drop --strict to differentiate both sides"
)


def _no_function(name: str) -> str:
    if name in _SPELLINGS:
        return f"{name} is written {_SPELLINGS[name]}"
    if near := _nearest(name, FUNCTIONS):
        return f"there is no function {name}: did you mean {near}?"
    if len(name) > 2:  # nobody means a product by softmax(a)
        return f"there is no function {_short(name)}: write it with others, such as exp, log, where"
    return f"there is no function {name}: to multiply, write {name}*(…)"


def _signature(name: str) -> str:
    return f"{name}({', '.join(FUNCTIONS[name].operands)})"


def _nearest(name: str, names: Iterable[str]) -> str:
    """Return the entry of `names` closest to a misspelt `name`, or an empty string."""
    import difflib  # only mistakes pay for it

    # Matching is quadratic in the length: nobody misspells a name of a thousand letters.
    candidates = [candidate for candidate in names if len(candidate) <= 40][:200]
    if len(name) > 40:
        return ""
    swapped = [one for one in candidates if sorted(one) == sorted(name)]  # tahn: tanh, not tan
    return (swapped or difflib.get_close_matches(name, candidates, 1) or [""])[0]


def _listed(variables: tuple[str, ...]) -> str:
    shown = [_short(name) for name in variables[:9]] + ["…"] * (len(variables) > 9)
    return f"the variables are {', '.join(shown)}" if shown else "the expression has none"


def _normal(name: str) -> str:
    """Return a name as Python reads it: é is one name, however it was typed."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _const(number: float, label: str = "") -> Value:
    value = cast(Value, constant(number))  # None is only for what is not a number
    if label:
        value.label = label
    return value
