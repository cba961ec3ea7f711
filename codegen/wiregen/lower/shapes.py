"""What a JSON Schema may say and declarations cannot: found before anything is lowered."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from wiregen.document import Document
from wiregen.errors import Diagnostic
from wiregen.json_text import is_object, pointer
from wiregen.keywords import ANNOTATIONS, ASSERTIONS, Steps, subschemas
from wiregen.lower.labels import constants
from wiregen.lower.reading import BRANCHES, Schema, branches, kinds_said

Finding = tuple[str, str, str, str]
"""Code, keyword, message and hint of what is wrong with one schema, apart from those inside it."""

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

_KINDS = {
    "null": {"null"},
    "boolean": {"boolean"},
    "string": {"string"},
    "integer": {"integer"},
    "number": {"integer", "number"},
    "array": {"array"},
    "object": {"object"},
}
_KIND_OF_VALUE: Mapping[type, str] = {bool: "boolean", str: "string", int: "integer"}
_EVERY_KIND = frozenset(_KINDS)


def spelt_out(document: Document) -> Document:
    """A document in which each schema `true` is written as the empty schema, which says the same."""
    definitions = {name: _spelt_out(schema) for name, schema in document.definitions.items()}
    return replace(document, definitions=definitions)


def _spelt_out(schema: Any) -> Any:
    if schema is True:
        return {}
    if not is_object(schema):
        return schema
    copy = dict(schema)
    for (first, *inner), part in subschemas(schema):
        keyword = str(first)
        if inner:
            if copy[keyword] is schema[keyword]:
                copy[keyword] = schema[keyword].copy()
            copy[keyword][inner[0]] = _spelt_out(part)
        else:
            copy[keyword] = _spelt_out(part)
    return copy


def unsupported(document: Document) -> Iterator[Diagnostic]:
    """What of a document has no counterpart in the IR, in document order."""
    kinds = _Kinds(document)
    waiting: list[tuple[Steps, Any, bool]] = [
        ((document.definitions_key, name), schema, False) for name, schema in reversed([*document.definitions.items()])
    ]
    while waiting:
        path, schema, is_typed = waiting.pop()
        is_typed = is_typed or kinds.of(schema) <= {"object"}
        for code, keyword, message, hint in _findings(schema, kinds, is_typed):
            yield Diagnostic(code, message, document.file, pointer((*path, keyword)), hint=hint)
        inner = [
            ((*path, *step), part, is_typed and step[0] in ("allOf", *BRANCHES))
            for step, part in subschemas(schema)
            if step[0] not in ("not", "unevaluatedProperties") and is_object(part)
        ]
        waiting.extend(reversed(inner))


class _Kinds:
    """Which kinds of JSON value schemas accept at most."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._of_definitions: dict[str, frozenset[str]] = {}

    def of(self, schema: Schema) -> frozenset[str]:
        found = said(schema)
        if "const" in schema or "enum" in schema:
            found &= _kinds_of_values(schema)
        for part in schema.get("allOf", ()):
            found &= self.of(part)
        for keyword in BRANCHES:
            if keyword in schema:
                found &= self._of_any(schema[keyword])
        return found & self._of_definition(schema["$ref"].rpartition("/")[2]) if "$ref" in schema else found

    def of_union(self, schema: Schema) -> frozenset[str]:
        """The kinds that the members of a schema's union accept; the union may be one that it merges."""
        members: list[Schema] = [member for keyword in BRANCHES for member in schema.get(keyword, ())]
        merged: list[Schema] = [part for part in schema.get("allOf", ()) if branches(self._target(part))]
        return self._of_any([*members, *merged])

    def _of_any(self, schemas: list[Schema]) -> frozenset[str]:
        return frozenset(kind for schema in schemas for kind in self.of(schema))

    def _target(self, schema: Schema) -> Schema:
        while "$ref" in schema:
            schema = self.document.definitions[schema["$ref"].rpartition("/")[2]]
        return schema

    def _of_definition(self, name: str) -> frozenset[str]:
        if name not in self._of_definitions:
            self._of_definitions[name] = self.of(self.document.definitions[name])
        return self._of_definitions[name]


