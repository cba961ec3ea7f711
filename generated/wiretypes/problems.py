"""What a ValidationError says, as JSON pointers and texts."""

from typing import Annotated, Any, get_args, get_origin

from pydantic import ValidationError

from .annotations import LABEL
from .model import Model, wire_name
from .unions import Tagged

__all__ = ["problems"]


def problems(error: ValidationError) -> list[tuple[str, str]]:
    """The places that an error speaks of and what is wrong with each.

    Args:
        error: raised by `decode` or by a message's constructor.

    Returns:
        Pairs of a JSON pointer (RFC 6901) into the value that was read and a text, in the order of the error. Where no
        member of a union fits, the pairs are those of the members that were tried.
    """
    type_ = getattr(error, "validated_type", None)
    found: dict[tuple[str, str], None] = {}
    for line in error.errors(include_url=False, include_context=False, include_input=False):
        pointer = "".join("/" + _escaped(key) for key in _keys(type_, line["loc"]))
        found[(pointer, line["msg"])] = None
    return list(found)


def _escaped(key: str | int) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")


def _keys(type_: Any, location: tuple[str | int, ...]) -> list[str | int]:
    """The keys and indices of a location, without the labels of union members that stand between them."""
    keys: list[str | int] = []
    for index, element in enumerate(location):
        if isinstance(element, str) and element.startswith(LABEL):
            choice = element[len(LABEL) :]
            type_ = _member(type_, int(choice)) if choice.isdecimal() else type_
            continue
        tagged = _tagged(type_)
        if tagged is not None and element in tagged[0].tags:
            type_ = _picked(tagged, str(element))
            continue
        if element == "[key]" and index == len(location) - 1:
            continue
        keys.append(element)
        type_ = _inside(type_, element)
    return keys


def _plain(type_: Any) -> Any:
    """A type without its name."""
    return getattr(type_, "__value__", type_)


def _members(type_: Any) -> tuple[Any, ...]:
    """The members of a union, marked or not, null left out; anything else is its own only member."""
    type_ = _plain(type_)
    if get_origin(type_) is Annotated:
        type_ = _plain(get_args(type_)[0])
    arguments = get_args(type_)
    if get_origin(type_) in (list, dict) or not arguments:
        return (type_,)
    return tuple(argument for argument in arguments if argument is not type(None))


def _marks(type_: Any) -> list[Any]:
    """The marks of an annotation, seen through optional ones."""
    type_ = _plain(type_)
    if get_origin(type_) is Annotated:
        inner, *marks = get_args(type_)
        return [*marks, *_marks(inner)]
    members = _members(type_)
    return _marks(members[0]) if len(members) == 1 and members[0] is not type_ else []


def _tagged(type_: Any) -> tuple[Tagged, Any] | None:
    mark = next((mark for mark in _marks(type_) if isinstance(mark, Tagged)), None)
    return None if mark is None else (mark, type_)


def _picked(tagged: tuple[Tagged, Any], tag: str) -> Any:
    mark, type_ = tagged
    step = mark.tags[tag]
    members = _union_members(type_)
    return members[step] if isinstance(step, int) and step < len(members) else None


def _union_members(type_: Any) -> tuple[Any, ...]:
    """The members that the indices of a union's mark speak of."""
    members = _members(type_)
    while len(members) == 1 and _plain(members[0]) is not members[0]:
        members = _members(members[0])
    if len(members) == 1 and get_origin(members[0]) is Annotated:
        return _union_members(members[0])
    return members


def _member(type_: Any, index: int) -> Any:
    members = _union_members(type_)
    mark = _tagged(type_)
    if mark is not None:
        # The choice between tagged and untagged members comes before that of one of them.
        return type_ if index == 0 else None
    return members[index] if index < len(members) else None


def _inside(type_: Any, key: str | int) -> Any:
    """The type of a field, an item or a value; None where nothing is known of it."""
    for member in _members(type_):
        if isinstance(member, type) and issubclass(member, Model):
            for name, field in member.__pydantic_fields__.items():
                if key in (field.validation_alias or wire_name(name), name):
                    return _annotated(field.annotation, field.metadata)
        elif get_origin(_plain(member)) in (list, dict):
            return get_args(_plain(member))[-1]
    return None


def _annotated(annotation: Any, metadata: list[Any]) -> Any:
    for mark in metadata:
        annotation = Annotated[annotation, mark]
    return annotation
