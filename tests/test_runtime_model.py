"""What messages do at run time: absence, null, defaults, constants, unknown fields, copies, numbers and errors."""

import copy
import json
import pickle
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import wiretypes
from pydantic import ValidationError
from schemas import INTEGER, NULL, STRING, Package, constant, imported, obj, ref
from wiretypes import decode, encode, present, problems
from wiretypes.acp import v1, v2
from wiretypes.mcp import v2025_11_25, v2026_07_28

LENIENT = {"x-deserialize-default-on-error": True}
NUMBER = {"type": "number"}
OTHER = {"not": {"anyOf": [obj({"kind": constant(kind)}, "kind") for kind in ("text", "pair")]}}

SAMPLE: dict[str, Any] = {
    "Limits": obj({"low": {**INTEGER, "default": 1}, "high": INTEGER}),
    "Sample": obj(
        {
            "id": INTEGER,
            "title": {"type": ["string", "null"]},
            "size": INTEGER,
            "count": {**INTEGER, "default": 3},
            "label": {"type": ["string", "null"], "default": "none"},
            "limits": {"allOf": [ref("Limits")], "default": {"low": 5}},
            "tags": {"type": "array", "items": STRING, "default": ["a"]},
            "anything": {},
            "sessionId": STRING,
            "odd-name": STRING,
            "part": ref("Part"),
            "lenient": {**INTEGER, **LENIENT},
        },
        "id",
    ),
    "Part": {
        "anyOf": [
            obj({"kind": constant("text"), "text": STRING}, "kind", "text"),
            obj({"kind": constant("pair"), "parts": {"type": "array", "items": ref("Part")}}, "kind", "parts"),
            obj({"kind": STRING}, "kind", title="other", **OTHER),
        ]
    },
    "Numbers": obj({"integer": INTEGER, "number": NUMBER, "any": {}, "map": {"type": "object"}}),
    "Bounded": obj({"atLeast": {"type": "number", "minimum": 0.5}}),
    "Places": obj(
        {
            "map": {"type": "object", "additionalProperties": {"type": "array", "items": INTEGER}},
            "scores": {"allOf": [ref("Scores")]},
            "either": {"anyOf": [ref("Width"), ref("Height")]},
            "id": {"type": ["string", "integer", "null"]},
            "deep": {"type": "array", "items": {"anyOf": [ref("Part"), NULL]}},
        }
    ),
    "Scores": {**obj({"player": STRING}, "player"), "additionalProperties": INTEGER},
    "Width": obj({"width": INTEGER, "x": STRING}, "width"),
    "Height": obj({"height": INTEGER, "y": STRING}, "height"),
}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(SAMPLE, tmp_path_factory.mktemp("sample"))


@pytest.fixture
def empty(sample: Package) -> Any:
    """A message with its required field only."""
    return sample.decode(sample.version.Sample, b'{"id": 1}')


# --- absent, null, default -------------------------------------------------------------------------------------------


def test_an_absent_field_reads_as_none_or_as_its_default(empty: Any) -> None:
    assert (empty.title, empty.size, empty.count, empty.label, empty.tags) == (None, None, 3, "none", ["a"])
    assert (empty.limits.low, empty.limits.high) == (5, None)


def test_an_absent_field_is_not_present_and_not_encoded(sample: Package, empty: Any) -> None:
    assert not [name for name in ("title", "size", "count", "label", "limits") if sample.present(empty, name)]
    assert sample.encode(empty) == b'{"id":1}'


def test_null_is_present_and_encoded(sample: Package) -> None:
    value = sample.decode(sample.version.Sample, b'{"id":1,"title":null,"label":null}')
    assert (value.title, value.label) == (None, None)
    assert sample.present(value, "title")
    assert sample.present(value, "label")
    assert sample.encode(value) == b'{"id":1,"title":null,"label":null}'


def test_none_writes_null_where_the_schema_allows_it_and_makes_absent_where_not(sample: Package, empty: Any) -> None:
    empty.title, empty.size, empty.count, empty.label = None, None, None, None
    assert sample.encode(empty) == b'{"id":1,"title":null,"label":null}'
    assert (empty.size, empty.count, empty.label) == (None, 3, None)


def test_none_in_a_constructor_does_the_same(sample: Package) -> None:
    value = sample.version.Sample(id=1, title=None, size=None, count=None)
    assert sample.encode(value) == b'{"id":1,"title":null}'


