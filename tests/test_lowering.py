"""JSON Schema to the IR: what constructs become, and the one diagnostic that each unsupported one gives."""

import json
from typing import Any

import pytest
from schemas import INTEGER, NULL, STRING, constant, document, findings, lowered, obj, ref

from wiregen.document import parse
from wiregen.errors import InvalidInput
from wiregen.ir import (
    Alias,
    AnyValue,
    Array,
    Enumeration,
    Field,
    Integer,
    Map,
    Null,
    Number,
    ObjectType,
    Reference,
    String,
    Type,
    Union,
)
from wiregen.lower import lower

LENIENT = {"x-deserialize-default-on-error": True}
NULL_LENIENT = {"x-deserialize-default-on-null": True}
SKIPPING = {"x-deserialize-skip-invalid-items": True}


def type_of(schema: object, **definitions: object) -> Type:
    """What a schema becomes as a definition of its own."""
    found = lowered({**definitions, "X": schema}).declarations["X"]
    assert isinstance(found, Alias)
    return found.type


def fields_of(schema: object, **definitions: object) -> dict[str, Field]:
    """The fields of a definition's class."""
    found = lowered({**definitions, "X": schema}).declarations["X"]
    assert isinstance(found, ObjectType)
    return {field.wire: field for field in found.fields}


# --- types -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, AnyValue()),
        (NULL, Null()),
        ({"type": "string", "minLength": 1, "maxLength": 9}, String(1, 9)),
        ({"type": "string", "format": "uri"}, String()),
        ({"type": "integer", "minimum": 0, "maximum": 2**64 - 1}, Integer(0, 2**64 - 1)),
        ({"type": "number", "minimum": 0.5}, Number(0.5)),
        ({"type": "array"}, Array(AnyValue())),
        ({"type": "array", "items": True}, Array(AnyValue())),
        ({"type": "array", "items": STRING, "minItems": 1, "maxItems": 2}, Array(String(), 1, 2)),
        ({"type": "object"}, Map(AnyValue())),
        ({"type": "object", "additionalProperties": True}, Map(AnyValue())),
        ({"type": "object", "additionalProperties": {}}, Map(AnyValue())),
        ({"type": "object", "additionalProperties": INTEGER}, Map(Integer())),
        ({"type": "object", "properties": {}}, Map(AnyValue())),
        ({"type": ["integer", "string"]}, Union((Integer(), String()))),
        ({"type": ["integer", "number"]}, Number()),
        ({"const": "a"}, Enumeration(("a",))),
        ({"enum": ["a", "b"]}, Enumeration(("a", "b"))),
        ({"type": "integer", "enum": [1, 2]}, Enumeration((1, 2))),
        ({"type": "boolean", "const": True}, Enumeration((True,))),
        ({"oneOf": [constant("a"), constant("b")]}, Enumeration(("a", "b"))),
        ({"type": "string", "oneOf": [constant("a"), constant("b")]}, Enumeration(("a", "b"))),
        ({"anyOf": [constant("a"), STRING]}, Enumeration(("a",), open=True)),
        ({"anyOf": [STRING, constant("a"), constant("b")]}, Enumeration(("a", "b"), open=True)),
        ({"anyOf": [{"type": "integer", "const": 1}, INTEGER]}, Enumeration((1,), open=True)),
        ({"anyOf": [STRING, {}]}, AnyValue()),
        ({"anyOf": [STRING, True]}, AnyValue()),
        ({"anyOf": [STRING, STRING]}, String()),
        ({"anyOf": [{"anyOf": [STRING, INTEGER]}, NULL]}, Union((String(), Integer(), Null()))),
        ({"allOf": [STRING]}, String()),
        ({"allOf": [True, STRING]}, String()),
        ({"type": "string", "allOf": [{"enum": ["a"]}]}, Enumeration(("a",))),
        ({"allOf": [{"type": ["string", "null"]}, {"type": ["integer", "null"]}]}, Null()),
    ],
)
def test_type(schema: object, expected: Type) -> None:
    found = type_of(schema)
    if isinstance(found, Union) and isinstance(expected, Union):
        assert found.members == expected.members
    else:
        assert found == expected


