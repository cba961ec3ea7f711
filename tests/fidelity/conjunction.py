"""One place of an instance under JSON Schema: all the schemas that hold there, `$ref` and `allOf` taken apart."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .json_values import JSON, same
from .oracle import Schema

ON_ERROR = "x-deserialize-default-on-error"
ON_NULL = "x-deserialize-default-on-null"
SKIP = "x-deserialize-skip-invalid-items"
MARKS = (ON_ERROR, ON_NULL, SKIP)


@dataclass(frozen=True, slots=True)
class Union:
    """An `anyOf`, or a `oneOf` when exactly one member may accept."""

    members: tuple[Schema, ...]
    exclusive: bool

    @property
    def key(self) -> tuple[int, ...]:
        """What tells this union from others: the identity of its members in the document."""
        return tuple(id(member) for member in self.members)


@dataclass(frozen=True, slots=True)
class Conjunction:
    """Schemas that all hold, without combinators, and the unions beside them."""

    parts: tuple[Schema, ...]
    unions: tuple[Union, ...]

    def __and__(self, other: "Conjunction") -> "Conjunction":
        return Conjunction(self.parts + other.parts, self.unions + other.unions)

    def rest(self) -> "Conjunction":
        """The same without the first union."""
        return Conjunction(self.parts, self.unions[1:])

    def values(self, keyword: str) -> list[Any]:
        """What each part that has the keyword says."""
        return [part[keyword] for part in self.parts if keyword in part]

    @property
    def required(self) -> list[str]:
        return list(dict.fromkeys(name for names in self.values("required") for name in names))

    @property
    def declared(self) -> list[str]:
        """The names of the declared properties."""
        return list(dict.fromkeys(name for properties in self.values("properties") for name in properties))

    def property_schemas(self, name: str) -> tuple[Schema, ...]:
        """The schemas that hold for the value of a property, declared or not."""
        return tuple(self._property_schemas(name))

    def _property_schemas(self, name: str) -> Iterator[Schema]:
        for part in self.parts:
            if name in part.get("properties", {}):
                yield part["properties"][name]
            elif isinstance(other := part.get("additionalProperties"), dict) and other:
                yield other

    @property
    def types(self) -> list[str] | None:
        """The JSON types that all parts allow, None when no part says."""
        named = [[kind] if isinstance(kind, str) else kind for kind in self.values("type")]
        if not named:
            return None
        return [kind for kind in named[0] if all(_overlaps(kind, others) for others in named)]

    def allows_scalar(self, value: JSON) -> bool:
        """Whether `const`, `enum` and the bounds of all parts allow the value."""
        return all(_allows_scalar(part, value) for part in self.parts)


class Definitions:
    """The definitions of a document, followed by reference."""

    def __init__(self, root: str, definitions: dict[str, Schema]) -> None:
        self._prefix = f"#/{root}/"
        self._definitions = definitions
        self._seen: dict[tuple[int, ...], Conjunction] = {}

    def conjoin(self, schemas: tuple[Schema, ...]) -> Conjunction:
        """What schemas of the document mean together."""
        key = tuple(id(schema) for schema in schemas)
        if key not in self._seen:
            parts: list[Schema] = []
            unions: list[Union] = []
            self._collect(schemas, parts, unions)
            self._seen[key] = Conjunction(tuple(parts), tuple(unions))
        return self._seen[key]

    def _collect(self, schemas: Iterable[Schema], parts: list[Schema], unions: list[Union]) -> None:
        for schema in schemas:
            if "$ref" in schema:
                name = schema["$ref"].removeprefix(self._prefix)
                self._collect([self._definitions[name]], parts, unions)
            self._collect(schema.get("allOf", ()), parts, unions)
            parts.append(schema)
            for keyword in ("anyOf", "oneOf"):
                if keyword in schema:
                    unions.append(Union(tuple(schema[keyword]), keyword == "oneOf"))


def has_type(kinds: Iterable[str], value: JSON) -> bool:
    """Whether the value has one of the JSON types."""
    return any(_has_type(kind, value) for kind in kinds)


def _has_type(kind: str, value: JSON) -> bool:
    match kind:
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "integer":
            return not isinstance(value, bool) and (
                isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            )
        case _:
            raise ValueError(f"unknown type {kind}")


def _overlaps(kind: str, others: list[str]) -> bool:
    return kind in others or (kind == "integer" and "number" in others)


def _allows_scalar(part: Schema, value: JSON) -> bool:
    if "const" in part and not same(part["const"], value):
        return False
    if "enum" in part and not any(same(allowed, value) for allowed in part["enum"]):
        return False
    if isinstance(value, str):
        return len(value) >= int(part.get("minLength", 0))
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = part.get("minimum"), part.get("maximum")
        return bool((low is None or value >= low) and (high is None or value <= high))
    return True
