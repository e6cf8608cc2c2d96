"""Characters as tokens: documents of text become lists of small numbers, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from unicodedata import category

from gradwalk.errors import OperandError


class Tokenizer:
    """One token for each character, in sorted order, and a last one for the edge of a document.

    >>> from gradwalk.gpt import Tokenizer
    >>> tokenizer = Tokenizer("abc")
    >>> tokenizer.encode("cab")
    [3, 2, 0, 1, 3]
    >>> tokenizer.decode([2, 0, 1])
    'cab'
    """

    def __init__(self, characters: Iterable[str]) -> None:
        self.characters = "".join(sorted(set(characters)))
        if not self.characters:
            raise OperandError("a tokenizer takes at least one character")
        self.edge = len(self.characters)
        self._token = {character: i for i, character in enumerate(self.characters)}

    def __len__(self) -> int:
        return self.edge + 1

    def encode(self, document: str) -> list[int]:
        """Return the tokens of a whole document, with its edges."""
        return [self.edge, *self.encode_part(document), self.edge]

    def encode_part(self, text: str) -> list[int]:
        """Return the tokens of a text without edges: a prompt."""
        try:
            return [self._token[character] for character in text]
        except KeyError as error:
            raise OperandError(
                f"the model does not know the character {error.args[0]!r}; "
                f"it knows {self.characters!r:.80}"
            ) from None

    def decode(self, tokens: Sequence[int]) -> str:
        """Return the text of tokens; edges are left out."""
        return "".join([self.characters[token] for token in tokens if token != self.edge])

    def names(self, tokens: Sequence[int]) -> list[str]:
        """Return a name for each token, as pictures show it: an edge is `▸`, a blank is `␣`."""
        return ["▸" if token == self.edge else _visible(self.characters[token]) for token in tokens]


def _visible(character: str) -> str:
    """Return something to see for a character that shows nothing by itself."""
    kind = category(character)
    if kind == "Cc" and ord(character) < 0x20:
        return chr(0x2400 + ord(character))  # the pictures ␀ to ␟
    if kind == "Mn":
        return f"◌{character}"  # an accent needs a letter to stand on
    return "␣" if kind == "Zs" else "◌" if kind in ("Cc", "Cf", "Co", "Cn", "Cs") else character


def read_documents(path: str | Path) -> list[str]:
    """Return the documents of a text file: one per line, empty lines left out."""
    try:
        text = Path(path).read_text("utf-8-sig")  # some editors begin a file with a mark
    except UnicodeDecodeError as error:
        raise OperandError(f"{path} is not UTF-8 text: byte {error.start} does not fit") from None
    documents = [line.strip() for line in text.splitlines()]
    documents = [document for document in documents if document]
    if not documents:
        raise OperandError(f"{path} has no documents: one is a line that is not empty")
    return documents
