"""Bytes to a checked JSON Schema document: nothing after this step meets a schema that it cannot trust."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from wiregen import complexity, json_text, metaschema
from wiregen.errors import Diagnostic, InvalidInput, limited
from wiregen.json_text import DEFAULT, Limits, is_array, is_object, pointer
from wiregen.keywords import ANNOTATIONS, IN_PLACE_KEYWORDS, Steps, is_supported, subschemas
from wiregen.metaschema import DEFINITIONS_KEYS, DRAFT_07, DRAFT_2020_12
from wiregen.text import is_python_name, printable

_INSTEAD = {
    "additionalProperties": "leave it out: unknown fields are always kept; or give the schema of the other values",
    "unevaluatedProperties": "leave it out or set it to true: unknown fields are always kept",
    "$id": "keep $id at the root only: references are local to the document",
    "$schema": "keep $schema at the root only: one dialect holds for the whole document",
    "$defs": "move the definitions to the root",
    "definitions": "move the definitions to the root",
    "nullable": 'write {"type": ["...", "null"]}',
    "exclusiveMinimum": "use minimum",
    "exclusiveMaximum": "use maximum",
    "if": "write the alternatives as anyOf",
    "then": "write the alternatives as anyOf",
    "else": "write the alternatives as anyOf",
    "dependentSchemas": "write the alternatives as anyOf",
    "prefixItems": "use items with one schema for every item",
    "items": "use items with one schema for every item",
    "patternProperties": "use additionalProperties with one schema for every other value",
    "$anchor": "refer to definitions by name",
    "$dynamicAnchor": "refer to definitions by name",
    "$dynamicRef": "use $ref",
    "$recursiveRef": "use $ref",
}
_OTHERWISE = "remove it, or give it an x- name if it is an annotation of your own"
_LONGEST_CYCLE_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON Schema document that passed every check.

    `file` is the name it was given under, `root` the whole document, `definitions` its named schemas in document
    order, `definitions_key` the root keyword that holds them (`$defs` or `definitions`).
    """

    file: str
    root: Mapping[str, Any]
    definitions: Mapping[str, Mapping[str, Any]]
    definitions_key: str


def parse(data: bytes, *, file: str, limits: Limits = DEFAULT) -> Document:
    """The document in `data`; raises `InvalidInput` with everything that is wrong with it.

    Each step of the checks needs the one before, so the findings are all those of the first step that has any: the
    text, the dialect, the metaschema, then definitions, references and keywords together.
    """
    root = json_text.decode(data, file=file, limits=limits)
    try:
        return _check(root, file, limits)
    except InvalidInput as error:
        findings = json_text.with_lines(error.diagnostics, data.decode("utf-8-sig"))
        raise InvalidInput(sorted(findings, key=_order)) from None


def read(path: Path, *, limits: Limits = DEFAULT) -> Document:
    """The document in the file at `path`; raises `InvalidInput` as `parse` does, and if there is no such file."""
    file = path.as_posix()
    try:
        if not path.is_file():
            raise InvalidInput([Diagnostic("no-file", "there is no such file", file, hint="correct the path")])
        with path.open("rb") as stream:
            data = stream.read(limits.size + 1)
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        raise InvalidInput([Diagnostic("cannot-read", message, file, hint="make the file readable")]) from None
    return parse(data, file=file, limits=limits)


def _check(root: Any, file: str, limits: Limits) -> Document:
    if not is_object(root):
        hint = "give a JSON Schema document with definitions"
        raise InvalidInput([Diagnostic("not-a-schema", "the document is not an object", file, "", hint=hint)])
    dialect = _dialect(root, file)
    _raise_if(metaschema.findings(root, dialect, file, limits))
    document = Document(file, root, *_definitions(root, dialect, file, limits))
    _raise_if(complexity.too_many_schemas(document.definitions, document.definitions_key, file, limits))
    _raise_if(_name_errors(document), _schema_errors(document, dialect), _cycle_errors(document))
    _raise_if(complexity.findings(document.definitions, document.definitions_key, file, limits))
    return document


def _raise_if(*findings: Iterable[Diagnostic]) -> None:
    if found := limited(chain(*findings)):
        raise InvalidInput(found)


def _order(finding: Diagnostic) -> tuple[bool, int]:
    """By line; that there are more findings comes last."""
    return finding.pointer is None, finding.line or 0


