"""Merging what several schemas say of one object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from wiregen.ir import AnyValue, Array, Enumeration, Field, Integer, Null, Number, Reference, String, Type, Union
from wiregen.lower.simplify import joined, without_null


class Conflict(ValueError):
    """Two types that cannot be merged; the message names them."""


def merge_fields(first: Mapping[str, Field], second: Mapping[str, Field]) -> dict[str, Field]:
    """All fields of both; one that both declare has to satisfy both."""
    merged = dict(first)
    for wire, other in second.items():
        field = merged.get(wire)
        merged[wire] = other if field is None else _merge_field(field, other)
    return merged


def merge_extras(first: Type, fields: Mapping[str, Field], second: Type, others: Mapping[str, Field]) -> Type:
    """The type of what two objects do not declare; that of one says nothing of the fields of the other."""
    for type_, own, other in ((first, fields, others), (second, others, fields)):
        if type_ != AnyValue() and (foreign := sorted(other.keys() - own.keys())):
            raise Conflict(f"additionalProperties speaks of {foreign[0]!r} too, which another schema declares")
    return intersect(first, second)


def _merge_field(first: Field, second: Field) -> Field:
    try:
        type_, nullable = without_null(intersect(_with_null(first), _with_null(second)))
    except Conflict as conflict:
        raise Conflict(f"property {first.wire!r}: {conflict}") from None
    required = first.required or second.required
    # Where a required field counts as absent, that is an error of its own: nothing is left of the mark.
    can_be_absent = not required or isinstance(type_, Array)
    marked = [f for f in (first, second) if f.on_error and can_be_absent]
    wider = [_with_null(f) for f in marked if (f.type, f.nullable) != (type_, nullable)]
    return replace(
        first,
        type=type_,
        required=required,
        nullable=nullable,
        default=first.default if first.has_default else second.default,
        has_default=first.has_default or second.has_default,
        on_error=bool(marked),
        on_null=(first.on_null or second.on_null) and can_be_absent,
        bad_unless=wider[0] if wider else None,
        description=first.description or second.description,
    )


def _with_null(field: Field) -> Type:
    return joined([field.type, Null()]) if field.nullable else field.type


def intersect(first: Type, second: Type) -> Type:
    """The type of the values that are of both types; raises `Conflict` where that is not one of ours."""
    if first == second or isinstance(second, AnyValue):
        return first
    if isinstance(first, AnyValue):
        return second
    if isinstance(first, Union) or isinstance(second, Union):
        return _intersect_members(first, second)
    for one, other in ((first, second), (second, first)):
        if isinstance(one, Enumeration) and _allows(other, one):
            return one
        if isinstance(one, String) and other == String():
            return one
        if isinstance(one, Integer) and other in (Number(), Integer()):
            return one
    raise Conflict(f"{_text(first)} and {_text(second)} cannot be merged")


def _intersect_members(first: Type, second: Type) -> Type:
    """What the members of two unions have in common; those that nothing can be both of fall away."""
    common: list[Type] = []
    for one in first.members if isinstance(first, Union) else (first,):
        for other in second.members if isinstance(second, Union) else (second,):
            try:
                common.append(intersect(one, other))
            except Conflict:
                continue
    if not common:
        raise Conflict(f"{_text(first)} and {_text(second)} have nothing in common")
    return joined(common)


def _allows(type_: Type, constants: Enumeration) -> bool:
    match type_:
        case String(None, None, ()):
            return all(isinstance(value, str) for value in constants.values)
        case Integer(None, None) | Number(None, None):
            return all(type(value) is int for value in constants.values)
        case Enumeration(values, is_open):
            return set(constants.values) <= set(values) or (is_open and not constants.open)
        case _:
            return False


def _text(type_: Type) -> str:
    return type_.name if isinstance(type_, Reference) else type(type_).__name__
