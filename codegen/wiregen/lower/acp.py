"""The Agent Client Protocol's dialect: what schemars writes, with the project's `x-` keys."""

from __future__ import annotations

from collections.abc import Mapping

from wiregen.document import Document
from wiregen.errors import Diagnostic, InvalidInput, limited
from wiregen.ir import Method, Reference
from wiregen.json_text import pointer
from wiregen.lower.lowered import Lowered
from wiregen.lower.reading import Schema
from wiregen.lower.schema import Lowering
from wiregen.lower.unions import decide_all

# Who sends what the named side receives; what proxies receive is no method of ours.
_SENDERS: Mapping[str, tuple[str, ...]] = {
    "agent": ("client",),
    "client": ("agent",),
    "protocol": ("client", "agent"),
    "proxy": (),
}
_KINDS = ("Request", "Response", "Notification")
_WHOLE = ({"Request", "Response"}, {"Notification"})


def lower(document: Document, _version: str) -> Lowered:
    """Declarations and methods of an ACP schema."""
    declarations = Lowering(document, _leniency).run()
    return Lowered(decide_all(declarations), _methods(document))


def protocol_version(version: str) -> int:
    """What `protocolVersion` says on the wire: `v2-unstable` speaks 2."""
    return int(version.removeprefix("v").partition("-")[0])


def _leniency(schema: Schema) -> Mapping[str, bool]:
    return {
        "on_error": schema.get("x-deserialize-default-on-error") is True,
        "on_null": schema.get("x-deserialize-default-on-null") is True,
        "skip_invalid": schema.get("x-deserialize-skip-invalid-items") is True,
    }


def _methods(document: Document) -> tuple[Method, ...]:
    found, findings = _parts(document)
    methods: list[Method] = []
    for (method, side), parts in found.items():
        if _SENDERS[side] and parts.keys() not in _WHOLE:
            message = f"{method!r} has {', '.join(parts.values())} on this side: it is a request or a notification"
            findings.append(_bad_method(document, next(iter(parts.values())), message))
        references = {kind: Reference(name) for kind, name in parts.items()}
        for sender in _SENDERS[side]:
            if "Request" in references:
                methods.append(Method(method, "request", sender, references["Request"], references.get("Response")))
            else:
                methods.append(Method(method, "notification", sender, references.get("Notification"), None))
    if findings:
        raise InvalidInput(limited(findings))
    return tuple(methods)


def _parts(document: Document) -> tuple[dict[tuple[str, str], dict[str, str]], list[Diagnostic]]:
    """The definitions of each method that a side receives, by what they are; and those that are of no method."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    findings: list[Diagnostic] = []
    for name, schema in document.definitions.items():
        method, side = schema.get("x-method"), schema.get("x-side")
        if method is None and side is None:
            continue
        kind = next((kind for kind in _KINDS if name.endswith(kind)), None)
        if not isinstance(method, str) or not isinstance(side, str) or side not in _SENDERS:
            message = f"x-method has to be a string, and x-side one of {', '.join(_SENDERS)}"
        elif kind is None:
            message = f"the name of a definition with x-method ends with one of {', '.join(_KINDS)}"
        elif kind in (parts := found.setdefault((method, side), {})):
            message = f"{parts[kind]} is the {kind.lower()} of {method!r} on this side already"
        else:
            parts[kind] = name
            continue
        findings.append(_bad_method(document, name, message))
    return found, findings


def _bad_method(document: Document, name: str, message: str) -> Diagnostic:
    hint = "a request has a response and a notification has none, each with the same x-method and x-side"
    return Diagnostic("bad-method", message, document.file, pointer([document.definitions_key, name]), hint=hint)
