"""Every capability rule of every version, both ways, with each kind of value that may stand there."""

import json

import pytest
import wiretypes
from fidelity.cases import Judge
from fidelity.json_values import JSON
from fidelity.oracle import oracle
from wiretypes import acp

from .sides import Object, Side, at, expected_features, paths, put, set_default, sides


class Omitted:
    """No value at all."""


VALUES: "tuple[JSON | Omitted, ...]" = ({}, {"vendor": 1}, None, False, True, "true", 1, [], Omitted())

each_side = pytest.mark.parametrize("side", sides(), ids=lambda side: f"{side.protocol}-{side.version}-{side.name}")


def declared(side: Side, path: tuple[str, ...], value: "JSON | Omitted") -> Object:
    """The message with a value at a path of the capabilities, and objects above it."""
    capabilities: Object = {}
    if not isinstance(value, Omitted):
        put(capabilities, path, value)
    elif len(path) > 1:
        put(capabilities, path[:-1], {})
    return side.message(capabilities)


@each_side
def test_every_capability_with_every_kind_of_value(side: Side) -> None:
    judge = Judge.of(oracle(side.protocol, side.version))
    seen: dict[str, set[bool]] = {}
    for path in paths(side):
        for value in VALUES:
            message = declared(side, path, value)
            case = judge.case(side.schema, message)
            if case.refused:
                with pytest.raises(acp.InvalidMessage):
                    side.read(message)
                continue
            expected = expected_features(side, case.expected)
            forms: tuple[object, ...] = (message, json.dumps(message), wiretypes.decode(side.type_, message))
            for form in forms:
                assert side.read(form).features == expected, (path, value)
            for feature in side.features:
                for way in feature.declared:
                    if way.path == path:
                        seen.setdefault(feature.name, set()).add(feature.name in expected)
    assert seen.keys() == {feature.name for feature in side.features if feature.declared}
    implied = {feature.name for feature in side.features if feature.implied}
    assert all(outcomes == {True, False} for name, outcomes in seen.items() if name not in implied), seen


@each_side
def test_what_implies_a_feature(side: Side) -> None:
    judge = Judge.of(oracle(side.protocol, side.version))
    for feature in side.features:
        for way in feature.implied:
            for with_it in (True, False):
                capabilities: dict[str, JSON] = {}
                names = way.by if with_it else way.unless
                for other in side.features:
                    if other.name in names:
                        set_default(capabilities, other.declared[0].path, {})
                message = side.message(capabilities)
                if way.not_empty is not None:
                    message[way.not_empty[0]] = side.declaring([feature.name])[way.not_empty[0]] if with_it else []
                case = judge.case(side.schema, message)
                assert not case.refused
                assert (feature.name in side.read(message).features) is with_it
                assert (feature.name in expected_features(side, case.expected)) is with_it


@each_side
def test_all_features_together_and_none(side: Side) -> None:
    baseline = {feature.name for feature in side.features if feature.baseline}
    everything = {feature.name for feature in side.features}
    assert side.read(side.declaring(())).features == baseline
    assert side.read(side.declaring(everything)).features == everything
    assert side.read(side.declaring(everything)).warnings == ()


@each_side
def test_without_capabilities_where_they_may_be_left_out(side: Side) -> None:
    message = side.message({})
    *above, last = side.declaration.capabilities
    held = at(message, above)
    assert isinstance(held, dict)
    del held[last]
    if not oracle(side.protocol, side.version).accepts(side.schema, message):
        with pytest.raises(acp.InvalidMessage):
            side.read(message)
        return
    peer = side.read(message)
    assert peer.features == expected_features(side, message)
    assert type(peer.capabilities).__name__ == f"{side.name.capitalize()}Capabilities"
    assert peer.capabilities is peer.capabilities


def test_there_are_as_many_rules_as_are_known() -> None:
    """68 of ACP, of which the stable ones hold in the unstable schemas too, and 95 of MCP."""
    counts = {(side.protocol, side.version): 0 for side in sides()}
    for side in sides():
        counts[side.protocol, side.version] += len(set(paths(side)))
    acp_unstable = counts["acp", "v1-unstable"] + counts["acp", "v2-unstable"]
    assert (acp_unstable, sum(count for (protocol, _), count in counts.items() if protocol == "mcp")) == (68, 95)
