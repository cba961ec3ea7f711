"""How the members of a union are told apart: by a tag, by order, or by the best match, and why."""

import json
from typing import Any

import pytest
from schemas import INTEGER, NULL, STRING, constant, lowered, obj, ref

from wiregen.document import parse
from wiregen.ir import Alias, Enumeration, Integer, Reference, Step, Union
from wiregen.lower import lower

LENIENT = {"x-deserialize-default-on-error": True}
SKIPPING = {"x-deserialize-skip-invalid-items": True}
NUMBER = {"type": "number"}


def union_of(schema: object, **definitions: object) -> Union:
    """The union that a schema becomes as a definition of its own."""
    found = lowered({**definitions, "X": schema}).declarations["X"]
    assert isinstance(found, Alias)
    assert isinstance(found.type, Union)
    return found.type


def any_of(**members: object) -> Union:
    """The union of definitions, in this order."""
    return union_of({"anyOf": [ref(name) for name in members]}, **members)


def one_of(**members: object) -> Union:
    """The same, of which exactly one may accept."""
    return union_of({"oneOf": [ref(name) for name in members]}, **members)


def tagged(value: str, wire: str = "k", **more: object) -> Any:
    return obj({wire: constant(value), **more}, wire, *more)


# --- tags ------------------------------------------------------------------------------------------------------------


def test_a_constant_that_each_member_requires_is_the_tag() -> None:
    found = any_of(A=tagged("a"), B=tagged("b"))
    assert (found.tag, found.tagged, found.rest) == ("k", (("a", (0,)), ("b", (1,))), ())


def test_the_property_that_tells_most_members_apart_is_the_tag() -> None:
    same = {"jsonrpc": constant("2.0")}
    found = any_of(
        A=obj({**same, "method": constant("a")}, "jsonrpc", "method"),
        B=obj({**same, "method": constant("b")}, "jsonrpc", "method"),
    )
    assert found.tag == "method"


def test_a_constant_that_all_members_share_is_no_tag() -> None:
    assert any_of(A=tagged("same", a=STRING), B=tagged("same", b=STRING)).tag is None


def test_a_constant_that_may_be_absent_is_no_tag() -> None:
    assert any_of(A=obj({"k": constant("a")}), B=obj({"k": constant("b")})).tag is None


def test_a_constant_that_may_be_null_is_no_tag() -> None:
    nullable = {"anyOf": [constant("a"), NULL]}
    assert any_of(A=obj({"k": nullable}, "k"), B=obj({"k": {"anyOf": [constant("b"), NULL]}}, "k")).tag is None


def test_an_enumeration_of_several_values_picks_its_member_for_each() -> None:
    found = any_of(A=obj({"k": {"enum": ["a", "b"]}}, "k"), C=tagged("c"))
    assert found.tagged == (("a", (0,)), ("b", (0,)), ("c", (1,)))


def test_members_of_one_tag_are_ordered_among_themselves() -> None:
    found = any_of(A=tagged("a", one=STRING), B=tagged("b"), A2=tagged("a", one=STRING, two=STRING))
    assert dict(found.tagged)["a"] == (2, 0)


def test_a_member_without_a_tag_is_tried_for_all_other_values() -> None:
    found = any_of(A=tagged("a"), B=tagged("b"), C=obj({"c": STRING}, "c"))
    assert found.tag == "k"
    assert found.rest == (2,)


def test_a_member_that_excludes_the_tags_of_others_is_the_open_one_wherever_it_stands() -> None:
    excluded = {"not": {"anyOf": [tagged("a"), tagged("b")]}}
    opened = obj({"k": STRING}, "k", title="other", **excluded)
    for members, rest in (([opened, tagged("a"), tagged("b")], (0,)), ([tagged("a"), tagged("b"), opened], (2,))):
        found = union_of({"anyOf": members})
        assert (found.tag, found.rest) == ("k", rest)
        assert found.members[rest[0]] == Reference("OtherX")


