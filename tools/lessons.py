"""Compiles lessons/ into JSON for the lab and into pages for the docs.

    lessons/{en,ru,et}/NN-name.md ─→ web/src/teach/lessons/{en,ru,et}.json, docs/lessons*.md

Git ignores both: each build of the lab makes the JSON, and each build of the docs the pages.

A lesson is Markdown: a title, and one step per `##`. Fenced blocks drive the lab:

    walk     an expression, then `values:`, `at:` (the moment), `view:`, `bug:`, `rate:`,
             `pull:` (a leaf, and how far it is pulled)
    check    `grad NAME`, `data NAME`, `bug NAME` or `choice`; the question; `why:` or the choices
    source   a function of the engine, read from its file, and `fragment @event :: note` per line
    notes    for teachers

Nothing false is compiled: `statements` evaluates what stands in code spans, such as
`a.grad = 6 + 9 = 15`, and finds every other number among those of the lesson's walks, its `fact:`
lines (`27 = Config().vocabulary`) and its `given:` ones. `unstaged` compares what a step says with
what it puts on the stage: its answer is in view neither on a card nor in the text, Play is not
locked where a learner is told to press it, a descent has the rate that is spoken of. A translation
takes the walks of the English lesson and has its steps, checks and code spans. Behind the title of
each of its steps stands the mark of the English words that it says, `<!-- 1f0c3a -->`: it is stale
once these change.
"""

from __future__ import annotations

import ast
import hashlib
import json
import math
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gradwalk.engine import Value, reference
from gradwalk.errors import GradwalkError
from gradwalk.expr import parse
from gradwalk.files import write_whole
from gradwalk.gpt import GPT, Config
from gradwalk.lab.lessons import Block, Span, graph_of, markdown, markdown_block, noted
from gradwalk.walk import walk

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "lessons"
JSON = ROOT / "web" / "src" / "teach" / "lessons"
DOCS = ROOT / "docs"
LANGUAGES = ("en", "ru", "et")
VIEWS = {
    "graph",
    "sliders",
    "numbers",
    "chain",
    "code",
    "trace",
    "rules",
    "bugs",
    "order",
    "descend",
    "unfold",
    "source",
}
WORDS_A_MINUTE = 160
MOST_CODE = 40  # columns of a block of code, beside the picture

#: The step sizes of the lab's page Descend, and how it calls its button Play.
RATES = [
    float(rate)
    for rate in re.findall(
        r"[\d.]+",
        re.search(  # pyright: ignore[reportOptionalMemberAccess]
            r"RATES[^=]*= \[(.*?)\]", (ROOT / "web/src/app/state.ts").read_text("utf-8")
        )[1],
    )
]
PLAY = re.compile(r"\b(Press (\*|“)?Play|Нажмите (\*|«)?Пуск|Vajuta (\*|„)?Käivita)")


class LessonError(Exception):
    """A lesson that cannot be compiled: its file, its step, and why."""


@dataclass
class Step:
    title: str
    #: Of its own words; in a translation, of the English words that it says.
    mark: str = ""
    blocks: list[Block] = field(default_factory=list)
    walk: dict[str, Any] | None = None
    check: dict[str, Any] | None = None
    source: dict[str, Any] | None = None
    notes: list[Block] = field(default_factory=list)

    def json(self) -> dict[str, Any]:
        found = {"title": spans(self.title), "blocks": self.blocks}
        optional = {"walk": self.walk, "check": self.check, "source": self.source}
        found |= {name: part for name, part in optional.items() if part}
        return found | ({"notes": self.notes} if self.notes else {})


@dataclass
class Lesson:
    id: str
    title: str
    steps: list[Step]
    facts: list[tuple[str, str]]
    given: list[str]
    words: int

    @property
    def minutes(self) -> int:
        return max(1, round(self.words / WORDS_A_MINUTE + 0.4 * len(self.steps)))

    def json(self) -> dict[str, Any]:
        steps = [step.json() for step in self.steps]
        return {
            "id": self.id,
            "title": spans(self.title),
            "minutes": self.minutes,
            "steps": steps,
        }


# ── Reading ──────────────────────────────────────────────────────────────────────────────────


