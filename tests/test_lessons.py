"""The lessons in lessons/: their pages, slides and notebooks, true to the last number."""

import ast
import importlib.util
import json
import re
import sys
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from gradwalk.cli import main
from gradwalk.lab import lessons as shipped
from gradwalk.render.svg import svg
from gradwalk.walk import walk

ROOT = Path(__file__).parent.parent


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


lessons = load("lessons")

# Words per lesson, questions and choices included.
LEAST, MOST = 120, 330


@pytest.mark.parametrize("language", lessons.LANGUAGES)
def test_every_number_of_every_lesson_is_what_the_engine_computes(language: str) -> None:
    course = lessons.course(language)
    assert len(course) == 15
    for lesson in course:
        assert lessons.statements(lesson) == [], lesson.id


LESSON = """\
# One

## Step

{text}

```walk
c = a * b; L = c + a
values: a=2 b=3
at: forward
```

```check
grad a
What is `a.grad`?
why: `a.grad = {why}`.
```
"""


@pytest.mark.parametrize(
    ("text", "why", "wrong"),
    [
        ("Here `L = 8`.", "1 + 3 = 4", 0),
        ("Here `L = 9`.", "1 + 3 = 4", 1),
        ("Here `L = 8`.", "1 + 3 = 5", 1),
        ("Here `c = a + b`.", "4", 1),
        ("Here is 17.", "4", 1),
        ("Here is 6, by way of c.", "4", 0),
        ("With =, `3` is left.", "4", 0),
        ("Here `L = 8.04`.", "4", 1),
    ],
)
def test_a_false_number_is_found(tmp_path: Path, text: str, why: str, wrong: int) -> None:
    file = tmp_path / "01-one.md"
    file.write_text(LESSON.format(text=text, why=why), "utf-8")
    assert len(lessons.statements(lessons.read(file))) == wrong


STAGED = """\
# One

## Step

{text}

```walk
c = a * b; L = c + a
values: a=2 b=3
{at}
```

```check
{check}
```
"""
ASKS = "grad a\nWhat is it?\nwhy: `a.grad = 4`."
CHOICE = "choice\nWhat is it?\n- [x] `4` :: Yes.\n- [ ] `7` :: No."


@pytest.mark.parametrize(
    ("text", "at", "check", "wrong"),
    [
        ("Now.", "at: seed", ASKS, ""),
        ("Now.", "at: end", ASKS, "the answer stands on the card"),
        ("Now.", "at: backward 1", ASKS.replace("grad a", "grad c"), "stands on the card"),
        ("Now.", "at: backward 1", ASKS, ""),
        ("Now.", "at: forward", ASKS.replace("grad a", "data c"), "stands on the card"),
        ("Now.", "at: start", ASKS.replace("grad a", "data c"), ""),
        ("Press *Play*.", "at: seed", ASKS, "Play is locked"),
        ("Press *Play*.", "at: seed", CHOICE, ""),
        ("Now.", "at: end", CHOICE, "the answer ['4'] stands on a card"),
        ("Along `c` it is `3 + 1 = 4`.", "at: seed", ASKS, "the text tells the answer 4"),
        ("Here `c = 6`.", "at: seed", ASKS, ""),
        (f"```python\n{'x' * 41}\n```", "at: seed", ASKS, "code of 41 columns is cut"),
    ],
)
def test_a_step_that_its_stage_contradicts_or_gives_away_is_found(tmp_path, text, at, check, wrong):
    file = tmp_path / "01-one.md"
    file.write_text(STAGED.format(text=text, at=at, check=check), "utf-8")
    found = " ".join(lessons.unstaged(lessons.read(file)))
    assert wrong in found
    assert bool(wrong) == bool(found)


def test_a_translation_with_another_question_or_other_code_is_found(tmp_path: Path) -> None:
    text = LESSON.format(text="Here `L = 8`.", why="4")
    file = tmp_path / "01-one.md"
    file.write_text(text, "utf-8")
    original = lessons.read(file)
    assert original.steps[0].check["answer"] == 4.0
    mark = f"## Step <!-- {original.steps[0].mark} -->"
    text = text.replace("## Step", mark)
    file.write_text(text, "utf-8")
    assert lessons.differences(original, lessons.read(file, original)) == []
    assert lessons.read(file, original).steps[0].title == "Step"
    for old, new in (
        ("grad a", "grad b"),
        ("`L = 8`", "`L = 8.0`"),
        (mark, f"## A\n\n{mark}"),
    ):
        file.write_text(text.replace(old, new), "utf-8")
        assert lessons.differences(original, lessons.read(file, original)) != []


