"""The exported page: one file, no request, nothing in it that the policy does not name."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from gradwalk import GraphError, OperandError, Value, Walk, parse, snapshot, walk
from gradwalk.render import html as page
from gradwalk.render.html import html

X1 = "(a + b) * c", {"a": 2.0, "b": -3.0, "c": 10.0}

# As web/src/entries/export.html is once web/build.mjs has filled it in.
TEMPLATE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src {script}; \
style-src {style}; img-src data:; base-uri 'none'; form-action 'none'" />
    <title>gradwalk</title>
    <link rel="icon" href="data:," />
    <style>body{{margin:0}}</style>
    <script type="application/json" id="gradwalk-state">{{"gradwalk": "state"}}</script>
  </head>
  <body>
    <script>"</body>";</script>
  </body>
</html>
"""


def digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


TEMPLATE = TEMPLATE.format(script=digest('"</body>";'), style=digest("body{margin:0}"))

HOSTILE = [
    "</script><script>alert(1)</script>",
    "</noscript></style></title><img src=x onerror=alert(1)>",
    "<!--<script>",
    "]]>&lt;&#60;&",
    "\"' onload='alert(1)",
    "{{policy}} ${x} \\u003c",
    "style-src </head></body>",
    '{"gradwalk": "state"}',
    "\x00\x1b[31m\x7f\u202e\u2028",
    "a\r\nb",
    "𝛼" * 50,
]