def read(file: Path, original: Lesson | None = None) -> Lesson:
    """Read a lesson; a translation takes its walks, facts and givens from the `original`."""
    text = file.read_text("utf-8")
    facts = re.findall(r"^fact: (\S+) = (.+)$", text, re.M)
    given = " ".join(re.findall(r"^given: (.+)$", text, re.M)).split()
    text = re.sub(r"^(fact|given): .*\n?", "", text, flags=re.M)
    head, *parts = re.split(r"^## ", text, flags=re.M)
    title = head.strip().removeprefix("# ").strip()
    if head.strip().count("\n") or not parts:
        raise LessonError(f"{file}: a title, then steps that begin with ##")
    steps: list[Step] = []
    for i, part in enumerate(parts):
        name, _, body = part.partition("\n")
        name, _, said = name.partition("<!--")
        walked = original.steps[i].walk if original and i < len(original.steps) else None
        try:
            steps.append(read_step(name.strip(), body, walked))
            steps[-1].mark = said.strip(" ->") if original else mark_of(part)
        except (LessonError, ValueError, GradwalkError) as error:
            raise LessonError(f"{file}: {name.strip()}: {error}") from error
    if original:
        facts, given = original.facts, original.given
    prose = re.sub(r"```(?:walk|source|notes).*?```", "", text, flags=re.S)
    return Lesson(
        file.stem.partition("-")[2], title, steps, facts, given, len(re.findall(r"\w+", prose))
    )


def mark_of(text: str) -> str:
    """Return what changes with the words of a step: not with its walk, its source or its lines."""
    words = re.sub(r"```(?:walk|source).*?```", "", text, flags=re.S).split()
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:6]


def read_step(title: str, body: str, walked: dict[str, Any] | None = None) -> Step:
    step = Step(title, walk=walked)
    for kind, text in pieces(body):
        if kind == "text":
            step.blocks += blocks(text)
        elif kind == "walk":
            step.walk = read_walk(text)
        elif kind == "check":
            step.check = read_check(text, step.walk)
        elif kind == "source":
            step.source = read_source(text)
        elif kind == "notes":
            step.notes = blocks(text)
        else:
            step.blocks.append({"code": text.strip("\n")})
    return step


def pieces(body: str) -> Iterator[tuple[str, str]]:
    """Yield the text and the fenced blocks of a step, in order."""
    parts = re.split(r"^```(\w+)\n(.*?)^```\n?", body, flags=re.M | re.S)
    for i in range(0, len(parts), 3):
        if parts[i].strip():
            yield "text", parts[i]
        if i + 2 < len(parts):
            yield parts[i + 1], parts[i + 2]


def blocks(text: str) -> list[Block]:
    found: list[Block] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if paragraph.startswith("- "):
            items = re.split(r"\n(?=- )", paragraph)
            found.append({"ul": [spans(" ".join(item[2:].split())) for item in items]})
        else:
            found.append({"p": spans(" ".join(paragraph.split()))})
    return found


_SPAN = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*")


def spans(text: str) -> list[Span]:
    """Return a line as texts and [kind, text]: c for code, b for bold, i for italics."""
    found: list[Span] = []
    end = 0
    for match in _SPAN.finditer(text):
        if match.start() > end:
            found.append(text[end : match.start()])
        kind = "cbi"[match.lastindex - 1]  # pyright: ignore[reportOptionalOperand]
        found.append([kind, match[match.lastindex or 0]])
        end = match.end()
    if end < len(text):
        found.append(text[end:])
    return found


def read_walk(text: str) -> dict[str, Any]:
    expression, *rest = text.strip().split("\n")
    settings = dict([line.split(": ", 1) for line in rest])
    pairs = [pair.split("=") for pair in settings.pop("values").split()]
    view = settings.get("view", "graph")
    if view not in VIEWS:
        raise LessonError(f"there is no view {view}; there is {', '.join(sorted(VIEWS))}")
    if not re.fullmatch(r"(start|forward|seed|end|sort \d+|backward \d+)", settings["at"]):
        raise LessonError(f"there is no moment {settings['at']}")
    if (view == "descend") != ("rate" in settings):
        raise LessonError("a descent has its `rate:`, and nothing else has one")
    rate = {"rate": float(settings.pop("rate"))} if view == "descend" else {}
    if rate and rate["rate"] not in RATES:
        raise LessonError(f"the lab has no rate {rate['rate']:g}; it has {RATES}")
    values = {name: float(number) for name, number in pairs}
    parsed = parse(expression)
    if sorted(parsed.names) != sorted(values):
        raise LessonError(f"{expression} needs values for {', '.join(parsed.names)}")
    name, _, by = settings.pop("pull", "").partition(" ")
    if name and name not in values:
        raise LessonError(f"there is no leaf {name} to pull")
    pull = {"pull": {"name": name, "by": float(by)}} if name else {}
    return {"text": expression, "values": values, "view": view, **settings, **rate, **pull}


