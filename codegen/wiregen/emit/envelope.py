"""What a version allows around params and results: its ids, batches, and what it has no type for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wiregen.ir import (
    Alias,
    AnyValue,
    Array,
    Enumeration,
    Field,
    Integer,
    Null,
    Number,
    ObjectType,
    Protocol,
    Reference,
    String,
    Type,
    Union,
)

# The definition of everything that is sent, or those of what one side sends, after the side's name.
_ALL = "JSONRPCMessage"
_PARTS = ("Request", "Response", "Notification")


@dataclass(frozen=True, slots=True)
class Envelope:
    """The rules of a version's messages; those of JSON-RPC where its schema does not define a message.

    `ids` and `error_ids` are kinds of JSON value, and "absent". `request_params`, `notification_params` and `result`
    are the types of these in messages whose method is not known. `needs_params` are the methods whose params may not
    be left out although none of their fields is required.
    """

    ids: tuple[str, ...]
    error_ids: tuple[str, ...]
    request_params: Type
    notification_params: Type
    result: Type
    needs_params: tuple[str, ...]
    batch: bool


def find(protocol: Protocol) -> Envelope:
    """The envelope of a version."""
    parts = list(_parts(protocol))
    messages = [_fields(part) for part in parts if isinstance(part, ObjectType)]
    requests = [fields for fields in messages if {"method", "id"} <= fields.keys()]
    notifications = [fields for fields in messages if "method" in fields and "id" not in fields]
    results = [fields for fields in messages if "result" in fields]
    errors = [fields for fields in messages if "error" in fields]
    return Envelope(
        ids=_id_kinds(requests, protocol) or ("integer", "string"),
        error_ids=_id_kinds(errors, protocol) or ("integer", "null", "string"),
        request_params=_type(requests, "params", protocol),
        notification_params=_type(notifications, "params", protocol),
        result=_type(results, "result", protocol),
        needs_params=tuple(_needs_params(protocol)),
        batch=any(isinstance(part, Array) for part in parts),
    )


def _type(messages: Sequence[dict[str, Field]], wire: str, protocol: Protocol) -> Type:
    """The type of a field of the first message, simply any value where that is one of its members."""
    field = messages[0].get(wire) if messages else None
    if field is None or _takes_all(field.type, protocol):
        return AnyValue()
    return Union((field.type, Null()), rest=(0, 1)) if field.nullable else field.type


def _takes_all(type_: Type, protocol: Protocol) -> bool:
    match _target(type_, protocol):
        case AnyValue():
            return True
        case Union(members):
            return any(_takes_all(member, protocol) for member in members)
        case _:
            return False


def _id_kinds(messages: Sequence[dict[str, Field]], protocol: Protocol) -> tuple[str, ...]:
    """What the id of the first message may be; nothing where there is none."""
    field = messages[0].get("id") if messages else None
    if field is None:
        return ()
    kinds = set(_kinds(field.type, protocol))
    if field.nullable:
        kinds.add("null")
    if not field.required:
        kinds.add("absent")
    return tuple(sorted(kinds))


def _parts(protocol: Protocol) -> Iterator[Type | ObjectType]:
    """What messages consist of, unions taken apart."""
    senders = sorted({method.sender for method in protocol.methods})
    sent = [f"{sender.capitalize()}{part}" for sender in senders for part in _PARTS]
    names = [_ALL] if _ALL in protocol.declarations else [name for name in sent if name in protocol.declarations]
    waiting: list[Type] = [Reference(name) for name in reversed(names)]
    while waiting:
        target = _target(waiting.pop(), protocol)
        if isinstance(target, Union):
            waiting += reversed(target.members)
        else:
            yield target


def _target(type_: Type, protocol: Protocol) -> Type | ObjectType:
    """What a type is when every name is followed."""
    seen: set[str] = set()
    while isinstance(type_, Reference) and type_.name not in seen:
        seen.add(type_.name)
        declaration = protocol.declarations[type_.name]
        if not isinstance(declaration, Alias):
            return declaration
        type_ = declaration.type
    return type_


def _fields(object_type: ObjectType) -> dict[str, Field]:
    return {field.wire: field for field in object_type.fields}


def _kinds(type_: Type, protocol: Protocol) -> Iterator[str]:
    match _target(type_, protocol):
        case String():
            yield "string"
        case Integer() | Number():
            yield "integer"
        case Null():
            yield "null"
        case AnyValue():
            yield from ("integer", "null", "string")
        case Union(members):
            for member in members:
                yield from _kinds(member, protocol)
        case _:
            return


def _needs_params(protocol: Protocol) -> Iterator[str]:
    optional = {method.name for method in protocol.methods if method.params and _empties(method.params, protocol)}
    for name in protocol.definitions:
        declaration = protocol.declarations[name]
        fields = _fields(declaration) if isinstance(declaration, ObjectType) else {}
        if "method" in fields and "params" in fields and fields["params"].required:
            method = fields["method"].type
            if isinstance(method, Enumeration) and method.values[0] in optional:
                yield str(method.values[0])


def _empties(type_: Type, protocol: Protocol) -> bool:
    """Whether an object without fields may be of a type."""
    match _target(type_, protocol):
        case ObjectType(fields=fields):
            return not any(field.required for field in fields)
        case Union(members):
            return any(_empties(member, protocol) for member in members)
        case _:
            return True
