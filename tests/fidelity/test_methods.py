"""METHODS of every version: the methods that its schema has, with params and results as faithful as definitions are."""

from collections.abc import Callable

import pytest
import wiretypes

from .cases import cases_of
from .counts import measure
from .oracle import oracle
from .package import VERSIONS, Package
from .schema_methods import schema_methods

every_version = pytest.mark.parametrize(("protocol", "version"), VERSIONS)


@every_version
def test_methods_are_those_of_the_schema(protocol: str, version: str) -> None:
    methods = wiretypes.load(protocol, version).METHODS
    expected = schema_methods(oracle(protocol, version))
    assert methods.keys() == expected.keys()
    for key, method in methods.items():
        assert (method.name, method.sender, method.kind) == (key[0], key[1], expected[key].kind)
        assert (method.params is None) == (expected[key].params is None)
        assert (method.result is None) == (expected[key].result is None)


@every_version
def test_params_and_results(protocol: str, version: str, record_property: Callable[[str, object], None]) -> None:
    methods = wiretypes.load(protocol, version).METHODS
    types: dict[str, object] = {}
    for key, expected in schema_methods(oracle(protocol, version)).items():
        if key not in methods:
            continue
        for pointer, type_ in ((expected.params, methods[key].params), (expected.result, methods[key].result)):
            if pointer is not None:
                types[pointer] = type_
    tally = measure(Package(types), cases_of(oracle(protocol, version), types))
    record_property("fidelity", f"{protocol} {version} params and results: {tally}")
    assert not tally.failed, tally.report()