def read_check(text: str, directive: dict[str, Any] | None) -> dict[str, Any]:
    kind, *rest = text.strip().split("\n")
    lines = re.split(r"\n(?=- \[|why: )", "\n".join(rest))
    ask = spans(" ".join(lines[0].split()))
    if kind == "choice":
        options = [read_option(line) for line in lines[1:]]
        if sum(option["right"] for option in options) != 1:
            raise LessonError("one choice, and only one, is right")
        return {"kind": "choice", "ask": ask, "options": options}
    what, node = kind.split()
    if directive is None or what not in ("grad", "data", "bug"):
        raise LessonError(f"{kind}: there is no such check, or no walk above it")
    graph = graph_of(directive)
    found = graph.find(node)
    bug = directive["bug"] if what == "bug" else None
    answer = found.data if what == "data" else walk(graph, bug=bug).grads[found.id]
    if not lines[1].startswith("why: "):
        raise LessonError("an answer has its reason: why: …")
    why = spans(" ".join(lines[1].removeprefix("why: ").split()))
    return {"kind": what, "node": node, "answer": answer, "ask": ask, "why": why}


def read_option(line: str) -> dict[str, Any]:
    match = re.fullmatch(r"- \[([ x])\] (.*?) :: (.*)", " ".join(line.split()))
    if not match:
        raise LessonError(f"a choice is `- [ ] text :: why`, not {line}")
    return {"right": match[1] == "x", "text": spans(match[2]), "why": spans(match[3])}


def read_source(text: str) -> dict[str, Any]:
    """Take a function out of the engine's source, and put each note at its line.

    A fragment that stands on no line, or on two, is an error: so the notes never go stale.
    """
    first, *rest = text.strip().split("\n")
    name, _, part = first.partition(" from ")
    lines = function_source(name)
    if part:
        begin, end = part.split(" to ")
        lines = lines[index_of(lines, begin) : index_of(lines, end) + 1]
    indent = min([len(line) - len(line.lstrip()) for line in lines if line.strip()])
    rows: list[dict[str, str]] = [{"text": line[indent:]} for line in lines]
    for line in rest:
        what, note = line.split(" :: ")
        fragment, _, event = what.partition(" @")
        row = rows[index_of(lines, fragment)]
        row["note"] = note
        if event:
            row["event"] = event
    return {"name": name, "rows": rows}


def function_source(name: str) -> list[str]:
    """Return the lines of a function of the engine's reference, without its docstring."""
    text = Path(str(reference.__file__)).read_text("utf-8")
    body: list[Any] = ast.parse(text).body
    for part in name.split("."):
        (node,) = [one for one in body if getattr(one, "name", "") == part]
        body = node.body
    lines = text.split("\n")[node.lineno - 1 : node.end_lineno]
    if ast.get_docstring(node):
        first = node.body[0]
        lines[first.lineno - node.lineno : first.end_lineno - node.lineno + 1] = []
    return [re.sub(r"  # (noqa|pyright).*", "", line) for line in lines]


def index_of(lines: list[str], fragment: str) -> int:
    found = [i for i, line in enumerate(lines) if fragment in line]
    if len(found) != 1:
        raise LessonError(f"{fragment!r} stands on {len(found)} lines of the engine, not on one")
    return found[0]


# ── True or false ────────────────────────────────────────────────────────────────────────────

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)")


def texts(step: Step) -> Iterator[list[Span]]:
    """Yield everything that a learner reads in a step."""
    yield spans(step.title)
    for block in step.blocks:
        if "p" in block:
            yield block["p"]
        yield from block.get("ul", [])
    check = step.check or {}
    yield check.get("ask", [])
    yield check.get("why", [])
    for option in check.get("options", []):
        yield option["text"]
        yield option["why"]
    for row in (step.source or {}).get("rows", []):
        yield spans(row.get("note", ""))
    for block in step.notes:
        yield block.get("p", [])


