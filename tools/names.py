"""Writes src/gradwalk/data/names.txt: invented names, for a GPT to learn from.

They come from the grammar below and a seed, not from any list of people, so they are free of
anyone's rights; one that a person bears is a coincidence. `--check` compares in place of writing.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

FILE = Path(__file__).parent.parent / "src" / "gradwalk" / "data" / "names.txt"
COUNT = 2400
SEED = 7

# Pieces and how often each is taken. A name is a beginning, some middles, and an ending, where
# consonants and vowels alternate: what a small model can learn, and see where it fails to.
BEGINNINGS = {
    "": 14, "b": 4, "br": 2, "c": 3, "ch": 1, "d": 5, "dr": 1, "f": 3, "fl": 1, "g": 3, "gr": 1,
    "h": 4, "j": 4, "k": 5, "kr": 1, "l": 7, "m": 8, "n": 6, "p": 3, "qu": 1, "r": 6, "s": 6,
    "sh": 2, "st": 2, "t": 5, "th": 2, "tr": 1, "v": 4, "w": 2, "y": 1, "z": 3,
}  # fmt: skip
VOWELS = {"a": 12, "e": 9, "i": 8, "o": 6, "u": 3, "ai": 1, "ae": 1, "ei": 1, "ia": 1, "ie": 1}
MIDDLES = {
    "l": 8, "n": 8, "r": 9, "m": 6, "d": 5, "v": 4, "s": 4, "t": 4, "k": 3, "b": 2, "z": 2, "g": 2,
    "ll": 2, "nn": 2, "rr": 1, "ss": 1, "nd": 2, "rd": 1, "rl": 1, "rn": 1, "ld": 1, "lm": 1,
    "nt": 1, "st": 2, "sk": 1, "th": 1, "sh": 1, "h": 1, "y": 1, "f": 1, "w": 1, "x": 1,
}  # fmt: skip
ENDINGS = {
    "a": 14, "o": 5, "e": 4, "i": 3, "y": 3, "en": 5, "an": 4, "in": 4, "on": 3, "el": 3, "il": 1,
    "ia": 4, "is": 2, "us": 2, "ar": 2, "er": 2, "or": 1, "as": 1, "ette": 1, "ina": 2, "ora": 1,
    "iel": 1, "ett": 1, "ard": 1, "olf": 1, "ynn": 1, "eth": 1,
}  # fmt: skip
SYLLABLES = {0: 5, 1: 8, 2: 3}
UNFIT = ("anal", "anus", "arse", "ass", "cock", "cum", "dick", "dum", "fag", "fat", "hell", "homo",
         "kill", "nazi", "nig", "pen", "piss", "poo", "rape", "sex", "shit", "slut", "tit", "turd",
         "ugl", "vagin", "whor")  # fmt: skip


def names() -> list[str]:
    """Return the names in alphabetical order, the same ones every time."""
    rng = random.Random(SEED)

    def draw(pieces: dict[str, int]) -> str:
        return rng.choices(list(pieces), weights=list(pieces.values()))[0]

    found: set[str] = set()
    while len(found) < COUNT:
        name = draw(BEGINNINGS) + draw(VOWELS)
        for _ in range(rng.choices(list(SYLLABLES), weights=list(SYLLABLES.values()))[0]):
            name += draw(MIDDLES) + draw(VOWELS)
        name += draw(MIDDLES) + draw(ENDINGS)
        if 3 <= len(name) <= 10 and not any(word in name for word in UNFIT):
            found.add(name)
    return sorted(found)


def main() -> int:
    text = "\n".join(names()) + "\n"
    if "--check" in sys.argv[1:]:
        return int(not FILE.exists() or FILE.read_text("utf-8") != text)
    FILE.write_text(text, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
