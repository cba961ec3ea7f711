"""Finds the things in a message that need something to be declared, in models and in parsed JSON alike."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias, cast

from pydantic_core import MISSING

from .capability_rules import ChoiceGate, FieldGate, Gate, Need, Place
from .declarations import raw_member

__all__ = ["GateTree", "Keys", "Use", "open_gates"]

Keys: TypeAlias = tuple[str | int, ...]
"""The names and indices that lead to something."""


class Use(NamedTuple):
    """Something in a message that is not allowed."""

    keys: Keys
    """The keys that lead to it in the params or the result."""
    need: Need
    """What it needs."""
    what: str
    """What it is, for a text."""
    missing: bool = False
    """Whether it is a field that the sender would have to fill in."""


def open_gates(gates: Iterable[Gate], is_met: Callable[[Need], bool]) -> Iterator[Gate]:
    """The gates that a message can still violate, cut to what it can violate."""
    for gate in gates:
        if isinstance(gate, FieldGate):
            met = is_met(gate.need)
            if gate.required or not met:
                yield gate._replace(required=met)
        elif unmet := {value: need for value, need in gate.cases.items() if not is_met(need)}:
            yield gate._replace(cases=unmet)


class GateTree:
    """Gates by where they stand, so that a message is gone through once."""

    def __init__(self, gates: Iterable[Gate] = ()) -> None:
        self._choices: list[ChoiceGate] = []
        self._fields: list[FieldGate] = []
        self._items: GateTree | None = None
        self._members: list[tuple[str, str, GateTree]] = []
        self._heeds_absence = False
        for gate in gates:
            self._at(gate.place)._add(gate)

    def __bool__(self) -> bool:
        return bool(self._choices or self._fields or self._items or self._members)

    def collect(self, value: Any, keys: Keys, found: list[Use]) -> None:
        """Adds what in a value is not allowed; the value stands at the end of some keys."""
        for gate in self._choices:
            use = _choice(gate, value, keys)
            if use is not None:
                found.append(use)
        for field in self._fields:
            if _is_used(field, value):
                found.append(Use(keys, field.need, f"`{keys[-1]}`", field.required))
        if self._items is not None and isinstance(value, (list, tuple)):
            for index, item in enumerate(cast("list[Any]", value)):
                self._items.collect(item, (*keys, index), found)
        for wire, name, tree in self._members:
            member = raw_member(value, wire, name)
            if member is not MISSING or tree._heeds_absence:
                tree.collect(member, (*keys, wire), found)

    def _at(self, place: Place) -> "GateTree":
        tree = self
        for name in place:
            if name is None:
                tree._items = tree._items or GateTree()
                tree = tree._items
            else:
                inner = next((tree for wire, _, tree in tree._members if wire == name[0]), None)
                if inner is None:
                    inner = GateTree()
                    tree._members.append((*name, inner))
                tree = inner
        return tree

    def _add(self, gate: Gate) -> None:
        if isinstance(gate, ChoiceGate):
            self._choices.append(gate)
            self._heeds_absence |= gate.absent is not None
        else:
            self._fields.append(gate)
            self._heeds_absence |= gate.required


def _choice(gate: ChoiceGate, value: Any, keys: Keys) -> Use | None:
    _, cases, tag, absent = gate
    choice = value
    if tag is not None:
        wire, name = tag
        choice = raw_member(value, wire, name)
    if choice is MISSING:
        need = cases.get(absent or "")
        return need and Use(keys, need, f"no `{keys[-1]}`, which means `{absent}`,")
    need = cases.get(choice) if isinstance(choice, str) else None
    return need and Use(keys, need, f"`{choice}`" if tag else f"`{keys[-1]}` `{choice}`")


def _is_used(gate: FieldGate, value: Any) -> bool:
    if gate.required:
        return value is MISSING
    if gate.used == "true":
        return value is True
    if gate.used == "not-empty":
        return isinstance(value, (list, tuple)) and bool(cast("list[Any]", value))
    return value is not None and value is not MISSING
