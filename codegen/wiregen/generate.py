"""Schemas to a package: the whole way, in memory."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wiregen import catalogue, errata, load, names
from wiregen.catalogue import Target
from wiregen.emit import models, version
from wiregen.emit import package as emit_package
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.format import format_files
from wiregen.ir import Protocol
from wiregen.lower import lower


@dataclass(frozen=True, slots=True)
class Generated:
    """The files of a package by their path in it, and warnings about what they were made of."""

    files: Mapping[str, str]
    warnings: tuple[Diagnostic, ...]


def read(target: Target, schema: Path | None = None) -> tuple[Protocol, tuple[Diagnostic, ...]]:
    """One protocol version, from the bundled schema or from a file, with the warnings about it.

    Raises:
        InvalidInput: the schema cannot be read, is not one, or says what cannot be generated.
    """
    if schema is None:
        data, name = catalogue.read_schema(target)
        document = load.parse(data, file=name)
    else:
        document = load.read(schema)
    document, warnings = errata.apply(document, errata.read(target), bundled=schema is None)
    return lower(document, target.protocol, target.version), warnings


def generate(targets: Iterable[Target], schemas: Mapping[Target, Path] | None = None, *, package: str) -> Generated:
    """The package that holds some protocol versions.

    Args:
        targets: the versions.
        schemas: the user's own schemas; the others are the bundled ones.
        package: the dotted name under which the package is imported.

    Raises:
        InvalidInput: with everything that is wrong with the schemas.
    """
    protocols: list[Protocol] = []
    warnings: list[Diagnostic] = []
    errors: list[Diagnostic] = []
    for target in targets:
        try:
            protocol, found = read(target, (schemas or {}).get(target))
        except InvalidInput as invalid:
            errors += invalid.diagnostics
        else:
            protocols.append(protocol)
            warnings += found
    if errors:
        raise InvalidInput([*warnings, *errors])
    return Generated(format_files(_emit(protocols, package)), tuple(warnings))


def _emit(protocols: Sequence[Protocol], name: str) -> dict[str, str]:
    files = emit_package.emit(protocols, name)
    for protocol in protocols:
        title = emit_package.title(protocol)
        folder = f"{protocol.name}/{names.module_name(protocol.version)}"
        files[f"{folder}/models.py"] = models.emit(protocol, title)
        files[f"{folder}/__init__.py"] = version.emit(protocol, title)
    return dict(sorted(files.items()))