def test_the_tag_is_found_through_unions_of_unions() -> None:
    found = union_of(
        {"anyOf": [ref("AB"), ref("CD")]},
        AB={"anyOf": [ref("A"), ref("B")]},
        CD={"anyOf": [ref("C"), ref("D")]},
        **{name: tagged(name.lower()) for name in "ABCD"},
    )
    assert found.tagged == (("a", (0,)), ("b", (0,)), ("c", (1,)), ("d", (1,)))


def test_a_discriminator_is_a_hint_and_no_tag_by_itself() -> None:
    members = {"A": obj({"k": STRING, "a": STRING}, "a"), "B": obj({"k": STRING, "b": STRING}, "b")}
    found = union_of({"anyOf": [ref("A"), ref("B")], "discriminator": {"propertyName": "k"}}, **members)
    assert found.tag is None


# --- order -----------------------------------------------------------------------------------------------------------

AB = obj({"a": STRING, "b": STRING}, "a", "b")


@pytest.mark.parametrize(
    ("members", "rest"),
    [
        pytest.param({"A": STRING, "B": INTEGER}, (0, 1), id="kinds of value that exclude each other stay in order"),
        pytest.param({"A": obj({"a": STRING}, "a"), "B": AB}, (1, 0), id="the member that requires more goes first"),
        pytest.param({"A": obj({"a": STRING}), "B": AB}, (1, 0), id="optional fields do not make a member go first"),
        pytest.param(
            {"A": obj({"a": STRING}, "a"), "B": obj({"b": STRING}, "b")},
            (0, 1),
            id="of members that declare equally much of every value the first is taken",
        ),
        pytest.param(
            {"A": obj({"a": STRING, "c": STRING}, "a"), "B": obj({"b": STRING, "d": STRING}, "b")},
            ((0, 1),),
            id="members of which each may declare more than the other are compared",
        ),
        pytest.param(
            {"A": obj({"a": STRING}, "a"), "B": obj({"a": INTEGER}, "a")},
            (0, 1),
            id="a required field of two kinds excludes",
        ),
        pytest.param(
            {"A": obj({"a": STRING}, "a"), "B": obj({"a": INTEGER, "b": STRING})},
            (0, 1),
            id="a field of two kinds excludes where one member requires it",
        ),
        pytest.param(
            {"A": obj({"a": STRING, "x": STRING}), "B": obj({"a": INTEGER, "y": STRING})},
            ((0, 1),),
            id="a field of two kinds does not exclude where both may lack it",
        ),
        pytest.param(
            {"A": obj({"a": {**STRING, **LENIENT}, "b": STRING}, "b"), "B": obj({"a": INTEGER}, "a")},
            ((0, 1),),
            id="a field that reads a bad value as absent excludes nothing",
        ),
        pytest.param(
            {"A": obj({"a": STRING}), "B": obj({"a": STRING})}, (0, 1), id="of two equal members the first is taken"
        ),
        pytest.param(
            {"A": obj({"a": {**STRING, **LENIENT}}), "B": obj({"a": {**STRING, **LENIENT}})},
            (0, 1),
            id="a field that both salvage alike needs no comparison",
        ),
        pytest.param(
            {"A": obj({"a": {**STRING, **LENIENT}}), "B": obj({"a": {"type": ["string", "integer"]}})},
            ((0, 1),),
            id="a member that would salvage what the other takes as it is has to be compared",
        ),
        pytest.param(
            {"A": {"type": "array", "items": STRING}, "B": {"type": "array", "items": INTEGER}},
            (0, 1),
            id="arrays are tried in order",
        ),
        pytest.param({"A": NUMBER, "B": obj({"a": STRING})}, (0, 1), id="scalars and objects exclude each other"),
        pytest.param({"A": obj({"a": STRING}, "a"), "B": {}}, (0, 1), id="a member that takes everything goes last"),
        pytest.param({"B": {}, "A": obj({"a": STRING}, "a")}, (1, 0), id="even where it is listed first"),
        pytest.param({"B": {"type": "object"}, "A": obj({"a": STRING})}, ((0, 1),), id="a map declares no field"),
    ],
)
def test_order_of_members_without_a_tag(members: dict[str, Any], rest: tuple[Step, ...]) -> None:
    found = any_of(**members)
    assert (found.tag, found.rest, found.exclusive) == (None, rest, False)


