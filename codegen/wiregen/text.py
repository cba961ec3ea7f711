"""Text as it can be shown, and as Python can have it for a name: the same under every Python.

What is printable and what is a letter grows with the Unicode tables of each Python, so these are not asked: a character
counts as it did in Unicode 3.2, whose tables come with every Python, and as nothing if it is younger. The blocks of
pictographs were filled later, and are complete in the tables of the oldest Python that is supported.
"""

import keyword
from typing import Final
from unicodedata import normalize, ucd_3_2_0

_PICTOGRAPHS: Final = (range(0x1F300, 0x1F650), range(0x1F680, 0x1F6C6), range(0x1F900, 0x1FA00))
_SOFT_HYPHEN: Final = "\xad"
"""Counted among punctuation then, among what is not seen since."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})


def printable(text: str) -> str:
    """`text` with every character escaped that is no visible one of Unicode 3.2, a pictograph, or a plain space."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if _is_printable(char) else ascii(char)[1:-1] for char in text)


def shortened(text: str, limit: int = 400) -> str:
    """`text` with its middle left out if it has more than `limit` characters."""
    half = (limit - 5) // 2
    return text if len(text) <= limit else f"{text[:half]} ... {text[-half:]}"


def is_python_name(text: str) -> bool:
    """Whether every Python takes `text` for the name of a class or module, just as it is spelt."""
    if not text.isidentifier() or keyword.iskeyword(text):
        return False
    if text.isascii():
        return True
    # Letters, marks and digits: what else an identifier may hold is not the same everywhere.
    return normalize("NFKC", text) == text and all(c == "_" or ucd_3_2_0.category(c)[0] in "LMN" for c in text)


def _is_printable(char: str) -> bool:
    if " " <= char <= "~":
        return True
    is_seen = ucd_3_2_0.category(char) not in _UNSEEN and char != _SOFT_HYPHEN
    return is_seen or any(ord(char) in block for block in _PICTOGRAPHS)
