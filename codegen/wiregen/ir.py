"""What a protocol version consists of: declarations, methods. Knows neither JSON Schema, nor templates, nor paths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"


# --- types -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnyValue:
    """Any JSON value."""


@dataclass(frozen=True, slots=True)
class Null:
    """Null and nothing else."""


@dataclass(frozen=True, slots=True)
class Boolean:
    """True or false."""


@dataclass(frozen=True, slots=True)
class String:
    """A string, counted in code points; `excluded` are those that it may not be."""

    min_length: int | None = None
    max_length: int | None = None
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Integer:
    """A number without a fraction, between inclusive bounds."""

    minimum: float | None = None
    maximum: float | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """Any number, between inclusive bounds."""

    minimum: float | None = None
    maximum: float | None = None


@dataclass(frozen=True, slots=True)
class Enumeration:
    """One of some values, all strings, all integers or all booleans; an open one takes any other value of the kind."""

    values: tuple[str | int | bool, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class Array:
    """A list; with `skip_invalid`, items that do not fit are left out."""

    item: Type
    min_items: int | None = None
    max_items: int | None = None
    skip_invalid: bool = False


@dataclass(frozen=True, slots=True)
class Map:
    """An object whose values are all of one type."""

    value: Type


@dataclass(frozen=True, slots=True)
class Reference:
    """A declaration, by its name."""

    name: str


Step: TypeAlias = "int | tuple[int, ...]"
"""Index of a member to try, or the indices of those among which the best match is taken."""


@dataclass(frozen=True, slots=True)
class Union:
    """One of several types.

    `tag` is the wire name of the constant field that picks members: `tagged` says which to try for a value of it,
    `rest` which to try for any other. Without a tag, `rest` are all. With `exclusive`, exactly one member may accept.
    """

    members: tuple[Type, ...]
    tag: str | None = None
    tagged: tuple[tuple[str, tuple[Step, ...]], ...] = ()
    rest: tuple[Step, ...] = ()
    exclusive: bool = False


Type: TypeAlias = (
    "AnyValue | Null | Boolean | String | Integer | Number | Enumeration | Array | Map | Reference | Union"
)


# --- declarations ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an object type.

    `nullable` is apart from `type`, so that absent and null stay two things. `initial` is what a constructor fills in
    where the caller gives nothing. `on_error` and `on_null` say that a bad value, or null, counts as absent (or, for
    a required field, as an empty array); `bad_unless` is the type that a bad value is not of, where it is wider than
    `type`. `origin` names the declaration and wire path that the field was declared at.
    """

    name: str
    wire: str
    type: Type
    required: bool
    nullable: bool = False
    default: Json = None
    has_default: bool = False
    initial: str | int | bool | None = None
    on_error: bool = False
    on_null: bool = False
    bad_unless: Type | None = None
    origin: str = ""
    description: str | None = None


@dataclass(frozen=True, slots=True)
class ObjectType:
    """An object with declared fields; fields that are not declared are kept. `extra` is the type of those."""

    name: str
    fields: tuple[Field, ...]
    extra: Type = field(default_factory=AnyValue)
    origin: str = ""
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Alias:
    """A name for a type."""

    name: str
    type: Type
    origin: str = ""
    description: str | None = None


Declaration: TypeAlias = "ObjectType | Alias"


@dataclass(frozen=True, slots=True)
class Method:
    """What one side sends: a request, which is answered, or a notification. Absent params are None."""

    name: str
    kind: Literal["request", "notification"]
    sender: str
    params: Type | None
    result: Type | None


@dataclass(frozen=True, slots=True)
class Protocol:
    """One version of one protocol.

    `definitions` are the names of the declarations that the schema defines itself, in its order; the others are
    members of unions and inline objects, named by rule.
    """

    name: str
    version: str
    protocol_version: int | str
    definitions: tuple[str, ...]
    declarations: Mapping[str, Declaration]
    methods: tuple[Method, ...]