@pytest.mark.parametrize(
    "schema", [ref("Y"), {"allOf": [ref("Y")]}, {"allOf": [{"allOf": [ref("Y")]}], "title": "t", "default": "d"}]
)
def test_a_reference_with_nothing_but_annotations_stays_one(schema: object) -> None:
    assert type_of(schema, Y=obj({"a": STRING})) == Reference("Y")


def test_null_is_taken_out_of_the_type_of_a_field() -> None:
    field = fields_of(obj({"a": {"anyOf": [ref("Y"), NULL]}}), Y=obj({"b": STRING}))["a"]
    assert (field.type, field.nullable, field.required) == (Reference("Y"), True, False)


def test_a_const_makes_a_required_field_a_constant_and_an_optional_one_not() -> None:
    fields = fields_of(obj({"a": constant("x"), "b": constant("y"), "c": ref("Y")}, "a", "c"), Y=constant("z"))
    assert [field.initial for field in fields.values()] == ["x", None, "z"]


def test_a_null_default_is_a_default() -> None:
    field = fields_of(obj({"a": {"type": ["string", "null"], "default": None}}))["a"]
    assert (field.has_default, field.default) == (True, None)


def test_true_as_a_schema_is_any_value() -> None:
    fields = fields_of(obj({"a": True, "b": {"type": "array", "items": True}}, "a"))
    assert [field.type for field in fields.values()] == [AnyValue(), Array(AnyValue())]


def test_unknown_fields_have_a_type_where_the_schema_gives_one() -> None:
    found = lowered({"X": obj({"a": STRING}, additionalProperties=INTEGER)}).declarations["X"]
    assert isinstance(found, ObjectType)
    assert found.extra == Integer()


# --- merging ---------------------------------------------------------------------------------------------------------


def test_all_of_merges_fields_and_own_ones_come_first() -> None:
    schema = obj({"c": STRING}, "c", allOf=[ref("A"), ref("B")])
    fields = fields_of(schema, A=obj({"a": STRING}, "a"), B=obj({"b": INTEGER}))
    assert [(wire, field.required) for wire, field in fields.items()] == [("c", True), ("a", True), ("b", False)]


def test_a_reference_beside_properties_is_merged() -> None:
    assert fields_of({**obj({"b": STRING}), **ref("A")}, A=obj({"a": STRING}, "a")).keys() == {"b", "a"}


@pytest.mark.parametrize(
    ("first", "second", "merged"),
    [
        (STRING, constant("x"), Enumeration(("x",))),
        ({"enum": ["x", "y"]}, constant("x"), Enumeration(("x",))),
        ({"anyOf": [constant("x"), STRING]}, constant("z"), Enumeration(("z",))),
        (STRING, {"type": "string", "maxLength": 3}, String(None, 3)),
        ({"type": "number"}, INTEGER, Integer()),
        ({}, STRING, String()),
        ({"type": ["string", "integer"]}, {"type": ["integer", "boolean"]}, Integer()),
    ],
)
def test_a_property_that_two_schemas_declare_satisfies_both(first: object, second: object, merged: Type) -> None:
    for one, other in ((first, second), (second, first)):
        assert fields_of(obj({"a": one}, allOf=[ref("A")]), A=obj({"a": other}))["a"].type == merged


def test_a_property_is_null_only_where_both_schemas_allow_it() -> None:
    base = obj({"a": {"type": ["string", "null"]}, "b": {"type": ["string", "null"]}})
    fields = fields_of(obj({"a": STRING, "b": {"type": ["string", "null"]}}, allOf=[ref("A")]), A=base)
    assert [field.nullable for field in fields.values()] == [False, True]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "allOf": [ref("A")], "required": ["a"]},
        {"allOf": [ref("A"), {"required": ["a"]}]},
        {"allOf": [{"type": "object", "required": ["a"]}, ref("A")]},
        {**ref("A"), "required": ["a"]},
    ],
)
def test_a_property_may_be_required_where_it_is_not_declared(schema: object) -> None:
    assert fields_of(schema, A=obj({"a": STRING}))["a"].required


def test_a_property_required_beside_a_union_is_required_in_each_member_that_declares_it() -> None:
    union = obj({"k": STRING}, "k", "n", oneOf=[obj({"k": constant("a"), "n": INTEGER}, "k")])
    found = lowered({"X": union}).declarations["AX"]
    assert isinstance(found, ObjectType)
    assert [(field.wire, field.required) for field in found.fields] == [("k", True), ("n", True)]


