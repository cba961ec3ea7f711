"""`wiregen schema`: import, verify and list the bundled schemas."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from wiregen import catalogue, completion, schema_import
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.schema_import import Origin

app = typer.Typer(help="Import, verify and list the bundled schemas.", no_args_is_help=True)

_TARGET = typer.Argument(
    metavar="PROTOCOL@VERSION", help="The version, such as acp@v2.", autocompletion=completion.targets
)
_RECORDED = "as recorded"


@app.command("import")
def import_(  # noqa: PLR0913, PLR0917  (each is an argument of the command)
    target: Annotated[str, _TARGET],
    upstream_file: Annotated[
        Path, typer.Argument(metavar="UPSTREAM_FILE", exists=True, dir_okay=False, help="The upstream file.")
    ],
    project: Annotated[str | None, typer.Option(help="Upstream project.", show_default=_RECORDED)] = None,
    release: Annotated[str | None, typer.Option(help="Release of the project.", show_default=_RECORDED)] = None,
    path: Annotated[str | None, typer.Option(help="Path within the project.", show_default=_RECORDED)] = None,
    licence: Annotated[str | None, typer.Option(help="Licence of the file.", show_default=_RECORDED)] = None,
) -> None:
    """Make a bundled schema and its entry in schema/sources.toml from an upstream file."""
    with _reported():
        chosen = catalogue.parse_target(target)
        given = {"project": project, "release": release, "path": path, "licence": licence}
        origin = _origin(chosen, given)
        schema_import.import_schema(chosen, upstream_file.read_bytes(), origin, file=upstream_file.as_posix())
        typer.echo(f"{catalogue.schema_name(chosen)}: imported")


@app.command()
def verify(
    target: Annotated[str | None, _TARGET] = None,
    upstream: Annotated[
        Path | None, typer.Option(exists=True, help="Upstream file, or a folder to find the upstream files in.")
    ] = None,
) -> None:
    """Check the bundled schemas against schema/sources.toml, and against the upstream files if they are given."""
    with _reported():
        chosen = [catalogue.parse_target(target)] if target else catalogue.targets()
        sound = [one for one in chosen if _is_sound(one, upstream)]
        if len(sound) < len(chosen):
            raise typer.Exit(1)


@app.command("list")
def list_() -> None:
    """List the bundled schemas and where they come from."""
    with _reported():
        for target, source in schema_import.sources().items():
            origin = source.origin
            typer.echo(f"{target}\t{origin.project} {origin.release}\t{origin.path}\t{origin.licence}")


def _is_sound(target: catalogue.Target, upstream: Path | None) -> bool:
    findings = schema_import.verify(target, upstream)
    _print(findings)
    if not findings:
        typer.echo(f"{target}: verified")
    return not findings


def _origin(target: catalogue.Target, given: dict[str, str | None]) -> Origin:
    """The origin that the options give, and for the rest the one that is recorded."""
    recorded = schema_import.sources().get(target)
    values = {key: value or (getattr(recorded.origin, key) if recorded else None) for key, value in given.items()}
    if missing := [f"--{key}" for key, value in values.items() if not value]:
        raise InvalidInput(
            [
                Diagnostic(
                    "no-origin",
                    f"{target} has no recorded origin",
                    hint=f"say where the file comes from with {', '.join(missing)}",
                )
            ]
        )
    return Origin(**{key: str(value) for key, value in values.items()})


@contextmanager
def _reported() -> Generator[None]:
    """Prints the diagnostics of bad input and exits with 2."""
    try:
        yield
    except InvalidInput as error:
        _print(error.diagnostics)
        raise typer.Exit(2) from None


def _print(diagnostics: Iterable[Diagnostic]) -> None:
    for diagnostic in diagnostics:
        typer.echo(str(diagnostic), err=True)
