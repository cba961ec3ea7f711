"""Between the version of a connection and the newer one whose types its handler has."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast, get_args

from pydantic import ValidationError
from pydantic_core import MISSING, from_json

from .codec import decode, encode
from .model import Model, is_model_class, wire_name
from .problems import problems

__all__ = ["newer", "older"]

# What a message without these fields means in a version that requires them: it is final, and not to be kept.
_ASSUMED: Final[Mapping[str, Any]] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
_SHOWN: Final = 5
_TRIES: Final = 20
_READ_AGAIN: Final = 1 << 26
"""How many bytes are read again at most to find out what does not fit."""
_log = logging.getLogger(__name__)


def newer(type_: Any, value: object, meta: Mapping[str, Any]) -> Any:
    """A value of an older version as one of a type of a newer.

    What the older version does not define means nothing there, and may be anything. Where it has the name of a field of
    the newer type, it is kept if it fits; if it does not, it is left out and the log tells.

    Args:
        type_: the type.
        value: a model of the older version, or parsed JSON.
        meta: what `_meta` of a request has to say in the newer version.

    Raises:
        pydantic.ValidationError: the type cannot say it, or too much of it is something else.
    """
    text = encode(value)
    data = _completed(type_, from_json(text), meta)
    left_out: list[str] = []
    tries = _TRIES + _READ_AGAIN // len(text)
    while True:
        try:
            read = decode(type_, data)
            break
        except ValidationError as error:
            # Each time, the first that is wrong in each list.
            misfits = [at for at, _ in problems(error) if _leave_out(data, value, _keys(at))]
            tries -= 1
            if not misfits or not tries:
                raise
            left_out += misfits
    if left_out:
        more = "" if len(left_out) <= _SHOWN else f" and {len(left_out) - _SHOWN} more"
        shown = ", ".join(f"{at:.200}" for at in left_out[:_SHOWN])
        _log.warning("left out, as it is something else in the version of the handler: %s%s", shown, more)
    return read


def older(type_: Any, value: object) -> Any:
    """A value of a newer version as one of a type of an older; raises ValidationError if the type cannot say it."""
    return decode(type_, from_json(encode(value)))


def _completed(type_: Any, data: Any, meta: Mapping[str, Any]) -> Any:
    """Parsed JSON of an older version with what a type of a newer requires besides."""
    if isinstance(data, dict):
        members = cast("dict[str, Any]", data)
        required = {wire for cls in _classes(type_) for wire in _required(cls)}
        members.update((wire, assumed) for wire, assumed in _ASSUMED.items() if wire in required)
        if "_meta" in required:
            given: Any = members.get("_meta")
            members["_meta"] = {**(given if isinstance(given, dict) else {}), **meta}
        return members
    return data


def _classes(type_: Any) -> Iterator[type[Model]]:
    """The classes that a type may be, unions taken apart."""
    type_ = getattr(type_, "__value__", type_)
    if is_model_class(type_):
        yield type_
    else:
        for part in get_args(type_):
            yield from _classes(part)


def _required(cls: type[Model]) -> Iterator[str]:
    return (wire for name, wire in _fields(cls) if cls.model_fields[name].is_required())


def _keys(pointer: str) -> list[str]:
    return [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]


def _leave_out(data: Any, value: Any, keys: Sequence[str]) -> bool:
    """Take a part of the data that does not fit out of it, if the older version does not define it; whether that went.

    The part is the smallest that is there and that an object has: some keys lead to it, or to a field that it lacks.
    """
    first = _undefined(value, keys)
    if first is None:
        return False
    above = [data]
    for key in keys:
        above.append(_member(above[-1], key))
    for index in range(len(keys) - 1, first - 1, -1):
        if isinstance(above[index], dict) and above[index].pop(keys[index], MISSING) is not MISSING:
            return True
    return False


def _undefined(value: Any, keys: Sequence[str]) -> int | None:
    """Which of the keys that lead into a value of the older version is the first that it does not define, if any is.

    It defines the fields of its classes, and the members of a map whose values have classes.
    """
    found: int | None = None
    for index, key in enumerate(keys):
        if isinstance(value, Model):
            name = next((name for name, wire in _fields(type(value)) if wire == key), None)
            if name is None:
                return index
            found, value = None, value.__dict__.get(name, MISSING)
        else:
            is_map = isinstance(value, dict)
            found = index if is_map and found is None else found
            value = _member(value, key)
    return None if isinstance(value, Model) else found


def _fields(cls: type[Model]) -> Iterator[tuple[str, str]]:
    """The fields of a class, by their names in Python and on the wire."""
    for name, field in cls.model_fields.items():
        yield name, str(field.validation_alias or wire_name(name))


def _member(value: Any, key: str) -> Any:
    """What stands under a key of a pointer; MISSING for nothing."""
    if isinstance(value, dict):
        return cast("dict[str, Any]", value).get(key, MISSING)
    if isinstance(value, list | tuple):
        items = cast("Sequence[Any]", value)
        return items[int(key)] if key.isdecimal() and int(key) < len(items) else MISSING
    return MISSING