# --- names -----------------------------------------------------------------------------------------------------------


def test_inline_objects_are_named_by_their_owner_and_property() -> None:
    inner = obj({"b": {"type": "array", "items": obj({"c": STRING})}})
    declarations = lowered(
        {"X": obj({"a": inner, "m": {"type": "object", "additionalProperties": inner}})}
    ).declarations
    assert {"XA", "XAB", "XM", "XMB"} <= declarations.keys()


@pytest.mark.parametrize("nullable", [{"type": ["object", "null"]}, {"type": "object"}])
def test_an_inline_object_may_be_null(nullable: Any) -> None:
    inner = {**obj({"b": STRING}), **nullable}
    schema = inner if nullable["type"] != "object" else {"anyOf": [inner, NULL]}
    field = fields_of(obj({"a": schema}))["a"]
    assert (field.type, field.nullable) == (Reference("XA"), True)


def test_a_union_in_a_property_is_named_by_it_when_it_has_inline_members() -> None:
    union = {"oneOf": [obj({"k": constant("a")}, "k"), obj({"k": constant("b")}, "k"), NULL]}
    declarations = lowered({"X": obj({"p": union})}).declarations
    assert {"XP", "AXP", "BXP"} <= declarations.keys()
    found = declarations["X"]
    assert isinstance(found, ObjectType)
    assert (found.fields[0].type, found.fields[0].nullable) == (Reference("XP"), True)


# --- leniency --------------------------------------------------------------------------------------------------------


def test_marks_are_read_from_the_property() -> None:
    list_ = {"type": "array", "items": INTEGER}
    schema = obj({"a": {**INTEGER, **LENIENT}, "b": {**INTEGER, **NULL_LENIENT}, "c": {**list_, **SKIPPING, **LENIENT}})
    fields = fields_of(schema)
    assert [(f.on_error, f.on_null) for f in fields.values()] == [(True, False), (False, True), (True, False)]
    assert fields["c"].type == Array(Integer(), skip_invalid=True)


def test_a_mark_survives_the_merge_with_a_type_that_is_wider() -> None:
    base = obj({"a": {"type": ["string", "null"], **LENIENT}})
    field = fields_of(obj({"a": STRING}, allOf=[ref("A")]), A=base)["a"]
    assert field.on_error
    assert isinstance(field.bad_unless, Union)
    assert field.bad_unless.members == (String(), Null())


def test_nothing_is_left_of_a_mark_where_the_merged_field_is_required() -> None:
    field = fields_of(obj({}, "a", allOf=[ref("A")]), A=obj({"a": {**INTEGER, **LENIENT, **NULL_LENIENT}}))["a"]
    assert (field.required, field.on_error, field.on_null) == (True, False, False)


def test_marks_are_no_marks_in_the_other_dialect() -> None:
    root = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {
            "X": obj({"a": {**INTEGER, **LENIENT}}),
            "ClientNotification": obj({"method": constant("m")}, "method"),
        },
    }
    found = lower(parse(json.dumps(root).encode(), file="a.json"), "mcp", "2025-11-25").declarations["X"]
    assert isinstance(found, ObjectType)
    assert not found.fields[0].on_error


# --- what is refused -------------------------------------------------------------------------------------------------

X = "/$defs/X"
A_NOT = {"properties": {"k": constant("a")}, "required": ["k"]}

