"""What generated annotations say beyond a Python type, and the validator core's schema for each.

Type checkers see the plain type; pydantic sees the mark.
"""

from collections.abc import Callable
from math import ceil, floor
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

from pydantic import GetCoreSchemaHandler
from pydantic_core import MISSING

__all__ = [
    "BooleanLiteral",
    "DefaultOnError",
    "DefaultOnNull",
    "DefaultUnless",
    "EmptyOnError",
    "EmptyOnNull",
    "Integer",
    "IntegerLiteral",
    "IntegerRange",
    "Maybe",
    "Number",
    "NumberRange",
    "Open",
    "OpenInteger",
    "SkipInvalid",
    "Untyped",
]

T = TypeVar("T")

# A serializer that looks at the value: faster than trying the members of a union, and right for each of them.
ANY: Any = {"type": "any"}

LABEL = "|"
"""How the labels of a union's members start in the location of an error."""

WAY = "|way "
"""The same for several ways to read one type: the first of them says what is wrong with a value."""


class _Notes:
    __slots__ = ("latest",)

    def __init__(self) -> None:
        self.latest: object = None

    def add(self) -> None:
        # Never the same object again as long as somebody holds it, so no other thread can undo what it tells.
        self.latest = object()


untyped = _Notes()
"""Has another latest note after each value of no declared type that may hold a float: only a message with such a value,
be it read or written, has to be searched for numbers that are no JSON."""

_NEVER: Any = {"type": "is-instance", "cls": type(Ellipsis)}
_HARMLESS = frozenset({int, bool, type(None)})


def _note(value: Any) -> Any:
    if value.__class__ not in _HARMLESS:
        untyped.add()
    return value


_NOTED: Any = {"type": "function-plain", "function": _note}
_ITEMS = {"dict": "values_schema", "list": "items_schema"}
# Most values of no type are strings, and those need no Python.
_ANY_VALUE: Any = {
    "type": "union",
    "mode": "left_to_right",
    "choices": [
        {"type": "str", "strict": True},
        {"type": "function-after", "function": {"type": "no-info", "function": _note}, "schema": ANY},
    ],
    "serialization": ANY,
}


class _Untyped:
    """Notes what a value holds that has no type."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return {**_noting(handler(source)), "serialization": _NOTED}


def _noting(schema: Any) -> Any:
    kind = schema["type"]
    if kind == "any":
        return _ANY_VALUE
    if kind not in _ITEMS:
        return {**schema, "schema": _noting(schema["schema"])}
    if schema[_ITEMS[kind]]["type"] == "any":
        return {**schema, _ITEMS[kind]: _ANY_VALUE}
    # One call for all that is inside costs less than one for each value.
    return {"type": "function-after", "function": {"type": "no-info", "function": _note}, "schema": schema}


class IntegerRange:
    """A JSON integer, exact at any size: 1.0 is one, true and "1" are none."""

    def __init__(self, minimum: float | None = None, maximum: float | None = None) -> None:
        self.bounds: dict[str, float] = {}
        self.exact: dict[str, Any] = {"type": "int", "strict": True}
        if minimum is not None:
            self.bounds["ge"], self.exact["ge"] = minimum, ceil(minimum)
        if maximum is not None:
            self.bounds["le"], self.exact["le"] = maximum, floor(maximum)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        whole = {"type": "float", "strict": True, "multiple_of": 1, "allow_inf_nan": False, **self.bounds}
        as_int = first_match([{"type": "int", "strict": False}, {"type": "float"}])
        return first_match([self.exact, {"type": "chain", "steps": [whole, as_int]}], WAY)


class NumberRange(IntegerRange):
    """A JSON number; an integer stays an exact `int`."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        inexact = {"type": "float", "strict": True, "allow_inf_nan": False, **self.bounds}
        number = first_match([self.exact, inexact], WAY)
        return {**number, "serialization": _NOTED}


class IntegerLiteral(IntegerRange):
    """Makes a `Literal` of integers take 1.0 for 1, as JSON Schema does, and not take true for it, as Python does."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return {"type": "chain", "steps": [super().__get_pydantic_core_schema__(source, handler), handler(source)]}


class BooleanLiteral:
    """Makes a `Literal` of booleans not take 1 for true, as Python does."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return {"type": "chain", "steps": [{"type": "bool", "strict": True}, handler(source)]}


Integer: TypeAlias = Annotated[int, IntegerRange()]
"""A JSON integer of any size."""
Number: TypeAlias = Annotated[float, NumberRange()]
"""A JSON number; an integer stays an exact `int`."""


