"""The scripts of tests/corpus, made whole: `parts.py` there has what many of them share.

`python tests/support/corpus.py FOLDER` writes them into a folder, to run one by hand.
"""

import re
import shutil
import sys
from pathlib import Path
from textwrap import dedent, indent

CORPUS = Path(__file__).parent.parent / "corpus"
_NAMES = r"\w[\w ,]*(?: & \w[\w ,]*)*"
_REFERENCE = re.compile(rf"^( *)#: ({_NAMES})(?:: (.+))?\n", re.MULTILINE)
_EDIT = re.compile(r"`(.*?)` → `(.*?)`")


def parts() -> dict[str, str]:
    """Return the lines that many scripts share, by name."""
    text = (CORPUS / "parts.py").read_text("utf-8")
    _, *rows = re.split(r"^ {0,4}#: (\w[\w ,]*)\n", text, flags=re.MULTILINE)
    lines = [dedent(row).rstrip() + "\n" for row in rows[1::2]]
    found = dict(zip(rows[::2], lines, strict=True))
    return {name: whole(row, found) for name, row in found.items()}


def whole(text: str, shared: dict[str, str]) -> str:
    """Put the parts in the place of the lines that stand for them, as far in as those are."""

    def edited(reference: re.Match[str]) -> str:
        margin, names, edits = reference.groups("")
        lines = "\n".join([whole(shared[name], shared) for name in names.split(" & ")])
        words = dict([pair.split("=") for pair in _EDIT.sub("", edits).split()])
        lines = re.sub(r"\b[A-Za-z_]\w*\b", lambda word: words.get(word[0], word[0]), lines)
        for old, new in _EDIT.findall(edits):
            assert old in lines, (reference[0], old)
            lines = lines.replace(old, new)
        return indent(lines, margin)

    return _REFERENCE.sub(edited, text)


def unpack(folder: Path) -> Path:
    """Write the whole scripts into `folder`, and return it."""
    shared = parts()
    shutil.copytree(CORPUS, folder, dirs_exist_ok=True)
    for file in folder.rglob("*.py"):
        file.write_text(whole(file.read_text("utf-8"), shared), "utf-8")
    (folder / "parts.py").unlink()
    return folder


if __name__ == "__main__":
    unpack(Path(sys.argv[1]))
