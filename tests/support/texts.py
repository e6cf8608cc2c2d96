"""Random texts of the expression language: right ones, mutated ones, and soup."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from gradwalk.expr import FUNCTIONS

NAMES = ["a", "b", "c", "x", "y", "x1", "w_2", "long_name", "é", "μ", "变量", "𝑥", "constructor"]
NAMES += ["__proto__", "toString", "_", "Ω"]
NUMBERS = ["0", "1", "2", "3", ".5", "1.", "2.5", "1e-3", "1_000", "0.1", "1E2", "7e-1", "12.5e+0"]
SIGNS = ["+", "-", "*", "/", "**"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
BLANKS = ["", "", "", " ", "  ", "\t", "\u00a0"]
#: Those on which JavaScript and Python agree to the last bit, given that they do on / (see tests).
EXACT_FUNCTIONS = ["abs", "sqrt", "relu", "leaky_relu", "maximum", "minimum", "where", "clip"]
EXACT_FUNCTIONS += ["floor", "sign"]


def expression(random: Random, size: int, names: Sequence[str], functions: Sequence[str]) -> str:
    """Return a text that parses, of about `size` operations."""
    blank = random.choice(BLANKS)
    if size <= 0:
        return random.choice([*names, *names, *NUMBERS])
    kind = random.random()
    if kind < 0.55:
        part = random.randint(0, size - 1)
        left = expression(random, part, names, functions)
        right = expression(random, size - 1 - part, names, functions)
        sign = random.choice(SIGNS[:3] if random.random() < 0.7 else SIGNS)
        if random.random() < 0.6:
            left, right = f"({left})", f"({right})"
        if sign == "**":
            left = f"({left})"
            right = random.choice(["2", "3", "-1", "0.5", ".5", "-2", f"({right})"])
        return f"{left}{blank}{sign}{blank}{right}"
    if kind < 0.65:
        return f"{random.choice('-+-')}{blank}{expression(random, size - 1, names, functions)}"
    if kind < 0.75:
        return f"({blank}{expression(random, size - 1, names, functions)}{blank})"
    name = random.choice(functions)
    op = FUNCTIONS[name]
    count = random.randint(op.least, op.arity)
    shares = [expression(random, (size - 1) // count, names, functions) for _ in range(count)]
    if name == "where" and random.random() < 0.8:
        other = expression(random, 0, names, functions)
        shares[0] = f"({shares[0]}) {random.choice(COMPARISONS)} {other}"
    return f"{name}({f',{blank}'.join(shares)})"


def program(random: Random, functions: Sequence[str]) -> str:
    """Return statements that parse: some parts named, some names given twice."""
    names = random.sample(NAMES, random.randint(1, 4))
    statements: list[str] = []
    known = list(names)
    for _ in range(random.choice([0, 0, 1, 2, 3])):
        made = random.choice([*names, "d", "e", "f", "ß"])
        statements.append(f"{made} = {expression(random, random.randint(0, 6), known, functions)}")
        known.append(made)
    if not statements or random.random() < 0.8:
        statements.append(expression(random, random.randint(0, 12), known, functions))
    between = random.choice(["; ", ";", "\n", " ;; ", "\r\n"])
    return between.join(statements)


SOUP = [*"abxy01.()+-*/=,;<>!^%_# \n\t'\"[]{}:&|~@$?\\×·÷−√≤²½٣é𝑥😀ªﬁ℘"]
SOUP += [
    "**",
    "//",
    "==",
    "+=",
    ":=",
    "1e400",
    "1__0",
    "0x1F",
    "1e",
    "exp",
    "expo",
    "math.exp",
    "np.",
    "sin(",
    "where(",
    "max(",
    "ln(",
]
SOUP += ["if", "True", "lambda", "𝐢𝐟", "·x", "e\u0301", "\u0301", "\u0387", "\u200b", "\u00a0"]
SOUP += ["\ud800", "\x00", "\x7f", "\u2028"]


def mutated(random: Random, text: str) -> str:
    """Return a text with a few things put in, taken out or doubled; it may still parse."""
    characters = list(text)
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        place = random.randint(0, len(characters))
        kind = random.random()
        if kind < 0.5:
            characters.insert(place, random.choice(SOUP))
        elif kind < 0.8:
            del characters[place : place + random.randint(1, 3)]
        else:
            characters[place:place] = characters[max(0, place - 3) : place]
    return "".join(characters)


def soup(random: Random) -> str:
    return "".join(random.choice(SOUP) for _ in range(random.randint(0, 9)))
