"""The only place that turns data into Python source text."""

from __future__ import annotations

import re
import textwrap
from functools import cache
from typing import Any, cast

from wiregen import style
from wiregen.text import printable

_QUOTES = '"""'
# Those that would end a docstring: three and more anywhere, any at its end.
_INNER_QUOTES = re.compile('"{3,}')
_LAST_QUOTES = re.compile('"{3,}|"+$')
_ITEM = re.compile(r"[-*] ")


def literal(value: object) -> str:
    """Source of an expression with this value. Text comes out in ASCII, with every other character escaped.

    A value is JSON, a tuple, a frozenset, a dict with keys of these kinds, or a named tuple of them, which comes out as
    a call of its class.
    """
    if isinstance(value, str):
        return string(value)
    if isinstance(value, dict):
        items = cast("dict[object, object]", value).items()
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in items) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, cast("list[object]", value))) + "]"
    if isinstance(value, frozenset):
        names = tuple(sorted(cast("frozenset[str]", value)))
        return f"frozenset({literal(names)})" if names else "frozenset()"
    if isinstance(value, tuple):
        members = cast("tuple[object, ...]", value)
        if hasattr(members, "_asdict"):
            return _call(members)
        return "(" + ", ".join(map(literal, members)) + ("," if len(members) == 1 else "") + ")"
    return repr(value)


def _call(record: Any) -> str:
    """A named tuple, without what its class fills in by itself."""
    defaults: dict[str, object] = record._field_defaults
    given = {name: item for name, item in record._asdict().items() if name not in defaults or defaults[name] != item}
    return f"{type(record).__name__}({', '.join(f'{name}={literal(item)}' for name, item in given.items())})"


def string(text: str) -> str:
    """Source of a string: double quotes, ASCII only."""
    body = ascii(text)
    quote, inner = body[0], body[1:-1]
    if quote == "'":
        inner = inner.replace("\\'", "'").replace('"', '\\"')
    return f'"{inner}"'


def docstring(text: str, *, indent: int = 4) -> str:
    """Source of a docstring, wrapped to the lines of the style in force; whatever it holds stays text.

    Blank lines part paragraphs, and a line that begins with `- ` or `* ` begins an item of a list; other line ends
    count as spaces. Characters that cannot be seen, such as direction marks, are spelt out as escapes.
    """
    return _docstring(text, style.current().line_length, indent)


@cache  # versions of a protocol say the same of most things
def _docstring(text: str, line_length: int, indent: int) -> str:
    room = line_length - indent
    lines: list[str] = []
    for block in _blocks(text):
        before = "" if lines else " " * len(_QUOTES)
        after = "  " if _ITEM.match(block) else ""
        wrapper = textwrap.TextWrapper(room, before, after, break_long_words=False, break_on_hyphens=False)
        lines += wrapper.wrap(printable(block).replace("\\", "\\\\")) or [before]
    lines[0] = lines[0][len(_QUOTES) :]
    *others, last = lines
    lines = [*(_INNER_QUOTES.sub(_escape_all, line) for line in others), _LAST_QUOTES.sub(_escape_all, last)]
    if len(lines) == 1 and len(lines[0]) + 2 * len(_QUOTES) <= room:
        return _QUOTES + lines[0] + _QUOTES
    pad = " " * indent
    return "\n".join([_QUOTES + lines[0], *(pad + line if line else "" for line in lines[1:]), pad + _QUOTES])


def _blocks(text: str) -> list[str]:
    """Paragraphs and items of lists, each without line ends, and an empty one between paragraphs."""
    blocks: list[str] = []
    is_open = False
    for line in text.splitlines():
        words = " ".join(line.split())
        if words and is_open and not _ITEM.match(words):
            blocks[-1] += f" {words}"
        elif words:
            blocks += [words] if is_open or not blocks else ["", words]
        is_open = bool(words)
    return blocks or [""]


def _escape_all(quotes: re.Match[str]) -> str:
    return '\\"' * len(quotes[0])
