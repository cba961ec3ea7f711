"""Instances that a definition accepts, made from its JSON Schema with a seeded random source."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import cast

from . import samples
from .conjunction import MARKS, Conjunction, Definitions, Union
from .json_values import JSON, Place
from .oracle import Oracle, Schema

DEEPEST = 6
LARGEST = 120
TRIES = 100


@dataclass(frozen=True, slots=True)
class Recipe:
    """How an instance is filled: chances between 0 and 1."""

    optional: float = 0.5
    """Chance that an optional property is present."""
    unknown: float = 0.0
    """Chance that an object has fields that its schema does not name."""
    odd: float = 0.3
    """Chance that a scalar is one of the odd samples."""
    empty: float = 0.2
    """Chance that an array or a map is as small as its schema allows."""


MINIMAL = Recipe(optional=0, odd=0, empty=1)
FULL = Recipe(optional=1, odd=0, empty=0)


@dataclass(frozen=True, slots=True)
class Instance:
    """A value, and the places in it that carry a leniency mark."""

    value: JSON
    marked: list[Place]


class Maker:
    """Makes instances of the definitions of one version, each member of a union in turn."""

    def __init__(self, oracle: Oracle) -> None:
        self._definitions = Definitions(oracle.root, oracle.definitions)
        self._oracle = oracle
        self.used: Counter[tuple[tuple[int, ...], int]] = Counter()
        self._random = Random()
        self._recipe = MINIMAL
        self._marked: list[Place] = []
        self._size = 0
        self._chain: list[int] = []

    def chains(self, name: str) -> list[tuple[int, ...]]:
        """Every way to choose among the unions that hold for the whole of an instance, one inside the other."""
        return list(self._chains(self._definitions.conjoin((self._oracle.schema(name),))))

    def _chains(self, conjunction: Conjunction) -> Iterator[tuple[int, ...]]:
        if not conjunction.unions:
            yield ()
            return
        for index, member in enumerate(conjunction.unions[0].members):
            for rest in self._chains(conjunction.rest() & self._definitions.conjoin((member,))):
                yield (index, *rest)

    def make(self, name: str, recipe: Recipe, seed: str, chain: tuple[int, ...] = ()) -> Instance:
        """An instance of a definition, or of the schema at a pointer, the same after the same calls.

        A chain, one of `chains`, says which members of unions to take for the instance itself.

        Raises:
            AssertionError: when the oracle refuses what was made, a mistake of this module.
        """
        self._random.seed(seed)
        self._recipe = recipe
        self._marked = []
        self._size = 0
        self._chain = list(chain)
        value = self._value((self._oracle.schema(name),), ())
        if not self._oracle.accepts(name, value):
            raise AssertionError(f"made an instance of {name} that its schema refuses: {value!r}")
        return Instance(value, self._marked)

    def _value(self, schemas: tuple[Schema, ...], place: Place) -> JSON:
        self._size += 1
        conjunction = self._definitions.conjoin(schemas)
        while conjunction.unions:
            member = self._member(conjunction.unions[0])
            conjunction = conjunction.rest() & self._definitions.conjoin((member,))
        for _ in range(TRIES):
            value = self._plain(conjunction, place)
            if not any(self._matches(schema, value) for schema in conjunction.values("not")):
                return value
        raise AssertionError(f"made nothing at {place} that its `not` lets through")

    def _member(self, union: Union) -> Schema:
        if self._chain:
            index = self._chain.pop(0)
            self.used[union.key, index] += 1
        else:
            index = self._turn(union.key, range(len(union.members)))
        return union.members[index]

    def _turn(self, key: tuple[int, ...], choices: range) -> int:
        """The choice that was taken least often so far at this place of the schema."""
        fewest = min(self.used[key, choice] for choice in choices)
        choice = self._random.choice([choice for choice in choices if self.used[key, choice] == fewest])
        self.used[key, choice] += 1
        return choice

    def _matches(self, schema: Schema, value: JSON) -> bool:
        """Whether a value is excluded by a `not`, which in these schemas lists constants of one property."""
        members = [schema, *schema.get("anyOf", ())]
        return isinstance(value, dict) and any(
            value.get(name) == fixed["const"]
            for member in members
            for name, fixed in member.get("properties", {}).items()
        )

    def _plain(self, conjunction: Conjunction, place: Place) -> JSON:
        for constant in conjunction.values("const"):
            return cast("JSON", constant)
        for names in conjunction.values("enum"):
            return cast("JSON", self._random.choice(names))
        match self._type(conjunction):
            case "null":
                return None
            case "boolean":
                return self._random.random() < 0.5
            case "string":
                return self._scalar(conjunction, samples.strings(conjunction.values("format")))
            case "integer":
                return self._scalar(conjunction, samples.INTEGERS)
            case "number":
                return self._scalar(conjunction, samples.NUMBERS)
            case "array":
                return self._array(conjunction, place)
            case "object":
                return self._object(conjunction, place)
            case _:
                return samples.anything(self._random)

    def _type(self, conjunction: Conjunction) -> str:
        kinds = conjunction.types
        if kinds is None:
            return "object" if conjunction.declared or conjunction.required else "any"
        if len(kinds) == 1:
            return kinds[0]
        key = tuple(id(part) for part in conjunction.parts)
        return kinds[self._turn(key, range(len(kinds)))]

    def _scalar(self, conjunction: Conjunction, pool: samples.Pool) -> JSON:
        fitting = [value for value in pool.odd if conjunction.allows_scalar(value)]
        plain = [value for value in pool.plain if conjunction.allows_scalar(value)]
        odd = self._random.random() < self._recipe.odd
        return self._random.choice((fitting if odd else plain) or plain or fitting)

    def _crowded(self, place: Place) -> bool:
        return len(place) > DEEPEST or self._size > LARGEST

    def _count(self, place: Place) -> int:
        if self._crowded(place) or self._random.random() < self._recipe.empty:
            return 0
        return self._random.choice((1, 1, 2))

    def _array(self, conjunction: Conjunction, place: Place) -> JSON:
        schemas = tuple(conjunction.values("items"))
        count = max([self._count(place), *conjunction.values("minItems")])
        return [self._value(schemas, (*place, index)) for index in range(count)]

    def _object(self, conjunction: Conjunction, place: Place) -> JSON:
        required = conjunction.required
        result: dict[str, JSON] = {}
        chance = 0 if self._crowded(place) else self._recipe.optional
        names = list(dict.fromkeys([*required, *conjunction.declared]))
        for name in names:
            if name in required or self._random.random() < chance:
                self._field(result, conjunction, name, place)
        if any(other not in (True, {}) for other in conjunction.values("additionalProperties")):
            for name in self._random.sample(samples.KEYS, self._count(place)):
                if name not in names:
                    self._field(result, conjunction, name, place)
        elif not self._crowded(place) and self._random.random() < self._recipe.unknown:
            for name in self._unknown_names(names):
                result[name] = samples.anything(self._random)
        return result

    def _field(self, result: dict[str, JSON], conjunction: Conjunction, name: str, place: Place) -> None:
        schemas = conjunction.property_schemas(name)
        if any(schema.get(mark) for schema in schemas for mark in MARKS):
            self._marked.append((*place, name))
        result[name] = self._value(schemas, (*place, name))

    def _unknown_names(self, declared: list[str]) -> list[str]:
        """Names that a schema does not know, among them the Python names of fields that it does know."""
        pythonic = [python_name(name) for name in declared]
        pool = [name for name in [*pythonic, *samples.KEYS] if name not in declared]
        names = self._random.sample(pool, min(len(pool), self._random.choice((1, 2, 3))))
        return list(dict.fromkeys(names))


def python_name(wire_name: str) -> str:
    """The snake_case name that a field has in Python."""
    last = re.split(r"[/$]", wire_name)[-1].lstrip("_")
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last).lower()


def union_sites(oracle: Oracle) -> dict[tuple[int, ...], tuple[str, int]]:
    """Every union that a value can meet: by its key, its pointer and how many members it has."""
    return {
        tuple(id(member) for member in schema[keyword]): (f"{pointer}/{keyword}", len(schema[keyword]))
        for pointer, schema in oracle.subschemas()
        for keyword in ("anyOf", "oneOf")
        if keyword in schema and not pointer.endswith("/not")
    }
