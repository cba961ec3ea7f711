"""Where in a TOML text a key stands: the parser of the standard library does not tell."""

import tomllib
from collections.abc import Sequence
from typing import Any

from wiregen.json_text import is_array, is_object


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """The line, counted from 1, on which the key or table at `path` begins, or else what holds it.

    `text` is valid TOML. None if not even the first step of `path` is there.
    """
    lines = text.split("\n")
    for end in range(len(path), 0, -1):
        if _has(tomllib.loads(text), path[:end]):
            return _first_line(lines, path[:end])
    return None


def _first_line(lines: list[str], path: Sequence[str | int]) -> int:
    """Halves the lines until one statement is left: the first after which `path` is there.

    A text that ends within a statement does not parse, one that ends between two does.
    """
    before, after, limit = 0, len(lines), len(lines)
    while limit - before > 1:
        middle = (before + limit) // 2
        content = None
        at = middle
        while at < limit and (content := _parse(lines[:at])) is None:
            at += 1
        if content is None:
            limit = middle
        elif _has(content, path):
            after = limit = at
        else:
            before = at
    return next(n for n in range(before, after) if lines[n].strip() and not lines[n].lstrip().startswith("#")) + 1


def _parse(lines: list[str]) -> dict[str, Any] | None:
    try:
        return tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError:
        return None


def _has(content: Any, path: Sequence[str | int]) -> bool:
    for step in path:
        match step:
            case str() if is_object(content) and step in content:
                content = content[step]
            case int() if is_array(content) and step < len(content):
                content = content[step]
            case _:
                return False
    return True
