"""The JSON Schema keywords: which hold schemas, and which the generator understands."""

from collections.abc import Iterator, Mapping
from typing import Any

from wiregen.json_text import is_array, is_object

SCHEMA_KEYWORDS = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
"""Keywords whose value is one schema (draft-07 also allows a list of them under `items`)."""

LIST_KEYWORDS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
"""Keywords whose value is a list of schemas."""

MAP_KEYWORDS = frozenset(
    {"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)
"""Keywords whose value maps names to schemas."""

UNION_KEYWORDS = frozenset({"anyOf", "oneOf"})
"""Keywords of which a value has to satisfy one member."""

IN_PLACE_KEYWORDS = frozenset({"allOf", "anyOf", "not", "oneOf"})
"""Keywords whose schemas judge the same value as the schema around them, not a part of it."""

ANNOTATIONS = frozenset(
    {
        "$comment",
        "contentEncoding",
        "contentMediaType",
        "default",
        "deprecated",
        "description",
        "discriminator",
        "examples",
        "format",
        "readOnly",
        "title",
        "writeOnly",
    }
)
"""Supported keywords that neither accept nor refuse a value."""

ASSERTIONS = frozenset(
    {
        "$ref",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "enum",
        "items",
        "maxItems",
        "maxLength",
        "maximum",
        "minItems",
        "minLength",
        "minimum",
        "not",
        "oneOf",
        "properties",
        "required",
        "type",
        "unevaluatedProperties",
    }
)
"""Supported keywords that decide which values a schema accepts."""

ROOT_KEYWORDS = frozenset({"$defs", "$id", "$schema", "definitions"})
"""Keywords that are supported at the root of a document only."""

Steps = tuple[str | int, ...]
"""The way from a schema to one inside it: keywords, names and list indices."""


def subschemas(schema: Mapping[str, Any]) -> Iterator[tuple[Steps, Any]]:
    """The schemas directly inside `schema`, each with its path from there, in document order.

    A name under `properties` or `$defs` is a name, whatever it says; values of `default`, `const`, `enum` and
    `examples` are data and never schemas.
    """
    for keyword, value in schema.items():
        if keyword in MAP_KEYWORDS and is_object(value):
            yield from (((keyword, name), inner) for name, inner in value.items())
        elif keyword in LIST_KEYWORDS and is_array(value):
            yield from (((keyword, index), inner) for index, inner in enumerate(value))
        elif keyword in SCHEMA_KEYWORDS:
            if is_array(value):
                yield from (((keyword, index), inner) for index, inner in enumerate(value))
            else:
                yield (keyword,), value


def is_supported(keyword: str, *, at_root: bool) -> bool:
    """Whether the generator understands `keyword`; `x-` keywords are extensions and always are."""
    return (
        keyword in ASSERTIONS
        or keyword in ANNOTATIONS
        or keyword.startswith("x-")
        or (at_root and keyword in ROOT_KEYWORDS)
    )
