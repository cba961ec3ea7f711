"""What code does beside computing: files, processes, the network."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

_ALWAYS = (
    "os.",
    "shutil.",
    "socket.",
    "subprocess.",
    "urllib.",
    "ftplib.",
    "http.",
    "smtplib.",
    "tempfile.",
    "winreg.",
)
_HARMLESS = ("os.listdir", "os.scandir", "os.walk")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC

_seen: list[str] | None = None
_roots: tuple[str, ...] = ()


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if _seen is None:
        return
    if event == "open":
        path, _, flags = arguments
        is_known = isinstance(path, int) or os.path.abspath(os.fsdecode(path)).startswith(_roots)  # type: ignore[arg-type]
        if not is_known or (isinstance(flags, int) and flags & _WRITING):
            _seen.append(f"open {path!r}")
    elif event.startswith(_ALWAYS) and event not in _HARMLESS:
        _seen.append(f"{event} {arguments!r}")


sys.addaudithook(_hook)


@contextmanager
def watching(*roots: str) -> Generator[list[str]]:
    """Lists what is done within the block; reading is fine below `roots`, and where Python itself lies."""
    global _seen, _roots  # noqa: PLW0603  (an audit hook has no other place for its state)
    places = (*roots, sys.prefix, sys.base_prefix, *filter(None, sys.path))
    _roots = tuple(os.path.abspath(place) + os.sep for place in places)
    seen: list[str] = []
    _seen = seen
    try:
        yield seen
    finally:
        _seen = None