def test_a_translation_is_stale_once_the_words_of_its_step_have_changed(tmp_path: Path) -> None:
    text = LESSON.format(text="Here `L = 8`.", why="4")
    file = tmp_path / "01-one.md"
    file.write_text(text, "utf-8")
    mark = lessons.read(file).steps[0].mark
    translated = tmp_path / "02-one.md"
    translated.write_text(text.replace("## Step", f"## Schritt <!-- {mark} -->"), "utf-8")
    for old, new, stale in (
        ("Here", "There", True),
        ("What is", "How large is", True),
        ("## Step", "## One step", True),
        ("at: forward", "at: end", False),
    ):
        file.write_text(text.replace(old, new), "utf-8")
        original = lessons.read(file)
        found = lessons.differences(original, lessons.read(translated, original))
        assert any("its English has changed" in one for one in found) == stale, new


# ── As notebooks and slides ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", lessons.LANGUAGES)
def test_the_package_has_the_lessons_as_they_are(language: str) -> None:
    assert shipped.course(language) == json.loads(lessons.compiled(language))["lessons"]


@pytest.mark.parametrize("language", lessons.LANGUAGES)
def test_every_cell_of_every_notebook_runs_and_draws(language: str) -> None:
    for lesson in shipped.course(language):
        made = json.loads(shipped.notebook(lesson, language))
        walks = [step["walk"] for step in lesson["steps"] if "walk" in step]
        code = ["".join(c["source"]) for c in made["cells"] if c["cell_type"] == "code"]
        assert len(code) == len(walks)
        for text, asked in zip(code, walks, strict=True):
            *before, last = ast.parse(text).body
            names: dict[str, Any] = {}
            exec(compile(ast.Module(before, []), "cell", "exec"), names)
            assert isinstance(last, ast.Expr)
            shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            if asked["at"] == "start":
                assert set(shown) == set(asked["values"])
                continue
            assert shown._repr_mimebundle_()["image/svg+xml"].startswith("<svg")
            assert shown.bug == asked.get("bug")


def test_slides_and_notebooks_stop_where_the_lesson_stops() -> None:
    course = shipped.course("en")
    page = re.sub(r"<details>.*?</details>", "", shipped.slides(course, "en"), flags=re.DOTALL)
    steps = [step for one in course for step in one["steps"]]
    stopped = [step for step in steps if "walk" in step and step["walk"]["at"] != "end"]
    assert len(stopped) > 30
    for step in stopped:
        whole = walk(shipped.graph_of(step["walk"]), bug=step["walk"].get("bug"))
        title, code = escape(shipped.markdown(step["title"])), shipped.code_of(step["walk"])
        (slide, *_) = [one for one in page.split("<section") if f"<h2>{title}<" in one]
        assert svg(whole, wrap=3) not in slide, title
        if step["walk"]["at"] == "start":
            assert "evaluate" not in code
            continue
        assert ".until(" in code
        check = step.get("check", {})
        if check.get("kind") == "grad" and check["answer"]:
            shown = whole.until(shipped.pushes_of(step["walk"]))
            node = whole.graph.find(check["node"]).id
            if node != whole.graph.root:
                assert shown.grads[node] != check["answer"], title


def test_a_command_writes_slides_and_notebooks(tmp_path: Path) -> None:
    def run(*words: str) -> None:
        assert main(["lessons", *words]) == 0

    run("-o", str(tmp_path / "all.html"))
    run("order", "-o", str(tmp_path / "order.html"), "--language", "ru")
    run("order", "-o", str(tmp_path / "order.ipynb"), "--language", "et")
    one, every = [(tmp_path / name).read_text("utf-8") for name in ("order.html", "all.html")]
    assert one.count("<h1>") == 1
    assert every.count("<h1>") == 16
    assert "<h2>Вопрос</h2>" in one
    assert "**Küsimus.**" in (tmp_path / "order.ipynb").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("ordr -o x.html", "there is no lesson 'ordr': did you mean order?"),
        ("order phases -o x.html", "one lesson at a time"),
        ("-o x.ipynb", "a notebook is of one lesson"),
        ("order -o x.pdf", "a lesson is written as .html or .ipynb"),
    ],
)
def test_a_lesson_that_cannot_be_written_is_refused(capsys, words: str, said: str) -> None:
    assert main(["lessons", *words.split()]) == 2
    assert said in capsys.readouterr().err
