"""Every definition of every generated version against the oracle: accepted, kept, rejected, lenient."""

from collections.abc import Callable, Iterator

import pytest
import wiretypes
from pydantic import ValidationError

from .cases import cases
from .counts import measure
from .instances import FULL, Maker
from .json_values import JSON, Place, at, places, replaced, text
from .oracle import Oracle, oracle
from .package import VERSIONS, Package

every_version = pytest.mark.parametrize(("protocol", "version"), VERSIONS)


@every_version
def test_fidelity(protocol: str, version: str, record_property: Callable[[str, object], None]) -> None:
    tally = measure(Package.of(protocol, version), cases(oracle(protocol, version)))
    record_property("fidelity", f"{protocol} {version}: {tally}")
    assert not tally.failed, tally.report()


@every_version
def test_types_names_every_definition(protocol: str, version: str) -> None:
    assert wiretypes.load(protocol, version).TYPES.keys() == oracle(protocol, version).definitions.keys()


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400"])
@every_version
def test_numbers_that_json_lacks_are_refused(protocol: str, version: str, number: str) -> None:
    types = wiretypes.load(protocol, version).TYPES
    taken: list[str] = []
    for definition, value, place in _numbers(oracle(protocol, version)):
        message = text(replaced(value, place, "@")).replace('"@"', number)
        try:
            wiretypes.decode(types[definition], message.encode())
        except ValueError:
            continue
        taken.append(f"{definition} at {place}: {message}")
    assert not taken, "\n".join(sorted(taken, key=len)[:10])


@pytest.mark.parametrize("message", ["", "{", "[1,]", '{"a":1}x', "{'a': 1}", "nul", '{"a" 1}'])
@every_version
def test_text_that_is_no_json_is_refused(protocol: str, version: str, message: str) -> None:
    for type_ in wiretypes.load(protocol, version).TYPES.values():
        for data in (message, message.encode()):
            with pytest.raises(ValidationError):
                wiretypes.decode(type_, data)


def _numbers(judge: Oracle) -> Iterator[tuple[str, JSON, Place]]:
    """The places of the numbers in a full instance of each definition, but for what leniency forgives."""
    maker = Maker(judge)
    for definition in judge.definitions:
        instance = maker.make(definition, FULL, f"numbers {definition}")
        for place in places(instance.value):
            lenient = any(place[: len(mark)] == mark for mark in instance.marked)
            if type(at(instance.value, place)) in (int, float) and not lenient:
                yield definition, instance.value, place
