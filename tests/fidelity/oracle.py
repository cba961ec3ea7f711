"""The judge: the bundled JSON Schema of a version, with its errata, under an independent validator.

Nothing here comes from the generator: the schema file and the list of errata are read as data.
"""

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import jsonschema_rs

from .json_values import JSON, same

SCHEMAS = Path(__file__).resolve().parents[2] / "schema"

Schema: TypeAlias = dict[str, Any]


class Oracle:
    """Says what the schema of one version accepts. `format` never asserts."""

    def __init__(self, protocol: str, version: str, document: Schema) -> None:
        self.protocol = protocol
        self.version = version
        self.document = document
        self.root = "$defs" if "$defs" in document else "definitions"
        self.definitions: dict[str, Schema] = document[self.root]
        self._validators = jsonschema_rs.validator_map_for(document, validate_formats=False)

    def accepts(self, name: str, value: JSON) -> bool:
        """Whether a definition, or the schema at a JSON pointer (`#/...`), accepts the value."""
        pointer = name if name.startswith("#") else f"#/{self.root}/{name}"
        validator = self._validators.get(pointer)
        if validator is None:
            raise LookupError(f"no schema at {pointer}")
        return validator.is_valid(value)

    def schema(self, name: str) -> Schema:
        """The schema of a definition, or at a JSON pointer (`#/...`)."""
        if not name.startswith("#"):
            return self.definitions[name]
        schema: Schema = _at(self.document, _steps(name.removeprefix("#")))
        return schema

    def subschemas(self) -> Iterator[tuple[str, Schema]]:
        """Every schema in the definitions, at any depth, with its pointer."""
        todo = [(f"#/{self.root}/{name}", schema) for name, schema in self.definitions.items()]
        while todo:
            pointer, schema = todo.pop()
            yield pointer, schema
            for keyword in ("items", "additionalProperties", "not"):
                if isinstance(schema.get(keyword), dict):
                    todo.append((f"{pointer}/{keyword}", schema[keyword]))
            for keyword in ("allOf", "anyOf", "oneOf"):
                todo += ((f"{pointer}/{keyword}/{i}", member) for i, member in enumerate(schema.get(keyword, ())))
            todo += ((f"{pointer}/properties/{name}", inner) for name, inner in schema.get("properties", {}).items())


@cache
def oracle(protocol: str, version: str) -> Oracle:
    """The judge of one version, for example `("acp", "v2-unstable")`."""
    document: Schema = json.loads((SCHEMAS / protocol / version / "schema.json").read_text(encoding="utf-8"))
    errata = SCHEMAS / protocol / "errata.toml"
    if errata.exists():
        for erratum in tomllib.loads(errata.read_text(encoding="utf-8"))["erratum"]:
            if version in erratum["versions"]:
                _correct(document, erratum["pointer"], erratum["was"], erratum["now"])
    return Oracle(protocol, version, document)


def versions() -> list[tuple[str, str]]:
    """Every bundled (protocol, version)."""
    return sorted((file.parts[-3], file.parts[-2]) for file in SCHEMAS.glob("*/*/schema.json"))


def _correct(document: Schema, pointer: str, was: JSON, now: JSON) -> None:
    *parents, last = _steps(pointer)
    if not same(_at(document, [*parents, last]), was):
        raise ValueError(f"the erratum at {pointer} replaces another value than the schema holds")
    parent = _at(document, parents)
    parent[_key(parent, last)] = now


def _at(value: Any, steps: list[str]) -> Any:
    for step in steps:
        value = value[_key(value, step)]
    return value


def _key(parent: object, step: str) -> str | int:
    return int(step) if isinstance(parent, list) else step


def _steps(pointer: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.removeprefix("/").split("/")]
