"""Errata correct known faults, and speak up when a fault is gone."""

import json

import pytest

from wiregen import catalogue, document, errata
from wiregen.catalogue import Target
from wiregen.document import Document
from wiregen.errata import Erratum
from wiregen.errors import InvalidInput


def given_document(kind: object) -> Document:
    root = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {"A": {"anyOf": [{"type": kind}], "title": "a"}},
    }
    return document.parse(json.dumps(root).encode(), file="a.json")


def erratum(pointer: str = "/$defs/A/anyOf/0/type") -> Erratum:
    return Erratum("errata.toml", ("v1",), pointer, was="integer", now=["number", "null"], reason="")


def test_an_erratum_replaces_the_fault_in_a_copy() -> None:
    upstream = given_document("integer")
    corrected, warnings = errata.apply(upstream, (erratum(),), bundled=True)
    assert corrected.definitions == {"A": {"anyOf": [{"type": ["number", "null"]}], "title": "a"}}
    assert corrected.definitions is corrected.root["$defs"]
    assert upstream == given_document("integer")
    assert warnings == ()


@pytest.mark.parametrize(
    ("kind", "pointer", "says"),
    [
        (["number", "null"], "/$defs/A/anyOf/0/type", "has been corrected upstream"),
        ("string", "/$defs/A/anyOf/0/type", "has changed upstream: expected 'integer', found 'string'"),
        ("integer", "/$defs/A/anyOf/1/type", "has moved upstream"),
        ("integer", "/$defs/A/oneOf/0/type", "has moved upstream"),
        ("integer", "/$defs/A/title/0", "has moved upstream"),
    ],
)
def test_an_erratum_that_does_not_fit(kind: object, pointer: str, says: str) -> None:
    given = given_document(kind)
    with pytest.raises(InvalidInput) as caught:
        errata.apply(given, (erratum(pointer),), bundled=True)
    (error,) = caught.value.diagnostics
    assert (error.code, error.severity, error.file, error.pointer) == ("erratum-outdated", "error", "a.json", pointer)
    assert says in error.message
    assert "remove the entry" in str(error.hint)

    same, (warning,) = errata.apply(given, (erratum(pointer),), bundled=False)
    assert same == given
    assert (warning.code, warning.severity, warning.pointer) == ("erratum-outdated", "warning", pointer)
    assert "your file is used" in str(warning.hint)


def test_a_schema_without_the_definition_needs_no_correction() -> None:
    given = given_document("integer")
    assert errata.apply(given, (erratum("/$defs/B/type"),), bundled=False) == (given, ())
    with pytest.raises(InvalidInput, match="has moved"):
        errata.apply(given, (erratum("/$defs/B/type"),), bundled=True)


@pytest.mark.parametrize("target", catalogue.targets(), ids=str)
def test_the_bundled_errata_fit_the_bundled_schemas(target: Target) -> None:
    data, name = catalogue.read_schema(target)
    entries = errata.read(target)
    corrected, warnings = errata.apply(document.parse(data, file=name), entries, bundled=True)
    assert warnings == ()
    assert all(entry.reason for entry in entries)
    text = json.dumps(corrected.definitions)
    assert '"string", "integer", "boolean"' not in text
    document.parse(json.dumps(corrected.root).encode(), file=name)


def test_mcp_form_values_are_numbers_and_json_values_are_all_of_json() -> None:
    target = Target("mcp", "2026-07-28")
    data, name = catalogue.read_schema(target)
    corrected, _ = errata.apply(document.parse(data, file=name), errata.read(target), bundled=True)
    content = corrected.definitions["ElicitResult"]["properties"]["content"]["additionalProperties"]
    assert content["anyOf"][1]["type"] == ["string", "number", "boolean"]
    assert corrected.definitions["JSONValue"]["anyOf"][2]["type"] == ["string", "number", "boolean", "null"]