def test_deleting_a_field_makes_it_absent(sample: Package) -> None:
    value = sample.decode(sample.version.Sample, {"id": 1, "title": "t", "count": 9})
    del value.title
    del value.count
    assert (value.title, value.count) == (None, 3)
    assert sample.encode(value) == b'{"id":1}'
    del value.title


def test_an_assigned_default_is_written(sample: Package, empty: Any) -> None:
    empty.count = 3
    assert sample.present(empty, "count")
    assert json.loads(sample.encode(empty)) == {"id": 1, "count": 3}


def test_a_default_that_is_an_object_or_array_is_a_fresh_value_each_time(sample: Package, empty: Any) -> None:
    empty.limits.low = 100
    empty.tags.append("b")
    assert (empty.limits.low, empty.tags) == (5, ["a"])
    assert isinstance(empty.limits, sample.version.Limits)
    assert sample.encode(empty) == b'{"id":1}'


def test_a_bad_value_of_a_lenient_field_counts_as_absent(sample: Package) -> None:
    value = sample.decode(sample.version.Sample, {"id": 1, "lenient": "x"})
    assert value.lenient is None
    assert not sample.present(value, "lenient")
    assert sample.encode(value) == b'{"id":1}'


def test_present_asks_for_python_names_that_the_class_has(sample: Package, empty: Any) -> None:
    for name in ("unknown", "sessionId", "odd-name", "model_extra"):
        with pytest.raises(AttributeError, match="Sample"):
            sample.present(empty, name)


def test_assignment_is_checked_when_the_value_is_encoded_as_its_type(sample: Package, empty: Any) -> None:
    empty.size = "large"
    assert json.loads(sample.encode(empty))["size"] == "large"
    with pytest.raises(ValidationError) as caught:
        sample.encode(empty, sample.version.Sample)
    assert [pointer for pointer, _ in sample.problems(caught.value)] == ["/size"]


# --- constructors ----------------------------------------------------------------------------------------------------


def test_a_constructor_takes_python_names_and_fills_in_constants(sample: Package) -> None:
    value = sample.version.Sample(id=1, session_id="s", odd_name="o", part=sample.version.TextPart(text="t"))
    assert json.loads(sample.encode(value)) == {
        "id": 1,
        "sessionId": "s",
        "odd-name": "o",
        "part": {"kind": "text", "text": "t"},
    }


def test_a_constructor_fills_in_the_result_type_of_the_class() -> None:
    complete = v2026_07_28.ListToolsResult(tools=[], cache_scope="private", ttl_ms=0)
    assert complete.result_type == "complete"
    assert v2026_07_28.InputRequiredResult(request_state="s").result_type == "input_required"
    assert v2026_07_28.ListToolsResult(tools=[], cache_scope="private", ttl_ms=0, result_type="x").result_type == "x"


def test_a_constant_may_be_given_and_has_to_be_right(sample: Package) -> None:
    assert sample.version.TextPart(kind="text", text="t").kind == "text"
    with pytest.raises(ValidationError):
        sample.version.TextPart(kind="pair", text="t")


def test_a_constant_is_required_on_the_wire(sample: Package) -> None:
    with pytest.raises(ValidationError) as caught:
        sample.decode(sample.version.TextPart, {"text": "t"})
    assert sample.problems(caught.value) == [("/kind", "Field required")]


def test_an_unknown_name_in_a_constructor_is_an_unknown_field(sample: Package) -> None:
    value = sample.version.Sample(id=1, vendor={"a": [1]})
    assert value.model_extra == {"vendor": {"a": [1]}}
    assert sample.encode(value) == b'{"id":1,"vendor":{"a":[1]}}'


def test_a_constructor_says_which_argument_is_wrong_or_which_field_is_missing(sample: Package) -> None:
    with pytest.raises(ValidationError) as caught:
        sample.version.Sample(session_id=1, part={"kind": "text"})
    assert [pointer for pointer, _ in sample.problems(caught.value)] == ["/id", "/session_id", "/part/text"]


def test_parsed_json_may_stand_for_a_message_in_a_constructor(sample: Package) -> None:
    value = sample.version.Sample(id=1, part={"kind": "pair", "parts": [{"kind": "text", "text": "t"}]})
    assert isinstance(value.part, sample.version.PairPart)
    assert isinstance(value.part.parts[0], sample.version.TextPart)


# --- unknown fields --------------------------------------------------------------------------------------------------


