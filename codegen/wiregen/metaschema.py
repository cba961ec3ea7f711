"""Whether a document is a JSON Schema: what its metaschema says, of one schema after the other.

The validator finds all errors of a value at once, with time and memory for each. So a document that is none is taken
apart, and no more is looked at than is told.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from reprlib import Repr
from typing import Any, Final

import jsonschema_rs

from wiregen import complexity
from wiregen.errors import Diagnostic
from wiregen.json_text import Limits, is_object, pointer
from wiregen.keywords import Steps, is_supported, subschemas

DRAFT_07: Final = "http://json-schema.org/draft-07/schema"
DRAFT_2020_12: Final = "https://json-schema.org/draft/2020-12/schema"
DEFINITIONS_KEYS: Final = {DRAFT_07: ("definitions",), DRAFT_2020_12: ("$defs", "definitions")}
"""The keywords that may hold definitions; the metaschema checks what is under them."""
_METASCHEMAS: Final = {
    DRAFT_07: jsonschema_rs.Draft7Validator({"$ref": DRAFT_07 + "#"}, mask="it"),
    DRAFT_2020_12: jsonschema_rs.Draft202012Validator({"$ref": DRAFT_2020_12}, mask="it"),
}
_BATCH: Final = 500
_SHOWN: Final = Repr()
_SHOWN.maxlevel, _SHOWN.maxstring, _SHOWN.maxother = 3, 100, 100


def findings(root: Mapping[str, Any], dialect: str, file: str, limits: Limits) -> Iterator[Diagnostic]:
    """What is no JSON Schema of this dialect, one finding a place; or, instead, what there is too much of.

    What stands under a keyword that is not supported may be anything here.
    """
    if _METASCHEMAS[dialect].is_valid(root):
        return
    has_too_many = False
    for number, (path, schema) in enumerate(_walk(root, dialect)):
        if has_too_many and number > limits.unfolded:
            return
        for finding in complexity.too_many(schema, path, file, limits) if is_object(schema) else ():
            has_too_many = True
            yield finding
    if not has_too_many:
        hint = f"write what {dialect} allows here"
        for path, message in _errors(root, dialect):
            shown = f"not a JSON Schema: found {_SHOWN.repr(_at(root, path))}, but {message}"
            yield Diagnostic("not-a-schema", shown, file, pointer(path), hint=hint)


def _errors(root: Mapping[str, Any], dialect: str) -> Iterator[tuple[Steps, str]]:
    """Places and messages: the first message of a place by its text, as some are found by several ways."""
    validator = _METASCHEMAS[dialect]
    schemas = ((path, _alone(schema, at_root=not path)) for path, schema in _walk(root, dialect))
    for batch in iter(lambda: [*islice(schemas, _BATCH)], []):
        if validator.is_valid({"allOf": [schema for _, schema in batch]}):
            continue
        for path, schema in batch:
            found: dict[Steps, str] = {}
            for error in validator.iter_errors(schema):
                place = (*path, *error.instance_path)
                found[place] = min(error.message, found.get(place, error.message))
            yield from sorted(found.items(), key=lambda item: pointer(item[0]))


def _walk(root: Any, dialect: str) -> Iterator[tuple[Steps, Any]]:
    """Every schema of a document, itself first, in document order."""
    waiting: list[tuple[Steps, Any]] = [((), root)]
    while waiting:
        path, schema = waiting.pop()
        yield path, schema
        if is_object(schema):
            waiting += reversed([((*path, *step), inner) for step, inner in _inner(schema, dialect, at_root=not path)])


def _inner(schema: Mapping[str, Any], dialect: str, *, at_root: bool) -> Iterable[tuple[Steps, Any]]:
    others = {"$defs", "definitions"} - {*DEFINITIONS_KEYS[dialect]}
    for step, inner in subschemas(schema):
        if is_supported(str(step[0]), at_root=at_root) and step[0] not in others:
            yield step, inner


def _alone(schema: Any, *, at_root: bool) -> Any:
    """A schema without those inside it, which are looked at by themselves, and without what is not supported."""
    if not is_object(schema):
        return schema
    alone = {key: value for key, value in schema.items() if is_supported(key, at_root=at_root)}
    for (key, *inner), _ in subschemas(alone):
        if not inner:
            alone[str(key)] = True
        elif alone[str(key)] is schema[str(key)]:
            alone[str(key)] = {} if is_object(schema[str(key)]) else [True]
    return alone


def _at(root: Any, path: Steps) -> Any:
    for step in path:
        root = root[step]
    return root
