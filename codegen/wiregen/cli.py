"""The `wiregen` command: arguments in, exit codes out."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Annotated

import typer

from wiregen import catalogue, config, schema_cli
from wiregen.catalogue import Target
from wiregen.config import Config
from wiregen.errors import Diagnostic, InvalidInput

DONE, FINDINGS, BAD_INPUT = 0, 1, 2

app = typer.Typer(
    help="Typed message classes for ACP and MCP from their JSON Schemas.",
    epilog="Exit codes: 0 done, 1 findings (stale output under --check), 2 bad usage or bad input.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(schema_cli.app, name="schema")


@dataclass(frozen=True, slots=True)
class _Job:
    """What a run generates, and where to."""

    targets: tuple[Target, ...]
    schemas: dict[Target, Path]
    output: Path
    package: str


def main() -> None:
    """Run the command; an interrupt ends it without a traceback."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"wiregen {installed_version('wiregen')}")
        raise typer.Exit(DONE)


@app.callback()
def _options(
    version: Annotated[  # noqa: ARG001  (the callback has acted on it)
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Typed message classes for ACP and MCP from their JSON Schemas."""


@app.command()
def generate(
    targets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PROTOCOL@VERSION]...", help="Versions to generate, such as acp@v2.", show_default=False),
    ] = None,
    schema: Annotated[
        list[str] | None,
        typer.Option(metavar="PROTOCOL@VERSION=PATH", help="Use this schema file instead of the bundled one."),
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Folder of the generated package itself.")] = None,
    package: Annotated[
        str | None, typer.Option(metavar="NAME", help="Dotted name that the package is imported under.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if the output is stale.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing; print what would change.")] = False,
) -> None:
    """Generate the package, as the flags or [tool.wiregen] in pyproject.toml say."""
    try:
        job = _job(config.load(Path.cwd()), targets or [], schema or [], output, package)
        code = _run(job, check=check, diff=diff)
    except InvalidInput as error:
        _print(error.diagnostics)
        code = BAD_INPUT
    raise typer.Exit(code)


def _run(job: _Job, *, check: bool, diff: bool) -> int:
    # Loaded here: what only prints help or refuses its arguments does not wait for it.
    from wiregen import generate as generation  # noqa: PLC0415
    from wiregen import write  # noqa: PLC0415

    generated = generation.generate(job.targets, job.schemas, package=job.package)
    _print(generated.warnings)
    plan = write.plan({name: text.encode() for name, text in generated.files.items()}, job.output)
    if diff:
        typer.echo(write.diff(plan), nl=False)
    if check:
        _print(write.findings(plan, command="wiregen generate"))
    if check or diff:
        return DONE if plan.is_current or not check else FINDINGS
    write.apply(plan)
    return DONE


def _job(settings: Config, targets: list[str], schemas: list[str], output: Path | None, package: str | None) -> _Job:
    """The flags, and what the configuration says where there is none."""
    own = dict(_own_schema(text) for text in schemas)
    named = {catalogue.parse_target(text) for text in targets} | own.keys()
    chosen = tuple(target for target in catalogue.targets() if target in named) or settings.versions
    if not chosen:
        raise _usage("no-versions", "nothing says which versions to generate", "name them, as in acp@v2", "versions")
    folder = output or settings.output
    if folder is None:
        raise _usage("no-output", "nothing says where to write to", "give --output DIR", "output")
    name = package or (settings.package if output is None else None) or folder.absolute().name
    if not config.is_dotted_name(name):
        raise _usage("bad-package", f"{name!r} is no package name", "give --package NAME, such as app.wire", "package")
    if name.rpartition(".")[2] != folder.absolute().name:
        message = f"the package {name} cannot lie in a folder called {folder.absolute().name}"
        raise _usage("bad-package", message, "end both with the same name", "package")
    return _Job(chosen, {**settings.schemas, **own}, folder, name)


def _own_schema(text: str) -> tuple[Target, Path]:
    target, equals, path = text.partition("=")
    if not equals or not path:
        message = f"--schema {text}: not of the form PROTOCOL@VERSION=PATH"
        raise InvalidInput([Diagnostic("bad-usage", message, hint="write for example acp@v2=schema.json")])
    return catalogue.parse_target(target), Path(path)


def _usage(code: str, message: str, flag: str, key: str) -> InvalidInput:
    return InvalidInput([Diagnostic(code, message, hint=f"{flag}, or set {key} under [tool.wiregen] in pyproject.toml")])


def _print(diagnostics: Iterable[Diagnostic]) -> None:
    for diagnostic in diagnostics:
        typer.echo(str(diagnostic), err=True)
