"""Schemas as the lowering reads them: where they stand, and what their keywords say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from wiregen.ir import Enumeration, Origin
from wiregen.lower.labels import constants

Schema = Mapping[str, Any]

STRUCTURE = frozenset({"type", "properties", "required", "items", "additionalProperties", "const", "enum", "not"})
BRANCHES = ("anyOf", "oneOf")


@dataclass(frozen=True, slots=True)
class At:
    """Where a schema stands: a JSON pointer, and the declaration whose name inline objects take on.

    `origin` says where that is in terms of definitions and wire names.
    """

    pointer: str
    owner: str
    origin: Origin

    def __truediv__(self, key: str | int) -> At:
        return replace(self, pointer=f"{self.pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")

    def property(self, wire: str) -> At:
        """The place of a property of the object here."""
        origin = Origin(self.origin.definition, (*self.origin.path, wire))
        return replace(self / "properties" / wire, origin=origin)

    def declaring(self, name: str, schema: Schema, member: str | None = None) -> At:
        """This place as that of a declaration of its own; `member` is its tag or title if it is one of a union."""
        origin = replace(self.origin, member=member, merged=merged_definitions(schema))
        return replace(self, owner=name, origin=origin)


@dataclass(slots=True)
class Alternatives:
    """The union of a flattened object: where it stands, and its members as schemas, each with its place."""

    origin: Origin
    members: list[tuple[Schema, At]]
    exclusive: bool

    @property
    def schemas(self) -> list[Schema]:
        """The members without their places."""
        return [schema for schema, _ in self.members]


def pure_reference(schema: Schema) -> str | None:
    """The definition that a schema stands for and adds nothing to, be it within an `allOf` of one."""
    if any(key in schema for key in (*STRUCTURE, *BRANCHES)):
        return None
    parts = merged(schema)
    if len(parts) != 1:
        return None
    return pure_reference(parts[0]) if "allOf" in schema else schema["$ref"].rpartition("/")[2]


def merged(schema: Schema) -> list[Schema]:
    """The schemas that a value has to satisfy beside the other keywords of a schema."""
    parts = list(schema.get("allOf", ()))
    return [{"$ref": schema["$ref"]}, *parts] if "$ref" in schema else parts


def conjuncts(schema: Schema, at: At) -> list[tuple[Schema, At]]:
    """The same, each with its place; `at` is that of the schema."""
    places = [at / "allOf" / index for index in range(len(schema.get("allOf", ())))]
    return list(zip(merged(schema), [at, *places] if "$ref" in schema else places, strict=True))


def merged_definitions(schema: Schema) -> tuple[str, ...]:
    """The definitions whose fields a schema takes over, as they are or among others."""
    targets = map(pure_reference, (schema, *merged(schema)))
    return tuple(dict.fromkeys(target for target in targets if target is not None))


def alternatives(key: str, members: list[Schema], at: At) -> Alternatives:
    """The union that a keyword of the schema at a place makes."""
    return Alternatives(at.origin, [(member, at / key / i) for i, member in enumerate(members)], key == "oneOf")


def branches(schema: Schema) -> tuple[str, list[Schema]] | None:
    """The members of a schema's union, with the keyword that holds them."""
    for key in BRANCHES:
        if key in schema:
            return key, list(schema[key])
    return None


def enumeration(schema: Schema) -> Enumeration:
    """The values of a schema that lists them; its description is that of a value where there is one only."""
    values = [schema["const"]] if "const" in schema else list(schema["enum"])
    description = schema.get("description") if len(values) == 1 else None
    return Enumeration(tuple(values), descriptions=((values[0], description),) if description else ())


def excluded(schema: Schema) -> dict[str, tuple[str, ...]]:
    """Strings that `not` excludes, by property; its only use is to set an open member of a union apart."""
    found: dict[str, tuple[str, ...]] = {}
    if "not" in schema:
        for member in schema["not"].get("anyOf", [schema["not"]]):
            for wire, value in constants(member).items():
                found[wire] = (*found.get(wire, ()), value)
    return found


def kinds_said(schema: Schema) -> list[str]:
    """The kinds of JSON value that the `type` of a schema names; none where it has no `type`."""
    names: str | list[str] = schema.get("type", [])
    return [names] if isinstance(names, str) else names