def test_unknown_fields_are_kept_with_their_values(sample: Package) -> None:
    text = b'{"id":1,"x":null,"y":{"z":[1.5,"a",18446744073709551617]}}'
    value = sample.decode(sample.version.Sample, text)
    assert value.model_extra == {"x": None, "y": {"z": [1.5, "a", 18446744073709551617]}}
    assert sample.encode(value) == text


@pytest.mark.parametrize(
    "text", ['{"id":1,"session_id":"a","sessionId":"b"}', '{"id":1,"session_id":5}', '{"id":1,"odd_name":5}']
)
def test_a_python_name_on_the_wire_is_an_unknown_field(sample: Package, text: str) -> None:
    value = sample.decode(sample.version.Sample, text)
    assert value.session_id == json.loads(text).get("sessionId")
    assert value.odd_name is None
    assert json.loads(sample.encode(value)) == json.loads(text)


def test_the_python_name_of_a_tag_on_the_wire_picks_no_member() -> None:
    update = {"session_update": "plan", "sessionUpdate": "_vendor"}
    value = decode(v2.SessionUpdate, update)
    assert isinstance(value, v2.OtherSessionUpdate)
    assert json.loads(encode(value)) == update
    with pytest.raises(ValidationError):
        decode(v2.SessionUpdate, {"session_update": "_vendor"})


# --- values as Python objects ----------------------------------------------------------------------------------------


def test_repr_shows_what_is_there(sample: Package) -> None:
    value = sample.decode(sample.version.Sample, {"id": 1, "title": None, "x": 2})
    assert repr(value) == "Sample(id=1, title=None, x=2)"


def test_equality_tells_absent_from_null(sample: Package) -> None:
    def make(**more: object) -> Any:
        return sample.decode(sample.version.Sample, {"id": 1, **more})

    assert make() == make()
    assert make(title=None) == make(title=None)
    assert make() != make(title=None)
    assert make(x=1) != make()
    assert make(count=3) != make()
    changed = make(title="t")
    del changed.title
    assert changed == make()


def copies(value: Any) -> Iterator[Any]:
    yield copy.copy(value)
    yield copy.deepcopy(value)
    yield value.model_copy()
    yield value.model_copy(deep=True)
    yield pickle.loads(pickle.dumps(value))


def test_copies_are_equal_and_keep_what_is_absent() -> None:
    text = b'{"type":"text","text":"a","annotations":{"priority":0.5,"vendor":[1]},"other":null}'
    value = decode(v2.TextContentBlock, text)
    for made in copies(value):
        assert made == value
        assert not present(made, "meta")
        assert made.meta is None
        assert encode(made) == text


def test_a_deep_copy_shares_nothing() -> None:
    value = decode(v1.PromptRequest, {"sessionId": "s", "prompt": [{"type": "text", "text": "a"}]})
    made = copy.deepcopy(value)
    block = made.prompt[0]
    assert isinstance(block, v1.TextContentBlock)
    block.text = "b"
    assert json.loads(encode(value))["prompt"][0]["text"] == "a"


def test_model_copy_takes_changes(sample: Package, empty: Any) -> None:
    assert sample.encode(empty.model_copy(update={"title": "t"})) == b'{"id":1,"title":"t"}'


def test_values_are_mutable_and_not_hashable(empty: Any) -> None:
    empty.id = 2
    assert empty.id == 2
    with pytest.raises(TypeError):
        hash(empty)


def test_a_decoded_value_passes_through_decode(sample: Package) -> None:
    value = sample.decode(sample.version.TextPart, {"kind": "text", "text": "t"})
    assert sample.decode(sample.version.Part, value) is value
    list_of: Any = list
    assert sample.decode(list_of[sample.version.Part], [value])[0] is value


def test_a_subclass_decodes_encodes_and_keeps_defaults_and_constants() -> None:
    class MyImplementation(v2.Implementation):
        vendor_rank: int

        def shout(self) -> str:
            return self.name.upper()

    value = decode(MyImplementation, {"name": "n", "version": "1", "vendorRank": 3})
    assert (value.shout(), value.vendor_rank, value.title) == ("N", 3, None)
    assert json.loads(encode(value)) == {"name": "n", "version": "1", "vendorRank": 3}

    class MyText(v2.TextContentBlock):
        pass

    assert json.loads(encode(MyText(text="a"))) == {"type": "text", "text": "a"}

    class MyTool(v2025_11_25.Tool):
        pass

    assert not present(MyTool(name="t", input_schema=v2025_11_25.ToolInputSchema()), "title")


