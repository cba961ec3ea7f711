"""What a version allows around params and results: its ids, batches, and what it has no type for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wiregen.ir import (
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

_KINDS: Mapping[type[object], tuple[str, ...]] = {
    AnyValue: ("integer", "null", "string"),
    Integer: ("integer",),
    Null: ("null",),
    Number: ("integer",),
    String: ("string",),
}


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
    parts = list(_leaves(_sent(protocol), protocol))
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


def _sent(protocol: Protocol) -> list[Type]:
    """What messages are, by name."""
    senders = sorted({method.sender for method in protocol.methods})
    names = [f"{sender.capitalize()}{part}" for sender in senders for part in _PARTS]
    if _ALL in protocol.declarations:
        names = [_ALL]
    return [Reference(name) for name in names if name in protocol.declarations]


def _leaves(types: Sequence[Type], protocol: Protocol) -> Iterator[Type | ObjectType]:
    """What types come down to when names are followed and unions are taken apart."""
    waiting = list(reversed(types))
    seen: set[str] = set()
    while waiting:
        match waiting.pop():
            case Union(members):
                waiting += reversed(members)
            case Reference(name):
                declaration = protocol.declarations[name]
                if isinstance(declaration, ObjectType):
                    yield declaration
                elif name not in seen:
                    seen.add(name)
                    waiting.append(declaration.type)
            case type_:
                yield type_


def _fields(object_type: ObjectType) -> dict[str, Field]:
    return {field.wire: field for field in object_type.fields}


def _type(messages: Sequence[dict[str, Field]], wire: str, protocol: Protocol) -> Type:
    """The type of a field of the first message, simply any value where that is one of its members."""
    field = messages[0].get(wire) if messages else None
    if field is None or AnyValue() in _leaves([field.type], protocol):
        return AnyValue()
    return Union((field.type, Null()), rest=(0, 1)) if field.nullable else field.type


def _id_kinds(messages: Sequence[dict[str, Field]], protocol: Protocol) -> tuple[str, ...]:
    """What the id of the first message may be; nothing where there is none."""
    field = messages[0].get("id") if messages else None
    if field is None:
        return ()
    kinds = {kind for leaf in _leaves([field.type], protocol) for kind in _KINDS.get(type(leaf), ())}
    if field.nullable:
        kinds.add("null")
    if not field.required:
        kinds.add("absent")
    return tuple(sorted(kinds))


def _needs_params(protocol: Protocol) -> Iterator[str]:
    optional = {
        method.name
        for method in protocol.methods
        if method.params is not None and any(map(_takes_nothing, _leaves([method.params], protocol)))
    }
    for name in protocol.definitions:
        declaration = protocol.declarations[name]
        fields = _fields(declaration) if isinstance(declaration, ObjectType) else {}
        if "method" in fields and "params" in fields and fields["params"].required:
            method = fields["method"].type
            if isinstance(method, Enumeration) and method.values[0] in optional:
                yield str(method.values[0])


def _takes_nothing(leaf: Type | ObjectType) -> bool:
    """Whether an object without fields is of a type."""
    return not isinstance(leaf, ObjectType) or not any(field.required for field in leaf.fields)
