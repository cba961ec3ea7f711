"""The outputs to generate: what the configuration says, and what the flags say instead."""

from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from wiregen import catalogue
from wiregen.catalogue import Target
from wiregen.config import ConfigFile
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.output_check import checked
from wiregen.parts import PARTS
from wiregen.paths import overlapping, real
from wiregen.settings import LINE_LENGTH, Config, Output, Settings, folder_name, package_problem


def resolve(found: ConfigFile, flags: Settings = Settings()) -> Config:  # noqa: B008  (frozen)
    """The outputs in full.

    A flag holds for every output, instead of what the file says; `output` picks the output of that folder, or, if
    the file names none there, adds one with what the file says of all. Raises `InvalidInput` for what nobody says, and
    for what cannot be: where the file is to be corrected, with its line.
    """
    chosen = _chosen(found, flags)
    if len(chosen) > 1 and flags.package:
        message = "one package name cannot stand for several outputs"
        raise _usage("bad-package", message, "pick one with --output DIR")
    return checked(Config(tuple(_output(_override(settings, flags), found, line) for settings, line in chosen)))


def _chosen(found: ConfigFile, flags: Settings) -> list[tuple[Settings, int | None]]:
    """The outputs, each with the line of the file that it begins on."""
    configured = list(zip_longest(found.outputs, found.lines))
    if flags.output is None:
        if not configured:
            hint = "give --output DIR, or set output under [tool.wiregen] in pyproject.toml; `wiregen init` writes one"
            raise _usage("no-output", "nothing says where to write to", hint, found, found.line)
        return configured
    folder = real(flags.output)
    if same := [
        (settings, line) for settings, line in configured if settings.output and real(settings.output) == folder
    ]:
        return same
    others = [settings.output for settings in found.outputs if settings.output]
    for first, second in overlapping([flags.output, *others]):
        if first == 0:
            shown = others[second - 1].as_posix()
            message = f"--output {flags.output.as_posix()} overlaps the output {shown} under [tool.wiregen]"
            raise _usage("overlapping-outputs", message, "name that output, or a folder beside it")
    return [(replace(found.common, output=flags.output, package=None), found.line)]


def _override(settings: Settings, flags: Settings) -> Settings:
    """The settings with the flags instead; a schema that a flag gives is of a version that is generated."""
    merged = replace(flags.over(settings), output=settings.output)
    if flags.versions or not settings.versions:
        named = {*flags.versions, *flags.schemas}
        return replace(merged, versions=tuple(sorted(named, key=_order)))
    if unused := [str(target) for target in flags.schemas if target not in settings.versions]:
        message = f"{', '.join(unused)} is not among the versions to generate"
        raise _usage("unused-schema", message, "name the versions to generate, or leave the schema out")
    return merged


def _output(settings: Settings, found: ConfigFile, line: int | None) -> Output:
    folder = settings.output
    assert folder is not None
    if not settings.versions:
        hint = "name them, as in acp@v2, or set versions under [tool.wiregen] in pyproject.toml"
        message = f"nothing says which versions to generate into {folder.as_posix()}"
        raise _usage("no-versions", message, hint, found, line)
    return Output(
        folder=folder,
        package=_package(settings.package, folder),
        versions=settings.versions,
        schemas={target: path for target, path in settings.schemas.items() if target in settings.versions},
        emit=settings.emit or tuple(PARTS),
        line_length=settings.line_length or LINE_LENGTH,
        templates=settings.templates,
    )


def _package(name: str | None, folder: Path) -> str:
    name = name or folder_name(folder)
    if problem := package_problem(name, folder):
        message, hint = problem
        raise _usage("bad-package", message, f"{hint}; --package NAME or package under [tool.wiregen] says the name")
    return name


def _order(target: Target) -> int:
    return catalogue.targets().index(target)


def _usage(
    code: str, message: str, hint: str, found: ConfigFile | None = None, line: int | None = None
) -> InvalidInput:
    """What to raise for what the flags say, or for what `found` could say on a line."""
    file = found.file.as_posix() if found and found.file else None
    return InvalidInput([Diagnostic(code, message, file=file, line=line, hint=hint)])