def test_a_subclass_keeps_the_defaults_of_the_schema(sample: Package) -> None:
    class Special(sample.version.Sample):  # type: ignore[misc, name-defined]
        pass

    value = Special(id=1)
    assert (value.count, value.label, value.tags) == (3, "none", ["a"])


def test_a_subclass_keeps_the_constants_of_the_constructor() -> None:
    class MyResult(v2026_07_28.ListToolsResult):
        pass

    assert MyResult(tools=[], cache_scope="private", ttl_ms=0).result_type == "complete"


# --- numbers ---------------------------------------------------------------------------------------------------------

HUGE = 10**40 + 1


@pytest.mark.parametrize("field", ["integer", "number", "any", "unknown"])
@pytest.mark.parametrize("number", ["0", "-1", "9007199254740993", "18446744073709551617", str(HUGE), str(-HUGE)])
def test_integers_stay_exact(sample: Package, field: str, number: str) -> None:
    text = f'{{"{field}":{number}}}'
    for data in (text, text.encode(), json.loads(text)):
        value = sample.decode(sample.version.Numbers, data)
        assert sample.encode(value) == text.encode()


def test_a_whole_number_with_a_fraction_of_zero_is_an_integer(sample: Package) -> None:
    for data in ('{"integer":1.0}', {"integer": 1.0}, '{"integer":10e-1}'):
        value = sample.decode(sample.version.Numbers, data)
        assert type(value.integer) is int
        assert value.integer == 1
    assert sample.decode(sample.version.Numbers, '{"number":1.0}').number == 1


@pytest.mark.parametrize("text", ["1.5", "true", '"1"', "null", "[]", "1e-1", "[1]"])
def test_what_is_no_integer_is_refused(sample: Package, text: str) -> None:
    for data in (f'{{"integer":{text}}}', json.loads(f'{{"integer":{text}}}')):
        with pytest.raises(ValidationError):
            sample.decode(sample.version.Numbers, data)


@pytest.mark.parametrize("text", ["true", '"1.5"', "null", "{}"])
def test_what_is_no_number_is_refused(sample: Package, text: str) -> None:
    for data in (f'{{"number":{text}}}', json.loads(f'{{"number":{text}}}')):
        with pytest.raises(ValidationError):
            sample.decode(sample.version.Numbers, data)


@pytest.mark.parametrize(
    "place",
    ['{"integer":@}', '{"number":@}', '{"any":@}', '{"any":[{"a":@}]}', '{"map":{"a":@}}', '{"x":@}', '{"x":[@]}'],
)
@pytest.mark.parametrize(
    "number", ["NaN", "Infinity", "-Infinity", "1e400", "-1E+400", "1" * 400 + ".5", "1" * 400 + "e0"]
)
def test_numbers_that_json_lacks_are_refused(sample: Package, place: str, number: str) -> None:
    text = place.replace("@", number)
    for data in (text, text.encode(), bytearray(text.encode()), json.loads(text)):
        with pytest.raises(ValidationError) as caught:
            sample.decode(sample.version.Numbers, data)
        assert sample.problems(caught.value)


@pytest.mark.parametrize(
    "text", ['"NaN"', '"-Infinity"', '"1e400"', "1e99", "1e-400", "1.7976931348623157e308", '"' + "0" * 300 + '"']
)
@pytest.mark.parametrize("field", ["any", "unknown"])
def test_text_that_looks_like_such_a_number_is_none(sample: Package, field: str, text: str) -> None:
    message = f'{{"{field}":{text}}}'
    for data in (message, json.loads(message)):
        assert json.loads(sample.encode(sample.decode(sample.version.Numbers, data))) == json.loads(message)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_a_value_that_json_cannot_say_is_not_encoded(sample: Package, number: float) -> None:
    value = sample.decode(sample.version.Numbers, {"number": 1.5, "any": 1})
    value.number = number
    with pytest.raises(ValueError, match=r"\S"):
        sample.encode(value)
    value.number, value.any = 1, [{"a": number}]
    with pytest.raises(ValueError, match=r"\S"):
        sample.encode(value)
    with pytest.raises(ValueError, match=r"\S"):
        sample.encode({"a": number})


