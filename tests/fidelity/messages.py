"""Decoded messages, and the models at every place inside them."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import wiretypes
from wiretypes.model import Model

from .json_values import JSON
from .oracle import Oracle


@dataclass(frozen=True, slots=True)
class Spot:
    """A model inside a message, and how to put another in its place."""

    model: Model
    put: Callable[[Any], None]

    def fields(self) -> dict[str, Any]:
        """What the message carried, by Python name, but for unknown fields."""
        names = [name for name in type(self.model).model_fields if wiretypes.present(self.model, name)]
        return {name: getattr(self.model, name) for name in names}


@dataclass(frozen=True, slots=True)
class Message:
    """A decoded instance of a definition, which its schema accepts."""

    judge: Oracle
    definition: str
    given: JSON
    _holder: list[Any]

    @classmethod
    def decoded(cls, judge: Oracle, definition: str, given: JSON) -> "Message":
        type_ = wiretypes.load(judge.protocol, judge.version).TYPES[definition]
        return cls(judge, definition, given, [wiretypes.decode(type_, json.dumps(given))])

    def spots(self) -> list[Spot]:
        """Every model in the message, each before those inside it."""
        return list(_spots(self._holder))

    def written_with(self, spot: Spot, model: Model) -> JSON:
        """The message as it encodes with another model at a spot."""
        spot.put(model)
        try:
            written: JSON = json.loads(wiretypes.encode(self._holder[0]))
        finally:
            spot.put(spot.model)
        return written

    def accepts(self, written: JSON) -> bool:
        """Whether the schema of the definition takes what was written."""
        return self.judge.accepts(self.definition, written)


def _spots(container: object) -> Iterator[Spot]:
    for item, put in _items(container):
        if isinstance(item, Model):
            yield Spot(item, put)
        yield from _spots(item)


def _items(container: object) -> Iterator[tuple[Any, Callable[[Any], None]]]:
    """What a model, an array or a map holds, each with how to replace it."""
    if isinstance(container, Model):
        for name in type(container).model_fields:
            if wiretypes.present(container, name):
                yield getattr(container, name), partial(setattr, container, name)
    elif isinstance(container, list):
        items = cast("list[object]", container)
        yield from _entries(items, range(len(items)))
    elif isinstance(container, dict):
        fields = cast("dict[str, object]", container)
        yield from _entries(fields, fields)


def _entries(container: Any, keys: Iterable[Any]) -> Iterator[tuple[Any, Callable[[Any], None]]]:
    for key in keys:
        yield container[key], partial(container.__setitem__, key)
