"""The fidelity tests can fail: stand-ins with one fault each are caught by the count that the fault belongs to."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from .cases import Case, Judge, cases, instances
from .conjunction import MARKS
from .counts import Count, measure
from .instances import Maker, union_sites
from .json_values import JSON, same
from .leniency import Reader
from .oracle import Oracle, oracle, versions

STRICT = ("mcp", "2025-11-25")
LENIENT = ("acp", "v2")
SHARE = 4
"""One case in so many is enough to catch a fault."""

INTERPRETED = {
    "$ref", "allOf", "anyOf", "oneOf", "not", "const", "enum", "type", "properties", "required", "items",
    "additionalProperties", "minimum", "maximum", "minLength", "minItems", "maxItems", *MARKS,
}  # fmt: skip
NEVER_ASSERTS = {
    "title", "description", "default", "format", "contentEncoding", "discriminator", "x-docs-ignore", "x-side",
    "x-method",
}  # fmt: skip

Read = Callable[[str, JSON], JSON]
Write = Callable[[JSON], JSON]


@dataclass(frozen=True, slots=True)
class StandIn:
    """A package in the place of the generated one: a type is the name of its definition."""

    judge: Oracle
    read: Read
    write: Write = field(default=lambda value: value)

    @property
    def types(self) -> dict[str, Any]:
        return {name: name for name in self.judge.definitions}

    def decode(self, type_: Any, data: Any) -> Any:
        return self.read(type_, json.loads(data) if isinstance(data, str | bytes) else data)

    def encode(self, value: Any, type_: Any = None) -> bytes:
        return json.dumps(self.write(value)).encode()


@cache
def faithful(judge: Oracle) -> Read:
    """Reads as the schema and its marks say, by the interpretation that the cases come from."""
    lenient = Judge.of(judge)

    def read(definition: str, value: JSON) -> JSON:
        case = lenient.case(definition, value)
        if case.refused:
            raise ValueError(value)
        return case.expected

    return read


def takes_everything(_: Oracle) -> Read:
    return lambda _, value: value


def refuses_everything(_: Oracle) -> Read:
    def read(definition: str, value: JSON) -> JSON:
        raise ValueError(definition, value)

    return read


def knows_no_leniency(judge: Oracle) -> Read:
    def read(definition: str, value: JSON) -> JSON:
        if judge.accepts(definition, value):
            return value
        raise ValueError(value)

    return read


def raises_type_errors(judge: Oracle) -> Read:
    def read(definition: str, value: JSON) -> JSON:
        try:
            return faithful(judge)(definition, value)
        except ValueError as error:
            raise TypeError from error

    return read


def salvages_as_null(judge: Oracle) -> Read:
    def read(definition: str, value: JSON) -> JSON:
        result = faithful(judge)(definition, value)
        return {**dict.fromkeys(value), **result} if isinstance(value, dict) and isinstance(result, dict) else result

    return read


def takes_booleans_as_numbers(judge: Oracle) -> Read:
    def read(definition: str, value: JSON) -> JSON:
        try:
            return faithful(judge)(definition, value)
        except ValueError:
            return faithful(judge)(definition, everywhere(value, lambda item: 1 if item is True else item))

    return read


def everywhere(value: JSON, change: Write) -> JSON:
    """The value with each value inside it changed."""
    if isinstance(value, dict):
        return change({name: everywhere(item, change) for name, item in value.items()})
    if isinstance(value, list):
        return change([everywhere(item, change) for item in value])
    return change(value)


def without(value: JSON, drop: Callable[[str, JSON], bool]) -> JSON:
    """An object without some of its fields."""
    return {name: item for name, item in value.items() if not drop(name, item)} if isinstance(value, dict) else value


FAULTS: dict[str, tuple[Callable[[Oracle], Read], set[Count]]] = {
    "takes everything": (takes_everything, {"rejected", "lenient"}),
    "refuses everything": (refuses_everything, {"accepted", "lenient"}),
    "knows no leniency": (knows_no_leniency, {"lenient"}),
    "raises type errors": (raises_type_errors, {"rejected"}),
    "salvages as null": (salvages_as_null, {"lenient"}),
    "takes booleans as numbers": (takes_booleans_as_numbers, {"rejected"}),
}
LOSSES: dict[str, Write] = {
    "drops unknown fields": lambda value: without(value, lambda name, _: name in {"vendor", "session_id", "mime_type"}),
    "drops nulls": lambda value: without(value, lambda _, item: item is None),
    "drops empty arrays": lambda value: without(value, lambda _, item: item == []),
    "rounds integers": lambda value: float(value) if type(value) is int else value,
    "writes booleans as integers": lambda value: int(value) if isinstance(value, bool) else value,
    "tidies URLs": lambda value: value.replace("Example.com?", "example.com/?") if isinstance(value, str) else value,
}


@pytest.fixture(scope="module", params=[STRICT, LENIENT], ids="-".join)
def judged(request: pytest.FixtureRequest) -> tuple[Oracle, list[Case]]:
    judge = oracle(*request.param)
    return judge, list(cases(judge))


def test_the_faithful_stand_in_passes_every_count(judged: tuple[Oracle, list[Case]]) -> None:
    judge, all_cases = judged
    tally = measure(StandIn(judge, faithful(judge)), all_cases)
    assert not tally.failed, tally.report()
    assert min(tally.total[count] for count in ("accepted", "kept", "rejected")) > 1000
    assert (tally.total["lenient"] > 1000) == (judge.protocol == "acp")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_reading_is_caught(judged: tuple[Oracle, list[Case]], fault: str) -> None:
    judge, all_cases = judged
    build, caught = FAULTS[fault]
    tally = measure(StandIn(judge, build(judge)), all_cases[::SHARE])
    assert set(tally.failed) == (caught if judge.protocol == "acp" else caught - {"lenient"}), tally.report()


@pytest.mark.parametrize("loss", LOSSES)
def test_a_loss_in_writing_is_caught(judged: tuple[Oracle, list[Case]], loss: str) -> None:
    judge, all_cases = judged
    tally = measure(StandIn(judge, faithful(judge), lambda value: everywhere(value, LOSSES[loss])), all_cases[::SHARE])
    assert "kept" in tally.failed
    assert not {"accepted", "rejected"} & set(tally.failed)


@pytest.mark.parametrize(("protocol", "version"), versions())
def test_the_reader_agrees_with_the_oracle(protocol: str, version: str) -> None:
    """On every case: two interpretations of JSON Schema, one of them not ours."""
    judge = oracle(protocol, version)
    reader = Reader(judge)
    for case in cases(judge):
        reading = reader.read(case.name, case.value)
        assert (reading is not None and reading.clean) == judge.accepts(case.name, case.value), case
        if reading is not None and reading.clean:
            assert same(reading.value, case.value), case


@pytest.mark.parametrize(("protocol", "version"), versions())
def test_every_member_of_every_union_has_an_instance(protocol: str, version: str) -> None:
    judge = oracle(protocol, version)
    maker = Maker(judge)
    for _ in instances(judge, maker):
        pass
    missing = [
        f"{pointer}/{index}"
        for key, (pointer, members) in union_sites(judge).items()
        for index in range(members)
        if not maker.used[key, index]
    ]
    assert not missing


@pytest.mark.parametrize(("protocol", "version"), versions())
def test_every_keyword_is_interpreted(protocol: str, version: str) -> None:
    """A schema with a keyword that these modules pass over would be tested less than it seems."""
    for pointer, schema in oracle(protocol, version).subschemas():
        assert schema.keys() <= INTERPRETED | NEVER_ASSERTS | {"unevaluatedProperties"}, pointer
        assert schema.get("unevaluatedProperties", True) is True, pointer


@pytest.mark.parametrize(("protocol", "version"), versions())
def test_marks_stand_on_properties_only(protocol: str, version: str) -> None:
    """Where the reader looks for them."""
    for pointer, schema in oracle(protocol, version).subschemas():
        if any(mark in schema for mark in MARKS):
            assert pointer.split("/")[-2] == "properties", pointer
