"""Pictures as files: what is in them, how large they are, what moves in them and when."""

import re
import xml.etree.ElementTree as ET
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from gradwalk import Value, scope, snapshot, walk
from gradwalk.errors import BackendError, OperandError
from gradwalk.expr import parse
from gradwalk.plan import plan
from gradwalk.render import SLIDE, Curve, pictures, save, svg
from gradwalk.render.pictures import SUFFIXES
from gradwalk.render.theme import PALETTE, THEMES

DIAMOND = parse("b = a + 1; c = a * 3; d = b * c").evaluate({"a": 2.0})
STEP = re.compile(r"s(\d+)")


def floor_plan():
    with scope("double"):
        b = Value(2.0, label="a") * 2
    return plan(snapshot(b + 1.0), ["double"])


def opened(path: Path) -> Image.Image:
    return Image.open(BytesIO(path.read_bytes()))


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


@pytest.mark.parametrize("theme", THEMES)
def test_a_png_on_a_slide_has_its_size_and_the_colours_of_its_theme(theme, tmp_path):
    picture = opened(save(walk(DIAMOND), tmp_path / "walk.png", theme=theme, size=SLIDE))
    assert picture.size == (1920, 1080)
    colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24)}
    column = THEMES.index(theme)
    assert picture.convert("RGB").getpixel((3, 3)) == rgb(PALETTE["surface"][column])
    assert rgb(PALETTE["text"][column]) in colours
    assert rgb(PALETTE["backward"][column]) in colours


def test_a_pdf_is_a_page_of_text_and_lines(tmp_path):
    content = save(walk(DIAMOND), tmp_path / "walk.pdf", size=SLIDE).read_bytes()
    assert content.startswith(b"%PDF-")
    assert b"/MediaBox[0 0 1440 810]" in content  # in points, of which 3 are 4 pixels
    assert b"/Font" in content
    assert b"/Subtype/Image" not in content


def test_a_gif_begins_with_the_leaves_and_ends_with_the_whole_picture(tmp_path):
    moving = opened(save(walk(DIAMOND), tmp_path / "walk.gif", size=(960, 540)))
    whole = opened(save(walk(DIAMOND), tmp_path / "walk.png", size=(960, 540))).convert("RGB")
    assert moving.n_frames == 1 + 3 + 3  # leaves, three operations, three visits that push
    empty = rgb(PALETTE["surface"][0])
    counts = []
    for frame in range(moving.n_frames):
        moving.seek(frame)
        shown = moving.convert("RGB").tobytes()
        blank = sum(shown[i : i + 3] == bytes(empty) for i in range(0, len(shown), 3))
        counts.append(960 * 540 - blank)
    assert counts == sorted(counts)
    moving.seek(moving.n_frames - 1)
    pairs = zip(moving.convert("RGB").tobytes(), whole.tobytes(), strict=True)
    assert sum(abs(one - other) > 24 for one, other in pairs) < 3 * 960 * 540 / 200


def steps_of(picture: str) -> dict[str, int]:
    """Return the step at which each text appears: the latest of the groups around it."""
    found: dict[str, int] = {}

    def look(part: ET.Element, step: int) -> None:
        if match := STEP.fullmatch(part.get("class", "")):
            step = max(step, int(match[1]))
        if part.tag.endswith("}text"):
            found["".join(part.itertext())] = step
        for inner in part:
            look(inner, step)

    look(ET.fromstring(picture), 0)
    return found


def test_an_animated_walk_shows_its_steps_in_their_order():
    steps = steps_of(svg(walk(DIAMOND), animated=True))
    names = [steps[name] for name in ("a", "b", "c", "d")]
    assert names[0] == 0
    assert sorted(names[1:]) == [1, 2, 3]
    first, *_ = visits = [visit for visit in walk(DIAMOND).backward if visit.pushes]
    assert steps["seed"] == 4
    for i, visit in enumerate(visits):
        for push in visit.pushes:
            if visit is not first:
                equation = f"{push.incoming:g} × {push.local:g} = {push.contribution:g}"
                assert steps[equation] == 4 + i
    assert steps["forward"] == 0  # the legend stands still


@pytest.mark.parametrize(
    "picture",
    [
        svg(walk(DIAMOND), animated=True),
        pictures.drawn(floor_plan(), animated=True),
        pictures.drawn(Curve("loss", [(0, 2), (1, 1)]), animated=True),
    ],
    ids=["walk", "plan", "curves"],
)
def test_what_moves_has_no_script_and_stands_still_for_who_asks(picture):
    root = ET.fromstring(picture)
    assert not [part for part in root.iter() if part.get("id") or part.tag.endswith("script")]
    still, moving = picture.split("@media (prefers-reduced-motion: no-preference)")
    assert "animation:" not in still
    kind = root.get("class")
    used = {int(i) for i in re.findall(r'class="(?:shutter )?s(\d+)"', picture)} - {0}
    assert used
    assert used == {int(i) for i in re.findall(rf"\.{kind} \.s(\d+) {{", moving)}


