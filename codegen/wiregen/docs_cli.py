"""`wiregen docs`: check the documentation tables."""

from typing import Annotated

import typer

from wiregen import catalogue
from wiregen.errors import InvalidInput

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def docs(
    context: typer.Context,
    check: Annotated[
        bool, typer.Option("--check", help="List what lacks a text, and which texts match nothing in any version.")
    ] = False,
) -> None:
    """Check the documentation tables against all bundled versions."""
    if not check:
        typer.echo(context.get_help())
        raise typer.Exit(2)
    from wiregen import docs_check  # noqa: PLC0415  (takes a while, which the help of all commands does without)

    try:
        findings = [finding for protocol in catalogue.PROTOCOLS for finding in docs_check.check_bundled(protocol)]
    except InvalidInput as error:
        for diagnostic in error.diagnostics:
            typer.echo(str(diagnostic), err=True)
        raise typer.Exit(2) from None
    for finding in findings:
        typer.echo(str(finding), err=True)
    if findings:
        raise typer.Exit(1)
    typer.echo("every class, field, method, feature and value has its text")
