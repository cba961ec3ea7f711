"""Upstream schema files to the structural ones that are bundled, and the proof of where those come from."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wiregen import catalogue, disk, document, json_text
from wiregen.catalogue import Target
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.json_text import is_array, is_object
from wiregen.keywords import LIST_KEYWORDS, MAP_KEYWORDS, SCHEMA_KEYWORDS

_HEADER = "# Where the bundled schemas come from. Written by `wiregen schema import`.\n"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an upstream schema file comes from: `path` is its place in `release` of `project`."""

    project: str
    release: str
    path: str
    licence: str


@dataclass(frozen=True, slots=True)
class Source:
    """One entry of the lock: the origin of a bundled schema, and the SHA-256 of the upstream file and of ours."""

    origin: Origin
    upstream_sha256: str
    sha256: str


def structure(schema: Any) -> Any:
    """`schema` without its descriptions: every string `description` of a schema, and nothing else.

    A property, definition or default of that name is data and stays. Keys keep their order.
    """
    if not is_object(schema):
        return schema
    return {
        keyword: _structure_of_value(keyword, value)
        for keyword, value in schema.items()
        if not (keyword == "description" and isinstance(value, str))
    }


def _structure_of_value(keyword: str, value: Any) -> Any:
    if keyword in MAP_KEYWORDS and is_object(value):
        return {name: structure(inner) for name, inner in value.items()}
    if keyword in LIST_KEYWORDS | SCHEMA_KEYWORDS and is_array(value):
        return [structure(inner) for inner in value]
    return structure(value) if keyword in SCHEMA_KEYWORDS else value


def structural_file(upstream: bytes, *, file: str) -> bytes:
    """The bundled form of an upstream schema file; raises `InvalidInput` if it is none that can be worked with."""
    document.parse(upstream, file=file)
    return (json.dumps(structure(json_text.decode(upstream, file=file)), indent=2, ensure_ascii=False) + "\n").encode()


def import_schema(target: Target, upstream: bytes, origin: Origin, *, file: str) -> None:
    """Writes the bundled schema of `target` and its entry in the lock from an upstream file called `file`."""
    if catalogue.is_installed():
        raise InvalidInput(
            [
                Diagnostic(
                    "read-only-catalogue",
                    "the bundled schemas of an installed wiregen are not changed",
                    hint="run the command in a checkout, or give the file to `wiregen generate --schema`",
                )
            ]
        )
    ours = structural_file(upstream, file=file)
    lock = {**sources(), target: Source(origin, sha256(upstream), sha256(ours))}
    disk.replace_file(catalogue.data_root() / catalogue.schema_name(target), ours)
    disk.replace_file(catalogue.data_root() / catalogue.SOURCES, _lock_text(lock).encode())


def sources() -> dict[Target, Source]:
    """The lock, in canonical order."""
    table = catalogue.read_sources()
    return {
        target: Source(
            Origin(entry["project"], entry["release"], entry["path"], entry["licence"]),
            entry["upstream_sha256"],
            entry["sha256"],
        )
        for target in catalogue.targets()
        if (entry := table.get(target.protocol, {}).get(target.version))
    }


def verify(target: Target, upstream: Path | None = None) -> tuple[Diagnostic, ...]:
    """What is wrong with the bundled schema of `target`; empty if nothing is.

    Its hash must be that of the lock. With `upstream`, a file or a folder in which the upstream file is found by its
    hash, the schema is also made again from there and must come out the same.
    """
    name = catalogue.schema_name(target)
    again = f"run `wiregen schema import {target} UPSTREAM_FILE`"
    source = sources().get(target)
    if source is None:
        return (Diagnostic("no-source", f"{target} has no entry", catalogue.SOURCES, hint=again),)
    if not (catalogue.data_root() / name).is_file():
        return (Diagnostic("no-schema", "there is no such file", name, hint=again),)
    ours, _ = catalogue.read_schema(target)
    findings: list[Diagnostic] = []
    if sha256(ours) != source.sha256:
        message = f"the file is not the one that {catalogue.SOURCES} records"
        findings.append(Diagnostic("schema-changed", message, name, hint=f"restore the file, or {again}"))
    if upstream is not None:
        findings.extend(_verify_origin(target, source, ours, upstream))
    return tuple(findings)


def _verify_origin(target: Target, source: Source, ours: bytes, upstream: Path) -> list[Diagnostic]:
    files = [upstream] if upstream.is_file() else sorted(upstream.rglob("*.json"))
    found = next((data for file in files if sha256(data := file.read_bytes()) == source.upstream_sha256), None)
    origin = source.origin
    if found is None:
        message = f"no file here is {origin.path} of {origin.project} {origin.release}, the origin of {target}"
        hint = "give the file or folder of that release"
        return [Diagnostic("upstream-not-found", message, upstream.as_posix(), hint=hint)]
    if structural_file(found, file=origin.path) != ours:
        message = "the file is not what the upstream file gives without its descriptions"
        hint = f"run `wiregen schema import {target} UPSTREAM_FILE`"
        return [Diagnostic("schema-not-from-upstream", message, catalogue.schema_name(target), hint=hint)]
    return []


def sha256(data: bytes) -> str:
    """The SHA-256 of `data` in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _lock_text(lock: Mapping[Target, Source]) -> str:
    entries = [_HEADER]
    for target in catalogue.targets():
        if source := lock.get(target):
            entries.append(
                f"\n[{target.protocol}.{target.version}]\n"
                f"project = {_toml_string(source.origin.project)}\n"
                f"release = {_toml_string(source.origin.release)}\n"
                f"path = {_toml_string(source.origin.path)}\n"
                f"licence = {_toml_string(source.origin.licence)}\n"
                f"upstream_sha256 = {_toml_string(source.upstream_sha256)}\n"
                f"sha256 = {_toml_string(source.sha256)}\n"
            )
    return "".join(entries)


def _toml_string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
