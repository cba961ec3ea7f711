"""Which texts a protocol version needs, and how they come into it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from wiregen.docs import Docs, Slot
from wiregen.ir import (
    Alias,
    Array,
    Declaration,
    Enumeration,
    Field,
    Map,
    Method,
    ObjectType,
    Origin,
    Protocol,
    Type,
    Union,
)

Need: TypeAlias = tuple[Slot, ...]
"""Slots of which one has to have a text; the first that has one counts."""


def attach(protocol: Protocol, docs: Docs) -> Protocol:
    """The protocol version with our texts; where we have none, what the schema itself says stays."""
    writer = _Writer(docs, protocol.version)
    return replace(
        protocol,
        declarations={name: writer.declaration(d) for name, d in protocol.declarations.items()},
        methods=tuple(map(writer.method, protocol.methods)),
        embedded=tuple(map(writer.method, protocol.embedded)),
        page=docs.pages.get(protocol.version),
    )


# --- needs -----------------------------------------------------------------------------------------------------------


def needs(protocol: Protocol) -> Iterator[Need]:
    """Every text that a protocol version needs; some are needed in several places."""
    for declaration in protocol.declarations.values():
        if declaration.origin is not None:
            yield from _meaning(declaration.origin)
        if isinstance(declaration, Alias):
            yield from _inside(declaration.type, declaration.origin)
        else:
            for field in declaration.fields:
                yield from _field(field, declaration.origin)
                yield from _inside(field.type, field.origin)
    for name in _method_names(protocol):
        yield (Slot(name, "doc"),)
        yield (Slot(name, "page"),)


def _meaning(origin: Origin) -> Iterator[Need]:
    """What says what a declaration is: its own text, then those of the definitions that it merges."""
    yield (_slot(origin),)
    for name in origin.merged:
        yield (Slot(name, "doc"),)


def _field(field: Field, owner: Origin | None) -> Iterator[Need]:
    """What says what a field means: what its class says of it, else what is said where it is declared."""
    found: list[Slot] = []
    if owner is not None and owner.member is None:
        found.append(_slot(Origin(owner.definition, (*owner.path, field.wire))))
    if field.origin is not None:
        found.append(_slot(field.origin))
    if found:
        yield tuple(dict.fromkeys(found))


def _inside(type_: Type, origin: Origin | None) -> Iterator[Need]:
    """What is said of the values of enumerations and of the members of unions in a type; a constant needs nothing."""
    match type_:
        case Enumeration(values, is_open) if origin is not None and (is_open or len(values) > 1):
            yield from ((_value(origin, value),) for value in values)
        case Array(item):
            yield from _inside(item, origin)
        case Map(value):
            yield from _inside(value, origin)
        case Union(members):
            yield from ((_slot(label),) for label, _ in type_.labels)
            for member in members:
                yield from _inside(member, origin)
        case _:
            return


def _slot(origin: Origin) -> Slot:
    if origin.member is not None:
        return Slot(origin.definition, "members", origin.member)
    if origin.path:
        return Slot(origin.definition, "fields", ".".join(origin.path))
    return Slot(origin.definition, "doc")


def _value(origin: Origin, value: str | int | bool) -> Slot:
    return Slot(origin.definition, "values", ".".join((*origin.path, str(value))))


def _method_names(protocol: Protocol) -> dict[str, None]:
    """Names of the methods and of what else is a message, such as a request inside a result."""
    found = dict.fromkeys(method.name for method in protocol.methods)
    for declaration in protocol.declarations.values():
        for field in declaration.fields if isinstance(declaration, ObjectType) else ():
            match field:
                case Field(wire="method", type=Enumeration((str(value),), open=False)):
                    found[value] = None
                case _:
                    continue
    return found


# --- texts -----------------------------------------------------------------------------------------------------------


class _Writer:
    """Fills in the texts of one version."""

    def __init__(self, docs: Docs, version: str) -> None:
        self.docs = docs
        self.version = version

    def declaration(self, declaration: Declaration) -> Declaration:
        origin = declaration.origin
        if isinstance(declaration, Alias):
            declaration = replace(declaration, type=self._type(declaration.type, origin))
        else:
            fields = (self._field(field, origin) for field in declaration.fields)
            declaration = replace(declaration, fields=tuple(fields))
        if origin is None:
            return declaration
        definitions = (origin.definition, *origin.merged)
        return replace(
            declaration,
            description=self._texts(_meaning(origin)) or declaration.description,
            deprecated=next(filter(None, map(self._deprecated, definitions)), None),
            page=next(filter(None, map(self._page, definitions)), None),
        )

    def method(self, method: Method) -> Method:
        name = method.name
        description = self._text(Slot(name, "doc"))
        return replace(method, description=description, deprecated=self._deprecated(name), page=self._page(name))

    def _field(self, field: Field, owner: Origin | None) -> Field:
        description = self._texts(_field(field, owner)) or field.description
        return replace(field, type=self._type(field.type, field.origin), description=description)

    def _type(self, type_: Type, origin: Origin | None) -> Type:
        """A type with the texts on the values of enumerations and the members of unions in it."""
        match type_:
            case Enumeration(values) if origin is not None:
                told = dict(type_.descriptions)
                texts = [(value, self._text(_value(origin, value)) or told.get(value)) for value in values]
                return replace(type_, descriptions=tuple((value, text) for value, text in texts if text))
            case Array(item):
                return replace(type_, item=self._type(item, origin))
            case Map(value):
                return replace(type_, value=self._type(value, origin))
            case Union(members):
                labels = tuple((label, self._text(_slot(label)) or told) for label, told in type_.labels)
                return replace(type_, members=tuple(self._type(m, origin) for m in members), labels=labels)
            case _:
                return type_

    def _texts(self, needs: Iterator[Need]) -> str | None:
        """A paragraph for each need that there is a text for."""
        texts = [self._text(*need) for need in needs]
        return "\n\n".join(dict.fromkeys(text for text in texts if text)) or None

    def _text(self, *slots: Slot) -> str | None:
        return self.docs.text(self.version, *slots)

    def _deprecated(self, entry: str) -> str | None:
        return self._text(Slot(entry, "deprecated"))

    def _page(self, entry: str) -> str | None:
        return self.docs.page(entry, self.version)