def test_a_large_graph_moves_in_few_steps():
    total = Value(0.0, label="x")
    for _ in range(150):
        total = total + 1.0
    assert 50 < max(map(int, STEP.findall(svg(snapshot(total), animated=True)))) < 60


def test_a_long_plan_is_cut_into_rows_between_its_cards_for_a_slide():
    x = Value(2.0, label="x")
    with scope("block"):
        for i in range(4):
            with scope(f"part{i}"):
                x = x * 2.0 + 1.0
    for i in range(4):
        with scope(f"after{i}"):
            x = x * 2.0 + 1.0
    subject = plan(snapshot(x), ["block"])
    pages = [pictures.drawn(subject, size=size) for size in (None, SLIDE)]
    one, whole = map(ET.fromstring, pages)
    plain, wrapped = [int(page.get("width")) / int(page.get("height")) for page in (one, whole)]
    assert plain > 8
    assert 1 < wrapped < 3
    rows = whole.findall(".//{*}svg")
    seen = []
    for row in rows:
        begin, _, size, _ = map(float, row.get("viewBox").split())
        for left, width, name in cards(row):
            if left < begin + size and left + width > begin:
                assert begin <= left <= left + width <= begin + size, name
                seen.append(name)
    parts = [f"{name}{i}" for i in range(4) for name in ("part", "after")]
    assert [seen.count(name) for name in parts] == [1] * len(parts)


def cards(element, shift=0.0):
    """Yield the left side, the width and the name of each closed box, frames gone into."""
    moved = re.match(r"translate\((\S+)", element.get("transform", ""))
    shift += float(moved[1]) if moved else 0.0
    for part, after in zip(element, [*element, None][1:], strict=True):
        if part.get("class") == "card":
            yield shift + float(part.get("x")), float(part.get("width")), "".join(after.itertext())
        yield from cards(part, shift)


def test_what_cannot_be_made_says_how_it_can(tmp_path, monkeypatch):
    with pytest.raises(OperandError, match=r"\.svg, \.png, \.pdf or \.gif, not \.bmp"):
        save(DIAMOND, tmp_path / "graph.bmp")
    with pytest.raises(OperandError, match="not of a int"):
        save(3, tmp_path / "graph.svg")
    monkeypatch.setattr(pictures, "find_spec", lambda _: None)
    with pytest.raises(BackendError, match=r"pip install 'gradwalk\[pictures\]'"):
        save(DIAMOND, tmp_path / "graph.png")
    assert not list(tmp_path.iterdir())
    assert save(DIAMOND, tmp_path / "graph.svg").exists()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_commands_write_every_kind_of_picture(suffix, tmp_path, monkeypatch, capsys):
    from gradwalk.cli import main

    monkeypatch.chdir(tmp_path)
    start = {".svg": b"<svg ", ".png": b"\x89PNG", ".pdf": b"%PDF-", ".gif": b"GIF89a"}[suffix]
    Path("run.jsonl").write_text(
        "".join([f'{{"event": "step", "step": {i}, "loss": {3 - i}}}\n' for i in (1, 2)])
    )
    for words in (
        ["walk", "a*a", "a=3", "--bug", "overwrite", "--size", "640x360"],
        ["gpt", "compare", "run.jsonl"],
    ):
        assert main([*words, "-o", f"new{suffix}", "--theme", "print"]) == 0, capsys.readouterr()
        assert Path(f"new{suffix}").read_bytes().startswith(start)
        Path(f"new{suffix}").unlink()


def test_commands_refuse_what_does_not_move(tmp_path, monkeypatch, capsys):
    from gradwalk.cli import main

    monkeypatch.chdir(tmp_path)
    assert main(["walk", "-o", "walk.png", "--animate"]) == 2
    assert "a .png does not move" in capsys.readouterr().err
    assert main(["walk", "--format", "pdf"]) == 2
    assert "-o FILE.pdf" in capsys.readouterr().err
    assert main(["walk", "-o", "walk.png", "--size", "big"]) == 2
    assert "1280x720" in capsys.readouterr().err


def test_a_walk_that_stops_draws_no_push_that_has_not_happened() -> None:
    a = Value(2.0, label="a")
    whole = walk((a + 1) * (a * 3))
    for pushes in range(5):
        drawn = svg(whole.until(pushes))
        assert drawn.count('class="wire backward') == pushes + 1  # and the legend's
        assert drawn.count('class="pill') == pushes
        assert "nothing to push" not in drawn