def test_an_integer_of_any_length_is_exact_or_a_value_error(sample: Package) -> None:
    digits = "1" * (sys.get_int_max_str_digits() + 100)
    for field in ("integer", "any", "unknown"):
        try:
            value = sample.decode(sample.version.Numbers, f'{{"{field}":{digits}}}')
            encoded = sample.encode(value)
        except ValueError:
            continue
        assert encoded == f'{{"{field}":{digits}}}'.encode()


def test_a_bound_of_a_number_may_be_a_fraction(sample: Package) -> None:
    for high in (0.5, 1):
        assert sample.decode(sample.version.Bounded, {"atLeast": high}).at_least == high
    for low in (0, 0.25):
        with pytest.raises(ValidationError):
            sample.decode(sample.version.Bounded, {"atLeast": low})


# --- data that is no JSON --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        {"any": {1: 2}},
        {"any": {1, 2}},
        {"any": b"bytes"},
        {"any": ...},
        {"any": 1j},
        {"unknown": (1, 2)},
        {"unknown": ...},
        {1: 2},
        '{"any": "\ud800"}',
        '{"any": "\\ud800"}',
        b'{"any": "\xff"}',
        b"\xef\xbb\xbf{}x",
        "[" * 100_000,
        '{"any": ' + "[" * 5000 + "]" * 5000 + "}",
        None,
        3,
        ...,
    ],
    ids=repr,
)
def test_what_is_no_json_is_a_validation_error(sample: Package, data: object) -> None:
    with pytest.raises(ValidationError) as caught:
        sample.decode(sample.version.Numbers, data)
    assert sample.problems(caught.value)


@pytest.mark.parametrize("data", [{"any": "\ud800"}, {"unknown": ["\udfff"]}], ids=repr)
def test_parsed_text_that_is_no_unicode_is_a_validation_error(sample: Package, data: object) -> None:
    with pytest.raises(ValidationError):
        sample.decode(sample.version.Numbers, data)


def test_parsed_json_that_is_nested_without_end_is_a_validation_error(sample: Package) -> None:
    endless: list[Any] = []
    endless.append(endless)
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for value in (endless, deep):
        with pytest.raises(ValidationError):
            sample.decode(sample.version.Numbers, {"any": value})


# --- problems --------------------------------------------------------------------------------------------------------


def pointers(package: Any, type_: Any, data: object) -> list[str]:
    """Where the problems of bad data are; each place exists in it, or is a field that is missing from one that does."""
    with pytest.raises(ValidationError) as caught:
        package.decode(type_, data)
    found = package.problems(caught.value)
    for pointer, text in found:
        *parents, last = pointer.split("/")[1:] or [""]
        holder = data
        for step in parents:
            holder = at(holder, step)
        if pointer and text != "Field required":
            at(holder, last)
        elif pointer:
            assert isinstance(holder, dict)
            assert unescaped(last) not in holder
    assert len(set(found)) == len(found)
    return [pointer for pointer, _ in found]


def at(holder: Any, step: str) -> Any:
    return holder[int(step) if isinstance(holder, list) else unescaped(step)]


def unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


TEXT = {"kind": "text"}


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("Sample", {"title": 1}, ["/id", "/title"]),
        ("Sample", {"id": 1, "odd-name": 1, "sessionId": 2}, ["/sessionId", "/odd-name"]),
        ("Sample", {"id": 1.5}, ["/id"]),
        ("Sample", {"id": 1, "limits": {"low": "x"}}, ["/limits/low"]),
        ("Sample", {"id": 1, "tags": ["a", 2, "b", None]}, ["/tags/1"]),
        # unions
        ("Part", {"kind": "text"}, ["/text"]),
        (
            "Part",
            {"kind": "pair", "parts": [{"kind": "text", "text": "a"}, TEXT, {"kind": 1}, 3]},
            ["/parts/1/text"],
        ),
        (
            "Part",
            {"kind": "pair", "parts": [{"kind": "pair", "parts": [{"kind": "pair", "parts": [TEXT]}]}]},
            ["/parts/0/parts/0/parts/0/text"],
        ),
        ("Part", {}, ["/kind"]),
        ("Part", {"kind": None}, ["/kind"]),
        ("Part", [], [""]),
        ("Places", {"id": True}, ["/id", "/id"]),
        ("Places", {"either": {}}, ["/either/width"]),
        ("Places", {"deep": [None, TEXT]}, ["/deep/1/text", "/deep/1"]),
        # keys that a pointer has to escape, or that look like something else
        ("Places", {"map": {"a/b": [1, "x"]}}, ["/map/a~1b/1"]),
        ("Places", {"map": {"~": [None]}}, ["/map/~0/0"]),
        ("Places", {"map": {"": ["y"]}}, ["/map//0"]),
        ("Places", {"map": {"|0": ["z"]}}, ["/map/|0/0"]),
        ("Places", {"map": {"0": [1.5]}}, ["/map/0/0"]),
        ("Places", {"map": {"[key]": ["x"]}}, ["/map/[key]/0"]),
        ("Places", {"map": {"|way 0": 3}}, ["/map/|way 0"]),
        # of a list or a map, the first
        ("Places", {"map": {"a": [1], "b": ["x"], "c": ["y"]}}, ["/map/b/0"]),
        ("Places", {"scores": {"player": "p", "a/b": "x", "text": None}}, ["/scores/a~1b", "/scores/text"]),
    ],
)
def test_problems_point_into_the_value(sample: Package, name: str, data: object, expected: list[str]) -> None:
    assert pointers(sample, getattr(sample.version, name), data) == expected


