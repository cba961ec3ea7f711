"""Whether outputs can be generated as they are described: by the command line, by the configuration, or by a program.

Nothing goes past this: what a program hands over has been through no parser, and its types are only promised.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeGuard

from wiregen import catalogue
from wiregen.catalogue import Target
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.parts import PARTS
from wiregen.paths import overlapping
from wiregen.settings import Config, Output, Problem, emit_problem, line_length_problem, package_problem


def checked(config: Config) -> Config:
    """The same outputs, with versions and parts in their order and each once.

    Raises:
        InvalidInput: with everything that is wrong with an output, and with those that overlap.
    """
    findings: list[Diagnostic] = []
    for output in config.outputs:
        findings += _misfits(output) or _findings(output)
    if not findings:
        findings += _overlaps([output.folder for output in config.outputs])
    if findings:
        raise InvalidInput(findings)
    return Config(tuple(map(_in_order, config.outputs)))


def _misfits(output: Any) -> list[Diagnostic]:
    """What is not even of the type that it should have."""
    if not isinstance(output, Output):
        return [Diagnostic("bad-value", f"{output!r} is no Output", hint="give a Config of outputs")]
    given: Any = output
    schemas: Any = given.schemas
    is_right = {
        "folder": isinstance(given.folder, Path),
        "package": isinstance(given.package, str),
        "versions": _is_list(given.versions, Target),
        "schemas": _is_mapping(schemas) and _is_list([*schemas], Target) and _is_list([*schemas.values()], Path),
        "emit": _is_list(given.emit, str),
        "line_length": type(given.line_length) is int,
        "templates": given.templates is None or isinstance(given.templates, Path),
    }
    hint = "see the types of wiregen.Output"
    return [
        Diagnostic("bad-value", f"{name} cannot be {getattr(given, name)!r}", hint=hint)
        for name, fits in is_right.items()
        if not fits
    ]


def _is_mapping(value: Any) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(value, Mapping)


def _is_list(value: Any, kind: type) -> bool:
    items: list[Any] = [*value] if isinstance(value, list | tuple) else []  # pyright: ignore[reportUnknownVariableType]
    return isinstance(value, list | tuple) and all(isinstance(item, kind) for item in items)


def _findings(output: Output) -> list[Diagnostic]:
    if unusable := [*_unusable_paths(output)]:
        return unusable
    problems: dict[str, Problem | None] = {
        "bad-package": package_problem(output.package, output.folder),
        "bad-value": emit_problem([*output.emit]) or line_length_problem(output.line_length),
        "no-versions": None if output.versions else ("no version is to be generated", "name one, as in acp@v2"),
    }
    found = [Diagnostic(code, problem[0], hint=problem[1]) for code, problem in problems.items() if problem]
    for target in dict.fromkeys((*output.versions, *output.schemas)):
        try:
            catalogue.check_known(target)
        except InvalidInput as error:
            found += error.diagnostics
    for target in output.schemas:
        if output.versions and target not in output.versions:
            found.append(unused_schema(target))
    return found


def unused_schema(target: Target) -> Diagnostic:
    """What to say of a schema of one's own for a version that is not generated."""
    hint = "add it to versions, or remove the schema"
    return Diagnostic("unused-schema", f"{target} is not among the versions to generate", hint=hint)


def _unusable_paths(output: Output) -> Iterator[Diagnostic]:
    for path in (output.folder, *output.schemas.values(), output.templates):
        if path is not None and "\0" in str(path):
            yield Diagnostic("bad-value", f"{str(path)!r} is no path", hint="take the NUL out of it")


def _overlaps(folders: Sequence[Path]) -> Iterator[Diagnostic]:
    for first, second in overlapping(folders):
        message = f"the outputs {folders[first].as_posix()} and {folders[second].as_posix()} overlap"
        hint = "give each output a folder of its own, beside the others"
        yield Diagnostic("overlapping-outputs", message, hint=hint)


def _in_order(output: Output) -> Output:
    versions = tuple(target for target in catalogue.targets() if target in output.versions)
    emit = tuple(part for part in PARTS if part in output.emit)
    return replace(output, versions=versions, emit=emit)
