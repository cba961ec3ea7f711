"""What the members of a union are called in the schema: by the constant of a property, or by their title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wiregen.ir import Origin
from wiregen.lower.simplify import Labels


def label_of(schema: Mapping[str, Any], tag: str | None) -> str | None:
    """What a member of a union is called: the value of its tag, or its title."""
    found = constants(schema)
    if tag in found:
        return found[tag]
    title = schema.get("title")
    return title if isinstance(title, str) else next(iter(found.values()), None)


def labels(members: Sequence[Mapping[str, Any]], origin: Origin) -> Labels:
    """What the members of the union at a place are called, with their descriptions; constants are no members."""
    tag = tag_of(members)
    named = [(label_of(m, tag), m.get("description")) for m in members if "const" not in m and "enum" not in m]
    return tuple(
        (Origin(origin.definition, origin.path, label), description)
        for label, description in named
        if label is not None
    )


def tag_of(members: Sequence[Mapping[str, Any]]) -> str | None:
    """The property whose constants tell most members of a union apart."""
    counts: dict[str, set[str]] = {}
    for member in members:
        for wire, value in constants(member).items():
            counts.setdefault(wire, set()).add(value)
    return max(counts, key=lambda wire: len(counts[wire]), default=None)


def constants(schema: Mapping[str, Any]) -> dict[str, str]:
    """Required string constants among a member's own properties, by wire name."""
    required = frozenset(schema.get("required", ()))
    properties: Mapping[str, Any] = schema.get("properties", {})
    return {
        wire: value
        for wire, prop in properties.items()
        if wire in required and isinstance(value := _constant(prop), str)
    }


def _constant(schema: Mapping[str, Any]) -> Any:
    """The one value that a schema allows, if it allows one."""
    if "const" in schema:
        return schema["const"]
    values = schema.get("enum", ())
    return values[0] if len(values) == 1 else None
