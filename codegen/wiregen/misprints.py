"""Code that a template of the user's printed wrongly: which template that was, and on which line as far as it shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from wiregen import style, templates
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.text import shortened

_TAG: Final = re.compile(r"(\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\})")
_NO_TEXT: Final = re.compile("[\0\ud800-\udfff]")
"""What no source may hold: Python does not say on which line it is."""
_LEAST_TEXT: Final = 3
"""Characters that a line of a template has to have in common with a printed one to be told as its origin."""


def parsed(source: str, printers: Sequence[str]) -> ast.Module:
    """The syntax tree of what these templates printed; raises `InvalidInput` if it is no Python code."""
    try:
        return ast.parse(source)
    except SyntaxError as error:
        line, reason = error.lineno, error.msg
    except (ValueError, RecursionError, MemoryError) as error:
        line, reason = None, str(error) or type(error).__name__
    lines = source.split("\n")
    if line is None and (char := _NO_TEXT.search(source)):
        line = source.count("\n", 0, char.start()) + 1
    text = lines[line - 1] if line and line <= len(lines) else ""
    shown = f": {shortened(text.strip(), 100)!r}" if text.strip() else ""
    raise misprint(f"what is printed is no Python code: {reason}{shown}", printers, text)


def misprint(message: str, printers: Sequence[str], line: str = "") -> InvalidInput:
    """What to raise where one of these templates printed `line`, or something around it, that is not right."""
    own = style.current().templates
    files = [] if own is None else [path for name in printers if (path := templates.files(own)[name]) == own / name]
    if own is None or not files:
        return style.misprint(message)
    places = [(*place, file) for file in files if (place := _origin(file, line.strip())) is not None]
    _, number, file = max(places, default=(0, None, files[0]))
    if not places and len(files) > 1:
        file = own
        message += f"; it comes from {' or '.join(path.relative_to(own).as_posix() for path in files)}"
    hint = "docs/templates.md says what each template has to print"
    return InvalidInput([Diagnostic("bad-template", message, file.as_posix(), line=number, hint=hint)])


def _origin(file: Path, printed: str) -> tuple[int, int] | None:
    """The line of a template that prints a line: the one with most text around its tags; first how much that is."""
    best: tuple[int, int] | None = None
    for number, line in enumerate(file.read_text(encoding="utf-8-sig").split("\n"), start=1):
        size = _in_common(line.strip(), printed)
        if size >= _LEAST_TEXT and (best is None or size > best[0]):
            best = size, number
    return best


def _in_common(line: str, printed: str) -> int:
    """How much text a line of a template surely puts into a printed one; 0 if it cannot have printed that."""
    first, *rest = _TAG.split(line)
    if not printed.startswith(first):
        return 0
    size = at = len(first)
    is_sure = True
    for tag, text in zip(rest[::2], rest[1::2], strict=True):
        is_sure = is_sure and not tag.startswith("{%")
        found = printed.find(text, at)
        if found >= 0:
            size, at = size + len(text), found + len(text)
        elif is_sure:
            return 0
    return size