class Page(HTMLParser):
    """What is in a page: its elements, and the text of each script and style."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.scripts: list[tuple[dict[str, str], str]] = []
        self.styles: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.elements.append((tag, found))
        if tag not in ("meta", "link"):
            self.open.append(tag)
        if tag == "script":
            self.scripts.append((found, ""))
        if tag == "style":
            self.styles.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] = (self.scripts[-1][0], self.scripts[-1][1] + data)
        elif self.open and self.open[-1] == "style":
            self.styles[-1] += data
        else:
            self.text += data

    @property
    def policy(self) -> dict[str, list[str]]:
        (content,) = [
            attrs["content"] for _, attrs in self.elements if attrs.get("http-equiv") is not None
        ]
        return {name: sources for name, *sources in map(str.split, content.split(";"))}

    @property
    def state(self) -> Any:
        blocks = [text for attrs, text in self.scripts if attrs.get("id") == "gradwalk-state"]
        return json.loads(blocks[0])


@pytest.fixture(params=["built", "not built"])
def bundle(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str | None:
    made = TEMPLATE if request.param == "built" else None
    monkeypatch.setattr(page, "template", lambda: made)
    return made


def checked(text: str) -> Page:
    """Check what must be true of every page."""
    found = Page(text)
    assert found.open == []
    text.encode("utf-8")
    policy = found.policy
    assert policy["default-src"] == ["'none'"]
    assert policy["base-uri"] == policy["form-action"] == ["'none'"]
    assert "unsafe" not in str(policy)
    runs = [code for attrs, code in found.scripts if attrs.get("type") != "application/json"]
    assert {digest(code) for code in runs} == set(policy.get("script-src", []))
    assert {digest(style) for style in found.styles} == set(policy["style-src"])
    told = [text for attrs, text in found.scripts if attrs.get("type") == "application/json"]
    assert not [text for text in told if re.search("[<>&]", text)]
    for _, attrs in found.elements:
        assert "style" not in attrs
        assert not [name for name in attrs if name.startswith("on")]
        for name in ("src", "href", "action", "data", "srcset", "xlink:href"):
            assert attrs.get(name, "data:,").startswith("data:")
    for style in found.styles:
        assert "url(" not in style
        assert "@import" not in style
    return found


def at(text: str, values: dict[str, float], **options: Any) -> Walk:
    return walk(snapshot(parse(text).evaluate(values)), **options)


# ── What it shows ────────────────────────────────────────────────────────────────────────────


def test_a_page_has_the_picture_and_every_number_without_a_script(bundle: str | None) -> None:
    text = html(at(*X1), expression=X1[0], values=X1[1])
    found = checked(text)
    assert text.count("<svg ") == 1
    for shown in ("(a + b) * c", "a = 2, b = -3, c = 10", "-1 * 10 = -10", "1 × -1 = -1"):
        assert shown in found.text.replace("\n", " "), shown
    assert ("title", {}) in found.elements


def test_a_walk_that_went_wrong_says_so(bundle: str | None) -> None:
    found = checked(html(at("a*a", {"a": 3.0}, bug="overwrite"), expression="a*a"))
    assert "Bug overwrite" in found.text
    assert "got 3, should be 6  ✗" in found.text
    order = ["d", "b", "a", "c"]
    late = at("b = a + 1; c = a*3; d = b*c", {"a": 2.0}, order=order)
    assert "d → c → a" in checked(html(late)).text


# ── What the lab in it is told ───────────────────────────────────────────────────────────────


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "template", lambda: TEMPLATE)


@pytest.mark.usefixtures("built")
def test_the_lab_is_told_the_graph_where_no_expression_makes_it() -> None:
    a = Value(2.0)  # without a name
    state = checked(html(walk(a / 0))).state
    assert "expression" not in state
    assert [node["data"] for node in state["graph"]["nodes"]] == [2.0, 0.0, "Infinity"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(a + b) * c", "(a + b) * c"),
        ("a - (b - c) - a", "a - (b - c) - a"),
        ("a / (b / c) * a", "a / (b / c) * a"),
        ("(a ** b) ** c ** a", "(a ** b) ** (c ** a)"),
        ("(-a) ** 2 - -b", "(-a) ** 2 - -b"),
        ("-(a ** 2)", "-a ** 2"),
        ("2 ** a + -3 * 1e-30", "2 ** a + -3 * 1e-30"),
        ("maximum(a, relu(b)) + clip(c, -1, 1)", "maximum(a, relu(b)) + clip(c, -1, 1)"),
        ("d = a*b; f = d*d", "d = a * b; f = d * d"),
        ("d = a*b; e = d + c; d * e", "d = a * b; e = d + c; d * e"),
        ("α", "α"),
        ("+".join(["a"] * 400), " + ".join(["a"] * 400)),
    ],
)
@pytest.mark.parametrize("fold", [True, False])
@pytest.mark.usefixtures("built")
def test_a_graph_that_an_expression_makes_can_be_edited(text, written, fold) -> None:
    values = {
        name: x for name, x in zip("abcα", (2.0, -3.5, 0.25, 1.5), strict=True) if name in text
    }
    graph = snapshot(parse(text).evaluate(values), fold=fold)
    state = checked(html(walk(graph))).state
    assert state["values"] == values
    if fold:
        assert state["expression"] == written
    again = snapshot(parse(state["expression"]).evaluate(state["values"]), fold=fold)
    assert again == graph
    assert state.get("unfold", False) == (len(graph) != len(graph.fold()))


@pytest.mark.usefixtures("built")
def test_what_no_expression_says_is_not_made_into_one() -> None:
    a, twin, odd = Value(2.0, label="a"), Value(3.0, label="a"), Value(3.0, label="not a name")
    shared = a * a
    for root in (shared * shared, a * twin, a + odd, Value(7.0), a * Value(3.0, label="relu")):
        state = checked(html(walk(root))).state
        assert ("expression" in state, "graph" in state) == (False, True)


@pytest.mark.usefixtures("built")
def test_the_lab_is_told_the_graph_where_a_value_is_no_number_of_json() -> None:
    state = checked(html(at("a*2", {"a": float("nan")}), expression="a*2", values={"a": 0})).state
    assert state["values"] == {"a": 0}
    nan = {"a": float("nan")}
    state = checked(html(at("a*2", nan), expression="a*2", values=nan)).state
    assert "expression" not in state
    assert state["graph"]["nodes"][0]["data"] == "NaN"


@pytest.mark.usefixtures("built")
def test_the_lab_is_told_of_a_bug_an_order_and_unfolding() -> None:
    text, values = "b = a + 1; c = a*3; d = b*c", {"a": 2.0}
    wrong = html(at(text, values, bug="no-reset"), expression=text, values=values)
    assert checked(wrong).state["bug"] == "no-reset"
    late = at(text, values, order=["d", "b", "a", "c"])
    state = checked(html(late, expression=text, values=values)).state
    assert state["page"] == "order"
    assert [late.graph.name(node) for node in state["order"]] == ["d", "b", "a", "c"]
    graph = at(text, values).graph
    own = [node for node in walk(graph).order if not graph[node].is_const]
    assert checked(html(walk(graph, order=own))).state["page"] == "walk"
    minus = snapshot(parse("a - 1").evaluate({"a": 2.0}), fold=False)
    assert checked(html(minus, expression="a - 1", values=values)).state["unfold"] is True


# ── What must not happen ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_gets_out_of_its_place(text: str, bundle: str | None) -> None:
    plain = checked(html(at("x*x", {"x": 2.0}), expression="x*x", values={"x": 2.0}))
    root = Value(2.0, label=text) * 2
    root.label = text
    for subject in (snapshot(root), walk(root), walk(root, bug="overwrite")):
        checked(html(subject))
        found = checked(html(subject, expression=text, values={text: 2.0}))
        kinds = {tag for tag, _ in found.elements}
        assert kinds <= {tag for tag, _ in plain.elements} | {"strong"}
        if bundle:
            assert found.state["expression"] == text
            assert found.state["values"] == {text: 2.0}


def test_a_graph_beyond_reading_is_refused() -> None:
    a = Value(1.0)
    for _ in range(page.MOST_NODES):
        a = a * 2
    with pytest.raises(GraphError, match="at most"):
        html(snapshot(a))
    with pytest.raises(OperandError, match="not Value"):
        html(a)  # pyright: ignore


# ── The real thing ───────────────────────────────────────────────────────────────────────────


def test_the_built_lab_is_one_file_that_fits() -> None:
    built = Path(page.__file__).parents[1] / "lab" / "static" / "export.html"
    if not built.exists():
        pytest.skip("the lab is not built: npm run build in web/")
    text = html(at(*X1), expression=X1[0], values=X1[1])
    found = checked(text)
    assert found.state["expression"] == X1[0]
    assert 'customElements.define("gradwalk-lab"' in text
    assert len(text.encode()) < 1_000_000


# ── Value.show ───────────────────────────────────────────────────────────────────────────────


def diamond() -> Value:
    a = Value(2.0, label="a")
    return (a + 1) * (a * 3)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that would have gone to the browser."""
    addresses: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: addresses.append(address) or True)
    return addresses


def test_show_writes_the_page_of_the_walk_and_opens_it(tmp_path: Path, opened: list[str]) -> None:
    file = tmp_path / "my walk.html"
    value = diamond()
    assert value.show(str(file)) == file
    assert file.read_text("utf-8") == html(walk(value))
    assert opened == [file.as_uri()]


def test_show_without_a_path_makes_a_file_of_its_own(opened: list[str]) -> None:
    value = diamond()
    first, second = value.show(open=False), value.show(open=False)
    try:
        assert first != second
        assert first.is_absolute()
        assert first.read_text("utf-8") == html(walk(value)) == second.read_text("utf-8")
        assert opened == []
    finally:
        first.unlink()
        second.unlink()