def first_match(choices: list[Any], label: str = LABEL) -> Any:
    """Schema of the first choice that accepts a value. The labels are such that no field can have their names."""
    labelled = [(choice, f"{label}{index}") for index, choice in enumerate(choices)]
    return {"type": "union", "mode": "left_to_right", "choices": labelled, "serialization": ANY}


class _Mark:
    """Changes the schema of what it annotates."""

    def __init__(self, build: Callable[[Any], Any]) -> None:
        self.build = build

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return self.build(handler(source))


# Nobody else looks at a value that is dropped: that is noted too.


def _absent() -> Any:
    untyped.add()
    return MISSING


def _empty() -> list[Any]:
    untyped.add()
    return []


def _absent_on_error(schema: Any) -> Any:
    lenient = {"type": "default", "schema": schema, "default_factory": _absent, "on_error": "default"}
    return {"type": "default", "schema": lenient, "default": MISSING}


class DefaultUnless:
    """A value that is not of a wider type counts as absent; one that is has to be of the annotated type."""

    def __init__(self, wider: Any) -> None:
        self.wider = wider

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        inner = handler(source)
        absent: Any = {"type": "is-instance", "cls": type(MISSING)}
        steps = [_absent_on_error(handler.generate_schema(self.wider)), first_match([inner, absent], WAY)]
        return {"type": "chain", "steps": steps, "serialization": ANY}


def _empty_on_error(schema: Any) -> Any:
    # The chain keeps absence an error: a default that stands alone would fill in.
    default = {"type": "default", "schema": schema, "default_factory": _empty, "on_error": "default"}
    return {"type": "chain", "steps": [default, ANY]}


def _omit_on_error(schema: Any) -> Any:
    refused = {"type": "function-before", "function": {"type": "no-info", "function": _note}, "schema": _NEVER}
    # Always read by the lax schema, and written by the strict one.
    noting = {"type": "lax-or-strict", "lax_schema": first_match([schema, refused], WAY), "strict_schema": schema}
    return {"type": "default", "schema": {**noting, "strict": False}, "on_error": "omit"}


def _on_null(schema: Any, **default: Any) -> Any:
    # Null passes the first step and fails the second, whose default then stands in: no Python function is called.
    stand_in = {"type": "default", "schema": _NEVER, "on_error": "default", **default}
    null = {"type": "chain", "steps": [{"type": "none"}, stand_in]}
    return first_match([schema, null], WAY)


if TYPE_CHECKING:
    Maybe: TypeAlias = T | None
    """A field that may be absent, and then reads as None, but is never null on the wire."""
    DefaultOnError: TypeAlias = Annotated[T, None]
    """A bad value counts as absent (`x-deserialize-default-on-error`)."""
    EmptyOnError: TypeAlias = Annotated[T, None]
    """A bad value reads as [] (the same mark on a required array)."""
    DefaultOnNull: TypeAlias = Annotated[T, None]
    """Null counts as absent (`x-deserialize-default-on-null`)."""
    EmptyOnNull: TypeAlias = Annotated[T, None]
    """Null reads as [] (the same mark on a required array)."""
    SkipInvalid: TypeAlias = Annotated[T, None]
    """A bad item is left out (`x-deserialize-skip-invalid-items`)."""
    Open: TypeAlias = T | str
    """One of the known strings, or any other."""
    OpenInteger: TypeAlias = T | int
    """One of the known integers, or any other."""
    Untyped: TypeAlias = Annotated[T, None]
    """A type with parts that only JSON itself says anything of."""
else:

    class _Alias:
        """Subscripting gives the type with its mark; each type is marked once."""

        def __init__(self, mark):
            self.mark = mark
            self.marked = {}

        def __getitem__(self, type_):
            try:
                return self.marked[type_]
            except KeyError:
                marked = self.marked[type_] = Annotated[type_, self.mark]
                return marked

    class _Same:
        """Subscripting gives a type that does not depend on the argument, or the argument itself."""

        def __init__(self, type_):
            self.type_ = type_

        def __getitem__(self, type_):
            return type_ if self.type_ is None else self.type_

    Maybe = _Same(None)
    Open = _Same(str)
    OpenInteger = _Same(Integer)
    Untyped = _Alias(_Untyped())
    DefaultOnError = _Alias(_Mark(_absent_on_error))
    EmptyOnError = _Alias(_Mark(_empty_on_error))
    DefaultOnNull = _Alias(_Mark(lambda schema: _on_null(schema, default=MISSING)))
    EmptyOnNull = _Alias(_Mark(lambda schema: _on_null(schema, default_factory=list)))
    SkipInvalid = _Alias(_Mark(_omit_on_error))
