"""Everything that needs a feature, in every version: allowed where the feature is declared, a violation where not."""

import pytest
import wiretypes
from fidelity.instances import FULL, Maker, Recipe
from fidelity.json_values import JSON
from fidelity.oracle import oracle
from fidelity.schema_methods import schema_methods
from wiretypes.checks import Violation

from wiregen.rules import Feature, FieldGate, MessageGate

from .sides import VERSIONS, AnyNegotiated, Side, both, negotiated, rules_of
from .uses import Use, uses

each_version = pytest.mark.parametrize(("protocol", "version"), VERSIONS)
TRIES = 150
SPARSE = Recipe(optional=0.5, odd=0)


def names(protocol: str, version: str) -> tuple[set[str], set[str]]:
    """All features of the client and of the other side."""
    client, other = both(protocol, version)
    return {feature.name for feature in client.features}, {feature.name for feature in other.features}


def without(protocol: str, version: str, use: Use, *kept: str) -> AnyNegotiated:
    """Two sides that declare everything but what a use needs, of which some may be kept."""
    client, other = names(protocol, version)
    asking, answering = both(protocol, version)
    dropped = {*use.features} - {*kept}
    if use.feature.declared_by == "client":
        return negotiated(protocol, version, _cut(asking, client, dropped), other)
    return negotiated(protocol, version, client, _cut(answering, other, dropped))


def _cut(side: Side, features: set[str], dropped: set[str]) -> set[str]:
    """Features without some, and without those that are declared by or inside the same capability or list."""
    places = [place for feature in side.features if feature.name in dropped for place in _places(feature)]
    return {
        feature.name
        for feature in side.features
        if feature.name in features
        and not any(place[: len(above)] == above for place in _places(feature) for above in places)
    }


def _places(feature: Feature) -> list[tuple[str, ...]]:
    lists = [("a list", *way.not_empty) for way in feature.implied if way.not_empty is not None]
    return [*lists, *(way.path for way in feature.declared)]


def violations(sides: AnyNegotiated, use: Use, content: object) -> list[Violation]:
    """What is wrong with a message, by the feature and the place of a use."""
    if use.is_in_result:
        found = sides.check(use.method, result=content, sender=use.gate.sender)
    else:
        found = sides.check(use.method, content, sender=use.gate.sender)
    assert all(isinstance(violation.message, str) and violation.message for violation in found)
    return [
        violation
        for violation in found
        if violation.feature in use.features and f"{use.pointer}/".startswith(f"{violation.pointer}/")
    ]


def is_required(use: Use) -> bool:
    return isinstance(use.gate, FieldGate) and use.gate.required


@each_version
def test_every_gate_both_ways(protocol: str, version: str) -> None:
    everything = negotiated(protocol, version, *names(protocol, version))
    count = 0
    for use in uses(rules_of(protocol, version)):
        missing = without(protocol, version, use)
        content = use.content()
        assert not violations(everything, use, content), use
        (violation,) = violations(missing, use, content)
        assert (violation.method, violation.version, violation.severity) == (use.method, version, use.gate.severity)
        assert violation.declared_by == use.feature.declared_by
        assert violation.feature == use.features[0]
        assert violation.capability is not None
        assert violation.capability in violation.message
        for other in use.other_contents():
            assert use.pointer not in {found.pointer for found in violations(missing, use, other)}, (use, other)
            assert is_required(use) or not violations(everything, use, other), (use, other)
        if isinstance(use.gate, MessageGate):
            assert everything.allows(use.method, sender=use.gate.sender)
            assert not missing.allows(use.method, sender=use.gate.sender)
        count += 1
    assert count >= 18


@each_version
def test_any_one_of_several_features_is_enough(protocol: str, version: str) -> None:
    several = [use for use in uses(rules_of(protocol, version)) if len(use.features) > 1]
    for use in several:
        for name in use.features:
            assert not violations(without(protocol, version, use, name), use, use.content())
    assert bool(several) == (protocol == "acp")


@each_version
def test_the_capability_of_a_violation_is_the_path_that_declares_the_feature(protocol: str, version: str) -> None:
    nothing = negotiated(protocol, version, (), ())
    for use in uses(rules_of(protocol, version)):
        for violation in violations(nothing, use, use.content()):
            declaring = next(side for side in both(protocol, version) if side.name == violation.declared_by)
            feature = next(one for one in declaring.features if one.name == violation.feature)
            path = next((way.path for way in feature.declared), None)
            if path is None:
                assert violation.capability == "authMethods"
            else:
                assert violation.capability == ".".join((*declaring.declaration.capabilities, *path))


def test_a_field_that_has_to_be_there() -> None:
    for version in ("v1-unstable", "v2-unstable"):
        (use,) = (use for use in uses(rules_of("acp", version)) if is_required(use))
        everything = negotiated("acp", version, *names("acp", version))
        (violation,) = everything.check("session/list", result={"sessions": [{"archived": False}, {}]}, sender="agent")
        assert (violation.feature, violation.pointer) == ("session.archive", "/sessions/1/archived")
        assert "is missing" in violation.message
        assert not violations(without("acp", version, use), use, {"sessions": [dict[str, object]()]})


@each_version
def test_models_are_judged_like_the_json_that_they_come_from(protocol: str, version: str) -> None:
    """Random messages that the schema accepts, until each gate was met in one."""
    nothing = negotiated(protocol, version, (), ())
    module = wiretypes.load(protocol, version)
    maker = Maker(oracle(protocol, version))
    placed = [use for use in uses(rules_of(protocol, version)) if not isinstance(use.gate, MessageGate)]
    met: set[Use] = set()
    for (name, sender), method in schema_methods(oracle(protocol, version)).items():
        answerer = next(side.name for side in both(protocol, version) if side.name != sender)
        for part, pointer, judged in (("params", method.params, sender), ("result", method.result, answerer)):
            mine = {use for use in placed if _stands_in(use, name, judged, part) and not is_required(use)}
            for turn in range(TRIES if mine else 1 if pointer else 0):
                recipe = SPARSE if turn % 4 == 3 else FULL
                value = maker.make(str(pointer), recipe, f"{protocol} {version} {name} {part} {turn}").value
                model = wiretypes.decode(getattr(module.METHODS[name, sender], part), value)
                of_json = nothing.check(name, sender=judged, **{part: value})
                assert nothing.check(name, sender=judged, **{part: model}) == of_json
                met |= {use for use in mine if _is_met(use, value, of_json)}
                if mine <= met:
                    break
    assert {str(use) for use in placed if use not in met} == {
        str(use) for use in placed if is_required(use) or not _is_sent(use, protocol, version)
    }


def _stands_in(use: Use, method: str, sender: str, part: str) -> bool:
    return (use.method, use.gate.sender, "result" if use.is_in_result else "params") == (method, sender, part)


def _is_met(use: Use, content: JSON, found: tuple[Violation, ...]) -> bool:
    """Whether a message uses something; each place where it does has to be among the violations."""
    used = use.found_in(content)
    violated = [violation.pointer for violation in found if violation.feature == use.features[0]]
    for pointer in used:
        assert any(f"{pointer}/".startswith(f"{above}/") for above in violated), (use, content)
    return bool(used)


def _is_sent(use: Use, protocol: str, version: str) -> bool:
    """Whether the message is one that a side sends, rather than one that travels in a result."""
    asker: str = use.gate.sender
    if use.is_in_result:
        asker = next(side.name for side in both(protocol, version) if side.name != asker)
    return (use.method, asker) in wiretypes.load(protocol, version).METHODS
