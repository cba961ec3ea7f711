"""Types in their simplest form."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TypeAlias

from wiregen.ir import AnyValue, Enumeration, Integer, Null, Number, Origin, Reference, String, Type, Union

Labels: TypeAlias = tuple[tuple[Origin, str | None], ...]


def without_null(type_: Type) -> tuple[Type, bool]:
    """A type with null taken out of it, and whether null was in it."""
    if not isinstance(type_, Union) or Null() not in type_.members:
        return type_, False
    rest = [member for member in type_.members if member != Null()]
    return joined(rest, exclusive=type_.exclusive, labels=type_.labels), True


def joined(types: Iterable[Type], *, exclusive: bool = False, labels: Labels = ()) -> Type:
    """A union in its simplest form: unions inside it dissolved, constants joined, what is covered left out."""
    found: dict[Type, None] = {}
    inner: list[Labels] = []
    for type_ in types:
        if isinstance(type_, Union) and type_.exclusive == exclusive:
            found |= dict.fromkeys(type_.members)
            inner.append(type_.labels)
        else:
            found[type_] = None
    labels = (*labels, *chain.from_iterable(inner))
    members: list[Type] = [*found]
    if AnyValue() in members and not exclusive:
        # Any value covers the rest, but a class among them still says what a value of its own is.
        members = [m for m in members if isinstance(m, (Reference, AnyValue))]
    members = _joined_enumerations(members, exclusive=exclusive)
    if Number() in members and not exclusive:
        members = [m for m in members if not isinstance(m, Integer)]
    return members[0] if len(members) == 1 else Union(tuple(members), exclusive=exclusive, labels=labels)


def _joined_enumerations(members: list[Type], *, exclusive: bool) -> list[Type]:
    """Members with the constants of one kind put together; with a plain string or integer they are an open one.

    In an exclusive union only constants that no other member has are put together.
    """
    for kind, plain in ((str, String()), (int, Integer())):
        constants = [m for m in members if isinstance(m, Enumeration) and all(type(v) is kind for v in m.values)]
        is_open = plain in members or any(m.open for m in constants)
        values = [value for m in constants for value in m.values]
        overlap = is_open or len(set(values)) < len(values)
        if not constants or (len(constants) == 1 and not is_open) or (exclusive and overlap):
            continue
        texts = tuple(text for m in constants for text in m.descriptions)
        whole = Enumeration(tuple(dict.fromkeys(values)), is_open, texts)
        at = members.index(constants[0])
        joining = {*constants, plain}
        others = [m for m in members if m not in joining]
        members = [*others[:at], whole, *others[at:]]
    return members