BAD: list[tuple[str, str, Any]] = [
    # unions
    ("nameless-member", X + "/anyOf/0", {"anyOf": [obj({"a": STRING}), obj({"b": STRING}, title="b")]}),
    ("nameless-member", X + "/properties/p/anyOf/0", obj({"p": {"anyOf": [obj({"a": STRING}), INTEGER]}})),
    ("nameless-object", X + "/items", {"type": "array", "items": obj({"a": STRING})}),
    ("nameless-object", X, {**obj({"a": STRING}), "type": ["object", "null"]}),
    ("unsupported-union", X, {"allOf": [ref("U"), ref("V")]}),
    ("unsupported-union", X + "/oneOf", {"anyOf": [STRING], "oneOf": [INTEGER]}),
    ("unsupported-union", X + "/anyOf/1", obj({"a": STRING}, anyOf=[{**ref("U"), "title": "u"}, {"type": "object"}])),
    ("unsupported-union", X + "/type", {"type": "string", "anyOf": [constant("a"), INTEGER]}),
    ("unsupported-union", X + "/type", {"type": "object", "anyOf": [ref("U"), STRING]}),
    ("unsupported-union", X + "/oneOf", {"oneOf": [STRING, INTEGER, STRING]}),
    ("unsupported-union", X, {"oneOf": [ref("Text"), ref("SameText")]}),
    # merging
    ("unsupported-merge", X, obj({"a": INTEGER}, allOf=[ref("A")])),
    ("unsupported-merge", X, obj({"a": {"type": "string", "maxLength": 3}}, allOf=[obj({"a": constant("b")})])),
    ("unsupported-merge", X, {"allOf": [{"type": "string", "maxLength": 3}, {"type": "string", "minLength": 1}]}),
    ("unsupported-merge", X + "/allOf", {"allOf": [STRING, INTEGER]}),
    ("unsupported-merge", X + "/allOf", {"allOf": [ref("Text"), ref("A")]}),
    ("unsupported-merge", X + "/$ref", {**ref("Text"), "type": "integer"}),
    ("unsupported-merge", X, obj({"b": STRING}, allOf=[{**obj({"a": STRING}), "additionalProperties": INTEGER}])),
    ("undeclared-required", X + "/required", obj({"a": STRING}, "b")),
    ("undeclared-required", X + "/required", {"type": "object", "required": ["b"]}),
    ("undeclared-required", X + "/required", {"type": "object", "allOf": [ref("A")], "required": ["b"]}),
    ("undeclared-required", X + "/allOf/1/required", {"allOf": [{"type": "object"}, {"required": ["b"]}]}),
    # keywords that accept more than they seem to
    ("untyped-keyword", X + "/properties", {"properties": {"a": STRING}}),
    ("untyped-keyword", X + "/minLength", {"minLength": 3}),
    ("untyped-keyword", X + "/items", {"items": STRING}),
    ("untyped-keyword", X + "/maximum", {"maximum": 0}),
    ("untyped-keyword", X + "/minLength", {**ref("Text"), "minLength": 3}),
    ("untyped-keyword", X + "/additionalProperties", {"additionalProperties": STRING}),
    # not
    ("unsupported-not", X + "/not", {"type": "string", "not": {"const": "a"}}),
    ("unsupported-not", X + "/not", obj({"k": STRING}, "k", **{"not": True})),
    ("unsupported-not", X + "/not", obj({"k": STRING}, "k", **{"not": {}})),
    ("unsupported-not", X + "/not", obj({"k": STRING}, "k", **{"not": {"anyOf": [A_NOT, {"required": ["k"]}]}})),
    ("unsupported-not", X + "/not", obj({"k": STRING}, "k", **{"not": {"anyOf": [A_NOT], "required": ["k"]}})),
    ("unsupported-not", X + "/not", obj({"k": STRING}, "k", **{"not": {"properties": {"k": constant("a")}}})),
    ("unsupported-not", X + "/not", obj({"k": STRING}, "k", **{"not": {**A_NOT, "required": ["k", "l"]}})),
    ("unsupported-not", X + "/not", obj({"k": INTEGER}, "k", **{"not": A_NOT})),
    ("unsupported-not", X + "/not", obj({"l": STRING}, "l", **{"not": A_NOT})),
    # enumerations
    ("unsupported-enum", X + "/enum", {"enum": ["a", 1]}),
    ("unsupported-enum", X + "/enum", {"enum": [1, True]}),
    ("unsupported-enum", X + "/enum", {"enum": ["a", None]}),
    ("unsupported-enum", X + "/enum", {"enum": [{"a": 1}]}),
    ("unsupported-enum", X + "/const", {"const": [1, 2]}),
    ("unsupported-enum", X + "/const", {"const": None}),
    ("unsupported-enum", X + "/const", {"const": 1.5}),
    ("unsupported-enum", X + "/const", {"type": "string", "const": 1}),
    ("unsupported-enum", X + "/anyOf", {"const": "a", "anyOf": [STRING]}),
    ("unsupported-enum", X + "/maxLength", {"type": "string", "enum": ["a"], "maxLength": 1}),
    # leniency
    ("unsupported-leniency", X + "/properties/a", obj({"a": {**INTEGER, **LENIENT}}, "a")),
    ("unsupported-leniency", X + "/properties/a", obj({"a": {**INTEGER, **NULL_LENIENT}}, "a")),
    ("unsupported-leniency", X + "/properties/a", obj({"a": {**INTEGER, **SKIPPING}})),
    # names
    ("unusable-name", X + "/properties/--", obj({"--": STRING})),
    ("unusable-name", X + "/properties/2nd", obj({"2nd": STRING})),
    ("unusable-name", X + "/oneOf/0", {"oneOf": [obj({"k": constant("3d")}, "k"), obj({"k": constant("b")}, "k")]}),
    ("name-collision", X, obj({"aB": STRING, "a_b": STRING})),
    ("name-collision", X, obj({"a": STRING}, allOf=[obj({"x/a": STRING})])),
    ("name-collision", X, obj({"lower": ref("lower"), "b": ref("lower")})),
    ("name-collision", X + "/properties/definition", obj({"definition": obj({"a": STRING})})),
    ("name-collision", X + "/oneOf/1", {"oneOf": [obj({"k": constant("a-b")}, "k"), obj({"k": constant("aB")}, "k")]}),
    # methods
    ("bad-method", X + "Request", {"type": "object", "x-method": 3, "x-side": "agent"}),
    ("bad-method", X + "Request", {"type": "object", "x-method": "x"}),
    ("bad-method", X + "Request", {"type": "object", "x-method": "x", "x-side": "nobody"}),
    ("bad-method", X + "Request", {"type": "object", "x-method": "x", "x-side": "agent"}),
    ("bad-method", X + "Response", {"type": "object", "x-method": "x", "x-side": "agent"}),
    ("bad-method", X, {"type": "object", "x-method": "x", "x-side": "agent"}),
    ("bad-method", X + "Response", {"type": "object", "x-method": "wave", "x-side": "agent"}),
]

