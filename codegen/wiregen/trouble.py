"""What goes wrong on the side of the system, or of wiregen itself, as findings: nobody is shown a traceback for it."""

import os
from pathlib import Path
from typing import Final

from wiregen.errors import Diagnostic

TRACEBACK: Final = "WIREGEN_TRACEBACK"
"""The environment variable under which a fault of wiregen is shown as Python shows it."""
_HINTS: Final = {
    "cannot-read": "see that it exists, and that you may read it and the folders above",
    "cannot-write": "make it and its folder writable, then run the command again",
    "cannot-use": "see that it exists, and that you may use it and the folders above",
}


def told(error: OSError, code: str, *, place: Path | None = None) -> Diagnostic:
    """What the system refused: `code` says what was tried, `place` where, if not at the file that the error names."""
    name: object = error.filename if place is None else place
    file = os.fsdecode(name) if isinstance(name, str | bytes | Path) else None
    what = {"cannot-read": "cannot be read", "cannot-write": "cannot be written"}.get(code, "the system refuses")
    return Diagnostic(code, f"{what}: {error.strerror or error}", file=file, hint=_HINTS[code])


def unexpected(error: Exception) -> Diagnostic:
    """What nobody foresaw: something that the system refused, or else a fault of wiregen."""
    if isinstance(error, OSError):
        return told(error, "cannot-use")
    hint = f"this is a fault of wiregen; please report it with what {TRACEBACK}=1 in the environment shows"
    return Diagnostic("internal", f"{type(error).__name__}: {error}", hint=hint)


def unprinted(error: OSError) -> Diagnostic:
    """That standard output took not all of what there was to print."""
    message = f"standard output cannot be written: {error.strerror or error}"
    return Diagnostic("cannot-write", message, hint="see where it leads")


def wants_traceback() -> bool:
    """Whether faults are to be shown as Python shows them."""
    return bool(os.environ.get(TRACEBACK))
