"""Writes web/src/core/rows.ts: the table of operations for the browser, translated from ops.py.

The words and numbers of a row are copied. Its value and its derivatives are translated from Python,
with the functions and constants of ops.py that they use. A rule may use + - * /, comparisons,
conditional expressions, other rows, and functions of `math`; a function may also assign, `if`,
`while`, `for number in TABLE` and `return`. Anything else is an error that names the line. Git
ignores the file: each build of the lab makes it.
"""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gradwalk import ops
from gradwalk.files import write_whole

FILE = Path(__file__).parent.parent / "web" / "src" / "core" / "rows.ts"
HEAD = """\
// Made by tools/web_rows.py from src/gradwalk/ops.py: change that, then run `npm run build`.

import {
  dividesPlainly, erf, erfc, floorDivide, isNormal, modulo, power, productRest,
} from "./special.ts";

const inf = Infinity;
const nan = NaN;
"""

# What Python has to guard against exceptions, and JavaScript has as it is or in special.ts.
KNOWN = {
    "_power": "power",
    "_product_rest": "productRest",
    "_floor_divide": "floorDivide",
    "_modulo": "modulo",
    "divides_plainly": "dividesPlainly",
    "is_normal": "isNormal",
    "abs": "Math.abs",
    "_exp": "Math.exp",
    **{f"_{name}": f"Math.{name}" for name in ("log", "log1p", "log2", "log10", "atanh", "sinh")},
    **{f"_{name}": f"Math.{name}" for name in ("floor", "sign", "hypot")},
}
MATH = {
    "fabs": "Math.abs",
    "erf": "erf",
    "erfc": "erfc",
    "pow": "power",
    "isfinite": "Number.isFinite",
    "isnan": "Number.isNaN",
    "exp2": "exp2",
    **{name: f"Math.{name}" for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2")},
    **{name: f"Math.{name}" for name in ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")},
    **{name: f"Math.{name}" for name in ("exp", "expm1", "log", "log1p", "sqrt", "cbrt", "floor")},
}
# In the browser everything is a number, and nothing is recorded.
NUMBERS = ("isinstance(", "_is_plain(")
TRUTHS = {"isfinite", "isnan", "isinstance", "is_normal", "divides_plainly"}
COMPARISONS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "===", ast.NotEq: "!==",
}  # fmt: skip
ARITHMETIC = {ast.Add: ("+", 5), ast.Sub: ("-", 5), ast.Mult: ("*", 6), ast.Div: ("/", 6)}
CHOICE, OR, AND, COMPARED, UNARY, ATOM = 1, 2, 3, 4, 7, 9


def number(value: float) -> str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if value == int(value) and abs(value) < 1e15:
        return "-0" if math.copysign(1.0, value) < 0 and not value else str(int(value))
    return repr(value)


def camel(name: str) -> str:
    first, *rest = name.strip("_").split("_")
    return first + "".join([part.capitalize() for part in rest])


class _OnNumbers(ast.NodeTransformer):
    """Leaves out what a rule says for recorded values alone; its choices become conditionals."""

    def visit_If(self, node: ast.If) -> Any:
        said = ast.unparse(node.test).split(" or ")
        recorded = all(part.startswith("_is_recorded(") for part in said)
        return node.orelse if recorded else self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        node.values = [v for v in node.values if not ast.unparse(v).startswith("_is_recorded(")]
        return node if len(node.values) > 1 else node.values[0]

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="_pick"), args=[test, yes, no]):
                return ast.copy_location(ast.IfExp(test, yes, no), node)
            case ast.Call(func=ast.Name(id="_unless"), args=[test, ast.Lambda(body=no)]):
                return ast.copy_location(ast.IfExp(test, ast.Constant(0.0), no), node)
            case _:
                return node