OTHERS = {
    "A": obj({"a": STRING}),
    "U": {"anyOf": [obj({"k": constant("a")}, "k"), obj({"k": constant("b")}, "k")]},
    "V": {"anyOf": [obj({"l": constant("a")}, "l"), obj({"l": constant("b")}, "l")]},
    "Text": STRING,
    "SameText": {"type": "string", "format": "uri"},
    "lower": obj({"a": STRING}),
    "XDefinition": obj({"b": STRING}),
}


@pytest.mark.parametrize(("code", "pointer", "schema"), BAD, ids=[f"{code}-{i}" for i, (code, *_) in enumerate(BAD)])
def test_what_cannot_be_expressed_gives_one_diagnostic(code: str, pointer: str, schema: object) -> None:
    name = pointer.removeprefix("/$defs/") if code == "bad-method" else "X"
    # What a definition says twice, once merged, is one finding; of the others there is exactly one.
    assert findings({**OTHERS, name: schema}) == [(code, pointer)]


def test_every_diagnostic_says_what_to_do() -> None:
    for code, pointer, schema in BAD:
        name = pointer.removeprefix("/$defs/") if code == "bad-method" else "X"
        with pytest.raises(InvalidInput) as caught:
            lowered({**OTHERS, name: schema})
        assert all(found.hint for found in caught.value.diagnostics), schema


@pytest.mark.parametrize(
    "name",
    [
        "TYPES",
        "METHODS",
        "PROTOCOL",
        "VERSION",
        "PROTOCOL_VERSION",
        "models",
        "decode_message",
        "TYPE_CHECKING",
        "__all__",
        "__Private",
    ],
)
def test_a_definition_cannot_have_a_name_that_the_generated_module_needs(name: str) -> None:
    assert findings({name: obj({"a": STRING})}) == [("name-collision", f"/$defs/{name}")]


def test_a_member_of_a_union_cannot_have_such_a_name_either() -> None:
    union = {"oneOf": [obj({"k": constant("PROTOCOL")}, "k"), obj({"k": constant("b")}, "k")]}
    assert findings({"_VERSION": union}) == [("name-collision", "/$defs/_VERSION/oneOf/0")]


