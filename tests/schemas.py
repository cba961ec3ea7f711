"""Small schemas, and what the generator makes of them."""

import importlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from wiregen import ir, runtime
from wiregen.document import parse
from wiregen.emit import models, version
from wiregen.emit.package import title
from wiregen.errors import InvalidInput
from wiregen.format import format_files
from wiregen.lower import lower

Schema: TypeAlias = dict[str, Any]

WAVE: Schema = {"type": "object", "properties": {}, "x-method": "wave", "x-side": "agent"}
"""A method: a schema without any is refused."""
STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
NULL: Schema = {"type": "null"}


@dataclass(frozen=True, slots=True)
class Package:
    """A generated package of one version."""

    version: Any
    decode: Callable[[Any, object], Any]
    encode: Callable[..., bytes]
    present: Callable[[Any, str], bool]
    problems: Callable[[Any], list[tuple[str, str]]]


def obj(properties: Mapping[str, Any], *required: str, **more: Any) -> Schema:
    """An object schema."""
    return {"type": "object", "properties": dict(properties), "required": list(required), **more}


def ref(name: str) -> Schema:
    """A reference to a definition."""
    return {"$ref": f"#/$defs/{name}"}


def constant(value: str) -> Schema:
    """A string constant."""
    return {"type": "string", "const": value}


def document(definitions: Mapping[str, Any]) -> bytes:
    """A schema document with definitions and one method."""
    root = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {**definitions, "WaveNotification": WAVE},
    }
    return json.dumps(root).encode()


def lowered(definitions: Mapping[str, Any]) -> ir.Protocol:
    """The IR of definitions, lowered as those of ACP."""
    return lower(parse(document(definitions), file="a.json"), "acp", "v1")


def findings(definitions: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Code and JSON pointer of each diagnostic that definitions lead to."""
    with pytest.raises(InvalidInput) as caught:
        lowered(definitions)
    assert all(found.message and found.file == "a.json" for found in caught.value.diagnostics)
    return [(found.code, found.pointer or "") for found in caught.value.diagnostics]


def version_modules(protocol: ir.Protocol) -> dict[str, str]:
    """The modules that are made of one version alone, by file name."""
    name = title(protocol)
    printed = models.Printer().emit(protocol, name)
    return format_files({"__init__.py": version.emit(protocol, name), "models.py": printed})


def write_package(folder: Path, versions: Mapping[str, Mapping[str, str]]) -> None:
    """A package of several versions' modules and of what they need."""
    files = {file.name: file.read_text(encoding="utf-8") for file in Path(*runtime.__path__).glob("*.py")}
    files |= {"__init__.py": "", "p/__init__.py": "", "py.typed": ""}
    files |= {f"p/{name}/{file}": text for name, modules in versions.items() for file, text in modules.items()}
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def import_package(modules: Mapping[str, str], folder: Path, name: str) -> Package:
    """A package of one version's modules, written below a folder and imported from there."""
    write_package(folder / name, {"v": modules})
    sys.path.insert(0, str(folder))
    try:
        found = importlib.import_module(f"{name}.p.v")
        codec: Any = importlib.import_module(f"{name}.codec")
        problems: Any = importlib.import_module(f"{name}.problems")
    finally:
        sys.path.remove(str(folder))
    return Package(found, codec.decode, codec.encode, codec.present, problems.problems)


def imported(definitions: Mapping[str, Any], folder: Path) -> Package:
    """The package that is generated from definitions."""
    return import_package(version_modules(lowered(definitions)), folder, f"made_{folder.name}")
