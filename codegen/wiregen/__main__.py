"""The `wiregen` command: whatever goes wrong is told in a line."""

import gc
import os
import sys
from typing import Final

from wiregen import quick
from wiregen.errors import Diagnostic
from wiregen.terminal import Terminal, prepare

_BAD_INPUT: Final = 2
_UNREAD: Final = 1
_INTERRUPTED: Final = 130
_TRACEBACK: Final = "WIREGEN_TRACEBACK"


def main() -> None:
    """Run the command with the arguments of the process, and exit."""
    prepare(sys.stdout, sys.stderr)
    # A run keeps nearly all that it makes until it ends: looking for garbage often takes a tenth of its time.
    gc.set_threshold(100_000)
    try:
        code = quick.run(sys.argv[1:])
        sys.stdout.flush()
        if code is not None:
            sys.exit(code)
        # Loaded here: what is read without it does not wait for it.
        from wiregen.cli import app  # noqa: PLC0415

        app()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except BrokenPipeError:
        # Nobody reads any more: what is left in the buffer goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(_UNREAD)
    except Exception as error:
        if os.environ.get(_TRACEBACK):
            raise
        Terminal().diagnostics([_unexpected(error)])
        sys.exit(_BAD_INPUT)


def _unexpected(error: Exception) -> Diagnostic:
    hint = f"this is a fault of wiregen; please report it with what {_TRACEBACK}=1 in the environment shows"
    return Diagnostic("internal", f"{type(error).__name__}: {error}", hint=hint)


if __name__ == "__main__":
    main()