def said(schema: Schema) -> frozenset[str]:
    """The kinds of JSON value that a schema's own `type` allows."""
    if "type" not in schema:
        return _EVERY_KIND
    return frozenset(kind for name in kinds_said(schema) for kind in _KINDS[name])


def _findings(schema: Schema, kinds: _Kinds, is_typed: bool) -> Iterator[Finding]:
    for keyword, kind in _KIND_OF.items():
        says_something = bool(schema.get(keyword)) or (keyword in schema and schema[keyword] == 0)
        if says_something and "type" not in schema and not (is_typed and kind == "object"):
            message = f"{keyword!r} stands where no type is said: every value that is no {kind} is accepted"
            yield "untyped-keyword", keyword, message, f'write "type": "{kind}" beside it'
    yield from _enumeration_findings(schema)
    yield from _union_findings(schema, kinds)
    if "not" in schema and not _sets_a_member_apart(schema):
        message = "`not` is understood only where it names constants of a required property of an object"
        yield "unsupported-not", "not", message, "say which values are accepted"


def _enumeration_findings(schema: Schema) -> Iterator[Finding]:
    keyword = next((keyword for keyword in ("const", "enum") if keyword in schema), None)
    if keyword is None:
        return
    kinds = _kinds_of_values(schema)
    if len(kinds) != 1 or kinds == {"number"}:
        message = "the values are not all strings, all integers or all booleans"
        yield "unsupported-enum", keyword, message, "use one kind of value"
    elif not kinds <= said(schema):
        yield "unsupported-enum", keyword, "the values are not of the type that is said", "correct the type"
    for other in schema:
        if other in ASSERTIONS and other not in (keyword, "type"):
            message = f"{other!r} is not understood beside {keyword!r}"
            yield "unsupported-enum", other, message, "keep one of the two"


def _kinds_of_values(schema: Schema) -> set[str]:
    """The kinds of the values that `const` or `enum` lists; what no enumeration can hold counts as a number."""
    values: list[object] = [schema["const"]] if "const" in schema else schema["enum"]
    return {_KIND_OF_VALUE.get(type(value), "number") for value in values}


def _union_findings(schema: Schema, kinds: _Kinds) -> Iterator[Finding]:
    found = [keyword for keyword in BRANCHES if keyword in schema]
    if len(found) > 1:
        yield "unsupported-union", found[1], "two unions stand in one schema", "write out the members of one union"
    if kinds.of_union(schema) - said(schema):
        message = "the type that is said refuses values that members of the union accept"
        yield "unsupported-union", "type", message, "say the type in each member"
    members: list[Schema] = schema.get("oneOf", [])
    if len({json.dumps(member, sort_keys=True) for member in members}) < len(members):
        message = "two members are the same: no value is of exactly one of them"
        yield "unsupported-union", "oneOf", message, "remove one of them"
    merging = next((keyword for keyword in ("allOf", "$ref") if keyword in schema), None)
    if merging is not None and not kinds.of(schema):
        yield "unsupported-merge", merging, "no value is of all the types that are merged", "keep the one that is meant"


def _sets_a_member_apart(schema: Schema) -> bool:
    """Whether the `not` of a schema excludes constants of a property: the tags that other members have."""
    if not any(schema.get(keyword) for keyword in ("properties", "$ref", "allOf")):
        return False
    rejected: Schema = schema["not"]
    members = rejected["anyOf"] if _asserted(rejected) == {"anyOf"} else [rejected]
    return all(map(_names_a_constant, members))


def _names_a_constant(schema: Schema) -> bool:
    found = constants(schema)
    is_exact = set(schema.get("properties", ())) == set(found) == set(schema.get("required", ()))
    return len(found) == 1 and is_exact and _asserted(schema) <= {"type", "properties", "required"}


def _asserted(schema: Schema) -> set[str]:
    return {keyword for keyword in schema if keyword not in ANNOTATIONS and not keyword.startswith("x-")}
