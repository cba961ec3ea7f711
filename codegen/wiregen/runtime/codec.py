"""JSON to typed values and back, faithfully."""

from collections.abc import Callable
from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pydantic_core
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import MISSING, CoreSchema, PydanticCustomError, SchemaSerializer, SchemaValidator

from .annotations import untyped
from .model import Model, complete_with, is_model_class

if TYPE_CHECKING:
    from typing_extensions import TypeForm

__all__ = ["decode", "encode", "present"]

T = TypeVar("T")

_STRICT = ConfigDict(strict=True, ser_json_inf_nan="constants")
_any_to_json = SchemaSerializer({"type": "any"}, pydantic_core.CoreConfig(ser_json_inf_nan="constants")).to_json

_Validate = Callable[[Any], Any]
_validators: dict[Any, tuple[_Validate, _Validate]] = {}


def _search(pattern: str) -> Callable[[str], bool]:
    """Whether text has a match: the validator core finds one many times faster than Python would."""
    schema = {"type": "str", "pattern": pattern, "regex_engine": "rust-regex"}
    return SchemaValidator(cast("CoreSchema", schema)).isinstance_python


_names_non_finite = _search("NaN|Infinity")
# A number can overflow only with an exponent of three digits or more, or with a very long run of digits.
_may_be_non_finite = _search(r"NaN|Infinity|[0-9][eE]\+?[0-9]{3}|[0-9]{200}")

NESTING = 200
"""How deep arrays and objects may be nested: as deep as the parser goes."""
LARGE = 1 << 16
"""Size in bytes from which JSON text is worth a look at how to read it best."""
_LONG_STRING = 256
_SAMPLE = 1024


def decode(type_: "TypeForm[T]", data: object) -> T:
    """Read JSON as a value of a type.

    Args:
        type_: a message class, a union or any other alias of a version module, or a type built of them.
        data: JSON text as `bytes`, `bytearray` or `str`, or JSON that is parsed already.

    Raises:
        pydantic.ValidationError: the text is not JSON, or its value is not one that the schema accepts.
            `problems` turns it into JSON pointers and texts.
    """
    try:
        from_text, from_parsed = _validators[type_]
    except (KeyError, TypeError):
        from_text, from_parsed = _prepare(type_)
    try:
        json: Any = data if data.__class__ is bytes else as_bytes(data)
        if json.__class__ is not bytes:
            refuse_non_finite(json)
            value: T = from_parsed(json)
            return value
        latest = untyped.latest
        value = from_text(json) if len(json) < LARGE or not is_mostly_strings(json) else from_parsed(parse(json))
        if untyped.latest is not latest:
            refuse_non_finite(json)
        return value
    except ValidationError as error:
        error.validated_type = type_  # type: ignore[attr-defined]  # for `problems`
        raise


def encode(value: object, type_: Any = None) -> bytes:
    """Write a value as compact JSON.

    Args:
        value: a message, or JSON that is parsed already.
        type_: when given, what is written is also read as this type, so that a value changed by assignment is checked.

    Raises:
        pydantic.ValidationError: what is written is not what `type_` accepts.
        ValueError: the value holds something that JSON cannot say, such as NaN.
    """
    latest = untyped.latest
    # Faster than asking for the type, which pydantic answers in Python.
    serializer: Any = getattr(value, "__pydantic_serializer__", None)
    if serializer is not None:
        text: bytes = serializer.to_json(value)
        searched = untyped.latest is not latest
    else:
        text, searched = _any_to_json(value), True
    if searched and _names_non_finite(text.decode()):
        pydantic_core.from_json(text, allow_inf_nan=False)
    if type_ is not None:
        decode(type_, text)
    return text


def present(value: Model, name: str) -> bool:
    """Whether a message carries a field, be it as null.

    Args:
        value: a message.
        name: the field's Python name.

    Raises:
        AttributeError: the class has no such field.
    """
    if name not in type(value).__pydantic_fields__:
        raise AttributeError(f"{type(value).__name__!r} has no field {name!r}")
    return value.__dict__.get(name, MISSING) is not MISSING


def as_bytes(data: object) -> object:
    """JSON text as bytes; parsed JSON as it is."""
    if isinstance(data, str):
        return data.encode("utf-8", "surrogatepass")
    return bytes(data) if isinstance(data, (bytes, bytearray)) else data