def unstaged(lesson: Lesson) -> list[str]:
    """Return where a step says or asks something that its stage contradicts or gives away."""
    wrong: list[str] = []
    for step in lesson.steps:
        for block in step.blocks:
            longest = max([len(line) for line in block.get("code", "").split("\n")])
            if longest > MOST_CODE:
                wrong.append(f"{step.title}: code of {longest} columns is cut at {MOST_CODE}")
        if not step.walk or not step.check:
            continue
        kind, at = step.check["kind"], step.walk["at"]
        said = " ".join([markdown(line) for line in texts(step)])
        if kind != "choice" and PLAY.search(said):
            wrong.append(f"{step.title}: Play is locked until the question is answered")
        data, grads = shown_at(step.walk)
        if kind == "choice":
            right = [o["text"] for o in step.check["options"] if o["right"]]
            numbers = _NUMBER.findall(" ".join([markdown(line) for line in right]))
            if any(agrees(n, abs(g)) for n in numbers for g in grads.values()):
                wrong.append(f"{step.title}: the answer {numbers} stands on a card")
            continue
        if step.check["node"] in (data if kind == "data" else grads):
            wrong.append(f"{step.title}: at {at} the answer stands on the card")
        # A number that the cards have is repeated; one that they have not is told.
        known = {*data.values(), *grads.values(), 1.0}
        prose = " ".join([markdown(block["p"]) for block in step.blocks if "p" in block])
        wrong += [
            f"{step.title}: the text tells the answer {stated}"
            for stated in re.findall(r"= (-?\d+(?:\.\d+)?)`", prose)
            if agrees(stated, step.check["answer"]) and not any(agrees(stated, x) for x in known)
        ]
    return wrong


