"""What a ValidationError says, as JSON pointers and texts."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, cast

from pydantic import ConfigDict, TypeAdapter, ValidationError

from .annotations import LABEL, WAY
from .model import is_model_class

__all__ = ["problems"]

Key: TypeAlias = str | int


class _Line(NamedTuple):
    """One complaint.

    `keys` lead to it from where a schema applies: as pydantic has them, with the labels of union members among them,
    before they are followed, and as the value has them afterwards.
    """

    keys: tuple[Key, ...]
    kind: str
    text: str
    context: Mapping[str, Any]

    def under(self, key: Key) -> "_Line":
        return self._replace(keys=(key, *self.keys))


class _NotHere(LookupError):
    """A location does not lead into this schema."""


def problems(error: ValidationError) -> list[tuple[str, str]]:
    """The places that an error speaks of and what is wrong with each.

    Args:
        error: raised by `decode`, `encode` or a message's constructor.

    Returns:
        Pairs of a JSON pointer (RFC 6901) into the value that was read and a text. A pointer leads to a part of the
        value, or to a field that it lacks. Where no member of a union fits, the pairs are those of all members that
        may have been meant. Of a list or map, the first item that is wrong stands for all.
    """
    lines = [
        _Line(line["loc"], line["type"], line["msg"], line.get("ctx", {}))
        for line in error.errors(include_url=False, include_input=False)
    ]
    type_ = getattr(error, "validated_type", None)
    if type_ is not None:
        try:
            lines = _Reader().follow(_core_schema(type_), lines)
        except _NotHere:
            lines = [line._replace(keys=tuple(k for k in line.keys if not str(k).startswith(LABEL))) for line in lines]
    return list(dict.fromkeys((_pointer(line.keys), line.text) for line in lines))


def _pointer(keys: tuple[Key, ...]) -> str:
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


def _core_schema(type_: Any) -> Any:
    if not is_model_class(type_):
        return TypeAdapter[Any](type_, config=ConfigDict(strict=True)).core_schema
    if not type_.__pydantic_complete__:
        type_.model_rebuild()
    return type_.__pydantic_core_schema__


class _Reader:
    """Follows locations through the validator core's schema, which tells keys from labels."""

    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}

    def follow(self, schema: Any, lines: Iterable[_Line]) -> list[_Line]:
        """The lines with the keys of the value; raises `_NotHere` where one cannot be about this schema."""
        found: list[_Line] = []
        inner: list[_Line] = []
        for line in lines:
            if line.keys:
                inner.append(line)
            else:
                found.append(_at_tag(line))
        return found + self._inside(schema, inner) if inner else found

    def _inside(self, schema: Any, lines: list[_Line]) -> list[_Line]:
        match schema["type"]:
            case "model-fields":
                return self._in_parts(lines, lambda key: _field(schema, key))
            case "dict":
                return self._in_parts(lines, lambda _: schema["values_schema"])
            case "list":
                return self._in_parts(lines, lambda _: schema["items_schema"])
            case "tagged-union":
                return self._in_choices(lines, schema["choices"])
            case "union":
                return self._in_union(schema["choices"], lines)
            case "chain":
                return self._in_any(schema["steps"], lines)
            case "function-plain":
                members = getattr(getattr(schema["function"]["function"], "__self__", None), "members", ())
                return self._in_any(map(_core_schema, members), lines)
            case "definition-ref":
                return self._inside(self.definitions[schema["schema_ref"]], lines)
            case "definitions":
                self.definitions.update((part["ref"], part) for part in schema["definitions"])
                return self._inside(schema["schema"], lines)
            case _ if "schema" in schema:
                return self._inside(schema["schema"], lines)
            case _:
                raise _NotHere

    def _in_parts(self, lines: list[_Line], part: Callable[[Key], Any]) -> list[_Line]:
        """Lines about parts of the value; a complaint about a key has its own label after the key."""
        found: list[_Line] = []
        for key, inner in _by_first(lines).items():
            about_key = [line for line in inner if line.keys == ("[key]",)]
            about_part = [line for line in inner if line not in about_key]
            found += [line._replace(keys=(key,)) for line in about_key]
            found += [line.under(key) for line in self.follow(part(key), about_part)]
        return found

    def _in_choices(self, lines: list[_Line], choices: Mapping[Any, Any]) -> list[_Line]:
        """Lines about the value itself, as some members of a union read it."""
        groups = _by_first(lines)
        if not groups.keys() <= choices.keys():
            raise _NotHere
        return [line for label, inner in groups.items() for line in self.follow(choices[label], inner)]

    def _in_union(self, choices: list[Any], lines: list[_Line]) -> list[_Line]:
        pairs = [_with_label(choice) for choice in choices]
        labelled = {label: schema for schema, label in pairs if label is not None}
        groups = _by_first(lines)
        first, second = f"{LABEL}0", f"{LABEL}1"
        if f"{WAY}0" in groups:
            return self.follow(labelled[f"{WAY}0"], groups[f"{WAY}0"])
        if first not in labelled:
            # A union that is none of ours, with labels that pydantic made up.
            return [line for inner in groups.values() for line in self._in_any((pair[0] for pair in pairs), inner)]
        if labelled[first]["type"] == "tagged-union":
            # A known tag decides; for any other value, the members that stand for all others know better.
            is_known = any(line.keys for line in groups.get(first, ()))
            decisive = first if is_known or second not in groups else second
            return self.follow(labelled[decisive], groups[decisive])
        return self._in_choices(lines, labelled)

    def _in_any(self, schemas: Iterable[Any], lines: list[_Line]) -> list[_Line]:
        """Lines about the first schema that they fit."""
        for schema in schemas:
            try:
                return self.follow(schema, lines)
            except _NotHere:
                continue
        raise _NotHere


def _with_label(choice: Any) -> tuple[Any, str | None]:
    """The schema of a union's choice, and its label where it has one."""
    return cast("tuple[Any, str]", choice) if isinstance(choice, tuple) else (choice, None)


def _by_first(lines: list[_Line]) -> dict[Key, list[_Line]]:
    """The lines by their first key, without it."""
    groups: dict[Key, list[_Line]] = {}
    for line in lines:
        groups.setdefault(line.keys[0], []).append(line._replace(keys=line.keys[1:]))
    return groups


def _field(fields: Any, key: Key) -> Any:
    for name, field in fields["fields"].items():
        if key in (field.get("validation_alias", name), name):  # a constructor takes names
            return field["schema"]
    if "extras_schema" not in fields:
        raise _NotHere
    return fields["extras_schema"]


def _at_tag(line: _Line) -> _Line:
    """A complaint about the tag of a union, which pydantic makes about the whole value."""
    if line.kind not in {"union_tag_invalid", "union_tag_not_found"}:
        return line
    tag = line.context["discriminator"].partition(" | ")[0].strip("'")
    text = f"Input should be one of {line.context['expected_tags']}" if "tag" in line.context else "Field required"
    return line._replace(keys=(tag,), text=text)
