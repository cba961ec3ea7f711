"""Schemas to a package: the whole way, in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from wiregen import catalogue, docs, document, errata, names, style, templates
from wiregen.bundled_rules import bundled_rules
from wiregen.catalogue import Target
from wiregen.docs import Docs
from wiregen.docs_attach import attach
from wiregen.emit import capabilities, dispatch, models, version
from wiregen.emit import package as emit_package
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.format import format_files
from wiregen.ir import Protocol
from wiregen.lower import lower
from wiregen.parts import with_needed
from wiregen.progress import OnStep, tell_nobody
from wiregen.rule_check import check_newer_schema
from wiregen.settings import Output
from wiregen.style import Style


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
        found = document.parse(data, file=name)
    else:
        found = document.read(schema)
    found, warnings = errata.apply(found, errata.read(target), bundled=schema is None)
    if schema is not None:
        file = catalogue.table_name(target.protocol, "capabilities")
        warnings += check_newer_schema(bundled_rules(target.protocol), target.version, found.root, file)
    return attach(lower(found, target.protocol, target.version), _docs(target.protocol)), warnings


@cache
def _docs(protocol: str) -> Docs:
    return docs.read(protocol)


def generate(output: Output, on_step: OnStep = tell_nobody) -> Generated:
    """The package that an output describes.

    Args:
        output: what to generate.
        on_step: is told what is done next, before it is done.

    Raises:
        InvalidInput: with everything that is wrong with the schemas, or with the templates.
    """
    if output.templates is not None:
        templates.check(output.templates)
    protocols: list[Protocol] = []
    warnings: list[Diagnostic] = []
    errors: list[Diagnostic] = []
    for target in output.versions:
        on_step(f"reading {target}")
        try:
            protocol, found = read(target, output.schemas.get(target))
        except InvalidInput as invalid:
            errors += invalid.diagnostics
        else:
            protocols.append(protocol)
            warnings += found
    if errors:
        raise InvalidInput([*warnings, *errors])
    with style.using(Style(output.line_length, output.templates)):
        files = emit(protocols, output, on_step)
        on_step("formatting")
        return Generated(format_files(files), tuple(warnings))


def emit(protocols: Sequence[Protocol], output: Output, on_step: OnStep) -> dict[str, str]:
    parts = with_needed(output.emit)
    files = emit_package.emit(protocols, output.package, parts)
    printer = models.Printer()
    for protocol in protocols:
        title = emit_package.title(protocol)
        on_step(f"generating {title}")
        folder = f"{protocol.name}/{names.module_name(protocol.version)}"
        files[f"{folder}/models.py"] = printer.emit(protocol, title)
        lazy = dispatch.public_names(protocol.name) if "dispatch" in parts else {}
        files[f"{folder}/__init__.py"] = version.emit(protocol, title, messages="messages" in parts, lazy=lazy)
        if "dispatch" in parts:
            made = dispatch.emit(protocol, bundled_rules(protocol.name), title)
            files |= {f"{folder}/{name}": text for name, text in made.items()}
    if "capabilities" in parts:
        for name in dict.fromkeys(protocol.name for protocol in protocols):
            held = [protocol for protocol in protocols if protocol.name == name]
            if "dispatch" in parts:
                files |= dispatch.emit_connections(held, emit_package.SHORT_TITLES[name])
            files |= capabilities.emit(held, bundled_rules(name), _docs(name), emit_package.SHORT_TITLES[name])
    return dict(sorted(files.items()))
