"""The scripts of tests/corpus, made whole: `parts.py` there has what many of them share.

`python tests/support/corpus.py FOLDER` writes them into a folder, to run one by hand.
"""

import re
import shutil
import sys
from pathlib import Path

CORPUS = Path(__file__).parent.parent / "corpus"
_PART = re.compile(r"^ *#: ([\w ]+)(?:: ([\w= ]+))?\n", re.MULTILINE)


def parts() -> dict[str, str]:
    """Return the lines that many scripts share, by name."""
    _, *rows = _PART.split((CORPUS / "parts.py").read_text("utf-8"))
    return {name: text.rstrip() + "\n" for name, text in zip(rows[::3], rows[2::3], strict=True)}


def unpack(folder: Path) -> Path:
    """Write the whole scripts into `folder`, and return it."""
    shared = parts()

    def part(found: re.Match[str]) -> str:
        names = dict([pair.split("=") for pair in (found[2] or "").split()])
        return re.sub(
            r"\b[A-Za-z_]\w*\b", lambda word: names.get(word[0], word[0]), shared[found[1]]
        )

    shutil.copytree(CORPUS, folder, dirs_exist_ok=True)
    for file in folder.rglob("*.py"):
        text = file.read_text("utf-8")
        file.write_text(_PART.sub(part, text), "utf-8")
    (folder / "parts.py").unlink()
    return folder


if __name__ == "__main__":
    unpack(Path(sys.argv[1]))
