"""Which member of a union a value becomes, where the members are definitions and so have known names."""

import json

import pytest
import wiretypes

from .cases import instances
from .conjunction import Definitions
from .instances import Maker
from .json_values import JSON, text
from .oracle import Oracle, oracle
from .package import VERSIONS

INPUT_REQUIRED = "InputRequiredResult"


@pytest.mark.parametrize(("protocol", "version"), VERSIONS)
def test_unions_of_definitions(protocol: str, version: str) -> None:
    judge = oracle(protocol, version)
    types = wiretypes.load(protocol, version).TYPES
    choice = Choice(judge)
    wrong: list[str] = []
    for definition, instance, _ in instances(judge, Maker(judge)):
        for union in choice.unions_with(definition):
            if judge.accepts(union, instance.value):
                expected = choice.of(union, instance.value)
                became = type(wiretypes.decode(types[union], json.dumps(instance.value))).__name__
                if expected is not None and became != expected:
                    wrong.append(f"{union}: {text(instance.value)} is a {became}, expected {expected}")
    assert not wrong, f"{len(wrong)} wrong, the smallest:\n" + "\n".join(sorted(wrong, key=len)[:20])


class Choice:
    """The rules for picking a member, applied to the schema of a version."""

    def __init__(self, judge: Oracle) -> None:
        self._judge = judge
        self._definitions = Definitions(judge.root, judge.definitions)
        self._members = {name: self._references(name) for name in judge.definitions}

    def unions_with(self, definition: str) -> list[str]:
        """The unions to try an instance of a definition on: itself, and those that list it."""
        return [name for name, members in self._members.items() if members and definition in (name, *members)]

    def of(self, definition: str, value: JSON) -> str | None:
        """The class that a valid value becomes, None when it is no object or the rules do not say."""
        if not isinstance(value, dict):
            return None
        members = [member for member in self._members[definition] if self._judge.accepts(member, value)]
        if not members:
            return definition
        if INPUT_REQUIRED in members and len(members) > 1:
            asks = value["resultType"] == "input_required"
            members = [INPUT_REQUIRED] if asks else [member for member in members if member != INPUT_REQUIRED]
        tagged = [member for member in members if self._is_tagged(member)]
        return self.of(max(tagged or members, key=lambda member: self._declared(member, value)), value)

    def _references(self, name: str) -> list[str]:
        """The members of a union of definitions only, nothing for any other definition."""
        members = self._judge.definitions[name].get("anyOf", ())
        return [member["$ref"].rsplit("/", 1)[1] for member in members] if all("$ref" in m for m in members) else []

    def _declared(self, name: str, value: dict[str, JSON]) -> int:
        """How many fields of the value a definition declares; for a union the member that declares most."""
        accepting = [member for member in self._members[name] if self._judge.accepts(member, value)]
        if accepting:
            return max(self._declared(member, value) for member in accepting)
        declared = self._definitions.conjoin((self._judge.definitions[name],)).declared
        return len(value.keys() & set(declared))

    def _is_tagged(self, name: str) -> bool:
        """Whether a constant string is required, which an accepted value then has."""
        conjunction = self._definitions.conjoin((self._judge.definitions[name],))
        fixed = [self._definitions.conjoin(conjunction.property_schemas(field)) for field in conjunction.required]
        return any(part.values("const") for part in fixed)