def _dialect(root: Mapping[str, Any], file: str) -> str:
    declared = root.get("$schema")
    dialect = declared.removesuffix("#") if isinstance(declared, str) else None
    if dialect in DEFINITIONS_KEYS:
        return dialect
    if declared is None:
        message, place = "the document does not say which JSON Schema draft it is written in", ""
    else:
        message, place = "$schema names no supported draft", "/$schema"
    hint = f'set "$schema" to "{DRAFT_2020_12}" or "{DRAFT_07}#"'
    raise InvalidInput([Diagnostic("unknown-dialect", message, file, place, hint=hint)])


def _definitions(
    root: Mapping[str, Any], dialect: str, file: str, limits: Limits
) -> tuple[Mapping[str, Mapping[str, Any]], str]:
    keys = [key for key in DEFINITIONS_KEYS[dialect] if root.get(key)]
    if not keys:
        hint = f"put the types under {DEFINITIONS_KEYS[dialect][0]}"
        raise InvalidInput([Diagnostic("no-definitions", "the document defines no types", file, "", hint=hint)])
    if len(keys) > 1:
        message = "the document has both $defs and definitions"
        hint = "put every definition under $defs"
        raise InvalidInput([Diagnostic("two-definitions-keys", message, file, "/definitions", hint=hint)])
    definitions = root[keys[0]]
    if len(definitions) > limits.definitions:
        message = f"the document has {len(definitions)} definitions; the limit is {limits.definitions}"
        hint = "split the schema or leave out what is not needed"
        raise InvalidInput([Diagnostic("too-many-definitions", message, file, f"/{keys[0]}", hint=hint)])
    return definitions, keys[0]


def _name_errors(document: Document) -> Iterator[Diagnostic]:
    for name in document.definitions:
        if not is_python_name(name):
            yield Diagnostic(
                "bad-definition-name",
                f"the definition name {_short(repr(name))} cannot be the name of a Python class",
                file=document.file,
                pointer=pointer([document.definitions_key, name]),
                hint="rename the definition: letters, digits and underscores, no digit first, no Python keyword",
            )


def _schema_errors(document: Document, dialect: str) -> Iterator[Diagnostic]:
    waiting: list[tuple[Steps, Any]] = [((), document.root)]
    while waiting:
        path, schema = waiting.pop()
        if is_object(schema):
            yield from _keyword_errors(document, dialect, path, schema)
            inner = [((*path, *step), sub) for step, sub in subschemas(schema) if _is_walked(step[0], path)]
            waiting.extend(reversed(inner))
        elif schema is False and path[-1] != "additionalProperties":
            message = "the schema false, which accepts nothing, is not supported"
            hint = "remove it, or say which values are accepted"
            yield Diagnostic("unsupported-keyword", message, document.file, pointer(path), hint=hint)
        elif schema is True and path[:-1] == (document.definitions_key,):
            message = "the schema true is not supported as a definition"
            hint = "write {} for a type that accepts every value"
            yield Diagnostic("unsupported-keyword", message, document.file, pointer(path), hint=hint)


def _is_walked(key: str | int, path: Steps) -> bool:
    """What stands under an unsupported keyword may be anything: the metaschema need not know the keyword."""
    return key != "unevaluatedProperties" and is_supported(str(key), at_root=not path)


def _keyword_errors(document: Document, dialect: str, path: Steps, schema: Mapping[str, Any]) -> Iterator[Diagnostic]:
    for key, value in schema.items():
        if not is_supported(key, at_root=not path):
            yield _unsupported(document, path, key, f"the keyword {_short(repr(key))} is not supported here")
        elif key == "additionalProperties" and value is False:
            yield _unsupported(document, path, key, "additionalProperties: false is not supported")
        elif key == "unevaluatedProperties" and value is not True:
            yield _unsupported(document, path, key, "only unevaluatedProperties: true is supported")
        elif key == "items" and is_array(value):
            yield _unsupported(document, path, key, "a list of schemas under items is not supported")
        elif key == "discriminator" and not _is_discriminator(value):
            yield _unsupported(document, path, key, 'only {"propertyName": "..."} is supported as discriminator')
        elif key == "$ref":
            yield from _reference_errors(document, (*path, key), str(value))
    if dialect == DRAFT_07 and "$ref" in schema:
        yield from _ignored_siblings(document, path, schema)


