"""The scripts of tests/corpus, made whole: `parts.py` there has what many of them share.

`python tests/support/corpus.py FOLDER` writes them into a folder, to run one by hand.
"""

import re
import shutil
import sys
from pathlib import Path

CORPUS = Path(__file__).parent.parent / "corpus"
_PART = re.compile(r"^ *#: (\w+)\n", re.MULTILINE)


def unpack(folder: Path) -> Path:
    """Write the whole scripts into `folder`, and return it."""
    _, *pairs = _PART.split((CORPUS / "parts.py").read_text("utf-8"))
    parts = {name: text.rstrip() + "\n" for name, text in zip(pairs[::2], pairs[1::2], strict=True)}
    shutil.copytree(CORPUS, folder, dirs_exist_ok=True)
    for file in folder.rglob("*.py"):
        text = file.read_text("utf-8")
        file.write_text(_PART.sub(lambda found: parts[found[1]], text), "utf-8")
    (folder / "parts.py").unlink()
    return folder


if __name__ == "__main__":
    unpack(Path(sys.argv[1]))