def test_problems_are_those_of_the_member_that_was_meant(sample: Package) -> None:
    assert pointers(sample, sample.version.Places, {"either": {"width": "x"}}) == ["/either/width"]


def test_problems_of_types_that_are_built_of_others(sample: Package) -> None:
    part, message, width, scores = (getattr(sample.version, name) for name in ("Part", "Sample", "Width", "Scores"))
    list_of: Any = list
    map_of: Any = dict
    assert pointers(sample, list_of[part], [{"kind": "text", "text": ""}, TEXT]) == ["/1/text"]
    assert pointers(sample, map_of[str, message], {"x/y": {}}) == ["/x~1y/id"]
    assert pointers(sample, message | None, {"id": "x"}) == ["/id"]
    assert pointers(sample, width | scores, {"width": "x", "player": 1})


def test_problems_of_text_that_is_no_json(sample: Package) -> None:
    with pytest.raises(ValidationError) as caught:
        sample.decode(sample.version.Sample, "{")
    ((pointer, text),) = sample.problems(caught.value)
    assert pointer == ""
    assert "Invalid JSON" in text


def test_problems_name_the_values_that_a_tag_may_have() -> None:
    with pytest.raises(ValidationError) as caught:
        decode(v2025_11_25.ClientRequest, {"jsonrpc": "2.0", "id": 1, "method": "tools/cal"})
    ((pointer, text),) = problems(caught.value)
    assert pointer == "/method"
    assert "'tools/call'" in text


def test_a_malformed_known_member_says_nothing_about_the_open_one() -> None:
    with pytest.raises(ValidationError) as caught:
        decode(v2.ContentBlock, {"type": "image", "data": "x"})
    assert problems(caught.value) == [("/mimeType", "Field required")]


def test_problems_reach_through_real_messages() -> None:
    prompt = {
        "sessionId": "s",
        "prompt": [{"type": "text", "text": "a"}, {"type": "resource", "resource": {"text": 1, "uri": "u"}}],
    }
    assert pointers(wiretypes, v1.PromptRequest, prompt)[0].startswith("/prompt/1/resource/")
    tools = {
        "tools": [{"name": "a", "inputSchema": {"type": "object"}}, {"name": "b", "inputSchema": {"type": "array"}}]
    }
    assert pointers(wiretypes, v2025_11_25.ListToolsResult, tools) == ["/tools/1/inputSchema/type"]


def test_problems_of_an_error_that_is_not_ours() -> None:
    with pytest.raises(ValidationError) as caught:
        v2.TextContentBlock.model_validate({"type": "text"})
    assert problems(caught.value) == [("/text", "Field required")]


def _nested(levels: int) -> Any:
    value: Any = 1
    for level in range(max(levels, 0)):
        value = [value] if level % 2 else {"a": value}
    return value


@pytest.mark.parametrize("levels", [1, 198, 199, 200, 250, 900])
def test_parsed_json_is_nested_no_deeper_than_text(levels: int) -> None:
    data: dict[str, Any] = {"name": "n", "version": "1", "_meta": {"m": _nested(levels - 2)}}
    for given in (json.dumps(data), data):
        if levels <= 200:
            assert json.loads(encode(decode(v2.Implementation, given))) == data
        else:
            with pytest.raises(ValidationError):
                decode(v2.Implementation, given)