class Translator:
    """The rules of ops.py as TypeScript; `constants` and `functions` collect what they use."""

    def __init__(self, source: str) -> None:
        self.defined: dict[str, ast.FunctionDef | ast.expr] = {}
        self.rows: dict[str, ast.Call] = {}
        self.constants: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        for node in _OnNumbers().visit(ast.parse(source)).body:
            if isinstance(node, ast.FunctionDef):
                self.defined[node.name] = node
            elif isinstance(node, ast.Assign):
                self.assign(node.targets[0], node.value)

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, its in zip(target.elts, value.elts, strict=True):
                self.assign(one, its)
        elif isinstance(target, ast.Name):
            self.defined[target.id] = value
            if isinstance(value, ast.Call) and ast.unparse(value.func) == "Op":
                self.rows[target.id] = value

    def rule(self, node: ast.expr) -> str:
        """Return what is called: a lambda, a function of ops.py, of math, or a row."""
        if isinstance(node, ast.Lambda):
            used = {name.id for name in ast.walk(node.body) if isinstance(name, ast.Name)}
            names = [arg.arg for arg in node.args.args]
            while names and names[-1] not in used:
                names.pop()
            typed = [f"{name if name in used else '_' + name}: number" for name in names]
            return f"({', '.join(typed)}) => {self.text(node.body, set(names))}"
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "_quiet":
            return self.rule(node.args[0])
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "math":
            if node.attr in MATH:
                if MATH[node.attr] == "exp2":
                    return "(x: number) => power(2, x)"
                return MATH[node.attr]
        elif isinstance(node, ast.Name):
            if node.id in KNOWN:
                return KNOWN[node.id]
            if node.id in self.rows:
                return self.rule(self.rows[node.id].args[2])
            if isinstance(found := self.defined.get(node.id), ast.FunctionDef):
                return self.function(found)
        raise self.error(node)

    def function(self, node: ast.FunctionDef) -> str:
        name = camel(node.name)
        if name not in self.functions:
            self.functions[name] = ""  # its place, before those that it calls
            names = [arg.arg for arg in node.args.args]
            truths = {a.arg for a in node.args.args if ast.unparse(a.annotation or a) == "bool"}
            loaded = [n for line in node.body for n in ast.walk(line) if isinstance(n, ast.Name)]
            used = {n.id for n in loaded if isinstance(n.ctx, ast.Load)}
            given = ", ".join(
                [
                    f"{'' if n in used else '_'}{n}: {'boolean' if n in truths else 'number'}"
                    for n in names
                ]
            )
            kind = "boolean" if node.returns and ast.unparse(node.returns) == "bool" else "number"
            body = self.block(node.body, set(names), truths, "  ")
            text = f"function {name}({given}): {kind} {{\n{body}}}\n"
            del self.functions[name]
            self.functions[name] = text
        return name

    def block(self, lines: list[ast.stmt], local: set[str], truths: set[str], indent: str) -> str:
        said = ""
        for line in lines:
            match line:
                case ast.Expr(value=ast.Constant()):  # a docstring
                    continue
                case ast.Return(value=ast.expr() as value):
                    said += f"{indent}return {self.text(value, local, truths)};\n"
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    word = "" if name in local else "let "
                    local.add(name)
                    said += f"{indent}{word}{name} = {self.text(value, local, truths)};\n"
                case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                    sign = ARITHMETIC[type(op)][0]
                    said += f"{indent}{name} {sign}= {self.text(value, local, truths)};\n"
                case ast.If(test=test, body=body, orelse=orelse):
                    said += f"{indent}if ({self.truth(test, local, truths)}) {{\n"
                    said += self.block(body, {*local}, truths, indent + "  ") + f"{indent}}}"
                    if orelse:
                        said += f" else {{\n{self.block(orelse, {*local}, truths, indent + '  ')}"
                        said += f"{indent}}}"
                    said += "\n"
                case ast.While(test=test, body=body):
                    said += f"{indent}while ({self.truth(test, local, truths)}) {{\n"
                    said += self.block(body, {*local}, truths, indent + "  ") + f"{indent}}}\n"
                case ast.For(target=ast.Name(id=name), iter=ast.Name() as table, body=body):
                    said += f"{indent}for (const {name} of {self.constant(table)}) {{\n"
                    said += self.block(body, {*local, name}, truths, indent + "  ")
                    said += f"{indent}}}\n"
                case _:
                    raise self.error(line)
        return said

    def text(self, node: ast.expr, local: set[str], truths: Iterable[str] = ()) -> str:
        return self.expression(node, local, set(truths))[0]

    def wrapped(self, node: ast.expr, local: set[str], truths: set[str], least: int) -> str:
        said, binds = self.expression(node, local, truths)
        return said if binds >= least else f"({said})"

    def truth(self, node: ast.expr, local: set[str], truths: set[str], least: int = 0) -> str:
        """Return a condition. A number counts as in Python: nan is true."""
        called = isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in TRUTHS
        known = isinstance(node, ast.Name) and node.id in truths
        negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        if called or known or negated or isinstance(node, (ast.Compare, ast.BoolOp)):
            return self.wrapped(node, local, truths, least)
        return f"{self.wrapped(node, local, truths, COMPARED + 1)} !== 0"

    def expression(self, node: ast.expr, local: set[str], truths: set[str]) -> tuple[str, int]:
        """Return an expression, and how strongly it binds."""

        def part(inner: ast.expr, least: int) -> str:
            return self.wrapped(inner, local, truths, least)

        def condition(inner: ast.expr, least: int) -> str:
            return self.truth(inner, local, truths, least)

        match node:
            case ast.Constant(value=int() | float() as value):
                return number(value), ATOM
            case ast.Name(id=name):
                return (name if name in local else self.constant(node)), ATOM
            case ast.Attribute(value=ast.Name(id="math"), attr="pi"):
                return "Math.PI", ATOM
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"-{part(operand, UNARY + 1)}", UNARY
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                said = condition(operand, 0)
                return (f"!({said})", UNARY)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return f"power({part(left, 0)}, {part(right, 0)})", ATOM
            case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
                sign, binds = ARITHMETIC[type(op)]
                return f"{part(left, binds)} {sign} {part(right, binds + 1)}", binds
            case ast.Compare(left=left, ops=signs, comparators=rights):
                pairs = zip([left, *rights[:-1]], signs, rights, strict=True)
                said = [
                    f"{part(a, COMPARED + 1)} {COMPARISONS[type(op)]} {part(b, COMPARED + 1)}"
                    for a, op, b in pairs
                ]
                return " && ".join(said), COMPARED if len(said) == 1 else AND
            case ast.BoolOp(op=op, values=values):
                binds = AND if isinstance(op, ast.And) else OR
                kept = [v for v in values if not ast.unparse(v).startswith(NUMBERS)]
                return (" && " if binds == AND else " || ").join(
                    [condition(value, binds + 1) for value in kept]
                ), binds
            case ast.IfExp(test=test, body=body, orelse=orelse):
                said = f"{condition(test, OR)} ? {part(body, CHOICE + 1)} : {part(orelse, CHOICE)}"
                return said, CHOICE
            case ast.Call(func=ast.Name(id="_over" | "_divide"), args=[x, y]):
                return f"{part(x, 6)} / {part(y, 7)}", 6
            case ast.Call(func=ast.Attribute(attr="copysign"), args=[ast.Constant(value=1.0), y]):
                said = part(y, COMPARED + 1)
                return f"{said} < 0 || Object.is({said}, -0) ? -1 : 1", CHOICE
            case ast.Call(func=ast.Attribute(attr="fmod"), args=[x, y]):
                return f"{part(x, 6)} % {part(y, 7)}", 6
            case ast.Call(func=func, args=args, keywords=[]):
                called = self.rule(func)
                called = f"({called})" if "=>" in called else called
                said = [
                    condition(arg, 0) if isinstance(arg, ast.Compare) else part(arg, 0)
                    for arg in args
                ]
                return f"{called}({', '.join(said)})", ATOM
            case _:
                raise self.error(node)

    def constant(self, node: ast.Name) -> str:
        name = node.id
        if name in ("inf", "nan"):
            return name
        value = getattr(ops, name, None)
        if not isinstance(value, (float, tuple)):
            raise self.error(node)
        said = number(value) if isinstance(value, float) else listed(value)
        self.constants[name.strip("_")] = said
        return name.strip("_")

    def error(self, node: ast.AST) -> SystemExit:
        line = getattr(node, "lineno", "?")
        return SystemExit(
            f"ops.py:{line}: {ast.unparse(node)!r} has no translation for the browser. "
            "Write it with the words that tools/web_rows.py names, or teach it this one."
        )