def is_mostly_strings(text: bytes) -> bool:
    """Whether large JSON text has long strings: it is read faster in two steps, which copy each of them once."""
    sample = text[:: len(text) // _SAMPLE + 1]
    return sample.count(b'"') * _LONG_STRING < len(sample)


def parse(text: bytes) -> Any:
    """The value of JSON text, with what overflows as infinity; raises ValidationError for text that is no JSON."""
    try:
        return pydantic_core.from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise _no_json(error) from None


def finite(data: object) -> Any:
    """The value of JSON, as text or parsed; raises ValidationError for what is none, or has a number that overflows."""
    value = parse(data) if isinstance(data, bytes) else data
    if not isinstance(data, bytes) or _is_worth_reading(data):
        refuse_non_finite(value)
    return value


def refuse_non_finite(data: object) -> None:
    """Raise ValidationError for a number that is not finite, or for a value that is no JSON at all."""
    if isinstance(data, bytes):
        if not _is_worth_reading(data):
            return
        data = parse(data)
    try:
        _check(data)
    except (ValueError, RecursionError) as error:
        raise _no_json(error) from None


def _is_worth_reading(text: bytes) -> bool:
    """Whether JSON text may hold a number that is not finite: long strings take longer to search than to skip."""
    return (len(text) >= LARGE and is_mostly_strings(text)) or _may_be_non_finite(text.decode())


def _no_json(error: Exception) -> ValidationError:
    problem = PydanticCustomError("json_number", "Invalid JSON: {error}", {"error": str(error)})
    return ValidationError.from_exception_data("JSON", [{"type": problem, "input": None}], "json")


def _check(value: object, levels: int = NESTING) -> None:
    """Raise ValueError for a value that JSON cannot say, or that is nested deeper than so many levels."""
    if isinstance(value, str):
        if not value.isascii():
            value.encode()  # fails on half of a surrogate pair
    elif isinstance(value, (dict, list)):
        if not levels and value:  # an empty one is no level, as to the parser
            raise ValueError(f"nested deeper than {NESTING} levels")
        if isinstance(value, dict):
            for key in cast("dict[object, object]", value):
                if not isinstance(key, str):
                    raise ValueError(f"the key {key!r} is no string")
                _check(key)
            value = list(cast("dict[object, object]", value).values())
        for item in cast("list[object]", value):
            _check(item, levels - 1)
    elif isinstance(value, float):
        if not isfinite(value):
            raise ValueError(f"number out of range: {value}")
    elif value is not None and not isinstance(value, (int, Model)):
        raise ValueError(f"{type(value).__name__} is no JSON")


def validator(type_: Any) -> _Validate:
    """What reads parsed JSON as a type, `refuse_non_finite` aside, and raises ValidationError."""
    try:
        return _validators[type_][1]
    except (KeyError, TypeError):
        return _prepare(type_)[1]


def core_schema(type_: Any) -> CoreSchema:
    """The validator core's schema of a type, as a part of a larger one."""
    complete(type_, set())
    return type_.__pydantic_core_schema__ if is_model_class(type_) else TypeAdapter[Any](type_).core_schema


def _prepare(type_: Any) -> tuple[_Validate, _Validate]:
    complete(type_, set())
    if is_model_class(type_):
        built: Any = type_.__pydantic_validator__
    else:
        built = TypeAdapter[Any](type_, config=_STRICT).validator
    found: tuple[_Validate, _Validate] = (built.validate_json, built.validate_python)
    with suppress(TypeError):  # of a type that is not hashable
        _validators[type_] = found
    return found


def complete(type_: Any, seen: set[Any]) -> None:
    """Build the validators of all classes that a type reaches, innermost first: each is then built once."""
    if is_model_class(type_):
        if type_.__pydantic_complete__ or type_ in seen:
            return
        seen.add(type_)
        if not type_.__pydantic_fields_complete__:
            type_.model_rebuild()
        for field in type_.__pydantic_fields__.values():
            complete(field.annotation, seen)
        type_.model_rebuild()
        return
    for part in getattr(getattr(type_, "__value__", type_), "__args__", ()):
        complete(part, seen)


def _complete_class(cls: type[Model]) -> None:
    complete(cls, set())


complete_with(_complete_class)
