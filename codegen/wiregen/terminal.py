"""What a command prints: diagnostics and progress on standard error, data on standard output."""

import os
import sys
import time
from collections.abc import Iterable
from typing import Final, TextIO

from wiregen.errors import Diagnostic
from wiregen.text import printable

_RED, _YELLOW, _DIM, _RESET = "\x1b[31m", "\x1b[33m", "\x1b[2m", "\x1b[0m"
UP_TO_DATE: Final = "up to date"
_CLEAR_LINE: Final = "\r\x1b[K"
_PATIENCE: Final = 1.0
"""Seconds after which a run tells what it is at."""


class Terminal:
    """Prints for one run. Colours and progress are for a terminal only, and colours not under `NO_COLOR`.

    With `quiet`, only what is wrong is printed: neither progress, nor summaries, nor warnings.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self.is_quiet = quiet
        self._is_terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._has_colours = self._is_terminal and not os.environ.get("NO_COLOR")
        self._start = time.monotonic()
        self._has_progress = False

    def step(self, text: str) -> None:
        """Tells what is done next, if the run takes long."""
        if self._is_terminal and not self.is_quiet and time.monotonic() - self._start > _PATIENCE:
            self._has_progress = True
            print(f"{_CLEAR_LINE}{text}", end="", file=sys.stderr, flush=True)

    def summary(self, text: str) -> None:
        """Says in a line what was done."""
        if not self.is_quiet:
            self._print(printable(text))

    def diagnostics(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Prints findings, in colour where there are colours."""
        for diagnostic in diagnostics:
            if diagnostic.severity == "error" or not self.is_quiet:
                self._print(self._text(diagnostic))

    def _print(self, text: str) -> None:
        print(f"{_CLEAR_LINE if self._has_progress else ''}{text}", file=sys.stderr)
        self._has_progress = False

    def done(self) -> None:
        """Takes the progress line away."""
        if self._has_progress:
            print(_CLEAR_LINE, end="", file=sys.stderr, flush=True)
        self._has_progress = False

    def _text(self, diagnostic: Diagnostic) -> str:
        lines = str(diagnostic).split("\n")
        if not self._has_colours:
            return "\n".join(lines)
        colour = _RED if diagnostic.severity == "error" else _YELLOW
        mark = f"{diagnostic.severity}[{diagnostic.code}]"
        lines[0] = lines[0].replace(mark, f"{colour}{mark}{_RESET}", 1)
        return "\n".join([lines[0], *(f"{_DIM}{line}{_RESET}" for line in lines[1:])])


def prepare(*streams: TextIO) -> None:
    """Makes streams take any text: what their encoding lacks is printed as an escape."""
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
