"""The `wiregen` command: whatever goes wrong is told in a line."""

import gc
import sys
from typing import Final

from wiregen import quick, trouble
from wiregen.errors import Diagnostic
from wiregen.terminal import Terminal, abandon, prepare

_BAD_INPUT: Final = 2
_UNREAD: Final = 1
_INTERRUPTED: Final = 130


def main() -> None:
    """Run the command with the arguments of the process, and exit."""
    prepare()
    # A run keeps nearly all that it makes until it ends: looking for garbage often takes a tenth of its time.
    gc.set_threshold(100_000)
    try:
        code = _run(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = _INTERRUPTED
    except BrokenPipeError:
        code = _UNREAD
    except Exception as error:
        if trouble.wants_traceback():
            raise
        code = _BAD_INPUT
        Terminal().diagnostics([_finding(error)])
    abandon(sys.stdout)
    abandon(sys.stderr)
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    """The exit code of the command."""
    code = quick.run(arguments)
    if code is not None:
        return code
    # Loaded here: what is read without it does not wait for it.
    from wiregen.cli import app  # noqa: PLC0415

    try:
        app()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0


def _finding(error: Exception) -> Diagnostic:
    """What went wrong: of all that a command writes to, only standard output has no name."""
    if isinstance(error, OSError) and error.filename is None:
        return trouble.unprinted(error)
    return trouble.unexpected(error)


if __name__ == "__main__":
    main()
