"""`wiregen generate` where there is nothing to do: it ends here, before Typer is loaded.

A Typer command loads pydantic, which takes several times as long as all of this. Whatever is not plain, be it an
argument or the state of an output, is left to the long way, which says what is wrong with it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from wiregen import config, flags, manifest
from wiregen.errors import InvalidInput
from wiregen.resolve import resolve
from wiregen.source import source
from wiregen.terminal import UP_TO_DATE, Terminal

_COMMAND: Final = "generate"
_ONCE: Final = {"--output": Path, "--package": str, "--line-length": int, "--templates": Path}
_REPEATED: Final = ("--schema", "--emit")
_SWITCHES: Final = ("--check", "--diff", "--exit-non-zero-on-write", "--quiet", "-q")


def is_done(arguments: Sequence[str]) -> bool:
    """Whether the arguments ask for what is there already; if so, a line on each output is printed."""
    try:
        parsed = parse(arguments)
        if parsed is None:
            return False
        values, switches = parsed
        outputs = resolve(config.load(Path()), flags.settings(**values)).outputs
        if not all(manifest.is_current(output.folder, source(output)) for output in outputs):
            return False
    except (InvalidInput, OSError, ValueError):
        return False
    terminal = Terminal(quiet="--quiet" in switches or "-q" in switches)
    for output in outputs:
        terminal.summary(f"{output.folder.as_posix()}: {UP_TO_DATE}")
    return True


def parse(arguments: Sequence[str]) -> tuple[dict[str, Any], set[str]] | None:
    """The values that flags are given, and the switches; None for what is not written out plainly."""
    if not arguments or arguments[0] != _COMMAND:
        return None
    values: dict[str, Any] = {}
    switches: set[str] = set()
    words = iter(arguments[1:])
    for word in words:
        key = word.removeprefix("--").replace("-", "_")
        if word in _SWITCHES:
            switches.add(word)
        elif word in _ONCE:
            values[key] = _ONCE[word](next(words, ""))
        elif word in _REPEATED:
            values.setdefault(key, []).append(next(words, ""))
        elif word.startswith("-"):
            return None
        else:
            values.setdefault("targets", []).append(word)
    return values, switches
