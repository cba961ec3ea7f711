"""Values that a schema probably refuses, made from instances that it accepts."""

from collections.abc import Iterator
from random import Random

from . import samples
from .instances import python_name
from .json_values import JSON, Place, at, places, replaced
from .oracle import Oracle


class Mutator:
    """Breaks instances of one version."""

    def __init__(self, oracle: Oracle) -> None:
        self._tags = sorted(set(_constants(list(oracle.definitions.values()))))

    def mutate(self, value: JSON, random: Random) -> JSON:
        """The value with one change, sometimes two, that is wrong at most places."""
        for _ in range(random.choice((1, 1, 1, 2))):
            candidates = places(value)
            weights = [1 / (1 + len(place)) for place in candidates]
            place = random.choices(candidates, weights)[0]
            value = replaced(value, place, self._broken(at(value, place), random))
        return value

    def spoil(self, value: JSON, marked: list[Place], random: Random) -> JSON:
        """The value with a bad one at each of the marked places."""
        for place in sorted(marked, key=len, reverse=True):
            value = replaced(value, place, self._spoiled(at(value, place), random))
        return value

    def _spoiled(self, value: JSON, random: Random) -> JSON:
        match random.randrange(4):
            case 0:
                return None
            case 1:
                return random.choice(samples.JUNK)
            case _ if isinstance(value, list):
                items = list(value)
                for _ in range(random.choice((1, 2))):
                    broken = self._broken(random.choice(value), random) if value else None
                    bad = random.choice((broken, random.choice(samples.JUNK)))
                    items.insert(random.randint(0, len(items)), bad)
                return items
            case _:
                return self._broken(value, random)

    def _broken(self, value: JSON, random: Random) -> JSON:
        if random.random() < 0.15:
            return random.choice(samples.JUNK)
        match value:
            case dict():
                return self._broken_object(value, random)
            case list():
                return _broken_array(value, random)
            case str():
                tag = random.choice(self._tags)
                return _one(random, None, "", 5, True, [value], {"value": value}, value + "x", "_vendor/x", tag, tag)
            case bool():
                return _one(random, None, int(value), str(value).lower(), [value])
            case int() | float():
                return _one(random, None, str(value), True, value + 0.5, -1, 65536, 2**32, 2**64, -value, [value])
            case None:
                return random.choice(samples.JUNK[1:])

    def _broken_object(self, value: dict[str, JSON], random: Random) -> JSON:
        if not value:
            return _one(random, None, [], "", {"type": "x"}, 0)
        name = random.choice(list(value))
        rest = {other: item for other, item in value.items() if other != name}
        match random.randrange(7):
            case 0 | 1:
                return rest
            case 2:
                return {**rest, python_name(name): value[name]}
            case 3:
                return _one(random, None, [], [value], {}, "x")
            case 4:
                return {**value, name: None}
            case _:
                return {**value, name: self._broken(value[name], random)}


def _broken_array(value: list[JSON], random: Random) -> JSON:
    match random.randrange(5):
        case 0:
            return _one(random, None, {}, "x")
        case 1:
            return value[0] if value else {}
        case 2:
            return [*value, random.choice(samples.JUNK)]
        case 3:
            return [random.choice(samples.JUNK), *value]
        case _:
            return []


def _one(random: Random, *choices: JSON) -> JSON:
    return random.choice(choices)


def _constants(schema: JSON) -> Iterator[str]:
    """Every string that a `const` or an `enum` names."""
    if isinstance(schema, list):
        for item in schema:
            yield from _constants(item)
    elif isinstance(schema, dict):
        enum = schema.get("enum")
        named = [schema.get("const"), *(enum if isinstance(enum, list) else ())]
        yield from (name for name in named if isinstance(name, str))
        yield from _constants(list(schema.values()))
