"""A class at once: sheets of questions with their key apart, verdicts on many files, languages."""

import ast
import csv
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import pytest

import gradwalk.practice
from gradwalk.cli import main
from gradwalk.expr import parse
from gradwalk.practice import drill
from gradwalk.practice.language import LANGUAGES, catalogue, say, told
from gradwalk.practice.sheet import sheet

RIGHT = """
class Value:
    def __init__(self, data, inputs=(), local=()):
        self.data, self.grad, self.inputs, self.local = data, 0.0, inputs, local

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def backward(self):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for one in node.inputs:
                    visit(one)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            for one, local in zip(node.inputs, node.local):
                one.grad += local * node.grad
"""
FILES = {
    "anna": RIGHT,
    "ben": RIGHT.replace("one.grad +=", "one.grad ="),
    "karl": RIGHT.replace("(other.data, self.data)", "(self.data, other.data)"),
    "mari": "class Value(",
    "uku": RIGHT.replace("visit(self)\n", "while True:\n            pass\n"),
}


def lines(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def class_(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    for name, text in FILES.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    return folder


def test_a_class_has_a_row_for_each_learner_and_a_report_in_their_language(
    class_: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grades, reports = tmp_path / "grades.csv", tmp_path / "reports"
    words = ["judge", str(class_), "--csv", str(grades), "--reports", str(reports)]
    assert main([*words, "--language", "et", "--timeout", "0.5"]) == 1
    rows = {Path(row["file"]).stem: row for row in csv.DictReader(lines(grades))}
    assert {name: (row["gradients"], row["sturdy"]) for name, row in rows.items()} == {
        "anna": ("yes", "no"),
        "ben": ("no", "no"),
        "karl": ("no", "no"),
        "mari": ("", ""),
        "uku": ("undecided", "undecided"),  # by the clock alone
    }
    assert rows["ben"]["bug"] == "overwrite"
    assert "teine panus kirjutab esimese üle" in rows["ben"]["finding"]
    assert "SyntaxError" in rows["mari"]["finding"]
    assert sorted(path.stem for path in reports.iterdir()) == sorted(FILES)
    assert "Gradiendid õiged: jah." in (reports / "anna.txt").read_text("utf-8")
    assert "Gradiendid õiged: ei." in (reports / "karl.txt").read_text("utf-8")
    assert "1 of 5 have right gradients" in capsys.readouterr().out


def test_files_of_one_name_in_many_folders_have_reports_of_their_own(tmp_path, capsys) -> None:
    files = [tmp_path / name / "value.py" for name in ("anna", "mari")]
    for file in files:
        file.parent.mkdir()
        file.write_text(FILES[file.parent.name], "utf-8")
    reports = tmp_path / "reports"
    assert main(["judge", *map(str, files), "--reports", str(reports), "--json"]) == 1
    assert sorted(path.name for path in reports.iterdir()) == ["anna-value.txt", "mari-value.txt"]
    found = json.loads(capsys.readouterr().out)["files"]
    assert [one["gradients"] for one in found] == ["yes", ""]
    assert "SyntaxError" in found[1]["error"]


def test_no_cell_is_a_formula(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, out = tmp_path / "value.py", tmp_path / "out.csv"
    file.write_text("raise ValueError('x')\n", "utf-8")
    (tmp_path / "=1+1.py").write_text("class Value: pass\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    main(["judge", "=1+1.py", "value.py", "--csv", str(out)])
    cells = [cell for row in csv.reader(lines(out)) for cell in row]
    assert "'=1+1.py" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


# ── Sheets ───────────────────────────────────────────────────────────────────────────────────


class Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_sheet_has_no_answer_and_its_key_has_them_all() -> None:
    made = sheet(7, 30)
    page = Texts()
    page.feed(made.key.html())
    for question in made.questions:
        answer = f"{question.answer:.10g}"
        assert f"**{answer}**" in made.key.markdown()
        assert answer in page.texts
        # by differences of plain floats, which know nothing of the walk
        if question.kind == "gradient":
            expression, at = parse(question.text), dict(question.values)
            ends = [
                expression.evaluate({**at, question.node: at[question.node] + h}).data
                for h in (1e-5, -1e-5)
            ]
            assert question.answer == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-4)
    assert "**" not in re.sub(r"\w\*\*\d", "", made.markdown())
    assert all("answer" not in one for one in made.json()["questions"])
    assert [one["answer"] for one in made.key.json()["questions"]] == [
        question.answer for question in made.questions
    ]


def test_a_longer_sheet_of_a_seed_begins_with_the_same_questions() -> None:
    assert sheet(7, 12).questions[:5] == sheet(7, 5).questions
    assert sheet(7, 5).questions != sheet(8, 5).questions


def test_the_command_writes_the_sheet_and_the_key_into_files(tmp_path, capsys) -> None:
    one, key = tmp_path / "sheet.html", tmp_path / "key.json"
    words = ["exercise", "--set", "3", "--seed", "7", "--language", "ru"]
    assert main([*words, "-o", str(one), "--key", str(key)]) == 0
    assert '<html lang="ru">' in one.read_text("utf-8")
    assert len(json.loads(key.read_text("utf-8"))["questions"]) == 3
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    assert "answer" not in capsys.readouterr().out
    assert main([*words, "-o", str(tmp_path / "sheet.doc")]) == 2
    assert ".md, .html or .json" in capsys.readouterr().err


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_key_explains_every_answer_in_the_language_of_the_sheet(language: str) -> None:
    made = sheet(3, 40, language)
    assert {question.kind for question in made.questions} == set(drill.KINDS)
    english = set(re.findall(r"[a-z]{3,}", sheet(3, 40).key.markdown().casefold()))
    for page in (made.key.markdown(), made.key.html().partition("<ol>")[2]):
        words = set(re.findall(r"[a-z]{3,}", re.sub(r"<.*?>", "", page).casefold()))
        assert words & english <= {"grad", "gradient", "relu"}


# ── Languages ────────────────────────────────────────────────────────────────────────────────


def literals(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.List | ast.Tuple):
        for one in node.elts:
            yield from literals(one)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def sentences() -> set[str]:
    """Return every sentence that a learner may read: in calls, and in the judge's tables."""
    found: set[str] = set()
    package = Path(gradwalk.practice.__path__[0])
    others = [package.parent / name for name in ("render/text.py", "lab/lessons.py")]
    for file in [*package.rglob("*.py"), *others]:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            name = node.func if isinstance(node, ast.Call) else None
            called = getattr(name, "id", getattr(name, "attr", ""))
            if isinstance(node, ast.Call) and called in ("say", "words"):
                found.update(literals(node.args[0]))
            elif isinstance(node, ast.Call) and called in ("told", "_conclusion"):
                found.update([text for x in node.args for text in literals(x)])
            elif isinstance(node, ast.Call) and called == "fail":
                found.update([text for x in node.args[:3] for text in literals(x)])
            elif isinstance(node, ast.Call) and called in ("blame", "Check"):
                found.update([text for x in node.args[1:3] for text in literals(x)])
    of = {name: import_module(f"gradwalk.practice.judge.{name}") for name in ("why", "suspects")}
    checks = import_module("gradwalk.practice.judge.checks")
    found |= {*checks.GROUPS.values(), *drill.KINDS.values(), of["why"].START}
    found |= {text for one in of["suspects"].SUSPECTS for text in (one.words, one.remedy)}
    found |= {text for row in of["suspects"].AGAIN for text in row[2:4]}
    found |= {row[3] for row in of["suspects"].RULES}
    found |= {text for _, *pair in of["why"]._BUGS.values() for text in pair}
    return {text for text in found - {"en"} if re.search(r"[a-z]", re.sub(r"{\w*}", "", text))}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_sentence_is_in_every_language_with_the_same_places(language: str) -> None:
    known = catalogue(language)
    assert sentences() - known.keys() == set()
    assert known.keys() - sentences() <= {"reading the numbers"}
    for english, other in known.items():
        places = [sorted(re.findall(r"{(\w*):?\w?}", text)) for text in (english, other)]
        numbered = [["" if place.isdigit() else place for place in found] for found in places]
        assert set(places[0]) == set(places[1]) or numbered[0] == numbered[1], english


def test_a_sentence_is_said_with_its_parts_in_the_language() -> None:
    hint = say("the rule of {} is wrong: {}", "exp", "the minus sign is missing")
    assert hint == "the rule of exp is wrong: the minus sign is missing"
    assert told(hint, "et") == "tehte exp reegel on vale: miinusmärk on puudu"
    assert told(hint, "en") == hint
    assert told("what no one has translated", "ru") == "what no one has translated"
