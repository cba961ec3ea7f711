"""JSON Schema to the IR: what is common, and one dialect for each protocol."""

from __future__ import annotations

from dataclasses import replace

from wiregen.document import Document
from wiregen.errors import Diagnostic, InvalidInput, limited
from wiregen.ir import Alias, Declaration, Enumeration, Field, Protocol, Reference, Type
from wiregen.lower import acp, mcp, method_names
from wiregen.lower.shapes import spelt_out, unsupported

_DIALECTS = {"acp": acp, "mcp": mcp}


def lower(document: Document, protocol: str, version: str) -> Protocol:
    """The protocol version that a checked document describes; raises `InvalidInput` for what cannot be expressed."""
    dialect = _DIALECTS[protocol]
    document = spelt_out(document)
    if findings := limited(unsupported(document)):
        raise InvalidInput(findings)
    declarations, methods, embedded = dialect.lower(document, version)
    if not methods:
        message = f"the schema declares no method of {protocol}"
        hint = "is it a schema of this protocol? name the right one before the @"
        raise InvalidInput([Diagnostic("no-methods", message, document.file, "", hint=hint)])
    if findings := limited(method_names.findings(document, (*methods, *embedded))):
        raise InvalidInput(findings)
    return Protocol(
        protocol,
        version,
        dialect.protocol_version(version),
        tuple(document.definitions),
        {name: _with_constants(declaration, declarations) for name, declaration in declarations.items()},
        methods,
        embedded,
    )


def _with_constants(declaration: Declaration, declarations: dict[str, Declaration]) -> Declaration:
    """Required fields that can have one value only get it from the constructor."""
    if isinstance(declaration, Alias):
        return declaration

    def with_constant(field: Field) -> Field:
        value = _constant(field.type, declarations)
        fill = field.required and not field.nullable and field.initial is None and value is not None
        return replace(field, initial=value) if fill else field

    return replace(declaration, fields=tuple(map(with_constant, declaration.fields)))


def _constant(type_: Type, declarations: dict[str, Declaration]) -> str | int | bool | None:
    match type_:
        case Enumeration((value,), open=False):
            return value
        case Reference(name):
            target = declarations[name]
            return _constant(target.type, declarations) if isinstance(target, Alias) else None
        case _:
            return None