def test_members_that_need_no_comparison_follow_those_that_do() -> None:
    found = any_of(A=STRING, B=obj({"b": STRING, "x": STRING}, "b"), C=obj({"c": STRING, "y": STRING}, "c"))
    assert found.rest == ((1, 2), 0)


# --- exactly one -----------------------------------------------------------------------------------------------------


def test_one_of_members_that_exclude_each_other_is_like_any_of() -> None:
    assert not one_of(A=STRING, B=INTEGER).exclusive
    assert not one_of(A=tagged("a"), B=tagged("b")).exclusive
    assert one_of(A=tagged("a"), B=tagged("b")).tag == "k"


def test_one_of_members_that_overlap_compares_all() -> None:
    found = one_of(A=obj({"a": STRING}, "a"), B=obj({"b": STRING}, "b"), C=STRING)
    assert (found.exclusive, found.rest) == (True, ((0, 1, 2),))


@pytest.mark.parametrize(
    "members",
    [
        [INTEGER, NUMBER],
        [constant("a"), STRING],
        [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}],
        [{"anyOf": [STRING, INTEGER]}, NUMBER],
        [STRING, {}],
    ],
)
def test_one_of_keeps_members_that_cover_others(members: list[Any]) -> None:
    found = union_of({"oneOf": members})
    assert (found.exclusive, len(found.members)) == (True, 2)


def test_one_of_constants_is_an_enumeration() -> None:
    found = union_of({"oneOf": [constant("a"), constant("b"), INTEGER]})
    assert (found.exclusive, found.members) == (False, (Enumeration(("a", "b")), Integer()))


# --- members that are one type ---------------------------------------------------------------------------------------


def test_aliases_of_one_type_are_one_member() -> None:
    found = lowered(
        {
            "A": STRING,
            "B": ref("A"),
            "C": {"anyOf": [constant("x"), STRING]},
            "X": {"anyOf": [ref("A"), ref("B"), ref("C"), INTEGER]},
        }
    )
    declaration = found.declarations["X"]
    assert isinstance(declaration, Alias)
    assert isinstance(declaration.type, Union)
    assert declaration.type.members == (Reference("A"), Integer())


def test_a_union_of_aliases_of_one_type_is_that_type() -> None:
    found = lowered(
        {
            "A": {"type": "array", "items": STRING},
            "B": {"type": "array", "items": ref("S")},
            "S": STRING,
            "X": {"anyOf": [ref("A"), ref("B")]},
        }
    )
    assert found.declarations["X"] == Alias("X", Reference("A"))


def test_aliases_with_limits_of_their_own_stay_members() -> None:
    found = any_of(A=STRING, B={"type": "string", "maxLength": 3})
    assert found.members == (Reference("A"), Reference("B"))


# --- results of MCP --------------------------------------------------------------------------------------------------


def mcp_union(*members: str) -> Union:
    result = {"type": "object", "properties": {"resultType": STRING, "a": STRING, "b": STRING}}
    definitions: Any = {
        "InputRequiredResult": {**result, "required": ["resultType"]},
        "AResult": {**result, "required": ["resultType", "a"]},
        "BResult": {**result, "required": ["resultType", "b"]},
        "X": {"anyOf": [ref(name) for name in members]},
        "ClientNotification": tagged("m", "method"),
    }
    root = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions}
    found = lower(parse(json.dumps(root).encode(), file="a.json"), "mcp", "2026-07-28").declarations["X"]
    assert isinstance(found, Alias)
    assert isinstance(found.type, Union)
    return found.type


def test_result_type_decides_between_a_result_and_a_request_for_input() -> None:
    found = mcp_union("InputRequiredResult", "AResult")
    assert (found.tag, found.tagged, found.rest) == ("resultType", (("input_required", (0,)),), (1, 0))


def test_a_request_for_input_is_the_last_to_be_tried_for_any_other_value() -> None:
    assert mcp_union("AResult", "InputRequiredResult", "BResult").rest[-1] == 1


def test_results_without_a_request_for_input_have_no_tag() -> None:
    assert mcp_union("AResult", "BResult").tag is None
