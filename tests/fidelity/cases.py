"""The cases of a version: values, and what the schema and its marks say that a package makes of each.

A case is for a definition, by its name, or for a schema inside one, by its pointer (`#/...`).
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from .instances import FULL, MINIMAL, Instance, Maker, Recipe, union_sites
from .json_values import JSON
from .leniency import Reader
from .mutations import Mutator
from .oracle import Oracle

ROUNDS = int(os.environ.get("WIRETYPES_FIDELITY_ROUNDS", "1"))
"""How many times the recipes are gone through; more for a long run."""

RECIPES = (
    MINIMAL,
    FULL,
    Recipe(optional=1, odd=1, empty=0),
    Recipe(optional=1, odd=0.5, empty=0),
    Recipe(optional=0, odd=1, empty=0.5, unknown=1),
    Recipe(optional=0.3, unknown=0.8),
    Recipe(optional=0.5, unknown=0.4),
    Recipe(optional=0.8, empty=0.9),
    Recipe(optional=0.7, odd=0.8, unknown=0.2),
    Recipe(),
    Recipe(),
    Recipe(optional=0.9),
)
MUTATED = 2
"""How many values are made from a valid instance by breaking it anywhere."""
SPOILED = 2
"""How many by putting bad values at one or more places that carry a leniency mark."""


@dataclass(frozen=True, slots=True)
class Case:
    """A value, and the JSON that must come back; refused says that none may."""

    name: str
    value: JSON
    expected: JSON
    refused: bool
    lenient: bool


@dataclass(frozen=True, slots=True)
class Judge:
    """Tells for any value of a version what a package must make of it."""

    oracle: Oracle
    reader: Reader

    @classmethod
    def of(cls, oracle: Oracle) -> "Judge":
        return cls(oracle, Reader(oracle))

    def case(self, name: str, value: JSON) -> Case:
        """The oracle decides; the reader says what leniency makes of what the oracle refuses."""
        if self.oracle.accepts(name, value):
            return Case(name, value, value, refused=False, lenient=False)
        reading = self.reader.read(name, value)
        if reading is None:
            return Case(name, value, None, refused=True, lenient=False)
        return Case(name, value, reading.value, refused=False, lenient=True)


def cases(oracle: Oracle) -> Iterator[Case]:
    """Every case of the definitions of a version, the same in every run."""
    return _cases(oracle, instances(oracle, Maker(oracle)))


def cases_of(oracle: Oracle, names: Iterable[str]) -> Iterator[Case]:
    """The cases of some definitions and pointers only."""
    return _cases(oracle, _filled(oracle, Maker(oracle), names))


def _cases(oracle: Oracle, made: Iterable[tuple[str, Instance, str]]) -> Iterator[Case]:
    judge = Judge.of(oracle)
    mutator = Mutator(oracle)
    for name, instance, seed in made:
        yield judge.case(name, instance.value)
        random = Random(f"mutate {seed}")
        for _ in range(MUTATED):
            yield judge.case(name, mutator.mutate(instance.value, random))
        if instance.marked:
            for _ in range(SPOILED):
                few = random.sample(instance.marked, min(len(instance.marked), random.choice((1, 1, 1, 2, 4))))
                yield judge.case(name, mutator.spoil(instance.value, few, random))


def instances(
    oracle: Oracle, maker: Maker, recipes: Sequence[Recipe] = RECIPES * ROUNDS
) -> Iterator[tuple[str, Instance, str]]:
    """Valid instances of every definition, with every member of every union, each with the seed that made it."""
    yield from _filled(oracle, maker, oracle.definitions, recipes)
    for definition in oracle.definitions:
        for chain in maker.chains(definition):
            if chain:
                seed = f"{oracle.protocol} {oracle.version} {definition} {chain}"
                yield definition, maker.make(definition, FULL, seed, chain), seed
    for key, (pointer, members) in union_sites(oracle).items():
        definition = pointer.split("/")[2]
        for index in range(20 * members):
            if all(maker.used[key, member] for member in range(members)):
                break
            seed = f"{oracle.protocol} {oracle.version} {pointer} {index}"
            yield definition, maker.make(definition, FULL, seed), seed


def _filled(
    oracle: Oracle, maker: Maker, names: Iterable[str], recipes: Sequence[Recipe] = RECIPES * ROUNDS
) -> Iterator[tuple[str, Instance, str]]:
    for name in names:
        for index, recipe in enumerate(recipes):
            seed = f"{oracle.protocol} {oracle.version} {name} {index}"
            yield name, maker.make(name, recipe, seed), seed
