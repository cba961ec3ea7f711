"""`wiregen init`: a starting point of the configuration."""

from pathlib import Path

import typer

from wiregen import init
from wiregen.errors import InvalidInput
from wiregen.terminal import Terminal

BAD_INPUT = 2


def init_() -> None:
    """Add a commented [tool.wiregen] to pyproject.toml, to begin with."""
    terminal = Terminal()
    try:
        file = init.add_table(Path())
    except InvalidInput as error:
        terminal.diagnostics(error.diagnostics)
        raise typer.Exit(BAD_INPUT) from None
    terminal.summary(f"{file.as_posix()}: added [tool.wiregen]; look it over, then run `wiregen generate`")
