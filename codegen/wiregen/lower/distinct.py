"""Members of a union that have several names and are one type: Python keeps only one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from wiregen.ir import Alias, Array, Declaration, Enumeration, Integer, Map, Reference, String, Type, Union


def distinct(union: Union, declarations: Mapping[str, Declaration]) -> Type:
    """A union without the members that are the same type as an earlier one."""
    found: dict[Type, Type] = {}
    for member in union.members:
        found.setdefault(_without_names(member, declarations), member)
    members = tuple(found.values())
    return members[0] if len(members) == 1 else replace(union, members=members)


def _without_names(type_: Type, declarations: Mapping[str, Declaration], seen: frozenset[str] = frozenset()) -> Type:
    """What Python takes a type for: an alias for what it stands for, if that is no union, and an open enumeration for
    its kind."""
    match type_:
        case Reference(name) if name not in seen:
            declaration = declarations[name]
            if isinstance(declaration, Alias) and not isinstance(declaration.type, Union):
                return _without_names(declaration.type, declarations, seen | {name})
            return type_
        case Array(item):
            return replace(type_, item=_without_names(item, declarations, seen))
        case Map(value):
            return replace(type_, value=_without_names(value, declarations, seen))
        case Enumeration(values, is_open):
            if is_open:
                return Integer() if isinstance(values[0], int) else String()
            return Enumeration(tuple(sorted(values)))
        case _:
            return type_


def unions_in(declaration: Declaration) -> Iterator[Union]:
    """Every union in a declaration, each before those inside it."""
    if isinstance(declaration, Alias):
        yield from _unions(declaration.type)
        return
    for field in declaration.fields:
        yield from _unions(field.type)
        if field.bad_unless is not None:
            yield from _unions(field.bad_unless)
    yield from _unions(declaration.extra)


def _unions(type_: Type) -> Iterator[Union]:
    match type_:
        case Union(members):
            yield type_
            for member in members:
                yield from _unions(member)
        case Array(item):
            yield from _unions(item)
        case Map(value):
            yield from _unions(value)
        case _:
            return
