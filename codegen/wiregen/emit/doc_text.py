"""What docstrings say: the meaning, a list of values or members, a deprecation, the page of the specification."""

from collections.abc import Iterator

from wiregen.ir import Alias, Array, Declaration, Enumeration, Field, Map, Method, ObjectType, Type, Union


def declaration_text(declaration: Declaration) -> str | None:
    """The docstring of a class or an alias, if anything is said about it."""
    listed = _list(declaration.type) if isinstance(declaration, Alias) else None
    return _paragraphs(declaration.description, listed, *_references(declaration))


def field_text(field: Field) -> str | None:
    """The docstring of a field, if anything is said about it."""
    return _paragraphs(field.description, _list(field.type))


def method_text(method: Method, named: str | None = None) -> str | None:
    """The docstring of what stands for a method, if anything is said about it; `named` says which method it is."""
    return _paragraphs(method.description, named, *_references(method))


def _references(told: ObjectType | Alias | Method) -> Iterator[str | None]:
    yield f"Deprecated {told.deprecated}" if told.deprecated else None
    yield f"Specification: {told.page}" if told.page else None


def _list(type_: Type) -> str | None:
    return "\n".join(f"- `{name}`: {' '.join(text.split())}" for name, text in _told(type_)) or None


def _told(type_: Type) -> Iterator[tuple[str, str]]:
    """What is said about the values of enumerations and the members of unions in a type; a constant is no choice."""
    match type_:
        case Enumeration(values, is_open, descriptions) if is_open or len(values) > 1:
            yield from ((str(value), text) for value, text in descriptions)
        case Array(item):
            yield from _told(item)
        case Map(value):
            yield from _told(value)
        case Union(members):
            yield from ((label.member, text) for label, text in type_.labels if label.member and text)
            for member in members:
                yield from _told(member)
        case _:
            return


def _paragraphs(*texts: str | None) -> str | None:
    return "\n\n".join(text for text in texts if text) or None