def listed(values: Iterable[float]) -> str:
    return f"[{', '.join([number(value) for value in values])}]"


def quoted(thing: Any) -> str:
    return json.dumps(thing, ensure_ascii=False)


def row_text(op: ops.Op, call: ast.Call, translator: Translator) -> str:
    value, partials = call.args[2], call.args[3]
    assert isinstance(partials, ast.Tuple)
    slopes = ", ".join([translator.rule(partial) for partial in partials.elts])
    edges = [
        f"{{ operands: {listed(edge.operands)}, value: {number(edge.value)}, "
        f"partials: {listed(edge.partials)}, why: {quoted(edge.why)} }}"
        for edge in op.edges
    ]
    fields = {
        "name": quoted(op.name),
        "symbol": quoted(op.symbol),
        "operands": quoted(list(op.operands)),
        "value": translator.rule(value),
        "partials": f"[{slopes}]",
        "formulas": quoted(list(op.formulas)),
        "reason": quoted(op.reason),
        "probes": f"[{', '.join([listed(probe) for probe in op.probes])}]",
        "edges": "[\n      " + ",\n      ".join(edges) + ",\n    ]" if edges else "[]",
        "infix": quoted(op.infix),
        "stands_for": quoted(op.stands_for),
        "selects": quoted(op.selects),
        "aliases": quoted(list(op.aliases)),
        "defaults": listed(op.defaults),
    }
    return "  {\n" + "".join([f"    {key}: {said},\n" for key, said in fields.items()]) + "  },\n"


def rows_ts() -> str:
    translator = Translator(Path(ops.__file__).read_text("utf-8"))
    calls = list(translator.rows.values())
    rows = [row_text(op, call, translator) for op, call in zip(ops.TABLE, calls, strict=True)]
    constants = "".join(
        [f"const {name} = {said};\n" for name, said in translator.constants.items()]
    )
    functions = "\n".join(translator.functions.values())
    return f"{HEAD}{constants}\n{functions}\nexport const ROWS = [\n{''.join(rows)}] as const;\n"


if __name__ == "__main__":
    write_whole(FILE, [rows_ts().encode()])  # a build that runs at the same time reads it
