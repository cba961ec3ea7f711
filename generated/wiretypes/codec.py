"""JSON to typed values and back, faithfully."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pydantic_core
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import MISSING, PydanticCustomError, SchemaSerializer, to_json

from . import model
from .model import Model

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
        if isinstance(data, str):
            data = data.encode("utf-8", "surrogatepass")
        if isinstance(data, (bytes, bytearray)):
            value = from_text(data)
            shape = data.translate(_SHAPE)
            if b"0e000" in shape or b"NaN" in data or b"Infinity" in data or _LONG in shape:
                _refuse_non_finite(data)
            return cast("T", value)
        _refuse_non_finite(data)
        return cast("T", from_parsed(data))
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
    text: bytes = value.__pydantic_serializer__.to_json(value) if isinstance(value, Model) else _any_to_json(value)
    if b"NaN" in text or b"Infinity" in text:
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


def _refuse_non_finite(data: object) -> None:
    """Raise ValidationError for a number that is not finite, or for a value that is no JSON at all."""
    try:
        parsed = pydantic_core.from_json(data, allow_inf_nan=False) if isinstance(data, (bytes, bytearray)) else data
        text = to_json(parsed, inf_nan_mode="constants")
        if b"NaN" in text or b"Infinity" in text:
            # The words may stand in a string.
            pydantic_core.from_json(text, allow_inf_nan=False)
    except (ValueError, RecursionError) as error:
        problem = PydanticCustomError("json_invalid_number", "Invalid JSON: {error}", {"error": str(error)})
        raise ValidationError.from_exception_data("JSON", [{"type": problem, "input": None}], "json") from None


def _prepare(type_: Any) -> tuple[_Validate, _Validate]:
    complete(type_, set())
    if isinstance(type_, type) and issubclass(type_, Model):
        validator: Any = type_.__pydantic_validator__
        found = (validator.validate_json, validator.validate_python)
    else:
        adapter = TypeAdapter[Any](type_, config=_STRICT)
        found = (adapter.validator.validate_json, adapter.validator.validate_python)
    try:
        _validators[type_] = found
    except TypeError:  # an unhashable type
        pass
    return found


def complete(type_: Any, seen: set[Any]) -> None:
    """Build the validators of all classes that a type reaches, innermost first: each is then built once."""
    if isinstance(type_, type) and issubclass(type_, Model):
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


model._complete = _complete_class  # pyright: ignore[reportPrivateUsage]
