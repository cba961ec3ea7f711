"""What a lenient reader makes of a value, computed from the schema and its `x-deserialize-*` marks alone.

`Reader.read` gives None for what cannot be read, and otherwise the JSON that a faithful package encodes again. A
reading is clean when no mark was needed: that is plain JSON Schema, and agrees with the oracle.
"""

from dataclasses import dataclass

from .conjunction import MARKS, ON_ERROR, ON_NULL, SKIP, Conjunction, Definitions, Union, has_type
from .json_values import JSON
from .oracle import Oracle, Schema


@dataclass(frozen=True, slots=True)
class Reading:
    """A value as read: what remains, whether all of it did, and how many of an object's fields are declared."""

    value: JSON
    clean: bool
    declared: int = 0


class Reader:
    """Reads values as the definitions of one version say."""

    def __init__(self, oracle: Oracle) -> None:
        self._definitions = Definitions(oracle.root, oracle.definitions)
        self._oracle = oracle

    def read(self, name: str, value: JSON) -> Reading | None:
        """The value as a definition, or the schema at a pointer, reads it; None when even leniency cannot."""
        return self._read((self._oracle.schema(name),), value)

    def _read(self, schemas: tuple[Schema, ...], value: JSON, *, skip: bool = False) -> Reading | None:
        return self._conjunction(self._definitions.conjoin(schemas), value, skip=skip)

    def _conjunction(self, conjunction: Conjunction, value: JSON, *, skip: bool = False) -> Reading | None:
        if conjunction.unions:
            return self._union(conjunction, value, skip=skip)
        kinds = conjunction.types
        if kinds is not None and not has_type(kinds, value):
            return None
        if not conjunction.allows_scalar(value):
            return None
        if any(self._accepts(schema, value) for schema in conjunction.values("not")):
            return None
        if isinstance(value, dict):
            return self._object(conjunction, value)
        if isinstance(value, list):
            return self._array(conjunction, value, skip=skip)
        return Reading(value, clean=True)

    def _accepts(self, schema: Schema, value: JSON) -> bool:
        reading = self._read((schema,), value)
        return reading is not None and reading.clean

    def _array(self, conjunction: Conjunction, value: list[JSON], *, skip: bool) -> Reading | None:
        schemas = tuple(conjunction.values("items"))
        items: list[JSON] = []
        clean = True
        for item in value:
            reading = self._read(schemas, item)
            if reading is not None:
                items.append(reading.value)
                clean = clean and reading.clean
            elif skip:
                clean = False
            else:
                return None
        too_short = any(len(items) < least for least in conjunction.values("minItems"))
        too_long = any(len(items) > most for most in conjunction.values("maxItems"))
        return None if too_short or too_long else Reading(items, clean)

    def _object(self, conjunction: Conjunction, value: dict[str, JSON]) -> Reading | None:
        required = conjunction.required
        if any(name not in value for name in required):
            return None
        declared = set(conjunction.declared)
        fields: dict[str, JSON] = {}
        clean = True
        for name, item in value.items():
            schemas = conjunction.property_schemas(name)
            marks = (
                {mark for schema in schemas for mark in MARKS if schema.get(mark)} if name in declared else set[str]()
            )
            reading = self._read(schemas, item, skip=SKIP in marks)
            if reading is not None:
                fields[name] = reading.value
                clean = clean and reading.clean
                continue
            clean = False
            if ON_ERROR not in marks and not (ON_NULL in marks and item is None):
                return None
            if name in required:
                if self._definitions.conjoin(schemas).types != ["array"]:
                    return None
                fields[name] = []
        return Reading(fields, clean, declared=len(declared & value.keys()))

    def _union(self, conjunction: Conjunction, value: JSON, *, skip: bool) -> Reading | None:
        union = conjunction.unions[0]
        members = list(union.members)
        if union.exclusive:
            accepting = [member for member in members if self._accepts(member, value)]
            if len(accepting) > 1:
                return None
            members = accepting or members
        beside = conjunction.rest()
        readings = {
            id(member): self._conjunction(beside & self._definitions.conjoin((member,)), value, skip=skip)
            for member in members
        }
        clean = [reading for reading in readings.values() if reading is not None and reading.clean]
        if clean:
            return max(clean, key=lambda reading: reading.declared)
        tagged = self._tagged(union, value)
        salvaged = [
            reading
            for member in members
            if (reading := readings[id(member)]) is not None and (not tagged or id(member) in tagged)
        ]
        return max(salvaged, key=lambda reading: reading.declared) if salvaged else None

    def _tagged(self, union: Union, value: JSON) -> set[int]:
        """The members whose tag the value carries, by identity."""
        if not isinstance(value, dict):
            return set()
        return {
            id(member)
            for member in union.members
            if any(value.get(name) == tag for name, tag in self._tags(member).items())
        }

    def _tags(self, member: Schema) -> dict[str, str]:
        conjunction = self._definitions.conjoin((member,))
        tags: dict[str, str] = {}
        for name in conjunction.required:
            for tag in self._definitions.conjoin(conjunction.property_schemas(name)).values("const"):
                if isinstance(tag, str):
                    tags[name] = tag
        return tags
