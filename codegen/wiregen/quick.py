"""`wiregen generate` without Typer, whose commands load pydantic: arguments that are written plainly are read here.

Where there is nothing to do, the run ends here too. What is not plain is left to Typer, which says what is wrong.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from wiregen import config, manifest
from wiregen.errors import InvalidInput
from wiregen.flags import Request, folder
from wiregen.resolve import resolve
from wiregen.settings import LINE_LENGTHS
from wiregen.source import source
from wiregen.terminal import UP_TO_DATE, Terminal

_COMMAND: Final = "generate"
_VALUES: Final[Mapping[str, Callable[[str], Any]]] = {
    "--output": folder,
    "--package": str,
    "--line-length": int,
    "--templates": folder,
    "--format": str,
}
_LISTS: Final = ("--schema", "--emit")
_SWITCHES: Final = {
    "--check": "check",
    "--diff": "diff",
    "--full": "full",
    "--exit-non-zero-on-write": "fail_on_write",
    "--quiet": "quiet",
    "-q": "quiet",
}


def run(arguments: Sequence[str]) -> int | None:
    """Does what the arguments ask for and returns the exit code; None if they are for Typer to read."""
    request = parse(arguments)
    if request is None:
        return None
    if _is_done(request):
        return 0
    # Loaded here: what there is nothing to do for does not wait for it.
    from wiregen import generation  # noqa: PLC0415

    return generation.perform(request)


def parse(arguments: Sequence[str]) -> Request | None:
    """The request that the arguments make; None if they are not written out plainly."""
    if not arguments or arguments[0] != _COMMAND:
        return None
    values: dict[str, Any] = {"targets": [], "schema": [], "emit": []}
    words = iter(arguments[1:])
    try:
        for word in words:
            flag, equals, rest = word.partition("=")
            key = flag.removeprefix("--").replace("-", "_")
            if word in _SWITCHES:
                values[_SWITCHES[word]] = True
            elif flag in _VALUES:
                values[key] = _VALUES[flag](rest if equals else next(words))
            elif flag in _LISTS:
                values[key].append(rest if equals else next(words))
            elif word.startswith("-"):
                return None
            else:
                values["targets"].append(word)
    except (StopIteration, ValueError):  # a value is missing, or no number
        return None
    request = Request(**values)
    is_plain = request.format in ("text", "json") and request.line_length in (None, *LINE_LENGTHS)
    return request if is_plain else None


def _is_done(request: Request) -> bool:
    """Whether what is asked for is there already; if so, a line on each output is printed."""
    if request.full or request.format == "json":
        return False
    try:
        outputs = resolve(config.load(Path()), request.settings()).outputs
        if not all(manifest.is_current(output.folder, source(output)) for output in outputs):
            return False
    except (InvalidInput, OSError):
        return False
    terminal = Terminal(quiet=request.quiet)
    for output in outputs:
        terminal.summary(f"{output.folder.as_posix()}: {UP_TO_DATE}")
    return True
