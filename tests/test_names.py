"""Python names: what each rule makes of text, and what that gives for the bundled schemas."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from pydantic import BaseModel

from wiregen import catalogue, names
from wiregen.document import parse
from wiregen.ir import ObjectType, Protocol
from wiregen.json_text import is_array, is_object
from wiregen.lower import lower
from wiregen.runtime import model

each_target = pytest.mark.parametrize("target", catalogue.targets(), ids=str)


# --- rules -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wire", "name"),
    [
        ("sessionId", "session_id"),
        ("_meta", "meta"),
        ("$schema", "schema_"),
        ("io.modelcontextprotocol/clientInfo", "client_info"),
        ("a/b$cD", "c_d"),
        ("snake_case", "snake_case"),
        ("kebab-case", "kebab_case"),
        ("PascalCase", "pascal_case"),
        ("HTTPHeader", "http_header"),
        ("parseURL", "parse_url"),
        ("x509Cert", "x509_cert"),
        ("v1Beta2", "v1_beta2"),
        ("a.b c", "a_b_c"),
        ("class", "class_"),
        ("None", "none"),
        ("True", "true"),
        ("lambda", "lambda_"),
        ("type", "type"),
        ("id", "id"),
        ("copy", "copy_"),
        ("json", "json_"),
        ("modelDump", "model_dump_"),
        ("list", "list"),
    ],
)
def test_field_name(wire: str, name: str) -> None:
    assert names.field_name(wire) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("agent_message_chunk", "AgentMessageChunk"),
        ("http", "Http"),
        ("end-turn", "EndTurn"),
        ("deep_sea/dive", "Dive"),
        ("mixedCase", "MixedCase"),
        ("other", "Other"),
        ("Already Spoken", "AlreadySpoken"),
        ("_meta", "Meta"),
        ("io.modelcontextprotocol/clientInfo", "ClientInfo"),
        ("a.b", "AB"),
        ("x2y", "X2y"),
    ],
)
def test_class_name(text: str, name: str) -> None:
    assert names.class_name(text) == name


@pytest.mark.parametrize("text", ["", "_", "$", "a/", "--", "日本", "3d", "/1"])
def test_text_without_a_name_is_refused(text: str) -> None:
    for make in (names.field_name, names.class_name):
        with pytest.raises(names.UnusableName, match=re.escape(repr(text))):
            make(text)


def test_a_member_of_a_union_has_its_tag_before_the_union() -> None:
    assert names.member_name("ContentBlock", "image", frozenset()) == "ImageContentBlock"


def test_a_member_of_a_union_has_its_tag_behind_where_a_definition_has_the_first_name() -> None:
    assert names.member_name("StateUpdate", "running", frozenset({"RunningStateUpdate"})) == "StateUpdateRunning"


def test_an_inline_object_is_named_after_its_owner_and_property() -> None:
    assert names.inline_name("ServerCapabilities", "tools") == "ServerCapabilitiesTools"
    assert names.inline_name("Request", "_meta") == "RequestMeta"


@pytest.mark.parametrize(
    ("version", "name"),
    [("v1", "v1"), ("v1-unstable", "v1_unstable"), ("2025-11-25", "v2025_11_25"), ("v2-rc.1", "v2_rc_1")],
)
def test_module_name(version: str, name: str) -> None:
    assert names.module_name(version) == name


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("session/prompt", "session_prompt"),
        ("$/cancel_request", "cancel_request"),
        ("notifications/tools/list_changed", "notifications_tools_list_changed"),
        ("logging/setLevel", "logging_set_level"),
        ("initialize", "initialize"),
    ],
)
def test_method_name(method: str, name: str) -> None:
    assert names.method_name(method) == name


@pytest.mark.parametrize(
    ("name", "scope", "hidden"),
    [
        ("Any", set[str](), "Any"),
        ("Any", {"Any"}, "_Any"),
        ("Any", {"Any", "_Any"}, "_Any_"),
        ("list", {"list", "_list", "_list_"}, "_list__"),
    ],
)
def test_a_name_that_generated_code_needs_gives_way(name: str, scope: set[str], hidden: str) -> None:
    assert names.hidden(name, frozenset(scope)) == hidden


def test_pydantic_attributes_are_those_of_the_installed_pydantic() -> None:
    found = {name for cls in (BaseModel, type(BaseModel)) for name in dir(cls) if not name.startswith("_")}
    assert found == names.PYDANTIC_ATTRIBUTES


def test_no_field_name_hides_an_attribute_of_a_message() -> None:
    public = {name for name in dir(model.Model) if not name.startswith("_")}
    assert not [name for name in public if names.field_name(name) == name]


@pytest.mark.parametrize("name", ["meta", "session_id", "id", "x509_cert", "class_", "v1_beta2", "a_b_c"])
def test_generator_and_package_agree_on_the_wire_name_that_a_field_has_by_default(name: str) -> None:
    assert names.wire_name(name) == model.wire_name(name)


# --- the bundled schemas ---------------------------------------------------------------------------------------------


@cache
def schema(target: catalogue.Target) -> Any:
    return json.loads(catalogue.read_schema(target)[0])


def lowered(target: catalogue.Target, root: object) -> Protocol:
    return lower(parse(json.dumps(root).encode(), file="schema.json"), target.protocol, target.version)


@cache
def bundled(target: catalogue.Target) -> Protocol:
    return lowered(target, schema(target))


@each_target
def test_no_name_ends_in_a_number_that_the_schema_does_not_have(target: catalogue.Target) -> None:
    said = {re.sub(r"[^0-9a-z]", "", text.lower()) for text in spoken(schema(target))}
    numbered = [match for name in bundled(target).declarations if (match := re.search(r"[A-Z][a-z]*\d+$", name))]
    assert not [match.string for match in numbered if not any(match[0].lower() in word for word in said)]


def spoken(node: object) -> Iterator[str]:
    """All keys and strings of a schema: what names can come from."""
    if is_object(node):
        yield from node
    if is_object(node) or is_array(node):
        for value in node.values() if is_object(node) else node:
            yield from spoken(value)
    elif isinstance(node, str):
        yield node


@each_target
def test_definitions_keep_their_names(target: catalogue.Target) -> None:
    root = schema(target)
    definitions = root.get("$defs") or root["definitions"]
    assert bundled(target).definitions == tuple(definitions)
    assert definitions.keys() <= bundled(target).declarations.keys()


@each_target
def test_field_names_are_unique_in_each_class_and_usable(target: catalogue.Target) -> None:
    for declaration in bundled(target).declarations.values():
        if isinstance(declaration, ObjectType):
            found = [field.name for field in declaration.fields]
            assert len(set(found)) == len(found), declaration.name
            assert all(name.isidentifier() and name not in names.PYDANTIC_ATTRIBUTES for name in found)


@pytest.mark.parametrize("at", [0, 7, -1])
def test_a_member_inserted_into_session_update_renames_nothing(at: int) -> None:
    target = catalogue.Target("acp", "v2")
    root = json.loads(json.dumps(schema(target)))
    members = root["$defs"]["SessionUpdate"]["oneOf" if "oneOf" in root["$defs"]["SessionUpdate"] else "anyOf"]
    tag = next(wire for wire, prop in members[0]["properties"].items() if "const" in prop)
    added = {"type": "object", "properties": {tag: {"type": "string", "const": "weather_report"}}, "required": [tag]}
    members.insert(at, added)
    for member in members:
        for excluded in member.get("not", {}).get("anyOf", [])[:1]:
            known = json.loads(json.dumps(excluded))
            known["properties"][tag]["const"] = "weather_report"
            member["not"]["anyOf"].append(known)
    before, after = bundled(target).declarations, lowered(target, root).declarations
    assert after.keys() - before.keys() == {"WeatherReportSessionUpdate"}
    assert before.keys() <= after.keys()
    changed = {name for name, declaration in before.items() if declaration != after[name]}
    assert changed == {"SessionUpdate", "OtherSessionUpdate"}
