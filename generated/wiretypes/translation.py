"""Between the version of a connection and the newer one whose types its handler has."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast, get_args

from pydantic_core import from_json

from .codec import decode, encode
from .model import Model, is_model_class, wire_name

__all__ = ["newer", "older"]

# What a message without these fields means in a version that requires them: it is final, and not to be kept.
_MISSING: Final[Mapping[str, Any]] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def newer(type_: Any, value: object, meta: Mapping[str, Any]) -> Any:
    """A value of an older version as one of a type of a newer.

    Args:
        type_: the type.
        value: a model, or parsed JSON.
        meta: what `_meta` of a request has to say in the newer version.

    Raises:
        pydantic.ValidationError: the type cannot say it.
    """
    data = from_json(encode(value))
    if isinstance(data, dict):
        members = cast("dict[str, Any]", data)
        required = {wire for cls in _classes(type_) for wire in _required(cls)}
        data = {**{wire: given for wire, given in _MISSING.items() if wire in required}, **members}
        if "_meta" in required:
            data["_meta"] = {**meta, **members.get("_meta", {})}
    return decode(type_, data)


def older(type_: Any, value: object) -> Any:
    """A value of a newer version as one of a type of an older; raises ValidationError if the type cannot say it."""
    return decode(type_, from_json(encode(value)))


def _classes(type_: Any) -> Iterator[type[Model]]:
    """The classes that a type may be, unions taken apart."""
    type_ = getattr(type_, "__value__", type_)
    if is_model_class(type_):
        yield type_
    else:
        for part in get_args(type_):
            yield from _classes(part)


def _required(cls: type[Model]) -> Iterator[str]:
    for name, field in cls.model_fields.items():
        if field.is_required():
            yield str(field.validation_alias or wire_name(name))
