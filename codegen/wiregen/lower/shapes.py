"""What a JSON Schema may say and declarations cannot: found before anything is lowered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wiregen.errors import Diagnostic
from wiregen.json_text import is_object, pointer
from wiregen.keywords import ANNOTATIONS, ASSERTIONS, Steps, subschemas
from wiregen.load import Document
from wiregen.lower.labels import constants

Schema = Mapping[str, Any]

_KIND_OF = {
    "minLength": "string",
    "maxLength": "string",
    "minimum": "number",
    "maximum": "number",
    "items": "array",
    "minItems": "array",
    "maxItems": "array",
    "additionalProperties": "object",
    "properties": "object",
    "required": "object",
}
"""The kind of value that a keyword speaks of: it accepts values of every other kind."""

_PYTHON = {"string": str, "integer": int, "boolean": bool}
_CONJUNCTIONS = ("allOf", "anyOf", "oneOf")


def unsupported(document: Document) -> list[Diagnostic]:
    """What of a document has no counterpart in the IR, in document order."""
    found: list[Diagnostic] = []
    waiting: list[tuple[Steps, Any, bool]] = [
        ((document.definitions_key, name), schema, False) for name, schema in reversed(document.definitions.items())
    ]
    while waiting:
        path, schema, is_typed = waiting.pop()
        if not is_object(schema):
            continue
        is_typed = is_typed or _takes_objects_only(schema, document)
        for code, key, message, hint in _findings(schema, is_typed):
            found.append(Diagnostic(code, message, document.file, pointer((*path, key)), hint=hint))
        inner = [
            ((*path, *step), sub, is_typed and step[0] in _CONJUNCTIONS)
            for step, sub in subschemas(schema)
            if step[0] != "not"
        ]
        waiting.extend(reversed(inner))
    return found


def _findings(schema: Schema, is_typed: bool) -> Iterator[tuple[str, str, str, str]]:
    """Code, keyword, message and hint of what is wrong with one schema, apart from those inside it."""
    yield from _untyped(schema, is_typed)
    yield from _undeclared(schema)
    yield from _values(schema)
    if "not" in schema and not _sets_a_member_apart(schema):
        message = "`not` is understood only where it names constants of a required property of an object"
        yield "unsupported-not", "not", message, "say which values are accepted"


def _untyped(schema: Schema, is_typed: bool) -> Iterator[tuple[str, str, str, str]]:
    kinds = _kinds(schema)
    for key, kind in _KIND_OF.items():
        says_something = key in schema and schema[key] not in (True, {}, [])
        if says_something and not kinds and not (is_typed and kind == "object"):
            message = f"{key!r} stands where no type is said: it accepts whatever is no {kind}"
            yield "untyped-keyword", key, message, f'write "type": "{kind}" beside it'


def _undeclared(schema: Schema) -> Iterator[tuple[str, str, str, str]]:
    for wire in schema.get("required", ()):
        if not any(key in schema for key in ("properties", "$ref", *_CONJUNCTIONS)):
            yield "undeclared-required", "required", undeclared(wire), "declare it under properties"


def undeclared(wire: str) -> str:
    """What to say of a required property that is not declared."""
    return f"required property {wire!r} is not declared"


def _values(schema: Schema) -> Iterator[tuple[str, str, str, str]]:
    for key in ("const", "enum"):
        if key not in schema:
            continue
        values = [schema[key]] if key == "const" else schema[key]
        types = {type(value) for value in values}
        allowed = _kinds(schema)
        if len(types) > 1 or not types <= {str, int, bool}:
            message = "the values are not all strings, all integers or all booleans"
            yield "unsupported-enum", key, message, "use one kind of value"
        elif allowed and not types <= {_PYTHON.get(kind.replace("number", "integer")) for kind in allowed}:
            yield "unsupported-enum", key, "the values are not of the type that is said", "correct the type"
        for other in schema:
            if other in ASSERTIONS and other not in (key, "type"):
                message = f"{other!r} is not understood beside {key!r}"
                yield "unsupported-enum", other, message, "leave out the values that it refuses, and the keyword"


def _sets_a_member_apart(schema: Schema) -> bool:
    """Whether the `not` of a schema excludes constants of a property: the tags that other members have."""
    if not any(key in schema for key in ("properties", "$ref", "allOf")):
        return False
    rejected = schema["not"]
    if not is_object(rejected):
        return False
    members = rejected["anyOf"] if "anyOf" in rejected and _asserted(rejected) == {"anyOf"} else [rejected]
    return all(is_object(member) and _names_constants(member) for member in members)


def _names_constants(schema: Schema) -> bool:
    found = constants(schema)
    is_exact = set(schema.get("properties", ())) == set(found) == set(schema.get("required", ()))
    return len(found) == 1 and is_exact and _asserted(schema) <= {"type", "properties", "required"}


def _asserted(schema: Schema) -> set[str]:
    return {key for key in schema if key not in ANNOTATIONS and not key.startswith("x-")}


def _kinds(schema: Schema) -> list[str]:
    kinds = schema.get("type", [])
    return kinds if isinstance(kinds, list) else [kinds]


def _takes_objects_only(schema: Any, document: Document) -> bool:
    if not is_object(schema):
        return False
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    conjuncts = [*schema.get("allOf", ()), *([document.definitions[name]] if name else [])]
    alternatives = schema.get("anyOf") or schema.get("oneOf") or ()
    return (
        _kinds(schema) == ["object"]
        or any(_takes_objects_only(part, document) for part in conjuncts)
        or (bool(alternatives) and all(_takes_objects_only(part, document) for part in alternatives))
    )
