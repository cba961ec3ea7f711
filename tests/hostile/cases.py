"""The corpus: which text stands where. The same in every run."""

import json
import random
from dataclasses import dataclass
from functools import cache

from hostile.payloads import PAYLOADS
from hostile.places import BY_NAME, PLACES, Place
from wiregen import names

_SEED = 20261130
_SAMPLE = 9
_IN_FULL = ("definition description", "constant", "default", "property", "method")
"""Places that get every text; the others get a sample, so that each text meets some of them."""


@dataclass(frozen=True, slots=True)
class Case:
    """One text at one place."""

    index: int
    place: Place
    text: str

    @property
    def id(self) -> str:
        return f"{self.index:04}-{self.place.name.replace(' ', '_')}-{ascii(self.text[:20])[1:-1]}"

    @property
    def version(self) -> str:
        """Name of the module that is generated from the case."""
        return f"case_{self.index:04}"

    def document(self) -> bytes:
        return document(self.place.name, self.text)

    def twin(self) -> str:
        """A harmless text of which names of the same kind are made."""
        match self.place.names:
            case "field":
                return harmless_field(self.text)
            case "type":
                return "Harmless"
            case _:
                return "harmless"


@cache
def document(place: str, text: str) -> bytes:
    """The document with a text at a place; JSON spells everything but ASCII as escapes, halves of pairs too."""
    return json.dumps(BY_NAME[place].build(text)).encode()


def harmless_field(text: str) -> str:
    """The wire name of a field that is regular if that of `text` is: others are spelt out in the code."""
    try:
        is_regular = names.wire_name(names.field_name(text)) == text
    except names.UnusableName:
        is_regular = False
    return "harmless" if is_regular else "Harmless text"


def corpus() -> tuple[Case, ...]:
    """All cases."""
    pairs: list[tuple[Place, str]] = []
    rest = list(PAYLOADS)
    generator = random.Random(_SEED)
    generator.shuffle(rest)
    for index, place in enumerate(PLACES):
        start = index * _SAMPLE % len(rest)
        sample = [*rest[start:], *rest[:start]][:_SAMPLE]
        pairs += [(place, text) for text in (PAYLOADS if place.name in _IN_FULL else sample)]
    return tuple(Case(index, place, text) for index, (place, text) in enumerate(pairs))