def _is_discriminator(value: Any) -> bool:
    return is_object(value) and list(value) == ["propertyName"] and isinstance(value["propertyName"], str)


def _unsupported(document: Document, path: Steps, key: str, message: str) -> Diagnostic:
    return Diagnostic(
        "unsupported-keyword",
        message,
        file=document.file,
        pointer=pointer((*path, key)),
        hint=_INSTEAD.get(key, _OTHERWISE),
    )


def _ignored_siblings(document: Document, path: Steps, schema: Mapping[str, Any]) -> Iterator[Diagnostic]:
    for key in schema:
        if path and key != "$ref" and key not in ANNOTATIONS and not key.startswith("x-"):
            yield Diagnostic(
                "ignored-keyword",
                f"draft-07 ignores {_short(repr(key))} beside $ref",
                file=document.file,
                pointer=pointer((*path, key)),
                hint="wrap the reference in allOf, or remove the keyword",
            )


def _reference_errors(document: Document, path: Steps, target: str) -> Iterator[Diagnostic]:
    problem = _reference_problem(document, target)
    if problem:
        code, message, hint = problem
        shown = _short(repr(target))
        yield Diagnostic(code, f"$ref {shown} {message}", file=document.file, pointer=pointer(path), hint=hint)


def _reference_problem(document: Document, target: str) -> tuple[str, str, str] | None:
    local = f"#/{document.definitions_key}/"
    name = target.removeprefix(local)
    if target.startswith(local) and name in document.definitions:
        return None
    copy_it = f"copy the definition into this document and refer to it as {local}<Name>"
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", target):
        return "remote-ref", "points to another document by URL; nothing is fetched", copy_it
    if re.match(r"[A-Za-z]:|[/\\]", target):
        return "absolute-ref", "points to a file by absolute path; no other file is read", copy_it
    if not target.startswith("#"):
        return "relative-ref", "points to another file; no other file is read", copy_it
    if target.startswith(local) and "/" not in name:
        return "dangling-ref", "points to a definition that does not exist", "add the definition or correct the name"
    return "ref-not-a-definition", "does not point to a definition", f"refer to a definition as {local}<Name>"


def _cycle_errors(document: Document) -> Iterator[Diagnostic]:
    """Definitions that lead back to themselves without an object or array in between: no value can decide them."""
    for cycle in _cycles({name: [*_same_value_refs(document, name)] for name in document.definitions}):
        shown = [*cycle[:_LONGEST_CYCLE_SHOWN], *(["..."] if len(cycle) > _LONGEST_CYCLE_SHOWN else []), cycle[0]]
        yield Diagnostic(
            "alias-cycle",
            "the definition leads back to itself without an object or array in between: "
            + printable(" -> ".join(shown)),
            file=document.file,
            pointer=pointer([document.definitions_key, cycle[0]]),
            hint="remove one of the references, or put it under properties or items",
        )


def _same_value_refs(document: Document, name: str) -> Iterator[str]:
    prefix = f"#/{document.definitions_key}/"
    waiting: list[Any] = [document.definitions[name]]
    while waiting:
        schema = waiting.pop()
        if is_object(schema):
            _, found, target = str(schema.get("$ref", "")).rpartition(prefix)
            if found and target in document.definitions:
                yield target
            waiting.extend(sub for step, sub in subschemas(schema) if step[0] in IN_PLACE_KEYWORDS)


def _cycles(graph: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """The cycles that a depth-first walk finds, without recursion: the first one that begins at each name."""
    entered: set[str] = set()
    closed: set[str] = set()
    for start in graph:
        path: list[str] = []
        on_path: set[str] = set()
        waiting = [(start, True)]
        while waiting:
            name, is_entering = waiting.pop()
            if not is_entering:
                path.pop()
                on_path.discard(name)
            elif name in on_path and name not in closed:
                closed.add(name)
                yield path[path.index(name) :]
            elif name not in entered:
                entered.add(name)
                path.append(name)
                on_path.add(name)
                waiting.append((name, False))
                waiting.extend((target, True) for target in reversed(graph[name]))


def _short(text: str) -> str:
    return text if len(text) <= 120 else text[:117] + "..."
