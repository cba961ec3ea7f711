"""What declarations refer to: the order in which they can be defined, and which of them lead back to themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from wiregen.ir import (
    Alias,
    AnyValue,
    Array,
    Boolean,
    Declaration,
    Map,
    Null,
    Number,
    ObjectType,
    Reference,
    String,
    Type,
    Union,
    references,
)


class Graph:
    """What the declarations of a version refer to."""

    def __init__(self, declarations: Mapping[str, Declaration]) -> None:
        self._declarations = declarations
        self._references = {name: _references(declaration) for name, declaration in declarations.items()}

    def in_order(self) -> list[Declaration]:
        """Declarations so that references point backwards, but for those that close a cycle."""
        ordered: list[Declaration] = []
        seen: set[str] = set()
        for start in self._declarations:
            stack: list[tuple[str, Iterator[str]]] = []
            if start not in seen:
                seen.add(start)
                stack.append((start, self._needed(start)))
            while stack:
                name, remaining = stack[-1]
                following = next((other for other in remaining if other not in seen), None)
                if following is None:
                    stack.pop()
                    ordered.append(self._declarations[name])
                else:
                    seen.add(following)
                    stack.append((following, self._needed(following)))
        return ordered

    def _needed(self, name: str) -> Iterator[str]:
        """What has to be defined before a declaration: nothing where it stands for any JSON."""
        return iter(() if self.is_any_json(name) else self._references[name])

    def is_any_json(self, name: str) -> bool:
        """Whether a recursive alias takes every JSON value, its parts included."""
        return name in self._any_json

    def is_recursive(self, name: str) -> bool:
        """Whether a declaration refers to itself, be it through others; any JSON is one value and no way back."""
        return name not in self._any_json and self._is_in_cycle(name, self._any_json)

    def is_recursive_alias(self, name: str) -> bool:
        """Whether an alias refers to itself without a class in between."""
        return name not in self._classes and self._is_in_cycle(name, self._classes)

    @cached_property
    def _any_json(self) -> frozenset[str]:
        unions = (d.name for d in self._declarations.values() if isinstance(d, Alias) and isinstance(d.type, Union))
        whole = (name for name in unions if _takes_all(Reference(name), self._declarations, frozenset()))
        return frozenset(name for name in whole if self._is_in_cycle(name, frozenset()))

    @cached_property
    def _classes(self) -> frozenset[str]:
        return frozenset(d.name for d in self._declarations.values() if not isinstance(d, Alias))

    def _is_in_cycle(self, name: str, ends: frozenset[str]) -> bool:
        """Whether a way leads from a declaration back to it that does not go through any of `ends`."""
        seen: set[str] = set()
        waiting = [*self._references[name]]
        while waiting:
            other = waiting.pop()
            if other == name:
                return True
            if other not in seen and other not in ends:
                seen.add(other)
                waiting += self._references[other]
        return False


def _references(declaration: Declaration) -> list[str]:
    """Names of the declarations that one refers to."""
    if isinstance(declaration, Alias):
        return list(references(declaration.type))
    types = [*(f.type for f in declaration.fields), declaration.extra]
    return [name for type_ in types for name in references(type_)]


def _takes_all(type_: Type, declarations: Mapping[str, Declaration], assumed: frozenset[str]) -> bool:
    match type_:
        case AnyValue():
            return True
        case Reference(name) if name in assumed:
            return True
        case Reference(name):
            declaration = declarations[name]
            if isinstance(declaration, ObjectType):
                return False
            return _takes_all(declaration.type, declarations, assumed | {name})
        case Union(members):
            kinds = [k for member in members for k in _whole_kinds(member, declarations, assumed)]
            return {Boolean, String, Number, Null, Array, Map} <= set(kinds)
        case _:
            return False


def _whole_kinds(type_: Type, declarations: Mapping[str, Declaration], assumed: frozenset[str]) -> Iterator[type[Type]]:
    """The kinds of JSON value of which a type takes every one."""
    match type_:
        case Reference(name) if name not in assumed:
            declaration = declarations[name]
            if isinstance(declaration, Alias):
                yield from _whole_kinds(declaration.type, declarations, assumed | {name})
        case Array(item, None, None) if _takes_all(item, declarations, assumed):
            yield Array
        case Map(value) if _takes_all(value, declarations, assumed):
            yield Map
        case Boolean() | Null():
            yield type(type_)
        case String(None, None, ()) | Number(None, None):
            yield type(type_)
        case Union(members):
            for member in members:
                yield from _whole_kinds(member, declarations, assumed)
        case _:
            return
