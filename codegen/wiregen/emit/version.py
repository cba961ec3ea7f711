"""The package of one version: its names, `TYPES`, `METHODS` and, with the part for messages, `decode_message`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from wiregen.emit import envelope
from wiregen.emit.annotations import Annotations, Imports, places
from wiregen.emit.envelope import Envelope
from wiregen.ir import AnyValue, Protocol, Type
from wiregen.literals import literal
from wiregen.render import render

_USED = ("Any", "Final", "Mapping", "Method", "str", "tuple")
_USED_FOR_MESSAGES = ("Envelope", "Literal", "Message", "MessageDecoders", "Results", "object")
_USED_LAZILY = ("TYPE_CHECKING", "lazy_attributes")


@dataclass(frozen=True, slots=True)
class PrintedMethod:
    """One method as the template prints it; `params` and `result` are source text."""

    name: str
    kind: str
    sender: str
    params: str
    result: str


def emit(
    protocol: Protocol, title: str, *, messages: bool = True, lazy: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> str:
    """Source of the version's package module.

    `title` is what to call the version, `messages` tells whether it reads messages, `lazy` are the names that
    submodules have and that are loaded when first used.
    """
    names = frozenset(protocol.declarations)
    imports = Imports(names)
    annotations = Annotations(imports, names)
    methods = [
        PrintedMethod(
            method.name,
            method.kind,
            method.sender,
            "None" if method.params is None else annotations.type(method.params),
            "None" if method.result is None else annotations.type(method.result),
        )
        for method in protocol.methods
    ]
    found = envelope.find(protocol)
    batch = messages and found.batch
    needed = (
        *_USED,
        *(_USED_FOR_MESSAGES if messages else ()),
        *(("list",) if batch else ()),
        *(_USED_LAZILY if lazy else ()),
    )
    used = {name: imports.need(name) for name in needed}
    return render(
        "version.py.jinja2",
        protocol=protocol,
        title=title,
        methods=methods,
        senders=tuple(sorted({method.sender for method in protocol.methods})),
        envelope=_envelope(found, annotations) if messages else (),
        batch=batch,
        lazy=lazy,
        imports=imports.sorted(),
        places=places(depth=3),
        used=used,
    )


def _envelope(found: Envelope, annotations: Annotations) -> list[tuple[str, str]]:
    """The rules of a version's messages as arguments: names and source text."""
    printed = [("ids", literal(found.ids)), ("error_ids", literal(found.error_ids))]
    for name in ("request_params", "notification_params", "result"):
        type_: Type = getattr(found, name)
        printed.append((name, annotations.need("Any") if type_ == AnyValue() else annotations.type(type_)))
    if found.needs_params:
        printed.append(("needs_params", literal(found.needs_params)))
    if found.batch:
        printed.append(("batch", literal(found.batch)))
    return printed
