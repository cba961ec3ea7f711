"""The only place that turns data into Python source text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from wiregen.ir import Json


def literal(value: Json | tuple[object, ...]) -> str:
    """Source of an expression with this value. Text comes out in ASCII, with every other character escaped."""
    if isinstance(value, str):
        return string(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{string(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, tuple):
        items = [literal(item) for item in value]  # type: ignore[arg-type]
        return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    raise TypeError(f"no literal for {type(value).__name__}")


def string(text: str) -> str:
    """Source of a string: double quotes, ASCII only."""
    body = ascii(text)
    quote, inner = body[0], body[1:-1]
    if quote == "'":
        inner = inner.replace("\\'", "'").replace('"', '\\"')
    return f'"{inner}"'


def docstring(text: str, *, indent: int = 4, width: int = 120) -> str:
    """Source of a docstring, wrapped to lines; whatever it holds stays text."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    room = width - indent
    wrapped: Iterable[str] = (
        line
        for index, paragraph in enumerate(p for p in paragraphs if p)
        for line in ([""] if index else []) + textwrap.wrap(paragraph, room, break_long_words=False)
    )
    lines = [_doc_text(line) for line in wrapped]
    if lines and lines[-1].endswith('"'):
        lines[-1] = lines[-1][:-1] + '\\"'
    if len(lines) <= 1 and sum(map(len, lines)) + 6 <= room:
        return '"""' + "".join(lines) + '"""'
    pad = " " * indent
    return '"""' + "\n".join(pad + line if i and line else line for i, line in enumerate(lines)) + f'\n{pad}"""'


def _doc_text(line: str) -> str:
    escaped = "".join(c if c.isprintable() and ord(c) < 0xD800 else ascii(c)[1:-1] for c in line.replace("\\", "\\\\"))
    return escaped.replace('"""', '\\"\\"\\"')