def shown_at(directive: dict[str, Any]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the values, and the whole gradients, that stand on cards at the moment of a walk."""
    phase, _, count = directive["at"].partition(" ")
    done = walk(graph_of(directive), bug=directive.get("bug"))
    name = done.graph.name
    nodes = [node for node in done.graph.nodes if phase != "start" or not node.operands]
    data = {name(node.id): node.data for node in nodes}
    if phase not in ("backward", "end"):
        return data, {}
    pushes = [push for step in done.backward for push in step.pushes]
    landed = pushes[: int(count)] if phase == "backward" else pushes
    left = Counter([push.to for push in pushes[len(landed) :]])
    return data, {name(p.to): p.after for p in landed if not left[p.to]}


def statements(lesson: Lesson) -> list[str]:
    """Return what is wrong with the numbers of a lesson."""
    wrong: list[str] = []
    known = {float(one) for one in lesson.given}
    names: dict[str, Any] = {
        "math": math,
        "Config": Config,
        "Value": Value,
        "parameters": parameters,
    }
    for stated, expression in lesson.facts:
        found = eval(expression, names)
        if not agrees(stated, found):
            wrong.append(f"{stated} = {expression} is {found}")
        known.add(float(stated))
    for step in lesson.steps:
        if step.walk:
            known |= numbers_of(step.walk)
    for step in lesson.steps:
        point = Point(step.walk) if step.walk else None
        for line in texts(step):
            for span in line:
                is_code = isinstance(span, list) and span[0] == "c"
                text = span[1] if isinstance(span, list) else span
                if is_code and point and "=" in text and (verdict := point.judge(text)) is not None:
                    wrong += [f"{step.title}: {text}: {verdict}"] if verdict else []
                    continue
                for stated in _NUMBER.findall(text.replace(",", "")):
                    if not any(agrees(stated, abs(one)) for one in known):
                        wrong.append(f"{step.title}: nothing says where {stated} is from: {text}")
    return wrong


def parameters() -> int:
    """Count the parameters of the model that ships."""
    return len(list(GPT(Config(), random.Random(0)).parameters()))


class Point:
    """The names and numbers of one walk, to evaluate what a lesson says of them."""

    def __init__(self, directive: dict[str, Any]) -> None:
        graph = graph_of(directive)
        grads = walk(graph).grads
        named = [node for node in graph.nodes if node.label]
        self.names: dict[str, Any] = {node.label: node.data for node in named}
        self.names |= {f"{node.label}__grad": grads[node.id] for node in named}
        self.names["exp"] = math.exp
        self.names |= {"rate": directive["rate"]} if "rate" in directive else {}

    def judge(self, text: str) -> str | None:
        """Say what is wrong with an equation; empty where it holds, None where it is none."""
        plain = re.sub(
            r"(\w+)\.(grad|data)", lambda m: m[1] + {"grad": "__grad"}.get(m[2], ""), text
        )
        plain = plain.replace("−", "-").replace("×", "*").replace("·", "*")
        if re.search(r"[+\-*/=!<>]=|;", plain):
            return None
        sides = [side.strip() for side in plain.split("=")]
        try:
            found = [eval(side, {"__builtins__": {}}, self.names) for side in sides]
        except (NameError, SyntaxError, TypeError):
            return None
        best = found[0]
        for side, number in zip(sides[1:], found[1:], strict=True):
            if not (agrees(side, best) if is_number(side) else agrees_closely(number, best)):
                return f"{sides[0]} is {best:.10g}"
        return ""


def numbers_of(directive: dict[str, Any]) -> set[float]:
    """Return every number that a walk can show, with each bug and without."""
    graph = graph_of(directive)
    found: set[float] = set()
    for node in graph.nodes:
        found |= {node.data, *node.local_grads}
    for bug in (None, "overwrite"):
        done = walk(graph, bug=bug)
        found |= set(done.grads)
        for row in done.backward:
            found |= {push.contribution for push in row.pushes}
    return found


def is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?", text) is not None


def agrees_closely(x: float, y: float) -> bool:
    return abs(x - y) <= 1e-9 * max(1.0, abs(y))


def agrees(stated: str, number: float) -> bool:
    """Say whether a number, as written, is `number` rounded to the decimals written."""
    decimals = len(stated.partition(".")[2])
    if not decimals:
        return abs(float(stated) - number) <= 1e-9
    return abs(float(stated) - number) <= 0.5 * 10**-decimals + 1e-12


def differences(lesson: Lesson, other: Lesson) -> list[str]:
    """Return where a translation has another walk, check or piece of code than the English."""
    if len(lesson.steps) != len(other.steps):
        return [f"{len(other.steps)} steps, not {len(lesson.steps)}"]
    found: list[str] = []
    for step, translated in zip(lesson.steps, other.steps, strict=True):
        if outline(step) != outline(translated):
            found.append(f"{translated.title}: another check or other notes")
        if step.mark != translated.mark:
            found.append(
                f"{translated.title}: its English has changed; read it again, "
                f"then write <!-- {step.mark} --> behind its title"
            )
        ours, theirs = code_in(step), code_in(translated)
        if ours != theirs:
            found.append(
                f"{translated.title}: code {list(theirs - ours)} for {list(ours - theirs)}"
            )
    return found


def outline(step: Step) -> list[Any]:
    check = step.check or {}
    rows = [(row["text"], "note" in row) for row in (step.source or {}).get("rows", [])]
    right = [option["right"] for option in check.get("options", [])]
    return [check.get("kind"), check.get("node"), right, rows, len(step.notes)]


def code_in(step: Step) -> Counter[str]:
    return Counter(
        [
            span[1]
            for line in texts(step)
            for span in line
            if isinstance(span, list) and span[0] == "c"
        ]
    )


# ── Writing ──────────────────────────────────────────────────────────────────────────────────


def course(language: str) -> list[Lesson]:
    files = sorted((SOURCE / language).glob("[0-9][0-9]-*.md"))
    if language == "en":
        return [read(file) for file in files]
    originals = {lesson.id: lesson for lesson in course("en")}
    return [read(file, originals.get(file.stem.partition("-")[2])) for file in files]


def glossary(language: str) -> list[list[list[Span]]]:
    """Return the rows of a glossary: the docs' own page in English, else lessons/xx/glossary.md."""
    file = DOCS / "glossary.md" if language == "en" else SOURCE / language / "glossary.md"
    rows = re.findall(r"^\| (\*\*.+?) \| (.+) \|$", file.read_text("utf-8"), re.M)
    plain = [[re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", cell) for cell in row] for row in rows]
    return [[spans(cell) for cell in row] for row in plain]


def compiled(language: str) -> str:
    found = {
        "lang": language,
        "lessons": [lesson.json() for lesson in course(language)],
        "glossary": glossary(language),
    }
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n"


# The docs' pages, written when the docs are built.
PAGES = {"en": "lessons.md", "ru": "lessons-ru.md", "et": "lessons-et.md"}

# Per language: title, walk, question, answers, "with", notebook, and what stands at the top.
PAGE_WORDS = {
    "en": (
        *("Lessons", "Walk", "Question", "Answers", "with", "As a notebook"),
        "These are the lessons of the lab's page *Lessons*, where the picture follows the text.\n"
        "Run `gradwalk lab` to take them. They are here in [Russian](lessons-ru.md) and\n"
        "[Estonian](lessons-et.md), too. For a class there are\n"
        '<a href="course/en/slides.html">slides</a>, and each lesson is a notebook.',
    ),
    "ru": (
        *("Уроки", "Обход", "Вопрос", "Ответы", "при", "Блокнот Jupyter"),
        "Это уроки со страницы *Уроки* лаборатории, где картинка движется вместе с текстом.\n"
        "Запустите `gradwalk lab`, чтобы их пройти. Они есть и [по-английски](lessons.md),\n"
        "и [по-эстонски](lessons-et.md). Для занятий есть\n"
        '<a href="course/ru/slides.html">слайды</a>, и каждый урок есть в виде блокнота Jupyter.',
    ),
    "et": (
        *("Õppetunnid", "Läbimine", "Küsimus", "Vastused", "kui", "Märkmikuna"),
        "Need on labori lehe *Õppetunnid* tunnid, kus pilt liigub koos tekstiga. Nende läbimiseks\n"
        "käivita `gradwalk lab`. Need on siin ka [inglise](lessons.md) ja [vene](lessons-ru.md)\n"
        'keeles. Klassi jaoks on <a href="course/et/slides.html">slaidid</a> ja iga tund on ka\n'
        "märkmikuna.",
    ),
}


def page(language: str) -> str:
    title, walked, question, answers, at, notebook, intro = PAGE_WORDS[language]
    out = [f"# {title}\n\n{intro}\n"]
    for number, lesson in enumerate(course(language), 1):
        file = f"course/{language}/{number:02}-{lesson.id}.ipynb"
        out.append(f"## {number}. {lesson.title}\n")
        out.append(f'<a href="{file}">{notebook}</a>\n')
        solved: list[str] = []
        for step in lesson.steps:
            out.append(f"### {step.title}\n")
            if step.walk:
                values = ", ".join([f"{n} = {x:g}" for n, x in step.walk["values"].items()])
                out.append(f"```text\n{walked}: {step.walk['text']}  {at} {values}\n```\n")
            out += [markdown_block(block) for block in step.blocks]
            if step.source:
                rows = [noted(row) for row in step.source["rows"]]
                out.append("```text\n" + "\n".join(rows) + "\n```\n")
            if step.check:
                out.append(f"**{question}.** {markdown(step.check['ask'])}\n")
                options = step.check.get("options", [])
                if options:
                    out.append("".join([f"- {markdown(one['text'])}\n" for one in options]))
                (right,) = [one for one in options if one["right"]] or [None]
                said = right["text"] if right else [["c", f"{step.check['answer']:.4g}"]]
                why = right["why"] if right else step.check["why"]
                solved.append(f"{markdown(said)}. {markdown(why)}")
        out.append(
            f"**{answers}.** "
            + " ".join([f"({i}) {one}" for i, one in enumerate(solved, 1)])
            + "\n"
        )
    if language == "en":
        out.append("```{toctree}\n:hidden:\n\nlessons-ru\nlessons-et\n```\n")
    return "\n".join(out)


def made() -> dict[Path, str]:
    """Return every file that is made from lessons/, with its text, or raise what is wrong."""
    english = course("en")
    wrong: list[str] = []
    for language in LANGUAGES:
        lessons = course(language)
        if [one.id for one in lessons] != [one.id for one in english]:
            wrong.append(f"{language} has other lessons than en")
        for lesson, original in zip(lessons, english, strict=False):
            wrong += [f"{language}/{lesson.id}: {one}" for one in statements(lesson)]
            wrong += [f"{language}/{lesson.id}: {one}" for one in unstaged(lesson)]
            wrong += [f"{language}/{lesson.id}: {one}" for one in differences(original, lesson)]
        if len(glossary(language)) != len(glossary("en")):
            wrong.append(f"{language}: the glossary has {len(glossary(language))} rows")
    if wrong:
        raise LessonError("\n".join(wrong))
    return {JSON / f"{language}.json": compiled(language) for language in LANGUAGES}


if __name__ == "__main__":
    try:
        files = made()
    except LessonError as error:
        sys.exit(str(error))
    for path, content in files.items():
        path.parent.mkdir(exist_ok=True)
        write_whole(path, [content.encode()])  # a build that runs at the same time reads it
