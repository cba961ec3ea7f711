"""Messages that use what a gate is about, made from the gate alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fidelity.json_values import JSON

from wiregen.rules import AnyGate, Feature, FieldGate, MemberGate, MessageGate, Place, Rules, ValueGate

NO_ITEMS: tuple[JSON, ...] = ([], None, {})


@dataclass(frozen=True)
class Use:
    """One thing that needs a feature: in a request or notification, or in the answer to a request.

    `features` are those of which any one allows it.
    """

    feature: Feature
    gate: AnyGate
    method: str
    value: str | None
    features: tuple[str, ...]

    def __str__(self) -> str:
        place = "" if isinstance(self.gate, MessageGate) else "/".join(("", *self.gate.at))
        return f"{self.feature.name} {self.gate.kind} {self.method} {place} {self.value or ''}".strip()

    @property
    def pointer(self) -> str:
        """Where it stands in the params or the result that `content` gives."""
        return "" if isinstance(self.gate, MessageGate) else "".join(f"/{_key(key)}" for key in self.gate.at)

    @property
    def is_in_result(self) -> bool:
        """Whether it stands in a result."""
        return not isinstance(self.gate, MessageGate) and self.gate.part == "result"

    def content(self) -> Any:
        """Params or a result that use it; None for the message itself."""
        match self.gate:
            case MessageGate():
                return None
            case MemberGate():
                return _nested(self.gate.at, {self.gate.tag: self.value})
            case ValueGate():
                return _nested(self.gate.at[:-1], {} if self.value is None else {self.gate.at[-1]: self.value})
            case FieldGate(used="true"):
                return _nested(self.gate.at, True)
            case FieldGate(used="not-empty"):
                return _nested(self.gate.at, ["/a"])
            case FieldGate():
                return _nested(self.gate.at, {})

    def other_contents(self) -> Iterator[Any]:
        """The same place without using it."""
        match self.gate:
            case MessageGate():
                return
            case MemberGate():
                yield _nested(self.gate.at, {self.gate.tag: "_vendor"})
                yield _nested(self.gate.at, {})
                yield _nested(self.gate.at, None)
            case ValueGate():
                yield _nested(self.gate.at, "_vendor")
                yield _nested(self.gate.at, None)
            case FieldGate(used="true"):
                yield from (_nested(self.gate.at, value) for value in (False, None, 1))
            case FieldGate(used="not-empty"):
                yield from (_nested(self.gate.at, value) for value in NO_ITEMS)
            case FieldGate():
                yield _nested(self.gate.at, None)
        yield {self.gate.at[0]: None}
        if not (isinstance(self.gate, ValueGate) and self.gate.when_absent):
            yield {}

    def found_in(self, content: JSON) -> list[str]:
        """The pointers to where params or a result use it."""
        assert not isinstance(self.gate, MessageGate)
        if isinstance(self.gate, ValueGate) and self.value is None:
            *above, last = self.gate.at
            return [
                f"{at}/{_key(last)}"
                for value, at in _at(content, above)
                if isinstance(value, dict) and last not in value
            ]
        return [pointer for value, pointer in _at(content, self.gate.at) if self._is_used_by(value)]

    def _is_used_by(self, value: JSON) -> bool:
        match self.gate:
            case MemberGate():
                return isinstance(value, dict) and value.get(self.gate.tag) == self.value
            case FieldGate(used="true"):
                return value is True
            case FieldGate(used="not-empty"):
                return isinstance(value, list) and bool(value)
            case FieldGate():
                return value is not None
            case _:
                return value is not None and value == self.value


def uses(rules: Rules) -> Iterator[Use]:
    """Everything in the messages of a version that needs a feature."""
    found = list(_uses(rules))
    for feature, gate, method, value in found:
        same = [
            other.name
            for other, other_gate, other_method, other_value in found
            if (_key_of(other_gate), other_method, other_value) == (_key_of(gate), method, value)
        ]
        yield Use(feature, gate, method, value, tuple(same))


def _uses(rules: Rules) -> Iterator[tuple[Feature, AnyGate, str, str | None]]:
    for feature in rules.features:
        for gate in feature.gates:
            values: tuple[str | None, ...] = (None,)
            if isinstance(gate, MemberGate):
                values = gate.members
            elif isinstance(gate, ValueGate):
                values = (*gate.values, None) if gate.when_absent else gate.values
            for method in gate.methods:
                for value in values:
                    yield feature, gate, method, value


def _key_of(gate: AnyGate) -> tuple[object, ...]:
    placed = () if isinstance(gate, MessageGate) else (gate.part, gate.at)
    return (gate.kind, gate.sender, *placed)


def _nested(place: Place, value: JSON) -> Any:
    for key in reversed(place):
        value = [value] if key == "*" else {key: value}
    return value


def _at(value: JSON, place: Sequence[str], pointer: str = "") -> Iterator[tuple[JSON, str]]:
    if not place:
        yield value, pointer
    elif place[0] == "*" and isinstance(value, list):
        for index, item in enumerate(value):
            yield from _at(item, place[1:], f"{pointer}/{index}")
    elif isinstance(value, dict) and place[0] in value:
        yield from _at(value[place[0]], place[1:], f"{pointer}/{_key(place[0])}")


def _key(key: str) -> str:
    return "0" if key == "*" else key.replace("~", "~0").replace("/", "~1")
