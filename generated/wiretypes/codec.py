"""JSON to typed values and back, faithfully."""

from collections.abc import Callable
from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pydantic_core
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import MISSING, CoreSchema, PydanticCustomError, SchemaSerializer

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

# Digits become 0, as does the sign of an exponent: a number can overflow only with an exponent of three digits or more,
# or with a very long run of digits.
_SHAPE = bytes.maketrans(b"+123456789E", b"0000000000e")
_LARGE = 1 << 16
_EXPONENT = b"0e000"
_LONG = b"0" * 200


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
        start = next(untyped)
        if isinstance(data, str):
            data = data.encode("utf-8", "surrogatepass")
        if not isinstance(data, (bytes, bytearray)):
            refuse_non_finite(data)
            return cast("T", from_parsed(data))
        value = from_text(data)
        if next(untyped) - start > 1:
            refuse_non_finite(data)
        return cast("T", value)
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
    start = next(untyped)
    if isinstance(value, Model):
        text: bytes = value.__pydantic_serializer__.to_json(value)
        searched = next(untyped) - start > 1
    else:
        text, searched = _any_to_json(value), True
    if searched and _names_non_finite(text):
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


def refuse_non_finite(data: object) -> None:
    """Raise ValidationError for a number that is not finite, or for a value that is no JSON at all."""
    try:
        if isinstance(data, (bytes, bytearray)):
            # Searching pays off for what is small; what is large is mostly strings, which the parser skips fast.
            if len(data) < _LARGE and not _may_overflow(data) and not _names_non_finite(data):
                return
            data = pydantic_core.from_json(data, allow_inf_nan=False)
        _check(data)
    except (ValueError, RecursionError) as error:
        problem = PydanticCustomError("json_number", "Invalid JSON: {error}", {"error": str(error)})
        raise ValidationError.from_exception_data("JSON", [{"type": problem, "input": None}], "json") from None


def _may_overflow(text: bytes | bytearray) -> bool:
    shape = text.translate(_SHAPE)
    return _EXPONENT in shape or _LONG in shape


def _names_non_finite(text: bytes | bytearray) -> bool:
    return (78 in text and b"NaN" in text) or b"Infinity" in text  # 78 is N: one byte is found much faster than three


def _check(value: object) -> None:
    """Raise ValueError for a value that JSON cannot say."""
    if isinstance(value, str):
        value.encode()  # fails on half of a surrogate pair
    elif isinstance(value, dict):
        for key, item in cast("dict[object, object]", value).items():
            if not isinstance(key, str):
                raise ValueError(f"the key {key!r} is no string")
            _check(key)
            _check(item)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            _check(item)
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
