"""What a protocol version consists of: declarations, methods. Knows neither JSON Schema, nor templates, nor paths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


# --- documentation ---------------------------------------------------------------------------------------------------

# Where something comes from and what is said about it is no part of what it is, and of no account in comparisons.


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the schema declares something.

    `definition` is the name of the definition that it stands in, `path` the wire names that lead to it from there;
    items of arrays and values of maps have the path of the array or map. `member` is the tag or title of a member of
    the union that stands at that place, `merged` are the definitions that an object there takes its fields from.
    """

    definition: str
    path: tuple[str, ...] = ()
    member: str | None = None
    merged: tuple[str, ...] = ()


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
    """One of some values, all strings, all integers or all booleans; an open one takes any other value of the kind.

    `descriptions` are the texts on some of the values, in the order of the values.
    """

    values: tuple[str | int | bool, ...]
    open: bool = False
    descriptions: tuple[tuple[str | int | bool, str], ...] = field(default=(), compare=False)


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


Step: TypeAlias = int | tuple[int, ...]
"""Index of a member to try, or the indices of those among which the best match is taken."""


@dataclass(frozen=True, slots=True)
class Union:
    """One of several types.

    `tag` is the wire name of the constant field that picks members: `tagged` says which to try for a value of it,
    `rest` which to try for any other. Without a tag, `rest` are all. With `final`, a value whose tag is known is never
    one of `rest`. With `exclusive`, exactly one member may accept. `labels` are the members with a tag or title, each
    with the text on it.
    """

    members: tuple[Type, ...]
    tag: str | None = None
    tagged: tuple[tuple[str, tuple[Step, ...]], ...] = ()
    rest: tuple[Step, ...] = ()
    final: bool = False
    exclusive: bool = False
    labels: tuple[tuple[Origin, str | None], ...] = field(default=(), compare=False)


Type: TypeAlias = (
    "AnyValue | Null | Boolean | String | Integer | Number | Enumeration | Array | Map | Reference | Union"
)


def references(type_: Type) -> Iterator[str]:
    """Names of the declarations that a type refers to."""
    match type_:
        case Reference(name):
            yield name
        case Array(item):
            yield from references(item)
        case Map(value):
            yield from references(value)
        case Union(members):
            for member in members:
                yield from references(member)
        case _:
            return


# --- declarations ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an object type.

    `nullable` is apart from `type`, so that absent and null stay two things. `initial` is what a constructor fills in
    where the caller gives nothing. `on_error` and `on_null` say that a bad value, or null, counts as absent (or, for
    a required field, as an empty array); `bad_unless` is the type that a bad value is not of, where it is wider than
    `type`.
    """

    name: str
    wire: str
    type: Type
    required: bool
    nullable: bool = False
    default: Json = None
    has_default: bool = False
    initial: Json = None
    on_error: bool = False
    on_null: bool = False
    bad_unless: Type | None = None
    origin: Origin | None = field(default=None, compare=False)
    description: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ObjectType:
    """An object with declared fields; fields that are not declared are kept. `extra` is the type of those.

    `deprecated` says since when and in favour of what, `page` is the address of the page that specifies it.
    """

    name: str
    fields: tuple[Field, ...]
    extra: Type = field(default_factory=AnyValue)
    origin: Origin | None = field(default=None, compare=False)
    description: str | None = field(default=None, compare=False)
    deprecated: str | None = field(default=None, compare=False)
    page: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Alias:
    """A name for a type. `deprecated` and `page` are those of an object type."""

    name: str
    type: Type
    origin: Origin | None = field(default=None, compare=False)
    description: str | None = field(default=None, compare=False)
    deprecated: str | None = field(default=None, compare=False)
    page: str | None = field(default=None, compare=False)


Declaration: TypeAlias = ObjectType | Alias


@dataclass(frozen=True, slots=True)
class Method:
    """What one side sends: a request, which is answered, or a notification. Absent params are None.

    `deprecated` and `page` are those of an object type.
    """

    name: str
    kind: Literal["request", "notification"]
    sender: str
    params: Type | None
    result: Type | None
    description: str | None = None
    deprecated: str | None = None
    page: str | None = None


@dataclass(frozen=True, slots=True)
class Protocol:
    """One version of one protocol.

    `definitions` are the names of the declarations that the schema defines itself, in its order; the others are
    members of unions and inline objects, named by rule. `embedded` are requests that are no messages: they travel
    inside a result. `page` is the address of the specification.
    """

    name: str
    version: str
    protocol_version: int | str
    definitions: tuple[str, ...]
    declarations: Mapping[str, Declaration]
    methods: tuple[Method, ...]
    embedded: tuple[Method, ...] = ()
    page: str | None = None
