"""Which features a side has declared: one walk over its capabilities, however its version writes them down."""

from collections.abc import Callable
from typing import Any

from pydantic_core import MISSING

from .capability_rules import DeclaredTree, Place, SideRules
from .model import Model

__all__ = ["FeatureReader"]


class FeatureReader:
    """Reads the features in the messages of one side of a version.

    The models are read by their attributes as they are stored, without the defaults that absent ones read as: a default
    declares nothing.
    """

    def __init__(self, rules: SideRules, capabilities: Place) -> None:
        self._first, *self._rest = attributes(capabilities)
        self._declared = rules.declared
        self._baseline = rules.baseline
        self._by_features = [(r.feature, r.by, r.unless) for r in rules.implied if r.not_empty is None]
        self._by_lists = [(r.feature, r.not_empty[1]) for r in rules.implied if r.not_empty is not None]

    def read(self, message: Model) -> frozenset[str]:
        """The features that a message declares, with those that every peer has."""
        found: set[str] = set()
        values = message.__dict__
        capabilities = values.get(self._first, MISSING)
        for name in self._rest:
            capabilities = capabilities.__dict__.get(name, MISSING)
        if capabilities is not MISSING:
            _collect(capabilities.__dict__, self._declared, found.add)
            for feature, by, unless in self._by_features:
                if found.issuperset(by) and found.isdisjoint(unless):
                    found.add(feature)
        for feature, name in self._by_lists:
            given = values.get(name, MISSING)
            if given is not MISSING and given:
                found.add(feature)
        return self._baseline.union(found) if found else self._baseline


def attributes(place: Place) -> tuple[str, ...]:
    """The Python names that lead to a place without arrays."""
    return tuple(name[1] for name in place if name is not None)


def _collect(values: dict[str, Any], tree: DeclaredTree, add: Callable[[str], None]) -> None:
    for name, feature, is_boolean, inside in tree:
        value = values.get(name)
        if value is None or value is MISSING:
            continue
        if feature is not None and (value is True or not is_boolean):
            add(feature)
        if inside:
            fields = getattr(value, "__dict__", None)
            if fields:
                _collect(fields, inside, add)
