"""Diagnostics: what is wrong, where, and what to do about it, as values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from wiregen.text import printable, shortened

MOST: Final = 100
"""How many findings are told of one file: they cost time and memory, and nobody reads more."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about an input or an output.

    `file` is the path as the user gave it, `pointer` a JSON pointer (RFC 6901) into it, `line` counts from 1.
    `code` is a short stable name such as `dangling-ref`; `hint` says what to do. As text it is one line, not too long,
    and one more for the hint, whatever the input holds.
    """

    code: str
    message: str
    file: str | None = None
    pointer: str | None = None
    line: int | None = None
    hint: str | None = None
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        place = self.file or ""
        if self.line is not None:
            place += f":{self.line}"
        if self.pointer is not None:
            place += f"#{shortened(self.pointer)}"
        head = f"{place}: " if place else ""
        text = printable(f"{head}{self.severity}[{self.code}]: {shortened(self.message)}")
        return f"{text}\n  help: {printable(self.hint)}" if self.hint else text


def limited(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The first `MOST` different findings about a file, and one more that says so if there are others.

    `findings` is read no further than that.
    """
    found: dict[Diagnostic, None] = {}
    for finding in findings:
        if len(found) == MOST and finding not in found:
            message, hint = f"there are more findings than these {MOST}", "correct these first"
            return [*found, Diagnostic("more-findings", message, finding.file, hint=hint)]
        found[finding] = None
    return [*found]


class InvalidInput(Exception):
    """Input that cannot be worked with; carries every diagnostic that was found, in order."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(d) for d in self.diagnostics))
