"""`wiregen generate` with its arguments, as Typer reads and explains them."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from wiregen import completion, flags, generation
from wiregen.flags import Request
from wiregen.parts import PARTS
from wiregen.settings import LINE_LENGTHS


def _folder(text: str) -> Path:
    try:
        return flags.folder(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


Targets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PROTOCOL@VERSION]...",
        help="Versions to generate, such as acp@v2.",
        show_default=False,
        autocompletion=completion.targets,
    ),
]
Schemas = Annotated[
    list[str] | None,
    typer.Option(
        "--schema",
        metavar="PROTOCOL@VERSION=PATH",
        help="Use this schema file instead of the bundled one; the protocol says which dialect it is written in.",
        show_default=False,
    ),
]
OutputFolder = Annotated[
    Path | None, typer.Option("--output", metavar="DIR", parser=_folder, help="Folder of the generated package itself.")
]
Package = Annotated[
    str | None, typer.Option("--package", metavar="NAME", help="Dotted name that the package is imported under.")
]
Emit = Annotated[
    list[str] | None,
    typer.Option(
        "--emit",
        metavar="PART",
        help=f"Part to generate, with what it needs: {', '.join(PARTS)}. May be repeated; all by default.",
        show_default=False,
        autocompletion=completion.parts,
    ),
]
LineLength = Annotated[
    int | None,
    typer.Option(min=LINE_LENGTHS[0], max=LINE_LENGTHS[-1], help="Longest line of generated code; 120 by default."),
]
Templates = Annotated[
    Path | None,
    typer.Option(
        "--templates", metavar="DIR", parser=_folder, help="Folder of templates to use instead of the bundled ones."
    ),
]
Check = Annotated[bool, typer.Option("--check", help="Write nothing; exit with 1 if an output is stale.")]
Diff = Annotated[bool, typer.Option("--diff", help="Write nothing; print what would change.")]
Full = Annotated[
    bool, typer.Option("--full", help="Generate and compare even where the manifest says that nothing has changed.")
]
FailOnWrite = Annotated[
    bool, typer.Option("--exit-non-zero-on-write", help="Exit with 1 if something had to be written, for a hook.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print findings and errors only.")]
Format = Annotated[
    Literal["text", "json"], typer.Option("--format", help="Print for people, or one JSON object on standard output.")
]


def generate(  # noqa: PLR0913, PLR0917  (each is an argument of the command)
    targets: Targets = None,
    schema: Schemas = None,
    output: OutputFolder = None,
    package: Package = None,
    emit: Emit = None,
    line_length: LineLength = None,
    templates: Templates = None,
    check: Check = False,
    diff: Diff = False,
    full: Full = False,
    fail_on_write: FailOnWrite = False,
    quiet: Quiet = False,
    format_: Format = "text",
) -> None:
    """Generate packages, as the flags or [tool.wiregen] in pyproject.toml say."""
    request = Request(
        targets=targets or [],
        schema=schema or [],
        output=output,
        package=package,
        emit=emit or [],
        line_length=line_length,
        templates=templates,
        check=check,
        diff=diff,
        full=full,
        fail_on_write=fail_on_write,
        quiet=quiet,
        format=format_,
    )
    raise typer.Exit(generation.perform(request))
