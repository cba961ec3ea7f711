"""Bytes to checked documents: what is accepted, and what each kind of bad input is told."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from wiregen import document
from wiregen.errors import MOST, Diagnostic, InvalidInput
from wiregen.json_text import Limits

DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"
DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def schema(**definitions: Any) -> bytes:
    return json.dumps({"$schema": DRAFT_2020_12, "$defs": definitions}).encode()


def draft_07(**definitions: Any) -> bytes:
    return json.dumps({"$schema": DRAFT_07, "definitions": definitions}).encode()


def schema_with(keyword: str, value: Any) -> bytes:
    return schema(A={keyword: value})


def schema_with_ref(target: str) -> bytes:
    return schema(A={"properties": {"a": {"$ref": target}}}, B={})


def nested_arrays(depth: int) -> bytes:
    return b'{"a": ' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"


def findings(data: bytes, **limits: int) -> tuple[Diagnostic, ...]:
    with pytest.raises(InvalidInput) as caught:
        document.parse(data, file="a.json", limits=Limits(**limits))
    return caught.value.diagnostics


REF = "/$defs/A/properties/a/$ref"

BAD = [
    # the text
    ("not-utf8", None, "UTF-8", b'{"a": "\xff"}'),
    ("not-json", None, "Expecting", b'{"a": }'),
    ("not-json", None, "not JSON", b""),
    ("duplicate-key", "/a/b", "keep one", b'{"a": {"b": 1, "b": 2}}'),
    ("too-deep", "/a" + "/0" * 199, "$ref", nested_arrays(201)),
    ("too-deep", "/0" * 200, "$ref", b"[" * 1_000_000),
    ("lone-surrogate", "/a/0", "both halves", b'{"a": ["\\ud800"]}'),
    ("lone-surrogate", "/\\udc00", "both halves", b'{"\\udc00": 1}'),
    ("number-out-of-range", "/a", "double", b'{"a": NaN}'),
    ("number-out-of-range", "/a", "double", b'{"a": -Infinity}'),
    ("number-out-of-range", "/a", "double", b'{"a": 1e400}'),
    ("number-out-of-range", "/a", "double", b'{"a": ' + b"9" * 5000 + b"}"),
    # the dialect and the metaschema
    ("not-a-schema", "", "definitions", b"[]"),
    ("unknown-dialect", "", DRAFT_2020_12, b'{"$defs": {"A": {}}}'),
    ("unknown-dialect", "/$schema", DRAFT_07, b'{"$schema": "http://example.com/mine", "$defs": {"A": {}}}'),
    ("unknown-dialect", "/$schema", DRAFT_07, b'{"$schema": 7}'),
    ("not-a-schema", "/$defs/A/type", "'strin'", schema_with("type", "strin")),
    ("not-a-schema", "/$defs/A/properties", "object", schema_with("properties", [])),
    ("not-a-schema", "/$defs/A", "object", schema(A=3)),
    ("not-a-schema", "/definitions/A/required", "array", draft_07(A={"required": "a"})),
    # definitions
    ("no-definitions", "", "$defs", schema()),
    ("no-definitions", "", "definitions", json.dumps({"$schema": DRAFT_07, "$defs": {"A": 3}}).encode()),
    (
        "two-definitions-keys",
        "/definitions",
        "under $defs",
        json.dumps({"$schema": DRAFT_2020_12, "$defs": {"A": {}}, "definitions": {"B": {}}}).encode(),
    ),
    ("bad-definition-name", "/$defs/a b", "rename", schema(**{"a b": {}})),
    ("bad-definition-name", "/$defs/class", "rename", schema(**{"class": {}})),
    ("bad-definition-name", "/$defs/", "rename", schema(**{"": {}})),
    ("bad-definition-name", "/$defs/..~1x", "rename", schema(**{"../x": {}})),
    ("bad-definition-name", "/$defs/\ufb01t", "rename", schema(**{"\ufb01t": {}})),
    ("bad-definition-name", "/$defs/a\\u202eb", "rename", schema(**{"a\u202eb": {}})),
    # references
    ("dangling-ref", REF, "correct the name", schema_with_ref("#/$defs/C")),
    ("remote-ref", REF, "copy the definition", schema_with_ref("https://example.com/a.json#/$defs/B")),
    ("remote-ref", REF, "copy the definition", schema_with_ref("file:///etc/hosts")),
    ("absolute-ref", REF, "copy the definition", schema_with_ref("/etc/hosts")),
    ("absolute-ref", REF, "copy the definition", schema_with_ref("C:\\a.json")),
    ("relative-ref", REF, "copy the definition", schema_with_ref("../a.json#/$defs/B")),
    ("relative-ref", REF, "copy the definition", schema_with_ref("B")),
    ("ref-not-a-definition", REF, "#/$defs/<Name>", schema_with_ref("#")),
    ("ref-not-a-definition", REF, "#/$defs/<Name>", schema_with_ref("#/$defs/A/properties/a")),
    ("ref-not-a-definition", REF, "#/$defs/<Name>", schema_with_ref("#/definitions/B")),
    ("alias-cycle", "/$defs/A", "A -> A", schema(A={"$ref": "#/$defs/A"})),
    (
        "alias-cycle",
        "/$defs/A",
        "A -> B -> C -> A",
        schema(
            A={"$ref": "#/$defs/B"},
            B={"anyOf": [{"type": "null"}, {"$ref": "#/$defs/C"}]},
            C={"properties": {}, "allOf": [{"$ref": "#/$defs/A"}]},
        ),
    ),
    # keywords
    ("unsupported-keyword", "/$defs/A/patternProperties", "additionalProperties", schema_with("patternProperties", {})),
    ("unsupported-keyword", "/$defs/A/if", "anyOf", schema_with("if", {})),
    ("unsupported-keyword", "/$defs/A/prefixItems", "items", schema_with("prefixItems", [{}])),
    ("unsupported-keyword", "/$defs/A/pattern", "remove", schema_with("pattern", "a")),
    ("unsupported-keyword", "/$defs/A/exclusiveMinimum", "minimum", schema_with("exclusiveMinimum", 1)),
    ("unsupported-keyword", "/$defs/A/nullable", "null", schema_with("nullable", value=True)),
    ("unsupported-keyword", "/$defs/A/$dynamicRef", "$ref", schema_with("$dynamicRef", "#a")),
    ("unsupported-keyword", "/$defs/A/$id", "root", schema_with("$id", "https://example.com/a")),
    ("unsupported-keyword", "/$defs/A/$defs", "root", schema_with("$defs", {"B": {}})),
    ("unsupported-keyword", "/$defs/A/additionalProperties", "kept", schema_with("additionalProperties", value=False)),
    ("unsupported-keyword", "/$defs/A/unevaluatedProperties", "kept", schema_with("unevaluatedProperties", {})),
    ("unsupported-keyword", "/$defs/A/discriminator", "propertyName", schema_with("discriminator", {"mapping": {}})),
    ("unsupported-keyword", "/$defs/A/properties/a", "accepts nothing", schema_with("properties", {"a": False})),
    ("unsupported-keyword", "/$defs/A/not", "accepts nothing", schema_with("not", value=False)),
    ("unsupported-keyword", "/$defs/A", "write {}", schema(A=True)),
    ("unsupported-keyword", "/definitions/A/items", "one schema", draft_07(A={"items": [{}]})),
    ("unsupported-keyword", "/definitions/A/$defs", "root", draft_07(A={"$defs": {"B": {"$ref": 3}}})),
    (
        "ignored-keyword",
        "/definitions/A/minLength",
        "allOf",
        draft_07(A={"$ref": "#/definitions/B", "minLength": 1}, B={}),
    ),
]


@pytest.mark.parametrize(
    ("code", "pointer", "says", "data"), BAD, ids=[f"{row[0]}:{(row[1] or '')[:40]}" for row in BAD]
)
def test_bad_input_is_one_diagnostic_that_says_where_and_what_to_do(
    code: str, pointer: str | None, says: str, data: bytes
) -> None:
    (finding,) = findings(data)
    assert (finding.code, finding.pointer, finding.file) == (code, pointer, "a.json")
    assert finding.hint
    assert says in str(finding)
    assert finding.line == 1
    assert all(char.isprintable() or char == "\n" for char in str(finding))


def test_limits_of_size_and_number() -> None:
    assert [f.code for f in findings(schema(A={}), size=10)] == ["too-large"]
    (finding,) = findings(schema(A={}, B={}), definitions=1)
    assert (finding.code, finding.pointer) == ("too-many-definitions", "/$defs")


def test_findings_of_a_step_come_together_in_document_order() -> None:
    data = json.dumps(
        {
            "$schema": DRAFT_2020_12,
            "$defs": {"A": {"pattern": "a", "$ref": "#/$defs/C"}, "b c": {}, "D": {"$ref": "#/$defs/D"}},
        },
        indent=1,
    ).encode()
    assert [(f.line, f.code) for f in findings(data)] == [
        (5, "unsupported-keyword"),
        (6, "dangling-ref"),
        (8, "bad-definition-name"),
        (9, "alias-cycle"),
    ]


def test_a_property_may_have_the_name_of_a_keyword() -> None:
    names = ["pattern", "if", "$ref", "additionalProperties", "not", "default", "$defs", "x-y"]
    found = document.parse(schema(A={"properties": {name: {"type": "string"} for name in names}}), file="a.json")
    assert list(found.definitions["A"]["properties"]) == names


def test_data_in_a_schema_is_not_taken_for_a_schema() -> None:
    value = {"$ref": "#/nowhere", "pattern": 3, "items": False}
    definition = {"default": value, "const": value, "enum": [value], "examples": [value], "x-data": value}
    assert document.parse(schema(A=definition), file="a.json").definitions["A"] == definition


def test_recursion_through_an_object_or_array_is_no_cycle() -> None:
    recursive = {"anyOf": [{"$ref": "#/$defs/Tree"}, {"items": {"$ref": "#/$defs/Value"}}, {"type": "null"}]}
    tree = {"properties": {"left": {"$ref": "#/$defs/Tree"}}, "additionalProperties": {"$ref": "#/$defs/Value"}}
    found = document.parse(schema(Value=recursive, Tree=tree), file="a.json")
    assert (found.definitions_key, list(found.definitions)) == ("$defs", ["Value", "Tree"])


def test_nesting_up_to_the_limit_is_read() -> None:
    inner: Any = None
    for _ in range(197):
        inner = {"items": inner}
    assert document.parse(schema(A={"default": inner}), file="a.json").definitions["A"] == {"default": inner}


def test_a_byte_order_mark_and_windows_line_ends_are_read() -> None:
    data = b"\xef\xbb\xbf" + schema(A={}).replace(b",", b",\r\n")
    assert list(document.parse(data, file="a.json").definitions) == ["A"]


def test_lines_count_whatever_the_line_ends() -> None:
    data = schema(A={"pattern": "a"}).replace(b"{", b"{\r\n")
    assert [(f.code, f.line) for f in findings(data)] == [("unsupported-keyword", 4)]


def test_many_references_between_many_definitions_take_no_time() -> None:
    definitions = {
        f"A{i}": {"anyOf": [{"$ref": f"#/$defs/A{j % 2000}"} for j in (i + 1, i + 7, 0)]} for i in range(2000)
    }
    assert {f.code for f in findings(schema(**definitions))} == {"alias-cycle", "more-findings"}


MANY = 20_000
TOO_MANY_FINDINGS = {
    "metaschema": schema(**{f"A{i}": {"properties": {f"p{j}": {"type": 1} for j in range(900)}} for i in range(300)}),
    "no schemas": schema(A={"properties": dict.fromkeys(map(str, range(900)), 3)}),
    "keywords": schema(A={"properties": {str(i): {"pattern": "a"} for i in range(900)}}),
    "references": schema(A={"properties": {str(i): {"$ref": "x"} for i in range(900)}}),
    "names": schema(**{f"A {i}": {} for i in range(900)}),
    "sizes": schema(A={"properties": {str(i): {"minLength": 1e300} for i in range(900)}}),
    "duplicates": b"{" + b",".join(b'"a%d":1,"a%d":2' % (i, i) for i in range(MANY)) + b"}",
    "surrogates": schema(A={"enum": ["\ud800"] * MANY}),
    "numbers": schema(A={"enum": [float("nan")] * MANY}),
}


@pytest.mark.parametrize("data", TOO_MANY_FINDINGS.values(), ids=TOO_MANY_FINDINGS)
def test_no_more_findings_are_told_than_anybody_reads(data: bytes) -> None:
    start = time.monotonic()
    *found, last = findings(data)
    assert time.monotonic() - start < 20  # a tenth of that; all findings once took minutes and gigabytes
    assert len(found) == MOST
    assert len({(finding.pointer, finding.code) for finding in found}) == MOST
    assert all(finding.line == 1 for finding in found)
    assert (last.code, last.file, last.line, last.pointer) == ("more-findings", "a.json", None, None)


def test_as_many_findings_as_there_may_be_are_all_told() -> None:
    found = findings(schema(A={"properties": {str(i): {"pattern": "a"} for i in range(MOST)}}))
    assert [finding.code for finding in found] == ["unsupported-keyword"] * MOST


def test_what_is_no_schema_is_found_wherever_it_is() -> None:
    inner: dict[str, Any] = {"items": {"anyOf": [{}, {"additionalProperties": {"not": {"required": [1]}}}]}}
    outer: dict[str, Any] = {"properties": {f"p{i}": {} for i in range(900)}}
    definitions: dict[str, Any] = {"A": outer, "B": inner, "C": {"title": 3}, "D": {}}
    found = findings(schema(**definitions))
    assert [finding.pointer for finding in found] == [
        "/$defs/B/items/anyOf/1/additionalProperties/not/required/0",
        "/$defs/C/title",
    ]
    assert "found 3, but" in found[1].message


YOUNG_LETTERS = ["\u1e7f\u0870", "\U0001e5d0", "\U0001df25x", "\ua7c0"]
"""Letters that the tables of some Pythons have, and those of others have not."""


@pytest.mark.parametrize("name", YOUNG_LETTERS)
def test_a_name_is_judged_the_same_under_every_python(name: str) -> None:
    assert [f.code for f in findings(schema(**{name: {}}))] == ["bad-definition-name"]
    old: dict[str, Any] = {"Gr\xf6\xdfe": {}, "\u540d\u524d": {}}
    assert document.parse(schema(**old), file="a.json").definitions == old


def test_a_file_is_read_and_a_missing_one_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with pytest.raises(InvalidInput) as caught:
        document.read(path)
    assert [(f.code, f.file) for f in caught.value.diagnostics] == [("no-file", path.as_posix())]
    path.write_bytes(schema(A={}))
    assert document.read(path).file == path.as_posix()
    with pytest.raises(InvalidInput):
        document.read(path, limits=Limits(size=10))
