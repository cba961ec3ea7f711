"""The order in which declarations can be defined, each after what it refers to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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


def in_order(declarations: Mapping[str, Declaration]) -> list[Declaration]:
    """Declarations so that references point backwards, but for those that close a cycle."""
    ordered: list[Declaration] = []
    state: dict[str, bool] = {}
    for start in declarations:
        stack: list[tuple[str, Iterator[str]]] = []
        if start not in state:
            state[start] = False
            stack.append((start, _needed(start, declarations)))
        while stack:
            name, remaining = stack[-1]
            following = next((other for other in remaining if other not in state), None)
            if following is None:
                stack.pop()
                state[name] = True
                ordered.append(declarations[name])
            else:
                state[following] = False
                stack.append((following, _needed(following, declarations)))
    return ordered


def _needed(name: str, declarations: Mapping[str, Declaration]) -> Iterator[str]:
    """What has to be defined before a declaration: nothing where it stands for any JSON."""
    return iter(() if is_any_json(name, declarations) else _references(declarations[name]))


def _references(declaration: Declaration) -> list[str]:
    """Names of the declarations that one refers to."""
    if isinstance(declaration, Alias):
        return list(references(declaration.type))
    types = [*(f.type for f in declaration.fields), declaration.extra]
    return [name for type_ in types for name in references(type_)]


def is_any_json(name: str, declarations: Mapping[str, Declaration]) -> bool:
    """Whether a recursive alias takes every JSON value, its parts included."""
    declaration = declarations[name]
    if not (isinstance(declaration, Alias) and isinstance(declaration.type, Union)):
        return False
    return _reaches(name, name, declarations) and _takes_all(Reference(name), declarations, frozenset())


def is_recursive(name: str, declarations: Mapping[str, Declaration]) -> bool:
    """Whether a declaration refers to itself, be it through others; any JSON is one value and no way back."""
    ends = frozenset(other for other in declarations if is_any_json(other, declarations))
    return name not in ends and _reaches(name, name, declarations, ends)


def is_recursive_alias(name: str, declarations: Mapping[str, Declaration]) -> bool:
    """Whether an alias refers to itself without a class in between."""
    ends = frozenset(other for other in declarations if not isinstance(declarations[other], Alias))
    return name not in ends and _reaches(name, name, declarations, ends)


def _reaches(
    start: str, goal: str, declarations: Mapping[str, Declaration], ends: frozenset[str] = frozenset()
) -> bool:
    seen: set[str] = set()
    waiting = _references(declarations[start])
    while waiting:
        other = waiting.pop()
        if other == goal:
            return True
        if other not in seen and other not in ends:
            seen.add(other)
            waiting += _references(declarations[other])
    return False


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
