"""The Agent Client Protocol's dialect: what schemars writes, with the project's `x-` keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wiregen.ir import Declaration, Method, Reference
from wiregen.load import Document
from wiregen.lower.schema import Lowering, Schema
from wiregen.lower.unions import decide_all

# Who sends what the named side receives.
_SENDERS = {"agent": ("client",), "client": ("agent",), "protocol": ("client", "agent")}
_KINDS = ("Request", "Response", "Notification")


def lower(document: Document) -> tuple[dict[str, Declaration], tuple[Method, ...]]:
    """Declarations and methods of an ACP schema."""
    declarations = Lowering(document, _leniency).run()
    return decide_all(declarations, lambda union, unions: None), _methods(document)


def protocol_version(version: str) -> int:
    """What `protocolVersion` says on the wire: `v2-unstable` speaks 2."""
    return int(version.removeprefix("v").partition("-")[0])


def _leniency(schema: Schema) -> Mapping[str, bool]:
    return {
        "on_error": schema.get("x-deserialize-default-on-error") is True,
        "on_null": schema.get("x-deserialize-default-on-null") is True,
        "skip_invalid": schema.get("x-deserialize-skip-invalid-items") is True,
    }


@dataclass(slots=True)
class _Parts:
    """The definitions of one method that one side receives, by what they are."""

    Request: Reference | None = None
    Response: Reference | None = None
    Notification: Reference | None = None


def _methods(document: Document) -> tuple[Method, ...]:
    found: dict[tuple[str, str], _Parts] = {}
    for name, schema in document.definitions.items():
        method: Any = schema.get("x-method")
        side: Any = schema.get("x-side")
        kind = next((kind for kind in _KINDS if name.endswith(kind)), None)
        if isinstance(method, str) and side in _SENDERS and kind is not None:
            setattr(found.setdefault((method, side), _Parts()), kind, Reference(name))
    methods = []
    for (method, side), parts in found.items():
        for sender in _SENDERS[side]:
            if parts.Request is not None:
                methods.append(Method(method, "request", sender, parts.Request, parts.Response))
            elif parts.Notification is not None:
                methods.append(Method(method, "notification", sender, parts.Notification, None))
    return tuple(methods)