def test_all_findings_are_reported_together() -> None:
    found = findings({"X": obj({"a": {"minLength": 1}, "b": {"enum": ["a", 1]}}), "Y": {"not": {}}})
    assert found == [
        ("untyped-keyword", "/$defs/X/properties/a/minLength"),
        ("unsupported-enum", "/$defs/X/properties/b/enum"),
        ("unsupported-not", "/$defs/Y/not"),
    ]


def test_a_schema_without_methods_is_refused() -> None:
    root = json.loads(document({}))
    del root["$defs"]["WaveNotification"]
    root["$defs"]["X"] = STRING
    for protocol, version in (("acp", "v1"), ("mcp", "2025-11-25")):
        with pytest.raises(InvalidInput) as caught:
            lower(parse(json.dumps(root).encode(), file="a.json"), protocol, version)
        assert [found.code for found in caught.value.diagnostics] == ["no-methods"]


# --- methods ---------------------------------------------------------------------------------------------------------


def methods(protocol: str, definitions: object) -> list[tuple[str, str, str, Any, Any]]:
    root = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions}
    version = {"acp": "v1", "mcp": "2025-11-25"}[protocol]
    found = lower(parse(json.dumps(root).encode(), file="a.json"), protocol, version)
    return [(m.name, m.kind, m.sender, m.params, m.result) for m in found.methods]


def test_acp_methods_are_sent_by_the_other_side_than_receives_them() -> None:
    def message(method: str, side: str) -> Any:
        return {"type": "object", "x-method": method, "x-side": side}

    assert methods(
        "acp",
        {
            "ARequest": message("a", "agent"),
            "AResponse": message("a", "agent"),
            "BNotification": message("b", "client"),
            "CNotification": message("$/c", "protocol"),
            "DRequest": message("d", "proxy"),
            "DNotification": message("d", "proxy"),
        },
    ) == [
        ("a", "request", "client", Reference("ARequest"), Reference("AResponse")),
        ("b", "notification", "agent", Reference("BNotification"), None),
        ("$/c", "notification", "client", Reference("CNotification"), None),
        ("$/c", "notification", "agent", Reference("CNotification"), None),
    ]


def request(method: str, **more: object) -> Any:
    return obj({"method": constant(method), **more}, "method")


def test_mcp_methods_are_those_of_the_unions_of_messages() -> None:
    assert methods(
        "mcp",
        {
            "ClientRequest": {"oneOf": [ref("ARequest"), ref("More")]},
            "More": {"anyOf": [ref("BRequest"), ref("ARequest")]},
            "ServerNotification": ref("CNotification"),
            "ARequest": request("a", params=ref("AParams")),
            "AParams": obj({"x": STRING}),
            "AResult": obj({"y": STRING}),
            "BRequest": request("b"),
            "EmptyResult": obj({"z": STRING}),
            "CNotification": request("c", params=obj({"w": STRING})),
        },
    ) == [
        ("a", "request", "client", Reference("AParams"), Reference("AResult")),
        ("b", "request", "client", None, Reference("EmptyResult")),
        ("c", "notification", "server", Reference("CNotificationParams"), None),
    ]


@pytest.mark.parametrize(
    ("place", "definitions"),
    [
        ("ARequest", {"ClientRequest": ref("ARequest"), "ARequest": obj({"method": STRING}, "method")}),
        ("ARequest", {"ClientRequest": ref("ARequest"), "ARequest": {"type": "object"}}),
        ("ARequest", {"ClientRequest": ref("ARequest"), "ARequest": request("a")}),
        (
            "ARequest",
            {"ClientRequest": ref("ARequest"), "ARequest": request("a"), "AResultResponse": obj({"id": STRING})},
        ),
        (
            "ClientRequest",
            {"ClientRequest": {"anyOf": [ref("ARequest"), STRING]}, "ARequest": request("a"), "AResult": {}},
        ),
    ],
)
def test_an_mcp_message_that_gives_no_method_is_refused(place: str, definitions: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        methods("mcp", definitions)
    assert [(found.code, found.pointer) for found in caught.value.diagnostics] == [("bad-method", f"/$defs/{place}")]
    assert all(found.hint for found in caught.value.diagnostics)
