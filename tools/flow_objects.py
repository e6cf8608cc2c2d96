"""Random functions full of objects for `x.py fuzz flow`: `ObjectWriter` writes them.

Lists that share rows, rows chosen by recorded indices, identity, iterators that several loops read,
`__iadd__`, nonlocal names, generators, heaps, counters, deques, sets, dicts, exceptions and text:
whatever a recording could lose when it does not do just what Python does.
"""

from __future__ import annotations

from random import Random

__all__ = ["ObjectWriter"]

CLASSES = """\
class Point:
    def __init__(self, v, w=0.5):
        self.v, self.w = v, w
        self.parts = [v]

    def __iadd__(self, other):
        self.v += other
        self.parts.append(other)
        return self

    def __lt__(self, other):
        return self.v < other.v

    def __contains__(self, x):
        return x in self.parts

    @property
    def size(self):
        return abs(self.v) if self.v < self.w else self.w

    def move(self, x):
        if x > self.w:
            self.w = x
            return self.v
        self.v = self.v + x
        return self.w


class Linked:
    def __init__(self, value, after=None):
        self.value, self.after = value, after


"""
NUMBERS = ("0.0", "0.5", "1.0", "2.0", "-1.0", "0.25", "1.5", "-0.75")


class ObjectWriter:
    """Writes functions of numbers; all their loops end, and each object has a known name."""

    smooth = False

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.fresh = 0

    def module(self) -> str:
        count = self.rng.randint(1, 3)
        self.names = list("abc"[:count])
        lines = [
            f"def f({', '.join(self.names)}):",
            f"    xs = [{self.number(1)}, {self.number(1)}, {self.number(0)}]",
            "    row = [0.5, 1.5]",
            f"    rows = [row, [{self.number(0)}], row]",
            f"    p, q = Point({self.number(1)}), Point({self.number(0)}, 1.0)",
            "    r = p",
            f"    it = iter([{self.number(0)}, 1.0, {self.number(0)}, -1.0, 2.0, 0.25])",
            "    d = {0: 0.5, 1: 1.5, 'k': 0.25}",
            "    h = [0.5, 1.0]",
            "    tally = Counter()",
            "    line = deque([0.25], maxlen=3)",
            "    seen = set()",
            "    chain = Linked(0.5, Linked(1.0))",
            "    t = 0.0",
            "    n = 0",
            "    words = []",
            "    def note(v):",
            "        nonlocal t",
            "        t = t + v * 0.5",
            "        return t",
            "    def some(limit):",
            "        for v in list(xs):",
            "            if v > limit:",
            "                yield v",
        ]
        lines += self.block(self.rng.randint(3, 7), 1)
        lines += [
            "    total = t + n + sum(xs) + p.v * 2.0 + q.v + r.w + len(rows[0]) + len(words)",
            "    total += sum([sum(one) for one in rows]) + len(h) * 0.5 + len(line) + len(seen)",
            "    total += tally['hi'] * 0.25 + tally['lo'] + d[0] + d['k'] + chain.value + len(d)",
            "    return total + next(it, 0.125)",
        ]
        return CLASSES + "\n".join(lines) + "\n"

    def block(self, size: int, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(size):
            made = self.statement(depth)
            lines += ["    " * depth + line for line in made]
            if made[-1].split()[0] in ("return", "break", "continue"):
                break
        return lines

    def inner(self, depth: int) -> list[str]:
        made = self.block(self.rng.randint(1, 2), depth + 1)
        return [line[4 * depth :] for line in made]

    def statement(self, depth: int) -> list[str]:
        if depth < 4 and self.rng.random() < 0.45:
            return self.nested(depth)
        one, two, index = self.number(1), self.number(0), self.index()
        forms = [
            [f"t = {self.number(2)}"],
            [f"t += {one}"],
            [f"xs[{index} % len(xs)] = {one}" if self.rng.random() < 0.5 else f"xs.append({two})"],
            [f"rows[{index} % len(rows)].append({one})"],
            [f"rows[{index} % len(rows)][0] += {one}"],
            [f"rows[{index} % len(rows)] = [{two}]"],
            [f"(xs if {self.condition()} else row)[0] = {one}"],
            [f"r = p if {self.condition()} else q"],
            [f"r.v = {one}"],
            [f"r += {two}"],
            [f"t += r.move({two}) + r.size"],
            [f"t += 1.0 if r is {self.rng.choice('pq')} else 0.25"],
            [f"t += 0.5 if ({self.condition()}) is True else 0.0"],
            [f"t += next(it, {two})"],
            [f"note({one})"],
            [f"heapq.heappush(h, {one})"],
            ["t += heapq.heappop(h) if h else 0.5"],
            [f"bisect.insort(h, {one})", "h.sort()"],
            [f"tally['hi' if {self.condition()} else 'lo'] += 1"],
            [f"line.append({one})", "t += line[0]"],
            [f"seen.add({index})"],
            [f"seen.add({two})"],
            [f"d[{index} % 3] = {one}"],
            [f"d['k'] = d.get({index} % 4, {two})"],
            [f"t += d.pop('gone', 0.5) if {self.condition()} else d.setdefault('new', {two})"],
            [f"t += sum(some({two}))"],
            [f"t += max(some({two}), default=0.5)"],
            [f"xs, row = row, xs if {self.condition()} else list(row)"],
            ["xs = sorted(xs)" if self.rng.random() < 0.5 else "xs.reverse()"],
            [f"rows.sort(key=lambda one: sum(one) * {two})"],
            [f"t += min((p, q)).v + ({two} in p)"],
            [f"xs += [{two}]" if self.rng.random() < 0.5 else f"xs = xs + [{two}]"],
            [f"chain = Linked({one}, chain) if {self.condition()} else chain.after or chain"],
            [f"t += xs[{index}] if {index} < len(xs) and {index} >= 0 else -1.0"],
            [f"t += sum(xs[: {index} % 3]) + sum(xs[{index} % 2 :])"],
            [f"n += {index} % 5"],
            [f"n = (n + {index}) & 3"],
            [f"words.append(str({index} % 7 + n % 3))", "t += len(words[-1])"],
            [f"words.append(f'{{{two}:.1f}}')", "t += 0.5 if '1' in words[-1] else 0.0"],
            [f"t += float(f'{{{one}:.2f}}')"],
            [f"t += ({self.condition()}) + ({self.condition()}) * 0.5"],
            [f"t += 0.5 if {two} in xs else 0.25"],
            [f"t += sum([v for v in xs if v > {two}])"],
            [f"t += len([v for v in xs if {self.condition()} or v > {two}]) * 0.5"],
            [f"t += sum(1 for one in rows if {two} in one)"],
            [f"t += any(v > {two} for v in xs) + all(v < {one} for v in h)"],
            [f"row = rows[{index} % len(rows)]"],
            ["del xs[1:]" if self.rng.random() < 0.3 else "xs = xs[::-1]"],
            [f"t += max(zip(xs, h), default=({two}, 0.0))[0]"],
            [f"t += dict(zip(('u', 'v'), xs)).get('v', {two})"],
        ]
        return self.rng.choice(forms)

    def nested(self, depth: int) -> list[str]:
        rng = self.rng
        self.fresh += 1
        v = f"v{self.fresh}"
        kind = rng.randrange(11)
        if kind < 3:
            lines = [f"if {self.condition()}:", *self.inner(depth)]
            if rng.random() < 0.5:
                lines += [f"elif {self.condition()}:", *self.inner(depth)]
            return lines + (["else:", *self.inner(depth)] if rng.random() < 0.5 else [])
        if kind == 3:
            leave = rng.choice(("break", "continue"))
            head = rng.choice(("for {} in it:", "for {} in list(xs):", "for {} in some(0.25):",
                               "for {}, _ in zip(it, (1, 2, 3)):"))  # fmt: skip
            mine = self.add(v)
            lines = [head.format(v), f"    if {mine} > {self.number(0)}:", f"        {leave}"]
            lines += self.inner(depth)
            if rng.random() < 0.3:
                lines += ["else:", *self.inner(depth)]
            self.names.remove(v)
            return [f"{v} = 0.0", *lines]
        if kind == 4:
            lines = [f"for {v} in itertools.count():", f"    if {v} > 3 or {self.condition()}:"]
            return [*lines, "        break", *self.inner(depth)]
        if kind == 5:
            error, body = rng.choice(
                (
                    (
                        "ZeroDivisionError",
                        f"t += math.floor({self.number(1)} / {self.number(0)}) * 0.5",
                    ),
                    ("ValueError", f"t += math.floor(math.sqrt({self.number(1)}) * 4.0) * 0.25"),
                    ("Exception", f"t += math.floor(math.log({self.number(1)}) * 4.0) * 0.25"),
                    ("IndexError", f"t += xs[{self.index()}]"),
                    ("KeyError", f"t += d[{self.index()}]"),
                    ("StopIteration", "t += next(it)"),
                    ("(ValueError, OverflowError)", f"n += int(1.0 / {self.number(0)})"),
                    ("LookupError", f"t += d[{self.number(0)}]"),
                )
            )
            lines = ["try:", *self.inner(depth), "    " + body, f"except {error}:"]
            lines += self.inner(depth)
            return lines + (["finally:", *self.inner(depth)] if rng.random() < 0.3 else [])
        if kind == 6:
            lines = [f"{v} = 0", f"while {v} < 3 and {self.condition()}:", f"    {v} += 1"]
            return [*lines, *self.inner(depth)]
        if kind == 7:
            lines = [f"match ({self.condition()}, {self.index()} % 3):", "    case (True, 0):"]
            lines += ["    " + line for line in self.inner(depth)]
            lines += [f"    case (_, {v}) if {v} > 0:"]
            return lines + ["    " + line for line in self.inner(depth)]
        if kind == 8 and depth > 1:
            return [f"return {self.number(1)} + t"]
        if kind == 9:
            lines = [f"for {v} in rows:", f"    if len({v}) > 2:", "        continue"]
            return [*lines, f"    {v}.append({self.number(0)})", *self.inner(depth)]
        return ["for one in (p, q):", f"    if one.v > {self.number(0)} and one is not r:",
                "        " + self.rng.choice(("break", "r = one", "one.w = 2.0"))]  # fmt: skip

    def add(self, name: str) -> str:
        self.names.append(name)
        return name

    # ── Expressions ──────────────────────────────────────────────────────────────────────────

    def number(self, depth: int) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.25:
            return rng.choice(self.names) if rng.random() < 0.7 else rng.choice(NUMBERS)
        one, two = self.number(depth - 1), self.number(depth - 1)
        forms = [f"({one} + {two})", f"({one} - {two})", f"{one} * 0.5", f"abs({one})"]
        forms += [f"max({one}, {two})", f"({one} if {self.condition()} else {two})", f"(-{one})"]
        return rng.choice(forms)

    def index(self) -> str:
        one = self.number(0)
        return self.rng.choice((f"int({one})", f"int(abs({one}))", f"round({one})", "n"))

    def condition(self) -> str:
        one, two = self.number(0), self.number(0)
        sign = self.rng.choice(("<", "<=", ">", ">=", "==", "!="))
        if self.rng.random() < 0.25:
            return (
                f"not {one} {sign} {two}"
                if self.rng.random() < 0.5
                else f"({one} {sign} {two} and {self.number(0)} > {two})"
            )
        return f"{one} {sign} {two}"
