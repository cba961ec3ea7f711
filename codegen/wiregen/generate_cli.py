"""`wiregen generate`: write the packages, or check them, or show what would change."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from wiregen import catalogue, config, flags, report, run
from wiregen.errors import InvalidInput
from wiregen.parts import PARTS
from wiregen.report import Report
from wiregen.resolve import resolve
from wiregen.settings import LINE_LENGTHS, Settings
from wiregen.terminal import Terminal

DONE, FINDINGS, BAD_INPUT = 0, 1, 2


def _complete_target(incomplete: str) -> list[str]:
    return [str(target) for target in catalogue.targets() if str(target).startswith(incomplete)]


def _complete_part(incomplete: str) -> list[str]:
    return [part for part in PARTS if part.startswith(incomplete)]


Targets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PROTOCOL@VERSION]...",
        help="Versions to generate, such as acp@v2.",
        show_default=False,
        autocompletion=_complete_target,
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
    Path | None, typer.Option("--output", metavar="DIR", help="Folder of the generated package itself.")
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
        autocompletion=_complete_part,
    ),
]
LineLength = Annotated[
    int | None, typer.Option(min=LINE_LENGTHS[0], max=LINE_LENGTHS[-1], help="Longest line of code; 120 by default.")
]
Templates = Annotated[
    Path | None,
    typer.Option("--templates", metavar="DIR", help="Folder of templates to use instead of the bundled ones."),
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


@dataclass(frozen=True, slots=True)
class Mode:
    """What is done about the outputs."""

    check: bool
    diff: bool
    full: bool
    fail_on_write: bool

    @property
    def writes(self) -> bool:
        """Whether the outputs are written, and not only looked at."""
        return not (self.check or self.diff)

    @property
    def fails_when_stale(self) -> bool:
        """Whether an output that is not as it should be is a finding."""
        return self.check or (self.writes and self.fail_on_write)


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
    terminal = Terminal(quiet=quiet or format_ == "json")
    try:
        given = flags.settings(
            targets=targets or (),
            schema=schema or (),
            output=output,
            package=package,
            emit=emit or (),
            line_length=line_length,
            templates=templates,
        )
        told = _run(given, Mode(check, diff, full, fail_on_write), terminal)
    except InvalidInput as error:
        told = Report(diagnostics=error.diagnostics, exit_code=BAD_INPUT)
    finally:
        terminal.done()
    if format_ == "json":
        typer.echo(told.as_json())
    else:
        told.show(terminal)
    raise typer.Exit(told.exit_code)


def _run(given: Settings, mode: Mode, terminal: Terminal) -> Report:
    outcomes = run.plan_all(resolve(config.load(Path()), given), full=mode.full, on_step=terminal.step)
    if mode.writes:
        run.apply_all(outcomes)
    mend = ["wiregen", "generate", *flags.words(given)]
    is_stale = not all(outcome.is_current for outcome in outcomes)
    return Report(
        outcomes=tuple(outcomes),
        diagnostics=(
            *(warning for outcome in outcomes for warning in outcome.warnings),
            *(report.findings(outcomes, shlex.join(mend)) if mode.check else ()),
        ),
        exit_code=FINDINGS if is_stale and mode.fails_when_stale else DONE,
        is_written=mode.writes,
        has_diff=mode.diff,
    )
