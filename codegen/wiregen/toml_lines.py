"""Where in a TOML text its keys stand: the parser of the standard library does not tell."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Final

Path = tuple[str | int, ...]
"""The way to a value: keys of tables, and indices of arrays."""

_DEEPEST: Final = 16
"""Steps beyond which places are not told apart: with very long ones, time would grow with their square."""
_TOKEN: Final = re.compile(
    r"""
    \#[^\n]*
    | \"{3}(?:[^"\\]|\\.|"(?!""))*+"{3,5}
    | '{3}(?:[^']|'(?!''))*+'{3,5}
    | "(?:[^"\\]|\\.)*+"
    | '[^']*+'
    | [\[\]{},=.\n]
    | [^\s\[\]{},=."'\#]++
    """,
    re.VERBOSE | re.DOTALL,
)


def lines(text: str) -> Mapping[Path, int]:
    """The line, counted from 1, on which each key, table and item of an array begins.

    `text` is valid TOML, with `\\n` line ends. A table that is given in several places begins at the first.
    """
    return _Walk(text).lines


class _Walk:
    """One walk over the tokens: a text of any length or depth takes time in proportion."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._counts: dict[Path, int] = {}
        self._tokens = self._read(text)
        table: Path = ()
        for token, line in self._tokens:
            if token == "[":
                table = self._header(line)
            elif token != "\n":
                place = self._key(token, line, table, "=")
                self._value(place)

    @staticmethod
    def _read(text: str) -> Iterator[tuple[str, int]]:
        line, end = 1, 0
        for match in _TOKEN.finditer(text):
            line += text.count("\n", end, match.start())
            end = match.start()
            if not match[0].startswith("#"):
                yield match[0], line

    def _next(self) -> tuple[str, int]:
        return next(self._tokens, ("\n", 0))

    def _header(self, line: int) -> Path:
        """The place of the table whose header begins here."""
        token, _ = self._next()
        is_item = token == "["
        if is_item:
            token, _ = self._next()
        place = self._key(token, line, (), "]")
        if is_item:
            self._next()
            place = self._item(place, line)
        return place

    def _key(self, token: str, line: int, table: Path, end: str) -> Path:
        """The place that a dotted key from this token on names; in an array of tables it is in the last one so far."""
        place = table
        while token != end:
            if token != "." and len(place) < _DEEPEST:
                count = self._counts.get(place) if place != table else None
                place = (*place, _unquoted(token)) if count is None else (*place, count - 1, _unquoted(token))
                self.lines.setdefault(place, line)
            token, _ = self._next()
            if token == "\n":
                break
        return place

    def _item(self, array: Path, line: int) -> Path:
        if len(array) >= _DEEPEST:
            return array
        index = self._counts.get(array, 0)
        self._counts[array] = index + 1
        self.lines.setdefault((*array, index), line)
        return (*array, index)

    def _value(self, place: Path) -> None:
        """Goes to the end of a value: of its line, or of the last bracket that it opens."""
        open_: list[tuple[Path, str]] = []
        awaits = True
        while True:
            token, line = self._next()
            if token == "\n":
                if not open_ or line == 0:
                    return
            elif token in "]}":
                del open_[-1:]
                awaits = False
            elif token == ",":
                awaits = True
            else:
                within = open_[-1] if open_ else None
                here = place
                if within and awaits:
                    array, kind = within
                    here = self._item(array, line) if kind == "[" else self._key(token, line, array, "=")
                    token = token if kind == "[" else self._next()[0]
                awaits = False
                if token in "[{":
                    open_.append((here, token))
                    awaits = True


def _unquoted(key: str) -> str:
    if key[0] not in "\"'":
        return key
    return str(next(iter(tomllib.loads(f"{key} = 0"))))
