"""What a command prints: diagnostics and progress on standard error, data on standard output."""

import errno
import io
import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, TextIO

from wiregen.errors import Diagnostic
from wiregen.text import printable

_RED, _YELLOW, _DIM, _RESET = "\x1b[31m", "\x1b[33m", "\x1b[2m", "\x1b[0m"
UP_TO_DATE: Final = "up to date"
_STANDARD_ERROR: Final = 2
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
            _tell(f"{_CLEAR_LINE}{text}", end="")

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
        _tell(f"{_CLEAR_LINE if self._has_progress else ''}{text}")
        self._has_progress = False

    def done(self) -> None:
        """Takes the progress line away."""
        if self._has_progress:
            _tell(_CLEAR_LINE, end="")
        self._has_progress = False

    def _text(self, diagnostic: Diagnostic) -> str:
        lines = str(diagnostic).split("\n")
        if not self._has_colours:
            return "\n".join(lines)
        colour = _RED if diagnostic.severity == "error" else _YELLOW
        mark = f"{diagnostic.severity}[{diagnostic.code}]"
        lines[0] = lines[0].replace(mark, f"{colour}{mark}{_RESET}", 1)
        return "\n".join([lines[0], *(f"{_DIM}{line}{_RESET}" for line in lines[1:])])


def _tell(text: str, *, end: str = "\n") -> None:
    # What cannot be told is no reason to stop, nor to end with another code.
    with suppress(OSError):
        print(text, end=end, file=sys.stderr, flush=True)


def prepare() -> None:
    """Makes the standard streams fit to be printed to.

    What their encoding lacks is printed as an escape. In the place of one that is closed stands one that is open, so
    that no file that is opened later is taken for it; what is printed to standard output all the same is an error.
    """
    while (spare := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        pass
    os.close(spare)
    # Python has None in the place of a stream that is closed.
    sys.stdout = sys.stdout or _Closed()
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (for the rest of the run)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def abandon(stream: TextIO) -> None:
    """Drops what a stream did not take, so that it is not tried again at the end."""
    try:
        stream.flush()
    except OSError:
        with suppress(OSError):  # one that was closed has no number
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class _Closed(io.StringIO):
    """Standard output that was closed before the run began: what is printed is an error when it is to go out."""

    def flush(self) -> None:
        if self.getvalue():
            self.truncate(0)
            raise OSError(errno.EBADF, "it is closed")
