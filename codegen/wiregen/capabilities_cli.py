"""`wiregen capabilities`: print what a peer may be asked, by what it declared."""

from typing import Annotated, Literal

import typer

from wiregen import catalogue, completion
from wiregen.errors import InvalidInput


def capabilities(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="[PROTOCOL@VERSION]",
            help="One version, such as acp@v2.",
            show_default="all",
            autocompletion=completion.targets,
        ),
    ] = None,
    format_: Annotated[
        Literal["text", "markdown", "json"], typer.Option("--format", help="How to print the table.")
    ] = "text",
) -> None:
    """Print the capabilities of a version, the feature that each declares, and what needs it."""
    # Loaded here: what only prints help or refuses its arguments does not wait for it.
    from wiregen import capability_table  # noqa: PLC0415

    printers = {
        "text": capability_table.as_text,
        "markdown": capability_table.as_markdown,
        "json": capability_table.as_json,
    }
    try:
        chosen = catalogue.targets() if target is None else (catalogue.parse_target(target),)
        printed = printers[format_](map(capability_table.table, chosen))
    except InvalidInput as error:
        for diagnostic in error.diagnostics:
            typer.echo(str(diagnostic), err=True)
        raise typer.Exit(2) from None
    typer.echo(printed, nl=False)
